//! Order of the modifiers of a character: `move_before` and `move_after`.

use mlua::{Lua, Value};

use super::super::check::Args;
use super::{ModifierRef, gone, wrong};
use crate::world::with_world;
use galatea_math::names::nearest_hint;

/// Moves a modifier directly before or after another.
pub(super) fn move_modifier(
    lua: &Lua,
    args: &Args,
    what: &str,
    other: &str,
    before: bool,
) -> mlua::Result<()> {
    let held: ModifierRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(held.character);
        let stack = character
            .and_then(|c| c.modifiers.modifier_stack.as_mut())
            .ok_or_else(gone)?;
        if stack.get_mut(held.id).is_none() {
            return Err(gone());
        }
        let Some(id) = stack.named(other).map(|other| other.id) else {
            let names = stack.modifiers.iter().map(|m| m.name.as_str());
            let hint = nearest_hint(other, names);
            return Err(wrong(format!(
                "{what}: there is no modifier {other:?}{hint}"
            )));
        };
        if stack.put(held.id, before, id) {
            if let Some(modifier) = stack.get_mut(held.id) {
                modifier.is_reordered = true;
            }
            Ok(())
        } else {
            Err(gone())
        }
    })
}

pub(super) fn move_before(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let other = args.text(1).unwrap_or_default();
    move_modifier(lua, &args, "move_before", &other, true).map(|()| Value::Nil)
}

pub(super) fn move_after(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let other = args.text(1).unwrap_or_default();
    move_modifier(lua, &args, "move_after", &other, false).map(|()| Value::Nil)
}
