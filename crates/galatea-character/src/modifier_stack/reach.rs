//! A limb that reaches for a target, optionally with help from the body and with a closing hand.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::body::ModifierStackBody;
use super::full_body::FullBody;
use super::goal::{Goal, GoalPosition};
use super::grip::HandGrip;
use crate::definition::Definition;
use galatea_anim::humanoid::Role;
use galatea_math::Trs;
use galatea_rig::Posed;
use galatea_rig::trunk::Trunk;
use galatea_rig::two_bone::{Cone, Limb, ReachGoal, reach};

/// Maximum angle of a human upper arm from the middle of its range, radians. It allows 50 degrees behind hanging, and across
/// the chest no farther than straight sideways.
const ARM_RANGE: f32 = 2.18;
/// Middle of the upper arm's range: components to the side and forwards.
const ARM_MIDDLE: [f32; 2] = [0.62, 0.75];

/// A limb that reaches for a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReachModifier {
    /// Bones of the limb.
    pub limb: Limb,
    /// Names of the three bones, for rebinding to another model.
    pub bones: [String; 3],
    /// Target; `None` while there is none.
    pub goal: Option<Goal>,
    /// The end also takes the rotation of the target.
    pub match_rotation: bool,
    /// Pole vector of elbow or knee, model space; `None` keeps the current side.
    pub pole: Option<Vec3>,
    /// Fraction of the limb length over which the limb slows down before it is fully stretched.
    pub softness: f32,
    /// Maximum angle of the upper bone from the middle of its range, radians; `None` uses the human range.
    pub max_angle: Option<f32>,
    /// Position of the target in this tick.
    pub target_position: Option<GoalPosition>,
    /// Remaining distance to the target, metres.
    pub target_error: f32,
    /// The body helps if the arm is too short; the value is true if it also steps towards the target.
    pub full_body: Option<bool>,
    /// Help by the body; `None` when the skeleton lacks bones for it.
    pub full_body_state: Option<Box<FullBody>>,
    /// The hand that closes, if any.
    pub grip: Option<Box<HandGrip>>,
    /// Message about missing optional features: what the skeleton lacks.
    pub missing_features: Option<String>,
}

impl Definition {
    /// Returns the three bones of the limb that ends in a bone; `None` if fewer than two bones of non-zero length are above
    /// it.
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
        // Bones at the same position (twist bones) are skipped.
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

impl ReachModifier {
    /// Creates a limb without a target; `None` when its bones have zero length.
    pub fn of(definition: &Definition, bones: [u16; 3]) -> Option<Self> {
        let names = definition.model.skeleton.bones();
        Some(Self {
            limb: definition.limb(bones)?,
            bones: bones.map(|bone| names[usize::from(bone)].name.clone()),
            goal: None,
            match_rotation: false,
            pole: None,
            softness: 0.0,
            max_angle: None,
            target_position: None,
            target_error: 0.0,
            full_body: None,
            full_body_state: None,
            grip: None,
            missing_features: None,
        })
    }

    /// Finds the upper bone's range, the body and the hand in a model. `lacks` describes those that the model does not
    /// support.
    pub fn find_rest(&mut self, definition: &Definition) {
        self.missing_features = None;
        self.limb.cone = definition.cone_of(&self.limb, self.max_angle);
        let add_lack = |lacks: &mut Option<String>, what: &str, error: String| {
            let text = format!("{what} is disabled: {error}");
            *lacks = Some(
                lacks
                    .take()
                    .map_or(text.clone(), |one| format!("{one}; {text}")),
            );
        };
        self.full_body_state = None;
        if let Some(steps) = self.full_body {
            match FullBody::of(definition, self.limb, steps) {
                Ok(whole) => self.full_body_state = Some(Box::new(whole)),
                Err(error) => add_lack(&mut self.missing_features, "body", error),
            }
        }
        if let Some(grip) = &mut self.grip {
            let found = definition.hand_of(self.limb.end);
            if let Err(error) = &found {
                add_lack(&mut self.missing_features, "grip", error.clone());
            }
            grip.rig = found.ok();
        }
    }

    /// Continues from the state with the previous target.
    pub fn go_on(&mut self, was: &Self) {
        self.target_error = was.target_error;
        if let (Some(own), Some(was)) = (&mut self.full_body_state, &was.full_body_state) {
            own.go_on(was);
        }
        if let Some(own) = &mut self.grip {
            own.now = was.grip.as_ref().map_or(0.0, |was| was.now);
        }
    }

    /// Rebinds the limb by bone names.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        let mut bones = [0; 3];
        for (bone, name) in bones.iter_mut().zip(&self.bones) {
            let found = definition.model.skeleton.find(name);
            *bone = found.ok_or_else(|| format!("the model has no bone {name:?}"))?;
        }
        let limb = definition.limb(bones);
        self.limb = limb.ok_or("the limb has zero length")?;
        self.find_rest(definition);
        Ok(())
    }

    /// Returns the hand rotation across a gripped bar, if the target is one.
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
        let rotation = posed.rotation(self.limb.end);
        for (bone, local) in bones.into_iter().zip(before) {
            posed.set_local(bone, local);
        }
        Some(rig.about_bar(rotation, bar))
    }
}

impl Definition {
    /// Returns the cone in which a limb's upper bone may point: for a human arm around forwards and sideways, otherwise
    /// around its rest direction if there is a limit.
    fn cone_of(&self, limb: &Limb, limit: Option<f32>) -> Option<Cone> {
        let skeleton = &self.model.skeleton;
        let humanoid = self.clips.humanoid();
        let is = |role| humanoid.bone(role) == Some(limb.upper);
        let sides = [(Role::LeftUpperArm, 1.0), (Role::RightUpperArm, -1.0)];
        let side = sides.into_iter().find(|(role, _)| is(*role));
        let side = side.filter(|_| !Trunk::find(skeleton, humanoid).on_fours);
        let half = limit.or(side.map(|_| ARM_RANGE))?;
        let axis = match side {
            Some((_, side)) => {
                let [aside, forward] = ARM_MIDDLE;
                humanoid.model_from_character * Vec3::new(aside * side, 0.0, forward)
            }
            None => {
                let [from, to] = [limb.upper, limb.lower].map(|bone| self.rest_matrix(bone));
                Vec3::from(to.translation - from.translation)
            }
        };
        let parent = skeleton.bones().get(usize::from(limb.upper))?.parent;
        let parent = parent.map_or(Affine3A::IDENTITY, |parent| self.rest_matrix(parent));
        let axis = parent.inverse().transform_vector3(axis).try_normalize()?;
        (half < std::f32::consts::PI).then_some(Cone { axis, half })
    }
}

impl ReachModifier {
    /// Moves the end of the limb to its target.
    pub(super) fn reach(
        &mut self,
        body: &ModifierStackBody<'_>,
        posed: &mut Posed<'_>,
        weight: f32,
        dt: f32,
    ) {
        let Some(place) = self.target_position.filter(|_| weight > 0.0) else {
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
            rotation: self.match_rotation.then(|| Trs::nearest(at).rotation),
            pole: self.pole,
            softness: self.softness,
            weight,
        };
        if goal.rotation.is_none() {
            goal.rotation = self.about_bar(posed, &goal, at);
        }
        self.target_error = reach(posed, &self.limb, &goal) * scale;
        if let Some(grip) = &mut self.grip {
            grip.follow(posed, weight, dt);
        }
    }
}
