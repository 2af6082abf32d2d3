//! What ropes and cloth can be told.

use glam::{Quat, Vec3};
use mlua::Value;

use super::character::CharacterRef;
use super::check::{Fields, OneOrMany, OptionValue, Options, Type, object};
use galatea_derive::Options;
use galatea_physics::particles::{FabricOptions, Obstacle};
use galatea_stage::{Handle, StageFabric};

/// Particles along one side at most.
const MOST_SIDE: usize = 64;

/// How ropes and cloth move, and what they lie on.
#[derive(Options)]
pub(super) struct SoftBodyOptions {
    /// How far it gives way: 0 not at all, 1 as rubber.
    #[option(default = 0.0, range = 0.0..=1.0)]
    pub stretch: f32,
    /// How hard it is to bend: 0 silk, 1 felt.
    #[option(default = 0.2, range = 0.0..=1.0)]
    pub stiffness: f32,
    /// Share of its speed that is lost in a second; more than 60 counts as 60.
    #[option(default = 0.6, range = 0.0..)]
    pub drag: f32,
    /// Coefficient of friction on bodies and the floor.
    #[option(default = 0.4, range = 0.0..)]
    pub friction: f32,
    /// Share of the wind that it feels.
    #[option(default = 1.0, range = 0.0..)]
    pub wind: f32,
    /// Factor on gravity.
    #[option(default = 1.0, clamp = -10.0..=10.0)]
    pub gravity: f32,
    /// Distance kept from bodies.
    #[option(
        default_doc = "0.015, of a rope its radius",
        unit = "metres",
        range = 0.0..
    )]
    pub thickness: Option<f32>,
    /// A character, or a list of up to 16, on whose body it lies.
    #[option(default = OneOrMany::default())]
    pub collide: OneOrMany<CharacterRef>,
    /// What else it lies on, up to 64: { at, radius }, { from, to, radius } or { at, size, yaw }.
    #[option(default = Vec::new())]
    pub solids: Vec<FabricObstacle>,
    /// It stays above the floor.
    #[option(default = true)]
    pub floor: bool,
}

/// A sphere, a capsule or a box on which ropes and cloth lie.
#[derive(Options)]
pub(super) struct FabricObstacle {
    /// Middle of a sphere or a box.
    #[option(unit = "metres")]
    at: Option<Vec3>,
    /// One end of a capsule.
    #[option(unit = "metres")]
    from: Option<Vec3>,
    /// The other end of a capsule.
    #[option(unit = "metres")]
    to: Option<Vec3>,
    /// Radius of a sphere or a capsule.
    #[option(unit = "metres")]
    radius: Option<f32>,
    /// Edges of a box.
    #[option(unit = "metres")]
    size: Option<Vec3>,
    /// Turn of a box about +Y.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
}

/// Whose bone holds a particle.
#[derive(Options)]
pub(super) struct BoneHolder {
    /// Who holds it.
    pub character: Option<CharacterRef>,
    /// By which bone.
    pub bone: Option<String>,
    /// Position away from the bone, in the character's space at rest, +Z ahead.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub offset: Vec3,
}

/// A place where cloth is held: where it is, or by a bone of a character.
#[derive(Options)]
pub(super) struct ClothPin {
    #[option(flatten)]
    pub holder: BoneHolder,
    /// Share of the way across.
    #[option(default = 0.0, range = 0.0..=1.0)]
    pub u: f32,
    /// Share of the way down.
    #[option(default = 0.0, range = 0.0..=1.0)]
    pub v: f32,
}

/// What holds cloth.
pub(super) enum ClothPins {
    /// Its upper edge.
    Top,
    /// The corners of its upper edge.
    Corners,
    Places(Vec<ClothPin>),
}

impl OptionValue for ClothPins {
    const TYPE: Type = Type::OneOf(&[
        Type::Word(&["top", "corners", "none"]),
        <Vec<ClothPin> as OptionValue>::TYPE,
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        let Value::String(word) = value else {
            return Vec::from_value(value).map(Self::Places);
        };
        Ok(match word.to_string_lossy().as_str() {
            "none" => Self::Places(Vec::new()),
            "corners" => Self::Corners,
            _ => Self::Top,
        })
    }
}

/// A square of cloth.
#[derive(Options)]
pub(super) struct ClothOptions {
    #[option(flatten)]
    pub soft: SoftBodyOptions,
    /// Middle of its upper edge.
    #[option(
        default = Vec3::Y * 2.0,
        default_doc = "(0, 2, 0)",
        unit = "metres"
    )]
    pub at: Vec3,
    /// Turn about +Y; at 0 it faces +Z.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Size across in x and down in y, each more than 0.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 0)", unit = "metres")]
    pub size: Vec3,
    /// Width of its lower edge as a share of the upper; counts as 0.01 to 20.
    #[option(default = 1.0, range = 0.0..)]
    pub hem: f32,
    /// Particles across.
    #[option(default = 12, range = 2..=MOST_SIDE)]
    pub columns: usize,
    /// Particles down.
    #[option(default = 12, range = 2..=MOST_SIDE)]
    pub rows: usize,
    /// What holds it: its upper edge, the corners of that, nothing, or a list of places.
    #[option(default = ClothPins::Top, default_doc = "top")]
    pub pins: ClothPins,
    /// Linear colour.
    #[option(default = Vec3::new(0.5, 0.04, 0.03), default_doc = "(0.5, 0.04, 0.03)")]
    pub color: Vec3,
    /// Roughness of its material.
    #[option(default = 0.85, range = 0.0..=1.0)]
    pub roughness: f32,
    /// Makes it the same over reloads, whatever the order.
    pub name: Option<String>,
}

/// An end of a rope.
pub(super) enum RopeEnd {
    At(Vec3),
    Held(BoneHolder),
}

impl OptionValue for RopeEnd {
    const TYPE: Type = Type::OneOf(&[Type::Vector, Type::Options(BoneHolder::SHAPE)]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(_) => BoneHolder::from_value(value).map(Self::Held),
            place => Vec3::from_value(place).map(Self::At),
        }
    }
}

/// A rope.
#[derive(Options)]
pub(super) struct RopeOptions {
    #[option(flatten)]
    pub soft: SoftBodyOptions,
    /// Where it begins: a position, or a bone that holds it.
    #[option(
        default = RopeEnd::At(Vec3::Y * 2.0),
        default_doc = "(0, 2, 0)",
        unit = "metres"
    )]
    pub from: RopeEnd,
    /// Where its end is held, the same way.
    #[option(default_doc = "it hangs free", unit = "metres")]
    pub to: Option<RopeEnd>,
    /// Its length.
    #[option(
        default_doc = "a twentieth more than the way, or 1",
        unit = "metres",
        above = 0.0
    )]
    pub length: Option<f32>,
    /// Its radius.
    #[option(default = 0.02, unit = "metres", above = 0.0)]
    pub radius: f32,
    /// Particles along it.
    #[option(default = 20, range = 2..=256)]
    pub links: usize,
    /// How much heavier its end is than another link; counts as 0.1 to 100.
    #[option(default = 1.0, range = 0.0..)]
    pub end_weight: f32,
    /// Linear colour.
    #[option(default = Vec3::new(0.3, 0.2, 0.1), default_doc = "(0.3, 0.2, 0.1)")]
    pub color: Vec3,
    /// Roughness of its material.
    #[option(default = 0.9, range = 0.0..=1.0)]
    pub roughness: f32,
    /// Makes it the same over reloads, whatever the order.
    pub name: Option<String>,
}

/// Chains of a character's bones that move as cloth.
#[derive(Options)]
pub(super) struct ClothChainOptions {
    #[option(flatten)]
    pub soft: SoftBodyOptions,
    /// The top bones of its chains, in order across; each goes down to its last bone.
    pub chains: Vec<String>,
    /// The last chain is joined to the first, as in a skirt.
    #[option(default = false)]
    pub closed: bool,
    /// How strongly it is drawn to the pose of its bones.
    #[option(default = 0.2, range = 0.0..=1.0)]
    pub shape: f32,
    /// Share of it that is shown.
    #[option(default = 1.0, range = 0.0..=1.0)]
    pub weight: f32,
}

/// How it moves, as a sheet or a rope that is drawn to no shape.
pub(super) fn options(soft: &SoftBodyOptions) -> FabricOptions {
    let plain = FabricOptions::default();
    FabricOptions {
        stretch: soft.stretch,
        stiffness: soft.stiffness,
        drag: soft.drag.min(60.0),
        friction: soft.friction,
        wind: soft.wind,
        thickness: soft.thickness.unwrap_or(plain.thickness),
        gravity: soft.gravity,
        ..plain
    }
}

/// A whole number of particles.
pub(super) fn count(fields: &Fields, name: &str, default: f64, most: f64) -> mlua::Result<usize> {
    let n = fields.number(name).unwrap_or(default);
    if !(2.0..=most).contains(&n) {
        let wrong = format!("{name}: from 2 to {most}, not {n}");
        return Err(mlua::Error::runtime(wrong));
    }
    Ok(n as usize)
}

/// A character, or those of a list, of a field `collide`.
pub(super) fn characters(value: &Value) -> mlua::Result<Vec<Handle>> {
    let Value::Table(list) = value else {
        let one = object(value).map(|CharacterRef(handle)| handle);
        return Ok(one.into_iter().collect());
    };
    let each = list.sequence_values::<Value>().map(|entry| {
        let Some(CharacterRef(handle)) = object(&entry?) else {
            let wrong = "collide: expected a list of characters";
            return Err(mlua::Error::runtime(wrong));
        };
        Ok(handle)
    });
    each.collect()
}

/// Whose bodies it lies on, and what else.
pub(super) fn around(soft: &SoftBodyOptions, fabric: &mut StageFabric) -> mlua::Result<()> {
    fabric.on_floor = soft.floor;
    fabric.collide = soft.collide.0.iter().map(|one| one.0).collect();
    for obstacle in &soft.solids {
        fabric.solids.push(solid(obstacle)?);
    }
    if fabric.solids.len() > 64 || fabric.collide.len() > 16 {
        let most = "at most 64 solids and 16 characters";
        return Err(mlua::Error::runtime(most));
    }
    Ok(())
}

fn solid(obstacle: &FabricObstacle) -> mlua::Result<Obstacle> {
    let ends = (obstacle.from, obstacle.to);
    match (obstacle.at, ends, obstacle.size, obstacle.radius) {
        (Some(center), _, None, Some(radius)) => Ok(Obstacle::Sphere { center, radius }),
        (None, (Some(a), Some(b)), None, Some(radius)) => Ok(Obstacle::Capsule { a, b, radius }),
        (Some(center), _, Some(size), None) => Ok(Obstacle::Box {
            center,
            rotation: Quat::from_rotation_y(obstacle.yaw.to_radians()),
            half: size.abs() * 0.5,
        }),
        _ => Err(mlua::Error::runtime(
            "solids: write { at, radius }, { from, to, radius } or { at, size, yaw }",
        )),
    }
}
