//! Crowd steering: agents that avoid each other and walls, flocks, and scent fields on the ground.
//!
//! [`Steering::step`] moves a slice of [`Agent`]s. Each chooses the velocity nearest to its preferred one (`wish`) that
//! leads to no collision with another agent or a wall: reciprocal collision avoidance (ORCA, van den Berg et al. 2011).
//! [`Walls`] holds the walls. [`Flocking`] moves birds or fish ([`Boid`]s) by the rules in [`FlockRules`]. A [`ScentField`]
//! is a scent field (an influence map): a grid on the ground that agents mark and follow. [`SortedRows`] finds
//! neighbours fast.
//!
//! ```
//! use galatea_crowd::{Agent, AvoidOptions, Steering, Walls};
//! use glam::Vec2;
//!
//! // Two agents that want to swap places.
//! let agent = |x: f32| Agent { at: Vec2::new(x, 0.0), ..Agent::default() };
//! let mut agents = [agent(-4.0), agent(4.0)];
//! let goals = [agents[1].at, agents[0].at];
//! let (mut steering, walls, options) = (Steering::default(), Walls::default(), AvoidOptions::default());
//! for _ in 0..600 {
//!     for (agent, goal) in agents.iter_mut().zip(goals) {
//!         agent.desired_velocity = (goal - agent.at).clamp_length_max(1.3);
//!     }
//!     steering.step(&mut agents, &walls, &options, 1.0 / 60.0);
//!     assert!(agents[0].at.distance(agents[1].at) > 0.49, "they touch at most: 2 × 0.25 m");
//! }
//! assert!(agents[0].at.distance(goals[0]) < 0.1 && agents[1].at.distance(goals[1]) < 0.1);
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-math`. Input and output are plain data; the crate does not use the clock, characters, physics
//! bodies or the GPU. The caller sets where each agent wants to go. The result is bit-identical for any number of
//! threads.

mod agent;
mod agents;
mod among;
mod avoid;
mod confines;
mod flock;
mod flock_rules;
pub mod repulsion;
mod right_of_way;
mod rows;
mod scent_field;
#[cfg(test)]
mod tests;
mod walls;

pub use agent::Agent;
pub use agents::{AvoidOptions, Steering};
pub use avoid::MAX_NEIGHBORS;
pub use flock::{FlockMove, Flocking};
pub use flock_rules::{Attractor, Boid, FlockHome, FlockRules};
pub use rows::{RowCursor, SortedRows};
pub use scent_field::ScentField;
pub use walls::{Wall, Walls};
