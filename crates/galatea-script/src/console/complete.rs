//! Completion of a console line: names of locals, globals, module functions, methods, properties and table keys. Inside
//! quotes: the names that the called function accepts.
//!
//! Completion reads the value before a dot or a colon and never calls functions.

use std::collections::BTreeSet;

use mlua::{AnyUserData, Lua, Table, Value};

use super::answer::{WATCH_BUDGET, WORDS};
use super::help;
use super::print::{group_of, kind_of};
use crate::api::character_ref::character_handle;
use crate::api::running::machine_handle;
use crate::globals;
use crate::host::Host;
use crate::world::{World, with_world};
use galatea_character::Character;
use galatea_stage::Stage;

/// Maximum number of names offered.
const MAX_NAMES: usize = 200;
/// Maximum number of metatables that are followed from a table.
const MAX_PARENTS: usize = 8;

/// Completions of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Start of the completed word, bytes.
    pub from: usize,
    /// Words that begin with the typed text, sorted.
    pub names: Vec<String>,
}

impl Completion {
    /// Longest common beginning of all names; empty if there are no names.
    pub fn common(&self) -> &str {
        let Some(first) = self.names.first() else {
            return "";
        };
        let shared = self.names.iter().fold(first.len(), |n, name| {
            let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b);
            n.min(same.count())
        });
        &first[..first.floor_char_boundary(shared)]
    }
}

impl Host {
    /// Completions at the end of `line`, which ends at the cursor.
    pub fn complete(&mut self, stage: &mut Stage, line: &str) -> Completion {
        let (from, mut names) = match open_quote(line) {
            Some(quote) => (quote + 1, self.names_in_quotes(stage, &line[..quote])),
            None => {
                let from = word_start(line);
                (from, self.names_of_words(stage, &line[..from]))
            }
        };
        let begun = &line[from..];
        let hides = |name: &str| name.starts_with('_') && !begun.starts_with('_');
        names.retain(|name| name.starts_with(begun) && !hides(name));
        Completion {
            from,
            names: names.into_iter().take(MAX_NAMES).collect(),
        }
    }

    /// Names that can follow `before`, outside of quotes.
    fn names_of_words(&mut self, stage: &mut Stage, before: &str) -> BTreeSet<String> {
        let lua = self.lua().clone();
        if let Some(separator) = before
            .chars()
            .next_back()
            .filter(|c| matches!(c, '.' | ':'))
        {
            let path = &before[..before.len() - 1];
            let path = &path[path_start(path)..];
            return match self.read_path(stage, path) {
                Some(value) => members(&lua, &value, separator),
                None => BTreeSet::new(),
            };
        }
        let first = before.trim();
        if first == "help" {
            let mut names: BTreeSet<String> = help::all_names().into_iter().collect();
            names.insert("locals".into());
            return names;
        }
        if first == "unwatch" {
            let watches = self.console.watches.iter();
            return watches.map(|watch| watch.expression.clone()).collect();
        }
        let mut names: BTreeSet<String> =
            globals::names(&globals::base(&lua)).into_iter().collect();
        self.with_program(|program| {
            let sources = &program.sources;
            names.extend(sources.env.iter().flat_map(globals::names));
            let locals = sources.locals.iter();
            names.extend(locals.flat_map(|one| one.names.iter().cloned()));
        });
        if first.is_empty() {
            names.extend(WORDS.map(|(word, _)| word.to_owned()));
        }
        names
    }

    /// Names that the function before an open quote accepts.
    fn names_in_quotes(&mut self, stage: &mut Stage, before: &str) -> BTreeSet<String> {
        let call = before.trim_end();
        let call = call.strip_suffix('(').unwrap_or(call).trim_end();
        let Some((path, method)) = call.rsplit_once([':', '.']) else {
            return BTreeSet::new();
        };
        let path = &path[path_start(path)..];
        if path == "sound" {
            return self.with_world(|world| world.services.sound_names().into_iter().collect());
        }
        let Some(Value::UserData(data)) = self.read_path(stage, path) else {
            return BTreeSet::new();
        };
        let lua = self.lua().clone();
        self.begin_tick();
        let names = self.with_call_budget(stage, || names_taken(&lua, &data, method));
        names.unwrap_or_default()
    }

    /// Value of a path such as `a.b.c`.
    pub(super) fn read_path(&mut self, stage: &mut Stage, path: &str) -> Option<Value> {
        if path.is_empty() {
            return None;
        }
        let function = self.compile_expression(path).ok()?;
        self.begin_tick();
        self.with_budget(stage, WATCH_BUDGET, || function.call(()))
            .ok()
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Start of the word at the end of a text.
fn word_start(text: &str) -> usize {
    text.trim_end_matches(is_name).len()
}

/// Start of the dotted path at the end of a text.
fn path_start(text: &str) -> usize {
    text.trim_end_matches(|c| is_name(c) || c == '.').len()
}

/// Position of a quote that is still open at the end of a line.
fn open_quote(line: &str) -> Option<usize> {
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some((_, quote)) if c == quote => open = None,
            None if c == '"' || c == '\'' => open = Some((at, c)),
            _ => {}
        }
    }
    open.map(|(at, _)| at)
}

/// Names that can follow a value after a dot or a colon.
fn members(lua: &Lua, value: &Value, separator: char) -> BTreeSet<String> {
    let calls = separator == ':';
    match value {
        Value::Table(table) => {
            let mut names = BTreeSet::new();
            keys(table, calls, &mut names, 0);
            names
        }
        Value::UserData(data) => {
            let Some(group) = kind_of(data).and_then(|kind| group_of(&kind)) else {
                return BTreeSet::new();
            };
            if calls {
                group.functions.iter().map(|f| f.name.to_owned()).collect()
            } else {
                let properties = group.properties.iter();
                properties
                    .map(|property| property.name.to_owned())
                    .collect()
            }
        }
        Value::String(_) if calls => {
            let mut names = BTreeSet::new();
            if let Ok(Value::Table(strings)) = globals::base(lua).raw_get("string") {
                keys(&strings, true, &mut names, 0);
            }
            names
        }
        Value::Vector(_) if !calls => ["x", "y", "z"].map(str::to_owned).into(),
        _ => BTreeSet::new(),
    }
}

fn keys(table: &Table, calls: bool, names: &mut BTreeSet<String>, depth: usize) {
    for (key, value) in table.pairs::<Value, Value>().flatten() {
        if names.len() >= MAX_NAMES {
            return;
        }
        let is_wanted = !calls || value.is_function();
        if let (Some(key), true) = (key.as_string(), is_wanted) {
            names.insert(key.to_string_lossy());
        }
    }
    let parent = table.metatable();
    let parent: Option<Value> = parent.and_then(|meta| meta.raw_get("__index").ok());
    if let (Some(Value::Table(parent)), true) = (parent, depth < MAX_PARENTS) {
        keys(&parent, calls, names, depth + 1);
    }
}

/// Names that a method of a value accepts as its first argument.
fn names_taken(lua: &Lua, data: &AnyUserData, method: &str) -> mlua::Result<BTreeSet<String>> {
    let handle = machine_handle(data).or_else(|| character_handle(data));
    let kind = kind_of(data).unwrap_or_default();
    with_world(lua, |world: &mut World| {
        let character = handle.and_then(|handle| world.stage.characters.get(handle));
        let names = character.map(|character| names_of(character, &kind, method));
        Ok(names.unwrap_or_default())
    })
}

fn names_of(character: &Character, kind: &str, method: &str) -> BTreeSet<String> {
    let definition = &character.definition;
    let machine = character
        .playback
        .machine
        .as_ref()
        .map(|(machine, _)| machine);
    let names: Vec<&str> = match (kind, method) {
        ("Character", "play" | "is_playing" | "stop" | "add_marker" | "clip") => {
            definition.clips.names().collect()
        }
        ("Character", "bone_position" | "bone_transform") => {
            let bones = definition.model.skeleton.bones().iter();
            bones.map(|bone| bone.name.as_str()).collect()
        }
        ("Character", "morph") => definition.morph_names().into_iter().collect(),
        ("Character", "show_part") => {
            let parts = definition.model.parts.iter();
            parts.map(|part| part.name.as_str()).collect()
        }
        ("Character", "on" | "once") => {
            let marks = character
                .playback
                .markers
                .iter()
                .flat_map(|marks| marks.iter());
            let marks = marks.map(|mark| mark.event.as_str());
            ["state_enter", "state_exit", "state_end"]
                .into_iter()
                .chain(marks)
                .collect()
        }
        ("Machine", "send") => machine.map_or_else(Vec::new, |m| m.events().collect()),
        ("Machine", "travel" | "why") => {
            machine.map_or_else(Vec::new, |m| m.state_names(0).collect())
        }
        ("Machine", "state" | "time_in_state" | "transition_history") => {
            machine.map_or_else(Vec::new, |m| m.layer_names().collect())
        }
        _ => Vec::new(),
    };
    names.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_quote_is_found_and_a_closed_one_is_not() {
        assert_eq!(open_quote("hero:play('wa"), Some(10));
        assert_eq!(open_quote("f('a', \"b"), Some(7));
        assert_eq!(open_quote(r"f('a\'"), Some(2));
        assert_eq!(open_quote("f('a')"), None);
    }

    #[test]
    fn the_common_beginning_is_that_of_all_names() {
        let of = |names: &[&str]| Completion {
            from: 0,
            names: names.iter().map(|&name| name.to_owned()).collect(),
        };
        assert_eq!(of(&["walk", "wave"]).common(), "wa");
        assert_eq!(of(&["größe", "größte"]).common(), "größ");
        assert_eq!(of(&["one"]).common(), "one");
        assert_eq!(of(&[]).common(), "");
    }
}
