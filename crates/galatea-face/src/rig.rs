//! The controls of a model's face, resolved once: everything that has a name, and the sinks that it moves.

use glam::{Quat, Vec3};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::recipe::{EXPRESSIONS, words_for};
use super::shape::{FaceRegion, FaceSide, key};
use galatea_math::names::nearest_hint;
use galatea_persist::names;
use galatea_rig::expression::{MaterialBind, Override};
use galatea_speech::viseme::N_VISEMES;

/// Maximum number of controls listed in a message.
const MAX_LISTED: usize = 8;

/// Parts of a model that make up its face.
#[derive(Clone, Debug, Default)]
pub struct FaceSource<'a> {
    /// Names of morph targets, one for each weight of a pose.
    pub morphs: Vec<&'a str>,
    /// Part of the model of each morph target; empty if all belong to one part.
    pub parts: Vec<usize>,
    /// Morph weights at rest.
    pub rest: &'a [f32],
    /// Expressions of the file.
    pub expressions: Vec<SourceExpression<'a>>,
    /// Bones of the face.
    pub bones: Vec<FaceBone>,
}

/// An expression of the file.
#[derive(Clone, Debug)]
pub struct SourceExpression<'a> {
    /// Name of the expression.
    pub name: &'a str,
    /// Morph weights that it moves: index in a pose, and weight.
    pub morphs: Vec<(usize, f32)>,
    /// Material changes of the expression.
    pub materials: &'a [MaterialBind],
    /// The expression is fully on above a weight of 0.5, otherwise off.
    pub is_binary: bool,
    /// Overrides of mouth, blinks and gaze.
    pub overrides: [Override; 3],
}

/// A bone of the face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceBone {
    /// Bone index.
    pub bone: u16,
    /// Part of the face that it moves.
    pub kind: BoneKind,
    /// Rotation from the character's axes (+X left, +Y up, +Z forward) to those of the bone's parent at rest.
    pub parent_from_character: Quat,
    /// Rotation at weight 1, radians about the character's axes.
    pub turn: Vec3,
    /// Translation at weight 1, along the character's axes, in the units of the parent.
    pub shift: Vec3,
}

/// Part of the face that a bone moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoneKind {
    /// The lower jaw; weight 1 opens it.
    Jaw,
    /// An eyelid; weight 1 closes it.
    Lid(FaceSide),
    /// A brow; weight 1 raises it, -1 lowers it.
    Brow(FaceSide),
}

/// Target of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SinkTarget {
    /// A morph weight of the pose.
    Morph(usize),
    /// One of [`FaceRig::bones`].
    Bone(usize),
    /// One of [`FaceRig::materials`].
    Material(usize),
}

/// A number that the face writes in the end: a morph weight, a bone or a material weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sink {
    /// Target of the sink.
    pub target: SinkTarget,
    /// Region of the face.
    pub region: FaceRegion,
    /// Side of the face.
    pub side: FaceSide,
    /// Value at rest.
    pub rest: f32,
    /// Minimum and maximum value.
    pub range: [f32; 2],
    /// Effect on the mouth.
    pub act: SinkRole,
    /// Value of the sink while a binary expression of the file is on (VRM `isBinary`). Such a sink has no values in
    /// between.
    pub binary: Option<f32>,
}

/// Role of a sink in mouth corrections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SinkRole {
    /// No role.
    None,
    /// Opens the mouth.
    OpensMouth,
    /// Closes the lips that `OpensMouth` opens (ARKit's mouthClose); it cannot close them further.
    ClosesLips,
}

/// Origin of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ControlOrigin {
    /// A morph target of this name.
    Morph,
    /// An expression of the file.
    File,
    /// An ARKit shape with a substitute.
    StandIn,
    /// Made of shapes by a recipe.
    Made,
    /// Replaced by other expressions.
    Instead,
}

/// A named control of a face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Name of the control.
    pub name: String,
    /// Normalised name, see [`key`].
    pub key: String,
    /// Origin of the control.
    pub origin: ControlOrigin,
    /// Sinks that it moves, as indices into [`FaceRig::sinks`], with their weights at weight 1.
    pub binds: Vec<(u16, f32)>,
    /// The control is fully on above a weight of 0.5, otherwise off.
    pub is_binary: bool,
    /// Overrides of mouth, blinks and gaze.
    pub overrides: [Override; 3],
    /// Kind of procedural expression, for an expression of the file; other expressions can override it.
    pub procedural: Option<Procedural>,
    /// Description of the parts; empty for the file's own controls.
    pub how: String,
}

/// Procedural expressions of VRM, in the order of [`Control::overrides`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Procedural {
    /// `aa`, `ih`, `ou`, `ee`, `oh`.
    Mouth,
    /// `blink`, `blinkLeft`, `blinkRight`.
    Blink,
    /// `lookLeft`, `lookRight`, `lookUp`, `lookDown`.
    Look,
}

/// Way in which a face shows speech.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpeechBy {
    /// Morph targets or expressions for all or nearly all fifteen visemes.
    Visemes,
    /// The five vowels of VRM.
    Vowels,
    /// Mixtures of ARKit shapes.
    Shapes,
    /// One target for an open mouth.
    OpenMouth,
    /// The jaw bone.
    Jaw,
    /// The face cannot show speech.
    #[default]
    Nothing,
}

/// A corrective target for a combination of targets: its weight is the product of their weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corrective {
    /// Sink of the corrective target.
    pub sink: u16,
    /// Sinks of the combined targets.
    pub of: Vec<u16>,
}

/// The controls of a face. Immutable; shared by all characters of a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FaceRig {
    /// All sinks.
    pub sinks: Vec<Sink>,
    /// All controls: the file's expressions, its morph targets, shapes with a substitute, expressions.
    pub controls: Vec<Control>,
    /// Bones of the face.
    pub bones: Vec<FaceBone>,
    /// Material changes of the file's expressions, one list per expression that has any.
    pub materials: Vec<Vec<MaterialBind>>,
    /// Sinks that each viseme moves, in the order of [`galatea_speech::viseme::VISEMES`].
    pub visemes: [Vec<(u16, f32)>; N_VISEMES],
    /// Way in which it shows speech.
    pub speech_by: SpeechBy,
    /// Sinks that close both eyes.
    pub blink: Vec<(u16, f32)>,
    /// Sinks that look left, right, up and down by material changes.
    pub looks: [Vec<(u16, f32)>; 4],
    /// Corrective targets.
    pub correctives: Vec<Corrective>,
    /// Standard expressions that the face cannot show.
    #[serde(deserialize_with = "expressions")]
    pub missing: Vec<&'static str>,
}

impl FaceRig {
    /// Returns true when the face has no sinks.
    pub fn is_empty(&self) -> bool {
        self.sinks.is_empty()
    }

    /// Finds a control by name: exactly, in another spelling, or by a synonym.
    pub fn find(&self, name: &str) -> Option<u16> {
        let exact = self
            .controls
            .iter()
            .position(|control| control.name == name);
        let found = exact.or_else(|| {
            let name_key = key(name);
            let by_key = |key: &str| self.controls.iter().position(|control| control.key == key);
            by_key(&name_key).or_else(|| {
                let words = words_for(&name_key)?;
                words.iter().find_map(|word| by_key(&key(word)))
            })
        });
        found.and_then(|i| u16::try_from(i).ok())
    }

    /// Finds a control by name.
    ///
    /// # Errors
    /// Returns a message with the most similar name.
    pub fn control(&self, name: &str) -> Result<u16, String> {
        self.find(name)
            .ok_or_else(|| self.unknown(name, std::iter::empty()))
    }

    /// Message about an unknown name. `others` are names that are valid besides those of the controls.
    pub fn unknown<'a>(&'a self, name: &str, others: impl Iterator<Item = &'a str>) -> String {
        if self.lacks(name) {
            return self.has_not(name);
        }
        let names = self.controls.iter().map(|control| control.name.as_str());
        let hint = nearest_hint(name, names.chain(others));
        format!("this face has no expression {name:?}{hint}")
    }

    /// Returns true for a standard expression that this face cannot show.
    pub fn lacks(&self, name: &str) -> bool {
        let name_key = key(name);
        let words = words_for(&name_key).unwrap_or_default();
        let matches = |missing: &str| {
            key(missing) == name_key || words.iter().any(|word| key(word) == key(missing))
        };
        self.find(name).is_none() && self.missing.iter().any(|missing| matches(missing))
    }

    /// Returns the message that the face cannot show an expression, with the controls that it has.
    pub fn has_not(&self, name: &str) -> String {
        let own = self
            .controls
            .iter()
            .filter(|control| !control.binds.is_empty());
        let own: Vec<&str> = own.map(|control| control.name.as_str()).collect();
        let has = match own.len() {
            0 => String::new(),
            1..=MAX_LISTED => format!(" (it has {})", own.join(", ")),
            _ => format!(" (it has {} …)", own[..MAX_LISTED].join(", ")),
        };
        format!("this face has no morph target or bone for {name:?}{has}")
    }

    /// Returns the sinks of bones of a kind.
    pub(super) fn bones_of(&self, matches: impl Fn(BoneKind) -> bool) -> Vec<u16> {
        let sinks = self.sinks.iter().enumerate().filter(|(_, sink)| {
            let SinkTarget::Bone(i) = sink.target else {
                return false;
            };
            self.bones.get(i).is_some_and(|bone| matches(bone.kind))
        });
        sinks.filter_map(|(i, _)| u16::try_from(i).ok()).collect()
    }
}

/// Reads names of standard expressions.
fn expressions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<&'static str>, D::Error> {
    let read = Vec::<String>::deserialize(deserializer)?;
    let known = || EXPRESSIONS.iter().map(|(name, _)| *name);
    let found = read.iter().map(|name| names::found(name, known()));
    found.collect::<Result<_, _>>().map_err(D::Error::custom)
}
