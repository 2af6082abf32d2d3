//! Legs and spine that are siblings below a root on the floor. Their common parent should be the pelvis.

use super::super::humanoid::{Side, SkeletonIndex, limb_tops, named_hips};
use super::Reparent;

/// Minimum height of the pelvis above the floor, as a fraction of the height of the thighs' joints.
const MIN_PELVIS_HEIGHT: f32 = 0.5;

/// Finds the tops of the legs, or the spine, if their common parent is a root near the floor.
pub(super) fn find(body: &SkeletonIndex) -> Vec<Reparent> {
    let legs = [Side::Left, Side::Right].map(|side| limb_tops(body, side).leg);
    let arms = [Side::Left, Side::Right].map(|side| limb_tops(body, side).arm);
    let ([Some(left), Some(right)], [Some(left_arm), Some(right_arm)]) = (legs, arms) else {
        return Vec::new();
    };
    let floor = body
        .joints()
        .map(|b| body.position(b).y)
        .fold(f32::INFINITY, f32::min);
    let leg_height = 0.5 * (body.position(left).y + body.position(right).y) - floor;
    if leg_height.is_nan() || leg_height <= 1e-4 {
        return Vec::new();
    }
    let is_high = |bone: &u16| body.position(*bone).y - floor > MIN_PELVIS_HEIGHT * leg_height;
    let Some(chest) = body.common(left_arm, right_arm) else {
        return Vec::new();
    };
    let root = body
        .common(left, right)
        .and_then(|legs| body.common(legs, chest));
    if root.as_ref().is_some_and(is_high) {
        return Vec::new();
    }
    // First bone from the root to `bone` that is not on the floor.
    let first_high = |bone: u16| {
        let path: Vec<u16> = body.up(bone).take_while(|b| Some(*b) != root).collect();
        path.into_iter().rev().find(is_high)
    };
    let (Some(spine), Some(left), Some(right)) =
        (first_high(chest), first_high(left), first_high(right))
    else {
        return Vec::new();
    };
    let hips = named_hips(body, |bone| is_high(&bone)).unwrap_or(spine);
    let tops = [spine, left, right].into_iter();
    let apart =
        tops.filter(|top| *top != hips && !body.is_below(*top, hips) && !body.is_below(hips, *top));
    let mut moves: Vec<Reparent> = apart.map(|bone| Reparent { bone, parent: hips }).collect();
    moves.dedup();
    moves
}
