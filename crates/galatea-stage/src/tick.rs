//! One tick of the simulation. [`tick`] shows all steps in order.

use std::sync::Arc;

use super::camera::CameraTarget;
use super::event::{Event, EventKind};
use super::marker_events::{advance_actions, flood_event, locate_events, marker_event};
use super::script::Script;
use super::talk::TalkContext;
use super::{
    Arena, CameraRig, Characters, Clock, Effects, Floor, Handle, Ids, Rng, Stage, attachments,
    conversation, crowd_stats, crowds, emitters, flocks, hits, knocks, limbs, modifier_stacks,
    nav_meshes, prop_bodies, scent_fields, secondary, speech, sticking, ui,
};
use galatea_anim::{Crossing, CrossingSource, Outcome, Reason};
use galatea_character::{Character, Pass, RootMotionTarget};
use galatea_machine::{Clips, Crossed, Happening, MachineHost, Predicate, advance};

/// Advances the stage by one tick. This is the order of a frame:
pub fn tick(stage: &mut Stage, script: &mut dyn Script) {
    let (clock, dt) = (stage.clock, stage.clock.dt);
    begin(&mut stage.characters);
    stage.lighting.begin();
    nav_meshes::advance(
        &mut stage.agents.nav_meshes,
        &stage.characters,
        &stage.physics,
        &stage.floor,
    );
    ui::begin(&mut stage.ui, clock.time());
    script.update(stage, dt);
    advance_machines(
        &mut stage.characters,
        clock,
        &stage.camera,
        &mut stage.rng,
        &mut stage.events,
        script,
    );
    turn_on_the_spot(&mut stage.characters, &mut stage.ids, dt);
    advance_actions(&mut stage.characters, clock, &mut stage.events);
    let mut talk = TalkContext {
        clock,
        ids: &mut stage.ids,
        rng: &mut stage.rng,
        characters: &mut stage.characters,
        speech: &mut stage.speech,
        events: &mut stage.events,
    };
    conversation::advance(&mut stage.conversations, &mut talk);
    speech::advance(&mut talk, &mut stage.audio, &mut stage.ui);
    advance_surfaces(&mut stage.characters, dt);
    hits::advance(&mut stage.bodies());
    limbs::remember(&mut stage.characters);
    crowds::advance(
        &mut stage.agents,
        &mut stage.characters,
        &mut stage.ids,
        &stage.camera,
        &stage.speech.lines,
        clock,
    );
    evaluate_poses(&mut stage.characters, dt, true);
    modifier_stacks::apply(stage, Some(&mut *script), Pass::BeforeBodies, dt);
    prop_bodies::step(
        &mut stage.characters,
        &mut stage.physics,
        &mut stage.effects.fabrics,
        &stage.floor,
        clock,
        &mut stage.events,
    );
    knocks::hit_by_objects(stage, script);
    place_in_world(&mut stage.characters);
    modifier_stacks::apply(stage, Some(&mut *script), Pass::Last, dt);
    attachments::place_attachments(&mut stage.characters);
    move_after_poses(
        &mut stage.effects,
        &mut stage.characters,
        &stage.floor,
        &stage.camera,
        clock.time(),
        dt,
    );
    attachments::update_attached_velocities(&mut stage.characters, dt as f32);
    sticking::stick(stage, script);
    let Stage {
        characters,
        physics,
        floor,
        agents,
        effects,
        lighting,
        camera,
        ui,
        events,
        scratch,
        ..
    } = &mut *stage;
    lighting.follow(characters);
    emitters::advance(effects, characters, physics, clock);
    crowds::observe(agents, characters, physics, clock);
    scent_fields::advance(&mut agents.scent_fields, &agents.crowds, clock);
    crowd_stats::advance(&mut agents.crowd_stats, &agents.crowds, clock);
    flocks::advance(&mut agents.flocks, physics, camera, clock);
    ui::follow(ui, characters);
    update_metrics(characters, dt);
    locate_events(events, characters, floor, &mut scratch.order);
    follow_camera(camera, characters, dt);
    deliver_events(stage, script);
    forget_frames(&stage.characters, clock.n_ticks);
    stage.input.end_tick();
    stage.clock.n_ticks += 1;
}

fn begin(characters: &mut Arena<Character>) {
    for (_, character) in characters.iter_mut() {
        character.posed.begin_tick();
    }
}

/// Events that the script adds meanwhile wait for the next tick.
fn deliver_events(stage: &mut Stage, script: &mut dyn Script) {
    let mut events = std::mem::take(&mut stage.events);
    script.deliver(stage, &events);
    events.clear();
    events.append(&mut stage.events);
    stage.events = events;
}

fn advance_surfaces(characters: &mut Arena<Character>, dt: f64) {
    for (_, character) in characters.iter_mut() {
        character
            .appearance
            .surface
            .advance(&character.definition.model, dt);
        character.appearance.wrinkles.advance(dt);
        character.appearance.decals.advance(dt);
    }
}

fn turn_on_the_spot(characters: &mut Arena<Character>, ids: &mut Ids, dt: f64) {
    let dt = dt as f32;
    for (_, character) in characters.iter_mut() {
        if character.locomotion.may_turn() {
            character.advance_turn(ids.new_id(), dt);
        }
        character.step_in(dt);
    }
}

/// Evaluates poses and world matrices at the current time, without advancing it.
pub(super) fn settle(stage: &mut Stage) {
    evaluate_poses(&mut stage.characters, stage.clock.dt, false);
    place_in_world(&mut stage.characters);
    modifier_stacks::apply(stage, None, Pass::Last, 0.0);
    attachments::place_attachments(&mut stage.characters);
    move_after_poses(
        &mut stage.effects,
        &mut stage.characters,
        &stage.floor,
        &stage.camera,
        stage.clock.time(),
        0.0,
    );
    stage.lighting.follow(&stage.characters);
    ui::follow(&mut stage.ui, &stage.characters);
}

struct StageHost<'s> {
    character: Handle,
    start: f64,
    dt: f64,
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

fn advance_machines(
    characters: &mut Arena<Character>,
    clock: Clock,
    camera: &CameraRig,
    rng: &mut Rng,
    events: &mut Vec<Event>,
    script: &mut dyn Script,
) {
    let (start, dt) = (clock.time(), clock.dt);
    let eye = camera.camera(1.0).eye;
    for (handle, character) in characters.iter_mut() {
        let Some((machine, state)) = &mut character.playback.machine else {
            continue;
        };
        script.params(handle, &mut state.params);
        state.is_hidden = character.body.is_down();
        let mut host = StageHost {
            character: handle,
            start,
            dt,
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
            let event = Event::new(handle, start + dt, EventKind::Warp(end));
            events.push(event);
        }
    }
}

/// Memory limit for the decoded clip frames of one model, bytes.
const FRAME_BUDGET: usize = 16 << 20;

/// Every 64 ticks, drops the decoded frames of clips that no longer play.
fn forget_frames(characters: &Arena<Character>, tick: u64) {
    const EVERY: u64 = 64;
    if !tick.is_multiple_of(EVERY) {
        return;
    }
    let mut last = None;
    for (_, character) in characters.iter() {
        let definition = Arc::as_ptr(&character.definition);
        if last.replace(definition) != Some(definition) {
            let clips = &character.definition.clips;
            clips.keep_frames_within(FRAME_BUDGET, tick);
        }
    }
}

/// Evaluates all poses. With `advances`, the last pose first becomes the previous one.
fn evaluate_poses(characters: &mut Arena<Character>, dt: f64, advances: bool) {
    characters.each_slot(|(_, slot): &mut (u32, Option<Character>)| {
        if let Some(character) = slot {
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
/// follow.
fn move_after_poses(
    effects: &mut Effects,
    characters: &mut Characters,
    floor: &Floor,
    camera: &CameraRig,
    time: f64,
    dt: f64,
) {
    if secondary::advance(effects, characters, floor, camera, time, dt) {
        place_in_world(characters);
    }
    characters.each_slot(|(_, slot)| {
        if let Some(character) = slot {
            character.build();
        }
    });
}

fn update_metrics(characters: &mut Arena<Character>, dt: f64) {
    for (_, character) in characters.iter_mut() {
        character.update_metrics(dt);
    }
}

/// Updates world matrices. Attached characters follow the bone of their holder, through chains of holders.
fn place_in_world(characters: &mut Characters) {
    for (_, character) in characters.iter_mut() {
        character.posed.world[0] = character.placement.to_affine();
    }
    attachments::place_attachments(characters);
}

fn follow_camera(camera: &mut CameraRig, characters: &Arena<Character>, dt: f64) {
    let followed = match camera.set.target {
        CameraTarget::Follow(handle, _) => characters
            .get(handle)
            .map(|character| character.placement.position),
        CameraTarget::Eyes(handle) => characters.get(handle).and_then(|character| {
            let eyes = character.definition.own_eyes()?;
            eyes.position(&character.posed.world[0], &character.posed.model_from_bone)
        }),
        CameraTarget::Point(_) => None,
    };
    camera.tick(followed, dt as f32);
}
