//! Agents that follow a leader: side by side where there is room, otherwise in single file behind it, and by a path if the
//! nav mesh has no straight line to it. A leader waits for followers that are left behind.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::behaviour::Leader;
use super::crowd_agent::CrowdAgent;
use super::formation::Formation;
use super::{Handle, StageCrowd};
use galatea_math::clamp::ClampTo as _;
use galatea_math::lines::flat;
use galatea_navmesh::{NavMesh, NavPoint};

/// Time constant with which a follower approaches its target, seconds, and its maximum speed as a multiple of its pace.
const CATCHES_UP: f32 = 0.7;
const HURRIES: f32 = 1.35;
/// Distance from its target at which a follower has arrived, and beyond which it takes a path, metres.
const ARRIVED_DISTANCE: f32 = 0.25;
const FAR: f32 = 5.0;
/// Ticks between two searches for a path to the leader, and between two checks of the room around it.
const SEARCH_TICKS: u64 = 30;
const LOOK_TICKS: u64 = 6;
/// Speed below which a leader stands, m/s.
const STANDING_SPEED: f32 = 0.2;
/// Time by which the leader's position is predicted when a group looks for room, seconds.
const AHEAD: f32 = 0.8;
/// Distance to the leader in single file, metres.
const FILE_GAP: f32 = 0.6;
/// Maximum distance of a follower ahead of its leader in a narrow passage, and distance at which it has reached a waypoint,
/// metres.
const MAX_AHEAD: f32 = 2.0;
const AT_WAYPOINT: f32 = 0.4;
/// Maximum distance from an agent to the nav mesh, metres; maximum number of polygons on a straight line; and tolerance for
/// the ends of an edge, as a fraction of its length.
const ON_MESH: f32 = 1.0;
const MAX_CROSSED: usize = 48;
const ON_EDGE: f32 = 1e-4;
/// Lag of a follower from which its leader slows down, and at which the leader stands, metres.
const LAG: f32 = 2.0;
const MAX_LAG: f32 = 4.0;
/// Lag that is ignored for a follower with a straight line to its leader, metres.
const IN_SIGHT: f32 = 1.5;
/// Minimum fraction of its speed that a leader keeps in a narrow passage, where others need to pass.
const NARROW: f32 = 0.5;
/// Total time that a leader waits before it leaves its followers behind, seconds, and the lag below which that time is
/// reset, metres.
const MAX_WAIT: f32 = 12.0;
const TOGETHER: f32 = 1.2;

/// A leader as its followers see it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct FollowedLeader {
    pub at: Vec3,
    pub velocity: Vec2,
    pub heading: f32,
    /// Preferred velocity, and the position that it heads straight for.
    pub desired_velocity: Vec2,
    pub waypoint: Option<Vec2>,
}

/// Lag of an agent's slowest follower.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Lag {
    metres: f32,
    is_narrow: bool,
}

/// Scratch buffers: every agent of a crowd as a leader, and the lag of its slowest follower.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct FollowScratch {
    leaders: Vec<FollowedLeader>,
    lags: Vec<Lag>,
}

impl StageCrowd {
    /// Sets the preferred velocities of followers, and slows down leaders that wait. `character` returns a leader that is a
    /// character.
    pub(super) fn follow(
        &mut self,
        (tick, dt): (u64, f32),
        mesh: Option<&NavMesh>,
        character: impl Fn(Handle) -> Option<FollowedLeader>,
        scratch: &mut FollowScratch,
    ) {
        let mut people = self.agents.iter();
        if people.all(|person| person.behaviour.leader.is_none()) {
            return;
        }
        let FollowScratch { leaders, lags } = scratch;
        leaders.clear();
        leaders.extend(self.agents.iter().map(|person| FollowedLeader {
            at: person.position(),
            velocity: person.agent.velocity,
            heading: person.heading,
            desired_velocity: person.agent.desired_velocity,
            waypoint: person.agent.waypoint,
        }));
        lags.clear();
        lags.resize(self.agents.len(), Lag::default());
        let has_paths = self.navmesh.is_some();
        for (i, person) in (0_u64..).zip(&mut self.agents) {
            let Some((leader, off)) = person.behaviour.leader else {
                continue;
            };
            let led = match leader {
                Leader::CrowdAgent(number) => leaders.get(number as usize).copied(),
                Leader::Character(handle) => character(handle),
            };
            let Some(led) = led else {
                person.behaviour.leader = None;
                continue;
            };
            if person.behaviour.stationary
                || person.behaviour.used_object.is_some()
                || person.leads_agent()
            {
                continue;
            }
            let target = led.target(off);
            if let Some(mesh) = mesh.filter(|_| (tick + i).is_multiple_of(LOOK_TICKS)) {
                look_around(mesh, person, &led, target);
            }
            let searches = (tick + i).is_multiple_of(SEARCH_TICKS);
            let metres = walk_after(person, &led, target, has_paths.then_some(searches));
            let lag = match leader {
                Leader::CrowdAgent(number) => lags.get_mut(number as usize),
                Leader::Character(_) => None,
            };
            if let Some(lag) = lag {
                let is_cut_off = person.behaviour.formation == Formation::Path;
                let metres = if is_cut_off {
                    metres
                } else {
                    metres - IN_SIGHT
                };
                lag.metres = lag.metres.max(metres);
                lag.is_narrow |= person.behaviour.is_narrow;
            }
        }
        for (person, lag) in self.agents.iter_mut().zip(lags) {
            let state = person.behaviour.state.map(usize::from);
            let state = state.and_then(|state| self.states.get(state));
            if state.is_none_or(|state| state.flee_distance.is_none()) {
                wait_for(person, lag, dt);
            }
        }
    }
}

impl FollowedLeader {
    /// Target of a follower with the offset `off`, metres to the left and ahead of the leader.
    fn target(&self, off: Vec2) -> Vec2 {
        // Headings turn from +Z to +X, the left of one that faces +Z is +X.
        let (sin, cos) = self.heading.sin_cos();
        flat(self.at) + Vec2::new(cos, -sin) * off.x + Vec2::new(sin, cos) * off.y
    }

    /// Preferred velocity of a follower that is ahead of its leader in a narrow passage: it walks on first.
    fn desired_velocity_ahead(&self, person: &CrowdAgent) -> Option<Vec2> {
        let heading = self.desired_velocity.try_normalize()?;
        let off = person.agent.at - flat(self.at);
        if off.dot(heading) < 0.0 {
            return None;
        }
        if off.length() > MAX_AHEAD {
            return Some(Vec2::ZERO);
        }
        let to_waypoint = self.waypoint.map(|to| to - person.agent.at);
        let way = to_waypoint.filter(|way| way.length() > AT_WAYPOINT);
        Some(way.map_or(heading, Vec2::normalize) * person.speed)
    }
}

/// Chooses the formation of a follower. Side by side needs a straight line, and room where the leader will be soon.
fn look_around(mesh: &NavMesh, person: &mut CrowdAgent, led: &FollowedLeader, target: Vec2) {
    let has_line = |from: Vec3, to: Vec2| {
        let spot = mesh.nearest(from, ON_MESH);
        spot.is_none_or(|spot| has_straight_line(mesh, spot, to))
    };
    let here = person.position();
    let is_narrow = !has_line(led.at, target + led.velocity * AHEAD);
    person.behaviour.is_narrow = is_narrow;
    person.behaviour.formation = if !is_narrow && has_line(here, target) {
        Formation::SideBySide
    } else if has_line(here, flat(led.at)) {
        Formation::File
    } else {
        Formation::Path
    };
}

/// Returns true if the straight line from a point of a mesh to a position crosses no border.
fn has_straight_line(mesh: &NavMesh, from: NavPoint, to: Vec2) -> bool {
    let at = flat(from.at);
    let mut polygon = from.polygon;
    for _ in 0..MAX_CROSSED {
        if mesh.holds(polygon, to) {
            return true;
        }
        // A line leaves a convex polygon at the farther of two edges.
        let crossed = mesh.edges(polygon).filter_map(|edge| {
            let [a, b] = mesh.ends(edge).map(flat);
            let across = (to - at).perp_dot(b - a);
            let along = (a - at).perp_dot(b - a) / across;
            let on_edge = (a - at).perp_dot(to - at) / across;
            let is_on = (-ON_EDGE..=1.0 + ON_EDGE).contains(&on_edge);
            (is_on && along.is_finite()).then_some((along, edge))
        });
        let Some((_, edge)) = crossed.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return false;
        };
        polygon = mesh.beyond(edge);
        if polygon == u32::MAX {
            return false;
        }
    }
    false
}

/// Sets the preferred velocity of a follower. With paths, `searches` is true if it may search a new path in this tick.
/// Returns its lag in metres.
fn walk_after(
    person: &mut CrowdAgent,
    led: &FollowedLeader,
    target: Vec2,
    searches: Option<bool>,
) -> f32 {
    let way = target - person.agent.at;
    let distance = way.length();
    let formation = person.behaviour.formation;
    if let Some(searches) = searches
        && (formation == Formation::Path || distance > FAR)
    {
        if person.goal.is_none() || searches {
            person.send(Some(flat(led.at)));
        }
        // A follower may exceed its pace to catch up.
        person.agent.fastest = person.speed * HURRIES;
        person.agent.desired_velocity *= HURRIES;
        return distance;
    }
    if person.goal.is_some() {
        person.send(None);
        person.agent.waypoint = None;
    }
    let most = person.speed.max(led.velocity.length()) * HURRIES;
    person.agent.fastest = most;
    if let Some(wish) = led
        .desired_velocity_ahead(person)
        .filter(|_| person.behaviour.is_narrow)
    {
        (person.agent.desired_velocity, person.agent.waypoint) = (wish, led.waypoint);
        return 0.0;
    }
    let (way, distance) = if formation == Formation::File {
        let to_leader = flat(led.at) - person.agent.at;
        let gap = (to_leader.length() - FILE_GAP).max(0.0);
        person.agent.waypoint = Some(flat(led.at));
        (to_leader.normalize_or_zero() * gap, gap)
    } else {
        (way, distance)
    };
    let is_there = distance < ARRIVED_DISTANCE && led.velocity.length() < STANDING_SPEED;
    let wish = if formation == Formation::File {
        // In single file it keeps its distance but does not copy sideways motion of the leader.
        way / CATCHES_UP
            + led
                .velocity
                .project_onto_normalized(way.normalize_or(Vec2::X))
    } else {
        way / CATCHES_UP + led.velocity
    };
    person.agent.desired_velocity = if is_there {
        Vec2::ZERO
    } else {
        wish.clamp_length_max(most)
    };
    distance
}

/// Slows a leader down for its slowest follower, for a limited time.
fn wait_for(person: &mut CrowdAgent, lag: &Lag, dt: f32) {
    if lag.metres < TOGETHER {
        person.behaviour.waited = 0.0;
    }
    if lag.metres <= LAG || person.behaviour.waited >= MAX_WAIT {
        return;
    }
    let least = if lag.is_narrow { NARROW } else { 0.0 };
    let keeps = (1.0 - (lag.metres - LAG) / (MAX_LAG - LAG)).clamp_to(least, 1.0);
    person.behaviour.waited += (1.0 - keeps) * dt;
    person.agent.desired_velocity *= keeps;
}
