//! Script errors with a message for the user.

use std::fmt;

use galatea_asset::VIEWER;
use galatea_stage::frame::SourceLine;

/// An error of a script, with its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// Path of the script, relative to the project.
    pub file: Option<String>,
    /// Line number, from 1.
    pub line: Option<u32>,
    /// Message.
    pub text: String,
    /// Call stack, innermost first, each `file:line in name`.
    pub trace: Vec<String>,
    /// True for a fault of a script version that ended with a hot reload, raised while it ended.
    pub is_from_ended_version: bool,
    pub(super) excerpt: Option<Box<Excerpt>>,
    /// Number under which the runtime counts repetitions; 0 if it is not counted.
    pub(super) number: u32,
}

/// Source lines around a position. Boxed separately so that a returned fault is small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt(pub Vec<SourceLine>);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: {}", self.text)?,
            (Some(file), None) => write!(f, "{file}: {}", self.text)?,
            _ => write!(f, "{}", self.text)?,
        }
        for call in self.calls() {
            write!(f, "\n  called from {call}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// Call stack as far as it is known, innermost first, without the position itself.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.trace.iter().skip(1).take(8).map(String::as_str)
    }

    /// Source lines around the position, from the text that ran; empty if there are none.
    pub fn source(&self) -> &[SourceLine] {
        self.excerpt.as_ref().map_or(&[], |excerpt| &excerpt.0)
    }

    /// Position as `file:line`, as the file alone, or empty.
    pub fn location(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            _ => String::new(),
        }
    }

    /// Creates a fault about a file as a whole.
    pub fn of_file(file: &str, text: impl Into<String>) -> Self {
        Self {
            file: Some(file.to_owned()),
            text: text.into(),
            ..Self::default()
        }
    }

    /// Sets the position and the call stack from a traceback if the fault has none.
    pub(super) fn set_location(mut self, traceback: &str) -> Self {
        if self.trace.is_empty() {
            self.trace.extend(traceback.lines().filter_map(trace_line));
        }
        if self.file.is_none()
            && let Some((file, line)) = self.trace.first().and_then(|call| place_of(call))
        {
            (self.file, self.line) = (Some(file), Some(line));
        }
        self.without_viewer()
    }

    /// Removes positions in the script of the model viewer, which the user did not write.
    pub(super) fn without_viewer(mut self) -> Self {
        if self.file.as_deref() == Some(VIEWER) {
            (self.file, self.line) = (None, None);
            self.trace.clear();
        }
        self
    }

    /// Converts an error of the VM.
    pub fn from_lua(error: &mlua::Error) -> Self {
        let mut trace = Vec::new();
        let text = innermost(error, &mut trace);
        let (message, appended) = split_trace(&text);
        let own: Vec<String> = appended.lines().filter_map(trace_line).collect();
        if !own.is_empty() {
            trace = own;
        }
        let (place, text) = split_location(message);
        let place = place.or_else(|| trace.first().and_then(|call| place_of(call)));
        let text = match text.trim() {
            "" => "an error without a message".to_owned(),
            text => text.to_owned(),
        };
        Self {
            file: place.as_ref().map(|(file, _)| file.clone()),
            line: place.map(|(_, line)| line),
            text,
            trace,
            ..Self::default()
        }
        .without_viewer()
    }
}

fn innermost(error: &mlua::Error, trace: &mut Vec<String>) -> String {
    match error {
        mlua::Error::CallbackError { traceback, cause } => {
            let text = innermost(cause, trace);
            // The call stack of an inner cause contains the calls of the outer error.
            if trace.is_empty() {
                trace.extend(traceback.lines().filter_map(trace_line));
            }
            text
        }
        mlua::Error::WithContext { context, cause } => {
            format!("{context}: {}", innermost(cause, trace))
        }
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        mlua::Error::RuntimeError(message) => message.clone(),
        mlua::Error::MemoryError(_) => {
            "out of memory: the script exceeded its limit; free tables, or raise `memory_mb` in galatea.toml"
                .into()
        }
        mlua::Error::ExternalError(inner) => inner.to_string(),
        other => other.to_string(),
    }
}

/// Name of the chunk that creates the object of a test.
pub(super) const TESTING_CHUNK: &str = "testing";

/// Maximum length of a file name at the beginning of a message, bytes.
const MAX_FILE: usize = 1024;
/// Maximum length of a message that is parsed, bytes.
const MAX_MESSAGE: usize = 16 << 10;

/// Splits a message, shortened to the maximum length, from the traceback that the VM appended.
fn split_trace(text: &str) -> (&str, &str) {
    const TITLE: &str = "\nstack traceback:";
    let head = &text[..text.floor_char_boundary(MAX_MESSAGE)];
    if let Some(parts) = head.split_once(TITLE) {
        return parts;
    }
    let rest = text.rsplit_once(TITLE).map_or("", |(_, rest)| rest);
    (head, rest)
}

/// Returns true for chunks that belong to mlua or to the runtime.
pub(super) fn is_internal(file: &str) -> bool {
    file.starts_with("__mlua")
        || file.starts_with('[')
        || file == "__error"
        || file == "__library"
        || file == TESTING_CHUNK
}

/// Converts `scripts/main.lua:12 function update` to `scripts/main.lua:12 in update`.
fn trace_line(line: &str) -> Option<String> {
    let line = line.trim();
    let (file, rest) = line.split_once(':')?;
    if file.is_empty() || is_internal(file) {
        return None;
    }
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() {
        return None;
    }
    let name = rest[digits.len()..]
        .trim_start_matches([':', ' '])
        .trim_start_matches("in function ")
        .trim_start_matches("in ")
        .trim_start_matches("function ")
        .trim_matches(['\'', '`', '<', '>', ' ']);
    Some(if name.is_empty() {
        format!("{file}:{digits}")
    } else {
        format!("{file}:{digits} in {name}")
    })
}

/// Position of a call in a traceback.
fn place_of(call: &str) -> Option<(String, u32)> {
    split_location(&format!("{call}: ")).0
}

/// Splits `scripts/main.lua:12: text` into ((file, 12), text).
fn split_location(message: &str) -> (Option<(String, u32)>, &str) {
    let mut from = 0;
    while let Some(found) = message[from..].find(':') {
        let colon = from + found;
        if colon > MAX_FILE {
            break;
        }
        let rest = &message[colon + 1..];
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let after = &rest[digits..];
        let file = &message[..colon];
        let internal = is_internal(file);
        let ends = after.is_empty() || after.starts_with(':') || after.starts_with(' ');
        if digits > 0
            && ends
            && !file.is_empty()
            && !file.contains(['\n', ' ', '"'])
            && let Ok(line) = rest[..digits].parse()
        {
            if internal {
                return (None, after.trim_start_matches(':'));
            }
            return (Some((file.to_owned(), line)), after.trim_start_matches(':'));
        }
        from = colon + 1;
    }
    (None, message)
}

/// Call stack of a coroutine.
pub(super) fn traceback(lua: &mlua::Lua, thread: &mlua::Thread) -> String {
    let debug: mlua::Result<mlua::Table> = lua.globals().get("debug");
    let text = debug
        .and_then(|debug| debug.raw_get::<mlua::Function>("traceback"))
        .and_then(|traceback| traceback.call::<mlua::LuaString>(thread.clone()));
    text.map_or_else(|_| String::new(), |text| text.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_location_is_removed_from_the_message() {
        let (place, text) = split_location("scripts/main.lua:12: no clip \"wlak\"");
        assert_eq!(place, Some(("scripts/main.lua".into(), 12)));
        assert_eq!(text.trim(), "no clip \"wlak\"");
        assert_eq!(split_location("no place: here").0, None);
    }

    #[test]
    fn a_trace_line_keeps_location_and_name_and_drops_native_code() {
        assert_eq!(
            trace_line("scripts/main.lua:4 function step").as_deref(),
            Some("scripts/main.lua:4 in step")
        );
        assert_eq!(trace_line("[C] in ?"), None);
    }
}
