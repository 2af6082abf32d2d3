//! Members of a flock, and the rules that they follow.

use glam::Vec3;

/// Home of a flock, a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlockHome {
    /// Centre, metres.
    pub at: Vec3,
    /// Radius within which no force draws back, metres.
    pub radius: f32,
    /// Weight of the force to the centre outside of `radius`.
    pub weight: f32,
}

/// One of a flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boid {
    /// Metres.
    pub at: Vec3,
    /// Metres a second.
    pub velocity: Vec3,
}

/// Something that draws or drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Metres.
    pub at: Vec3,
    /// More draws more; less than 0 drives away.
    pub weight: f32,
    /// Metres within which it is felt, less towards its edge; infinite is felt everywhere, as much.
    pub reach: f32,
}

/// The rules of a flock and how much each counts.
#[derive(Clone, Debug, PartialEq)]
pub struct FlockRules {
    /// Away from those nearer than `apart` (CR-04).
    pub separation: f32,
    /// Metres.
    pub apart: f32,
    /// As fast and the same way as those around (CR-05).
    pub alignment: f32,
    /// To the middle of those around (CR-06).
    pub cohesion: f32,
    /// Distance of the farthest neighbour, metres.
    pub reach: f32,
    /// Points that draw, and predators (CR-07).
    pub pulls: Vec<Pull>,
    /// Up where the ground is nearer than `clearance` (CR-08).
    pub ground: f32,
    /// Metres.
    pub clearance: f32,
    /// Nobody comes nearer to the ground than this, metres.
    pub lowest: f32,
    /// Metres a second, the least and the most.
    pub speed: [f32; 2],
    /// Turn rate: metres a second of change in one, per metre a second of `speed`.
    pub turn: f32,
    /// As in the book: forces are made unit, and so is the velocity before speed is applied (CR-09).
    pub is_book: bool,
    /// The first so many lead: others flock with them, but the rules do not move them.
    pub n_leaders: usize,
    /// Weight of the force to the nearest leader.
    pub lead: f32,
    /// Home of the flock; no bird gets farther from its centre than 1.1 times its radius.
    pub home: Option<FlockHome>,
}

impl FlockRules {
    /// The constants of the book's program 13.1 (CR-04 to CR-09).
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
