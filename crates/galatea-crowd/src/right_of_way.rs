//! Right of way: which of two agents makes way for the other (Curtis, Zafar, Gutub and Manocha 2013, "Right of way:
//! asymmetric agent interactions in crowds").
//!
//! Reciprocal avoidance deadlocks where two agents touch: neither may approach, so neither has a reason to move. Two rules decide such cases. Of two agents with one waypoint, the nearer goes first. An agent that was blocked for
//! [`PATIENCE`] gets priority: others make room for the velocity that it prefers, not for the one that it has.

use glam::Vec2;

use super::agent::Agent;
use super::among::SeenAgent;

/// Seconds for which an agent is blocked before it gets priority.
const PATIENCE: f32 = 1.5;
/// Seconds for which an agent keeps priority after it last made progress.
const PRIORITY: f32 = 3.0;
/// Seconds without priority after it did not help an agent.
const COOLDOWN: f32 = 4.0;
/// Agents are blocked below this fraction of their preferred speed.
const PROGRESS: f32 = 0.25;
/// Preferred speed up to which an agent rests on purpose, metres per second.
const STANDING: f32 = 0.05;
/// Waypoints closer than the sum of the radii and this margin are one, metres.
const SAME_WAYPOINT: f32 = 0.3;
/// Agents block each other across gaps up to this, metres.
const CONTACT_GAP: f32 = 0.3;
/// Time horizon of an agent with priority, seconds. It approaches as far as it can.
const PRIORITY_HORIZON: f32 = 0.1;
/// Speed for which others make room, metres per second.
const MAX_ROOM_SPEED: f32 = 0.8;
/// Part of a separation that an agent with priority does itself, relative to others.
const PRIORITY_WEIGHT: f32 = 0.25;

/// Parameters with which an agent avoids another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Avoidance {
    /// Velocity of the other agent that is assumed, metres per second.
    pub velocity: Vec2,
    /// Fraction of the change of velocity that the agent itself makes; 0 if it goes first.
    pub share: f32,
    /// Seconds ahead.
    pub horizon: f32,
}

/// An agent and its number, which decides between equals.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<'a> {
    pub agent: &'a Agent,
    pub number: u32,
}

/// Returns true if an agent is nearer to a waypoint that it shares with another; `None` if they share none.
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
    /// Returns how an agent avoids another one, either of which may have priority; `plain` applies if neither has.
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
                velocity: other.agent.wish.clamp_length_max(MAX_ROOM_SPEED),
                share: 1.0,
                ..plain
            }
        } else if has_priority_over(own, other) {
            Avoidance {
                share: 1.0,
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
    /// Gives the agent priority for some seconds.
    pub(super) fn take_priority(&mut self) {
        (self.priority, self.blocked) = (PRIORITY, 0.0);
    }

    /// Counts the time in which it is blocked, after a tick in which it moved from a position.
    pub(super) fn note_progress(&mut self, from: Vec2, dt: f32) {
        let speed = self.wish.length();
        let heading = self.wish.try_normalize().filter(|_| speed > STANDING);
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

    /// Weight with which it gives way when it is separated from agents that it touches.
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
        share: 0.5,
    };

    #[test]
    fn a_blocked_agent_takes_priority_which_ends_when_it_makes_no_progress() {
        let mut own = Agent {
            wish: Vec2::X,
            ..Agent::default()
        };
        let other = Agent::default();
        let plain = Avoidance {
            velocity: Vec2::ZERO,
            share: 0.5,
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
        assert_eq!((makes_way.velocity, makes_way.share), (Vec2::X * 0.8, 1.0));
        assert_eq!(
            near.avoidance(a, b, &TOUCHING, plain).horizon,
            PRIORITY_HORIZON
        );
        // Nobody near it takes priority meanwhile.
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
        own.wish = Vec2::ZERO;
        own.note_progress(own.at, 0.1);
        assert_eq!(own.blocked, 0.0);
    }
}
