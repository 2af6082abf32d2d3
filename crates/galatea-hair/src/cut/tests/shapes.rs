//! Unusual heads: hats, buns, masks, open skulls, large heads.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::super::*;

const EYES: [Vec3; 2] = [Vec3::new(0.032, 1.6, 0.085), Vec3::new(-0.032, 1.6, 0.085)];
const MIDDLE: Vec3 = Vec3::new(0.0, 1.605, 0.0);
const RADII: Vec3 = Vec3::new(0.075, 0.115, 0.095);

/// Adds an ellipsoid; only the triangles whose centre satisfies `is_there`.
fn add(
    skin: &mut RestSkin,
    middle: Vec3,
    radii: Vec3,
    role: SkinRole,
    is_there: impl Fn(Vec3) -> bool,
) {
    const ROWS: u32 = 40;
    const COLUMNS: u32 = 60;
    let first = skin.positions.len() as u32;
    for i in 0..=ROWS {
        for k in 0..COLUMNS {
            let (up, around) = (i as f32 / ROWS as f32 * PI, k as f32 / COLUMNS as f32 * TAU);
            let direction = Vec3::new(up.sin() * around.sin(), up.cos(), up.sin() * around.cos());
            skin.positions.push(middle + direction * radii);
            skin.normals.push((direction / radii).normalize());
        }
    }
    for i in 0..ROWS {
        for k in 0..COLUMNS {
            let corner = |i: u32, k: u32| first + i * COLUMNS + k % COLUMNS;
            let [a, b, c, d] = [
                corner(i, k),
                corner(i + 1, k),
                corner(i + 1, k + 1),
                corner(i, k + 1),
            ];
            for triangle in [[a, b, c], [a, c, d]] {
                let sum: Vec3 = triangle.iter().map(|c| skin.positions[*c as usize]).sum();
                if is_there(sum / 3.0) {
                    skin.triangles.push(triangle);
                    skin.is_head.push(true);
                    skin.roles.push(role);
                    skin.is_chosen.push(false);
                }
            }
        }
    }
}

/// A closed skull.
fn skull() -> RestSkin {
    let mut skin = RestSkin::default();
    add(&mut skin, MIDDLE, RADII, SkinRole::Skin, |_| true);
    skin
}

/// Approximate distance of a point outside of the skull of [`skull`], metres.
fn outside(at: Vec3) -> f32 {
    (((at - MIDDLE) / RADII).length() - 1.0) * RADII.min_element()
}

#[test]
fn no_hair_grows_on_unnamed_hats_and_buns() {
    let bun = MIDDLE + Vec3::new(0.0, 0.08, -0.1);
    let mut skin = skull();
    add(&mut skin, bun, Vec3::splat(0.035), SkinRole::Skin, |_| true);
    let is_crown = |at: Vec3| (1.67..1.72).contains(&at.y);
    add(&mut skin, MIDDLE, RADII * 1.2, SkinRole::Skin, is_crown);
    let head = Scalp::new(skin.clone(), EYES, None).unwrap();
    let roots = head.roots(HairArea::Scalp, 800, 1).unwrap();
    let farthest = roots
        .iter()
        .map(|root| outside(root.at))
        .fold(0.0, f32::max);
    assert!(farthest < 0.001, "{farthest}");
    let behind = roots.iter().filter(|root| root.at.z < 0.0).count();
    assert!((350..750).contains(&behind), "{behind}");
    // They do not affect the measurement of the head.
    assert!(
        (head.radii - RADII).abs().max_element() < 0.012,
        "{}",
        head.radii
    );
    assert_eq!(head.scale, 1.0);
    // The caller can request hair on the bun.
    let n = skull().triangles.len();
    skin.is_chosen[n..].fill(true);
    let chosen = Scalp::new(skin, EYES, None).unwrap();
    let roots = chosen.roots(HairArea::Scalp, 800, 1).unwrap();
    assert!(roots.iter().any(|root| outside(root.at) > 0.01));
}

#[test]
fn a_face_without_a_skull_is_closed_and_the_models_hair_gives_its_depth() {
    // As in VRoid models: a mask, and eyes whose pivots are deep in the head and close to each other.
    let eyes = [Vec3::new(0.017, 1.6, 0.02), Vec3::new(-0.017, 1.6, 0.02)];
    let is_mask = |at: Vec3| at.z > 0.0 && at.y < 1.68 || at.z > 0.04;
    let mut skin = RestSkin::default();
    add(&mut skin, MIDDLE, RADII, SkinRole::Skin, is_mask);
    let grown = |skin: RestSkin| {
        let head = Scalp::new(skin, eyes, None).unwrap();
        let roots = head.roots(HairArea::Scalp, 800, 1).unwrap();
        let behind = roots.iter().filter(|root| root.at.z < 0.0).count();
        assert!(behind > 300, "{behind}");
        roots
            .iter()
            .map(|root| outside(root.at).abs())
            .fold(0.0, f32::max)
    };
    let by_mask = grown(skin.clone());
    assert!(by_mask < 0.03, "{by_mask}");
    add(&mut skin, MIDDLE, RADII + 0.003, SkinRole::OwnHair, |at| {
        !is_mask(at)
    });
    let by_hair = grown(skin);
    assert!(
        by_hair < 0.012 && by_hair < 0.5 * by_mask,
        "{by_hair} {by_mask}"
    );
}

#[test]
fn a_head_that_cannot_have_hair_returns_the_reason() {
    let mut hatted = skull();
    add(&mut hatted, MIDDLE, RADII * 1.15, SkinRole::Cover, |at| {
        at.y > 1.45
    });
    let head = Scalp::new(hatted, EYES, None).unwrap();
    let why = head.roots(HairArea::Scalp, 100, 1).unwrap_err();
    assert_eq!(why, ScalpError::Covered);
    let mut visor = RestSkin::default();
    add(&mut visor, MIDDLE, RADII, SkinRole::Skin, |at| {
        at.z > 0.05 && at.y < 1.66
    });
    let head = Scalp::new(visor, EYES, None).unwrap();
    let why = head.roots(HairArea::Scalp, 100, 1).unwrap_err();
    assert_eq!(
        why.to_string(),
        "the skull is incomplete: the model has only 0 % of it, too little to estimate its shape"
    );
    assert!(head.roots(HairArea::Moustache, 100, 1).is_ok());
}

#[test]
fn no_hair_grows_under_a_hat_but_below_its_brim_it_does() {
    let mut skin = skull();
    add(&mut skin, MIDDLE, RADII * 1.1, SkinRole::Cover, |at| {
        at.y > 1.65
    });
    let head = Scalp::new(skin, EYES, None).unwrap();
    let roots = head.roots(HairArea::Scalp, 400, 1).unwrap();
    assert!(roots.iter().all(|root| root.at.y < 1.665));
    assert_eq!(roots.len(), 400);
}

#[test]
fn hair_of_a_large_head_is_in_proportion() {
    let large = |scale: f32| {
        let mut skin = skull();
        for at in &mut skin.positions {
            *at *= scale;
        }
        Scalp::new(skin, EYES.map(|eye| eye * scale), None).unwrap()
    };
    let bob = HairCut::named("bob").unwrap();
    let usual = large(1.0).grow(&bob, 1).unwrap();
    let head = large(3.0);
    assert!((head.scale - 3.0).abs() < 0.3, "{}", head.scale);
    let grown = head.grow(&bob, 1).unwrap();
    let lengths = |grown: &Grown| {
        let sum: f32 = grown
            .guides
            .iter()
            .map(|guide| crate::length_of(guide))
            .sum();
        sum / grown.guides.len() as f32
    };
    let ratio = lengths(&grown) / lengths(&usual);
    assert!((0.9..1.1).contains(&ratio), "{ratio}");
}

#[test]
fn a_bob_is_one_closed_shape_around_the_head() {
    let head = Scalp::new(skull(), EYES, None).unwrap();
    let bob = HairCut::named("bob").unwrap();
    let grown = head.grow(&bob, 1).unwrap();
    let tips: Vec<Vec3> = grown
        .guides
        .iter()
        .filter_map(|guide| guide.last())
        .copied()
        .collect();
    // The bob does not stand off at both sides.
    let widest = tips.iter().map(|tip| tip.x.abs()).fold(0.0, f32::max);
    assert!(widest < RADII.x + 0.04, "{widest}");
    // There is no gap around the back, from one side of the face to the other.
    let mut angles: Vec<f32> = tips
        .iter()
        .map(|tip| tip.x.atan2(-tip.z).to_degrees())
        .filter(|angle| angle.abs() < 110.0)
        .collect();
    angles.sort_by(f32::total_cmp);
    let gap = angles
        .windows(2)
        .map(|two| two[1] - two[0])
        .fold(0.0, f32::max);
    assert!(gap < 20.0 && angles[0] < -95.0, "{gap} {}", angles[0]);
    assert!(angles.last().is_some_and(|last| *last > 95.0));
}
