//! Conversations that have not ended: their listeners, functions and waits.

use std::collections::BTreeMap;

use mlua::{AnyUserData, Function};

use super::listeners::Handler;
use super::tasks::Ended;
use galatea_stage::{ConversationEventKind, Event, EventKind};

/// Script data of a conversation that has not ended.
pub(super) struct Talk {
    /// End reason, `None` while the conversation runs; shared with the script's handle.
    pub ended: Ended,
    /// Handle in the script.
    pub hold: AnyUserData,
    /// Functions that the conversation calls, by number.
    pub calls: Vec<Function>,
    /// Listeners of the conversation.
    pub on: Vec<Handler>,
    /// End that the conversation waits for.
    pub waits: Option<Ended>,
}

/// Script calls caused by an event of a conversation.
pub(super) enum ConversationCalls {
    /// These listeners hear the event.
    Listeners(Vec<Handler>),
    /// Call of a function with the conversation as argument.
    Called(u64, Function, AnyUserData),
}

/// Listeners of an event of a conversation, or the function that it calls. Removes a conversation that has ended.
pub(super) fn calls_for(
    talks: &mut BTreeMap<u64, Talk>,
    event: &Event,
) -> Option<ConversationCalls> {
    let EventKind::Converse(told) = &event.kind else {
        return None;
    };
    let talk = talks.get(&told.id)?;
    if let ConversationEventKind::Call(function) = &told.kind {
        let function = talk.calls.get(*function as usize)?.clone();
        return Some(ConversationCalls::Called(
            told.id,
            function,
            talk.hold.clone(),
        ));
    }
    let name = told.kind.name()?;
    let on = talk.on.iter();
    let heard = on.filter(|handler| handler.event == name || handler.event == "*");
    let heard: Vec<Handler> = heard.cloned().collect();
    if let ConversationEventKind::End(why) = &told.kind {
        talk.ended.set(Some(why.word()));
        talks.remove(&told.id);
    }
    (!heard.is_empty()).then_some(ConversationCalls::Listeners(heard))
}
