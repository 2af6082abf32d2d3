//! Project: a folder with a script, assets, and optional shaders and settings.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::clip_files;
use super::import::{CLIP_EXTENSIONS, FORMATS, MODEL_EXTENSIONS};
use super::missing::{file_hint, folder_hint, missing_file, missing_script};
use super::model::Image;
use super::picture;
use super::picture_budget::DEFAULT_IMAGE_MEMORY_MB;
use super::toml_fault::{key_position, toml_fault};
use super::vfs::{self, MAX_TEXT};
use galatea_math::data_fault::DataFault;

/// An opened project folder.
#[derive(Clone, Debug)]
pub struct Project {
    /// Root folder.
    pub root: PathBuf,
    /// Settings from `galatea.toml`, or defaults.
    pub settings: Settings,
    /// Model that is viewed without a project.
    pub viewed: Option<Viewed>,
}

/// A model, or motion, that is viewed without a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewed {
    /// Text of the built-in main script, which is not a file.
    pub script: String,
    /// Model file.
    pub file: PathBuf,
    /// Files with additional clips to play.
    pub takes: Vec<PathBuf>,
}

/// Settings of a project, `galatea.toml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Name in the window title.
    pub name: Option<String>,
    /// Script settings.
    pub script: ScriptSettings,
    /// Window settings.
    pub window: WindowSettings,
    /// Sound settings.
    pub sound: SoundSettings,
    /// Settings for the shipped executable.
    pub bundle: BundleSettings,
    /// Locations of assets.
    pub assets: AssetSettings,
}

/// Section `[assets]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssetSettings {
    /// Additional asset folders, relative to the project, searched after `assets/`; for assets shared by several projects.
    #[serde(alias = "also")]
    pub extra_folders: Vec<String>,
    /// Budget for the decoded images of one model or one environment, megabytes, in addition to 20 times the size of the
    /// files; see [`super::PictureBudget`].
    #[serde(alias = "picture_mb")]
    pub image_memory_mb: u64,
}

impl Default for AssetSettings {
    fn default() -> Self {
        Self {
            extra_folders: Vec::new(),
            image_memory_mb: DEFAULT_IMAGE_MEMORY_MB,
        }
    }
}

/// Section `[bundle]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BundleSettings {
    /// Files and folders that are not packed, relative to the project.
    pub exclude: Vec<String>,
    /// The English pronunciation dictionary is included; by default if a script calls `say`, `conversation` or `pronounce`.
    pub dictionary: Option<bool>,
    /// Bundle identifier on macOS, such as `com.example.walk`; by default derived from the name.
    pub identifier: Option<String>,
    /// Version shown by macOS.
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
    /// Latency of the sound output in seconds, for example of wireless headphones; lip sync is delayed by it.
    #[serde(alias = "delay")]
    pub output_latency: f32,
    /// Name of an installed text-to-speech voice for lines without a recording; without it they are silent.
    pub voice: Option<String>,
}

/// Section `[script]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptSettings {
    /// Main script, relative to the project.
    pub main: String,
    /// Limit of steps of one update, listener or condition.
    pub budget: u64,
    /// Memory limit of all scripts together, megabytes.
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
    /// Width in points.
    pub width: u32,
    /// Height in points.
    pub height: u32,
    /// Starts in full screen.
    #[serde(alias = "full_screen")]
    pub fullscreen: bool,
    /// Square image (PNG, JPEG or WebP), relative to the project: icon of the window, and of executables for Windows.
    pub icon: Option<String>,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            fullscreen: false,
            icon: None,
        }
    }
}

/// Error: a folder is not a project.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The folder does not exist.
    #[error("{folder}: there is no such folder{hint}")]
    NoFolder {
        /// Path of the folder.
        folder: String,
        /// Hint at a similar name, or at the command that creates a project.
        hint: String,
    },
    /// The script does not exist; the message has its path and a similar name.
    #[error("{0}")]
    NoFile(String),
    /// The path is a file of another format.
    #[error("{file}: .{extension} is not supported; formats: {FORMATS}")]
    Unsupported {
        /// Path of the file.
        file: String,
        /// Extension of the name.
        extension: String,
    },
    /// The folder has no main script.
    #[error(
        "{folder}: the folder has no {script}{hint}; create a project with `galatea new {folder}/demo`"
    )]
    NoScript {
        /// Path of the folder.
        folder: String,
        /// Expected script.
        script: String,
        /// Hint at a file whose name differs only in letter case, see [`vfs::case_hint`].
        hint: String,
    },
    /// `galatea.toml` is invalid; the message has its path and the position of the error.
    #[error("{0}")]
    Settings(String),
}

/// Extensions of environment map files.
pub const ENVIRONMENT_EXTENSIONS: [&str; 5] = ["hdr", "ktx2", "png", "jpg", "jpeg"];
/// Extensions of image files for display.
pub const PICTURE_EXTENSIONS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
/// Extensions of scripts.
pub const SCRIPT_EXTENSIONS: [&str; 2] = ["lua", "luau"];
/// Extensions of sound files.
pub const SOUND_EXTENSIONS: [&str; 4] = ["wav", "ogg", "mp3", "flac"];

/// Name of the script that shows a single model. It is part of the program, so messages do not name it.
pub const VIEWER: &str = "(viewer)";

impl Project {
    /// Opens a folder, or one script of a project as its main script. The project of a script is the nearest folder above it
    /// with settings or assets.
    ///
    /// # Errors
    /// If the folder does not exist, has no main script, or its settings are invalid.
    pub fn open(root: &Path) -> Result<Self, ProjectError> {
        let shipped = vfs::shipped().filter(|_| root == Path::new("."));
        let root = shipped.as_deref().unwrap_or(root);
        let extension = root.extension().unwrap_or_default();
        if SCRIPT_EXTENSIONS.iter().any(|known| extension == *known) {
            if vfs::is_file(root) {
                return Self::open_script(root);
            }
            if !vfs::exists(root) {
                return Err(ProjectError::NoFile(missing_script(root)));
            }
        }
        let folder = root.display().to_string();
        if let Some(extension) = root.extension().filter(|_| vfs::is_file(root)) {
            return Err(ProjectError::Unsupported {
                file: folder,
                extension: extension.to_string_lossy().into_owned(),
            });
        }
        if !vfs::is_folder(root) {
            let hint = folder_hint(root);
            return Err(ProjectError::NoFolder { folder, hint });
        }
        let settings = read_settings(root)?;
        add_shared_assets(root, &settings);
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
        add_shared_assets(root, &settings);
        let main = script.strip_prefix(root).unwrap_or(script);
        settings.script.main = main.to_string_lossy().replace('\\', "/");
        Ok(Self {
            root: root.to_owned(),
            settings,
            viewed: None,
        })
    }

    /// Opens the content of a path: a project, one of the scripts, or a model or motion alone, playing `clip` or all clips
    /// in turn.
    ///
    /// # Errors
    /// As [`Project::open`] and [`Project::viewer`]; and if `clip` is given for a project.
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
            return Err("--clip works only with a model file, not with a project".into());
        }
        Self::open(path).map_err(|error| error.to_string())
    }

    /// A project that shows one model file, playing `clip` or all clips in turn, including those of `takes`.
    ///
    /// # Errors
    /// If `clip` or a path cannot be written in a script.
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
            plain.then(|| format!("\"{text}\"")).ok_or_else(|| {
                format!(
                    "the name {text:?} contains a quote, a backslash or a line break; rename it"
                )
            })
        };
        let clip = clip.map_or_else(|| Ok("nil".to_owned()), quoted)?;
        let mut lent = String::new();
        for (i, take) in takes.iter().enumerate() {
            // The files may be anywhere; they are read as if they were in folders next to the model.
            let beside = format!("take_{}", i + 1);
            vfs::add_shared_folders(&root.join(&beside), vec![folder_of(take)]);
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

    /// Folder for saved data and for files written by scripts: the project's own, or a folder of the user for a packed
    /// project.
    pub fn home(&self) -> PathBuf {
        vfs::home(&self.root)
    }

    /// Display name: from the settings, otherwise the name of the folder.
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

    /// Loads the icon.
    ///
    /// # Errors
    /// If the icon cannot be read, or is not a square of 16 to 2048 pixels.
    pub fn icon(&self) -> Result<Option<Image>, String> {
        let Some(name) = &self.settings.window.icon else {
            return Ok(None);
        };
        let at = "galatea.toml: [window] icon";
        let wrong = |why: String| format!("{at}: {name} {why}");
        let file = self.path(&self.located(name));
        let file = file.map_err(|why| format!("{at}: {why}"))?;
        if !vfs::exists(&file) {
            let hint = file_hint(&file);
            return Err(format!("{at}: {name}: there is no such file{hint}"));
        }
        let shown = picture::load(&file).map_err(wrong)?;
        if shown.width != shown.height || shown.width < 16 {
            let (width, height) = (shown.width, shown.height);
            return Err(wrong(format!(
                "has {width} × {height} pixels; an icon must be a square of at least 16 × 16"
            )));
        }
        Ok(Some(shown))
    }

    /// Resolves a file name in a script or a setting, relative to the project; `assets/` may be omitted. A file in the
    /// project folder has precedence over one in `assets/`. A name without a file stays unchanged.
    pub fn located(&self, name: &str) -> String {
        let is_file = |full: &Path| vfs::is_file(full);
        let in_assets = format!("{}/{name}", vfs::ASSETS);
        let is_missing = self.path(name).is_ok_and(|full| !is_file(&full));
        if is_missing && self.path(&in_assets).is_ok_and(|full| is_file(&full)) {
            return in_assets;
        }
        name.to_owned()
    }

    /// Full path of a file of the project. Neither the name nor a link can lead out of the project.
    ///
    /// # Errors
    /// If the name leads out of the project.
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
                        "{folder}/ has more files than the limit of 100 000; the rest is ignored"
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
                    && let Ok(text) = vfs::read_text(&path, MAX_TEXT)
                {
                    found.push((name.to_string_lossy().replace('\\', "/"), text));
                }
            }
        }
        found.sort();
        found
    }
}

/// Registers the additional asset folders. A packed project contains their files already.
fn add_shared_assets(root: &Path, settings: &Settings) {
    if vfs::is_packed(root) {
        return;
    }
    let mut folders = Vec::new();
    for folder in &settings.assets.extra_folders {
        match root.join(folder).canonicalize() {
            Ok(folder) if folder.is_dir() => folders.push(folder),
            _ => tracing::warn!(
                "{}: [assets] extra_folders: the folder {folder} does not exist",
                root.join("galatea.toml").display()
            ),
        }
    }
    vfs::add_shared_folders(&root.join(vfs::ASSETS), folders);
}

fn read_settings(root: &Path) -> Result<Settings, ProjectError> {
    let path = root.join("galatea.toml");
    let file = path.display().to_string();
    let text = match vfs::read_text(&path, MAX_TEXT) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Settings::default());
        }
        Err(error) => return Err(ProjectError::Settings(format!("{file}: {error}"))),
    };
    parse_settings(&text).map_err(|fault| ProjectError::Settings(fault.in_file(&file)))
}

/// Numbers of galatea.toml: section, key, smallest and largest value, unit, and value.
type RangedSetting = (
    &'static str,
    &'static str,
    u64,
    u64,
    &'static str,
    fn(&Settings) -> u64,
);

#[rustfmt::skip]
const RANGED_SETTINGS: [RangedSetting; 5] = [
    ("script", "budget", 1000, 1_000_000_000, "steps", |all| all.script.budget),
    ("script", "memory_mb", 8, 65_536, "megabytes", |all| all.script.memory_mb as u64),
    ("assets", "image_memory_mb", 1, 65_536, "megabytes", |all| all.assets.image_memory_mb),
    ("window", "width", 16, 16_384, "points", |all| all.window.width.into()),
    ("window", "height", 16, 16_384, "points", |all| all.window.height.into()),
];

fn parse_settings(text: &str) -> Result<Settings, DataFault> {
    let out_of_range = |(section, key, low, high, unit, _): &RangedSetting, got: &str| {
        format!("{section}.{key} must be from {low} to {high} {unit}, got {got}")
    };
    let settings: Settings = toml::from_str(text).map_err(|error| {
        let mut fault = toml_fault(&error, text);
        let known = RANGED_SETTINGS.iter().find_map(|setting| {
            let wrong = fault.problem.strip_prefix(setting.1)?;
            let wrong = wrong.strip_prefix(": expected a whole number")?;
            Some(out_of_range(setting, wrong.split_once(", got ")?.1))
        });
        if let Some(problem) = known {
            fault.problem = problem;
        }
        fault
    })?;
    for setting in &RANGED_SETTINGS {
        let (section, key, low, high, _, value) = setting;
        let value = value(&settings);
        if !(*low..=*high).contains(&value) {
            return Err(DataFault {
                position: key_position(text, section, key),
                problem: out_of_range(setting, &value.to_string()),
            });
        }
    }
    Ok(settings)
}

#[cfg(test)]
mod tests;
