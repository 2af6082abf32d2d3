//! The fundamental diagram: speed of agents that walk in one direction, by their density.

use std::f32::consts::TAU;

use glam::Vec2;

use super::{HERTZ, NoScript, Scene};
use crate::tick;

/// Radii of the walls of a ring in which agents walk without end, metres, and number of pieces of each wall.
const INNER: f32 = 5.0;
const OUTER: f32 = 7.0;
const N_WALLS: u32 = 64;
/// Minimum distance of goals from the walls, metres, and angle to the next goal, radians.
const MARGIN: f32 = 0.3;
const AHEAD: f32 = 0.25;
/// Ticks between two goals of an agent.
const PERIOD: u32 = 5;
/// Time without measurement, and duration of the measurement, seconds.
const SETTLE: f32 = 10.0;
const MEASURE: f32 = 10.0;
/// Maximum difference from the speeds of people, m/s.
const TOLERANCE: f32 = 0.25;

/// Mean speed of `density` agents per square metre along a ring, m/s.
fn speed_at(density: f32, seed: u64) -> f32 {
    let mut scene = Scene::new(seed);
    for radius in [INNER, OUTER] {
        let at = |k: u32| Vec2::from_angle(TAU * k as f32 / N_WALLS as f32) * radius;
        scene.walls.extend((0..N_WALLS).map(|k| [at(k), at(k + 1)]));
    }
    let area = TAU / 2.0 * (OUTER * OUTER - INNER * INNER);
    let n = (density * area).round() as usize;
    scene = scene.agents(n, Vec2::ZERO, Vec2::splat(40.0), |from| from);
    let crowd = scene.crowds[0];
    let n_lanes = 4;
    let mut sum = 0.0;
    for k in 0..((SETTLE + MEASURE) * HERTZ) as u32 {
        let crowd = scene.stage.agents.crowds.get_mut(crowd).unwrap();
        for (i, person) in crowd.agents.iter_mut().enumerate() {
            if k == 0 {
                let (lane, place) = (i % n_lanes, i / n_lanes);
                let width = (OUTER - INNER - 2.0 * MARGIN) / (n_lanes - 1) as f32;
                let angle = (place as f32 + 0.5 * (lane % 2) as f32) / n.div_ceil(n_lanes) as f32;
                let at = Vec2::from_angle(TAU * angle) * (INNER + MARGIN + width * lane as f32);
                person.teleport(glam::Vec3::new(at.x, 0.0, at.y), None);
            }
            if (k + i as u32).is_multiple_of(PERIOD) || k == 0 {
                let at = person.agent.at;
                let radius = at.length().clamp(INNER + MARGIN, OUTER - MARGIN);
                person.send(Some(
                    Vec2::from_angle(AHEAD).rotate(at.normalize()) * radius,
                ));
            }
        }
        tick(&mut scene.stage, &mut NoScript);
        if k as f32 >= SETTLE * HERTZ {
            let people = scene.all_agents();
            let along = people.iter().map(|person| {
                person
                    .agent
                    .at
                    .normalize()
                    .perp()
                    .dot(person.agent.velocity)
            });
            sum += along.sum::<f32>() / n as f32;
        }
    }
    sum / (MEASURE * HERTZ)
}

/// Speed of people at a density, m/s (Weidmann 1993, "Transporttechnik der Fußgänger").
fn weidmann(density: f32) -> f32 {
    1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())
}

#[test]
fn agents_walk_more_slowly_in_denser_crowds_as_people_do() {
    let mut before = f32::INFINITY;
    for density in [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5] {
        let (speed, expected) = (speed_at(density, 1), weidmann(density));
        println!("{density} per m²: {speed:.2} m/s, people {expected:.2}");
        assert!(
            (speed - expected).abs() < TOLERANCE,
            "{density}: {speed} {expected}"
        );
        assert!(
            speed > 0.04 && speed < before,
            "{density}: {speed} {before}"
        );
        before = speed;
    }
}
