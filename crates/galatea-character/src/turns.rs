//! Turning in place: towards a commanded yaw, or towards a gaze target that is out of sight.
//!
//! If the character has a suitable clip, the clip plays and its root rotation is scaled to the angle. Otherwise the
//! character rotates procedurally while its feet step. The stage calls this once per tick before the pose is computed.

use serde::{Deserialize, Serialize};

use super::action::{Action, ActionOptions, EndReason};
use galatea_anim::ClipSet;
use galatea_machine::{Machine, MachineState, NotAlone, SoloClip};
use galatea_rig::turning::{TurnLimits, Turning, shortest_rotation};

/// Minimum angle for a turn with a clip, radians.
const MIN_CLIP_ANGLE: f32 = 0.6;
/// Angle from which a clip for 180 degrees is preferred to one for 90 degrees, radians.
const HALF_TURN_ANGLE: f32 = 2.3;
/// Time for which the target must be out of sight, and the character stand, before it turns, seconds.
const PATIENCE: f32 = 0.25;
/// Remaining angle at which a turn towards the gaze target is complete, radians.
const DONE_ANGLE: f32 = 0.009;
/// Number of playing actions from which no clip is added for a turn.
const MAX_PLAYING: usize = 16;
/// Remaining fraction of the clip below which the rest of the turn is done at once.
const MIN_REMAINDER: f32 = 1e-4;

/// Clips for turning left and right; found by name if not set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnClips {
    /// Name of the clip for turning left, or of a state that plays one.
    pub left: Option<String>,
    /// Name of the clip for turning right, or of a state that plays one.
    pub right: Option<String>,
}

/// Settings and state of turning in place.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Turns {
    /// Speed of turns without a clip.
    pub speed: TurnLimits,
    /// Clips for turns.
    pub clips: TurnClips,
    /// The character turns towards its gaze target when that is out of sight.
    pub follows_gaze: bool,
    /// Commanded yaw, degrees about +Y.
    pub to: Option<f32>,
    /// Yaw requested by a reaching hand, degrees about +Y.
    pub reach_yaw: Option<f32>,
    turning: Turning,
    /// A turn towards the gaze target is in progress.
    follows: bool,
    /// Time for which the character has stood without seeing its target, seconds.
    unseen_seconds: f32,
    clip_turn: Option<ClipTurn>,
}

/// A turn played by a clip.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct ClipTurn {
    action: u64,
    clip: usize,
    /// Completed fraction of the turn.
    progress: f32,
}

/// Parses the name of a turn clip for a side (1 is left, -1 right). Returns the angle in degrees, `Some(None)` if the name
/// has no angle, `None` if it is not a turn to this side.
fn turn_of_name(name: &str, side: f32) -> Option<Option<u32>> {
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let letters = letters.to_lowercase();
    let side_word = if side > 0.0 { "left" } else { "right" };
    let degrees: String = letters.chars().filter(char::is_ascii_digit).collect();
    let words: String = letters.chars().filter(|c| !c.is_ascii_digit()).collect();
    let is_turn = words == format!("turn{side_word}") || words == format!("{side_word}turn");
    let is_either = words == "turn" && degrees == "180";
    (is_turn || is_either).then(|| degrees.parse().ok())
}

fn plain(clip: usize) -> SoloClip {
    SoloClip {
        clip,
        speed: 1.0,
        mirror: false,
    }
}

/// Input of a turn in place for one tick.
#[derive(Clone, Copy, Debug)]
pub struct TurnInput {
    /// Current yaw of the character, radians about +Y.
    pub yaw: f32,
    /// The character stands freely and nothing moves it.
    pub is_standing: bool,
    /// The gaze target is out of sight.
    pub out_of_sight: bool,
    /// Angle about +Y from its heading to the gaze target, radians.
    pub target_yaw: Option<f32>,
}

/// Access to the character's clips for playing a turn.
pub struct TurnPlayer<'a> {
    /// Clips of the character.
    pub clips: &'a ClipSet,
    /// State machine, if any.
    pub machine: Option<(&'a Machine, &'a MachineState)>,
    /// Clips played on top of the machine.
    pub actions: &'a mut Vec<Action>,
}

/// Finds a clip by name, or the clip of the state with this name.
///
/// # Errors
/// Returns an error if there is neither, or if the state plays more than a single clip.
pub fn clip_or_state(
    clips: &ClipSet,
    machine: Option<(&Machine, &MachineState)>,
    name: &str,
) -> Result<SoloClip, NotAlone> {
    match (clips.find(name), machine) {
        (Some(clip), _) => Ok(plain(clip)),
        (None, Some((machine, state))) => machine.alone(name, state),
        (None, None) => Err(NotAlone::Unknown),
    }
}

impl Turns {
    /// Returns the remaining angle about +Y, radians; `None` while it is not turning. `target_yaw` is as in [`TurnInput`].
    pub fn to_go(&self, yaw: f32, target_yaw: Option<f32>) -> Option<f32> {
        let commanded = self
            .to
            .or(self.reach_yaw)
            .map(|to| shortest_rotation(yaw, to.to_radians()));
        commanded.or_else(|| target_yaw.filter(|_| self.follows))
    }

    /// Returns true while it turns towards its gaze target.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Returns true when it turns or may start to; [`Turns::advance`] must then be called.
    pub fn may_turn(&self) -> bool {
        self.follows_gaze || self.to.or(self.reach_yaw).is_some() || self.turning.speed() != 0.0
    }

    /// Advances by `dt` seconds and returns the rotation about +Y, radians. `id` is the id for a clip that this may start.
    pub fn advance(
        &mut self,
        input: &TurnInput,
        mut player: TurnPlayer<'_>,
        id: u64,
        dt: f32,
    ) -> f32 {
        self.update_follow(input, dt);
        let to_go = self.to_go(input.yaw, input.target_yaw);
        match to_go.filter(|_| input.is_standing) {
            Some(to_go) => {
                let by = self.step(&mut player, to_go, id, dt);
                self.follows &= (to_go - by).abs() > DONE_ANGLE;
                by
            }
            None => {
                self.end_clip(player.actions);
                self.turning.rest(&self.speed, dt)
            }
        }
    }

    /// Checks if the gaze target has been out of sight for long enough.
    fn update_follow(&mut self, input: &TurnInput, dt: f32) {
        let out_of_sight = self.follows_gaze && input.is_standing && input.out_of_sight;
        self.unseen_seconds = if out_of_sight {
            self.unseen_seconds + dt
        } else {
            0.0
        };
        let may_go_on = self.follows_gaze && input.is_standing && input.target_yaw.is_some();
        self.follows = self.follows && may_go_on || self.unseen_seconds >= PATIENCE;
    }

    fn step(&mut self, player: &mut TurnPlayer<'_>, to_go: f32, id: u64, dt: f32) -> f32 {
        if self.clip_turn.is_none() && self.turning.speed() == 0.0 && to_go.abs() > MIN_CLIP_ANGLE {
            self.clip_turn = player.begin(&self.clips, to_go, id);
        }
        let Some(clip_turn) = &mut self.clip_turn else {
            return self.turning.advance(to_go, &self.speed, dt);
        };
        let playing = player.actions.iter().find(|a| a.id == clip_turn.action);
        let Some(playing) = playing.filter(|action| action.leaving.is_none()) else {
            // The clip has ended, or another action replaced it.
            self.clip_turn = None;
            return self.turning.advance(to_go, &self.speed, dt);
        };
        let clips = player.clips;
        let duration = clips.duration(clip_turn.clip);
        let t = playing.head.clip_time(duration) + dt * playing.options.speed;
        let lap = clips
            .travel(clip_turn.clip)
            .map_or(0.0, |root| root.lap().yaw);
        let share = (t / duration.max(1e-3)).clamp(0.0, 1.0);
        let done = match clips.travel(clip_turn.clip) {
            Some(root) if lap.abs() > 0.1 => (root.at(t.min(duration)).yaw / lap).clamp(0.0, 1.0),
            _ => share * share * (3.0 - 2.0 * share),
        };
        let rest = 1.0 - clip_turn.progress;
        let part = (done - clip_turn.progress).max(0.0);
        clip_turn.progress = clip_turn.progress.max(done);
        if rest <= MIN_REMAINDER {
            to_go
        } else {
            to_go * (part / rest)
        }
    }

    fn end_clip(&mut self, actions: &mut [Action]) {
        if let Some(clip_turn) = self.clip_turn.take() {
            let mut actions = actions.iter_mut();
            if let Some(action) = actions.find(|a| a.id == clip_turn.action) {
                action.leave(EndReason::Stopped);
            }
        }
    }
}

impl TurnPlayer<'_> {
    /// Plays the clip of a turn; if there is only one for the other side, plays it mirrored.
    fn begin(&mut self, own: &TurnClips, to_go: f32, id: u64) -> Option<ClipTurn> {
        if self.actions.len() >= MAX_PLAYING {
            return None;
        }
        let side = to_go.signum();
        let alone = self.find(own, side, to_go).or_else(|| {
            let other = self.find(own, -side, to_go)?;
            Some(SoloClip {
                mirror: !other.mirror,
                ..other
            })
        })?;
        let clip = alone.clip;
        let duration = self.clips.duration(clip);
        let options = ActionOptions {
            fade_in: 0.2,
            fade_out: 0.25,
            speed: alone.speed,
            mirror: alone.mirror,
            in_place: self.clips.travel(clip).is_some(),
            ..ActionOptions::default()
        };
        self.actions.push(Action::new(id, clip, duration, options));
        Some(ClipTurn {
            action: id,
            clip,
            progress: 0.0,
        })
    }

    fn find(&self, own: &TurnClips, side: f32, to_go: f32) -> Option<SoloClip> {
        let clips = self.clips;
        let name = if side > 0.0 { &own.left } else { &own.right };
        if let Some(name) = name {
            return clip_or_state(clips, self.machine, name).ok();
        }
        let degrees_wanted = if to_go.abs() > HALF_TURN_ANGLE {
            180
        } else {
            90
        };
        let found = (0..clips.len()).filter_map(|clip| {
            let degrees = turn_of_name(clips.clip_name(clip), side)?.unwrap_or(90);
            Some((degrees.abs_diff(degrees_wanted), clip))
        });
        found.min().map(|(_, clip)| plain(clip))
    }
}

#[cfg(test)]
mod tests {
    use super::turn_of_name;

    #[test]
    fn clip_names_give_the_side_and_the_angle() {
        for (name, side, expected) in [
            ("turn_left", 1.0, Some(None)),
            ("Turn_90_Left", 1.0, Some(Some(90))),
            ("turn_left_180", 1.0, Some(Some(180))),
            ("Left Turn", 1.0, Some(None)),
            ("turn_180", -1.0, Some(Some(180))),
            ("turn_left", -1.0, None),
            ("return_left", 1.0, None),
            ("turn", 1.0, None),
        ] {
            assert_eq!(turn_of_name(name, side), expected, "{name}");
        }
    }
}
