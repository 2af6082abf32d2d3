//! Vertex colours: skin weights of bones, and displacement by morph targets.

use std::sync::Arc;

use glam::Vec3;

use super::{color_of, weights_of};
use crate::frame::{DrawModel, Frame};
use crate::frame_view::VertexColors;
use galatea_asset::Model;
use galatea_asset::model::Primitive;
use galatea_deform::PaletteLayout;

/// Paints the skin weights of one bone, or the colours of all bones mixed by weight.
pub fn weights(
    frame: &Frame,
    models: impl Iterator<Item = usize>,
    bone: Option<&str>,
    out: &mut Vec<VertexColors>,
) {
    // Characters with the same model share their colours.
    let mut done: Vec<(u64, usize, usize)> = Vec::new();
    for i in models {
        let model = &frame.models[i].model;
        let start = out.len();
        let known = done.iter().find(|(uid, ..)| *uid == model.uid).copied();
        if let Some((_, from, to)) = known {
            for at in from..to {
                let paint = VertexColors {
                    model: i,
                    ..out[at].clone()
                };
                out.push(paint);
            }
            continue;
        }
        let bone = bone.and_then(|bone| model.skeleton.find(bone));
        each_primitive(model, |part, primitive, of| {
            out.push(VertexColors {
                model: i,
                part,
                primitive,
                values: Arc::new(weights_on(model, part, of, bone)),
            });
        });
        done.push((model.uid, start, out.len()));
    }
}

fn weights_on(
    model: &Model,
    part: usize,
    primitive: &Primitive,
    bone: Option<u16>,
) -> Vec<[f32; 4]> {
    let part = &model.parts[part];
    let n = primitive.influences.per_vertex;
    let joints = match part.skin.filter(|_| n > 0) {
        Some(skin) => &model.skins[skin].joints[..],
        None => std::slice::from_ref(&part.bone),
    };
    let mix = |moved_by: &mut dyn Iterator<Item = (u16, f32)>| {
        let mut sum = [0.0; 4];
        for (joint, weight) in moved_by {
            let of = joints.get(usize::from(joint)).copied().unwrap_or_default();
            match bone {
                Some(bone) => sum[0] += if of == bone { weight } else { 0.0 },
                None => {
                    let color = color_of(usize::from(of));
                    (0..3).for_each(|c| sum[c] += color[c] * weight);
                    sum[3] = 1.0;
                }
            }
        }
        sum
    };
    let vertices = 0..primitive.positions.len();
    if part.skin.is_none() || n == 0 {
        let all = mix(&mut std::iter::once((0, 1.0)));
        return vertices.map(|_| all).collect();
    }
    let influences = &primitive.influences;
    let of = |v: usize| {
        let range = v * n..(v + 1) * n;
        let joints = influences.joints.get(range.clone()).unwrap_or_default();
        let weights = influences.weights.get(range).unwrap_or_default();
        mix(&mut joints.iter().copied().zip(weights.iter().copied()))
    };
    vertices.map(of).collect()
}

/// Paints the displacement by the active morph targets, or by one of them at weight 1. Returns the end of the scale in
/// centimetres, world space: 1, 2 or 5 times a power of ten.
pub fn morphs(
    frame: &Frame,
    models: impl Iterator<Item = usize>,
    morph: Option<&str>,
    out: &mut Vec<VertexColors>,
) -> f32 {
    let mut painted = Vec::new();
    let mut max = 0.0_f32;
    for i in models {
        let draw = &frame.models[i];
        let model = &draw.model;
        each_primitive(model, |part, primitive, of| {
            let names = &model.meshes[model.parts[part].mesh].morph_names;
            let at_one: Vec<f32> = names
                .iter()
                .map(|name| f32::from(u8::from(morph == Some(name))))
                .collect();
            let weights = match morph {
                Some(_) => &at_one[..],
                None => weights_of(frame, draw, part),
            };
            let scale = 100.0 * scale_of(frame, draw, part);
            let moved = moved_by(of, weights);
            let far: Vec<f32> = moved.iter().map(|d| d.length() * scale).collect();
            max = far.iter().copied().fold(max, f32::max);
            painted.push((i, part, primitive, far));
        });
    }
    let range = round_up(max);
    for (model, part, primitive, far) in painted {
        let values = far.iter().map(|cm| [cm / range, 0.0, 0.0, 0.0]);
        out.push(VertexColors {
            model,
            part,
            primitive,
            values: Arc::new(values.collect()),
        });
    }
    range
}

fn moved_by(primitive: &Primitive, weights: &[f32]) -> Vec<Vec3> {
    let mut moved = vec![Vec3::ZERO; primitive.positions.len()];
    for (target, &weight) in primitive.targets.iter().zip(weights) {
        if weight != 0.0 {
            for (sum, offset) in moved.iter_mut().zip(&target.positions) {
                *sum += *offset * weight;
            }
        }
    }
    moved
}

/// World metres per unit of a part's mesh, from its first matrix.
fn scale_of(frame: &Frame, draw: &DrawModel, part: usize) -> f32 {
    let start = PaletteLayout::new(&draw.model).part_start[part];
    let matrix = frame.palette.get((draw.palette_start + start) as usize);
    let model_from_mesh = matrix.map_or(1.0, |m| m.matrix3.determinant());
    let world = draw.world_from_model.matrix3.determinant();
    (model_from_mesh * world).abs().cbrt()
}

/// The smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, … that is not less than a length; 1 for zero.
fn round_up(length: f32) -> f32 {
    if length < 1e-4 || !length.is_finite() {
        return 1.0;
    }
    let power = 10.0_f32.powf(length.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps
        .into_iter()
        .find(|step| step * power >= length * 0.999);
    step.unwrap_or(10.0) * power
}

fn each_primitive(model: &Model, mut f: impl FnMut(usize, usize, &Primitive)) {
    for (part_idx, part) in model.parts.iter().enumerate() {
        let primitives = &model.meshes[part.mesh].primitives;
        for (i, primitive) in primitives.iter().enumerate() {
            f(part_idx, i, primitive);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_lengths() {
        let ends = [0.0, 0.04, 0.11, 1.0, 1.01, 2.4, 7.0, 230.0].map(round_up);
        let expected = [1.0, 0.05, 0.2, 1.0, 2.0, 5.0, 10.0, 500.0];
        for (end, expected) in ends.into_iter().zip(expected) {
            assert!(
                (end - expected).abs() < 1e-4 * expected,
                "{end} for {expected}"
            );
        }
    }
}
