//! Marks that scripts add and take off while clips play: no event is lost, doubled or misnamed.

#[path = "../common/mod.rs"]
mod common;
mod reference;
mod scripts;
