//! The exchange of a stage with the mixer and the microphone.

use std::sync::Arc;

use glam::Vec3;

use super::reload::Reload;
use galatea_speech::viseme::N_VISEMES;

/// Sounds out; delay and microphone in.
#[derive(Clone, Debug, Default)]
pub struct AudioPort {
    /// Orders since the mixer last took them.
    pub orders: Vec<SoundOrder>,
    /// Looped sounds that were begun; they end with a hot reload.
    pub loops: Vec<u64>,
    /// Seconds by which sound is behind the picture, as reported by the mixer.
    pub delay: f64,
    /// The same in this tick alone, as far as the clock of the sound card shows.
    pub delay_now: f64,
    /// The sound at the microphone as weights of mouth shapes; `None` while it is off.
    pub microphone: Option<[f32; N_VISEMES]>,
}

/// A sound to be heard.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundCue {
    /// Names it for stopping and changing.
    pub id: u64,
    /// Name of the sound in the project.
    pub sound: Arc<str>,
    /// Stage seconds at which it begins, exact within a tick.
    pub time: f64,
    /// World position; `None` is heard as recorded.
    pub position: Option<Vec3>,
    /// Factor on the amplitude.
    pub gain: f32,
    /// Factor on the speed and pitch.
    pub pitch: f32,
    /// Starts again at its end.
    pub looped: bool,
    /// Somebody speaks.
    pub is_speech: bool,
    /// Factor on the amplitude while somebody speaks, 0..=1.
    pub duck: f32,
}

/// An order to the mixer.
#[derive(Clone, Debug, PartialEq)]
pub enum SoundOrder {
    /// Begin a sound.
    Play(SoundCue),
    /// End a sound, fading for some seconds.
    Stop {
        /// Which.
        id: u64,
        /// Seconds.
        fade: f32,
    },
    /// Change a sound that plays or is to play; `None` leaves a value as it is.
    Change {
        /// Which.
        id: u64,
        /// Factor on the amplitude.
        gain: Option<f32>,
        /// Factor on the speed and pitch.
        pitch: Option<f32>,
        /// World position; for a sound that has one.
        position: Option<Vec3>,
    },
    /// Factor on everything.
    Volume(f32),
}

/// Looped sounds end: the new version begins its own.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let loops = reload.old.audio.loops.iter();
    let ends = loops.map(|&id| SoundOrder::Stop { id, fade: 0.1 });
    reload.new.audio.orders.splice(0..0, ends);
}
