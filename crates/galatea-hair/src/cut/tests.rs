mod shapes;

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::*;
use crate::length_of;

const EYES: [Vec3; 2] = [Vec3::new(0.032, 1.6, 0.085), Vec3::new(-0.032, 1.6, 0.085)];

/// An egg-shaped head, 23 cm high, on a neck.
fn head() -> Scalp {
    let mut skin = RestSkin::default();
    let mut add = |n: usize, m: usize, at: &dyn Fn(f32, f32) -> (Vec3, Vec3), is_head: bool| {
        let first = skin.positions.len() as u32;
        for i in 0..=n {
            for k in 0..m {
                let (at, normal) = at(i as f32 / n as f32, k as f32 / m as f32);
                skin.positions.push(at);
                skin.normals.push(normal);
            }
        }
        for i in 0..n as u32 {
            for k in 0..m as u32 {
                let next = (k + 1) % m as u32;
                let corner = |i: u32, k: u32| first + i * m as u32 + k;
                skin.triangles
                    .push([corner(i, k), corner(i + 1, k), corner(i + 1, next)]);
                skin.triangles
                    .push([corner(i, k), corner(i + 1, next), corner(i, next)]);
                skin.is_head.extend([is_head; 2]);
            }
        }
    };
    let radii = Vec3::new(0.075, 0.115, 0.095);
    let egg = move |u: f32, v: f32| {
        let (up, around) = (u * PI, v * TAU);
        let direction = Vec3::new(up.sin() * around.sin(), up.cos(), up.sin() * around.cos());
        (
            Vec3::new(0.0, 1.605, 0.0) + direction * radii,
            (direction / radii).normalize(),
        )
    };
    add(40, 60, &egg, true);
    let neck = |u: f32, v: f32| {
        let outward = Vec3::new((v * TAU).sin(), 0.0, (v * TAU).cos());
        (
            outward * 0.03 + Vec3::new(0.0, 1.49 - 0.2 * u, 0.0),
            outward,
        )
    };
    add(12, 30, &neck, false);
    Scalp::new(skin, EYES, None).unwrap()
}

#[test]
fn a_head_has_the_measures_of_one() {
    let head = head();
    assert!((head.chin - 1.52).abs() < 0.02, "{}", head.chin);
    assert!(
        head.middle.distance(Vec3::new(0.0, 1.612, 0.0)) < 0.004,
        "{}",
        head.middle
    );
    assert!(
        (head.radii - Vec3::new(0.07, 0.108, 0.09))
            .abs()
            .max_element()
            < 0.01,
        "{}",
        head.radii
    );
}

#[test]
fn hair_grows_behind_the_hairline_and_brows_over_the_eyes() {
    let head = head();
    for root in head.roots(HairArea::Scalp, 800, 1).unwrap() {
        let is_face = root.at.z > 0.05 && root.at.y < 1.65 && root.at.x.abs() < 0.03;
        let is_throat = root.at.y < 1.515;
        assert!(!is_face && !is_throat, "{}", root.at);
        let corners =
            head.skin().triangles[root.triangle].map(|c| head.skin().positions[c as usize]);
        let again: Vec3 = corners
            .iter()
            .zip(root.shares.to_array())
            .map(|(c, share)| *c * share)
            .sum();
        assert!(again.distance(root.at) < 1e-6);
    }
    let sides = head.roots(HairArea::Brows, 400, 1).unwrap();
    let left = sides.iter().filter(|root| root.at.x > 0.0).count();
    assert!((150..250).contains(&left), "{left}");
    for root in sides {
        assert!(
            (1.612..1.634).contains(&root.at.y) && root.at.z > 0.05,
            "{}",
            root.at
        );
        assert!((0.012..0.062).contains(&root.at.x.abs()), "{}", root.at);
    }
    for root in head.roots(HairArea::Beard, 400, 1).unwrap() {
        assert!(root.at.y < 1.6 && root.at.z > 0.0, "{}", root.at);
        let mouth = head.eye().y - 0.62 * head.face();
        let is_lip = root.at.x.abs() < 0.015 && (root.at.y - mouth).abs() < 0.004;
        assert!(!is_lip, "{}", root.at);
    }
}

#[test]
fn every_haircut_stays_out_of_the_skin_and_has_its_length() {
    let head = head();
    for (name, cut) in CUTS {
        let grown = head.grow(cut, 3).unwrap();
        let least = cut.length.min(cut.sides) * (1.0 - cut.uneven);
        let most = cut.length.max(cut.sides) * (1.0 + cut.uneven);
        assert!(
            grown.guides.len() * 10 > cut.guides * 9,
            "{name}: {}",
            grown.guides.len()
        );
        for guide in &grown.guides {
            assert_eq!(guide.len(), cut.points, "{name}");
            let length = length_of(guide);
            assert!(length < 1.01 * most, "{name}: {length} of {most}");
            assert!(
                length > 0.97 * least || cut.end_height.is_some(),
                "{name}: {length} of {least}"
            );
            for at in &guide[1..] {
                let outside = head.outside(*at).map_or(1.0, |(outside, _)| outside);
                assert!(outside > -0.001, "{name}: {outside} at {at}");
            }
        }
        assert_eq!(grown, head.grow(cut, 3).unwrap(), "{name}");
    }
}

#[test]
fn a_bob_ends_at_its_height_and_a_parting_divides() {
    let head = head();
    let bob = HairCut::named("bob").unwrap();
    let grown = head.grow(&bob, 1).unwrap();
    let lowest = head.eye().y - bob.end_height.unwrap() * head.face();
    let above = grown
        .guides
        .iter()
        .filter(|guide| guide[0].y > lowest + 0.03);
    let tips: Vec<f32> = above.map(|guide| guide.last().unwrap().y).collect();
    assert!(tips.iter().all(|y| *y > lowest - 0.002), "{tips:?}");
    let at_end = tips.iter().filter(|y| **y < lowest + 0.015).count();
    assert!(at_end * 10 > tips.len() * 9, "{at_end} of {}", tips.len());
    let long = HairCut {
        parting: Some(0.0),
        ..HairCut::named("long").unwrap()
    };
    let grown = head.grow(&long, 1).unwrap();
    let front = grown
        .guides
        .iter()
        .filter(|guide| guide[0].z > 0.04 && guide[0].x.abs() > 0.012);
    let (mut n, mut crossing) = (0, 0);
    for guide in front {
        n += 1;
        let tip = guide.last().unwrap();
        crossing += usize::from(tip.x * guide[0].x < 0.0);
    }
    assert!(n > 10 && crossing * 20 <= n, "{crossing} of {n}");
}

#[test]
fn a_cap_covers_the_area_and_fades_at_its_border() {
    let head = head();
    let cap = head.grow(&HairCut::named("long").unwrap(), 1).unwrap().cap;
    let top = cap
        .positions
        .iter()
        .zip(&cap.covers)
        .filter(|(at, _)| at.y > 1.7);
    assert!(
        top.clone().count() > 100
            && top.clone().all(|(at, covers)| if at.x.abs() > 0.01 {
                *covers == 1.0
            } else {
                *covers > 0.4
            })
    );
    assert!(cap.covers.contains(&0.0));
    let face = cap
        .positions
        .iter()
        .zip(&cap.covers)
        .filter(|(at, _)| at.z > 0.07 && at.y < 1.63);
    assert!(face.clone().all(|(_, covers)| *covers == 0.0));
    assert_eq!(
        head.grow(
            &HairCut {
                bare: 1.0,
                ..HairCut::named("long").unwrap()
            },
            1
        )
        .unwrap()
        .cap
        .positions
        .len(),
        0
    );
}

#[test]
fn a_head_without_skin_or_room_is_an_error() {
    assert_eq!(
        Scalp::new(RestSkin::default(), EYES, None).unwrap_err(),
        ScalpError::NoHead
    );
    let mut skin = head().skin().clone();
    // Only the chin remains.
    let positions = skin.positions.clone();
    let is_low = |corners: &[u32; 3]| corners.iter().all(|c| positions[*c as usize].y < 1.52);
    let remaining: Vec<usize> = (0..skin.triangles.len())
        .filter(|i| is_low(&skin.triangles[*i]))
        .collect();
    skin.triangles = remaining.iter().map(|i| skin.triangles[*i]).collect();
    skin.is_head = remaining.iter().map(|i| skin.is_head[*i]).collect();
    assert_eq!(
        Scalp::new(skin, EYES, None).unwrap_err(),
        ScalpError::NoHead
    );
}

#[test]
fn the_nearest_skin_position_is_found_by_its_triangle() {
    let head = head();
    for root in head.roots(HairArea::Scalp, 100, 5).unwrap() {
        let found = head.nearest_root(root.at + root.normal * 0.01).unwrap();
        assert!(
            found.at.distance(root.at) < 0.006,
            "{} {}",
            found.at,
            root.at
        );
        assert!(
            found.shares.min_element() > -1e-3 && (found.shares.element_sum() - 1.0).abs() < 1e-4
        );
    }
    assert!(head.nearest_root(Vec3::ZERO).is_none());
}

#[test]
fn a_skull_that_is_open_below_hair_is_closed_smoothly() {
    let whole = head();
    let mut skin = whole.skin().clone();
    let n = skin.triangles.len();
    let positions = skin.positions.clone();
    let is_open = |corners: &[u32; 3]| {
        corners.iter().all(|c| {
            let at = positions[*c as usize];
            at.y > 1.58 && at.z < 0.02
        })
    };
    let remaining: Vec<usize> = (0..n).filter(|i| !is_open(&skin.triangles[*i])).collect();
    skin.triangles = remaining.iter().map(|i| skin.triangles[*i]).collect();
    skin.is_head = remaining.iter().map(|i| skin.is_head[*i]).collect();
    let closed = Scalp::new(skin, EYES, None).unwrap();
    assert!(closed.skin().triangles.len() > remaining.len());
    let mut farthest = 0.0_f32;
    for root in closed.roots(HairArea::Scalp, 600, 2).unwrap() {
        let near = whole.nearest_root(root.at).unwrap();
        farthest = farthest.max(near.at.distance(root.at));
        assert!(
            near.normal.dot(root.normal) > 0.8,
            "{} {}",
            near.normal,
            root.normal
        );
    }
    assert!(farthest < 0.012, "{farthest}");
    let behind = closed.roots(HairArea::Scalp, 600, 2).unwrap();
    assert!(behind.iter().filter(|root| root.at.z < 0.0).count() > 250);
    // A complete skull is unchanged.
    assert_eq!(whole.skin().triangles.len(), n);
    assert_eq!(head().skin().positions.len(), positions.len());
}
