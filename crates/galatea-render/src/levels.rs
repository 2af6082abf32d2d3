//! Coarser levels of detail of models that are drawn one by one: triangles over the same vertices, or, where the processor
//! deforms, pieces with the vertices that they use alone.

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

/// Sees to it that the levels are there on which a picture draws instances of a model. What is cut into pieces has none.
pub fn add(gpu: &Gpu, layouts: &Layouts, resident: &mut Resident, frame: &Frame) {
    let models = resident.instances.iter();
    let models = models.map(|seen| &frame.models[seen.instance as usize]);
    let (mut found, mut wanted) = (None, 0);
    for model in models {
        if let Some((lods, level)) = &model.coarser {
            found = Some((lods, &model.model));
            wanted |= 1 << level;
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
        let missing = wanted & !piece.levels_apart;
        for level in (0..Lods::LEVELS as u8).filter(|level| missing >> level & 1 != 0) {
            add_apart(gpu, layouts, resident, i, lods, level, model);
        }
    }
}

/// Sees to it that what is drawn of instances through their own eyes is there.
fn add_headless(gpu: &Gpu, resident: &mut Resident, frame: &Frame) {
    let models = resident.instances.iter();
    let seen = models.filter_map(|seen| frame.models[seen.instance as usize].headless.as_ref());
    let seen: Vec<_> = seen.collect();
    if seen.is_empty() {
        return;
    }
    let whole = |piece: &&PartPrimitive| piece.vertices.is_none() && piece.level == 0;
    for piece in resident.pieces.iter().filter(whole) {
        // Of one that is worn on the head there is nothing; another of its kind may be whose head it is.
        let mut triangles = seen
            .iter()
            .filter_map(|it| it.triangles(piece.part, piece.primitive));
        if let Some(triangles) = triangles.find(|triangles| !triangles.is_empty()) {
            resident.geometries[piece.geometry].add_headless(gpu, triangles);
        }
    }
}

/// Adds the piece that draws a level of the piece `i`.
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
    let whole = &model.meshes[mesh].primitives[piece.primitive];
    let whole = piece.own.as_deref().unwrap_or(whole);
    let made = (!triangles.is_empty()).then(|| part_of(whole, triangles));
    let made = made.map(|(primitive, vertices)| {
        let geometry = Geometry::new(gpu, layouts, &primitive);
        geometry.map(|geometry| (geometry, (Box::new(primitive), vertices)))
    });
    let made: Option<(Geometry, _)> = match made.transpose() {
        Ok(made) => made,
        Err(why) => {
            tracing::warn!("{}: a coarser level is not drawn: {why}", model.name);
            None
        }
    };
    if let Some((geometry, part)) = made {
        let bytes = u64::from(geometry.n_vertices) * DEFORMED_FLOATS * 4;
        let limit = gpu.device.limits().max_storage_buffer_binding_size;
        let most = (limit / bytes.max(1)).clamp(1, 65535) as u32;
        let own: PartPrimitive = piece.of_level(level, resident.geometries.len(), part, most);
        resident.geometries.push(geometry);
        resident.pieces.push(own);
    }
    resident.pieces[i].levels_apart |= 1 << level;
}
