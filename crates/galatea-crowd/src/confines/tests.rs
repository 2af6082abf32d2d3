//! Limits of a flock that no rule breaks.

use glam::Vec3;

use crate::{Attractor, Boid, FlockHome, FlockRules, Flocking};
use galatea_math::random::RandomSource;

const DT: f32 = 1.0 / 60.0;
const HOME: FlockHome = FlockHome {
    at: Vec3::new(3.0, 40.0, -2.0),
    radius: 20.0,
    weight: 2.0,
};

fn rules() -> FlockRules {
    FlockRules {
        speed: [5.0, 9.0],
        home: Some(HOME),
        ..FlockRules::default()
    }
}

fn step(flocking: &mut Flocking, boids: &mut [Boid], rules: &FlockRules) {
    flocking.step(boids, rules, &[], |_| 0.0, |_, _| false, DT);
}

#[test]
fn a_bird_turns_back_as_its_turning_circle_demands() {
    let rules = rules();
    let most = rules.turn_rate * rules.speed[1] * DT;
    let mut chance = RandomSource::new(3);
    let mut farthest = 0.0_f32;
    for _ in 0..200 {
        let mut way = || {
            Vec3::new(
                chance.about_zero(),
                chance.about_zero(),
                chance.about_zero(),
            )
        };
        let mut boids = [Boid {
            at: HOME.at + way() * 5.0,
            velocity: way().normalize() * 9.0,
        }];
        // Motion along the radius is the worst case.
        if chance.unit() < 0.3 {
            boids[0].velocity = (boids[0].at - HOME.at).normalize() * 9.0;
        }
        let mut flocking = Flocking::default();
        for _ in 0..600 {
            let was = boids[0].velocity;
            step(&mut flocking, &mut boids, &rules);
            let change = boids[0].velocity.distance(was);
            assert!(change < most + 0.02, "{change}");
            farthest = farthest.max(boids[0].at.distance(HOME.at));
        }
    }
    assert!(
        farthest > 18.0 && farthest < 1.1 * HOME.radius,
        "{farthest}"
    );
}

#[test]
fn no_pull_drives_a_flock_out_of_its_home_or_into_one_point() {
    for weight in [60.0, -60.0] {
        let mut chance = RandomSource::new(4);
        let mut boids: Vec<Boid> = (0..300)
            .map(|k| {
                let cell = Vec3::new((k % 10) as f32, (k / 10 % 6) as f32, (k / 60) as f32);
                Boid {
                    at: HOME.at + (cell - 4.0) * 0.9,
                    velocity: Vec3::X * chance.between(5.0, 9.0),
                }
            })
            .collect();
        let mut rules = rules();
        rules.cohesion = 20.0;
        let (mut flocking, mut nearest) = (Flocking::default(), f32::INFINITY);
        for k in 0..1200 {
            let t = k as f32 * DT;
            let out = Vec3::new(t.sin(), 0.2, t.cos()) * 24.0;
            rules.attractors = vec![Attractor {
                position: HOME.at + if weight > 0.0 { out } else { out * 0.3 },
                weight,
                range: f32::INFINITY,
            }];
            let before = boids.clone();
            step(&mut flocking, &mut boids, &rules);
            for (i, boid) in boids.iter().enumerate() {
                let off = boid.at.distance(HOME.at);
                assert!(off <= 1.1 * HOME.radius + 1e-3, "{weight}, tick {k}: {off}");
                let gone = boid.at.distance(before[i].at);
                assert!(gone < 1.51 * 9.0 * DT, "{weight}, tick {k}: {gone}");
                let others = boids[i + 1..]
                    .iter()
                    .map(|other| other.at.distance(boid.at));
                nearest = others.fold(nearest, f32::min);
            }
        }
        assert!(nearest > 0.299 && nearest < 0.5, "{weight}: {nearest}");
    }
}

#[test]
fn birds_that_start_at_one_position_separate_and_the_classic_flock_has_no_limits() {
    let same = Boid {
        at: HOME.at,
        velocity: Vec3::X * 6.0,
    };
    let nearest = |boids: &[Boid]| {
        let pairs = boids.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| boids[i + 1..].iter().map(|b| a.at.distance(b.at)));
        pairs.fold(f32::INFINITY, f32::min)
    };
    let mut boids = [same; 12];
    let mut flocking = Flocking::default();
    for _ in 0..240 {
        step(&mut flocking, &mut boids, &rules());
    }
    assert!(nearest(&boids) > 0.299, "{}", nearest(&boids));
    let book = FlockRules::classic();
    let at = Vec3::new(0.0, 15.0, 0.0);
    let mut boids = [Boid { at, ..same }; 2];
    step(&mut flocking, &mut boids, &book);
    assert_eq!(boids[0].at, boids[1].at);
}
