//! The body helps a hand: it leans, bends and steps in; and it sits.

use std::sync::Arc;

use glam::Vec3;

use super::{Goal, Kind, Modifier, Place, Stack};
use crate::Character;
use crate::definition::Definition;
use galatea_anim::humanoid::Role;
use galatea_rig::Posed;
use galatea_rig::trunk::Trunk;
use galatea_rig::two_bone::Limb;
use galatea_rig::whole::{Arm, Reached, WholeRig, put_hips};

/// Metres that are missing from which it steps in, and until less than which it does.
const STEPS_FROM: f32 = 0.01;
const STEPS_TO: f32 = 0.002;
/// Metres per second at most, and per second squared, for a body of a human's size.
const SPEED: f32 = 0.7;
const ACCELERATION: f32 = 2.0;
/// Metres that it goes at most for one target, for a body of a human's size.
const FARTHEST: f32 = 1.5;
/// Share of a leg from the seat to the hips.
const SEATED: f32 = 0.12;
/// Radians to the side from which it turns to what it steps to.
const ASIDE: f32 = 1.0;

/// How a body helps an arm.
#[derive(Clone, Debug)]
pub struct Whole {
    rig: Arc<WholeRig>,
    arm: Arm,
    /// It steps in where that is not enough.
    pub steps: bool,
    /// What is missing of the reach, metres of the model.
    reached: Reached,
    stepping: bool,
    /// Metres per second, and metres that it has gone.
    speed: f32,
    gone: f32,
}

impl Whole {
    /// The body of a model behind a limb.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn of(definition: &Definition, limb: Limb, steps: bool) -> Result<Self, String> {
        let rig = definition.whole_rig()?;
        let humanoid = definition.clips.humanoid();
        let is = |role| humanoid.bone(role) == Some(limb.end);
        let (side, collar) = if is(Role::LeftHand) {
            (1.0, Role::LeftShoulder)
        } else if is(Role::RightHand) {
            (-1.0, Role::RightShoulder)
        } else {
            return Err("its body helps hands only".into());
        };
        let collar = humanoid.bone(collar);
        Ok(Self {
            rig,
            arm: Arm { limb, collar, side },
            steps,
            reached: Reached::default(),
            stepping: false,
            speed: 0.0,
            gone: 0.0,
        })
    }

    /// Goes on from what it did for the goal before.
    pub fn go_on(&mut self, was: &Self) {
        (self.reached, self.stepping, self.speed) = (was.reached, was.stepping, was.speed);
    }
}

/// A body that sits, or is about to.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// Hips, spine and legs; none when the skeleton has none.
    pub rig: Option<Arc<WholeRig>>,
    /// Where the hips go.
    pub goal: Option<Goal>,
    /// Where that is in this tick.
    pub place: Option<Place>,
    /// Radians by which the trunk leans forward on the way.
    pub lean: f32,
}

impl Sitting {
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.rig = None;
        self.rig = Some(definition.whole_rig()?);
        Ok(())
    }

    pub(super) fn advance(&self, posed: &mut Posed<'_>, to: Vec3, weight: f32) {
        if let Some(rig) = &self.rig {
            // The joint of the hips is over the seat.
            let over = SEATED * rig.legs.size;
            put_hips(posed, rig, to + Vec3::Y * over, self.lean, weight);
        }
    }
}

impl Definition {
    /// The bones of a body that reaches as a whole.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn whole_rig(&self) -> Result<Arc<WholeRig>, String> {
        let humanoid = self.clips.humanoid();
        let trunk = Trunk::find(&self.model.skeleton, humanoid);
        let hips = trunk
            .hips
            .ok_or("it needs hips: a bone that carries its legs")?;
        if trunk.spine.is_empty() {
            return Err("it needs a spine above its hips".into());
        }
        let mut neck = trunk.necks;
        neck.extend(trunk.head);
        Ok(Arc::new(WholeRig {
            hips,
            spine: trunk.spine,
            neck,
            arms: [Role::LeftUpperArm, Role::RightUpperArm].map(|role| humanoid.bone(role)),
            legs: self.legs()?,
            model_from_character: trunk.model_from_character,
        }))
    }
}

/// True for what acts on the body as it helps, not before.
fn comes_after(modifier: &Modifier) -> bool {
    matches!(
        modifier.kind,
        Kind::Aim(_) | Kind::Look(_) | Kind::Chain(_) | Kind::Reach(_)
    )
}

impl Stack {
    /// Where in the stack bodies help hands: before anything that aims, looks or reaches.
    pub(super) fn helps_at(&self) -> Option<usize> {
        let helps = |m: &Modifier| matches!(&m.kind, Kind::Reach(r) if r.whole.is_some());
        if !self.modifiers.iter().any(helps) {
            return None;
        }
        self.modifiers.iter().position(comes_after)
    }
}

impl Character {
    /// Its body helps the hands that cannot reach by themselves.
    pub(super) fn help_hands(&self, modifiers: &mut [Modifier], posed: &mut Posed<'_>) {
        let back = self.world[0].inverse();
        // What helps the second hand may take the first one away again.
        for round in 0..2 {
            for modifier in modifiers.iter_mut() {
                let weight = modifier.weight.shown;
                let Kind::Reach(reaching) = &mut modifier.kind else {
                    continue;
                };
                let (Some(whole), Some(place), true) =
                    (&mut reaching.whole, reaching.place, weight > 0.0)
                else {
                    continue;
                };
                let at = place.in_model(posed, back);
                if matches!(place, Place::OnBone(..)) || !at.is_finite() {
                    continue;
                }
                let target = at.translation.into();
                let reached = whole.rig.reach(posed, &whole.arm, target, weight);
                if round == 0 {
                    whole.reached = reached;
                }
            }
        }
    }

    /// Steps in to what its hands cannot reach, by a tick of `dt` seconds, while nobody else moves it.
    pub fn step_in(&mut self, dt: f32) {
        let stands = self.stands_still();
        let Some(mut stack) = self.stack.take() else {
            return;
        };
        let (scale, world) = (self.placement.scale.abs(), self.world[0]);
        let own = self.placement.position;
        let mut turn = None;
        let mut way = Vec3::ZERO;
        for modifier in &mut stack.modifiers {
            let Kind::Reach(reaching) = &mut modifier.kind else {
                continue;
            };
            let Some(whole) = reaching.whole.as_mut().filter(|whole| whole.steps) else {
                continue;
            };
            let stays = modifier.weight.goal() > 0.0;
            let target = match reaching.place.filter(|_| stands && stays) {
                Some(Place::World(place)) => Vec3::from(place.translation),
                _ => {
                    (whole.stepping, whole.speed, whole.gone) = (false, 0.0, 0.0);
                    continue;
                }
            };
            let size = scale * whole.rig.legs.size / 0.85;
            let (lacks, short) = (whole.reached.lacks * scale, whole.reached.short * scale);
            if lacks <= 0.0 && short <= 0.0 {
                whole.gone = 0.0;
            }
            let is_due = if whole.stepping {
                short > STEPS_TO * size
            } else {
                lacks > STEPS_FROM * size
            };
            whole.stepping = is_due && whole.gone < FARTHEST * size;
            if !whole.stepping {
                whole.speed = 0.0;
                continue;
            }
            let level = (target - own).with_y(0.0);
            let ahead = world.transform_vector3(Vec3::Z);
            if ahead.with_y(0.0).angle_between(level) > ASIDE {
                turn = Some(f32::atan2(level.x, level.z).to_degrees());
            }
            let a = ACCELERATION * size;
            let brakes = (2.0 * a * short).sqrt();
            whole.speed = (whole.speed + a * dt).min(SPEED * size).min(brakes);
            let by = (whole.speed * dt).min(short).min(level.length());
            whole.gone += by;
            way += level.normalize_or_zero() * by;
        }
        self.stack = Some(stack);
        if let Some(turns) = &mut self.turns {
            turns.by_reach = turn;
        } else if turn.is_some() {
            self.turns.get_or_insert_default().by_reach = turn;
        }
        match &mut self.controller {
            Some(controller) => controller.travel += way,
            None => self.placement.position += way,
        }
    }
}
