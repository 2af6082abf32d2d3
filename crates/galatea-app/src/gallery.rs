//! Gallery: images of scenes, described by a table with script, time, size and caption.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;

use super::headless::{HeadlessCamera, advance_to};
use super::sheet::{ContactSheet, Layout, PixelSize};
use super::{Session, SessionOptions, SoundOutput};
use crate::studio::StudioOptions;
use galatea_asset::{Project, toml_fault};
use galatea_math::names::nearest_hint;
use galatea_render::Picture;

/// Path of the gallery table in a project.
pub const TABLE: &str = "scripts/gallery/pictures.toml";

/// The images of a project, in the order of the gallery page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gallery {
    /// Entries, one per image.
    pub picture: Vec<GalleryImage>,
}

/// An image of the gallery.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GalleryImage {
    /// Stem of the image's file name.
    pub name: String,
    /// Script that plays, relative to the project's folder.
    pub scene: String,
    /// Caption, one line.
    pub caption: String,
    /// Time of the image, seconds after the start.
    #[serde(default = "one_second")]
    pub at: f64,
    /// Size in pixels, `WIDTHxHEIGHT`; on a sheet, of each frame.
    #[serde(default = "wide")]
    pub size: String,
    /// Draws several frames on one sheet, `COLUMNSxROWS`.
    pub sheet: Option<String>,
    /// Time between the frames of a sheet, seconds.
    #[serde(default)]
    pub every: f64,
    /// Draws only the models, over a checkerboard.
    #[serde(default)]
    pub checkered: bool,
}

fn one_second() -> f64 {
    1.0
}

fn wide() -> String {
    "960x540".into()
}

/// Maximum time of an image, seconds.
const MAX_SECONDS: f64 = 600.0;

/// Reads the table of a project.
///
/// # Errors
/// If the table is missing or faulty, with its file and line.
pub fn read(root: &Path) -> anyhow::Result<Gallery> {
    let file = root.join(TABLE);
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let gallery: Gallery = toml::from_str(&text).map_err(|error| {
        let fault = toml_fault(&error, &text);
        anyhow::Error::msg(fault.in_file(&file.display().to_string()))
    })?;
    for (i, entry) in gallery.picture.iter().enumerate() {
        let what = format!("{}: {}", file.display(), entry.name);
        entry.check().with_context(|| what.clone())?;
        let twice = gallery.picture[..i].iter().any(|e| e.name == entry.name);
        anyhow::ensure!(!twice, "{what}: two pictures have this name; rename one");
    }
    Ok(gallery)
}

impl Gallery {
    /// Returns the entries with these names; all entries if `names` is empty.
    ///
    /// # Errors
    /// If a name does not exist.
    pub fn chosen(&self, names: &[String]) -> anyhow::Result<Vec<&GalleryImage>> {
        if names.is_empty() {
            return Ok(self.picture.iter().collect());
        }
        let all = || self.picture.iter().map(|e| e.name.as_str());
        let find = |name: &String| {
            let found = self.picture.iter().find(|e| e.name == *name);
            let hint = || format!("there is no picture {name:?}{}", nearest_hint(name, all()));
            found.with_context(hint)
        };
        names.iter().map(find).collect()
    }

    /// Markdown page with all images. `to_root` is the path from its folder to the project's folder.
    pub fn page(&self, to_root: &str) -> String {
        let mut page = String::from(
            "# Gallery\n\nDrawn by `galatea gallery` from the scenes in `scripts/gallery`; everything in them is made by \
             `galatea forge`.\nCopy a scene and change it: `galatea play scripts/gallery/portrait.lua`.\n",
        );
        for entry in &self.picture {
            page.push_str(&format!(
                "\n## {}\n\n![{caption}]({}.png)\n\n{caption} [{scene}]({to_root}{scene})\n",
                title(&entry.name),
                entry.name,
                caption = entry.caption,
                scene = entry.scene,
            ));
        }
        page
    }
}

/// Converts a name to a headline.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

impl GalleryImage {
    fn check(&self) -> anyhow::Result<()> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        anyhow::ensure!(
            !self.name.is_empty() && self.name.chars().all(plain),
            "a name may contain only letters, digits, _ and -"
        );
        anyhow::ensure!(
            (0.0..=MAX_SECONDS).contains(&self.at) && (0.0..=MAX_SECONDS).contains(&self.every),
            "`at` and `every` must be from 0 to {MAX_SECONDS} seconds"
        );
        self.size().map(drop)?;
        self.layout().map(drop)
    }

    /// Size of the image, or of each frame on its sheet, in pixels.
    ///
    /// # Errors
    /// If the text is not a size.
    pub fn size(&self) -> anyhow::Result<PixelSize> {
        self.size.parse().map_err(anyhow::Error::msg)
    }

    fn layout(&self) -> anyhow::Result<Layout> {
        let text = self.sheet.as_deref().unwrap_or("1x1");
        text.parse().map_err(anyhow::Error::msg)
    }

    /// Plays the scene and draws it. `size` overrides the entry's size. `camera` is created for the first image of a project
    /// and reused for the others.
    ///
    /// # Errors
    /// If the scene has an error or cannot be drawn.
    pub fn draw(
        &self,
        root: &Path,
        size: Option<PixelSize>,
        wishes: StudioOptions,
        camera: &mut Option<HeadlessCamera>,
    ) -> anyhow::Result<Picture> {
        let script: PathBuf = root.join(&self.scene);
        let options = SessionOptions {
            sound: SoundOutput::Silent,
            watch: false,
            quiet: true,
            wait: true,
        };
        let mut session = Session::open(Project::open(&script)?, options)?;
        session.diagnostics.silence();
        fail_on_errors(&session)?;
        if camera.is_none() {
            *camera = Some(HeadlessCamera::new(&mut session)?);
        }
        let camera = camera.as_mut().context("a camera was just made")?;
        camera.set_options(StudioOptions {
            transparent: self.checkered,
            ..wishes
        });
        let size = size.map_or_else(|| self.size(), Ok)?;
        let layout = self.layout()?;
        let mut sheet = ContactSheet::new(layout, size)?;
        for i in 0..layout.capacity() {
            let time = self.at + self.every * f64::from(i);
            advance_to(&mut session, time);
            sheet.add(&camera.picture(&mut session, time, (size.0, size.1))?);
            fail_on_errors(&session)?;
        }
        let mut picture = sheet.finish();
        if self.checkered {
            over_checkers(&mut picture);
        }
        Ok(picture)
    }
}

fn fail_on_errors(session: &Session) -> anyhow::Result<()> {
    match session.diagnostics.errors().next() {
        Some(error) => anyhow::bail!("{error}"),
        None => Ok(()),
    }
}

/// Side of a checkerboard square, pixels.
const CHECKER: u32 = 20;

/// Composites an image with premultiplied or straight alpha over a light checkerboard.
fn over_checkers(picture: &mut Picture) {
    let width = picture.width.max(1);
    for (i, texel) in picture.rgba.chunks_exact_mut(4).enumerate() {
        let (x, y) = (i as u32 % width, i as u32 / width);
        let ground = if (x / CHECKER + y / CHECKER).is_multiple_of(2) {
            238
        } else {
            214
        };
        let alpha = u32::from(texel[3]);
        for byte in &mut texel[..3] {
            *byte = ((u32::from(*byte) * alpha + ground * (255 - alpha) + 127) / 255) as u8;
        }
        texel[3] = 255;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> GalleryImage {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn errors_in_an_entry_are_reported() {
        let good = entry("name='a'\nscene='s.lua'\ncaption='A.'");
        assert!(good.check().is_ok());
        let wrong = [
            ("name='a/b'\nscene='s'\ncaption=''", "letters"),
            ("name='a'\nscene='s'\ncaption=''\nat=-1.0", "seconds"),
            (
                "name='a'\nscene='s'\ncaption=''\nsize='big'",
                "WIDTHxHEIGHT",
            ),
            (
                "name='a'\nscene='s'\ncaption=''\nsheet='0x1'",
                "COLUMNSxROWS",
            ),
        ];
        for (text, part) in wrong {
            let error = entry(text).check().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn images_are_chosen_by_name_and_similar_names_are_suggested() {
        let gallery = Gallery {
            picture: vec![entry("name='neon'\nscene='s.lua'\ncaption='N.'")],
        };
        let all = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|n| (*n).into()).collect();
            gallery.chosen(&names).map(|c| c.len())
        };
        assert_eq!(all(&[]).unwrap(), 1);
        assert_eq!(all(&["neon"]).unwrap(), 1);
        assert!(all(&["noen"]).unwrap_err().to_string().contains("neon"));
        assert!(gallery.page("../../").contains("[s.lua](../../s.lua)"));
    }

    #[test]
    fn the_checkerboard_shows_through_transparent_pixels() {
        let mut picture = Picture {
            width: 2,
            height: 1,
            rgba: vec![10, 20, 30, 255, 0, 0, 0, 0],
        };
        over_checkers(&mut picture);
        assert_eq!(picture.rgba, [10, 20, 30, 255, 238, 238, 238, 255]);
    }
}
