//! One tick of the simulation, told in one function.

use rayon::prelude::*;

use super::camera::CameraTarget;
use super::event::{Event, EventKind};
use super::{Handle, Stage, StageCharacter};
use crate::anim::{Mark, MarkValue};
use crate::character::{EndReason, Placement};
use crate::machine::{Happening, Host, Predicate, advance};

/// What the simulation asks of the script that runs it. Faults inside a script stay inside it.
pub trait Script {
    /// The script's own work of a tick.
    fn update(&mut self, stage: &mut Stage, dt: f64);
    /// Reads the parameters that the script set for a character's machine.
    fn params(&mut self, character: Handle, values: &mut [f32]);
    /// Evaluates a condition on a character's parameters.
    fn ask(&mut self, character: Handle, predicate: Predicate) -> bool;
    /// Hears all that happened in the tick, in order (`stage.events`).
    fn deliver(&mut self, stage: &mut Stage);
}

/// Moves the stage on by one tick. This is the order of a frame:
pub fn tick(stage: &mut Stage, script: &mut dyn Script) {
    for (_, character) in stage.characters.iter_mut() {
        character.begin_tick();
    }
    let dt = stage.dt;
    script.update(stage, dt);
    advance_machines(stage, script);
    advance_actions(stage);
    evaluate_poses(stage);
    place_in_world(stage);
    locate_events(stage);
    follow_camera(stage);
    script.deliver(stage);
    stage.events.clear();
    stage.input.end_tick();
    stage.n_ticks += 1;
}

/// Poses and places everything as it is now, without moving time.
pub(super) fn settle(stage: &mut Stage) {
    evaluate_poses(stage);
    place_in_world(stage);
}

struct MachineHost<'s, 'e> {
    character: Handle,
    start: f64,
    rng: &'s mut super::Rng,
    script: &'s mut dyn Script,
    events: &'s mut Vec<Event>,
    marks: &'e [Vec<Mark>],
}

impl<'e> Host<'e> for MachineHost<'_, 'e> {
    fn ask(&mut self, predicate: Predicate) -> bool {
        self.script.ask(self.character, predicate)
    }

    fn choose(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }

    fn tell(&mut self, happening: Happening<'e>) {
        let (offset, kind) = match happening {
            Happening::Exit { layer, state, to } => (0.0, EventKind::Exit { layer, state, to }),
            Happening::Enter { layer, state, from } => {
                (0.0, EventKind::Enter { layer, state, from })
            }
            Happening::End {
                layer,
                state,
                offset,
            } => (offset, EventKind::End { layer, state }),
            Happening::Mark {
                mark,
                clip,
                offset,
                weight,
            } => (offset, mark_event(self.marks, clip, mark, weight)),
        };
        self.events.push(Event {
            character: self.character,
            time: self.start + offset,
            kind,
        });
    }
}

/// Position and surface are filled in when the pose is known.
fn mark_event(marks: &[Vec<Mark>], clip: usize, mark: &Mark, weight: f32) -> EventKind {
    EventKind::Mark {
        clip,
        mark: marks[clip]
            .iter()
            .position(|other| std::ptr::eq(other, mark))
            .unwrap_or(0),
        weight,
        position: glam::Vec3::ZERO,
        surface: "".into(),
    }
}

fn advance_machines(stage: &mut Stage, script: &mut dyn Script) {
    let (start, dt) = (stage.time(), stage.dt);
    for (handle, character) in stage.characters.iter_mut() {
        let Some((machine, state)) = &mut character.machine else {
            continue;
        };
        script.params(handle, &mut state.params);
        let mut host = MachineHost {
            character: handle,
            start,
            rng: &mut stage.rng,
            script,
            events: &mut stage.events,
            marks: &character.marks,
        };
        let model = &character.definition.model;
        advance(machine, model, &character.marks, state, dt, &mut host);
    }
}

fn advance_actions(stage: &mut Stage) {
    let (start, dt) = (stage.time(), stage.dt);
    for (handle, character) in stage.characters.iter_mut() {
        if character.machine.is_none() {
            character.idle_for += dt;
        }
        let model = &character.definition.model;
        for action in &mut character.actions {
            let from = action.elapsed;
            let clip = &model.clips[action.clip];
            let end = action.advance(clip, dt);
            let (to, mode) = (action.elapsed, action.options.mode);
            let leaving = action.leaving.is_some_and(|(_, why)| why != EndReason::End);
            let weight = action.weight();
            if !leaving {
                let marks = &character.marks[action.clip];
                let per_second = dt / (to - from);
                crate::anim::passed_marks(marks, mode, clip.duration, from, to, |mark, at| {
                    stage.events.push(Event {
                        character: handle,
                        time: start + (at - from) * per_second,
                        kind: mark_event(&character.marks, action.clip, mark, weight),
                    });
                });
            }
            if let Some(end) = end {
                stage.events.push(Event {
                    character: handle,
                    time: start + end.offset,
                    kind: EventKind::ActionEnd {
                        id: end.id,
                        reason: end.reason,
                    },
                });
            }
        }
        character.actions.retain(|action| !action.is_over());
    }
}

fn evaluate_poses(stage: &mut Stage) {
    let one = |(_, slot): &mut (u32, Option<StageCharacter>)| {
        if let Some(character) = slot {
            character.evaluate_pose();
            character.build();
        }
    };
    let slots = stage.characters.slots_mut();
    if slots.len() < 8 {
        slots.iter_mut().for_each(one);
    } else {
        slots.par_iter_mut().for_each(one);
    }
}

/// World matrices; what is held follows its holder's bone, through chains of holders.
fn place_in_world(stage: &mut Stage) {
    let mut held: Vec<Handle> = Vec::new();
    for (handle, character) in stage.characters.iter_mut() {
        character.world[0] = character.placement.to_affine();
        if character.attachment.is_some() {
            held.push(handle);
        }
    }
    // Holders before what they hold. Nothing holds itself: attaching refuses it.
    let n_held = held.len();
    held.sort_by_cached_key(|&handle| {
        let above = |handle: &Handle| stage.holder(*handle);
        std::iter::successors(Some(handle), above)
            .take(n_held + 1)
            .count()
    });
    for handle in held {
        place_held(stage, handle);
    }
}

fn place_held(stage: &mut Stage, handle: Handle) {
    let Some((attachment, own_scale)) = stage
        .characters
        .get(handle)
        .and_then(|c| Some((c.attachment?, c.placement.scale)))
    else {
        return;
    };
    let Some(holder) = stage.characters.get(attachment.holder) else {
        return;
    };
    let Some(bone) = holder.model_from_bone.get(usize::from(attachment.bone)) else {
        return;
    };
    let world = holder.world[0] * *bone * attachment.to_affine(own_scale);
    if let Some(character) = stage.characters.get_mut(handle) {
        character.world[0] = world;
        character.placement = Placement {
            position: world.translation.into(),
            ..character.placement
        };
    }
}

fn locate_events(stage: &mut Stage) {
    for event in &mut stage.events {
        let EventKind::Mark {
            clip,
            mark,
            position,
            surface,
            ..
        } = &mut event.kind
        else {
            continue;
        };
        let Some(character) = stage.characters.get(event.character) else {
            continue;
        };
        let bone = mark_bone(character, &character.marks[*clip][*mark]);
        *position = match bone {
            Some(bone) => character.bone_position(bone),
            None => character.world[0].translation.into(),
        };
        *surface = stage.floor.surface_at(*position).clone();
    }
    stage.events.sort_by(|a, b| a.time.total_cmp(&b.time));
}

/// The bone a mark speaks of: its field `bone`, or the foot of its field `foot`.
fn mark_bone(character: &StageCharacter, mark: &Mark) -> Option<u16> {
    let text = |name: &str| {
        mark.fields.iter().find_map(|(field, value)| match value {
            MarkValue::Text(text) if field == name => Some(text.as_str()),
            _ => None,
        })
    };
    if let Some(bone) = text("bone") {
        return character.definition.model.skeleton.find(bone);
    }
    match text("foot")? {
        "left" => character.definition.feet[0],
        "right" => character.definition.feet[1],
        _ => None,
    }
}

fn follow_camera(stage: &mut Stage) {
    let followed = match stage.camera.set.target {
        CameraTarget::Follow(handle, _) => stage
            .characters
            .get(handle)
            .map(|character| character.placement.position),
        CameraTarget::Point(_) => None,
    };
    stage.camera.tick(followed, stage.dt as f32);
}
