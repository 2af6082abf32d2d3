//! One level of Catmull-Clark subdivision, as stencils: the weights of old points for each new point.

use std::collections::BTreeMap;

use super::{Cage, CageFace, edge};

/// A cage of the next level, with its stencils.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The new cage; its points have no positions yet.
    pub cage: Cage,
    /// Points of the previous level with weights that sum to 1, for each new point.
    pub stencils: Vec<Vec<(u32, f32)>>,
    /// Parent face and corner of each new face, which is a quarter of it.
    pub from: Vec<(u32, u8)>,
}

struct CageEdge {
    ends: (u32, u32),
    faces: Vec<u32>,
    /// Levels that the edge stays sharp for; infinite for a border.
    sharp: f32,
    point: u32,
}

/// Computes the next level of a cage.
pub fn refine(cage: &Cage) -> Refined {
    let n = cage.points.len();
    let edges = edges_of(cage);
    let first_face = n + edges.len();
    let mut stencils: Vec<Vec<(u32, f32)>> = vec![Vec::new(); n];
    let of_face = |f: u32| -> Vec<(u32, f32)> {
        let corners = cage.faces[f as usize].corners();
        let weight = 1.0 / corners.len() as f32;
        corners.iter().map(|i| (*i, weight)).collect()
    };
    let mut around: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
    for own in edges.values() {
        for end in [own.ends.0, own.ends.1] {
            around[end as usize].push(own.ends);
        }
        stencils.push(edge_stencil(own, &of_face));
    }
    let mut faces_around: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (f, face) in cage.faces.iter().enumerate() {
        for i in face.corners() {
            faces_around[*i as usize].push(f as u32);
        }
        stencils.push(of_face(f as u32));
    }
    for i in 0..n {
        let own = i as u32;
        let sharp: Vec<&CageEdge> = around[i]
            .iter()
            .map(|key| &edges[key])
            .filter(|edge| edge.sharp > 0.0)
            .collect();
        let smooth = smooth_point(own, &around[i], &faces_around[i], &of_face);
        stencils[i] = point_stencil(own, &sharp, &smooth);
    }
    let (next, from) = divided(cage, &edges, first_face);
    Refined {
        cage: next,
        stencils,
        from,
    }
}

/// Edges of a cage, each with the index of the point in the next one. New points are ordered: those of old points, of edges,
/// of faces.
fn edges_of(cage: &Cage) -> BTreeMap<(u32, u32), CageEdge> {
    let n = cage.points.len();
    let mut edges: BTreeMap<(u32, u32), CageEdge> = BTreeMap::new();
    for (f, face) in cage.faces.iter().enumerate() {
        for (a, b) in face.edges() {
            let key = edge(a, b);
            let fresh = || CageEdge {
                ends: key,
                faces: Vec::new(),
                sharp: cage.sharp.get(&key).copied().unwrap_or(0.0),
                point: 0,
            };
            edges.entry(key).or_insert_with(fresh).faces.push(f as u32);
        }
    }
    for own in edges.values_mut() {
        if own.faces.len() != 2 {
            own.sharp = f32::INFINITY;
        }
    }
    for (i, own) in edges.values_mut().enumerate() {
        own.point = (n + i) as u32;
    }
    edges
}

/// Stencil of the point of an edge.
fn edge_stencil(own: &CageEdge, of_face: &impl Fn(u32) -> Vec<(u32, f32)>) -> Vec<(u32, f32)> {
    let (a, b) = own.ends;
    let straight = [(a, 0.5), (b, 0.5)];
    let smooth = || {
        let mut sum = vec![(a, 0.25), (b, 0.25)];
        for f in &own.faces {
            sum.extend(of_face(*f).iter().map(|(i, w)| (*i, w * 0.25)));
        }
        sum
    };
    let share = own.sharp.clamp(0.0, 1.0);
    let mut sum: Vec<(u32, f32)> = straight.iter().map(|(i, w)| (*i, w * share)).collect();
    if share < 1.0 {
        sum.extend(smooth().iter().map(|(i, w)| (*i, w * (1.0 - share))));
    }
    merged(sum)
}

/// Stencil of a moved point, interpolated between its crease or corner rule and the smooth rule.
fn point_stencil(own: u32, sharp: &[&CageEdge], smooth: &[(u32, f32)]) -> Vec<(u32, f32)> {
    let (other, share) = match sharp.len() {
        0 | 1 => (Vec::new(), 0.0),
        2 => {
            let far = |edge: &CageEdge| {
                if edge.ends.0 == own {
                    edge.ends.1
                } else {
                    edge.ends.0
                }
            };
            let sharpness = sharp[0].sharp.min(sharp[1].sharp).min(1.0);
            let crease = vec![(own, 0.75), (far(sharp[0]), 0.125), (far(sharp[1]), 0.125)];
            (crease, sharpness)
        }
        _ => (vec![(own, 1.0)], 1.0),
    };
    let mut sum: Vec<(u32, f32)> = other.iter().map(|(k, w)| (*k, w * share)).collect();
    if share < 1.0 {
        sum.extend(smooth.iter().map(|(k, w)| (*k, w * (1.0 - share))));
    }
    merged(sum)
}

/// Faces of the next level with their seams and sharp edges, and the parent face and corner of each.
fn divided(
    cage: &Cage,
    edges: &BTreeMap<(u32, u32), CageEdge>,
    first_face: usize,
) -> (Cage, Vec<(u32, u8)>) {
    let mut next = Cage::default();
    let mut from = Vec::new();
    for (f, face) in cage.faces.iter().enumerate() {
        let corners = face.corners();
        let m = corners.len();
        for k in 0..m {
            let (before, own, after) = (corners[(k + m - 1) % m], corners[k], corners[(k + 1) % m]);
            next.faces.push(CageFace {
                corners: [
                    own,
                    edges[&edge(own, after)].point,
                    (first_face + f) as u32,
                    edges[&edge(before, own)].point,
                ],
                ..*face
            });
            from.push((f as u32, k as u8));
        }
    }
    for own in edges.values() {
        if cage.seams.contains(&own.ends) {
            next.seams.insert(edge(own.ends.0, own.point));
            next.seams.insert(edge(own.ends.1, own.point));
        }
        let levels = own.sharp - 1.0;
        if levels > 0.0 && levels.is_finite() {
            next.sharp.insert(edge(own.ends.0, own.point), levels);
            next.sharp.insert(edge(own.ends.1, own.point), levels);
        }
    }
    (next, from)
}

fn smooth_point(
    own: u32,
    edges: &[(u32, u32)],
    faces: &[u32],
    of_face: &impl Fn(u32) -> Vec<(u32, f32)>,
) -> Vec<(u32, f32)> {
    let n = faces.len().max(1) as f32;
    if edges.len() < 3 {
        return vec![(own, 1.0)];
    }
    let mut sum = vec![(own, (n - 3.0) / n)];
    for f in faces {
        let share = 1.0 / (n * n);
        sum.extend(of_face(*f).iter().map(|(i, w)| (*i, w * share)));
    }
    for (a, b) in edges {
        let share = 2.0 / (n * edges.len() as f32) * 0.5;
        sum.push((*a, share));
        sum.push((*b, share));
    }
    sum
}

/// Merges duplicate points of a stencil.
fn merged(mut sum: Vec<(u32, f32)>) -> Vec<(u32, f32)> {
    sum.sort_by_key(|(i, _)| *i);
    let mut out: Vec<(u32, f32)> = Vec::with_capacity(sum.len());
    for (i, w) in sum {
        match out.last_mut() {
            Some((last, all)) if *last == i => *all += w,
            _ => out.push((i, w)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::tests::cube;
    use super::*;

    fn positions(cage: &Cage, refined: &Refined) -> Vec<Vec3> {
        let place = |stencil: &Vec<(u32, f32)>| -> Vec3 {
            stencil
                .iter()
                .map(|(i, w)| cage.points[*i as usize].at * *w)
                .sum()
        };
        refined.stencils.iter().map(place).collect()
    }

    #[test]
    fn a_cube_becomes_round_as_in_catmull_and_clark() {
        let mut cage = cube();
        cage.orient(|p| p).unwrap();
        let refined = refine(&cage);
        let at = positions(&cage, &refined);
        assert_eq!(refined.cage.faces.len(), 24);
        assert_eq!(at.len(), 8 + 12 + 6);
        // A corner moves to 5/9, an edge to 3/4, a face point stays.
        assert!(
            (at[7] - Vec3::splat(5.0 / 9.0)).length() < 1e-6,
            "{}",
            at[7]
        );
        let edges = &at[8..20];
        assert!(
            edges
                .iter()
                .all(|p| (p.abs().max_element() - 0.75).abs() < 1e-6)
        );
        for stencil in &refined.stencils {
            let sum: f32 = stencil.iter().map(|(_, w)| w).sum();
            assert!((sum - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn sharp_edges_and_borders_stay_where_they_are() {
        let mut cage = cube();
        cage.orient(|p| p).unwrap();
        cage.faces.remove(1);
        cage.sharpen(&[0, 1, 3, 2, 0], 1.0);
        let refined = refine(&cage);
        let at = positions(&cage, &refined);
        // The lower ring is sharp for one level, the upper one is an open border: both change only along themselves.
        for (i, p) in at.iter().enumerate().take(8) {
            assert!((p.z.abs() - 1.0).abs() < 1e-6, "{i} {p}");
            assert!((p.x.abs() - 0.75).abs() < 1e-6, "{i} {p}");
        }
        assert!(refined.cage.sharp.is_empty(), "for one level only");
        cage.cut(&[0, 1]);
        assert_eq!(refine(&cage).cage.seams.len(), 2, "a seam becomes two");
    }
}
