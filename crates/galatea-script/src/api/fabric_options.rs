//! Options of ropes and cloth.

use glam::{Quat, Vec3};
use mlua::Value;

use super::character_ref::CharacterRef;
use super::check::{OneOrMany, OptionValue, Options, Type};
use galatea_derive::Options;
use galatea_physics::particles::{FabricOptions, ParticleObstacle};
use galatea_stage::StageFabric;

/// Maximum number of particles along one side.
const MAX_SIDE: usize = 64;

/// Simulation and collisions of ropes and cloth.
#[derive(Options)]
pub(super) struct SoftBodyOptions {
    /// Elasticity: 0 does not stretch, 1 stretches like rubber.
    #[option(default = 0.0, range = 0.0..=1.0)]
    pub stretch: f32,
    /// Stiffness against bending: 0 is like silk, 1 like felt.
    #[option(default = 0.2, range = 0.0..=1.0)]
    pub stiffness: f32,
    /// Drag: rate at which the motion slows down, per second. At 1, a point loses 63 % of its speed in a second.
    /// Values above 60 count as 60.
    #[option(default = 0.6, range = 0.0..)]
    pub drag: f32,
    /// Friction on bodies and on the floor; 0 is slippery.
    #[option(default = 0.4, range = 0.0..)]
    pub friction: f32,
    /// Factor on the force of the wind (see `wind`).
    #[option(default = 1.0, range = 0.0..)]
    pub wind_scale: f32,
    /// Factor on gravity.
    #[option(default = 1.0, clamp = -10.0..=10.0)]
    pub gravity_scale: f32,
    /// Distance that the rope or cloth keeps from bodies.
    #[option(
        default_doc = "0.015; for a rope, `radius`",
        unit = "metres",
        range = 0.0..
    )]
    pub collision_margin: Option<f32>,
    /// Character to collide with, or a list of up to 16 characters.
    #[option(default = OneOrMany::default())]
    pub collide_with: OneOrMany<CharacterRef>,
    /// List of up to 64 fixed shapes to collide with. A sphere is { position = …, radius = … }. A capsule is { from =
    /// …, to = …, radius = … }. A box is { position = …, size = …, yaw = … }.
    #[option(default = Vec::new())]
    pub colliders: Vec<ClothCollider>,
    /// True makes it collide with the floor.
    #[option(default = true)]
    pub floor: bool,
}

/// A sphere, a capsule or a box that ropes and cloth collide with.
#[derive(Options)]
pub(super) struct ClothCollider {
    /// Centre of a sphere or a box.
    #[option(unit = "metres")]
    position: Option<Vec3>,
    /// One end of a capsule.
    #[option(unit = "metres")]
    from: Option<Vec3>,
    /// The other end of a capsule.
    #[option(unit = "metres")]
    to: Option<Vec3>,
    /// Radius of a sphere or a capsule.
    #[option(unit = "metres")]
    radius: Option<f32>,
    /// Edge lengths of a box.
    #[option(unit = "metres")]
    size: Option<Vec3>,
    /// Rotation of a box about +Y.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
}

/// A bone, or a prop, that holds a particle.
#[derive(Options)]
pub(super) struct BoneHolder {
    /// Character or prop that holds this point of the rope or cloth.
    pub character: Option<CharacterRef>,
    /// Bone of the character that holds this point.
    #[option(default_doc = "none for a rigid body; otherwise required")]
    pub bone: Option<String>,
    /// Offset from the bone or from the rigid body. The axes are those of the character in its rest pose (+Y up, +Z
    /// forward).
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub offset: Vec3,
}

/// A particle of cloth that is fixed in place or held by a bone.
#[derive(Options)]
pub(super) struct ClothPin {
    #[option(flatten)]
    pub holder: BoneHolder,
    /// Position of the pin along the width of the cloth, from 0 at one side to 1 at the other.
    #[option(default = 0.0, range = 0.0..=1.0)]
    pub u: f32,
    /// Position of the pin along the height of the cloth, from 0 at the upper edge to 1 at the lower.
    #[option(default = 0.0, range = 0.0..=1.0)]
    pub v: f32,
}

/// Pinned particles of cloth.
pub(super) enum ClothPins {
    /// The upper edge.
    Top,
    /// The corners of the upper edge.
    Corners,
    Positions(Vec<ClothPin>),
}

impl OptionValue for ClothPins {
    const TYPE: Type = Type::OneOf(&[
        Type::Word(&["top", "corners", "none"]),
        <Vec<ClothPin> as OptionValue>::TYPE,
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        let Value::String(word) = value else {
            return Vec::from_value(value).map(Self::Positions);
        };
        Ok(match word.to_string_lossy().as_str() {
            "none" => Self::Positions(Vec::new()),
            "corners" => Self::Corners,
            _ => Self::Top,
        })
    }
}

/// A sheet of cloth.
#[derive(Options)]
pub(super) struct ClothOptions {
    #[option(flatten)]
    pub soft: SoftBodyOptions,
    /// Centre of the upper edge.
    #[option(
        default = Vec3::Y * 2.0,
        default_doc = "(0, 2, 0)",
        unit = "metres"
    )]
    pub position: Vec3,
    /// Rotation about +Y, applied last. At 0 the cloth faces +Z.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Rotation around the X axis. Of the three rotations, it is applied second. At 90 the cloth is horizontal and
    /// extends from `position` along -Z.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Rotation around the Z axis. Of the three rotations, it is applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
    /// Width (x) and height (y) of the cloth, each more than 0.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 0)", unit = "metres")]
    pub size: Vec3,
    /// Width of the lower edge, as a multiple of the upper edge. Values below 0.01 count as 0.01, and values above 20
    /// as 20.
    #[option(default = 1.0, range = 0.0..)]
    pub hem: f32,
    /// Number of particles along the width. `columns` times `rows` must be at most 1024.
    #[option(default = 12, range = 2..=MAX_SIDE)]
    pub columns: usize,
    /// Number of particles along the height. `columns` times `rows` must be at most 1024.
    #[option(default = 12, range = 2..=MAX_SIDE)]
    pub rows: usize,
    /// Particles that are held: the upper edge ("top"), its two corners ("corners"), none ("none"), or a list of pins.
    #[option(default = ClothPins::Top, default_doc = "top")]
    pub pins: ClothPins,
    /// Colour, as linear RGB.
    #[option(default = Vec3::new(0.5, 0.04, 0.03), default_doc = "(0.5, 0.04, 0.03)")]
    pub color: Vec3,
    /// Roughness: 0 shines like a mirror, 1 is matt.
    #[option(default = 0.85, range = 0.0..=1.0)]
    pub roughness: f32,
    /// Name of the rope or cloth, by which a hot reload finds it again.
    pub name: Option<String>,
}

/// An end of a rope.
pub(super) enum RopeEnd {
    At(Vec3),
    Attached(BoneHolder),
}

impl OptionValue for RopeEnd {
    const TYPE: Type = Type::OneOf(&[Type::Vector, Type::Options(BoneHolder::SHAPE)]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(_) => BoneHolder::from_value(value).map(Self::Attached),
            place => Vec3::from_value(place).map(Self::At),
        }
    }
}

/// A rope.
#[derive(Options)]
pub(super) struct RopeOptions {
    #[option(flatten)]
    pub soft: SoftBodyOptions,
    /// First end of the rope: a position, or a table with the character and bone, or the rigid body, that holds it.
    #[option(
        default = RopeEnd::At(Vec3::Y * 2.0),
        default_doc = "(0, 2, 0)",
        unit = "metres"
    )]
    pub from: RopeEnd,
    /// Other end of the rope, like `from`. A dynamic body here hangs on the rope.
    #[option(default_doc = "none: the end hangs free", unit = "metres")]
    pub to: Option<RopeEnd>,
    /// Length of the rope, at least the distance between its ends.
    #[option(
        default_doc = "1.05 times the distance between the ends, or 1",
        unit = "metres",
        above = 0.0
    )]
    pub length: Option<f32>,
    /// Radius of the rope.
    #[option(default = 0.02, unit = "metres", above = 0.0)]
    pub radius: f32,
    /// Number of points along the rope that are simulated. More points bend more smoothly and cost more.
    #[option(default = 20, range = 2..=256)]
    pub links: usize,
    /// Mass of the last point, as a multiple of the mass of each other point. Values below 0.1 count as 0.1, and
    /// values above 100 as 100.
    #[option(default = 1.0, range = 0.0..)]
    pub end_mass: f32,
    /// Colour, as linear RGB.
    #[option(default = Vec3::new(0.3, 0.2, 0.1), default_doc = "(0.3, 0.2, 0.1)")]
    pub color: Vec3,
    /// Roughness: 0 shines like a mirror, 1 is matt.
    #[option(default = 0.9, range = 0.0..=1.0)]
    pub roughness: f32,
    /// Name of the rope or cloth, by which a hot reload finds it again.
    pub name: Option<String>,
}

/// Chains of a character's bones that move as cloth.
#[derive(Options)]
pub(super) struct ClothChainOptions {
    #[option(flatten)]
    pub soft: SoftBodyOptions,
    /// First bone of each chain, in their order from one side to the other. A chain continues down to the last bone
    /// below.
    pub chains: Vec<String>,
    /// True joins the last chain to the first, as in a skirt.
    #[option(default = false)]
    pub closed: bool,
    /// Strength of the pull to the pose of the animation; 0 is none.
    #[option(default = 0.2, range = 0.0..=1.0)]
    pub pose_stiffness: f32,
    /// Blend weight.
    #[option(default = 1.0, range = 0.0..=1.0)]
    pub weight: f32,
}

/// Options of the simulation, without a pull to a pose.
pub(super) fn options(soft: &SoftBodyOptions) -> FabricOptions {
    let plain = FabricOptions::default();
    FabricOptions {
        stretch: soft.stretch,
        stiffness: soft.stiffness,
        drag: soft.drag.min(60.0),
        friction: soft.friction,
        wind_scale: soft.wind_scale,
        collision_margin: soft.collision_margin.unwrap_or(plain.collision_margin),
        gravity_scale: soft.gravity_scale,
        ..plain
    }
}

/// Sets the characters and shapes that a fabric collides with.
pub(super) fn around(soft: &SoftBodyOptions, fabric: &mut StageFabric) -> mlua::Result<()> {
    fabric.on_floor = soft.floor;
    fabric.collide_with = soft.collide_with.0.iter().map(|one| one.0).collect();
    for obstacle in &soft.colliders {
        fabric.colliders.push(cloth_collider(obstacle)?);
    }
    if fabric.colliders.len() > 64 || fabric.collide_with.len() > 16 {
        let most = "at most 64 colliders and 16 characters";
        return Err(mlua::Error::runtime(most));
    }
    Ok(())
}

fn cloth_collider(obstacle: &ClothCollider) -> mlua::Result<ParticleObstacle> {
    let ends = (obstacle.from, obstacle.to);
    match (obstacle.position, ends, obstacle.size, obstacle.radius) {
        (Some(center), _, None, Some(radius)) => Ok(ParticleObstacle::Sphere { center, radius }),
        (None, (Some(a), Some(b)), None, Some(radius)) => {
            Ok(ParticleObstacle::Capsule { a, b, radius })
        }
        (Some(center), _, Some(size), None) => Ok(ParticleObstacle::Box {
            center,
            rotation: Quat::from_rotation_y(obstacle.yaw.to_radians()),
            half: size.abs() * 0.5,
        }),
        _ => Err(mlua::Error::runtime(
            "colliders: write { position, radius }, { from, to, radius } or { position, size, yaw }",
        )),
    }
}
