//! Marks that scripts add and take off while clips play: no event is lost, doubled or misnamed.

mod reference;
mod scripts;
