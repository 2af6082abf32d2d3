//! The playing clips of a character, and the weighted mean of their measured motion.

use glam::Vec3;

use super::action::{Action, Additive};
use super::definition::Definition;
use galatea_anim::Playhead;
use galatea_machine::{Machine, MachineState, Showing, showing};

/// The state machine and the playing clips of a character.
#[derive(Clone, Copy)]
pub struct Playing<'a> {
    /// Definition that holds the clips.
    pub definition: &'a Definition,
    /// State machine, if any.
    pub machine: Option<(&'a Machine, &'a MachineState)>,
    /// Playhead of the idle clip, which plays without a machine.
    pub idle: &'a Playhead,
    /// Clips played on top, oldest first.
    pub actions: &'a [Action],
}

/// Weighted mean of the motion of the visible clips.
pub(super) struct ClipsMean {
    /// Largest jolt, see [`OwnMotion::jolt`](super::own_motion::OwnMotion::jolt).
    pub jolt: f32,
    /// Position of the hips without root motion, model space, metres.
    pub hips: Vec3,
    /// Total weight of the clips in which the left and the right foot are planted; `None` when no clip plays.
    pub planted: Option<[f32; 2]>,
}

impl Playing<'_> {
    /// Returns for the left and right foot the total weight of the clips in which it is planted, 0..=1; `None` when no clip
    /// plays.
    pub fn planted(&self) -> Option<[f32; 2]> {
        self.mixed(None).planted
    }

    /// Averages the measured motion of the clips by weight. `hips_bone` is the bone that carries the body.
    pub(super) fn mixed(&self, hips_bone: Option<u16>) -> ClipsMean {
        let definition = self.definition;
        let rest_hips = hips_bone
            .and_then(|hips| definition.rest_positions.get(usize::from(hips)))
            .copied()
            .unwrap_or_default();
        let (mut covered, mut hips, mut planted, mut jolt) = (0.0, Vec3::ZERO, [0.0; 2], 0.0_f32);
        let mut add = |shown: Showing| {
            let own = definition.own_motion(shown.clip);
            jolt = jolt.max(own.jolt * jolt_factor(shown.rate));
            if shown.layer > 0 {
                return;
            }
            covered += shown.weight;
            hips += shown.weight * own.hips(shown.t, shown.mirrored);
            let feet = own.planted(shown.t, shown.mirrored);
            for (sum, planted) in planted.iter_mut().zip(feet) {
                *sum += shown.weight * f32::from(u8::from(planted));
            }
        };
        match (self.machine, definition.idle) {
            (Some((machine, state)), _) => showing(machine, &definition.clips, state, add),
            (None, Some(clip)) => add(Showing {
                layer: 0,
                clip,
                t: self.idle.clip_time(definition.clips.duration(clip)),
                weight: 1.0,
                rate: 1.0,
                mirrored: false,
                root_motion: false,
                wraps: true,
            }),
            (None, None) => {}
        }
        let mut hips = hips + rest_hips * (1.0 - covered).max(0.0);
        for action in self.actions {
            let duration = definition.clips.duration(action.clip);
            let own = definition.own_motion(action.clip);
            let weight = action.weight(duration);
            if weight <= 0.0 {
                continue;
            }
            jolt = jolt.max(own.jolt * jolt_factor(action.options.speed));
            let t = action.head.clip_time(duration);
            let of = |bone: Option<u16>| match (&action.options.mask, bone) {
                (None, _) => weight,
                (Some(mask), Some(bone)) => {
                    weight * mask.bones.get(usize::from(bone)).copied().unwrap_or(0.0)
                }
                (Some(_), None) => 0.0,
            };
            let mirrored = action.options.mirror;
            // An additive clip moves the hips by a difference. The clips below decide if feet are planted.
            if let Some(additive) = action.options.additive {
                let from = match additive {
                    Additive::First => own.hips(0.0, mirrored),
                    Additive::Rest => rest_hips,
                };
                hips += (own.hips(t, mirrored) - from) * of(hips_bone);
                continue;
            }
            hips = hips.lerp(own.hips(t, mirrored), of(hips_bone));
            let feet = own.planted(t, mirrored);
            for foot in 0..2 {
                let foot_weight = of(definition.feet[foot]);
                let is_planted = f32::from(u8::from(feet[foot]));
                planted[foot] += (is_planted - planted[foot]) * foot_weight;
                covered = covered.max(foot_weight);
            }
        }
        ClipsMean {
            jolt,
            hips,
            planted: (covered > 0.0).then_some(planted),
        }
    }
}

/// Returns the factor by which jolts grow with the playback rate: the third power for smooth motion, the first power for
/// kinks between keys.
fn jolt_factor(rate: f32) -> f32 {
    let rate = rate.abs();
    rate.max(rate.powi(3))
}
