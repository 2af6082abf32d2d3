//! Roles and rest positions of the bones of a ragdoll, and the facing of the body.

use glam::{Affine3A, Vec3};

use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role, Side};

/// Body part of a ragdoll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RagdollPart {
    Pelvis,
    Spine,
    Chest,
    Neck,
    Head,
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    UpperLeg(Side),
    LowerLeg(Side),
    Foot(Side),
    /// A part of an animal, a robot or a prop.
    Other,
}

impl RagdollPart {
    fn of(role: Role) -> Option<Self> {
        use Role as R;
        let side = role.side();
        Some(match role {
            R::Hips => Self::Pelvis,
            R::Spine => Self::Spine,
            R::Chest | R::UpperChest => Self::Chest,
            R::Neck => Self::Neck,
            R::Head => Self::Head,
            R::LeftUpperArm | R::RightUpperArm => Self::UpperArm(side),
            R::LeftLowerArm | R::RightLowerArm => Self::LowerArm(side),
            R::LeftHand | R::RightHand => Self::Hand(side),
            R::LeftUpperLeg | R::RightUpperLeg => Self::UpperLeg(side),
            R::LeftLowerLeg | R::RightLowerLeg => Self::LowerLeg(side),
            R::LeftFoot | R::RightFoot => Self::Foot(side),
            _ => return None,
        })
    }

    /// Returns true for arms and legs without hands and feet.
    pub fn is_limb(self) -> bool {
        use RagdollPart as P;
        matches!(
            self,
            P::UpperArm(_) | P::LowerArm(_) | P::UpperLeg(_) | P::LowerLeg(_)
        )
    }

    /// Returns true for pelvis, spine and chest.
    pub fn is_trunk(self) -> bool {
        matches!(self, Self::Pelvis | Self::Spine | Self::Chest)
    }
}

/// A skeleton at rest with the data that ragdolls need.
#[derive(Clone, Debug)]
pub struct Anatomy<'a> {
    pub skeleton: &'a Skeleton,
    pub humanoid: &'a Humanoid,
    /// Origins of the bones, model space, metres.
    pub positions: Vec<Vec3>,
    /// The body is an upright biped like a human, and roles count. Otherwise all bones are treated equally.
    pub is_human: bool,
    /// The body's own directions in model space, unit length and perpendicular.
    pub up: Vec3,
    pub forward: Vec3,
    pub left: Vec3,
    roles: Vec<Option<Role>>,
}

impl<'a> Anatomy<'a> {
    pub fn of(
        skeleton: &'a Skeleton,
        humanoid: &'a Humanoid,
        model_from_bone: &[Affine3A],
    ) -> Self {
        let mut roles = vec![None; skeleton.len()];
        for role in Role::all() {
            if let Some(slot) = humanoid
                .bone(role)
                .and_then(|b| roles.get_mut(usize::from(b)))
            {
                *slot = Some(role);
            }
        }
        let positions = model_from_bone.iter().map(|m| m.translation.into());
        let mut anatomy = Self {
            skeleton,
            humanoid,
            positions: positions.collect(),
            is_human: false,
            up: Vec3::Y,
            forward: Vec3::Z,
            left: Vec3::X,
            roles,
        };
        if let Some([left, up, forward]) = anatomy.directions() {
            (anatomy.left, anatomy.up, anatomy.forward) = (left, up, forward);
            anatomy.is_human = true;
        }
        anatomy
    }

    pub fn position(&self, bone: u16) -> Vec3 {
        self.positions[usize::from(bone)]
    }

    pub fn position_of(&self, role: Role) -> Option<Vec3> {
        self.humanoid.bone(role).map(|bone| self.position(bone))
    }

    pub fn role(&self, bone: u16) -> Option<Role> {
        self.roles[usize::from(bone)]
    }

    /// Body part of a body on a bone.
    pub fn part(&self, bone: u16) -> RagdollPart {
        let part = self
            .role(bone)
            .filter(|_| self.is_human)
            .and_then(RagdollPart::of);
        part.unwrap_or(RagdollPart::Other)
    }

    pub fn parent(&self, bone: u16) -> Option<u16> {
        self.skeleton.bones()[usize::from(bone)].parent
    }

    /// Iterates over the bone, its parent, and so on to the root.
    pub fn up_from(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    pub fn name(&self, bone: u16) -> &str {
        &self.skeleton.bones()[usize::from(bone)].name
    }

    /// Left, up and forward, from the positions of arms, legs, trunk and head; `None` for a body that does not stand on legs
    /// below an upright trunk.
    fn directions(&self) -> Option<[Vec3; 3]> {
        let middle = |a: Role| Some((self.position_of(a)? + self.position_of(a.opposite())?) * 0.5);
        let across = |a: Role| Some(self.position_of(a)? - self.position_of(a.opposite())?);
        let hips = self.position_of(Role::Hips)?;
        let legs = middle(Role::LeftUpperLeg)?;
        let arms = middle(Role::LeftUpperArm);
        let head = self
            .position_of(Role::Neck)
            .or(self.position_of(Role::Head));
        let base = if hips.distance(legs) > 1e-6 {
            legs
        } else {
            hips
        };
        let up = (arms.or(head)? - base).try_normalize()?;
        let sides = [Role::LeftUpperLeg, Role::LeftUpperArm].map(across);
        let left: Vec3 = sides
            .into_iter()
            .flatten()
            .map(Vec3::normalize_or_zero)
            .sum();
        let left = left.reject_from_normalized(up).try_normalize()?;
        // The legs of animals are perpendicular to the trunk, not in line with it.
        let feet = [Role::LeftFoot, Role::LeftLowerLeg].into_iter();
        let below = feet.filter_map(middle).next();
        if let Some(below) = below
            && (below - legs).normalize_or_zero().dot(up) > -0.6
        {
            return None;
        }
        // A nearly upright body gets the exact axis as its up direction, whatever the direction of its shoulders.
        let snap = |v: Vec3| {
            let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * v.dot(axis).signum());
            let near = axes.into_iter().find(|axis| v.dot(*axis) > 0.96);
            near.unwrap_or(v)
        };
        let up = snap(up);
        let left = snap(left.reject_from_normalized(up).try_normalize()?);
        let left = left.reject_from_normalized(up).try_normalize()?;
        Some([left, up, left.cross(up)])
    }
}
