//! Report of the face: speech, blinking, substitutes and missing features.

use serde::Serialize;

use galatea_character::Definition;
use galatea_face::{ARKIT, BoneKind, ControlOrigin, EXPRESSIONS, FaceRig, SpeechBy, key};

#[derive(Debug, Serialize)]
pub struct FaceReport {
    /// Description of the speech support.
    pub(super) speech: &'static str,
    /// Speech uses morph targets, not only the jaw.
    #[serde(skip)]
    pub(super) by_shapes: bool,
    /// Targets or bones that close the eyes.
    pub(super) blink: Vec<String>,
    /// Number of the 52 ARKit shapes in the file.
    pub(super) shapes: usize,
    /// Identity shapes of the face (`shape.…`).
    likeness: Vec<String>,
    /// Shapes with a substitute, and the substitute.
    stand_ins: Vec<(String, String)>,
    /// Expressions of the file.
    pub(super) expressions: Vec<String>,
    /// Expressions that are composed of shapes.
    pub(super) made: Vec<String>,
    /// Expressions with a substitute or another name in the file, and its name.
    instead: Vec<(String, String)>,
    /// Bones of the face.
    bones: Vec<String>,
    /// Corrective targets.
    correctives: Vec<String>,
    /// Features that the face does not support.
    pub(super) missing: Vec<String>,
}

impl FaceReport {
    pub fn of(definition: &Definition) -> Option<Self> {
        let rig = definition.face_rig();
        if rig.is_empty() {
            return None;
        }
        let name = |sink: u16| sink_name(definition, &rig, sink);
        let own = |wanted: &str| {
            rig.controls.iter().any(|control| {
                let is_own = matches!(control.origin, ControlOrigin::File | ControlOrigin::Morph);
                is_own && control.key == key(wanted)
            })
        };
        let of = |origin: ControlOrigin| {
            let controls = rig.controls.iter().filter(move |c| c.origin == origin);
            controls.map(|c| (c.name.clone(), c.how.clone()))
        };
        let (made, instead) = made_and_instead(&rig);
        let by_shapes = matches!(
            rig.speech_by,
            SpeechBy::Visemes | SpeechBy::Vowels | SpeechBy::Shapes
        );
        let set = definition.shapes();
        let likeness = set.shapes.iter();
        Some(Self {
            by_shapes,
            speech: speech(rig.speech_by),
            blink: once(rig.blink.iter().map(|(sink, _)| name(*sink))),
            shapes: ARKIT.iter().filter(|shape| own(shape)).count(),
            likeness: likeness.map(|shape| shape.name.clone()).collect(),
            stand_ins: of(ControlOrigin::StandIn).collect(),
            expressions: of(ControlOrigin::File).map(|(name, _)| name).collect(),
            made,
            instead,
            bones: bones(definition, &rig),
            correctives: once(rig.correctives.iter().map(|c| name(c.sink))),
            missing: missing(&rig),
        })
    }

    /// The report as lines of text.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("  speech: {}", self.speech)];
        let mut list = |what: &str, names: &[String]| {
            if !names.is_empty() {
                lines.push(format!("  {what}: {}", names.join(", ")));
            }
        };
        list("blinks", &self.blink);
        if self.shapes > 0 {
            let all = ARKIT.len();
            list("shapes", &[format!("{} of ARKit's {all}", self.shapes)]);
        }
        list("face shapes", &self.likeness);
        list("bones", &self.bones);
        list("expressions in the file", &self.expressions);
        list("correctives", &self.correctives);
        list("expressions made of shapes", &self.made);
        let pairs = |pairs: &[(String, String)]| -> Vec<String> {
            let each = pairs.iter().map(|(name, how)| format!("{name} = {how}"));
            each.collect()
        };
        list("substitutes", &pairs(&self.instead));
        list("stand-ins", &pairs(&self.stand_ins));
        list("missing", &self.missing);
        lines
    }
}

fn speech(by: SpeechBy) -> &'static str {
    match by {
        SpeechBy::Visemes => "visemes",
        SpeechBy::Vowels => "VRM's five vowels, and mixtures of them",
        SpeechBy::Shapes => "mixtures of ARKit shapes",
        SpeechBy::OpenMouth => "one morph target for an open mouth",
        SpeechBy::Jaw => "the jaw bone",
        SpeechBy::Nothing => "nothing",
    }
}

/// Composed expressions, and expressions with a substitute.
fn made_and_instead(rig: &FaceRig) -> (Vec<String>, Vec<(String, String)>) {
    let (mut made, mut instead) = (Vec::new(), Vec::new());
    for (name, _) in EXPRESSIONS {
        let found = rig
            .find(name)
            .and_then(|i| rig.controls.get(usize::from(i)));
        let Some(control) = found else { continue };
        let name = (*name).to_owned();
        match control.origin {
            ControlOrigin::Made => made.push(name),
            ControlOrigin::Instead => instead.push((name, control.how.clone())),
            _ if control.name != name => instead.push((name, control.name.clone())),
            _ => {}
        }
    }
    (made, instead)
}

fn bones(definition: &Definition, rig: &FaceRig) -> Vec<String> {
    let skeleton = definition.model.skeleton.bones();
    let described = rig.bones.iter().map(|bone| {
        let what = match bone.kind {
            BoneKind::Jaw => "jaw",
            BoneKind::Lid(_) => "lid",
            BoneKind::Brow(_) => "brow",
        };
        format!("{what} {}", skeleton[usize::from(bone.bone)].name)
    });
    described.collect()
}

fn missing(rig: &FaceRig) -> Vec<String> {
    let mut missing: Vec<String> = rig.missing.iter().map(|name| (*name).to_owned()).collect();
    if rig.speech_by == SpeechBy::Nothing {
        missing.push("speech: needs visemes, mouth shapes or a jaw bone".to_owned());
    }
    if rig.blink.is_empty() {
        missing.push("blinks: need a morph target or lid bones".to_owned());
    }
    missing
}

/// Names in their order without duplicates; several parts can have a target of the same name.
fn once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut told = std::collections::HashSet::new();
    names.filter(|name| told.insert(name.clone())).collect()
}

fn sink_name(definition: &Definition, rig: &FaceRig, sink: u16) -> String {
    use galatea_face::SinkTarget;
    match rig.sinks.get(usize::from(sink)).map(|sink| sink.target) {
        Some(SinkTarget::Morph(i)) => definition.morph_name(i).to_owned(),
        Some(SinkTarget::Bone(i)) => {
            let bones = definition.model.skeleton.bones();
            let bone = rig
                .bones
                .get(i)
                .and_then(|bone| bones.get(usize::from(bone.bone)));
            bone.map_or_else(String::new, |bone| bone.name.clone())
        }
        Some(SinkTarget::Material(_)) => "a material".to_owned(),
        None => String::new(),
    }
}
