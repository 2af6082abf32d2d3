//! Writes frames to disk on a separate thread.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use anyhow::Context as _;

use galatea_app::png::{Compression, png_bytes};
use galatea_asset::write_whole;
use galatea_render::Picture;

/// Maximum number of frames that wait to be written.
const MAX_PENDING: usize = 3;

/// Writes frames in order on a separate thread.
pub struct Writer {
    /// `None` after all frames were sent, or after a write error.
    send: Option<SyncSender<(PathBuf, Picture)>>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn new() -> anyhow::Result<Self> {
        let (send, receive) = sync_channel::<(PathBuf, Picture)>(MAX_PENDING);
        let write = move || {
            for (path, picture) in receive {
                // A seventh larger than the best compression, in a tenth of the time.
                write_packed(&path, &picture, Compression::Fast)?;
            }
            Ok(())
        };
        let thread = std::thread::Builder::new().name("pictures".into());
        Ok(Self {
            send: Some(send),
            thread: Some(thread.spawn(write)?),
        })
    }

    /// Sends a frame; waits while too many are pending.
    ///
    /// # Errors
    /// The error of an earlier frame.
    pub fn put(&mut self, path: PathBuf, picture: Picture) -> anyhow::Result<()> {
        let sent = self.send.as_ref().map(|send| send.send((path, picture)));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => self.finish(),
        }
    }

    /// Waits for the last frame.
    ///
    /// # Errors
    /// The error of a frame.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.send = None;
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        let ended = thread.join();
        ended.unwrap_or_else(|_| {
            Err(anyhow::anyhow!(
                "the thread that writes pictures stopped with an internal error"
            ))
        })
    }
}

/// Writes a picture as PNG.
///
/// # Errors
/// When the file cannot be written.
pub fn write_packed(path: &Path, picture: &Picture, packed: Compression) -> anyhow::Result<()> {
    let bytes = png_bytes(picture, packed).with_context(|| path.display().to_string())?;
    Ok(write_whole(path, &bytes)?)
}
