//! How one goes among others who go somewhere too: who is ahead goes first, whoever follows keeps a time gap, and where
//! others come towards one, lanes form.

use glam::Vec2;

/// Metres that one has to be ahead to go first.
const CLEAR: f32 = 0.03;
/// Seconds behind whoever is ahead that one keeps, and who that is: whose middle is to the side by less than this part of
/// both radii. With them 1.7 to 2.1 persons pass a metre of a door in a second, from 0.8 to 3 m (Seyfried et al. 2009
/// measured 1.9); a gap grows with the speed as in Tordeux, Chraibi and Seyfried 2016.
const TIME_GAP: f32 = 0.35;
const IN_FRONT: f32 = 0.6;
/// The squared length of the sum of two headings above which one agent follows the other: within 60 degrees.
const FOLLOWS: f32 = 3.0;
/// Metres to whoever is ahead below which one stops, and above which one goes on again.
const STOP: f32 = 0.05;
const START: f32 = 0.2;
/// Metres a second below which one stands.
const STANDS: f32 = 0.02;
/// Metres to the side within which one leaves the way of those who come, by how many radians for one who is near, and by
/// how many for each metre to the side one goes after those who go ahead the same way.
const LANE: f32 = 1.5;
const LEAVE: f32 = 0.3;
const FOLLOW: f32 = 0.2;
/// Radians that one turns aside at most.
const MAX_ASIDE: f32 = 0.6;

/// What one who heads somewhere has seen of others.
#[derive(Clone, Copy, Debug)]
pub struct Among {
    /// Unit; zero for one who stays.
    heading: Vec2,
    /// Metres within which others are heeded.
    reach: f32,
    /// Metres to whoever is ahead.
    gap: f32,
    /// Radians to the left: away from those who come, and after those who go ahead.
    leave: f32,
    follow: f32,
    /// Somebody comes.
    meets: bool,
}

/// Another agent, seen from an agent.
#[derive(Clone, Copy, Debug)]
pub struct SeenAgent {
    /// From oneself, metres.
    pub offset: Vec2,
    /// Direction of its preferred velocity, unit; zero for an agent that stays.
    pub heading: Vec2,
    /// Sum of the radii, metres.
    pub radii: f32,
    /// Own fraction of the avoidance among equals, 0..=1.
    pub share: f32,
}

/// Precedence between two agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precedence {
    /// Own fraction of the avoidance; 0 for the agent that goes first.
    pub share: f32,
    /// True if one agent follows the other or both share a waypoint: priorities do not change it.
    pub is_settled: bool,
}

impl Among {
    /// One who has seen nobody yet.
    pub fn new(heading: Vec2, reach: f32) -> Self {
        Self {
            heading,
            reach,
            gap: f32::INFINITY,
            leave: 0.0,
            follow: 0.0,
            meets: false,
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
            share,
        } = *other;
        let both = self.heading + heading;
        let same = both.length_squared();
        let ahead = offset.dot(self.heading);
        let side = self.heading.perp_dot(offset);
        let near = (1.0 - ahead.max(0.0) / self.reach).max(0.0);
        let is_in_front = side.abs() < radii * IN_FRONT;
        // They approach one waypoint from different sides.
        if same <= 2.0
            && let Some(is_nearer) = is_nearer()
        {
            if !is_nearer && ahead > 0.0 && is_in_front {
                self.keep_gap(offset, radii);
            }
            return Precedence {
                share: f32::from(u8::from(!is_nearer)),
                is_settled: true,
            };
        }
        let is_settled = same > FOLLOWS;
        // Headings within 120 degrees of each other; that of one who stays is within none.
        if same > 1.0 + 1e-4 {
            let before = offset.dot(both);
            // Within a right angle.
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
            return Precedence { share, is_settled };
        }
        let comes = same < 1.0 - 1e-4 && ahead > 0.0;
        if comes && side.abs() < LANE {
            self.meets = true;
            self.leave -= (1.0 - side.abs() / LANE).copysign(side) * near;
        }
        Precedence { share, is_settled }
    }

    fn keep_gap(&mut self, offset: Vec2, radii: f32) {
        self.gap = self.gap.min((offset.length() - radii).max(0.0));
    }

    /// What is wished for after what was seen, by one who goes at a velocity and keeps so many radians to the right: who
    /// waits in a jam stands, and goes on by steps and not by creeping.
    pub fn wish(&self, wish: Vec2, velocity: Vec2, right: f32) -> Vec2 {
        let stands = velocity.length_squared() < STANDS * STANDS;
        if self.gap < if stands { START } else { STOP } {
            return Vec2::ZERO;
        }
        let follow = if self.meets { self.follow } else { 0.0 };
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
            share: 0.5,
        }
    }

    #[test]
    fn whoever_is_there_first_goes_first_and_one_of_two_always_does() {
        // Both ways meet ahead, at a right angle: the one who is nearer to where does not make way.
        let (from_left, from_below) = (Vec2::new(-2.0, 3.0), Vec2::ZERO);
        let offset = from_left - from_below;
        assert_eq!(walker().sees(&seen(offset, Vec2::X), || None).share, 1.0);
        let mut other = Among::new(Vec2::X, 4.0);
        assert_eq!(other.sees(&seen(-offset, Vec2::Y), || None).share, 0.0);
        // Side by side both do half of it.
        assert_eq!(walker().sees(&seen(Vec2::X, Vec2::Y), || None).share, 0.5);
        // Who comes, and who stays, is made way for by halves from wherever.
        for offset in [Vec2::Y, Vec2::NEG_Y] {
            assert_eq!(
                walker().sees(&seen(offset, Vec2::NEG_Y), || None).share,
                0.5
            );
            assert_eq!(walker().sees(&seen(offset, Vec2::ZERO), || None).share, 0.5);
            let mut stays = Among::new(Vec2::ZERO, 4.0);
            assert_eq!(stays.sees(&seen(offset, Vec2::Y), || None).share, 0.5);
        }
    }

    #[test]
    fn of_two_who_come_to_one_place_from_both_sides_the_nearer_goes_first() {
        let other = seen(Vec2::Y * 0.54, Vec2::NEG_Y);
        assert_eq!(walker().sees(&other, || Some(true)).share, 0.0);
        let mut own = walker();
        assert_eq!(own.sees(&other, || Some(false)).share, 1.0);
        assert_eq!(own.wish(Vec2::Y, Vec2::Y, 0.0), Vec2::ZERO, "it waits");
        // With the same heading, the agent ahead goes first.
        let ahead = SeenAgent {
            heading: Vec2::Y,
            ..other
        };
        assert_eq!(walker().sees(&ahead, || Some(true)).share, 1.0);
    }

    #[test]
    fn a_gap_of_time_is_kept_to_who_is_ahead_and_to_nobody_else() {
        let wish = Vec2::Y * 1.3;
        let speed = |offset: Vec2, heading: Vec2| {
            let mut own = walker();
            own.sees(&seen(offset, heading), || None);
            own.wish(wish, wish, 0.0).length()
        };
        assert!((speed(Vec2::Y * 0.85, Vec2::Y) - 1.0).abs() < 1e-5);
        assert_eq!(speed(Vec2::Y * 0.54, Vec2::Y), 0.0);
        for beside in [Vec2::new(0.4, 0.4), Vec2::NEG_Y * 0.6] {
            assert!((speed(beside, Vec2::Y) - 1.3).abs() < 1e-5);
        }
        assert!((speed(Vec2::Y * 0.6, Vec2::ZERO) - 1.3).abs() < 1e-5);
        // Who stands goes on when there is room for a step.
        let mut own = walker();
        own.sees(&seen(Vec2::Y * 0.65, Vec2::Y), || None);
        assert_eq!(own.wish(wish, Vec2::ZERO, 0.0), Vec2::ZERO);
        assert!(own.wish(wish, Vec2::Y * 0.1, 0.0).y > 0.3);
        let mut own = walker();
        own.sees(&seen(Vec2::Y * 0.75, Vec2::Y), || None);
        assert!(own.wish(wish, Vec2::ZERO, 0.0).y > 0.6);
    }

    #[test]
    fn one_leaves_the_way_of_those_who_come_and_goes_after_those_ahead() {
        let wish = Vec2::Y;
        let mut own = walker();
        own.sees(&seen(Vec2::new(0.3, 2.0), Vec2::NEG_Y), || None);
        let left = own.wish(wish, wish, 0.0);
        assert!(left.x < -0.05, "{left}");
        // Ahead to the right somebody goes the same way: that weighs against it, and nothing without who comes.
        own.sees(&seen(Vec2::new(1.0, 1.0), Vec2::Y), || None);
        let less = own.wish(wish, wish, 0.0);
        assert!(less.x > left.x, "{less} {left}");
        let mut alone = walker();
        alone.sees(&seen(Vec2::new(1.0, 1.0), Vec2::Y), || None);
        assert_eq!(alone.wish(wish, wish, 0.0), wish);
        let right = alone.wish(wish, wish, 0.1);
        assert!(right.x > 0.09, "{right}");
    }
}
