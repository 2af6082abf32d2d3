//! The application layer: a running project, in a window or headless, with hot reload, sound, console and control port.
//!
//! A [`Session`] is a project while it runs: stage, scripts, loaded files ([`Library`]), sound and watched files.
//! [`Session::tick`] applies reloads and advances the simulation. [`window`] drives a session in a window, [`headless`]
//! without one: [`headless::HeadlessCamera`] draws pictures of it. [`live`] runs it in real time for the control port
//! ([`control`]). [`studio`] paints messages, watched values and the console over the picture. [`recording`] records input
//! and replays it. [`run_diff`] compares two runs.
//! [`crash`] reports internal errors. [`Diagnostics`] holds current errors and warnings.
//!
//! ```
//! use galatea_app::{Session, SessionOptions, SoundOutput, headless};
//! use galatea_asset::Project;
//!
//! # let folder = std::env::temp_dir().join(format!("galatea-app-example-{}", std::process::id()));
//! # std::fs::create_dir_all(folder.join("scripts"))?;
//! // The smallest project: a folder with one script.
//! let script = r#"
//!     local v = vector.create
//!     physics.box { position = v(0, 2, 0), size = v(0.4, 0.4, 0.4), mass = 8, name = "crate" }
//! "#;
//! std::fs::write(folder.join("scripts/main.lua"), script)?;
//!
//! // Two seconds of it, without a window and as fast as possible.
//! let options = SessionOptions { sound: SoundOutput::Silent, watch: false, quiet: true, wait: true };
//! let mut session = Session::open(Project::open(&folder)?, options)?;
//! headless::advance_to(&mut session, 2.0);
//! assert!(session.is_loaded() && !session.script_failed());
//! let handle = session.stage.characters.named("crate").unwrap();
//! let fallen = session.stage.characters.get(handle).unwrap().placement.position;
//! assert!((fallen.y - 0.2).abs() < 0.01, "{fallen}");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `gamepad`: gamepads. On Linux this needs the headers of libudev.
//!
//! # Dependencies
//!
//! The only crate that uses winit, gilrs, arboard and egui. It owns the main loop: the crates below do not depend on the
//! driver, which may be a window, a recording or a test. Console and control port are answered between two ticks and cannot
//! delay a tick.

mod bindings;
pub mod character_history;
pub mod console;
mod console_keys;
mod console_requests;
pub mod control;
pub mod crash;
pub mod debug_facts;
mod diagnostics;
pub mod dropped;
mod editor;
mod files;
pub mod gallery;
#[cfg(feature = "gamepad")]
mod gamepads;
pub mod headless;
mod keys;
mod library;
pub mod live;
mod losses;
mod lua_source;
pub mod microphone;
#[cfg(any(feature = "gamepad", test))]
mod pads;
mod past_keys;
mod past_position;
mod player;
pub mod png;
pub mod profile;
pub mod recorded_test;
pub mod recording;
pub mod run_diff;
mod saved_pipelines;
mod saves;
pub mod script_edits;
mod script_fiber;
mod script_output;
mod script_pictures;
mod session;
pub mod sheet;
mod stoppable_game;
pub mod studio;
pub mod studio_facts;
pub mod timing_file;
mod versions;
pub mod voices;
pub mod window;

pub use diagnostics::Diagnostics;
pub use library::Library;
pub use past_position::{PastChange, PastMove, PastPosition};
pub use player::PlayerProfile;
pub use saves::SaveStore;
pub use session::{Session, SessionOptions, SoundOutput};
pub use stoppable_game::StoppableGame;
