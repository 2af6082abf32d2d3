//! Galatea is a character runtime: a glTF character, a page of Lua, and it lives.
//!
//! The rooms in reading order; each imports only from those above it: [`math`], [`anim`],
//! [`rig`], [`speech`], [`face`], [`asset`], [`forge`], [`deform`], [`decal`], [`body`], [`hair`], [`crowd`], [`machine`], [`character`], [`stage`], [`audio`], [`render`],
//! [`script`], [`studio`], [`app`], [`commands`].
#![warn(missing_docs)]

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
pub use galatea_hair as hair;
pub use galatea_import as import;
pub use galatea_machine as machine;
pub use galatea_math as math;
pub use galatea_navmesh as navmesh;
pub use galatea_physics as physics;
pub use galatea_player as player;
pub use galatea_render as render;
pub use galatea_rig as rig;
pub use galatea_script as script;
pub use galatea_speech as speech;
pub use galatea_stage as stage;

/// Installs what the libraries leave out so that a player can stay small: the importers of other model formats, and
/// the English dictionary. The program does this when it starts.
pub fn install() {
    galatea_import::install();
    galatea_speech::text::dictionary::install(DICTIONARY);
}

/// The English dictionary, compressed by zstd; empty without the feature `dictionary`.
#[cfg(feature = "dictionary")]
static DICTIONARY: &[u8] = galatea_english::PACKED;
#[cfg(not(feature = "dictionary"))]
static DICTIONARY: &[u8] = &[];
