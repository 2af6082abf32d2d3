//! The handle of a conversation.

use std::sync::Arc;

use mlua::{AnyUserData, Function, Lua, Value};

use crate::talks::Talk;
use crate::tasks::Ended;
use crate::world::with_world;
use galatea_stage::{ConversationPlan, MAX_CONVERSATIONS};

pub(super) fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// A script's handle of a conversation.
#[derive(Clone, Debug)]
pub(super) struct ConversationRef {
    pub id: u64,
    pub ended: Ended,
}

/// Starts a conversation and returns its handle.
pub(super) fn begin(
    lua: &Lua,
    plan: ConversationPlan,
    calls: Vec<Function>,
) -> mlua::Result<Value> {
    let id = with_world(lua, |world| {
        let stage = &mut world.stage;
        let (ids, rng, now) = (&mut stage.ids, &mut stage.rng, stage.clock.time());
        let begun = stage
            .conversations
            .begin(Arc::new(plan), ids, rng, &mut stage.speech, now);
        Ok(begun)
    })?;
    let most = || {
        wrong(format!(
            "conversation: {MAX_CONVERSATIONS} conversations are already running, which is the limit"
        ))
    };
    let id = id.ok_or_else(most)?;
    let ended = Ended::default();
    let hold = ConversationRef {
        id,
        ended: ended.clone(),
    };
    let hold: AnyUserData = lua.create_userdata(hold)?;
    with_world(lua, |world| {
        let talk = Talk {
            ended,
            hold: hold.clone(),
            calls,
            on: Vec::new(),
            waits: None,
        };
        world.program.conversations.insert(id, talk);
        Ok(())
    })?;
    Ok(Value::UserData(hold))
}
