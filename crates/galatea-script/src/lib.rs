//! Scripting: a sandboxed Luau VM that runs a project's scripts against a stage, with hot reload.
//!
//! A [`Host`] owns the VM and runs one program at a time. [`Host::load`] runs a new version of the scripts on a copy of
//! the stage; if it fails, nothing changes and the previous version continues. A [`Host`] is a
//! [`Script`](galatea_stage::Script), so [`tick`](galatea_stage::tick) calls it. [`Services`] is what scripts need from
//! outside: models, sounds and files. [`Host::answer`] evaluates a line for a console.
//!
//! The folder `api` holds the Lua API, one file per domain. Each file ends in a table from which the functions,
//! argument checks, editor stubs and reference pages are all made.
//!
//! ```
//! use galatea_asset::ModelSource;
//! use galatea_script::{Host, HostOptions, ModelState, ScriptSource, Services};
//! use galatea_stage::{Stage, tick};
//! use std::sync::Arc;
//!
//! // A project of one script, without models and sounds.
//! struct OneScript(&'static str);
//! impl Services for OneScript {
//!     fn model(&self, _: &ModelSource) -> ModelState { ModelState::Failed("no models here".into()) }
//!     fn sound_names(&self) -> Vec<String> { Vec::new() }
//!     fn sound_seconds(&self, _: &str) -> Option<f64> { None }
//!     fn script(&self, _path: &str) -> Result<String, String> { Ok(self.0.into()) }
//!     fn print(&self, line: &str) { println!("{line}") }
//! }
//!
//! let script = OneScript(r#"
//!     local v = vector.create
//!     local crate = physics.box { position = v(0, 2, 0), size = v(0.4, 0.4, 0.4), mass = 8, name = "crate" }
//!     function update(dt)
//!         crate.yaw += 90 * dt
//!     end
//! "#);
//! let (mut stage, mut host) = (Stage::default(), Host::new(HostOptions::default(), Arc::new(script))?);
//! host.load(&mut stage, &ScriptSource::default()).unwrap();
//! for _ in 0..10 {
//!     tick(&mut stage, &mut host);
//! }
//! assert!(host.take_faults().is_empty());
//! let handle = stage.characters.named("crate").unwrap();
//! assert!(stage.characters.get(handle).unwrap().placement.yaw > 1.0);
//!
//! // A line from the console.
//! assert_eq!(host.answer(&mut stage, "1 + 2").result, Ok(vec!["3".to_string()]));
//! # Ok::<(), galatea_script::Fault>(())
//! ```
//!
//! # Dependencies
//!
//! Only this crate and `galatea-recipe` use mlua. This crate depends on the simulation crates, and on no renderer and no
//! tools. Recipes and the linter build on [`toolkit`]. A script error is data ([`Fault`]); it never causes a panic and never
//! ends the scene. Scripts hold handles, never references. A script is stopped after a number of steps, not after a
//! time, so every run is the same.

// The derive macro of `Options` generates paths that begin with the name of this crate.
extern crate self as galatea_script;

mod api;
mod bare;
mod budget;
mod calls;
mod changes;
mod checkpoint;
mod checkpoints;
mod compiled;
mod console;
mod conversations;
mod crowd_calls;
mod crowds;
mod debugger;
mod delivery;
mod echo;
mod excerpt;
mod explain_machine;
mod expressions;
mod fault;
mod function_times;
mod globals;
mod handles;
mod history;
mod hit_callbacks;
mod host;
mod interrupts;
mod kept_tables;
mod leave_states;
mod library;
mod listeners;
pub mod literals;
mod load;
mod load_game;
mod loader;
mod loading;
mod locals;
mod luacats;
mod machines;
mod measured;
mod modifiers;
mod object_kind;
mod overloads;
mod params;
mod pictures;
mod print_limit;
mod program;
mod random_input;
mod read_params;
mod recent_events;
pub mod reference;
mod reported_faults;
mod restore;
mod rewind;
mod save_slot;
mod saved_game;
mod saved_params;
mod saved_value;
mod scheduler;
mod script;
mod script_clip_store;
mod services;
mod shapes;
mod sounds;
mod sources;
mod state_scripts;
mod states;
mod talks;
mod task_tree;
mod tasks;
mod testing;
mod thrown;
mod timing;
mod tokens;
mod top_locals;
mod vm;
mod vm_list;
mod vm_messages;
mod vocabulary;
mod watchdog;
mod world;

pub use api::group::Kind;
pub use api::groups::GROUPS;
pub use api::uses::{Use, uses_during};
pub use bare::BareCalls;
pub use compiled::{compiled, is_compiled};
pub use console::answer::{Answer, WORDS};
pub use console::complete::Completion;
pub use debugger::{
    Breakpoint, Debugger, ScriptStep, StackFrame, StopHandler, StopReason, StoppedScript, Variable,
    VariableScope,
};
pub use fault::Fault;
pub use function_times::{FunctionTime, ScriptWork, take_script_work};
pub use host::{Host, HostOptions};
pub use load::{LoadError, Loaded};
pub use load_game::{GameNotice, LoadedGame};
pub use luacats::luacats_definitions;
pub use measured::{MeasuredCost, measure_examples};
pub use print_limit::PrintLimit;
pub use random_input::RandomPress;
pub use recent_events::{RecordedScriptEvent, SuppressedEvent};
pub use save_slot::{GameContent, GameStore, SaveSlot};
pub use saved_game::SavedGame;
pub use saved_value::SavedTables;
pub use services::{ModelState, NO_FILE, Services};
pub use sources::{ScriptSource, Texts};
pub use testing::outside::{Compared, Outside, ReplayedInput};

/// Building blocks of other Lua programs: model recipes (`galatea-recipe`) and script checks (`galatea-lint`).
pub mod toolkit {
    pub use crate::api::argument_limits::ArgumentLimits;
    pub use crate::api::bind::{add_object, add_properties, register_groups};
    pub use crate::api::check::{
        Args, Field, Fields, Limits, OptionValue, Options, Param, Shape, Type, describe,
        lua_number, lua_vector, number, object, text, vector,
    };
    pub use crate::api::group::{Function, Group, Kind, Property};
    pub use crate::api::listen::marker_fields;
    pub use crate::api::renamed::{
        FOREIGN, ForeignNames, NameOwner, RENAMED, RenamedName, roblox_task,
    };
    pub use crate::budget::{Budget, charge};
    pub use crate::compiled::compiles;
    pub use crate::globals::{ENTRY_POINTS, REMOVED, local_names, names, no_global};
    pub use crate::interrupts::count_steps;
    pub use crate::library::register as register_library;
    pub use crate::thrown::Thrown;
    pub use crate::vm::new_vm;
    pub use mlua::Value;
}
