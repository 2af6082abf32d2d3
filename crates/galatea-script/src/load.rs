//! Replacement of the running scripts by a new version.

use std::path::PathBuf;

use mlua::Value;
use thiserror::Error;

use super::changes::changes;
use super::checkpoint::Checkpoint;
use super::fault::Fault;
use super::globals::foreign_callbacks;
use super::host::Host;
use super::kept_tables::{ReloadTables, Renewed, Shared, deep_copy};
use super::loader::{compile, new_environment};
use super::program::Program;
use super::reported_faults::ReportedFaults;
use super::restore::{restore_open_intervals, restore_params};
use super::saved_value::{MadeTables, SavedTables};
use super::sources::{ScriptSource, Sources, Texts};
use super::testing::natives::add_test_function;
use galatea_character::EndReason;
use galatea_stage::Stage;

/// Result of a load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Scripts that were read, relative to the project.
    pub scripts: Vec<PathBuf>,
    /// Models, by [`galatea_asset::ModelSource::key`], that the script requested and that were not available. If one of
    /// them changes, load again.
    pub models: Vec<String>,
    /// Changes since the previous version, as lines for people; empty for the first version.
    pub changes: Vec<String>,
    /// Texts of the scripts, to restore this version later.
    pub texts: Texts,
}

/// Reason why a script was not loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The script has a fault. The previous version continues.
    #[error("{fault}")]
    Fault {
        /// The fault.
        fault: Fault,
        /// Models that were not available to the script. If one of them changes, try again.
        models: Vec<String>,
    },
    /// The script needs models that are still loading. Try again when the state of one changes.
    #[error("models are still loading: {}", .0.join(", "))]
    Pending(Vec<String>),
}

/// Result of a run of a script's main part, after which the new program is the running one.
pub(super) struct MainRun {
    /// The program before it.
    pub old: Program,
    scripts: Vec<PathBuf>,
    models: Vec<String>,
}

/// Kept tables and handles with which a new program begins.
pub(super) enum BeginWith<'a> {
    /// Copies from the running program.
    Running,
    /// Values from a saved game.
    Saved {
        /// Kept tables.
        tables: &'a SavedTables,
        /// True if the objects get new handles.
        is_changed: bool,
        /// Checkpoints of tasks.
        checkpoints: Vec<Checkpoint>,
    },
}

impl Host {
    /// Runs a script on a copy of the stage. If it succeeds, it replaces the previous version and the stage takes over
    /// the result; otherwise nothing changes.
    ///
    /// # Errors
    /// Returns the fault, or the models that are not loaded yet.
    pub fn load(&mut self, stage: &mut Stage, source: &ScriptSource) -> Result<Loaded, LoadError> {
        let mut shadow = stage.shadow();
        let start = shadow.clone();
        let (run, _) = self.run_version(&mut shadow, source, &BeginWith::Running)?;
        self.begun = self.begun_with(start, &shadow);
        let old = run.old;
        let changes = self.with_program(|program| match &old.sources.env {
            Some(_) => changes(&old, program, stage, &shadow),
            None => Vec::new(),
        });
        let new = self.with_program(|program| std::mem::replace(program, old));
        let states = self.entered_states(stage);
        self.end_program(stage);
        let old = self.with_program(|program| std::mem::replace(program, new));
        let before = std::mem::replace(stage, shadow);
        stage.continue_from(before);
        self.with_program(|program| {
            let characters = &stage.characters;
            program
                .handles
                .retain(|handle| characters.get(handle).is_some());
            renew_tables(&mut program.sources, &program.reload_tables, &old.sources);
            restore_params(&mut program.machines, &old.machines);
            restore_open_intervals(&mut program.listeners, stage);
        });
        self.restore_states(stage, states, Some(&old.machines.states));
        self.write_pictures();
        self.note_foreign_callbacks(&source.main);
        self.call_reload(stage, &old, &changes);
        drop(old);
        self.restore_memory_limit();
        Ok(self.loaded(run.scripts, run.models, changes))
    }

    pub(super) fn loaded(
        &self,
        scripts: Vec<PathBuf>,
        models: Vec<String>,
        changes: Vec<String>,
    ) -> Loaded {
        let texts = self.with_program(|program| program.sources.texts.clone());
        Loaded {
            scripts,
            models,
            changes,
            texts,
        }
    }

    /// Runs the main part of a script on an empty stage, as the new program. If it fails, the running program is put back.
    pub(super) fn run_version(
        &mut self,
        shadow: &mut Stage,
        source: &ScriptSource,
        begin_with: &BeginWith<'_>,
    ) -> Result<(MainRun, Option<MadeTables>), LoadError> {
        let (old, made) = match self.begin_load(shadow, begin_with) {
            Ok(begun) => begun,
            Err(error) => {
                return Err(LoadError::Fault {
                    fault: Fault::from_lua(&error),
                    models: Vec::new(),
                });
            }
        };
        // The old program stays in memory while the new one is created.
        let _ = self.lua.gc_collect();
        self.budget.hold_at_most(self.lua.used_memory());
        let _ = self
            .lua
            .set_memory_limit(self.options.memory.saturating_mul(2));
        self.with_world(|world| world.loading.version.clone_from(&source.texts));
        let result = self.run_main(shadow, source);
        self.with_world(|world| world.loading.version = None);
        let (waits_for, mut scripts) = self.with_world(|world| world.loading.take());
        scripts.insert(0, PathBuf::from(&source.main));
        let is_pending = waits_for.iter().any(|(_, is_pending)| *is_pending);
        let models = waits_for.into_iter().map(|(key, _)| key).collect();
        if let Err(fault) = result {
            let fault = self.with_source(fault);
            self.put_back(old);
            return Err(if is_pending {
                LoadError::Pending(models)
            } else {
                LoadError::Fault { fault, models }
            });
        }
        self.faults.clear();
        self.reported_faults = ReportedFaults::default();
        let run = MainRun {
            old,
            scripts,
            models,
        };
        Ok((run, made))
    }

    /// Drops the new program, and puts the one before it back.
    pub(super) fn put_back(&mut self, old: Program) {
        self.with_world(|world| drop(world.loading.take_pictures()));
        self.with_program(|program| *program = old);
        self.restore_memory_limit();
    }

    /// Ends the running program: its tasks, actions, sounds and conversations.
    pub(super) fn end_program(&mut self, stage: &mut Stage) {
        let reason = EndReason::Reloaded.word();
        self.run_ended_version(|host| host.finish_tasks(stage, reason));
        self.with_program(|program| {
            let plays = program.listeners.plays.values().map(|play| &play.ended);
            let sounds = program.sounds.values().map(|sound| &sound.ended);
            let talks = program.conversations.values().map(|talk| &talk.ended);
            for ended in plays.chain(sounds).chain(talks) {
                ended.set(Some(reason));
            }
        });
    }

    pub(super) fn restore_memory_limit(&self) {
        let _ = self.lua.gc_collect();
        let _ = self.lua.set_memory_limit(self.options.memory);
    }

    fn begin_load(
        &mut self,
        shadow: &mut Stage,
        begin_with: &BeginWith<'_>,
    ) -> mlua::Result<(Program, Option<MadeTables>)> {
        let env = new_environment(&self.lua)?;
        if self.with_world(|world| world.log.is_some()) {
            add_test_function(&self.lua, &env)?;
        }
        let mut program = Program {
            sources: Sources {
                env: Some(env),
                ..Sources::default()
            },
            ..Program::default()
        };
        shadow.events.clear();
        let program = match begin_with {
            BeginWith::Running => self.with_kept(program)?,
            BeginWith::Saved { checkpoints, .. } => {
                program.tasks.resuming.clone_from(checkpoints);
                program
            }
        };
        let old = self.with_world(|world| {
            world.loading.clear();
            std::mem::replace(&mut world.program, program)
        });
        let BeginWith::Saved {
            tables, is_changed, ..
        } = begin_with
        else {
            return Ok((old, None));
        };
        // The objects in the tables belong to the new program.
        match tables.make(&self.lua, *is_changed) {
            Ok(made) => {
                self.with_program(|program| program.reload_tables.clone_from(&made.kept));
                Ok((old, Some(made)))
            }
            Err(error) => {
                self.with_program(|program| *program = old);
                Err(error)
            }
        }
    }

    /// Gives a new program copies of the kept tables, and the handles, of the running one.
    fn with_kept(&self, mut program: Program) -> mlua::Result<Program> {
        let (keeps, modules, handles) = self.with_program(|program| {
            (
                program.reload_tables.clone(),
                program.sources.modules.clone(),
                program.handles.clone(),
            )
        });
        let shared = Shared::of(&modules, &keeps);
        let mut copies = Vec::new();
        for (name, table) in keeps {
            copies.push((name, deep_copy(&self.lua, &table, &shared)?.0));
        }
        program.tasks.resuming = self.with_program(|program| program.tasks.checkpoints());
        Ok(Program {
            sources: Sources {
                modules_before: modules,
                ..program.sources
            },
            reload_tables: copies,
            handles,
            ..program
        })
    }

    fn run_main(&mut self, shadow: &mut Stage, source: &ScriptSource) -> Result<(), Fault> {
        let (text, env) = self.with_world(|world| {
            let text = world.loading.script(&*world.services, &source.main);
            (text, world.program.sources.env.clone())
        });
        let text = text.map_err(|why| Fault::of_file(&source.main, why))?;
        let Some(env) = env else { return Ok(()) };
        let main =
            compile(&self.lua, &source.main, &text, &env).map_err(|error| self.fault(&error))?;
        self.with_world(|world| world.loading.is_running = true);
        self.begin_main_part();
        let result = self.call::<()>(shadow, &main, (), self.options.load_budget);
        self.with_world(|world| world.loading.is_running = false);
        result.map_err(|error| {
            let mut fault = self.fault(&error);
            // The VM does not report where it ran out of memory.
            fault.file.get_or_insert_with(|| source.main.clone());
            fault.without_viewer()
        })
    }

    /// Reports functions that only other engines call, unless the script calls them itself.
    pub(super) fn note_foreign_callbacks(&mut self, main: &str) {
        let (env, text) = self.with_program(|program| {
            let text = program.sources.texts.get(main).cloned();
            (program.sources.env.clone(), text.unwrap_or_default())
        });
        for (name, message) in env.iter().flat_map(foreign_callbacks) {
            let is_called = text.matches(name).count() > 1;
            if !is_called {
                self.push(Fault::of_file(main, message));
            }
        }
    }

    /// Writes the pictures of the main part once its version runs.
    pub(super) fn write_pictures(&mut self) {
        let (pictures, services) = self.with_world(|world| {
            let pictures = world.loading.take_pictures();
            (pictures, world.services.clone())
        });
        for (name, picture) in pictures {
            if let Err(why) = services.save_image(&name, &picture) {
                self.push(Fault::from_lua(&mlua::Error::runtime(why)));
            }
        }
    }

    fn call_reload(&mut self, stage: &mut Stage, old: &Program, changes: &[String]) {
        let reload = self.with_program(|program| program.sources.global_function("on_reload"));
        if let (Some(reload), true) = (reload, old.sources.env.is_some())
            && let Ok(kept) = self.lua.create_table()
        {
            for (name, table) in &old.reload_tables {
                let _ = kept.raw_set(name.as_str(), table.clone());
            }
            self.begin_tick();
            self.call_guarded::<Value>(stage, &reload, (kept, changes));
        }
    }
}

/// Redirects kept tables to the modules of the new version, and kept objects to their classes there.
fn renew_tables(sources: &mut Sources, keeps: &ReloadTables, old: &Sources) {
    sources.modules_before.clear();
    let mut renewed = Renewed::default();
    renewed.pair_modules(&old.modules, &sources.modules);
    let mut classes = Renewed::default();
    if let (Some(was), Some(now)) = (&old.env, &sources.env) {
        classes.pair(was, now);
    }
    for (_, table) in keeps {
        // If memory runs out, the kept tables still refer to the old modules.
        let _ = renewed.put_into(table, true);
        let _ = classes.put_into(table, false);
    }
}
