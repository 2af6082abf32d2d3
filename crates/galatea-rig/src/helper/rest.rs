//! Where bones are at rest, for binding.

use glam::{Affine3A, Quat, Vec3};
use smallvec::SmallVec;

use galatea_anim::Skeleton;
use galatea_math::Trs;

/// Bones from one below another down to one of its descendants.
pub type BonePath = SmallVec<[u16; 4]>;

/// A skeleton at rest.
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

    /// The bone and all above it.
    pub fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    /// Whether a bone is another or hangs below it; everything hangs below the model itself.
    pub fn is_within(&self, bone: u16, above: Option<u16>) -> bool {
        above.is_none_or(|above| self.up(bone).any(|bone| bone == above))
    }

    /// The bones below `frame` down to `bone`, nothing when they are the same. `frame` is above it.
    pub fn path(&self, frame: Option<u16>, bone: Option<u16>) -> BonePath {
        let mut path: BonePath = bone
            .into_iter()
            .flat_map(|bone| self.up(bone))
            .take_while(|bone| Some(*bone) != frame)
            .collect();
        path.reverse();
        path
    }

    /// The lowest bone above both or one of them; `None` for the model.
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

    /// The direction of a bone's length in its own space: to its child with most bones below it, of these the
    /// farthest. `None` when no child is away from it.
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
