//! Roles of a skeleton's bones in a human body. They are found from the file's declaration, from names, from the
//! structure of the hierarchy, and from the shape.
//!
//! Used by [`crate::Retarget`], by [`crate::MirrorMap`] and for masks by body part; `asset` provides the declaration
//! of VRM files. Invariant: depends only on skeletons.

mod by_name;
mod by_shape;
mod names;
mod role;

use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Skeleton;
pub(crate) use by_name::{limb_tops, named_hips};
pub use names::other_side;
pub use role::{N_ROLES, Role};

/// Side of the body, from the character's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// On the symmetry plane.
    #[default]
    Middle,
    /// The character's left.
    Left,
    /// The character's right.
    Right,
}

/// Bones of a skeleton by their role, and the orientation of the body in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct Humanoid {
    /// Bone of each role, indexed by [`Role::index`].
    pub bones: [Option<u16>; N_ROLES],
    /// Rotation from the character's directions (+X left, +Y up, +Z forward) to those of model space at rest. A half turn
    /// about Y for VRM 0.x, whose characters face -Z.
    pub model_from_character: Quat,
    /// The file's format guarantees a T-pose at rest (VRM), independent of the bones' directions.
    pub rest_is_t_pose: bool,
}

impl Default for Humanoid {
    fn default() -> Self {
        Self {
            bones: [None; N_ROLES],
            model_from_character: Quat::IDENTITY,
            rest_is_t_pose: false,
        }
    }
}

impl Humanoid {
    /// Returns the bone of a role.
    pub fn bone(&self, role: Role) -> Option<u16> {
        self.bones[role.index()]
    }

    /// Returns the role of a bone.
    pub fn role_of(&self, bone: u16) -> Option<Role> {
        Role::all().find(|role| self.bone(*role) == Some(bone))
    }

    /// Roles that VRM 1.0 requires and that this skeleton lacks.
    pub fn missing(&self) -> impl Iterator<Item = Role> + '_ {
        Role::all().filter(|role| role.is_required() && self.bone(*role).is_none())
    }

    /// Returns true if there are hips, a head, complete legs to the feet and complete arms to the hands. This is
    /// enough to receive the motion of another body.
    pub fn is_body(&self) -> bool {
        self.missing().all(|role| role == Role::Spine)
    }

    /// Returns the nearest ancestor role that has a bone.
    pub fn parent(&self, role: Role) -> Option<Role> {
        let mut above = role.parent();
        while let Some(role) = above {
            if self.bone(role).is_some() {
                return Some(role);
            }
            above = role.parent();
        }
        None
    }

    /// Number of roles with a bone.
    pub fn n_found(&self) -> usize {
        self.bones.iter().flatten().count()
    }
}

/// Humanoid bones declared by the file (VRM 0.x `humanoid.humanBones`, VRM 1.0 `VRMC_vrm`, `VRMC_vrm_animation`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// Bones by role.
    pub bones: Vec<(Role, u16)>,
    /// See [`Humanoid::model_from_character`]; both formats fix it.
    pub model_from_character: Quat,
}

/// Method by which the role of a bone was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleSource {
    /// Declared by the file.
    Declared,
    /// By its name.
    Name,
    /// By its position between bones with known names.
    Structure,
    /// By its position in the rest pose.
    Shape,
}

impl RoleSource {
    /// Name for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Name => "name",
            Self::Structure => "structure",
            Self::Shape => "shape",
        }
    }
}

/// Entry of a [`HumanoidMatch`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoleMatch {
    /// Role of the bone.
    pub role: Role,
    /// Bone with the role.
    pub bone: u16,
    /// Method by which it was found.
    pub how: RoleSource,
    /// Confidence, 0..=1.
    pub confidence: f32,
}

/// Result of [`find`] with confidences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanoidMatch {
    /// Roles with a bone, in the order of [`Role`].
    pub found: Vec<RoleMatch>,
    /// Roles that VRM 1.0 requires and that have no bone.
    pub missing: Vec<Role>,
    /// Anomalies, as text.
    pub notes: Vec<String>,
}

impl HumanoidMatch {
    /// Minimum confidence of the required roles, 0..=1; 0 if a required role other than the spine is missing.
    pub fn confidence(&self) -> f32 {
        if self.missing.iter().any(|role| *role != Role::Spine) {
            return 0.0;
        }
        let required = self.found.iter().filter(|found| found.role.is_required());
        required.map(|found| found.confidence).fold(1.0, f32::min)
    }
}

/// Finds the humanoid bones of a skeleton at rest. The file's declaration has priority over names and structure; the
/// shape of the rest pose is used for limbs without names.
pub fn find(skeleton: &Skeleton, declared: Option<&Declared>) -> (Humanoid, HumanoidMatch) {
    let body = SkeletonIndex::new(skeleton);
    let mut roles = Roles::default();
    if let Some(declared) = declared {
        for (role, bone) in &declared.bones {
            if usize::from(*bone) < skeleton.len() {
                roles.set(*role, *bone, RoleSource::Declared, 1.0);
            }
        }
    }
    let is_declared = roles.n() > 0;
    // The declaration of a file is complete; guesses would add bones that it omits on purpose.
    if !is_declared {
        by_name::find(&body, &mut roles);
        if !roles.is_body() {
            by_shape::find(&body, &mut roles);
            by_name::find_trunk(&body, &mut roles);
        }
    }
    roles.drop_detached(&body);
    let mut humanoid = Humanoid::default();
    for found in roles.found.iter().flatten() {
        humanoid.bones[found.role.index()] = Some(found.bone);
    }
    humanoid.rest_is_t_pose = is_declared;
    humanoid.model_from_character = match declared {
        Some(declared) if is_declared => declared.model_from_character,
        _ => body.frame(&humanoid, &mut roles.notes),
    };
    let report = HumanoidMatch {
        found: roles.found.iter().flatten().copied().collect(),
        missing: humanoid.missing().collect(),
        notes: roles.notes,
    };
    (humanoid, report)
}

/// Roles assigned so far.
#[derive(Debug)]
struct Roles {
    found: [Option<RoleMatch>; N_ROLES],
    notes: Vec<String>,
}

impl Default for Roles {
    fn default() -> Self {
        Self {
            found: [None; N_ROLES],
            notes: Vec::new(),
        }
    }
}

impl Roles {
    fn get(&self, role: Role) -> Option<u16> {
        self.found[role.index()].map(|found| found.bone)
    }

    fn n(&self) -> usize {
        self.found.iter().flatten().count()
    }

    fn has(&self, bone: u16) -> bool {
        self.found.iter().flatten().any(|found| found.bone == bone)
    }

    /// Assigns a role to a bone, except if the role or the bone is taken.
    fn set(&mut self, role: Role, bone: u16, how: RoleSource, confidence: f32) {
        if self.get(role).is_none() && !self.has(bone) {
            self.found[role.index()] = Some(RoleMatch {
                role,
                bone,
                how,
                confidence,
            });
        }
    }

    fn is_body(&self) -> bool {
        Role::all()
            .all(|role| !role.is_required() || role == Role::Spine || self.get(role).is_some())
    }

    /// Removes roles of bones that are not below the bone of the parent role. An example are feet that only inverse
    /// kinematics attaches to the leg: the leg cannot move them.
    fn drop_detached(&mut self, body: &SkeletonIndex) {
        for role in Role::all() {
            let Some(found) = self.found[role.index()] else {
                continue;
            };
            let mut parent = role.parent();
            while let Some(above) = parent.filter(|above| self.get(*above).is_none()) {
                parent = above.parent();
            }
            let Some(above) = parent.and_then(|above| self.get(above)) else {
                continue;
            };
            if !body.is_below(found.bone, above) {
                self.found[role.index()] = None;
                let name = |bone: u16| body.name(bone).to_owned();
                self.notes.push(format!(
                    "bone {:?} could be the {} but is not below {:?}; left out",
                    name(found.bone),
                    role.name().replace('_', " "),
                    name(above)
                ));
            }
        }
    }
}

/// A skeleton with an index for the searches.
pub(crate) struct SkeletonIndex<'a> {
    skeleton: &'a Skeleton,
    /// Bone positions at rest, model space.
    positions: Vec<Vec3>,
    children: Vec<Vec<u16>>,
    names: Vec<names::ParsedName>,
}

impl<'a> SkeletonIndex<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton) -> Self {
        let rest: Vec<_> = skeleton.rest().collect();
        let mut model = Vec::new();
        super::local_to_model(skeleton, &rest, &mut model);
        let bones = skeleton.bones();
        let mut children = vec![Vec::new(); bones.len()];
        for (i, bone) in bones.iter().enumerate() {
            if let Some(parent) = bone.parent {
                children[usize::from(parent)].push(i as u16);
            }
        }
        Self {
            skeleton,
            positions: model.iter().map(|m| m.translation.into()).collect(),
            children,
            names: bones
                .iter()
                .map(|bone| names::ParsedName::new(&bone.name))
                .collect(),
        }
    }

    pub(crate) fn n(&self) -> u16 {
        self.skeleton.len() as u16
    }

    /// Joints of skins; all bones if there is no skin.
    pub(crate) fn joints(&self) -> impl Iterator<Item = u16> + '_ {
        let bones = self.skeleton.bones();
        let any = bones.iter().any(|bone| bone.skinned);
        (0..self.n()).filter(move |bone| !any || bones[usize::from(*bone)].skinned)
    }

    fn name(&self, bone: u16) -> &str {
        &self.skeleton.bones()[usize::from(bone)].name
    }

    fn parsed(&self, bone: u16) -> &names::ParsedName {
        &self.names[usize::from(bone)]
    }

    pub(crate) fn position(&self, bone: u16) -> Vec3 {
        self.positions[usize::from(bone)]
    }

    pub(crate) fn parent(&self, bone: u16) -> Option<u16> {
        self.skeleton.bones()[usize::from(bone)].parent
    }

    pub(crate) fn children(&self, bone: u16) -> &[u16] {
        &self.children[usize::from(bone)]
    }

    /// The bone and its ancestors up to the root.
    pub(crate) fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    pub(crate) fn is_below(&self, bone: u16, above: u16) -> bool {
        bone != above && self.up(bone).any(|b| b == above)
    }

    /// Deepest common ancestor; it can be one of the two bones.
    pub(crate) fn common(&self, a: u16, b: u16) -> Option<u16> {
        self.up(a)
            .find(|above| *above == b || self.is_below(b, *above))
    }

    /// Bones from the child of `above` to `bone` itself; empty if `bone` is not a descendant.
    fn path(&self, above: u16, bone: u16) -> Vec<u16> {
        if !self.is_below(bone, above) {
            return Vec::new();
        }
        let mut path: Vec<u16> = self.up(bone).take_while(|b| *b != above).collect();
        path.reverse();
        path
    }

    /// Orientation of the body from the positions of its bones; see [`Humanoid::model_from_character`]. Snapped to
    /// exact axes within 30 degrees.
    fn frame(&self, humanoid: &Humanoid, notes: &mut Vec<String>) -> Quat {
        let position = |role| humanoid.bone(role).map(|bone| self.position(bone));
        let pair = |left: Role| Some(position(left)? - position(left.opposite())?);
        let sideways = [Role::LeftUpperLeg, Role::LeftUpperArm, Role::LeftShoulder];
        let left: Vec3 = sideways
            .into_iter()
            .filter_map(pair)
            .map(Vec3::normalize_or_zero)
            .sum();
        let hips = position(Role::Hips);
        let top = [Role::Head, Role::Neck, Role::LeftUpperArm]
            .into_iter()
            .find_map(position);
        let (Some(hips), Some(top)) = (hips, top) else {
            return Quat::IDENTITY;
        };
        let feet = position(Role::LeftFoot).zip(position(Role::RightFoot));
        let legs = feet.map(|(left, right)| hips - (left + right) * 0.5);
        // If the head is as low as the hips, as for a robot that is all trunk, the trunk does not show the up
        // direction.
        let trunk = top - hips;
        let up = match legs {
            Some(legs) if trunk.length() < 0.4 * legs.length() => legs,
            _ => trunk,
        };
        let Some(frame) = frame_from(left, up) else {
            notes.push(
                "left and right bones have the same position; the skeleton is assumed to face +Z"
                    .into(),
            );
            return Quat::IDENTITY;
        };
        let forward = frame * Vec3::Z;
        let toes = [Role::LeftToes, Role::RightToes]
            .into_iter()
            .filter_map(|toes| {
                let foot = humanoid.bone(humanoid.parent(toes)?)?;
                Some(position(toes)? - self.position(foot))
            });
        if toes.map(|toe| toe.dot(forward)).sum::<f32>() < 0.0 {
            notes.push("the toes point backwards: left and right may be swapped".into());
        }
        frame
    }
}

/// Rotation with +X along `left` and +Y as near as possible to `up`, snapped to exact axes if both are within 30
/// degrees of one. `None` if the two are parallel or zero.
fn frame_from(left: Vec3, up: Vec3) -> Option<Quat> {
    let snap = |v: Vec3| {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let along = axes
            .into_iter()
            .max_by(|a, b| v.dot(*a).abs().total_cmp(&v.dot(*b).abs()))?;
        let axis = along * v.dot(along).signum();
        (v.dot(axis) > 0.866).then_some(axis)
    };
    let up = up.try_normalize()?;
    let up = snap(up).unwrap_or(up);
    let left = left.reject_from_normalized(up).try_normalize()?;
    let left = snap(left)
        .unwrap_or(left)
        .reject_from_normalized(up)
        .try_normalize()?;
    let forward = left.cross(up);
    Some(Quat::from_mat3(&Mat3::from_cols(left, up, forward)).normalize())
}

#[cfg(test)]
pub(crate) mod tests;
