//! Particle systems for ropes, cloth and simple bodies: particles with mass but no size, constraints between them, and solid
//! obstacles.
//!
//! Callers: `hair`, and `stage`, which supplies positions of pins and obstacles every tick. Position-based dynamics in small
//! steps with one pass over the constraints (Macklin et al., "Small Steps in Physics Simulation", SCA 2019), with compliant
//! rods (Macklin, Müller, Chentanez, "XPBD", MIG 2016). The length of threads is limited after each tick (`limit`). Loose
//! cloth collides with itself (`layers`) and sleeps when it is still (`calm`).

mod calm;
#[cfg(test)]
mod cloth_tests;
mod fabric;
mod layers;
mod limit;
mod model;
mod obstacle;
#[cfg(test)]
mod shapes;
mod sheet;
mod taut;
#[cfg(test)]
mod tests;
mod world;

pub use fabric::{Fabric, FabricOptions};
pub use model::{particle_bone, particle_model, push_influences, root_bone};
pub use obstacle::ParticleObstacle;
pub use sheet::{sheet_model, tube_model};
pub use taut::{path_length, taut_path};
pub use world::{Particle, ParticleLink, ParticleLinkKind, ParticleScene, ParticleWorld};
