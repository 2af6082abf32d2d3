//! Markers that scripts add and remove while clips play: no event is lost, duplicated or misnamed.

mod reference;
mod scripts;
