//! Flocks: each bird or fish follows a few rules about its neighbours, and together they turn and split like real ones
//! (Reynolds 1987).

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::confines::{CloseNeighbours, Neighbours, Spacing};
use super::flock_rules::{Attractor, Boid, FlockRules};
use super::rows::{SortedRows, sampled};
use galatea_math::clamp::ClampTo as _;
use galatea_math::lines::flat;

/// Number of birds in a parallel batch.
const BATCH: usize = 128;

/// A bird that moves in this tick.
#[derive(Clone, Copy, Debug)]
pub struct FlockMove {
    /// Index of the bird.
    pub number: usize,
    /// Position before the tick, metres.
    pub from: Vec3,
}

/// Simulation of a flock, with scratch buffers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Flocking {
    rows: SortedRows,
    /// The sorted birds, sorted again for the search for close ones.
    close_rows: SortedRows,
    positions: Vec<Vec2>,
    sorted: Vec<Boid>,
    forces: Vec<(Vec3, CloseNeighbours)>,
    /// Close neighbours of the present bird, if it has very many.
    close: Vec<u32>,
    /// Positions of the sorted birds; those that moved in this tick have their new ones.
    now: Vec<Vec3>,
}

impl Flocking {
    /// Advances a flock by `dt` seconds. `own` holds additional forces by index; missing ones are zero. `ground`
    /// returns the height of the ground under a bird. `walls` stops a bird in front of obstacles; it returns true if it
    /// moved a bird out of one. The minimum distance of two birds is a quarter of `apart`, at most 0.3 m;
    /// [`FlockRules::classic`] has none. The result is bit-identical for any number of threads.
    pub fn step(
        &mut self,
        boids: &mut [Boid],
        rules: &FlockRules,
        own: &[Vec3],
        ground: impl Fn(usize) -> f32,
        mut walls: impl FnMut(FlockMove, &mut Boid) -> bool,
        dt: f32,
    ) {
        let spacing = Spacing::of(rules, dt);
        self.find_forces(boids, rules, spacing);
        let n_leaders = rules.n_leaders.min(boids.len());
        for (k, i) in self.rows.order().iter().enumerate() {
            let number = *i as usize;
            let (leaders, led) = boids.split_at_mut(n_leaders);
            let Some(boid) = number.checked_sub(n_leaders).map(|k| &mut led[k]) else {
                continue;
            };
            let from = boid.at;
            let (force, close) = &self.forces[k];
            let floor = ground(number);
            let mut force = *force + own.get(number).copied().unwrap_or_default();
            for pull in &rules.attractors {
                force += pulled(pull, from);
            }
            force += to_nearest(leaders, from) * rules.leader_weight;
            let height = from.y - floor;
            force.y += (rules.clearance - height).max(0.0) * rules.ground_avoidance;
            if let Some(home) = &rules.home {
                force = home.steers(boid, force, rules);
            }
            boid.velocity = turned(boid.velocity, force, rules, dt);
            boid.at += boid.velocity * dt;
            boid.at.y = boid.at.y.max(floor + rules.min_height);
            let Some(spacing) = spacing else {
                continue;
            };
            let close = match close.all() {
                Some(close) => close,
                None => {
                    let all = (&self.sorted[..], &self.close_rows);
                    list_close(&mut self.close, all, k, spacing.reach());
                    &self.close
                }
            };
            let neighbours = Neighbours {
                now: &self.now,
                own: k,
                close,
            };
            boid.at = neighbours.pushed(from, boid.at, spacing);
            if let Some(home) = &rules.home {
                home.hold(from, boid);
            }
            let is_forced = walls(FlockMove { number, from }, boid);
            let is_home = rules.home.is_none_or(|home| home.has(from, boid.at));
            let is_free = is_home && neighbours.is_free(from, boid.at, spacing);
            if !is_forced && !is_free {
                boid.at = from;
            }
            self.now[k] = boid.at;
        }
    }

    /// Computes the forces of neighbours, and lists the close ones.
    fn find_forces(&mut self, boids: &[Boid], rules: &FlockRules, spacing: Option<Spacing>) {
        self.positions.clear();
        self.positions
            .extend(boids.iter().map(|boid| flat(boid.at)));
        let close = spacing.map_or(0.0, Spacing::reach);
        let reach = rules
            .neighbor_radius
            .max(rules.separation_distance)
            .max(close);
        self.rows.sort(&self.positions, reach);
        self.sorted.clear();
        let order = self.rows.order().iter();
        self.sorted.extend(order.map(|i| boids[*i as usize]));
        self.now.clear();
        self.now.extend(self.sorted.iter().map(|boid| boid.at));
        if spacing.is_some() {
            self.positions.clear();
            self.positions
                .extend(self.sorted.iter().map(|boid| flat(boid.at)));
            self.close_rows.sort(&self.positions, close);
        }
        self.forces.clear();
        self.forces.resize(boids.len(), Default::default());
        let (rows, close_rows, sorted) = (&self.rows, &self.close_rows, &self.sorted);
        let batches = self.forces.par_chunks_mut(BATCH).enumerate();
        batches.for_each(|(batch, forces)| {
            let mut walk = rows.walk();
            for (i, force) in (batch * BATCH..).zip(forces) {
                let (neighbours, step) = sampled(walk.around(i, reach), MAX_NEIGHBOURS);
                *force = together(sorted, i, (neighbours, step), rules, close * close);
                if step > 1 && spacing.is_some() {
                    force.1 = close_neighbours(sorted, i, close_rows, close);
                }
            }
        });
    }
}

/// Maximum number of neighbours that a bird considers. In denser flocks it considers every second, third and so on.
const MAX_NEIGHBOURS: usize = 256;
/// Maximum number of birds that are checked in the search for very many close neighbours, and that are found.
const MAX_CHECKED: usize = 1024;
const MAX_LISTED: usize = 64;

/// The neighbours of a sorted bird within `reach`. The search ends when there are too many for the list.
fn close_neighbours(sorted: &[Boid], i: usize, rows: &SortedRows, reach: f32) -> CloseNeighbours {
    let own = sorted[i].at;
    let mut close = CloseNeighbours::default();
    for k in rows.around(flat(own), reach).into_iter().flatten() {
        let j = rows.order()[k] as usize;
        if j != i && sorted[j].at.distance_squared(own) < reach * reach {
            close.add(j);
            if close.is_overflown() {
                break;
            }
        }
    }
    close
}

/// Lists the neighbours of a sorted bird within `reach`. Of very many birds in its rows, only some are checked.
fn list_close(out: &mut Vec<u32>, (sorted, rows): (&[Boid], &SortedRows), i: usize, reach: f32) {
    let own = sorted[i].at;
    let around = rows.around(flat(own), reach);
    let near = sampled(around, MAX_CHECKED).0.map(|k| rows.order()[k]);
    let is_close = |j: &u32| {
        let j = *j as usize;
        j != i && sorted[j].at.distance_squared(own) < reach * reach
    };
    out.clear();
    out.extend(near.filter(is_close).take(MAX_LISTED));
}

/// Force of the neighbours on a sorted bird, and its neighbours closer than the square root of `close2`. `step` is the
/// number of neighbours that each of the given ones represents.
fn together(
    sorted: &[Boid],
    i: usize,
    (neighbours, step): (impl Iterator<Item = usize>, usize),
    rules: &FlockRules,
    close2: f32,
) -> (Vec3, CloseNeighbours) {
    let own = &sorted[i];
    let mut close = CloseNeighbours::default();
    let (mut apart, mut velocity, mut middle, mut n) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0.0);
    for j in neighbours {
        let other = &sorted[j];
        let towards = other.at - own.at;
        let distance2 = towards.length_squared();
        if i == j {
            continue;
        }
        if distance2 < close2 {
            close.add(j);
        }
        if distance2 < rules.separation_distance * rules.separation_distance {
            apart -= towards * (1.0 - distance2.sqrt() / rules.separation_distance);
        }
        if distance2 < rules.neighbor_radius * rules.neighbor_radius {
            velocity += other.velocity;
            middle += other.at;
            n += 1.0;
        }
    }
    let mut force = apart * (rules.separation * step as f32);
    if n > 0.0 {
        // The style "book" uses unit velocities.
        let same = if rules.is_classic {
            velocity / (n * rules.speed[1].max(1e-6))
        } else {
            velocity / n - own.velocity
        };
        force += same * rules.alignment;
        let way = middle / n - own.at;
        force += way / (way.length() + 0.01) * rules.cohesion;
    }
    (force, close)
}

/// Unit direction to the nearest leader; zero without leaders.
fn to_nearest(leaders: &[Boid], at: Vec3) -> Vec3 {
    let nearer = |a: &&Boid, b: &&Boid| {
        let distance2 = |boid: &Boid| boid.at.distance_squared(at);
        distance2(a).total_cmp(&distance2(b))
    };
    let nearest = leaders.iter().min_by(nearer);
    nearest.map_or(Vec3::ZERO, |leader| (leader.at - at).normalize_or_zero())
}

fn pulled(pull: &Attractor, at: Vec3) -> Vec3 {
    let way = pull.position - at;
    let distance = way.length();
    let share = if pull.range.is_finite() {
        (1.0 - distance / pull.range.max(1e-6)).max(0.0)
    } else {
        1.0
    };
    way.normalize_or_zero() * (pull.weight * share)
}

fn turned(velocity: Vec3, force: Vec3, rules: &FlockRules, dt: f32) -> Vec3 {
    let [least, most] = rules.speed;
    if rules.is_classic {
        let unit = velocity / most.max(1e-6);
        let way = unit + force.normalize_or_zero() * (dt * rules.turn_rate);
        return way.normalize_or(Vec3::X) * most;
    }
    let change = force.clamp_length_max(rules.turn_rate * most) * dt;
    let way = velocity + change;
    way.normalize_or(Vec3::X) * way.length().clamp_to(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    const DT: f32 = 1.0 / 60.0;

    fn flock(n: usize) -> Vec<Boid> {
        let mut chance = RandomSource::new(11);
        let mut at = |by: f32| {
            Vec3::new(
                chance.about_zero(),
                chance.about_zero(),
                chance.about_zero(),
            ) * by
        };
        (0..n)
            .map(|_| Boid {
                at: at(6.0) + Vec3::Y * 15.0,
                velocity: at(1.0).normalize_or(Vec3::X) * 3.0,
            })
            .collect()
    }

    /// Updates one bird exactly as program 13.1 of Character Animation with Direct3D (Granberg 2009) does.
    fn as_printed(boids: &[Boid], i: usize) -> Boid {
        let (mut force, mut velocity, mut middle, mut n) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0);
        let own = boids[i];
        for (j, other) in boids.iter().enumerate() {
            let to = other.at - own.at;
            let d = to.length();
            if j == i || d >= 3.5 {
                continue;
            }
            if d < 2.5 {
                force -= to * 15.0 * (1.0 - d / 2.5);
            }
            velocity += other.velocity / 3.0;
            middle += other.at;
            n += 1;
        }
        if n > 0 {
            force += velocity / n as f32;
            let way = middle / n as f32 - own.at;
            force += way / (way.length() + 0.01);
        }
        force += 0.5 * (Vec3::new(0.0, 15.0, 0.0) - own.at).normalize();
        if own.at.y < 3.0 {
            force.y += (3.0 - own.at.y) * 100.0;
        }
        let unit = (own.velocity / 3.0 + force.normalize() * DT * 3.0).normalize();
        let mut at = own.at + unit * 3.0 * DT;
        at.y = at.y.max(1.0);
        Boid {
            at,
            velocity: unit * 3.0,
        }
    }

    #[test]
    fn the_books_flock_moves_as_it_is_printed() {
        let mut boids = flock(80);
        boids[0].at.y = 2.0;
        boids[1].at.y = 0.5;
        let mut flocking = Flocking::default();
        for _ in 0..30 {
            let wanted: Vec<Boid> = (0..80).map(|i| as_printed(&boids, i)).collect();
            flocking.step(
                &mut boids,
                &FlockRules::classic(),
                &[],
                |_| 0.0,
                |_, _| false,
                DT,
            );
            for (got, wanted) in boids.iter().zip(&wanted) {
                assert!(got.at.distance(wanted.at) < 1e-4);
                assert!(got.velocity.distance(wanted.velocity) < 2e-3);
            }
        }
    }

    /// Mean distance to the centre, and agreement of the directions, 0..=1.
    fn state(boids: &[Boid]) -> (f32, f32) {
        let n = boids.len() as f32;
        let middle = boids.iter().map(|b| b.at).sum::<Vec3>() / n;
        let off = boids.iter().map(|b| b.at.distance(middle)).sum::<f32>() / n;
        let ways = boids.iter().map(|b| b.velocity.normalize_or_zero());
        (off, (ways.sum::<Vec3>() / n).length())
    }

    fn run(boids: &mut [Boid], rules: &FlockRules, own: &[Vec3], seconds: f32) {
        let mut flocking = Flocking::default();
        for _ in 0..(seconds / DT) as usize {
            flocking.step(boids, rules, own, |_| 0.0, |_, _| false, DT);
        }
    }

    #[test]
    fn rules_do_what_they_are_named_for() {
        let none = FlockRules {
            separation: 0.0,
            alignment: 0.0,
            cohesion: 0.0,
            neighbor_radius: 9.0,
            ..FlockRules::default()
        };
        let after = |rules: &FlockRules| {
            let mut boids = flock(120);
            run(&mut boids, rules, &[], 6.0);
            (state(&boids), boids)
        };
        let ((alone_off, _), _) = after(&none);
        let together = FlockRules {
            cohesion: 6.0,
            ..none.clone()
        };
        let ((off, same), _) = after(&together);
        assert!(off < 0.6 * alone_off, "{off} {alone_off}");
        let aligned = FlockRules {
            alignment: 2.0,
            ..together.clone()
        };
        let (_, all_same) = after(&aligned).0;
        assert!(all_same > same + 0.4, "{all_same} {same}");
        let nearest = |boids: &[Boid]| {
            let of = |i: usize| {
                let others = (0..boids.len()).filter(|j| *j != i);
                others
                    .map(|j| boids[j].at.distance(boids[i].at))
                    .fold(f32::INFINITY, f32::min)
            };
            (0..boids.len()).map(of).sum::<f32>() / boids.len() as f32
        };
        let apart = FlockRules {
            separation: 12.0,
            separation_distance: 2.5,
            ..together.clone()
        };
        assert!(nearest(&after(&apart).1) > 1.2 * nearest(&after(&together).1));
        let predator = Attractor {
            position: Vec3::Y * 15.0,
            weight: -40.0,
            range: 8.0,
        };
        let chased = FlockRules {
            attractors: vec![predator],
            ..together
        };
        let (_, boids) = after(&chased);
        let near = boids
            .iter()
            .filter(|b| b.at.distance(predator.position) < 3.0);
        assert!(near.count() < 4);
        // A diving bird turns before it reaches the ground.
        let low = FlockRules {
            attractors: vec![Attractor {
                position: Vec3::NEG_Y * 50.0,
                weight: 2.0,
                range: f32::INFINITY,
            }],
            ..none
        };
        let (_, boids) = after(&low);
        assert!(boids.iter().all(|b| b.at.y >= 0.3));
    }

    #[test]
    fn leaders_are_followed_and_own_forces_are_felt() {
        let rules = FlockRules {
            cohesion: 2.0,
            n_leaders: 1,
            leader_weight: 6.0,
            ..FlockRules::default()
        };
        let mut boids = flock(40);
        let mut flocking = Flocking::default();
        for _ in 0..600 {
            boids[0].velocity = Vec3::X * 4.0;
            boids[0].at += Vec3::X * 4.0 * DT;
            flocking.step(&mut boids, &rules, &[], |_| 0.0, |_, _| false, DT);
        }
        assert!((boids[0].at.x - flock(1)[0].at.x - 40.0).abs() < 1e-2);
        assert!(boids.iter().all(|b| b.at.distance(boids[0].at) < 15.0));
        let mut boids = flock(40);
        run(
            &mut boids,
            &FlockRules::default(),
            &[Vec3::Z * 30.0; 40],
            4.0,
        );
        assert!(boids.iter().all(|b| b.velocity.z > 2.0));
    }

    #[test]
    fn boids_at_one_position_or_without_a_direction_stay_finite() {
        let mut boids = vec![
            Boid {
                at: Vec3::Y,
                velocity: Vec3::ZERO
            };
            20
        ];
        for rules in [FlockRules::classic(), FlockRules::default()] {
            run(&mut boids, &rules, &[], 0.5);
            assert!(
                boids
                    .iter()
                    .all(|b| b.at.is_finite() && b.velocity.is_finite())
            );
        }
        run(&mut [], &FlockRules::classic(), &[], 0.1);
    }
}
