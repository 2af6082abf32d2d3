//! Facing direction of characters in their files, and the rotation to face +Z.

use glam::Quat;
use serde::{Deserialize, Serialize};

use galatea_anim::facing::FacingSigns;
use galatea_anim::humanoid;
use galatea_anim::{Bone, Clip, Skeleton};

/// Direction that a character faces in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ModelFacing {
    /// Detected from its body and clips.
    #[default]
    Auto,
    /// Along +Z, as in glTF.
    PlusZ,
    /// Along -Z.
    MinusZ,
    /// Along +X.
    PlusX,
    /// Along -X.
    MinusX,
}

impl ModelFacing {
    /// All values with their script names.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("auto", Self::Auto),
        ("+z", Self::PlusZ),
        ("-z", Self::MinusZ),
        ("+x", Self::PlusX),
        ("-x", Self::MinusX),
    ];

    /// Name used in scripts.
    pub fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, facing)| *facing == self);
        found.map_or("", |(word, _)| word)
    }

    /// Degrees about +Y from +Z; `None` for [`ModelFacing::Auto`].
    fn degrees(self) -> Option<f32> {
        match self {
            Self::Auto => None,
            Self::PlusZ => Some(0.0),
            Self::MinusZ => Some(180.0),
            Self::PlusX => Some(90.0),
            Self::MinusX => Some(-90.0),
        }
    }
}

/// Facing direction of a character in its file, with the evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FacingReport {
    /// Rotation about +Y that was applied to face +Z, degrees.
    pub turned: f32,
    /// The direction is certain: from clear evidence, the script, or the file format.
    pub is_known: bool,
    /// Evidence, each with its direction, such as `toes -Z`; empty if the script or the format decides.
    pub signs: Vec<String>,
}

/// Rotates a character that does not face +Z. Evidence decides only for skinned bodies and only if at least two clues agree;
/// otherwise a warning reports clues for another direction.
pub(crate) fn face_ahead(
    skeleton: Skeleton,
    clips: &mut [Clip],
    facing: ModelFacing,
    warn: &mut dyn FnMut(String),
) -> (Skeleton, FacingReport) {
    let mut report = FacingReport::default();
    let degrees = facing
        .degrees()
        .or_else(|| from_evidence(&skeleton, clips, &mut report, warn));
    report.is_known = degrees.is_some();
    let Some(degrees) = degrees.filter(|degrees| *degrees != 0.0) else {
        return (skeleton, report);
    };
    report.turned = -degrees;
    let rotation = Quat::from_rotation_y(-degrees.to_radians());
    (turned(skeleton, clips, rotation), report)
}

fn from_evidence(
    skeleton: &Skeleton,
    clips: &[Clip],
    report: &mut FacingReport,
    warn: &mut dyn FnMut(String),
) -> Option<f32> {
    if !skeleton.bones().iter().any(|bone| bone.skinned) {
        return None;
    }
    let (body, found) = humanoid::find(skeleton, None);
    if !body.is_body() {
        return None;
    }
    let signs = FacingSigns::of(skeleton, &body, &found, clips);
    report.signs = signs
        .each()
        .map(|(name, v)| format!("{name} {}", axis(v)))
        .collect();
    let found = signs.judge()?;
    let degrees = found.yaw.to_degrees().round();
    if found.is_clear {
        return Some(degrees);
    }
    if degrees == 0.0 {
        return None;
    }
    let word = match degrees as i32 {
        90 => "+x",
        -90 => "-x",
        _ => "-z",
    };
    warn(format!(
        "the model may face {word} ({}); if it walks sideways or backwards, set facing = {word:?} in its options, \
         else facing = \"+z\"",
        report.signs.join(", ")
    ));
    None
}

/// Name of the axis that is nearest to a horizontal direction.
fn axis(v: glam::Vec3) -> &'static str {
    match (v.x.abs() > v.z.abs(), v.x > 0.0, v.z > 0.0) {
        (true, true, _) => "+X",
        (true, false, _) => "-X",
        (false, _, true) => "+Z",
        (false, _, false) => "-Z",
    }
}

/// Rotates the root bones and their tracks in clips.
pub(crate) fn turned(skeleton: Skeleton, clips: &mut [Clip], rotation: Quat) -> Skeleton {
    let is_top = |bone: &Bone| bone.parent.is_none();
    let mut bones = skeleton.bones().to_vec();
    for bone in bones.iter_mut().filter(|bone| is_top(bone)) {
        bone.rest.translation = rotation * bone.rest.translation;
        bone.rest.rotation = rotation * bone.rest.rotation;
    }
    let Ok(turned) = Skeleton::new(bones) else {
        return skeleton;
    };
    let tracks = clips.iter_mut().flat_map(|clip| &mut clip.bones);
    let top = |bone: u16| turned.bones().get(usize::from(bone)).is_some_and(is_top);
    for tracks in tracks.filter(|tracks| top(tracks.bone)) {
        if let Some(track) = &mut tracks.translation {
            track.values.iter_mut().for_each(|v| *v = rotation * *v);
        }
        if let Some(track) = &mut tracks.rotation {
            track.values.iter_mut().for_each(|q| *q = rotation * *q);
        }
    }
    turned
}
