//! Starts a clip on top of the current playback: the rules shared by scripts and Rust callers.

use std::sync::Arc;

use super::action::{Action, ActionOptions, Additive, EndReason};
use super::definition::Definition;
use super::playback::Playback;
use galatea_anim::{MAX_SPEED, Mask, PlayMode};

/// Maximum number of actions of a character at a time.
pub const MAX_ACTIONS: usize = 64;
/// Maximum fade time, seconds.
const MAX_FADE: f32 = 1e6;

/// Options of [`Playback::play`].
#[derive(Clone, Debug, PartialEq)]
pub struct PlaySettings {
    /// Fade-in time, seconds, at least 0. Default 0.15.
    pub fade_in: f32,
    /// Fade-out time, seconds, at least 0; `None` uses `fade_in`.
    pub fade_out: Option<f32>,
    /// Factor on the clip's speed, from -[`MAX_SPEED`] to [`MAX_SPEED`]. Negative plays the clip backwards, 0 pauses it.
    /// Default 1.
    pub speed: f32,
    /// Start time in clip seconds; `None` starts at the beginning, or at the end when playing backwards.
    pub start_time: Option<f64>,
    /// Behaviour at the end of the clip; `None` uses the clip's own mode, or [`PlayMode::Once`] if it has none.
    pub mode: Option<PlayMode>,
    /// Bones that the clip moves, with weights; `None` means the whole body.
    pub mask: Option<Arc<Mask>>,
    /// Maximum blend weight, 0..=1. Default 1.
    pub weight: f32,
    /// Adds the difference from this pose to the layers below instead of overriding them.
    pub additive: Option<Additive>,
    /// Swaps left and right.
    pub mirror: bool,
    /// Does not emit its marks.
    pub mute_markers: bool,
    /// Leaves out the root motion of the clip.
    pub in_place: bool,
}

impl Default for PlaySettings {
    fn default() -> Self {
        Self {
            fade_in: 0.15,
            fade_out: None,
            speed: 1.0,
            start_time: None,
            mode: None,
            mask: None,
            weight: 1.0,
            additive: None,
            mirror: false,
            mute_markers: false,
            in_place: false,
        }
    }
}

impl PlaySettings {
    /// Returns the options of the action. Clamps values to their ranges and uses the clip's own mode as the default.
    fn resolved(self, clip_mode: Option<PlayMode>) -> ActionOptions {
        let fade_in = self.fade_in.clamp(0.0, MAX_FADE);
        ActionOptions {
            fade_in,
            fade_out: self.fade_out.unwrap_or(fade_in).clamp(0.0, MAX_FADE),
            speed: self.speed.clamp(-MAX_SPEED, MAX_SPEED),
            mode: self.mode.or(clip_mode).unwrap_or(PlayMode::Once),
            mask: self.mask,
            weight: self.weight.clamp(0.0, 1.0),
            start_time: self.start_time,
            additive: self.additive,
            mirror: self.mirror,
            mute_markers: self.mute_markers,
            in_place: self.in_place,
        }
    }
}

impl Playback {
    /// Plays a clip on top of the machine as an action. Interrupts actions with the same mask and blend mode (see
    /// [`Action::replaces`]), which then fade out. `definition` is the character's, `clip` an index into its clips; `id` is
    /// the action's id.
    ///
    /// Returns the action that was removed to make room, see [`Playback::make_room`].
    #[must_use = "an action that made room has not ended yet"]
    pub fn play(
        &mut self,
        definition: &Definition,
        id: u64,
        clip: usize,
        options: PlaySettings,
    ) -> Option<Action> {
        let clip_mode = definition.modes.get(clip).copied().flatten();
        let duration = definition.clips.duration(clip);
        let new = Action::new(id, clip, duration, options.resolved(clip_mode));
        for action in &mut self.actions {
            if new.replaces(action) {
                action.leave(EndReason::Interrupted);
            }
        }
        let removed = self.make_room();
        self.actions.push(new);
        removed
    }

    /// Removes an action if there are already [`MAX_ACTIONS`]: the oldest that is fading out, else the oldest. The caller
    /// must end it ([`Action::end`]) and report its end.
    #[must_use = "the action has not ended yet"]
    pub fn make_room(&mut self) -> Option<Action> {
        if self.actions.len() < MAX_ACTIONS {
            return None;
        }
        let mut actions = self.actions.iter();
        let fading = actions.position(|action| action.leaving.is_some());
        Some(self.actions.remove(fading.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_anim::Clip;
    use galatea_asset::PrimitiveMesh;
    use glam::Vec3;

    fn definition() -> Definition {
        let mut model = PrimitiveMesh::Box(Vec3::ONE).model();
        let clip = |name: &str| Clip {
            name: name.into(),
            duration: 2.0,
            ..Clip::default()
        };
        model.clips.push(Arc::new(clip("wave")));
        model.clips.push(Arc::new(clip("nod")));
        Definition::new(Arc::new(model))
    }

    #[test]
    fn a_clip_interrupts_the_clips_that_it_replaces_and_gets_defaults() {
        let definition = definition();
        let mut playback = Playback::new(&definition);
        let added = PlaySettings {
            additive: Some(Additive::Rest),
            ..PlaySettings::default()
        };
        assert!(playback.play(&definition, 1, 0, added).is_none());
        let first = PlaySettings {
            fade_in: 0.4,
            weight: 7.0,
            ..PlaySettings::default()
        };
        assert!(playback.play(&definition, 2, 0, first).is_none());
        let second = PlaySettings::default();
        assert!(playback.play(&definition, 3, 1, second).is_none());
        let [added, first, second] = &playback.actions[..] else {
            panic!("three actions");
        };
        assert!(added.leaving.is_none() && second.leaving.is_none());
        assert_eq!(first.leaving, Some((0.0, EndReason::Interrupted)));
        assert_eq!((first.options.fade_out, first.options.weight), (0.4, 1.0));
        assert_eq!(second.options.mode, PlayMode::Once);
    }

    #[test]
    fn the_oldest_fading_action_is_removed_when_there_are_too_many() {
        let definition = definition();
        let mut playback = Playback::new(&definition);
        let mask = |bone: usize| {
            let mut bones = vec![0.0; MAX_ACTIONS + 1];
            bones[bone] = 1.0;
            Some(Arc::new(Mask { bones, morphs: 0.0 }))
        };
        let masked = |bone| PlaySettings {
            mask: mask(bone),
            ..PlaySettings::default()
        };
        for id in 0..MAX_ACTIONS {
            let removed = playback.play(&definition, id as u64, 0, masked(id));
            assert!(removed.is_none());
        }
        let removed = playback.play(&definition, 100, 0, masked(3));
        assert_eq!(removed.map(|action| action.id), Some(3));
        let removed = playback.play(&definition, 101, 0, masked(MAX_ACTIONS));
        assert_eq!(removed.map(|action| action.id), Some(0));
        assert_eq!(playback.actions.len(), MAX_ACTIONS);
    }
}
