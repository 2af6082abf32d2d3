//! Options of `thing:collider` and of the functions that add props.

use glam::Vec3;
use mlua::{Function, Table, Value};

use super::check::{OptionValue, Type};
use crate::words;
use galatea_derive::Options;
use galatea_math::heights::MAX_HEIGHTS;
use galatea_physics::Motion;

words!(Motion {
    "static" => Motion::Static,
    "dynamic" => Motion::Dynamic,
    "kinematic" => Motion::Moved,
});

/// Movement and surface of a rigid body.
#[derive(Options)]
pub(super) struct MatterOptions {
    /// Mass, which makes the body dynamic.
    #[option(default_doc = "volume times density", unit = "kilograms", above = 0.0)]
    pub mass: Option<f32>,
    /// Density, instead of a mass.
    #[option(default_doc = "500", unit = "kilograms per cubic metre", above = 0.0)]
    pub density: Option<f32>,
    /// Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its
    /// position, and it pushes other bodies, as a lift does.
    #[option(default_doc = "dynamic with a mass or a density, else static")]
    pub body_type: Option<Motion>,
    /// Name of the surface, see `physics.surface`.
    #[option(default_doc = "stone")]
    pub surface: Option<String>,
    /// Coefficient of friction.
    #[option(default_doc = "that of the surface", range = 0.0..)]
    pub friction: Option<f32>,
    /// Coefficient of restitution.
    #[option(default_doc = "that of the surface", range = 0.0..=1.0)]
    pub restitution: Option<f32>,
    /// Collision layer, see `physics.layer`.
    #[option(default_doc = "world if static, else props")]
    pub layer: Option<String>,
    /// True for a sensor: it emits touch events and stops nothing.
    #[option(default = false)]
    pub sensor: bool,
    /// Factor on gravity.
    #[option(default = 1.0)]
    pub gravity_scale: f32,
    /// Fraction of speed lost per second.
    #[option(default = 0.0, range = 0.0..)]
    pub damping: f32,
    /// Fraction of angular speed lost per second.
    #[option(default = 0.1, range = 0.0..)]
    pub angular_damping: f32,
    /// True for continuous collision detection: a fast body does not pass through thin ones.
    #[option(default = false)]
    pub bullet: bool,
    /// True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits
    /// the event `stick`.
    #[option(default = false)]
    pub stick_on_hit: bool,
    /// True to prevent rotation.
    #[option(default = false)]
    pub lock_rotation: bool,
    /// Initial velocity.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "metres per second"
    )]
    pub velocity: Vec3,
    /// Initial angular velocity about the world's axes.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "degrees per second"
    )]
    pub angular_velocity: Vec3,
}

/// A primitive shape.
#[derive(Clone, Copy)]
pub(super) enum PrimitiveForm {
    Box,
    Sphere,
    Capsule,
    Cylinder,
}

words!(PrimitiveForm {
    "box" => Self::Box,
    "sphere" => Self::Sphere,
    "capsule" => Self::Capsule,
    "cylinder" => Self::Cylinder,
});

/// Collision shape of a model.
#[derive(Clone, Copy)]
pub(super) enum SolidShape {
    /// A convex hull for a dynamic body, else the mesh.
    Auto,
    Simple(PrimitiveForm),
    Hull,
    Mesh,
}

words!(SolidShape {
    "auto" => Self::Auto,
    "box" => Self::Simple(PrimitiveForm::Box),
    "sphere" => Self::Simple(PrimitiveForm::Sphere),
    "capsule" => Self::Simple(PrimitiveForm::Capsule),
    "cylinder" => Self::Simple(PrimitiveForm::Cylinder),
    "hull" => Self::Hull,
    "mesh" => Self::Mesh,
});

/// Size and position of a primitive shape.
#[derive(Options)]
pub(super) struct PrimitiveOptions {
    /// Edge lengths of a box, each more than 0.
    #[option(
        default_doc = "those of the model at rest; (1, 1, 1) for a part",
        unit = "metres"
    )]
    pub size: Option<Vec3>,
    /// Radius of a sphere, a capsule or a cylinder.
    #[option(
        default_doc = "that of the model at rest; 0.5 for a part",
        unit = "metres",
        above = 0.0
    )]
    pub radius: Option<f32>,
    /// Height of a capsule or a cylinder from end to end.
    #[option(
        default_doc = "that of the model at rest; 1 for a part",
        unit = "metres",
        above = 0.0
    )]
    pub height: Option<f32>,
    /// Centre in the character's space.
    #[option(
        default_doc = "that of the model at rest; (0, 0, 0) for a part",
        unit = "metres"
    )]
    pub offset: Option<Vec3>,
}

/// Rigid body of a character or a prop.
#[derive(Options)]
pub(super) struct ColliderOptions {
    #[option(flatten)]
    pub matter: MatterOptions,
    /// Collision shape; "auto" is a hull for a dynamic body, else the mesh.
    #[option(default = SolidShape::Auto, default_doc = "auto")]
    pub shape: SolidShape,
    #[option(flatten)]
    pub form: PrimitiveOptions,
    /// Several shapes instead of one, 1 to 256.
    pub shapes: Option<Vec<ColliderPart>>,
    /// Names of surfaces by names of the mesh's materials: { Ice = "ice" }. Other materials use `surface`.
    #[option(ty = Type::Table("{ [string]: string }"))]
    pub surfaces: Option<Table>,
}

/// One of several shapes of a rigid body.
#[derive(Options)]
pub(super) struct ColliderPart {
    /// Shape of this part.
    #[option(default = PrimitiveForm::Box, default_doc = "box")]
    pub shape: PrimitiveForm,
    #[option(flatten)]
    pub form: PrimitiveOptions,
    /// Rotation about +Y, applied last.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Rotation about the x axis, applied second.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Rotation about the z axis, applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
}

/// Options common to all props.
#[derive(Options)]
pub(super) struct PropOptions {
    #[option(flatten)]
    pub matter: MatterOptions,
    /// Position of the centre; for stairs and ramps, of the lower end.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub position: Vec3,
    /// Rotation about +Y, applied last.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Rotation about the x axis, applied second.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Rotation about the z axis, applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
    /// Name; also identifies the prop over a hot reload.
    pub name: Option<String>,
    /// Linear colour.
    #[option(default_doc = "grey; for terrain, the colour of the surface")]
    pub color: Option<Vec3>,
    /// Roughness of the material.
    #[option(default_doc = "0.62", clamp = 0.0..=1.0)]
    pub roughness: Option<f32>,
    /// Metalness of the material.
    #[option(default_doc = "0", clamp = 0.0..=1.0)]
    pub metallic: Option<f32>,
    /// False for a prop without a collider.
    #[option(default = true)]
    pub collider: bool,
}

/// A box prop.
#[derive(Options)]
pub(super) struct BoxOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Edge lengths, each 0.001 to 10000.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)", unit = "metres")]
    pub size: Vec3,
}

/// A wedge prop.
#[derive(Options)]
pub(super) struct RampOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Width, height and length, each 0.001 to 10000.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)", unit = "metres")]
    pub size: Vec3,
}

/// A sphere prop.
#[derive(Options)]
pub(super) struct SphereOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Radius.
    #[option(default = 0.5, unit = "metres", range = 0.001..=1e4)]
    pub radius: f32,
}

/// A capsule prop.
#[derive(Options)]
pub(super) struct CapsuleOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Radius.
    #[option(default = 0.25, unit = "metres", range = 0.001..=1e4)]
    pub radius: f32,
    /// Height from end to end; at least twice the radius.
    #[option(default = 1.0, unit = "metres", range = 0.001..=1e4)]
    pub height: f32,
}

/// A cylinder prop.
#[derive(Options)]
pub(super) struct CylinderOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Radius.
    #[option(default = 0.25, unit = "metres", range = 0.001..=1e4)]
    pub radius: f32,
    /// Height from end to end.
    #[option(default = 1.0, unit = "metres", range = 0.001..=1e4)]
    pub height: f32,
}

/// A whole number, 0 or more.
pub(super) struct Whole(pub usize);

impl OptionValue for Whole {
    const TYPE: Type = Type::Number;

    fn from_value(value: Value) -> Result<Self, String> {
        let n = f64::from_value(value)?;
        if n >= 0.0 && n.fract() == 0.0 {
            Ok(Self(n as usize))
        } else {
            Err(format!("must be a whole number, 0 or more, got {n}"))
        }
    }
}

/// A stairs prop.
#[derive(Options)]
pub(super) struct StairsOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Number of steps.
    #[option(default = Whole(8), default_doc = "8", range = 1..=galatea_asset::form::MAX_STEPS)]
    pub steps: Whole,
    /// Width of the stairs.
    #[option(default = 2.0, unit = "metres", range = 0.001..=1e4)]
    pub width: f32,
    /// Height of a step.
    #[option(default = 0.17, unit = "metres", range = 0.001..=1e4)]
    pub step_height: f32,
    /// Depth of a step.
    #[option(default = 0.29, unit = "metres", range = 0.001..=1e4)]
    pub step_depth: f32,
}

/// Source of a terrain's heights.
pub(super) enum HeightSource {
    /// Rows along z with heights along x.
    Rows(Table),
    /// A buffer of 32-bit floats, row by row.
    Floats(mlua::Buffer),
    /// Path of an image file.
    Picture(String),
    /// A function of x and z.
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

/// Source of the surfaces of a terrain's cells.
pub(super) enum CellSurfaces {
    /// Rows along z with names along x.
    Rows(Table),
    /// A function of x and z at a cell's centre.
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

/// A height field (terrain).
#[derive(Options)]
pub(super) struct TerrainOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Size in metres along x and z; y is the factor on heights. Each is 0.001 to 10000.
    #[option(default = Vec3::new(10.0, 1.0, 10.0), default_doc = "(10, 1, 10)")]
    pub size: Vec3,
    /// Heights, 4 to 262144 of them: a function of x and z in metres from the centre; a list of rows along z with
    /// heights along x; a buffer of 32-bit floats, row by row; or the path of an image, whose red channel gives heights
    /// from 0 to 1 at full bit depth.
    #[option(default_doc = "flat")]
    pub heights: Option<HeightSource>,
    /// Number of heights along x.
    #[option(
        default_doc = "as in the list or the image; 65 for a function; 2 without heights",
        range = 2..=MAX_HEIGHTS
    )]
    pub columns: Option<Whole>,
    /// Number of heights along z.
    #[option(
        default_doc = "as in the list or the image; 65 for a function; 2 without heights",
        range = 2..=MAX_HEIGHTS
    )]
    pub rows: Option<Whole>,
    /// Names of the cells' surfaces, for friction and restitution; a cell is the area between four heights. A function
    /// of x and z at a cell's centre, which returns nil for the default `surface`, or a list of rows of names.
    pub surfaces: Option<CellSurfaces>,
    /// Linear colours by the names of surfaces; they blend between cells.
    #[option(
        default_doc = "that of each surface",
        ty = Type::Table("{ [string]: vector }")
    )]
    pub colors: Option<Table>,
}
