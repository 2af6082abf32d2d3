//! Haircuts on heads of GALATEA_CORPUS: no hair grows on hair, hats or buns, and each bob goes around the head.

use std::path::Path;
use std::sync::Arc;

use galatea::anim::humanoid::Role;
use galatea::character::{Definition, HeadNames, HeadSkin};
use galatea::hair::{CUTS, HairArea, HairCut, Scalp};
use glam::Vec3;

use crate::files::corpus;

fn definition(file: &Path) -> Definition {
    Definition::new(Arc::new(galatea::asset::gltf::load(file).unwrap()))
}

fn head(definition: &Definition, names: &HeadNames) -> Result<HeadSkin, String> {
    let bone = definition.clips.humanoid().bone(Role::Head);
    HeadSkin::of(definition, bone.unwrap(), &[], names)
}

/// The farthest hair root above the ears, in radii of the skull.
fn farthest(scalp: &Scalp) -> f32 {
    let roots = scalp.roots(HairArea::Scalp, 600, 1).unwrap();
    let places = roots
        .iter()
        .map(|root| (root.at - scalp.middle) / scalp.radii);
    let above = places.filter(|at| at.y > 0.3);
    above.map(Vec3::length).fold(0.0, f32::max)
}

#[test]
fn every_cut_grows_on_heads_of_other_makers() {
    let Some(corpus) = corpus() else { return };
    for file in [
        "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm",
        "01_characters/kaykit-adventurers/Characters/gltf/Barbarian.glb",
        "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
        "01_characters/quaternius-via-showcase/modular_women/Casual.glb",
        "01_characters/quaternius-via-showcase/modular_men/Casual.glb",
        "01_characters/quaternius-via-showcase/modular_men/King.glb",
        "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb",
    ] {
        let definition = definition(&corpus.join(file));
        let head = match head(&definition, &HeadNames::default()) {
            Ok(head) => head,
            Err(why) => panic!("{file}: {why}"),
        };
        for (name, cut) in CUTS {
            match head.scalp.grow(cut, 1) {
                Ok(grown) => {
                    let points = grown.guides.iter().flatten();
                    assert!(points.copied().all(Vec3::is_finite), "{file}: {name}");
                }
                // A hat may leave no room, and a helmet has no face.
                Err(why) => {
                    let why = head.explain(why);
                    assert!(
                        why.contains("hide it") || why.contains("free skin"),
                        "{file}: {name}: {why}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_hair_grows_on_a_crown_or_on_buns() {
    let Some(corpus) = corpus() else { return };
    let king =
        definition(&corpus.join("01_characters/quaternius-via-showcase/modular_men/King.glb"));
    let roots = |names: &HeadNames| {
        let found = head(&king, names).unwrap();
        found.scalp.roots(HairArea::Scalp, 300, 1).unwrap()
    };
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    let without = HeadNames {
        exclude: names(&["Gold"]),
        ..HeadNames::default()
    };
    let with = HeadNames {
        scalp: names(&["Gold", "Skin"]),
        ..HeadNames::default()
    };
    let plain = roots(&HeadNames::default());
    assert!(plain == roots(&without) && plain != roots(&with));
    let vrm = "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm";
    let godette = definition(&corpus.join(vrm));
    let found = head(&godette, &HeadNames::default()).unwrap();
    let buns = farthest(&found.scalp);
    assert!(buns < 1.3, "the buns: {buns}");
    // Strands of a bob hang all around the head.
    let bob = HairCut::named("bob").unwrap();
    let grown = found.scalp.grow(&bob, 1).unwrap();
    let behind = grown
        .guides
        .iter()
        .filter(|guide| guide[0].z < found.scalp.middle.z);
    assert!(behind.count() > 40);
}

#[test]
fn parts_are_chosen_by_name_and_unknown_names_are_reported() {
    let Some(corpus) = corpus() else { return };
    let file = "01_characters/kaykit-adventurers/Characters/gltf/Barbarian.glb";
    let barbarian = definition(&corpus.join(file));
    let names = |exclude: &[&str], scalp: &[&str]| HeadNames {
        exclude: exclude.iter().map(|name| (*name).to_owned()).collect(),
        scalp: scalp.iter().map(|name| (*name).to_owned()).collect(),
    };
    let covered = head(&barbarian, &HeadNames::default()).unwrap();
    let free = head(&barbarian, &names(&["*_hat"], &[])).unwrap();
    let top = |head: &HeadSkin| {
        let roots = head.scalp.roots(HairArea::Scalp, 400, 1).unwrap();
        roots.iter().map(|root| root.at.y).fold(f32::MIN, f32::max)
    };
    assert!(top(&free) > top(&covered) + 0.02, "under the hat");
    let wrong = head(&barbarian, &names(&["Barbarian_Hut"], &[])).unwrap_err();
    assert!(
        wrong.contains("exclude:") && wrong.contains("did you mean \"Barbarian_Hat\"?"),
        "{wrong}"
    );
    let none = head(&barbarian, &names(&["Barbarian_Head"], &[])).unwrap_err();
    assert!(none.contains("add it to the option `scalp`"), "{none}");
}
