//! The world of bodies of a stage and its settings: layers, surfaces, forces, grabs.

use std::sync::Arc;

use glam::Vec3;

use super::{Arena, Floor, Handle};
use galatea_character::{Character, Placement};
use galatea_physics::{
    Force, Grab, N_LAYERS, Owner, PhysicsMaterial, PhysicsWorld, RigidFrame, Tie, Touch,
};

/// The world of bodies and what is agreed in it.
#[derive(Clone, Debug)]
pub struct Physics {
    /// The bodies. It can be made anew from what characters say of themselves.
    pub world: PhysicsWorld,
    /// Acceleration of everything, m/s².
    pub gravity: Vec3,
    /// What things are made of.
    pub surfaces: Vec<PhysicsMaterial>,
    /// Who meets whom.
    pub layers: Layers,
    /// Forces in parts of the world, by their names.
    pub forces: Vec<(u64, Force)>,
    /// Hands of scripts.
    pub grabs: Vec<StageGrab>,
    /// Rope joints between bodies that hang on ropes and cloth.
    pub(super) ties: Vec<StageTie>,
    /// Memory.
    pub(super) touches: Vec<Touch>,
}

/// A hand that holds a thing or a limb by a place on it.
#[derive(Clone, Debug)]
pub struct StageGrab {
    /// Names it.
    pub id: u64,
    /// What it holds.
    pub character: Handle,
    /// Which of its limbs, or of a thing's nodes that move for themselves; `None` for a thing as a whole.
    pub limb: Option<usize>,
    /// Where, in the world, when it took hold.
    pub at: Vec3,
    /// Where the hand is.
    pub to: Vec3,
    /// Hertz of its spring.
    pub frequency: f32,
    /// Most newtons along each axis; by the mass when `None`.
    pub force: Option<f32>,
    pub(super) held: Option<Grab>,
}

/// A rope joint between two pins of a rope, or between one of them and a point at which the rope bends.
#[derive(Clone, Debug)]
pub struct StageTie {
    pub(super) fabric: Handle,
    /// Particles of the pins.
    pub(super) particles: [u32; 2],
    /// The second end is the bend of the rope next to the first.
    pub(super) is_bent: bool,
    pub(super) tie: Tie,
    pub(super) is_used: bool,
}

/// Names of layers, and which meet which.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Names; the index is the layer's number.
    pub names: Vec<String>,
    /// A bit for each layer that it meets.
    pub meets: [u32; N_LAYERS],
}

impl Layers {
    /// The layer of what does not move.
    pub const WORLD: u8 = 0;
    /// The layer of things.
    pub const PROPS: u8 = 1;
    /// The layer of those who walk.
    pub const CHARACTERS: u8 = 2;
    /// The layer of limbs.
    pub const RAGDOLLS: u8 = 3;

    /// Number of the layer of this name.
    pub fn find(&self, name: &str) -> Option<u8> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(at as u8)
    }
}

impl Default for Layers {
    fn default() -> Self {
        let names = ["world", "props", "characters", "ragdolls"];
        Self {
            names: names.map(str::to_owned).to_vec(),
            meets: [u32::MAX; N_LAYERS],
        }
    }
}

/// The Earth's, m/s².
pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

impl Default for Physics {
    fn default() -> Self {
        Self {
            world: PhysicsWorld::new(),
            gravity: GRAVITY,
            surfaces: surfaces(),
            layers: Layers::default(),
            forces: Vec::new(),
            grabs: Vec::new(),
            ties: Vec::new(),
            touches: Vec::new(),
        }
    }
}

/// What is known without a script. Friction of two is the geometric mean.
fn surfaces() -> Vec<PhysicsMaterial> {
    [
        ("stone", 0.7, 0.05),
        ("wood", 0.6, 0.15),
        ("metal", 0.4, 0.1),
        ("grass", 0.6, 0.0),
        ("gravel", 0.7, 0.0),
        ("sand", 0.8, 0.0),
        ("carpet", 0.8, 0.0),
        ("ice", 0.03, 0.05),
        ("rubber", 0.9, 0.7),
        ("glass", 0.3, 0.1),
        ("flesh", 0.7, 0.0),
        ("water", 0.2, 0.0),
    ]
    .map(|(name, friction, bounce)| PhysicsMaterial::new(name, friction, bounce))
    .to_vec()
}

impl Physics {
    /// The surface of this name, or a plain one that is called so.
    pub fn surface(&self, name: &str) -> PhysicsMaterial {
        named_surface(&self.surfaces, name)
    }

    /// Has queries see what is there now.
    pub fn refresh(&mut self, floor: &Floor) {
        agree(self, floor);
        self.world.refresh();
    }
}

pub(super) fn named_surface(surfaces: &[PhysicsMaterial], name: &str) -> PhysicsMaterial {
    let known = surfaces.iter().find(|surface| &*surface.name == name);
    known
        .cloned()
        .unwrap_or_else(|| PhysicsMaterial::new(name, 0.6, 0.0))
}

/// Whose bodies a character's are.
pub fn owner(handle: Handle) -> Owner {
    Owner(handle.to_u64())
}

/// The character whose bodies an owner's are; the floor is nobody's.
pub fn character_of(owner: Owner) -> Option<Handle> {
    (owner != Owner::NOBODY).then(|| Handle::from_u64(owner.0))
}

/// Where a body's origin is for a placement.
pub(super) fn frame(placement: Placement) -> RigidFrame {
    RigidFrame {
        position: placement.position,
        rotation: placement.rotation(),
    }
}

/// Farther than this in one tick, metres, a thing that is moved is put there instead.
pub(super) const JUMP: f32 = 2.0;

/// The world gets what the script has set for all of it.
pub(super) fn agree(physics: &mut Physics, floor: &Floor) {
    physics.world.set_gravity(physics.gravity);
    physics.world.set_layers(physics.layers.meets);
    let surface = physics.surface(&floor.surface);
    physics
        .world
        .set_floor(floor.solid.map(|height| (height, &surface)));
}

/// What somebody is made of as a thing, or the floor at a place.
pub fn surface_of(
    characters: &Arena<Character>,
    floor: &Floor,
    whose: Option<Handle>,
    part: u16,
    position: Vec3,
) -> Option<Arc<str>> {
    match whose.and_then(|handle| characters.get(handle)) {
        Some(character) => {
            let solid = character.body.solid.as_ref();
            let place = character.placement.to_affine().inverse();
            let place = place.transform_point3(position);
            solid.map(|solid| solid.options.surface_of(part, place).clone())
        }
        None => Some(floor.surface_at(position).clone()),
    }
}
