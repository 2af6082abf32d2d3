//! Options of hair.

use glam::Vec3;
use mlua::{Table, Value};

use super::character_ref::CharacterRef;
use super::check::{OptionValue, Type};
use super::hair_cut::{Haircut, HeadPartOptions, LockOptions};
use crate::words;
use galatea_derive::Options;
use galatea_hair::{ChainSettings, MAX_POINTS, StrandLook};
use galatea_stage::Handle;

/// Maximum number of strands of a piece.
const MAX_STRANDS: f32 = 20_000.0;

/// Geometry of strands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum HairStyle {
    Strands,
    Strips,
}

words!(HairStyle {
    "strands" => HairStyle::Strands,
    "cards" => HairStyle::Strips,
});

/// Simulation of hair.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum HairSolver {
    Chains,
    Book,
}

words!(HairSolver {
    "chains" => HairSolver::Chains,
    "springs" => HairSolver::Book,
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
    /// Name of a haircut, or { style = name, … } with changes to it. It sets the defaults of the other options.
    pub cut: Option<Haircut>,
    /// File of strands: `.tfx` (TressFX, binary or text), `.hair` (Cem Yuksel's format or that of Granberg's book), or
    /// the lines of a `.glb` or `.gltf`.
    pub file: Option<String>,
    /// Length of a unit of the file.
    #[option(default = 1.0, unit = "metres", range = 0.0..)]
    pub scale: f32,
    /// Rotation of the file's strands about +Y, applied first.
    #[option(default = 0.0, unit = "degrees")]
    pub yaw: f32,
    /// Offset of the file's strands, applied last, in the character's rest space.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    pub offset: Vec3,
    /// Guides: a list of strands from root to tip, each a list of world positions in the current pose. For a file,
    /// the number of strands to simulate, 1 to 2000; the others follow them.
    #[option(default_doc = "160 for a file")]
    pub guides: Option<Guides>,
    /// True if guides are in the character's rest space instead of the world: metres, +Y up, +Z forward.
    #[option(default = false)]
    pub in_rest_space: bool,
    /// Patches in which strands grow. Each is a list of the numbers of the three or four guides around it.
    #[option(
        default_doc = "between neighbouring guides",
        ty = Type::Table("{ { number } }")
    )]
    pub patches: Option<Table>,
    /// Number of visible strands.
    #[option(
        default_doc = "2000 or as the haircut; a twelfth for cards",
        range = 1.0..=MAX_STRANDS
    )]
    pub strands: Option<f32>,
    /// Number of points of each strand.
    #[option(default_doc = "16 or as the haircut", range = 2..=MAX_POINTS)]
    pub points: Option<usize>,
    /// Random seed of the positions and variation of strands.
    #[option(default = 1)]
    pub seed: u64,
    /// Bone that carries the hair.
    #[option(default = "head")]
    pub bone: String,
    #[option(flatten)]
    pub parts: HeadPartOptions,
    #[option(flatten)]
    pub locks: LockOptions,
    /// True if the roots follow the skin as morph targets and bones move it, as a beard follows the mouth.
    #[option(default_doc = "true for beards, moustaches and brows")]
    pub follow_skin: Option<bool>,
    #[option(flatten)]
    pub look: HairLookOptions,
    #[option(flatten)]
    pub motion: HairMotionOptions,
    /// Name; also identifies the hair over a hot reload.
    pub name: Option<String>,
}

/// Appearance of strands.
#[derive(Options)]
pub(super) struct HairLookOptions {
    /// Geometry: strands face the camera, cards have fixed angles.
    #[option(default = HairStyle::Strands, default_doc = "strands")]
    pub geometry: HairStyle,
    /// Texture of each card: a PNG or JPEG with transparent background and the roots at the top.
    #[option(default_doc = "strands drawn side by side")]
    pub texture: Option<String>,
    /// Width at the root.
    #[option(
        default_doc = "0.0012 or as the haircut; for cards 0.02 or 12 strands of the haircut",
        unit = "metres",
        range = 0.0..
    )]
    pub width: Option<f32>,
    /// Width at the tip as a fraction of the width at the root.
    #[option(default = StrandLook::default().tip_width, default_doc = "0.3", range = 0.0..)]
    pub tip_width: f32,
    /// Linear colour at the tip.
    #[option(default = Vec3::new(0.12, 0.06, 0.03), default_doc = "(0.12, 0.06, 0.03)")]
    pub color: Vec3,
    /// Linear colour at the root.
    #[option(default_doc = "six tenths of `color`")]
    pub root_color: Option<Vec3>,
    /// Maximum difference in brightness between strands.
    #[option(default = StrandLook::default().variety, default_doc = "0.25", range = 0.0..=1.0)]
    pub brightness_variation: f32,
    /// Roughness.
    #[option(default = 0.45, range = 0.0..=1.0)]
    pub roughness: f32,
}

/// Simulation parameters of hair.
#[derive(Options)]
pub(super) struct HairMotionOptions {
    /// Stiffness against bending, one number or { at the root, at the tip }.
    #[option(default_doc = "{ 0.8, 0.12 } or as the haircut", range = 0.0..=1.0)]
    pub stiffness: Option<RootToTip>,
    /// Strength of the pull to the rest position on the head, one number or { at the root, at the tip }.
    #[option(default_doc = "{ 0.15, 0 } or as the haircut", range = 0.0..=1.0)]
    pub rest_stiffness: Option<RootToTip>,
    /// Damping of the motion relative to the head.
    #[option(
        default = ChainSettings::default().damping,
        default_doc = "4",
        unit = "per second",
        range = 0.0..
    )]
    pub damping: f32,
    /// Air drag: rate at which hair takes on the motion of the air.
    #[option(
        default = ChainSettings::default().air,
        default_doc = "1.5",
        unit = "per second",
        range = 0.0..
    )]
    pub air_drag: f32,
    /// Factor on the wind.
    #[option(default = 1.0, range = 0.0..)]
    pub wind_scale: f32,
    /// Factor on gravity. Gravity acts only as far as the head tilts, so hair keeps its shape at rest.
    #[option(
        default = ChainSettings::default().gravity,
        default_doc = "1",
        range = -10.0..=10.0
    )]
    pub gravity_scale: f32,
    /// Wetness, from 0 dry to 1 dripping: wet hair hangs and is soft.
    #[option(default = ChainSettings::default().wet, default_doc = "0", range = 0.0..=1.0)]
    pub wet: f32,
    /// Fraction of the head's motion that the hair follows at once.
    #[option(default = ChainSettings::default().follow, default_doc = "0.1", range = 0.0..=1.0)]
    pub follow: f32,
    /// Minimum distance to bodies.
    #[option(
        default = ChainSettings::default().thickness,
        default_doc = "0.003",
        unit = "metres",
        range = 0.0..
    )]
    pub collision_margin: f32,
    /// Friction: fraction of the motion along a body that is lost on contact.
    #[option(default = ChainSettings::default().friction, default_doc = "0.2", range = 0.0..=1.0)]
    pub friction: f32,
    /// False for no collisions, or characters with which the hair collides in addition to the wearer: one, or a list.
    #[option(default_doc = "true: with the wearer")]
    pub collide_with: Option<HairCollide>,
    /// Simulation: chains of points (chains), or springs and a random wind (springs), as in chapter 15 of Granberg's
    /// book.
    #[option(default = HairSolver::Chains, default_doc = "chains")]
    pub simulation: HairSolver,
}
