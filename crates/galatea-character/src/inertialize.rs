//! Starts and advances the inertial blends of a character: from a pose that physics or a hot reload left it in.

use super::definition::Definition;
use super::instance::Character;
use super::playback::Playback;
use super::settling::Settling;
use galatea_anim::Pose;
use galatea_anim::inertia::{PoseChange, extrapolate_back};
use galatea_machine::{Clips, Happening, MachineHost, Predicate, play_on};

/// Seconds in which the pose that was shown gives way to the new one.
const SECONDS: f32 = 0.25;
/// Differences that nobody sees: metres or factors, morph weights; radians.
const UNSEEN: f32 = 1e-4;
const UNSEEN_ANGLE: f32 = 1e-3;

impl Character {
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
        let settling = Settling::between(&PoseChange {
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

    /// The pose a tick ago, as if what plays now had played then too.
    fn pose_before(&self, dt: f64) -> Pose {
        let definition = &*self.definition;
        let (mut playback, mut posed) = (self.playback.clone(), self.posed.clone());
        advance_unheard(&mut playback, definition, dt);
        posed.settle_on(dt);
        playback.evaluate(definition, dt, &mut posed.pose);
        let likeness = self.appearance.likeness.as_deref();
        posed.finish(definition, likeness, self.body.rising.as_deref());
        let mut before = Pose::default();
        extrapolate_back(&self.posed.pose, &posed.pose, &mut before);
        before
    }
}

/// Advances machine, idle clip and actions by `dt` seconds without events.
fn advance_unheard(playback: &mut Playback, definition: &Definition, dt: f64) {
    let marks = &playback.marks;
    if let Some((machine, state)) = &mut playback.machine {
        let set = &definition.clips;
        play_on(machine, Clips { set, marks }, state, dt, &mut Unheard);
    } else if let Some(clip) = definition.idle {
        playback.idle.advance(&marks[clip], dt, |_| {});
    }
    for action in &mut playback.actions {
        let duration = definition.clips.duration(action.clip);
        action.advance(&marks[action.clip], duration, dt, |_| {});
    }
}

/// Plays a machine on where nobody hears it.
struct Unheard;

impl MachineHost for Unheard {
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
