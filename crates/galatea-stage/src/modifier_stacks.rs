//! Modifiers of all characters: resolves their goals, applies them, and reports steps of the legs.

use glam::{Affine3A, Vec3};

use super::event::{Event, EventKind, StepEvent};
use super::physics::{character_of, owner, surface_of};
use super::script::Script;
use super::{Characters, Handle, Stage, attachments};
use galatea_character::{Character, Goal, GoalPosition, ModifierStackInput, Pass, Stop, TimeBase};
use galatea_physics::{BodyId, Filter, Owner, PhysicsWorld};
use galatea_rig::foot_ik::{GroundHit, GroundQuery, PlatformId};

/// Ground queries of feet.
struct StageGround<'a> {
    world: &'a PhysicsWorld,
    floor: Option<f32>,
    /// Owners to ignore: the character itself, its attachments, and other characters.
    exclude: &'a [Owner],
}

impl GroundQuery for StageGround<'_> {
    fn ground_below(&self, from: Vec3, reach: f32) -> Option<GroundHit> {
        let floor = self.floor.filter(|floor| {
            let depth = from.y - floor;
            (0.0..=reach).contains(&depth)
        });
        let floor = floor.map(|floor| GroundHit {
            point: from.with_y(floor),
            normal: Vec3::Y,
            platform: None,
            owner: Owner::FLOOR_OWNER.0,
            part: 0,
        });
        if self.world.is_empty() {
            return floor;
        }
        let filter = Filter {
            exclude: self.exclude,
            ..Filter::default()
        };
        let hit = self.world.ray(from, Vec3::NEG_Y, reach, &filter);
        // A ray that starts inside of an object does not find its top.
        let hit = hit.filter(|hit| hit.distance > 1e-4 && hit.normal.y > 0.05);
        hit.map_or(floor, |hit| {
            Some(GroundHit {
                point: hit.position,
                normal: hit.normal,
                platform: hit.body.map(|body| PlatformId(body.bits())),
                owner: hit.owner.0,
                part: hit.part,
            })
        })
    }

    fn platform(&self, id: PlatformId) -> Option<Affine3A> {
        let frame = self.world.frame(BodyId::from_bits(id.0))?;
        Some(Affine3A::from_rotation_translation(
            frame.rotation,
            frame.position,
        ))
    }
}

/// Applies the modifiers of all characters. Without a script, its own modifiers are skipped.
pub(super) fn apply(
    stage: &mut Stage,
    mut script: Option<&mut (dyn Script + '_)>,
    which: (Pass, TimeBase),
    dt: f64,
) {
    puffin::profile_scope!("modifiers");
    let (pass, _) = which;
    if !stage.characters.iter().any(|(_, c)| runs(c, which)) {
        return;
    }
    let eye = stage.camera.camera(1.0).eye;
    let mut persons = std::mem::take(&mut stage.scratch.persons);
    persons.clear();
    let all = stage.characters.iter();
    persons.extend(all.filter(|(_, c)| is_character(c)).map(|(h, _)| owner(h)));
    let last = assign_rounds(&mut stage.characters, &mut stage.scratch.later, which);
    for round in 0..=last {
        find_goals(stage, which, round);
        each_character(stage, &persons, dt, |character, input| {
            if is_in(character, which, round) {
                let input = ModifierStackInput {
                    dt: character.time.passed(dt) as f32,
                    ..*input
                };
                character.begin_modifier_stack(pass, input.dt, eye);
                character.apply_modifier_stack(pass, 0, &input);
            }
        });
        while let Some((handle, stop)) = next_stop(&mut stage.characters) {
            if let Some(script) = script.as_deref_mut() {
                let time = stage.characters.get(handle).map(|character| character.time);
                let dt = time.map_or(dt, |time| time.passed(dt));
                script.modify(stage, handle, stop.function, dt);
            }
            let Some(character) = stage.characters.get_mut(handle) else {
                continue;
            };
            character.modifiers.end_of_script(
                &character.definition,
                &mut character.posed,
                stop.weight,
            );
            let ground = StageGround {
                world: &stage.physics.world,
                floor: stage.floor.collision_height,
                exclude: &persons,
            };
            let input = ModifierStackInput {
                dt: character.time.passed(dt) as f32,
                ground: &ground,
            };
            character.apply_modifier_stack(pass, stop.at + 1, &input);
        }
        if round < last {
            attachments::place_attachments(&mut stage.characters);
        }
    }
    stage.scratch.persons = persons;
    emit_steps(stage, which);
}

/// Returns true if the modifiers of a character run in this pass of this time.
fn runs(character: &Character, (pass, base): (Pass, TimeBase)) -> bool {
    let has_limbs = character.body.limbs.is_some();
    character.time.base == base && character.modifiers.runs_in_pass(pass, has_limbs)
}

fn is_in(character: &Character, which: (Pass, TimeBase), round: u32) -> bool {
    let own = character
        .modifiers
        .modifier_stack
        .as_ref()
        .map(|stack| stack.round);
    runs(character, which) && own == Some(round)
}

/// Maximum number of rounds. Characters that target each other in a ring use some poses of the last tick.
const MAX_ROUNDS: u32 = 8;

/// Orders characters after those that they target. Returns the last round.
fn assign_rounds(
    characters: &mut Characters,
    later: &mut Vec<Handle>,
    which: (Pass, TimeBase),
) -> u32 {
    for (_, character) in characters.iter_mut() {
        if let Some(stack) = &mut character.modifiers.modifier_stack {
            stack.round = 0;
        }
    }
    let mut last = 0;
    for round in 1..MAX_ROUNDS {
        later.clear();
        for (handle, character) in characters.iter() {
            let waits = |(_, goal): ([usize; 2], Goal)| match goal {
                Goal::On { character, .. } => {
                    waits_for(characters, [handle, character], which, round - 1)
                }
                _ => false,
            };
            if is_in(character, which, round - 1) && character.modifiers.goals().any(waits) {
                later.push(handle);
            }
        }
        // All of them wait: a ring, which no order resolves.
        let all = characters.iter();
        let n = all.filter(|(_, c)| is_in(c, which, round - 1)).count();
        if later.is_empty() || later.len() == n {
            break;
        }
        for handle in &*later {
            let character = characters.get_mut(*handle);
            if let Some(stack) = character.and_then(|c| c.modifiers.modifier_stack.as_mut()) {
                stack.round = round;
            }
        }
        last = round;
    }
    last
}

/// Returns true if the target of a goal, or its holder, is another character of the same round.
fn waits_for(
    characters: &Characters,
    [own, on]: [Handle; 2],
    which: (Pass, TimeBase),
    round: u32,
) -> bool {
    let holders = std::iter::successors(Some(on), |handle| characters.holder(*handle));
    let mut holders = holders.take(MAX_ROUNDS as usize);
    holders.any(|handle| {
        let character = characters.get(handle);
        handle != own && character.is_some_and(|c| is_in(c, which, round))
    })
}

/// Returns true for characters and attachments, which foot IK does not use as ground.
fn is_character(character: &Character) -> bool {
    let moves = character.body.limbs.is_some() || character.body.controller.is_some();
    character.body.prop_body.is_none() && moves || character.attachment.is_some()
}

fn each_character(
    stage: &mut Stage,
    persons: &[Owner],
    dt: f64,
    one: impl Fn(&mut Character, &ModifierStackInput<'_>) + Send + Sync,
) {
    let ground = StageGround {
        world: &stage.physics.world,
        floor: stage.floor.collision_height,
        exclude: persons,
    };
    let input = ModifierStackInput {
        dt: dt as f32,
        ground: &ground,
    };
    stage.characters.each_slot(|(_, slot)| {
        if let Some(character) = slot {
            one(character, &input);
        }
    });
}

/// The next modifier of a script to run: character and index in its stack.
fn next_stop(characters: &mut Characters) -> Option<(Handle, Stop)> {
    let mut all = characters.iter_mut();
    all.find_map(|(handle, character)| {
        let stop = character.modifiers.modifier_stack.as_mut()?.stop.take();
        stop.map(|stop| (handle, stop))
    })
}

/// Resolves the positions of all goals.
fn find_goals(stage: &mut Stage, which: (Pass, TimeBase), round: u32) {
    let mut found = std::mem::take(&mut stage.scratch.goals);
    found.clear();
    for (handle, character) in stage.characters.iter() {
        if is_in(character, which, round) {
            for (at, goal) in character.modifiers.goals() {
                found.push((handle, at, position_of(stage, handle, goal)));
            }
        }
    }
    for (handle, [at, n], place) in found.drain(..) {
        let stack = stage
            .characters
            .get_mut(handle)
            .and_then(|c| c.modifiers.modifier_stack.as_mut());
        if let Some(modifier) = stack.and_then(|stack| stack.modifiers.get_mut(at)) {
            modifier.kind.set_target_position(n, place);
        }
    }
    stage.scratch.goals = found;
}

/// Position of a goal of a character; `None` when its target is gone.
fn position_of(stage: &Stage, own: Handle, goal: Goal) -> Option<GoalPosition> {
    match goal {
        Goal::World(place) => Some(GoalPosition::World(Affine3A::from_translation(place))),
        Goal::Own(place) => Some(GoalPosition::Model(Affine3A::from_translation(place))),
        Goal::Camera => {
            let eye = stage.camera.camera(1.0).eye;
            Some(GoalPosition::World(Affine3A::from_translation(eye)))
        }
        Goal::On {
            character,
            bone,
            at,
            turn,
        } => {
            let on = Affine3A::from_rotation_translation(turn, at);
            let other = stage.characters.get(character)?;
            let in_model = match bone {
                Some(bone) => *other.posed.model_from_bone.get(usize::from(bone))?,
                None => Affine3A::IDENTITY,
            };
            if character == own {
                return Some(match bone {
                    Some(bone) => GoalPosition::OnBone(bone, on),
                    None => GoalPosition::Model(on),
                });
            }
            // An object in the character's own hand moves with that hand.
            match other.attachment.filter(|held| held.holder == own) {
                Some(held) => {
                    let thing = held.to_affine(other.placement.scale);
                    Some(GoalPosition::OnBone(held.bone, thing * in_model * on))
                }
                None => Some(GoalPosition::World(other.posed.world[0] * in_model * on)),
            }
        }
    }
}

/// Emits events for the steps of the legs.
fn emit_steps(stage: &mut Stage, which: (Pass, TimeBase)) {
    let time = stage.time() + stage.clock.dt;
    let mut steps = std::mem::take(&mut stage.scratch.steps);
    for (handle, character) in stage.characters.iter_mut() {
        if !runs(character, which) {
            continue;
        }
        let Some(standing) = character
            .modifiers
            .modifier_stack
            .as_mut()
            .and_then(|s| s.standing_mut())
        else {
            continue;
        };
        let (tells, rig) = (standing.emits_steps, standing.rig.clone());
        for step in standing.steps.drain(..) {
            if let (true, Some(rig)) = (tells, &rig) {
                steps.push((handle, rig.clone(), step));
            }
        }
    }
    for (handle, rig, step) in steps.drain(..) {
        let other = character_of(Owner(step.owner));
        let surface = surface_of(
            &stage.characters,
            &stage.floor,
            other,
            step.part,
            step.position,
        );
        let kind = EventKind::Step(Box::new(StepEvent { step, rig, surface }));
        stage.events.push(Event::new(handle, time, kind));
    }
    stage.scratch.steps = steps;
}
