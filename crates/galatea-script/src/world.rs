//! What API functions reach: the stage that the script runs against, and the program's own records.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table};

use super::console::Echo;
use super::loader::Texts;
use super::program::Program;
use galatea_asset::model::Image;
use galatea_asset::picture::Relief;
use galatea_asset::{Environment, ModelSource};
use galatea_character::Definition;
use galatea_emitter::SpriteSheet;
use galatea_hair::Groom;
use galatea_speech::exchange::SpeechTimings;
use galatea_speech::plan::Recording;
use galatea_stage::{Handle, Stage};

/// A model that a script asked for.
pub enum ModelState {
    /// Loaded.
    Ready(Arc<Definition>),
    /// Still loading in the background; a script that begins is run again when it is there.
    Pending,
    /// Cannot be loaded: why, in plain words.
    Failed(String),
}

/// What [`Services::script`] says of a script that is not there.
pub const NO_FILE: &str = "there is no such file";

/// What scripts need from the project around them.
pub trait Services {
    /// A model by its path relative to the project, with clips of other files.
    fn model(&self, source: &ModelSource) -> ModelState;
    /// A model for a script that runs and cannot be run again: it is loaded in place where need be,
    /// however long that takes.
    fn model_now(&self, source: &ModelSource) -> ModelState {
        self.model(source)
    }
    /// Light from all around, by the path of its file relative to the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        Err(format!("{path}: no such files are read here"))
    }
    /// A picture to be shown as it is, by the path of its file relative to the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        Err(format!("{path}: no pictures are read here"))
    }
    /// Heights of ground, by the path of their picture relative to the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    fn relief(&self, path: &str) -> Result<Arc<Relief>, String> {
        Err(format!("{path}: no pictures are read here"))
    }
    /// Strands of hair, by the path of their file relative to the project.
    ///
    /// # Errors
    /// Why they cannot be used, naming the file.
    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        Err(format!("{path}: no hair is read here"))
    }
    /// Keeps a picture that a script made, by a plain name that ends in .png; the path where it is.
    ///
    /// # Errors
    /// Why it cannot be kept.
    fn keep_picture(&self, name: &str, _picture: &Image) -> Result<String, String> {
        Err(format!("{name}: no pictures are written here"))
    }
    /// Names of all sounds of the project.
    fn sound_names(&self) -> Vec<String>;
    /// How long a sound is, seconds; `None` for one that cannot be heard.
    fn sound_seconds(&self, name: &str) -> Option<f64>;
    /// The samples of a sound; `None` for one that cannot be heard.
    fn sound_samples(&self, _name: &str) -> Option<Recording> {
        None
    }
    /// Speaks a text by a voice of this machine, or by the project's own; the name of the sound that it makes. `None` where
    /// there are no voices, or none is asked for.
    ///
    /// # Errors
    /// Why the voice cannot speak.
    fn spoken(
        &self,
        _voice: Option<&str>,
        _text: &str,
        _rate: f32,
    ) -> Result<Option<String>, String> {
        Ok(None)
    }
    /// What a file of the same name beside a sound tells of what is spoken in it; `None` without one.
    ///
    /// # Errors
    /// Why it cannot be read, naming the file.
    fn sound_told(&self, _name: &str) -> Result<Option<SpeechTimings>, String> {
        Ok(None)
    }
    /// Text of a script, by its path relative to the project.
    ///
    /// # Errors
    /// Why it cannot be read, in plain words.
    fn script(&self, path: &str) -> Result<String, String>;
    /// A line that the script printed.
    fn print(&self, line: &str);
}

/// A picture, its columns and rows, and the cells.
pub(super) type CutPicture = (Arc<Image>, (u32, u32), Arc<SpriteSheet>);

pub(super) struct World {
    /// The stage, here only while Lua runs; an empty one otherwise.
    pub stage: Stage,
    pub program: Program,
    pub services: Arc<dyn Services>,
    /// The main part of a script runs.
    pub is_loading: bool,
    /// Models that the main part asked for and could not have, and whether they are still loading.
    pub waits_for: Vec<(String, bool)>,
    /// Scripts read by the run in progress.
    pub scripts_read: Vec<PathBuf>,
    /// The version that is gone back to by the run in progress.
    pub version: Option<Texts>,
    /// Time of the event that is being delivered.
    pub event_time: Option<f64>,
    /// Scripts hand the locals at their top to the console.
    pub hands_over_locals: bool,
    /// What is printed is kept here instead, while the console runs code.
    pub echo: Option<Echo>,
    /// Pictures of particles, each cut into columns and rows.
    pub cut_pictures: Vec<CutPicture>,
    /// Whose pose a function of `modify` is given at the moment.
    pub modifying: Option<Handle>,
    /// True while a condition is asked: it may look at nothing but the parameters.
    pub in_condition: bool,
    /// Every event that had a name, while tests run.
    pub log: Option<Vec<(Handle, String, f64)>>,
}

impl World {
    /// Text of a script, by its path relative to the project.
    ///
    /// # Errors
    /// Why it cannot be read, in plain words.
    pub fn script(&self, path: &str) -> Result<String, String> {
        match &self.version {
            Some(texts) => match texts.get(path) {
                Some(text) => Ok(text.to_string()),
                None => Err(NO_FILE.into()),
            },
            None => self.services.script(path),
        }
    }

    /// From here on a condition is asked: it sees nothing but its parameters, and cannot set them or the
    /// script's globals.
    pub fn begin_condition(&mut self, params: &Table) {
        self.in_condition = true;
        self.protect(params, true);
    }

    /// The condition has been asked.
    pub fn end_condition(&mut self, params: &Table) {
        self.in_condition = false;
        self.protect(params, false);
    }

    fn protect(&self, params: &Table, on: bool) {
        params.set_readonly(on);
        if let Some(env) = &self.program.env {
            env.set_readonly(on);
        }
    }

    /// Notes that the main part of a script could not have a model; later it matters no more.
    pub fn wait_for(&mut self, key: String, is_pending: bool) {
        if self.is_loading && !self.waits_for.iter().any(|(known, _)| *known == key) {
            self.waits_for.push((key, is_pending));
        }
    }
}

/// The world of a VM, as its host and its API functions share it.
pub(super) type SharedWorld = Rc<RefCell<World>>;

thread_local! {
    /// The world of the VM that runs on this thread: API functions find it here sooner than in the VM.
    static RUNNING: RefCell<Option<SharedWorld>> = const { RefCell::new(None) };
}

/// Has API functions find a world at once while this lives.
pub(super) struct Reach(Option<SharedWorld>);

impl Reach {
    pub fn of(world: &SharedWorld) -> Self {
        Self(RUNNING.replace(Some(world.clone())))
    }
}

impl Drop for Reach {
    fn drop(&mut self) {
        RUNNING.set(self.0.take());
    }
}

/// Runs `f` with the world. Must not call into Lua.
pub(super) fn with_world<R>(
    lua: &Lua,
    f: impl FnOnce(&mut World) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let mut f = Some(f);
    let mut result = None;
    entered(lua, &mut |world| result = f.take().map(|f| f(world)))?;
    result.unwrap_or_else(|| Err(mlua::Error::runtime("the runtime is not there")))
}

/// What is the same for the five hundred functions that come through here. Nothing is run where there is no world.
fn entered(lua: &Lua, f: &mut dyn FnMut(&mut World)) -> mlua::Result<()> {
    RUNNING.with_borrow(|running| match running {
        Some(world) => enter(world, f),
        None => match lua.app_data_ref::<SharedWorld>() {
            Some(world) => enter(&world, f),
            None => Ok(()),
        },
    })
}

fn enter(world: &SharedWorld, f: &mut dyn FnMut(&mut World)) -> mlua::Result<()> {
    let mut world = world
        .try_borrow_mut()
        .map_err(|_| mlua::Error::runtime("called from inside another call of the runtime"))?;
    if world.in_condition {
        return Err(mlua::Error::runtime(
            "a condition (`when`) sees only the parameters it is given",
        ));
    }
    f(&mut world);
    Ok(())
}

/// Ends the asking of a condition, after which the world may be seen again.
pub(super) fn end_condition(lua: &Lua, params: &Table) {
    if let Some(world) = lua.app_data_ref::<SharedWorld>()
        && let Ok(mut world) = world.try_borrow_mut()
    {
        world.end_condition(params);
    }
}
