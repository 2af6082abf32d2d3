use std::f32::consts::PI;

use super::*;

/// A head with a radius of 9 cm at the origin, and a shoulder below.
fn head() -> Vec<ParticleObstacle> {
    vec![
        ParticleObstacle::Sphere {
            center: Vec3::ZERO,
            radius: 0.09,
        },
        ParticleObstacle::Capsule {
            a: Vec3::new(-0.18, -0.2, 0.0),
            b: Vec3::new(0.18, -0.2, 0.0),
            radius: 0.05,
        },
    ]
}

/// Guides that start on the upper half of the head and hang down next to it, `length` metres.
fn hanging(n: usize, n_points: usize, length: f32) -> Vec<Vec<Vec3>> {
    (0..n)
        .map(|i| {
            let around = i as f32 / n as f32 * 2.0 * PI;
            let out = Vec3::new(around.cos(), 0.0, around.sin());
            let step = length / (n_points - 1) as f32;
            let mut at = (out * 0.8 + Vec3::Y * 0.6) * 0.09;
            let mut points = vec![at];
            for k in 1..n_points {
                let down = (k as f32 * step / 0.06).min(1.0);
                at += (out * (1.0 - down) + Vec3::NEG_Y * down + out * 0.12).normalize() * step;
                points.push(at);
            }
            points
        })
        .collect()
}

/// A head that shakes about +Y, nods, and moves ahead; it stops at time `until`.
fn shaking(time: f32, until: f32) -> Affine3A {
    let t = time.min(until);
    let yaw = 0.9 * (t * 7.0).sin();
    let nod = 0.3 * (t * 5.0).sin();
    let rotation = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(nod);
    Affine3A::from_rotation_translation(rotation, Vec3::new(0.0, 0.0, 1.2 * t))
}

/// A head that looks around and moves ahead, after a tenth of a second.
fn turning(t: f32) -> Affine3A {
    let t = (t - 0.1).max(0.0);
    let rotation =
        Quat::from_rotation_y(0.6 * (t * 4.0).sin()) * Quat::from_rotation_x(0.2 * (t * 3.0).sin());
    Affine3A::from_rotation_translation(rotation, Vec3::new(0.0, 0.02 * (t * 12.0).sin(), 1.2 * t))
}

fn moved(solids: &[ParticleObstacle], by: Affine3A) -> Vec<ParticleObstacle> {
    let at = |p: Vec3| by.transform_point3(p);
    let place = |solid: &ParticleObstacle| match *solid {
        ParticleObstacle::Sphere { center, radius } => ParticleObstacle::Sphere {
            center: at(center),
            radius,
        },
        ParticleObstacle::Capsule { a, b, radius } => ParticleObstacle::Capsule {
            a: at(a),
            b: at(b),
            radius,
        },
        other => other,
    };
    solids.iter().map(place).collect()
}

/// A simulation of chains on a moving head, with measurements.
struct Run {
    chains: Chains,
    colliders: Vec<ParticleObstacle>,
    hz: f32,
    tick: u32,
    before: Vec<ParticleObstacle>,
    world_from_rest: Affine3A,
}

impl Run {
    fn new(guides: &[Vec<Vec3>], options: ChainSettings, hz: f32) -> Self {
        let solids = head();
        Self {
            chains: Chains::new(guides, &solids, options),
            before: solids.clone(),
            colliders: solids,
            hz,
            tick: 0,
            world_from_rest: Affine3A::IDENTITY,
        }
    }

    fn time(&self) -> f32 {
        self.tick as f32 / self.hz
    }

    fn tick(&mut self, path: impl Fn(f32) -> Affine3A) {
        self.tick += 1;
        self.world_from_rest = path(self.time());
        let now = moved(&self.colliders, self.world_from_rest);
        self.chains.advance(&ChainInput {
            world_from_rest: self.world_from_rest,
            dt: f64::from(1.0 / self.hz),
            colliders: &now,
            wind: Vec3::ZERO,
        });
        self.before = now;
    }

    /// Lengths of the longest and the shortest segment, relative to their rest lengths.
    fn lengths(&self, guides: &[Vec<Vec3>]) -> (f32, f32) {
        let (mut longest, mut shortest) = (0.0_f32, f32::INFINITY);
        for (i, guide) in guides.iter().enumerate() {
            let points: Vec<Vec3> = self.chains.frames(i).map(|(at, _)| at).collect();
            for (now, rest) in points.windows(2).zip(guide.windows(2)) {
                let share = now[0].distance(now[1]) / rest[0].distance(rest[1]);
                (longest, shortest) = (longest.max(share), shortest.min(share));
            }
        }
        (longest, shortest)
    }

    /// Maximum depth of a point inside of a collider, beyond its depth at rest, metres.
    fn depth(&self, guides: &[Vec<Vec3>]) -> f32 {
        let mut most = 0.0_f32;
        for (i, guide) in guides.iter().enumerate() {
            for ((at, _), rest) in self.chains.frames(i).zip(guide).skip(1) {
                for (solid, still) in self.before.iter().zip(&self.colliders) {
                    let sunk = (-still.distance(*rest).0).max(0.0);
                    most = most.max(-solid.distance(at).0 - sunk);
                }
            }
        }
        most
    }

    /// Maximum distance of a point from its rest position, metres.
    fn off(&self, guides: &[Vec<Vec3>]) -> f32 {
        let mut most = 0.0_f32;
        for (i, guide) in guides.iter().enumerate() {
            for ((at, _), rest) in self.chains.frames(i).zip(guide) {
                most = most.max(at.distance(self.world_from_rest.transform_point3(*rest)));
            }
        }
        most
    }
}

#[test]
fn hair_keeps_its_rest_shape_on_a_still_head() {
    let guides = hanging(13, 16, 0.18);
    let mut run = Run::new(&guides, ChainSettings::default(), 60.0);
    for _ in 0..120 {
        run.tick(|_| Affine3A::IDENTITY);
    }
    let off = run.off(&guides);
    assert!(off < 1e-4, "{off}");
    let (_, rotation) = run.chains.frames(12).last().unwrap();
    assert!(rotation.angle_between(Quat::IDENTITY) < 1e-3);
    assert_eq!(run.chains.frames(13).count(), 0);
}

#[test]
fn shaken_hair_keeps_its_lengths_avoids_the_body_and_comes_to_rest() {
    let guides = hanging(40, 16, 0.25);
    let mut run = Run::new(&guides, ChainSettings::default(), 60.0);
    let (mut longest, mut shortest) = (0.0_f32, 1.0_f32);
    let (mut depth, mut swing) = (0.0_f32, 0.0_f32);
    while run.time() < 2.0 {
        run.tick(|t| shaking(t, 2.0));
        let (long, short) = run.lengths(&guides);
        (longest, shortest) = (longest.max(long), shortest.min(short));
        depth = depth.max(run.depth(&guides));
        swing = swing.max(run.off(&guides));
    }
    assert!(longest < 1.02, "{longest}");
    assert!(shortest > 0.9, "{shortest}");
    assert!(depth < 0.002, "{depth}");
    assert!(swing > 0.05, "{swing}");
    while run.time() < 5.0 {
        run.tick(|t| shaking(t, 2.0));
    }
    let place = |run: &Run| run.chains.frames(7).last().unwrap().0;
    let before = place(&run);
    run.tick(|t| shaking(t, 2.0));
    let speed = before.distance(place(&run)) * 60.0;
    assert!(speed < 5e-4, "{speed}");
}

#[test]
fn hair_of_a_giant_is_scaled() {
    // Roots and a part of each strand are inside of the head.
    let guides: Vec<Vec<Vec3>> = hanging(9, 16, 0.18)
        .into_iter()
        .map(|guide| guide.into_iter().map(|p| p * 0.85).collect())
        .collect();
    let at_size = |size: f32| {
        let ball = |radius: f32| ParticleObstacle::Sphere {
            center: Vec3::ZERO,
            radius,
        };
        let mut chains = Chains::new(&guides, &[ball(0.09)], ChainSettings::default());
        for _ in 0..120 {
            chains.advance(&ChainInput {
                world_from_rest: Affine3A::from_scale(Vec3::splat(size)),
                dt: 1.0 / 60.0,
                colliders: &[ball(0.09 * size)],
                wind: Vec3::ZERO,
            });
        }
        let places = (0..9).flat_map(|i| {
            chains
                .frames(i)
                .map(|(at, _)| at / size)
                .collect::<Vec<_>>()
        });
        places.collect::<Vec<Vec3>>()
    };
    let pairs = at_size(1.0).into_iter().zip(at_size(3.0));
    let most = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    assert!(most < 1e-4, "{most}");
}

#[test]
fn hair_stays_stable_at_sixty_metres_per_second() {
    let guides = hanging(16, 16, 0.25);
    let options = ChainSettings {
        air_drag: 0.0,
        ..ChainSettings::default()
    };
    let mut run = Run::new(&guides, options, 60.0);
    run.colliders.clear();
    // Accelerates for four seconds, then moves at constant speed.
    let path = |t: f32| {
        let t1 = t.min(4.0);
        Affine3A::from_translation(Vec3::Z * (7.5 * t1 * t1 + 60.0 * (t - t1)))
    };
    while run.time() < 7.0 {
        run.tick(path);
        let (long, short) = run.lengths(&guides);
        assert!(
            long < 1.02 && short > 0.95,
            "{}: {long} {short}",
            run.time()
        );
    }
    let off = run.off(&guides);
    assert!(off < 0.02, "back in its rest shape: {off}");
}

#[test]
fn hair_without_contacts_keeps_its_lengths() {
    let guides = hanging(24, 32, 0.4);
    let mut run = Run::new(&guides, ChainSettings::default(), 60.0);
    run.colliders.clear();
    let (mut longest, mut shortest) = (0.0_f32, 1.0_f32);
    while run.time() < 2.0 {
        run.tick(|t| shaking(t, 2.0));
        let (long, short) = run.lengths(&guides);
        (longest, shortest) = (longest.max(long), shortest.min(short));
    }
    assert!(longest < 1.02, "{longest}");
    assert!(shortest > 0.98, "{shortest}");
}

#[test]
fn hair_returns_to_its_rest_shape_when_the_head_is_upright_again() {
    let guides = hanging(24, 16, 0.18);
    let mut run = Run::new(&guides, ChainSettings::default(), 60.0);
    let path = |t: f32| {
        Affine3A::from_rotation_z(1.4 * (t * 2.0).sin().max(0.0) * f32::from(u8::from(t < 3.1)))
    };
    let mut fell = 0.0_f32;
    while run.time() < 6.0 {
        run.tick(path);
        fell = fell.max(run.off(&guides));
    }
    assert!(fell > 0.03, "{fell}");
    assert!(run.off(&guides) < 0.004, "{}", run.off(&guides));
}

#[test]
fn hair_moves_equally_at_any_tick_rate() {
    let guides = hanging(8, 12, 0.2);
    let at_rate = |hz: f32| {
        let mut run = Run::new(&guides, ChainSettings::default(), hz);
        let mut seen = Vec::new();
        while run.time() < 1.5 {
            run.tick(turning);
            // Samples at times where all rates have a tick.
            if run.tick.is_multiple_of(hz as u32 / 30) {
                seen.push(run.chains.frames(3).last().unwrap().0);
            }
        }
        seen
    };
    let finest = at_rate(240.0);
    for (hz, bound) in [(120.0, 0.004), (60.0, 0.006), (30.0, 0.015)] {
        let seen = at_rate(hz);
        assert_eq!(seen.len(), finest.len());
        let apart = seen.iter().zip(&finest).map(|(a, b)| a.distance(*b));
        let most = apart.fold(0.0, f32::max);
        assert!(most < bound, "{hz}: {most}");
    }
}

#[test]
fn every_instruction_set_gives_the_same_hair() {
    let guides = hanging(11, 16, 0.25);
    let at_level = |level: Level| {
        let mut run = Run::new(&guides, ChainSettings::default(), 60.0);
        for tick in 1..40 {
            let carrier = shaking(tick as f32 / 60.0, 9.0);
            let now = moved(&run.colliders, carrier);
            run.chains.advance_at(
                level,
                &ChainInput {
                    world_from_rest: carrier,
                    dt: 1.0 / 60.0,
                    colliders: &now,
                    wind: Vec3::X,
                },
            );
            run.before = now;
        }
        let tips = (0..11).map(|i| run.chains.frames(i).last().unwrap().0);
        tips.collect::<Vec<_>>()
    };
    let plain = at_level(Level::Scalar);
    for level in Level::ALL {
        for (a, b) in at_level(level).iter().zip(&plain) {
            assert!(a.distance(*b) < 2e-4, "{level:?}: {a} {b}");
        }
    }
}

#[test]
fn wet_hair_hangs_and_wind_blows_it_aside() {
    // A strand that points to the side.
    let guides = vec![
        (0..10)
            .map(|i| Vec3::X * (0.09 + 0.02 * i as f32))
            .collect::<Vec<_>>(),
    ];
    let tip = |options: ChainSettings, wind: Vec3| {
        let mut chains = Chains::new(&guides, &[], options);
        for _ in 0..240 {
            chains.advance(&ChainInput {
                world_from_rest: Affine3A::IDENTITY,
                dt: 1.0 / 60.0,
                colliders: &[],
                wind,
            });
        }
        chains.frames(0).last().unwrap().0
    };
    let dry = tip(ChainSettings::default(), Vec3::ZERO);
    assert!(dry.distance(guides[0][9]) < 1e-4, "{dry}");
    let wet = ChainSettings {
        wet: 1.0,
        ..ChainSettings::default()
    };
    let wet = tip(wet, Vec3::ZERO);
    assert!(wet.y < -0.04, "{wet}");
    let in_wind = tip(ChainSettings::default(), Vec3::Z * 6.0);
    assert!(in_wind.z > 0.02, "{in_wind}");
}

#[test]
fn hair_moves_along_in_a_teleport() {
    let guides = hanging(9, 12, 0.2);
    let mut run = Run::new(&guides, ChainSettings::default(), 60.0);
    for _ in 0..30 {
        run.tick(|t| shaking(t, 9.0));
    }
    let by = Affine3A::from_rotation_translation(
        Quat::from_rotation_y(1.0),
        Vec3::new(900.0, 3.0, 40.0),
    );
    let local = |run: &Run, carrier: Affine3A| -> Vec<Vec3> {
        let back = carrier.inverse();
        let points = run.chains.frames(5);
        points.map(|(at, _)| back.transform_point3(at)).collect()
    };
    let was = local(&run, run.world_from_rest);
    run.chains.teleport(by);
    let is = local(&run, by * run.world_from_rest);
    for (a, b) in was.iter().zip(&is) {
        assert!(a.distance(*b) < 3e-4, "{a} {b}");
    }
    let mut other = Chains::new(&guides, &head(), ChainSettings::default());
    other.continue_from(&run.chains);
    let tip = |chains: &Chains| chains.frames(5).last().unwrap().0;
    assert_eq!(tip(&other), tip(&run.chains));
}

#[test]
fn invalid_guides_and_nan_input_are_harmless() {
    let none = Chains::new(&[vec![Vec3::ZERO]], &[], ChainSettings::default());
    assert!(none.is_empty());
    assert_eq!(none.frames(0).count(), 0);
    // Points at one position, and one guide of another length.
    let odd = vec![vec![Vec3::ZERO; 4], vec![Vec3::ZERO, Vec3::Y]];
    let mut chains = Chains::new(&odd, &[], ChainSettings::default());
    assert_eq!(chains.len(), 1);
    let input = |carrier: Affine3A, wind: Vec3| ChainInput {
        world_from_rest: carrier,
        dt: 1.0 / 60.0,
        colliders: &[],
        wind,
    };
    chains.advance(&input(Affine3A::IDENTITY, Vec3::ZERO));
    chains.advance(&input(Affine3A::from_translation(Vec3::NAN), Vec3::ZERO));
    chains.advance(&input(Affine3A::from_translation(Vec3::X), Vec3::NAN));
    for (at, rotation) in chains.frames(0) {
        assert!(at.is_finite() && rotation.is_finite(), "{at} {rotation}");
        assert!(at.distance(Vec3::X) < 1e-3, "{at}");
    }
}
