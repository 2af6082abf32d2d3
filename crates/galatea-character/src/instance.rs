//! One character on the stage.

use std::cell::RefCell;
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::action::Additive;
use super::appearance::CharacterAppearance;
use super::body::CharacterBody;
use super::decals::DecalOptions;
use super::definition::Definition;
use super::face::material_shifts;
use super::handle_set::HandleSet;
use super::identity::Identity;
use super::likeness::Likeness;
use super::locomotion::Locomotion;
use super::made_clip::MadeClip;
use super::meters::{MeterInput, Meters};
use super::modifiers::Modifiers;
use super::placement::{Attachment, Placement};
use super::playback::Playback;
use super::playing::Playing;
use super::pose_state::PoseState;
use super::rising::keep_above;
use super::secondary::{JUMP, Secondary, SwingingBody};
use super::skin_buffers::SkinBuffers;
use super::stack::Stack;
use galatea_anim::{Delta, OneClip, Playhead, Pose, RootDelta, add, blend, local_to_model};
use galatea_asset::handle::HandleSpec;
use galatea_asset::model::MaterialValues;
use galatea_deform::{Traced, build_palette};
use galatea_machine::{Scratch, evaluate};
use galatea_physics::Velocity;
use galatea_physics::ragdoll::RagdollDefinition;

/// One character: a shared definition and its own state, in parts that systems borrow by themselves.
#[derive(Clone, Debug)]
pub struct Character {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Path of its file as the script gave it.
    pub source: String,
    /// Data shared with all characters of its model.
    pub definition: Arc<Definition>,
    /// Where the script first put it.
    pub spawn: Placement,
    /// Where it stands.
    pub placement: Placement,
    /// Held by a bone instead of standing.
    pub attachment: Option<Attachment>,
    /// Its machine, clips and marks.
    pub playback: Playback,
    /// Root motion and turns on the spot.
    pub locomotion: Locomotion,
    /// Its bodies in the physics world, and its reactions to hits.
    pub body: CharacterBody,
    /// Pose and matrices of the last tick.
    pub posed: PoseState,
    /// Modifiers of its pose.
    pub modifiers: Modifiers,
    /// Springs and jiggle, which act on the pose.
    pub secondary: Secondary,
    /// Palettes and morph weights for drawing.
    pub skin: SkinBuffers,
    /// Face shapes, materials, wrinkles and decals.
    pub appearance: CharacterAppearance,
    /// Handles by which others hold or swing it.
    pub handles: HandleSet,
    /// Measurements of its motion; off by default.
    pub meters: Option<Box<Meters>>,
}

/// Memory for the poses of actions; meaningless between calls.
#[derive(Clone, Debug, Default)]
struct Overlay {
    pose: Pose,
    reference: Pose,
    flipped: Pose,
    delta: Delta,
}

thread_local! {
    /// Memory for intermediate poses. A thread's own, not a character's: it stays in the near caches.
    static SCRATCH: RefCell<(Scratch, Overlay)> = RefCell::default();
}

impl Character {
    /// What it is called: the script's own name, or its file or form and a number.
    pub fn shown_name(&self) -> &str {
        let label = self.identity.label();
        match self.identity {
            Identity::Named(_) => label,
            _ => label.strip_prefix("form:").unwrap_or(label),
        }
    }

    /// A character at rest.
    pub fn new(
        identity: Identity,
        source: String,
        definition: Arc<Definition>,
        spawn: Placement,
    ) -> Self {
        let mut character = Self {
            identity,
            source,
            spawn,
            placement: spawn,
            attachment: None,
            playback: Playback::new(&definition),
            locomotion: Locomotion::default(),
            body: CharacterBody::default(),
            posed: PoseState {
                pose: definition.rest.clone(),
                model_from_bone: Vec::new(),
                world: [spawn.to_affine(); 2],
                morph_overrides: Vec::new(),
                settling: None,
            },
            modifiers: Modifiers {
                stack: Stack::of_file(&definition).map(Box::new),
            },
            secondary: Secondary::of_file(&definition),
            skin: SkinBuffers::default(),
            appearance: CharacterAppearance::new(&definition),
            handles: HandleSet::default(),
            meters: None,
            definition,
        };
        character.evaluate_pose(0.0);
        character.build();
        character.forget_motion();
        character
    }

    /// The last tick's place becomes the one before.
    pub fn begin_tick(&mut self) {
        self.posed.world[1] = self.posed.world[0];
    }

    /// The last tick's palette and morph weights become those before; their memory goes to those that
    /// [`Character::build`] makes, which must follow.
    pub fn begin_build(&mut self) {
        self.skin.palette.swap(0, 1);
        self.skin.morphs.swap(0, 1);
        self.appearance.surface.begin_build();
        self.appearance.wrinkles.begin_build();
    }

    /// Machine, actions and overrides → pose → model matrices → palette. Does not move time; `dt` is the
    /// length of the tick that led here.
    pub fn evaluate_pose(&mut self, dt: f64) {
        SCRATCH.with_borrow_mut(|(scratch, overlay)| self.evaluate_with(dt, scratch, overlay));
    }

    fn evaluate_with(&mut self, dt: f64, scratch: &mut Scratch, overlay: &mut Overlay) {
        let definition = &self.definition;
        let clips = &definition.clips;
        match (&mut self.playback.machine, definition.idle) {
            (Some((machine, state)), _) => {
                evaluate(machine, clips, state, dt, scratch, &mut self.posed.pose);
            }
            (None, _) if !self.playback.driven.is_empty() => {
                self.posed.pose.copy_from(clips.rest());
                clips.sample(&self.playback.driven, &mut self.posed.pose);
            }
            (None, Some(idle)) => {
                let t = self.playback.idle.clip_time(clips.duration(idle));
                clips.sample_one(idle, t, &mut self.posed.pose);
            }
            (None, None) => {
                self.posed.pose.copy_from(clips.rest());
                if let Some(standing) = definition.standing() {
                    self.posed.pose.locals.copy_from_slice(standing);
                }
            }
        }
        for action in &self.playback.actions {
            let duration = clips.duration(action.clip);
            let t = action.head.clip_time(duration);
            let weight = action.weight(duration);
            let mask = action.options.mask.as_deref();
            let one = OneClip {
                clip: action.clip,
                t,
                mirrored: action.options.mirror,
                in_place: action.options.in_place,
            };
            let Overlay {
                pose,
                reference,
                flipped,
                delta,
            } = &mut *overlay;
            let Some(from) = action.options.additive else {
                clips.sample_over(one, &self.posed.pose, flipped, pose);
                blend(&mut self.posed.pose, pose, weight, mask);
                continue;
            };
            clips.sample_mirrored(one, flipped, pose);
            match from {
                Additive::First => {
                    let first = OneClip { t: 0.0, ..one };
                    clips.sample_mirrored(first, flipped, reference);
                }
                Additive::Rest => reference.copy_from(clips.rest()),
            }
            delta.subtract(pose, reference);
            add(&mut self.posed.pose, delta, weight, mask);
        }
        if let Some(likeness) = &self.appearance.likeness {
            likeness.place_eyes(&mut self.posed.pose.locals);
        }
        if let Some(pose) = self.body.rising.as_ref().and_then(|rising| rising.pose()) {
            self.posed.pose.copy_from(pose);
        }
        if let Some(settling) = &mut self.posed.settling {
            settling.apply(&mut self.posed.pose);
        }
        if let Some(rising) = &self.body.rising {
            keep_above(
                &self.definition,
                rising,
                &mut self.posed.pose,
                &mut self.posed.model_from_bone,
            );
        }
        for &(index, weight) in &self.posed.morph_overrides {
            if let Some(value) = self.posed.pose.morphs.get_mut(index) {
                *value = weight;
            }
        }
        local_to_model(
            clips.skeleton(),
            &self.posed.pose.locals,
            &mut self.posed.model_from_bone,
        );
    }

    /// What its face is like; made when it is first asked for.
    pub fn likeness_mut(&mut self) -> (&mut Likeness, &Definition) {
        let definition = &*self.definition;
        let likeness = self
            .appearance
            .likeness
            .get_or_insert_with(|| Box::new(Likeness::new(definition)));
        (likeness, definition)
    }

    /// Length of its body, world space, metres: a tick that moves it farther is a jump, in which springs
    /// and cloth go along as they are.
    pub fn body_length(&self) -> f32 {
        let longest = 2.0 * self.definition.rest_bounds.1 * self.placement.scale.abs();
        (JUMP * longest).max(0.25)
    }

    /// Moves springs and jiggle on by `dt` seconds and brings the bones' matrices to them. To be called
    /// between [`Character::evaluate_pose`] and [`Character::build`]; 0 moves no time.
    pub fn advance_secondary(&mut self, dt: f64, wind: &dyn Fn(Vec3) -> Vec3) {
        let body = SwingingBody {
            jump: self.body_length(),
            skeleton: &self.definition.model.skeleton,
            locals: &self.posed.pose.locals,
            model_from_bone: &mut self.posed.model_from_bone,
            world_from_model: self.posed.world[0],
        };
        self.secondary.advance(body, dt, wind);
    }

    /// Puts a decal where a line met the character; `id` is its number.
    ///
    /// # Errors
    /// Says in plain words why nothing can be marked there.
    pub fn add_decal(
        &mut self,
        id: u64,
        traced: &Traced,
        options: DecalOptions,
    ) -> Result<(), String> {
        let scale = self.placement.scale;
        self.appearance
            .decals
            .put(&self.definition, scale, id, traced, options)
    }

    /// True while it turns to what it looks at.
    pub fn is_turning_to_look(&self) -> bool {
        self.locomotion
            .turns
            .as_ref()
            .is_some_and(|turns| turns.follows())
    }

    /// Its machine and its clips.
    pub fn playing(&self) -> Playing<'_> {
        Playing {
            definition: &self.definition,
            machine: self
                .playback
                .machine
                .as_ref()
                .map(|(machine, state)| (&**machine, state)),
            idle: &self.playback.idle,
            actions: &self.playback.actions,
        }
    }

    /// Input of its meters.
    pub fn meter_input(&self) -> MeterInput<'_> {
        MeterInput {
            playing: self.playing(),
            placement: self.placement,
            world_from_model: self.posed.world[0],
            model_from_bone: &self.posed.model_from_bone,
            stack: self.modifiers.stack.as_deref(),
        }
    }

    /// Switches the meters on, if they are not.
    pub fn switch_on_meters(&mut self) -> &mut Meters {
        let (definition, scale) = (&self.definition, self.placement.scale);
        self.meters
            .get_or_insert_with(|| Box::new(Meters::new(definition, scale)))
    }

    /// Reads the meters, if they are on.
    pub fn read_meters(&mut self, dt: f64) {
        if let Some(mut meters) = self.meters.take() {
            meters.read(&self.meter_input(), dt as f32);
            self.meters = Some(meters);
        }
    }

    /// Matrices for drawing from the pose.
    pub fn build(&mut self) {
        self.skin.palette[0].clear();
        build_palette(
            &self.definition.model,
            &self.posed.model_from_bone,
            &mut self.skin.palette[0],
        );
        self.skin.morphs[0].clone_from(&self.posed.pose.morphs);
        if let Some(likeness) = &self.appearance.likeness {
            likeness.shape(&mut self.skin.morphs[0], &mut self.skin.palette[0]);
        }
        let definition = &self.definition;
        let model = &definition.model;
        let mut shifts = std::mem::take(&mut self.appearance.shifts);
        shifts.clear();
        if let Some(facing) = self
            .modifiers
            .stack
            .as_ref()
            .and_then(|stack| stack.facing())
        {
            let file = |i: u16| Some(MaterialValues::of(model.materials.get(usize::from(i))?));
            material_shifts(&facing.rig, &facing.materials, file, &mut shifts);
        }
        self.appearance
            .surface
            .build(model, &definition.driven, &self.posed.pose.curves, &shifts);
        self.appearance.shifts = shifts;
        let morphs = (
            self.skin.morphs[0].as_slice(),
            definition.rest.morphs.as_slice(),
        );
        self.appearance.wrinkles.build(
            definition.wrinkles(),
            morphs,
            &self.skin.palette[0],
            &self.posed.pose.curves,
        );
    }

    /// What its ragdoll is made of.
    pub fn ragdoll(&self) -> &Arc<RagdollDefinition> {
        let own = self.body.own_ragdoll.as_ref();
        own.unwrap_or_else(|| self.definition.ragdoll())
    }

    /// How fast it walks or moves freely; 0 for what does neither.
    pub fn velocity(&self) -> Velocity {
        let is_down = self
            .body
            .limbs
            .as_ref()
            .is_some_and(|limbs| limbs.is_down());
        if let Some(controller) = self.body.controller.as_ref().filter(|_| !is_down) {
            return Velocity {
                linear: controller.world_velocity(),
                ..Velocity::default()
            };
        }
        if let Some(limbs) = &self.body.limbs {
            return limbs.ragdoll.velocity(0);
        }
        let solid = self.body.solid.as_ref();
        solid.map_or_else(Velocity::default, |solid| solid.velocity)
    }

    /// True while it lies still and is not computed.
    pub fn is_asleep(&self) -> bool {
        self.body.solid.as_ref().is_some_and(|solid| solid.asleep)
    }

    /// Moves the character by a step counted in its own space.
    pub fn move_by(&mut self, step: RootDelta) {
        let turn = Quat::from_rotation_y(self.placement.yaw.to_radians());
        self.placement.position += turn * (step.translation * self.placement.scale);
        self.placement.yaw += step.yaw.to_degrees();
    }

    /// Makes the tick before equal to the last one: nothing is interpolated across a jump.
    pub fn forget_motion(&mut self) {
        self.begin_tick();
        let [now, before] = &mut self.skin.palette;
        before.clone_from(now);
        let [now, before] = &mut self.skin.morphs;
        before.clone_from(now);
        self.appearance.surface.forget_motion();
        self.appearance.wrinkles.forget_motion();
    }

    /// Gives this character a clip of its own. `definition` is its present one with that clip as the
    /// last, see [`Definition::with_made`]; what plays goes on.
    pub fn add_clip(&mut self, made: Arc<MadeClip>, definition: Arc<Definition>) {
        let n = self.playback.marks.len();
        self.playback
            .marks
            .extend(definition.marks.iter().skip(n).cloned());
        if self.definition.idle != definition.idle {
            self.playback.idle = Playhead::default();
        }
        self.definition = definition;
        self.playback.own_clips.push(made);
    }

    /// One of its handles by name: the script's before the file's.
    pub fn handle(&self, name: &str) -> Option<&HandleSpec> {
        self.handles().find(|handle| handle.name == name)
    }

    /// Its handles: the script's, then the file's.
    pub fn handles(&self) -> impl Iterator<Item = &HandleSpec> {
        let own = self.handles.own.iter().map(|handle| &**handle);
        own.chain(&self.definition.model.handles)
    }

    /// World position of a bone's origin in the last tick.
    pub fn bone_position(&self, bone: u16) -> Vec3 {
        let bone = usize::from(bone);
        let in_model = self
            .posed
            .model_from_bone
            .get(bone)
            .map_or(Vec3::ZERO, |m| m.translation.into());
        self.posed.world[0].transform_point3(in_model)
    }
}
