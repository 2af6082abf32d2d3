//! Overlay and studio: messages, watched values and the console over the picture, panels around it.
//!
//! Used after [`Renderer::draw`](galatea_render::Renderer::draw). It changes nothing in the simulation: what a user does in
//! the studio comes out as data. This is the only module that uses egui.

mod auto_quality;
mod change_panel;
mod dock;
mod egui_painter;
mod fonts;
mod layer;
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

pub use dock::{StudioDock, StudioPane};
pub use layer::StudioPass;
pub use overlay::{Overlay, OverlayContent};
pub use past_bar::{past_along, past_at};
pub use prompt::{EditKey, LineKind, Prompt, PromptLine, Typed};
pub use view::{OverPicture, StudioOptions, View};
