//! Tests of the particle simulation against known results, and of ropes and cloth.

use std::f32::consts::PI;

use glam::{Affine3A, Quat, Vec3};

use super::shapes::{add_box, add_figure, add_tetrahedron};
use super::{
    Fabric, FabricOptions, Particle, ParticleLink, ParticleLinkKind, ParticleObstacle,
    ParticleScene, ParticleWorld,
};

const FLOOR: ParticleObstacle = ParticleObstacle::Plane {
    normal: Vec3::Y,
    height: 0.0,
};

fn still(_: Vec3) -> Vec3 {
    Vec3::ZERO
}

fn scene(obstacles: &[ParticleObstacle]) -> ParticleScene<'_> {
    ParticleScene {
        now: obstacles,
        before: obstacles,
        ..ParticleScene::default()
    }
}

fn one(position: Vec3, bounce: f32) -> ParticleWorld {
    let mut world = ParticleWorld::default();
    world.add(Particle {
        restitution: bounce,
        ..Particle::new(position, 1.0)
    });
    world
}

/// s = ½gt².
#[test]
fn a_particle_falls_half_g_t_squared() {
    for hz in [30.0, 60.0, 240.0] {
        let mut world = one(Vec3::Y * 100.0, 0.0);
        for _ in 0..(2.0 * hz) as usize {
            world.advance(1.0 / hz, &ParticleScene::default());
        }
        let fallen = 100.0 - world.particles[0].position.y;
        assert!((fallen - 0.5 * 9.8 * 4.0).abs() < 0.05, "{hz} {fallen}");
    }
}

/// Rebound height = restitution² · drop height, for any mass.
#[test]
fn a_particle_rebounds_to_restitution_squared_of_its_drop() {
    for (bounce, mass) in [(0.0, 1.0), (0.3, 10.0), (0.6, 0.1), (0.9, 1.0), (1.0, 2.0)] {
        let mut world = one(Vec3::Y * 2.0, bounce);
        world.particles[0].inverse_mass = 1.0 / mass;
        let (mut hit, mut top) = (false, 0.0_f32);
        for _ in 0..400 {
            let before = world.particles[0].position.y;
            world.advance(1.0 / 240.0, &scene(&[FLOOR]));
            let now = world.particles[0].position.y;
            if hit && now < before {
                break;
            }
            hit |= now > before || now <= 1e-6;
            if hit {
                top = top.max(now);
            }
        }
        let expected = bounce * bounce * 2.0;
        assert!((top - expected).abs() < 0.02, "{bounce} {top} {expected}");
    }
}

/// A wall removes the velocity into it.
#[test]
fn a_wall_removes_the_speed_into_it_and_keeps_the_speed_along_it() {
    let wall = ParticleObstacle::Box {
        center: Vec3::X * 3.0,
        rotation: Quat::IDENTITY,
        half: Vec3::new(1.0, 5.0, 5.0),
    };
    let mut world = one(Vec3::ZERO, 0.0);
    world.gravity = Vec3::ZERO;
    world.particles[0].displacement = Vec3::new(4.0, 0.0, 1.0) * world.step;
    for _ in 0..120 {
        world.advance(1.0 / 60.0, &scene(&[wall]));
    }
    let p = world.particles[0];
    let speed = p.displacement * 480.0;
    assert!((p.position.x - 2.0).abs() < 1e-4, "{}", p.position);
    assert!(
        speed.x.abs() < 1e-3 && (speed.z - 1.0).abs() < 1e-2,
        "{speed}"
    );
}

/// A spring oscillates at sqrt(k/m) / 2π.
#[test]
fn a_hooke_spring_swings_at_its_frequency_and_damping_ends_it() {
    let run = |stiffness: f32, mass: f32, damping: f32| {
        let mut world = ParticleWorld {
            gravity: Vec3::ZERO,
            ..ParticleWorld::default()
        };
        let a = world.add(Particle::new(Vec3::ZERO, 0.0));
        let b = world.add(Particle::new(Vec3::X * 1.2, mass));
        let kind = ParticleLinkKind::Spring { stiffness, damping };
        world.links.push(ParticleLink {
            a,
            b,
            rest: 1.0,
            kind,
        });
        (0..960)
            .map(|_| {
                world.advance(1.0 / 240.0, &ParticleScene::default());
                world.particles[1].position.x - 1.0
            })
            .collect::<Vec<f32>>()
    };
    for (stiffness, mass) in [(50.0, 1.0), (200.0, 2.0), (400.0, 0.5)] {
        let path = run(stiffness, mass, 0.0);
        let ups: Vec<usize> = (1..path.len())
            .filter(|&i| path[i - 1] < 0.0 && path[i] >= 0.0)
            .collect();
        let n = ups.len() - 1;
        let period = (ups[n] - ups[0]) as f32 / 240.0 / n as f32;
        let expected = 2.0 * PI * (mass / stiffness).sqrt();
        assert!(
            (period / expected - 1.0).abs() < 0.01,
            "{period} {expected}"
        );
        let last = path[800..].iter().fold(0.0_f32, |a, b| a.max(b.abs()));
        assert!(
            (last - 0.2).abs() < 0.005,
            "without damping it continues: {last}"
        );
    }
    let damped = run(50.0, 1.0, 3.0);
    assert!(damped[900..].iter().all(|x| x.abs() < 1e-3));
}

/// The distance equals the rest length after each solve; zero distance gives no NaN.
#[test]
fn a_rod_keeps_its_length_and_zero_length_gives_no_nan() {
    let mut world = ParticleWorld::default();
    let a = world.add(Particle::new(Vec3::ZERO, 1.0));
    let b = world.add(Particle::new(Vec3::new(0.3, 0.4, 0.0), 3.0));
    let kind = ParticleLinkKind::Rod { compliance: 0.0 };
    world.links.push(ParticleLink {
        a,
        b,
        rest: 1.0,
        kind,
    });
    world.gravity = Vec3::ZERO;
    let middle = (world.particles[0].position + 3.0 * world.particles[1].position) / 4.0;
    world.advance(1.0 / 60.0, &ParticleScene::default());
    let [p, q] = [world.particles[0].position, world.particles[1].position];
    assert!((p.distance(q) - 1.0).abs() < 1e-5);
    assert!(
        ((p + 3.0 * q) / 4.0).distance(middle) < 0.05,
        "the heavy one moves less"
    );
    let mut world = ParticleWorld::default();
    for _ in 0..3 {
        world.add(Particle::new(Vec3::Y, 1.0));
    }
    world.join(0, 1, kind);
    world.join(
        1,
        2,
        ParticleLinkKind::Spring {
            stiffness: 100.0,
            damping: 1.0,
        },
    );
    world.links.push(ParticleLink {
        a: 0,
        b: 2,
        rest: 1.0,
        kind,
    });
    for _ in 0..60 {
        world.advance(1.0 / 60.0, &scene(&[FLOOR]));
        assert!(world.particles.iter().all(|p| p.position.is_finite()));
    }
}

/// Compares the point test with its definition: in the box's space, each axis separately.
#[test]
fn a_point_is_in_a_rotated_box_when_it_is_within_each_axis() {
    let rotation = Quat::from_euler(glam::EulerRot::YXZ, 0.7, -0.4, 1.1);
    let (center, half) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.5, 1.0, 2.0));
    let shape = ParticleObstacle::Box {
        center,
        rotation,
        half,
    };
    let mut n_inside = 0;
    for i in 0..20 {
        for j in 0..20 {
            for k in 0..20 {
                let p = center + (Vec3::new(i as f32, j as f32, k as f32) / 19.0 - 0.5) * 5.0;
                let local = glam::Mat4::from_rotation_translation(rotation, center)
                    .inverse()
                    .transform_point3(p);
                let inside = local.abs().cmple(half).all();
                assert_eq!(shape.contains(p), inside, "{p}");
                n_inside += usize::from(inside);
                let (distance, out) = shape.distance(p);
                let on_surface = p - out * distance;
                assert!(shape.distance(on_surface).0.abs() < 1e-4);
            }
        }
    }
    assert!(n_inside > 300, "{n_inside}");
}

/// Boxes and tetrahedra of rods, and a figure, fall, come to rest and keep their shape.
#[test]
fn shapes_of_rods_fall_and_keep_their_shape() {
    let mut world = ParticleWorld {
        passes: 4,
        ..ParticleWorld::default()
    };
    add_box(&mut world, Vec3::Y * 2.0, Vec3::new(0.4, 0.6, 0.8), 5.0);
    add_tetrahedron(&mut world, Vec3::new(3.0, 2.0, 0.0), 0.5, 1.0);
    let positions = [
        (Vec3::new(-3.0, 1.0, 0.0), None),
        (Vec3::new(-3.0, 1.5, 0.0), Some(0)),
        (Vec3::new(-2.8, 0.5, 0.0), Some(0)),
        (Vec3::new(-3.2, 0.5, 0.1), Some(0)),
    ];
    add_figure(&mut world, &positions, 60.0);
    for p in &mut world.particles {
        p.friction = 0.5;
    }
    let rigid = |link: &ParticleLink| link.kind == ParticleLinkKind::Rod { compliance: 0.0 };
    let ground = ParticleObstacle::Box {
        center: Vec3::NEG_Y * 0.5,
        rotation: Quat::from_rotation_z(0.05),
        half: Vec3::new(10.0, 0.5, 10.0),
    };
    for _ in 0..300 {
        world.advance(1.0 / 60.0, &scene(&[ground]));
    }
    for link in world.links.iter().filter(|link| rigid(link)) {
        let [a, b] = [link.a, link.b].map(|i| world.particles[i as usize].position);
        assert!((a.distance(b) / link.rest - 1.0).abs() < 0.02, "{link:?}");
    }
    let speed = world.particles.iter().map(|p| p.displacement.length());
    assert!(speed.fold(0.0, f32::max) * 480.0 < 0.05);
    assert!(
        world
            .particles
            .iter()
            .all(|p| ground.distance(p.position).0 > -1e-3)
    );
}

fn rope(scale: f32, options: FabricOptions) -> Fabric {
    let lane = (0..20).map(|i| Vec3::new(i as f32 * 0.05, 2.0, 0.0) * scale);
    let mut rope = Fabric::new(&[lane.collect()], options);
    rope.hold(&[0]);
    rope.pins = vec![(0, Vec3::Y * 2.0 * scale)];
    rope
}

fn cloth(scale: f32, options: FabricOptions) -> Fabric {
    let lane =
        |c: i32| (0..12).map(move |r| Vec3::new(c as f32 * 0.08, 2.0, r as f32 * 0.08) * scale);
    let lanes: Vec<Vec<Vec3>> = (0..10).map(|c| lane(c).collect()).collect();
    let mut cloth = Fabric::new(&lanes, options);
    let pins: Vec<u32> = cloth.lanes.iter().map(|lane| lane[0]).collect();
    cloth.hold(&pins);
    let at = |i: &u32| (*i, cloth.world.particles[*i as usize].position);
    cloth.pins = pins.iter().map(at).collect();
    cloth
}

/// Longest part, relative to its rest length.
fn longest(fabric: &Fabric) -> f32 {
    let stretch = |lane: &Vec<u32>| {
        let at = |i: u32| fabric.world.particles[i as usize].position;
        let length: f32 = lane.windows(2).map(|w| at(w[0]).distance(at(w[1]))).sum();
        let rest: f32 = lane
            .windows(2)
            .map(|w| fabric.rest_of(w[0]).distance(fabric.rest_of(w[1])))
            .sum();
        length / rest
    };
    fabric.lanes.iter().map(stretch).fold(0.0, f32::max)
}

#[test]
fn ropes_and_cloth_come_to_rest_at_any_rate_and_size() {
    for hz in [30.0, 60.0, 144.0, 240.0] {
        for scale in [0.1, 1.0, 10.0] {
            for mut fabric in [
                rope(
                    scale,
                    FabricOptions {
                        end_mass: 30.0,
                        drag: 2.0,
                        ..FabricOptions::default()
                    },
                ),
                cloth(
                    scale,
                    FabricOptions {
                        drag: 2.0,
                        ..FabricOptions::default()
                    },
                ),
            ] {
                for _ in 0..(10.0 * hz) as usize {
                    fabric.advance(1.0 / hz, &[FLOOR], &still);
                    let all = &fabric.world.particles;
                    assert!(all.iter().all(|p| p.position.is_finite()));
                }
                let long = longest(&fabric);
                assert!((0.9..1.05).contains(&long), "{hz} {scale} {long}");
                let speed = fabric
                    .world
                    .particles
                    .iter()
                    .map(|p| p.displacement.length());
                let fastest = speed.fold(0.0, f32::max) * 480.0;
                assert!(fastest < 0.15 * scale.max(1.0), "{hz} {scale} {fastest}");
            }
        }
    }
}

#[test]
fn energy_never_grows_without_input() {
    for mut fabric in [
        rope(1.0, FabricOptions::default()),
        cloth(1.0, FabricOptions::default()),
    ] {
        fabric.world.drag = 0.0;
        fabric.options.wind_scale = 0.0;
        fabric.advance(1.0 / 60.0, &[], &still);
        let mut last = fabric.world.energy();
        let start = last;
        for _ in 0..600 {
            fabric.advance(1.0 / 60.0, &[], &still);
            let now = fabric.world.energy();
            assert!(now <= last + 2e-3 * start.abs(), "{now} {last}");
            last = last.min(now);
        }
        assert!(last < start);
    }
}

#[test]
fn cloth_rests_on_a_ball_and_moves_with_it() {
    let lane = |c: i32| (0..14).map(move |r| Vec3::new(c as f32 - 6.5, 12.0, r as f32 - 6.5) * 0.1);
    let lanes: Vec<Vec<Vec3>> = (0..14).map(|c| lane(c).collect()).collect();
    let options = FabricOptions {
        friction: 1.0,
        collision_margin: 0.02,
        ..FabricOptions::default()
    };
    let mut fabric = Fabric::new(&lanes, options);
    let ball = |x: f32| ParticleObstacle::Sphere {
        center: Vec3::new(x, 0.6, 0.0),
        radius: 0.4,
    };
    for i in 0..240 {
        let x = (i - 120).max(0) as f32 * 0.004;
        fabric.advance(1.0 / 60.0, &[ball(x), FLOOR], &still);
    }
    let x = 119.0 * 0.004;
    for p in &fabric.world.particles {
        assert!(ball(x).distance(p.position).0 > 0.015, "{}", p.position);
        assert!(p.position.y > 0.015);
    }
    let n = fabric.n_particles() as f32;
    let middle = fabric
        .world
        .particles
        .iter()
        .map(|p| p.position)
        .sum::<Vec3>()
        / n;
    assert!((middle.x - x).abs() < 0.12, "carried along: {middle}");
    assert!(middle.y > 0.5, "{middle}");
}

#[test]
fn wind_lifts_cloth_and_a_teleport_changes_only_the_position() {
    let run = |speed: f32| {
        let mut fabric = cloth(1.0, FabricOptions::default());
        for _ in 0..240 {
            fabric.advance(1.0 / 60.0, &[], &|_| Vec3::Z * speed);
        }
        fabric
    };
    let lowest = |f: &Fabric| {
        f.world
            .particles
            .iter()
            .map(|p| p.position.y)
            .fold(9.0, f32::min)
    };
    assert!(lowest(&run(0.0)) < 1.2, "{}", lowest(&run(0.0)));
    assert!(lowest(&run(9.0)) > 1.3, "{}", lowest(&run(9.0)));
    let (mut here, mut there) = (run(3.0), run(3.0));
    let by = Affine3A::from_translation(Vec3::new(8.0, 0.0, -16.0));
    there.teleport(by);
    for pin in &mut there.pins {
        pin.1 = by.transform_point3(pin.1);
    }
    for _ in 0..60 {
        for fabric in [&mut here, &mut there] {
            fabric.advance(1.0 / 60.0, &[], &|_| Vec3::Z * 3.0);
        }
    }
    for (a, b) in here.world.particles.iter().zip(&there.world.particles) {
        assert!(by.transform_point3(a.position).distance(b.position) < 0.02);
    }
}

#[test]
fn frames_are_upright_and_normals_rotate_with_the_cloth() {
    let mut fabric = cloth(
        1.0,
        FabricOptions {
            drag: 4.0,
            ..FabricOptions::default()
        },
    );
    let mut flat = Vec::new();
    fabric.frames(|_, _, turn| flat.push(turn * Vec3::Z));
    assert!(flat.iter().all(|n| n.y > 0.999), "it was laid flat");
    for _ in 0..600 {
        fabric.advance(1.0 / 60.0, &[], &still);
    }
    let mut hung = Vec::new();
    fabric.frames(|_, _, turn| hung.push((turn * Vec3::Z, turn.length())));
    let down = hung.iter().filter(|(n, _)| n.z > 0.9).count();
    assert!(
        down * 10 > hung.len() * 8,
        "{down} of {} face ahead",
        hung.len()
    );
    assert!(hung.iter().all(|(_, length)| (length - 1.0).abs() < 1e-4));
}
