//! A character that turns on the spot: to what it was told to face, or to what it looks at and cannot see.
//!
//! It turns by a clip where it has one, whose root's turn is stretched to the angle, else by itself, under which
//! its feet step. Caller: `stage`, once a tick before the pose is made.

use super::action::{Action, ActionOptions, EndReason};
use galatea_anim::ClipSet;
use galatea_machine::{Machine, MachineState, NotAlone, SoloClip};
use galatea_rig::turning::{TurnPace, Turning, short_way};

/// Radians from which a turn takes a clip.
const CLIP_FROM: f32 = 0.6;
/// Radians from which a clip for half a turn is taken before one for a quarter.
const HALF: f32 = 2.3;
/// Seconds for which a target must be out of sight, and the character stand, before it turns to it.
const PATIENCE: f32 = 0.25;
/// Radians within which a turn to what it looks at is over.
const FACES: f32 = 0.009;
/// So many clips that play at a time leave no room for one more.
const BUSY: usize = 16;
/// What is left of a turn when so little of its clip is left is turned at once.
const LAST: f32 = 1e-4;

/// Clips of turning to the left and to the right: found by their names where none is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnClips {
    /// Name of the clip to the left, or of a state that plays one.
    pub left: Option<String>,
    /// Name of the clip to the right, or of a state that plays one.
    pub right: Option<String>,
}

/// How a character turns on the spot.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// How fast, without a clip.
    pub pace: TurnPace,
    /// Its clips.
    pub clips: TurnClips,
    /// It turns to what it looks at when that is out of sight.
    pub by_look: bool,
    /// Degrees about +Y that it is told to face.
    pub to: Option<f32>,
    /// The same, for what a hand reaches for.
    pub by_reach: Option<f32>,
    turning: Turning,
    /// A turn to what it looks at is under way.
    follows: bool,
    /// For how many seconds it has stood without seeing its target.
    waited: f32,
    by_clip: Option<ByClip>,
}

/// A turn that a clip makes.
#[derive(Clone, Copy, Debug)]
struct ByClip {
    action: u64,
    clip: usize,
    /// Share of the turn that is done.
    done: f32,
}

/// Whether a name says that its clip turns to a side (`1` left), and by how many degrees if it says so.
fn told_by(name: &str, side: f32) -> Option<Option<u32>> {
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let letters = letters.to_lowercase();
    let way = if side > 0.0 { "left" } else { "right" };
    let degrees: String = letters.chars().filter(char::is_ascii_digit).collect();
    let words: String = letters.chars().filter(|c| !c.is_ascii_digit()).collect();
    let is_turn = words == format!("turn{way}") || words == format!("{way}turn");
    let is_either = words == "turn" && degrees == "180";
    (is_turn || is_either).then(|| degrees.parse().ok())
}

fn as_it_is(clip: usize) -> SoloClip {
    SoloClip {
        clip,
        speed: 1.0,
        mirror: false,
    }
}

/// Input of a turn on the spot in one tick.
#[derive(Clone, Copy, Debug)]
pub struct TurnInput {
    /// Radians about +Y at which the character stands.
    pub yaw: f32,
    /// It stands on its own feet and nothing moves it.
    pub stands: bool,
    /// The target of its gaze is out of sight.
    pub out_of_sight: bool,
    /// Radians about +Y from its heading to the target of its gaze.
    pub target_yaw: Option<f32>,
}

/// Finds and plays the clip of a turn.
pub struct TurnPlayer<'a> {
    /// Clips of the character.
    pub clips: &'a ClipSet,
    /// Its machine, if it has one.
    pub machine: Option<(&'a Machine, &'a MachineState)>,
    /// Clips that play over the machine.
    pub actions: &'a mut Vec<Action>,
}

/// A clip by its name, or that of a state which plays one.
///
/// # Errors
/// When there is neither, or the state plays something else.
pub fn clip_or_state(
    clips: &ClipSet,
    machine: Option<(&Machine, &MachineState)>,
    name: &str,
) -> Result<SoloClip, NotAlone> {
    match (clips.find(name), machine) {
        (Some(clip), _) => Ok(as_it_is(clip)),
        (None, Some((machine, state))) => machine.alone(name, state),
        (None, None) => Err(NotAlone::Unknown),
    }
}

impl Turns {
    /// Radians about +Y that it has yet to turn; `None` while it is not turning. `target_yaw` is as in [`TurnInput`].
    pub fn to_go(&self, yaw: f32, target_yaw: Option<f32>) -> Option<f32> {
        let told = self
            .to
            .or(self.by_reach)
            .map(|to| short_way(yaw, to.to_radians()));
        told.or_else(|| target_yaw.filter(|_| self.follows))
    }

    /// True while it turns to what it looks at.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// True when it turns or may begin to: [`Turns::advance`] has to be called.
    pub fn may_turn(&self) -> bool {
        self.by_look || self.to.or(self.by_reach).is_some() || self.turning.speed() != 0.0
    }

    /// Turns on by a tick of `dt` seconds: radians about +Y. `id` names the clip that this may begin.
    pub fn advance(
        &mut self,
        input: &TurnInput,
        mut player: TurnPlayer<'_>,
        id: u64,
        dt: f32,
    ) -> f32 {
        self.begin_to_follow(input, dt);
        let to_go = self.to_go(input.yaw, input.target_yaw);
        match to_go.filter(|_| input.stands) {
            Some(to_go) => {
                let by = self.step(&mut player, to_go, id, dt);
                self.follows &= (to_go - by).abs() > FACES;
                by
            }
            None => {
                self.end_clip(player.actions);
                self.turning.rest(&self.pace, dt)
            }
        }
    }

    /// Notes whether what it looks at is out of sight for long enough.
    fn begin_to_follow(&mut self, input: &TurnInput, dt: f32) {
        let out_of_sight = self.by_look && input.stands && input.out_of_sight;
        self.waited = if out_of_sight { self.waited + dt } else { 0.0 };
        let may_go_on = self.by_look && input.stands && input.target_yaw.is_some();
        self.follows = self.follows && may_go_on || self.waited >= PATIENCE;
    }

    fn step(&mut self, player: &mut TurnPlayer<'_>, to_go: f32, id: u64, dt: f32) -> f32 {
        if self.by_clip.is_none() && self.turning.speed() == 0.0 && to_go.abs() > CLIP_FROM {
            self.by_clip = player.begin(&self.clips, to_go, id);
        }
        let Some(by_clip) = &mut self.by_clip else {
            return self.turning.advance(to_go, &self.pace, dt);
        };
        let playing = player.actions.iter().find(|a| a.id == by_clip.action);
        let Some(playing) = playing.filter(|action| action.leaving.is_none()) else {
            // It was played to its end, or another took its place.
            self.by_clip = None;
            return self.turning.advance(to_go, &self.pace, dt);
        };
        let clips = player.clips;
        let duration = clips.duration(by_clip.clip);
        let t = playing.head.clip_time(duration) + dt * playing.options.speed;
        let lap = clips
            .travel(by_clip.clip)
            .map_or(0.0, |root| root.lap().yaw);
        let share = (t / duration.max(1e-3)).clamp(0.0, 1.0);
        let done = match clips.travel(by_clip.clip) {
            Some(root) if lap.abs() > 0.1 => (root.at(t.min(duration)).yaw / lap).clamp(0.0, 1.0),
            _ => share * share * (3.0 - 2.0 * share),
        };
        let rest = 1.0 - by_clip.done;
        let part = (done - by_clip.done).max(0.0);
        by_clip.done = by_clip.done.max(done);
        if rest <= LAST {
            to_go
        } else {
            to_go * (part / rest)
        }
    }

    fn end_clip(&mut self, actions: &mut [Action]) {
        if let Some(by_clip) = self.by_clip.take() {
            let mut actions = actions.iter_mut();
            if let Some(action) = actions.find(|a| a.id == by_clip.action) {
                action.leave(EndReason::Stopped);
            }
        }
    }
}

impl TurnPlayer<'_> {
    /// Plays the clip of a turn, the other side's mirrored where there is only that.
    fn begin(&mut self, own: &TurnClips, to_go: f32, id: u64) -> Option<ByClip> {
        if self.actions.len() >= BUSY {
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
        Some(ByClip {
            action: id,
            clip,
            done: 0.0,
        })
    }

    fn find(&self, own: &TurnClips, side: f32, to_go: f32) -> Option<SoloClip> {
        let clips = self.clips;
        let said = if side > 0.0 { &own.left } else { &own.right };
        if let Some(name) = said {
            return clip_or_state(clips, self.machine, name).ok();
        }
        let wanted = if to_go.abs() > HALF { 180 } else { 90 };
        let found = (0..clips.len()).filter_map(|clip| {
            let degrees = told_by(clips.clip_name(clip), side)?.unwrap_or(90);
            Some((degrees.abs_diff(wanted), clip))
        });
        found.min().map(|(_, clip)| as_it_is(clip))
    }
}

#[cfg(test)]
mod tests {
    use super::told_by;

    #[test]
    fn names_of_clips_tell_the_side_and_the_angle() {
        for (name, side, told) in [
            ("turn_left", 1.0, Some(None)),
            ("Turn_90_Left", 1.0, Some(Some(90))),
            ("turn_left_180", 1.0, Some(Some(180))),
            ("Left Turn", 1.0, Some(None)),
            ("turn_180", -1.0, Some(Some(180))),
            ("turn_left", -1.0, None),
            ("return_left", 1.0, None),
            ("turn", 1.0, None),
        ] {
            assert_eq!(told_by(name, side), told, "{name}");
        }
    }
}
