//! The physics world of a stage and its settings: layers, surfaces, forces, grabs.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Arena, Floor, Handle};
use galatea_character::{Character, Placement};
use galatea_physics::{
    ForceField, Grab, N_LAYERS, Owner, PhysicsMaterial, PhysicsWorld, RigidFrame, Tie, Touch,
};

/// The physics world and its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Physics {
    /// The bodies. They can be rebuilt from the characters' settings.
    pub world: PhysicsWorld,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Physics materials by name.
    pub surfaces: Vec<PhysicsMaterial>,
    /// Collision layers.
    pub layers: Layers,
    /// Force fields with their ids.
    pub forces: Vec<(u64, ForceField)>,
    /// Active grabs of scripts.
    pub grabs: Vec<StageGrab>,
    /// Rope joints between bodies that hang on ropes and cloth.
    pub(super) ties: Vec<StageTie>,
    /// Scratch buffer.
    pub(super) touches: Vec<Touch>,
}

/// A grab: holds an object or a limb at a point.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageGrab {
    /// Id of the grab.
    pub id: u64,
    /// The grabbed character or object.
    pub character: Handle,
    /// Index of the limb, or of the object's dynamic node; `None` for the whole object.
    pub limb: Option<usize>,
    /// World position of the grabbed point at the start.
    pub position: Vec3,
    /// World position of the target.
    pub target: Vec3,
    /// Frequency of the grab spring, hertz.
    pub frequency: f32,
    /// Maximum force along each axis, newtons; proportional to the mass when `None`.
    pub max_force: Option<f32>,
    pub(super) is_held: Option<Grab>,
}

/// A rope joint between two pins of a rope, or between one of them and a point at which the rope bends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageTie {
    pub(super) fabric: Handle,
    /// Indices of the pinned particles.
    pub(super) particles: [u32; 2],
    /// The second end is the first bend of the rope next to the pin.
    pub(super) is_bent: bool,
    pub(super) tie: Tie,
    pub(super) is_used: bool,
}

/// Names of collision layers, and which of them collide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// Layer names, by layer index.
    pub names: Vec<String>,
    /// For each layer, a bit mask of the layers it collides with.
    pub collides_with: [u32; N_LAYERS],
}

impl Layers {
    /// Layer of fixed colliders.
    pub const WORLD: u8 = 0;
    /// Layer of objects.
    pub const PROPS: u8 = 1;
    /// Layer of character controllers.
    pub const CHARACTERS: u8 = 2;
    /// Layer of ragdoll limbs.
    pub const RAGDOLLS: u8 = 3;

    /// Index of the layer with this name.
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
            collides_with: [u32::MAX; N_LAYERS],
        }
    }
}

/// Gravity of the Earth, m/s².
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

/// Built-in physics materials. The friction of two materials is combined as the geometric mean.
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
    /// The material with this name, or a default one with this name.
    pub fn surface(&self, name: &str) -> PhysicsMaterial {
        named_surface(&self.surfaces, name)
    }

    /// Updates the world for queries outside of a step.
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

/// The physics owner of a character's bodies.
pub fn owner(handle: Handle) -> Owner {
    Owner(handle.to_u64())
}

/// The character of a physics owner; `None` for the floor.
pub fn character_of(owner: Owner) -> Option<Handle> {
    (owner != Owner::FLOOR_OWNER).then(|| Handle::from_u64(owner.0))
}

/// World frame of a body for a placement.
pub(super) fn frame(placement: Placement) -> RigidFrame {
    RigidFrame {
        position: placement.position,
        rotation: placement.rotation(),
    }
}

/// Longest movement of a kinematic body in one tick, metres. A longer one is a teleport.
pub(super) const JUMP: f32 = 2.0;

/// Applies the stage's settings to the physics world.
pub(super) fn agree(physics: &mut Physics, floor: &Floor) {
    physics.world.set_gravity(physics.gravity);
    physics.world.set_layers(physics.layers.collides_with);
    let surface = physics.surface(&floor.surface);
    physics
        .world
        .set_floor(floor.collision_height.map(|height| (height, &surface)));
}

/// Material of an object's collider, or of the floor at a position.
pub fn surface_of(
    characters: &Arena<Character>,
    floor: &Floor,
    whose: Option<Handle>,
    part: u16,
    position: Vec3,
) -> Option<Arc<str>> {
    match whose.and_then(|handle| characters.get(handle)) {
        Some(character) => {
            let solid = character.body.prop_body.as_ref();
            let place = character.placement.to_affine().inverse();
            let place = place.transform_point3(position);
            solid.map(|solid| solid.options.surface_of(part, place).clone())
        }
        None => Some(floor.surface_at(position).clone()),
    }
}
