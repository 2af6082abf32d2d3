//! Members of a flock, and the rules of their motion.

use glam::Vec3;

/// Home of a flock, a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlockHome {
    /// Centre, metres.
    pub at: Vec3,
    /// Radius without a force to the centre, metres.
    pub radius: f32,
    /// Weight of the force to the centre outside `radius`.
    pub weight: f32,
}

/// A member of a flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boid {
    /// Position, metres.
    pub at: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
}

/// A point that attracts or repels the flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Position, metres.
    pub at: Vec3,
    /// Weight of the attraction; negative repels.
    pub weight: f32,
    /// Range, metres; the force falls to its edge. With an infinite range it is the same everywhere.
    pub reach: f32,
}

/// Rules of a flock and their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct FlockRules {
    /// Weight of separation: away from neighbours nearer than `apart`.
    pub separation: f32,
    /// Distance within which separation acts, metres.
    pub apart: f32,
    /// Weight of alignment: towards the mean velocity of the neighbours.
    pub alignment: f32,
    /// Weight of cohesion: towards the centre of the neighbours.
    pub cohesion: f32,
    /// Maximum distance of a neighbour, metres.
    pub reach: f32,
    /// Points that attract the flock, and predators that repel it.
    pub pulls: Vec<Pull>,
    /// Weight of the upward force where the ground is nearer than `clearance`.
    pub ground: f32,
    /// Height above the ground below which `ground` acts, metres.
    pub clearance: f32,
    /// Minimum height above the ground, metres.
    pub lowest: f32,
    /// Minimum and maximum speed, m/s.
    pub speed: [f32; 2],
    /// Turn rate: change of velocity in a second, m/s, per m/s of `speed`.
    pub turn: f32,
    /// Style "book": the sum of forces is normalised, and so is the velocity before the speed is applied.
    pub is_book: bool,
    /// Number of leaders, the first boids. Others flock with them, but the rules do not move them.
    pub n_leaders: usize,
    /// Weight of the force to the nearest leader.
    pub lead: f32,
    /// Home of the flock; no bird leaves 1.1 times its radius.
    pub home: Option<FlockHome>,
}

impl FlockRules {
    /// The constants of program 13.1 in *Character Animation with Direct3D* (Granberg 2009).
    pub fn book() -> Self {
        Self {
            separation: 15.0,
            apart: 2.5,
            alignment: 1.0,
            cohesion: 1.0,
            reach: 3.5,
            pulls: vec![Pull {
                at: Vec3::new(0.0, 15.0, 0.0),
                weight: 0.5,
                reach: f32::INFINITY,
            }],
            ground: 100.0,
            clearance: 3.0,
            lowest: 1.0,
            speed: [3.0, 3.0],
            turn: 3.0,
            is_book: true,
            n_leaders: 0,
            lead: 0.0,
            home: None,
        }
    }
}

impl Default for FlockRules {
    fn default() -> Self {
        Self {
            separation: 4.0,
            apart: 1.2,
            alignment: 1.2,
            cohesion: 0.8,
            reach: 3.0,
            pulls: Vec::new(),
            ground: 6.0,
            clearance: 2.0,
            lowest: 0.3,
            speed: [3.0, 7.0],
            turn: 1.5,
            is_book: false,
            n_leaders: 0,
            lead: 2.0,
            home: None,
        }
    }
}
