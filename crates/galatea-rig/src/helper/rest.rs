//! Rest pose queries for binding helpers.

use glam::{Affine3A, Quat, Vec3};
use smallvec::SmallVec;

use galatea_anim::Skeleton;
use galatea_math::Trs;

/// Bones from below one bone down to one of its descendants.
pub type BonePath = SmallVec<[u16; 4]>;

/// Rest pose of a skeleton.
#[derive(Clone, Copy, Debug)]
pub struct Rest<'a> {
    pub skeleton: &'a Skeleton,
    pub locals: &'a [Trs],
}

impl Rest<'_> {
    pub fn local(&self, bone: u16) -> Trs {
        let local = self.locals.get(usize::from(bone));
        local.copied().unwrap_or_default()
    }

    pub fn parent(&self, bone: u16) -> Option<u16> {
        self.skeleton.bones().get(usize::from(bone))?.parent
    }

    /// Iterates over the bone and its ancestors.
    pub fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    /// Returns true if `bone` is `above` or a descendant of it; every bone is a descendant of the model (`None`).
    pub fn is_within(&self, bone: u16, above: Option<u16>) -> bool {
        above.is_none_or(|above| self.up(bone).any(|bone| bone == above))
    }

    /// Bones below `frame` down to `bone`; empty if they are the same. `frame` must be an ancestor.
    pub fn path(&self, frame: Option<u16>, bone: Option<u16>) -> BonePath {
        let mut path: BonePath = bone
            .into_iter()
            .flat_map(|bone| self.up(bone))
            .take_while(|bone| Some(*bone) != frame)
            .collect();
        path.reverse();
        path
    }

    /// Lowest common ancestor of both bones, which may be one of them; `None` for the model.
    pub fn common(&self, a: Option<u16>, b: Option<u16>) -> Option<u16> {
        let b = b?;
        self.up(a?).find(|above| self.is_within(b, Some(*above)))
    }

    /// Frame-from-bone rotation at rest.
    pub fn rotation(&self, path: &[u16]) -> Quat {
        let turns = path.iter().map(|bone| self.local(*bone).rotation);
        turns.fold(Quat::IDENTITY, |all, turn| all * turn)
    }

    /// Frame-from-bone matrix at rest.
    pub fn matrix(&self, path: &[u16]) -> Affine3A {
        let turns = path.iter().map(|bone| self.local(*bone).to_affine());
        turns.fold(Affine3A::IDENTITY, |all, turn| all * turn)
    }

    /// Direction of a bone's length in its own space: towards the child with most descendants, and of those the farthest
    /// one. `None` if no child is away from it.
    pub fn length(&self, bone: u16) -> Option<Vec3> {
        let bones = self.skeleton.bones();
        let from = usize::from(bone);
        let mut below = vec![1_u32; bones.len()];
        for (i, child) in bones.iter().enumerate().skip(from).rev() {
            if let Some(parent) = child.parent {
                below[usize::from(parent)] += below[i];
            }
        }
        let children = bones.iter().enumerate().skip(from);
        let children = children.filter(|(_, child)| child.parent == Some(bone));
        let lengths = children.filter_map(|(i, _)| {
            let to = self.local(i as u16).translation;
            (to.length() > 1e-6).then_some((below[i], to))
        });
        let best = lengths.max_by(|(n, a), (m, b)| {
            n.cmp(m)
                .then(a.length_squared().total_cmp(&b.length_squared()))
        });
        best.and_then(|(_, to)| to.try_normalize())
    }
}
