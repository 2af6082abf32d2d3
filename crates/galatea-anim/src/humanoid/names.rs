//! Parser of bone names: side, words, number, and the body part that the words mean.
//!
//! Known naming schemes: Mixamo (`mixamorig:LeftUpLeg`), VRM and VRoid (`J_Bip_L_UpperLeg`), Unreal (`thigh_l`),
//! Rigify (`DEF-thigh.L`), Character Creator (`CC_Base_L_Thigh`), Biped (`Bip01 L Thigh`), KayKit (`upperleg.l`),
//! Quaternius (`UpperLeg.L`), Daz (`lThighBend`), BVH of CMU (`LeftUpLeg`, or joints: `LeftHip`), DeepMimic
//! (`left_hip`), and plain snake case.

use super::Side::{self, Left, Middle, Right};

/// A parsed bone name.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedName {
    /// Side, from a word like `L` or `left`; the middle without one.
    pub side: Side,
    /// The words without side, number and prefixes of the scheme, joined: `upperarm`.
    pub core: String,
    /// Digits as written: `01`.
    pub digits: String,
    /// Single words, for fingers.
    words: Vec<String>,
    /// A helper bone of the rig, such as for inverse kinematics, twist, ends or attachments.
    pub helper: bool,
    /// A copy of a bone that another bone moves (`ORG-`): used only if there is no better match.
    pub copy: bool,
    /// The scheme is Biped, which numbers the fingers.
    biped: bool,
    /// The last word was a prefix of the scheme; a number now belongs to the prefix (`Bip01`).
    after_prefix: bool,
}

/// Prefixes of naming schemes, which do not describe the body.
const PREFIXES: [&str; 24] = [
    "mixamorig",
    "mixamo",
    "bip",
    "valve",
    "biped",
    "cc",
    "base",
    "j",
    "c",
    "def",
    "org",
    "b",
    "bn",
    "bone",
    "jnt",
    "jt",
    "joint",
    "armature",
    "rig",
    "skeleton",
    "character",
    "sk",
    "adj",
    "human",
];

/// Words that mark a helper bone.
const HELPERS: [&str; 28] = [
    "ik",
    "fk",
    "pole",
    "target",
    "control",
    "ctrl",
    "twist",
    "roll",
    "helper",
    "end",
    "nub",
    "tip",
    "mch",
    "vis",
    "hair",
    "skirt",
    "sec",
    "slot",
    "handslot",
    "socket",
    "attach",
    "share",
    "tweak",
    "weapon",
    "prop",
    "corrective",
    "site",
    "handle",
];

impl ParsedName {
    /// Parses a name.
    pub fn new(name: &str) -> Self {
        let bare = name.rsplit([':', '|']).next().unwrap_or(name);
        let mut parsed = Self {
            side: Middle,
            core: String::new(),
            digits: String::new(),
            words: Vec::new(),
            helper: false,
            copy: false,
            biped: false,
            after_prefix: false,
        };
        for word in split(bare) {
            parsed.take(&word);
        }
        parsed.core = parsed.words.concat();
        parsed
    }

    fn take(&mut self, word: &str) {
        let after_prefix = std::mem::take(&mut self.after_prefix);
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            if !after_prefix {
                self.digits = word.to_owned();
            }
            return;
        }
        match word {
            "l" | "left" | "lt" => return self.side = Left,
            "r" | "right" | "rt" => return self.side = Right,
            _ => {}
        }
        for (text, side) in [("left", Left), ("right", Right)] {
            if let Some(rest) = word.strip_prefix(text) {
                self.side = side;
                return self.take(rest);
            }
        }
        // `LHipJoint` of CMU's files only positions the leg; the bone below it is the thigh.
        let positions_leg = word == "joint" && self.words.last().is_some_and(|last| last == "hip");
        self.copy |= word == "org" || positions_leg;
        if PREFIXES.contains(&word) {
            self.biped |= word == "bip";
            self.after_prefix = true;
            return;
        }
        self.helper |= HELPERS.contains(&word);
        self.words.push(word.to_owned());
    }

    /// Index of the finger that the bone belongs to: 0 is the thumb, 4 the little finger.
    pub fn finger(&self) -> Option<usize> {
        if self.side == Middle || self.helper {
            return None;
        }
        if self.biped && self.core == "finger" && matches!(self.digits.len(), 1 | 2) {
            let first = self.digits.bytes().next()?;
            return Some(usize::from(first.checked_sub(b'0')?)).filter(|i| *i < 5);
        }
        let mut found = None;
        for word in &self.words {
            let bare = word.strip_prefix("hand").unwrap_or(word);
            match FINGERS.iter().position(|names| names.contains(&bare)) {
                Some(i) => found = Some(i),
                None if SEGMENTS.contains(&bare) => {}
                None => return None,
            }
        }
        // The metacarpal bone is part of the thumb, but not of the other fingers.
        let in_palm = self.words.iter().any(|word| word == "metacarpal");
        found.filter(|i| *i == 0 || !in_palm)
    }
}

const FINGERS: [&[&str]; 5] = [
    &["thumb"],
    &["index", "pointer"],
    &["middle", "mid"],
    &["ring"],
    &["little", "pinky", "pinkie"],
];

/// Words that can appear next to a finger's name.
const SEGMENTS: [&str; 13] = [
    "",
    "f",
    "finger",
    "hand",
    "proximal",
    "intermediate",
    "medial",
    "distal",
    "metacarpal",
    "prox",
    "inter",
    "dist",
    "meta",
];

/// Splits a name into lower-case words: at characters other than letters and digits, between letters and digits, and
/// before capitals.
fn split(name: &str) -> Vec<String> {
    let words = words(name).into_iter();
    words.map(|word| word.to_lowercase()).collect()
}

/// Words of a name in their original spelling.
fn words(name: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let mut words = Vec::new();
    let mut start = None;
    for (i, &(at, c)) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|j| chars.get(j)).map(|b| b.1);
        let after = chars.get(i + 1).map(|a| a.1);
        let begins = before.is_some_and(|b| {
            b.is_ascii_digit() != c.is_ascii_digit()
                || b.is_lowercase() && c.is_uppercase()
                || b.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase)
        });
        if begins || !c.is_alphanumeric() {
            words.extend(start.take().and_then(|start| name.get(start..at)));
        }
        if c.is_alphanumeric() && start.is_none() {
            start = Some(at);
        }
    }
    words.extend(start.and_then(|start| name.get(start..)));
    words
}

/// Returns the name of the mirrored bone: `Left` for `right`, `l` for `r`, in the same spelling style. `None` for a
/// name without a side.
pub fn other_side(name: &str) -> Option<String> {
    const PAIRS: [(&str, &str); 9] = [
        ("left", "right"),
        ("Left", "Right"),
        ("LEFT", "RIGHT"),
        ("l", "r"),
        ("L", "R"),
        ("lt", "rt"),
        ("Lt", "Rt"),
        ("LT", "RT"),
        ("lf", "rt"),
    ];
    let mut out = String::with_capacity(name.len() + 1);
    let mut rest = name;
    let mut swapped = false;
    for word in words(name) {
        let (before, after) = rest.split_at(rest.find(word)?);
        let pair = PAIRS.iter().find_map(|(left, right)| match word {
            _ if word == *left => Some((*right).to_owned()),
            _ if word == *right => Some((*left).to_owned()),
            // Words without separator: `leftarm`.
            _ if left.len() == 4 && word.starts_with(left) => Some(word.replacen(left, right, 1)),
            _ if left.len() == 4 && word.starts_with(right) => Some(word.replacen(right, left, 1)),
            _ => None,
        });
        swapped |= pair.is_some();
        out.push_str(before);
        out.push_str(pair.as_deref().unwrap_or(word));
        rest = after.get(word.len()..)?;
    }
    out.push_str(rest);
    swapped.then_some(out)
}

/// Core names of the part, best first. `leg`, `shoulder` and `hip` mean different parts in different schemes;
/// [`super::by_name::find`] decides with the other names of the file.
pub const HIPS: &[&str] = &["hips", "pelvis", "hip"];
/// Neck.
pub const NECK: &[&str] = &["neck", "lowerneck", "necktwist"];
/// Skull.
pub const HEAD: &[&str] = &["head"];
/// Lower jaw.
pub const JAW: &[&str] = &["jaw", "jawroot", "jawmaster", "lowerjaw"];
/// Eyeball.
pub const EYE: &[&str] = &["eye", "faceeye", "eyeball"];
/// Collar bone.
pub const SHOULDER: &[&str] = &["clavicle", "collar", "collarbone", "scapula", "shoulder"];
/// Shoulder to elbow.
pub const UPPER_ARM: &[&str] = &[
    "upperarm",
    "uparm",
    "armupper",
    "shldr",
    "shldrbend",
    "bicep",
    "humerus",
    "arm",
    "shoulder",
];
/// Elbow to wrist.
pub const LOWER_ARM: &[&str] = &[
    "lowerarm",
    "lowarm",
    "forearm",
    "armlower",
    "forearmbend",
    "elbow",
    "ulna",
];
/// Hand from the wrist on. If both names exist (KayKit), clips rotate the hand.
pub const HAND: &[&str] = &["hand", "wrist"];
/// Hip to knee.
pub const UPPER_LEG: &[&str] = &[
    "upperleg",
    "upleg",
    "legupper",
    "thigh",
    "thighbend",
    "femur",
    "hip",
    "leg",
];
/// Knee to ankle.
pub const LOWER_LEG: &[&str] = &[
    "lowerleg", "lowleg", "leglower", "calf", "shin", "shinbend", "knee", "tibia", "leg",
];
/// Foot from the ankle on.
pub const FOOT: &[&str] = &["foot", "ankle"];
/// All toes.
pub const TOES: &[&str] = &["toes", "toe", "ball", "toebase"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_schemes_are_parsed() {
        for (name, side, core, digits) in [
            ("mixamorig:LeftUpLeg", Left, "upleg", ""),
            ("mixamorig1:RightToeBase", Right, "toe", ""),
            ("J_Bip_L_UpperLeg", Left, "upperleg", ""),
            ("J_Bip_C_UpperChest", Middle, "upperchest", ""),
            ("thigh_r", Right, "thigh", ""),
            ("spine_03", Middle, "spine", "03"),
            ("DEF-upper_arm.L", Left, "upperarm", ""),
            ("DEF-spine.006", Middle, "spine", "006"),
            ("CC_Base_R_Thigh", Right, "thigh", ""),
            ("Bip01 L UpperArm", Left, "upperarm", ""),
            ("ValveBiped.Bip01_R_Calf", Right, "calf", ""),
            ("upperleg.l", Left, "upperleg", ""),
            ("UpperArm.R", Right, "upperarm", ""),
            ("lShldrBend", Left, "shldrbend", ""),
            ("LHipJoint", Left, "hip", ""),
            ("left_upper_arm", Left, "upperarm", ""),
            ("leftForeArm", Left, "forearm", ""),
            ("upper_arm.l_Armature", Left, "upperarm", ""),
            ("leftupleg", Left, "upleg", ""),
        ] {
            let parsed = ParsedName::new(name);
            assert_eq!(
                (parsed.side, parsed.core.as_str(), parsed.digits.as_str()),
                (side, core, digits),
                "{name}"
            );
            assert!(!parsed.helper, "{name}");
        }
    }

    #[test]
    fn mirrored_name_keeps_the_spelling_style() {
        for (left, right) in [
            ("mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"),
            ("J_Bip_L_Hand", "J_Bip_R_Hand"),
            ("thigh_l", "thigh_r"),
            ("UpperArm.L", "UpperArm.R"),
            ("Bip01 L Calf", "Bip01 R Calf"),
            ("lShldrBend", "rShldrBend"),
            ("leftupleg", "rightupleg"),
            ("eyeBlinkLeft", "eyeBlinkRight"),
            ("Fcl_EYE_Close_L", "Fcl_EYE_Close_R"),
            ("arm-left", "arm-right"),
        ] {
            assert_eq!(other_side(left).as_deref(), Some(right));
            assert_eq!(other_side(right).as_deref(), Some(left));
        }
        for none in ["spine_01", "Head", "lowerleg", "ring", "", "_"] {
            assert_eq!(other_side(none), None, "{none}");
        }
    }

    #[test]
    fn helper_bones_are_not_body_bones() {
        for name in [
            "kneeIK.l",
            "control-toe-roll.l",
            "handslot.r",
            "upperarm_twist_01_l",
            "Head_end",
            "MCH-foot.L",
            "mixamorig:HeadTop_End",
            "Bip01 HeadNub",
            "J_Sec_Hair1_01",
        ] {
            assert!(ParsedName::new(name).helper, "{name}");
        }
        assert!(ParsedName::new("ORG-thigh.L").copy);
    }

    #[test]
    fn fingers_are_identified_by_name_or_biped_number() {
        for (name, finger) in [
            ("mixamorig:LeftHandThumb1", Some(0)),
            ("lefthandindex2", Some(1)),
            ("f_middle.02.R", Some(2)),
            ("Ring3.L", Some(3)),
            ("pinky_01_l", Some(4)),
            ("little_proximal.L", Some(4)),
            ("Bip01 R Finger0", Some(0)),
            ("Bip01 R Finger42", Some(4)),
            ("thumb_metacarpal_l", Some(0)),
            ("index_metacarpal_l", None),
            ("Finger.001.l", None),
            ("Key_ring.l", None),
            ("index", None),
        ] {
            assert_eq!(ParsedName::new(name).finger(), finger, "{name}");
        }
    }
}
