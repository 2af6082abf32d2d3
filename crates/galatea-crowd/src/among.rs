//! Behaviour among moving agents: the agent ahead goes first, followers keep a time gap, and lanes form in opposing flows.

use glam::Vec2;

/// Distance by which an agent must be ahead to go first, metres.
const CLEAR: f32 = 0.03;
/// Time gap to the agent in front, seconds, and maximum lateral offset of an agent in front, as a fraction of the sum of the
/// radii. With these values the speeds in dense crowds are near those that Weidmann measured in 1993, and 1.3 to 1.9 persons
/// per second pass each metre of a door (Seyfried et al. 2009). The gap grows with the speed as in Tordeux, Chraibi and
/// Seyfried 2016.
const TIME_GAP: f32 = 0.5;
const IN_FRONT: f32 = 0.4;
/// Squared length of the sum of two headings above which one agent follows the other: within 60 degrees.
const FOLLOWS: f32 = 3.0;
/// Distance to the agent in front below which an agent stops, and above which it starts again, metres. The second shrinks
/// within the patience, seconds: if all waited for a full step of room, a very dense crowd would stand forever.
const STOP: f32 = 0.03;
const START: f32 = 0.2;
const PATIENT_START: f32 = 0.12;
const START_PATIENCE: f32 = 1.0;
/// Speed below which an agent stands, m/s.
const STANDING_SPEED: f32 = 0.02;
/// Lateral distance within which an agent avoids oncoming agents, metres; angle by which it turns away from a near one,
/// radians; angle by which it turns towards agents ahead with the same heading, radians per metre of lateral offset.
const LANE: f32 = 1.5;
const LEAVE: f32 = 0.3;
const FOLLOW: f32 = 0.2;
/// Maximum angle by which an agent turns aside, radians.
const MAX_ASIDE: f32 = 0.6;

/// Observations of an agent about its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Among {
    /// Direction of the own preferred velocity, unit; zero for an agent that stays.
    heading: Vec2,
    /// Distance within which others are considered, metres.
    range: f32,
    /// Distance to the agent in front, metres.
    gap: f32,
    /// Turns to the left: away from oncoming agents, and towards agents ahead with the same heading.
    leave: f32,
    follow: f32,
    /// An agent comes towards this one.
    has_oncoming: bool,
}

/// Another agent, seen from an agent.
#[derive(Clone, Copy, Debug)]
pub struct SeenAgent {
    /// Position relative to the own one, metres.
    pub offset: Vec2,
    /// Direction of its preferred velocity, unit; zero for an agent that stays.
    pub heading: Vec2,
    /// Sum of the radii, metres.
    pub radii: f32,
    /// Own fraction of the avoidance among equals, 0..=1.
    pub avoidance_fraction: f32,
}

/// Precedence between two agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precedence {
    /// Own fraction of the avoidance; 0 for the agent that goes first.
    pub avoidance_fraction: f32,
    /// True if one agent follows the other or both share a waypoint: priorities do not change it.
    pub is_settled: bool,
}

impl Among {
    /// An agent that has not seen others yet.
    pub fn new(heading: Vec2, reach: f32) -> Self {
        Self {
            heading,
            range: reach,
            gap: f32::INFINITY,
            leave: 0.0,
            follow: 0.0,
            has_oncoming: false,
        }
    }

    /// Notes another agent and returns the precedence. The agent ahead along the sum of both headings goes first. If their
    /// headings are a right angle or more apart and they share a waypoint, the nearer one goes first: `is_nearer`.
    #[inline]
    pub fn sees(
        &mut self,
        other: &SeenAgent,
        is_nearer: impl FnOnce() -> Option<bool>,
    ) -> Precedence {
        let SeenAgent {
            offset,
            heading,
            radii,
            avoidance_fraction: share,
        } = *other;
        let both = self.heading + heading;
        let same = both.length_squared();
        let ahead = offset.dot(self.heading);
        let side = self.heading.perp_dot(offset);
        let near = (1.0 - ahead.max(0.0) / self.range).max(0.0);
        let is_in_front = side.abs() < radii * IN_FRONT;
        // They approach one waypoint from different sides.
        if same <= 2.0
            && let Some(is_nearer) = is_nearer()
        {
            if !is_nearer && ahead > 0.0 && is_in_front {
                self.keep_gap(offset, radii);
            }
            return Precedence {
                avoidance_fraction: f32::from(u8::from(!is_nearer)),
                is_settled: true,
            };
        }
        let is_settled = same > FOLLOWS;
        // The headings are within 120 degrees. An agent that stays has no heading and fails this test.
        if same > 1.0 + 1e-4 {
            let before = offset.dot(both);
            // The headings are within a right angle.
            if same > 2.0 && before > 0.0 {
                self.follow += side.clamp(-1.0, 1.0) * near;
                if is_in_front {
                    self.keep_gap(offset, radii);
                }
            }
            let share = if before < -CLEAR {
                0.0
            } else if before > CLEAR {
                1.0
            } else {
                share
            };
            return Precedence {
                avoidance_fraction: share,
                is_settled,
            };
        }
        let comes = same < 1.0 - 1e-4 && ahead > 0.0;
        if comes && side.abs() < LANE {
            self.has_oncoming = true;
            self.leave -= (1.0 - side.abs() / LANE).copysign(side) * near;
        }
        Precedence {
            avoidance_fraction: share,
            is_settled,
        }
    }

    fn keep_gap(&mut self, offset: Vec2, radii: f32) {
        self.gap = self.gap.min((offset.length() - radii).max(0.0));
    }

    /// The preferred velocity after the observations, for an agent with this velocity that keeps `right` radians to the
    /// right and was blocked for `blocked` seconds. An agent in a jam stands and moves in steps; it does not creep.
    pub fn desired_velocity(&self, wish: Vec2, velocity: Vec2, right: f32, blocked: f32) -> Vec2 {
        let stands = velocity.length_squared() < STANDING_SPEED * STANDING_SPEED;
        let room = if stands {
            let patience = (1.0 - blocked.max(0.0) / START_PATIENCE).max(0.0);
            PATIENT_START + (START - PATIENT_START) * patience
        } else {
            STOP
        };
        if self.gap < room {
            return Vec2::ZERO;
        }
        let follow = if self.has_oncoming { self.follow } else { 0.0 };
        let aside = (LEAVE * self.leave + FOLLOW * follow).clamp(-MAX_ASIDE, MAX_ASIDE);
        let wish = wish + wish.perp() * (aside - right);
        wish.clamp_length_max(self.gap / TIME_GAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walker() -> Among {
        Among::new(Vec2::Y, 4.0)
    }

    /// Another agent with a waypoint of its own.
    fn seen(offset: Vec2, heading: Vec2) -> SeenAgent {
        SeenAgent {
            offset,
            heading,
            radii: 0.5,
            avoidance_fraction: 0.5,
        }
    }

    #[test]
    fn the_agent_that_arrives_first_goes_first_and_one_of_two_always_does() {
        // The paths cross ahead at a right angle. The agent nearer to the crossing does not give way.
        let (from_left, from_below) = (Vec2::new(-2.0, 3.0), Vec2::ZERO);
        let offset = from_left - from_below;
        assert_eq!(
            walker()
                .sees(&seen(offset, Vec2::X), || None)
                .avoidance_fraction,
            1.0
        );
        let mut other = Among::new(Vec2::X, 4.0);
        assert_eq!(
            other
                .sees(&seen(-offset, Vec2::Y), || None)
                .avoidance_fraction,
            0.0
        );
        // Side by side, both give way by half.
        assert_eq!(
            walker()
                .sees(&seen(Vec2::X, Vec2::Y), || None)
                .avoidance_fraction,
            0.5
        );
        // Oncoming and standing agents are avoided by half, on either side.
        for offset in [Vec2::Y, Vec2::NEG_Y] {
            assert_eq!(
                walker()
                    .sees(&seen(offset, Vec2::NEG_Y), || None)
                    .avoidance_fraction,
                0.5
            );
            assert_eq!(
                walker()
                    .sees(&seen(offset, Vec2::ZERO), || None)
                    .avoidance_fraction,
                0.5
            );
            let mut stays = Among::new(Vec2::ZERO, 4.0);
            assert_eq!(
                stays
                    .sees(&seen(offset, Vec2::Y), || None)
                    .avoidance_fraction,
                0.5
            );
        }
    }

    #[test]
    fn of_two_agents_that_reach_one_position_from_both_sides_the_nearer_goes_first() {
        let other = seen(Vec2::Y * 0.54, Vec2::NEG_Y);
        assert_eq!(walker().sees(&other, || Some(true)).avoidance_fraction, 0.0);
        let mut own = walker();
        assert_eq!(own.sees(&other, || Some(false)).avoidance_fraction, 1.0);
        assert_eq!(
            own.desired_velocity(Vec2::Y, Vec2::ZERO, 0.0, 0.0),
            Vec2::ZERO,
            "it waits"
        );
        // With the same heading, the agent ahead goes first.
        let ahead = SeenAgent {
            heading: Vec2::Y,
            ..other
        };
        assert_eq!(walker().sees(&ahead, || Some(true)).avoidance_fraction, 1.0);
    }

    #[test]
    fn a_time_gap_is_kept_only_to_the_agent_ahead() {
        let wish = Vec2::Y * 1.3;
        let speed = |offset: Vec2, heading: Vec2| {
            let mut own = walker();
            own.sees(&seen(offset, heading), || None);
            own.desired_velocity(wish, wish, 0.0, 0.0).length()
        };
        assert!((speed(Vec2::Y * 0.85, Vec2::Y) - 0.7).abs() < 1e-5);
        assert_eq!(speed(Vec2::Y * 0.52, Vec2::Y), 0.0);
        for beside in [Vec2::new(0.25, 0.45), Vec2::NEG_Y * 0.6] {
            assert!((speed(beside, Vec2::Y) - 1.3).abs() < 1e-5);
        }
        assert!((speed(Vec2::Y * 0.6, Vec2::ZERO) - 1.3).abs() < 1e-5);
        // A standing agent starts when there is room for a step.
        let mut own = walker();
        own.sees(&seen(Vec2::Y * 0.65, Vec2::Y), || None);
        let start = |blocked: f32| own.desired_velocity(wish, Vec2::ZERO, 0.0, blocked);
        assert_eq!([start(0.0), start(0.1)], [Vec2::ZERO; 2]);
        assert!(start(1.0).y > 0.25, "after a while, less room is enough");
        assert!(own.desired_velocity(wish, Vec2::Y * 0.1, 0.0, 0.0).y > 0.25);
        let mut own = walker();
        own.sees(&seen(Vec2::Y * 0.75, Vec2::Y), || None);
        assert!(own.desired_velocity(wish, Vec2::ZERO, 0.0, 0.0).y > 0.4);
    }

    #[test]
    fn an_agent_avoids_oncoming_agents_and_follows_agents_ahead() {
        let wish = Vec2::Y;
        let mut own = walker();
        own.sees(&seen(Vec2::new(0.3, 2.0), Vec2::NEG_Y), || None);
        let left = own.desired_velocity(wish, wish, 0.0, 0.0);
        assert!(left.x < -0.05, "{left}");
        // An agent ahead to the right with the same heading reduces the turn. Without an oncoming agent it has no effect.
        own.sees(&seen(Vec2::new(1.0, 1.0), Vec2::Y), || None);
        let less = own.desired_velocity(wish, wish, 0.0, 0.0);
        assert!(less.x > left.x, "{less} {left}");
        let mut alone = walker();
        alone.sees(&seen(Vec2::new(1.0, 1.0), Vec2::Y), || None);
        assert_eq!(alone.desired_velocity(wish, wish, 0.0, 0.0), wish);
        let right = alone.desired_velocity(wish, wish, 0.1, 0.0);
        assert!(right.x > 0.09, "{right}");
    }
}
