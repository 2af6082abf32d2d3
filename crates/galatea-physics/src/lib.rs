//! Physics: rigid bodies, ragdolls, character controllers, joints, shape queries, ropes and cloth.
//!
//! A [`PhysicsWorld`] holds the bodies and steps them. [`PropBodySettings`] describes a rigid body: [`PlacedShape`]s with a
//! [`CollisionShape`], mass, [`PhysicsMaterial`], layer and [`BodyType`] (static, dynamic, kinematic).
//! [`PhysicsWorld::add_prop_body`] adds it and returns a [`BodyId`]. [`PhysicsWorld::ray`] and [`PhysicsWorld::cast`] answer
//! queries. A [`Controller`] walks a character through the world. [`ragdoll`] derives bodies and joints from a skeleton and
//! a skin. [`particles`] simulates ropes and cloth.
//!
//! ```
//! use galatea_physics::{
//!     CollisionShape, BodyType, Owner, PhysicsMaterial, PhysicsWorld, PlacedShape, RigidFrame, PropBodySettings, Start, Velocity,
//! };
//! use glam::{Quat, Vec3};
//!
//! let at = |position| RigidFrame { position, rotation: Quat::IDENTITY };
//! let wood = PhysicsMaterial::new("wood", 0.6, 0.1);
//! let mut world = PhysicsWorld::new();
//! world.set_floor(Some((0.0, &wood)));
//!
//! // A box with edges of 40 cm falls from 2 m.
//! let piece = PlacedShape { shape: CollisionShape::Box(Vec3::splat(0.2)), at: at(Vec3::ZERO) };
//! let options = PropBodySettings {
//!     pieces: [piece].into(),
//!     body_type: BodyType::Dynamic,
//!     mass: Some(8.0),
//!     ..PropBodySettings::default()
//! };
//! let start = Start { at: at(Vec3::Y * 2.0), scale: 1.0, velocity: Velocity::default() };
//! let body = world.add_prop_body(Owner(1), &options, |i| Some(i as u16), |_| wood.clone(), start)?;
//!
//! let mut touches = Vec::new();
//! for _ in 0..180 {
//!     world.step(1.0 / 60.0, &mut touches);
//! }
//! let height = world.frame(body).unwrap().position.y;
//! assert!((height - 0.2).abs() < 0.005, "it rests on the floor");
//! assert!(!touches.is_empty(), "and it reported that it touched it");
//! # Ok::<(), galatea_physics::ShapeError>(())
//! ```
//!
//! # Dependencies
//!
//! The only crate that simulates with rapier3d. Depends on `galatea-anim`, `galatea-asset`, `galatea-deform` and
//! `galatea-math`, from which ragdolls are derived, and on `galatea-guard`, which catches panics of the engine. Knows no GPU,
//! no Lua, no files and no clock of its own. The same input gives the same bits.

mod add;
mod bare;
mod body_id;
mod cells;
mod cone;
mod controller;
mod crowding;
mod energy;
mod engine;
mod engine_mesh;
mod epoch;
mod force_field;
mod grab;
mod heavy;
mod joint;
mod limb;
pub mod particles;
mod prop_body;
mod query;
pub mod ragdoll;
mod rescue;
mod rest;
mod shape;
mod shape_error;
mod tag;
mod tie;
mod touch;
mod triangles;
mod world;

pub use add::Start;
pub use bare::BareRagdolls;
pub use body_id::BodyId;
pub use cells::Cells;
pub use controller::{
    Controller, ControllerPose, ControllerSettings, ControllerTickEvent, GroundContact,
};
pub use engine::EngineFailure;
pub use engine_mesh::EngineMesh;
pub use force_field::{ForceField, ForceFieldKind};
pub use grab::{Grab, GrabSpring};
pub use joint::{Drive, JointAngles};
pub use prop_body::{
    Balance, BodyType, NodeBody, NodeState, PhysicsMaterial, PropBody, PropBodySettings,
    ShapeOverrides, Velocity,
};
pub use query::{Filter, NearestSurface, QueryHit};
pub use ragdoll::RigidFrame;
pub use shape::{CollisionShape, PlacedShape};
pub use shape_error::{MAX_SIZE, ShapeError};
pub use tag::Owner;
pub use tie::{Tie, TieEnd};
pub use touch::Touch;
pub use triangles::StillTriangle;
pub use world::{FARTHEST, N_LAYERS, PhysicsWorld};
