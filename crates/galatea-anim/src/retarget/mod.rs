//! Retargeting: a clip of one skeleton played on another.
//!
//! Two methods exist. *By name*, for the same rig in another file: tracks go to the bone of the same name. Rotations
//! are copied; translations are copied if the rest offsets agree, for the root and for the hips. *By body*, for any
//! two humanoids: each bone's rotation away from rest, in model space and relative to the facing direction, is given
//! to the bone of the same role. Limbs that rest in different directions (an A-pose and a T-pose) are aligned first.
//! Only hips and root translate, scaled by the height of the hips.
//!
//! Used by `asset::clips` when clip files are bound to a model, and by `inspect`. Works on authored clips during
//! loading; nothing here runs in the tick.

mod body;
mod by_name;
mod measure;
mod times;

pub(crate) use times::{KeyTimes, keys, sort, uniform};

use super::humanoid::{Humanoid, Role};
use super::{Clip, Interpolation, Skeleton, Track};
use serde::{Deserialize, Serialize};

/// A skeleton and its humanoid bones.
#[derive(Clone, Copy, Debug)]
pub struct Rig<'a> {
    /// Bones of the body.
    pub skeleton: &'a Skeleton,
    /// Roles of the bones, see [`super::humanoid::find`].
    pub humanoid: &'a Humanoid,
}

/// Retargeting method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RetargetMode {
    /// Bones with the same name correspond.
    Names,
    /// Bones with the same role correspond.
    Body,
}

/// Key times of the new clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sampling {
    /// The keys of the old clip; splines are sampled 60 times a second.
    #[default]
    Keys,
    /// A fixed number of keys per second, from 0 to the end. Retargeting by name keeps the old keys.
    Uniform(f32),
}

/// Options of a [`Retarget`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetargetOptions {
    /// Method; `None` chooses it from the common names and roles.
    pub manner: Option<RetargetMode>,
    /// Key times.
    pub sampling: Sampling,
}

/// Precomputed mapping from clips of one skeleton to another.
#[derive(Clone, Debug)]
pub struct Retarget {
    method: RetargetMethod,
    sampling: Sampling,
}

#[derive(Clone, Debug)]
enum RetargetMethod {
    Names(by_name::NameMapping),
    Body(Box<body::BodyPair>),
}

/// Result of the matching in [`Retarget::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetReport {
    /// Method in use.
    pub manner: RetargetMode,
    /// Size of the target divided by that of the source, by the height of the hips; 1 if the hips are unknown.
    pub scale: f32,
    /// Bones that receive motion, in the order of the target.
    pub bones: Vec<Matched>,
    /// Source bones without effect.
    pub unmatched_source: Vec<String>,
    /// Target bones below the root that stay at rest.
    pub unmatched_target: Vec<String>,
    /// Anomalies, as text.
    pub notes: Vec<String>,
}

/// A target bone and its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// Role, if known.
    pub role: Option<Role>,
    /// Name in the source.
    pub source: String,
    /// Name in the target.
    pub target: String,
    /// Angle between the two at rest, degrees: between the directions of limbs relative to the body or, by name, between
    /// the local rotations. `None` for bones whose direction depends on the body's shape and not on its pose: trunk,
    /// head, shoulders, and the ends of limbs.
    pub rest_difference: Option<f32>,
    /// The difference is removed from the motion.
    pub corrected: bool,
}

/// Error: two skeletons cannot be matched.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RetargetError {
    /// Too few names and roles agree.
    #[error(
        "the skeletons share {names} bone names and {roles} body roles; at least 3 names, or 8 roles with the hips, \
         are needed"
    )]
    Strangers {
        /// Number of common bone names.
        names: usize,
        /// Number of common roles.
        roles: usize,
    },
}

/// Minimum number of common roles of two bodies.
const MIN_ROLES: usize = 8;

impl Retarget {
    /// Matches two skeletons. If the options name no method, bones are matched by name if most names agree and those
    /// bones have the same axes, else by body.
    ///
    /// # Errors
    /// If the skeletons have too little in common.
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
        let bodies = roles >= MIN_ROLES && in_both(&Role::Hips);
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
        let (method, mut report) = match manner {
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
                "bones with the same names differ in their axes, or the bone counts differ; the motion may look wrong"
                    .into(),
            );
        }
        let sampling = options.sampling;
        Ok((Self { method, sampling }, report))
    }

    /// Converts a clip to the target; name, duration, marks and curves stay. The skeletons are those given to
    /// [`Retarget::new`]. Morph tracks belong to the source's meshes and are dropped.
    pub fn clip(&self, clip: &Clip, source: &Skeleton, target: &Skeleton) -> Clip {
        let bones = match &self.method {
            RetargetMethod::Names(names) => names.bones(clip),
            RetargetMethod::Body(body) => body.bones(clip, source, target, self.sampling),
        };
        Clip {
            name: clip.name.clone(),
            duration: clip.duration,
            bones,
            morphs: Vec::new(),
            curves: clip.curves.clone(),
            markers: clip.markers.clone(),
        }
    }

    /// Describes the parts of a clip that have no effect on the target.
    pub fn left_out(&self, clip: &Clip, source: &Skeleton) -> Vec<String> {
        let mut out = Vec::new();
        let name = |bone: u16| {
            let bone = source.bones().get(usize::from(bone));
            bone.map_or("?", |bone| bone.name.as_str())
        };
        let (mut lost, mut moved, mut scaled) = (Vec::new(), Vec::new(), Vec::new());
        for tracks in &clip.bones {
            let takes = match &self.method {
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
            (lost, "tracks without a matching bone"),
            (moved, "translation tracks without effect"),
            (scaled, "scale tracks without effect"),
        ] {
            if !names.is_empty() {
                out.push(format!("{text}: {}", names.join(", ")));
            }
        }
        if !clip.morphs.is_empty() {
            out.push(format!("{} morph tracks are left out", clip.morphs.len()));
        }
        out
    }
}

/// Tracks of a source bone that have an effect.
#[derive(Clone, Copy, Debug)]
struct Takes {
    translation: bool,
    scale: bool,
}

/// Returns true if the values of a track differ by more than a thousandth.
fn varies(track: &Track<glam::Vec3>) -> bool {
    let (first, step) = match track.interpolation {
        Interpolation::CubicSpline => (1, 3),
        _ => (0, 1),
    };
    let mut values = track.values.iter().skip(first).step_by(step);
    let start = values.next();
    start.is_some_and(|start| values.any(|v| v.distance(*start) > 1e-3 * start.length().max(1e-3)))
}

/// Model-space rotations of a pose, parents first: products of the local rotations.
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
