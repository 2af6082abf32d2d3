use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::time::{Duration, Instant};

use egui::{FontFamily, FontId, RawInput};

use super::super::system_fonts::SystemFonts;
use super::small_font::small_font;
use super::*;

/// A source with a font for some characters, which counts its searches.
struct CountingSource {
    chars: &'static str,
    n_searches: AtomicUsize,
}

impl CountingSource {
    fn new(chars: &'static str) -> Arc<Self> {
        let n_searches = AtomicUsize::new(0);
        Arc::new(Self { chars, n_searches })
    }

    fn count(&self) -> usize {
        self.n_searches.load(Ordering::Relaxed)
    }
}

impl FontSource for CountingSource {
    fn find(&self, c: char) -> Option<FoundFont> {
        self.n_searches.fetch_add(1, Ordering::Relaxed);
        self.chars.contains(c).then(|| FoundFont {
            name: "small".into(),
            data: FontData::from_owned(small_font("Small", self.chars)),
        })
    }
}

/// Lays out a text like a caption and reports for each character if it has a glyph.
fn glyphs(context: &egui::Context, text: &str) -> Vec<bool> {
    let mut found = Vec::new();
    let mut output = context.run_pass(RawInput::default(), |context| {
        let font = FontId::new(20.0, FontFamily::Proportional);
        context.fonts_mut(|fonts| {
            fonts.layout_no_wrap(text.into(), font.clone(), egui::Color32::WHITE);
            found = text.chars().map(|c| fonts.has_glyph(&font, c)).collect();
        });
    });
    output.textures_delta.clear();
    found
}

fn context_with(source: Arc<dyn FontSource>) -> (egui::Context, FallbackFonts) {
    let context = egui::Context::default();
    let fonts = FallbackFonts::new(source);
    context.add_font_provider(Arc::new(fonts.clone()));
    (context, fonts)
}

#[test]
fn texts_covered_by_the_programs_fonts_start_no_search() {
    let source = CountingSource::new("");
    let (context, fonts) = context_with(source.clone());
    let text = "Ich weiß: Ünïcode, Ελληνικά, Кириллица – “fine” …\n\tyes";
    assert!(
        glyphs(&context, text).iter().filter(|has| !**has).count() <= 1,
        "but the line break"
    );
    // Emoji and signs of the program's other fonts, a joiner, a variation selector.
    assert_eq!(glyphs(&context, "😀👍✔→"), [true; 4]);
    glyphs(&context, "a\u{200d}b\u{fe0f}\u{ad}\u{e0061}");
    assert_eq!(source.count(), 0);
    assert!(fonts.take_missing().is_empty());
}

#[test]
fn characters_without_a_glyph_are_drawn_in_the_font_that_was_found() {
    let source = CountingSource::new("한국어");
    let (context, fonts) = context_with(source.clone());
    assert_eq!(glyphs(&context, "한a국"), [true; 3]);
    assert_eq!(source.count(), 1, "the other is in the same font");
    assert_eq!(glyphs(&context, "ab"), [true; 2]);
    assert!(fonts.take_missing().is_empty());
    // Two scripts in one text: only one has a font.
    assert_eq!(glyphs(&context, "한ก"), [true, false]);
    assert_eq!(fonts.take_missing(), ['ก']);
}

#[test]
fn a_character_in_no_font_is_searched_once_and_reported_once() {
    let source = CountingSource::new("");
    let (context, fonts) = context_with(source.clone());
    for _ in 0..5 {
        assert_eq!(glyphs(&context, "한국"), [false; 2]);
    }
    assert_eq!(source.count(), 2);
    assert_eq!(fonts.take_missing().len(), 2);
    assert!(fonts.take_missing().is_empty());
    // Private-use characters mean something else in each font.
    assert_eq!(glyphs(&context, "\u{e123}"), [false]);
    assert_eq!(source.count(), 2);
    assert_eq!(fonts.take_missing(), ['\u{e123}']);
}

#[test]
fn a_background_search_shows_its_font_in_a_later_frame() {
    let source = CountingSource::new("한국어");
    let (context, fonts) = context_with(source.clone());
    fonts.search_in_background();
    glyphs(&context, "한국");
    let begun = Instant::now();
    while !fonts.take_answers() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1));
    }
    context.set_font_providers(vec![Arc::new(fonts.clone())]);
    assert_eq!(glyphs(&context, "한국"), [true; 2]);
    assert!(!fonts.take_answers() && fonts.take_missing().is_empty());
    // A character that no font has changes nothing.
    glyphs(&context, "ก");
    while fonts.take_missing().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!fonts.take_answers());
}

#[test]
fn one_warning_names_the_scripts_and_a_font_that_has_them() {
    let mut warnings = FontWarnings::default();
    let about = |found: Vec<String>| found.join("\n");
    let korean = about(warnings.of(&['한', '국', '어']));
    assert!(
        korean.contains("no installed font supports Hangul (Korean), so"),
        "{korean}"
    );
    assert!(korean.contains("Noto Sans CJK"), "{korean}");
    assert_eq!(warnings.of(&['안', '녕']), Vec::<String>::new());
    // One font supports all of Japanese; its marks are not listed separately.
    let japanese = warnings.of(&['。', 'ー', '日', 'か', 'カ']);
    assert_eq!(japanese.len(), 1);
    let names = "Hiragana (Japanese), Katakana (Japanese), Han (Chinese, Japanese), so";
    assert!(japanese[0].contains(names), "{japanese:?}");
    let others = warnings.of(&['ก', 'ע', '\u{1fae8}', '\u{e123}']);
    assert_eq!(others.len(), 4);
    let others = about(others);
    for part in [
        "Thai",
        "Noto Sans Hebrew",
        "single-color emoji, such as",
        "(U+1FAE8)",
        "U+E123",
    ] {
        assert!(others.contains(part), "{part}: {others}");
    }
}

#[test]
fn marks_alone_are_counted_as_their_script() {
    let mut warnings = FontWarnings::default();
    let found = warnings.of(&['。']);
    assert!(found[0].contains("Han (Chinese, Japanese)"), "{found:?}");
}

/// A temporary folder, removed after the test.
struct FontFolder(PathBuf);

impl FontFolder {
    fn new(fonts: &[(&str, &str)]) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let n = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("galatea-fonts-{}-{n}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for (family, chars) in fonts {
            let file = folder.join(format!("{family}.ttf"));
            std::fs::write(file, small_font(family, chars)).unwrap();
        }
        std::fs::write(folder.join("broken.ttf"), b"no font").unwrap();
        Self(folder)
    }

    fn fonts(&self) -> SystemFonts {
        let folder = self.0.clone();
        SystemFonts::listed_by(move || {
            let mut list = fontdb::Database::new();
            list.load_fonts_dir(&folder);
            list
        })
    }
}

impl Drop for FontFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn installed_fonts_are_chosen_by_script_then_by_suitability_for_text() {
    let folder = FontFolder::new(&[
        ("A Serif", "한ก"),
        ("Malgun Gothic", "한"),
        ("Noto Sans Thai", "ก"),
        ("Zebra Sans", "ก☃"),
    ]);
    let fonts = folder.fonts();
    let name = |c| fonts.find(c).map(|font| font.name);
    let is = |c, family: &str| {
        let name = name(c).unwrap();
        assert!(name.contains(family), "{c}: {name}");
    };
    is('한', "Malgun Gothic");
    is('ก', "Noto Sans Thai");
    is('☃', "Zebra Sans");
    assert_eq!(name('日'), None);
    assert_eq!(name('𐎠'), None);
}

#[test]
fn a_font_whose_file_was_deleted_is_skipped() {
    let folder = FontFolder::new(&[("Malgun Gothic", "한"), ("Zebra Sans", "한")]);
    let fonts = folder.fonts();
    assert!(fonts.find('국').is_none(), "lists the fonts");
    std::fs::remove_file(folder.0.join("Malgun Gothic.ttf")).unwrap();
    let found = fonts.find('한').unwrap();
    assert!(found.name.contains("Zebra Sans"), "{}", found.name);
}

#[test]
fn fonts_are_listed_when_the_first_is_needed() {
    let lists = Arc::new(AtomicUsize::new(0));
    let counted = lists.clone();
    let fonts = Arc::new(SystemFonts::listed_by(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        fontdb::Database::new()
    }));
    let (context, _) = context_with(fonts);
    glyphs(&context, "Latin, Ελληνικά, Кириллица 😀");
    assert_eq!(lists.load(Ordering::Relaxed), 0);
    glyphs(&context, "ไทย 한국");
    assert_eq!(lists.load(Ordering::Relaxed), 1);
}
