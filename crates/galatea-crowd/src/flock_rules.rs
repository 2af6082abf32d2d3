//! Members of a flock, and the rules of their motion.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Home of a flock, a sphere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlockHome {
    /// Centre, metres.
    pub at: Vec3,
    /// Radius without a force to the centre, metres.
    pub radius: f32,
    /// Weight of the force to the centre outside `radius`.
    pub weight: f32,
}

/// A member of a flock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boid {
    /// Position, metres.
    pub at: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
}

/// A point that attracts or repels the flock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attractor {
    /// Position, metres.
    pub position: Vec3,
    /// Weight of the attraction; negative repels.
    pub weight: f32,
    /// Range, metres; the force falls to its edge. With an infinite range it is the same everywhere.
    pub range: f32,
}

/// Rules of a flock and their weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlockRules {
    /// Weight of separation: away from neighbours nearer than `apart`.
    pub separation: f32,
    /// Distance within which separation acts, metres.
    pub separation_distance: f32,
    /// Weight of alignment: towards the mean velocity of the neighbours.
    pub alignment: f32,
    /// Weight of cohesion: towards the centre of the neighbours.
    pub cohesion: f32,
    /// Maximum distance of a neighbour, metres.
    pub neighbor_radius: f32,
    /// Points that attract the flock, and predators that repel it.
    pub attractors: Vec<Attractor>,
    /// Weight of the upward force where the ground is nearer than `clearance`.
    pub ground_avoidance: f32,
    /// Height above the ground below which `ground` acts, metres.
    pub clearance: f32,
    /// Minimum height above the ground, metres.
    pub min_height: f32,
    /// Minimum and maximum speed, m/s.
    pub speed: [f32; 2],
    /// Turn rate: change of velocity in a second, m/s, per m/s of `speed`.
    pub turn_rate: f32,
    /// Style "book": the sum of forces is normalised, and so is the velocity before the speed is applied.
    pub is_classic: bool,
    /// Number of leaders, the first boids. Others flock with them, but the rules do not move them.
    pub n_leaders: usize,
    /// Weight of the force to the nearest leader.
    pub leader_weight: f32,
    /// Home of the flock; no bird leaves 1.1 times its radius.
    pub home: Option<FlockHome>,
}

impl FlockRules {
    /// The constants of program 13.1 in *Character Animation with Direct3D* (Granberg 2009).
    pub fn classic() -> Self {
        Self {
            separation: 15.0,
            separation_distance: 2.5,
            alignment: 1.0,
            cohesion: 1.0,
            neighbor_radius: 3.5,
            attractors: vec![Attractor {
                position: Vec3::new(0.0, 15.0, 0.0),
                weight: 0.5,
                range: f32::INFINITY,
            }],
            ground_avoidance: 100.0,
            clearance: 3.0,
            min_height: 1.0,
            speed: [3.0, 3.0],
            turn_rate: 3.0,
            is_classic: true,
            n_leaders: 0,
            leader_weight: 0.0,
            home: None,
        }
    }
}

impl Default for FlockRules {
    fn default() -> Self {
        Self {
            separation: 4.0,
            separation_distance: 1.2,
            alignment: 1.2,
            cohesion: 0.8,
            neighbor_radius: 3.0,
            attractors: Vec::new(),
            ground_avoidance: 6.0,
            clearance: 2.0,
            min_height: 0.3,
            speed: [3.0, 7.0],
            turn_rate: 1.5,
            is_classic: false,
            n_leaders: 0,
            leader_weight: 2.0,
            home: None,
        }
    }
}
