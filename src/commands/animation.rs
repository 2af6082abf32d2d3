//! Pictures as one file that moves: animated PNG or WebP.

use std::fs;
use std::io::BufWriter;
use std::path::Path;

use anyhow::Context as _;
use clap::ValueEnum;

use super::progress::Progress;
use crate::app::png::{color_type, is_clear, pixels};
use crate::app::webp::webp_bytes;
use crate::render::Picture;

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
    /// The name of the file in a recording's folder; `None` when there is none to be.
    pub fn file_name(self) -> Option<&'static str> {
        match self {
            Self::Png => Some("animation.png"),
            Self::Webp => Some("animation.webp"),
            Self::None => None,
        }
    }

    /// Writes pictures as the file `path`; `delay` is a fraction of a second. Nothing comes of no pictures.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(self, path: &Path, pictures: &[Picture], delay: (u32, u32)) -> anyhow::Result<()> {
        let Some(first) = pictures.first() else {
            return Ok(());
        };
        let written = match self {
            Self::Png => write_png(path, first, pictures, delay),
            Self::Webp => write_webp(path, pictures, delay),
            Self::None => Ok(()),
        };
        written.with_context(|| path.display().to_string())
    }
}

fn write_png(
    path: &Path,
    first: &Picture,
    pictures: &[Picture],
    delay: (u32, u32),
) -> anyhow::Result<()> {
    let file = BufWriter::new(fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, first.width, first.height);
    let has_alpha = pictures.iter().any(is_clear);
    encoder.set_color(color_type(has_alpha));
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    encoder.set_animated(pictures.len() as u32, 0)?;
    encoder.set_frame_delay(delay.0 as u16, delay.1 as u16)?;
    let mut writer = encoder.write_header()?;
    let progress = Progress::new("writing the animation", pictures.len() as u64);
    for (i, picture) in pictures.iter().enumerate() {
        progress.at(i as u64);
        writer.write_image_data(&pixels(picture, has_alpha))?;
    }
    progress.at(pictures.len() as u64);
    progress.done();
    writer.finish()?;
    Ok(())
}

fn write_webp(path: &Path, pictures: &[Picture], delay: (u32, u32)) -> anyhow::Result<()> {
    let milliseconds = f64::from(delay.0) * 1000.0 / f64::from(delay.1);
    let bytes = webp_bytes(pictures, milliseconds.round() as u32).map_err(anyhow::Error::msg)?;
    Ok(fs::write(path, bytes)?)
}
