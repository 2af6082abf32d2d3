//! The order of helpers: who reads a bone comes after those that set it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::act::{DrivenChannel, Helper, HelperAction};
use super::{HelperError, Posed};

/// The helpers of a character in the order in which they are applied.
#[derive(Clone, Debug, Default)]
pub struct Helpers {
    helpers: Vec<Helper>,
    morphs: Vec<String>,
}

impl Helpers {
    /// Puts each after all that set what it reads; of those that set one bone the later ones stay later, and
    /// so do all that have nothing to do with each other.
    ///
    /// # Errors
    /// When some wait for each other in a circle; the error names them.
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
            let at = circle(&before, &waits, left);
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

    /// All of them, in their order.
    pub fn list(&self) -> &[Helper] {
        &self.helpers
    }

    /// The names of the morph targets that drivers set, each once.
    pub fn morphs(&self) -> &[String] {
        &self.morphs
    }

    /// Turns and moves helper bones as the pose asks, by a weight of 0..=1: at 0.5 half the way from the pose.
    /// Weights of morph targets go to `morph`, by their number in [`morphs`](Self::morphs); those of one target are meant
    /// to be added.
    pub fn apply(&self, posed: &mut Posed, weight: f32, morph: &mut dyn FnMut(usize, f32)) {
        if weight > 0.0 {
            let weight = weight.min(1.0);
            for helper in &self.helpers {
                helper.apply(posed, weight, morph);
            }
        }
    }
}

/// For every helper those that must come before it.
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
        // Against its parent a held bone is turned back afterwards; whoever measures that comes before.
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

/// One circle among those that still wait, found going back from `start`.
fn circle(before: &[Vec<usize>], waits: &[usize], start: usize) -> Vec<usize> {
    let mut way: Vec<usize> = Vec::new();
    let mut at = start;
    loop {
        if let Some(first) = way.iter().position(|i| *i == at) {
            way.drain(..first);
            way.reverse();
            return way;
        }
        way.push(at);
        let Some(next) = before[at].iter().find(|j| waits[**j] > 0) else {
            return way;
        };
        at = *next;
    }
}
