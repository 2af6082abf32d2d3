//! A limb that reaches: by itself, with the body's help, and with a hand that closes.

use glam::{Affine3A, Vec3};

use super::body::StackBody;
use super::goal::{Goal, GoalPosition};
use super::gripping::HandGrip;
use super::whole::WholeBody;
use crate::definition::Definition;
use galatea_anim::humanoid::Role;
use galatea_math::Trs;
use galatea_rig::Posed;
use galatea_rig::trunk::Trunk;
use galatea_rig::two_bone::{Cone, Limb, ReachGoal, reach};

/// Radians that the upper arm of a human stays within of the middle of its range, which is ahead and to its side:
/// 50 degrees back of hanging, and across the chest no farther than straight aside.
const ARM_RANGE: f32 = 2.18;
/// To the side and ahead.
const ARM_MIDDLE: [f32; 2] = [0.62, 0.75];

/// A limb that reaches.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// Two bones and what they carry.
    pub limb: Limb,
    /// Names of the three bones, to find them again in another model.
    pub bones: [String; 3],
    /// What it reaches for; nothing while it has none.
    pub goal: Option<Goal>,
    /// The end is turned as the goal is.
    pub turns: bool,
    /// Where the elbow or knee points, model space; it keeps its side without one.
    pub pole: Option<Vec3>,
    /// Share of its length in which it slows down before it is stretched.
    pub soft: f32,
    /// Radians that the upper bone stays within of the middle of its range; a human's own without.
    pub limit: Option<f32>,
    /// Where the goal is in this tick.
    pub place: Option<GoalPosition>,
    /// Metres that the end is away from it.
    pub missed: f32,
    /// The body is to help where the arm is too short, and whether it is to step in as well.
    pub helps: Option<bool>,
    /// How it does; none when the skeleton lacks bones for that.
    pub whole: Option<Box<WholeBody>>,
    /// The hand closes.
    pub grip: Option<Box<HandGrip>>,
    /// What it does without: what the skeleton lacks.
    pub lacks: Option<String>,
}

impl Definition {
    /// The three bones of the limb that ends in a bone; `None` where fewer than two with a length are above it.
    pub fn limb_bones(&self, end: u16) -> Option<[u16; 3]> {
        let humanoid = self.clips.humanoid();
        let limbs = [
            [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
            [Role::RightUpperArm, Role::RightLowerArm, Role::RightHand],
            [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot],
            [Role::RightUpperLeg, Role::RightLowerLeg, Role::RightFoot],
        ];
        for roles in limbs {
            if let [Some(upper), Some(lower), Some(hand)] = roles.map(|role| humanoid.bone(role))
                && hand == end
            {
                return Some([upper, lower, hand]);
            }
        }
        // Bones at the same place (twist bones) are passed over.
        let mut last = self.rest_matrix(end).translation;
        let mut above = Vec::new();
        let bones = self.model.skeleton.bones();
        let mut next = bones.get(usize::from(end)).and_then(|bone| bone.parent);
        while let (Some(bone), true) = (next, above.len() < 2) {
            let place = self.rest_matrix(bone).translation;
            if place.distance(last) > 1e-4 {
                above.push(bone);
                last = place;
            }
            next = bones.get(usize::from(bone)).and_then(|bone| bone.parent);
        }
        match above[..] {
            [lower, upper] => Some([upper, lower, end]),
            _ => None,
        }
    }
}

impl Reaching {
    /// A limb that reaches for nothing yet; `None` when its bones have no length.
    pub fn of(definition: &Definition, bones: [u16; 3]) -> Option<Self> {
        let names = definition.model.skeleton.bones();
        Some(Self {
            limb: definition.limb(bones)?,
            bones: bones.map(|bone| names[usize::from(bone)].name.clone()),
            goal: None,
            turns: false,
            pole: None,
            soft: 0.0,
            limit: None,
            place: None,
            missed: 0.0,
            helps: None,
            whole: None,
            grip: None,
            lacks: None,
        })
    }

    /// Finds the range of the upper bone, body and hand in a model. What that lacks for them is told by `lacks`, and the limb does without.
    pub fn find_rest(&mut self, definition: &Definition) {
        self.lacks = None;
        self.limb.cone = definition.cone_of(&self.limb, self.limit);
        let without = |lacks: &mut Option<String>, what: &str, why: String| {
            let text = format!("{what} is off: {why}");
            *lacks = Some(
                lacks
                    .take()
                    .map_or(text.clone(), |one| format!("{one}; {text}")),
            );
        };
        self.whole = None;
        if let Some(steps) = self.helps {
            match WholeBody::of(definition, self.limb, steps) {
                Ok(whole) => self.whole = Some(Box::new(whole)),
                Err(why) => without(&mut self.lacks, "body", why),
            }
        }
        if let Some(grip) = &mut self.grip {
            let found = definition.hand_of(self.limb.end);
            if let Err(why) = &found {
                without(&mut self.lacks, "grip", why.clone());
            }
            grip.rig = found.ok();
        }
    }

    /// Goes on from what it did for the goal before.
    pub fn go_on(&mut self, was: &Self) {
        self.missed = was.missed;
        if let (Some(own), Some(was)) = (&mut self.whole, &was.whole) {
            own.go_on(was);
        }
        if let Some(own) = &mut self.grip {
            own.now = was.grip.as_ref().map_or(0.0, |was| was.now);
        }
    }

    /// Finds its limb again by the names of its bones.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        let mut bones = [0; 3];
        for (bone, name) in bones.iter_mut().zip(&self.bones) {
            let found = definition.model.skeleton.find(name);
            *bone = found.ok_or_else(|| format!("it needs the bone {name:?}"))?;
        }
        let limb = definition.limb(bones);
        self.limb = limb.ok_or("its limb has no length")?;
        self.find_rest(definition);
        Ok(())
    }

    /// How the hand is turned that lies across what it holds, where that is a bar.
    fn about_bar(
        &self,
        posed: &mut Posed<'_>,
        goal: &ReachGoal,
        at: Affine3A,
    ) -> Option<glam::Quat> {
        let grip = self.grip.as_ref()?;
        let (rig, bar) = (grip.rig.as_ref()?, at.transform_vector3(grip.bar?));
        let bones = [self.limb.upper, self.limb.lower, self.limb.end];
        let before = bones.map(|bone| posed.local(bone));
        let whole = ReachGoal {
            weight: 1.0,
            ..*goal
        };
        reach(posed, &self.limb, &whole);
        let turned = posed.rotation(self.limb.end);
        for (bone, local) in bones.into_iter().zip(before) {
            posed.set_local(bone, local);
        }
        Some(rig.about_bar(turned, bar))
    }
}

impl Definition {
    /// Where the upper bone of a limb may point: about ahead and aside for a human's arm, else about where it points at
    /// rest, as far as a limit says.
    fn cone_of(&self, limb: &Limb, limit: Option<f32>) -> Option<Cone> {
        let skeleton = &self.model.skeleton;
        let humanoid = self.clips.humanoid();
        let is = |role| humanoid.bone(role) == Some(limb.upper);
        let sides = [(Role::LeftUpperArm, 1.0), (Role::RightUpperArm, -1.0)];
        let side = sides.into_iter().find(|(role, _)| is(*role));
        let side = side.filter(|_| !Trunk::find(skeleton, humanoid).on_fours);
        let half = limit.or(side.map(|_| ARM_RANGE))?;
        let way = match side {
            Some((_, side)) => {
                let [aside, ahead] = ARM_MIDDLE;
                humanoid.model_from_character * Vec3::new(aside * side, 0.0, ahead)
            }
            None => {
                let [from, to] = [limb.upper, limb.lower].map(|bone| self.rest_matrix(bone));
                Vec3::from(to.translation - from.translation)
            }
        };
        let parent = skeleton.bones().get(usize::from(limb.upper))?.parent;
        let parent = parent.map_or(Affine3A::IDENTITY, |parent| self.rest_matrix(parent));
        let axis = parent.inverse().transform_vector3(way).try_normalize()?;
        (half < std::f32::consts::PI).then_some(Cone { axis, half })
    }
}

impl Reaching {
    /// Brings the end of the limb to its goal.
    pub(super) fn reach(
        &mut self,
        body: &StackBody<'_>,
        posed: &mut Posed<'_>,
        weight: f32,
        dt: f32,
    ) {
        let Some(place) = self.place.filter(|_| weight > 0.0) else {
            return;
        };
        let at = place.in_model(posed, body.world_from_model.inverse());
        if !at.is_finite() {
            return;
        }
        let scale = body.placement.scale.abs();
        let palm = self.grip.as_ref().filter(|grip| grip.palm);
        let palm = palm.and_then(|grip| Some((grip.rig.as_ref()?, grip.radius)));
        let held = palm.map(|(rig, radius)| {
            let size = scale * posed.model(rig.hand).transform_vector3(rig.out).length();
            rig.held(radius.map(|radius| radius / size.max(1e-6)))
        });
        let mut goal = ReachGoal {
            target: at.translation.into(),
            offset: held.unwrap_or(Vec3::ZERO),
            rotation: self.turns.then(|| Trs::nearest(at).rotation),
            pole: self.pole,
            soft: self.soft,
            weight,
        };
        if goal.rotation.is_none() {
            goal.rotation = self.about_bar(posed, &goal, at);
        }
        self.missed = reach(posed, &self.limb, &goal) * scale;
        if let Some(grip) = &mut self.grip {
            grip.follow(posed, weight, dt);
        }
    }
}
