//! Summary lines of what a hot reload of the scripts changed.

use std::collections::HashMap;
use std::rc::Rc;

use mlua::{Function, Table, Value};

use super::program::Program;
use galatea_machine::ScriptedPart;
use galatea_stage::Stage;

/// Lists what the new version changed: lines of files, machines by character, characters, listeners, marks, and kept
/// values. `before` and `after` are the stages that the two versions made.
pub(super) fn changes(old: &Program, new: &Program, before: &Stage, after: &Stage) -> Vec<String> {
    let mut lines = files(&old.sources.texts, &new.sources.texts);
    lines.extend(machines(old, new, before, after));
    let names = |a: &Stage, b: &Stage| {
        let characters = a.characters.iter();
        let gone = characters.filter(|(handle, a)| {
            b.characters
                .get(*handle)
                .is_none_or(|b| a.identity != b.identity)
        });
        gone.map(|(_, character)| character.shown_name().to_owned())
            .collect::<Vec<_>>()
    };
    lines.extend(counted(&names(after, before), "character", "added"));
    lines.extend(counted(&names(before, after), "character", "removed"));
    let listeners = [old, new].map(|program| program.listeners.count());
    lines.extend(more_or_fewer("listener", listeners[0], listeners[1]));
    let marks = |stage: &Stage| {
        let characters = stage.characters.iter();
        characters
            .map(|(_, character)| character.playback.script_markers.len())
            .sum()
    };
    lines.extend(more_or_fewer("marker", marks(before), marks(after)));
    for (name, table) in &new.reload_tables {
        let was = old.reload_tables.iter().find(|(known, _)| known == name);
        let Some((_, was)) = was else { continue };
        let added = added_keys(was, table);
        lines.extend(counted(
            &added,
            &format!("value of keep_on_reload {name:?}"),
            "added",
        ));
    }
    lines
}

/// Formats a count such as `1 state added (jump)`; `None` if there are no names.
fn counted(names: &[String], noun: &str, verb: &str) -> Option<String> {
    const MAX_NAMES: usize = 4;
    if names.is_empty() {
        return None;
    }
    let plural = if names.len() == 1 { "" } else { "s" };
    let noun = match noun.split_once(' ') {
        Some((first, rest)) => format!("{first}{plural} {rest}"),
        None => format!("{noun}{plural}"),
    };
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    let shown = &names[..names.len().min(MAX_NAMES)];
    Some(format!(
        "{} {noun} {verb} ({}{more})",
        names.len(),
        shown.join(", ")
    ))
}

fn more_or_fewer(noun: &str, before: usize, after: usize) -> Option<String> {
    let (n, verb) = match before.cmp(&after) {
        std::cmp::Ordering::Less => (after - before, "added"),
        std::cmp::Ordering::Greater => (before - after, "removed"),
        std::cmp::Ordering::Equal => return None,
    };
    let plural = if n == 1 { "" } else { "s" };
    Some(format!("{n} {noun}{plural} {verb}"))
}

fn added_keys(was: &Table, now: &Table) -> Vec<String> {
    let pairs = now.pairs::<Value, Value>().flatten();
    let is_new = |key: &Value| matches!(was.raw_get::<Value>(key.clone()), Ok(Value::Nil));
    let named = pairs.filter_map(|(key, _)| match &key {
        Value::String(name) if is_new(&key) => Some(name.to_string_lossy()),
        _ => None,
    });
    let mut names: Vec<String> = named.collect();
    names.sort();
    names
}

fn files(old: &HashMap<String, Rc<str>>, new: &HashMap<String, Rc<str>>) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, text) in new {
        match old.get(path) {
            None => lines.push(format!("{path} is new")),
            Some(was) => {
                lines.extend(changed_lines(was, text).map(|words| format!("{path}: {words}")));
            }
        }
    }
    let gone = old.keys().filter(|path| !new.contains_key(*path));
    lines.extend(gone.map(|path| format!("{path} is no longer used")));
    lines.sort();
    lines
}

/// Range of changed lines in the new text, without the common beginning and the common end of both texts.
fn changed_lines(was: &str, now: &str) -> Option<String> {
    let (was, now): (Vec<&str>, Vec<&str>) = (was.lines().collect(), now.lines().collect());
    let same =
        |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = same(&mut was.iter().zip(&now));
    if head == was.len() && head == now.len() {
        return None;
    }
    let shortest = was.len().min(now.len()) - head;
    let tail = same(&mut was.iter().rev().zip(now.iter().rev())).min(shortest);
    let (first, last) = (head + 1, now.len() - tail);
    Some(match (first, last) {
        (first, last) if first == last => format!("line {first}"),
        (first, last) if first < last => format!("lines {first} to {last}"),
        _ => match was.len() - tail - head {
            1 => format!("1 line removed before line {first}"),
            n => format!("{n} lines removed before line {first}"),
        },
    })
}

/// Changes in machines; characters with the same change share a line.
fn machines(old: &Program, new: &Program, before: &Stage, after: &Stage) -> Vec<String> {
    let same = |a: ScriptedPart, b: ScriptedPart| texts_of(old, a) == texts_of(new, b);
    let mut found: Vec<(Vec<&str>, String)> = Vec::new();
    for (handle, character) in after.characters.iter() {
        let was = before.characters.get(handle);
        let Some(was) = was.filter(|was| was.identity == character.identity) else {
            continue;
        };
        let words = match (&was.playback.machine, &character.playback.machine) {
            (Some((was, _)), Some((now, _))) => {
                galatea_machine::changes(&was.def, &now.def, &same).join(", ")
            }
            (None, Some(_)) => "machine added".to_owned(),
            (Some(_), None) => "machine removed".to_owned(),
            (None, None) => continue,
        };
        if words.is_empty() {
            continue;
        }
        match found.iter_mut().find(|(_, known)| *known == words) {
            Some((names, _)) => names.push(character.shown_name()),
            None => found.push((vec![character.shown_name()], words)),
        }
    }
    let in_words = |(names, words): (Vec<&str>, String)| match &names[..] {
        [one] => format!("{one}: {words}"),
        [one, rest @ ..] => format!("{one} and {} more: {words}", rest.len()),
        [] => words,
    };
    found.into_iter().map(in_words).collect()
}

/// Source texts of the functions of a scripted part of a machine.
fn texts_of(program: &Program, given: ScriptedPart) -> Vec<String> {
    match given {
        ScriptedPart::Condition(number) => {
            let condition = program.machines.predicates.get(number.0 as usize);
            condition
                .iter()
                .map(|(function, _)| text_of(program, function))
                .collect()
        }
        ScriptedPart::Behaviour(number) => {
            let Some(script) = program.machines.states.scripts.get(number.0 as usize) else {
                return Vec::new();
            };
            let own = [&script.enter, &script.update, &script.leave, &script.task];
            let of = |function: &Option<Function>| {
                let function = function.as_ref();
                function.map_or_else(String::new, |function| text_of(program, function))
            };
            let heard = script.on.iter();
            let heard = heard.map(|(event, f)| format!("{event} {}", text_of(program, f)));
            own.into_iter().map(of).chain(heard).collect()
        }
    }
}

/// Source lines of a function, found by indentation: its first line and, unless the function ends there, all lines up
/// to the `end` with the same indentation.
pub(super) fn text_of(program: &Program, function: &Function) -> String {
    let info = function.info();
    let file = info
        .source
        .map(|source| source.trim_start_matches(['@', '=']).to_owned());
    let text = file.and_then(|file| program.sources.texts.get(&file));
    let (Some(text), Some(first)) = (text, info.line_defined) else {
        return String::new();
    };
    let mut lines = text.lines().skip(first.saturating_sub(1));
    let Some(head) = lines.next() else {
        return String::new();
    };
    let words = |word: &str| {
        let all = head.split(|c: char| !c.is_alphanumeric() && c != '_');
        all.filter(|w| *w == word).count()
    };
    let mut out = head.trim().to_owned();
    if words("function") <= words("end") {
        return out;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    for line in lines {
        out.push('\n');
        out.push_str(line.trim());
        if line.trim_start().starts_with("end") && indent(line) <= indent(head) {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[test]
    fn the_lines_that_a_save_changed_are_named() {
        let words = |was: &str, now: &str| changed_lines(was, now);
        assert_eq!(words("a\nb\nc", "a\nb\nc"), None);
        assert_eq!(words("a\nb\nc", "a\nx\nc").as_deref(), Some("line 2"));
        assert_eq!(
            words("a\nb\nc", "a\nx\ny\nc").as_deref(),
            Some("lines 2 to 3")
        );
        assert_eq!(
            words("a\nb\nc", "a\nc").as_deref(),
            Some("1 line removed before line 2")
        );
        assert_eq!(
            words("a\na\na", "a").as_deref(),
            Some("2 lines removed before line 2")
        );
        assert_eq!(words("", "a\nb").as_deref(), Some("lines 1 to 2"));
        assert_eq!(words("a", "a\na").as_deref(), Some("line 2"));
    }
}
