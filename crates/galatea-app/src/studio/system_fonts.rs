//! Fonts that are installed on the system, listed on first use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use egui::{FontData, FontTweak};
use fontdb::{Database, FaceInfo, Source, Stretch, Style, Weight};
use galatea_math::clamp::ClampTo as _;
use galatea_speech::text::scripts::scripts_of;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider as _};

use super::fonts::{FontSource, FoundFont};

/// Families designed for text on screens, best first. Japanese comes before Chinese and Korean, because their fonts share
/// many characters that look different.
const FAMILIES: [&str; 34] = [
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "Source Han Sans",
    "Hiragino Sans",
    "Hiragino Kaku Gothic ProN",
    "Yu Gothic UI",
    "Yu Gothic",
    "Meiryo",
    "IPAexGothic",
    "Noto Sans CJK KR",
    "Noto Sans KR",
    "Apple SD Gothic Neo",
    "Malgun Gothic",
    "NanumGothic",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans CJK TC",
    "PingFang TC",
    "Microsoft JhengHei",
    "Geeza Pro",
    "Arial Hebrew",
    "Thonburi",
    "Kohinoor Devanagari",
    "Segoe UI",
    "Leelawadee UI",
    "Nirmala UI",
    "Ebrima",
    "Noto Emoji",
    "Segoe UI Symbol",
    "Segoe UI Emoji",
    "DejaVu Sans",
];
/// Parts of the names of families with serifs.
const SERIF: [&str; 8] = [
    "serif", "mincho", "ming", "song", "batang", "myungjo", "times", "roman",
];

/// Installed fonts.
pub struct SystemFonts {
    load: Box<dyn Fn() -> Database + Send + Sync>,
    list: OnceLock<FontList>,
    /// Contents of the files in use: a collection has several fonts.
    files: Mutex<BTreeMap<PathBuf, Arc<Vec<u8>>>>,
}

struct FontList {
    database: Database,
    /// Best first, independent of the script.
    faces: Vec<InstalledFace>,
}

struct InstalledFace {
    id: fontdb::ID,
    path: PathBuf,
    index: u32,
    family: String,
    penalty: FacePenalty,
    /// Blocks of 256 characters for which it has glyphs, read on first use.
    blocks: OnceLock<BTreeSet<u32>>,
}

/// Unsuitability of a face for running text; the first field that differs decides.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FacePenalty {
    is_slanted: bool,
    is_narrow_or_wide: bool,
    is_monospaced: bool,
    has_serifs: bool,
    off_regular: u16,
}

impl FacePenalty {
    fn of(face: &FaceInfo, family: &str) -> Self {
        let family = family.to_lowercase();
        let has_serifs = SERIF.iter().any(|part| family.contains(part));
        Self {
            is_slanted: face.style != Style::Normal,
            is_narrow_or_wide: face.stretch != Stretch::Normal,
            is_monospaced: face.monospaced,
            has_serifs: has_serifs && !family.contains("sans"),
            off_regular: face.weight.0.abs_diff(Weight::NORMAL.0),
        }
    }
}

impl SystemFonts {
    /// The fonts of this machine, shared by all overlays.
    pub fn shared() -> Arc<Self> {
        static SHARED: LazyLock<Arc<SystemFonts>> = LazyLock::new(|| {
            Arc::new(SystemFonts::listed_by(|| {
                let mut fonts = Database::new();
                fonts.load_system_fonts();
                fonts
            }))
        });
        SHARED.clone()
    }

    /// Fonts of a list that `load` creates on first use.
    pub fn listed_by(load: impl Fn() -> Database + Send + Sync + 'static) -> Self {
        Self {
            load: Box::new(load),
            list: OnceLock::new(),
            files: Mutex::default(),
        }
    }

    fn contents(&self, path: &Path) -> std::io::Result<Arc<Vec<u8>>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(contents) = files.get(path) {
            return Ok(contents.clone());
        }
        let contents = Arc::new(std::fs::read(path)?);
        files.insert(path.to_owned(), contents.clone());
        Ok(contents)
    }
}

impl FontSource for SystemFonts {
    fn find(&self, c: char) -> Option<FoundFont> {
        let list = self.list.get_or_init(|| FontList::of((self.load)()));
        list.by_rank(c).into_iter().find_map(|face| {
            if !list.draws(face, c) {
                return None;
            }
            let contents = self.contents(&face.path).ok()?;
            let data = FontData::from_blob(contents, face.index);
            Some(FoundFont {
                name: format!("{} {}", face.path.display(), face.index),
                data: at_regular_weight(data),
            })
        })
    }
}

impl FontList {
    fn of(database: Database) -> Self {
        let mut faces: Vec<InstalledFace> =
            database.faces().filter_map(InstalledFace::of).collect();
        let identity = |face: &InstalledFace| (face.family.clone(), face.path.clone(), face.index);
        faces.sort_by(|a, b| {
            let by_suit = a.penalty.cmp(&b.penalty);
            by_suit.then_with(|| identity(a).cmp(&identity(b)))
        });
        Self { database, faces }
    }

    /// Faces that may have a character, best first for its script.
    fn by_rank(&self, c: char) -> Vec<&InstalledFace> {
        let scripts = scripts_of(c).map(|script| script.replace('_', " "));
        let own: Vec<String> = scripts
            .map(|script| format!("Noto Sans {script}"))
            .collect();
        let rank = |face: &&InstalledFace| {
            let known = FAMILIES.iter().position(|family| *family == face.family);
            match own.contains(&face.family) {
                true => 0,
                false => known.unwrap_or(FAMILIES.len()) + 1,
            }
        };
        let mut faces: Vec<&InstalledFace> = self.faces.iter().collect();
        faces.sort_by_key(rank);
        faces
    }

    /// Returns true if the face has a glyph with an outline. Colour emoji bitmaps cannot be drawn.
    fn draws(&self, face: &InstalledFace, c: char) -> bool {
        let with_font = |f: &dyn Fn(FontRef<'_>) -> bool| {
            let found = self.database.with_face_data(face.id, |data, index| {
                FontRef::from_index(data, index).is_ok_and(f)
            });
            found.unwrap_or(false)
        };
        let blocks = face.blocks.get_or_init(|| {
            let blocks = self.database.with_face_data(face.id, blocks_of);
            blocks.unwrap_or_default()
        });
        blocks.contains(&block_of(u32::from(c))) && with_font(&|font| has_outline(&font, c))
    }
}

impl InstalledFace {
    /// Returns `None` for a face without a file.
    fn of(face: &FaceInfo) -> Option<Self> {
        let (Source::File(path) | Source::SharedFile(path, _)) = &face.source else {
            return None;
        };
        let family = face.families.first().map_or("", |(family, _)| family);
        Some(Self {
            id: face.id,
            path: path.clone(),
            index: face.index,
            family: family.to_owned(),
            penalty: FacePenalty::of(face, family),
            blocks: OnceLock::new(),
        })
    }
}

fn block_of(code: u32) -> u32 {
    code >> 8
}

fn blocks_of(data: &[u8], index: u32) -> BTreeSet<u32> {
    let Ok(font) = FontRef::from_index(data, index) else {
        return BTreeSet::new();
    };
    let codes = font.charmap().mappings().map(|(code, _)| code);
    codes.map(block_of).collect()
}

fn has_outline(font: &FontRef<'_>, c: char) -> bool {
    #[derive(Default)]
    struct StrokeCount(usize);
    impl OutlinePen for StrokeCount {
        fn move_to(&mut self, _: f32, _: f32) {}
        fn line_to(&mut self, _: f32, _: f32) {
            self.0 += 1;
        }
        fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {
            self.0 += 1;
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
            self.0 += 1;
        }
        fn close(&mut self) {}
    }
    let glyph = font.charmap().map(c);
    let Some(outline) = glyph.and_then(|glyph| font.outline_glyphs().get(glyph)) else {
        return false;
    };
    let mut strokes = StrokeCount::default();
    let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
    let is_drawn = outline.draw(settings, &mut strokes).is_ok();
    is_drawn && (strokes.0 > 0 || c.is_whitespace())
}

/// Selects the regular weight: a variable font may be thin by default.
fn at_regular_weight(data: FontData) -> FontData {
    let axes = data.variation_axes();
    let Some(weight) = axes.iter().find(|axis| axis.tag.to_be_bytes() == *b"wght") else {
        return data;
    };
    let regular = f32::from(Weight::NORMAL.0).clamp_to(weight.range.min, weight.range.max);
    let coords = egui::epaint::text::VariationCoords::new([(b"wght", regular)]);
    data.tweak(FontTweak {
        coords,
        ..FontTweak::default()
    })
}
