//! Encodes frames and a sound to a video with the installed `ffmpeg`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

/// Name of the program.
const NAME: &str = "ffmpeg";
/// File extensions of video containers that common players open.
const EXTENSIONS: [&str; 4] = ["mp4", "mkv", "mov", "webm"];

/// A video that is to be written.
#[derive(Debug)]
pub struct Video {
    ffmpeg: PathBuf,
    file: PathBuf,
}

impl Video {
    /// Checks the requirements of a video before anything is rendered.
    ///
    /// # Errors
    /// When the file has no video extension, or `ffmpeg` is not on the `PATH`.
    pub fn to(file: &Path) -> anyhow::Result<Self> {
        let extension = file.extension().map(|e| e.to_string_lossy().to_lowercase());
        if !extension.is_some_and(|e| EXTENSIONS.contains(&e.as_str())) {
            anyhow::bail!(
                "{}: unsupported video format; expected one of .{}",
                file.display(),
                EXTENSIONS.join(", .")
            );
        }
        let Some(ffmpeg) = on_path(NAME) else {
            anyhow::bail!(
                "--video needs {NAME}, which is not on the PATH: install it, or omit --video and use the frames and the sound"
            );
        };
        Ok(Self {
            ffmpeg,
            file: file.to_owned(),
        })
    }

    /// Encodes the frames `00000.png` … of a folder at `fps` frames per second with a sound, and returns the path.
    /// Overwrites the file.
    ///
    /// # Errors
    /// The error output of `ffmpeg`.
    pub fn write(self, frames: &Path, sound: &Path, fps: u32) -> anyhow::Result<PathBuf> {
        let output = Command::new(&self.ffmpeg)
            .args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"])
            .args(["-framerate", &fps.to_string(), "-i"])
            .arg(frames.join("%05d.png"))
            .arg("-i")
            .arg(sound)
            // Players expect half-resolution chroma, which needs even sizes.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
            .args(["-pix_fmt", "yuv420p", "-shortest"])
            .arg(&self.file)
            .stdin(Stdio::null())
            .output()
            .with_context(|| self.ffmpeg.display().to_string())?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.trim();
            let said = match said {
                "" => "no error message",
                said => said,
            };
            anyhow::bail!("{}: {NAME} failed: {said}", self.file.display());
        }
        Ok(self.file)
    }
}

/// Path of a program on the `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|full| full.is_file())
}
