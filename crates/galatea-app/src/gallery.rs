//! Pictures of scenes, told by a table: which script, when, how large, what it shows.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;

use super::headless::{HeadlessCamera, advance_to};
use super::sheet::{ContactSheet, Layout, PixelSize};
use super::{Session, SessionOptions, SoundOutput};
use crate::studio::StudioOptions;
use galatea_asset::Project;
use galatea_math::names::nearest_hint;
use galatea_render::Picture;

/// Where a project tells its pictures.
pub const TABLE: &str = "scripts/gallery/pictures.toml";

/// The pictures of a project, in the order of its page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gallery {
    /// One entry for each.
    pub picture: Vec<GalleryImage>,
}

/// A picture of the gallery.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GalleryImage {
    /// Stem of the picture's file.
    pub name: String,
    /// The script that plays, from the project's folder.
    pub scene: String,
    /// What is to be seen, one line.
    pub shows: String,
    /// Seconds after the start.
    #[serde(default = "one_second")]
    pub at: f64,
    /// Pixels, `WIDTHxHEIGHT`; of each picture on a sheet.
    #[serde(default = "wide")]
    pub size: String,
    /// Several moments on one sheet, `COLUMNSxROWS`.
    pub sheet: Option<String>,
    /// Seconds from one picture of a sheet to the next.
    #[serde(default)]
    pub every: f64,
    /// Only the models are drawn, over a checkered ground.
    #[serde(default)]
    pub checkered: bool,
}

fn one_second() -> f64 {
    1.0
}

fn wide() -> String {
    "960x540".into()
}

/// Most seconds of a scene that are played for a picture.
const LONGEST: f64 = 600.0;

/// Reads the table of a project.
///
/// # Errors
/// When it is missing or faulty, with its file and line.
pub fn read(root: &Path) -> anyhow::Result<Gallery> {
    let file = root.join(TABLE);
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let gallery: Gallery =
        toml::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?;
    for (i, entry) in gallery.picture.iter().enumerate() {
        let what = format!("{}: {}", file.display(), entry.name);
        entry.check().with_context(|| what.clone())?;
        let twice = gallery.picture[..i].iter().any(|e| e.name == entry.name);
        anyhow::ensure!(!twice, "{what}: there are two of this name");
    }
    Ok(gallery)
}

impl Gallery {
    /// The entries of these names, or all where none is given.
    ///
    /// # Errors
    /// When there is none of a name.
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

    /// The page that shows all pictures, Markdown; `to_root` leads from its folder to the project's.
    pub fn page(&self, to_root: &str) -> String {
        let mut page = String::from(
            "# Gallery\n\nDrawn by `galatea gallery` from the scenes in `scripts/gallery`; everything in them is made by \
             `galatea forge`.\nCopy a scene and change it: `galatea play scripts/gallery/portrait.lua`.\n",
        );
        for entry in &self.picture {
            page.push_str(&format!(
                "\n## {}\n\n![{shows}]({}.png)\n\n{shows} [{scene}]({to_root}{scene})\n",
                title(&entry.name),
                entry.name,
                shows = entry.shows,
                scene = entry.scene,
            ));
        }
        page
    }
}

/// A name as a headline.
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
            "a name has letters, digits, _ and - only"
        );
        anyhow::ensure!(
            (0.0..=LONGEST).contains(&self.at) && (0.0..=LONGEST).contains(&self.every),
            "times are 0 to {LONGEST} seconds"
        );
        self.size().map(drop)?;
        self.layout().map(drop)
    }

    /// Pixels of the picture, or of each on its sheet.
    ///
    /// # Errors
    /// When the text is no size.
    pub fn size(&self) -> anyhow::Result<PixelSize> {
        self.size.parse().map_err(anyhow::Error::msg)
    }

    fn layout(&self) -> anyhow::Result<Layout> {
        let text = self.sheet.as_deref().unwrap_or("1x1");
        text.parse().map_err(anyhow::Error::msg)
    }

    /// Plays the scene and draws it; `size` in place of the entry's own. `camera` is made for the first
    /// picture of a project and draws the others too.
    ///
    /// # Errors
    /// When the scene has a fault or cannot be drawn.
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
        camera.wish(StudioOptions {
            transparent: self.checkered,
            ..wishes
        });
        let size = size.map_or_else(|| self.size(), Ok)?;
        let layout = self.layout()?;
        let mut sheet = ContactSheet::new(layout, size)?;
        for i in 0..layout.places() {
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

/// Pixels of a checker's side.
const CHECKER: u32 = 20;

/// Lays a picture, whose colours are multiplied by their alpha or not, over light checkers.
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
    fn what_is_wrong_with_an_entry_is_told() {
        let good = entry("name='a'\nscene='s.lua'\nshows='A.'");
        assert!(good.check().is_ok());
        let wrong = [
            ("name='a/b'\nscene='s'\nshows=''", "letters"),
            ("name='a'\nscene='s'\nshows=''\nat=-1.0", "seconds"),
            ("name='a'\nscene='s'\nshows=''\nsize='big'", "WIDTHxHEIGHT"),
            ("name='a'\nscene='s'\nshows=''\nsheet='0x1'", "COLUMNSxROWS"),
        ];
        for (text, part) in wrong {
            let error = entry(text).check().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn pictures_are_chosen_by_name_and_near_names_are_told() {
        let gallery = Gallery {
            picture: vec![entry("name='neon'\nscene='s.lua'\nshows='N.'")],
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
    fn checkers_show_where_a_picture_is_clear() {
        let mut picture = Picture {
            width: 2,
            height: 1,
            rgba: vec![10, 20, 30, 255, 0, 0, 0, 0],
        };
        over_checkers(&mut picture);
        assert_eq!(picture.rgba, [10, 20, 30, 255, 238, 238, 238, 255]);
    }
}
