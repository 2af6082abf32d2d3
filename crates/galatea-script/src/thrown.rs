//! Tables that a script throws as errors: faults show their message instead of their address.
//!
//! The VM passes a thrown value on only as text. Therefore `error` records a table before it throws it. The address in
//! the text shows if the fault is about this table or about one that the script caught.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, Table};

use super::fault::Fault;
use galatea_machine::SourceLocation;

/// Last thrown table, and the location of the throw.
#[derive(Default)]
pub struct Thrown(RefCell<Option<(Table, Option<SourceLocation>)>>);

/// Lua replacement of `error` that records tables before it throws them, and shortens texts of more than 1 MB: the VM
/// copies a text several times.
const ERROR: &str = r#"
local throw, note, sub = ...
return function(value, level)
	if type(value) == "table" then
		note(value)
	elseif type(value) == "string" and #value > 1000000 then
		value = sub(value, 1, 1000000) .. "…"
	end
	throw(value, if level == nil then 2 elseif type(level) == "number" and level > 0 then level + 1 else level)
end
"#;

/// Messages of the VM when it cannot convert a thrown value to text.
const FAILED: [&str; 2] = [
    "error in error handling",
    "'__tostring' must return a string",
];

impl Thrown {
    /// Replaces the VM's `error` by one that records tables.
    pub fn register(lua: &Lua) -> mlua::Result<Rc<Self>> {
        let thrown = Rc::new(Self::default());
        let noted = thrown.clone();
        let note = lua.create_function(move |lua, table: Table| {
            // On the call stack, the script is above this function and the `error` that calls it.
            let place = lua.inspect_stack(2, |debug| {
                let source = debug.source().source?;
                Some(SourceLocation {
                    file: source.trim_start_matches(['@', '=']).to_owned(),
                    line: debug.current_line()? as u32,
                })
            });
            noted.0.replace(Some((table, place.flatten())));
            Ok(())
        })?;
        let globals = lua.globals();
        let throw: Function = globals.raw_get("error")?;
        let sub: Function = globals.raw_get::<Table>("string")?.raw_get("sub")?;
        let error = lua.load(ERROR).set_name("=__error");
        let error: Function = error.call((throw, note, sub))?;
        globals.raw_set("error", error)?;
        Ok(thrown)
    }

    /// Replaces the text of a thrown table by its `message` field, if it has one. A table with `__tostring` already has
    /// a text.
    pub fn put_in_words(&self, fault: &mut Fault) {
        let last = self.0.take();
        let failed = FAILED.contains(&fault.text.as_str());
        let thrown = match &last {
            Some((table, _)) if failed => has_text(table),
            Some((table, _)) => fault.text == format!("table: {:?}", table.to_pointer()),
            None => false,
        };
        if let (true, Some((table, place))) = (thrown, last) {
            let message: mlua::Result<mlua::Value> = table.raw_get("message");
            let message = message.ok().and_then(|message| {
                let text = message.as_string()?;
                Some(text.to_string_lossy())
            });
            fault.text = match message {
                Some(message) => message,
                None if failed => "a table was thrown, and its __tostring failed".into(),
                None => "a table was thrown".into(),
            };
            if let (None, Some(place)) = (&fault.file, place) {
                (fault.file, fault.line) = (Some(place.file), Some(place.line));
            }
        } else if fault.text == FAILED[0] {
            fault.text = "an error whose text could not be read; it may be too long".into();
        } else if let Some((kind, address)) = fault.text.split_once(": 0x")
            && kind.chars().all(|c| c.is_ascii_alphanumeric())
            && address.chars().all(|c| c.is_ascii_hexdigit())
        {
            let is_builtin = ["table", "function", "thread", "userdata", "buffer"].contains(&kind);
            fault.text = if is_builtin {
                format!("a {kind} was thrown")
            } else {
                format!("a value of type {kind} was thrown")
            };
        }
    }
}

fn has_text(table: &Table) -> bool {
    let meta = table.metatable();
    meta.is_some_and(|meta| meta.contains_key("__tostring").unwrap_or(false))
}
