//! Subdivides a cage and projects it onto a field.

use glam::{Vec2, Vec3};

use super::{Cage, CageFace, refine};
use crate::field::DistanceField;

/// A quad mesh made from a cage.
#[derive(Clone, Debug)]
pub struct Wrapped {
    /// Positions and faces.
    pub cage: Cage,
    /// Stencils: points of the original cage with weights that sum to 1, for each point.
    pub stencils: Vec<Vec<(u32, f32)>>,
}

/// Limit of the projection distance, metres; points farther from the field stay.
const MAX_PROJECTION: f32 = 0.03;

/// Subdivides a cage `levels` times. Before the first level and after each, points are projected onto the field according to
/// their `hold`.
pub fn wrap(cage: &Cage, levels: u32, field: Option<&DistanceField>) -> Wrapped {
    let mut now = cage.clone();
    let own = |i: usize| vec![(i as u32, 1.0)];
    let mut stencils: Vec<Vec<(u32, f32)>> = (0..now.points.len()).map(own).collect();
    draw(&mut now, field);
    for _ in 0..levels {
        let refined = refine(&now);
        let mut next = refined.cage;
        for stencil in &refined.stencils {
            let at = stencil.iter().map(|(i, w)| now.points[*i as usize].at * *w);
            let at: Vec3 = at.sum();
            let hold = stencil
                .iter()
                .map(|(i, w)| now.points[*i as usize].hold * w);
            let hold: f32 = hold.sum();
            next.point(at, hold);
        }
        stencils = refined
            .stencils
            .iter()
            .map(|stencil| composed(stencil, &stencils))
            .collect();
        now = next;
        draw(&mut now, field);
    }
    Wrapped {
        cage: now,
        stencils,
    }
}

fn composed(stencil: &[(u32, f32)], before: &[Vec<(u32, f32)>]) -> Vec<(u32, f32)> {
    let mut sum: std::collections::BTreeMap<u32, f32> = std::collections::BTreeMap::new();
    for (i, w) in stencil {
        for (k, share) in &before[*i as usize] {
            *sum.entry(*k).or_default() += w * share;
        }
    }
    sum.into_iter().collect()
}

fn draw(cage: &mut Cage, field: Option<&DistanceField>) {
    let Some(field) = field else { return };
    for point in &mut cage.points {
        if point.hold >= 0.999 {
            continue;
        }
        let mut p = point.at;
        for _ in 0..6 {
            let d = field.at(p);
            if d.abs() < 1e-5 {
                break;
            }
            p -= field.normal(p, 0.0008) * d.clamp(-MAX_PROJECTION, MAX_PROJECTION);
        }
        if p.is_finite() && p.distance(point.at) < 3.0 * MAX_PROJECTION {
            point.at = p.lerp(point.at, point.hold);
        }
    }
}

impl Wrapped {
    /// Normals of the points, averaged over the surrounding faces by area.
    pub fn normals(&self) -> Vec<Vec3> {
        normals(
            &self.cage.points.iter().map(|p| p.at).collect::<Vec<_>>(),
            &self.cage.faces,
        )
    }

    /// Interpolates texture coordinates of the original cage; u wraps after the length `around`, if given.
    pub fn texture_coordinates(&self, first: &[Vec2], around: Option<f32>) -> Vec<Vec2> {
        let one = |stencil: &Vec<(u32, f32)>| -> Vec2 {
            let of = |i: &u32| first[*i as usize];
            let plain: Vec2 = stencil.iter().map(|(i, w)| of(i) * *w).sum();
            let Some(length) = around else { return plain };
            let turn = std::f32::consts::TAU / length;
            let circle = |(i, w): &(u32, f32)| Vec2::from_angle(of(i).x * turn) * *w;
            let middle: Vec2 = stencil.iter().map(circle).sum();
            Vec2::new(
                middle.to_angle().rem_euclid(std::f32::consts::TAU) / turn,
                plain.y,
            )
        };
        self.stencils.iter().map(one).collect()
    }

    /// Interpolates offsets of the original cage's points.
    pub fn moved(&self, offsets: &[Vec3]) -> Vec<Vec3> {
        let one = |stencil: &Vec<(u32, f32)>| -> Vec3 {
            let parts = stencil.iter().map(|(i, w)| offsets[*i as usize] * *w);
            parts.sum()
        };
        self.stencils.iter().map(one).collect()
    }
}

/// Normals of points, averaged over the surrounding faces by area.
pub fn normals(places: &[Vec3], faces: &[CageFace]) -> Vec<Vec3> {
    let mut sum = vec![Vec3::ZERO; places.len()];
    for face in faces {
        let c = face.corners.map(|i| places[i as usize]);
        let across = if face.corners().len() == 3 {
            (c[1] - c[0]).cross(c[2] - c[0])
        } else {
            (c[2] - c[0]).cross(c[3] - c[1])
        };
        for i in face.corners() {
            sum[*i as usize] += across;
        }
    }
    sum.into_iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::cube;
    use super::*;

    #[test]
    fn a_cube_on_a_ball_is_the_ball_and_its_offsets_follow() {
        let mut cage = cube();
        cage.orient(|p| p).unwrap();
        cage.points.iter_mut().for_each(|p| {
            p.hold = 0.0;
            p.at *= 0.1;
        });
        let ball = DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(0.12));
        let wrapped = wrap(&cage, 3, Some(&ball));
        assert_eq!(wrapped.cage.faces.len(), 6 * 64);
        for (point, normal) in wrapped.cage.points.iter().zip(wrapped.normals()) {
            assert!((point.at.length() - 0.12).abs() < 1e-4, "{}", point.at);
            assert!(normal.dot(point.at.normalize()) > 0.98);
        }
        let all = vec![Vec3::X; 8];
        for offset in wrapped.moved(&all) {
            assert!((offset - Vec3::X).length() < 1e-4);
        }
    }
}
