//! Control cages: coarse quad meshes that define edge flow. Subdivision makes the final mesh, with edge loops around eyes
//! and mouth and across every joint.
//!
//! Catmull and Clark 1978, with semi-sharp creases (DeRose, Kass and Truong 1998). Each level can be projected onto a
//! [`DistanceField`](super::field::DistanceField): the cage defines the edges, the field the shape.

mod subdivide;
mod wrap;

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

pub use subdivide::{Refined, refine};
pub use wrap::{Wrapped, normals, wrap};

/// A point of a cage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CagePoint {
    /// Position, metres.
    pub at: Vec3,
    /// Resistance to projection: 0 moves fully onto the field, 1 stays in place.
    pub hold: f32,
}

/// A quad of a cage, or a triangle, whose last two corners are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CageFace {
    /// Point indices, counter-clockwise from outside.
    pub corners: [u32; 4],
    /// Index of the material.
    pub paint: u16,
    /// Index of the UV chart.
    pub chart: u16,
}

impl CageFace {
    /// Corners, three or four.
    pub fn corners(&self) -> &[u32] {
        if self.corners[2] == self.corners[3] {
            &self.corners[..3]
        } else {
            &self.corners
        }
    }

    /// Edges as pairs of points, in order.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let corners = self.corners();
        let n = corners.len();
        (0..n).map(move |i| (corners[i], corners[(i + 1) % n]))
    }
}

/// A control cage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cage {
    /// Control points.
    pub points: Vec<CagePoint>,
    /// Faces.
    pub faces: Vec<CageFace>,
    /// Sharpness of edges in subdivision levels; the lower point index first.
    pub sharp: BTreeMap<(u32, u32), f32>,
    /// UV seams; the lower point index first.
    pub seams: BTreeSet<(u32, u32)>,
}

/// Key of an edge, independent of the direction.
pub fn edge(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

impl Cage {
    /// Adds a point and returns its index.
    pub fn point(&mut self, at: Vec3, hold: f32) -> u32 {
        self.points.push(CagePoint { at, hold });
        self.points.len() as u32 - 1
    }

    /// Marks the edges along a row of points as sharp.
    pub fn sharpen(&mut self, row: &[u32], levels: f32) {
        for pair in row.windows(2) {
            self.sharp.insert(edge(pair[0], pair[1]), levels);
        }
    }

    /// Marks the edges along a row of points as UV seams.
    pub fn cut(&mut self, row: &[u32]) {
        let edges = row.windows(2).map(|pair| edge(pair[0], pair[1]));
        self.seams.extend(edges);
    }

    /// Mirrors the half at x ≥ 0: points in the middle are shared, all others duplicated. Returns for each new point the one
    /// it mirrors, or itself in the middle.
    pub fn mirror(&mut self) -> Vec<u32> {
        const MIDDLE: f32 = 1e-5;
        let n = self.points.len() as u32;
        let mut twin: Vec<u32> = Vec::with_capacity(self.points.len());
        for i in 0..n {
            let point = &mut self.points[i as usize];
            if point.at.x.abs() < MIDDLE {
                point.at.x = 0.0;
                twin.push(i);
            } else {
                let mut other = *point;
                other.at.x = -other.at.x;
                twin.push(self.points.len() as u32);
                self.points.push(other);
            }
        }
        let other = |face: &CageFace| {
            let c = face.corners.map(|i| twin[i as usize]);
            let corners = if face.corners().len() == 3 {
                [c[2], c[1], c[0], c[0]]
            } else {
                [c[3], c[2], c[1], c[0]]
            };
            CageFace { corners, ..*face }
        };
        let mirrored: Vec<CageFace> = self.faces.iter().map(other).collect();
        self.faces.extend(mirrored);
        let sharp: Vec<_> = self
            .sharp
            .iter()
            .map(|(key, levels)| (*key, *levels))
            .collect();
        for ((a, b), levels) in sharp {
            self.sharp
                .insert(edge(twin[a as usize], twin[b as usize]), levels);
        }
        let other = |(a, b): &(u32, u32)| edge(twin[*a as usize], twin[*b as usize]);
        let seams: Vec<_> = self.seams.iter().map(other).collect();
        self.seams.extend(seams);
        let mut back = vec![0; self.points.len()];
        for (i, twin) in twin.iter().enumerate() {
            back[i] = *twin;
            back[*twin as usize] = i as u32;
        }
        back
    }

    /// Gives all faces of each connected piece the same winding, facing outwards according to `normal`. An edge of more than
    /// two faces ends a piece.
    ///
    /// # Errors
    /// If an edge has three faces; the error holds the positions of the ends.
    pub fn orient(&mut self, normal: impl Fn(Vec3) -> Vec3) -> Result<(), [Vec3; 2]> {
        let mut of_edge: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (f, face) in self.faces.iter().enumerate() {
            for (a, b) in face.edges() {
                of_edge.entry(edge(a, b)).or_default().push(f);
            }
        }
        if let Some(((a, b), _)) = of_edge.iter().find(|(_, faces)| faces.len() > 2) {
            return Err([*a, *b].map(|i| self.points[i as usize].at));
        }
        let mut seen = vec![false; self.faces.len()];
        for start in 0..self.faces.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let (mut piece, mut at) = (vec![start], 0);
            while at < piece.len() {
                let own = self.faces[piece[at]];
                for (a, b) in own.edges() {
                    for f in &of_edge[&edge(a, b)] {
                        if seen[*f] {
                            continue;
                        }
                        seen[*f] = true;
                        if self.faces[*f].edges().any(|other| other == (a, b)) {
                            self.flip(*f);
                        }
                        piece.push(*f);
                    }
                }
                at += 1;
            }
            let outwards: f32 = piece.iter().map(|f| self.outwards(*f, &normal)).sum();
            if outwards < 0.0 {
                piece.iter().for_each(|f| self.flip(*f));
            }
        }
        Ok(())
    }

    fn flip(&mut self, f: usize) {
        let c = self.faces[f].corners;
        self.faces[f].corners = if c[2] == c[3] {
            [c[2], c[1], c[0], c[0]]
        } else {
            [c[3], c[2], c[1], c[0]]
        };
    }

    /// Signed area by which a face agrees with the outward direction.
    fn outwards(&self, f: usize, normal: &impl Fn(Vec3) -> Vec3) -> f32 {
        let face = &self.faces[f];
        let at = |k: usize| self.points[face.corners[k] as usize].at;
        let across = (at(2) - at(0)).cross(at(3) - at(1));
        let across = if face.corners().len() == 3 {
            (at(1) - at(0)).cross(at(2) - at(0))
        } else {
            across
        };
        let middle = (at(0) + at(1) + at(2) + at(3)) * 0.25;
        across.dot(normal(middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube with edges of length 2.
    pub fn cube() -> Cage {
        let mut cage = Cage::default();
        for z in [-1.0, 1.0] {
            for y in [-1.0, 1.0] {
                for x in [-1.0, 1.0] {
                    cage.point(Vec3::new(x, y, z), 1.0);
                }
            }
        }
        // With inconsistent winding.
        for corners in [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 4, 5, 1],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ] {
            cage.faces.push(CageFace {
                corners,
                paint: 0,
                chart: 0,
            });
        }
        cage
    }

    #[test]
    fn faces_are_oriented_outwards_and_an_edge_of_three_gives_an_error() {
        let mut cage = cube();
        cage.orient(|p| p).unwrap();
        for f in 0..6 {
            assert!(cage.outwards(f, &|p| p) > 0.0, "{f}");
        }
        let top = cage.faces[1];
        cage.faces.push(CageFace {
            corners: [top.corners[0], top.corners[1], 0, 1],
            ..top
        });
        assert!(cage.orient(|p| p).is_err());
    }

    #[test]
    fn a_mirrored_half_is_closed_and_knows_its_twins() {
        let mut half = Cage::default();
        let at = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        for [x, y] in at {
            half.point(Vec3::new(x, y, 0.0), 1.0);
        }
        half.faces.push(CageFace {
            corners: [0, 1, 2, 3],
            paint: 0,
            chart: 0,
        });
        half.sharpen(&[1, 2], 2.0);
        half.cut(&[0, 1]);
        let twins = half.mirror();
        assert!(half.seams.contains(&(0, 1)) && half.seams.contains(&(0, 4)));
        assert_eq!(twins, [0, 4, 5, 3, 1, 2]);
        assert_eq!(half.faces[1].corners, [3, 5, 4, 0]);
        assert_eq!(half.sharp[&(4, 5)], 2.0);
    }
}
