//! Two-bone IK for up to eight limbs at once, in SIMD lanes at the width that the CPU supports; and for one limb or one aim,
//! with the same arithmetic and one float per register.
//!
//! Callers: `two_bone` and `aim` of this crate.
//!
//! Invariants: those of `math::simd`.

mod kernels;
#[cfg(test)]
mod tests;

use glam::Quat;

use super::goals::{Aim, AimSolution, TwoBone, TwoBoneSolution};
use galatea_math::simd::vectors::{Lanes, put3, quat};
use galatea_math::simd::{Level, dispatch};

/// Goals per group.
pub(super) const GOALS: usize = 8;

/// Eight two-bone goals as a structure of arrays.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct TwoBoneGroup {
    root: [Lanes; 3],
    mid: [Lanes; 3],
    end: [Lanes; 3],
    target: [Lanes; 3],
    pole: [Lanes; 3],
    hinge: [Lanes; 3],
    min_angle: Lanes,
    max_angle: Lanes,
    softness: Lanes,
}

/// Solutions of eight two-bone goals.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct TwoBoneSolutionGroup {
    root: [Lanes; 4],
    mid: [Lanes; 4],
    target_error: Lanes,
}

impl TwoBoneGroup {
    #[inline]
    fn put(&mut self, lane: usize, goal: &TwoBone) {
        put3(&mut self.root, lane, goal.root);
        put3(&mut self.mid, lane, goal.mid);
        put3(&mut self.end, lane, goal.end);
        put3(&mut self.target, lane, goal.target);
        put3(&mut self.pole, lane, goal.pole);
        put3(&mut self.hinge, lane, goal.hinge);
        let [min, max] = goal.half_sines();
        (self.min_angle[lane], self.max_angle[lane]) = (min, max);
        self.softness[lane] = goal.softness.clamp(0.0, 1.0);
    }
}

impl TwoBoneSolutionGroup {
    fn get(&self, lane: usize) -> TwoBoneSolution {
        TwoBoneSolution {
            root: quat(&self.root, lane),
            mid: quat(&self.mid, lane),
            target_error: self.target_error[lane],
        }
    }
}

/// At most [`GOALS`] two-bone goals, without heap allocation.
#[derive(Default)]
pub(super) struct Few(TwoBoneGroup);

impl Few {
    /// Sets the goal of a lane.
    pub fn put(&mut self, lane: usize, goal: &TwoBone) {
        self.0.put(lane, goal);
    }

    /// Solves all lanes.
    pub fn solve(&self) -> FewSolutions {
        self.solve_at(Level::current())
    }

    /// [`solve`](Self::solve) with the instruction set of a given level.
    fn solve_at(&self, level: Level) -> FewSolutions {
        let mut turns = TwoBoneSolutionGroup::default();
        solve_two_bones(
            level,
            std::slice::from_ref(&self.0),
            std::slice::from_mut(&mut turns),
        );
        FewSolutions(turns)
    }
}

/// Solutions of [`Few`].
pub(super) struct FewSolutions(TwoBoneSolutionGroup);

impl FewSolutions {
    /// Solution of a lane.
    pub fn get(&self, lane: usize) -> TwoBoneSolution {
        self.0.get(lane)
    }
}

fn solve_two_bones(level: Level, goals: &[TwoBoneGroup], turns: &mut [TwoBoneSolutionGroup]) {
    dispatch!(
        level,
        kernels::two_bones_plain,
        kernels::two_bones,
        (goals, turns)
    );
}

/// Solves one two-bone goal.
pub(super) fn two_bone(goal: &TwoBone) -> TwoBoneSolution {
    let [min, max] = goal.half_sines();
    let (root, mid, missed) = kernels::two_bone(&kernels::TwoBoneGoal {
        root: goal.root.to_array(),
        mid: goal.mid.to_array(),
        end: goal.end.to_array(),
        target: goal.target.to_array(),
        pole: goal.pole.to_array(),
        hinge: goal.hinge.to_array(),
        min_angle: min,
        max_angle: max,
        softness: goal.softness.clamp(0.0, 1.0),
    });
    TwoBoneSolution {
        root: Quat::from_array(root),
        mid: Quat::from_array(mid),
        target_error: missed,
    }
}

/// Solves one aim within a cone, radians.
pub(super) fn aim(goal: &Aim, cone: f32) -> AimSolution {
    let (turn, chord) = kernels::aim(&kernels::AimGoals {
        pivot: goal.pivot.to_array(),
        forward: goal.forward.to_array(),
        offset: goal.offset.to_array(),
        target: goal.target.to_array(),
        up: goal.up.to_array(),
        cone: cosine_and_sine(cone),
        upright: f32::from(u8::from(goal.keep_up)),
    });
    AimSolution {
        rotation: Quat::from_array(turn),
        angle: angle_of_chord(chord),
    }
}

/// Cosine and sine of an angle in 0..=π; half a turn or more is no limit.
fn cosine_and_sine(angle: f32) -> [f32; 2] {
    if angle >= std::f32::consts::PI {
        return [-2.0, 0.0];
    }
    let (sine, cosine) = angle.max(0.0).sin_cos();
    [cosine, sine]
}

fn angle_of_chord(chord: f32) -> f32 {
    2.0 * (chord / 2.0).min(1.0).asin()
}
