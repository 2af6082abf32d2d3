//! Replacing a machine, a model or the script while it plays.
//!
//! Open intervals end as cut, with their old names. Pending events keep the names of the states, clips and markers they
//! refer to.

use std::sync::Arc;

use super::event::{Event, EventKind, MarkerEvent};
use super::marker_events::marker_event;
use super::steps::machine_event;
use super::{Characters, Handle, Stage, terrain};
use galatea_anim::{Crossing, CrossingSource, MarkerPhase, Outcome, Reason};
use galatea_character::{Character, Definition, EndReason, LostInterval, Placement};
use galatea_machine::{
    Clips, Happening, Machine, MachineHost, MachineState, Predicate, Problem, leave_all, start,
};
use galatea_physics::{PropBodySettings, Velocity};

impl Characters {
    /// Gives a character a machine, in its initial states. The previous machine or idle clip is left: the ends of its states
    /// and of its open intervals, cut, are in the next batch of events. Returns false if the character does not exist.
    pub fn set_machine(
        &mut self,
        handle: Handle,
        machine: Machine,
        time: f64,
        events: &mut Vec<Event>,
    ) -> bool {
        let Some(character) = self.get_mut(handle) else {
            return false;
        };
        let mut leaving = Leaving {
            character: handle,
            time,
            has_event_log: character.playback.event_log.is_on(),
            events,
        };
        match (&character.playback.machine, character.definition.idle) {
            (Some((old, state)), _) => {
                let clips = clips_of(character);
                leave_all(old, clips, state.clone(), &mut leaving);
            }
            (None, Some(clip)) => {
                character
                    .playback
                    .idle
                    .cut(&character.playback.markers[clip], 0.0, |crossing| {
                        let mark = marker_event(clip, &crossing, 1.0, CrossingSource::Idle);
                        leaving.push(EventKind::Marker(mark));
                    })
            }
            (None, None) => {}
        }
        character
            .playback
            .keep_names(&character.definition, |entry| {
                matches!(entry.source, CrossingSource::Machine { .. })
            });
        keep_names(events, character, |event| {
            event.character == handle && event.kind.is_of_machine()
        });
        let mut state = MachineState::new(&machine);
        if let Some((_, before)) = &character.playback.machine {
            state.n_playings = before.n_playings;
        }
        start(&machine, clips_of(character), &mut state);
        character.playback.machine = Some((Arc::new(machine), state));
        true
    }
}

impl Stage {
    /// Replaces the model of a character by a new version. Machine, actions and idle clip continue as far as possible.
    /// Returns the actions that ended. Their ends, and those of intervals that cannot stay open, are in the next batch of
    /// events.
    ///
    /// # Errors
    /// The part of the character's machine that does not fit the new version; then nothing has changed.
    pub fn replace_definition(
        &mut self,
        handle: Handle,
        definition: Arc<Definition>,
    ) -> Result<Vec<u64>, Vec<Problem>> {
        let time = self.time();
        let Some(character) = self.characters.get_mut(handle) else {
            return Ok(Vec::new());
        };
        let was = character.clone();
        let replaced = character.replace_definition(definition)?;
        keep_names(&mut self.events, &was, |event| event.character == handle);
        let is_rebuilt = character
            .body
            .limbs
            .as_ref()
            .is_none_or(|limbs| limbs.ragdoll.body(0).is_none());
        if let (Some(mut limbs), true) = (was.body.limbs.clone(), is_rebuilt) {
            limbs.ragdoll.remove_from_world(&mut self.physics.world);
        }
        let solids = |definition: &Definition| {
            let model = &definition.model;
            (model.colliders.clone(), model.motions.clone())
        };
        let (before, now) = (solids(&was.definition), solids(&character.definition));
        let is_of_file = was.body.prop_body.as_ref().map(|solid| solid.is_from_file);
        let is_other = now != before && is_of_file.unwrap_or(before.0.is_empty());
        character.evaluate_pose(0.0);
        character
            .posed
            .apply_limbs(&character.body, &character.definition, character.placement);
        if !is_other {
            character.posed.apply_nodes(
                &mut character.body,
                &character.definition,
                character.placement,
            );
        }
        character.build();
        character.forget_motion();
        self.find_bones_again(handle, &was.definition);
        if is_other {
            // An invalid shape keeps the previous one.
            let _ = self.bodies().set_prop_body_from_file(handle);
        }
        let lost = replaced.lost.iter();
        self.events
            .extend(lost.map(|lost| lost_event(handle, time, &was, lost)));
        let reason = EndReason::Reloaded;
        for &id in &replaced.ended {
            let kind = EventKind::ActionEnd { id, reason };
            self.events.push(Event::new(handle, time, kind));
        }
        Ok(replaced.ended)
    }

    /// Finds the bones that other parts of the stage use by name in a character's new model. Ropes, cloth and hair whose
    /// bones are gone are removed.
    fn find_bones_again(&mut self, handle: Handle, was: &Definition) {
        let before = &was.model.skeleton;
        let Some(character) = self.characters.get(handle) else {
            return;
        };
        let definition = character.definition.clone();
        let now = &definition.model.skeleton;
        for (_, other) in self.characters.iter_mut() {
            if let Some(stack) = &mut other.modifiers.modifier_stack {
                stack.find_goals_again(handle, before, now);
            }
        }
        let Some(character) = self.characters.get(handle) else {
            return;
        };
        for (_, lamp) in self.lighting.local_lights.iter_mut() {
            lamp.find_bone_again(handle, before, now);
        }
        for (_, ui) in self.ui.iter_mut() {
            ui.find_bone_again(handle, before, now);
        }
        for (_, emitter) in self.effects.emitters.iter_mut() {
            let hidden = &character.appearance.hidden_parts;
            emitter.find_again(handle, (was, &character.definition), hidden);
        }
        let mut gone = Vec::new();
        for (id, fabric) in self.effects.fabrics.iter_mut() {
            if !fabric.find_bones_again(handle, before, now) {
                gone.push(id);
            }
        }
        for id in gone {
            self.effects.fabrics.remove(id);
        }
        let mut gone = Vec::new();
        for (id, hair) in self.effects.hair.iter_mut() {
            if !hair.find_bones_again(handle, before, now) {
                gone.push(id);
            } else if hair.wearer.0 == handle {
                hair.find_skin_again(character);
            }
        }
        for id in gone {
            self.effects.hair.remove(id);
        }
    }

    /// Replaces terrain that a script made by other terrain of the same kind, and lifts characters where it rises. The error
    /// says why it cannot.
    ///
    /// # Errors
    /// When a shape cannot be created.
    pub fn replace_ground(
        &mut self,
        handle: Handle,
        definition: Arc<Definition>,
        placement: Placement,
        options: Option<PropBodySettings>,
    ) -> Result<(), String> {
        let was = self.characters.get(handle).and_then(terrain::ground);
        // Ground has no machine that could fail to continue.
        let _ = self.replace_definition(handle, definition);
        if let Some(character) = self.characters.get_mut(handle) {
            character.placement = placement;
        }
        self.bodies()
            .set_prop_body(handle, options, Velocity::default())?;
        if let Some(was) = was {
            terrain::lift(&mut self.characters, handle, &was, |_| true);
        }
        Ok(())
    }
}

/// Stores the current names in pending events of a character.
pub(super) fn keep_names(events: &mut [Event], of: &Character, which: impl Fn(&Event) -> bool) {
    for event in events.iter_mut().filter(|event| which(event)) {
        event.keep_names(of);
    }
}

fn clips_of(character: &Character) -> Clips<'_> {
    Clips {
        set: &character.definition.clips,
        markers: &character.playback.markers,
    }
}

/// The end, cut, of an interval of a character as it was.
pub(super) fn lost_event(handle: Handle, time: f64, was: &Character, lost: &LostInterval) -> Event {
    let crossing = Crossing {
        marker: lost.marker,
        phase: MarkerPhase::End,
        interrupted: true,
        tick_fraction: 0.0,
        is_reversed: false,
    };
    let mark = MarkerEvent {
        outcome: Outcome::Interrupted(Reason::Reloaded),
        mirrored: lost.mirrored,
        has_max_weight: !matches!(lost.source, CrossingSource::Machine { .. }),
        ..marker_event(lost.clip, &crossing, lost.weight, lost.source)
    };
    let mut event = Event::new(handle, time, EventKind::Marker(mark));
    event.keep_names(was);
    event
}

/// Collects the events of a machine that is left.
struct Leaving<'s> {
    character: Handle,
    time: f64,
    /// The character records its events in a ledger.
    has_event_log: bool,
    events: &'s mut Vec<Event>,
}

impl Leaving<'_> {
    fn push(&mut self, kind: EventKind) {
        self.events
            .push(Event::new(self.character, self.time, kind));
    }
}

impl MachineHost for Leaving<'_> {
    fn evaluate(&mut self, _: Predicate) -> bool {
        false
    }

    fn random(&mut self) -> f64 {
        0.0
    }

    fn emit(&mut self, happening: Happening) {
        if let Some((_, kind)) = machine_event(happening, 0.0, self.has_event_log) {
            self.push(kind);
        }
    }
}
