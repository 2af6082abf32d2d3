//! Scripts: the only room that knows Lua.
//!
//! [`Host`] owns the VM and runs one [`program`] at a time against a stage; a new version of a script
//! is run in a shadow of the stage first and takes over only if it ran well. [`api`] is what scripts
//! can call, one file per domain, each ending in one table that is function, check, stub and
//! reference at once; `recipe` is the same for scripts that make models. Callers: `app`, `commands`.
//!
//! Invariants: a script's fault is data ([`Fault`]), never a panic and never the end of the scene;
//! scripts hold handles, never references; a script is stopped by counted work, not by a clock, so
//! that every run of it is the same.

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
mod lint;
mod load;
mod loader;
mod locals;
mod luacats;
mod program;
mod recipe;
pub mod reference;
mod scheduler;
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
pub use lint::{Remark, lint};
pub use load::{LoadError, Loaded};
pub use loader::{ScriptSource, Texts};
pub use luacats::luacats_definitions;
pub use recipe::{RECIPE_BUDGET, RECIPE_GROUPS, Reader, bake};
pub use testing::{Compared, Outside};
pub use world::{ModelState, NO_FILE, Services};
