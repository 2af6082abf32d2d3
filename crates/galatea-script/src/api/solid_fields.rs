//! What `thing:solid` and the makers of simple things take.

use glam::Vec3;
use mlua::{Function, Table, Value};

use super::check::{OptionValue, Type};
use crate::words;
use galatea_derive::Options;
use galatea_math::heights::MOST_HEIGHTS;
use galatea_physics::Motion;

words!(Motion {
    "static" => Motion::Static,
    "dynamic" => Motion::Dynamic,
    "moved" => Motion::Moved,
});

/// How something solid moves, and what it is made of.
#[derive(Options)]
pub(super) struct MatterOptions {
    /// Its mass; with one it falls and is pushed.
    #[option(default_doc = "by its density", unit = "kilograms", above = 0.0)]
    pub mass: Option<f32>,
    /// Density, in place of a mass.
    #[option(default_doc = "500", unit = "kilograms per cubic metre", above = 0.0)]
    pub density: Option<f32>,
    /// It stays (static); falls and is pushed (dynamic); or goes where it is told and pushes others, as a lift does
    /// (moved).
    #[option(default_doc = "static, with a mass or a density dynamic")]
    pub motion: Option<Motion>,
    /// Name of what it is made of, one that physics.surface knows.
    #[option(default_doc = "stone")]
    pub surface: Option<String>,
    /// Coefficient of friction.
    #[option(default_doc = "its surface's", range = 0.0..)]
    pub friction: Option<f32>,
    /// Share of the speed with which it springs back.
    #[option(default_doc = "its surface's", range = 0.0..=1.0)]
    pub bounce: Option<f32>,
    /// Layer that it is in, see physics.layer.
    #[option(default_doc = "world, or props for what moves")]
    pub layer: Option<String>,
    /// It stops nothing and tells what touches it.
    #[option(default = false)]
    pub sensor: bool,
    /// Factor on gravity.
    #[option(default = 1.0)]
    pub gravity: f32,
    /// Share of its speed lost per second.
    #[option(default = 0.0, range = 0.0..)]
    pub damping: f32,
    /// Share of its turning lost per second.
    #[option(default = 0.1, range = 0.0..)]
    pub spin_damping: f32,
    /// Fast and small: it never passes through thin things.
    #[option(default = false)]
    pub bullet: bool,
    /// Where its tip, the end that flies ahead, goes into something it stays and is held from then on, as an arrow.
    /// Capsules of walkers do not stop it; the event stick tells.
    #[option(default = false)]
    pub sticks: bool,
    /// It does not turn.
    #[option(default = false)]
    pub upright: bool,
    /// Velocity that it begins with.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "metres per second"
    )]
    pub velocity: Vec3,
    /// Angular velocity about the world's axes that it begins with.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "degrees per second"
    )]
    pub spin: Vec3,
}

/// A simple form.
#[derive(Clone, Copy)]
pub(super) enum Primitive {
    Box,
    Sphere,
    Capsule,
    Cylinder,
}

words!(Primitive {
    "box" => Self::Box,
    "sphere" => Self::Sphere,
    "capsule" => Self::Capsule,
    "cylinder" => Self::Cylinder,
});

/// The form of a model that is made solid.
#[derive(Clone, Copy)]
pub(super) enum SolidShape {
    /// The mesh of what does not fall, the hull of what does.
    Auto,
    Simple(Primitive),
    Hull,
    Mesh,
}

words!(SolidShape {
    "auto" => Self::Auto,
    "box" => Self::Simple(Primitive::Box),
    "sphere" => Self::Simple(Primitive::Sphere),
    "capsule" => Self::Simple(Primitive::Capsule),
    "cylinder" => Self::Simple(Primitive::Cylinder),
    "hull" => Self::Hull,
    "mesh" => Self::Mesh,
});

/// How large a simple form is and where its middle is.
#[derive(Options)]
pub(super) struct PrimitiveOptions {
    /// Edges of a box, each more than 0.
    #[option(
        default_doc = "those of the model at rest; of a part (1, 1, 1)",
        unit = "metres"
    )]
    pub size: Option<Vec3>,
    /// Radius of what is round.
    #[option(
        default_doc = "that of the model at rest; of a part 0.5",
        unit = "metres",
        above = 0.0
    )]
    pub radius: Option<f32>,
    /// Height of a capsule or a cylinder from end to end.
    #[option(
        default_doc = "that of the model at rest; of a part 1",
        unit = "metres",
        above = 0.0
    )]
    pub height: Option<f32>,
    /// Its middle in the space of what has it.
    #[option(
        default_doc = "that of the model at rest; of a part (0, 0, 0)",
        unit = "metres"
    )]
    pub at: Option<Vec3>,
}

/// How a character or a prop is solid.
#[derive(Options)]
pub(super) struct SolidOptions {
    #[option(flatten)]
    pub matter: MatterOptions,
    /// Its form; auto is mesh for what stays and hull for what moves.
    #[option(default = SolidShape::Auto, default_doc = "auto")]
    pub shape: SolidShape,
    #[option(flatten)]
    pub form: PrimitiveOptions,
    /// Forms in place of one, 1 to 256.
    pub parts: Option<Vec<SolidPart>>,
    /// Of a mesh, what its materials are made of where that is not its surface, by their names: { Ice = "ice" }.
    #[option(ty = Type::Table("{ [string]: string }"))]
    pub surfaces: Option<Table>,
}

/// One form of something solid.
#[derive(Options)]
pub(super) struct SolidPart {
    /// Its form.
    #[option(default = Primitive::Box, default_doc = "box")]
    pub shape: Primitive,
    #[option(flatten)]
    pub form: PrimitiveOptions,
    /// Turn about +Y, last.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Turn about its x axis, second.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Turn about its z axis, first.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
}

/// What all simple things have.
#[derive(Options)]
pub(super) struct PropOptions {
    #[option(flatten)]
    pub matter: MatterOptions,
    /// Where its middle is; stairs and ramps: where they begin.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub at: Vec3,
    /// Turn about +Y.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Turn about its own x axis, before yaw.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Turn about its own z axis, before pitch.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
    /// Makes it the same thing over reloads, whatever the order.
    pub name: Option<String>,
    /// Linear colour.
    #[option(default_doc = "grey; of terrain, by what it is made of")]
    pub color: Option<Vec3>,
    /// Roughness of its material.
    #[option(default_doc = "0.62", clamp = 0.0..=1.0)]
    pub roughness: Option<f32>,
    /// Metalness of its material.
    #[option(default_doc = "0", clamp = 0.0..=1.0)]
    pub metallic: Option<f32>,
    /// False: it is only seen.
    #[option(default = true)]
    pub solid: bool,
}

/// A box.
#[derive(Options)]
pub(super) struct BoxOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Its edges, 0.001 to 10000.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)", unit = "metres")]
    pub size: Vec3,
}

/// A wedge.
#[derive(Options)]
pub(super) struct RampOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Its width, height and length, 0.001 to 10000.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)", unit = "metres")]
    pub size: Vec3,
}

/// A sphere.
#[derive(Options)]
pub(super) struct SphereOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Its radius.
    #[option(default = 0.5, unit = "metres", range = 0.001..=1e4)]
    pub radius: f32,
}

/// A capsule.
#[derive(Options)]
pub(super) struct CapsuleOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Its radius.
    #[option(default = 0.25, unit = "metres", range = 0.001..=1e4)]
    pub radius: f32,
    /// Its height from end to end; twice its radius at least.
    #[option(default = 1.0, unit = "metres", range = 0.001..=1e4)]
    pub height: f32,
}

/// A cylinder.
#[derive(Options)]
pub(super) struct CylinderOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Its radius.
    #[option(default = 0.25, unit = "metres", range = 0.001..=1e4)]
    pub radius: f32,
    /// Its height from end to end.
    #[option(default = 1.0, unit = "metres", range = 0.001..=1e4)]
    pub height: f32,
}

/// A number without a fraction, of which there cannot be less than none.
pub(super) struct Whole(pub usize);

impl OptionValue for Whole {
    const TYPE: Type = Type::Number;

    fn from_value(value: Value) -> Result<Self, String> {
        let n = f64::from_value(value)?;
        if n >= 0.0 && n.fract() == 0.0 {
            Ok(Self(n as usize))
        } else {
            Err(format!("must be a whole number, got {n}"))
        }
    }
}

/// Stairs.
#[derive(Options)]
pub(super) struct StairsOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// How many steps.
    #[option(default = Whole(8), default_doc = "8", range = 1..=galatea_asset::form::MOST_STEPS)]
    pub steps: Whole,
    /// Their width.
    #[option(default = 2.0, unit = "metres", range = 0.001..=1e4)]
    pub width: f32,
    /// Height of a step.
    #[option(default = 0.17, unit = "metres", range = 0.001..=1e4)]
    pub rise: f32,
    /// Depth of a step.
    #[option(default = 0.29, unit = "metres", range = 0.001..=1e4)]
    pub run: f32,
}

/// Where the heights of ground come from.
pub(super) enum HeightSource {
    /// Rows along z, of heights along x.
    Rows(Table),
    /// 32-bit floats, row after row.
    Floats(mlua::Buffer),
    /// A picture's file.
    Picture(String),
    /// Of x and z.
    Function(Function),
}

impl OptionValue for HeightSource {
    const TYPE: Type = Type::OneOf(&[
        Type::Function("(x: number, z: number) -> number"),
        Type::Table("{ { number } }"),
        Type::Buffer,
        Type::Text,
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(rows) => Ok(Self::Rows(rows)),
            Value::Buffer(floats) => Ok(Self::Floats(floats)),
            Value::Function(height) => Ok(Self::Function(height)),
            path => String::from_value(path).map(Self::Picture),
        }
    }
}

/// Where the surfaces of the cells of ground come from.
pub(super) enum CellSurfaces {
    /// Rows along z, of names along x.
    Rows(Table),
    /// Of x and z of a cell's middle.
    Function(Function),
}

impl OptionValue for CellSurfaces {
    const TYPE: Type = Type::OneOf(&[
        Type::Function("(x: number, z: number) -> string?"),
        Type::Table("{ { string } }"),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(rows) => Ok(Self::Rows(rows)),
            surface => Function::from_value(surface).map(Self::Function),
        }
    }
}

/// Ground by its heights.
#[derive(Options)]
pub(super) struct TerrainOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Metres along x and z, and in y the factor on heights; each 0.001 to 10000.
    #[option(default = Vec3::new(10.0, 1.0, 10.0), default_doc = "(10, 1, 10)")]
    pub size: Vec3,
    /// Heights, 4 to 262144: a function of x and z, metres from the middle; a list of rows along z, of heights along
    /// x; a buffer of 32-bit floats, row after row; or a picture's file, whose red is 0 to 1, in as many steps as it
    /// has.
    #[option(default_doc = "flat")]
    pub heights: Option<HeightSource>,
    /// Heights along x.
    #[option(
        default_doc = "those of the list or the picture, 65 of a function, 2 of what is flat",
        range = 2..=MOST_HEIGHTS
    )]
    pub columns: Option<Whole>,
    /// Heights along z.
    #[option(
        default_doc = "those of the list or the picture, 65 of a function, 2 of what is flat",
        range = 2..=MOST_HEIGHTS
    )]
    pub rows: Option<Whole>,
    /// What each cell between four heights is made of: a function of x and z of its middle, nothing for its surface;
    /// or a list of rows of names. Each cell has the friction and bounce of its own.
    pub surfaces: Option<CellSurfaces>,
    /// Linear colours of its surfaces by their names, which blend from cell to cell.
    #[option(
        default_doc = "by what they are",
        ty = Type::Table("{ [string]: vector }")
    )]
    pub colors: Option<Table>,
}
