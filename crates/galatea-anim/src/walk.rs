//! Order in which a skeleton's matrices are multiplied: bones in pairs that are independent of each other.
//!
//! Used by `skeleton` (once per skeleton) and the kernels (every pose). A chain of bones is a chain of matrix
//! products, each of which waits for the previous one. A walk along one chain would leave the CPU idle most of the
//! time. In this order, the longest chains come first and the bones of different limbs alternate.

use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use super::Skeleton;

/// A bone and its parent (or [`Skeleton::NO_PARENT`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WalkStep {
    pub(super) bone: u16,
    pub(super) parent: u16,
}

/// Size of the groups in which bones are walked.
pub(super) const GROUP: usize = 8;

/// Number of pairs after which a product is certainly finished.
const LATENCY: usize = 3;

/// Orders every bone after its parent, in pairs of which neither is the other's ancestor. A bone without a partner is
/// paired with itself, and the last pair is repeated to fill the last group.
///
/// `parents` must be those of a skeleton: smaller than their bone's index, or `NO_PARENT`.
pub(super) fn walk(parents: &[u16]) -> Vec<WalkStep> {
    let n = parents.len();
    // Length of the longest chain below each bone.
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
    // On equal height, the first in the skeleton comes first.
    let priority = |bone: usize| (height[bone], n - bone);
    for (i, &parent) in parents.iter().enumerate() {
        if parent == Skeleton::NO_PARENT {
            ready.push((priority(i), i));
        }
    }
    // Bones with a recently walked parent, and the time of that.
    let mut recent: VecDeque<(usize, usize)> = VecDeque::new();
    let mut steps = Vec::with_capacity(n + GROUP);
    let mut now = 0;
    while !(ready.is_empty() && recent.is_empty()) {
        now += 1;
        while let Some(&(since, bone)) = recent.front()
            && since + LATENCY <= now
        {
            recent.pop_front();
            ready.push((priority(bone), bone));
        }
        let mut next = || match ready.pop() {
            Some((_, bone)) => Some(bone),
            None => recent.pop_front().map(|(_, bone)| bone),
        };
        // This cannot fail: one of the two queues holds a bone.
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
                recent.extend(children[bone].iter().map(|&child| (now, child)));
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
        fn bones_come_after_their_parents_and_pairs_are_independent(
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
