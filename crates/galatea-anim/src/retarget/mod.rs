//! A clip of one skeleton played on another.
//!
//! Two manners. *By name*, for the same rig in another file: tracks go to the bone of the same name,
//! rotations as they are, translations where the rest offsets agree, for the root and the hips. *By
//! body*, for any two humanoids: each bone's turn away from rest, taken in model space and relative
//! to the way the character looks, is given to the bone of the same role; limbs that rest in another
//! direction (an A-pose against a T-pose) are first laid along the other's; only hips and root move,
//! scaled by the height of the hips.
//!
//! Callers: `asset::clips` when clip files are bound to a model, and `inspect`. Works on authored
//! clips while loading; nothing here runs in the tick.

mod body;
mod by_name;
mod measure;
mod times;

pub(crate) use times::{KeyTimes, keys, sort, uniform};

use super::humanoid::{Humanoid, Role};
use super::{Clip, Interpolation, Skeleton, Track};

/// A skeleton and its humanoid bones.
#[derive(Clone, Copy, Debug)]
pub struct Rig<'a> {
    /// The bones.
    pub skeleton: &'a Skeleton,
    /// Their roles, see [`super::humanoid::find`].
    pub humanoid: &'a Humanoid,
}

/// How two skeletons are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetargetMode {
    /// Bones of one name are the same bone.
    Names,
    /// Bones of one role are the same bone.
    Body,
}

/// At which times the new clip has keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sampling {
    /// At the old clip's keys; splines are followed 60 times a second.
    #[default]
    Keys,
    /// So many times a second, from 0 to the end. Binding by name keeps the old keys all the same.
    Uniform(f32),
}

/// What may be decided about a [`Retarget`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetargetOptions {
    /// The manner; chosen by what the skeletons have in common when `None`.
    pub manner: Option<RetargetMode>,
    /// Times of keys.
    pub sampling: Sampling,
}

/// The way clips of one skeleton go to another, worked out once for both.
#[derive(Clone, Debug)]
pub struct Retarget {
    way: RetargetMethod,
    sampling: Sampling,
}

#[derive(Clone, Debug)]
enum RetargetMethod {
    Names(by_name::NameMapping),
    Body(Box<body::BodyPair>),
}

/// What [`Retarget::new`] matched and measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetReport {
    /// The manner used.
    pub manner: RetargetMode,
    /// The target's size over the source's, by the height of the hips; 1 where no hips are known.
    pub scale: f32,
    /// Bones that move, in the order of the target.
    pub bones: Vec<Matched>,
    /// Source bones that move nothing.
    pub unmatched_source: Vec<String>,
    /// Target bones below its root that stay at rest.
    pub unmatched_target: Vec<String>,
    /// What is odd, in plain words.
    pub notes: Vec<String>,
}

/// A bone that takes over another one's motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// The role, where it is known.
    pub role: Option<Role>,
    /// Name in the source.
    pub source: String,
    /// Name in the target.
    pub target: String,
    /// Degrees between the two at rest: between the directions of limbs relative to the body, or,
    /// by name, between the local rotations. `None` for bones whose direction is the body's shape
    /// and not its pose: trunk, head, shoulders, and the ends of limbs.
    pub rest_difference: Option<f32>,
    /// The difference is taken out of the motion.
    pub corrected: bool,
}

/// Why two skeletons cannot be brought together.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RetargetError {
    /// Neither names nor roles agree.
    #[error(
        "the skeletons have {names} bone names and {roles} roles of the body in common; at least 3 names or 8 roles with the hips are needed"
    )]
    Strangers {
        /// Bone names found in both.
        names: usize,
        /// Roles found in both.
        roles: usize,
    },
}

/// Fewest common roles of two bodies.
const FEWEST_ROLES: usize = 8;

impl Retarget {
    /// Brings two skeletons together. Without a wish, bones go by name when most names agree and the
    /// bones of those names have the same axes, else by body.
    ///
    /// # Errors
    /// When the skeletons have too little in common.
    pub fn new(
        source: Rig,
        target: Rig,
        options: RetargetOptions,
    ) -> Result<(Self, RetargetReport), RetargetError> {
        let common = by_name::Common::new(source, target);
        let in_both = |role: &Role| {
            source.humanoid.bone(*role).is_some() && target.humanoid.bone(*role).is_some()
        };
        let roles = Role::all().filter(in_both).count();
        let bodies = roles >= FEWEST_ROLES && in_both(&Role::Hips);
        let manner = options.manner.unwrap_or({
            if common.is_same_rig() || !bodies {
                RetargetMode::Names
            } else {
                RetargetMode::Body
            }
        });
        let enough = match manner {
            RetargetMode::Names => common.n >= 3.min(source.skeleton.len()).max(1),
            RetargetMode::Body => bodies,
        };
        if !enough {
            return Err(RetargetError::Strangers {
                names: common.n,
                roles,
            });
        }
        let (way, mut report) = match manner {
            RetargetMode::Names => {
                let (names, report) = by_name::NameMapping::new(source, target, &common);
                (RetargetMethod::Names(names), report)
            }
            RetargetMode::Body => {
                let (body, report) = body::BodyPair::new(source, target);
                (RetargetMethod::Body(Box::new(body)), report)
            }
        };
        if manner == RetargetMode::Names && !common.is_same_rig() {
            report.notes.push(
                "the bones of one name differ in axes or in number; the motion may look wrong"
                    .into(),
            );
        }
        let sampling = options.sampling;
        Ok((Self { way, sampling }, report))
    }

    /// The clip for the target, of the same name, length, marks and curves. The skeletons are those
    /// that [`Retarget::new`] got. Morph tracks belong to the source's meshes and stay behind.
    pub fn clip(&self, clip: &Clip, source: &Skeleton, target: &Skeleton) -> Clip {
        let bones = match &self.way {
            RetargetMethod::Names(names) => names.bones(clip),
            RetargetMethod::Body(body) => body.bones(clip, source, target, self.sampling),
        };
        Clip {
            name: clip.name.clone(),
            duration: clip.duration,
            bones,
            morphs: Vec::new(),
            curves: clip.curves.clone(),
            marks: clip.marks.clone(),
        }
    }

    /// What of a clip does not reach the target, in plain words.
    pub fn left_out(&self, clip: &Clip, source: &Skeleton) -> Vec<String> {
        let mut out = Vec::new();
        let name = |bone: u16| {
            let bone = source.bones().get(usize::from(bone));
            bone.map_or("?", |bone| bone.name.as_str())
        };
        let (mut lost, mut moved, mut scaled) = (Vec::new(), Vec::new(), Vec::new());
        for tracks in &clip.bones {
            let takes = match &self.way {
                RetargetMethod::Names(names) => names.takes(tracks.bone),
                RetargetMethod::Body(body) => body.takes(tracks.bone),
            };
            let Some(takes) = takes else {
                lost.push(name(tracks.bone));
                continue;
            };
            if !takes.translation && tracks.translation.as_ref().is_some_and(varies) {
                moved.push(name(tracks.bone));
            }
            if !takes.scale && tracks.scale.as_ref().is_some_and(varies) {
                scaled.push(name(tracks.bone));
            }
        }
        for (names, text) in [
            (lost, "have no bone to go to"),
            (moved, "lose their change of length"),
            (scaled, "lose their scaling"),
        ] {
            if !names.is_empty() {
                out.push(format!("{text}: {}", names.join(", ")));
            }
        }
        if !clip.morphs.is_empty() {
            out.push(format!("{} morph tracks stay behind", clip.morphs.len()));
        }
        out
    }
}

/// Which tracks of a source bone have an effect.
#[derive(Clone, Copy, Debug)]
struct Takes {
    translation: bool,
    scale: bool,
}

/// True when the values of a track are not all the same, to a thousandth.
fn varies(track: &Track<glam::Vec3>) -> bool {
    let (first, step) = match track.interpolation {
        Interpolation::CubicSpline => (1, 3),
        _ => (0, 1),
    };
    let mut values = track.values.iter().skip(first).step_by(step);
    let start = values.next();
    start.is_some_and(|start| values.any(|v| v.distance(*start) > 1e-3 * start.length().max(1e-3)))
}

/// Model-space rotations of a pose, parents first: products of the local rotations alone.
fn model_rotations(
    skeleton: &Skeleton,
    local: impl Fn(usize) -> glam::Quat,
    out: &mut Vec<glam::Quat>,
) {
    out.clear();
    for (i, bone) in skeleton.bones().iter().enumerate() {
        let parent = bone.parent.and_then(|parent| out.get(usize::from(parent)));
        let parent = parent.copied().unwrap_or(glam::Quat::IDENTITY);
        out.push((parent * local(i)).normalize());
    }
}

#[cfg(test)]
mod tests;
