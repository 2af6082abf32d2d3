//! Steering of agents: each tick they choose collision-free velocities, move, and overlaps are resolved.

use glam::Vec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::agent::Agent;
use super::among::{Among, SeenAgent};
use super::avoid::{MAX_LINES, MAX_NEIGHBORS, OrcaLine, Other, Others, allowed, wall_line};
use super::right_of_way::{Avoidance, Numbered, Priorities, is_nearer};
use super::rows::{RowCursor, SortedRows};
use super::walls::{Walls, own_radius};

/// Maximum number of walls that an agent considers.
const MAX_WALLS: usize = 8;
/// Number of agents in a parallel batch.
const BATCH: usize = 256;
/// Maximum number of others that may push an agent in a tick, and of candidates in the search for the nearest.
const MAX_CLOSE: usize = 8;
const MAX_AROUND: usize = 192;
/// Distance by which two agents may approach in a tick, pushes included, as a fraction of the sum of their radii.
const SLACK: f32 = 0.25;
/// Maximum angle by which an agent keeps to the right, radians; each agent has its own. So agents that meet head-on pass
/// each other, and a ring of agents that swap sides does not deadlock.
const KEEP_RIGHT_ANGLE: f32 = 0.08;

/// Distance within which agents settle the right of way, metres.
const CLOSE: f32 = 2.0;
/// Difference in height from which agents are on different floors and ignore each other, metres.
const FLOOR_HEIGHT: f32 = 1.5;

/// Speed from which pushes may stop an agent in a tick but not throw it back, metres per second.
const MIN_REVERSAL: f32 = 0.3;

/// Options of collision avoidance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AvoidOptions {
    /// Distance within which others are considered, metres.
    pub range: f32,
    /// Maximum number of neighbours, the nearest ones; at most [`MAX_NEIGHBORS`].
    pub max_neighbors: usize,
    /// Time horizon without a collision with other agents, seconds.
    pub horizon: f32,
    /// Time horizon without a collision with walls, seconds.
    pub wall_horizon: f32,
    /// Maximum acceleration, m/s².
    pub acceleration: f32,
    /// Maximum number of passes per tick that resolve overlaps.
    pub passes: usize,
}

impl Default for AvoidOptions {
    fn default() -> Self {
        Self {
            range: 4.0,
            max_neighbors: 10,
            horizon: 2.0,
            wall_horizon: 0.4,
            acceleration: 12.0,
            passes: 3,
        }
    }
}

/// Steering of all agents, with scratch buffers in sorted order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Steering {
    rows: SortedRows,
    positions: Vec<Vec2>,
    sorted: Vec<Agent>,
    /// Direction of the preferred velocity of each agent, unit; zero for an agent that stays.
    headings: Vec<Vec2>,
    /// Height of each agent, metres; empty while all are on one floor.
    heights: Vec<f32>,
    chosen: Vec<Chosen>,
    pushes: Vec<Vec2>,
}

/// Velocity chosen by an agent, and the neighbours that may push it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Chosen {
    velocity: Vec2,
    takes_priority: bool,
    close: [u32; MAX_CLOSE],
    n_close: usize,
}

impl Steering {
    /// Advances all agents by `dt` seconds. The result is bit-identical for any number of threads.
    pub fn step(&mut self, agents: &mut [Agent], walls: &Walls, options: &AvoidOptions, dt: f32) {
        self.sort(agents, options);
        self.choose(walls, options, dt);
        for agent in &mut self.sorted {
            agent.at += agent.velocity * dt;
        }
        self.take_apart(walls, options);
        self.soften_reversals(agents, walls);
        for (agent, i) in self.sorted.iter_mut().zip(self.rows.order()) {
            let own = &mut agents[*i as usize];
            // Others see how it moved, not how it wanted to: an agent that is pushed back comes to rest.
            if agent.yields > 0.0 {
                let moved = (agent.at - own.at) / dt;
                agent.velocity = moved.clamp_length_max(agent.fastest);
            }
            agent.note_progress(own.at, dt);
            *own = *agent;
        }
    }

    /// Limits how far pushes throw a moving agent back. Later ticks resolve the rest of the overlap.
    fn soften_reversals(&mut self, before: &[Agent], walls: &Walls) {
        for (agent, i) in self.sorted.iter_mut().zip(self.rows.order()) {
            let own = &before[*i as usize];
            let speed = own.velocity.length();
            if agent.yields <= 0.0 || speed < MIN_REVERSAL {
                continue;
            }
            let ahead = own.velocity / speed;
            let excess = (own.at - agent.at).dot(ahead);
            if excess > 0.0 {
                agent.at += ahead * excess;
                agent.at = walls.kept_away(agent.at, agent.height, agent.radius);
            }
        }
    }

    fn sort(&mut self, agents: &[Agent], options: &AvoidOptions) {
        self.positions.clear();
        self.positions.extend(agents.iter().map(|agent| agent.at));
        let widest = agents.iter().map(|agent| agent.radius).fold(0.0, f32::max);
        // Also covers agents that overlap.
        self.rows
            .sort(&self.positions, options.range.max(2.5 * widest));
        self.sorted.clear();
        let order = self.rows.order().iter();
        self.sorted.extend(order.map(|i| agents[*i as usize]));
        self.headings.clear();
        let wishes = self.sorted.iter().map(|agent| agent.desired_velocity);
        self.headings.extend(wishes.map(Vec2::normalize_or_zero));
        let heights = || self.sorted.iter().map(|agent| agent.height);
        let ends = (f32::INFINITY, f32::NEG_INFINITY);
        let (low, high) = heights().fold(ends, |ends, at| (ends.0.min(at), ends.1.max(at)));
        self.heights.clear();
        if high - low >= FLOOR_HEIGHT {
            self.heights.extend(heights());
        }
    }

    fn choose(&mut self, walls: &Walls, options: &AvoidOptions, dt: f32) {
        self.chosen.resize(self.sorted.len(), Chosen::default());
        let all = (&self.rows, &self.sorted[..], &self.headings[..]);
        let heights = &self.heights[..];
        let batches = self.chosen.par_chunks_mut(BATCH).enumerate();
        batches.for_each(|(batch, chosen)| {
            let (mut walk, mut heeded) = (all.0.walk(), AvoidanceScratch::default());
            for (i, chosen) in (batch * BATCH..).zip(chosen) {
                let own = (i, &mut walk, &mut heeded);
                *chosen = choice(all, own, (walls, heights), (options, dt));
            }
        });
        for (agent, chosen) in self.sorted.iter_mut().zip(&self.chosen) {
            agent.velocity = chosen.velocity;
            if chosen.takes_priority {
                agent.take_priority();
            }
        }
    }

    /// Separates agents that overlap, and moves agents off walls.
    fn take_apart(&mut self, walls: &Walls, options: &AvoidOptions) {
        self.pushes.clear();
        self.pushes.resize(self.sorted.len(), Vec2::ZERO);
        for _ in 0..options.passes {
            let (chosen, sorted) = (&self.chosen, &self.sorted);
            let batches = self.pushes.par_chunks_mut(BATCH).enumerate();
            batches.for_each(|(batch, pushes)| {
                for (i, push) in (batch * BATCH..).zip(pushes) {
                    *push = pushed(sorted, i, &chosen[i].close[..chosen[i].n_close]);
                }
            });
            let mut rest = true;
            for (agent, push) in self.sorted.iter_mut().zip(&self.pushes) {
                rest &= *push == Vec2::ZERO;
                agent.at += *push;
            }
            if !walls.is_empty() {
                let sorted = self.sorted.par_chunks_mut(BATCH);
                let yielding = sorted.flatten().filter(|agent| agent.yields > 0.0);
                yielding.for_each(|agent| {
                    agent.at = walls.kept_away(agent.at, agent.height, agent.radius);
                });
            }
            if rest {
                break;
            }
        }
    }
}

/// Scratch buffers for the choice of an agent.
struct AvoidanceScratch {
    lines: [OrcaLine; MAX_LINES],
    others: Others,
    around: [u64; MAX_AROUND],
}

impl Default for AvoidanceScratch {
    fn default() -> Self {
        Self {
            lines: [OrcaLine::default(); MAX_LINES],
            others: Others::default(),
            around: [0; MAX_AROUND],
        }
    }
}

/// The choice of the agent at index `i` of the sorted ones.
fn choice(
    (rows, sorted, headings): (&SortedRows, &[Agent], &[Vec2]),
    (i, walk, heeded): (usize, &mut RowCursor<'_>, &mut AvoidanceScratch),
    (walls, heights): (&Walls, &[f32]),
    (options, dt): (&AvoidOptions, f32),
) -> Chosen {
    let own = &sorted[i];
    if own.yields <= 0.0 {
        return Chosen {
            velocity: own.desired_velocity.clamp_length_max(own.fastest),
            ..Chosen::default()
        };
    }
    let AvoidanceScratch {
        lines,
        others,
        around,
    } = heeded;
    let mut n = if walls.is_empty() {
        0
    } else {
        before_walls(own, walls, others, lines, (options, dt))
    };
    others.clear();
    let n_firm = n;
    let near = nearest((rows, sorted, heights), i, walk, options, around);
    let numbered = |k: usize| Numbered {
        agent: &sorted[k],
        number: rows.order()[k],
    };
    let mut among = Among::new(headings[i], options.range);
    let mut priorities = Priorities::default();
    let waits = own.blocked > 0.0 || own.priority > 0.0;
    let mut made = Chosen::default();
    for j in near.iter().map(|key| *key as u32) {
        let other = &sorted[j as usize];
        let offset = other.at - own.at;
        let radii = own.radius + other.radius;
        let reach = radii * (1.0 + SLACK);
        if offset.length_squared() < reach * reach && made.n_close < MAX_CLOSE {
            made.close[made.n_close] = j;
            made.n_close += 1;
        }
        let heading = seen_heading(other, headings[j as usize]);
        let [one, two] = [i, j as usize].map(numbered);
        let seen = SeenAgent {
            offset,
            heading,
            radii,
            avoidance_fraction: own.yields / (own.yields + other.yields).max(1e-6),
        };
        let is_close = offset.length_squared() < CLOSE * CLOSE;
        let precedence = among.sees(&seen, || is_close.then(|| is_nearer(one, two))?);
        let mut avoidance = Avoidance {
            velocity: other.velocity,
            avoidance_fraction: precedence.avoidance_fraction,
            horizon: options.horizon,
        };
        if is_close && !precedence.is_settled && (waits || other.priority > 0.0) {
            avoidance = priorities.avoidance(one, two, &seen, avoidance);
        }
        if avoidance.avoidance_fraction > 0.0 {
            others.push(&Other {
                offset,
                closing: own.velocity - avoidance.velocity,
                radii,
                avoidance_fraction: avoidance.avoidance_fraction,
                horizon: avoidance.horizon,
            });
        }
    }
    made.takes_priority = priorities.is_taken_by(own);
    n += others.lines(own.velocity, dt, &mut lines[n..]);
    let by = KEEP_RIGHT_ANGLE * own_fraction(rows.order()[i]);
    let wish = among.desired_velocity(own.desired_velocity, own.velocity, by, own.blocked);
    let wanted = allowed(&lines[..n], n_firm, own.fastest, wish);
    made.velocity =
        own.velocity + (wanted - own.velocity).clamp_length_max(options.acceleration * dt);
    made
}

/// Heading of another agent; zero for an agent that does not give way, because precedence does not apply to it.
fn seen_heading(other: &Agent, heading: Vec2) -> Vec2 {
    if other.yields > 0.0 {
        heading
    } else {
        Vec2::ZERO
    }
}

/// Writes the ORCA lines of near walls and returns their number.
fn before_walls(
    own: &Agent,
    walls: &Walls,
    ends: &mut Others,
    lines: &mut [OrcaLine],
    (options, dt): (&AvoidOptions, f32),
) -> usize {
    let (mut n, mut n_ends) = (0, 0);
    ends.clear();
    let ahead = own.radius + own.fastest * options.wall_horizon;
    walls.near(own.at, own.height, ahead, |wall| {
        if n + n_ends == MAX_WALLS {
            return;
        }
        let radius = own_radius(own.radius, wall.inset);
        // The end of a wall can be passed on either side, like a standing agent.
        if wall.is_end {
            ends.push(&Other {
                offset: -wall.away * wall.distance,
                closing: own.velocity,
                radii: radius,
                avoidance_fraction: 1.0,
                horizon: options.wall_horizon,
            });
            n_ends += 1;
        } else {
            lines[n] = wall_line(wall.away, wall.distance, radius, options.wall_horizon);
            n += 1;
        }
    });
    if n_ends == 0 {
        return n;
    }
    n + ends.lines(own.velocity, dt, &mut lines[n..])
}

/// A factor in 0.25..1 for each number; multiples of the golden ratio are spread evenly.
fn own_fraction(number: u32) -> f32 {
    0.25 + 0.75 * (f64::from(number) * 0.618_033_988_75).fract() as f32
}

/// The nearest others on the same floor: the bits of the squared distance above the index among the sorted.
fn nearest<'a>(
    (rows, sorted, heights): (&SortedRows, &[Agent], &[f32]),
    i: usize,
    walk: &mut RowCursor<'_>,
    options: &AvoidOptions,
    around: &'a mut [u64; MAX_AROUND],
) -> &'a [u64] {
    let Some(height) = heights.get(i) else {
        return nearest_of((rows, sorted), i, walk, options, around, |_| true);
    };
    let is_level = |j: usize| {
        let off = (heights[j] - height).abs();
        off < FLOOR_HEIGHT || off.is_nan()
    };
    nearest_of((rows, sorted), i, walk, options, around, is_level)
}

/// The nearest others among those for which `counts` is true.
#[inline]
fn nearest_of<'a>(
    (rows, sorted): (&SortedRows, &[Agent]),
    i: usize,
    walk: &mut RowCursor<'_>,
    options: &AvoidOptions,
    around: &'a mut [u64; MAX_AROUND],
    counts: impl Fn(usize) -> bool,
) -> &'a [u64] {
    let (xs, ys) = rows.positions();
    let at = sorted[i].at;
    let most = options.max_neighbors.min(MAX_NEIGHBORS);
    let reach2 = options.range * options.range;
    let mut n = 0;
    for stretch in walk.around(i, options.range) {
        let places = xs[stretch.clone()].iter().zip(&ys[stretch.clone()]);
        for (j, (x, y)) in stretch.zip(places) {
            let (dx, dy) = (x - at.x, y - at.y);
            let distance2 = dx * dx + dy * dy;
            // Always written, because an unpredictable branch costs more.
            around[n] = u64::from(distance2.to_bits()) << 32 | j as u64;
            n += usize::from(distance2 < reach2 && j != i && counts(j));
            if n == MAX_AROUND {
                // Only a few of so many are among the nearest.
                around.select_nth_unstable(most);
                n = most;
            }
        }
    }
    if n > most {
        around[..n].select_nth_unstable(most);
        n = most;
    }
    &around[..n]
}

/// Displacement of a sorted agent by the agents that overlap it.
fn pushed(sorted: &[Agent], i: usize, close: &[u32]) -> Vec2 {
    let own = &sorted[i];
    let mut push = Vec2::ZERO;
    for j in close.iter().map(|j| *j as usize) {
        let other = &sorted[j];
        let away = own.at - other.at;
        let radii = own.radius + other.radius;
        let distance2 = away.length_squared();
        if distance2 >= radii * radii {
            continue;
        }
        let distance = distance2.sqrt();
        let unit = if distance > 1e-6 {
            away / distance
        } else {
            // At the same position they part in opposite directions, chosen by their indices.
            Vec2::from_angle(i.min(j) as f32 * 2.4) * if i < j { 1.0 } else { -1.0 }
        };
        let [weight, of_other] = [own, other].map(Agent::separation_weight);
        let share = weight / (weight + of_other).max(1e-6);
        push += unit * ((radii - distance) * share);
    }
    // Several pushes from one side would add up to too much.
    push.clamp_length_max(0.5 * own.radius)
}
