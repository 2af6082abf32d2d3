//! Coarser levels of detail of models that are drawn individually. On the GPU a level is a list of triangles over the same
//! vertices. For the CPU deformer it is a separate piece with only the vertices that it uses.

use super::geometry::Geometry;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::piece::PartPrimitive;
use super::residency::Resident;
use super::uniforms::DEFORMED_FLOATS;
use galatea_asset::skinning::SkinningMode;
use galatea_asset::{Lods, Model};
use galatea_deform::part_of;
use galatea_stage::frame::Frame;

/// Uploads the levels of detail that a frame needs of a model. Models that are split for small palettes have no levels.
pub fn add(gpu: &Gpu, layouts: &Layouts, resident: &mut Resident, frame: &Frame) {
    let models = resident.instances.iter();
    let models = models.map(|hidden_heads| &frame.models[hidden_heads.instance as usize]);
    let (mut found, mut levels) = (None, 0);
    for model in models {
        if let Some((lods, level)) = &model.coarser {
            found = Some((lods, &model.model));
            levels |= 1 << level;
        }
    }
    add_headless(gpu, resident, frame);
    let Some((lods, model)) = found else {
        return;
    };
    for i in 0..resident.pieces.len() {
        let piece = &resident.pieces[i];
        if piece.vertices.is_some() || piece.level > 0 {
            continue;
        }
        let geometry = &mut resident.geometries[piece.geometry];
        if piece.mode != SkinningMode::Cpu || geometry.is_ribbon {
            let mesh = model.parts[piece.part].mesh;
            if let Some(levels) = lods.levels(mesh, piece.primitive) {
                geometry.add_levels(gpu, levels);
            }
            continue;
        }
        let missing = levels & !piece.levels_apart;
        for level in (0..Lods::LEVELS as u8).filter(|level| missing >> level & 1 != 0) {
            add_apart(gpu, layouts, resident, i, lods, level, model);
        }
    }
}

/// Uploads the first-person version of a model if a frame needs it.
fn add_headless(gpu: &Gpu, resident: &mut Resident, frame: &Frame) {
    let models = resident.instances.iter();
    let hidden_heads = models.filter_map(|hidden_heads| {
        frame.models[hidden_heads.instance as usize]
            .headless
            .as_ref()
    });
    let hidden_heads: Vec<_> = hidden_heads.collect();
    if hidden_heads.is_empty() {
        return;
    }
    let is_uncut = |piece: &&PartPrimitive| piece.vertices.is_none() && piece.level == 0;
    for piece in resident.pieces.iter().filter(is_uncut) {
        // An attachment on the head has no triangles in this version; another instance of the same model may need some.
        let mut triangles = hidden_heads
            .iter()
            .filter_map(|it| it.triangles(piece.part, piece.primitive));
        if let Some(triangles) = triangles.find(|triangles| !triangles.is_empty()) {
            resident.geometries[piece.geometry].add_headless(gpu, triangles);
        }
    }
}

/// Adds a piece that draws one level of piece `i`.
fn add_apart(
    gpu: &Gpu,
    layouts: &Layouts,
    resident: &mut Resident,
    i: usize,
    lods: &Lods,
    level: u8,
    model: &Model,
) {
    let piece = &resident.pieces[i];
    let mesh = model.parts[piece.part].mesh;
    let Some(triangles) = lods.triangles(mesh, piece.primitive, usize::from(level)) else {
        return;
    };
    let is_uncut = &model.meshes[mesh].primitives[piece.primitive];
    let is_uncut = piece.own.as_deref().unwrap_or(is_uncut);
    let made = (!triangles.is_empty()).then(|| part_of(is_uncut, triangles));
    let made = made.map(|(primitive, vertices)| {
        let geometry = Geometry::new(gpu, layouts, &primitive);
        geometry.map(|geometry| (geometry, (Box::new(primitive), vertices)))
    });
    let made: Option<(Geometry, _)> = match made.transpose() {
        Ok(made) => made,
        Err(why) => {
            tracing::warn!(
                "{}: a lower level of detail is not drawn: {why}",
                model.name
            );
            None
        }
    };
    if let Some((geometry, part)) = made {
        let bytes = u64::from(geometry.n_vertices) * DEFORMED_FLOATS * 4;
        let limit = gpu.device.limits().max_storage_buffer_binding_size;
        let max_instances = (limit / bytes.max(1)).clamp(1, 65535) as u32;
        let own: PartPrimitive =
            piece.of_level(level, resident.geometries.len(), part, max_instances);
        resident.geometries.push(geometry);
        resident.pieces.push(own);
    }
    resident.pieces[i].levels_apart |= 1 << level;
}
