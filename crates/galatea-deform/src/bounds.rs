//! Bounding spheres: of the vertices moved by each palette matrix, and of the whole model in a pose.

use glam::{Affine3A, Vec3};

use super::PaletteLayout;
use galatea_asset::Model;

/// A mesh-space sphere per palette matrix around the vertices that it moves; the radius is negative if it moves none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartBounds {
    spheres: Vec<(Vec3, f32)>,
}

/// Computes the spheres of a model. Morph targets enlarge them by their longest offset.
pub fn part_bounds(model: &Model) -> PartBounds {
    let layout = PaletteLayout::new(model);
    let mut boxes = vec![(Vec3::INFINITY, Vec3::NEG_INFINITY); layout.len];
    for (part, start) in model.parts.iter().zip(&layout.part_start) {
        for primitive in &model.meshes[part.mesh].primitives {
            let reach = primitive
                .targets
                .iter()
                .flat_map(|target| &target.positions)
                .map(|offset| offset.length())
                .fold(0.0, f32::max);
            let influences = &primitive.influences;
            let n = if part.skin.is_some() {
                influences.per_vertex
            } else {
                0
            };
            for (i, &position) in primitive.positions.iter().enumerate() {
                let mut widen = |k: usize| {
                    if let Some((low, high)) = boxes.get_mut(*start as usize + k) {
                        *low = low.min(position - reach);
                        *high = high.max(position + reach);
                    }
                };
                if n == 0 {
                    widen(0);
                }
                for k in i * n..(i + 1) * n {
                    if influences.weights[k] > 0.0 {
                        widen(usize::from(influences.joints[k]));
                    }
                }
            }
        }
    }
    let spheres = boxes
        .into_iter()
        .map(|(low, high)| {
            if low.x > high.x {
                (Vec3::ZERO, -1.0)
            } else {
                ((low + high) * 0.5, (high - low).length() * 0.5)
            }
        })
        .collect();
    PartBounds { spheres }
}

impl PartBounds {
    /// Returns for each bone of the model whether it moves a vertex. If none does, all are true.
    pub fn moved_bones(&self, model: &Model) -> Vec<bool> {
        let mut moved = vec![false; model.skeleton.len()];
        let moves = |at: usize| {
            self.spheres
                .get(at)
                .is_some_and(|(_, radius)| *radius >= 0.0)
        };
        let layout = PaletteLayout::new(model);
        for (part, &start) in model.parts.iter().zip(&layout.part_start) {
            let joints = match part.skin {
                Some(skin) => &model.skins[skin].joints[..],
                None => std::slice::from_ref(&part.bone),
            };
            for (k, joint) in joints.iter().enumerate() {
                moved[usize::from(*joint)] |= moves(start as usize + k);
            }
        }
        if !moved.contains(&true) {
            moved.fill(true);
        }
        moved
    }

    /// Spheres (centre, radius) around the vertices of each palette matrix, in the palette's space. Together they contain
    /// the posed model.
    pub fn posed_spheres(&self, palette: &[Affine3A]) -> impl Iterator<Item = (Vec3, f32)> {
        let moving = self.spheres.iter().zip(palette);
        moving
            .filter(|((_, radius), _)| *radius >= 0.0)
            .map(|((centre, radius), m)| {
                let stretch = m
                    .matrix3
                    .x_axis
                    .length_squared()
                    .max(m.matrix3.y_axis.length_squared())
                    .max(m.matrix3.z_axis.length_squared())
                    .sqrt();
                (m.transform_point3(*centre), radius * stretch)
            })
    }

    /// Corners of a box around the vertices moved by some matrices of a palette, in the palette's space; `None` if they move
    /// none. Blended vertices stay within it, except for the bulging of dual quaternions.
    pub(super) fn posed_box(
        &self,
        which: std::ops::Range<usize>,
        palette: &[Affine3A],
    ) -> Option<[Vec3; 2]> {
        let own = Self {
            spheres: self.spheres.get(which.clone())?.to_vec(),
        };
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (centre, radius) in own.posed_spheres(palette.get(which)?) {
            low = low.min(centre - radius);
            high = high.max(centre + radius);
        }
        (low.x <= high.x).then_some([low, high])
    }

    /// Centre and radius of the posed model, in the palette's space. Zero for a model without vertices.
    pub fn posed(&self, palette: &[Affine3A]) -> (Vec3, f32) {
        let posed = || self.posed_spheres(palette);
        let (low, high) = posed().fold(
            (Vec3::INFINITY, Vec3::NEG_INFINITY),
            |(low, high), (centre, radius)| (low.min(centre - radius), high.max(centre + radius)),
        );
        if low.x > high.x {
            return (Vec3::ZERO, 0.0);
        }
        let centre = (low + high) * 0.5;
        let radius = posed()
            .map(|(c, r)| c.distance(centre) + r)
            .fold(0.0, f32::max);
        (centre, radius)
    }
}
