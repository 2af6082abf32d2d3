//! Quality of the fit between a ragdoll's shapes and the surface.

use super::anatomy::Anatomy;
use super::choice::BodyChoice;
use super::cloud::Cloud;
use super::segment::segments;
use super::{BodyShape, RagdollDefinition, RigidFrame};
use galatea_anim::humanoid::Humanoid;
use galatea_anim::local_to_model;
use galatea_asset::Model;
use galatea_math::Trs;

/// Coverage of the surface by the shapes, and their overhang.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitQuality {
    /// Fraction of the surface of the bodies that is inside of some shape, or outside by at most 2 cm for a person of 1.7 m.
    pub covered: f32,
    /// Mean distance between the surface and its body's shape, as a fraction of the height.
    pub misfit: f32,
    /// Largest ratio of a shape's longest extent to that of its surface.
    pub stretch: f32,
}

impl FitQuality {
    /// Measures a ragdoll on its model at rest.
    pub fn of(
        ragdoll: &RagdollDefinition,
        model: &Model,
        humanoid: &Humanoid,
        rest: &[Trs],
    ) -> Self {
        let mut model_from_bone = Vec::new();
        local_to_model(&model.skeleton, rest, &mut model_from_bone);
        let cloud = Cloud::of(model, &model_from_bone);
        let anatomy = Anatomy::of(&model.skeleton, humanoid, &model_from_bone);
        let bones: Vec<u16> = ragdoll.bodies.iter().map(|body| body.bone).collect();
        let bodies = BodyChoice::for_bones(&anatomy, &cloud, bones);
        let frames: Vec<(RigidFrame, BodyShape)> = ragdoll
            .frames(&model_from_bone)
            .zip(ragdoll.bodies.iter().map(|body| body.shape))
            .collect();
        quality(&anatomy, &cloud, &bodies, &frames)
    }
}

fn quality(
    anatomy: &Anatomy,
    cloud: &Cloud,
    choice: &BodyChoice,
    bodies: &[(RigidFrame, BodyShape)],
) -> FitQuality {
    let Some((low, high)) = cloud.corners() else {
        return FitQuality::default();
    };
    let height = ((high - low).dot(anatomy.up.abs())).max(0.1 * (high - low).max_element());
    let near = 0.02 / 1.7 * height;
    let (mut area, mut covered, mut misfit, mut stretch) = (0.0, 0.0, 0.0, 0.0_f32);
    let parts = segments(anatomy, cloud, choice);
    for (part, fitted) in parts.iter().zip(bodies) {
        let (mut min, mut max) = (f32::MAX, f32::MIN);
        for (position, weight) in &part.points {
            let distance = |(frame, shape): &(RigidFrame, BodyShape)| {
                shape.distance(frame.inverse().point(*position))
            };
            area += weight;
            misfit += weight * distance(fitted).abs();
            if bodies.iter().any(|body| distance(body) <= near) {
                covered += weight;
            }
            let along = fitted.0.inverse().point(*position);
            min = min.min(along.min_element());
            max = max.max(along.max_element());
        }
        if max > min {
            stretch = stretch.max(fitted.1.half_extents().max_element() * 2.0 / (max - min));
        }
    }
    let area = area.max(f32::MIN_POSITIVE);
    FitQuality {
        covered: covered / area,
        misfit: misfit / area / height,
        stretch,
    }
}
