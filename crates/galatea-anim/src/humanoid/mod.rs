//! Which bone of a skeleton is which of a human body: found by what the file declares, by names,
//! by the tree's structure, and by shape.
//!
//! Callers: [`crate::Retarget`], [`crate::MirrorMap`] and masks by part of the body;
//! `asset` hands in what VRM files declare. Invariant: knows skeletons and nothing else.

mod by_name;
mod by_shape;
mod names;
mod role;

use glam::{Mat3, Quat, Vec3};

use super::Skeleton;
pub(crate) use by_name::{limb_tops, named_hips};
pub use names::other_side;
pub use role::{N_ROLES, Role};

/// Half of the body. The left is the character's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// On the plane that parts the halves.
    #[default]
    Middle,
    /// The character's left.
    Left,
    /// The character's right.
    Right,
}

/// The bones of a skeleton by their role, and how the body stands in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct Humanoid {
    /// For every role, at [`Role::index`], its bone.
    pub bones: [Option<u16>; N_ROLES],
    /// Takes the character's own directions (+X left, +Y up, +Z forward) to those of model space at
    /// rest. A half turn about Y for VRM 0.x, whose characters look along -Z.
    pub model_from_character: Quat,
    /// The file's format promises a T-pose at rest (VRM), whatever its bones look like.
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
    /// The bone that plays a role.
    pub fn bone(&self, role: Role) -> Option<u16> {
        self.bones[role.index()]
    }

    /// The role that a bone plays.
    pub fn role_of(&self, bone: u16) -> Option<Role> {
        Role::all().find(|role| self.bone(*role) == Some(bone))
    }

    /// Roles that VRM 1.0 demands and this skeleton lacks.
    pub fn missing(&self) -> impl Iterator<Item = Role> + '_ {
        Role::all().filter(|role| role.is_required() && self.bone(*role).is_none())
    }

    /// True when there are hips, a head, both legs to the feet and both arms to the hands: enough to
    /// take over the motion of another body.
    pub fn is_body(&self) -> bool {
        self.missing().all(|role| role == Role::Spine)
    }

    /// The nearest role above that some bone plays.
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

    /// Number of roles that some bone plays.
    pub fn n_found(&self) -> usize {
        self.bones.iter().flatten().count()
    }
}

/// What a file itself says about its humanoid bones (VRM 0.x `humanoid.humanBones`, VRM 1.0
/// `VRMC_vrm`, `VRMC_vrm_animation`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Bones by role.
    pub bones: Vec<(Role, u16)>,
    /// See [`Humanoid::model_from_character`]; both formats fix it.
    pub model_from_character: Quat,
}

/// How a bone got its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The file says so.
    Declared,
    /// By its name.
    Name,
    /// By its place between bones that have names.
    Structure,
    /// By where it lies.
    Shape,
}

impl How {
    /// One word for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Name => "name",
            Self::Structure => "structure",
            Self::Shape => "shape",
        }
    }
}

/// One role of a [`HumanoidMatch`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoleMatch {
    /// The role.
    pub role: Role,
    /// The bone that plays it.
    pub bone: u16,
    /// How it was found.
    pub how: How,
    /// 0..=1: how sure that is.
    pub confidence: f32,
}

/// What [`find`] found, and how sure it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanoidMatch {
    /// Roles with a bone, in the order of [`Role`].
    pub found: Vec<RoleMatch>,
    /// Roles that VRM 1.0 demands and no bone plays.
    pub missing: Vec<Role>,
    /// What is odd, in plain words.
    pub notes: Vec<String>,
}

impl HumanoidMatch {
    /// 0..=1: the least confidence among the required roles that were found, 0 when more than the
    /// spine is missing.
    pub fn confidence(&self) -> f32 {
        if self.missing.iter().any(|role| *role != Role::Spine) {
            return 0.0;
        }
        let required = self.found.iter().filter(|found| found.role.is_required());
        required.map(|found| found.confidence).fold(1.0, f32::min)
    }
}

/// Finds the humanoid bones of a skeleton, at rest. What the file declares comes first, then names
/// and structure, then, for limbs without a name, the shape of the rest pose.
pub fn find(skeleton: &Skeleton, declared: Option<&Declared>) -> (Humanoid, HumanoidMatch) {
    let body = SkeletonIndex::new(skeleton);
    let mut roles = Roles::default();
    if let Some(declared) = declared {
        for (role, bone) in &declared.bones {
            if usize::from(*bone) < skeleton.len() {
                roles.set(*role, *bone, How::Declared, 1.0);
            }
        }
    }
    let is_declared = roles.n() > 0;
    // A file that declares its bones has said all; guesses would only add what it left out on
    // purpose.
    if !is_declared {
        by_name::find(&body, &mut roles);
        if !roles.is_body() {
            by_shape::find(&body, &mut roles);
            by_name::find_trunk(&body, &mut roles);
        }
    }
    roles.drop_what_hangs_loose(&body);
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

/// The roles given so far.
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

    /// Gives a role to a bone, unless the role or the bone is taken.
    fn set(&mut self, role: Role, bone: u16, how: How, confidence: f32) {
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

    /// Takes the role from bones that do not hang on the bone their role hangs on: feet that only
    /// inverse kinematics holds at the leg cannot be moved by it.
    fn drop_what_hangs_loose(&mut self, body: &SkeletonIndex) {
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
                    "{:?} could be the {} but does not hang on {:?}; left out",
                    name(found.bone),
                    role.name().replace('_', " "),
                    name(above)
                ));
            }
        }
    }
}

/// A skeleton with what the searches ask of it.
pub(crate) struct SkeletonIndex<'a> {
    skeleton: &'a Skeleton,
    /// Origins of the bones at rest, model space.
    places: Vec<Vec3>,
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
            places: model.iter().map(|m| m.translation.into()).collect(),
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

    /// Joints of skins; all bones where none is.
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

    pub(crate) fn place(&self, bone: u16) -> Vec3 {
        self.places[usize::from(bone)]
    }

    pub(crate) fn parent(&self, bone: u16) -> Option<u16> {
        self.skeleton.bones()[usize::from(bone)].parent
    }

    pub(crate) fn children(&self, bone: u16) -> &[u16] {
        &self.children[usize::from(bone)]
    }

    /// The bone, its parent, and so on to the root.
    pub(crate) fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    pub(crate) fn is_below(&self, bone: u16, above: u16) -> bool {
        bone != above && self.up(bone).any(|b| b == above)
    }

    /// The deepest bone that both hang on; one may be the other's.
    pub(crate) fn common(&self, a: u16, b: u16) -> Option<u16> {
        self.up(a)
            .find(|above| *above == b || self.is_below(b, *above))
    }

    /// From just below `above` down to `bone` itself; empty when it does not hang there.
    fn path(&self, above: u16, bone: u16) -> Vec<u16> {
        if !self.is_below(bone, above) {
            return Vec::new();
        }
        let mut path: Vec<u16> = self.up(bone).take_while(|b| *b != above).collect();
        path.reverse();
        path
    }

    /// Directions of the body from the places of its bones; see [`Humanoid::model_from_character`].
    /// Taken as exact axes where they are within 30 degrees of some.
    fn frame(&self, humanoid: &Humanoid, notes: &mut Vec<String>) -> Quat {
        let place = |role| humanoid.bone(role).map(|bone| self.place(bone));
        let pair = |left: Role| Some(place(left)? - place(left.opposite())?);
        let sideways = [Role::LeftUpperLeg, Role::LeftUpperArm, Role::LeftShoulder];
        let left: Vec3 = sideways
            .into_iter()
            .filter_map(pair)
            .map(Vec3::normalize_or_zero)
            .sum();
        let hips = place(Role::Hips);
        let top = [Role::Head, Role::Neck, Role::LeftUpperArm]
            .into_iter()
            .find_map(place);
        let (Some(hips), Some(top)) = (hips, top) else {
            return Quat::IDENTITY;
        };
        let feet = place(Role::LeftFoot).zip(place(Role::RightFoot));
        let legs = feet.map(|(left, right)| hips - (left + right) * 0.5);
        // A head as low as the hips, as of a robot that is all trunk, does not show the direction up.
        let trunk = top - hips;
        let up = match legs {
            Some(legs) if trunk.length() < 0.4 * legs.length() => legs,
            _ => trunk,
        };
        let Some(frame) = frame_from(left, up) else {
            notes.push("left and right lie together; taken as looking along +Z".into());
            return Quat::IDENTITY;
        };
        let forward = frame * Vec3::Z;
        let toes = [Role::LeftToes, Role::RightToes]
            .into_iter()
            .filter_map(|toes| {
                let foot = humanoid.bone(humanoid.parent(toes)?)?;
                Some(place(toes)? - self.place(foot))
            });
        if toes.map(|toe| toe.dot(forward)).sum::<f32>() < 0.0 {
            notes.push("the toes point backwards: left and right may be exchanged".into());
        }
        frame
    }
}

/// The rotation with +X along `left` and +Y along `up` as near as can be, on exact axes where both
/// are within 30 degrees of one. `None` when the two are parallel or nothing.
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
