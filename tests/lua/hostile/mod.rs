//! Hostile scripts and unusual mistakes: each is reported or limited, and none ends the program.

mod bodies;
mod budgets;
mod faults;
mod floods;
mod mistakes;
mod native_work;
