//! Steps of a tick that simulated ticks and unscaled time share. Each moves the characters that follow one of the times.

use super::camera::CameraTarget;
use super::event::{Event, EventKind};
use super::marker_events::{flood_event, marker_event};
use super::script::Script;
use super::surroundings::Surroundings;
use super::{
    Arena, Characters, Handle, Ids, Rng, Stage, attachments, modifier_stacks, secondary, ui,
};
use galatea_anim::{Crossing, CrossingSource, Outcome, Reason};
use galatea_character::{Character, OwnTime, Pass, RootMotionTarget, TimeBase};
use galatea_machine::{Clips, Crossed, Happening, MachineHost, Predicate, advance};

/// Start of a tick: keeps the previous transforms of the characters that follow this time.
pub(super) fn begin(characters: &mut Arena<Character>, base: TimeBase) {
    for (_, character) in characters.following(base) {
        character.posed.begin_tick();
    }
}

/// Passes all events to the script. Events that it adds meanwhile wait for the next tick.
pub(super) fn deliver_events(stage: &mut Stage, script: &mut dyn Script) {
    puffin::profile_scope!("events");
    let mut events = std::mem::take(&mut stage.events);
    script.deliver(stage, &events);
    events.clear();
    events.append(&mut stage.events);
    stage.events = events;
}

pub(super) fn advance_surfaces(characters: &mut Arena<Character>, base: TimeBase, dt: f64) {
    for (_, character) in characters.following(base) {
        let dt = character.time.passed(dt);
        character
            .appearance
            .surface
            .advance(&character.definition.model, dt);
        character.appearance.wrinkles.advance(dt);
        character.appearance.decals.advance(dt);
    }
}

pub(super) fn turn_on_the_spot(
    characters: &mut Arena<Character>,
    ids: &mut Ids,
    base: TimeBase,
    dt: f64,
) {
    for (_, character) in characters.following(base) {
        let dt = character.time.passed(dt) as f32;
        if character.locomotion.may_turn() {
            character.advance_turn(ids.new_id(), dt);
        }
        character.step_in(dt);
    }
}

/// Evaluates poses and world matrices at the current time, without advancing it.
pub(super) fn settle(stage: &mut Stage) {
    for base in [TimeBase::Stage, TimeBase::Unscaled] {
        evaluate_poses(&mut stage.characters, base, stage.clock.dt, false);
        place_in_world(&mut stage.characters, base);
    }
    for base in [TimeBase::Stage, TimeBase::Unscaled] {
        modifier_stacks::apply(stage, None, (Pass::Last, base), 0.0);
        attachments::place_attachments(&mut stage.characters);
        move_after_poses(stage, base, 0.0);
    }
    stage.lighting.follow(&stage.characters);
    ui::follow(&mut stage.ui, &stage.characters);
}

struct StageHost<'s> {
    character: Handle,
    start: f64,
    dt: f64,
    time: OwnTime,
    /// The character records its events in a ledger.
    has_event_log: bool,
    rng: &'s mut Rng,
    script: &'s mut dyn Script,
    events: &'s mut Vec<Event>,
}

impl MachineHost for StageHost<'_> {
    fn evaluate(&mut self, predicate: Predicate) -> bool {
        self.script.evaluate(self.character, predicate)
    }

    fn random(&mut self) -> f64 {
        self.rng.unit()
    }

    fn emit(&mut self, happening: Happening) {
        if let Some((offset, kind)) = machine_event(happening, self.dt, self.has_event_log) {
            let offset = self.time.offset(offset);
            let event = Event::new(self.character, self.start + offset, kind);
            self.events.push(event);
        }
    }
}

/// Converts what a machine emitted during a step of `dt` seconds to an event, with the seconds since the step's start.
/// Returns `None` for entries that only a ledger records, unless the character has a ledger (`has_ledger`).
pub(super) fn machine_event(
    happening: Happening,
    dt: f64,
    has_ledger: bool,
) -> Option<(f64, EventKind)> {
    Some(match happening {
        Happening::Exit { layer, state, to } => (0.0, EventKind::Exit { layer, state, to }),
        Happening::Enter { layer, state, from } => (0.0, EventKind::Enter { layer, state, from }),
        Happening::End {
            layer,
            state,
            offset,
        } => (offset, EventKind::End { layer, state }),
        Happening::Flood { .. } if !has_ledger => return None,
        Happening::Flood {
            layer,
            state,
            playing,
            clip,
            weight,
            n,
        } => {
            let source = CrossingSource::Machine {
                layer: layer as u16,
                state: state as u16,
                playing,
            };
            (dt, flood_event(clip, source, weight, n))
        }
        Happening::Marker(crossed) if crossed.silent && !has_ledger => return None,
        Happening::Marker(crossed) => (crossed.offset, machine_marker(&crossed, dt)),
    })
}

/// A marker that a machine crossed, as an event.
fn machine_marker(crossed: &Crossed, dt: f64) -> EventKind {
    let source = CrossingSource::Machine {
        layer: crossed.layer as u16,
        state: crossed.state as u16,
        playing: crossed.playback_id,
    };
    let crossing = Crossing {
        marker: crossed.marker,
        phase: crossed.phase,
        interrupted: crossed.interrupted,
        tick_fraction: if dt > 0.0 { crossed.offset / dt } else { 0.0 },
        is_reversed: crossed.is_reversed,
    };
    let mut event = marker_event(crossed.clip, &crossing, crossed.weight, source);
    event.has_max_weight = crossed.has_max_weight;
    event.mirrored = crossed.mirrored;
    if crossed.silent {
        event.outcome = Outcome::Suppressed(Reason::LayerWeightZero);
    }
    EventKind::Marker(event)
}

/// Advances the state machines of the characters that follow this time, and applies their root motion.
pub(super) fn advance_machines(stage: &mut Stage, base: TimeBase, script: &mut dyn Script) {
    puffin::profile_scope!("machines");
    let Stage {
        characters,
        clock,
        camera,
        rng,
        events,
        ..
    } = stage;
    let start = clock.time();
    let eye = camera.camera(1.0).eye;
    for (handle, character) in characters.following(base) {
        let dt = character.time.passed(clock.dt);
        let Some((machine, state)) = &mut character.playback.machine else {
            continue;
        };
        script.params(handle, &mut state.params);
        state.is_hidden = character.body.is_down();
        let mut host = StageHost {
            character: handle,
            start,
            dt,
            time: character.time,
            has_event_log: character.playback.event_log.is_on(),
            rng,
            script,
            events,
        };
        let clips = Clips {
            set: &character.definition.clips,
            markers: &character.playback.markers,
        };
        let away = (character.placement.position - eye).length();
        state.set_distance(machine, away);
        advance(machine, clips, state, dt, &mut host);
        let travel = state.root_translation;
        let mover = RootMotionTarget {
            definition: &character.definition,
            playback: &character.playback,
            placement: &mut character.placement,
            controller: character.body.controller.as_deref_mut(),
        };
        if let Some(end) = character.locomotion.take_travel(mover, travel, dt) {
            let event = Event::new(handle, start + clock.dt, EventKind::Warp(end));
            events.push(event);
        }
    }
}

/// Evaluates the poses of the characters that follow this time. With `advances`, the last pose first becomes the previous one.
pub(super) fn evaluate_poses(
    characters: &mut Arena<Character>,
    base: TimeBase,
    dt: f64,
    advances: bool,
) {
    puffin::profile_scope!("poses");
    characters.each_slot(|(_, slot): &mut (u32, Option<Character>)| {
        if let Some(character) = slot.as_mut().filter(|c| c.time.base == base) {
            let dt = character.time.passed(dt);
            if advances {
                character.begin_build();
                character.posed.settle_on(dt);
            }
            character.evaluate_pose(dt);
            if !advances {
                character.posed.apply_limbs(
                    &character.body,
                    &character.definition,
                    character.placement,
                );
                character.posed.apply_nodes(
                    &mut character.body,
                    &character.definition,
                    character.placement,
                );
            }
        }
    });
}

/// Simulates springs, jiggle, ropes and cloth on the final poses, then builds the deformation palettes. Attached models
/// follow. Moves only what follows this time.
pub(super) fn move_after_poses(stage: &mut Stage, base: TimeBase, dt: f64) {
    puffin::profile_scope!("hair_and_secondary_motion");
    let surroundings = Surroundings {
        floor: &stage.floor,
        camera: &stage.camera,
        time: stage.clock.time(),
    };
    let characters = &mut stage.characters;
    if secondary::advance(&mut stage.effects, characters, &surroundings, base, dt) {
        place_in_world(characters, base);
    }
    characters.each_slot(|(_, slot)| {
        if let Some(character) = slot.as_mut().filter(|c| c.time.base == base) {
            character.build();
        }
    });
}

/// Updates world matrices. Attached characters follow the bone of their holder, through chains of holders.
pub(super) fn place_in_world(characters: &mut Characters, base: TimeBase) {
    for (_, character) in characters.following(base) {
        character.posed.world[0] = character.placement.to_affine();
    }
    attachments::place_attachments(characters);
}

/// Moves the camera. It follows the displayed position of its target, so
/// that it moves evenly in slow motion.
pub(super) fn follow_camera(stage: &mut Stage) {
    puffin::profile_scope!("camera");
    let Stage {
        camera,
        characters,
        time_control,
        clock,
        ..
    } = stage;
    let followed = match camera.set.target {
        CameraTarget::Follow(handle, _) => characters.get(handle).map(|character| {
            let position = character.placement.position;
            match time_control.between_ticks(1.0) {
                1.0 => position,
                _ if character.time.base == TimeBase::Unscaled => position,
                alpha => character.posed.previous_position().lerp(position, alpha),
            }
        }),
        CameraTarget::Eyes(handle) => characters.get(handle).and_then(|character| {
            let eyes = character.definition.own_eyes()?;
            eyes.position(&character.posed.world[0], &character.posed.model_from_bone)
        }),
        CameraTarget::Point(_) => None,
    };
    camera.tick(followed, clock.dt as f32);
}
