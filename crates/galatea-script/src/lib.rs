//! Scripting: a sandboxed Luau VM that runs a project's scripts against a stage, with hot reload.
//!
//! A [`Host`] owns the VM and runs one program at a time. [`Host::load`] runs a new version of the scripts on a copy of the stage; if
//! it fails, nothing changes and the version before continues. A [`Host`] is a [`Script`](galatea_stage::Script), so
//! [`tick`](galatea_stage::tick) calls it. [`Services`] is what scripts need from outside: models, sounds and files.
//! [`Host::answer`] evaluates a line for a console.
//!
//! [`api`] holds the Lua API, one file per domain. Each file ends in a table from which the functions, argument checks, editor
//! stubs and reference pages are all made.
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
//!     local crate = physics.box { at = v(0, 2, 0), size = v(0.4, 0.4, 0.4), mass = 8, name = "crate" }
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
//! With `galatea-recipe` the only crate that uses mlua. Depends on the crates of the simulation, and on no renderer and no tools: recipes and the linter build on [`toolkit`].
//! A script's error is data ([`Fault`]), never a panic and never the end of the scene. Scripts hold handles, never references.
//! A script is stopped after a number of instructions, not after a time, so every run of it is the same.

// The derive of `Options` writes paths that begin with the name of this crate.
extern crate self as galatea_script;

mod acts;
pub mod api;
mod bare;
mod budget;
mod carry;
mod changes;
mod compiled;
mod console;
mod conversations;
mod crowds;
mod delivery;
mod excerpt;
mod fault;
mod globals;
mod heard;
mod host;
mod kept;
mod library;
mod load;
mod loader;
mod locals;
mod luacats;
mod overloads;
mod program;
pub mod reference;
mod scheduler;
mod shapes;
mod sounds;
mod state_scripts;
mod testing;
mod thrown;
mod told;
mod top_locals;
mod vm;
mod world;

pub use api::{GROUPS, Kind, Use, uses_during};
pub use bare::BareCalls;
pub use compiled::{compiled, is_compiled};
pub use console::{Answer, Completion, WORDS};
pub use fault::Fault;
pub use heard::Heard;
pub use host::{Host, HostOptions};
pub use load::{LoadError, Loaded};
pub use loader::{ScriptSource, Texts};
pub use luacats::luacats_definitions;
pub use testing::{Compared, Outside};
pub use world::{ModelState, NO_FILE, Services};

/// Parts from which other programs in Lua are built: recipes of models (`galatea-recipe`) and checks of scripts
/// (`galatea-lint`).
pub mod toolkit {
    pub use crate::api::{
        Args, Field, Fields, Function, Group, Kind, Limits, OptionValue, Options, Param, Property,
        Shape, Type, add_object, add_properties, describe, lua_number, lua_vector, mark_fields,
        number, object, register_groups, text, vector,
    };
    pub use crate::budget::{Budget, count_memory};
    pub use crate::globals::{ENTRY_POINTS, REMOVED, names, no_global};
    pub use crate::library::register as register_library;
    pub use crate::thrown::Thrown;
    pub use crate::vm::new_vm;
    pub use mlua::Value;
}
