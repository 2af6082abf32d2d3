//! State that API functions access: the stage that the script runs against, and the data of the program.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table};

use super::echo::Echo;
use super::loading::Loading;
use super::pictures::CutPictures;
use super::print_limit::PrintLimit;
use super::program::Program;
use super::random_input::RandomInput;
use super::services::Services;
use galatea_asset::model::Image;
use galatea_stage::{Handle, Stage};

/// A game that a script wants to save.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SaveRequest {
    /// Name of the slot.
    pub slot: String,
    /// Values for menus and for `on_load`, encoded.
    pub extra: Vec<u8>,
}

/// A request of a script to go back in the history.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RewindRequest {
    /// Seconds to go back.
    pub seconds: f64,
    /// Kept tables that keep their present values.
    pub except: Vec<String>,
}

/// Games that a script wants to save and to load.
#[derive(Debug, Default)]
pub(super) struct GameRequests {
    /// Games to save.
    pub saves: Vec<SaveRequest>,
    /// Slot to load.
    pub load: Option<String>,
    /// Request to go back in the history.
    pub rewind: Option<RewindRequest>,
}

/// State that API functions access.
pub(super) struct World {
    /// The stage while Lua runs; otherwise an empty stage.
    pub stage: Stage,
    pub program: Program,
    pub services: Arc<dyn Services>,
    pub loading: Loading,
    /// Time of the event that is being delivered.
    pub event_time: Option<f64>,
    /// True while a condition is evaluated. It can read only the parameters.
    in_condition: bool,
    /// Collects printed lines while the console runs code.
    pub echo: Option<Echo>,
    /// Limit of printed lines.
    pub print_limit: PrintLimit,
    pub pictures: CutPictures,
    /// Random input of the test that runs.
    pub random_input: RandomInput,
    /// Games to save and to load at the end of the tick.
    pub requests: GameRequests,
    /// Duration of the history that the script requested, seconds.
    pub history_wanted: f64,
    /// Duration of the present history, seconds.
    pub history_kept: f64,
    /// All named events, while tests run.
    pub log: Option<Vec<(Handle, String, f64)>>,
}

impl World {
    /// Creates a world with an empty stage and without a program.
    pub fn new(services: Arc<dyn Services>, hands_over_locals: bool) -> Self {
        Self {
            stage: Stage::default(),
            program: Program::default(),
            services,
            loading: Loading::new(hands_over_locals),
            event_time: None,
            in_condition: false,
            echo: None,
            print_limit: PrintLimit::default(),
            pictures: CutPictures::default(),
            random_input: RandomInput::default(),
            requests: GameRequests::default(),
            history_wanted: 0.0,
            history_kept: 0.0,
            log: None,
        }
    }

    /// Prints a line unless there are too many.
    pub fn print(&mut self, line: String) {
        if let Some(line) = self.print_limit.admit(line) {
            self.services.print(&line);
        }
    }

    /// Writes a picture. While the main part of a script runs, the picture is written only after the script has
    /// replaced the previous one.
    ///
    /// # Errors
    /// Fails if the name is not allowed or the file cannot be written.
    pub fn save_image(&mut self, name: &str, picture: Image) -> Result<String, String> {
        if !self.loading.is_running {
            return self.services.save_image(name, &picture);
        }
        let path = self.services.picture_path(name)?;
        self.loading.add_picture(name, picture)?;
        Ok(path)
    }

    /// Stage time, seconds; inside a listener, the time of the event.
    pub fn now(&self) -> f64 {
        self.event_time.unwrap_or(self.stage.time())
    }

    /// Begins the evaluation of a condition. It can read only its parameters, and can set neither them nor the script's
    /// globals.
    pub fn begin_condition(&mut self, params: &Table) {
        self.in_condition = true;
        self.protect(params, true);
    }

    /// Ends the evaluation of a condition.
    pub fn end_condition(&mut self, params: &Table) {
        self.in_condition = false;
        self.protect(params, false);
    }

    fn protect(&self, params: &Table, on: bool) {
        params.set_readonly(on);
        if let Some(env) = &self.program.sources.env {
            env.set_readonly(on);
        }
    }
}

/// World of a VM, shared by its host and its API functions.
pub(super) type SharedWorld = Rc<RefCell<World>>;

thread_local! {
    /// World of the VM that runs on this thread. API functions find it here faster than in the VM.
    static RUNNING: RefCell<Option<SharedWorld>> = const { RefCell::new(None) };
}

/// Gives API functions fast access to a world while this guard lives.
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
    result.unwrap_or_else(|| Err(mlua::Error::runtime("the runtime is not available")))
}

/// Part of [`with_world`] that is the same for the about 500 API functions that call it, and therefore not generic.
/// Does not call `f` if there is no world.
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
        .map_err(|_| mlua::Error::runtime("an API function was called inside another API call"))?;
    if world.in_condition {
        return Err(mlua::Error::runtime(
            "a condition (`when`) can only read its parameters; it cannot call the API",
        ));
    }
    f(&mut world);
    Ok(())
}

/// Ends the evaluation of a condition, after which API functions can access the world again.
pub(super) fn end_condition(lua: &Lua, params: &Table) {
    if let Some(world) = lua.app_data_ref::<SharedWorld>()
        && let Ok(mut world) = world.try_borrow_mut()
    {
        world.end_condition(params);
    }
}
