//! One tick of the simulation, told in one function.

use std::sync::Arc;

use super::camera::CameraTarget;
use super::event::{Event, EventKind};
use super::passed::{advance_actions, flood_event, locate_events, mark_event};
use super::script::Script;
use super::{
    Handle, Stage, conversation, crowds, emitters, flocks, held, hits, knocks, lamps, limbs, paths,
    secondary, solids, speech, stack, sticking, surveys, trails, ui,
};
use galatea_anim::{Crossing, Outcome, Reason, Source};
use galatea_character::{Character, Pass};
use galatea_machine::{Clips, Crossed, Happening, Host, Predicate, advance};

/// Moves the stage on by one tick. This is the order of a frame:
pub fn tick(stage: &mut Stage, script: &mut dyn Script) {
    for (_, character) in stage.characters.iter_mut() {
        character.begin_tick();
    }
    lamps::begin(stage);
    paths::advance(stage);
    let time = stage.time();
    ui::begin(&mut stage.ui, time);
    let dt = stage.dt;
    script.update(stage, dt);
    advance_machines(stage, script);
    turn_on_the_spot(stage);
    advance_actions(stage);
    conversation::advance(stage);
    speech::advance(stage);
    advance_surfaces(stage);
    hits::advance(stage);
    limbs::remember(stage);
    crowds::promotion::drive(stage);
    evaluate_poses(stage, true);
    stack::apply(stage, Some(&mut *script), Pass::BeforeBodies, dt);
    solids::step(stage);
    knocks::knock(stage, script);
    place_in_world(stage);
    stack::apply(stage, Some(&mut *script), Pass::Last, dt);
    held::place(stage);
    move_after_poses(stage, dt);
    held::carry(stage);
    sticking::stick(stage, script);
    lamps::follow(stage);
    emitters::advance(stage);
    crowds::advance(stage);
    trails::advance(stage);
    surveys::advance(stage);
    flocks::advance(stage);
    ui::follow(stage);
    read_meters(stage);
    locate_events(stage);
    follow_camera(stage);
    let mut events = std::mem::take(&mut stage.events);
    script.deliver(stage, &events);
    events.clear();
    events.append(&mut stage.events);
    stage.events = events;
    forget_frames(stage);
    stage.input.end_tick();
    stage.n_ticks += 1;
}

fn advance_surfaces(stage: &mut Stage) {
    let dt = stage.dt;
    for (_, character) in stage.characters.iter_mut() {
        character.surface.advance(&character.definition.model, dt);
        character.wrinkles.advance(dt);
        character.decals.advance(dt);
    }
}

fn turn_on_the_spot(stage: &mut Stage) {
    let dt = stage.dt as f32;
    for (_, character) in stage.characters.iter_mut() {
        if character.may_turn() {
            stage.next_id += 1;
            character.advance_turn(stage.next_id, dt);
        }
        character.step_in(dt);
    }
}

/// Poses and places everything as it is now, without moving time.
pub(super) fn settle(stage: &mut Stage) {
    evaluate_poses(stage, false);
    place_in_world(stage);
    stack::apply(stage, None, Pass::Last, 0.0);
    held::place(stage);
    move_after_poses(stage, 0.0);
    lamps::follow(stage);
    ui::follow(stage);
}

struct MachineHost<'s> {
    character: Handle,
    start: f64,
    dt: f64,
    /// The character keeps a ledger.
    keeps: bool,
    rng: &'s mut super::Rng,
    script: &'s mut dyn Script,
    events: &'s mut Vec<Event>,
}

impl Host for MachineHost<'_> {
    fn ask(&mut self, predicate: Predicate) -> bool {
        self.script.ask(self.character, predicate)
    }

    fn chance(&mut self) -> f64 {
        self.rng.unit()
    }

    fn tell(&mut self, happening: Happening) {
        if let Some((offset, kind)) = machine_event(happening, self.dt, self.keeps) {
            let event = Event::new(self.character, self.start + offset, kind);
            self.events.push(event);
        }
    }
}

/// What a machine tells of a step of `dt` seconds as an event, and the seconds since the step's start.
/// `None` for what only a ledger is told, unless the character `keeps` one.
pub(super) fn machine_event(
    happening: Happening,
    dt: f64,
    keeps: bool,
) -> Option<(f64, EventKind)> {
    Some(match happening {
        Happening::Exit { layer, state, to } => (0.0, EventKind::Exit { layer, state, to }),
        Happening::Enter { layer, state, from } => (0.0, EventKind::Enter { layer, state, from }),
        Happening::End {
            layer,
            state,
            offset,
        } => (offset, EventKind::End { layer, state }),
        Happening::Flood { .. } if !keeps => return None,
        Happening::Flood {
            layer,
            state,
            playing,
            clip,
            weight,
            n,
        } => {
            let source = Source::Machine {
                layer: layer as u16,
                state: state as u16,
                playing,
            };
            (dt, flood_event(clip, source, weight, n))
        }
        Happening::Mark(crossed) if crossed.silent && !keeps => return None,
        Happening::Mark(crossed) => (crossed.offset, machine_mark(&crossed, dt)),
    })
}

/// A mark that a machine passed, as an event.
fn machine_mark(crossed: &Crossed, dt: f64) -> EventKind {
    let source = Source::Machine {
        layer: crossed.layer as u16,
        state: crossed.state as u16,
        playing: crossed.playing,
    };
    let crossing = Crossing {
        mark: crossed.mark,
        edge: crossed.edge,
        cut: crossed.cut,
        at: if dt > 0.0 { crossed.offset / dt } else { 0.0 },
        reverse: crossed.reverse,
    };
    let mut event = mark_event(crossed.clip, &crossing, crossed.weight, source);
    event.heaviest = crossed.heaviest;
    event.mirrored = crossed.mirrored;
    if crossed.silent {
        event.outcome = Outcome::Suppressed(Reason::LayerWeightZero);
    }
    EventKind::Mark(event)
}

fn advance_machines(stage: &mut Stage, script: &mut dyn Script) {
    let (start, dt) = (stage.time(), stage.dt);
    let eye = stage.camera.camera(1.0).eye;
    for (handle, character) in stage.characters.iter_mut() {
        let Some((machine, state)) = &mut character.machine else {
            continue;
        };
        script.params(handle, &mut state.params);
        let mut host = MachineHost {
            character: handle,
            start,
            dt,
            keeps: character.ledger.is_on(),
            rng: &mut stage.rng,
            script,
            events: &mut stage.events,
        };
        let clips = Clips {
            set: &character.definition.clips,
            marks: &character.marks,
        };
        let away = (character.placement.position - eye).length();
        state.set_distance(machine, away);
        advance(machine, clips, state, dt, &mut host);
        let travel = state.travel;
        if let Some(end) = character.take_travel(travel, dt) {
            let event = Event::new(handle, start + dt, EventKind::Warp(end));
            stage.events.push(event);
        }
    }
}

/// Memory that unpacked clips of one model may take, bytes.
const FRAME_BUDGET: usize = 16 << 20;

/// Now and then drops the frames of clips that are not played any more.
fn forget_frames(stage: &mut Stage) {
    const EVERY: u64 = 64;
    if !stage.n_ticks.is_multiple_of(EVERY) {
        return;
    }
    let mut last = None;
    for (_, character) in stage.characters.iter() {
        let definition = Arc::as_ptr(&character.definition);
        if last.replace(definition) != Some(definition) {
            let clips = &character.definition.clips;
            clips.keep_frames_within(FRAME_BUDGET, stage.n_ticks);
        }
    }
}

/// With `moves` what was built last becomes what was before.
fn evaluate_poses(stage: &mut Stage, moves: bool) {
    let dt = stage.dt;
    let one = |(_, slot): &mut (u32, Option<Character>)| {
        if let Some(character) = slot {
            if moves {
                character.begin_build();
                character.settle_on(dt);
            }
            character.evaluate_pose(dt);
            if !moves {
                character.apply_limbs();
                character.apply_nodes();
            }
        }
    };
    each_character(stage, one);
}

/// Springs, jiggle, ropes and cloth on the final poses; then palettes. What is held follows.
fn move_after_poses(stage: &mut Stage, dt: f64) {
    if secondary::advance(stage, dt) {
        place_in_world(stage);
    }
    each_character(stage, |(_, slot)| {
        if let Some(character) = slot {
            character.build();
        }
    });
}

/// Does something with the slot of every character, of many at once.
fn each_character(stage: &mut Stage, one: impl Fn(&mut (u32, Option<Character>)) + Send + Sync) {
    stage.characters.each_slot(one);
}

fn read_meters(stage: &mut Stage) {
    for (_, character) in stage.characters.iter_mut() {
        character.read_meters(stage.dt);
    }
}

/// World matrices; what is held follows its holder's bone, through chains of holders.
fn place_in_world(stage: &mut Stage) {
    for (_, character) in stage.characters.iter_mut() {
        character.world[0] = character.placement.to_affine();
    }
    held::place(stage);
}

fn follow_camera(stage: &mut Stage) {
    let followed = match stage.camera.set.target {
        CameraTarget::Follow(handle, _) => stage
            .characters
            .get(handle)
            .map(|character| character.placement.position),
        CameraTarget::Eyes(handle) => stage.characters.get(handle).and_then(|character| {
            let eyes = character.definition.own_eyes()?;
            eyes.place(&character.world[0], &character.model_from_bone)
        }),
        CameraTarget::Point(_) => None,
    };
    stage.camera.tick(followed, stage.dt as f32);
}
