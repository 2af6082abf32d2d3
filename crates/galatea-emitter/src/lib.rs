//! Particle emitters: dust, smoke, sparks, blood, snow and custom particles.
//!
//! [`EmitterOptions`] describes an emitter: rate, shape, lifetimes, forces, collision and appearance over a particle's
//! life ([`LifetimeCurve`]s). [`kinds`] has built-in emitters. An [`Emitter`] is one running instance;
//! [`Emitter::advance`] spawns, moves and collides its particles, given the tick's [`EmitterInput`].
//! [`Emitter::add_sprites`] adds the [`Sprite`]s to draw. A [`SpriteSheet`] holds their images.
//!
//! ```
//! use galatea_emitter::{Emitter, EmitterInput, kinds::ParticleKind};
//! use galatea_rig::wind::Wind;
//! use glam::{Affine3A, Vec3};
//! use std::sync::Arc;
//!
//! // One puff of dust.
//! let dust = ParticleKind::find("dust").unwrap().options();
//! let mut emitter = Emitter::new(Arc::new(dust), 7);
//! let wind = Wind::default();
//! let mut run = |emitter: &mut Emitter, ticks: u32| {
//!     for tick in 0..ticks {
//!         emitter.advance(&EmitterInput {
//!             dt: 1.0 / 60.0,
//!             time: f64::from(tick) / 60.0,
//!             transform: Affine3A::IDENTITY,
//!             open: 1.0,
//!             wind: &wind,
//!             gravity: Vec3::NEG_Y * 9.81,
//!             surface: None,
//!             raycast: &|_from, _to| None,
//!             room: 1000,
//!             max_prewarm_updates: galatea_emitter::MAX_PREWARM_UPDATES,
//!         });
//!     }
//! };
//! run(&mut emitter, 6);
//! let mut sprites = Vec::new();
//! emitter.add_sprites(1.0, 0, 1.0 / 60.0, &mut sprites);
//! assert!(!sprites.is_empty() && sprites.iter().all(|sprite| sprite.position.is_finite()));
//!
//! run(&mut emitter, 600);
//! assert!(emitter.is_over());
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-asset` (images), `galatea-rig` (wind) and `galatea-math`. Uses no GPU, no models and no physics
//! world: the caller passes the emitter's transform, and casts rays for it. Time comes in fixed ticks; the same input
//! gives the same bits.

pub mod kinds;
mod motion;
mod options;
#[cfg(test)]
mod tests;

pub use motion::{
    Emitter, EmitterInput, MAX_PREWARM_UPDATES, ParticleHit, SpawnPoint, Sprite, SurfaceSampler,
};
pub use options::{
    EmissionShape, EmitterOptions, LifetimeCurve, MAX_CELLS, MAX_PARTICLES_EACH, ParticleCollision,
    SpriteSelection, SpriteSheet, SpriteSheetError,
};
