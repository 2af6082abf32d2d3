use glam::Vec3;

use crate::tests::{add_box, add_slope, baked, floor, options};
use crate::{BakeOptions, Baked, GroundTriangles, NavMesh, Route};

/// Returns true if there is a walkable floor at a position.
fn has_floor(mesh: &NavMesh, at: [f32; 3]) -> bool {
    let at = Vec3::from(at);
    let near = mesh.nearest(at, 0.3);
    near.is_some_and(|near| near.at.distance(at) < 0.3)
}

/// Reverses the triangles from `first` on, so that their surface faces the other side.
fn turn_inside_out(ground: &mut GroundTriangles, first: usize) {
    for corners in &mut ground.triangles[first..] {
        corners.swap(1, 2);
    }
}

#[test]
fn the_inside_of_a_large_solid_is_not_walkable_but_its_top_is() {
    let mut ground = floor(10.0);
    add_box(
        &mut ground,
        Vec3::new(0.0, 1.5, 0.0),
        Vec3::new(6.0, 3.0, 6.0),
        0,
    );
    let mesh = baked(&ground, 10.0);
    assert!(!has_floor(&mesh, [0.0, 0.0, 0.0]));
    assert!(!has_floor(&mesh, [2.5, 0.0, -2.5]));
    assert!(has_floor(&mesh, [0.0, 3.0, 0.0]));
    assert!(has_floor(&mesh, [6.0, 0.0, 0.0]));
    // The object is taller than the level, so its top is beyond the box.
    let mut ground = floor(10.0);
    add_box(
        &mut ground,
        Vec3::new(0.0, 20.0, 0.0),
        Vec3::new(6.0, 40.0, 6.0),
        0,
    );
    assert!(!has_floor(&baked(&ground, 10.0), [0.0, 0.0, 0.0]));
}

#[test]
fn a_solid_of_many_slanted_triangles_is_carved_without_gaps() {
    // A double cone of 24 sides; its axis goes through no cell's centre.
    let mut ground = floor(10.0);
    let first = ground.vertices.len() as u32;
    let n = 24;
    let middle = Vec3::new(0.031, 2.0, -0.017);
    ground
        .vertices
        .extend([middle + Vec3::Y * 3.0, middle - Vec3::Y * 3.0]);
    for i in 0..n {
        let angle = i as f32 / n as f32 * std::f32::consts::TAU;
        ground
            .vertices
            .push(middle + Vec3::new(angle.sin(), 0.0, angle.cos()) * 5.0);
    }
    for i in 0..n {
        let [a, b] = [i, (i + 1) % n].map(|k| first + 2 + k);
        ground.triangles.extend([[first, a, b], [first + 1, b, a]]);
    }
    let mesh = baked(&ground, 10.0);
    // The space inside must be higher than an agent: within 2 m of the axis there are 1.8 m above the floor.
    for i in -12..=12 {
        for k in -12..=12 {
            let at = [i as f32 * 0.12, 0.0, k as f32 * 0.12];
            assert!(!has_floor(&mesh, at), "{at:?}");
        }
    }
}

#[test]
fn open_and_hollow_shapes_stay_walkable_inside() {
    // Four walls without a top and a bottom.
    let mut open = floor(10.0);
    add_box(
        &mut open,
        Vec3::new(0.0, 1.5, 0.0),
        Vec3::new(6.0, 3.0, 6.0),
        0,
    );
    let n = open.triangles.len();
    let is_wall = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| open.vertices[corner as usize].y);
        a != b || b != c
    };
    let kept: Vec<[u32; 3]> = open.triangles[n - 12..]
        .iter()
        .copied()
        .filter(is_wall)
        .collect();
    open.triangles.truncate(n - 12);
    open.triangles.extend(kept);
    assert!(has_floor(&baked(&open, 10.0), [0.0, 0.0, 0.0]));

    // A house: an outer surface, and an inner one that faces inwards.
    let mut house = floor(10.0);
    add_box(
        &mut house,
        Vec3::new(0.0, 1.6, 0.0),
        Vec3::new(6.0, 3.2, 6.0),
        0,
    );
    let first = house.triangles.len();
    add_box(
        &mut house,
        Vec3::new(0.0, 1.5, 0.0),
        Vec3::new(5.6, 2.9, 5.6),
        0,
    );
    turn_inside_out(&mut house, first);
    assert!(has_floor(&baked(&house, 10.0), [0.0, 0.0, 0.0]));

    // A sky dome that faces inwards.
    let mut sky = floor(10.0);
    let first = sky.triangles.len();
    add_box(&mut sky, Vec3::ZERO, Vec3::splat(60.0), 0);
    turn_inside_out(&mut sky, first);
    assert!(has_floor(&baked(&sky, 10.0), [0.0, 0.0, 0.0]));

    // A roof without walls, and a bridge of boxes.
    let mut roof = floor(10.0);
    add_box(
        &mut roof,
        Vec3::new(0.0, 2.5, 0.0),
        Vec3::new(6.0, 0.2, 6.0),
        0,
    );
    let mesh = baked(&roof, 10.0);
    assert!(has_floor(&mesh, [0.0, 0.0, 0.0]) && has_floor(&mesh, [0.0, 2.6, 0.0]));
}

#[test]
fn boxes_of_different_bodies_that_share_sides_are_solid_each() {
    let mut ground = floor(10.0);
    // Two boxes side by side, and an open sheet along an upper side of one.
    add_box(
        &mut ground,
        Vec3::new(-1.5, 1.5, 0.0),
        Vec3::new(3.0, 3.0, 6.0),
        0,
    );
    add_box(
        &mut ground,
        Vec3::new(1.5, 1.5, 0.0),
        Vec3::new(3.0, 3.0, 6.0),
        0,
    );
    ground.bodies = vec![1; 12];
    ground.bodies.extend([2; 12]);
    ground.bodies.extend([3; 12]);
    let at = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    add_slope(
        &mut ground,
        [at(5.0, 2.0, -3.0), at(5.0, 2.0, 3.0)],
        [at(3.0, 3.0, -3.0), at(3.0, 3.0, 3.0)],
    );
    ground.bodies.extend([4; 2]);
    let mesh = baked(&ground, 10.0);
    assert!(!has_floor(&mesh, [-1.5, 0.0, 0.0]) && !has_floor(&mesh, [1.5, 0.0, 0.0]));
    assert!(has_floor(&mesh, [0.0, 3.0, 0.0]));
}

/// A staircase of boxes along an axis that is turned about +Y, from a floor up to a landing.
fn staircase(rise: f32, tread: f32, angle: f32, from: Vec3) -> (GroundTriangles, Vec3, Vec3) {
    let mut ground = floor(10.0);
    let turn = glam::Quat::from_rotation_y(angle);
    let n = (2.4 / rise).ceil() as usize;
    let mut add = |middle: Vec3, size: Vec3| {
        let first = ground.vertices.len();
        add_box(&mut ground, middle, size, 0);
        for at in &mut ground.vertices[first..] {
            *at = from + turn * *at;
        }
    };
    for i in 0..n {
        let height = rise * (i + 1) as f32;
        let middle = Vec3::new(0.0, height * 0.5, tread * (i as f32 + 0.5));
        add(middle, Vec3::new(1.6, height, tread));
    }
    let (height, end) = (rise * n as f32, tread * n as f32);
    add(
        Vec3::new(0.0, height * 0.5, end + 1.0),
        Vec3::new(2.4, height, 2.0),
    );
    let foot = from + turn * Vec3::new(0.0, 0.0, -1.2);
    (
        ground,
        foot,
        from + turn * Vec3::new(0.0, height, end + 1.0),
    )
}

#[test]
fn stairs_are_climbed_with_the_default_settings_and_finer_ones() {
    let defaults = options(10.0);
    let settings = [
        defaults,
        BakeOptions {
            cell: 0.2,
            ..defaults
        },
        BakeOptions {
            cell: 0.1,
            step: 0.2,
            ..defaults
        },
        BakeOptions {
            cell: 0.1,
            ..defaults
        },
    ];
    for (rise, tread) in [
        (0.15, 0.32),
        (0.15, 0.25),
        (0.17, 0.29),
        (0.17, 0.25),
        (0.2, 0.3),
        (0.2, 0.25),
    ] {
        for (k, angle) in [0.0, 0.35, 0.79, 1.3, 2.2].into_iter().enumerate() {
            let from = Vec3::new(0.031, 0.0, -0.047) * k as f32;
            let (ground, foot, top) = staircase(rise, tread, angle, from);
            for own in settings {
                let mesh = Baked::new(&ground, &own).unwrap().mesh(&[], &[]).unwrap();
                let what = || {
                    format!(
                        "rise {rise}, tread {tread}, angle {angle}, cell {}",
                        own.cell
                    )
                };
                let (Some(foot), Some(top)) = (mesh.nearest(foot, 0.5), mesh.nearest(top, 0.5))
                else {
                    panic!("no floor: {}", what());
                };
                let Some(route) = Route::find(&mesh, foot, top) else {
                    panic!("no path: {}", what());
                };
                let direct = foot.at.distance(top.at);
                assert!(route.length(&mesh, foot.at) < 1.2 * direct, "{}", what());
            }
        }
    }
}

#[test]
fn a_wall_higher_than_a_step_is_not_climbed() {
    for (height, climbs) in [(0.3, true), (0.39, true), (0.52, false), (0.7, false)] {
        let mut ground = floor(10.0);
        add_box(
            &mut ground,
            Vec3::new(0.0, height * 0.5, 0.0),
            Vec3::new(6.0, height, 6.0),
            0,
        );
        let mesh = baked(&ground, 10.0);
        let [from, to] =
            [[-6.0, 0.0, 0.0], [0.0, height, 0.0]].map(|at| mesh.nearest(at.into(), 0.3).unwrap());
        assert_eq!(Route::find(&mesh, from, to).is_some(), climbs, "{height}");
    }
}
