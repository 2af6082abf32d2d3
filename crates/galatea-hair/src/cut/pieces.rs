//! Detects parts of a head that are not the skull, without the help of names: hair, buns, hats and horns.

use std::collections::HashMap;

use glam::{IVec3, Vec3};

use super::rays::{COLUMNS, SkullRays, up_of};
use super::skin::{RestSkin, SkinRole};

/// Corners closer to each other than this belong to one piece, metres of a usual head.
const WELD: f32 = 0.0002;
/// A surface counts as below another if it is this much closer to the centre, metres of a usual head.
const GAP: f32 = 0.002;
/// A piece with another one below this fraction of it is not the skull.
const MAX_OVER: f32 = 0.5;
/// Minimum elevation at which pieces are judged, radians: ears and the neck are lower.
const MIN_ELEVATION: f32 = 0.1;
/// Pieces hit by fewer rays are too small to matter.
const MIN_RAYS: usize = 3;
/// Maximum number of pieces that are judged, largest first.
const MAX_PIECES: usize = 64;

/// Gives outer pieces of a head's skin the role [`SkinRole::Ignored`]: those with another piece below them.
pub(super) fn ignore_outer(skin: &mut RestSkin, middle: Vec3, size: f32) {
    let of_head: Vec<usize> = skin.of_head().collect();
    let mut pieces = components(skin, &of_head, WELD * size);
    let n = keep_largest(skin, &of_head, &mut pieces);
    if n < 2 {
        return;
    }
    let rays = SkullRays::new(middle, 4.0 * size);
    // The nearest front of each piece along each ray.
    let mut nearest: Vec<Vec<f32>> = vec![Vec::new(); n];
    for (piece, nearest) in nearest.iter_mut().enumerate() {
        let own = of_head.iter().zip(&pieces).filter(|(_, of)| **of == piece);
        let hits = rays.first_exits(own.map(|(i, _)| skin.corners(*i)));
        *nearest = hits
            .into_iter()
            .map(|hit| hit.unwrap_or(f32::INFINITY))
            .collect();
    }
    let judged: Vec<usize> = (0..rays.directions.len())
        .filter(|ray| up_of(ray / COLUMNS) > MIN_ELEVATION)
        .collect();
    // The rays that hit each piece, and its mean distance from the centre.
    let hit_rays: Vec<Vec<usize>> = nearest
        .iter()
        .map(|hits| {
            let rays = judged.iter().copied();
            rays.filter(|ray| hits[*ray].is_finite()).collect()
        })
        .collect();
    let reach: Vec<f32> = hit_rays
        .iter()
        .zip(&nearest)
        .map(|(rays, hits)| {
            rays.iter().map(|ray| hits[*ray]).sum::<f32>() / rays.len().max(1) as f32
        })
        .collect();
    let mut order: Vec<usize> = (0..n).collect();
    // From the outermost inwards, so that two shells do not hide each other.
    order.sort_by(|a, b| reach[*b].total_cmp(&reach[*a]));
    let mut is_outer = vec![false; n];
    for piece in order {
        let is_over = |ray: &&usize| {
            (0..n).any(|other| {
                let is_other = other != piece && !is_outer[other];
                is_other && nearest[other][**ray] + GAP * size < nearest[piece][**ray]
            })
        };
        let (over, all) = (
            hit_rays[piece].iter().filter(is_over).count(),
            hit_rays[piece].len(),
        );
        is_outer[piece] = all >= MIN_RAYS && over as f32 > MAX_OVER * all as f32;
    }
    for (i, piece) in of_head.iter().zip(&pieces) {
        if is_outer.get(*piece) == Some(&true) && skin.is_chosen.get(*i) != Some(&true) {
            skin.set_role(*i, SkinRole::Ignored);
        }
    }
}

/// Renumbers pieces from the largest one down, and returns how many are judged.
fn keep_largest(skin: &RestSkin, of_head: &[usize], pieces: &mut [usize]) -> usize {
    let n = pieces.iter().max().map_or(0, |last| last + 1);
    let mut areas = vec![0.0_f32; n];
    for (i, piece) in of_head.iter().zip(pieces.iter()) {
        let [a, b, c] = skin.corners(*i);
        areas[*piece] += (b - a).cross(c - a).length();
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| areas[*b].total_cmp(&areas[*a]));
    let mut ranks = vec![0; n];
    for (rank, piece) in order.iter().enumerate() {
        ranks[*piece] = rank;
    }
    for piece in pieces {
        *piece = ranks[*piece];
    }
    n.min(MAX_PIECES)
}

/// Number of the connected piece of each triangle; corners at one position are one corner.
fn components(skin: &RestSkin, triangles: &[usize], weld: f32) -> Vec<usize> {
    let mut positions: HashMap<IVec3, usize> = HashMap::new();
    let mut parents: Vec<usize> = Vec::new();
    let mut corners = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        corners.push(skin.corners(*triangle).map(|p| {
            *positions
                .entry((p / weld).round().as_ivec3())
                .or_insert_with(|| {
                    parents.push(parents.len());
                    parents.len() - 1
                })
        }));
    }
    fn root(parents: &mut [usize], mut i: usize) -> usize {
        while parents[i] != i {
            parents[i] = parents[parents[i]];
            i = parents[i];
        }
        i
    }
    for [a, b, c] in &corners {
        let first = root(&mut parents, *a);
        for other in [*b, *c] {
            let other = root(&mut parents, other);
            parents[other] = first;
        }
    }
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    corners
        .iter()
        .map(|[a, ..]| {
            let root = root(&mut parents, *a);
            let next = numbers.len();
            *numbers.entry(root).or_insert(next)
        })
        .collect()
}
