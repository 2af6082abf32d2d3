//! Everything that owns the loop: the session (a project being played), with a window or without.
//!
//! [`Session`] is the project while it plays: stage, scripts, library, sound, watched files. The
//! window and the headless runner drive it and draw what it shows. Callers: `commands`.
//! Invariants: the only room that names winit and gilrs; nothing below knows who drives the loop.

mod asking;
mod bindings;
pub mod console;
mod console_keys;
pub mod control;
mod diagnostics;
pub mod dropped;
mod files;
pub mod gallery;
#[cfg(feature = "gamepad")]
mod gamepads;
pub mod headless;
mod kept_pipelines;
mod keys;
mod library;
pub mod live;
mod losses;
pub mod microphone;
#[cfg(any(feature = "gamepad", test))]
mod pads;
mod player;
pub mod png;
pub mod recording;
mod session;
pub mod sheet;
pub mod studio;
pub mod told;
mod versions;
pub mod voices;
pub mod webp;
pub mod window;

pub use diagnostics::Diagnostics;
pub use library::Library;
pub use player::Player;
pub use session::{Session, SessionOptions, Sound};
