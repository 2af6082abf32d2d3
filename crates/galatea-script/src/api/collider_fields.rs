//! Options of `thing:collider` and of the functions that add props.

use glam::Vec3;
use mlua::{Function, Table, Value};

use super::check::{OptionValue, Type};
use crate::words;
use galatea_derive::Options;
use galatea_math::heights::MAX_HEIGHTS;
use galatea_physics::BodyType;

words!(BodyType {
    "static" => BodyType::Static,
    "dynamic" => BodyType::Dynamic,
    "kinematic" => BodyType::Kinematic,
});

/// Movement and surface of a rigid body.
#[derive(Options)]
pub(super) struct MatterOptions {
    /// Mass of the body. If you set it, the body is dynamic: it falls and can be pushed.
    #[option(default_doc = "volume times density", unit = "kilograms", above = 0.0)]
    pub mass: Option<f32>,
    /// Density of the body, from which its mass is calculated. Set it instead of `mass`; the body is then dynamic too.
    #[option(default_doc = "500", unit = "kilograms per cubic metre", above = 0.0)]
    pub density: Option<f32>,
    /// Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves
    /// only when a script sets its position, and pushes others away, as a lift does.
    #[option(default_doc = "\"dynamic\" with a mass or a density, otherwise \"static\"")]
    pub body_type: Option<BodyType>,
    /// Name of the surface, see `physics.surface`. It sets the friction, and events contain its name.
    #[option(default_doc = "stone")]
    pub surface: Option<String>,
    /// Coefficient of friction; 0 is slippery, 1 is like rubber.
    #[option(default_doc = "that of the surface", range = 0.0..)]
    pub friction: Option<f32>,
    /// Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed.
    #[option(default_doc = "that of the surface", range = 0.0..=1.0)]
    pub restitution: Option<f32>,
    /// Collision layer. It decides with what the body collides, see `physics.layer`.
    #[option(default_doc = "\"world\" if static, otherwise \"props\"")]
    pub layer: Option<String>,
    /// True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it.
    #[option(default = false)]
    pub sensor: bool,
    /// Factor on gravity.
    #[option(default = 1.0)]
    pub gravity_scale: f32,
    /// Damping: how strongly the body slows down by itself. At 1, it loses about 63 % of its speed in a second.
    #[option(default = 0.0, range = 0.0..)]
    pub damping: f32,
    /// Angular damping: how strongly the rotation slows down by itself. At 1, it loses about 63 % of its speed in a
    /// second.
    #[option(default = 0.1, range = 0.0..)]
    pub angular_damping: f32,
    /// True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could
    /// otherwise pass through thin bodies.
    #[option(default = false)]
    pub bullet: bool,
    /// True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event
    /// `stick`. The body passes through the capsule of a controller and hits the character itself.
    #[option(default = false)]
    pub stick_on_hit: bool,
    /// True keeps physics from rotating the body.
    #[option(default = false)]
    pub lock_rotation: bool,
    /// Velocity at the start.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "metres per second"
    )]
    pub velocity: Vec3,
    /// Angular velocity at the start, about the world's axes.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "degrees per second"
    )]
    pub angular_velocity: Vec3,
}

/// A primitive shape.
#[derive(Clone, Copy)]
pub(super) enum PrimitiveShape {
    Box,
    Sphere,
    Capsule,
    Cylinder,
}

words!(PrimitiveShape {
    "box" => Self::Box,
    "sphere" => Self::Sphere,
    "capsule" => Self::Capsule,
    "cylinder" => Self::Cylinder,
});

/// Collision shape of a model.
#[derive(Clone, Copy)]
pub(super) enum ModelColliderShape {
    /// A convex hull for a dynamic body, else the mesh.
    Auto,
    Simple(PrimitiveShape),
    Hull,
    Mesh,
}

words!(ModelColliderShape {
    "auto" => Self::Auto,
    "box" => Self::Simple(PrimitiveShape::Box),
    "sphere" => Self::Simple(PrimitiveShape::Sphere),
    "capsule" => Self::Simple(PrimitiveShape::Capsule),
    "cylinder" => Self::Simple(PrimitiveShape::Cylinder),
    "hull" => Self::Hull,
    "mesh" => Self::Mesh,
});

/// Size and position of a primitive shape.
#[derive(Options)]
pub(super) struct PrimitiveOptions {
    /// For a box: lengths of its edges, each more than 0.
    #[option(
        default_doc = "fitted to the model; in `shapes` (1, 1, 1)",
        unit = "metres"
    )]
    pub size: Option<Vec3>,
    /// For a sphere, a capsule or a cylinder: radius.
    #[option(
        default_doc = "fitted to the model; in `shapes` 0.5",
        unit = "metres",
        above = 0.0
    )]
    pub radius: Option<f32>,
    /// For a capsule or a cylinder: height from end to end.
    #[option(
        default_doc = "fitted to the model; in `shapes` 1",
        unit = "metres",
        above = 0.0
    )]
    pub height: Option<f32>,
    /// Centre of the shape, in the character's space.
    #[option(
        default_doc = "fitted to the model; in `shapes` (0, 0, 0)",
        unit = "metres"
    )]
    pub offset: Option<Vec3>,
}

/// Rigid body of a character or a prop.
#[derive(Options)]
pub(super) struct ColliderOptions {
    #[option(flatten)]
    pub matter: MatterOptions,
    /// Collision shape. "hull" is the convex hull of the mesh (its shape without hollows), "mesh" its exact triangles.
    /// "auto" is "hull" for a dynamic body, otherwise "mesh".
    #[option(default = ModelColliderShape::Auto, default_doc = "auto")]
    pub shape: ModelColliderShape,
    #[option(flatten)]
    pub form: PrimitiveOptions,
    /// List of 1 to 256 shapes, which form one body together, instead of a single shape.
    pub shapes: Option<Vec<ColliderPart>>,
    /// Surfaces for the materials of the mesh, by the name of the material: { Ice = "ice" }. All other materials use
    /// `surface`.
    #[option(ty = Type::Table("{ [string]: string }"))]
    pub surfaces: Option<Table>,
}

/// One of several shapes of a rigid body.
#[derive(Options)]
pub(super) struct ColliderPart {
    /// Shape of this part.
    #[option(default = PrimitiveShape::Box, default_doc = "box")]
    pub shape: PrimitiveShape,
    #[option(flatten)]
    pub form: PrimitiveOptions,
    /// Rotation around the Y axis. Of the three rotations, it is applied last.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Rotation around the X axis. Of the three rotations, it is applied second.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Rotation around the Z axis. Of the three rotations, it is applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
}

/// Options common to all props.
#[derive(Options)]
pub(super) struct PropOptions {
    #[option(flatten)]
    pub matter: MatterOptions,
    /// Position of the centre. For stairs and ramps, it is the middle of the lower end.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub position: Vec3,
    /// Rotation around the Y axis. Of the three rotations, it is applied last.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Rotation around the X axis. Of the three rotations, it is applied second.
    #[option(default = 0.0, unit = "degrees")]
    pub pitch: f32,
    /// Rotation around the Z axis. Of the three rotations, it is applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub roll: f32,
    /// Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it.
    pub name: Option<String>,
    /// Colour, as linear RGB.
    #[option(default_doc = "grey; for terrain, that of the surface")]
    pub color: Option<Vec3>,
    /// Roughness: 0 shines like a mirror, 1 is matt.
    #[option(default_doc = "0.62", clamp = 0.0..=1.0)]
    pub roughness: Option<f32>,
    /// How metallic the surface is: 0 is not metal, 1 is metal.
    #[option(default_doc = "0", clamp = 0.0..=1.0)]
    pub metallic: Option<f32>,
    /// True gives the prop a collider; without one, nothing collides with it.
    #[option(default = true)]
    pub collider: bool,
}

/// A box prop.
#[derive(Options)]
pub(super) struct BoxOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Lengths of the edges along x, y and z, each 0.001 to 10000.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)", unit = "metres")]
    pub size: Vec3,
}

/// A wedge prop.
#[derive(Options)]
pub(super) struct RampOptions {
    #[option(flatten)]
    pub prop: PropOptions,
    /// Width (x), height (y) and length (z), each 0.001 to 10000.
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
    /// Height from end to end, at least twice the radius.
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
    /// Number of steps of the stairs.
    #[option(default = Whole(8), default_doc = "8", range = 1..=galatea_asset::primitive_mesh::MAX_STEPS)]
    pub steps: Whole,
    /// Width of the stairs.
    #[option(default = 2.0, unit = "metres", range = 0.001..=1e4)]
    pub width: f32,
    /// Height of each step of the stairs.
    #[option(default = 0.17, unit = "metres", range = 0.001..=1e4)]
    pub step_height: f32,
    /// Depth of each step of the stairs.
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
    /// Size of the terrain along x and z in metres; its y is a factor on the heights. Each is 0.001 to 10000.
    #[option(default = Vec3::new(10.0, 1.0, 10.0), default_doc = "(10, 1, 10)")]
    pub size: Vec3,
    /// Heights of the points of the grid, in one of four forms. A function of x and z (metres from the centre) that
    /// returns a height. A list of rows along z, each a list of heights along x. A buffer of 32-bit floats, row by row.
    /// Or the path of an image with 8 or 16 bits, whose red channel gives heights from 0 to 1. There may be 4 to 262144
    /// points.
    #[option(default_doc = "flat")]
    pub heights: Option<HeightSource>,
    /// Number of points along x.
    #[option(
        default_doc = "that of the list or image; for a function 65; without heights 2",
        range = 2..=MAX_HEIGHTS
    )]
    pub columns: Option<Whole>,
    /// Number of points along z.
    #[option(
        default_doc = "that of the list or image; for a function 65; without heights 2",
        range = 2..=MAX_HEIGHTS
    )]
    pub rows: Option<Whole>,
    /// Surface of each cell (the area between four points). Either a function, called with x and z at the centre of the
    /// cell. It returns the name of a surface, or nil for the option `surface`. Or a list of rows, each a list of
    /// names.
    pub surfaces: Option<CellSurfaces>,
    /// Colours (linear RGB), by the name of the surface. Between cells of different surfaces the colours blend.
    #[option(
        default_doc = "that of each surface",
        ty = Type::Table("{ [string]: vector }")
    )]
    pub colors: Option<Table>,
}
