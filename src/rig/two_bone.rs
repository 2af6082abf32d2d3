//! Two bones that reach: exact, without stretching, the middle bending about its own hinge only (IK-08, IK-09).
//!
//! The book's solver has no guard for a target nearer than the bones allow or at the root, and no hold on where
//! the middle points; here every input gives finite turns, and poles, limits and soft reach are part of it.

use glam::{Quat, Vec3};

/// A limb of two bones and where its end is to be. All places in one space, all lengths in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// Origin of the upper bone.
    pub root: Vec3,
    /// Origin of the lower bone.
    pub mid: Vec3,
    /// What is to reach.
    pub end: Vec3,
    /// Where it is to be.
    pub target: Vec3,
    /// Where the middle is to point, out of the line from root to target; zero: it keeps its side.
    pub pole: Vec3,
    /// Unit axis through the middle; a turn of the lower bone about it closes the limb. Zero: as it bends.
    pub hinge: Vec3,
    /// Least inner angle at the middle, radians; 0 is folded.
    pub least: f32,
    /// Greatest inner angle, at most pi: stretched.
    pub most: f32,
    /// Share of the limb's length before it is stretched in which its reach slows down, 0..=1; what is softened
    /// away is missed.
    pub soft: f32,
}

impl Default for TwoBone {
    fn default() -> Self {
        Self {
            root: Vec3::ZERO,
            mid: Vec3::Y,
            end: Vec3::Y * 2.0,
            target: Vec3::Y * 2.0,
            pole: Vec3::ZERO,
            hinge: Vec3::ZERO,
            least: 0.0,
            most: std::f32::consts::PI,
            soft: 0.0,
        }
    }
}

/// What brings the end to the target: first `mid` about the middle's place, then `root` about the root's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneTurns {
    /// Of all from the upper bone on.
    pub root: Quat,
    /// Of all from the lower bone on.
    pub mid: Quat,
    /// From the end to the target.
    pub missed: f32,
}

/// Sine of the bend below which the hinge says more about the axis than the bend does.
const STRAIGHT: f32 = 0.1;

/// Finds the turns. Input that is not finite, or a limb of no length, gives none.
pub fn solve_two_bone(limb: &TwoBone) -> TwoBoneTurns {
    let none = TwoBoneTurns {
        root: Quat::IDENTITY,
        mid: Quat::IDENTITY,
        missed: 0.0,
    };
    let places = [limb.root, limb.mid, limb.end, limb.target];
    if places.iter().any(|place| !place.is_finite()) {
        return none;
    }
    let upper = limb.mid - limb.root;
    let lower = limb.end - limb.mid;
    let (long, short) = (upper.length(), lower.length());
    let length = long + short;
    let way = limb.target - limb.root;
    if length < 1e-9 || !length.is_finite() || !way.length().is_finite() {
        return none;
    }
    let axis = hinge_of(limb, upper, lower, long * short);
    let distance = softened(way.length(), length, limb.soft);
    let angle = bend(upper, lower, axis, distance, [limb.least, limb.most]);
    let mid = Quat::from_axis_angle(axis, angle);
    let reach = upper + mid * lower;
    let root = swing(reach, way, axis, 1e-7 * length);
    let turned = root * upper;
    let root = towards_pole(turned, way, limb.pole, length) * root;
    TwoBoneTurns {
        root,
        mid,
        missed: (root * reach - way).length(),
    }
}

/// The axis about which the middle bends: as it is bent, or by its hinge when it is all but straight or bent
/// the wrong way.
fn hinge_of(limb: &TwoBone, upper: Vec3, lower: Vec3, area: f32) -> Vec3 {
    // Turns the lower bone towards the root: closes.
    let bent = upper.cross(lower) * area.max(1e-30).recip();
    let bent = if bent.is_finite() { bent } else { Vec3::ZERO };
    let hinge = limb.hinge.try_normalize().unwrap_or_else(|| {
        bent.try_normalize().unwrap_or_else(|| {
            let side = limb.pole.cross(upper);
            let any = || upper.normalize_or(Vec3::Y).any_orthonormal_vector();
            side.try_normalize().unwrap_or_else(any)
        })
    });
    let along = bent.dot(hinge);
    let mixed = bent + hinge * (STRAIGHT - along).max(0.0);
    mixed.try_normalize().unwrap_or(hinge)
}

/// A distance that is approached ever more slowly, the last `soft` of the limb's length long.
fn softened(distance: f32, length: f32, soft: f32) -> f32 {
    let slow = soft.clamp(0.0, 1.0) * length;
    let hard = length - slow;
    if slow <= 1e-6 * length || distance <= hard {
        return distance;
    }
    hard + slow * (1.0 - (-(distance - hard) / slow).exp())
}

/// The turn of the lower bone about the axis that brings the end to a distance from the root: that of a circle
/// about the hinge, exact for any axis. Stretched is where it is farthest; from there it closes.
fn bend(upper: Vec3, lower: Vec3, axis: Vec3, distance: f32, [least, most]: [f32; 2]) -> f32 {
    let along = axis * lower.dot(axis);
    let across = lower - along;
    let cos = upper.dot(across);
    let sin = upper.dot(axis.cross(across));
    let size = cos.hypot(sin);
    if size < 1e-20 {
        return 0.0;
    }
    let fixed = upper + along;
    let rest = fixed.length_squared() + across.length_squared();
    // |upper + along + R across|^2 = rest + 2 (cos c + sin s) + 2 along . across, the last of which is 0.
    let want = 0.5 * (distance * distance - rest);
    let closed = (want / size).clamp(-1.0, 1.0).acos();
    let pi = std::f32::consts::PI;
    let [low, high] = [pi - most.clamp(0.0, pi), pi - least.clamp(0.0, pi)];
    sin.atan2(cos) + closed.clamp(low.min(high), high)
}

/// The shortest turn that brings one direction to another; about `axis` where they are opposite, none where one
/// of them is nothing.
fn swing(from: Vec3, to: Vec3, axis: Vec3, least: f32) -> Quat {
    if from.length() <= least || to.length() <= least {
        return Quat::IDENTITY;
    }
    let (from, to) = (from.normalize_or_zero(), to.normalize_or_zero());
    let cos = from.dot(to);
    if cos > -0.999_999 {
        let cross = from.cross(to);
        return Quat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + cos).normalize();
    }
    let about = axis.reject_from(from).try_normalize();
    let about = about.unwrap_or_else(|| from.any_orthonormal_vector());
    Quat::from_axis_angle(about, std::f32::consts::PI)
}

/// The turn about the way to the target that brings the middle to the side of the pole.
fn towards_pole(upper: Vec3, way: Vec3, pole: Vec3, length: f32) -> Quat {
    let (Some(line), Some(pole)) = (way.try_normalize(), pole.try_normalize()) else {
        return Quat::IDENTITY;
    };
    let now = upper.reject_from_normalized(line);
    let side = pole.reject_from_normalized(line);
    if now.length() < 1e-6 * length || side.length() < 1e-4 {
        return Quat::IDENTITY;
    }
    let angle = f32::atan2(now.cross(side).dot(line), now.dot(side));
    // A pole along the line says little.
    let sure = (side.length() / 0.1).min(1.0);
    Quat::from_axis_angle(line, angle * sure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in -1..1.
    struct Chance(u64);

    impl Chance {
        fn next(&mut self) -> f32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((self.0 >> 40) as f32) / ((1u64 << 23) as f32) - 1.0
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.next(), self.next(), self.next())
        }
    }

    fn solved(limb: &TwoBone) -> (Vec3, Vec3, TwoBoneTurns) {
        let turns = solve_two_bone(limb);
        let mid = limb.root + turns.root * (limb.mid - limb.root);
        let bent = limb.mid + turns.mid * (limb.end - limb.mid);
        let end = limb.root + turns.root * (bent - limb.root);
        (mid, end, turns)
    }

    #[test]
    fn every_target_inside_of_reach_is_reached_and_those_beyond_are_pointed_at() {
        let mut chance = Chance(3);
        let (mut worst, mut off) = (0.0_f32, 0.0_f32);
        for _ in 0..1_000_000 {
            let size = 1.0 + 0.95 * chance.next();
            let root = chance.vector();
            let mid = root + chance.vector() * size;
            let end = mid + chance.vector() * size;
            let target = root + chance.vector() * size * 1.5;
            let limb = TwoBone {
                root,
                mid,
                end,
                target,
                pole: chance.vector(),
                hinge: chance.vector().normalize_or_zero(),
                ..TwoBone::default()
            };
            let (long, short) = (root.distance(mid), mid.distance(end));
            if long.min(short) < 0.05 * size {
                continue;
            }
            let (now_mid, now_end, turns) = solved(&limb);
            assert!(now_end.is_finite() && turns.missed.is_finite());
            off = off.max((now_mid.distance(root) - long).abs());
            off = off.max((now_mid.distance(now_end) - short).abs());
            let d = root.distance(target);
            // An axis across the limb closes and stretches it wholly; others less.
            let bent = (mid - root).cross(end - mid).length() / (long * short);
            if bent < 0.2 || d > long + short || d < (long - short).abs() {
                continue;
            }
            if limb.hinge.dot((mid - root).cross(end - mid)) > 0.1 * long * short {
                worst = worst.max(now_end.distance(target));
            }
        }
        assert!(worst < 1e-4, "missed by {worst}");
        assert!(off < 1e-5, "stretched by {off}");
    }

    #[test]
    fn the_pole_says_where_the_middle_points() {
        let mut chance = Chance(9);
        for _ in 0..2000 {
            let limb = TwoBone {
                mid: Vec3::new(0.0, -1.0, 0.1),
                end: Vec3::new(0.0, -2.0, 0.0),
                target: chance.vector() * 1.1,
                pole: chance.vector(),
                root: Vec3::ZERO,
                hinge: Vec3::X,
                ..TwoBone::default()
            };
            let line = limb.target.normalize();
            let side = limb.pole.normalize().reject_from_normalized(line);
            if side.length() < 0.15 || limb.target.length() < 0.1 {
                continue;
            }
            let (mid, end, _) = solved(&limb);
            assert!(end.distance(limb.target) < 1e-4);
            let out = mid.reject_from_normalized(line).normalize();
            assert!(out.dot(side.normalize()) > 0.9999, "{out} {side}");
        }
    }

    #[test]
    fn a_straight_leg_bends_its_knee_forward_and_never_back() {
        for depth in [1.99, 1.9, 1.5, 1.0, 0.3] {
            let limb = TwoBone {
                root: Vec3::ZERO,
                // Straight, and a little overstretched.
                mid: Vec3::new(0.0, -1.0, -0.02),
                end: Vec3::new(0.0, -2.0, 0.0),
                target: Vec3::new(0.0, -depth, 0.0),
                hinge: Vec3::X,
                ..TwoBone::default()
            };
            let (mid, end, _) = solved(&limb);
            assert!(end.distance(limb.target) < 1e-4);
            assert!(mid.z > 0.0, "{depth}: {mid}");
        }
    }

    #[test]
    fn angles_stay_within_their_limits() {
        let mut chance = Chance(5);
        for _ in 0..20_000 {
            let limb = TwoBone {
                root: Vec3::ZERO,
                mid: Vec3::new(0.0, -1.0, 0.1),
                end: Vec3::new(0.0, -1.8, 0.0),
                target: chance.vector() * 2.5,
                hinge: Vec3::X,
                least: 0.5,
                most: 2.9,
                ..TwoBone::default()
            };
            let (mid, end, _) = solved(&limb);
            let inner = (-mid).angle_between(end - mid);
            assert!((0.499..2.901).contains(&inner), "{inner}");
        }
    }

    #[test]
    fn nothing_wicked_gives_what_is_not_finite() {
        let o = Vec3::ZERO;
        let places = [
            o,
            Vec3::Y,
            Vec3::NEG_Y,
            Vec3::Y * 2.0,
            Vec3::splat(1e-12),
            Vec3::splat(1e12),
            Vec3::splat(f32::NAN),
            Vec3::splat(f32::INFINITY),
            Vec3::new(1e-30, 1e20, -1.0),
        ];
        for root in places {
            for mid in places {
                for end in places {
                    for target in places {
                        for extra in [o, Vec3::Y, Vec3::X, Vec3::splat(f32::NAN)] {
                            let limb = TwoBone {
                                root,
                                mid,
                                end,
                                target,
                                pole: extra,
                                hinge: extra,
                                ..TwoBone::default()
                            };
                            let turns = solve_two_bone(&limb);
                            let is_turn = |q: Quat| q.is_finite() && q.is_normalized();
                            assert!(is_turn(turns.root) && is_turn(turns.mid), "{limb:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_target_that_moves_a_little_moves_the_limb_a_little() {
        let mut chance = Chance(11);
        let start = TwoBone {
            mid: Vec3::new(0.0, -0.5, 0.05),
            end: Vec3::new(0.0, -1.0, 0.0),
            hinge: Vec3::X,
            pole: Vec3::Z,
            ..TwoBone::default()
        };
        for _ in 0..5000 {
            let target = chance.vector();
            if target.length() < 0.15 || target.normalize().dot(Vec3::Z).abs() > 0.9 {
                continue;
            }
            let at = |target| solved(&TwoBone { target, ..start });
            let step = chance.vector().normalize_or_zero() * 1e-4;
            let ((a, ..), (b, ..)) = (at(target), at(target + step));
            // Stretching goes as the root of the way that is left.
            assert!(a.distance(b) < 2e-2, "{target} {a} {b}");
        }
    }

    #[test]
    fn a_soft_reach_slows_down_and_never_jerks_straight() {
        let limb = |d: f32| TwoBone {
            mid: Vec3::new(0.0, -0.5, 0.05),
            end: Vec3::new(0.0, -1.0, 0.0),
            target: Vec3::NEG_Y * d,
            hinge: Vec3::X,
            soft: 0.2,
            ..TwoBone::default()
        };
        let reach = |d: f32| solved(&limb(d)).1.length();
        assert!((reach(0.75) - 0.75).abs() < 1e-4);
        assert!(reach(1.0) < 0.95 && reach(1.0) > 0.9);
        assert!(reach(3.0) <= 1.006 && reach(1.5) > reach(1.2));
    }
}
