//! Options of hair.

use glam::Vec3;
use mlua::{Table, Value};

use super::character_ref::CharacterRef;
use super::check::{OptionValue, Type};
use super::hair_cut::{Haircut, HeadPartOptions, LockOptions};
use crate::words;
use galatea_derive::Options;
use galatea_hair::{ChainSettings, MAX_POINTS, StrandAppearance};
use galatea_stage::Handle;

/// Maximum number of strands of a piece.
const MAX_STRANDS: f32 = 20_000.0;

/// Geometry of strands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum HairGeometry {
    Strands,
    Cards,
}

words!(HairGeometry {
    "strands" => HairGeometry::Strands,
    "cards" => HairGeometry::Cards,
});

/// Simulation of hair.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum HairSolver {
    Chains,
    Springs,
}

words!(HairSolver {
    "chains" => HairSolver::Chains,
    "springs" => HairSolver::Springs,
});

/// Guides as lists of positions, or the number of guides to choose from the strands of a file.
pub(super) enum Guides {
    Listed(Table),
    Count(f64),
}

impl OptionValue for Guides {
    const TYPE: Type = Type::OneOf(&[Type::Table("{ { vector } }"), Type::Number]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(table) => Ok(Self::Listed(table)),
            other => f64::from_value(other).map(Self::Count),
        }
    }
}

/// Values from 0 to 1 at the root and at the tip.
#[derive(Clone, Copy)]
pub(super) struct RootToTip(pub [f32; 2]);

impl OptionValue for RootToTip {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::List(&Type::Number)]);

    fn from_value(value: Value) -> Result<Self, String> {
        let both = match value {
            Value::Table(_) => Vec::<f64>::from_value(value)?,
            one => vec![f64::from_value(one)?; 2],
        };
        match both[..] {
            [root, tip, ..] if [root, tip].iter().all(|n| (0.0..=1.0).contains(n)) => {
                Ok(Self([root as f32, tip as f32]))
            }
            _ => Err("two numbers from 0 to 1, at the root and at the tip".into()),
        }
    }
}

/// Bodies that hair collides with.
pub(super) struct HairCollide {
    /// True to collide with the wearer's own body.
    pub wearer: bool,
    /// Other characters.
    pub others: Vec<Handle>,
}

impl OptionValue for HairCollide {
    const TYPE: Type = Type::OneOf(&[
        Type::Bool,
        CharacterRef::TYPE,
        Type::List(&CharacterRef::TYPE),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        let (wearer, others) = match value {
            Value::Boolean(wearer) => (wearer, Vec::new()),
            Value::Table(_) => (true, Vec::from_value(value)?),
            one => (true, vec![CharacterRef::from_value(one)?]),
        };
        Ok(Self {
            wearer,
            others: others
                .into_iter()
                .map(|CharacterRef(other)| other)
                .collect(),
        })
    }
}

/// Options of `hero:hair`.
#[derive(Options)]
pub(super) struct HairOptions {
    /// Haircut: its name, or { style = name, … } with changes. It sets the defaults of the other options.
    pub cut: Option<Haircut>,
    /// File with strands: `.tfx` (TressFX, binary or text), `.hair`, or the lines of a `.glb` or `.gltf`. A `.hair`
    /// file has the format of Cem Yuksel's hair models, or that of the book *Character Animation with Direct3D*.
    pub file: Option<String>,
    /// For a file: length of its unit.
    #[option(default = 1.0, unit = "metres", range = 0.0..)]
    pub scale: f32,
    /// For a file: rotation of its strands about +Y, applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// For a file: offset of its strands, applied last. The axes are those of the character in its rest pose.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub offset: Vec3,
    /// Strands that are simulated. Each is a list of positions from root to tip, in world space and in the character's
    /// current pose. For a file, the number of its strands that are simulated, 1 to 2000; all others follow them.
    #[option(default_doc = "160 for a file")]
    pub guides: Option<Guides>,
    /// True means that the positions of `guides` are in the space of the character in its rest pose: metres, +Y up, +Z
    /// forward.
    #[option(default = false)]
    pub in_rest_space: bool,
    /// Areas in which strands grow. Each is a list of the numbers of the three or four guides around it.
    #[option(
        default_doc = "between neighbouring guides",
        ty = Type::Table("{ { number } }")
    )]
    pub patches: Option<Table>,
    /// Number of strands that are drawn.
    #[option(
        default_doc = "2000 or as the haircut; for cards a twelfth",
        range = 1.0..=MAX_STRANDS
    )]
    pub strands: Option<f32>,
    /// Number of points of each strand; more points bend more smoothly.
    #[option(default_doc = "16 or as the haircut", range = 2..=MAX_POINTS)]
    pub points: Option<usize>,
    /// Seed of the random positions and differences of the strands.
    #[option(default = 1)]
    pub seed: u64,
    /// Bone on which the hair grows.
    #[option(default = "head")]
    pub bone: String,
    #[option(flatten)]
    pub parts: HeadPartOptions,
    #[option(flatten)]
    pub locks: LockOptions,
    /// True makes the roots follow the skin when morph targets and bones move it, as a beard follows the mouth.
    #[option(default_doc = "true for beards, moustaches and brows")]
    pub follow_skin: Option<bool>,
    #[option(flatten)]
    pub appearance: HairAppearanceOptions,
    #[option(flatten)]
    pub motion: HairSimulationOptions,
    /// Name of the hair, by which a hot reload finds it again.
    pub name: Option<String>,
}

/// Appearance of strands.
#[derive(Options)]
pub(super) struct HairAppearanceOptions {
    /// How hair is drawn: "strands" are thin ribbons that face the camera, "cards" are wider strips with a texture of
    /// several strands.
    #[option(default = HairGeometry::Strands, default_doc = "strands")]
    pub geometry: HairGeometry,
    /// For cards: PNG or JPEG file of the texture, with a transparent background and the roots at the top.
    #[option(default_doc = "Galatea's own texture")]
    pub texture: Option<String>,
    /// Width of a strand or card at its root.
    #[option(
        default_doc = "0.0012 or as the haircut; for cards 0.02 or 12 times that of the haircut",
        unit = "metres",
        range = 0.0..
    )]
    pub width: Option<f32>,
    /// Width at the tip, as a fraction of the width at the root.
    #[option(default = StrandAppearance::default().tip_width, default_doc = "0.3", range = 0.0..)]
    pub tip_width: f32,
    /// Colour at the tip, as linear RGB.
    #[option(default = Vec3::new(0.12, 0.06, 0.03), default_doc = "(0.12, 0.06, 0.03)")]
    pub color: Vec3,
    /// Colour at the root, as linear RGB.
    #[option(default_doc = "0.6 of `color`")]
    pub root_color: Option<Vec3>,
    /// Random difference in brightness between strands.
    #[option(default = StrandAppearance::default().brightness_variation, default_doc = "0.25", range = 0.0..=1.0)]
    pub brightness_variation: f32,
    /// Roughness: low values give narrow, bright highlights.
    #[option(default = 0.45, range = 0.0..=1.0)]
    pub roughness: f32,
}

/// Simulation parameters of hair.
#[derive(Options)]
pub(super) struct HairSimulationOptions {
    /// Stiffness against bending: one number, or { at the root, at the tip }.
    #[option(default_doc = "{ 0.8, 0.12 } or as the haircut", range = 0.0..=1.0)]
    pub stiffness: Option<RootToTip>,
    /// Strength of the pull back to the shape of the haircut: one number, or { at the root, at the tip }.
    #[option(default_doc = "{ 0.15, 0 } or as the haircut", range = 0.0..=1.0)]
    pub rest_stiffness: Option<RootToTip>,
    /// Damping: rate at which the motion relative to the head slows down. Higher values stop it sooner.
    #[option(
        default = ChainSettings::default().damping,
        default_doc = "4",
        unit = "per second",
        range = 0.0..
    )]
    pub damping: f32,
    /// Drag: rate at which hair takes on the speed of the air. Higher values make it react more to the wind.
    #[option(
        default = ChainSettings::default().air_drag,
        default_doc = "1.5",
        unit = "per second",
        range = 0.0..
    )]
    pub air_drag: f32,
    /// Factor on the force of the wind (see `wind`).
    #[option(default = 1.0, range = 0.0..)]
    pub wind_scale: f32,
    /// Factor on gravity. Gravity acts only as far as the head tilts, so hair on an upright head keeps its shape.
    #[option(
        default = ChainSettings::default().gravity_scale,
        default_doc = "1",
        range = -10.0..=10.0
    )]
    pub gravity_scale: f32,
    /// Wetness: from 0, dry, to 1, dripping. Wet hair is soft and hangs down.
    #[option(default = ChainSettings::default().wet, default_doc = "0", range = 0.0..=1.0)]
    pub wet: f32,
    /// Fraction of the head's motion that the hair follows immediately, without swinging.
    #[option(default = ChainSettings::default().follow, default_doc = "0.1", range = 0.0..=1.0)]
    pub follow: f32,
    /// Distance that the hair keeps from bodies.
    #[option(
        default = ChainSettings::default().collision_margin,
        default_doc = "0.003",
        unit = "metres",
        range = 0.0..
    )]
    pub collision_margin: f32,
    /// Friction on bodies: fraction of the motion along a body that is lost on contact.
    #[option(default = ChainSettings::default().friction, default_doc = "0.2", range = 0.0..=1.0)]
    pub friction: f32,
    /// False turns collisions off. A character, or a list of characters, adds bodies to that of the wearer.
    #[option(default_doc = "true: with the wearer")]
    pub collide_with: Option<HairCollide>,
    /// Method of simulation: "chains" keeps the length of each strand, "springs" is the method of the book *Character
    /// Animation with Direct3D*, chapter 15, with a random wind.
    #[option(default = HairSolver::Chains, default_doc = "chains")]
    pub simulation: HairSolver,
}
