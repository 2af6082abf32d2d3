//! One character on the stage.

use std::cell::RefCell;
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::action::{Action, Additive};
use super::begun::Begun;
use super::decals::{DecalOptions, Decals};
use super::definition::Definition;
use super::face::material_shifts;
use super::identity::Identity;
use super::knockback::Knockback;
use super::likeness::Likeness;
use super::limbs::Limbs;
use super::made_clip::MadeClip;
use super::meters::{MeterInput, Meters};
use super::placement::{Attachment, Placement, RootMotion};
use super::playing::Playing;
use super::rising::{Rising, keep_above};
use super::script_mark::ScriptMark;
use super::secondary::{JUMP, Secondary, SwingingBody};
use super::settling::Settling;
use super::stack::Stack;
use super::surface::Surface;
use super::turns::Turns;
use super::vitals::Vitals;
use super::warp::Warp;
use super::wrinkles::WrinkleState;
use galatea_anim::{
    ClipPlay, Delta, Ledger, Marks, OneClip, Playhead, Pose, RootDelta, add, blend, local_to_model,
};
use galatea_asset::handle::HandleSpec;
use galatea_asset::model::{Factor, MaterialValues};
use galatea_deform::{Traced, build_palette};
use galatea_machine::{Machine, MachineState, Scratch, evaluate};
use galatea_physics::ragdoll::RagdollDefinition;
use galatea_physics::{Controller, Solid, Velocity};

/// One character: a shared definition and its own state.
#[derive(Clone, Debug)]
pub struct Character {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Path of its file as the script gave it.
    pub source: String,
    /// What it shares with others of its model.
    pub definition: Arc<Definition>,
    /// Where the script first put it.
    pub spawn: Placement,
    /// Where it stands.
    pub placement: Placement,
    /// Held by a bone instead of standing.
    pub attachment: Option<Attachment>,
    /// Bodies that the script wants instead of those that the model makes.
    pub own_ragdoll: Option<Arc<RagdollDefinition>>,
    /// Its limbs as bodies, while they are.
    pub limbs: Option<Box<Limbs>>,
    /// How well it stands what happens to it.
    pub vitals: Vitals,
    /// It gets up.
    pub rising: Option<Box<Rising>>,
    /// Push by a hit.
    pub knockback: Knockback,
    /// What is solid of it as a thing.
    pub solid: Option<Box<Solid>>,
    /// What the main part of the script left of its body.
    pub(super) begun: Begun,
    /// How it walks in the world of bodies.
    pub controller: Option<Box<Controller>>,
    /// Its machine, if the script gave one.
    pub machine: Option<(Arc<Machine>, MachineState)>,
    /// Where it is on its idle clip, while it has no machine.
    pub idle: Playhead,
    /// What its pose is made of in place of an idle clip, while it has no machine: it is one of a crowd.
    pub driven: Vec<ClipPlay>,
    /// How wide it is shown, of what it is: bodies, hits and what it holds know nothing of it.
    pub girth: f32,
    /// Clips played over the machine, oldest first.
    pub actions: Vec<Action>,
    /// Marks of each clip: the file's and the script's.
    pub marks: Vec<Arc<Marks>>,
    /// Marks the script added; put on again after the model is reloaded.
    pub script_marks: Vec<ScriptMark>,
    /// Clips the script added to this character alone; the definition holds them, bound.
    pub own_clips: Vec<Arc<MadeClip>>,
    /// What became of the marks that were passed; off until asked for.
    pub ledger: Ledger,
    /// Where root motion is to bring it.
    pub warp: Option<Warp>,
    /// Root motion of the last tick.
    pub root_motion: RootMotion,
    /// Root motion moves it; else whoever reads `root_motion` does.
    pub apply_root_motion: bool,
    /// What is measured of its motion; off until asked for.
    pub meters: Option<Box<Meters>>,
    /// What a save changed in its pose, dying away.
    pub(super) settling: Option<Box<Settling>>,
    /// What is done to its pose after the animation, if anything.
    pub stack: Option<Box<Stack>>,
    /// Handles that the script gave it, besides those of its file.
    pub own_handles: Vec<Arc<HandleSpec>>,
    /// Degrees by which it stands away from where it was put, by the names of the levers that swung it.
    pub swung: Vec<(String, f32)>,
    /// How it turns on the spot, once it was asked to.
    pub turns: Option<Box<Turns>>,
    /// Springs and jiggle, which act on the pose.
    pub secondary: Secondary,
    /// Morph weights the script holds, by index into the pose's morphs.
    pub morph_overrides: Vec<(usize, f32)>,
    /// What its face is like, where that is not as in the file.
    pub likeness: Option<Box<Likeness>>,
    /// Bit i set: part i is not drawn.
    pub hidden_parts: Vec<u64>,
    /// How its materials differ from the file's.
    pub surface: Surface,
    /// How much the regions of its skin are folded.
    pub wrinkles: WrinkleState,
    /// Wounds, dirt and dents.
    pub decals: Decals,
    /// Memory for what expressions make of materials.
    shifts: Vec<(u16, Factor, usize, f32)>,
    /// The pose of the last tick.
    pub pose: Pose,
    /// Model-from-bone matrices of the last tick.
    pub model_from_bone: Vec<Affine3A>,
    /// World-from-model of the last tick and of the one before.
    pub world: [Affine3A; 2],
    /// Palettes of the last tick and of the one before.
    pub palette: [Vec<Affine3A>; 2],
    /// Morph weights of the last tick and of the one before.
    pub morphs: [Vec<f32>; 2],
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
            own_ragdoll: None,
            limbs: None,
            vitals: Vitals::default(),
            rising: None,
            knockback: Knockback::default(),
            solid: None,
            begun: Begun::default(),
            controller: None,
            machine: None,
            idle: Playhead::default(),
            driven: Vec::new(),
            girth: 1.0,
            actions: Vec::new(),
            marks: definition.marks.clone(),
            script_marks: Vec::new(),
            own_clips: Vec::new(),
            ledger: Ledger::default(),
            warp: None,
            root_motion: RootMotion::default(),
            apply_root_motion: true,
            meters: None,
            settling: None,
            stack: Stack::of_file(&definition).map(Box::new),
            own_handles: Vec::new(),
            swung: Vec::new(),
            turns: None,
            secondary: Secondary::of_file(&definition),
            morph_overrides: Vec::new(),
            likeness: None,
            hidden_parts: vec![0; definition.model.parts.len().div_ceil(64)],
            surface: Surface::default(),
            wrinkles: WrinkleState::default(),
            decals: Decals::default(),
            shifts: Vec::new(),
            pose: definition.rest.clone(),
            model_from_bone: Vec::new(),
            world: [spawn.to_affine(); 2],
            palette: [Vec::new(), Vec::new()],
            morphs: [Vec::new(), Vec::new()],
            definition,
        };
        character.evaluate_pose(0.0);
        character.build();
        character.forget_motion();
        character
    }

    /// The last tick's place becomes the one before.
    pub fn begin_tick(&mut self) {
        self.world[1] = self.world[0];
    }

    /// The last tick's palette and morph weights become those before; their memory goes to those that
    /// [`Character::build`] makes, which must follow.
    pub fn begin_build(&mut self) {
        self.palette.swap(0, 1);
        self.morphs.swap(0, 1);
        self.surface.begin_build();
        self.wrinkles.begin_build();
    }

    /// Machine, actions and overrides → pose → model matrices → palette. Does not move time; `dt` is the
    /// length of the tick that led here.
    pub fn evaluate_pose(&mut self, dt: f64) {
        SCRATCH.with_borrow_mut(|(scratch, overlay)| self.evaluate_with(dt, scratch, overlay));
    }

    fn evaluate_with(&mut self, dt: f64, scratch: &mut Scratch, overlay: &mut Overlay) {
        let definition = &self.definition;
        let clips = &definition.clips;
        match (&mut self.machine, definition.idle) {
            (Some((machine, state)), _) => {
                evaluate(machine, clips, state, dt, scratch, &mut self.pose);
            }
            (None, _) if !self.driven.is_empty() => {
                self.pose.copy_from(clips.rest());
                clips.sample(&self.driven, &mut self.pose);
            }
            (None, Some(idle)) => {
                let t = self.idle.clip_time(clips.duration(idle));
                clips.sample_one(idle, t, &mut self.pose);
            }
            (None, None) => {
                self.pose.copy_from(clips.rest());
                if let Some(standing) = definition.standing() {
                    self.pose.locals.copy_from_slice(standing);
                }
            }
        }
        for action in &self.actions {
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
                clips.sample_over(one, &self.pose, flipped, pose);
                blend(&mut self.pose, pose, weight, mask);
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
            add(&mut self.pose, delta, weight, mask);
        }
        if let Some(likeness) = &self.likeness {
            likeness.place_eyes(&mut self.pose.locals);
        }
        if let Some(pose) = self.rising.as_ref().and_then(|rising| rising.pose()) {
            self.pose.copy_from(pose);
        }
        if let Some(settling) = &mut self.settling {
            settling.apply(&mut self.pose);
        }
        if let Some(rising) = &self.rising {
            keep_above(
                &self.definition,
                rising,
                &mut self.pose,
                &mut self.model_from_bone,
            );
        }
        for &(index, weight) in &self.morph_overrides {
            if let Some(value) = self.pose.morphs.get_mut(index) {
                *value = weight;
            }
        }
        local_to_model(
            clips.skeleton(),
            &self.pose.locals,
            &mut self.model_from_bone,
        );
    }

    /// What its face is like; made when it is first asked for.
    pub fn likeness_mut(&mut self) -> (&mut Likeness, &Definition) {
        let definition = &*self.definition;
        let likeness = self
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
            locals: &self.pose.locals,
            model_from_bone: &mut self.model_from_bone,
            world_from_model: self.world[0],
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
        self.decals
            .put(&self.definition, scale, id, traced, options)
    }

    /// True while it turns to what it looks at.
    pub fn is_turning_to_look(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.follows())
    }

    /// Its machine and its clips.
    pub fn playing(&self) -> Playing<'_> {
        Playing {
            definition: &self.definition,
            machine: self
                .machine
                .as_ref()
                .map(|(machine, state)| (&**machine, state)),
            idle: &self.idle,
            actions: &self.actions,
        }
    }

    /// Input of its meters.
    pub fn meter_input(&self) -> MeterInput<'_> {
        MeterInput {
            playing: self.playing(),
            placement: self.placement,
            world_from_model: self.world[0],
            model_from_bone: &self.model_from_bone,
            stack: self.stack.as_deref(),
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
        self.palette[0].clear();
        build_palette(
            &self.definition.model,
            &self.model_from_bone,
            &mut self.palette[0],
        );
        self.morphs[0].clone_from(&self.pose.morphs);
        if let Some(likeness) = &self.likeness {
            likeness.shape(&mut self.morphs[0], &mut self.palette[0]);
        }
        let definition = &self.definition;
        let model = &definition.model;
        let mut shifts = std::mem::take(&mut self.shifts);
        shifts.clear();
        if let Some(facing) = self.stack.as_ref().and_then(|stack| stack.facing()) {
            let file = |i: u16| Some(MaterialValues::of(model.materials.get(usize::from(i))?));
            material_shifts(&facing.rig, &facing.materials, file, &mut shifts);
        }
        self.surface
            .build(model, &definition.driven, &self.pose.curves, &shifts);
        self.shifts = shifts;
        let morphs = (self.morphs[0].as_slice(), definition.rest.morphs.as_slice());
        self.wrinkles.build(
            definition.wrinkles(),
            morphs,
            &self.palette[0],
            &self.pose.curves,
        );
    }

    /// What its ragdoll is made of.
    pub fn ragdoll(&self) -> &Arc<RagdollDefinition> {
        let own = self.own_ragdoll.as_ref();
        own.unwrap_or_else(|| self.definition.ragdoll())
    }

    /// How fast it walks or moves freely; 0 for what does neither.
    pub fn velocity(&self) -> Velocity {
        let is_down = self.limbs.as_ref().is_some_and(|limbs| limbs.is_down());
        if let Some(controller) = self.controller.as_ref().filter(|_| !is_down) {
            return Velocity {
                linear: controller.world_velocity(),
                ..Velocity::default()
            };
        }
        if let Some(limbs) = &self.limbs {
            return limbs.ragdoll.velocity(0);
        }
        let solid = self.solid.as_ref();
        solid.map_or_else(Velocity::default, |solid| solid.velocity)
    }

    /// True while it lies still and is not computed.
    pub fn is_asleep(&self) -> bool {
        self.solid.as_ref().is_some_and(|solid| solid.asleep)
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
        let [now, before] = &mut self.palette;
        before.clone_from(now);
        let [now, before] = &mut self.morphs;
        before.clone_from(now);
        self.surface.forget_motion();
        self.wrinkles.forget_motion();
    }

    /// Gives this character a clip of its own. `definition` is its present one with that clip as the
    /// last, see [`Definition::with_made`]; what plays goes on.
    pub fn add_clip(&mut self, made: Arc<MadeClip>, definition: Arc<Definition>) {
        let n = self.marks.len();
        self.marks.extend(definition.marks.iter().skip(n).cloned());
        if self.definition.idle != definition.idle {
            self.idle = Playhead::default();
        }
        self.definition = definition;
        self.own_clips.push(made);
    }

    /// One of its handles by name: the script's before the file's.
    pub fn handle(&self, name: &str) -> Option<&HandleSpec> {
        self.handles().find(|handle| handle.name == name)
    }

    /// Its handles: the script's, then the file's.
    pub fn handles(&self) -> impl Iterator<Item = &HandleSpec> {
        let own = self.own_handles.iter().map(|handle| &**handle);
        own.chain(&self.definition.model.handles)
    }

    /// World position of a bone's origin in the last tick.
    pub fn bone_position(&self, bone: u16) -> Vec3 {
        let bone = usize::from(bone);
        let in_model = self
            .model_from_bone
            .get(bone)
            .map_or(Vec3::ZERO, |m| m.translation.into());
        self.world[0].transform_point3(in_model)
    }
}
