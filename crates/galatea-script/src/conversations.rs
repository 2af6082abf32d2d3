//! Calls from conversations to functions of scripts, and waits for what these begin.

use mlua::{AnyUserData, Function, Value};

use super::api::task::end_of;
use super::host::Host;
use galatea_stage::Stage;

impl Host {
    /// Calls a function of a conversation. If the function returns a task, play, sound or conversation, the
    /// conversation waits for its end.
    pub(super) fn call_of_conversation(
        &mut self,
        stage: &mut Stage,
        id: u64,
        function: &Function,
        hold: AnyUserData,
    ) {
        let given = self.call_guarded::<Value>(stage, function, hold);
        let ended = given.and_then(|given| end_of(self.lua(), &given).ok().flatten());
        let Some(ended) = ended else {
            return;
        };
        let waits = self.with_program(|program| {
            let talk = program.conversations.get_mut(&id);
            // A conversation that waits for itself would never continue.
            let talk = talk.filter(|talk| talk.ended.as_ptr() != ended.as_ptr());
            talk.map(|talk| talk.waits = Some(ended)).is_some()
        });
        if waits {
            stage.conversations.hold(id, true, stage.clock.time());
        }
    }

    /// Continues conversations after the end of their waits.
    pub(super) fn go_on_with_conversations(&mut self, stage: &mut Stage) {
        let ready: Vec<u64> = self.with_program(|program| {
            let talks = program.conversations.iter_mut();
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
