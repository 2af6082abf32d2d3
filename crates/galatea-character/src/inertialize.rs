//! Starts and advances the inertial blends of a character: from a pose that physics or a hot reload left it in.

use super::instance::Character;
use super::settling::Settling;
use galatea_anim::Pose;
use galatea_anim::inertia::{Change, extrapolate_back};
use galatea_machine::{Clips, Happening, Host, Predicate, play_on};

/// Seconds in which the pose that was shown gives way to the new one.
const SECONDS: f32 = 0.25;
/// Differences that nobody sees: metres or factors, morph weights; radians.
const UNSEEN: f32 = 1e-4;
const UNSEEN_ANGLE: f32 = 1e-3;

impl Character {
    /// Has the character go on from a pose that the physics left it in, moving as it moved, to what its
    /// clips say, within some seconds. `before_that` was shown a tick of `dt` seconds before. Takes effect
    /// with the next [`Character::evaluate_pose`].
    pub fn settle_from_pose(&mut self, before: Pose, before_that: Pose, dt: f64, seconds: f32) {
        let settling = Settling::from_pose(before, before_that, dt, seconds);
        self.posed.settling = Some(Box::new(settling));
    }

    /// Begins with the pose that `was` was last shown in, moving as it moved, and lets that give way to
    /// this character's own. Both are of one model; `dt` is the length of a tick in seconds. False, and
    /// nothing happens, where the two poses are the same. Takes effect with the next
    /// [`Character::evaluate_pose`].
    pub fn settle_from(&mut self, was: &Self, dt: f64) -> bool {
        if !differ(&was.posed.pose, &self.posed.pose) {
            return false;
        }
        let before_that = was.pose_before(dt);
        let target_before = self.pose_before(dt);
        let settling = Settling::between(&Change {
            before: &was.posed.pose,
            before_that: &before_that,
            target: &self.posed.pose,
            target_before: Some(&target_before),
            dt: dt as f32,
            duration: SECONDS,
        });
        self.posed.settling = Some(Box::new(settling));
        true
    }

    /// Lets what a save changed in the pose die away for `dt` seconds more.
    pub fn settle_on(&mut self, dt: f64) {
        if self.posed.settling.as_mut().is_some_and(|s| s.advance(dt)) {
            self.posed.settling = None;
        }
    }

    /// The pose a tick ago, as if what plays now had played then too.
    fn pose_before(&self, dt: f64) -> Pose {
        let mut next = self.clone();
        if let Some((machine, state)) = &mut next.playback.machine {
            let clips = Clips {
                set: &next.definition.clips,
                marks: &next.playback.marks,
            };
            play_on(machine, clips, state, dt, &mut Unheard);
        } else if let Some(clip) = next.definition.idle {
            next.playback
                .idle
                .advance(&next.playback.marks[clip], dt, |_| {});
        }
        for action in &mut next.playback.actions {
            let (marks, duration) = (
                &next.playback.marks[action.clip],
                next.definition.clips.duration(action.clip),
            );
            action.advance(marks, duration, dt, |_| {});
        }
        next.settle_on(dt);
        next.evaluate_pose(dt);
        let mut before = Pose::default();
        extrapolate_back(&self.posed.pose, &next.posed.pose, &mut before);
        before
    }
}

/// Plays a machine on where nobody hears it.
struct Unheard;

impl Host for Unheard {
    fn ask(&mut self, _: Predicate) -> bool {
        false
    }

    fn chance(&mut self) -> f64 {
        0.0
    }

    fn tell(&mut self, _: Happening) {}
}

fn differ(a: &Pose, b: &Pose) -> bool {
    let bones = a.locals.iter().zip(&b.locals).any(|(a, b)| {
        a.translation.distance(b.translation) > UNSEEN
            || a.scale.distance(b.scale) > UNSEEN
            || a.rotation.angle_between(b.rotation) > UNSEEN_ANGLE
    });
    let mut morphs = a.morphs.iter().zip(&b.morphs);
    bones || morphs.any(|(a, b)| (a - b).abs() > UNSEEN)
}
