//! The exchange of a stage with the mixer and the microphone.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::reload::Reload;
use galatea_speech::viseme::N_VISEMES;

/// Outgoing sound orders, incoming delay and microphone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AudioPort {
    /// Orders since the mixer last collected them.
    pub orders: Vec<SoundOrder>,
    /// Ids of looped sounds; they end with a hot reload.
    pub loops: Vec<u64>,
    /// Sounds that the mixer plays or will play, as if each had been started with its current pitch. A saved game starts
    /// them again.
    pub playing: Vec<SoundCue>,
    /// Delay of the sound behind the picture, seconds, as reported by the mixer.
    pub delay: f64,
    /// The same delay in this tick alone, from the clock of the sound card.
    pub delay_now: f64,
    /// Mouth shape weights from the microphone; `None` while it is off.
    pub microphone: Option<[f32; N_VISEMES]>,
}

/// A sound to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoundCue {
    /// Id for stopping and changing it.
    pub id: u64,
    /// Name of the sound in the project.
    #[serde(with = "galatea_persist::shared")]
    pub sound: Arc<str>,
    /// Start in stage seconds, exact within a tick; in unscaled seconds for an unscaled sound.
    pub time: f64,
    /// World position; `None` plays it without panning or attenuation.
    pub position: Option<Vec3>,
    /// Factor on the amplitude.
    pub volume: f32,
    /// Factor on the speed and pitch.
    pub pitch: f32,
    /// Starts again at its end.
    pub looped: bool,
    /// The sound is speech.
    pub is_speech: bool,
    /// Amplitude factor while a character speaks, 0..=1.
    pub duck: f32,
    /// The sound ignores pauses and slow motion.
    pub is_unscaled: bool,
}

/// An order to the mixer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SoundOrder {
    /// Starts a sound.
    Play(SoundCue),
    /// Stops a sound with a fade.
    Stop {
        /// Id of the sound.
        id: u64,
        /// Duration of the fade, seconds.
        fade: f32,
    },
    /// Changes an active or scheduled sound; `None` keeps a value.
    Change {
        /// Id of the sound.
        id: u64,
        /// Factor on the amplitude.
        volume: Option<f32>,
        /// Factor on the speed and pitch.
        pitch: Option<f32>,
        /// World position; for a sound that has one.
        position: Option<Vec3>,
    },
    /// Master volume factor.
    Volume(f32),
    /// Stops all sounds at once: another game was loaded.
    StopAll,
}

impl AudioPort {
    /// The port of a loaded game: the mixer stops all sounds and starts those of the saved game at their positions.
    /// `is_kept` chooses the sounds.
    pub(super) fn of_saved(
        saved: &Self,
        running: &Self,
        is_kept: impl Fn(&SoundCue) -> bool,
    ) -> Self {
        let again = saved.playing.iter().filter(|cue| is_kept(cue));
        let again = again.map(|cue| SoundOrder::Play(cue.clone()));
        Self {
            orders: std::iter::once(SoundOrder::StopAll).chain(again).collect(),
            loops: saved.loops.clone(),
            delay: running.delay,
            delay_now: running.delay_now,
            microphone: running.microphone,
            playing: Vec::new(),
        }
    }
}

/// Stops looped sounds; the new script starts its own.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let loops = reload.old.audio.loops.iter();
    let ends = loops.map(|&id| SoundOrder::Stop { id, fade: 0.1 });
    reload.new.audio.orders.splice(0..0, ends);
}
