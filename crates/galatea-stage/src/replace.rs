//! What happens on the stage when something that plays is replaced: a machine, a model, or the script.
//!
//! An interval that was begun is ended all the same, cut, with the names it had. Events that wait for
//! the next batch keep the names of what they speak of.

use std::collections::VecDeque;
use std::sync::Arc;

use super::event::{Event, EventKind, MarkEvent};
use super::passed::mark_event;
use super::speech::{LineOver, Speaking};
use super::tick::{machine_event, settle};
use super::{Handle, SoundOrder, Stage, solids, terrain};
use galatea_anim::{Crossing, Edge, Outcome, Reason, Source};
use galatea_character::{Character, Definition, EndReason, Lost, Placement};
use galatea_machine::{
    Clips, Happening, Host, Machine, MachineState, Predicate, Problem, leave_all, start,
};
use galatea_physics::{SolidOptions, Velocity};

impl Stage {
    /// Gives a character a machine, in its first states. What played before, another machine or the idle
    /// clip, is left: its states' ends and the ends of its open intervals, cut, are told with the next
    /// batch. False when there is no such character.
    pub fn set_machine(&mut self, handle: Handle, machine: Machine) -> bool {
        let time = self.time();
        let Some(character) = self.characters.get_mut(handle) else {
            return false;
        };
        let mut leaving = Leaving {
            character: handle,
            time,
            keeps: character.playback.ledger.is_on(),
            events: &mut self.events,
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
                    .cut(&character.playback.marks[clip], 0.0, |crossing| {
                        let mark = mark_event(clip, &crossing, 1.0, Source::Idle);
                        leaving.push(EventKind::Mark(mark));
                    })
            }
            (None, None) => {}
        }
        character.keep_names(|entry| matches!(entry.source, Source::Machine { .. }));
        keep_names(&mut self.events, character, |event| {
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

    /// Replaces the model of a character by a new version of it; machine, actions and idle clip go on as
    /// far as they can. Gives the actions that ended. Their ends, and those of intervals that cannot stay
    /// open, are told with the next batch.
    ///
    /// # Errors
    /// What of the character's machine does not fit the new version; then nothing has changed.
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
            limbs.ragdoll.leave(&mut self.physics.world);
        }
        let solids = |definition: &Definition| {
            let model = &definition.model;
            (model.solids.clone(), model.motions.clone())
        };
        let (before, now) = (solids(&was.definition), solids(&character.definition));
        let is_of_file = was.body.solid.as_ref().map(|solid| solid.of_file);
        let is_other = now != before && is_of_file.unwrap_or(before.0.is_empty());
        character.evaluate_pose(0.0);
        character.apply_limbs();
        if !is_other {
            character.apply_nodes();
        }
        character.build();
        character.forget_motion();
        let now = character.definition.model.skeleton.clone();
        for (_, lamp) in self.lighting.lamps.iter_mut() {
            lamp.find_bone_again(handle, &was.definition.model.skeleton, &now);
        }
        for (_, other) in self.characters.iter_mut() {
            if let Some(stack) = &mut other.modifiers.stack {
                stack.find_goals_again(handle, &was.definition.model.skeleton, &now);
            }
        }
        for (_, ui) in self.ui.iter_mut() {
            ui.find_bone_again(handle, &was.definition.model.skeleton, &now);
        }
        if is_other {
            // A form that cannot be made leaves what there was.
            let _ = self.bodies().set_solid_of_file(handle);
        }
        if let Some(character) = self.characters.get(handle) {
            let both = (&*was.definition, &*character.definition);
            for (_, emitter) in self.effects.emitters.iter_mut() {
                emitter.find_again(handle, both, &character.appearance.hidden_parts);
            }
        }
        let mut gone = Vec::new();
        for (id, fabric) in self.effects.fabrics.iter_mut() {
            if !fabric.find_bones_again(handle, &was.definition.model.skeleton, &now) {
                gone.push(id);
            }
        }
        for id in gone {
            self.effects.fabrics.remove(id);
        }
        let mut gone = Vec::new();
        for (id, hair) in self.effects.hair.iter_mut() {
            if !hair.find_bones_again(handle, &was.definition.model.skeleton, &now) {
                gone.push(id);
            } else if hair.wearer.0 == handle
                && let Some(wearer) = self.characters.get(handle)
            {
                hair.find_skin_again(wearer);
            }
        }
        for id in gone {
            self.effects.hair.remove(id);
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

    /// Replaces ground that a script made by other ground of the same kind; who stands on it is taken along
    /// where it rises. Gives why it cannot be, in plain words.
    ///
    /// # Errors
    /// When its forms cannot be made.
    pub fn replace_ground(
        &mut self,
        handle: Handle,
        definition: Arc<Definition>,
        placement: Placement,
        options: Option<SolidOptions>,
    ) -> Result<(), String> {
        let was = self.characters.get(handle).and_then(terrain::ground);
        // It has no machine that could not go on.
        let _ = self.replace_definition(handle, definition);
        if let Some(character) = self.characters.get_mut(handle) {
            character.placement = placement;
        }
        self.bodies()
            .set_solid(handle, options, Velocity::default())?;
        if let Some(was) = was {
            terrain::lift(self, handle, &was, |_| true);
        }
        Ok(())
    }

    /// Who speaks goes on; a line that the new script begins in the same words is not said twice.
    fn take_over_lines(&mut self, old: Vec<Speaking>, over: VecDeque<LineOver>) {
        let own = std::mem::take(&mut self.speech.lines);
        let is_there = |speaking: &Speaking| self.characters.get(speaking.character).is_some();
        let mut lines: Vec<Speaking> = old.into_iter().filter(is_there).collect();
        let n_old = lines.len();
        for speaking in own {
            let text = &speaking.saying.line.text;
            let is_said = lines.iter().take(n_old).any(|known| {
                known.character == speaking.character && known.saying.line.text == *text
            });
            if !is_said {
                lines.push(speaking);
            }
        }
        self.speech.lines = lines;
        self.speech.over = over;
    }

    /// An empty stage to run a new script against. Characters with the keys of this stage's get the
    /// same handles; clock, input and chance go on, but not what the old script bound to keys.
    pub fn shadow(&self) -> Self {
        Self {
            clock: self.clock,
            ids: self.ids.for_new_script(),
            rng: self.rng.clone(),
            input: self.input.for_new_script(),
            characters: self.characters.for_new_script(),
            agents: self.agents.for_new_script(),
            effects: self.effects.for_new_script(),
            lighting: self.lighting.for_new_script(),
            picture: self.picture.for_new_script(),
            ui: self.ui.emptied(),
            ..Self::new(self.clock.dt)
        }
    }

    /// Takes over what was playing on the stage that this one replaces: characters known by key keep
    /// their place (unless the script now puts them elsewhere), their machine's states, times and
    /// parameters, and their actions, but for those that one of the new script replaces; the camera keeps
    /// how the user turned it. Looped sounds of the old script end: the new one begins its own. What
    /// waited for the next batch, and the ends of intervals that cannot stay open, are told with it.
    pub fn take_over(&mut self, old: Stage) {
        self.characters.free_inherited();
        self.ui.free_old();
        self.lighting.lamps.free_old();
        self.effects.fabrics.free_old();
        for (_, fabric) in self.effects.fabrics.iter_mut() {
            let mut known = old.effects.fabrics.iter();
            if let Some((_, was)) = known.find(|(_, was)| was.identity == fabric.identity) {
                fabric.take_over(was);
            }
        }
        self.effects.hair.free_old();
        for (_, hair) in self.effects.hair.iter_mut() {
            let mut known = old.effects.hair.iter();
            if let Some((_, was)) = known.find(|(_, was)| was.identity == hair.identity) {
                hair.take_over(was);
            }
        }
        self.effects
            .take_over_emitters(old.effects.emitters, &old.characters, &self.characters);
        self.agents.take_over_paths(&old.agents.paths);
        let crowds = self.agents.take_over_crowds(&old.agents.crowds);
        self.agents.take_over_objects(&old.agents.objects, &crowds);
        self.agents.take_over_flocks(&old.agents.flocks);
        self.agents.take_over_surveys(old.agents.surveys, &crowds);
        self.agents.take_over_trails(&old.agents.trails);
        self.take_over_lines(old.speech.lines, old.speech.over);
        self.conversations.take_over(
            old.conversations.running,
            &mut self.characters,
            &mut self.ids,
        );
        self.camera.take_over(&old.camera);
        let ends = old
            .audio
            .loops
            .iter()
            .map(|&id| SoundOrder::Stop { id, fade: 0.1 });
        self.audio.orders.splice(0..0, ends);
        let time = self.time();
        let (mut old_characters, mut waiting) = (old.characters, old.events);
        let mut lost_events = Vec::new();
        let (mut grounds, mut kept) = (Vec::new(), Vec::new());
        let mut known = Vec::new();
        for (handle, new) in self.characters.iter_mut() {
            new.note_begun();
            let was = old_characters.remove(handle);
            let Some(was) = was.filter(|was| was.identity == new.identity) else {
                continue;
            };
            grounds.extend(terrain::ground(&was).map(|ground| (handle, ground)));
            if was.spawn == new.spawn {
                kept.push(handle);
            }
            keep_names(&mut waiting, &was, |event| event.character == handle);
            let lost = new.take_over(was.clone());
            let lost = lost.iter();
            lost_events.extend(lost.map(|lost| lost_event(handle, time, &was, lost)));
            let same_model = Arc::ptr_eq(&was.definition.model, &new.definition.model);
            known.push((handle, same_model.then_some(was)));
        }
        let known_handles: Vec<Handle> = known.iter().map(|(handle, _)| *handle).collect();
        for (handle, ground) in &grounds {
            terrain::lift(self, *handle, ground, |of| kept.contains(&of));
        }
        solids::resume(
            &mut self.characters,
            &mut self.physics,
            &self.floor,
            &known_handles,
        );
        waiting.retain(|event| known.iter().any(|(handle, _)| *handle == event.character));
        waiting.append(&mut lost_events);
        self.events.splice(0..0, waiting);
        settle(self);
        let dt = self.clock.dt;
        let mut jumps = false;
        for (handle, was) in &known {
            if let (Some(character), Some(was)) = (self.characters.get_mut(*handle), was) {
                jumps |= character.settle_from(was, dt);
            }
        }
        if jumps {
            settle(self);
        }
        for (_, character) in self.characters.iter_mut() {
            character.forget_motion();
        }
        // What was already seen moves on from where it was.
        for (handle, was) in known {
            if let (Some(character), Some(was)) = (self.characters.get_mut(handle), was) {
                character
                    .appearance
                    .surface
                    .show_before(&was.appearance.surface);
                character
                    .appearance
                    .wrinkles
                    .show_before(&was.appearance.wrinkles);
                let ([palette, _], [morphs, _]) = (was.skin.palette, was.skin.morphs);
                character.posed.world[1] = was.posed.world[0];
                character.skin.palette[1] = palette;
                character.skin.morphs[1] = morphs;
            }
        }
    }
}

/// Gives events of a character that wait for the next batch their names for good.
fn keep_names(events: &mut [Event], of: &Character, which: impl Fn(&Event) -> bool) {
    for event in events.iter_mut().filter(|event| which(event)) {
        event.keep_names(of);
    }
}

fn clips_of(character: &Character) -> Clips<'_> {
    Clips {
        set: &character.definition.clips,
        marks: &character.playback.marks,
    }
}

/// The end, cut, of an interval of a character as it was.
fn lost_event(handle: Handle, time: f64, was: &Character, lost: &Lost) -> Event {
    let crossing = Crossing {
        mark: lost.mark,
        edge: Edge::End,
        cut: true,
        at: 0.0,
        reverse: false,
    };
    let mark = MarkEvent {
        outcome: Outcome::Cut(Reason::Reloaded),
        mirrored: lost.mirrored,
        heaviest: !matches!(lost.source, Source::Machine { .. }),
        ..mark_event(lost.clip, &crossing, lost.weight, lost.source)
    };
    let mut event = Event::new(handle, time, EventKind::Mark(mark));
    event.keep_names(was);
    event
}

/// Hears a machine that is left.
struct Leaving<'s> {
    character: Handle,
    time: f64,
    /// The character keeps a ledger.
    keeps: bool,
    events: &'s mut Vec<Event>,
}

impl Leaving<'_> {
    fn push(&mut self, kind: EventKind) {
        self.events
            .push(Event::new(self.character, self.time, kind));
    }
}

impl Host for Leaving<'_> {
    fn ask(&mut self, _: Predicate) -> bool {
        false
    }

    fn chance(&mut self) -> f64 {
        0.0
    }

    fn tell(&mut self, happening: Happening) {
        if let Some((_, kind)) = machine_event(happening, 0.0, self.keeps) {
            self.push(kind);
        }
    }
}
