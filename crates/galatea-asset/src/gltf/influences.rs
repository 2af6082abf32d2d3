//! Joint indices and weights of a primitive, repaired so that weights are not negative and sum to 1.

use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{GltfSource, Integers};
use super::error::LoadFault;
use crate::model::Influences;

/// Limit of sets of four influences; no exporter writes more than three.
pub const MAX_SETS: u32 = 16;
/// Deviation of the sum of weights from 1 that causes a warning; rounding errors are smaller.
pub const SUM_TOLERANCE: f32 = 1e-3;

/// Repairs, counted over all vertices.
#[derive(Debug, PartialEq)]
struct Mended {
    not_numbers: usize,
    negative: usize,
    unknown_joint: usize,
    unbound: usize,
    lowest: f32,
    highest: f32,
}

impl Default for Mended {
    fn default() -> Self {
        Self {
            not_numbers: 0,
            negative: 0,
            unknown_joint: 0,
            unbound: 0,
            lowest: 1.0,
            highest: 1.0,
        }
    }
}

/// Reads all JOINTS_n / WEIGHTS_n pairs for `n` vertices of a skin with `joint_count` (> 0) joints. Returns empty influences
/// for a primitive without them.
pub fn load(
    source: &GltfSource,
    primitive: &Primitive,
    n: usize,
    joint_count: usize,
    what: &str,
) -> Result<Influences, LoadFault> {
    let mut sets = Vec::new();
    for set in 0.. {
        let get = |semantic| primitive.attributes.get(&Checked::Valid(semantic));
        let joints = get(Semantic::Joints(set));
        let weights = get(Semantic::Weights(set));
        let (joints, weights) = match (joints, weights) {
            (Some(joints), Some(weights)) if set < MAX_SETS => (*joints, *weights),
            (None, None) => break,
            _ => {
                source.warnings.add(format!(
                    "{what}: joint and weight sets from {set} on are ignored, because they are incomplete or above \
                     the limit of {MAX_SETS} sets"
                ));
                break;
            }
        };
        let fault = |cause| LoadFault::data(format!("{what}, joints and weights {set}"), cause);
        let joints = source.integers::<4>(joints).map_err(fault)?;
        let weights = source
            .floats::<4>(weights, Integers::Normalised)
            .map_err(fault)?;
        if joints.len() != n || weights.len() != n {
            return Err(fault(format!(
                "{} joints and {} weights for {n} vertices",
                joints.len(),
                weights.len()
            )));
        }
        sets.push((joints, weights));
    }
    if sets.is_empty() {
        source.warnings.add(format!(
            "{what} has no joints and weights although its node has a skin; it is drawn rigid"
        ));
        return Ok(Influences::default());
    }

    let per_vertex = sets.len() * 4;
    let mut influences = Influences {
        per_vertex,
        joints: Vec::with_capacity(n * per_vertex),
        weights: Vec::with_capacity(n * per_vertex),
    };
    let mut mended = Mended::default();
    let mut vertex = Vec::with_capacity(per_vertex);
    for i in 0..n {
        vertex.clear();
        for (joints, weights) in &sets {
            if let (Some(joints), Some(weights)) = (joints.get(i), weights.get(i)) {
                vertex.extend(joints.iter().copied().zip(weights.iter().copied()));
            }
        }
        mend(&mut vertex, joint_count, &mut mended);
        influences
            .joints
            .extend(vertex.iter().map(|slot| slot.0 as u16));
        influences.weights.extend(vertex.iter().map(|slot| slot.1));
    }
    report(&mended, source, what, joint_count);
    Ok(influences)
}

/// Makes a vertex valid: every joint below `joint_count`, no joint weighted twice, weights that sum to 1.
fn mend(vertex: &mut [(u32, f32)], joint_count: usize, mended: &mut Mended) {
    for slot in vertex.iter_mut() {
        if !slot.1.is_finite() {
            mended.not_numbers += 1;
            slot.1 = 0.0;
        } else if slot.1 < 0.0 {
            mended.negative += 1;
            slot.1 = 0.0;
        }
        if slot.0 as usize >= joint_count {
            if slot.1 > 0.0 {
                mended.unknown_joint += 1;
            }
            *slot = (0, 0.0);
        }
    }
    for i in 1..vertex.len() {
        let (before, rest) = vertex.split_at_mut(i);
        if let Some(slot) = rest.first_mut()
            && slot.1 > 0.0
            && let Some(same) = before.iter_mut().find(|b| b.0 == slot.0 && b.1 > 0.0)
        {
            same.1 += slot.1;
            *slot = (0, 0.0);
        }
    }
    // Uses f64, so that huge weights do not overflow.
    let sum: f64 = vertex.iter().map(|slot| f64::from(slot.1)).sum();
    if !(sum > 1e-12 && sum.is_finite()) {
        mended.unbound += 1;
        vertex.fill((0, 0.0));
        if let Some(first) = vertex.first_mut() {
            first.1 = 1.0;
        }
        return;
    }
    mended.lowest = mended.lowest.min(sum as f32);
    mended.highest = mended.highest.max(sum as f32);
    for slot in vertex {
        slot.1 = (f64::from(slot.1) / sum) as f32;
    }
}

fn report(mended: &Mended, source: &GltfSource, what: &str, joint_count: usize) {
    let add = |count: usize, text: &str| {
        if count > 0 {
            source.warnings.add(format!("{what}: {count} {text}"));
        }
    };
    add(mended.not_numbers, "weights are not numbers; 0 is used");
    add(mended.negative, "weights are negative; 0 is used");
    add(
        mended.unknown_joint,
        &format!("weights refer to joints beyond the skin's {joint_count}; left out"),
    );
    add(
        mended.unbound,
        "vertices have no weight; bound to the skin's first joint",
    );
    if 1.0 - mended.lowest > SUM_TOLERANCE || mended.highest - 1.0 > SUM_TOLERANCE {
        source.warnings.add(format!(
            "{what}: weights sum to {:.3} … {:.3}; they were normalized to 1",
            mended.lowest, mended.highest
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(slots: &[(u32, f32)]) -> (Vec<(u32, f32)>, Mended) {
        let mut vertex = slots.to_vec();
        let mut counts = Mended::default();
        mend(&mut vertex, 3, &mut counts);
        (vertex, counts)
    }

    #[test]
    fn weights_are_made_to_sum_to_one_and_the_deviation_is_kept() {
        let (vertex, counts) = mended(&[(0, 0.5), (1, 0.3), (2, 0.0), (0, 0.0)]);
        assert_eq!(vertex[0], (0, 0.625));
        assert_eq!((counts.lowest, counts.highest), (0.8, 1.0));
    }

    #[test]
    fn the_same_joint_twice_becomes_one_influence() {
        let (vertex, _) = mended(&[(1, 0.25), (2, 0.5), (1, 0.25), (2, 0.0)]);
        assert_eq!(vertex, [(1, 0.5), (2, 0.5), (0, 0.0), (2, 0.0)]);
    }

    #[test]
    fn wrong_joints_and_weights_are_dropped_and_counted() {
        let (vertex, counts) = mended(&[(9, 0.5), (1, f32::NAN), (2, -1.0), (1, 0.5)]);
        assert_eq!(vertex, [(0, 0.0), (1, 0.0), (2, 0.0), (1, 1.0)]);
        assert_eq!(
            (counts.unknown_joint, counts.not_numbers, counts.negative),
            (1, 1, 1)
        );
    }

    #[test]
    fn a_vertex_without_weight_follows_the_first_joint() {
        let (vertex, counts) = mended(&[(2, 0.0), (1, 0.0), (1, 0.0), (1, 0.0)]);
        assert_eq!(vertex[0], (0, 1.0));
        assert_eq!(counts.unbound, 1);
        let (vertex, _) = mended(&[(2, f32::MAX), (1, f32::MAX), (0, 0.0), (0, 0.0)]);
        assert_eq!(vertex[0], (2, 0.5));
    }
}
