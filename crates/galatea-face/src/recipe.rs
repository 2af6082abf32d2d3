//! Recipes for emotions and visemes as weights of ARKit shapes, and substitutes for shapes that a face lacks.
//!
//! Emotions follow the action units of EMFACS (Friesen and Ekman 1983), mapped to ARKit shapes. A `*` stands for both sides.

use super::shape::key;
use galatea_speech::viseme::Viseme;

/// A name and its weighted parts.
pub type Recipe = (&'static str, &'static [(&'static str, f32)]);

/// Recipes of the eleven emotions, then of other expressions.
pub const EXPRESSIONS: &[Recipe] = &[
    (
        "anger",
        &[
            ("browDown*", 0.9),
            ("eyeSquint*", 0.3),
            ("eyeWide*", 0.15),
            ("noseSneer*", 0.35),
            ("mouthPress*", 0.45),
            ("mouthFrown*", 0.3),
            ("jawForward", 0.15),
        ],
    ),
    (
        "concentration",
        &[
            ("browDown*", 0.45),
            ("eyeSquint*", 0.4),
            ("mouthPress*", 0.25),
            ("mouthRollLower", 0.2),
        ],
    ),
    (
        "contempt",
        &[
            ("mouthDimpleRight", 0.7),
            ("mouthSmileRight", 0.45),
            ("mouthPressRight", 0.3),
            ("cheekSquintRight", 0.25),
            ("browOuterUpRight", 0.25),
            ("eyeSquint*", 0.2),
            ("eyeBlink*", 0.12),
        ],
    ),
    (
        "desire",
        &[
            ("eyeBlink*", 0.2),
            ("eyeSquint*", 0.25),
            ("mouthSmile*", 0.25),
            ("jawOpen", 0.08),
            ("browInnerUp", 0.25),
            ("cheekSquint*", 0.15),
        ],
    ),
    (
        "disgust",
        &[
            ("noseSneer*", 0.85),
            ("mouthUpperUp*", 0.45),
            ("mouthFrown*", 0.35),
            ("browDown*", 0.45),
            ("cheekSquint*", 0.4),
            ("eyeSquint*", 0.35),
        ],
    ),
    (
        "excitement",
        &[
            ("mouthSmile*", 0.85),
            ("jawOpen", 0.25),
            ("cheekSquint*", 0.45),
            ("browOuterUp*", 0.5),
            ("browInnerUp", 0.4),
            ("eyeWide*", 0.4),
        ],
    ),
    (
        "fear",
        &[
            ("browInnerUp", 0.85),
            ("browOuterUp*", 0.35),
            ("browDown*", 0.15),
            ("eyeWide*", 0.75),
            ("mouthStretch*", 0.55),
            ("jawOpen", 0.18),
        ],
    ),
    (
        "happiness",
        &[
            ("mouthSmile*", 0.8),
            ("cheekSquint*", 0.6),
            ("eyeSquint*", 0.25),
            ("mouthDimple*", 0.2),
            ("browOuterUp*", 0.1),
        ],
    ),
    (
        "confusion",
        &[
            ("browDownLeft", 0.6),
            ("browOuterUpRight", 0.7),
            ("browInnerUp", 0.2),
            ("eyeSquintLeft", 0.35),
            ("mouthFrown*", 0.2),
            ("mouthLeft", 0.2),
            ("mouthPucker", 0.1),
        ],
    ),
    (
        "sadness",
        &[
            ("browInnerUp", 0.85),
            ("browDown*", 0.15),
            ("mouthFrown*", 0.6),
            ("mouthShrugLower", 0.3),
            ("eyeSquint*", 0.15),
            ("eyeBlink*", 0.14),
        ],
    ),
    (
        "surprise",
        &[
            ("browInnerUp", 0.7),
            ("browOuterUp*", 0.8),
            ("eyeWide*", 0.65),
            ("jawOpen", 0.38),
            ("mouthFunnel", 0.12),
        ],
    ),
    ("neutral", &[]),
    (
        "relaxed",
        &[
            ("mouthSmile*", 0.25),
            ("eyeBlink*", 0.15),
            ("browInnerUp", 0.1),
        ],
    ),
    (
        "pain",
        &[
            ("browDown*", 0.7),
            ("eyeSquint*", 0.8),
            ("eyeBlink*", 0.35),
            ("cheekSquint*", 0.6),
            ("noseSneer*", 0.4),
            ("mouthStretch*", 0.5),
            ("jawOpen", 0.12),
        ],
    ),
    ("smile", &[("mouthSmile*", 0.7), ("cheekSquint*", 0.25)]),
    ("frown", &[("mouthFrown*", 0.7), ("mouthShrugLower", 0.15)]),
    ("pout", &[("mouthPucker", 0.5), ("mouthShrugLower", 0.45)]),
    (
        "smirk",
        &[("mouthSmileRight", 0.6), ("mouthDimpleRight", 0.4)],
    ),
    ("brow_up", &[("browInnerUp", 0.7), ("browOuterUp*", 0.8)]),
    ("brow_down", &[("browDown*", 0.9)]),
    ("brow_sad", &[("browInnerUp", 0.9)]),
    ("squint", &[("eyeSquint*", 0.9), ("cheekSquint*", 0.2)]),
    ("wide", &[("eyeWide*", 0.9)]),
    ("blink", &[("eyeBlink*", 1.0)]),
    ("blink_left", &[("eyeBlinkLeft", 1.0)]),
    ("blink_right", &[("eyeBlinkRight", 1.0)]),
    ("mouth_open", &[("jawOpen", 1.0)]),
];

/// Other names of expressions, including those of VRM 1.0 and 0.x.
pub const ALIASES: &[(&str, &[&str])] = &[
    ("anger", &["angry"]),
    ("concentration", &["concentrated", "focused", "thinking"]),
    ("disgust", &["disgusted"]),
    ("excitement", &["excited"]),
    ("fear", &["afraid", "scared", "fearful"]),
    ("happiness", &["happy", "joy"]),
    ("confusion", &["confused"]),
    ("sadness", &["sad", "sorrow"]),
    ("surprise", &["surprised"]),
    ("relaxed", &["fun", "calm"]),
    ("brow_up", &["brows_up", "browsUp"]),
    ("brow_down", &["brows_down", "browsDown", "angled_eyebrows"]),
    ("brow_sad", &["brows_sad"]),
    ("mouth_open", &["mouthOpen", "jaw_drop"]),
    ("blink", &["eyesClosed"]),
];

/// Returns all words for an expression, the usual one first; `None` for an unknown word.
pub fn words_for(wanted: &str) -> Option<Vec<&'static str>> {
    let found = ALIASES.iter().find(|(name, others)| {
        key(name) == wanted || others.iter().any(|other| key(other) == wanted)
    });
    found.map(|(name, others)| {
        std::iter::once(*name)
            .chain(others.iter().copied())
            .collect()
    })
}

/// Expressions that replace one that a face cannot show otherwise, with their weights.
pub const REPLACEMENTS: &[Recipe] = &[
    ("fear", &[("surprise", 0.6), ("sadness", 0.4)]),
    ("disgust", &[("anger", 0.6)]),
    ("contempt", &[("anger", 0.35)]),
    ("excitement", &[("happiness", 1.0)]),
    ("desire", &[("relaxed", 0.7)]),
    ("concentration", &[("anger", 0.35)]),
    ("confusion", &[("surprise", 0.3), ("anger", 0.3)]),
    ("relaxed", &[("happiness", 0.4)]),
    ("pain", &[("sadness", 0.6), ("anger", 0.5)]),
    ("surprise", &[("excitement", 0.8)]),
    ("happiness", &[("relaxed", 1.0)]),
    ("smile", &[("happiness", 0.7)]),
    ("smirk", &[("contempt", 0.8)]),
    ("frown", &[("sadness", 0.6)]),
    ("brow_up", &[("surprise", 0.4)]),
    ("brow_down", &[("anger", 0.4)]),
    ("brow_sad", &[("sadness", 0.5)]),
    ("wide", &[("surprise", 0.5)]),
];

/// Substitutes for ARKit shapes that a face lacks: normalised names of targets (see [`super::shape::key`]) in order of
/// preference, with the weight for each of two sides if both use the same target. Bones are tried after these.
pub const SUBSTITUTES: &[Recipe] = &[
    ("mouthSmile*", &[("smile", 0.5), ("mouthsmile", 0.5)]),
    ("mouthFrown*", &[("frown", 0.5), ("mouthfrown", 0.5)]),
    (
        "browInnerUp",
        &[("browssad", 1.0), ("browsup", 0.6), ("browup", 0.6)],
    ),
    (
        "browOuterUp*",
        &[("browsup", 0.5), ("browup", 0.5), ("browsraised", 0.5)],
    ),
    (
        "browDown*",
        &[
            ("browsdown", 0.5),
            ("browdown", 0.5),
            ("angledeyebrows", 0.5),
        ],
    ),
    (
        "eyeBlinkLeft",
        &[("blinkl", 1.0), ("blink", 0.5), ("eyesclosed", 0.5)],
    ),
    (
        "eyeBlinkRight",
        &[("blinkr", 1.0), ("blink", 0.5), ("eyesclosed", 0.5)],
    ),
    (
        "eyeSquintLeft",
        &[("squint", 0.5), ("blinkl", 0.25), ("blink", 0.12)],
    ),
    (
        "eyeSquintRight",
        &[("squint", 0.5), ("blinkr", 0.25), ("blink", 0.12)],
    ),
    ("eyeWide*", &[("eyeswide", 0.5), ("wide", 0.5)]),
    (
        "jawOpen",
        &[("mouthopen", 1.0), ("aa", 1.0), ("ah", 1.0), ("a", 1.0)],
    ),
    (
        "mouthPucker",
        &[("pucker", 1.0), ("u", 0.9), ("ou", 0.9), ("uu", 0.9)],
    ),
    (
        "mouthFunnel",
        &[("funnel", 1.0), ("o", 0.8), ("oh", 0.8), ("pucker", 0.6)],
    ),
    (
        "mouthStretch*",
        &[("stretch", 0.5), ("i", 0.4), ("ih", 0.4), ("ee", 0.3)],
    ),
    ("tongueOut", &[("tongue", 1.0)]),
];

/// Oculus visemes as ARKit shapes.
pub const VISEMES: [&[(&str, f32)]; 15] = [
    &[],
    &[
        ("mouthPress*", 0.3),
        ("mouthRollLower", 0.3),
        ("mouthRollUpper", 0.25),
    ],
    &[
        ("mouthRollLower", 0.65),
        ("mouthUpperUp*", 0.2),
        ("jawOpen", 0.04),
    ],
    &[
        ("jawOpen", 0.16),
        ("tongueOut", 0.3),
        ("mouthLowerDown*", 0.12),
    ],
    &[
        ("jawOpen", 0.13),
        ("mouthLowerDown*", 0.15),
        ("mouthUpperUp*", 0.1),
    ],
    &[
        ("jawOpen", 0.2),
        ("mouthLowerDown*", 0.1),
        ("mouthStretch*", 0.1),
    ],
    &[
        ("jawOpen", 0.12),
        ("mouthFunnel", 0.5),
        ("mouthPucker", 0.2),
        ("mouthLowerDown*", 0.1),
    ],
    &[
        ("jawOpen", 0.05),
        ("mouthStretch*", 0.25),
        ("mouthLowerDown*", 0.2),
        ("mouthUpperUp*", 0.1),
    ],
    &[
        ("jawOpen", 0.16),
        ("mouthLowerDown*", 0.12),
        ("mouthUpperUp*", 0.05),
    ],
    &[
        ("jawOpen", 0.13),
        ("mouthFunnel", 0.3),
        ("mouthPucker", 0.3),
    ],
    &[
        ("jawOpen", 0.6),
        ("mouthLowerDown*", 0.2),
        ("mouthUpperUp*", 0.1),
    ],
    &[
        ("jawOpen", 0.3),
        ("mouthStretch*", 0.25),
        ("mouthSmile*", 0.1),
        ("mouthLowerDown*", 0.2),
    ],
    &[
        ("jawOpen", 0.14),
        ("mouthStretch*", 0.35),
        ("mouthSmile*", 0.2),
        ("mouthLowerDown*", 0.1),
    ],
    &[("jawOpen", 0.4), ("mouthFunnel", 0.6)],
    &[
        ("jawOpen", 0.15),
        ("mouthPucker", 0.75),
        ("mouthFunnel", 0.2),
    ],
];

/// Oculus visemes as the five vowels of VRM (`aa`, `ih`, `ou`, `ee`, `oh`).
pub const FROM_VOWELS: [&[(&str, f32)]; 15] = [
    &[],
    &[],
    &[("ih", 0.15)],
    &[("ih", 0.3), ("aa", 0.08)],
    &[("ih", 0.3)],
    &[("ih", 0.25), ("aa", 0.1)],
    &[("ou", 0.45), ("ee", 0.15)],
    &[("ih", 0.35)],
    &[("ih", 0.25), ("aa", 0.08)],
    &[("ou", 0.4), ("oh", 0.15)],
    &[("aa", 1.0)],
    &[("ee", 0.9)],
    &[("ih", 0.8)],
    &[("oh", 1.0)],
    &[("ou", 1.0)],
];

/// Returns the openness of the mouth in a viseme, 0..=1, for faces with only a jaw or one target for an open mouth.
pub fn openness(viseme: Viseme) -> f32 {
    match viseme {
        Viseme::Sil | Viseme::PP => 0.0,
        Viseme::FF => 0.06,
        Viseme::SS => 0.1,
        Viseme::CH => 0.16,
        Viseme::DD | Viseme::TH => 0.2,
        Viseme::U | Viseme::RR => 0.24,
        Viseme::NN | Viseme::KK => 0.26,
        Viseme::I => 0.3,
        Viseme::E => 0.55,
        Viseme::O => 0.65,
        Viseme::AA => 1.0,
    }
}

/// Returns the shape names for a name with `*`: both sides, or the name itself.
pub fn sides(name: &str) -> impl Iterator<Item = String> {
    let both = name
        .strip_suffix('*')
        .map(|stem| [format!("{stem}Left"), format!("{stem}Right")]);
    let one = both.is_none().then(|| name.to_owned());
    both.into_iter().flatten().chain(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::ARKIT;

    #[test]
    fn recipes_only_use_existing_shapes() {
        let visemes = VISEMES.iter().map(|parts| ("a viseme", *parts));
        for (name, parts) in EXPRESSIONS.iter().copied().chain(visemes) {
            for (shape, weight) in parts {
                assert!((0.0..=1.0).contains(weight), "{name}");
                for shape in sides(shape) {
                    assert!(ARKIT.contains(&shape.as_str()), "{name}: {shape}");
                }
            }
        }
        for (shape, _) in SUBSTITUTES {
            assert!(
                sides(shape).all(|shape| ARKIT.contains(&shape.as_str())),
                "{shape}"
            );
        }
        let known = |name: &str| EXPRESSIONS.iter().any(|(known, _)| *known == name);
        for (name, others) in REPLACEMENTS {
            assert!(
                known(name) && others.iter().all(|(other, _)| known(other)),
                "{name}"
            );
        }
        assert!(ALIASES.iter().all(|(name, _)| known(name)));
    }
}
