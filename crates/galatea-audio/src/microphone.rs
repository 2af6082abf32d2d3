//! Microphone input: a thread that opens the device and delivers its samples.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use rodio::Source as _;
use rodio::microphone::MicrophoneBuilder;

/// Maximum number of undelivered blocks; more are dropped.
const MAX_BLOCKS: usize = 64;
/// Polling interval of the thread.
const POLL_INTERVAL: Duration = Duration::from_millis(4);
/// Preferred buffer size, samples.
const BUFFER_SAMPLES: u32 = 512;

/// Microphone input in blocks.
pub struct Microphone {
    blocks: Receiver<AudioBlock>,
    stop: Arc<AtomicBool>,
}

/// A block of input.
#[derive(Clone, Debug, PartialEq)]
pub enum AudioBlock {
    /// Recorded samples.
    Samples {
        /// Interleaved samples, -1..1.
        samples: Vec<f32>,
        /// Number of channels, at least 1.
        channels: u16,
        /// Sample rate, Hz.
        rate: u32,
    },
    /// No microphone, or it was lost; with the reason. No further blocks follow.
    Lost(String),
}

impl Microphone {
    /// Opens the default microphone. Opening takes a while; an error is delivered as a block.
    pub fn open() -> Self {
        let (sender, blocks) = sync_channel(MAX_BLOCKS);
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, own) = (stop.clone(), sender.clone());
        let thread = std::thread::Builder::new().name("microphone".to_owned());
        if let Err(error) = thread.spawn(move || {
            if let Err(why) = record(&own, &flag) {
                let _ = own.send(AudioBlock::Lost(why));
            }
        }) {
            let _ = sender.try_send(AudioBlock::Lost(format!(
                "cannot start the thread of the microphone: {error}"
            )));
        }
        Self { blocks, stop }
    }

    /// Returns the blocks received since the last call.
    pub fn take(&self) -> impl Iterator<Item = AudioBlock> {
        self.blocks.try_iter()
    }
}

impl Drop for Microphone {
    fn drop(&mut self) {
        // The thread is not joined, because a hanging device must not hang the program.
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn record(sender: &SyncSender<AudioBlock>, stop: &AtomicBool) -> Result<(), String> {
    let reason = |error: &dyn std::fmt::Display| format!("cannot open the microphone: {error}");
    let builder = MicrophoneBuilder::new()
        .default_device()
        .map_err(|error| reason(&error))?
        .default_config()
        .map_err(|error| reason(&error))?
        .prefer_buffer_sizes(BUFFER_SAMPLES..);
    let mut microphone = builder.open_stream().map_err(|error| reason(&error))?;
    let (channels, rate) = (microphone.channels().get(), microphone.sample_rate().get());
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(POLL_INTERVAL);
        let n = microphone.size_hint().0;
        let samples: Vec<f32> = microphone.by_ref().take(n).collect();
        if samples.len() < n {
            return Err("the microphone was disconnected".to_owned());
        }
        if samples.is_empty() {
            continue;
        }
        let block = AudioBlock::Samples {
            samples,
            channels,
            rate,
        };
        // If the receiver does not keep up, the block is dropped.
        if let Err(TrySendError::Disconnected(_)) = sender.try_send(block) {
            return Ok(());
        }
    }
    Ok(())
}
