//! Flat skeleton: every node of a file's scene, parents before children.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::walk::{WalkStep, walk};
use galatea_math::Trs;

/// One node of the skeleton. Nodes without skin (weapons, helmets, the file's root) are bones too, so that
/// one pose moves everything in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bone {
    /// Name as authored; unique within a skeleton (the loader makes it so).
    pub name: String,
    /// Index of the parent, always smaller than this bone's own index.
    pub parent: Option<u16>,
    /// Local transform as authored (the rest pose; may differ from the bind pose).
    pub rest: Trs,
    /// True if a skin of the file lists this node as a joint.
    pub skinned: bool,
}

/// A bone hierarchy, stored flat with parents before children. Immutable after construction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Skeleton {
    bones: Vec<Bone>,
    parents: Vec<u16>,
    walk: Vec<WalkStep>,
    #[serde(with = "galatea_persist::sorted")]
    by_name: HashMap<String, u16>,
    height: f32,
}

/// Minimum of [`Skeleton::height`], metres.
const MIN_HEIGHT: f32 = 0.01;

/// Error in a list of bones.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum SkeletonError {
    /// More bones than a 16-bit index can address.
    #[error("{0} nodes; the limit is 65 535 per skeleton")]
    TooMany(usize),
    /// A child comes before its parent.
    #[error("bone {bone:?} comes before its parent {parent}")]
    Order {
        /// Name of the child.
        bone: String,
        /// Index of the parent.
        parent: u16,
    },
}

impl Skeleton {
    /// Builds a skeleton. If two bones share a name, [`Skeleton::find`] gives the first.
    ///
    /// # Errors
    /// When there are more than 65 535 bones, or a parent comes after its child.
    pub fn new(bones: Vec<Bone>) -> Result<Self, SkeletonError> {
        if bones.len() > usize::from(u16::MAX) {
            return Err(SkeletonError::TooMany(bones.len()));
        }
        let mut by_name = HashMap::with_capacity(bones.len());
        for (i, bone) in bones.iter().enumerate() {
            if let Some(parent) = bone.parent
                && usize::from(parent) >= i
            {
                return Err(SkeletonError::Order {
                    bone: bone.name.clone(),
                    parent,
                });
            }
            by_name.entry(bone.name.clone()).or_insert(i as u16);
        }
        let parents: Vec<u16> = bones
            .iter()
            .map(|bone| bone.parent.unwrap_or(Self::NO_PARENT))
            .collect();
        let mut skeleton = Self {
            bones,
            walk: walk(&parents),
            parents,
            by_name,
            height: 0.0,
        };
        skeleton.height = skeleton.measured_height();
        Ok(skeleton)
    }

    /// All bones, parents before children.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Parent of a root bone in [`Skeleton::parents`].
    pub const NO_PARENT: u16 = u16::MAX;

    /// Parent of every bone, packed for the loops over whole poses. Each is smaller than its bone's own index, or
    /// [`Skeleton::NO_PARENT`].
    pub fn parents(&self) -> &[u16] {
        &self.parents
    }

    /// Order in which matrices are multiplied, see [`walk`].
    pub(super) fn walk(&self) -> &[WalkStep] {
        &self.walk
    }

    /// Number of bones.
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Returns true for a file without nodes.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// Vertical distance between the lowest and the highest bone in the rest pose, metres; at least 0.01.
    pub fn height(&self) -> f32 {
        self.height.max(MIN_HEIGHT)
    }

    fn measured_height(&self) -> f32 {
        let (mut matrices, locals) = (Vec::new(), self.rest().collect::<Vec<_>>());
        super::local_to_model(self, &locals, &mut matrices);
        let heights = matrices.iter().map(|m| m.translation.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        high - low
    }

    /// Index of the bone with this exact name.
    pub fn find(&self, name: &str) -> Option<u16> {
        self.by_name.get(name).copied()
    }

    /// Rest pose as local transforms.
    pub fn rest(&self) -> impl Iterator<Item = Trs> + '_ {
        self.bones.iter().map(|bone| bone.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(name: &str, parent: Option<u16>) -> Bone {
        Bone {
            name: name.into(),
            parent,
            rest: Trs::IDENTITY,
            skinned: true,
        }
    }

    #[test]
    fn child_before_its_parent_is_an_error() {
        let error = Skeleton::new(vec![bone("a", Some(1)), bone("b", None)]).unwrap_err();
        assert!(matches!(error, SkeletonError::Order { .. }));
        assert!(Skeleton::new(vec![bone("a", Some(0))]).is_err());
    }

    #[test]
    fn bones_are_found_by_name() {
        let skeleton = Skeleton::new(vec![bone("hips", None), bone("spine", Some(0))]).unwrap();
        assert_eq!(skeleton.find("spine"), Some(1));
        assert_eq!(skeleton.find("Spine"), None);
    }
}
