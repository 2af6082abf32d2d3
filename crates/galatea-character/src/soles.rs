//! Measures the soles of a model's feet on its mesh at rest.

use glam::Vec3;

use super::extent::{dominant_bone, each_deformed};
use super::loaded_model::LoadedModel;
use galatea_anim::humanoid::Role;
use galatea_deform::build_palette;
use galatea_rig::foot_ik::Sole;

/// Returns the soles of a human body's feet that have a mesh.
pub(super) fn soles(loaded: &LoadedModel) -> Vec<Sole> {
    let humanoid = loaded.clips.humanoid();
    if !humanoid.is_body() {
        return Vec::new();
    }
    let model = &loaded.model;
    let feet = [Role::LeftFoot, Role::RightFoot].map(|role| humanoid.bone(role));
    let parents = model.skeleton.parents();
    let foot_of = |bone: u16| {
        let above = |bone: &u16| parents.get(usize::from(*bone)).copied();
        let mut up = std::iter::successors(Some(bone), above);
        up.find_map(|bone| feet.iter().position(|foot| *foot == Some(bone)))
    };
    let mut palette = Vec::new();
    build_palette(model, &loaded.rest_matrices(), &mut palette);
    let mut vertices = [Vec::new(), Vec::new()];
    each_deformed(
        model,
        &palette,
        &loaded.rest.morphs,
        |part, primitive, deformed| {
            for (i, position) in deformed.positions.iter().enumerate() {
                if let Some(foot) = foot_of(dominant_bone(model, part, primitive, i)) {
                    vertices[foot].push(*position);
                }
            }
        },
    );
    let forward = humanoid.model_from_character * Vec3::Z;
    let height = loaded.rest_box[1].y - loaded.rest_box[0].y;
    let measured = feet
        .into_iter()
        .zip(vertices)
        .filter_map(|(foot, mut own)| {
            let foot = foot?;
            let ankle = *loaded.rest_positions.get(usize::from(foot))?;
            own.iter_mut().for_each(|position| *position -= ankle);
            Sole::measure(foot, &own, forward, height)
        });
    measured.collect()
}
