//! Feet that hang on no leg: the tool they were animated in kept them and the shins together by inverse
//! kinematics, and the file has them as children of the root. While modifiers act they hang on their shins.
//!
//! Caller: `character`, around a pass of modifiers. Model space: metres, +Y up.

use glam::{Affine3A, Vec3};

use galatea_anim::Skeleton;
use galatea_math::Trs;

/// Share of the height of the skeleton below which such a foot is.
const LOW: f32 = 0.15;
/// Share of that height by which a shin's joint is above its foot, least and most.
const SHIN: [f32; 2] = [0.08, 0.45];
/// How far to the side of a shin's joint its foot is, as a share of how far below.
const ASIDE: f32 = 0.6;
/// Length of a thigh over that of its shin, least and most.
const THIGH: [f32; 2] = [0.3, 3.0];
/// Share of the height within which a bone is at the same place as another.
const SAME: f32 = 0.02;

/// The loose feet of a skeleton and what they follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loose {
    feet: Vec<LooseFoot>,
    /// The parents of all bones, those of loose feet their shins; empty without any.
    parents: Vec<u16>,
}

/// A foot and its shin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LooseFoot {
    bone: u16,
    shin: u16,
}

/// A foot that hangs on its shin for the time being.
#[derive(Clone, Copy, Debug)]
pub struct HangingFoot {
    /// Its own local transform.
    own: Trs,
    /// The one below its shin.
    below: Trs,
}

impl Loose {
    /// The loose feet of a skeleton: joints near the ground and under the free end of a chain, beside whose
    /// bones they hang. `lowest`: height of the lowest point of the body, model space, metres.
    pub fn find(skeleton: &Skeleton, model_from_bone: &[Affine3A], lowest: f32) -> Self {
        let n = skeleton.len().min(model_from_bone.len());
        let bones = &skeleton.bones()[..n];
        let place = |bone: u16| Vec3::from(model_from_bone[usize::from(bone)].translation);
        let joints = || (0..n as u16).filter(|bone| bones[usize::from(*bone)].skinned);
        let top = joints().map(|bone| place(bone).y).fold(lowest, f32::max);
        let height = top - lowest;
        if height.is_nan() || height <= 1e-4 {
            return Self::default();
        }
        let parent = |bone: u16| bones[usize::from(bone)].parent;
        let is_above = |above: u16, bone: u16| {
            std::iter::successors(parent(bone), |bone| parent(*bone)).any(|bone| bone == above)
        };
        let has_joints = |bone: u16| joints().any(|below| parent(below) == Some(bone));
        let feet: Vec<u16> = joints()
            .filter(|foot| place(*foot).y - lowest < LOW * height)
            .collect();
        // A control has the true foot at its place.
        let is_control = |foot: u16| {
            let near = |other: u16| place(other).distance(place(foot)) < SAME * height;
            joints().any(|other| {
                other != foot && near(other) && !is_above(foot, other) && !is_above(other, foot)
            })
        };
        let fits = |foot: u16, shin: u16| {
            let (Some(thigh), off) = (parent(shin), place(shin) - place(foot)) else {
                return false;
            };
            let [least, most] = SHIN.map(|share| share * height);
            let ratio = place(thigh).distance(place(shin)) / off.length().max(1e-6);
            (least..=most).contains(&off.y)
                && off.with_y(0.0).length() < ASIDE * off.y
                && bones[usize::from(thigh)].skinned
                && (THIGH[0]..=THIGH[1]).contains(&ratio)
                && parent(foot).is_none_or(|root| is_above(root, thigh))
        };
        let shins: Vec<u16> = joints().filter(|shin| !has_joints(*shin)).collect();
        let aside = |foot: u16, shin: u16| (place(shin) - place(foot)).with_y(0.0).length();
        let nearest = |of: &[u16], fits: &dyn Fn(u16) -> bool, far: &dyn Fn(u16) -> f32| {
            let fitting = of.iter().copied().filter(|other| fits(*other));
            fitting.min_by(|a, b| far(*a).total_cmp(&far(*b)))
        };
        let mut found: Vec<LooseFoot> = Vec::new();
        for &foot in feet.iter().filter(|foot| !is_control(**foot)) {
            let shin = nearest(&shins, &|shin| fits(foot, shin), &|shin| aside(foot, shin));
            let Some(shin) = shin else { continue };
            let back = nearest(&feet, &|foot| fits(foot, shin), &|foot| aside(foot, shin));
            if back == Some(foot) {
                found.push(LooseFoot { bone: foot, shin });
            }
        }
        // One foot is none: what stands has two.
        if found.len() < 2 {
            return Self::default();
        }
        let mut parents = skeleton.parents().to_vec();
        for foot in &found {
            parents[usize::from(foot.bone)] = foot.shin;
        }
        Self {
            feet: found,
            parents,
        }
    }

    /// True when all bones hang together as the file has them.
    pub fn is_empty(&self) -> bool {
        self.feet.is_empty()
    }

    /// The parent of each bone, [`Skeleton::NO_PARENT`] for roots, loose feet below their shins.
    pub fn parents<'a>(&'a self, skeleton: &'a Skeleton) -> &'a [u16] {
        if self.is_empty() {
            skeleton.parents()
        } else {
            &self.parents
        }
    }

    /// The first loose foot and the last shin by their indices: turning a bone up to that one may move bones from
    /// that foot on.
    pub(super) fn span(&self) -> Option<(usize, usize)> {
        let first = self.feet.iter().map(|foot| foot.bone).min()?;
        let last = self.feet.iter().map(|foot| foot.shin).max()?;
        Some((usize::from(first), usize::from(last)))
    }

    /// Attaches the feet to their shins: their local transforms count from the shins until
    /// [`Posed::release`](crate::Posed::release). Fills `held`, which that call needs.
    pub fn hold(
        &self,
        locals: &mut [Trs],
        model_from_bone: &[Affine3A],
        held: &mut Vec<HangingFoot>,
    ) {
        held.clear();
        for foot in &self.feet {
            let matrix = |bone: u16| model_from_bone.get(usize::from(bone)).copied();
            let (Some(local), Some(own), Some(shin)) = (
                locals.get_mut(usize::from(foot.bone)),
                matrix(foot.bone),
                matrix(foot.shin),
            ) else {
                continue;
            };
            let below = Trs::near(shin.inverse() * own);
            held.push(HangingFoot { own: *local, below });
            *local = below;
        }
    }

    /// Gives the feet back to their parents, where their shins have brought them: local transforms of the file's
    /// own skeleton again. Those whose legs nothing has turned are as they were, bit for bit.
    pub(super) fn release(
        &self,
        posed: &super::Posed<'_>,
        held: &[HangingFoot],
    ) -> Vec<(u16, Trs)> {
        let skeleton = posed.skeleton();
        let feet = self.feet.iter().zip(held);
        let back = feet.map(|(foot, held)| {
            let is_still = posed.local(foot.bone) == held.below
                && usize::from(foot.bone) < posed.old_from()
                && usize::from(foot.shin) < posed.old_from();
            let root = skeleton.parents().get(usize::from(foot.bone)).copied();
            let root = root.filter(|root| *root != Skeleton::NO_PARENT);
            let root = root.map_or(Affine3A::IDENTITY, |root| posed.model(root));
            let moved = Trs::near(root.inverse() * posed.model(foot.bone));
            let is_good = !is_still && moved.is_finite();
            (foot.bone, if is_good { moved } else { held.own })
        });
        back.collect()
    }
}

#[cfg(test)]
mod tests;
