//! Starts and advances inertial blends of a character, from the pose in which physics or a hot reload left it.

use super::definition::Definition;
use super::instance::Character;
use super::playback::Playback;
use super::settling::Settling;
use galatea_anim::Pose;
use galatea_anim::inertia::{PoseChange, extrapolate_back};
use galatea_machine::{Clips, Happening, MachineHost, Predicate, play_on};

/// Duration of the blend from the old pose to the new one, seconds.
const BLEND_SECONDS: f32 = 0.25;
/// Differences below these are invisible: metres, scale factors or morph weights; radians.
const MIN_DIFFERENCE: f32 = 1e-4;
const MIN_ANGLE: f32 = 1e-3;

impl Character {
    /// Starts an inertial blend from the last pose of `was`, with its motion, to this character's own pose. Both characters
    /// use the same model; `dt` is the tick length in seconds. Returns false and does nothing if the poses are equal. Takes
    /// effect at the next [`Character::evaluate_pose`].
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
            duration: BLEND_SECONDS,
        });
        self.posed.settling = Some(Box::new(settling));
        true
    }

    /// Returns the pose one tick ago, as if the current clips had already been playing.
    fn pose_before(&self, dt: f64) -> Pose {
        let definition = &*self.definition;
        let (mut playback, mut posed) = (self.playback.clone(), self.posed.clone());
        advance_without_events(&mut playback, definition, dt);
        posed.settle_on(dt);
        playback.evaluate(definition, dt, &mut posed.pose);
        let likeness = self.appearance.face_shapes.as_deref();
        posed.finish(definition, likeness, self.body.rising.as_deref());
        let mut before = Pose::default();
        extrapolate_back(&self.posed.pose, &posed.pose, &mut before);
        before
    }
}

/// Advances machine, idle clip and actions by `dt` seconds without emitting events.
fn advance_without_events(playback: &mut Playback, definition: &Definition, dt: f64) {
    let marks = &playback.markers;
    if let Some((machine, state)) = &mut playback.machine {
        let set = &definition.clips;
        play_on(
            machine,
            Clips {
                set,
                markers: marks,
            },
            state,
            dt,
            &mut Unheard,
        );
    } else if let Some(clip) = definition.idle {
        playback.idle.advance(&marks[clip], dt, |_| {});
    }
    for action in &mut playback.actions {
        let duration = definition.clips.duration(action.clip);
        action.advance(&marks[action.clip], duration, dt, |_| {});
    }
}

/// A machine host that ignores all events and never fires transitions.
struct Unheard;

impl MachineHost for Unheard {
    fn evaluate(&mut self, _: Predicate) -> bool {
        false
    }

    fn random(&mut self) -> f64 {
        0.0
    }

    fn emit(&mut self, _: Happening) {}
}

fn differ(a: &Pose, b: &Pose) -> bool {
    let bones = a.locals.iter().zip(&b.locals).any(|(a, b)| {
        a.translation.distance(b.translation) > MIN_DIFFERENCE
            || a.scale.distance(b.scale) > MIN_DIFFERENCE
            || a.rotation.angle_between(b.rotation) > MIN_ANGLE
    });
    let mut morphs = a.morphs.iter().zip(&b.morphs);
    bones || morphs.any(|(a, b)| (a - b).abs() > MIN_DIFFERENCE)
}
