//! A single vertex in a pose, for callers that need only a few.

use glam::{Affine3A, Vec3};

use super::dual::RigidStretch;
use super::plain;
use galatea_asset::model::{Part, Primitive};
use galatea_asset::skinning::Skinning;

/// Position of a vertex of a part's primitive after morphing and skinning. `weights` are those of the part's targets,
/// `palette` begins with the part's matrices. Returns `None` if there is no such vertex.
pub fn posed_vertex(
    part: &Part,
    primitive: &Primitive,
    vertex: usize,
    weights: &[f32],
    palette: &[Affine3A],
) -> Option<Vec3> {
    let mut at = *primitive.positions.get(vertex)?;
    for (target, weight) in primitive.targets.iter().zip(weights) {
        if *weight != 0.0
            && let Some(offset) = target.positions.get(vertex)
        {
            at += *offset * *weight;
        }
    }
    let influences = &primitive.influences;
    let n = influences.per_vertex;
    if n == 0 {
        return Some(palette.first()?.transform_point3(at));
    }
    let of_vertex = vertex * n..(vertex + 1) * n;
    let joints = influences.joints.get(of_vertex.clone())?;
    let weights = influences.weights.get(of_vertex)?;
    let by = if part.skinning == Skinning::DualQuaternion {
        let own = |joint: &u16| palette.get(usize::from(*joint)).map(RigidStretch::of);
        let motions: Vec<RigidStretch> = joints
            .iter()
            .map(|joint| own(joint).unwrap_or(RigidStretch::IDENTITY))
            .collect();
        let each: Vec<u16> = (0..n as u16).collect();
        plain::dual(&each, weights, &motions)
    } else {
        plain::linear(joints, weights, palette)
    };
    Some(by.transform_point3(at))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::{Deformed, Deformer, PaletteLayout, build_palette};
    use galatea_anim::local_to_model;
    use galatea_asset::gltf::load_slice;
    use glam::{Quat, Vec3};

    #[test]
    fn a_single_vertex_equals_the_deformed_mesh() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let bytes = fs::read(home.join("assets/galatea.glb")).unwrap();
        let mut model = load_slice("galatea", &bytes, &mut |name| Err(name.into())).unwrap();
        let mut locals: Vec<_> = model.skeleton.rest().collect();
        for (i, local) in locals.iter_mut().enumerate() {
            local.rotation *= Quat::from_rotation_x(0.1 * (i % 7) as f32);
        }
        let (mut matrices, mut palette) = (Vec::new(), Vec::new());
        local_to_model(&model.skeleton, &locals, &mut matrices);
        build_palette(&model, &matrices, &mut palette);
        let starts = PaletteLayout::new(&model).part_start;
        let mut most_moved = 0.0_f32;
        for skinning in [Skinning::Linear, Skinning::DualQuaternion] {
            for (part, start) in model.parts.iter_mut().zip(&starts) {
                part.skinning = skinning;
                let weights: Vec<f32> = part
                    .morph_weights
                    .iter()
                    .enumerate()
                    .map(|(i, _)| (i % 3) as f32 * 0.2)
                    .collect();
                let palette = &palette[*start as usize..];
                for primitive in &model.meshes[part.mesh].primitives {
                    let mut deformed = Deformed::default();
                    Deformer::default().deform(
                        primitive,
                        &weights,
                        palette,
                        skinning,
                        &mut deformed,
                    );
                    for i in (0..primitive.positions.len()).step_by(37) {
                        let alone = posed_vertex(part, primitive, i, &weights, palette).unwrap();
                        assert!(
                            alone.distance(deformed.positions[i]) < 2e-5,
                            "{alone} {}",
                            deformed.positions[i]
                        );
                        most_moved = most_moved.max(alone.distance(primitive.positions[i]));
                    }
                    assert_eq!(
                        posed_vertex(part, primitive, usize::MAX / 64, &weights, palette),
                        None::<Vec3>
                    );
                }
            }
        }
        assert!(most_moved > 0.05);
    }
}
