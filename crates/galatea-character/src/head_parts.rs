//! Recognizes the parts of a head by name: skin, hair, hats, eyes.

use serde::{Deserialize, Serialize};

use galatea_asset::model::{MaterialKind, Part, Primitive};
use galatea_asset::{Model, name_words};
use galatea_hair::SkinRole;
use galatea_math::names::nearest_hint;

/// Names that a script gives: of nodes, meshes or materials; `*` matches any letters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeadNames {
    /// Parts on which no hair grows.
    pub exclude: Vec<String>,
    /// Parts on which hair may grow. If there are any, no other part of the head counts as skin.
    pub scalp: Vec<String>,
}

/// Meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedPart {
    /// Skin.
    Skin,
    /// Lips and other parts of the face.
    InSkin,
    Other(SkinRole),
}

const SKIN: &[&str] = &[
    "skin", "flesh", "face", "head", "body", "skull", "scalp", "neck",
];
const IN_SKIN: &[&str] = &[
    "lip", "lips", "mouth", "nose", "ear", "ears", "lid", "lids", "nostril", "nostrils", "cheek",
    "cheeks",
];
const OWN_HAIR: &[&str] = &[
    "bun",
    "buns",
    "ponytail",
    "ponytails",
    "pigtail",
    "pigtails",
    "twintail",
    "twintails",
    "braid",
    "braids",
    "bangs",
    "fringe",
    "wig",
    "dreads",
    "dreadlocks",
    "ahoge",
];
const HATS: &[&str] = &[
    "hat",
    "hats",
    "cap",
    "helm",
    "hood",
    "beret",
    "beanie",
    "bonnet",
    "turban",
    "headgear",
    "headscarf",
];
const WORN: &[&str] = &[
    "eye",
    "eyes",
    "iris",
    "pupil",
    "sclera",
    "gum",
    "gums",
    "fang",
    "fangs",
    "tear",
    "tears",
    "glass",
    "mask",
    "visor",
    "crown",
    "tiara",
    "circlet",
    "halo",
    "horn",
    "horns",
    "antenna",
    "antennae",
    "earring",
    "earrings",
    "ribbon",
    "ribbons",
    "bow",
    "bows",
    "flower",
    "flowers",
    "headband",
    "bandana",
    "headphones",
    "headset",
    "scarf",
    "veil",
    "piercing",
    "hairpin",
    "accessory",
    "accessories",
    "feather",
    "feathers",
];
/// A word that starts or ends with one of these has the same meaning: "hairback", "eyelash", "goggles01".
const STEMS: &[(&str, SkinRole)] = &[
    ("hair", SkinRole::OwnHair),
    ("helmet", SkinRole::Cover),
    ("eye", SkinRole::Ignored),
    ("lash", SkinRole::Ignored),
    ("lashes", SkinRole::Ignored),
    ("brow", SkinRole::Ignored),
    ("brows", SkinRole::Ignored),
    ("beard", SkinRole::Ignored),
    ("moustache", SkinRole::Ignored),
    ("mustache", SkinRole::Ignored),
    ("cornea", SkinRole::Ignored),
    ("teeth", SkinRole::Ignored),
    ("tooth", SkinRole::Ignored),
    ("tongue", SkinRole::Ignored),
    ("glasses", SkinRole::Ignored),
    ("goggles", SkinRole::Ignored),
];
/// Japanese words with the same meanings, matched anywhere in a name.
const JAPANESE: &[(&str, NamedPart)] = &[
    ("髪", NamedPart::Other(SkinRole::OwnHair)),
    ("帽", NamedPart::Other(SkinRole::Cover)),
    ("眉", NamedPart::Other(SkinRole::Ignored)),
    ("目", NamedPart::Other(SkinRole::Ignored)),
    ("瞳", NamedPart::Other(SkinRole::Ignored)),
    ("歯", NamedPart::Other(SkinRole::Ignored)),
    ("舌", NamedPart::Other(SkinRole::Ignored)),
    ("顔", NamedPart::Skin),
    ("肌", NamedPart::Skin),
    ("頭", NamedPart::Skin),
    ("体", NamedPart::Skin),
];

/// Returns the meaning of a name, word by word. Hair, hats and eyes have priority over skin: `FaceBrow`, `head_hair`.
pub(super) fn named(name: &str) -> Option<NamedPart> {
    let words = name_words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let stem = STEMS.iter().find(|(stem, _)| {
        let fits = |word: &String| word.starts_with(stem) || word.ends_with(stem);
        let may_mean_it = |word: &String| word != "chair" && !word.starts_with("brown");
        words.iter().any(|word| may_mean_it(word) && fits(word))
    });
    if let Some((_, role)) = stem {
        return Some(NamedPart::Other(*role));
    }
    let lists = [
        (OWN_HAIR, SkinRole::OwnHair),
        (HATS, SkinRole::Cover),
        (WORN, SkinRole::Ignored),
    ];
    if let Some((_, role)) = lists.iter().find(|(list, _)| has(list)) {
        return Some(NamedPart::Other(*role));
    }
    if let Some((_, part)) = JAPANESE.iter().find(|(sign, _)| name.contains(sign)) {
        return Some(*part);
    }
    if has(IN_SKIN) {
        return Some(NamedPart::InSkin);
    }
    has(SKIN).then_some(NamedPart::Skin)
}

/// Returns the names of a primitive: material, node, mesh.
pub(super) fn names_of<'a>(
    model: &'a Model,
    part: &'a Part,
    primitive: &Primitive,
) -> impl Iterator<Item = &'a str> {
    let material = model.materials.get(primitive.material);
    let material = material.map(|material| material.name.as_str());
    let others = [part.name.as_str(), model.meshes[part.mesh].name.as_str()];
    material.into_iter().chain(others)
}

/// Meanings of the names of a primitive.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartMeaning {
    /// Meaning of the material's name; if there is none, of the material's kind.
    pub material: Option<NamedPart>,
    /// Meaning of the node's name, or else of the mesh's name.
    pub node: Option<NamedPart>,
}

impl PartMeaning {
    pub fn of(model: &Model, part: &Part, primitive: &Primitive) -> Self {
        let mut names = [&part.name, &model.meshes[part.mesh].name].into_iter();
        let node = names.find_map(|name| named(name));
        if !primitive.ribbon.is_empty() {
            let material = Some(NamedPart::Other(SkinRole::Ignored));
            return Self { material, node };
        }
        let material = model.materials.get(primitive.material);
        let kind = match material.map(|material| material.kind) {
            Some(MaterialKind::Hair) => Some(NamedPart::Other(SkinRole::OwnHair)),
            Some(MaterialKind::Eye) => Some(NamedPart::Other(SkinRole::Ignored)),
            Some(MaterialKind::Skin) => Some(NamedPart::Skin),
            _ => None,
        };
        Self {
            material: material.and_then(|m| named(&m.name)).or(kind),
            node,
        }
    }
}

/// Returns true if a name matches a pattern, in which `*` matches any letters. Ignores case.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut left) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return left.is_empty();
    };
    for part in parts {
        let Some(at) = left.find(part) else {
            return false;
        };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

impl HeadNames {
    /// Returns true if one of the patterns matches a primitive.
    pub(super) fn any_fits(
        patterns: &[String],
        model: &Model,
        part: &Part,
        primitive: &Primitive,
    ) -> bool {
        names_of(model, part, primitive)
            .any(|name| patterns.iter().any(|pattern| fits(pattern, name)))
    }

    /// Checks that each pattern matches something in the model.
    ///
    /// # Errors
    /// Returns a message about the first pattern without a match, with the most similar name.
    pub(super) fn check(&self, model: &Model) -> Result<(), String> {
        let all = || {
            model.parts.iter().flat_map(|part| {
                let primitives = model.meshes[part.mesh].primitives.iter();
                primitives.map(move |primitive| (part, primitive))
            })
        };
        for (option, patterns) in [("exclude", &self.exclude), ("scalp", &self.scalp)] {
            for pattern in patterns {
                let is_there = |(part, primitive)| {
                    names_of(model, part, primitive).any(|name| fits(pattern, name))
                };
                if !all().any(is_there) {
                    let names =
                        all().flat_map(|(part, primitive)| names_of(model, part, primitive));
                    let hint = nearest_hint(pattern, names);
                    return Err(format!(
                        "{option}: {} has no node, mesh or material {pattern:?}{hint}",
                        model.name
                    ));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_hats_eyes_and_skin_are_recognized_by_name() {
        let other = |role| Some(NamedPart::Other(role));
        for name in [
            "hair",
            "Hair_Blond",
            "N00_000_00_HairBack_00_HAIR (Instance)",
            "hair_cap",
            "bun",
            "ponytail.001",
            "後ろ髪",
        ] {
            assert_eq!(named(name), other(SkinRole::OwnHair), "{name}");
        }
        for name in [
            "Barbarian_Hat",
            "Knight_Helmet",
            "helmet01",
            "hood",
            "BaseballCap",
        ] {
            assert_eq!(named(name), other(SkinRole::Cover), "{name}");
        }
        for name in [
            "N00_000_00_FaceBrow_00_FACE",
            "N00_000_00_EyeIris_00_EYE",
            "FaceEyeline",
            "left_eyeball",
            "lashes",
            "upper_teeth",
            "Glasses",
            "earrings",
            "Beard",
            "GoldCrown",
        ] {
            assert_eq!(named(name), other(SkinRole::Ignored), "{name}");
        }
        for name in ["skin", "N00_000_00_Face_00_SKIN", "Body", "King_Head", "顔"] {
            assert_eq!(named(name), Some(NamedPart::Skin), "{name}");
        }
        for name in ["lips", "N00_000_00_FaceMouth_00_FACE", "ears"] {
            assert_eq!(named(name), Some(NamedPart::InSkin), "{name}");
        }
        for name in [
            "",
            "Material_1",
            "Cape",
            "chair",
            "Gold",
            "Kneecaps",
            "cloth",
            "Brown",
        ] {
            assert_eq!(named(name), None, "{name}");
        }
    }

    #[test]
    fn a_star_matches_any_letters() {
        for (pattern, name) in [
            ("Hat", "hat"),
            ("hat*", "Hat.001"),
            ("*hat", "TopHat"),
            ("*h*t*", "the cat"),
            ("*", "x"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("hat", "hats"), ("hat*", "that"), ("a*a", "a"), ("", "x")] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
