//! Raycasts against drawn triangles give the same results as testing every triangle, whatever the bounds skip.

use std::sync::Arc;

use galatea::character::Definition;
use galatea::deform::{Deformed, Deformer, PaletteLayout};
use galatea::stage::{Handle, Stage};
use glam::{Vec3, Vec3A};

use super::scenes::{at, corpus, galatea, run};
use galatea_character::Character;

/// World-space corners of all triangles, without bounds.
fn triangles(character: &Character) -> Vec<[Vec3; 3]> {
    let model = &character.definition.model;
    let starts = PaletteLayout::new(model).part_start;
    let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
    let (mut found, mut morph) = (Vec::new(), 0);
    for (part, start) in model.parts.iter().zip(starts) {
        let weights = &character.skin.morphs[0][morph..morph + part.morph_weights.len()];
        morph += weights.len();
        for primitive in &model.meshes[part.mesh].primitives {
            let palette = &character.skin.palette[0][start as usize..];
            deformer.deform(primitive, weights, palette, part.skinning, &mut deformed);
            let place = |i: u32| {
                let own = Vec3A::from(deformed.positions[i as usize]);
                Vec3::from(character.posed.world[0].transform_point3a(own))
            };
            let corners = primitive.indices.chunks_exact(3);
            found.extend(corners.map(|t| [place(t[0]), place(t[1]), place(t[2])]));
        }
    }
    found
}

/// Fraction of the line before the first triangle, computed with signed volumes.
fn first(triangles: &[[Vec3; 3]], from: Vec3, to: Vec3) -> Option<f64> {
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| {
        let [b, c, d] = [b, c, d].map(|p| (p - a).as_dvec3());
        b.dot(c.cross(d))
    };
    let hits = triangles.iter().filter_map(|&[a, b, c]| {
        let (begin, end) = (volume(from, a, b, c), volume(to, a, b, c));
        let sides = [
            volume(from, to, a, b),
            volume(from, to, b, c),
            volume(from, to, c, a),
        ];
        let one_side = sides.iter().all(|v| *v >= 0.0) || sides.iter().all(|v| *v <= 0.0);
        (begin * end <= 0.0 && begin != end && one_side).then(|| begin / (begin - end))
    });
    hits.min_by(f64::total_cmp)
}

/// Casts rays through and past a character. Returns the number of hits, and the maximum work of a miss.
fn compare(name: &str, stage: &Stage, who: Handle, n: u32) -> (usize, usize) {
    let character = stage.characters.get(who).unwrap();
    let all = triangles(character);
    let (low, high) = all
        .iter()
        .flatten()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), p| {
            (l.min(*p), h.max(*p))
        });
    let (middle, size) = ((low + high) * 0.5, high - low);
    let mut seed = 7_u32;
    let mut next = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let (mut met, mut idle) = (0, 0);
    for i in 0..n {
        let aim = middle + size * Vec3::new(next(), next(), next()) * 0.5;
        let way = Vec3::new(next(), next(), next()).normalize_or(Vec3::X) * size.length();
        // Half of them end before a possible hit.
        let (from, to) = (aim - way, if i % 2 == 0 { aim + way } else { aim });
        let (found, work) = character.trace(from, to);
        let wanted = first(&all, from, to);
        match (found, wanted) {
            (Some(found), Some(u)) => {
                met += 1;
                // Offset from the triangle, without rays that graze it.
                let along = f64::from(found.normal.dot(to - from).abs());
                let off = (f64::from(found.u) - u).abs() * along;
                assert!(
                    off < 1e-5 * f64::from(size.length()),
                    "{name}: line {i} is off by {off} m"
                );
                assert!((found.barycentric.element_sum() - 1.0).abs() < 1e-5);
                assert!(found.normal.dot(to - from) <= 0.0);
                let bones = character.definition.model.skeleton.len();
                assert!(usize::from(found.bone) < bones);
            }
            (None, None) => idle = idle.max(work),
            (found, wanted) => panic!("{name}: line {i}: {found:?}, wanted {wanted:?}"),
        }
    }
    (met, idle)
}

fn posed(definition: Arc<Definition>) -> (Stage, Handle) {
    let mut stage = Stage::default();
    let mut place = at(0.7, 0.2, -0.4);
    (place.yaw, place.scale) = (130.0, 1.3);
    let who = stage.add_character(definition, "who", None, place);
    run(&mut stage, 0.7);
    (stage, who)
}

#[test]
fn raycasts_hit_the_triangles_of_the_built_in_character() {
    let (mut stage, who) = posed(galatea());
    let (met, _) = compare("galatea", &stage, who, 160);
    assert!(met > 30, "{met}");
    stage.bodies().knock_down(who);
    run(&mut stage, 1.0);
    let (met, _) = compare("galatea falling", &stage, who, 160);
    assert!(met > 30, "{met}");
    let character = stage.characters.get(who).unwrap();
    let far = Vec3::new(30.0, 1.0, 0.0);
    let (none, work) = character.trace(far, far + Vec3::Y * 5.0);
    assert!(
        none.is_none() && work == 0,
        "bounds skip distant triangles: {work}"
    );
}

#[test]
fn raycasts_ignore_hidden_parts() {
    let (mut stage, who) = posed(galatea());
    let character = stage.characters.get_mut(who).unwrap();
    character.appearance.hidden_parts.fill(u64::MAX);
    let all = triangles(character);
    let middle = all[all.len() / 2][0];
    let (met, work) = character.trace(middle - Vec3::Z * 3.0, middle + Vec3::Z * 3.0);
    assert!(met.is_none() && work == 0);
}

#[test]
fn raycasts_hit_the_triangles_of_corpus_characters() {
    let mut n = 0;
    for file in [
        "01_characters/khronos-samples-via-bevy/animated/Fox.glb",
        "01_characters/khronos-samples-via-lab0/CesiumMan.glb",
        "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
        "01_characters/threejs-examples/gltf/RobotExpressive/RobotExpressive.glb",
    ] {
        let Some(definition) = corpus(file) else {
            return;
        };
        let (stage, who) = posed(definition);
        let (met, _) = compare(file, &stage, who, 120);
        assert!(met > 10, "{file}: {met}");
        n += 1;
    }
    assert_eq!(n, 4);
}
