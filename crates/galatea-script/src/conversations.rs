//! Conversations call functions of scripts and wait for what these begin.

use mlua::{AnyUserData, Function, Value};

use super::api::act::end_of;
use super::host::Host;
use galatea_stage::Stage;

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
        let waits = self.with_program(|program| {
            let talk = program.conversations.get_mut(&id);
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
