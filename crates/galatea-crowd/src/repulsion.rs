//! The crowd style "book": the crowd and the obstacles of *Character Animation with Direct3D* (Granberg 2009, chapter
//! 13), for comparison. The force of an obstacle follows the book's text, not its printed program.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::agent::Agent;
use super::rows::SortedRows;

/// Distance within which agents repel each other, metres, and weight of the repulsion.
pub const INFLUENCE: f32 = 3.0;
const REPULSION: f32 = 5.0;
/// Speed, m/s.
pub const SPEED: f32 = 2.0;
/// Minimum distance between two agents, metres.
const SIZE: f32 = 1.0;
/// Distance from its goal at which an agent has arrived, metres.
pub const NEAR_GOAL: f32 = 3.0;
/// Weight of an obstacle, and its range in radii.
const STRENGTH: f32 = 10.0;
const REACH: f32 = 3.0;

/// A repulsive force around a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepulsionField {
    /// Centre on the ground, metres.
    pub at: Vec2,
    /// Radius of the obstacle, metres.
    pub radius: f32,
}

impl RepulsionField {
    /// Force away from the centre: up to 10 near it, 0 from three radii on.
    pub fn force(&self, at: Vec2) -> Vec2 {
        let away = at - self.at;
        let reach = REACH * self.radius;
        let share = 1.0 - away.length() / reach.max(1e-6);
        away.normalize_or_zero() * (STRENGTH * share.max(0.0))
    }
}

/// Advances a crowd by `dt` seconds. Like the book's program, it updates one agent after the other. `goals` has an
/// entry for each agent; an agent without a goal stands. A walking agent has the speed [`SPEED`].
pub fn step(
    agents: &mut [Agent],
    goals: &[Option<Vec2>],
    obstacles: &[RepulsionField],
    rows: &mut SortedRows,
    dt: f32,
) {
    let places: Vec<Vec2> = agents.iter().map(|agent| agent.at).collect();
    // The slack covers agents that moved or were pushed in this tick, after the sort.
    let slack = SPEED * dt + SIZE;
    rows.sort(&places, INFLUENCE + slack);
    let mut near: Vec<usize> = Vec::new();
    for i in 0..agents.len() {
        let own = agents[i];
        near.clear();
        let around = rows.around(places[i], INFLUENCE + slack);
        near.extend(
            around
                .into_iter()
                .flatten()
                .map(|k| rows.order()[k] as usize),
        );
        near.sort_unstable();
        near.retain(|j| *j != i);
        let mut force = Vec2::ZERO;
        for j in &near {
            let to = agents[*j].at - own.at;
            let distance = to.length();
            if distance < INFLUENCE {
                force -= to * (REPULSION * (1.0 - distance / INFLUENCE));
            }
        }
        for obstacle in obstacles {
            force += obstacle.force(own.at);
        }
        let mut velocity = Vec2::ZERO;
        if let Some(goal) = goals.get(i).copied().flatten() {
            force += (goal - own.at).normalize_or_zero();
            let way = own.velocity / SPEED + force.normalize_or_zero() * dt;
            velocity = way.normalize_or_zero() * SPEED;
        }
        agents[i].velocity = velocity;
        agents[i].at += velocity * dt;
        for j in &near {
            let to = agents[*j].at - agents[i].at;
            if to.length() < SIZE {
                let middle = (agents[*j].at + agents[i].at) * 0.5;
                let way = to.normalize_or(Vec2::X);
                agents[i].at = middle - way * (0.5 * SIZE);
                agents[*j].at = middle + way * (0.5 * SIZE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    const DT: f32 = 1.0 / 60.0;

    fn crowd(n: usize) -> (Vec<Agent>, Vec<Option<Vec2>>) {
        let mut chance = RandomSource::new(9);
        let mut at = || Vec2::new(chance.between(-8.0, 8.0), chance.between(-8.0, 8.0));
        let agents = (0..n).map(|_| Agent {
            at: at(),
            ..Agent::default()
        });
        let agents = agents.collect();
        (agents, (0..n).map(|_| Some(at())).collect())
    }

    /// Updates one agent exactly as the book's printed program does.
    fn as_printed(all: &mut [Agent], i: usize, goal: Vec2) {
        let mut force = (goal - all[i].at).normalize();
        for j in 0..all.len() {
            let to = all[j].at - all[i].at;
            if j != i && to.length() < 3.0 {
                force -= to * 5.0 * (1.0 - to.length() / 3.0);
            }
        }
        let velocity = (all[i].velocity / 2.0 + force.normalize() * DT).normalize();
        all[i].velocity = velocity * 2.0;
        all[i].at += velocity * 2.0 * DT;
        for j in 0..all.len() {
            let to = all[j].at - all[i].at;
            if j != i && to.length() < 1.0 {
                let centre = (all[j].at + all[i].at) * 0.5;
                let dir = (centre - all[i].at).normalize();
                all[i].at = centre - dir * 0.5;
                all[j].at = centre + dir * 0.5;
            }
        }
    }

    #[test]
    fn the_books_crowd_walks_as_it_is_printed() {
        let (mut agents, goals) = crowd(60);
        let mut wanted = agents.clone();
        let mut rows = SortedRows::default();
        for _ in 0..20 {
            step(&mut agents, &goals, &[], &mut rows, DT);
            for (i, goal) in goals.iter().enumerate() {
                as_printed(&mut wanted, i, goal.unwrap());
            }
            for (got, wanted) in agents.iter().zip(&wanted) {
                assert!(got.at.distance(wanted.at) < 1e-3, "{got:?} {wanted:?}");
            }
            wanted.clone_from(&agents);
        }
    }

    #[test]
    fn obstacles_push_more_the_nearer_and_not_beyond_three_radii() {
        let obstacle = RepulsionField {
            at: Vec2::ZERO,
            radius: 1.0,
        };
        let push = |d: f32| obstacle.force(Vec2::X * d);
        assert_eq!(push(0.0), Vec2::ZERO, "at its middle there is no way out");
        assert!((push(0.3) - Vec2::X * 9.0).length() < 1e-5);
        assert!((push(1.5) - Vec2::X * 5.0).length() < 1e-5);
        assert_eq!(push(3.0), Vec2::ZERO);
        // The printed formula pulls near the centre and pushes with 77 at 2.9.
        assert!(push(2.9).x < 0.5);
        let nearest = |obstacles: &[RepulsionField]| {
            let mut one = [Agent {
                at: Vec2::new(-6.0, 0.2),
                ..Agent::default()
            }];
            let goal = [Some(Vec2::new(6.0, 0.0))];
            let mut nearest = f32::INFINITY;
            for _ in 0..600 {
                step(&mut one, &goal, obstacles, &mut SortedRows::default(), DT);
                nearest = nearest.min(one[0].at.length());
            }
            nearest
        };
        // The agent turns by one radian per second, so it is pushed aside but can enter the obstacle.
        let (alone, pushed) = (nearest(&[]), nearest(&[obstacle]));
        assert!(pushed > alone + 0.4, "{pushed} {alone}");
    }

    #[test]
    fn agents_at_one_position_separate() {
        let mut all = vec![Agent::default(); 12];
        let goals = vec![Some(Vec2::ZERO); 12];
        for _ in 0..200 {
            step(&mut all, &goals, &[], &mut SortedRows::default(), DT);
            assert!(all.iter().all(|agent| agent.at.is_finite()));
        }
        let apart = |i: usize, j: usize| all[i].at.distance(all[j].at);
        let least = (0..12).flat_map(|i| (0..i).map(move |j| (i, j)));
        let least = least
            .map(|(i, j)| apart(i, j))
            .fold(f32::INFINITY, f32::min);
        assert!(least > 0.5, "one pass does not promise more: {least}");
    }
}
