//! Saving, loading and rewinding of a running game.
//!
//! A running program cannot be copied: its functions and tasks belong to the VM. So a load runs the script again from its
//! beginning, as a hot reload does, and gives the result the saved state.

use mlua::Value;

use super::api::character::make_params;
use super::history::History;
use super::host::Host;
use super::load::{BeginWith, LoadError, Loaded, MainRun};
use super::restore::restore_open_intervals;
use super::save_slot::SaveSlot;
use super::saved_game::{Begun, SavedGame, model_of};
use super::saved_params::SavedParams;
use super::saved_value::{MadeTables, NamedTables, SavedTables};
use super::sources::{ScriptSource, Texts};
use super::world::SaveRequest;
use galatea_character::Character;
use galatea_persist::{decode, no_externals};
use galatea_stage::{DeclaredObjects, Handle, Stage};

/// Result of saving or loading a game, for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameNotice {
    /// A game was loaded.
    Loaded {
        /// Slot of the game.
        slot: String,
        /// Lines for people about state that could not be restored.
        lost: Vec<String>,
    },
    /// A game was not saved or not loaded, for this reason.
    Failed(String),
}

/// Result of loading a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadedGame {
    /// The version of the scripts that runs now.
    pub loaded: Loaded,
    /// The scripts made the same objects as when the game was saved, so it continues to the bit.
    pub is_exact: bool,
    /// Lines for people about state that could not be restored.
    pub lost: Vec<String>,
}

impl Host {
    /// Describes how a version began. Called after its main part ran on `shadow`.
    pub(super) fn begun_with(&self, start: Stage, shadow: &Stage) -> Begun {
        self.with_program(|program| Begun {
            start,
            declared: shadow.declared(),
            n_functions: [
                program.machines.predicates.len(),
                program.machines.states.scripts.len(),
            ],
            scripts: hash_of(&program.sources.texts),
        })
    }

    /// Saves, loads and rewinds the game as the script wanted in the last tick, and returns what there is to report.
    pub fn serve_requests(&mut self, stage: &mut Stage) -> Vec<GameNotice> {
        let requests = self.with_world(|world| std::mem::take(&mut world.requests));
        let mut notices = Vec::new();
        for request in requests.saves {
            let slot = request.slot.clone();
            if let Err(why) = self.save_slot(stage, request) {
                notices.push(GameNotice::Failed(format!(
                    "the game {slot:?} was not saved: {why}"
                )));
            }
        }
        if let Some(slot) = requests.load {
            notices.push(match self.load_slot(stage, &slot) {
                Ok(lost) => GameNotice::Loaded { slot, lost },
                Err(why) => GameNotice::Failed(format!(
                    "the game {slot:?} was not loaded: {why}; the running game continues"
                )),
            });
        } else if let Some(request) = &requests.rewind {
            notices.extend(self.rewind(stage, request));
        }
        self.record_history(stage);
        notices
    }

    fn save_slot(&self, stage: &Stage, request: SaveRequest) -> Result<(), String> {
        let slot = SaveSlot {
            slot: request.slot,
            play_time: stage.time(),
            extra: request.extra,
            ..SaveSlot::default()
        };
        let extra = decode(&slot.extra, no_externals).map_err(|error| error.to_string())?;
        let game = self.copy_game(stage, extra)?;
        let services = self.with_world(|world| world.services.clone());
        let saves = services.saves().ok_or("games cannot be saved here")?;
        saves.write(slot, Box::new(game))
    }

    /// Loads the game of a slot. Returns what could not be restored.
    fn load_slot(&mut self, stage: &mut Stage, slot: &str) -> Result<Vec<String>, String> {
        let services = self.with_world(|world| world.services.clone());
        let saves = services.saves().ok_or("there are no saved games here")?;
        let (bytes, damage) = saves.read(slot)?;
        let game = SavedGame::decode(&bytes, services.clone())?;
        let source = ScriptSource::of(&self.with_program(|program| program.sources.main.clone()));
        let loaded = self
            .load_game(stage, &source, game)
            .map_err(|error| error.to_string())?;
        // A rewind does not lead into the game before.
        self.history = History::default();
        let earlier = damage.map(|why| format!("{why}; this is the game saved in the slot before"));
        Ok(earlier.into_iter().chain(loaded.lost).collect())
    }

    /// Copies the game.
    ///
    /// # Errors
    /// Names the value of a kept table that cannot be saved.
    pub fn copy_game(&self, stage: &Stage, extra: SavedTables) -> Result<SavedGame, String> {
        let tables = self.with_program(|program| {
            let named = NamedTables::of(&program.sources, &program.reload_tables);
            SavedTables::of(&program.reload_tables, &named)
        })?;
        let mut params: Vec<SavedParams> = self.with_program(|program| {
            let all = program.machines.params.iter();
            all.map(|(character, params)| SavedParams::of(*character, params))
                .collect()
        });
        params.sort_by_key(|params| params.character);
        Ok(SavedGame {
            stage: stage.clone(),
            begun: self.begun.clone(),
            tables,
            params,
            entered: self.entered_states(stage),
            checkpoints: self.with_program(|program| program.tasks.checkpoints()),
            extra,
        })
    }

    /// Replaces the running game by a saved one. Runs the script again. If it fails, nothing changes.
    ///
    /// If the script and the models are those of the saved game, the stage continues from it to the bit. Otherwise the rules of
    /// a hot reload apply. Tasks start again in both cases.
    ///
    /// # Errors
    /// Returns the fault of the script, or the models that are not loaded yet.
    pub fn load_game(
        &mut self,
        stage: &mut Stage,
        source: &ScriptSource,
        saved: SavedGame,
    ) -> Result<LoadedGame, LoadError> {
        let SavedGame {
            stage: saved_stage,
            begun,
            tables,
            params,
            entered,
            checkpoints,
            extra,
        } = saved;
        let start = begun.start.start_of_loaded(stage);
        let mut shadow = start.clone();
        let begin_with = |is_changed| BeginWith::Saved {
            tables: &tables,
            is_changed,
            checkpoints: checkpoints.clone(),
        };
        let (run, made) = self.run_version(&mut shadow, source, &begin_with(false))?;
        let again = self.begun_with(start, &shadow);
        let is_exact = !saved_stage.has_outlines()
            && again.declared == begun.declared
            && again.n_functions == begun.n_functions
            && again.scripts == begun.scripts;
        let mut result = LoadedGame {
            is_exact,
            ..LoadedGame::default()
        };
        let (run, made) = match is_exact {
            true => {
                self.begun = again;
                shadow.become_saved(saved_stage, stage);
                (run, made)
            }
            false => {
                self.put_back(run.old);
                let start = saved_stage.shadow().start_of_loaded(stage);
                shadow = start.clone();
                let (run, made) = self.run_version(&mut shadow, source, &begin_with(true))?;
                self.begun = self.begun_with(start, &shadow);
                result.lost = lost(&saved_stage, &begun.declared, &shadow);
                shadow.continue_from_saved(saved_stage, &begun.declared, stage);
                (run, made)
            }
        };
        result.lost.extend(self.find_models(&mut shadow));
        let MainRun { old, .. } = run;
        let new = self.with_program(|program| std::mem::replace(program, old));
        self.end_program(stage);
        let old = self.with_program(|program| std::mem::replace(program, new));
        *stage = shadow;
        if let Some(made) = &made {
            result.lost.extend(self.connect(made, &tables));
        }
        self.find_unscripted(stage, is_exact.then_some(begun.n_functions));
        self.restore_params(stage, &params);
        self.with_program(|program| restore_open_intervals(&mut program.listeners, stage));
        self.call_load(stage, &extra, params);
        self.restore_states(stage, entered, None);
        result.lost.extend(self.machines_without_functions(stage));
        self.write_pictures();
        self.note_foreign_callbacks(&source.main);
        drop(old);
        self.restore_memory_limit();
        result.loaded = self.loaded(Vec::new(), Vec::new(), Vec::new());
        Ok(result)
    }

    /// Gives characters that the script made later the present version of their models. Returns a line for each character that
    /// cannot have it, which is removed.
    fn find_models(&self, stage: &mut Stage) -> Vec<String> {
        let services = self.with_world(|world| world.services.clone());
        let outlines = stage.outlines();
        let outlines: Vec<(Handle, String)> = outlines
            .map(|(handle, key)| (handle, key.to_owned()))
            .collect();
        let mut lost = Vec::new();
        for (handle, key) in outlines {
            let found = model_of(&*services, &key);
            let replaced = found.and_then(|definition| {
                let own = stage.characters.get(handle);
                let made = own.map_or(&[][..], |own| &own.playback.own_clips);
                let definition = definition.with_made(made).map_err(|all| all.join("; "))?;
                let replaced = stage.replace_definition(handle, definition);
                replaced.map_err(|problems| {
                    let texts = problems.iter().map(ToString::to_string);
                    texts.collect::<Vec<_>>().join("; ")
                })
            });
            if let Err(why) = replaced {
                let name = stage.characters.get(handle).map(Character::shown_name);
                lost.push(format!("{}: {why}", name.unwrap_or_default()));
                stage.characters.take_off(handle);
            }
        }
        lost
    }

    fn connect(&self, made: &MadeTables, tables: &SavedTables) -> Vec<String> {
        self.with_program(|program| {
            let missing = made.connect(tables, &program.sources).into_iter();
            let in_words = |name| format!("{name}, to which kept tables refer, no longer exists");
            missing.map(in_words).collect()
        })
    }

    /// Finds machines without functions: the script set them after its main part. `n_functions`: numbers of the functions of
    /// the main part, if the stage continues exactly.
    fn find_unscripted(&mut self, stage: &Stage, n_functions: Option<[usize; 2]>) {
        self.with_program(|program| {
            let machines = &mut program.machines;
            for (handle, character) in stage.characters.iter() {
                let Some((machine, _)) = &character.playback.machine else {
                    continue;
                };
                let predicates = machine.predicates();
                let mut numbers = [predicates.iter().map(|one| one.0).max(), None];
                numbers[1] = machine.behaviours().map(|one| one.0).max();
                let is_later =
                    |(last, n): (Option<u32>, usize)| last.is_some_and(|last| last as usize >= n);
                let is_gone = match n_functions {
                    Some(n) => numbers.into_iter().zip(n).any(is_later),
                    None => numbers != [None, None] && !machines.params.contains_key(&handle),
                };
                if is_gone {
                    machines.states.characters.remove(&handle);
                    machines.params.remove(&handle);
                    machines.without_functions.insert(handle);
                }
            }
        });
    }

    /// Gives machines their saved parameters. A machine that the script set after its main part gets a new table.
    fn restore_params(&mut self, stage: &mut Stage, saved: &[SavedParams]) {
        for saved in saved {
            let character = saved.character;
            let has_table =
                self.with_program(|program| program.machines.params.contains_key(&character));
            let lua = self.lua().clone();
            if !has_table
                && let Err(error) = self.with_call_budget(stage, || make_params(&lua, character))
            {
                self.report(&error);
            }
            self.with_program(|program| {
                if let Some(params) = program.machines.params.get(&character) {
                    saved.put_into(params);
                }
            });
        }
    }

    /// Calls `on_load`, which may give machines their functions again.
    fn call_load(&mut self, stage: &mut Stage, extra: &SavedTables, params: Vec<SavedParams>) {
        let Some(on_load) = self.with_program(|program| program.sources.global_function("on_load"))
        else {
            return;
        };
        let extra = match extra.make(&self.lua, false) {
            Ok(made) => made.kept.into_iter().next().map(|(_, table)| table),
            Err(error) => return self.report(&error),
        };
        self.with_world(|world| world.loading.saved_params = Some(params));
        self.begin_tick();
        self.call_guarded::<Value>(stage, &on_load, extra);
        self.with_world(|world| world.loading.saved_params = None);
    }

    /// Lists the machines that still lack their functions.
    fn machines_without_functions(&self, stage: &Stage) -> Vec<String> {
        self.with_program(|program| {
            let gone = program.machines.without_functions.iter();
            let named = gone.filter_map(|handle| stage.characters.get(*handle));
            let in_words = |character: &Character| {
                let name = character.shown_name();
                format!(
                    "{name}: the functions of its state machine are gone, because the script set the machine after its main \
                     part; set it again in `on_load`, and it continues in its state"
                )
            };
            named.map(in_words).collect()
        })
    }
}

/// Characters of the saved game that the new version no longer makes.
fn lost(saved: &Stage, declared: &DeclaredObjects, new: &Stage) -> Vec<String> {
    let is_there = |handle: Handle| new.characters.get(handle).is_some();
    let all = saved.characters.iter();
    let gone = all.filter(|(handle, own)| declared.has(&own.identity) && !is_there(*handle));
    gone.map(|(_, own)| {
        let name = own.shown_name();
        format!("{name} is not in this version of the script")
    })
    .collect()
}

/// Hash (FNV-1a, 64 bits) of all texts with their paths.
fn hash_of(texts: &Texts) -> u64 {
    let mut all: Vec<_> = texts.iter().collect();
    all.sort();
    let bytes = all
        .into_iter()
        .flat_map(|(path, text)| path.bytes().chain([0]).chain(text.bytes()).chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
