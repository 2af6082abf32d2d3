//! The microphone: a thread that opens it and hands over what it hears.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use rodio::Source as _;
use rodio::microphone::MicrophoneBuilder;

/// Blocks that wait to be taken; more are dropped.
const MOST_BLOCKS: usize = 64;
/// How often the thread looks for samples.
const EVERY: Duration = Duration::from_millis(4);
/// Samples that are asked for at once, where the machine leaves that open.
const BUFFER: u32 = 512;

/// What a microphone hears, in blocks as they come.
pub struct Microphone {
    blocks: Receiver<AudioBlock>,
    stop: Arc<AtomicBool>,
}

/// Some samples.
#[derive(Clone, Debug, PartialEq)]
pub enum AudioBlock {
    /// Interleaved, -1..1.
    Samples {
        /// The samples.
        samples: Vec<f32>,
        /// 1 or more.
        channels: u16,
        /// Frames per second.
        rate: u32,
    },
    /// There is none, or it was lost, and why: nothing comes after this.
    Lost(String),
}

impl Microphone {
    /// The default one. Opening it takes a while; what goes wrong comes as a block.
    pub fn open() -> Self {
        let (sender, blocks) = sync_channel(MOST_BLOCKS);
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, own) = (stop.clone(), sender.clone());
        let thread = std::thread::Builder::new().name("microphone".to_owned());
        if let Err(error) = thread.spawn(move || {
            if let Err(why) = hear(&own, &flag) {
                let _ = own.send(AudioBlock::Lost(why));
            }
        }) {
            let _ = sender.try_send(AudioBlock::Lost(format!(
                "no thread for the microphone: {error}"
            )));
        }
        Self { blocks, stop }
    }

    /// What was heard since this was last asked.
    pub fn take(&self) -> impl Iterator<Item = AudioBlock> {
        self.blocks.try_iter()
    }
}

impl Drop for Microphone {
    fn drop(&mut self) {
        // The thread is not waited for: a device that hangs must not hang the program.
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn hear(sender: &SyncSender<AudioBlock>, stop: &AtomicBool) -> Result<(), String> {
    let why = |error: &dyn std::fmt::Display| format!("no microphone: {error}");
    let builder = MicrophoneBuilder::new()
        .default_device()
        .map_err(|error| why(&error))?
        .default_config()
        .map_err(|error| why(&error))?
        .prefer_buffer_sizes(BUFFER..);
    let mut microphone = builder.open_stream().map_err(|error| why(&error))?;
    let (channels, rate) = (microphone.channels().get(), microphone.sample_rate().get());
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(EVERY);
        let n = microphone.size_hint().0;
        let samples: Vec<f32> = microphone.by_ref().take(n).collect();
        if samples.len() < n {
            return Err("the microphone was lost".to_owned());
        }
        if samples.is_empty() {
            continue;
        }
        let block = AudioBlock::Samples {
            samples,
            channels,
            rate,
        };
        // Who does not listen for a while misses what was said.
        if let Err(TrySendError::Disconnected(_)) = sender.try_send(block) {
            return Ok(());
        }
    }
    Ok(())
}
