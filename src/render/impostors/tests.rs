use std::sync::{Arc, LazyLock};

use glam::{Affine3A, Quat, Vec3};

use super::body::Body;
use super::raster::{Raster, Tile, levels_of, size_of};
use super::*;
use crate::asset::Model;
use crate::character::Definition;
use crate::forge::mannequin::mannequin;
use crate::stage::Gaits;

const HEIGHT: usize = 64;

fn standing() -> &'static Gaits {
    static MADE: LazyLock<Gaits> = LazyLock::new(|| {
        let definition = Arc::new(Definition::new(Arc::new(mannequin())));
        let clips = ["idle", "walk", "run"].map(|name| definition.clips.find(name));
        Gaits::new(definition, clips)
    });
    &MADE
}

fn drawn(body: &Body, palette: &[Affine3A], view: u32) -> Tile {
    Raster::default().draw(body, palette, turn_of(view), HEIGHT)
}

/// The view of who turned by so many degrees.
fn facing(gaits: &Gaits, degrees: f32) -> u32 {
    let person = ShownPerson {
        turn: Quat::from_rotation_y(degrees.to_radians()),
        ..shown()
    };
    view_of(&person, &gaits.book, (Vec3::ZERO, Vec3::Z * 50.0)) % VIEWS
}

fn shown() -> ShownPerson {
    ShownPerson {
        number: 0,
        at: Vec3::ZERO,
        turn: Quat::IDENTITY,
        scale: [1.0; 2],
        poses: [0; 2],
        share: 0.0,
        level: 4,
        seen: 0.01,
        seed: 0,
    }
}

/// Texels that are covered, and the share of the light of each that is red.
fn covered(tile: &Tile) -> Vec<(usize, usize, [u8; 4])> {
    let (across, _) = size_of(HEIGHT);
    let texels = tile.levels[0][0].iter().enumerate();
    let seen = texels.filter(|(_, texel)| texel[3] > 127);
    seen.map(|(i, texel)| (i % across, i / across, *texel))
        .collect()
}

#[test]
fn a_picture_shows_who_stands_there_upright_and_within_its_border() {
    let gaits = standing();
    let body = Body::new(&gaits.book, 2, &[]).unwrap();
    let tile = drawn(&body, gaits.book.palette(0), facing(gaits, 0.0));
    let [low, high] = gaits.definition.rest_box;
    let tall = high.y - low.y;
    assert!((tile.placed.middle.y - tall * 0.5).abs() < 0.06 * tall);
    // Seven eighths of the picture are the body's.
    let share = tall / (2.0 * tile.placed.half.y);
    assert!((0.8..=0.9).contains(&share), "{share}");
    let seen = covered(&tile);
    let (across, up) = size_of(HEIGHT);
    let border = HEIGHT / 16 - 1;
    assert!(seen.iter().all(|(x, y, _)| {
        (border..across - border).contains(x) && (border..up - border).contains(y)
    }));
    // The head is narrower than the shoulders, and the legs leave a gap.
    let width = |row: usize| seen.iter().filter(|(_, y, _)| *y == row).count();
    assert!(
        width(8) < width(16) && width(8) > 2,
        "{} {}",
        width(8),
        width(16)
    );
    assert_eq!(tile.levels.len(), levels_of(HEIGHT));
    let (smallest_across, smallest_up) = (across >> 2, up >> 2);
    assert_eq!(tile.levels[2][0].len(), smallest_across * smallest_up);
    // Each level covers as much as the one before.
    let cover = |level: usize| -> f32 {
        let texels = &tile.levels[level][0];
        texels.iter().map(|t| f32::from(t[3])).sum::<f32>() / texels.len() as f32
    };
    assert!(
        (cover(0) - cover(2)).abs() < 1.0,
        "{} {}",
        cover(0),
        cover(2)
    );
}

#[test]
fn normals_are_towards_the_eye_and_lean_to_the_sides() {
    let gaits = standing();
    let body = Body::new(&gaits.book, 2, &[]).unwrap();
    let tile = drawn(&body, gaits.book.palette(0), facing(gaits, 0.0));
    let (across, _) = size_of(HEIGHT);
    let seen = covered(&tile);
    let row = HEIGHT / 3;
    let xs = || {
        seen.iter()
            .filter(|(_, y, _)| *y == row)
            .map(|(x, _, _)| *x)
    };
    let (left, right) = (xs().min().unwrap(), xs().max().unwrap());
    let normal = |x: usize| tile.levels[0][1][row * across + x][0];
    assert!(
        normal(left) < 100 && normal(right) > 155,
        "{} {}",
        normal(left),
        normal(right)
    );
    // Beside the body the nearest is repeated.
    assert!(normal(left - 1) < 110);
}

#[test]
fn views_are_the_nearest_and_turn_with_who_is_seen() {
    let gaits = standing();
    let facing = |degrees| facing(gaits, degrees);
    assert_eq!(facing(0.0) % AROUND, 0);
    // Who turns to the left by a step is seen from a step to their right.
    assert_eq!(facing(22.5) % AROUND, AROUND - 1);
    assert_eq!(facing(-22.5) % AROUND, 1);
    assert_eq!(facing(180.0) % AROUND, AROUND / 2);
    let from = |eye: Vec3| view_of(&shown(), &gaits.book, (Vec3::ZERO, eye)) % VIEWS / AROUND;
    assert_eq!((from(Vec3::Z), from(Vec3::new(0.0, 1.0, 1.0))), (4, 6));
    assert_eq!((from(Vec3::Y), from(-Vec3::Y)), (8, 0));
    assert_eq!(
        view_of(&shown(), &gaits.book, (Vec3::ZERO, Vec3::ZERO)),
        NONE
    );
    let lost = ShownPerson {
        poses: [u32::MAX; 2],
        ..shown()
    };
    assert_eq!(view_of(&lost, &gaits.book, (Vec3::ZERO, Vec3::Z)), NONE);
    for view in 0..VIEWS {
        let eye = turn_of(view) * Vec3::Z * 9.0;
        let own = view_of(&shown(), &gaits.book, (Vec3::ZERO, eye)) % VIEWS;
        assert_eq!(own, view);
    }
}

#[test]
fn colours_are_told_apart_and_toons_are_left_to_their_shader() {
    let gaits = standing();
    let materials = gaits.book.model.materials.len() as u16;
    let used = gaits.book.model.primitives().next().unwrap().material as u16;
    assert!(used < materials);
    let body = Body::new(&gaits.book, 2, &[u16::MAX, used]).unwrap();
    let tile = drawn(&body, gaits.book.palette(0), 0);
    let tints = tile.levels[0][1].iter().map(|texel| texel[3]);
    assert!(tints.filter(|tint| *tint == 128).count() > 50);
    let mut toon: Model = (*gaits.book.model).clone();
    for material in &mut toon.materials {
        material.kind = crate::asset::model::MaterialKind::Toon;
    }
    let book = PoseBook {
        model: Arc::new(toon),
        ..(*gaits.book).clone()
    };
    assert!(Body::new(&book, 2, &[]).is_none());
}

#[test]
fn far_poses_are_fewer_and_of_the_same_clip() {
    let gaits = standing();
    let book = &gaits.book;
    let n = book.palettes.len() / book.stride;
    assert_eq!(book.stand_ins.len(), n);
    let mut kinds = book.stand_ins.clone();
    kinds.dedup();
    assert!(
        kinds.len() * 2 < n && kinds.len() * 4 > n,
        "{} of {n}",
        kinds.len()
    );
    let far = book.stand_ins.iter().enumerate();
    assert!(
        far.clone()
            .all(|(own, far)| own.abs_diff(*far as usize) <= 2)
    );
    let level = |pose: usize| {
        let levels = 0..gaits.levels.len();
        levels
            .rev()
            .find(|level| gaits.poses(*level, 0.0).0[0] as usize <= pose)
    };
    assert!(
        far.clone()
            .all(|(own, far)| level(own) == level(*far as usize))
    );
}
