//! Tests of loose cloth that folds, drapes and rests, and of capes in fast motion.

use std::f32::consts::PI;

use glam::{Affine3A, Quat, Vec3};

use super::{Fabric, FabricOptions, ParticleObstacle};

const FLOOR: ParticleObstacle = ParticleObstacle::Plane {
    normal: Vec3::Y,
    height: 0.0,
};

fn still(_: Vec3) -> Vec3 {
    Vec3::ZERO
}

/// A flat sheet of cloth, `size` metres a side, that hangs down from its upper edge before it is rotated.
fn sheet(n: usize, size: f32, at: Affine3A) -> Fabric {
    let position = |c: usize, r: usize| {
        let [u, v] = [c, r].map(|i| i as f32 / (n - 1) as f32);
        at.transform_point3(Vec3::new((u - 0.5) * size, -v * size, 0.0))
    };
    let lanes: Vec<Vec<Vec3>> = (0..n)
        .map(|c| (0..n).map(|r| position(c, r)).collect())
        .collect();
    Fabric::new(&lanes, FabricOptions::default())
}

fn flat_at(height: f32) -> Affine3A {
    let rotation = Quat::from_rotation_x(-PI / 2.0);
    Affine3A::from_rotation_translation(rotation, Vec3::new(0.0, height, -0.6))
}

/// Longest thread between neighbours, relative to its rest length.
fn longest_thread(fabric: &Fabric) -> f32 {
    let at = |i: u32| fabric.world.particles[i as usize].position;
    let stretch =
        |a: u32, b: u32| at(a).distance(at(b)) / fabric.rest_of(a).distance(fabric.rest_of(b));
    let down = fabric
        .lanes
        .iter()
        .flat_map(|lane| lane.windows(2).map(|w| stretch(w[0], w[1])));
    let across = fabric
        .lanes
        .windows(2)
        .flat_map(|pair| pair[0].iter().zip(&pair[1]));
    down.chain(across.map(|(a, b)| stretch(*a, *b)))
        .fold(0.0, f32::max)
}

/// Area of the triangles between lanes, square metres.
fn area(fabric: &Fabric) -> f32 {
    let at = |i: u32| fabric.world.particles[i as usize].position;
    let triangle = |a, b, c| (at(b) - at(a)).cross(at(c) - at(a)).length() * 0.5;
    let mut sum = 0.0;
    for pair in fabric.lanes.windows(2) {
        for (l, r) in pair[0].windows(2).zip(pair[1].windows(2)) {
            sum += triangle(l[0], l[1], r[0]) + triangle(r[0], l[1], r[1]);
        }
    }
    sum
}

/// Advances a loose piece for some seconds, in which no thread may become too long. Returns the speed of the fastest
/// particle in the last tick, m/s, and the corners of the bounding box.
fn drop_loose(
    fabric: &mut Fabric,
    obstacles: &[ParticleObstacle],
    seconds: usize,
) -> (f32, [Vec3; 2]) {
    let mut fastest = 0.0;
    for tick in 0..seconds * 60 {
        let before: Vec<Vec3> = fabric.world.particles.iter().map(|p| p.position).collect();
        fabric.advance(1.0 / 60.0, obstacles, &still);
        let now = fabric.world.particles.iter().map(|p| p.position);
        fastest = now
            .zip(before)
            .map(|(a, b)| a.distance(b) * 60.0)
            .fold(0.0, f32::max);
        let longest = longest_thread(fabric);
        assert!(longest <= 1.1, "{longest} at {tick}");
    }
    let all = || fabric.world.particles.iter().map(|p| p.position);
    let corners = [
        all().fold(Vec3::INFINITY, Vec3::min),
        all().fold(Vec3::NEG_INFINITY, Vec3::max),
    ];
    (fastest, corners)
}

#[test]
fn loose_cloth_falls_on_its_edge_folds_and_comes_to_rest() {
    for n in [8, 12, 20] {
        let mut fabric = sheet(n, 1.2, Affine3A::from_translation(Vec3::Y * 2.0));
        fabric.crease();
        let (speed, [low, high]) = drop_loose(&mut fabric, &[FLOOR], 8);
        assert!(speed < 0.01, "{n}: {speed} m/s");
        let size = high - low;
        assert!(size.y < 0.4, "{n}: it does not stand: {size}");
        assert!(size.z > 0.25 && size.x < 1.7 && size.z < 1.7, "{n}: {size}");
        assert!(low.y > 0.0, "{n}: {low}");
        assert!(
            (area(&fabric) / 1.44 - 1.0).abs() < 0.05,
            "{n}: {} m²",
            area(&fabric)
        );
    }
}

#[test]
fn cloth_that_falls_flat_drapes_over_obstacles() {
    let ball = ParticleObstacle::Sphere {
        center: Vec3::Y * 0.6,
        radius: 0.3,
    };
    let cube = ParticleObstacle::Box {
        center: Vec3::Y * 0.6,
        rotation: Quat::from_rotation_y(0.3),
        half: Vec3::splat(0.3),
    };
    let beam = ParticleObstacle::Capsule {
        a: Vec3::new(-0.8, 0.8, 0.0),
        b: Vec3::new(0.8, 0.8, 0.0),
        radius: 0.1,
    };
    for under in [ball, cube, beam] {
        let mut fabric = sheet(16, 1.2, flat_at(1.4));
        fabric.crease();
        let (speed, [_, high]) = drop_loose(&mut fabric, &[FLOOR, under], 8);
        assert!(speed < 0.01, "{under:?}: {speed} m/s");
        assert!(
            (high.y - 0.915).abs() < 0.03,
            "{under:?}: it stays on top: {high}"
        );
        let corner = |lane: usize, row: usize| {
            fabric.world.particles[fabric.lanes[lane][row] as usize].position
        };
        for [lane, row] in [[0, 0], [0, 15], [15, 0], [15, 15]] {
            let at = corner(lane, row);
            assert!(at.y < 0.55, "{under:?}: a corner hangs: {at}");
        }
        assert!(
            (area(&fabric) / 1.44 - 1.0).abs() < 0.05,
            "{under:?}: {} m²",
            area(&fabric)
        );
        for p in &fabric.world.particles {
            assert!(under.distance(p.position).0 > 0.005, "{}", p.position);
        }
    }
}

#[test]
fn sleeping_cloth_wakes_when_its_support_moves_and_when_the_wind_blows() {
    let table = |x: f32| ParticleObstacle::Box {
        center: Vec3::new(x, 0.4, 0.0),
        rotation: Quat::IDENTITY,
        half: Vec3::new(1.0, 0.1, 1.0),
    };
    let mut fabric = sheet(10, 0.8, flat_at(0.7));
    fabric.crease();
    let (speed, [low, _]) = drop_loose(&mut fabric, &[FLOOR, table(0.0)], 4);
    assert!(speed == 0.0 && low.y > 0.45, "{speed} {low}");
    let mut blown = fabric.clone();
    let (_, [_, high]) = drop_loose(&mut fabric, &[FLOOR, table(30.0)], 4);
    assert!(high.y < 0.1, "it fell on the floor: {high}");
    for _ in 0..60 {
        blown.advance(1.0 / 60.0, &[FLOOR, table(0.0)], &|_| {
            Vec3::new(9.0, 4.0, 0.0)
        });
    }
    let middle = blown.world.particles[45].position;
    assert!(middle.x > 0.2, "{middle}");
}

/// A sheet that is folded double does not fall through itself.
#[test]
fn a_layer_of_cloth_stays_above_the_layer_under_it() {
    let mut fabric = sheet(12, 1.1, flat_at(0.5));
    let fold = |i: u32| {
        let rest = fabric.rest_of(i);
        // The far half is folded back over the near one.
        let z = rest.z + 0.05;
        let height = if z > 0.0 { 0.12 } else { 0.02 };
        (i, Vec3::new(rest.x, height, -z.abs()))
    };
    let positions: Vec<(u32, Vec3)> = (0..144).map(fold).collect();
    fabric.set_positions(positions.into_iter());
    let (speed, _) = drop_loose(&mut fabric, &[FLOOR], 5);
    assert!(speed < 0.01, "{speed}");
    let n_above = fabric
        .lanes
        .iter()
        .flat_map(|lane| (0..4).map(|i| [lane[i], lane[11 - i]]))
        .map(|pair| pair.map(|i| fabric.world.particles[i as usize].position.y))
        .filter(|[a, b]| (a - b).abs() > 0.008)
        .count();
    assert!(n_above >= 44, "{n_above} of 48 are apart");
}

/// Position of the holder of a cape after some seconds.
type HolderMotion = fn(f32) -> Affine3A;

#[test]
fn a_cape_grows_by_less_than_a_tenth_however_it_is_moved() {
    let flights: [HolderMotion; 5] = [
        |t| Affine3A::from_translation(Vec3::Y * (15.0 - 4.9 * t * t).max(0.0)),
        |t| Affine3A::from_translation(Vec3::X * 30.0 * t.min(1.0)),
        |t| Affine3A::from_translation(Vec3::X * 0.95 * (31.4 * t).sin()),
        |t| Affine3A::from_translation(Vec3::X * 1.5 * (2.0 * t).floor()),
        |t| Affine3A::from_rotation_y(PI * (2.0 * t).floor()),
    ];
    let body = ParticleObstacle::Capsule {
        a: Vec3::new(0.0, 0.3, 0.25),
        b: Vec3::new(0.0, 1.5, 0.25),
        radius: 0.2,
    };
    for (flight, at) in flights.iter().enumerate() {
        for scale in [0.1, 1.0, 10.0] {
            let mut cape = sheet(10, scale, Affine3A::IDENTITY);
            let pins: Vec<u32> = cape.lanes.iter().map(|lane| lane[0]).collect();
            cape.hold(&pins);
            for tick in 0..240 {
                let now = at(tick as f32 / 60.0);
                let held = |i: &u32| (*i, now.transform_point3(cape.rest_of(*i)));
                cape.pins = pins.iter().map(held).collect();
                cape.advance(1.0 / 60.0, &[FLOOR, body], &still);
                let longest = longest_thread(&cape);
                assert!(
                    longest <= 1.1,
                    "flight {flight}, {scale}: {longest} at {tick}"
                );
            }
        }
    }
}
