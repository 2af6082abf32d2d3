//! Evaluation order of helpers: a helper that reads a bone runs after those that set it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::act::{DrivenChannel, Helper, HelperAction};
use super::{HelperError, Posed};

/// Helpers of a character in evaluation order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Helpers {
    helpers: Vec<Helper>,
    morphs: Vec<String>,
}

impl Helpers {
    /// Sorts helpers so that each runs after all helpers that set bones it reads. Helpers that set the same bone, or are
    /// independent, keep their order.
    ///
    /// # Errors
    /// Fails if helpers depend on each other in a cycle; the error names them.
    pub fn new(helpers: Vec<Helper>) -> Result<Self, HelperError> {
        let before = before(&helpers);
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); helpers.len()];
        let mut waits: Vec<usize> = before.iter().map(Vec::len).collect();
        for (i, list) in before.iter().enumerate() {
            list.iter().for_each(|j| after[*j].push(i));
        }
        let ready = waits.iter().enumerate().filter(|(_, n)| **n == 0);
        let mut ready: BinaryHeap<Reverse<usize>> = ready.map(|(i, _)| Reverse(i)).collect();
        let mut order = Vec::with_capacity(helpers.len());
        while let Some(Reverse(i)) = ready.pop() {
            order.push(i);
            for &j in &after[i] {
                waits[j] -= 1;
                if waits[j] == 0 {
                    ready.push(Reverse(j));
                }
            }
        }
        if let Some(left) = waits.iter().position(|n| *n > 0) {
            let at = find_cycle(&before, &waits, left);
            return Err(HelperError::Circle {
                names: at.iter().map(|i| helpers[*i].called.clone()).collect(),
                at,
            });
        }
        let mut helpers: Vec<Option<Helper>> = helpers.into_iter().map(Some).collect();
        let mut helpers: Vec<Helper> = order
            .into_iter()
            .filter_map(|i| helpers[i].take())
            .collect();
        let mut morphs: Vec<String> = Vec::new();
        for helper in &mut helpers {
            if let HelperAction::Drive {
                channel: DrivenChannel::Morph { name, slot },
                ..
            } = &mut helper.action
            {
                let known = morphs.iter().position(|morph| morph == name);
                *slot = known.unwrap_or(morphs.len());
                if known.is_none() {
                    morphs.push(name.clone());
                }
            }
        }
        Ok(Self { helpers, morphs })
    }

    /// Helpers in evaluation order.
    pub fn list(&self) -> &[Helper] {
        &self.helpers
    }

    /// Names of the morph targets that drivers set, each once.
    pub fn morphs(&self) -> &[String] {
        &self.morphs
    }

    /// Rotates and moves the helper bones of a pose by a weight of 0..=1; 0.5 is halfway from the input pose. Weights of
    /// morph targets go to `morph`, with their index in [`morphs`](Self::morphs); weights of the same target add up.
    pub fn apply(&self, posed: &mut Posed, weight: f32, morph: &mut dyn FnMut(usize, f32)) {
        if weight > 0.0 {
            let weight = weight.min(1.0);
            for helper in &self.helpers {
                helper.apply(posed, weight, morph);
            }
        }
    }
}

/// For every helper, the indices of the helpers that must run before it.
fn before(helpers: &[Helper]) -> Vec<Vec<usize>> {
    let mut setters: HashMap<u16, Vec<usize>> = HashMap::new();
    for (i, helper) in helpers.iter().enumerate() {
        for bone in &helper.writes {
            setters.entry(*bone).or_default().push(i);
        }
    }
    let held: HashSet<u16> = helpers.iter().flat_map(|h| &h.holds).copied().collect();
    let mut readers: HashMap<u16, Vec<usize>> = HashMap::new();
    for (i, helper) in helpers.iter().enumerate() {
        for bone in helper.reads.iter().filter(|bone| held.contains(bone)) {
            readers.entry(*bone).or_default().push(i);
        }
    }
    let by = |bone: &u16| readers.get(bone).map_or(&[][..], Vec::as_slice);
    let of = |bone: &u16| setters.get(bone).map_or(&[][..], Vec::as_slice);
    let lists = helpers.iter().enumerate().map(|(i, helper)| {
        let read = helper.reads.iter().flat_map(of).copied();
        let earlier = helper.writes.iter().flat_map(of).copied();
        // A held bone changes relative to its parent when the helper runs, so helpers that measure it run first.
        let measuring = helper.holds.iter().flat_map(by).copied().filter(|j| {
            let reads = &helpers[*j].reads;
            !helper.writes.iter().any(|bone| reads.contains(bone))
        });
        let mut list: Vec<usize> = earlier
            .filter(|j| *j < i)
            .chain(read.chain(measuring).filter(|j| *j != i))
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    });
    lists.collect()
}

/// Finds a cycle among the waiting helpers, searching back from `start`.
fn find_cycle(before: &[Vec<usize>], waits: &[usize], start: usize) -> Vec<usize> {
    let mut path: Vec<usize> = Vec::new();
    let mut at = start;
    loop {
        if let Some(first) = path.iter().position(|i| *i == at) {
            path.drain(..first);
            path.reverse();
            return path;
        }
        path.push(at);
        let Some(next) = before[at].iter().find(|j| waits[**j] > 0) else {
            return path;
        };
        at = *next;
    }
}
