//! What is asked of a solid thing, and how it moves, as plain data.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::body_id::BodyId;
use super::cells::Cells;
use super::ragdoll::RigidFrame;
use super::shape::{CollisionShape, PlacedShape};
use galatea_math::heights::Heights;

/// How a solid thing moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// It stays, until it is put elsewhere.
    #[default]
    Static,
    /// It falls, and is pushed.
    Dynamic,
    /// It goes where it is told and pushes others: a moving platform, a door.
    Moved,
    /// It goes on as fast as it is and pushes others; nothing stops it.
    Steady,
}

/// What a surface does to what touches it.
#[derive(Clone, Debug, PartialEq)]
pub struct PhysicsMaterial {
    /// Its name, for footsteps and contacts.
    pub name: Arc<str>,
    /// Coulomb's coefficient against a like surface, 0 or more.
    pub friction: f32,
    /// Share of the speed with which things spring back, 0..=1 (6.26).
    pub bounce: f32,
    /// Name of the set of sounds that it makes.
    pub sound: Arc<str>,
}

impl PhysicsMaterial {
    /// A surface of this name that makes the sounds of its name.
    pub fn new(name: &str, friction: f32, bounce: f32) -> Self {
        Self {
            name: name.into(),
            friction,
            bounce,
            sound: name.into(),
        }
    }
}

/// What one form of a thing has of its own, in place of the thing's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wear {
    /// What it is made of.
    pub surface: Option<Arc<str>>,
    /// Friction other than the surface's.
    pub friction: Option<f32>,
    /// Bounce other than the surface's.
    pub bounce: Option<f32>,
    /// Kilograms.
    pub mass: Option<f32>,
    /// Which layer it is in, 0..32.
    pub layer: Option<u8>,
    /// It stops nothing and tells what is inside.
    pub sensor: bool,
    /// Ground that is made of several things: what each of its cells or triangles is made of.
    pub cells: Option<Arc<Cells>>,
}

/// Speed of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Metres per second, of the centre of mass.
    pub linear: Vec3,
    /// Radians per second about the world's axes.
    pub angular: Vec3,
}

/// How a body's mass is spread, where its forms do not say it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Its centre of mass in its own space at scale 1, metres.
    pub centre: Option<Vec3>,
    /// Moments of inertia about three axes through the centre, kg·m² at scale 1, 0 for what does not turn
    /// about one; and how these axes are turned.
    pub inertia: Option<(Vec3, Quat)>,
}

/// Forms of a thing that stand on one of its bones and may move for themselves: a door that a clip swings, a
/// wheel that rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeBody {
    /// The bone.
    pub bone: u16,
    /// Where it is at rest in the thing's space, without its scale.
    pub rest: RigidFrame,
    /// The numbers of its forms among all of the thing's.
    pub numbers: Arc<[u16]>,
    /// Its body about the bone, forms in the bone's space without its scale. A [`Motion::Static`] one is
    /// part of the whole until its bone is posed away from rest, and goes where that is posed from then on.
    pub own: SolidSettings,
    /// How fast it begins, in the thing's space.
    pub velocity: Velocity,
}

impl NodeBody {
    /// The bone goes where the body is, not the body where the bone is.
    pub fn is_free(&self) -> bool {
        self.own.motion != Motion::Static
    }
}

/// Everything about a solid thing but where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidSettings {
    /// Its forms, in the space of the thing at scale 1.
    pub pieces: Arc<[PlacedShape]>,
    /// What each of them has of its own; those beyond its end have nothing.
    pub wear: Arc<[Wear]>,
    /// Which of them stand on bones and may move for themselves, ascending by bone.
    pub nodes: Arc<[NodeBody]>,
    /// How it moves.
    pub motion: Motion,
    /// Kilograms; by volume at `density` when `None`.
    pub mass: Option<f32>,
    /// Kilograms per cubic metre.
    pub density: f32,
    /// How its mass is spread.
    pub balance: Balance,
    /// What it is made of.
    pub surface: Arc<str>,
    /// Friction other than the surface's.
    pub friction: Option<f32>,
    /// Bounce other than the surface's.
    pub bounce: Option<f32>,
    /// Which layer it is in, 0..32.
    pub layer: u8,
    /// Nothing is stopped by it; it tells what is inside.
    pub sensor: bool,
    /// Factor on gravity.
    pub gravity: f32,
    /// Share of its speed lost per second, linear and angular.
    pub damping: [f32; 2],
    /// It is fast and small: it must not pass through thin things between two ticks.
    pub bullet: bool,
    /// It does not turn.
    pub upright: bool,
    /// What it hits holds it from then on, as an arrow.
    pub sticks: bool,
}

impl SolidSettings {
    /// What one of its forms is made of, at a place in the thing's space at scale 1.
    pub fn surface_of(&self, piece: u16, place: Vec3) -> &Arc<str> {
        let own = self.wear.get(usize::from(piece));
        own.and_then(|wear| {
            let cell = wear.cells.as_ref().and_then(|cells| {
                let at = self.pieces.get(usize::from(piece))?.at;
                cells.at(at.inverse().point(place))
            });
            cell.or(wear.surface.as_ref())
        })
        .unwrap_or(&self.surface)
    }

    /// The ground by its heights that it is.
    pub fn heights(&self) -> Option<&Arc<Heights>> {
        self.pieces.iter().find_map(|piece| match &piece.shape {
            CollisionShape::Heights(ground) => Some(ground),
            _ => None,
        })
    }
}

impl Default for SolidSettings {
    fn default() -> Self {
        Self {
            pieces: Arc::new([]),
            wear: Arc::new([]),
            nodes: Arc::new([]),
            motion: Motion::Static,
            mass: None,
            density: 500.0,
            balance: Balance::default(),
            surface: "stone".into(),
            friction: None,
            bounce: None,
            layer: 0,
            sensor: false,
            gravity: 1.0,
            damping: [0.0, 0.1],
            bullet: false,
            upright: false,
            sticks: false,
        }
    }
}

/// What became of a [`NodeBody`].
#[derive(Clone, Debug, Default)]
pub struct NodeState {
    /// Its body, once it is in the world.
    pub body: Option<BodyId>,
    /// Where it was put or found last, world space.
    pub at: Option<RigidFrame>,
    /// How fast it is.
    pub velocity: Velocity,
    /// Its bone was posed away from rest: it goes where that is.
    pub follows: bool,
    /// At rest, and so not computed.
    pub asleep: bool,
}

/// A solid thing on the stage.
#[derive(Clone, Debug)]
pub struct Solid {
    /// What was asked.
    pub options: SolidSettings,
    /// How fast it is: what the last tick left, or what it is to begin with.
    pub velocity: Velocity,
    /// How fast it was a step before.
    pub velocity_before: Velocity,
    /// Its centre of mass in its own space, once it was in the world; metres.
    pub centre: Vec3,
    /// Its file made it solid.
    pub of_file: bool,
    /// At rest, and so not computed.
    pub asleep: bool,
    /// A bone has held it for a tick and more: where it was a tick ago tells how fast it is.
    pub carried: bool,
    /// Those of its forms that may move for themselves, as `options.nodes`.
    pub nodes: Vec<NodeState>,
    /// Memory: how bones are moved by bodies.
    pub moved_by: Vec<Option<Affine3A>>,
    /// Its body, once it is in the world, and where it was put or found last, at which scale.
    body: Option<(BodyId, (RigidFrame, f32))>,
    /// It cannot be put into the world: why.
    pub fault: Option<String>,
}

impl Solid {
    /// A solid thing that is not in the world yet.
    pub fn new(options: SolidSettings) -> Self {
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
            of_file: false,
            asleep: false,
            carried: false,
            body: None,
            fault: None,
        }
    }

    /// Its body in the world.
    pub fn body(&self) -> Option<BodyId> {
        Some(self.body?.0)
    }

    /// Where it was put or found last, and at which scale.
    pub fn last(&self) -> Option<(RigidFrame, f32)> {
        Some(self.body?.1)
    }

    /// It is in the world.
    pub fn enter(&mut self, body: BodyId, at: (RigidFrame, f32)) {
        self.body = Some((body, at));
    }

    /// It is not in the world any more.
    pub fn leave(&mut self) {
        self.body = None;
    }

    /// True for a form, by its number, that belongs to the body of the whole.
    pub fn is_of_whole(&self, number: u16) -> bool {
        let mut nodes = self.options.nodes.iter().zip(&self.nodes);
        nodes.all(|(node, state)| {
            !(node.is_free() || state.follows && self.options.motion == Motion::Static)
                || !node.numbers.contains(&number)
        })
    }

    /// The scale at which its body was made; 0 without one.
    pub fn scale(&self) -> f32 {
        self.body.map_or(0.0, |(_, (_, scale))| scale)
    }
}
