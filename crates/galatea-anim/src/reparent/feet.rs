//! Feet that are children of the root, because inverse kinematics animated them in the authoring tool.

use glam::Vec3;

use super::super::humanoid::SkeletonIndex;
use super::Reparent;

/// Maximum height of such a foot above the lowest joint, as a fraction of the skeleton's height.
const MAX_FOOT_HEIGHT: f32 = 0.15;
/// Height range of a shin's joint above its foot, as a fraction of the skeleton's height.
const SHIN_HEIGHTS: [f32; 2] = [0.08, 0.45];
/// Maximum horizontal distance from a shin's joint to its foot divided by the vertical one.
const MAX_SIDEWAYS: f32 = 0.6;
/// Range of a thigh's length divided by that of its shin.
const THIGH_RATIOS: [f32; 2] = [0.3, 3.0];
/// Maximum distance between two bones at the same position, as a fraction of the height.
const SAME_POSITION: f32 = 0.02;

/// Finds low bones below the ends of leg chains that are their siblings. Returns nothing for fewer than two.
pub(super) fn find(body: &SkeletonIndex) -> Vec<Reparent> {
    let Some(search) = FootSearch::new(body) else {
        return Vec::new();
    };
    let feet: Vec<u16> = search
        .joints
        .iter()
        .copied()
        .filter(|b| search.is_low(*b))
        .collect();
    let shins: Vec<u16> = search
        .joints
        .iter()
        .copied()
        .filter(|b| search.is_end(*b))
        .collect();
    let mut found = Vec::new();
    for &foot in feet.iter().filter(|foot| !search.is_control(**foot)) {
        let Some(shin) = search.nearest(&shins, foot, |shin| search.fits(foot, shin)) else {
            continue;
        };
        let back = search.nearest(&feet, shin, |foot| search.fits(foot, shin));
        if back == Some(foot) {
            found.push(Reparent {
                bone: foot,
                parent: shin,
            });
        }
    }
    if found.len() < 2 {
        found.clear();
    }
    found
}

struct FootSearch<'a> {
    body: &'a SkeletonIndex<'a>,
    joints: Vec<u16>,
    is_joint: Vec<bool>,
    floor: f32,
    height: f32,
}

impl<'a> FootSearch<'a> {
    fn new(body: &'a SkeletonIndex<'a>) -> Option<Self> {
        let joints: Vec<u16> = body.joints().collect();
        let mut is_joint = vec![false; usize::from(body.n())];
        joints.iter().for_each(|b| is_joint[usize::from(*b)] = true);
        let heights = || joints.iter().map(|b| body.position(*b).y);
        let floor = heights().fold(f32::INFINITY, f32::min);
        let height = heights().fold(f32::NEG_INFINITY, f32::max) - floor;
        (height > 1e-4).then_some(Self {
            body,
            joints,
            is_joint,
            floor,
            height,
        })
    }

    fn is_low(&self, foot: u16) -> bool {
        self.body.position(foot).y - self.floor < MAX_FOOT_HEIGHT * self.height
    }

    /// Returns true for a bone without joints below it.
    fn is_end(&self, shin: u16) -> bool {
        let mut children = self.body.children(shin).iter();
        !children.any(|child| self.is_joint[usize::from(*child)])
    }

    /// Returns true for a control bone, which has the real foot at its position.
    fn is_control(&self, foot: u16) -> bool {
        let body = self.body;
        let near =
            |b: u16| body.position(b).distance(body.position(foot)) < SAME_POSITION * self.height;
        self.joints.iter().any(|other| {
            let other = *other;
            other != foot
                && near(other)
                && !body.is_below(other, foot)
                && !body.is_below(foot, other)
        })
    }

    fn fits(&self, foot: u16, shin: u16) -> bool {
        let body = self.body;
        let Some(thigh) = body.parent(shin) else {
            return false;
        };
        let offset = body.position(shin) - body.position(foot);
        let [least, most] = SHIN_HEIGHTS.map(|fraction| fraction * self.height);
        let ratio = body.position(thigh).distance(body.position(shin)) / offset.length().max(1e-6);
        foot != shin
            && (least..=most).contains(&offset.y)
            && sideways(offset) < MAX_SIDEWAYS * offset.y
            && self.is_joint[usize::from(thigh)]
            && (THIGH_RATIOS[0]..=THIGH_RATIOS[1]).contains(&ratio)
            && !body.is_below(shin, foot)
            && body
                .parent(foot)
                .is_none_or(|root| body.is_below(thigh, root))
    }

    /// Returns the bone that fits and is nearest to the vertical through `to`.
    fn nearest(&self, bones: &[u16], to: u16, fits: impl Fn(u16) -> bool) -> Option<u16> {
        let away = |bone: &u16| sideways(self.body.position(*bone) - self.body.position(to));
        let fitting = bones.iter().copied().filter(|bone| fits(*bone));
        fitting.min_by(|a, b| away(a).total_cmp(&away(b)))
    }
}

fn sideways(offset: Vec3) -> f32 {
    offset.with_y(0.0).length()
}
