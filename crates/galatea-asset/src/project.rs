//! A project: a folder with a script, assets, perhaps shaders and settings.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::clip_files;
use super::import::{CLIP_EXTENSIONS, FORMATS, MODEL_EXTENSIONS};
use super::model::Image;
use super::picture;
use super::picture_budget::DEFAULT_PICTURE_MB;
use super::vfs::{self, LARGEST_TEXT};
use galatea_math::names::nearest;

/// An opened project folder.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder.
    pub root: PathBuf,
    /// Settings of `galatea.toml`, or the defaults.
    pub settings: Settings,
    /// A model that is looked at by itself.
    pub viewed: Option<Viewed>,
}

/// A model, or motion, that is looked at by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewed {
    /// The main script's text, which is no file.
    pub script: String,
    /// The model.
    pub file: PathBuf,
    /// Files whose clips it plays besides its own.
    pub takes: Vec<PathBuf>,
}

/// Settings of a project, `galatea.toml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Name in the window's title.
    pub name: Option<String>,
    /// Scripts.
    pub script: ScriptSettings,
    /// The window.
    pub window: WindowSettings,
    /// Sound.
    pub sound: SoundSettings,
    /// The executable that it ships as.
    pub bundle: BundleSettings,
    /// Where its assets lie.
    pub assets: AssetSettings,
}

/// Section `[assets]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssetSettings {
    /// Folders, relative to the project, whose files stand beside those in `assets/`: what several projects share.
    pub also: Vec<String>,
    /// Megabytes that the decoded pictures of one model, or one environment, may take in addition to 20 times the size of
    /// its files; see [`super::PictureBudget`].
    pub picture_mb: u64,
}

impl Default for AssetSettings {
    fn default() -> Self {
        Self {
            also: Vec::new(),
            picture_mb: DEFAULT_PICTURE_MB,
        }
    }
}

/// Section `[bundle]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BundleSettings {
    /// Files and folders of the project that do not go into it, relative to the project.
    pub exclude: Vec<String>,
    /// Whether the English pronunciation dictionary goes into it; left out: if a script calls `say`, `conversation` or
    /// `pronounce`.
    pub dictionary: Option<bool>,
    /// What macOS knows it by, as `com.example.walk`; made of its name where it is left out.
    pub identifier: Option<String>,
    /// Its version, as macOS shows it.
    pub version: String,
}

impl Default for BundleSettings {
    fn default() -> Self {
        Self {
            exclude: Vec::new(),
            dictionary: None,
            identifier: None,
            version: "1.0".into(),
        }
    }
}

/// Section `[sound]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoundSettings {
    /// Seconds by which what is heard is later than the program knows, as with headphones without a cable: mouths wait for it.
    pub delay: f32,
    /// The voice of lines without a recording, of a synthesiser that is installed; silent without one.
    pub voice: Option<String>,
}

/// Section `[script]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptSettings {
    /// The main script, relative to the folder.
    pub main: String,
    /// Steps of one update, listener or condition.
    pub budget: u64,
    /// Megabytes that all scripts together may hold.
    pub memory_mb: usize,
}

impl Default for ScriptSettings {
    fn default() -> Self {
        Self {
            main: "scripts/main.lua".into(),
            budget: 5_000_000,
            memory_mb: 256,
        }
    }
}

/// Section `[window]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowSettings {
    /// Points.
    pub width: u32,
    /// Points.
    pub height: u32,
    /// Fills the screen from the start.
    pub full_screen: bool,
    /// A square picture (PNG, JPEG or WebP), relative to the project: of the window, and of executables for Windows.
    pub icon: Option<String>,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            full_screen: false,
            icon: None,
        }
    }
}

/// Why a folder is not a project.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// There is no such folder.
    #[error("{0}: there is no such folder; `galatea new {0}` makes a project")]
    NoFolder(String),
    /// It is a file of another format.
    #[error("{file}: .{extension} is not supported; formats: {FORMATS}")]
    Unsupported {
        /// The file.
        file: String,
        /// The extension of its name.
        extension: String,
    },
    /// It has no script.
    #[error(
        "{folder}: no {script} in it{hint}; `galatea new {folder}/demo` makes a project that runs"
    )]
    NoScript {
        /// The folder.
        folder: String,
        /// The script it should have.
        script: String,
        /// The file that differs from it only in upper and lower case, see [`vfs::case_hint`].
        hint: String,
    },
    /// `galatea.toml` is faulty.
    #[error("{file}: {text}")]
    Settings {
        /// The file.
        file: String,
        /// What is wrong and where.
        text: String,
    },
}

/// Extensions of files that hold light from all around.
pub const ENVIRONMENT_EXTENSIONS: [&str; 5] = ["hdr", "ktx2", "png", "jpg", "jpeg"];
/// Extensions of files that hold pictures to be shown as they are.
pub const PICTURE_EXTENSIONS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
/// Extensions of scripts.
pub const SCRIPT_EXTENSIONS: [&str; 2] = ["lua", "luau"];
/// Extensions of files that hold sounds.
pub const SOUND_EXTENSIONS: [&str; 4] = ["wav", "ogg", "mp3", "flac"];

/// Name of the script that shows one model by itself. It is part of the program, so that messages do not name it.
pub const VIEWER: &str = "(viewer)";

/// Says that a file to show is not there, with the nearest name among its neighbours.
fn missing_file(path: &Path) -> String {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let names = entries.into_iter().flatten().flatten();
    let names: Vec<String> = names
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let nearest = nearest(&name, names.iter().map(String::as_str));
    let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
    format!("{}: there is no such file{hint}", path.display())
}

impl Project {
    /// Opens a folder; or one script of a project, in place of its main script. The project of a script
    /// is the nearest folder above it with settings or assets.
    ///
    /// # Errors
    /// When there is no such folder, it has no main script, or its settings are faulty.
    pub fn open(root: &Path) -> Result<Self, ProjectError> {
        let shipped = vfs::shipped().filter(|_| root == Path::new("."));
        let root = shipped.as_deref().unwrap_or(root);
        if vfs::is_file(root) && root.extension().is_some_and(|e| e == "lua" || e == "luau") {
            return Self::open_script(root);
        }
        let folder = root.display().to_string();
        if let Some(extension) = root.extension().filter(|_| vfs::is_file(root)) {
            return Err(ProjectError::Unsupported {
                file: folder,
                extension: extension.to_string_lossy().into_owned(),
            });
        }
        if !vfs::is_folder(root) {
            return Err(ProjectError::NoFolder(folder));
        }
        let settings = read_settings(root)?;
        share_assets(root, &settings);
        let main = root.join(&settings.script.main);
        if !vfs::is_file(&main) {
            return Err(ProjectError::NoScript {
                folder,
                script: settings.script.main,
                hint: vfs::case_hint(&main),
            });
        }
        Ok(Self {
            root: root.to_owned(),
            settings,
            viewed: None,
        })
    }

    fn open_script(script: &Path) -> Result<Self, ProjectError> {
        let is_project = |folder: &&Path| {
            vfs::is_file(&folder.join("galatea.toml")) || vfs::is_folder(&folder.join("assets"))
        };
        let all = script.ancestors().skip(1);
        let above = all.map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        let own = above.clone().next().unwrap_or(Path::new("."));
        let root = above.clone().find(is_project).unwrap_or(own);
        let mut settings = read_settings(root)?;
        share_assets(root, &settings);
        let main = script.strip_prefix(root).unwrap_or(script);
        settings.script.main = main.to_string_lossy().replace('\\', "/");
        Ok(Self {
            root: root.to_owned(),
            settings,
            viewed: None,
        })
    }

    /// What a path shows: a project, one of its scripts, or a model or motion by itself, playing `clip` or going through
    /// all of them.
    ///
    /// # Errors
    /// As [`Project::open`] and [`Project::viewer`]; when `clip` is told for a project.
    pub fn show(path: &Path, clip: Option<&str>) -> Result<Self, String> {
        let extension = path.extension().unwrap_or_default();
        let is = |known: &&str| extension.eq_ignore_ascii_case(known);
        let is_shown = MODEL_EXTENSIONS.iter().chain(&CLIP_EXTENSIONS).any(is);
        if is_shown && !path.is_dir() {
            if !vfs::exists(path) {
                return Err(missing_file(path));
            }
            return Self::viewer(path, clip, &[]);
        }
        if clip.is_some() {
            return Err("--clip goes with a model file, not with a project".into());
        }
        Self::open(path).map_err(|error| error.to_string())
    }

    /// A project that shows one model file by itself, playing `clip` or going through all of them, those of `takes` too.
    ///
    /// # Errors
    /// When `clip` or a path cannot be written in a script.
    pub fn viewer(file: &Path, clip: Option<&str>, takes: &[PathBuf]) -> Result<Self, String> {
        let folder_of = |file: &Path| match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let root = folder_of(file);
        let name_of = |file: &Path| {
            let name = file.file_name();
            name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let quoted = |text: &str| {
            let plain = !text.contains(['"', '\\', '\n', '\r']);
            plain
                .then(|| format!("\"{text}\""))
                .ok_or_else(|| format!("{text:?}: not a name that a script can hold"))
        };
        let clip = clip.map_or_else(|| Ok("nil".to_owned()), quoted)?;
        let mut lent = String::new();
        for (i, take) in takes.iter().enumerate() {
            // They may lie anywhere, and are read as if they lay in a folder beside the model.
            let beside = format!("take_{}", i + 1);
            vfs::share(&root.join(&beside), vec![folder_of(take)]);
            let path = quoted(&format!("{beside}/{}", name_of(take)))?;
            let prefix = take.file_stem().unwrap_or_default().to_string_lossy();
            let prefix = quoted(&format!("{prefix}: "))?;
            lent.push_str(&format!("{{ {path}, prefix = {prefix} }}, "));
        }
        let script = format!(
            "local FILE, CLIP, TAKES, BARE = {}, {clip}, {{ {lent}}}, {}; {}",
            quoted(&name_of(file))?,
            clip_files::is_take(file),
            include_str!("viewer.lua")
        );
        Ok(Self {
            root,
            settings: Settings {
                name: Some(name_of(file)),
                script: ScriptSettings {
                    main: VIEWER.into(),
                    ..ScriptSettings::default()
                },
                ..Settings::default()
            },
            viewed: Some(Viewed {
                script,
                file: file.to_owned(),
                takes: takes.to_vec(),
            }),
        })
    }

    /// The folder in which can be written what a player keeps, and what scripts write: the project's own, or one of the
    /// user's where the project is packed.
    pub fn home(&self) -> PathBuf {
        vfs::home(&self.root)
    }

    /// The name to show: from the settings, else the folder's.
    pub fn name(&self) -> String {
        if let Some(name) = &self.settings.name {
            return name.clone();
        }
        let root = self
            .root
            .canonicalize()
            .unwrap_or_else(|_| self.root.clone());
        root.file_name().map_or_else(
            || "Galatea".into(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// Its icon.
    ///
    /// # Errors
    /// When it cannot be read, or is no square of 16 to 2048 pixels.
    pub fn icon(&self) -> Result<Option<Image>, String> {
        let Some(name) = &self.settings.window.icon else {
            return Ok(None);
        };
        let wrong = |why: String| format!("galatea.toml: [window] icon: {name} {why}");
        let file = self.path(&self.located(name)).map_err(wrong)?;
        let shown = picture::load(&file).map_err(wrong)?;
        if shown.width != shown.height || shown.width < 16 {
            let (width, height) = (shown.width, shown.height);
            return Err(wrong(format!(
                "is {width} × {height} pixels; an icon is a square of 16 at least"
            )));
        }
        Ok(Some(shown))
    }

    /// The name, relative to the project, of the file that a script or a setting means: `assets/` may be left out. A file
    /// of the project's folder goes before one of `assets/`. A name that fits no file stays as it is.
    pub fn located(&self, name: &str) -> String {
        let is_file = |full: &Path| vfs::is_file(full);
        let in_assets = format!("{}/{name}", vfs::ASSETS);
        let is_missing = self.path(name).is_ok_and(|full| !is_file(&full));
        if is_missing && self.path(&in_assets).is_ok_and(|full| is_file(&full)) {
            return in_assets;
        }
        name.to_owned()
    }

    /// Full path of a file of the project, named relative to it: neither the name nor a link leads out.
    ///
    /// # Errors
    /// When the name leads out of the project.
    pub fn path(&self, name: &str) -> Result<PathBuf, String> {
        let relative = Path::new(name);
        let out = || format!("{name}: leads out of the project");
        if relative.is_absolute() || relative.has_root() {
            return Err(out());
        }
        let mut depth = 0;
        for component in relative.components() {
            match component {
                Component::ParentDir => depth -= 1,
                Component::Normal(_) => depth += 1,
                _ => {}
            }
            if depth < 0 {
                return Err(out());
            }
        }
        let full = self.root.join(relative);
        match (full.canonicalize(), self.root.canonicalize()) {
            (Ok(real), Ok(root)) if !real.starts_with(&root) => Err(out()),
            _ => Ok(full),
        }
    }

    /// All files under `assets/` with one of these extensions, relative to the project, sorted.
    pub fn assets(&self, extensions: &[&str]) -> Vec<String> {
        self.files(vfs::ASSETS, extensions)
    }

    /// All scripts under `scripts/` and `tests/`, relative to the project, sorted.
    pub fn scripts(&self) -> Vec<String> {
        let mut scripts = self.files("scripts", &SCRIPT_EXTENSIONS);
        scripts.extend(self.files("tests", &SCRIPT_EXTENSIONS));
        scripts
    }

    fn files(&self, folder: &str, extensions: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.join(folder)];
        let mut n_seen = 0;
        while let Some(next) = folders.pop() {
            let Ok(entries) = vfs::list(&next) else {
                continue;
            };
            for (path, is_folder) in entries {
                n_seen += 1;
                if n_seen > 100_000 {
                    tracing::warn!(
                        "{folder}/ holds more than 100 000 files; the rest is not looked at"
                    );
                    break;
                }
                if is_folder {
                    folders.push(path);
                    continue;
                }
                let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
                if extension.is_some_and(|e| extensions.contains(&e.as_str()))
                    && let Ok(relative) = path.strip_prefix(&self.root)
                {
                    found.push(relative.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        found.sort();
        found
    }

    /// Shaders of the project that replace built-in ones: name within `shaders/` and text.
    pub fn shaders(&self) -> Vec<(String, String)> {
        let base = self.root.join("shaders");
        let mut found = Vec::new();
        for folder in [base.clone(), base.join("inc")] {
            let Ok(entries) = vfs::list(&folder) else {
                continue;
            };
            for (path, _) in entries {
                if path.extension().is_some_and(|e| e == "wgsl")
                    && let Ok(name) = path.strip_prefix(&base)
                    && let Ok(text) = vfs::read_text(&path, LARGEST_TEXT)
                {
                    found.push((name.to_string_lossy().replace('\\', "/"), text));
                }
            }
        }
        found.sort();
        found
    }
}

/// Has the files of other folders be found among a project's assets. One that is packed has them already.
fn share_assets(root: &Path, settings: &Settings) {
    if vfs::is_packed(root) {
        return;
    }
    let mut folders = Vec::new();
    for folder in &settings.assets.also {
        match root.join(folder).canonicalize() {
            Ok(folder) if folder.is_dir() => folders.push(folder),
            _ => tracing::warn!(
                "{}: [assets] also: there is no folder {folder}",
                root.join("galatea.toml").display()
            ),
        }
    }
    vfs::share(&root.join(vfs::ASSETS), folders);
}

fn read_settings(root: &Path) -> Result<Settings, ProjectError> {
    let path = root.join("galatea.toml");
    let wrong = |text: String| ProjectError::Settings {
        file: path.display().to_string(),
        text,
    };
    let text = match vfs::read_text(&path, LARGEST_TEXT) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Settings::default());
        }
        Err(error) => return Err(wrong(error.to_string())),
    };
    let settings: Settings =
        toml::from_str(&text).map_err(|error| wrong(error.to_string().trim().to_owned()))?;
    let (script, window) = (&settings.script, &settings.window);
    let ranges = [
        ("script.budget", script.budget, 1000..=1_000_000_000),
        ("script.memory_mb", script.memory_mb as u64, 8..=65_536),
        ("assets.picture_mb", settings.assets.picture_mb, 1..=65_536),
        ("window.width", window.width.into(), 16..=16_384),
        ("window.height", window.height.into(), 16..=16_384),
    ];
    for (name, value, range) in ranges {
        if !range.contains(&value) {
            let (low, high) = (range.start(), range.end());
            return Err(wrong(format!(
                "{name} must be {low} to {high}, not {value}"
            )));
        }
    }
    Ok(settings)
}
