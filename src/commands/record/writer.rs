//! Writes pictures beside those that are drawn meanwhile.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use anyhow::Context as _;

use galatea_app::png::{Compression, png_bytes};
use galatea_asset::write_whole;
use galatea_render::Picture;

/// Pictures that may wait to be written.
const MOST_WAITING: usize = 3;

/// Writes pictures one after the other on a thread of its own.
pub struct Writer {
    /// Gone once all were handed over, or one could not be written.
    send: Option<SyncSender<(PathBuf, Picture)>>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Writer {
    /// Begins to wait for pictures.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub fn new() -> anyhow::Result<Self> {
        let (send, receive) = sync_channel::<(PathBuf, Picture)>(MOST_WAITING);
        let write = move || {
            for (path, picture) in receive {
                // A seventh larger than at its best, in a tenth of the time, which two cores have not to spare.
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

    /// Hands a picture over; waits while too many are not yet written.
    ///
    /// # Errors
    /// Why an earlier one could not be written.
    pub fn put(&mut self, path: PathBuf, picture: Picture) -> anyhow::Result<()> {
        let sent = self.send.as_ref().map(|send| send.send((path, picture)));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => self.finish(),
        }
    }

    /// Waits for the last picture.
    ///
    /// # Errors
    /// Why one could not be written.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.send = None;
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        let ended = thread.join();
        ended.unwrap_or_else(|_| Err(anyhow::anyhow!("writing pictures failed")))
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
