//! A character that turns on the spot: to what it was told to face, or to what it looks at and cannot see.
//!
//! It turns by a clip where it has one, whose root's turn is stretched to the angle, else by itself, under which
//! its feet step. Caller: `stage`, once a tick before the pose is made.

use super::action::{Action, ActionOptions};
use super::instance::Character;
use super::stack::Kind;
use galatea_machine::{Alone, NotAlone};
use galatea_rig::turning::{TurnPace, Turning, short_way};

/// Radians from which a turn takes a clip.
const CLIP_FROM: f32 = 0.6;
/// Radians from which a clip for half a turn is taken before one for a quarter.
const HALF: f32 = 2.3;
/// Seconds for which a target must be out of sight, and the character stand, before it turns to it.
const PATIENCE: f32 = 0.25;
/// Radians within which a turn to what it looks at is over.
const FACES: f32 = 0.009;
/// Metres per second below which it stands.
const STANDS: f32 = 0.15;
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

fn as_it_is(clip: usize) -> Alone {
    Alone {
        clip,
        speed: 1.0,
        mirror: false,
    }
}

impl Character {
    /// Radians about +Y that it has yet to turn; `None` while it is not turning.
    pub fn turn_to_go(&self) -> Option<f32> {
        let turns = self.turns.as_ref()?;
        let own = self.placement.yaw.to_radians();
        let told = turns
            .to
            .or(turns.by_reach)
            .map(|to| short_way(own, to.to_radians()));
        told.or_else(|| self.target_yaw().filter(|_| turns.follows))
    }

    /// True while it turns to what it looks at.
    pub fn is_turning_to_look(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.follows)
    }

    /// True when it turns, or is about to, so that an [`Character::advance_turn`] is due.
    pub fn may_turn(&self) -> bool {
        let Some(turns) = &self.turns else {
            return false;
        };
        turns.by_look || turns.to.or(turns.by_reach).is_some() || turns.turning.speed() != 0.0
    }

    /// Turns on by a tick of `dt` seconds. `id` names the clip that this may begin.
    pub fn advance_turn(&mut self, id: u64, dt: f32) {
        let Some(mut turns) = self.turns.take() else {
            return;
        };
        let stands = self.stands_still();
        self.begin_to_follow(&mut turns, stands, dt);
        self.turns = Some(turns);
        let to_go = self.turn_to_go().filter(|_| stands);
        let Some(mut turns) = self.turns.take() else {
            return;
        };
        let by = match to_go {
            Some(to_go) => self.turn_step(&mut turns, to_go, id, dt),
            None => {
                self.end_turn_clip(&mut turns);
                turns.turning.rest(&turns.pace, dt)
            }
        };
        self.placement.yaw += by.to_degrees();
        if let Some(to_go) = to_go {
            turns.follows &= (to_go - by).abs() > FACES;
        }
        self.turns = Some(turns);
    }

    /// Notes whether what it looks at is out of sight for long enough.
    fn begin_to_follow(&self, turns: &mut Turns, stands: bool, dt: f32) {
        let out_of_sight = turns.by_look && stands && self.turn_wanted().is_some();
        turns.waited = if out_of_sight { turns.waited + dt } else { 0.0 };
        let may_go_on = turns.by_look && stands && self.target_yaw().is_some();
        turns.follows = turns.follows && may_go_on || turns.waited >= PATIENCE;
    }

    fn turn_step(&mut self, turns: &mut Turns, to_go: f32, id: u64, dt: f32) -> f32 {
        if turns.by_clip.is_none() && turns.turning.speed() == 0.0 && to_go.abs() > CLIP_FROM {
            turns.by_clip = self.begin_turn_clip(&turns.clips, to_go, id);
        }
        let Some(by_clip) = &mut turns.by_clip else {
            return turns.turning.advance(to_go, &turns.pace, dt);
        };
        let playing = self.actions.iter().find(|a| a.id == by_clip.action);
        let Some(playing) = playing.filter(|action| action.leaving.is_none()) else {
            // It was played to its end, or another took its place.
            turns.by_clip = None;
            return turns.turning.advance(to_go, &turns.pace, dt);
        };
        let clips = &self.definition.clips;
        let duration = clips.duration(by_clip.clip);
        let t = playing.head.clip_time(duration) + dt * playing.options.speed;
        let lap = clips.root(by_clip.clip).map_or(0.0, |root| root.lap().yaw);
        let share = (t / duration.max(1e-3)).clamp(0.0, 1.0);
        let done = match clips.root(by_clip.clip) {
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

    fn end_turn_clip(&mut self, turns: &mut Turns) {
        if let Some(by_clip) = turns.by_clip.take() {
            let mut actions = self.actions.iter_mut();
            if let Some(action) = actions.find(|a| a.id == by_clip.action) {
                action.leave(super::EndReason::Stopped);
            }
        }
    }

    /// Plays the clip of a turn, the other side's mirrored where there is only that.
    fn begin_turn_clip(&mut self, own: &TurnClips, to_go: f32, id: u64) -> Option<ByClip> {
        if self.actions.len() >= BUSY {
            return None;
        }
        let side = to_go.signum();
        let alone = self.turn_clip(own, side, to_go).or_else(|| {
            let other = self.turn_clip(own, -side, to_go)?;
            Some(Alone {
                mirror: !other.mirror,
                ..other
            })
        })?;
        let clip = alone.clip;
        let duration = self.definition.clips.duration(clip);
        let options = ActionOptions {
            fade_in: 0.2,
            fade_out: 0.25,
            speed: alone.speed,
            mirror: alone.mirror,
            in_place: true,
            ..ActionOptions::default()
        };
        self.actions.push(Action::new(id, clip, duration, options));
        Some(ByClip {
            action: id,
            clip,
            done: 0.0,
        })
    }

    /// A clip by its name, or that of a state which plays one.
    ///
    /// # Errors
    /// When there is neither, or the state plays something else.
    pub fn clip_or_state(&self, name: &str) -> Result<Alone, NotAlone> {
        match (self.definition.clips.find(name), &self.machine) {
            (Some(clip), _) => Ok(as_it_is(clip)),
            (None, Some((machine, state))) => machine.alone(name, state),
            (None, None) => Err(NotAlone::Unknown),
        }
    }

    fn turn_clip(&self, own: &TurnClips, side: f32, to_go: f32) -> Option<Alone> {
        let clips = &self.definition.clips;
        let said = if side > 0.0 { &own.left } else { &own.right };
        if let Some(name) = said {
            return self.clip_or_state(name).ok();
        }
        let wanted = if to_go.abs() > HALF { 180 } else { 90 };
        let found = (0..clips.len()).filter_map(|clip| {
            let degrees = told_by(clips.clip_name(clip), side)?.unwrap_or(90);
            Some((degrees.abs_diff(wanted), clip))
        });
        found.min().map(|(_, clip)| as_it_is(clip))
    }

    /// Radians by which what it looks at is out of sight.
    fn turn_wanted(&self) -> Option<f32> {
        self.gazes().find_map(|gaze| gaze.wants_turn())
    }

    fn target_yaw(&self) -> Option<f32> {
        self.gazes().find_map(|gaze| gaze.target_yaw())
    }

    fn gazes(&self) -> impl Iterator<Item = &galatea_rig::gaze::Gaze> {
        let modifiers = self.stack.iter().flat_map(|stack| &stack.modifiers);
        let shown = modifiers.filter(|modifier| modifier.weight.shown > 0.0);
        shown.filter_map(|modifier| match &modifier.kind {
            Kind::Look(looking) => Some(&looking.gaze),
            _ => None,
        })
    }

    /// It stands on its own feet and nobody drives it: no seat, no wish, no jump, no way of its clips.
    pub(super) fn stands_still(&self) -> bool {
        let is_down = self.limbs.as_ref().is_some_and(|limbs| limbs.is_down());
        let mut modifiers = self.stack.iter().flat_map(|stack| &stack.modifiers);
        let sits = modifiers.any(|m| matches!(m.kind, Kind::Sit(_)) && m.weight.goal() > 0.0);
        if is_down || sits || self.rising.is_some() || self.attachment.is_some() {
            return false;
        }
        let (way, turned) = self.root_motion;
        if way.length() > 1e-3 || turned.abs() > 0.05 {
            return false;
        }
        self.controller.as_ref().is_none_or(|controller| {
            let floats = controller.options.gravity <= 0.0;
            let is_slow = controller.velocity.with_y(0.0).length() < STANDS;
            let is_driven = controller.wish.length() > 0.01 || controller.jump.is_some();
            is_slow && !is_driven && (floats || controller.is_grounded())
        })
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
