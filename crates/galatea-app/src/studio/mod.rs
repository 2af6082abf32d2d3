//! Overlay: messages, watched values and the console.
//!
//! Used after [`Renderer::draw`](galatea_render::Renderer::draw). The overlay changes nothing in the simulation. This is the
//! only module that uses egui.

mod auto_quality;
mod change_panel;
mod fonts;
mod overlay;
mod panel_style;
mod panels;
mod past_bar;
mod prompt;
mod system_fonts;
mod toast;
mod ui;
mod view;
mod watches;

pub use overlay::{Overlay, OverlayContent};
pub use past_bar::{past_along, past_at};
pub use prompt::{EditKey, LineKind, Prompt, PromptLine, Typed};
pub use view::{StudioOptions, View};
