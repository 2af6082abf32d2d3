//! Right of way: which of two agents gives way to the other (Curtis, Zafar, Gutub and Manocha 2013, "Right of way:
//! asymmetric agent interactions in crowds").
//!
//! Reciprocal avoidance deadlocks where two agents touch: neither may approach, so neither has a reason to move. Two rules
//! decide such cases. Of two agents with one waypoint, the nearer goes first. An agent that was blocked for [`PATIENCE`]
//! gets priority: others make room for the velocity that it prefers, not for its present one.

use glam::Vec2;

use super::agent::Agent;
use super::among::SeenAgent;

/// Time for which an agent must be blocked before it gets priority, seconds.
const PATIENCE: f32 = 1.5;
/// Time for which an agent keeps priority after it last made progress, seconds.
const PRIORITY: f32 = 3.0;
/// Time without priority after a priority that did not help, seconds.
const COOLDOWN: f32 = 4.0;
/// Fraction of its preferred speed below which an agent is blocked.
const PROGRESS: f32 = 0.25;
/// Preferred speed up to which an agent rests on purpose, metres per second.
const STANDING: f32 = 0.05;
/// Margin, added to the sum of the radii, within which two waypoints count as one, metres.
const SAME_WAYPOINT: f32 = 0.3;
/// Maximum gap across which agents block each other, metres.
const CONTACT_GAP: f32 = 0.3;
/// Time horizon of an agent with priority, seconds; with a short one it can approach others closely.
const PRIORITY_HORIZON: f32 = 0.1;
/// Maximum speed for which others make room, m/s.
const MAX_ROOM_SPEED: f32 = 0.8;
/// Weight of an agent with priority when overlaps are resolved, relative to others.
const PRIORITY_WEIGHT: f32 = 0.25;

/// Parameters for the avoidance of another agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Avoidance {
    /// Assumed velocity of the other agent, m/s.
    pub velocity: Vec2,
    /// Fraction of the change of velocity that the agent itself makes; 0 if it goes first.
    pub avoidance_fraction: f32,
    /// Time horizon, seconds.
    pub horizon: f32,
}

/// An agent and its number, which breaks ties.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<'a> {
    pub agent: &'a Agent,
    pub number: u32,
}

/// Returns true if an agent is nearer than another to a waypoint that both share; `None` if they share none.
pub fn is_nearer(own: Numbered<'_>, other: Numbered<'_>) -> Option<bool> {
    let (to, of_other) = own.agent.waypoint.zip(other.agent.waypoint)?;
    let margin = own.agent.radius + other.agent.radius + SAME_WAYPOINT;
    if to.distance_squared(of_other) >= margin * margin {
        return None;
    }
    let distance = to.distance_squared(own.agent.at);
    let of_other = of_other.distance_squared(other.agent.at);
    Some(distance < of_other || distance == of_other && own.number < other.number)
}

/// Priorities of the agents near an agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Priorities {
    is_blocked_by: bool,
    has_priority_near: bool,
}

impl Priorities {
    /// Returns the parameters for the avoidance of another agent, if one of the two may have priority. `plain` applies if
    /// neither has.
    pub fn avoidance(
        &mut self,
        own: Numbered<'_>,
        other: Numbered<'_>,
        seen: &SeenAgent,
        plain: Avoidance,
    ) -> Avoidance {
        if other.agent.yields <= 0.0 {
            return plain;
        }
        let reach = seen.radii + CONTACT_GAP;
        self.is_blocked_by |= seen.offset.length_squared() < reach * reach;
        self.has_priority_near |= other.agent.priority > 0.0;
        if has_priority_over(other, own) {
            Avoidance {
                velocity: other
                    .agent
                    .desired_velocity
                    .clamp_length_max(MAX_ROOM_SPEED),
                avoidance_fraction: 1.0,
                ..plain
            }
        } else if has_priority_over(own, other) {
            Avoidance {
                avoidance_fraction: 1.0,
                horizon: PRIORITY_HORIZON,
                ..plain
            }
        } else {
            plain
        }
    }

    /// Returns true if a blocked agent takes priority now, because no agent near it has it.
    pub fn is_taken_by(&self, own: &Agent) -> bool {
        let is_patient = own.blocked < PATIENCE || own.priority > 0.0;
        self.is_blocked_by && !self.has_priority_near && !is_patient
    }
}

fn has_priority_over(own: Numbered<'_>, other: Numbered<'_>) -> bool {
    let is_first = other.agent.priority <= 0.0 || own.number < other.number;
    own.agent.priority > 0.0 && is_first
}

impl Agent {
    /// Gives the agent priority.
    pub(super) fn take_priority(&mut self) {
        (self.priority, self.blocked) = (PRIORITY, 0.0);
    }

    /// Counts the time for which it is blocked, after a tick in which it moved from `from`.
    pub(super) fn note_progress(&mut self, from: Vec2, dt: f32) {
        let speed = self.desired_velocity.length();
        let heading = self
            .desired_velocity
            .try_normalize()
            .filter(|_| speed > STANDING);
        let Some(heading) = heading else {
            (self.blocked, self.priority) = (0.0, 0.0);
            return;
        };
        let progress = (self.at - from).dot(heading) / dt;
        if progress < PROGRESS * speed {
            let had_priority = self.priority > 0.0;
            self.priority = (self.priority - dt).max(0.0);
            if !had_priority {
                self.blocked += dt;
            } else if self.priority <= 0.0 {
                self.blocked = -COOLDOWN;
            }
            return;
        }
        self.blocked = (self.blocked.min(PATIENCE) - 2.0 * dt).max(self.blocked.min(0.0));
        if self.priority > 0.0 {
            self.priority = PRIORITY;
        }
    }

    /// Weight with which it moves when an overlap with another agent is resolved.
    pub(super) fn separation_weight(&self) -> f32 {
        let factor = if self.priority > 0.0 {
            PRIORITY_WEIGHT
        } else {
            1.0
        };
        self.yields * factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(agent: &Agent, number: u32) -> Numbered<'_> {
        Numbered { agent, number }
    }

    #[test]
    fn the_nearer_of_two_with_one_waypoint_goes_first_and_one_of_two_always_does() {
        let own = Agent {
            at: Vec2::new(-0.3, -0.5),
            waypoint: Some(Vec2::ZERO),
            ..Agent::default()
        };
        let other = Agent {
            at: Vec2::new(0.5, -0.5),
            waypoint: Some(Vec2::X * 0.3),
            ..Agent::default()
        };
        let same = Agent {
            at: Vec2::new(0.3, -0.5),
            ..own
        };
        let [a, b, c] = [numbered(&own, 0), numbered(&other, 1), numbered(&same, 2)];
        assert_eq!(
            [is_nearer(a, b), is_nearer(b, a)],
            [Some(false), Some(true)]
        );
        assert_eq!(
            [is_nearer(a, c), is_nearer(c, a)],
            [Some(true), Some(false)]
        );
        let far = Agent {
            waypoint: Some(Vec2::X * 3.0),
            ..own
        };
        assert_eq!(is_nearer(a, numbered(&far, 3)), None);
        assert_eq!(is_nearer(a, numbered(&Agent::default(), 4)), None);
    }

    const TOUCHING: SeenAgent = SeenAgent {
        offset: Vec2::new(0.5, 0.0),
        heading: Vec2::ZERO,
        radii: 0.5,
        avoidance_fraction: 0.5,
    };

    #[test]
    fn a_blocked_agent_takes_priority_which_ends_when_it_makes_no_progress() {
        let mut own = Agent {
            desired_velocity: Vec2::X,
            ..Agent::default()
        };
        let other = Agent::default();
        let plain = Avoidance {
            velocity: Vec2::ZERO,
            avoidance_fraction: 0.5,
            horizon: 2.0,
        };
        let mut ticks = 0;
        loop {
            let mut near = Priorities::default();
            near.avoidance(numbered(&own, 1), numbered(&other, 0), &TOUCHING, plain);
            if near.is_taken_by(&own) {
                break;
            }
            own.note_progress(own.at, 0.1);
            ticks += 1;
            assert!(ticks < 20);
        }
        assert_eq!(ticks, 15);
        own.take_priority();
        let mut near = Priorities::default();
        let [a, b] = [numbered(&own, 1), numbered(&other, 0)];
        let makes_way = near.avoidance(b, a, &TOUCHING, plain);
        assert_eq!(
            (makes_way.velocity, makes_way.avoidance_fraction),
            (Vec2::X * 0.8, 1.0)
        );
        assert_eq!(
            near.avoidance(a, b, &TOUCHING, plain).horizon,
            PRIORITY_HORIZON
        );
        // No agent near it takes priority meanwhile.
        let waits = Agent {
            blocked: 9.0,
            ..other
        };
        assert!(!near.is_taken_by(&waits));
        for _ in 0..100 {
            own.note_progress(own.at - Vec2::X * 0.1, 0.1);
        }
        assert!(own.priority > 0.0);
        for _ in 0..31 {
            own.note_progress(own.at, 0.1);
        }
        assert_eq!(own.priority, 0.0);
        own.desired_velocity = Vec2::ZERO;
        own.note_progress(own.at, 0.1);
        assert_eq!(own.blocked, 0.0);
    }
}
