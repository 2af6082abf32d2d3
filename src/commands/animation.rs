//! Pictures as one file that moves: animated PNG or WebP.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;

use galatea_app::png::{color_type, pixels};
use galatea_app::webp::webp_bytes;
use galatea_render::Picture;

/// What is made of the pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Animation {
    /// animation.png
    #[default]
    Png,
    /// animation.webp, without loss; smaller where much stands still
    Webp,
    /// No animated image
    None,
}

impl Animation {
    /// Begins the file in a folder, of `n` pictures of a size, with alpha or without; each is shown for a fraction of a
    /// second. `None` where there is to be none.
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
        let (path, begun) = match self {
            Self::Png => {
                let path = folder.join("animation.png");
                let begun = begin_png(&path, (n, size), has_alpha, delay);
                let begun = begun.with_context(|| path.display().to_string())?;
                (path, begun)
            }
            Self::Webp => {
                let milliseconds = f64::from(delay.0) * 1000.0 / f64::from(delay.1);
                let begun = Begun::Webp(Vec::new(), milliseconds.round() as u32);
                (folder.join("animation.webp"), begun)
            }
            Self::None => return Ok(None),
        };
        Ok(Some(Moving { path, begun }))
    }
}

/// An animated image that is being written.
pub struct Moving {
    path: PathBuf,
    begun: Begun,
}

enum Begun {
    /// And whether it has alpha.
    Png(Box<png::Writer<BufWriter<fs::File>>>, bool),
    /// What is compared with what comes after it, and milliseconds.
    Webp(Vec<Picture>, u32),
}

fn begin_png(
    path: &Path,
    (n, size): (u32, (u32, u32)),
    has_alpha: bool,
    delay: (u32, u32),
) -> anyhow::Result<Begun> {
    let file = BufWriter::new(fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, size.0, size.1);
    encoder.set_color(color_type(has_alpha));
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    // A fifth larger than at its best, in a hundredth of the time.
    encoder.set_compression(png::Compression::Fast);
    encoder.set_animated(n, 0)?;
    encoder.set_frame_delay(delay.0 as u16, delay.1 as u16)?;
    Ok(Begun::Png(Box::new(encoder.write_header()?), has_alpha))
}

impl Moving {
    /// Adds the next picture.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put(&mut self, picture: Picture) -> anyhow::Result<()> {
        match &mut self.begun {
            Begun::Png(writer, has_alpha) => writer
                .write_image_data(&pixels(&picture, *has_alpha))
                .with_context(|| self.path.display().to_string()),
            Begun::Webp(pictures, _) => {
                pictures.push(picture);
                Ok(())
            }
        }
    }

    /// Ends the file; gives its path.
    ///
    /// # Errors
    /// When it cannot be written, or pictures are missing.
    pub fn finish(self) -> anyhow::Result<PathBuf> {
        let ended = match self.begun {
            Begun::Png(writer, _) => writer.finish().map_err(anyhow::Error::from),
            Begun::Webp(pictures, milliseconds) => webp_bytes(&pictures, milliseconds)
                .map_err(anyhow::Error::msg)
                .and_then(|bytes| Ok(fs::write(&self.path, bytes)?)),
        };
        ended.with_context(|| self.path.display().to_string())?;
        Ok(self.path)
    }
}
