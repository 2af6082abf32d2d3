//! The handle of an act.

use mlua::{Lua, Value};

use super::check::Args;
use crate::acts::{ActId, Ended};
use crate::world::with_world;
use galatea_stage::Handle;

/// A script's handle of an act, which is also the argument of the act's function.
#[derive(Clone, Debug)]
pub(super) struct ActRef {
    pub id: ActId,
    pub character: Option<Handle>,
    pub ended: Ended,
}

/// Creates the handle of an act.
///
/// # Errors
/// Returns an error if the act is over or the VM is out of memory.
pub(crate) fn act_value(lua: &Lua, id: ActId) -> mlua::Result<Value> {
    let hold = with_world(lua, |world| {
        let act = world.program.acts.get(id).ok_or_else(over)?;
        Ok(ActRef {
            id,
            character: act.character,
            ended: act.ended.clone(),
        })
    })?;
    Ok(Value::UserData(lua.create_userdata(hold)?))
}

pub(super) fn over() -> mlua::Error {
    mlua::Error::runtime("this act is over")
}

/// Act of argument 0.
pub(super) fn act_of(args: &Args) -> mlua::Result<ActRef> {
    args.object(0).ok_or_else(over)
}

/// Character of the act of argument 0.
pub(super) fn character_of_act(args: &Args, what: &str) -> mlua::Result<Handle> {
    character_of(&act_of(args)?, what)
}

pub(super) fn character_of(act: &ActRef, what: &str) -> mlua::Result<Handle> {
    act.character.ok_or_else(|| {
        mlua::Error::runtime(format!(
            "{what}: this act belongs to no character; begin it with hero:act"
        ))
    })
}
