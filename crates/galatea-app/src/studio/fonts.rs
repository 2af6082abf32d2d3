//! Fallback fonts for characters that egui's default fonts lack: the program's monochrome emoji and symbol fonts, then
//! installed fonts. egui requests them when a text first needs such a character, so other texts cost nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::{FallbackRequest, FontData, FontInsert, FontProvider, FontTweak};
use galatea_speech::text::scripts::{scripts_of, titled};
use skrifa::MetadataProvider as _;

/// Source of fonts for characters that the program's own fonts lack.
pub trait FontSource: Send + Sync {
    /// Returns the best font with a glyph for a character. The first search lists all fonts, which may take a while.
    fn find(&self, c: char) -> Option<FoundFont>;
}

/// A font that was found.
#[derive(Clone)]
pub struct FoundFont {
    /// Unique name of the font, so that none is loaded twice.
    pub name: String,
    /// Contents of the file.
    pub data: FontData,
}

/// The fallback fonts of one overlay.
#[derive(Clone)]
pub struct FallbackFonts(Arc<FontSearch>);

struct FontSearch {
    source: Arc<dyn FontSource>,
    in_background: AtomicBool,
    state: Mutex<FontSearchState>,
}

#[derive(Default)]
struct FontSearchState {
    /// Results so far, by character.
    known: BTreeMap<char, Option<FoundFont>>,
    /// Characters queued for the background thread.
    queued: Vec<char>,
    thread_runs: bool,
    /// The background thread found fonts after egui had requested them.
    has_answers: bool,
    /// Characters that no font has, until they are taken.
    missing: Vec<char>,
}

impl FallbackFonts {
    /// Uses the program's fonts, then those of `source`. Each search is waited for, so that an image never depends on
    /// timing.
    pub fn new(source: Arc<dyn FontSource>) -> Self {
        Self(Arc::new(FontSearch {
            source,
            in_background: AtomicBool::new(false),
            state: Mutex::default(),
        }))
    }

    /// Searches on a thread from now on. Until it has finished, boxes are drawn.
    pub fn search_in_background(&self) {
        self.0.in_background.store(true, Ordering::Relaxed);
    }

    /// Returns true once after the thread has found fonts and its queue is empty: egui must then request them again.
    pub fn take_answers(&self) -> bool {
        let mut state = self.0.state();
        !state.thread_runs && std::mem::take(&mut state.has_answers)
    }

    /// Returns the characters since the last call that no font has.
    pub fn take_missing(&self) -> Vec<char> {
        std::mem::take(&mut self.0.state().missing)
    }
}

impl FontSearch {
    /// Locks the state. It is valid after each step, so a panic elsewhere does not corrupt it.
    fn state(&self) -> MutexGuard<'_, FontSearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search(&self, c: char) -> Option<FoundFont> {
        let found = own_font(c).or_else(|| match is_private(c) {
            true => None,
            false => self.source.find(c),
        });
        let mut state = self.state();
        if found.is_none() && !state.known.contains_key(&c) {
            state.missing.push(c);
        }
        state.known.insert(c, found.clone());
        found
    }

    /// Searches all queued characters.
    fn work(&self) {
        loop {
            let mut state = self.state();
            let Some(c) = state.queued.pop() else {
                state.thread_runs = false;
                return;
            };
            drop(state);
            if self.search(c).is_some() {
                self.state().has_answers = true;
            }
        }
    }

    /// Queues a character for the thread, and starts the thread if needed.
    fn queue(self: &Arc<Self>, c: char) {
        let mut state = self.state();
        if !state.queued.contains(&c) {
            state.queued.push(c);
        }
        if state.thread_runs {
            return;
        }
        state.thread_runs = true;
        drop(state);
        let search = self.clone();
        let thread = std::thread::Builder::new().name("fonts".into());
        if thread.spawn(move || search.work()).is_err() {
            self.work();
        }
    }
}

impl FontProvider for FallbackFonts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let c = request.cluster.chars().next()?;
        if is_ignorable(c) {
            return None;
        }
        let known = self.0.state().known.get(&c).cloned();
        let found = match known {
            Some(found) => found,
            None if self.0.in_background.load(Ordering::Relaxed) => {
                self.0.queue(c);
                None
            }
            None => self.0.search(c),
        }?;
        Some(FontInsert::new(&found.name, found.data, Vec::new()))
    }
}

/// Font of the program that has a character: letters and signs of the console, or emoji.
fn own_font(c: char) -> Option<FoundFont> {
    let has = |data: &[u8]| {
        let font = skrifa::FontRef::new(data).ok();
        font.is_some_and(|font| font.charmap().map(c).is_some())
    };
    let hack = epaint_default_fonts::HACK_REGULAR;
    if has(hack) {
        let data = FontData::from_static(hack);
        let name = "Hack".into();
        return Some(FoundFont { name, data });
    }
    let emoji = epaint_default_fonts::NOTO_EMOJI_REGULAR;
    has(emoji).then(|| FoundFont {
        name: "Noto Emoji".into(),
        // The scale of emoji next to letters, as in egui.
        data: FontData::from_static(emoji).tweak(FontTweak {
            scale: 0.81,
            ..FontTweak::default()
        }),
    })
}

/// Characters that are invisible if a font lacks them (Unicode's property Default_Ignorable_Code_Point).
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Private-use characters. Fonts may have any glyph for them.
fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Kind of a character without a glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MissingKind {
    Script(&'static str),
    Emoji,
    Symbol,
}

impl MissingKind {
    /// Returns `None` for a mark whose script was reported already.
    fn of(c: char, reported: &BTreeSet<Self>) -> Option<Self> {
        let mut scripts = scripts_of(c).peekable();
        if scripts.peek().is_none() {
            return Some(match c {
                '\u{1f000}'..='\u{1fbff}' => Self::Emoji,
                _ => Self::Symbol,
            });
        }
        let scripts: Vec<Self> = scripts.map(Self::Script).collect();
        match scripts.iter().any(|script| reported.contains(script)) {
            true => None,
            // Marks shared by China, Japan and Korea are counted as Han.
            false => scripts
                .iter()
                .find(|script| **script == Self::Script("Han"))
                .or(scripts.first())
                .copied(),
        }
    }

    /// Name of a free font that supports it.
    fn font(self) -> String {
        match self {
            Self::Script("Bopomofo" | "Han" | "Hangul" | "Hiragana" | "Katakana") => {
                "Noto Sans CJK".into()
            }
            Self::Script(script) => format!("Noto Sans {}", script.replace('_', " ")),
            Self::Emoji => "Noto Emoji".into(),
            Self::Symbol => "Noto Sans Symbols 2".into(),
        }
    }
}

/// Scripts that were reported to have no font.
#[derive(Default)]
pub struct FontWarnings {
    reported: BTreeSet<MissingKind>,
}

impl FontWarnings {
    /// One warning for each font that would support some of these characters. Scripts that were reported before are left
    /// out.
    pub fn of(&mut self, missing: &[char]) -> Vec<String> {
        // Letters come first, because marks belong to a letter's script.
        let mut chars = missing.to_vec();
        chars.sort_by_key(|c| (scripts_of(*c).count() != 1, *c));
        let mut by_font: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for c in chars {
            let Some(kind) = MissingKind::of(c, &self.reported) else {
                continue;
            };
            if !self.reported.insert(kind) {
                continue;
            }
            let code = u32::from(c);
            let name = match kind {
                MissingKind::Script(script) => titled(script),
                MissingKind::Emoji => format!("single-color emoji, such as {c} (U+{code:04X})"),
                MissingKind::Symbol => format!("symbols such as {c:?} (U+{code:04X})"),
            };
            by_font.entry(kind.font()).or_default().push(name);
        }
        let warning = |(font, names): (String, Vec<String>)| {
            format!(
                "no installed font supports {}, so boxes are drawn instead; install a font such as {font}",
                names.join(", ")
            )
        };
        by_font.into_iter().map(warning).collect()
    }
}

#[cfg(test)]
mod small_font;
#[cfg(test)]
mod tests;
