//! Clips that agents act in a state or at a smart object.

use serde::{Deserialize, Serialize};

use super::gaits::{GaitLevel, Gaits};
use galatea_math::random::RandomSource;

/// Duration of the cross-fade to another clip, seconds.
pub(super) const FADE: f32 = 0.3;
/// Duration that replaces a clip which the body does not have, seconds.
const MISSING: f32 = 1.0;

/// Clips to act: an optional intro, main clips, an optional outro. Numbers index the crowd's clips.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipSequence {
    /// Clip played first.
    pub intro: Option<u16>,
    /// Main clips in random order; a single one repeats.
    pub clips: Vec<u16>,
    /// Clip played last.
    pub outro: Option<u16>,
    /// The act ends after one main clip.
    pub once: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum AgentPlaybackPhase {
    Intro,
    Clip,
    Outro,
}

/// The clip that an agent acts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentPlayback {
    clip: u16,
    part: AgentPlaybackPhase,
    /// The clip loops.
    repeats: bool,
    /// Playback time, seconds.
    t: f32,
}

impl ClipSequence {
    /// Returns true if there is nothing to act.
    pub fn is_empty(&self) -> bool {
        self.intro.is_none() && self.clips.is_empty()
    }

    /// The first clip.
    pub(super) fn begin(&self, chance: &mut RandomSource) -> Option<AgentPlayback> {
        match self.intro {
            Some(clip) => Some(AgentPlayback::new(clip, AgentPlaybackPhase::Intro)),
            None => self.one(None, chance),
        }
    }

    /// The clip that follows an act that is over; `None` at the end.
    pub(super) fn next(
        &self,
        act: AgentPlayback,
        chance: &mut RandomSource,
    ) -> Option<AgentPlayback> {
        match act.part {
            AgentPlaybackPhase::Intro => self.one(None, chance),
            AgentPlaybackPhase::Clip if !self.once => self.one(Some(act.clip), chance),
            AgentPlaybackPhase::Clip | AgentPlaybackPhase::Outro => None,
        }
    }

    /// The outro, if there is one.
    pub(super) fn end(&self) -> Option<AgentPlayback> {
        Some(AgentPlayback::new(self.outro?, AgentPlaybackPhase::Outro))
    }

    /// A random main clip, different from the one before.
    fn one(&self, before: Option<u16>, chance: &mut RandomSource) -> Option<AgentPlayback> {
        let n = self.clips.len();
        let others = before.map_or(n, |_| n.saturating_sub(1)).max(1);
        let mut at = (chance.unit() * others as f32) as usize;
        let known = before.and_then(|before| self.clips.iter().position(|clip| *clip == before));
        if known.is_some_and(|known| at >= known && n > 1) {
            at += 1;
        }
        let mut act = AgentPlayback::new(
            *self.clips.get(at.min(n.saturating_sub(1)))?,
            AgentPlaybackPhase::Clip,
        );
        act.repeats = n == 1 && !self.once;
        Some(act)
    }
}

impl AgentPlayback {
    fn new(clip: u16, part: AgentPlaybackPhase) -> Self {
        Self {
            clip,
            part,
            repeats: false,
            t: 0.0,
        }
    }

    /// Returns true for the clip that ends a use.
    pub(super) fn is_outro(self) -> bool {
        self.part == AgentPlaybackPhase::Outro
    }

    /// A single clip without intro and outro.
    pub(super) fn of(clip: u16, repeats: bool) -> Self {
        Self {
            repeats,
            ..Self::new(clip, AgentPlaybackPhase::Clip)
        }
    }

    /// Starts a looping clip at the fraction `share`, so that agents that start together are not in step.
    pub(super) fn begin_at(mut self, share: f32, gaits: &Gaits) -> Self {
        if self.repeats {
            self.t = share * self.seconds(gaits);
        }
        self
    }

    fn level(self, gaits: &Gaits) -> Option<&GaitLevel> {
        gaits.clip(self.clip)
    }

    fn seconds(self, gaits: &Gaits) -> f32 {
        self.level(gaits).map_or(MISSING, |level| level.seconds)
    }

    /// Advances the clip. Returns true when it is over.
    pub(super) fn advance(&mut self, gaits: &Gaits, dt: f32) -> bool {
        let seconds = self.seconds(gaits);
        self.t += dt;
        if self.repeats {
            self.t %= seconds;
            return false;
        }
        self.t >= seconds
    }

    /// The two poses shown, and the weight of the second.
    pub(super) fn poses(self, gaits: &Gaits) -> Option<([u32; 2], f32)> {
        let (level, lap) = self.moment(gaits)?;
        Some(level.poses(lap))
    }

    /// The level of the acted clip and the fraction of the lap.
    pub(super) fn moment(self, gaits: &Gaits) -> Option<(&GaitLevel, f32)> {
        let level = self.level(gaits)?;
        let lap = self.t / level.seconds;
        // A clip that does not loop ends in its last pose and does not blend back to its first.
        let most = if self.repeats { 1.0 } else { level.last() };
        Some((level, lap.min(most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_clips_follow_each_other_by_chance_and_never_the_same() {
        let acting = ClipSequence {
            clips: vec![3, 5, 8],
            ..ClipSequence::default()
        };
        let mut chance = RandomSource::new(7);
        let mut act = acting.begin(&mut chance).unwrap();
        let mut seen = [0; 9];
        for _ in 0..300 {
            let next = acting.next(act, &mut chance).unwrap();
            assert_ne!(next.clip, act.clip);
            assert!(!next.repeats);
            seen[usize::from(next.clip)] += 1;
            act = next;
        }
        assert!([3, 5, 8].iter().all(|clip| seen[*clip] > 70), "{seen:?}");
    }

    #[test]
    fn a_clip_sequence_has_an_intro_and_an_outro() {
        let mut acting = ClipSequence {
            intro: Some(1),
            clips: vec![2],
            outro: Some(3),
            once: false,
        };
        let mut chance = RandomSource::new(1);
        let intro = acting.begin(&mut chance).unwrap();
        assert_eq!((intro.clip, intro.repeats), (1, false));
        let clip = acting.next(intro, &mut chance).unwrap();
        assert_eq!((clip.clip, clip.repeats), (2, true));
        let outro = acting.end().unwrap();
        assert_eq!((outro.clip, acting.next(outro, &mut chance)), (3, None));
        acting.once = true;
        let clip = acting.next(intro, &mut chance).unwrap();
        assert_eq!(
            (clip.repeats, acting.next(clip, &mut chance)),
            (false, None)
        );
        assert!(ClipSequence::default().begin(&mut chance).is_none());
    }
}
