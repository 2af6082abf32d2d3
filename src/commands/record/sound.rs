//! Streams the sound of a recording to a file.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use galatea_app::Session;
use galatea_asset::NewFile;
use galatea_audio::{SAMPLE_RATE, WavStream};

/// The sound file, if this call writes one, and the number of samples that are missing.
pub struct SoundFile {
    file: Option<(NewFile, WavStream<BufWriter<File>>)>,
    n_left: usize,
    path: PathBuf,
}

impl SoundFile {
    /// Begins a stereo file of a length in seconds. Without `is_written`, sound is only discarded.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn begin(path: PathBuf, seconds: f64, is_written: bool) -> anyhow::Result<Self> {
        let begin = || -> anyhow::Result<_> {
            let file = NewFile::create(&path)?;
            let out = BufWriter::new(file.handle()?);
            Ok((file, WavStream::new(out, SAMPLE_RATE, 2)?))
        };
        Ok(Self {
            file: is_written.then(begin).transpose()?,
            n_left: (seconds * f64::from(SAMPLE_RATE)).round() as usize * 2,
            path,
        })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the sound that a session captured since the last call.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn take(&mut self, session: &mut Session) -> anyhow::Result<()> {
        let mut samples = session.take_sound();
        samples.truncate(self.n_left);
        self.n_left -= samples.len();
        if let Some((_, stream)) = &mut self.file {
            stream.write(&samples)?;
        }
        Ok(())
    }

    /// Finishes the file and returns its path, if there is one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> anyhow::Result<Option<PathBuf>> {
        let Some((file, stream)) = self.file else {
            return Ok(None);
        };
        stream.finish()?;
        file.finish()?;
        Ok(Some(self.path))
    }
}
