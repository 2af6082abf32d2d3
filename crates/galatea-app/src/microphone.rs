//! Lip sync from the microphone of a device, or from a recording that simulates one.

use std::path::Path;
use std::sync::Arc;

use galatea_speech::acoustic::live::{Live, LiveFrame, LiveMouth, LiveOptions};
use galatea_speech::acoustic::network;
use galatea_speech::viseme::N_VISEMES;

/// Maximum size of a recording, bytes.
const MAX_BYTES: u64 = 512 << 20;

enum VoiceInput {
    Device(galatea_audio::Microphone),
    /// A recording, and the playback position in frames.
    Recording(Arc<galatea_audio::Sound>, f64),
    /// The input has ended or failed.
    Lost,
}

/// A lip sync source.
pub(super) struct Listening {
    source: VoiceInput,
    live: Live,
    mouth: LiveMouth,
    found: Vec<LiveFrame>,
}

impl Listening {
    /// Uses the device's microphone.
    pub(super) fn to_device() -> Self {
        Self::to(VoiceInput::Device(galatea_audio::Microphone::open()))
    }

    /// Uses a recording, which plays from now on.
    pub(super) fn to_recording(sound: Arc<galatea_audio::Sound>) -> Self {
        Self::to(VoiceInput::Recording(sound, 0.0))
    }

    fn to(source: VoiceInput) -> Self {
        Self {
            source,
            live: Live::new(LiveOptions::MICROPHONE),
            mouth: LiveMouth::quick(),
            found: Vec::new(),
        }
    }

    /// Analyses the sound of a tick of `dt` seconds and returns the mouth shape.
    ///
    /// # Errors
    /// The reason why the input failed; returned once.
    pub(super) fn tick(&mut self, dt: f64) -> Result<[f32; N_VISEMES], String> {
        let mut lost = None;
        self.found.clear();
        match &mut self.source {
            VoiceInput::Device(microphone) => {
                for block in microphone.take() {
                    match block {
                        galatea_audio::AudioBlock::Samples {
                            samples,
                            channels,
                            rate,
                        } => {
                            let channels = usize::from(channels);
                            let found = &mut self.found;
                            self.live.hear(network(), &samples, channels, rate, found);
                        }
                        galatea_audio::AudioBlock::Lost(why) => lost = Some(why),
                    }
                }
            }
            VoiceInput::Recording(sound, at) => {
                let channels = usize::from(sound.channels());
                let next = *at + dt * f64::from(sound.sample_rate());
                let range = *at as usize * channels..next as usize * channels;
                *at = next;
                let silence = vec![0.0; range.len()];
                let samples = sound.samples().get(range).unwrap_or(&silence);
                let rate = sound.sample_rate();
                self.live
                    .hear(network(), samples, channels, rate, &mut self.found);
            }
            VoiceInput::Lost => {}
        }
        for found in &self.found {
            self.mouth.take_in(found);
        }
        match lost {
            Some(why) => {
                self.source = VoiceInput::Lost;
                self.mouth = LiveMouth::default();
                Err(why)
            }
            None => Ok(self.mouth.weights()),
        }
    }
}

/// Loads a recording that simulates a microphone.
///
/// # Errors
/// The reason why it cannot be decoded, with the file name.
pub fn read(file: &Path) -> Result<Arc<galatea_audio::Sound>, String> {
    let name = file.display().to_string();
    let bytes =
        galatea_asset::read_at_most(file, MAX_BYTES).map_err(|why| format!("{name}: {why}"))?;
    let sound = galatea_audio::Sound::decode(&name, &bytes).map_err(|why| why.to_string())?;
    Ok(Arc::new(sound))
}
