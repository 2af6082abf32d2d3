//! What the face of a model can do, found once: everything that has a name, and what it moves.

use glam::{Quat, Vec3};

use super::recipe::words_for;
use super::shape::{FaceRegion, FaceSide, key};
use galatea_math::names::nearest_hint;
use galatea_rig::expression::{MaterialBind, Override};
use galatea_speech::viseme::N_VISEMES;

/// Names of what a face can do that a message tells.
const MOST_TOLD: usize = 8;

/// What of a model makes its face.
#[derive(Clone, Debug, Default)]
pub struct FaceSource<'a> {
    /// Names of morph targets, one for each weight of a pose.
    pub morphs: Vec<&'a str>,
    /// The part of the model that each of them belongs to; empty where all belong to one.
    pub parts: Vec<usize>,
    /// Those weights at rest.
    pub rest: &'a [f32],
    /// Expressions of the file.
    pub expressions: Vec<SourceExpression<'a>>,
    /// Bones of the face.
    pub bones: Vec<FaceBone>,
}

/// An expression of the file.
#[derive(Clone, Debug)]
pub struct SourceExpression<'a> {
    /// Its name.
    pub name: &'a str,
    /// Morph weights that it moves, by their place in a pose, and by how much.
    pub morphs: Vec<(usize, f32)>,
    /// Materials that it moves.
    pub materials: &'a [MaterialBind],
    /// It is all there above one half, or not at all.
    pub is_binary: bool,
    /// What it does to mouth, blinks and looks.
    pub overrides: [Override; 3],
}

/// A bone of the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceBone {
    /// The bone.
    pub bone: u16,
    /// What it moves.
    pub kind: BoneKind,
    /// Turn from the character's axes (+X left, +Y up, +Z forward) into those of the bone's parent at rest.
    pub parent_from_character: Quat,
    /// How far it turns at weight 1, radians about the character's axes.
    pub turn: Vec3,
    /// How far it shifts at weight 1, along the character's axes, in the units of its parent.
    pub shift: Vec3,
}

/// What a bone of the face moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneKind {
    /// The lower jaw; weight 1 opens it.
    Jaw,
    /// A lid; weight 1 closes it.
    Lid(FaceSide),
    /// A brow; weight 1 raises it, -1 lowers it.
    Brow(FaceSide),
}

/// What a sink moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinkTarget {
    /// A morph weight of the pose.
    Morph(usize),
    /// One of [`FaceRig::bones`].
    Bone(usize),
    /// One of [`FaceRig::materials`].
    Material(usize),
}

/// One number that is written in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sink {
    /// What it moves.
    pub target: SinkTarget,
    /// The part of the face.
    pub region: FaceRegion,
    /// Its side.
    pub side: FaceSide,
    /// What it is at rest.
    pub rest: f32,
    /// Least and most.
    pub range: [f32; 2],
    /// What it does to the mouth.
    pub act: SinkRole,
    /// What it comes to where a binary expression of the file shows (`isBinary` of VRM). It has no value between that and
    /// 0 then.
    pub binary: Option<f32>,
}

/// What corrections must know of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinkRole {
    /// Nothing.
    None,
    /// It opens the mouth.
    OpensMouth,
    /// It brings lips together that `OpensMouth` parts (ARKit's mouthClose): never more than that.
    ClosesLips,
}

/// Where a control comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlOrigin {
    /// A morph target of this name.
    Morph,
    /// An expression of the file.
    File,
    /// A shape of ARKit that others stand in for.
    StandIn,
    /// Made of shapes.
    Made,
    /// Other expressions in its place.
    Instead,
}

/// Something of a name that can be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Its name.
    pub name: String,
    /// See [`key`].
    pub key: String,
    /// Where it comes from.
    pub origin: ControlOrigin,
    /// What it moves, as indices into [`FaceRig::sinks`], and by how much at weight 1.
    pub binds: Vec<(u16, f32)>,
    /// It is all there above one half, or not at all.
    pub is_binary: bool,
    /// What it does to mouth, blinks and looks.
    pub overrides: [Override; 3],
    /// Which of these it is one of, if an expression of the file: other expressions may override it then.
    pub procedural: Option<Procedural>,
    /// In words, what it is made of; empty for what the file has itself.
    pub how: String,
}

/// Expressions that VRM calls procedural, in the order of [`Control::overrides`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedural {
    /// `aa`, `ih`, `ou`, `ee`, `oh`.
    Mouth,
    /// `blink`, `blinkLeft`, `blinkRight`.
    Blink,
    /// `lookLeft`, `lookRight`, `lookUp`, `lookDown`.
    Look,
}

/// How a face shows speech.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpeechBy {
    /// Morph targets or expressions for (nearly) all fifteen.
    Visemes,
    /// The five vowels of VRM.
    Vowels,
    /// Mixtures of ARKit's shapes.
    Shapes,
    /// One target for an open mouth.
    OpenMouth,
    /// The bone of the jaw.
    Jaw,
    /// Not at all.
    #[default]
    Nothing,
}

/// A target that corrects how several others look together: its weight is the product of theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrective {
    /// Its own sink.
    pub sink: u16,
    /// The others.
    pub of: Vec<u16>,
}

/// What a face can do. Immutable; shared by all characters of a model (FA-10).
#[derive(Clone, Debug, Default)]
pub struct FaceRig {
    /// Everything that is written.
    pub sinks: Vec<Sink>,
    /// Everything that has a name: the file's expressions, its morph targets, shapes with a stand-in, expressions.
    pub controls: Vec<Control>,
    /// Bones of the face.
    pub bones: Vec<FaceBone>,
    /// What the file's expressions make of materials, one list for each that does.
    pub materials: Vec<Vec<MaterialBind>>,
    /// What each viseme moves, in the order of [`galatea_speech::viseme::VISEMES`].
    pub visemes: [Vec<(u16, f32)>; N_VISEMES],
    /// How it shows speech.
    pub speech_by: SpeechBy,
    /// What closes both eyes.
    pub blink: Vec<(u16, f32)>,
    /// What looks left, right, up and down by materials.
    pub looks: [Vec<(u16, f32)>; 4],
    /// Targets that correct others.
    pub correctives: Vec<Corrective>,
    /// Expressions that it cannot show.
    pub missing: Vec<&'static str>,
}

impl FaceRig {
    /// True when nothing of it can move.
    pub fn is_empty(&self) -> bool {
        self.sinks.is_empty()
    }

    /// The control of a name: as it is written, else as others spell it, else another word for it.
    pub fn find(&self, name: &str) -> Option<u16> {
        let exact = self
            .controls
            .iter()
            .position(|control| control.name == name);
        let found = exact.or_else(|| {
            let wanted = key(name);
            let by_key = |wanted: &str| {
                self.controls
                    .iter()
                    .position(|control| control.key == wanted)
            };
            by_key(&wanted).or_else(|| {
                let words = words_for(&wanted)?;
                words.iter().find_map(|word| by_key(&key(word)))
            })
        });
        found.and_then(|i| u16::try_from(i).ok())
    }

    /// The control of a name.
    ///
    /// # Errors
    /// Says that there is none, and the nearest name.
    pub fn control(&self, name: &str) -> Result<u16, String> {
        self.find(name).ok_or_else(|| {
            if self.lacks(name) {
                return self.has_not(name);
            }
            let names = self.controls.iter().map(|control| control.name.as_str());
            format!("this face has no {name:?}{}", nearest_hint(name, names))
        })
    }

    /// An expression that every face is asked for, and that this one cannot show.
    pub fn lacks(&self, name: &str) -> bool {
        let wanted = key(name);
        let words = words_for(&wanted).unwrap_or_default();
        let is_it = |missing: &str| {
            key(missing) == wanted || words.iter().any(|word| key(word) == key(missing))
        };
        self.find(name).is_none() && self.missing.iter().any(|missing| is_it(missing))
    }

    /// That it has nothing to show an expression with, in words, and what it can show.
    pub fn has_not(&self, name: &str) -> String {
        let own = self
            .controls
            .iter()
            .filter(|control| !control.binds.is_empty());
        let own: Vec<&str> = own.map(|control| control.name.as_str()).collect();
        let has = match own.len() {
            0 => String::new(),
            1..=MOST_TOLD => format!(" (it has {})", own.join(", ")),
            _ => format!(" (it has {} …)", own[..MOST_TOLD].join(", ")),
        };
        format!("this face has nothing to show {name:?} with{has}")
    }

    /// Sinks of bones of a kind.
    pub(super) fn bones_of(&self, is_it: impl Fn(BoneKind) -> bool) -> Vec<u16> {
        let sinks = self.sinks.iter().enumerate().filter(|(_, sink)| {
            let SinkTarget::Bone(i) = sink.target else {
                return false;
            };
            self.bones.get(i).is_some_and(|bone| is_it(bone.kind))
        });
        sinks.filter_map(|(i, _)| u16::try_from(i).ok()).collect()
    }
}
