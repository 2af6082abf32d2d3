//! Saved games: `save`, `load`, `saves` and `delete_save`.

use mlua::{Lua, Value};

use super::check::{Args, Param, Type};
use super::group::Function;
use crate::budget::charge;
use crate::save_slot::{GameStore, SaveSlot};
use crate::saved_value::{NamedTables, SavedTables};
use crate::services::Services;
use crate::world::{SaveRequest, with_world};
use galatea_persist::{decode, encode, no_externals};

/// Maximum number of games that a script may save in one tick.
const MAX_SAVES_PER_TICK: usize = 8;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn slot_of(args: &Args, what: &str) -> mlua::Result<String> {
    let slot = args.text(0).unwrap_or_default();
    match SaveSlot::check_name(&slot) {
        Ok(()) => Ok(slot),
        Err(why) => Err(wrong(format!("{what}: {why}"))),
    }
}

fn save(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let slot = slot_of(&args, "save")?;
    let extra = match args.table(1) {
        Some(table) => SavedTables::of_one("extra", &table),
        None => Ok(SavedTables::default()),
    };
    let extra = extra.map_err(|why| wrong(format!("save: {why}")))?;
    // The game is copied at the end of the tick. A value that cannot be saved is an error of this line.
    let tables = with_world(lua, |world| {
        let program = &world.program;
        if world.loading.is_running {
            return Err(wrong(
                "save: the main part of a script cannot save, because the game has not begun; call it in a function",
            ));
        }
        let named = NamedTables::of(&program.sources, &program.reload_tables);
        SavedTables::of(&program.reload_tables, &named).map_err(|why| wrong(format!("save: {why}")))
    })?;
    charge(lua, 4 * (tables.n_entries() + extra.n_entries()) as u64)?;
    with_world(lua, |world| {
        let saves = &mut world.requests.saves;
        saves.retain(|known| known.slot != slot);
        if saves.len() >= MAX_SAVES_PER_TICK {
            return Err(wrong(format!(
                "save: a script can save at most {MAX_SAVES_PER_TICK} games in one tick"
            )));
        }
        let extra = encode(&extra).map_err(|error| wrong(format!("save: {error}")))?;
        saves.push(SaveRequest { slot, extra });
        Ok(Value::Nil)
    })
}

fn load(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let slot = slot_of(&args, "load")?;
    with_world(lua, |world| {
        if world.loading.is_running {
            return Err(wrong(
                "load: the main part of a script cannot load a game, because the game has not begun; call it in a function",
            ));
        }
        let is_saved_now = world.requests.saves.iter().any(|one| one.slot == slot);
        let slots = slots(&*world.services)?;
        let exists = is_saved_now || slots.iter().any(|known| known.slot == slot);
        if exists {
            world.requests.load = Some(slot);
        }
        Ok(Value::Boolean(exists))
    })
}

fn slots(services: &dyn Services) -> mlua::Result<Vec<SaveSlot>> {
    let all = services.saves().map_or(Ok(Vec::new()), GameStore::list);
    all.map_err(wrong)
}

fn saves(lua: &Lua, _: Args) -> mlua::Result<Value> {
    let slots = with_world(lua, |world| slots(&*world.services))?;
    charge(lua, 200 * slots.len() as u64)?;
    let list = lua.create_table()?;
    for (i, slot) in slots.into_iter().enumerate() {
        let entry = lua.create_table()?;
        entry.raw_set("slot", slot.slot)?;
        entry.raw_set("play_time", slot.play_time)?;
        entry.raw_set("date", slot.date)?;
        entry.raw_set("problem", slot.problem)?;
        // A damaged file has no values.
        let extra: SavedTables = decode(&slot.extra, no_externals).unwrap_or_default();
        let extra = extra.make(lua, true)?.kept.into_iter().next();
        let extra = extra.map_or_else(|| lua.create_table(), |(_, table)| Ok(table))?;
        entry.raw_set("extra", extra)?;
        list.raw_set(i + 1, entry)?;
    }
    Ok(Value::Table(list))
}

fn delete_save(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let slot = slot_of(&args, "delete_save")?;
    with_world(lua, |world| {
        world.requests.saves.retain(|one| one.slot != slot);
        let existed = match world.services.saves() {
            Some(saves) => saves.delete(&slot).map_err(wrong)?,
            None => false,
        };
        Ok(Value::Boolean(existed))
    })
}

const SLOT: Param = Param {
    name: "slot",
    ty: Type::Text,
    optional: false,
};

/// The global `save`.
pub(super) const SAVE: Function = Function {
    name: "save",
    params: &[
        SLOT,
        Param {
            name: "extra",
            ty: Type::Table("{ [string]: any }"),
            optional: true,
        },
    ],
    returns: "",
    doc: "Saves the game under a name of your choice, the slot: up to 64 letters, digits, spaces, `-` and `_`. An older game in \
          the slot is replaced. It saves all that is on the stage, and the `keep_on_reload` tables with numbers, texts, vectors, \
          tables, and characters and other objects. A function or a running sound in such a table is an error. Other variables \
          are not saved.\n\n\
          The game is saved at the end of this tick, and written to disk in the background. `extra` is a table for your menu, \
          for example `{ title = \"Bridge\" }`: `saves()` returns it, and `on_load` gets it.",
    example: "function update()\n\tif input.pressed(\"f5\") then save(\"slot 1\", { title = \"The bridge\" }) end\nend",
    call: save,
};

/// The global `load`.
pub(super) const LOAD: Function = Function {
    name: "load",
    params: &[SLOT],
    returns: "boolean",
    doc: "Loads a saved game at the end of this tick. Returns false if the slot is empty. The script runs again from its \
          beginning; its `keep_on_reload` tables have their saved values. Then everything on the stage continues where it was, and \
          `on_load` is called. Tasks start again. If the game cannot be loaded, a message says why, and the running game \
          continues.",
    example: "function update()\n\tif input.pressed(\"f9\") and not load(\"slot 1\") then print(\"the slot is empty\") end\nend",
    call: load,
};

/// The global `saves`.
pub(super) const SAVES: Function = Function {
    name: "saves",
    params: &[],
    returns: "{ { slot: string, play_time: number, date: string, extra: { [string]: any }, problem: string? } }",
    doc: "Returns the saved games, the newest first. `play_time` is the time in the game, in seconds. `date` is the time at which \
          it was saved, such as `2026-05-31 18:30` (UTC). `extra` is the table that was given to `save`. If a file is damaged, \
          `problem` says why.",
    example: "for i, one in saves() do print(one.slot, one.date, one.extra.title) end",
    call: saves,
};

/// The global `delete_save`.
pub(super) const DELETE_SAVE: Function = Function {
    name: "delete_save",
    params: &[SLOT],
    returns: "boolean",
    doc: "Deletes a saved game. Returns false if the slot is empty.",
    example: "delete_save(\"slot 1\")",
    call: delete_save,
};
