//! Settings and state of rigid bodies (props), as plain data.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::body_id::BodyId;
use super::cells::Cells;
use super::ragdoll::RigidFrame;
use super::shape::{CollisionShape, PlacedShape};
use galatea_math::heights::Heights;

/// Type of motion of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyType {
    /// Static: it does not move unless it is teleported.
    #[default]
    Static,
    /// Dynamic: it falls and is pushed.
    Dynamic,
    /// Kinematic, position based: it moves to given positions and pushes others; for moving platforms and doors.
    Kinematic,
    /// Kinematic, velocity based: it keeps its velocity and pushes others; nothing stops it.
    KinematicVelocity,
}

/// Physical material of a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhysicsMaterial {
    /// Name, used for footsteps and contacts.
    #[serde(with = "galatea_persist::shared")]
    pub name: Arc<str>,
    /// Coulomb friction coefficient against the same material, 0 or more.
    pub friction: f32,
    /// Restitution: fraction of the speed with which bodies bounce, 0..=1.
    pub restitution: f32,
    /// Name of the sound set.
    #[serde(with = "galatea_persist::shared")]
    pub sound: Arc<str>,
}

impl PhysicsMaterial {
    /// Material with the sound set of the same name.
    pub fn new(name: &str, friction: f32, bounce: f32) -> Self {
        Self {
            name: name.into(),
            friction,
            restitution: bounce,
            sound: name.into(),
        }
    }
}

/// Settings of a single shape that override those of the prop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeOverrides {
    /// Material.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Option<Arc<str>>,
    /// Friction that overrides that of the material.
    pub friction: Option<f32>,
    /// Restitution that overrides that of the material.
    pub restitution: Option<f32>,
    /// Mass, kilograms.
    pub mass: Option<f32>,
    /// Collision layer, 0..32.
    pub layer: Option<u8>,
    /// Sensor: it blocks nothing and reports overlaps.
    pub sensor: bool,
    /// Ground of several materials: the material of each cell or triangle.
    #[serde(with = "galatea_persist::shared")]
    pub cells: Option<Arc<Cells>>,
}

/// Velocity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Velocity {
    /// Velocity of the centre of mass, metres per second.
    pub linear: Vec3,
    /// Angular velocity about the world axes, radians per second.
    pub angular: Vec3,
}

/// Mass distribution of a body, where it does not follow from its shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Centre of mass in the body's space at scale 1, metres.
    pub centre: Option<Vec3>,
    /// Principal moments of inertia through the centre, kg·m² at scale 1, and the rotation of these axes. A moment of 0
    /// prevents rotation about that axis.
    pub inertia: Option<(Vec3, Quat)>,
}

/// Shapes on a bone of a prop that may move separately, such as a door that a clip opens or a wheel that rolls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeBody {
    /// Bone index.
    pub bone: u16,
    /// Frame of the bone at rest in the prop's space, without scale.
    pub rest: RigidFrame,
    /// Indices of these shapes among all shapes of the prop.
    #[serde(with = "galatea_persist::shared")]
    pub numbers: Arc<[u16]>,
    /// Settings of the body, with shapes in the bone's space without scale. A [`BodyType::Static`] one is part of the main
    /// body until its bone is posed away from rest; from then on it follows the bone.
    pub own: PropBodySettings,
    /// Initial velocity, in the prop's space.
    pub velocity: Velocity,
}

impl NodeBody {
    /// Returns true if the bone follows the body, and not the body the bone.
    pub fn is_free(&self) -> bool {
        self.own.body_type != BodyType::Static
    }
}

/// Settings of a rigid body, without its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropBodySettings {
    /// Shapes, in the prop's space at scale 1.
    #[serde(with = "galatea_persist::shared")]
    pub pieces: Arc<[PlacedShape]>,
    /// Overrides of each shape; shapes beyond its end have none.
    #[serde(with = "galatea_persist::shared")]
    pub shape_overrides: Arc<[ShapeOverrides]>,
    /// Shapes on bones that may move separately, ascending by bone.
    #[serde(with = "galatea_persist::shared")]
    pub nodes: Arc<[NodeBody]>,
    /// Type of motion.
    pub body_type: BodyType,
    /// Mass, kilograms; with `None` it follows from volume and `density`.
    pub mass: Option<f32>,
    /// Density, kilograms per cubic metre.
    pub density: f32,
    /// Mass distribution.
    pub balance: Balance,
    /// Name of the material.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Arc<str>,
    /// Friction that overrides that of the material.
    pub friction: Option<f32>,
    /// Restitution that overrides that of the material.
    pub restitution: Option<f32>,
    /// Collision layer, 0..32.
    pub layer: u8,
    /// Sensor: it blocks nothing and reports overlaps.
    pub sensor: bool,
    /// Gravity scale.
    pub gravity_scale: f32,
    /// Linear and angular damping: fraction of the velocity lost per second.
    pub damping: [f32; 2],
    /// Continuous collision detection: a small, fast body must not pass through thin bodies between two ticks.
    pub bullet: bool,
    /// Rotation is locked.
    pub lock_rotation: bool,
    /// The prop sticks to the body that it hits, like an arrow.
    pub stick_on_hit: bool,
}

impl PropBodySettings {
    /// Material of a shape at a position in the prop's space at scale 1.
    pub fn surface_of(&self, piece: u16, position: Vec3) -> &Arc<str> {
        let own = self.shape_overrides.get(usize::from(piece));
        own.and_then(|wear| {
            let cell = wear.cells.as_ref().and_then(|cells| {
                let at = self.pieces.get(usize::from(piece))?.at;
                cells.at(at.inverse().point(position))
            });
            cell.or(wear.surface.as_ref())
        })
        .unwrap_or(&self.surface)
    }

    /// Height field of the prop, if it is one.
    pub fn heights(&self) -> Option<&Arc<Heights>> {
        self.pieces.iter().find_map(|piece| match &piece.shape {
            CollisionShape::Heights(ground) => Some(ground),
            _ => None,
        })
    }
}

impl Default for PropBodySettings {
    fn default() -> Self {
        Self {
            pieces: Arc::new([]),
            shape_overrides: Arc::new([]),
            nodes: Arc::new([]),
            body_type: BodyType::Static,
            mass: None,
            density: 500.0,
            balance: Balance::default(),
            surface: "stone".into(),
            friction: None,
            restitution: None,
            layer: 0,
            sensor: false,
            gravity_scale: 1.0,
            damping: [0.0, 0.1],
            bullet: false,
            lock_rotation: false,
            stick_on_hit: false,
        }
    }
}

/// State of a [`NodeBody`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NodeState {
    /// Body handle, while it is in the world.
    pub body: Option<BodyId>,
    /// Frame that was set or read last, world space.
    pub at: Option<RigidFrame>,
    /// Current velocity.
    pub velocity: Velocity,
    /// The bone was posed away from rest, so the body follows it.
    pub follows: bool,
    /// The body sleeps and is not simulated.
    pub asleep: bool,
}

/// A rigid body of a stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropBody {
    /// Settings.
    pub options: PropBodySettings,
    /// Velocity after the last tick, or initial velocity.
    pub velocity: Velocity,
    /// Velocity one step earlier.
    pub velocity_before: Velocity,
    /// Centre of mass in the body's space, metres; valid once it was in the world.
    pub centre: Vec3,
    /// The rigid body was defined by the model file.
    pub is_from_file: bool,
    /// The body sleeps and is not simulated.
    pub is_sleeping: bool,
    /// The prop has been attached to a bone for more than a tick, so its velocity follows from its last positions.
    pub is_attached: bool,
    /// State of the shapes that may move separately, parallel to `options.nodes`.
    pub nodes: Vec<NodeState>,
    /// Scratch buffer: transforms of bones that follow bodies.
    pub moved_by: Vec<Option<Affine3A>>,
    /// Body handle, while it is in the world, with the frame and scale that were set or read last.
    body: Option<(BodyId, (RigidFrame, f32))>,
    /// Reason why it cannot be added to the world.
    pub fault: Option<String>,
}

impl PropBody {
    /// Rigid body that is not in the world yet.
    pub fn new(options: PropBodySettings) -> Self {
        let nodes = options.nodes.iter().map(|node| NodeState {
            velocity: node.velocity,
            ..NodeState::default()
        });
        Self {
            nodes: nodes.collect(),
            moved_by: Vec::new(),
            options,
            velocity: Velocity::default(),
            velocity_before: Velocity::default(),
            centre: Vec3::ZERO,
            is_from_file: false,
            is_sleeping: false,
            is_attached: false,
            body: None,
            fault: None,
        }
    }

    /// Body handle in the world.
    pub fn body(&self) -> Option<BodyId> {
        Some(self.body?.0)
    }

    /// Frame and scale that were set or read last.
    pub fn last(&self) -> Option<(RigidFrame, f32)> {
        Some(self.body?.1)
    }

    /// Records that the body was added to the world.
    pub fn enter(&mut self, body: BodyId, at: (RigidFrame, f32)) {
        self.body = Some((body, at));
    }

    /// Records that the body was removed from the world.
    pub fn left_world(&mut self) {
        self.body = None;
    }

    /// Returns true if the shape with this index belongs to the main body.
    pub fn is_of_whole(&self, number: u16) -> bool {
        let mut nodes = self.options.nodes.iter().zip(&self.nodes);
        nodes.all(|(node, state)| {
            !(node.is_free() || state.follows && self.options.body_type == BodyType::Static)
                || !node.numbers.contains(&number)
        })
    }

    /// Scale at which the body was created; 0 without one.
    pub fn scale(&self) -> f32 {
        self.body.map_or(0.0, |(_, (_, scale))| scale)
    }
}
