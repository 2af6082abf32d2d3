//! Hits on characters: reactions, knockdown, rest and getting up.

use glam::Vec3;

use super::event::{Event, EventKind, FallEvent};
use super::{Bodies, Handle};
use galatea_anim::humanoid::Role;
use galatea_character::{
    Action, ActionOptions, Character, EndReason, GetUpClip, HitReaction, Knockback, LimbState,
    Placement, Rising, get_up_clip, get_up_poses, hips_of,
};
use galatea_physics::ragdoll::BodyControl;

/// A hit on a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the bone that is hit.
    pub bone: u16,
    /// World position; the centre of the bone's body when `None`.
    pub position: Option<Vec3>,
    /// Impulse, newton seconds.
    pub impulse: Vec3,
    /// Health lost.
    pub damage: f32,
    /// The thing or character that hits; `None` for a hit without one.
    pub other: Option<Handle>,
}

/// Maximum speed that a hit gives to a limb, metres per second.
const MAX_LIMB_SPEED: f32 = 7.0;
/// Recovery times of limbs after a hit, seconds: flinch, brace, stagger.
const RECOVERY_TIMES: [f32; 3] = [0.18, 0.32, 0.5];
/// Time in which a staggering body stops, seconds.
const STAGGER_TIME: f32 = 0.35;
/// Blend times while getting up, seconds: from the lying pose to the first key pose, to each next key pose, and from the
/// last one to the clips.
const FIRST_BLEND: f32 = 1.2;
const NEXT_BLEND: f32 = 0.7;
const LAST_BLEND: f32 = 0.7;
/// Blend time to the first frame of a get-up clip, seconds, and the extra time for each quarter turn onto the side on which
/// the clip begins.
const CLIP_BLEND: f32 = 0.35;
const QUARTER_TURN_BLEND: f32 = 0.45;

impl Bodies<'_> {
    /// The reaction that a hit would cause.
    pub fn judge(&mut self, handle: Handle, hit: &Hit) -> HitReaction {
        let Some(character) = self.characters.get(handle) else {
            return HitReaction::None;
        };
        let ragdoll = character.body.ragdoll(&character.definition);
        let scale = character.placement.scale;
        let mass: f32 = ragdoll.bodies.iter().map(|body| body.mass).sum();
        let speed = hit.impulse.length() / (mass * scale.powi(3)).max(1e-3);
        let at = hit
            .position
            .unwrap_or_else(|| character.posed.bone_position(hit.bone));
        let hips = hips_of(&character.definition).1 * scale;
        let lever = (at.y - character.placement.position.y) / hips.max(1e-3);
        if hit.damage > 0.0 && character.body.vitals.health <= hit.damage {
            return HitReaction::Fall;
        }
        character.body.vitals.judge(speed, lever)
    }

    /// Applies a hit with the given reaction; the character falls if the hit takes its last health. Returns the reaction.
    pub fn hit(&mut self, handle: Handle, hit: &Hit, reaction: HitReaction) -> HitReaction {
        self.remove_touch_limbs(handle);
        let Some(character) = self.characters.get_mut(handle) else {
            return HitReaction::None;
        };
        let vitals = &mut character.body.vitals;
        // Rounded to millionths, so that 0.9 less 0.1 is 0.8.
        let left = (vitals.health - hit.damage) * 1e6;
        vitals.health = (left.round() / 1e6).clamp(0.0, 1.0);
        let dies = vitals.health <= 0.0 && !vitals.is_dead;
        let reaction = if dies { HitReaction::Fall } else { reaction };
        let at = hit
            .position
            .unwrap_or_else(|| character.posed.bone_position(hit.bone));
        let event = FallEvent::Hit {
            bone: hit.bone,
            reaction,
            impulse: hit.impulse,
            position: at,
            damage: hit.damage,
            other: hit.other,
        };
        self.emit_body_event(handle, event);
        if dies {
            self.kill(handle);
        }
        let is_down = |bodies: &Self| {
            let character = bodies.characters.get(handle);
            character.is_some_and(|c| c.body.limbs.as_ref().is_some_and(|limbs| limbs.is_down()))
        };
        match reaction {
            _ if dies || is_down(self) => {}
            HitReaction::None => return reaction,
            HitReaction::Flinch => self.yield_to_hit(handle, hit, 0),
            HitReaction::Brace => self.yield_to_hit(handle, hit, 1),
            HitReaction::Stagger => {
                self.yield_to_hit(handle, hit, 2);
                self.stagger(handle, hit);
            }
            HitReaction::Fall => self.knock_down(handle),
        }
        let push = hit.impulse;
        if let Some(character) = self.characters.get_mut(handle) {
            let skeleton = character.definition.model.skeleton.clone();
            if let Some(limbs) = &mut character.body.limbs
                && let Some(body) = limbs.ragdoll.body_of(&skeleton, hit.bone)
            {
                let mass = limbs.ragdoll.mass(body);
                // A light limb absorbs only part of a heavy hit; the rest of the impulse goes to the whole body.
                let max_impulse = (mass * MAX_LIMB_SPEED).max(1e-6);
                // A braced body passes more of the impulse to the ground. After a light hit the limb moves more than physics
                // would give, so that it is visible.
                let factor = match reaction {
                    HitReaction::Flinch => 1.4,
                    HitReaction::Stagger => 0.65,
                    _ => 1.0,
                };
                let own = (push * factor).clamp_length_max(max_impulse);
                limbs.pending.push((Some(body), own, hit.position));
                if reaction >= HitReaction::Fall || limbs.is_down() {
                    limbs.pending.push((None, push - own, None));
                }
            }
        }
        reaction
    }

    /// Makes limbs yield to a hit and recover: the limb, the upper body or the whole body.
    fn yield_to_hit(&mut self, handle: Handle, hit: &Hit, grade: usize) {
        let had = self
            .characters
            .get(handle)
            .is_some_and(|character| character.body.limbs.is_some());
        let Some(definition) = self.characters.get(handle).map(|c| c.definition.clone()) else {
            return;
        };
        let Some(limbs) = self.characters.limbs(handle) else {
            return;
        };
        let skeleton = &definition.model.skeleton;
        let Some(body) = limbs.ragdoll.body_of(skeleton, hit.bone) else {
            return;
        };
        let humanoid = definition.clips.humanoid();
        let legs: Vec<u16> = [Role::LeftUpperLeg, Role::RightUpperLeg]
            .iter()
            .filter_map(|role| humanoid.bone(*role))
            .collect();
        let legs = limbs.bodies_under(skeleton, &legs);
        let n = limbs.ragdoll.len();
        for i in 0..n {
            let moves = match grade {
                0 => {
                    i != 0
                        && (i == body
                            || limbs.ragdoll.is_descendant(i, body)
                            || limbs.ragdoll.is_descendant(body, i))
                }
                1 => i != 0 && !legs.contains(&i),
                _ => true,
            };
            let is_scripted = limbs
                .requested
                .as_ref()
                .is_some_and(|asked| asked[i] != BodyControl::Animated);
            if moves && !is_scripted && (!had || limbs.is_temporary) {
                limbs.set(i, BodyControl::Powered(1.0));
            }
            let near = limbs.ragdoll.steps_between(body, i) as f32;
            let dip = match grade {
                0 => 0.95 - 0.2 * near,
                1 => 0.98 - 0.08 * near,
                _ if i == 0 => 0.3,
                _ => 0.75 - 0.06 * near,
            };
            limbs.dips[i] = limbs.dips[i].max(dip.max(0.0));
        }
        limbs.back = RECOVERY_TIMES[grade.min(2)];
        limbs.is_temporary |= !had;
        if limbs.requested.is_none() {
            limbs.ragdoll.settings.pin = if grade >= 2 { 0.7 } else { 1.0 };
        }
    }

    /// Pushes a standing body aside while it regains its balance.
    fn stagger(&mut self, handle: Handle, hit: &Hit) {
        let id = self.ids.new_id();
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        let scale = character.placement.scale;
        let mass: f32 = character
            .body
            .ragdoll(&character.definition)
            .bodies
            .iter()
            .map(|b| b.mass)
            .sum();
        let velocity = (hit.impulse / (mass * scale.powi(3)).max(1e-3)).with_y(0.0);
        let speed = velocity.length().min(2.5);
        let knock = velocity.normalize_or_zero() * speed;
        character.body.knockback.velocity = knock;
        character.body.knockback.left_s = STAGGER_TIME;
        let facing = character.placement.rotation() * Vec3::Z;
        let clips = &character.definition.clips;
        let named = |word: &str| {
            let mut names = clips.names();
            names.position(|name| name.to_lowercase().contains(word))
        };
        let own = named("stagger").or_else(|| named("stumble"));
        // Plays a step of the walk, backwards when the character is pushed back.
        let Some(clip) = own.or_else(|| named("walk")) else {
            return;
        };
        let stride = clips
            .ground_velocity(clip)
            .map_or(1.2, Vec3::length)
            .max(0.3)
            * scale;
        let back = knock.dot(facing) < 0.0;
        let pace = (speed / stride).clamp(0.6, 1.8);
        let options = ActionOptions {
            fade_in: 0.1,
            fade_out: 0.25,
            speed: match own {
                Some(_) => 1.0,
                None if back => -pace,
                None => pace,
            },
            start_time: None,
            mute_markers: false,
            ..ActionOptions::default()
        };
        let duration = clips.duration(clip);
        let action = Action::new(id, clip, duration, options);
        character.body.knockback.step = own.is_none().then_some(id);
        character.playback.actions.push(action);
    }

    /// Knocks a character down; the limbs start with their current velocity.
    pub fn knock_down(&mut self, handle: Handle) {
        let was_down = self
            .characters
            .get(handle)
            .is_some_and(|c| c.body.limbs.as_ref().is_some_and(|limbs| limbs.is_down()));
        if self.fall(handle) && !was_down {
            if let Some(limbs) = self
                .characters
                .get_mut(handle)
                .and_then(|c| c.body.limbs.as_mut())
            {
                limbs.stays_down = false;
            }
            self.emit_body_event(handle, FallEvent::KnockDown);
        }
    }

    /// Kills a character: it falls and does not get up.
    pub fn kill(&mut self, handle: Handle) {
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        if !std::mem::replace(&mut character.body.vitals.is_dead, true) {
            character.body.vitals.health = 0.0;
            self.emit_body_event(handle, FallEvent::Die);
        }
        self.knock_down(handle);
    }

    /// Starts getting up from the ground, with a clip for the lying posture or with generated key poses. The dead come back
    /// to life. Returns false if the character does not lie.
    pub fn get_up(&mut self, handle: Handle) -> bool {
        let (dt, id) = (self.clock.dt, self.ids.new_id());
        let Some(character) = self.characters.get_mut(handle) else {
            return false;
        };
        if !character
            .body
            .limbs
            .as_ref()
            .is_some_and(|limbs| limbs.is_down())
        {
            return false;
        }
        let (lying, yaw) = character
            .posed
            .posture(&character.definition, character.placement);
        let clip = get_up_clip(&character.definition, lying);
        let placement = Placement {
            // Aligns the first frame of the clip with the lying body.
            yaw: clip.map_or(yaw, |clip| {
                character
                    .posed
                    .heading(&character.definition, character.placement)
                    - clip.heading
            }),
            ..character.placement
        };
        let through = match clip {
            Some(_) => Vec::new(),
            None => get_up_poses(&character.definition, lying),
        };
        if let Some([now, before]) = character.posed.pose_of_limbs(
            &character.body,
            &character.definition,
            placement,
            dt as f32,
        ) {
            let seconds = match (clip, through.len()) {
                (Some(clip), _) => CLIP_BLEND + QUARTER_TURN_BLEND * clip.roll / 90.0,
                (None, 0) => LAST_BLEND,
                (None, 1) => NEXT_BLEND,
                (None, _) => FIRST_BLEND,
            };
            character.posed.settle_from_pose(now, before, dt, seconds);
        }
        character.placement = placement;
        let kept = character.body.limbs.take().and_then(|mut limbs| {
            limbs.ragdoll.remove_from_world(&mut self.physics.world);
            limbs.saved_controls()
        });
        character.body.vitals.is_dead = false;
        character.body.vitals.health = character.body.vitals.health.max(0.01);
        let seconds: f32 = match clip {
            Some(GetUpClip { clip, .. }) => {
                let duration = character.definition.clips.duration(clip);
                let options = ActionOptions {
                    fade_in: 0.0,
                    fade_out: 0.3,
                    ..ActionOptions::default()
                };
                let action = Action::new(id, clip, duration, options);
                character.playback.actions.push(action);
                duration
            }
            None => LAST_BLEND,
        };
        character.body.rising = Some(Box::new(Rising {
            since: 0.0,
            from: lying,
            through,
            at: 0,
            last: seconds,
            saved_controls: kept,
        }));
        self.emit_body_event(handle, FallEvent::GetUp(lying));
        true
    }

    fn emit_body_event(&mut self, handle: Handle, event: FallEvent) {
        let time = self.clock.time();
        let kind = EventKind::Fall(Box::new(event));
        self.events.push(Event::new(handle, time, kind));
    }
}

/// Advances characters that stagger, lie or get up, before poses are evaluated.
pub(super) fn advance(bodies: &mut Bodies<'_>) {
    puffin::profile_scope!("hits");
    let (dt, time) = (bodies.clock.dt as f32, bodies.clock.time());
    let Bodies {
        characters, events, ..
    } = bodies;
    let mut emit = |handle, event| {
        let kind = EventKind::Fall(Box::new(event));
        events.push(Event::new(handle, time, kind));
    };
    // Usually empty: most ticks allocate nothing here.
    let mut get_up = Vec::new();
    for (handle, character) in characters.iter_mut() {
        slide(character, dt);
        let hips = hips_of(&character.definition).1 * character.placement.scale;
        if let Some(limbs) = character.body.limbs.as_mut().filter(|l| l.has_sunk(hips)) {
            limbs.lie_down();
            emit(handle, FallEvent::KnockDown);
        }
        let still = match character.body.limbs.as_ref().map(|limbs| limbs.state) {
            Some(LimbState::Down { since, still }) => Some((since, still)),
            _ => None,
        };
        if let Some((since, still)) = still {
            let stays = character
                .body
                .limbs
                .as_ref()
                .is_some_and(|limbs| limbs.stays_down);
            let wakes = character
                .body
                .vitals
                .get_up_delay
                .filter(|_| !character.body.vitals.is_dead && !stays);
            let has_come_to_rest = character.body.limbs.as_mut().is_some_and(|limbs| {
                let rests = still > 0.25 && !limbs.settle_reported;
                limbs.settle_reported |= rests;
                rests
            });
            if has_come_to_rest {
                let (lying, _) = character
                    .posed
                    .posture(&character.definition, character.placement);
                emit(handle, FallEvent::Settle(lying));
            }
            if wakes.is_some_and(|wait| still >= wait && since > 0.5) {
                get_up.push(handle);
            }
        } else if rise(character, dt) {
            emit(handle, FallEvent::GetUpEnd);
        }
    }
    for handle in get_up {
        bodies.get_up(handle);
    }
}

/// Advances a character that is pushed aside.
fn slide(character: &mut Character, dt: f32) {
    let Knockback {
        velocity, left_s, ..
    } = character.body.knockback;
    if left_s <= 0.0 {
        return;
    }
    let fraction = (left_s / STAGGER_TIME).min(1.0);
    let offset = velocity * fraction * dt;
    match &mut character.body.controller {
        Some(controller) => controller.root_translation += offset,
        None => character.placement.position += offset,
    }
    character.body.knockback.left_s = (left_s - dt).max(0.0);
    if left_s <= dt
        && let Some(step) = character.body.knockback.step.take()
        && let Some(action) = character.playback.actions.iter_mut().find(|a| a.id == step)
    {
        action.leave_within(0.25, EndReason::Stopped);
    }
}

/// Advances a character that gets up. Returns true when it stands.
fn rise(character: &mut Character, dt: f32) -> bool {
    let Some(rising) = &mut character.body.rising else {
        return false;
    };
    rising.since += dt;
    let seconds = rising
        .through
        .get(rising.at)
        .map_or(rising.last, |pose| pose.1);
    if rising.since < seconds {
        return false;
    }
    rising.since = 0.0;
    if rising.at >= rising.through.len() {
        let kept = rising.saved_controls.take();
        character.body.rising = None;
        if let Some(kept) = kept {
            let before = character.body.limbs.take();
            let new = || character.body.new_limbs(&character.definition);
            let mut limbs = before.unwrap_or_else(new);
            if limbs.requested.is_none() {
                limbs.restore_controls(kept);
            }
            character.body.limbs = Some(limbs);
        }
        return true;
    }
    rising.at += 1;
    let next = if rising.at < rising.through.len() {
        NEXT_BLEND
    } else {
        LAST_BLEND
    };
    let now = character.posed.pose.clone();
    // The recovery pose must not inherit speed: the body hardly moved.
    character
        .posed
        .settle_from_pose(now.clone(), now, 0.0, next);
    false
}
