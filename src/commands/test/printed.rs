//! Library of a test file that captures printed lines: files run in parallel, and output must be assigned to its test.

use std::sync::{Arc, Mutex, PoisonError};

use galatea_app::{Library, SaveStore};
use galatea_asset::model::Image;
use galatea_asset::picture::Relief;
use galatea_asset::{Environment, ModelSource};
use galatea_hair::Groom;
use galatea_script::{GameStore, ModelState, Services};
use galatea_speech::exchange::SpeechTimings;
use galatea_speech::plan::Recording;

/// Maximum output of a test, bytes; the rest is dropped.
const MAX_PRINTED: usize = 1 << 20;

pub struct Printed {
    library: Arc<Library>,
    /// Saved games, in memory.
    saves: SaveStore,
    lines: Mutex<PrintedLines>,
}

#[derive(Default)]
struct PrintedLines {
    lines: Vec<String>,
    n_bytes: usize,
}

impl Printed {
    pub fn new(library: Arc<Library>) -> Self {
        Self {
            library,
            saves: SaveStore::in_memory("test"),
            lines: Mutex::default(),
        }
    }

    /// Forgets the games that a test saved.
    pub fn delete_saves(&self) {
        self.saves.use_memory();
    }

    /// Lines printed since the last call.
    pub fn take(&self) -> Vec<String> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *lines).lines
    }

    /// Replaces the lines since the last [`Printed::take`], for example by those that it returned.
    pub fn put_back(&self, lines: Vec<String>) {
        let n_bytes = lines.iter().map(String::len).sum();
        let mut own = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        *own = PrintedLines { lines, n_bytes };
    }
}

impl Services for Printed {
    fn model(&self, source: &ModelSource) -> ModelState {
        self.library.model(source)
    }

    fn model_now(&self, source: &ModelSource) -> ModelState {
        self.library.model_now(source)
    }

    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        self.library.environment(path)
    }

    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        self.library.image(path)
    }

    fn height_map(&self, path: &str) -> Result<Arc<Relief>, String> {
        self.library.height_map(path)
    }

    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        self.library.groom(path)
    }

    fn saves(&self) -> Option<&dyn GameStore> {
        Some(&self.saves)
    }

    fn picture_path(&self, name: &str) -> Result<String, String> {
        self.library.picture_path(name)
    }

    fn save_image(&self, name: &str, picture: &Image) -> Result<String, String> {
        self.library.save_image(name, picture)
    }

    fn sound_names(&self) -> Vec<String> {
        self.library.sound_names()
    }

    fn sound_samples(&self, name: &str) -> Option<Recording> {
        self.library.sound_samples(name)
    }

    fn spoken(&self, voice: Option<&str>, text: &str, rate: f32) -> Result<Option<String>, String> {
        self.library.spoken(voice, text, rate)
    }

    fn sound_timings(&self, name: &str) -> Result<Option<SpeechTimings>, String> {
        self.library.sound_timings(name)
    }

    fn sound_seconds(&self, name: &str) -> Option<f64> {
        self.library.sound_seconds(name)
    }

    fn script(&self, path: &str) -> Result<String, String> {
        self.library.script(path)
    }

    fn print(&self, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let room = lines.n_bytes <= MAX_PRINTED;
        lines.n_bytes += line.len() + 1;
        if lines.n_bytes <= MAX_PRINTED {
            lines.lines.push(line.to_owned());
        } else if room {
            lines.lines.push("… (further output omitted)".to_owned());
        }
    }
}
