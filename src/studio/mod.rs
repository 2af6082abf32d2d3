//! What is painted over the picture: texts now, tools for looking inside later.
//!
//! Callers: `app` and `commands`, after [`Renderer::draw`](crate::render::Renderer::draw).
//! Invariants: changes nothing in the simulation; the only room that names egui.

mod look;
mod overlay;
mod panels;
mod toast;
mod view;

pub use overlay::Overlay;
pub use view::View;
