//! The triangles of a model's skin, and their areas at rest.

use serde::{Deserialize, Serialize};

use super::extent::each_deformed;
use super::loaded_model::LoadedModel;
use galatea_asset::model::Part;
use galatea_deform::build_palette;

/// A triangle of the skin, given by part, primitive and vertex indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkinTriangle {
    pub(super) part: u32,
    pub(super) primitive: u32,
    pub(super) corners: [u32; 3],
}

/// Returns all triangles of a model with an area, and their areas in the rest pose, square metres.
pub(super) fn triangles_at_rest(definition: &LoadedModel) -> Vec<(SkinTriangle, f32)> {
    let model = &definition.model;
    let mut palette = Vec::new();
    build_palette(model, &definition.rest_matrices(), &mut palette);
    let primitives = |(p, part): (usize, &Part)| {
        let n = model.meshes[part.mesh].primitives.len();
        (0..n).map(move |k| (p as u32, k as u32))
    };
    let mut indices = model.parts.iter().enumerate().flat_map(primitives);
    let mut triangles = Vec::new();
    let morphs = &definition.rest.morphs;
    each_deformed(model, &palette, morphs, |_, drawn, deformed| {
        let Some((part, primitive)) = indices.next() else {
            return;
        };
        for corners in drawn.indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|i| deformed.positions[i as usize]);
            let area = (b - a).cross(c - a).length() * 0.5;
            if area > 0.0 && area.is_finite() {
                let triangle = SkinTriangle {
                    part,
                    primitive,
                    corners: *corners,
                };
                triangles.push((triangle, area));
            }
        }
    });
    triangles
}
