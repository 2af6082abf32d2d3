//! Sounds that the mixer plays, for saved games.

use glam::Vec3;

use galatea_stage::{SoundCue, Stage};

/// Sounds that play or will play, each as if it had been started with its current pitch.
#[derive(Debug, Default)]
pub(super) struct PlayingCues {
    /// Sounds with their durations at pitch 1, seconds.
    cues: Vec<(SoundCue, f64)>,
    is_changed: bool,
}

impl PlayingCues {
    /// Adds a sound of `length` seconds.
    pub fn start(&mut self, cue: SoundCue, length: f64) {
        self.cues.push((cue, length));
        self.is_changed = true;
    }

    /// Removes the sounds with this id.
    pub fn stop(&mut self, id: u64) {
        let n = self.cues.len();
        self.cues.retain(|(cue, _)| cue.id != id);
        self.is_changed |= n != self.cues.len();
    }

    /// Removes all sounds.
    pub fn stop_all(&mut self) {
        self.cues.clear();
        self.is_changed = true;
    }

    /// Changes the sounds with this id; `None` keeps a value.
    pub fn change(
        &mut self,
        id: u64,
        stage: &Stage,
        volume: Option<f32>,
        pitch: Option<f32>,
        position: Option<Vec3>,
    ) {
        for (cue, _) in self.cues.iter_mut().filter(|(cue, _)| cue.id == id) {
            cue.volume = volume.unwrap_or(cue.volume);
            cue.position = cue.position.and(position).or(cue.position);
            if let Some(pitch) = pitch.filter(|pitch| *pitch > 0.0) {
                let now = now(cue, stage);
                let gone = (now - cue.time).max(0.0) * f64::from(cue.pitch);
                cue.time = now.min(cue.time.max(now)) - gone / f64::from(pitch);
                cue.pitch = pitch;
            }
            self.is_changed = true;
        }
    }

    /// Removes the sounds that are over, and gives the stage the others if they have changed.
    pub fn show(&mut self, stage: &mut Stage) {
        let n = self.cues.len();
        self.cues.retain(|(cue, length)| {
            let gone = (now(cue, stage) - cue.time) * f64::from(cue.pitch);
            cue.looped || gone < *length
        });
        if std::mem::take(&mut self.is_changed) || n != self.cues.len() {
            let cues = self.cues.iter().map(|(cue, _)| cue.clone());
            stage.audio.playing.clear();
            stage.audio.playing.extend(cues);
        }
    }
}

/// Time that a sound follows, seconds.
fn now(cue: &SoundCue, stage: &Stage) -> f64 {
    match cue.is_unscaled {
        true => stage.unscaled_time(),
        false => stage.time(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn cue(time: f64) -> SoundCue {
        SoundCue {
            id: 7,
            sound: Arc::from("bell"),
            time,
            position: None,
            volume: 1.0,
            pitch: 1.0,
            looped: false,
            is_speech: false,
            duck: 1.0,
            is_unscaled: false,
        }
    }

    #[test]
    fn a_sound_is_listed_until_it_is_over_and_keeps_its_position_when_the_pitch_changes() {
        let mut stage = Stage::default();
        let mut playing = PlayingCues::default();
        playing.start(cue(0.0), 2.0);
        stage.clock.n_ticks = 60;
        playing.show(&mut stage);
        assert_eq!(stage.audio.playing, [cue(0.0)]);
        // One second is over; at double speed, the other one takes half a second.
        playing.change(7, &stage, Some(0.5), Some(2.0), None);
        stage.clock.n_ticks = 89;
        playing.show(&mut stage);
        let [now] = &stage.audio.playing[..] else {
            panic!("{:?}", stage.audio.playing)
        };
        assert_eq!((now.time, now.pitch, now.volume), (0.5, 2.0, 0.5));
        stage.clock.n_ticks = 91;
        playing.show(&mut stage);
        assert!(stage.audio.playing.is_empty());
    }
}
