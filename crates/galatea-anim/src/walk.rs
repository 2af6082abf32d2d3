//! The order in which a skeleton's matrices are multiplied: bones in pairs that do not wait for
//! one another.
//!
//! Callers: `skeleton` (once per skeleton), the kernels (every pose). A chain of bones is a chain of
//! products, each waiting for the one before; walking it from end to end leaves the CPU idle for
//! most of the time. In this order longest chains come first and the bones of different limbs
//! alternate.

use std::collections::{BinaryHeap, VecDeque};

use super::Skeleton;

/// A bone and its parent (or [`Skeleton::NO_PARENT`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WalkStep {
    pub(super) bone: u16,
    pub(super) parent: u16,
}

/// Bones are walked in whole groups of this many.
pub(super) const GROUP: usize = 8;

/// Pairs after which a product is surely finished.
const PATIENCE: usize = 3;

/// Every bone after its parent, in pairs of which neither is the other's ancestor; a bone without a
/// partner is paired with itself, and the last pair is repeated to fill the last group.
///
/// `parents` must be those of a skeleton: smaller than their bone's index, or `NO_PARENT`.
pub(super) fn walk(parents: &[u16]) -> Vec<WalkStep> {
    let n = parents.len();
    // Bones below each, along the longest chain.
    let mut height = vec![0_usize; n];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut ready = BinaryHeap::new();
    for (i, &parent) in parents.iter().enumerate().rev() {
        if parent != Skeleton::NO_PARENT {
            let parent = usize::from(parent);
            height[parent] = height[parent].max(height[i] + 1);
            children[parent].push(i);
        }
    }
    // Of equal height the first in the skeleton first.
    let urgency = |bone: usize| (height[bone], n - bone);
    for (i, &parent) in parents.iter().enumerate() {
        if parent == Skeleton::NO_PARENT {
            ready.push((urgency(i), i));
        }
    }
    // Bones whose parent was walked a short time ago, and when.
    let mut waiting: VecDeque<(usize, usize)> = VecDeque::new();
    let mut steps = Vec::with_capacity(n + GROUP);
    let mut now = 0;
    while !(ready.is_empty() && waiting.is_empty()) {
        now += 1;
        while let Some(&(since, bone)) = waiting.front()
            && since + PATIENCE <= now
        {
            waiting.pop_front();
            ready.push((urgency(bone), bone));
        }
        let mut next = || match ready.pop() {
            Some((_, bone)) => Some(bone),
            None => waiting.pop_front().map(|(_, bone)| bone),
        };
        // The first cannot fail: one of the two queues holds a bone.
        let Some(first) = next() else {
            break;
        };
        let second = next().unwrap_or(first);
        for (at, bone) in [first, second].into_iter().enumerate() {
            steps.push(WalkStep {
                bone: bone as u16,
                parent: parents[bone],
            });
            if at == 0 || bone != first {
                waiting.extend(children[bone].iter().map(|&child| (now, child)));
            }
        }
    }
    if let [.., a, b] = steps[..] {
        while !steps.len().is_multiple_of(GROUP) {
            steps.extend([a, b]);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_bone_is_walked_after_its_parent_and_no_pair_waits_for_itself(
            seeds in prop::collection::vec(any::<u16>(), 0..200),
        ) {
            let parents: Vec<u16> = seeds
                .iter()
                .enumerate()
                .map(|(i, seed)| match usize::from(*seed) % (i + 1) {
                    parent if parent < i => parent as u16,
                    _ => Skeleton::NO_PARENT,
                })
                .collect();
            let steps = walk(&parents);
            prop_assert!(steps.len().is_multiple_of(GROUP));
            let mut done = vec![false; parents.len()];
            for pair in steps.chunks_exact(2) {
                for step in pair {
                    prop_assert_eq!(step.parent, parents[usize::from(step.bone)]);
                    let root = step.parent == Skeleton::NO_PARENT;
                    prop_assert!(root || done[usize::from(step.parent)]);
                }
                for step in pair {
                    done[usize::from(step.bone)] = true;
                }
            }
            prop_assert!(done.into_iter().all(|done| done));
        }
    }
}
