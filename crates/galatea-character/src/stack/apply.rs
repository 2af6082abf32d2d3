//! The stack of a character acts on its pose.

use glam::Vec3;

use super::{Facing, Goal, Kind, Modifier, Place, Standing};
use crate::Character;
use crate::meters::planted;
use galatea_anim::local_to_model;
use galatea_face::Feeling;
use galatea_math::damp::left;
use galatea_rig::Posed;
use galatea_rig::alive::AliveInput;
use galatea_rig::carriage::{Carriage, Going, Motion};
use galatea_rig::feet::{FeetInput, Ground, MOST_LEGS};

/// Seconds in which half of the stack comes back to one who stands again.
const WAKING: f32 = 0.15;

/// What a tick tells the stack.
pub struct StackInput<'a> {
    /// Seconds.
    pub dt: f32,
    /// What feet stand on.
    pub ground: &'a dyn Ground,
}

/// Which modifiers act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// All but helpers, before the bodies of a character are moved: these go where the modifiers have them.
    BeforeBodies,
    /// What has not acted yet: helpers, and all of one without bodies.
    Last,
}

/// What a face tells the rest of the body.
#[derive(Clone, Copy)]
struct Mood {
    /// There is one.
    has_face: bool,
    /// A script holds the lids.
    holds_lids: bool,
    /// How much of looks is left under what shows.
    looks: f32,
    feeling: Feeling,
}

impl Mood {
    fn of(facing: Option<&Facing>) -> Self {
        Self {
            has_face: facing.is_some_and(|facing| !facing.rig.is_empty()),
            holds_lids: facing.is_some_and(|facing| facing.face.holds_lids(&facing.rig)),
            looks: facing.map_or(1.0, |facing| facing.face.look_factor()),
            feeling: facing.map_or_else(Feeling::default, |facing| facing.face.feeling),
        }
    }
}

/// A script's modifier is next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Its place in the stack.
    pub at: usize,
    /// Its function.
    pub function: u64,
    /// How much of it is to show.
    pub weight: f32,
}

impl Character {
    /// What its modifiers go after, where in the stack, and which of those of one modifier.
    pub fn goals(&self) -> impl Iterator<Item = ([usize; 2], Goal)> + '_ {
        let modifiers = self.stack.iter().flat_map(|stack| &stack.modifiers);
        modifiers.enumerate().flat_map(|(i, modifier)| {
            let goals = modifier.kind.goals().enumerate();
            goals.map(move |(n, goal)| ([i, n], goal))
        })
    }

    /// True when some of its modifiers act in a pass. Those of one without bodies act last.
    pub fn acts(&self, pass: Pass) -> bool {
        self.stack.is_some() && (pass == Pass::Last || self.limbs.is_some())
    }

    /// Moves the weights of its modifiers on by `dt` seconds, once in a tick. `eye`: where the camera is.
    pub fn begin_stack(&mut self, pass: Pass, dt: f32, eye: Vec3) {
        // Who begins to fall does so from where the modifiers have the limbs, and at their speed.
        let is_up = self.rising.is_none()
            && (self.limbs.as_ref()).is_none_or(|l| !l.is_down() || !l.ragdoll.is_in_world());
        let Some(stack) = &mut self.stack else {
            return;
        };
        let has_begun = pass == Pass::Last && stack.has_acted;
        if has_begun {
            return;
        }
        stack.sight = None;
        stack.awake = if is_up {
            1.0 + (stack.awake - 1.0) * left(WAKING, dt)
        } else {
            0.0
        };
        let (placement, world) = (self.placement, self.world[0]);
        let size = self.definition.model.skeleton.height() * placement.scale.abs();
        let place = Vec3::from(world.translation);
        stack
            .going
            .advance(place, placement.yaw.to_radians(), size, dt);
        let away = eye.distance(place);
        for modifier in &mut stack.modifiers {
            modifier.weight.advance(dt, &self.pose.curves, away);
            if !matches!(modifier.kind, Kind::Helpers(_) | Kind::Face(_)) {
                modifier.weight.shown *= stack.awake;
            }
        }
        let stays = |m: &Modifier| !m.leaves || m.placed || m.weight.now > 0.0;
        stack.modifiers.retain(stays);
    }

    /// Its modifiers act, from the one at a place on. Stops before one of a script, which is to act and then
    /// the rest (see [`Stack::stop`]); the bones' matrices are those of the pose by then, as at the end.
    ///
    /// [`Stack::stop`]: super::Stack::stop
    pub fn apply_stack(&mut self, pass: Pass, from: usize, input: &StackInput<'_>) {
        let Some(mut stack) = self.stack.take() else {
            return;
        };
        let mut locals = std::mem::take(&mut self.pose.locals);
        let definition = self.definition.clone();
        let skeleton = definition.clips.skeleton();
        let loose = definition.loose_feet();
        loose.hold(&mut locals, &self.model_from_bone, &mut stack.held);
        let mut posed = Posed::new(skeleton, &mut locals, &self.model_from_bone).with_held(loose);
        stack.stop = None;
        // Limbs that are to be bodies from the next step on are still where the modifiers have them.
        let has_bodies = self.limbs.as_ref().is_some_and(|l| !l.ragdoll.is_new());
        let standing = stack.standing_weight();
        let helps_at = stack.helps_at();
        let mood = Mood::of(stack.facing());
        for at in from..stack.modifiers.len() {
            let acts_now = match pass {
                Pass::BeforeBodies => true,
                Pass::Last => !stack.has_acted && !has_bodies,
            };
            if helps_at == Some(at) && acts_now {
                self.help_hands(&mut stack.modifiers, &mut posed);
            }
            let Some(modifier) = stack.modifiers.get_mut(at) else {
                break;
            };
            let is_helper = matches!(modifier.kind, Kind::Helpers(_) | Kind::Face(_));
            let acts = match pass {
                Pass::BeforeBodies => !is_helper,
                Pass::Last => is_helper || acts_now,
            };
            let needs_all = !matches!(modifier.kind, Kind::Helpers(_));
            if modifier.missing.is_some() && needs_all || !acts {
                continue;
            }
            if let Kind::Face(facing) = &mut modifier.kind {
                let (pose, dt) = (&mut self.pose, input.dt);
                let weights = (&mut pose.morphs[..], &pose.curves[..]);
                let sight = (stack.sight, self.vitals.dead);
                facing.apply(weights, &mut posed, sight, modifier.weight.shown, dt);
                for &(index, weight) in &self.morph_overrides {
                    if let Some(value) = pose.morphs.get_mut(index) {
                        *value = weight;
                    }
                }
                continue;
            }
            if let Kind::Helpers(helping) = &mut modifier.kind {
                let held = &self.morph_overrides;
                let is_held = |i: usize| held.iter().any(|(index, _)| *index == i);
                let morphs = &mut self.pose.morphs;
                helping.apply(&mut posed, morphs, is_held, modifier.weight.shown);
                continue;
            }
            if let Kind::Script(function) = modifier.kind {
                if modifier.weight.shown > 0.0 {
                    let weight = modifier.weight.shown;
                    stack.stop = Some(Stop {
                        at,
                        function,
                        weight,
                    });
                    break;
                }
                continue;
            }
            if let Kind::Look(looking) = &mut modifier.kind {
                looking.holds_lids = mood.holds_lids;
            }
            self.apply_one(modifier, (&stack.going, standing, mood), &mut posed, input);
            if let Kind::Look(looking) = &modifier.kind {
                let held = &self.morph_overrides;
                let is_held = |i: usize| held.iter().any(|(index, _)| *index == i);
                let (morphs, weight) = (&mut self.pose.morphs, modifier.weight.shown);
                looking.write_looks(morphs, is_held, weight * mood.looks);
                let sight = looking.sight(weight);
                if !mood.has_face {
                    looking.write_lids(morphs, is_held, sight.0);
                }
                stack.sight = Some(sight);
            }
        }
        posed.release(loose, &stack.held);
        let is_changed = posed.is_changed();
        self.pose.locals = locals;
        if stack.stop.is_some_and(|stop| stop.weight < 1.0) {
            stack.before.clone_from(&self.pose.locals);
        }
        if is_changed {
            local_to_model(skeleton, &self.pose.locals, &mut self.model_from_bone);
        }
        if stack.stop.is_none() {
            stack.has_acted = pass == Pass::BeforeBodies;
        }
        self.stack = Some(stack);
    }

    /// Its pose for a script's modifier, as it is by now.
    pub fn posed_for_script<R>(&mut self, f: impl FnOnce(&mut Posed<'_>) -> R) -> Option<R> {
        let mut stack = self.stack.take()?;
        let definition = self.definition.clone();
        let skeleton = definition.clips.skeleton();
        let (loose, locals) = (definition.loose_feet(), &mut self.pose.locals);
        if stack.old_from.is_none() {
            loose.hold(locals, &self.model_from_bone, &mut stack.held);
        }
        let mut posed = Posed::new(skeleton, locals, &self.model_from_bone).with_held(loose);
        if let Some(old_from) = stack.old_from {
            posed.set_old_from(old_from);
        }
        let result = f(&mut posed);
        stack.old_from = Some(posed.old_from());
        self.stack = Some(stack);
        Some(result)
    }

    /// A script's modifier has acted: it shows by its weight, and matrices are those of the pose again.
    pub fn end_of_script(&mut self, weight: f32) {
        let Some(stack) = &mut self.stack else {
            return;
        };
        let Some(old_from) = stack.old_from.take() else {
            return;
        };
        let (skeleton, loose) = (
            self.definition.clips.skeleton(),
            self.definition.loose_feet(),
        );
        let locals = &mut self.pose.locals;
        let mut posed = Posed::new(skeleton, locals, &self.model_from_bone).with_held(loose);
        posed.set_old_from(old_from);
        posed.release(loose, &stack.held);
        if old_from >= locals.len() {
            return;
        }
        if weight < 1.0 {
            for (local, before) in locals.iter_mut().zip(&stack.before).skip(old_from) {
                *local = before.lerp(*local, weight);
            }
        }
        local_to_model(skeleton, &self.pose.locals, &mut self.model_from_bone);
    }

    fn apply_one(
        &self,
        modifier: &mut Modifier,
        (going, standing, mood): (&Going, f32, Mood),
        posed: &mut Posed<'_>,
        input: &StackInput<'_>,
    ) {
        let weight = modifier.weight.shown;
        match &mut modifier.kind {
            Kind::Alive(living) => {
                if let Some(rig) = &living.rig {
                    let own = living.mood;
                    let feels = AliveInput {
                        dt: input.dt,
                        still: own.still.min(1.0 - going.pace(self.size_over_human())),
                        valence: own.valence + mood.feeling.valence,
                        arousal: own.arousal + mood.feeling.arousal,
                        ..own
                    };
                    // Its weight shifts only over feet that are held.
                    let asked = living.alive.options.sway;
                    living.alive.options.sway *= standing;
                    living.alive.advance(&feels);
                    living.alive.apply(posed, rig, weight);
                    living.alive.options.sway = asked;
                }
            }
            Kind::Look(looking) => {
                let back = self.world[0].inverse();
                let place_of = |place: &Place, posed: &Posed<'_>| {
                    Vec3::from(place.in_model(posed, back).translation)
                };
                // A head without a target goes along with the turn that brings it one.
                let goes_along = self.is_turning_to_look() && !looking.gaze.has_accepted();
                let turned = if goes_along { 0.0 } else { going.turned() };
                let asked = looking.gaze.options.blinks;
                looking.gaze.options.blinks *= mood.feeling.blink_rate();
                looking.advance(posed, place_of, turned, weight, input.dt);
                looking.gaze.options.blinks = asked;
            }
            Kind::Lean(leaning) => {
                if let Some(carriage) = &leaning.carriage {
                    let motion = self.motion(going, carriage);
                    let (options, dt) = (&leaning.options, input.dt);
                    let lean = &mut leaning.lean;
                    lean.advance(carriage, options, &motion, posed, weight, dt);
                }
            }
            Kind::Strafe(strafing) => {
                if let Some(carriage) = &strafing.carriage {
                    let motion = self.motion(going, carriage);
                    let (options, dt) = (&strafing.options, input.dt);
                    let strafe = &mut strafing.strafe;
                    strafe.advance(carriage, options, &motion, posed, weight, dt);
                }
            }
            Kind::Aim(aiming) => {
                if let Some(place) = aiming.place.filter(|_| weight > 0.0) {
                    let back = self.world[0].inverse();
                    let target = place.in_model(posed, back).translation.into();
                    let humanoid = self.definition.clips.humanoid();
                    let ahead = humanoid.model_from_character * Vec3::Z;
                    aiming.advance(posed, target, ahead, weight);
                }
            }
            Kind::Chain(chaining) => {
                if let Some(place) = chaining.place.filter(|_| weight > 0.0) {
                    let back = self.world[0].inverse();
                    let place = place.in_model(posed, back);
                    let scale = self.placement.scale.abs();
                    chaining.advance(posed, place, scale, weight);
                }
            }
            Kind::Feet(feet) => self.stand(feet, posed, weight, input),
            Kind::Sit(sitting) => {
                if let Some(place) = sitting.place.filter(|_| weight > 0.0) {
                    let place = place.in_model(posed, self.world[0].inverse());
                    sitting.advance(posed, place.translation.into(), weight);
                }
            }
            Kind::Reach(reaching) => self.reach(reaching, posed, weight, input.dt),
            Kind::Grip(gripping) => gripping.grip.advance(posed, weight, input.dt),
            Kind::Face(_) | Kind::Helpers(_) | Kind::Script(_) => {}
        }
    }

    /// How it goes, in its own space and as if it were as high as a human.
    fn motion(&self, going: &Going, carriage: &Carriage) -> Motion {
        /// Height of a human's hips, metres.
        const HIPS: f32 = 0.95;
        let size = carriage.height * self.placement.scale.abs() / HIPS;
        let controller = self.controller.as_ref();
        let ground = controller.and_then(|controller| controller.ground());
        let normal = ground.map_or(Vec3::Y, |ground| ground.normal);
        going.motion(self.placement.yaw.to_radians(), size, normal)
    }

    /// Its height over that of a human.
    fn size_over_human(&self) -> f32 {
        const HUMAN: f32 = 1.7;
        self.definition.model.skeleton.height() * self.placement.scale.abs() / HUMAN
    }

    fn stand(
        &self,
        standing: &mut Standing,
        posed: &mut Posed<'_>,
        weight: f32,
        input: &StackInput<'_>,
    ) {
        let Standing {
            rig: Some(rig),
            options,
            feet,
            steps,
            ..
        } = standing
        else {
            return;
        };
        if weight <= 0.0 || self.attachment.is_some() {
            feet.reset();
            return;
        }
        let mut carry = [None; MOST_LEGS];
        if let Some(shares) = planted(self) {
            for (slot, leg) in carry.iter_mut().zip(&rig.legs) {
                let mut of_clips = self.definition.feet.iter().zip(shares);
                let own = of_clips.find(|(bone, _)| **bone == Some(leg.limb.end));
                *slot = own.map(|(_, share)| share);
            }
        }
        let controller = self.controller.as_ref();
        let input = FeetInput {
            dt: input.dt,
            world_from_model: self.world[0],
            weight,
            grounded: controller.is_none_or(|controller| controller.is_grounded()),
            planted: &carry[..rig.legs.len().min(MOST_LEGS)],
            ground: input.ground,
        };
        feet.advance(rig, options, posed, &input, steps);
    }
}
