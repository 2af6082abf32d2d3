//! Applies the modifier stack of a character to its pose.

use glam::Vec3;

use super::body::{ModifierStackBody, ModifierStackInput, ModifierStackPose, Pass};
use super::face::FaceModifier;
use super::goal::GoalPosition;
use super::list::{ModifierStack, Stop};
use super::look_at::LookAtModifier;
use super::modifier::{FootIkModifier, IdleMotionModifier, Modifier, ModifierKind};
use super::step_in::help_hands;
use crate::definition::Definition;
use galatea_anim::local_to_model;
use galatea_face::Feeling;
use galatea_math::damp::left;
use galatea_rig::Posed;
use galatea_rig::foot_ik::{FootIkInput, MAX_LEGS};
use galatea_rig::idle_motion::IdleMotionInput;
use galatea_rig::lean_and_warp::{BodyMotion, HipSpineRig, MotionTracker};

/// Half-life in which the stack's weight returns after the character stands up, seconds.
const WAKE_HALF_LIFE: f32 = 0.15;

/// Output of the face that affects the rest of the body.
#[derive(Clone, Copy)]
struct Mood {
    /// The model has a face.
    has_face: bool,
    /// A script controls the eyelids.
    holds_lids: bool,
    /// Factor on gaze morph targets that remains below visible expressions.
    looks: f32,
    feeling: Feeling,
}

impl Mood {
    fn of(facing: Option<&FaceModifier>) -> Self {
        Self {
            has_face: facing.is_some_and(|facing| !facing.rig.is_empty()),
            holds_lids: facing.is_some_and(|facing| facing.face.holds_lids(&facing.rig)),
            looks: facing.map_or(1.0, |facing| facing.face.look_factor()),
            feeling: facing.map_or_else(Feeling::default, |facing| facing.face.feeling),
        }
    }
}

impl ModifierStack {
    /// Advances the weights of the modifiers by `dt` seconds, once per tick. `is_up`: the character is neither lying nor
    /// getting up. `eye`: position of the camera.
    pub fn begin(
        &mut self,
        pass: Pass,
        body: &ModifierStackBody<'_>,
        curves: &[f32],
        is_up: bool,
        dt: f32,
        eye: Vec3,
    ) {
        let has_begun = pass == Pass::Last && self.has_run;
        if has_begun {
            return;
        }
        self.sight = None;
        self.awake = if is_up {
            1.0 + (self.awake - 1.0) * left(WAKE_HALF_LIFE, dt)
        } else {
            0.0
        };
        let (placement, world) = (body.placement, body.world_from_model);
        let skeleton = &body.playing.definition.model.skeleton;
        let size = skeleton.height() * placement.scale.abs();
        let position = Vec3::from(world.translation);
        self.motion
            .advance(position, placement.yaw.to_radians(), size, dt);
        let away = eye.distance(position);
        for modifier in &mut self.modifiers {
            modifier.weight.advance(dt, curves, away);
            if !matches!(
                modifier.kind,
                ModifierKind::HelperBones(_) | ModifierKind::Face(_)
            ) {
                modifier.weight.effective_weight *= self.awake;
            }
        }
        let stays = |m: &Modifier| !m.is_released || m.is_reordered || m.weight.now > 0.0;
        self.modifiers.retain(stays);
    }

    /// Applies the modifiers from index `from` on. Stops before a script's modifier, which acts before the rest (see
    /// [`ModifierStack::stop`]). The bone matrices match the pose at each stop and at the end.
    pub fn apply(
        &mut self,
        body: &ModifierStackBody<'_>,
        out: ModifierStackPose<'_>,
        pass: Pass,
        from: usize,
        input: &ModifierStackInput<'_>,
    ) {
        let ModifierStackPose {
            pose,
            model_from_bone,
        } = out;
        let mut locals = std::mem::take(&mut pose.locals);
        let definition = body.playing.definition;
        let skeleton = definition.clips.skeleton();
        let mut posed = Posed::new(skeleton, &mut locals, model_from_bone);
        self.stop = None;
        let standing = self.standing_weight();
        let help_index = self.help_index();
        let mood = Mood::of(self.facing());
        for at in from..self.modifiers.len() {
            let acts_now = match pass {
                Pass::BeforeBodies => true,
                Pass::Last => !self.has_run && !body.has_bodies,
            };
            if help_index == Some(at) && acts_now {
                help_hands(body, &mut self.modifiers, &mut posed);
            }
            let Some(modifier) = self.modifiers.get_mut(at) else {
                break;
            };
            let is_helper = matches!(
                modifier.kind,
                ModifierKind::HelperBones(_) | ModifierKind::Face(_)
            );
            let acts = match pass {
                Pass::BeforeBodies => !is_helper,
                Pass::Last => is_helper || acts_now,
            };
            let needs_all = !matches!(modifier.kind, ModifierKind::HelperBones(_));
            if modifier.inactive_reason.is_some() && needs_all || !acts {
                continue;
            }
            if let ModifierKind::Script(function) = modifier.kind {
                let weight = modifier.weight.effective_weight;
                if weight > 0.0 {
                    self.stop = Some(Stop {
                        at,
                        function,
                        weight,
                    });
                    break;
                }
                continue;
            }
            let tick = ModifierInput {
                body,
                motion: &self.motion,
                standing,
                mood,
                input,
            };
            let weights = (&mut pose.morphs[..], &pose.curves[..]);
            tick.run_on_pose(modifier, &mut posed, weights, &mut self.sight);
        }
        let is_changed = posed.is_changed();
        pose.locals = locals;
        if self.stop.is_some_and(|stop| stop.weight < 1.0) {
            self.before.clone_from(&pose.locals);
        }
        if is_changed {
            local_to_model(skeleton, &pose.locals, model_from_bone);
        }
        if self.stop.is_none() {
            self.has_run = pass == Pass::BeforeBodies;
        }
    }

    /// Calls `f` with the current pose, for a script's modifier.
    pub fn posed_for_script<R>(
        &mut self,
        definition: &Definition,
        out: ModifierStackPose<'_>,
        f: impl FnOnce(&mut Posed<'_>) -> R,
    ) -> R {
        let skeleton = definition.clips.skeleton();
        let mut posed = Posed::new(skeleton, &mut out.pose.locals, out.model_from_bone);
        if let Some(old_from) = self.old_from {
            posed.set_old_from(old_from);
        }
        let result = f(&mut posed);
        self.old_from = Some(posed.old_from());
        result
    }

    /// Ends a script's modifier: blends its result by `weight` and updates the bone matrices.
    pub fn end_of_script(
        &mut self,
        definition: &Definition,
        out: ModifierStackPose<'_>,
        weight: f32,
    ) {
        let Some(old_from) = self.old_from.take() else {
            return;
        };
        let locals = &mut out.pose.locals;
        if old_from >= locals.len() {
            return;
        }
        if weight < 1.0 {
            for (local, before) in locals.iter_mut().zip(&self.before).skip(old_from) {
                *local = before.lerp(*local, weight);
            }
        }
        local_to_model(
            definition.clips.skeleton(),
            &out.pose.locals,
            out.model_from_bone,
        );
    }
}

/// Input of one modifier in a tick.
struct ModifierInput<'a> {
    body: &'a ModifierStackBody<'a>,
    motion: &'a MotionTracker,
    /// Weight of the foot placement, 0..=1.
    standing: f32,
    mood: Mood,
    input: &'a ModifierStackInput<'a>,
}

impl ModifierInput<'_> {
    /// Runs a modifier on bones and morph weights. `curves` are those of the pose. `sight`: eyelid closure and gaze
    /// direction; a gaze modifier sets it for the face.
    fn run_on_pose(
        &self,
        modifier: &mut Modifier,
        posed: &mut Posed<'_>,
        (morphs, curves): (&mut [f32], &[f32]),
        sight: &mut Option<(f32, [f32; 4])>,
    ) {
        puffin::profile_scope!("modifier", modifier.kind.word());
        let held = self.body.morph_overrides;
        let is_held = |i: usize| held.iter().any(|(index, _)| *index == i);
        let weight = modifier.weight.effective_weight;
        match &mut modifier.kind {
            ModifierKind::Face(facing) => {
                let seen = (*sight, self.body.is_dead);
                facing.apply((&mut *morphs, curves), posed, seen, weight, self.input.dt);
                for &(index, value) in held {
                    if let Some(slot) = morphs.get_mut(index) {
                        *slot = value;
                    }
                }
            }
            ModifierKind::HelperBones(helping) => helping.apply(posed, morphs, is_held, weight),
            ModifierKind::LookAt(looking) => {
                looking.holds_lids = self.mood.holds_lids;
                self.apply_look_at(looking, posed, weight);
                looking.write_looks(morphs, is_held, weight * self.mood.looks);
                let own = looking.sight(weight);
                if !self.mood.has_face {
                    looking.write_lids(morphs, is_held, own.0);
                }
                *sight = Some(own);
            }
            _ => self.apply(modifier, posed),
        }
    }

    /// Runs idle motion: breathing and weight shifts.
    fn breathe(&self, living: &mut IdleMotionModifier, posed: &mut Posed<'_>, weight: f32) {
        let Some(rig) = &living.rig else {
            return;
        };
        let own = living.mood;
        let feeling = self.mood.feeling;
        let pace = self.motion.walk_fraction(self.body.size_over_human());
        let feels = IdleMotionInput {
            dt: self.input.dt,
            still: own.still.min(1.0 - pace),
            valence: own.valence + feeling.valence,
            arousal: own.arousal + feeling.arousal,
            ..own
        };
        // The weight shifts only while the feet are locked.
        let sway = living.idle_motion.options.sway;
        living.idle_motion.options.sway *= self.standing;
        living.idle_motion.advance(&feels);
        living.idle_motion.apply(posed, rig, weight);
        living.idle_motion.options.sway = sway;
    }

    /// Rotates eyes, head and trunk towards the gaze target.
    fn apply_look_at(&self, looking: &mut LookAtModifier, posed: &mut Posed<'_>, weight: f32) {
        let back = self.body.world_from_model.inverse();
        let position_of = |position: &GoalPosition, posed: &Posed<'_>| {
            Vec3::from(position.in_model(posed, back).translation)
        };
        // A head without a target follows the turn in place that brings the target into view.
        let goes_along = self.body.turns_to_gaze && !looking.gaze.has_accepted();
        let turned = if goes_along {
            0.0
        } else {
            self.motion.rotation()
        };
        let blinks = looking.gaze.options.blink_rate;
        looking.gaze.options.blink_rate *= self.mood.feeling.blink_rate();
        looking.advance(posed, position_of, turned, weight, self.input.dt);
        looking.gaze.options.blink_rate = blinks;
    }

    /// Runs a modifier that only moves bones.
    fn apply(&self, modifier: &mut Modifier, posed: &mut Posed<'_>) {
        let Self { body, input, .. } = *self;
        let weight = modifier.weight.effective_weight;
        match &mut modifier.kind {
            ModifierKind::IdleMotion(living) => self.breathe(living, posed, weight),
            ModifierKind::Lean(leaning) => {
                if let Some(carriage) = &leaning.rig {
                    let motion = self.motion(carriage);
                    let (options, dt) = (&leaning.options, input.dt);
                    let lean = &mut leaning.lean;
                    lean.advance(carriage, options, &motion, posed, weight, dt);
                }
            }
            ModifierKind::OrientationWarp(strafing) => {
                if let Some(carriage) = &strafing.rig {
                    let motion = self.motion(carriage);
                    let (options, dt) = (&strafing.options, input.dt);
                    let strafe = &mut strafing.warp;
                    strafe.advance(carriage, options, &motion, posed, weight, dt);
                }
            }
            ModifierKind::AimAt(aiming) => {
                if let Some(position) = aiming.target_position.filter(|_| weight > 0.0) {
                    let back = body.world_from_model.inverse();
                    let target = position.in_model(posed, back).translation.into();
                    let humanoid = body.playing.definition.clips.humanoid();
                    let ahead = humanoid.model_from_character * Vec3::Z;
                    aiming.advance(posed, target, ahead, weight);
                }
            }
            ModifierKind::ChainIk(chaining) => {
                if let Some(position) = chaining.target_position.filter(|_| weight > 0.0) {
                    let back = body.world_from_model.inverse();
                    let position = position.in_model(posed, back);
                    let scale = body.placement.scale.abs();
                    chaining.advance(posed, position, scale, weight);
                }
            }
            ModifierKind::FootIk(feet) => self.stand(feet, posed, weight),
            ModifierKind::Sit(sitting) => {
                if let Some(position) = sitting.target_position.filter(|_| weight > 0.0) {
                    let position = position.in_model(posed, body.world_from_model.inverse());
                    sitting.advance(posed, position.translation.into(), weight);
                }
            }
            ModifierKind::Reach(reaching) => reaching.reach(body, posed, weight, input.dt),
            ModifierKind::Grip(gripping) => gripping.grip.advance(posed, weight, input.dt),
            ModifierKind::Face(_)
            | ModifierKind::HelperBones(_)
            | ModifierKind::LookAt(_)
            | ModifierKind::Script(_) => {}
        }
    }

    /// Returns the body's motion in its own space, scaled to human size.
    fn motion(&self, carriage: &HipSpineRig) -> BodyMotion {
        /// Height of a human's hips, metres.
        const HIPS: f32 = 0.95;
        let placement = self.body.placement;
        let size = carriage.height * placement.scale.abs() / HIPS;
        let ground = self.body.controller.and_then(|c| c.ground());
        let normal = ground.map_or(Vec3::Y, |ground| ground.normal);
        self.motion.motion(placement.yaw.to_radians(), size, normal)
    }

    fn stand(&self, standing: &mut FootIkModifier, posed: &mut Posed<'_>, weight: f32) {
        let body = self.body;
        let FootIkModifier {
            rig: Some(rig),
            options,
            foot_ik: feet,
            steps,
            ..
        } = standing
        else {
            return;
        };
        if weight <= 0.0 || body.is_attached {
            feet.reset();
            return;
        }
        let mut planted = [None; MAX_LEGS];
        if let Some(weights) = body.playing.planted() {
            for (slot, leg) in planted.iter_mut().zip(&rig.legs) {
                let mut of_clips = body.playing.definition.feet.iter().zip(weights);
                let own = of_clips.find(|(bone, _)| **bone == Some(leg.limb.end));
                *slot = own.map(|(_, weight)| weight);
            }
        }
        let controller = body.controller;
        let input = FootIkInput {
            dt: self.input.dt,
            world_from_model: body.world_from_model,
            weight,
            grounded: controller.is_none_or(|controller| controller.is_grounded()),
            planted: &planted[..rig.legs.len().min(MAX_LEGS)],
            ground: self.input.ground,
        };
        feet.advance(rig, options, posed, &input, steps);
    }
}
