//! Bones and morph targets.

use galatea::asset::model::MorphTarget;
use galatea::asset::skinning::Skinning;
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, Ground, Light, PostProcessing};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::sync::Arc;

use super::super::scenes::bare;
use super::super::shapes::{add, capsule, material, rigid, tube};
use super::{Row, model, row};

fn seen(eye: Vec3, target: Vec3) -> Frame {
    let mut frame = bare();
    frame.post_processing = PostProcessing::default();
    frame.light = Light::default();
    frame.ground = Some(Ground::default());
    frame.camera = Camera {
        eye,
        target,
        fov_y: 30.0,
    };
    frame
}

/// A tube with a rotated upper half.
fn turned(upper: Quat, skinning: Skinning) -> Frame {
    let mut frame = seen(Vec3::new(1.2, 1.6, 4.0), Vec3::new(0.0, 0.95, 0.0));
    let mut model = tube(0);
    model.parts[0].skinning = skinning;
    // Stripes along it show the twist.
    let shape = &mut model.meshes[0].primitives[0];
    let stripe = |uv: &Vec2| {
        let is_dark = (uv.x * 8.0) as u32 % 2 == 1;
        Vec3::splat(if is_dark { 0.25 } else { 1.0 }).extend(1.0)
    };
    shape.colors = shape.uv0.iter().map(stripe).collect();
    let pose = [
        Affine3A::IDENTITY,
        Affine3A::from_rotation_translation(upper, Vec3::Y),
    ];
    let model = Arc::new(model);
    add(&mut frame, &model, Affine3A::IDENTITY, &pose, &[]);
    frame
}

/// A ball that a target stretches to a pear.
fn pear(weight: f32) -> Frame {
    let mut frame = seen(Vec3::new(0.8, 1.3, 3.2), Vec3::new(0.0, 0.68, 0.0));
    let at = Vec3::Y * 0.5;
    let mut ball = capsule(at, at, 0.4, 48);
    let above = |p: &Vec3| ((p.y - 0.5) / 0.4).max(0.0);
    let pull = |p: &Vec3| Vec3::Y * (0.5 * above(p).powi(3));
    // The steeper the surface, the more its normals point sideways, by the slope.
    let lean = |p: &Vec3| (*p - at).with_y(0.0) / 0.4 * (1.5 / 0.4 * above(p).powi(2));
    ball.targets = vec![MorphTarget {
        positions: ball.positions.iter().map(pull).collect(),
        normals: ball.positions.iter().map(lean).collect(),
        tangents: Vec::new(),
    }];
    let mut model = rigid(
        0,
        vec![ball],
        vec![material(Vec3::new(0.45, 0.6, 0.2), 0.4, 0.0)],
    );
    model.meshes[0].morph_names = vec!["pear".into()];
    model.parts[0].morph_weights = vec![0.0];
    let model = Arc::new(model);
    add(
        &mut frame,
        &model,
        Affine3A::IDENTITY,
        &[Affine3A::IDENTITY],
        &[weight],
    );
    frame
}

pub fn rows() -> Vec<Row> {
    let twist = || turned(Quat::from_rotation_y(2.6), Skinning::DualQuaternion);
    vec![
        row(
            "skinning",
            || turned(Quat::from_rotation_z(-1.0), Skinning::Linear),
            |f| f.palette.fill(Affine3A::IDENTITY),
        ),
        row("dual quaternions", twist, |f| {
            model(f).parts[0].skinning = Skinning::Linear;
        }),
        row("morphs", || pear(1.0), |f| f.morph_weights.fill(0.0)).shows(
            "normals of morphs",
            |f| {
                let targets = &mut model(f).meshes[0].primitives[0].targets;
                targets[0].normals.clear();
            },
        ),
    ]
}
