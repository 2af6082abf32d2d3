//! One level of Catmull and Clark's subdivision, told as what each new point is made of.

use std::collections::BTreeMap;

use super::{Cage, CageFace, edge};

/// A cage of the next level, and what its points are made of.
#[derive(Clone, Debug)]
pub struct Refined {
    /// Its points have no places yet.
    pub cage: Cage,
    /// For each point of it the points of the level before, with weights that sum to 1.
    pub stencils: Vec<Vec<(u32, f32)>>,
    /// For each face of it the face it is a quarter of, and which corner's.
    pub from: Vec<(u32, u8)>,
}

struct CageEdge {
    ends: (u32, u32),
    faces: Vec<u32>,
    /// Levels that it stays sharp for; a border is sharp for ever.
    sharp: f32,
    point: u32,
}

/// The next level of a cage.
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

/// Edges of a cage, each with the number of its point in the next one: points of the old points come first, then those of
/// edges, then those of faces.
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

/// Of which old points the point of an edge is made.
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
    gathered(sum)
}

/// Of which old points the new place of a point is made, between its crease or corner and what is smooth.
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
            let least = sharp[0].sharp.min(sharp[1].sharp).min(1.0);
            let crease = vec![(own, 0.75), (far(sharp[0]), 0.125), (far(sharp[1]), 0.125)];
            (crease, least)
        }
        _ => (vec![(own, 1.0)], 1.0),
    };
    let mut sum: Vec<(u32, f32)> = other.iter().map(|(k, w)| (*k, w * share)).collect();
    if share < 1.0 {
        sum.extend(smooth.iter().map(|(k, w)| (*k, w * (1.0 - share))));
    }
    gathered(sum)
}

/// The faces of the next level with their seams and sharp edges, and the face and corner that each comes from.
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

/// Each point once.
fn gathered(mut sum: Vec<(u32, f32)>) -> Vec<(u32, f32)> {
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

    fn places(cage: &Cage, refined: &Refined) -> Vec<Vec3> {
        let place = |stencil: &Vec<(u32, f32)>| -> Vec3 {
            stencil
                .iter()
                .map(|(i, w)| cage.points[*i as usize].at * *w)
                .sum()
        };
        refined.stencils.iter().map(place).collect()
    }

    #[test]
    fn a_cube_becomes_round_as_in_the_article() {
        let mut cage = cube();
        cage.orient(|p| p).unwrap();
        let refined = refine(&cage);
        let at = places(&cage, &refined);
        assert_eq!(refined.cage.faces.len(), 24);
        assert_eq!(at.len(), 8 + 12 + 6);
        // A corner goes to 5/9, an edge to 3/4, a face stays.
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
        let at = places(&cage, &refined);
        // The ring below is sharp for one level, the one above an open border: both shrink only along themselves.
        for (i, p) in at.iter().enumerate().take(8) {
            assert!((p.z.abs() - 1.0).abs() < 1e-6, "{i} {p}");
            assert!((p.x.abs() - 0.75).abs() < 1e-6, "{i} {p}");
        }
        assert!(refined.cage.sharp.is_empty(), "for one level only");
        cage.cut(&[0, 1]);
        assert_eq!(refine(&cage).cage.seams.len(), 2, "a seam becomes two");
    }
}
