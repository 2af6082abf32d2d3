//! Models, sounds and other files of a project, loaded off the main thread and shared.

mod drafts;
mod outputs;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::files::{FileCache, HAIR_EXTENSIONS, Saved, check_clip_files};
use super::saves::SaveStore;
use super::script_output::ScriptOutput;
use super::script_pictures::ScriptPictures;
use super::timing_file;
use super::voices::{self, NotSpoken};
use drafts::ScriptDrafts;
use galatea_asset::model::Image;
use galatea_asset::picture::Relief;
use galatea_asset::{
    ClipFile, Environment, ModelSource, Project, SOUND_EXTENSIONS, clip_files, vfs,
};
use galatea_character::{Definition, DefinitionSource};
use galatea_guard::contained;
use galatea_hair::Groom;
use galatea_math::phases::PHASE;
use galatea_script::{GameStore, ModelState, Services};
use galatea_speech::exchange::SpeechTimings;
use galatea_speech::plan::Recording;

/// Maximum number of cached lines of speech synthesis.
const MAX_SPOKEN: usize = 256;
/// Maximum size of a sound file, bytes.
const MAX_SOUND_BYTES: u64 = 512 << 20;

/// Loaded and loading files of a project.
pub struct Library {
    project: Project,
    /// Scripts wait for models, instead of asking again later.
    waits: bool,
    output: ScriptOutput,
    pictures: ScriptPictures,
    state: Mutex<LibraryState>,
    environments: FileCache<Environment>,
    images: FileCache<Image>,
    reliefs: FileCache<Relief>,
    grooms: FileCache<Groom>,
    pub(super) saves: SaveStore,
    drafts: ScriptDrafts,
    sender: Sender<Finished>,
}

#[derive(Default)]
struct LibraryState {
    /// Models, by [`ModelSource::key`].
    models: HashMap<String, ModelEntry>,
    /// Decoded sounds, or an error that has not been reported yet.
    sounds: HashMap<String, Result<Arc<galatea_audio::Sound>, Option<String>>>,
    sound_files: Vec<(String, String)>,
    /// Lines spoken by the system's speech synthesis, oldest first.
    spoken: VecDeque<String>,
    /// The missing speech synthesis was reported.
    lacks_voices: bool,
}

struct ModelEntry {
    source: ModelSource,
    /// The last valid version.
    definition: Option<Arc<Definition>>,
    error: Option<String>,
    /// Number of loads started; only the result of the last one is used.
    n_begun: u64,
    loading: bool,
    sources: Vec<PathBuf>,
}

/// A finished load of a model.
pub struct Finished {
    /// Requested model.
    pub source: ModelSource,
    number: u64,
    result: Result<Definition, String>,
    sources: Vec<PathBuf>,
}

/// Result of a model that was loaded in the background.
pub struct Arrived {
    /// Key of the model, see [`ModelSource::key`].
    pub key: String,
    /// The old version, if the model was replaced.
    pub before: Option<Arc<Definition>>,
    /// The new version, or the error; `None` if a later load replaces this one.
    pub now: Option<Result<Arc<Definition>, String>>,
}

impl Library {
    /// Creates the library of a project. With `waits`, a script that requests a model waits until it is loaded. With
    /// `prints_aside`, script output goes to stderr.
    pub fn new(
        project: Project,
        waits: bool,
        prints_aside: bool,
    ) -> (Arc<Self>, Receiver<Finished>) {
        let (sender, receiver) = channel();
        let pictures = ScriptPictures::new(&project.home());
        let name = project.name();
        let library = Self {
            project,
            waits,
            output: ScriptOutput::new(prints_aside),
            pictures,
            state: Mutex::default(),
            environments: FileCache::default(),
            images: FileCache::default(),
            reliefs: FileCache::default(),
            grooms: FileCache::default(),
            saves: SaveStore::in_memory(&name),
            drafts: ScriptDrafts::default(),
            sender,
        };
        library.list_sounds();
        (Arc::new(library), receiver)
    }

    /// The loaded version of a model, by its key.
    pub fn definition(&self, key: &str) -> Option<Arc<Definition>> {
        self.state().models.get(key)?.definition.clone()
    }

    fn state(&self) -> MutexGuard<'_, LibraryState> {
        // A panic while the lock was held leaves valid maps.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the loaded models, by name.
    pub fn models(&self) -> Vec<Arc<Definition>> {
        let state = self.state();
        let loaded = state
            .models
            .values()
            .filter_map(|entry| entry.definition.clone());
        let mut loaded: Vec<_> = loaded.collect();
        loaded.sort_by(|a, b| a.model.name.cmp(&b.model.name));
        loaded
    }

    /// Stores a finished model.
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

    /// Reloads, in the background, all models that depend on a changed file.
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

    /// Drops the sound of a changed file, so that it is decoded again, and lists the sound files again.
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

    /// Reloads the environment map of a changed file.
    pub fn reload_environment(&self, changed: &Path) -> Option<Saved<Environment>> {
        self.environments.reload(|file| same_file(file, changed))
    }

    /// Reloads the image of a changed file.
    pub fn reload_image(&self, changed: &Path) -> Option<Saved<Image>> {
        self.images.reload(|file| same_file(file, changed))
    }

    /// Reloads the height map of a changed image.
    pub fn reload_height_map(&self, changed: &Path) -> Option<Saved<Relief>> {
        self.reliefs.reload(|file| same_file(file, changed))
    }

    /// Reloads the hair of a changed file.
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

    /// Returns a decoded sound.
    ///
    /// # Errors
    /// The reason why it cannot be decoded, with the file name. The error is returned once; later calls return `None`.
    pub fn sound(&self, name: &str) -> Result<Option<Arc<galatea_audio::Sound>>, String> {
        self.decode(name);
        match self.state().sounds.get_mut(name) {
            Some(Ok(sound)) => Ok(Some(sound.clone())),
            Some(Err(why)) => why.take().map_or(Ok(None), Err),
            None => Ok(None),
        }
    }

    /// Decodes a sound, unless it is cached.
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
            None => Err(format!("no sound file {name:?} in assets/")),
            Some(file) => self
                .project
                .path(&file)
                .and_then(|full| {
                    let bytes = galatea_asset::read_at_most(&full, MAX_SOUND_BYTES);
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

    /// Number of models that are loading.
    pub fn n_loading(&self) -> usize {
        self.state()
            .models
            .values()
            .filter(|entry| entry.loading)
            .count()
    }

    /// Records that a model starts to load, and returns the number of the load.
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
            // Sending fails only if the session has ended.
            let _ = sender.send(load(&project, &source, number));
        });
    }

    /// Returns the last valid version of a model, or its error. Returns `None` while it loads for the first time, or if it
    /// was never requested.
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
    // A deleted file has no canonical path, but its folder does.
    let canonical = |path: &Path| {
        Some((
            path.parent()?.canonicalize().ok()?,
            path.file_name()?.to_owned(),
        ))
    };
    a == b || canonical(a).is_some_and(|at| canonical(b) == Some(at))
}

fn load(project: &Project, source: &ModelSource, number: u64) -> Finished {
    let mut sources = Vec::new();
    let _phase = tracing::info_span!(target: PHASE, "load", file = %source.path).entered();
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

/// Loads a model with the clips of all its files. Adds every file that was read or is missing to `sources`.
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
    // Loading stops at the first error, but all files are watched, since a change in any of them may fix it.
    let clip_paths: Vec<(&ClipFile, Result<PathBuf, String>)> = source
        .clips
        .iter()
        .map(|file| {
            let clip_path = existing(
                project,
                &file.path,
                &galatea_asset::CLIP_EXTENSIONS,
                sources,
            );
            (file, clip_path)
        })
        .collect();
    let mut joining = clip_files::Joining::new(&mut model, &source.path);
    for (file, clip_path) in clip_paths {
        let clips = match clip_files::load(file, &clip_path?) {
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
    let _phase = tracing::info_span!(target: PHASE, "compress its clips").entered();
    let key = DefinitionSource::File(source.to_json());
    Ok(Definition::new(Arc::new(model))
        .with_origins(origins)
        .with_source(key))
}

/// Full path of a file. All candidate paths are added to `sources`, whether they exist or not.
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
        let known = known.iter().map(String::as_str);
        hint = galatea_asset::nearest_file(path, known);
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
        if let Err(why) = check_clip_files(source) {
            return ModelState::Failed(why);
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

    fn save_image(&self, name: &str, picture: &Image) -> Result<String, String> {
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

    fn height_map(&self, path: &str) -> Result<Arc<Relief>, String> {
        let extensions = &galatea_asset::PICTURE_EXTENSIONS;
        let file = existing(&self.project, path, extensions, &mut Vec::new())?;
        self.reliefs.get(&self.project.located(path), &file)
    }

    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        let file = existing(&self.project, path, &HAIR_EXTENSIONS, &mut Vec::new())?;
        self.grooms.get(&self.project.located(path), &file)
    }

    fn saves(&self) -> Option<&dyn GameStore> {
        Some(&self.saves)
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
            timings: None,
        })
    }

    fn spoken(&self, voice: Option<&str>, text: &str, rate: f32) -> Result<Option<String>, String> {
        let own = self.project.settings.sound.voice.as_deref();
        let Some(voice) = voice.or(own) else {
            return Ok(None);
        };
        // No file can have this name.
        let name = format!("/{voice} {rate} {text}");
        if self.state().sounds.contains_key(&name) {
            return Ok(Some(name));
        }
        match voices::speak(voice, text, rate) {
            Ok(sound) => {
                let mut state = self.state();
                if state.spoken.len() >= MAX_SPOKEN
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
                    self.print("espeak-ng is not installed; lines without a recording are silent, but the mouth moves");
                }
                Ok(None)
            }
        }
    }

    fn sound_timings(&self, name: &str) -> Result<Option<SpeechTimings>, String> {
        let file = {
            let state = self.state();
            let found = state.sound_files.iter().find(|(stem, _)| stem == name);
            found.map(|(_, file)| file.clone())
        };
        let Some(file) = file else { return Ok(None) };
        let full = self.project.path(&file)?;
        Ok(timing_file::timings_of_sound(&full)?.map(|(_, told)| told))
    }

    fn script(&self, path: &str) -> Result<String, String> {
        self.drafts
            .get(path)
            .map_or_else(|| self.saved_script(path), Ok)
    }

    fn print(&self, line: &str) {
        self.output.print(line);
    }
}
