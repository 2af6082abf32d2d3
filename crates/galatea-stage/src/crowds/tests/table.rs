//! Thirty scenes with dense crowds: doors, corridors in counterflow, rooms with several exits, crossings, obstacles, stairs.
//!
//! `GALATEA_CROWD_SEEDS=10` runs all scenes with ten seeds each, which takes an hour, and prints a table.
//! `GALATEA_CROWD_SCENES=door` limits them to those with the word in their names. By default a few scenes run with one seed.

use glam::{Vec2, Vec3};

use super::{CrowdAgent, HERTZ, MOVING, NoScript, RepulsionField, Scene, corridor, least_distance};
use crate::tick;

/// Distance ahead within which another agent is in the way, metres.
const AHEAD: f32 = 0.9;
/// The scene in which all agents have one goal.
const ONE_GOAL: &str = "1.2 + 2.4 m";
/// Product of two velocities below which they are opposite, m²/s².
const OPPOSITE: f32 = -1e-3;
/// Minimum flow through the openings over a whole run, agents per metre and second. The run includes the end, when some
/// openings are free already.
const MIN_FLOW: f32 = 1.3;
const MAX_FLOW: f32 = 1.9;
/// Ticks in a tenth of a second.
const TENTH: u32 = 6;
/// Speed below which an agent stands, m/s.
const STANDS: f32 = 0.1;

/// One row of the table.
struct Row {
    name: String,
    /// Time in which all agents must arrive, seconds.
    limit: f32,
    /// Total width of the openings, metres. `None` disables the check of the flow.
    width: Option<f32>,
    /// The row is part of the short run.
    is_short: bool,
    build: Box<dyn Fn(u64) -> Scene>,
}

/// Result of one run.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// Number of agents that have not arrived.
    n_left: usize,
    /// Time until the last agent arrived, seconds.
    seconds: f32,
    /// Agents per second through the openings, from the first to the last.
    flow: f32,
    /// Longest time for which an agent stood with free space ahead, seconds.
    stood: f32,
    /// Maximum number of reversals of an agent in one second, between ticks and between tenths of a second.
    reversals: u32,
    slow_reversals: u32,
    /// Minimum distance between two agents, metres.
    distance: f32,
    /// Number of positions inside walls, over all ticks.
    n_in_walls: u32,
}

/// Returns true if an agent at a position has crossed an opening.
type Crossed = fn(Vec3) -> bool;

/// An opening of a room: wall (0 = +Z, 1 = +X, 2 = −Z, 3 = −X), metres along the wall from its middle, width in metres.
type Exit = (usize, f32, f32);

/// A square room around the origin, 20 m wide.
fn room(exits: &[Exit]) -> Vec<[Vec3; 2]> {
    let half = 10.0;
    let mut walls = Vec::new();
    for side in 0..4 {
        let own = exits.iter().filter(|exit| exit.0 == side);
        let mut own: Vec<_> = own
            .map(|(_, at, width)| (at - width / 2.0, at + width / 2.0))
            .collect();
        own.sort_by(|a, b| a.0.total_cmp(&b.0));
        own.push((half + 0.3, 0.0));
        let mut from = -half - 0.3;
        for (low, high) in own {
            let (middle, length) = ((from + low) / 2.0, low - from);
            let off = if side < 2 { half } else { -half } + if side < 2 { 0.15 } else { -0.15 };
            walls.push(if side % 2 == 0 {
                [Vec3::new(middle, 0.6, off), Vec3::new(length, 1.2, 0.3)]
            } else {
                [Vec3::new(off, 0.6, middle), Vec3::new(0.3, 1.2, length)]
            });
            from = high;
        }
    }
    walls
}

/// A room that `n` agents leave. They all walk to one position, or each to the side on which it starts.
fn evacuation(seed: u64, n: usize, exits: &[Exit], goes_outwards: bool) -> Scene {
    Scene::new(seed)
        .with_solids(&room(exits), Vec2::splat(34.0))
        .agents(n, Vec2::ZERO, Vec2::splat(17.0), |from| {
            match (goes_outwards, exits.len()) {
                (false, _) => Vec2::Y * 28.0,
                (true, 2) => Vec2::new(from.x, 28.0 * from.y.signum()),
                (true, _) => from.normalize_or(Vec2::Y) * 28.0,
            }
        })
}

fn has_left_room(at: Vec3) -> bool {
    at.x.abs().max(at.z.abs()) > 10.4
}

fn door(seed: u64, n: usize, width: f32) -> Scene {
    let wide = if n > 500 { 30.0 } else { 17.0 };
    let depth = (n as f32 / 2.2 / wide).max(6.0);
    let size = Vec2::new(wide, depth);
    Scene::new(seed)
        .with_door(width)
        .agents(n, Vec2::Y * -(1.0 + depth / 2.0), size, |from| {
            Vec2::new(from.x, 20.0)
        })
}

fn crossing(seed: u64, n: usize, ways: usize) -> Scene {
    (0..ways).fold(Scene::new(seed), |scene, k| {
        let (along, across) = [
            (Vec2::X, Vec2::new(16.0, 6.0)),
            (Vec2::Y, Vec2::new(6.0, 16.0)),
            (Vec2::NEG_X, Vec2::new(16.0, 6.0)),
            (Vec2::NEG_Y, Vec2::new(6.0, 16.0)),
        ][k];
        scene.agents(n, along * -14.0, across, move |from| from + along * 28.0)
    })
}

fn obstacles(seed: u64, n: usize) -> Scene {
    let mut scene = Scene::new(seed);
    for (a, b) in (-3..=3).flat_map(|a| (-3..=3).map(move |b| (a, b))) {
        scene.obstacles.push(RepulsionField {
            at: Vec2::new((a * 3) as f32 + 1.5 * (b & 1) as f32, (b * 3) as f32),
            radius: 0.4 + 0.12 * ((a * 7 + b * 3_i32).rem_euclid(5)) as f32,
        });
    }
    let size = Vec2::new(20.0, 16.0);
    scene
        .agents(n, Vec2::Y * -22.0, size, |from| from + Vec2::Y * 44.0)
        .agents(n, Vec2::Y * 22.0, size, |from| from - Vec2::Y * 44.0)
}

/// Stairs 3 m wide from z = 0 up to a floor at 3.06 m, with steps of 17 cm height and 29 cm depth.
fn stairs(seed: u64, n_up: usize, n_down: usize) -> Scene {
    let (rise, tread) = (0.17, 0.29);
    let mut solids: Vec<_> = (1..=18_u8)
        .map(|k| {
            let (height, z) = (rise * f32::from(k), tread * (f32::from(k) - 0.5));
            [
                Vec3::new(0.0, height / 2.0, z),
                Vec3::new(3.0, height, tread),
            ]
        })
        .collect();
    let top = rise * 18.0;
    solids.push([
        Vec3::new(0.0, top / 2.0, tread * 18.0 + 6.0),
        Vec3::new(14.0, top, 12.0),
    ]);
    let mut scene = Scene::new(seed).with_solids(&solids, Vec2::new(12.0, 24.0));
    let size = Vec2::new(12.0, 9.0);
    if n_up > 0 {
        scene = scene.agents(n_up, Vec2::Y * -7.0, size, |from| {
            Vec2::new(from.x, from.y + 18.5)
        });
        scene.set_heights(0.0, top);
    }
    if n_down > 0 {
        scene = scene.agents(n_down, Vec2::Y * 11.5, size, |from| {
            Vec2::new(from.x, from.y - 18.5)
        });
        scene.set_heights(top, 0.0);
    }
    scene
}

/// A corridor 2 m wide along +X that turns to +Z.
fn corner(seed: u64, n: usize) -> Scene {
    let wall = |x: f32, z: f32, w: f32, d: f32| [Vec3::new(x, 0.6, z), Vec3::new(w, 1.2, d)];
    let walls = [
        wall(0.0, -1.15, 24.6, 0.3),
        wall(-2.0, 1.15, 20.0, 0.3),
        wall(10.15, 5.0, 0.3, 12.6),
        wall(7.85, 6.3, 0.3, 10.6),
    ];
    Scene::new(seed)
        .with_solids(&walls, Vec2::splat(24.0))
        .agents(n, Vec2::X * -5.5, Vec2::new(12.0, 1.6), |from| {
            Vec2::new(9.0 + from.y / 2.0, 18.0)
        })
}

/// Two rooms and a corridor of 10 × 2 m between them.
fn rooms(seed: u64, n: usize, against: usize) -> Scene {
    let wall = |x: f32, z: f32, w: f32, d: f32| [Vec3::new(x, 0.6, z), Vec3::new(w, 1.2, d)];
    let mut walls = vec![wall(0.0, 1.15, 10.6, 0.3), wall(0.0, -1.15, 10.6, 0.3)];
    for x in [-1.0, 1.0] {
        walls.push(wall(x * 5.15, 3.15, 0.3, 4.3));
        walls.push(wall(x * 5.15, -3.15, 0.3, 4.3));
        walls.push(wall(x * 15.15, 0.0, 0.3, 10.6));
        walls.push(wall(x * 10.15, 5.15, 10.3, 0.3));
        walls.push(wall(x * 10.15, -5.15, 10.3, 0.3));
    }
    let size = Vec2::new(5.6, 9.4);
    let scene = Scene::new(seed)
        .with_solids(&walls, Vec2::new(18.0, 8.0))
        .agents(n, Vec2::X * -12.0, size, |from| {
            Vec2::new(from.x + 22.0, from.y)
        });
    if against == 0 {
        return scene;
    }
    scene.agents(against, Vec2::X * 12.0, size, |from| {
        Vec2::new(from.x - 22.0, from.y)
    })
}

fn row(
    name: String,
    limit: f32,
    width: Option<f32>,
    build: impl Fn(u64) -> Scene + 'static,
) -> Row {
    Row {
        name,
        limit,
        width,
        is_short: false,
        build: Box::new(build),
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let doors = [
        (0.8, 50),
        (0.8, 300),
        (0.9, 100),
        (1.0, 200),
        (1.2, 50),
        (1.2, 500),
        (1.6, 300),
        (2.0, 500),
        (2.4, 500),
        (2.4, 1000),
    ];
    for (width, n) in doors {
        let limit = 40.0 + n as f32 / width / 1.2;
        let name = format!("door {width} m, {n} agents");
        rows.push(row(name, limit, Some(width), move |seed| {
            door(seed, n, width)
        }));
    }
    let corridors = [
        (3.0, 50),
        (3.0, 100),
        (4.0, 150),
        (4.0, 250),
        (6.0, 250),
        (6.0, 400),
        (10.0, 400),
        (10.0, 700),
    ];
    for (width, n) in corridors {
        let name = format!("corridor {width} m, {n} against {n}");
        rows.push(row(name, 600.0, None, move |seed| corridor(seed, n, width)));
    }
    let exits: [(&str, usize, &'static [Exit]); 5] = [
        (ONE_GOAL, 500, &[(0, -5.0, 1.2), (0, 5.0, 2.4)]),
        ("1.2 m opposite", 300, &[(0, -8.0, 1.2), (2, 8.0, 1.2)]),
        (
            "three of 1.2 m",
            400,
            &[(0, 0.0, 1.2), (1, 0.0, 1.2), (3, 0.0, 1.2)],
        ),
        (
            "four of 1.2 m",
            500,
            &[(0, 0.0, 1.2), (1, 0.0, 1.2), (2, 0.0, 1.2), (3, 0.0, 1.2)],
        ),
        (
            "four of 0.9 m",
            200,
            &[(0, 3.0, 0.9), (1, -3.0, 0.9), (2, 3.0, 0.9), (3, -3.0, 0.9)],
        ),
    ];
    for (name, n, exits) in exits {
        let goes_outwards = name != ONE_GOAL;
        let width = exits.iter().map(|exit| exit.2).sum();
        let name = format!("room, exits {name}, {n} agents");
        rows.push(row(name, 300.0, Some(width), move |seed| {
            evacuation(seed, n, exits, goes_outwards)
        }));
    }
    for (n, ways) in [(100, 2), (200, 2), (60, 4)] {
        let name = format!("crossing of {ways} ways, {n} each");
        rows.push(row(name, 180.0, None, move |seed| crossing(seed, n, ways)));
    }
    for n in [100, 250] {
        let name = format!("obstacles, {n} against {n}");
        rows.push(row(name, 240.0, None, move |seed| obstacles(seed, n)));
    }
    for (up, down) in [(100, 0), (0, 100), (50, 50)] {
        let name = format!("stairs 3 m, {up} up, {down} down");
        rows.push(row(name, 240.0, None, move |seed| stairs(seed, up, down)));
    }
    let name = "corner 2 m, 50 agents".to_owned();
    rows.push(row(name, 90.0, None, |seed| corner(seed, 50)));
    for against in [0, 50, 100] {
        let name = format!("corridor 2 m between rooms, 100 against {against}");
        rows.push(row(name, 400.0, None, move |seed| {
            rooms(seed, 100, against)
        }));
    }
    for row in &mut rows {
        let name = row.name.as_str();
        row.is_short = name.starts_with("corner")
            || name.starts_with("stairs 3 m, 50")
            || name.starts_with("crossing of 4")
            || name.contains("four of 0.9");
    }
    rows
}

/// Runs a scene until all agents have arrived, and measures it.
fn measure(mut scene: Scene, limit: f32, crossed: Crossed) -> Measured {
    let mut before = scene.all_agents();
    let n = before.len();
    let mut steps = vec![Vec2::ZERO; n];
    let mut reversals = vec![0; n];
    let mut strides: Vec<_> = before
        .iter()
        .map(|person| (person.agent.at, Vec2::ZERO))
        .collect();
    let mut slow_reversals = vec![0; n];
    let mut stood = vec![0.0_f32; n];
    let mut crossings = vec![None; n];
    let mut out = Measured {
        n_left: n,
        seconds: limit,
        flow: 0.0,
        stood: 0.0,
        reversals: 0,
        slow_reversals: 0,
        distance: f32::INFINITY,
        n_in_walls: 0,
    };
    for k in 1..=(limit * HERTZ) as u32 {
        tick(&mut scene.stage, &mut NoScript);
        let now = scene.all_agents();
        let time = k as f32 / HERTZ;
        for i in 0..n {
            let step = (now[i].agent.at - before[i].agent.at) * HERTZ;
            let is_moving = step.length().min(steps[i].length()) > MOVING;
            reversals[i] += u32::from(is_moving && step.dot(steps[i]) < OPPOSITE);
            steps[i] = step;
            if k.is_multiple_of(TENTH) {
                let stride = (now[i].agent.at - strides[i].0) * (HERTZ / TENTH as f32);
                let is_moving = stride.length().min(strides[i].1.length()) > MOVING;
                slow_reversals[i] += u32::from(is_moving && stride.dot(strides[i].1) < OPPOSITE);
                strides[i] = (now[i].agent.at, stride);
            }
            if crossings[i].is_none() && crossed(now[i].position()) {
                crossings[i] = Some(time);
            }
            out.n_in_walls += u32::from(is_in_wall(&scene, &before[i], &now[i]));
        }
        if k.is_multiple_of(HERTZ as u32) {
            out.distance = out.distance.min(least_distance(&now));
            out.reversals = reversals.iter().copied().fold(out.reversals, u32::max);
            let slow = slow_reversals.iter().copied();
            out.slow_reversals = slow.fold(out.slow_reversals, u32::max);
            reversals.fill(0);
            slow_reversals.fill(0);
            for i in 0..n {
                let is_idle = steps[i].length() < STANDS && is_free_ahead(&now, i);
                stood[i] = if is_idle { stood[i] + 1.0 } else { 0.0 };
            }
            out.stood = stood.iter().copied().fold(out.stood, f32::max);
        }
        out.n_left = now
            .iter()
            .filter(|person| person.reached_goal.is_none())
            .count();
        before = now;
        if out.n_left == 0 {
            out.seconds = time;
            break;
        }
    }
    let mut times: Vec<f32> = crossings.into_iter().flatten().collect();
    times.sort_by(f32::total_cmp);
    if let (Some(first), Some(last)) = (times.first(), times.last()) {
        out.flow = (times.len() - 1) as f32 / (last - first).max(1.0);
    }
    out
}

fn is_in_wall(scene: &Scene, before: &CrowdAgent, now: &CrowdAgent) -> bool {
    let at = now.position();
    let is_in = |[centre, size]: &[Vec3; 2]| {
        // Feet on a step are not inside it.
        let off = (at - *centre).abs();
        off.x < size.x / 2.0 && off.z < size.z / 2.0 && at.y + 0.5 < centre.y + size.y / 2.0
    };
    let crosses = |[a, b]: &[Vec2; 2]| {
        let side = |p: Vec2| (*b - *a).perp_dot(p - *a);
        let along = |p: Vec2| (now.agent.at - before.agent.at).perp_dot(p - before.agent.at);
        side(before.agent.at) * side(now.agent.at) < 0.0 && along(*a) * along(*b) < 0.0
    };
    let walls = scene.stage.agents.crowds.iter();
    let mut walls = walls.flat_map(|(_, crowd)| &crowd.walls);
    scene.solids.iter().any(is_in) || walls.any(crosses)
}

/// Returns true if an agent wants to move and no other agent is ahead of it.
fn is_free_ahead(people: &[CrowdAgent], i: usize) -> bool {
    let own = &people[i];
    let Some(to) = own.aim.or(own.goal).filter(|_| own.reached_goal.is_none()) else {
        return false;
    };
    let way = (to - own.agent.at).normalize_or_zero();
    !people.iter().enumerate().any(|(j, other)| {
        let off = other.agent.at - own.agent.at;
        j != i && off.length() < AHEAD && off.dot(way) > 0.5 * off.length()
    })
}

#[test]
fn all_agents_arrive_in_every_scene() {
    let seeds: Option<u64> = std::env::var("GALATEA_CROWD_SEEDS")
        .ok()
        .and_then(|seeds| seeds.parse().ok());
    let word = std::env::var("GALATEA_CROWD_SCENES").unwrap_or_default();
    let mut failed = Vec::new();
    println!(
        "| scene | seconds | flow per m and s | stood | reversals | distance | in walls | left |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows() {
        if !row.name.contains(&word) || (seeds.is_none() && !row.is_short) {
            continue;
        }
        let is_room = row.name.starts_with("room");
        let crossed: Crossed = if is_room {
            has_left_room
        } else {
            |at| at.z > 0.3
        };
        let runs = (1..=seeds.unwrap_or(1))
            .map(|seed| measure((row.build)(seed), row.limit, crossed))
            .collect::<Vec<_>>();
        let range = |value: fn(&Measured) -> f32| {
            let values = runs.iter().map(value);
            let low = values.clone().fold(f32::INFINITY, f32::min);
            (low, values.fold(f32::NEG_INFINITY, f32::max))
        };
        let seconds = range(|run| run.seconds);
        let flow = row.width.map(|width| {
            let (low, high) = range(|run| run.flow);
            (low / width, high / width)
        });
        let stood = range(|run| run.stood).1;
        let reversals = range(|run| run.reversals as f32).1;
        let slow_reversals = range(|run| run.slow_reversals as f32).1;
        let distance = range(|run| run.distance).0;
        let in_walls: u32 = runs.iter().map(|run| run.n_in_walls).sum();
        let left: usize = runs.iter().map(|run| run.n_left).sum();
        let flow_text = flow.map_or(String::new(), |(low, high)| {
            format!("{low:.2} to {high:.2}")
        });
        println!(
            "| {} | {:.0} to {:.0} | {flow_text} | {stood} s | {reversals}, {slow_reversals} | {distance:.3} m | {in_walls} | {left} |",
            row.name, seconds.0, seconds.1
        );
        let is_flowing = flow.is_none_or(|(low, high)| low >= MIN_FLOW && high <= MAX_FLOW);
        if left > 0
            || stood > 20.0
            || reversals > 2.0
            || slow_reversals > 3.0
            || distance < 0.465
            || in_walls > 0
            || !is_flowing
        {
            failed.push(row.name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
