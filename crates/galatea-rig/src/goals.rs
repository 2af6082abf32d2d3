//! Goals of the two-bone and aim solvers, and their solutions.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

/// Least inner angle of a limb unless told otherwise, radians.
pub const LEAST_ANGLE: f32 = 0.02 * PI;

/// A limb of two bones and what it shall reach; all in one space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// Where the upper bone begins.
    pub root: Vec3,
    /// Where the lower bone begins.
    pub mid: Vec3,
    /// What shall reach the target.
    pub end: Vec3,
    /// Where the end shall be.
    pub target: Vec3,
    /// To which side of the line from root to target the middle shall point; zero: it keeps the side it has.
    /// One along that line says nothing.
    pub pole: Vec3,
    /// Unit axis about which the middle bends: turning the lower bone about it by the right hand closes the
    /// limb. It counts where the limb is nearly straight or folded, and may be zero.
    pub hinge: Vec3,
    /// Least inner angle at the middle, radians: 0 folded, π straight.
    pub least: f32,
    /// Greatest inner angle at the middle, radians.
    pub most: f32,
    /// Share of the limb's reach, 0..=1, before full stretch in which reach slows down softly.
    pub soft: f32,
}

impl Default for TwoBone {
    fn default() -> Self {
        Self {
            root: Vec3::ZERO,
            mid: Vec3::ZERO,
            end: Vec3::ZERO,
            target: Vec3::ZERO,
            pole: Vec3::ZERO,
            hinge: Vec3::ZERO,
            least: LEAST_ANGLE,
            most: PI,
            soft: 0.0,
        }
    }
}

impl TwoBone {
    /// Squared sines of half the least and half the greatest inner angle.
    #[inline]
    pub(super) fn half_sines(&self) -> [f32; 2] {
        let half_sine = |angle: f32| {
            if angle >= PI {
                1.0
            } else {
                (angle / 2.0).sin().powi(2)
            }
        };
        let most = self.most.clamp(0.0, PI);
        [self.least.clamp(0.0, PI).min(most), most].map(half_sine)
    }
}

/// How two bones turn to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneTurns {
    /// Turns all about the root, after the middle is turned.
    pub root: Quat,
    /// Turns what hangs below the middle about it.
    pub mid: Quat,
    /// Metres between end and target.
    pub missed: f32,
}

/// A line that turns about a pivot and shall run through a target; all in one space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// What it turns about.
    pub pivot: Vec3,
    /// Where the line points now.
    pub forward: Vec3,
    /// From the pivot to a point of the line: an eye, a weapon.
    pub offset: Vec3,
    /// Through which it shall run. Nearer to the pivot than the line is, nothing can: it comes as near as it may.
    pub target: Vec3,
    /// Which way is up: what is exactly behind is turned to about it, and ranges are measured from it.
    pub up: Vec3,
    /// True: turn about up and then up or down, without roll; else on the shortest arc.
    pub keep_up: bool,
}

/// How a line turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimTurn {
    /// Turns it about the pivot.
    pub turn: Quat,
    /// Radians between where it points and where the target is, seen from the pivot.
    pub off: f32,
}
