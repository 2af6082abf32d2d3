//! What is painted over the picture: messages, watched values and the console.
//!
//! Callers: `app` and `commands`, after [`Renderer::draw`](galatea_render::Renderer::draw).
//! Invariants: changes nothing in the simulation; the only room that names egui.

mod fonts;
mod look;
mod overlay;
mod pace;
mod panels;
mod prompt;
mod system_fonts;
mod toast;
mod ui;
mod view;
mod watches;

pub use overlay::{Overlay, OverlayContent};
pub use prompt::{EditKey, LineKind, Prompt, PromptLine, Typed};
pub use view::{StudioOptions, View};
