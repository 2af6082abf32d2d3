//! Names of facial shapes: the 52 shapes of ARKit, and other spellings of them.

use serde::{Deserialize, Serialize};

/// Shapes that Apple's ARKit tracks and that most capture rigs have; `Left` and `Right` are the character's.
pub const ARKIT: [&str; 52] = [
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeLookDownLeft",
    "eyeLookDownRight",
    "eyeLookInLeft",
    "eyeLookInRight",
    "eyeLookOutLeft",
    "eyeLookOutRight",
    "eyeLookUpLeft",
    "eyeLookUpRight",
    "eyeSquintLeft",
    "eyeSquintRight",
    "eyeWideLeft",
    "eyeWideRight",
    "jawForward",
    "jawLeft",
    "jawOpen",
    "jawRight",
    "mouthClose",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthFunnel",
    "mouthLeft",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthPucker",
    "mouthRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "noseSneerLeft",
    "noseSneerRight",
    "tongueOut",
];

/// A region of the face that owners share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaceRegion {
    /// Brows.
    Brows,
    /// Eyelids.
    Lids,
    /// Gaze direction of the eyes.
    Gaze,
    /// Lips, jaw and tongue, as used by speech.
    Mouth,
    /// Cheeks, nose, and targets with names that do not indicate a region.
    Other,
    /// Build of the face (`shape.*`), in any region.
    Build,
}

/// A side of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaceSide {
    /// Left side.
    Left,
    /// Right side.
    Right,
    /// Neither side, or both.
    Middle,
}

/// Normalises a name so that different spellings are equal: lower-case letters and digits only, known prefix words
/// removed (`emotion.`, `viseme_`; other groups such as `mouth.` are kept), final `Left` and `Right` as `l` and `r`.
///
/// "eyeBlinkLeft", "eye_blink_L", "EyeBlink.Left" and "ARKit_eyeBlink_left" are all "eyeblinkl".
pub fn key(name: &str) -> String {
    let mut plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    for before in [
        "arkit",
        "emotion",
        "expression",
        "viseme",
        "vis",
        "blendshape",
        "blendshape1",
    ] {
        if let Some(rest) = plain.strip_prefix(before)
            && !rest.is_empty()
            && separated(name, before.len())
        {
            plain = rest.to_owned();
            break;
        }
    }
    for (long, short) in [("left", "l"), ("right", "r")] {
        if let Some(stem) = plain.strip_suffix(long)
            && !stem.is_empty()
        {
            return format!("{stem}{short}");
        }
    }
    plain
}

/// Returns true if the first `n` letters of a name are a separate word: followed by a non-letter or a capital.
fn separated(name: &str, n: usize) -> bool {
    let next = name.chars().nth(n);
    next.is_some_and(|c| !c.is_alphanumeric() || c.is_uppercase())
}

/// Returns the region of the face for a name.
pub fn region(name: &str) -> FaceRegion {
    let lower = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if lower.starts_with("shape") && separated(name, "shape".len()) {
        FaceRegion::Build
    } else if has(&["eyelook", "look_", "lookl", "lookr", "looku", "lookd"]) {
        FaceRegion::Gaze
    } else if has(&["cheek", "nose"]) {
        FaceRegion::Other
    } else if has(&["brow"]) {
        FaceRegion::Brows
    } else if has(&[
        "blink",
        "lid",
        "eyewide",
        "eyesquint",
        "squint",
        "eyesclosed",
        "eye_close",
        "wink",
    ]) {
        FaceRegion::Lids
    } else if has(&[
        "mouth", "jaw", "lip", "tongue", "viseme", "smile", "frown", "pucker", "kiss", "vrc.v",
        "teeth",
    ]) {
        FaceRegion::Mouth
    } else {
        FaceRegion::Other
    }
}

/// Returns the side of the face for a name.
pub fn side(name: &str) -> FaceSide {
    let plain = key(name);
    let arkit = ARKIT.iter().find(|known| key(known) == plain);
    match arkit {
        // Moving to the left does not make it the left side.
        Some(&("jawLeft" | "jawRight" | "mouthLeft" | "mouthRight")) => FaceSide::Middle,
        Some(known) if known.ends_with("Left") => FaceSide::Left,
        Some(known) if known.ends_with("Right") => FaceSide::Right,
        Some(_) => FaceSide::Middle,
        None => {
            let end = |words: &[&str]| words.iter().any(|word| name.ends_with(word));
            if end(&["_L", ".L", "_l", ".l", "Left", "_left", ".left"]) {
                FaceSide::Left
            } else if end(&["_R", ".R", "_r", ".r", "Right", "_right", ".right"]) {
                FaceSide::Right
            } else {
                FaceSide::Middle
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_recognised_in_every_spelling() {
        for name in [
            "eyeBlinkLeft",
            "eye_blink_L",
            "EyeBlink.Left",
            "ARKit_eyeBlink_left",
            "eyeBlink_L",
        ] {
            assert_eq!(key(name), "eyeblinkl", "{name}");
        }
        assert_eq!(key("viseme_aa"), "aa");
        assert_eq!(key("emotion.fear"), "fear");
        // Words that only start like a prefix word.
        assert_eq!(key("vision"), "vision");
        assert_eq!(key("emotional"), "emotional");
        let keys: std::collections::HashSet<String> = ARKIT.iter().map(|name| key(name)).collect();
        assert_eq!(keys.len(), 52);
    }

    #[test]
    fn regions_and_sides_follow_from_names() {
        let n = |expected: FaceRegion| ARKIT.iter().filter(|name| region(name) == expected).count();
        assert_eq!(n(FaceRegion::Brows), 5);
        assert_eq!(n(FaceRegion::Lids), 6);
        assert_eq!(n(FaceRegion::Gaze), 8);
        assert_eq!(n(FaceRegion::Mouth), 28);
        assert_eq!(n(FaceRegion::Other), 5);
        assert_eq!(region("shape.mouth_width"), FaceRegion::Build);
        assert_eq!(region("viseme_PP"), FaceRegion::Mouth);
        assert_eq!(region("Angry"), FaceRegion::Other);
        let sides = |expected: FaceSide| ARKIT.iter().filter(|name| side(name) == expected).count();
        assert_eq!((sides(FaceSide::Left), sides(FaceSide::Right)), (18, 18));
        assert_eq!(side("brows_left"), FaceSide::Left);
        assert_eq!(side("Blink_R"), FaceSide::Right);
    }
}
