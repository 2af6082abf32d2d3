//! Conversations that are not over: their listeners, functions and waits.

use std::collections::BTreeMap;

use mlua::{AnyUserData, Function};

use super::acts::Ended;
use super::listeners::Handler;
use galatea_stage::{Conversed, Event, EventKind};

/// What a script knows of a conversation that is not over.
pub(super) struct Talk {
    /// The reason of its end; shared with what the script holds.
    pub ended: Ended,
    /// What the script holds.
    pub hold: AnyUserData,
    /// Functions that it calls, by number.
    pub calls: Vec<Function>,
    /// Listeners.
    pub on: Vec<Handler>,
    /// It waits for the end of this.
    pub waits: Option<Ended>,
}

/// What an event of a conversation comes to for a script.
pub(super) enum TalkTold {
    /// These hear it.
    Heard(Vec<Handler>),
    /// This is called with the conversation.
    Called(u64, Function, AnyUserData),
}

/// Who hears an event of a conversation, or what it calls; one that is over is forgotten.
pub(super) fn told(talks: &mut BTreeMap<u64, Talk>, event: &Event) -> Option<TalkTold> {
    let EventKind::Converse(told) = &event.kind else {
        return None;
    };
    let talk = talks.get(&told.id)?;
    if let Conversed::Call(function) = &told.what {
        let function = talk.calls.get(*function as usize)?.clone();
        return Some(TalkTold::Called(told.id, function, talk.hold.clone()));
    }
    let name = told.what.name()?;
    let on = talk.on.iter();
    let heard = on.filter(|handler| handler.event == name || handler.event == "*");
    let heard: Vec<Handler> = heard.cloned().collect();
    if let Conversed::End(why) = &told.what {
        talk.ended.set(Some(why.word()));
        talks.remove(&told.id);
    }
    (!heard.is_empty()).then_some(TalkTold::Heard(heard))
}
