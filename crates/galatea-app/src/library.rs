//! Models and sounds of a project, loaded off the main thread and shared.

use std::collections::{HashMap, VecDeque};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::files::{FileCache, HAIR_EXTENSIONS, Saved};
use super::script_pictures::ScriptPictures;
use super::told;
use super::voices::{self, NotSpoken};
use galatea_asset::model::Image;
use galatea_asset::picture::Relief;
use galatea_asset::{
    ClipFile, Environment, ModelSource, Project, SOUND_EXTENSIONS, Viewed, clip_files, vfs,
};
use galatea_character::Definition;
use galatea_guard::contained;
use galatea_hair::Groom;
use galatea_math::names::nearest_hint;
use galatea_script::{ModelState, Services};
use galatea_speech::exchange::SpeechTimings;
use galatea_speech::plan::Recording;

/// Lines of voices that are kept.
const MOST_SPOKEN: usize = 256;
/// Bytes of the largest sound file that is read.
const LARGEST_SOUND: u64 = 512 << 20;

/// What is loaded and what is on its way.
pub struct Library {
    project: Project,
    /// Scripts wait for models instead of being told to come again.
    waits: bool,
    /// What scripts print goes to stderr: stdout holds a report.
    prints_aside: bool,
    pictures: ScriptPictures,
    state: Mutex<LibraryState>,
    environments: FileCache<Environment>,
    images: FileCache<Image>,
    reliefs: FileCache<Relief>,
    grooms: FileCache<Groom>,
    sender: Sender<Finished>,
}

#[derive(Default)]
struct LibraryState {
    /// By [`ModelSource::key`].
    models: HashMap<String, ModelEntry>,
    /// Decoded, or why not, until that was said.
    sounds: HashMap<String, Result<Arc<galatea_audio::Sound>, Option<String>>>,
    sound_files: Vec<(String, String)>,
    /// Sounds that voices of this machine spoke, the oldest first.
    spoken: VecDeque<String>,
    /// It was said that there are no voices.
    lacks_voices: bool,
}

struct ModelEntry {
    source: ModelSource,
    /// The last good version.
    definition: Option<Arc<Definition>>,
    error: Option<String>,
    /// Loads that were begun; what all but the last bring is out of date.
    n_begun: u64,
    loading: bool,
    sources: Vec<PathBuf>,
}

/// A model whose loading has ended.
pub struct Finished {
    /// What was asked for.
    pub source: ModelSource,
    number: u64,
    result: Result<Definition, String>,
    sources: Vec<PathBuf>,
}

/// What became of a model that was loaded in the background.
pub struct Arrived {
    /// Its key, see [`ModelSource::key`].
    pub key: String,
    /// The version before, when it is a new one.
    pub before: Option<Arc<Definition>>,
    /// The new version, or why there is none; `None` when a load that was begun later counts.
    pub now: Option<Result<Arc<Definition>, String>>,
}

impl Library {
    /// The library of a project. With `waits`, a script that asks for a model gets it at once,
    /// however long that takes; with
    /// `prints_aside` what scripts print goes to stderr.
    pub fn new(
        project: Project,
        waits: bool,
        prints_aside: bool,
    ) -> (Arc<Self>, Receiver<Finished>) {
        let (sender, receiver) = channel();
        let pictures = ScriptPictures::new(&project.home());
        let library = Self {
            project,
            waits,
            prints_aside,
            pictures,
            state: Mutex::default(),
            environments: FileCache::default(),
            images: FileCache::default(),
            reliefs: FileCache::default(),
            grooms: FileCache::default(),
            sender,
        };
        library.list_sounds();
        (Arc::new(library), receiver)
    }

    /// Stops scripts from writing files; names and pictures are still checked.
    pub fn write_nothing(&self) {
        self.pictures.write_nothing();
    }

    fn state(&self) -> MutexGuard<'_, LibraryState> {
        // A panic while the lock was held leaves maps that are still maps.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a model that has arrived.
    pub fn take_in(&self, finished: Finished) -> Arrived {
        let mut state = self.state();
        let key = finished.source.key();
        let entry = state
            .models
            .entry(key.clone())
            .or_insert_with(|| ModelEntry::new(finished.source));
        let before = entry.definition.clone();
        if finished.number != entry.n_begun {
            return Arrived {
                key,
                before,
                now: None,
            };
        }
        entry.loading = false;
        entry.sources = finished.sources;
        let now = match finished.result {
            Ok(definition) => {
                let definition = Arc::new(definition);
                entry.definition = Some(definition.clone());
                entry.error = None;
                Ok(definition)
            }
            Err(error) => {
                entry.error = Some(error.clone());
                Err(error)
            }
        };
        Arrived {
            key,
            before,
            now: Some(now),
        }
    }

    /// Loads again, in the background, every model that a changed file is part of.
    pub fn reload(&self, changed: &Path) -> bool {
        let affected: Vec<ModelSource> = {
            let state = self.state();
            let affected = state.models.values().filter(|entry| {
                entry
                    .sources
                    .iter()
                    .any(|source| same_file(source, changed))
            });
            affected.map(|entry| entry.source.clone()).collect()
        };
        for source in &affected {
            self.start(source);
        }
        !affected.is_empty()
    }

    /// Forgets a sound that a changed file holds, so that it is decoded anew, and lists the files
    /// again.
    pub fn reload_sound(&self, changed: &Path) -> bool {
        let extension = changed
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase());
        if !extension.is_some_and(|e| SOUND_EXTENSIONS.contains(&e.as_str())) {
            return false;
        }
        if let Some(stem) = changed.file_stem() {
            self.state().sounds.remove(stem.to_string_lossy().as_ref());
        }
        self.list_sounds();
        true
    }

    /// Loads again the light from all around that a changed file holds.
    pub fn reload_environment(&self, changed: &Path) -> Option<Saved<Environment>> {
        self.environments.reload(|file| same_file(file, changed))
    }

    /// Loads again the picture that a changed file holds.
    pub fn reload_image(&self, changed: &Path) -> Option<Saved<Image>> {
        self.images.reload(|file| same_file(file, changed))
    }

    /// Loads again the heights that a changed picture holds.
    pub fn reload_relief(&self, changed: &Path) -> Option<Saved<Relief>> {
        self.reliefs.reload(|file| same_file(file, changed))
    }

    /// Loads again the hair that a changed file holds.
    pub fn reload_groom(&self, changed: &Path) -> Option<Saved<Groom>> {
        self.grooms.reload(|file| same_file(file, changed))
    }

    fn list_sounds(&self) {
        let files = self.project.assets(&SOUND_EXTENSIONS);
        let named = files.into_iter().filter_map(|file| {
            let stem = Path::new(&file).file_stem()?.to_string_lossy().into_owned();
            Some((stem, file))
        });
        self.state().sound_files = named.collect();
    }

    /// A decoded sound.
    ///
    /// # Errors
    /// Why it cannot be heard, naming the file; said once, later calls give `None`.
    pub fn sound(&self, name: &str) -> Result<Option<Arc<galatea_audio::Sound>>, String> {
        self.decode(name);
        match self.state().sounds.get_mut(name) {
            Some(Ok(sound)) => Ok(Some(sound.clone())),
            Some(Err(why)) => why.take().map_or(Ok(None), Err),
            None => Ok(None),
        }
    }

    /// Decodes a sound that is not there yet.
    fn decode(&self, name: &str) {
        if self.state().sounds.contains_key(name) {
            return;
        }
        let file = {
            let state = self.state();
            let found = state.sound_files.iter().find(|(stem, _)| stem == name);
            found.map(|(_, file)| file.clone())
        };
        let result = match file {
            None => Err(format!("no sound {name:?} under assets/")),
            Some(file) => self
                .project
                .path(&file)
                .and_then(|full| {
                    let bytes = galatea_asset::read_at_most(&full, LARGEST_SOUND);
                    bytes.map_err(|error| format!("{file}: {error}"))
                })
                .and_then(|bytes| {
                    let decode = || galatea_audio::Sound::decode(&file, &bytes);
                    match contained(format!("decoding {file}"), decode) {
                        Ok(decoded) => decoded.map_err(|error| error.to_string()),
                        Err(caught) => Err(format!("{file}: {}", caught.notice)),
                    }
                }),
        };
        let sound = result.map(Arc::new).map_err(Some);
        self.state().sounds.insert(name.to_owned(), sound);
    }

    /// Models that are loading now.
    pub fn n_loading(&self) -> usize {
        self.state()
            .models
            .values()
            .filter(|entry| entry.loading)
            .count()
    }

    /// Notes that a model begins to load, and gives the number of the load.
    fn begin(&self, source: &ModelSource) -> u64 {
        let mut state = self.state();
        let entry = state
            .models
            .entry(source.key())
            .or_insert_with(|| ModelEntry::new(source.clone()));
        entry.loading = true;
        entry.n_begun += 1;
        entry.n_begun
    }

    fn start(&self, source: &ModelSource) {
        let number = self.begin(source);
        let (project, sender) = (self.project.clone(), self.sender.clone());
        let source = source.clone();
        rayon::spawn(move || {
            // The receiver is gone only when the session has ended.
            let _ = sender.send(load(&project, &source, number));
        });
    }

    /// What is known of a model: its last good version, or why there is none. `None` while it loads for
    /// the first time, and when nobody asked for it before.
    fn known(&self, source: &ModelSource) -> Option<ModelState> {
        let state = self.state();
        let entry = state.models.get(&source.key())?;
        if let Some(definition) = &entry.definition {
            return Some(ModelState::Ready(definition.clone()));
        }
        let error = entry.error.as_ref().filter(|_| !entry.loading)?;
        Some(ModelState::Failed(error.clone()))
    }

    fn is_loading(&self, source: &ModelSource) -> bool {
        let state = self.state();
        state.models.get(&source.key()).is_some_and(|e| e.loading)
    }
}

impl ModelEntry {
    fn new(source: ModelSource) -> Self {
        Self {
            source,
            definition: None,
            error: None,
            n_begun: 0,
            loading: false,
            sources: Vec::new(),
        }
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    // A file that is gone has no canonical path, but its folder does.
    let place = |path: &Path| {
        Some((
            path.parent()?.canonicalize().ok()?,
            path.file_name()?.to_owned(),
        ))
    };
    a == b || place(a).is_some_and(|at| place(b) == Some(at))
}

fn load(project: &Project, source: &ModelSource, number: u64) -> Finished {
    let mut sources = Vec::new();
    let result = contained(format!("loading {}", source.path), || {
        load_all(project, source, &mut sources)
    });
    let result = result.unwrap_or_else(|caught| Err(format!("{}: {}", source.path, caught.notice)));
    Finished {
        source: source.clone(),
        number,
        result,
        sources,
    }
}

/// A model with the clips of all its files. `sources` gets every file that was read or missed.
fn load_all(
    project: &Project,
    source: &ModelSource,
    sources: &mut Vec<PathBuf>,
) -> Result<Definition, String> {
    let full = existing(
        project,
        &source.path,
        &galatea_asset::MODEL_EXTENSIONS,
        sources,
    )?;
    let mut model = match galatea_asset::clips::load_model_facing(&full, source.facing) {
        Ok(model) => model,
        Err(error) => {
            sources.extend(error.sources.iter().cloned());
            return Err(error.to_string());
        }
    };
    sources.extend(model.sources.iter().cloned());
    model
        .set_skinning(&source.skinning)
        .map_err(|why| format!("{}: {why}", source.path))?;
    if model.parts.is_empty() && !model.clips.is_empty() {
        model.warnings.push(clip_files::how_to_use(&source.path));
    }
    let mut origins = vec![Arc::<str>::from(source.path.as_str()); model.clips.len()];
    // The first fault ends it, but all files are watched: any may be the one that mends it.
    let places: Vec<(&ClipFile, Result<PathBuf, String>)> = source
        .clips
        .iter()
        .map(|file| {
            let place = existing(
                project,
                &file.path,
                &galatea_asset::CLIP_EXTENSIONS,
                sources,
            );
            (file, place)
        })
        .collect();
    let mut joining = clip_files::Joining::new(&mut model, &source.path);
    for (file, place) in places {
        let clips = match clip_files::load(file, &place?) {
            Ok(clips) => clips,
            Err(error) => {
                sources.extend(error.sources.iter().cloned());
                return Err(error.to_string());
            }
        };
        sources.extend(clips.sources.iter().cloned());
        let n_clips = joining.join(file, &clips)?;
        origins.resize(n_clips, Arc::from(file.path.as_str()));
    }
    Ok(Definition::new(Arc::new(model)).with_origins(origins))
}

/// Full path of a file. Each path where it may be is added to `sources`, whether it exists or not.
fn existing(
    project: &Project,
    path: &str,
    extensions: &[&str],
    sources: &mut Vec<PathBuf>,
) -> Result<PathBuf, String> {
    let full = project.path(&project.located(path))?;
    sources.push(full.clone());
    if vfs::exists(&full) {
        return Ok(full);
    }
    let in_assets = project.path(&format!("{}/{path}", vfs::ASSETS))?;
    let mut hint = vfs::case_hint(&full);
    if hint.is_empty() {
        hint = vfs::case_hint(&in_assets);
    }
    sources.push(in_assets);
    if hint.is_empty() {
        let known = project.assets(extensions);
        hint = nearest_hint(path, known.iter().map(String::as_str));
    }
    Err(format!("{path}: there is no such file{hint}"))
}

impl Services for Library {
    fn located(&self, path: &str) -> String {
        self.project.located(path)
    }

    fn model(&self, source: &ModelSource) -> ModelState {
        if self.waits {
            return self.model_now(source);
        }
        if let Some(known) = self.known(source) {
            return known;
        }
        if !self.is_loading(source) {
            self.start(source);
        }
        ModelState::Pending
    }

    fn model_now(&self, source: &ModelSource) -> ModelState {
        if let Some(known) = self.known(source) {
            return known;
        }
        let number = self.begin(source);
        match self.take_in(load(&self.project, source, number)).now {
            Some(Ok(definition)) => ModelState::Ready(definition),
            Some(Err(error)) => ModelState::Failed(error),
            None => ModelState::Pending,
        }
    }

    fn picture_path(&self, name: &str) -> Result<String, String> {
        self.pictures.path(name)
    }

    fn keep_picture(&self, name: &str, picture: &Image) -> Result<String, String> {
        self.pictures.write(name, picture)
    }

    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        let extensions = &galatea_asset::ENVIRONMENT_EXTENSIONS;
        let file = existing(&self.project, path, extensions, &mut Vec::new());
        match file {
            Ok(file) => self.environments.get(&self.project.located(path), &file),
            Err(why) => Err(why),
        }
    }

    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        let extensions = &galatea_asset::PICTURE_EXTENSIONS;
        let file = existing(&self.project, path, extensions, &mut Vec::new())?;
        self.images.get(&self.project.located(path), &file)
    }

    fn relief(&self, path: &str) -> Result<Arc<Relief>, String> {
        let extensions = &galatea_asset::PICTURE_EXTENSIONS;
        let file = existing(&self.project, path, extensions, &mut Vec::new())?;
        self.reliefs.get(&self.project.located(path), &file)
    }

    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        let file = existing(&self.project, path, &HAIR_EXTENSIONS, &mut Vec::new())?;
        self.grooms.get(&self.project.located(path), &file)
    }

    fn sound_names(&self) -> Vec<String> {
        let state = self.state();
        state
            .sound_files
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn sound_seconds(&self, name: &str) -> Option<f64> {
        self.decode(name);
        let state = self.state();
        let sound = state.sounds.get(name)?.as_ref().ok()?;
        Some(sound.duration())
    }

    fn sound_samples(&self, name: &str) -> Option<Recording> {
        self.decode(name);
        let state = self.state();
        let sound = state.sounds.get(name)?.as_ref().ok()?;
        Some(Recording {
            samples: sound.shared_samples(),
            rate: sound.sample_rate(),
            channels: sound.channels(),
            told: None,
        })
    }

    fn spoken(&self, voice: Option<&str>, text: &str, rate: f32) -> Result<Option<String>, String> {
        let own = self.project.settings.sound.voice.as_deref();
        let Some(voice) = voice.or(own) else {
            return Ok(None);
        };
        // No file is called so.
        let name = format!("/{voice} {rate} {text}");
        if self.state().sounds.contains_key(&name) {
            return Ok(Some(name));
        }
        match voices::speak(voice, text, rate) {
            Ok(sound) => {
                let mut state = self.state();
                if state.spoken.len() >= MOST_SPOKEN
                    && let Some(oldest) = state.spoken.pop_front()
                {
                    state.sounds.remove(&oldest);
                }
                state.spoken.push_back(name.clone());
                state.sounds.insert(name.clone(), Ok(Arc::new(sound)));
                Ok(Some(name))
            }
            Err(NotSpoken::Wrong(why)) => Err(why),
            Err(NotSpoken::NotInstalled) => {
                if !std::mem::replace(&mut self.state().lacks_voices, true) {
                    self.print("espeak-ng is not installed: lines without a recording are seen and not heard");
                }
                Ok(None)
            }
        }
    }

    fn sound_told(&self, name: &str) -> Result<Option<SpeechTimings>, String> {
        let file = {
            let state = self.state();
            let found = state.sound_files.iter().find(|(stem, _)| stem == name);
            found.map(|(_, file)| file.clone())
        };
        let Some(file) = file else { return Ok(None) };
        let full = self.project.path(&file)?;
        Ok(told::beside(&full)?.map(|(_, told)| told))
    }

    fn script(&self, path: &str) -> Result<String, String> {
        if let Some(Viewed { script: text, .. }) = &self.project.viewed
            && path == self.project.settings.script.main
        {
            return Ok(text.clone());
        }
        let full = self.project.path(path)?;
        let bytes = galatea_asset::read_at_most(&full, vfs::LARGEST_TEXT).map_err(|error| {
            match error.kind() {
                std::io::ErrorKind::NotFound if vfs::other_case(&full).is_none() => {
                    galatea_script::NO_FILE.to_owned()
                }
                _ => error.to_string(),
            }
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            format!("not a text in UTF-8 (line {})", line + 1)
        })?;
        if galatea_script::is_compiled(&text) && !vfs::is_shipped(&full) {
            return Err("it is compiled: only an executable holds such scripts".into());
        }
        Ok(text
            .strip_prefix('\u{feff}')
            .map_or_else(|| text.clone(), str::to_owned))
    }

    fn print(&self, line: &str) {
        // A closed pipe is no fault of the script.
        let _ = if self.prints_aside {
            writeln!(std::io::stderr().lock(), "{line}")
        } else {
            writeln!(std::io::stdout().lock(), "{line}")
        };
    }
}
