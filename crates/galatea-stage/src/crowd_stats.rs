//! Crowd statistics: flow over counting lines, and density and speed of agents by area. They answer how long it takes
//! to clear a hall, and where it is congested.

use std::collections::VecDeque;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::reload::Reload;
use super::{Agents, Arena, Clock, Handle, Identity, Ids, StageCrowd};
use galatea_math::lines::flat;

/// Maximum number of crowd statistics on a stage, of counting lines of each, and of cells.
pub const MAX_CROWD_STATS: usize = 16;
/// See [`MAX_CROWD_STATS`].
pub const MAX_LINES: usize = 64;
/// See [`MAX_CROWD_STATS`].
pub const MAX_CELLS: usize = 512 * 512;
/// The density is sampled once in this many ticks.
const SAMPLE_INTERVAL: u64 = 6;
/// Time window of the flow, seconds.
const WINDOW: f64 = 5.0;
/// Half the width of the square in which agents are counted for a cell, metres.
const HALF_WINDOW: f32 = 0.75;
/// Density from which people hinder each other, people per square metre: level of service E (Fruin 1971).
pub const DENSE: f32 = 1.4;

/// A counting line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CountingLine {
    /// Name of the line.
    pub name: String,
    /// Ends of the line on the ground, x and z.
    pub ends: [Vec2; 2],
    /// Crossings from right to left, seen from the first end to the second, and from left to right: the count, and the
    /// stage times of the first and the last one.
    crossings: [(usize, [f64; 2]); 2],
    /// Stage times of recent crossings.
    recent_crossings: VecDeque<f64>,
}

impl CountingLine {
    fn pass(&mut self, is_back: bool, time: f64) {
        let (n, [first, last]) = &mut self.crossings[usize::from(is_back)];
        if *n == 0 {
            *first = time;
        }
        (*n, *last) = (*n + 1, time);
        self.recent_crossings
            .retain(|before| *before > time - WINDOW);
        self.recent_crossings.push_back(time);
    }
}

/// Flow over a counting line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flow {
    /// Crossings in its own direction, and back.
    pub n: [usize; 2],
    /// Stage time of the first crossing, seconds.
    pub first: f64,
    /// Stage time of the last crossing, seconds.
    pub last: f64,
    /// Crossings per second over the last five seconds, in both directions.
    pub rate: f32,
    /// Mean crossings per second in its own direction, from the first to the last.
    pub mean: f32,
}

/// One cell of the ground.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct CrowdStatsCell {
    /// Sums over samples: density, speed, and number of samples.
    density: f32,
    speed: f32,
    n: u32,
    /// Maximum density, smoothed over a second, and its time.
    max: f32,
    smooth: f32,
    at: f64,
    /// Time of dense crowding, seconds.
    dense: f32,
}

/// A congested area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bottleneck {
    /// Centre, x and z.
    pub position: Vec2,
    /// Maximum density, people per square metre, smoothed over a second.
    pub density: f32,
    /// Stage time of the maximum, seconds.
    pub time: f64,
    /// Time with a density above [`DENSE`], seconds.
    pub duration: f32,
    /// Mean speed of the agents there, metres per second.
    pub speed: f32,
}

/// Statistics of a rectangle of the ground.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CrowdStats {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// The observed crowd; `None` observes all.
    pub crowd: Option<Handle>,
    /// Counting lines.
    pub lines: Vec<CountingLine>,
    low: Vec2,
    cell: f32,
    size: [usize; 2],
    cells: Vec<CrowdStatsCell>,
    /// Scratch buffer: number of agents in each cell, and the sum of their speeds.
    counts: Vec<(u32, f32)>,
    n_samples: u32,
    agent_count: usize,
    /// Stage times at which the first agent entered, and at which the last one left.
    first_entered: Option<f64>,
    empty_since: Option<f64>,
    /// Positions of the agents in the previous tick.
    before: Vec<(Handle, Vec<Vec2>)>,
}

impl CrowdStats {
    /// Observes a rectangle of the ground, in cells of `cell` metres. Returns `None` for no cells or too many.
    pub fn new(middle: Vec2, size: Vec2, cell: f32) -> Option<Self> {
        let n = (size / cell).ceil();
        let is_fit = n.is_finite() && n.min_element() >= 1.0 && n.x * n.y <= MAX_CELLS as f32;
        let size = [n.x as usize, n.y as usize];
        is_fit.then(|| Self {
            identity: Identity::default(),
            crowd: None,
            lines: Vec::new(),
            low: middle - n * cell * 0.5,
            cell,
            size,
            cells: vec![CrowdStatsCell::default(); size[0] * size[1]],
            counts: Vec::new(),
            n_samples: 0,
            agent_count: 0,
            first_entered: None,
            empty_since: None,
            before: Vec::new(),
        })
    }

    /// Adds a counting line.
    pub fn add_line(&mut self, name: &str, ends: [Vec2; 2]) {
        self.lines.push(CountingLine {
            name: name.to_owned(),
            ends,
            crossings: Default::default(),
            recent_crossings: VecDeque::new(),
        });
    }

    /// Flow over a line until `now`, stage seconds.
    pub fn flow(&self, name: &str, now: f64) -> Option<Flow> {
        let line = self.lines.iter().find(|line| line.name == name)?;
        let all = || line.crossings.iter().filter(|(n, _)| *n > 0);
        let recent_crossings = line
            .recent_crossings
            .iter()
            .filter(|time| **time > now - WINDOW);
        let recent_crossings = recent_crossings.count();
        let (n, [first, last]) = line.crossings[0];
        let mean = if last > first {
            (n - 1) as f64 / (last - first)
        } else {
            0.0
        };
        Some(Flow {
            n: line.crossings.map(|(n, _)| n),
            first: all()
                .map(|(_, [first, _])| *first)
                .reduce(f64::min)
                .unwrap_or(0.0),
            last: all()
                .map(|(_, [_, last])| *last)
                .reduce(f64::max)
                .unwrap_or(0.0),
            rate: (recent_crossings as f64 / WINDOW.min(now.max(1e-3))) as f32,
            mean: mean as f32,
        })
    }

    /// Number of agents in the rectangle.
    pub fn inside(&self) -> usize {
        self.agent_count
    }

    /// Stage time at which the last agent left the rectangle.
    pub fn empty(&self) -> Option<f64> {
        self.empty_since
    }

    /// Position within the rectangle, as fractions 0..1 along x and z.
    pub fn fraction(&self, place: Vec2) -> Vec2 {
        let size = Vec2::new(self.size[0] as f32, self.size[1] as f32) * self.cell;
        (place - self.low) / size
    }

    /// Continues with the counts of statistics with the same identity. `crowd`: the new handle of the crowd.
    fn continue_from(&mut self, was: Self, crowd: Option<Handle>) {
        let same_lines = self.lines.len() == was.lines.len()
            && self
                .lines
                .iter()
                .zip(&was.lines)
                .all(|(now, was)| now.name == was.name && now.ends == was.ends);
        let same_ground = self.low == was.low && self.cell == was.cell && self.size == was.size;
        if same_lines && same_ground && self.crowd == crowd {
            *self = Self {
                crowd,
                before: Vec::new(),
                ..was
            };
        }
    }

    fn at(&self, place: Vec2) -> Option<usize> {
        let at = ((place - self.low) / self.cell).floor();
        let is_in = at.cmpge(Vec2::ZERO).all()
            && (at.x as usize) < self.size[0]
            && (at.y as usize) < self.size[1];
        is_in.then(|| at.y as usize * self.size[0] + at.x as usize)
    }

    fn middle(&self, i: usize) -> Vec2 {
        let at = Vec2::new((i % self.size[0]) as f32, (i / self.size[0]) as f32);
        self.low + (at + 0.5) * self.cell
    }

    /// Density around a position, people per square metre: the mean, and the maximum over a second.
    pub fn density(&self, place: Vec2) -> Option<[f32; 2]> {
        let cell = &self.cells[self.at(place)?];
        Some([cell.density / self.n_samples.max(1) as f32, cell.max])
    }

    /// Number of cells along x and z, and the maximum density of each cell, row by row from the smallest x and z.
    pub fn max_density(&self) -> ([usize; 2], impl Iterator<Item = f32> + '_) {
        (self.size, self.cells.iter().map(|cell| cell.max))
    }

    /// The areas congested longest, the worst first, at least 2 m apart.
    pub fn bottlenecks(&self, most: usize) -> Vec<Bottleneck> {
        const MIN_DISTANCE: f32 = 2.0;
        let mut order: Vec<usize> = (0..self.cells.len())
            .filter(|i| self.cells[*i].dense > 0.0)
            .collect();
        let weight = |i: &usize| self.cells[*i].dense * self.cells[*i].max;
        order.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
        let mut found: Vec<Bottleneck> = Vec::new();
        for i in order {
            if found.len() >= most {
                break;
            }
            let (at, cell) = (self.middle(i), &self.cells[i]);
            if found
                .iter()
                .all(|other| other.position.distance(at) > MIN_DISTANCE)
            {
                found.push(Bottleneck {
                    position: at,
                    density: cell.max,
                    time: cell.at,
                    duration: cell.dense,
                    speed: cell.speed / cell.n.max(1) as f32,
                });
            }
        }
        found
    }

    fn pass(&mut self, own: Handle, places: &[Vec2], now: f64, dt: f64) {
        let known = self.before.iter().position(|(handle, _)| *handle == own);
        let at = known.unwrap_or_else(|| {
            self.before.push((own, places.to_vec()));
            self.before.len() - 1
        });
        let before = &mut self.before[at].1;
        for (from, to) in before.iter().zip(places) {
            // More than a metre in one tick is a teleport, which is not counted.
            if from == to || from.distance_squared(*to) > 1.0 {
                continue;
            }
            for line in &mut self.lines {
                if let Some((share, is_back)) = crossing(line.ends, *from, *to) {
                    let time = now - dt * f64::from(1.0 - share);
                    line.pass(is_back, time);
                }
            }
        }
        before.clear();
        before.extend_from_slice(places);
    }

    fn sample(&mut self, people: impl Iterator<Item = (Vec2, f32)>, now: f64, dt: f32) {
        self.counts.clear();
        self.counts.resize(self.cells.len(), (0, 0.0));
        let mut inside = 0;
        for (place, speed) in people {
            let Some(at) = self.at(place) else { continue };
            inside += 1;
            let reach = (HALF_WINDOW / self.cell - 0.5).round().max(0.0) as isize;
            let (x, y) = ((at % self.size[0]) as isize, (at / self.size[0]) as isize);
            for row in (y - reach).max(0)..=(y + reach).min(self.size[1] as isize - 1) {
                for column in (x - reach).max(0)..=(x + reach).min(self.size[0] as isize - 1) {
                    let count = &mut self.counts[row as usize * self.size[0] + column as usize];
                    count.0 += 1;
                    count.1 += speed;
                }
            }
        }
        let reach = (HALF_WINDOW / self.cell - 0.5).round().max(0.0);
        let wide = (reach * 2.0 + 1.0) * self.cell;
        let per = (wide * wide).recip();
        let share = 1.0 - (-dt).exp();
        for (cell, (n, speed)) in self.cells.iter_mut().zip(&self.counts) {
            let density = *n as f32 * per;
            cell.density += density;
            cell.speed += speed;
            cell.n += n;
            cell.smooth += (density - cell.smooth) * share;
            if cell.smooth > cell.max {
                (cell.max, cell.at) = (cell.smooth, now);
            }
            if cell.smooth > DENSE {
                cell.dense += dt;
            }
        }
        self.n_samples += 1;
        (self.first_entered, self.empty_since) = match (self.first_entered, inside) {
            (None, 0) => (None, None),
            (came, 0) => (came, self.empty_since.or(Some(now))),
            (came, _) => (came.or(Some(now)), None),
        };
        self.agent_count = inside;
    }
}

/// The crossing of a step over a line: the fraction of the step, and true if it goes from left to right.
fn crossing([a, b]: [Vec2; 2], from: Vec2, to: Vec2) -> Option<(f32, bool)> {
    let (line, step) = (b - a, to - from);
    // Seen from above, x points right and z down, so left is negative.
    let side = |place: Vec2| line.perp_dot(place - a);
    let (was, is) = (side(from), side(to));
    if (was < 0.0) == (is < 0.0) {
        return None;
    }
    let share = was / (was - is);
    let along = (from + step * share - a).dot(line) / line.length_squared();
    (0.0..=1.0).contains(&along).then_some((share, is > was))
}

/// Updates all crowd statistics from the movement of a tick.
pub(super) fn advance(
    crowd_stats: &mut Arena<CrowdStats>,
    crowds: &Arena<StageCrowd>,
    clock: Clock,
) {
    let (dt, tick) = (clock.dt, clock.n_ticks);
    let now = clock.time() + dt;
    let mut places = Vec::new();
    for (_, survey) in crowd_stats.iter_mut() {
        let looked_at =
            |own: Handle, survey: &CrowdStats| survey.crowd.is_none_or(|crowd| crowd == own);
        for (own, crowd) in crowds.iter() {
            if looked_at(own, survey) && !survey.lines.is_empty() {
                places.clear();
                places.extend(crowd.agents.iter().map(|person| person.agent.at));
                survey.pass(own, &places, now, dt);
            }
        }
        if tick.is_multiple_of(SAMPLE_INTERVAL) {
            let crowd = survey.crowd;
            let own = crowds.iter();
            let own = own.filter(|(own, _)| crowd.is_none_or(|crowd| crowd == *own));
            let people = own.flat_map(|(_, crowd)| &crowd.agents);
            let people = people.map(|person| {
                let velocity: Vec3 = person.velocity();
                (person.agent.at, velocity.length())
            });
            survey.sample(people, now, SAMPLE_INTERVAL as f32 * dt as f32);
        }
    }
}

impl Agents {
    /// Adds crowd statistics. `name` identifies them over reloads; without a name, the order of creation does. Returns
    /// `None` if there are too many.
    pub fn add_crowd_stats(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        survey: CrowdStats,
    ) -> Option<Handle> {
        if self.crowd_stats.len() >= MAX_CROWD_STATS {
            return None;
        }
        let identity = ids.identify(name, "survey");
        Some(self.crowd_stats.insert(CrowdStats { identity, ..survey }))
    }

    /// Walls between the observed agents: walls of their crowds, and borders of their navigation meshes.
    pub fn walls_of(&self, survey: &CrowdStats) -> Vec<[Vec2; 2]> {
        let own = self.crowds.iter();
        let own = own.filter(|(own, _)| survey.crowd.is_none_or(|crowd| crowd == *own));
        let mut walls = Vec::new();
        for (_, crowd) in own {
            walls.extend_from_slice(&crowd.walls);
            let ways = crowd.navmesh.and_then(|paths| self.nav_meshes.get(paths));
            let mesh = ways.and_then(|ways| ways.mesh());
            walls.extend(
                mesh.into_iter()
                    .flat_map(|mesh| mesh.borders().map(|(ends, _)| ends.map(flat))),
            );
        }
        walls
    }
}

/// Continues the counts of statistics with the same identity.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let old = &mut reload.old.agents.crowd_stats;
    let new = &mut reload.new.agents.crowd_stats;
    new.free_old();
    for (_, survey) in new.iter_mut() {
        let same = |was: &CrowdStats| was.identity == survey.identity;
        let was = old
            .iter()
            .find_map(|(handle, was)| same(was).then_some(handle));
        if let Some(was) = was.and_then(|handle| old.remove(handle)) {
            let crowd = was.crowd.and_then(|crowd| reload.crowds.new_of(crowd));
            survey.continue_from(was, crowd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_have_a_direction_and_end_at_the_ends_of_the_line() {
        let line = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
        let (near, far) = (Vec2::new(0.2, 0.25), Vec2::new(0.2, -0.75));
        // From right to left, for someone who walks along the line (+z).
        assert_eq!(crossing(line, near, far), Some((0.25, false)));
        assert_eq!(crossing(line, far, near), Some((0.75, true)));
        assert_eq!(crossing(line, near, near + Vec2::X), None);
        let beside = Vec2::X * 2.0;
        assert_eq!(crossing(line, near + beside, far + beside), None);
    }

    #[test]
    fn density_is_per_square_metre_and_bottlenecks_are_where_it_stays_high() {
        let mut survey = CrowdStats::new(Vec2::ZERO, Vec2::splat(12.0), 0.5).unwrap();
        // Nine people on a square of 1.5 m are four per square metre; one is alone elsewhere.
        let heap = (0..9).map(|i| {
            (
                Vec2::new(3.0, 3.0) + Vec2::new((i % 3) as f32, (i / 3) as f32) * 0.1,
                0.2,
            )
        });
        let alone = std::iter::once((Vec2::new(-4.0, -4.0), 1.3));
        for k in 0..100 {
            survey.sample(heap.clone().chain(alone.clone()), f64::from(k) * 0.1, 0.1);
        }
        assert_eq!(survey.inside(), 10);
        let [mean, most] = survey.density(Vec2::new(3.1, 3.1)).unwrap();
        assert!(
            (mean - 4.0).abs() < 1e-3 && (most - 4.0).abs() < 0.01,
            "{mean} {most}"
        );
        let [mean, _] = survey.density(Vec2::new(-4.0, -4.0)).unwrap();
        assert!((mean - 1.0 / 2.25).abs() < 1e-3, "{mean}");
        assert_eq!(survey.density(Vec2::splat(7.0)), None);
        let chokes = survey.bottlenecks(5);
        assert_eq!(chokes.len(), 1);
        assert!(chokes[0].position.distance(Vec2::splat(3.1)) < 0.8);
        assert!((chokes[0].speed - 0.2).abs() < 1e-3 && chokes[0].duration > 9.0);
        assert_eq!(survey.empty(), None);
        survey.sample(std::iter::empty(), 11.0, 0.1);
        assert_eq!((survey.inside(), survey.empty()), (0, Some(11.0)));
        assert!(CrowdStats::new(Vec2::ZERO, Vec2::splat(1e5), 0.1).is_none());
        assert!(CrowdStats::new(Vec2::ZERO, Vec2::new(f32::NAN, 1.0), 0.1).is_none());
    }
}
