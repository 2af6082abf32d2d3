//! Scripts that mean harm or make odd mistakes: each is told or bounded, none ends the program.

mod bodies;
mod budgets;
mod faults;
mod floods;
mod mistakes;
