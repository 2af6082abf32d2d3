//! Writes frames as one animated PNG file.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;

use galatea_app::png::{color_type, pixels};
use galatea_asset::NewFile;
use galatea_render::Picture;

/// Kind of the animated image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Animation {
    /// animation.png
    #[default]
    Png,
    /// No animated image
    None,
}

impl Animation {
    /// Begins the file in a folder, for `n` frames of a size, with or without alpha, each shown for a fraction of a
    /// second. Returns `None` for [`Animation::None`].
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn begin(
        self,
        folder: &Path,
        (n, size): (u32, (u32, u32)),
        has_alpha: bool,
        delay: (u32, u32),
    ) -> anyhow::Result<Option<Moving>> {
        if self == Self::None {
            return Ok(None);
        }
        let path = folder.join("animation.png");
        let file = NewFile::create(&path)?;
        let writer = begin_png(file.handle()?, (n, size), has_alpha, delay)
            .with_context(|| path.display().to_string())?;
        Ok(Some(Moving {
            path,
            file,
            writer,
            has_alpha,
        }))
    }
}

/// An animated image that is being written.
pub struct Moving {
    path: PathBuf,
    file: NewFile,
    writer: png::Writer<BufWriter<fs::File>>,
    has_alpha: bool,
}

fn begin_png(
    file: fs::File,
    (n, size): (u32, (u32, u32)),
    has_alpha: bool,
    delay: (u32, u32),
) -> anyhow::Result<png::Writer<BufWriter<fs::File>>> {
    let mut encoder = png::Encoder::new(BufWriter::new(file), size.0, size.1);
    encoder.set_color(color_type(has_alpha));
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    // A fifth larger than the best compression, in a hundredth of the time.
    encoder.set_compression(png::Compression::Fast);
    encoder.set_animated(n, 0)?;
    encoder.set_frame_delay(delay.0 as u16, delay.1 as u16)?;
    Ok(encoder.write_header()?)
}

impl Moving {
    /// Adds the next frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put(&mut self, picture: &Picture) -> anyhow::Result<()> {
        self.writer
            .write_image_data(&pixels(picture, self.has_alpha))
            .with_context(|| self.path.display().to_string())
    }

    /// Finishes the file and returns its path.
    ///
    /// # Errors
    /// When the file cannot be written, or frames are missing.
    pub fn finish(self) -> anyhow::Result<PathBuf> {
        let ended = self.writer.finish();
        ended.with_context(|| self.path.display().to_string())?;
        self.file.finish()?;
        Ok(self.path)
    }
}
