//! Galatea, a runtime for animated characters: a glTF character and a page of Lua make a living scene.
//!
//! This crate is the `galatea` program ([`commands`]) and re-exports the library crates under short names:
//!
//! | crates | purpose |
//! |---|---|
//! | [`math`], [`guard`] | transforms, smoothing, noise, SIMD; catching panics |
//! | [`anim`], [`machine`], [`rig`] | clips and poses; state machines; inverse kinematics, gaze, springs |
//! | [`face`], [`speech`] | expressions and moods; lip sync |
//! | [`asset`], [`import`], [`forge`] | loading files; converting other formats; models and sounds made by code |
//! | [`physics`], [`navmesh`], [`crowd`] | rigid bodies and ragdolls; path finding; steering |
//! | [`deform`], [`hair`], [`decal`], [`emitter`] | skinning; strands; wounds and dirt; particles |
//! | [`character`], [`stage`] | one character with all of the above; the simulation |
//! | [`script`], [`render`], [`audio`] | Lua; pictures; sound |
//! | [`app`], [`studio`], [`player`] | a running project; messages and console over the picture; what bundles ship |
//!
//! ```no_run
//! // Needs a project folder and a graphics driver.
//! use galatea::app::{Session, SessionOptions, SoundOutput, headless};
//! use galatea::asset::Project;
//! use std::path::Path;
//!
//! let options = SessionOptions { sound: SoundOutput::Silent, watch: false, quiet: false, wait: true };
//! let mut session = Session::open(Project::open(Path::new("my_game"))?, options)?;
//! headless::advance_to(&mut session, 2.0);
//! let mut camera = headless::HeadlessCamera::new(&mut session)?;
//! let picture = camera.now(&mut session, (1280, 720))?;
//! image::save_buffer("my_game.png", &picture.rgba, picture.width, picture.height, image::ColorType::Rgba8)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dependencies
//!
//! `script`, `render`, `audio` and `app` depend on the simulation, never the other way round. The simulation (`stage`
//! and below) does not use the GPU, Lua, sound devices, files or the clock: the same input gives the same bits. Only
//! [`commands`] uses the command line.

pub mod commands;

pub use galatea_anim as anim;
pub use galatea_app as app;
pub use galatea_app::studio;
pub use galatea_asset as asset;
pub use galatea_audio as audio;
pub use galatea_character as character;
pub use galatea_crowd as crowd;
pub use galatea_decal as decal;
pub use galatea_deform as deform;
pub use galatea_emitter as emitter;
pub use galatea_face as face;
pub use galatea_forge as forge;
pub use galatea_guard as guard;
pub use galatea_hair as hair;
pub use galatea_import as import;
pub use galatea_lint as lint;
pub use galatea_machine as machine;
pub use galatea_math as math;
pub use galatea_navmesh as navmesh;
pub use galatea_physics as physics;
pub use galatea_player as player;
pub use galatea_recipe as recipe;
pub use galatea_render as render;
pub use galatea_rig as rig;
pub use galatea_script as script;
pub use galatea_speech as speech;
pub use galatea_stage as stage;

/// Installs parts that the libraries leave out to keep a player small: importers of other model formats, and the
/// English dictionary. The program calls it at its start.
pub fn install() {
    galatea_import::install();
    galatea_speech::text::dictionary::install(DICTIONARY);
}

/// The English dictionary, compressed with zstd; empty without the feature `dictionary`.
#[cfg(feature = "dictionary")]
static DICTIONARY: &[u8] = galatea_english::PACKED;
#[cfg(not(feature = "dictionary"))]
static DICTIONARY: &[u8] = &[];
