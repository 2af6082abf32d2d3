//! What a script has of conversations: who listens to them, what they call, and what they wait for.

use mlua::{AnyUserData, Function, Value};

use super::acts::Ended;
use super::api::end_of;
use super::host::Host;
use super::program::Handler;
use super::world::World;
use galatea_stage::{Conversed, Event, EventKind, Stage};

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
pub(super) fn told(world: &mut World, event: &Event) -> Option<TalkTold> {
    let EventKind::Converse(told) = &event.kind else {
        return None;
    };
    let talks = &mut world.program.conversations;
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

impl Host {
    /// Calls what a conversation calls; it waits for the end of what that gives back.
    pub(super) fn call_of_conversation(
        &mut self,
        stage: &mut Stage,
        id: u64,
        function: &Function,
        hold: AnyUserData,
    ) {
        let given = self.call_guarded::<Value>(stage, function, hold);
        let Some(ended) = given.as_ref().and_then(end_of) else {
            return;
        };
        let waits = self.with_world(|world| {
            let talk = world.program.conversations.get_mut(&id);
            // It would wait for itself for good.
            let talk = talk.filter(|talk| talk.ended.as_ptr() != ended.as_ptr());
            talk.map(|talk| talk.waits = Some(ended)).is_some()
        });
        if waits {
            stage.conversations.hold(id, true, stage.clock.time());
        }
    }

    /// Has conversations go on that have what they waited for.
    pub(super) fn go_on_with_conversations(&mut self, stage: &mut Stage) {
        let ready: Vec<u64> = self.with_world(|world| {
            let talks = world.program.conversations.iter_mut();
            let ready = talks.filter_map(|(id, talk)| {
                let is_over = talk
                    .waits
                    .as_ref()
                    .is_some_and(|ended| ended.get().is_some());
                is_over.then(|| {
                    talk.waits = None;
                    *id
                })
            });
            ready.collect()
        });
        for id in ready {
            stage.conversations.hold(id, false, stage.clock.time());
        }
    }
}
