//! Kind of a material (skin, hair, eye, …): set in its extras, otherwise guessed from its name.

use glam::Vec2;
use gltf::json::material as written;
use serde_json::Value;

use super::super::plain_json;
use super::MaterialReader;
use crate::model::{Iris, Material, MaterialKind};
use crate::name_words::name_words;
use galatea_math::names::nearest_hint;

const HAIR: &[&str] = &[
    "hair",
    "hairs",
    "lash",
    "lashes",
    "eyelash",
    "eyelashes",
    "brow",
    "brows",
    "eyebrow",
    "eyebrows",
    "beard",
    "moustache",
    "mustache",
];
const EYE: &[&str] = &[
    "eye", "eyes", "eyeball", "eyeballs", "iris", "irises", "cornea", "corneas", "sclera", "pupil",
    "pupils",
];
/// With one of these words, "eye" is only the location of the part.
const NEAR_THE_EYE: &[&str] = &[
    "lid",
    "lids",
    "eyelid",
    "eyelids",
    "shadow",
    "eyeshadow",
    "wet",
    "tear",
    "tears",
    "liner",
    "eyeliner",
    "socket",
    "glasses",
    "patch",
    "bag",
    "bags",
    "occlusion",
];
const SKIN: &[&str] = &["skin", "flesh"];
/// Words that may accompany "face" without describing the material.
const NEUTRAL: &[&str] = &[
    "mat", "material", "mtl", "m", "mi", "base", "color", "texture", "tex",
];

impl MaterialReader<'_> {
    /// Reads `{"kind": "skin"}` in the extras, or in their object `galatea`.
    pub(super) fn kind_in_extras(&self, json: &written::Material) -> Option<MaterialKind> {
        let extras = plain_json::extras(&json.extras);
        let kind = |object: Option<&Value>| Some(object?.get("kind")?.as_str()?.to_lowercase());
        if let Some(own) = kind(extras.get("galatea")) {
            let found = MaterialKind::from_name(&own);
            if found.is_none() {
                let names = MaterialKind::ALL.map(MaterialKind::name);
                self.warnings.add(format!(
                    "{}: unknown material kind {own:?}{}",
                    self.what,
                    nearest_hint(&own, names.into_iter())
                ));
            }
            return found;
        }
        // Outside the `galatea` object the word may belong to another program.
        MaterialKind::from_name(&kind(Some(&extras))?)
    }

    /// Reads `{"iris": {"center": [0.5, 0.5], "radius": 0.2, "depth": 0.5}}` in the object `galatea` of the extras.
    pub(super) fn iris_in_extras(&self, json: &written::Material) -> Option<Iris> {
        let extras = plain_json::extras(&json.extras);
        let iris = extras.get("galatea")?.get("iris")?;
        let number = |value: Option<&Value>, default: f64| {
            let number = value.map_or(Some(default), Value::as_f64)?;
            (0.0..=2.0).contains(&number).then_some(number as f32)
        };
        let center = iris.get("center");
        let part = |i| number(center.and_then(|center| center.get(i)), 0.5);
        let read = || {
            Some(Iris {
                center: Vec2::new(part(0)?, part(1)?),
                radius: number(iris.get("radius"), 0.2).filter(|radius| *radius > 0.0)?,
                depth: number(iris.get("depth"), 0.5)?,
            })
        };
        let found = read();
        if found.is_none() {
            self.warnings.add(format!(
                "{}: the iris is left out: center, radius and depth must be numbers from 0 to 2",
                self.what
            ));
        }
        found
    }
}

/// Guesses the kind from the words of the material's name: `Hair_Brown`, `LeftEye`, `skin.001`. A name that mentions two
/// kinds decides nothing. "face" alone means skin; "head" and "body" do not, since both may be a helmet or a suit. Metal and
/// unlit materials stay plain. Sheen makes a material without another kind cloth.
pub(super) fn guess(material: &Material) -> MaterialKind {
    let is_metal = material.metallic >= 0.5 && material.metallic_roughness_texture.is_none();
    if material.unlit || is_metal {
        return MaterialKind::Standard;
    }
    let words = name_words(&material.name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_face = has(&["face"])
        && words
            .iter()
            .all(|word| word == "face" || NEUTRAL.contains(&word.as_str()));
    let found = [
        (has(HAIR), MaterialKind::Hair),
        (
            has(EYE) && !has(HAIR) && !has(NEAR_THE_EYE),
            MaterialKind::Eye,
        ),
        (has(SKIN) || is_face, MaterialKind::Skin),
    ];
    let mut found = found.into_iter().filter(|(is_it, _)| *is_it);
    match (found.next(), found.next()) {
        (Some((_, kind)), None) => kind,
        (None, _) if material.sheen.color != glam::Vec3::ZERO => MaterialKind::Cloth,
        _ => MaterialKind::Standard,
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use serde_json::json;

    use super::super::tests::{one, one_with_warnings};
    use super::*;

    fn of(name: &str) -> MaterialKind {
        guess(&Material {
            name: name.into(),
            metallic: 0.0,
            ..Material::default()
        })
    }

    #[test]
    fn clear_names_determine_the_kind() {
        for name in [
            "skin",
            "Skin.001",
            "BodySkin",
            "m_flesh_02",
            "Face",
            "Face_Mat",
            "face.003",
        ] {
            assert_eq!(of(name), MaterialKind::Skin, "{name}");
        }
        for name in [
            "Eye",
            "eyes",
            "LeftEye",
            "Eye_White",
            "iris",
            "Cornea_L",
            "eyeball",
        ] {
            assert_eq!(of(name), MaterialKind::Eye, "{name}");
        }
        for name in [
            "hair",
            "Hair_Brown",
            "Eyebrows",
            "EyeLash",
            "brow_l",
            "lashes",
            "Beard",
        ] {
            assert_eq!(of(name), MaterialKind::Hair, "{name}");
        }
    }

    #[test]
    fn ambiguous_names_determine_no_kind() {
        for name in [
            "",
            "Body",
            "Head",
            "FacePaint",
            "Surface",
            "eyelid",
            "Eye_Shadow",
            "eye_wet",
            "Chair",
            "skin_hair",
            "Skinner",
            "eyes_and_skin",
            "Material",
            "cloth",
        ] {
            assert_eq!(of(name), MaterialKind::Standard, "{name}");
        }
    }

    #[test]
    fn metal_and_unlit_stay_plain_and_sheen_makes_cloth() {
        let skin = Material {
            name: "skin".into(),
            ..Material::default()
        };
        assert_eq!(guess(&skin), MaterialKind::Standard);
        let dull = Material {
            metallic: 0.0,
            ..skin
        };
        let unlit = Material {
            unlit: true,
            ..dull.clone()
        };
        assert_eq!(guess(&unlit), MaterialKind::Standard);
        let mut fur = Material {
            name: "coat".into(),
            ..dull
        };
        fur.sheen.color = Vec3::splat(0.2);
        assert_eq!(guess(&fur), MaterialKind::Cloth);
    }

    #[test]
    fn an_iris_is_read_from_the_extras_and_an_invalid_one_is_reported() {
        let iris = |value| one(json!({"extras": {"galatea": {"iris": value}}})).iris;
        let found = iris(json!({"center": [0.25, 0.75], "radius": 0.1}));
        let expected = Iris {
            center: Vec2::new(0.25, 0.75),
            radius: 0.1,
            depth: 0.5,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(one(json!({})).iris, None);
        for wrong in [
            json!({"radius": 0}),
            json!({"center": ["a", 0]}),
            json!({"depth": 9}),
        ] {
            let written = json!({"extras": {"galatea": {"iris": wrong}}});
            let (material, warnings) = one_with_warnings(written);
            assert_eq!(material.iris, None);
            assert!(warnings[0].contains("the iris is left out"), "{warnings:?}");
        }
    }

    #[test]
    fn extras_override_the_name() {
        let of = |extras| one(json!({"name": "hair", "extras": extras})).kind;
        assert_eq!(of(json!({"kind": "skin"})), MaterialKind::Skin);
        assert_eq!(of(json!({"galatea": {"kind": "Eye"}})), MaterialKind::Eye);
        // Metal, since a missing factor is 1.
        assert_eq!(of(json!({"kind": "roof"})), MaterialKind::Standard);
        let (_, warnings) = one_with_warnings(json!({"extras": {"galatea": {"kind": "sken"}}}));
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].contains("\"sken\"; did you mean \"skin\"?"),
            "{warnings:?}"
        );
    }
}
