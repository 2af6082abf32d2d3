//! Models in GPU memory. They are uploaded on first use and dropped when unseen for long.

use std::collections::{HashMap, HashSet};

use tracing::info_span;

use super::cut::{PrimitiveCut, cut, with_tangents};
use super::draw::{Class, Draw, NOT_BEFORE};
use super::frame_groups::FrameGroups;
use super::geometry::Geometry;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::material::{MaterialMaker, ResidentMaterial};
use super::pass::mip::MipPass;
use super::piece::{PartPrimitive, PreviousFrameSettings, PreviousVertices};
use super::texture::Samplers;
use super::uniforms::DEFORMED_FLOATS;
use super::visibility::SeenInstance;
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive};
use galatea_asset::skinning::SkinningMode;
use galatea_deform::PaletteLayout;
use galatea_math::phases::PHASE;

/// Frames after which an unseen model is dropped.
const UNSEEN_FRAMES: u64 = 120;

/// Models in GPU memory, by their `uid`.
pub struct Residency {
    slots: Vec<Option<Resident>>,
    by_uid: HashMap<u64, u32>,
    samplers: Samplers,
    /// A white texture, and a white texture array with one layer.
    white: [wgpu::TextureView; 2],
    frame: u64,
    keeps_previous: bool,
    problems: Vec<String>,
    lessened: Vec<String>,
    /// All messages that were ever added to `lessened`.
    reported: HashSet<String>,
}

/// A model in GPU memory, including the deformed vertices of all its instances in one frame.
pub struct Resident {
    pub uid: u64,
    pub palette: PaletteLayout,
    pub n_morph_weights: u32,
    pub geometries: Vec<Geometry>,
    pub pieces: Vec<PartPrimitive>,
    pub materials: Vec<ResidentMaterial>,
    /// Instances in this frame. The plan fills them in.
    pub instances: Vec<SeenInstance>,
    last_seen: u64,
}

impl Residency {
    pub fn new(gpu: &Gpu) -> Self {
        let white = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("white"),
            size: wgpu::Extent3d::default(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        gpu.queue.write_texture(
            white.as_image_copy(),
            &[255; 4],
            wgpu::TexelCopyBufferLayout {
                bytes_per_row: Some(4),
                ..Default::default()
            },
            wgpu::Extent3d::default(),
        );
        Self {
            slots: Vec::new(),
            by_uid: HashMap::new(),
            samplers: Samplers::default(),
            white: [
                wgpu::TextureViewDimension::D2,
                wgpu::TextureViewDimension::D2Array,
            ]
            .map(|dimension| {
                white.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(dimension),
                    ..Default::default()
                })
            }),
            frame: 0,
            keeps_previous: false,
            problems: Vec::new(),
            lessened: Vec::new(),
            reported: HashSet::new(),
        }
    }

    /// Begins a frame: clears the instances of the last one and drops models that are unseen for long.
    pub fn begin(&mut self) {
        self.frame += 1;
        for slot in &mut self.slots {
            let Some(resident) = slot else { continue };
            resident.instances.clear();
            if resident.last_seen + UNSEEN_FRAMES < self.frame {
                self.by_uid.remove(&resident.uid);
                *slot = None;
            }
        }
    }

    /// Returns the slot of a model, and uploads it if needed. Parts that cannot be uploaded are left out and reported once.
    pub fn ensure(&mut self, gpu: &Gpu, layouts: &Layouts, mips: &MipPass, model: &Model) -> u32 {
        let slot = match self.by_uid.get(&model.uid) {
            Some(slot) => *slot,
            None => {
                let resident = self.upload(gpu, layouts, mips, model);
                let slot = match self.slots.iter().position(Option::is_none) {
                    Some(free) => free,
                    None => {
                        self.slots.push(None);
                        self.slots.len() - 1
                    }
                };
                self.slots[slot] = Some(resident);
                self.by_uid.insert(model.uid, slot as u32);
                slot as u32
            }
        };
        if let Some(resident) = &mut self.slots[slot as usize] {
            resident.last_seen = self.frame;
        }
        slot
    }

    /// Returns the model in a slot from [`Residency::ensure`] in this frame.
    pub fn resident(&self, slot: u32) -> &Resident {
        match &self.slots[slot as usize] {
            Some(resident) => resident,
            None => unreachable!("a slot is kept at least as long as the picture that uses it"),
        }
    }

    /// Mutable version of [`Residency::resident`].
    pub fn resident_mut(&mut self, slot: u32) -> &mut Resident {
        match &mut self.slots[slot as usize] {
            Some(resident) => resident,
            None => unreachable!("a slot is kept at least as long as the picture that uses it"),
        }
    }

    /// Group 2 of a draw: the material's textures.
    pub fn pictures<'a>(&'a self, groups: &'a FrameGroups, draw: &Draw) -> &'a wgpu::BindGroup {
        let stamped = groups.stamped.get(draw.decals as usize);
        stamped.unwrap_or_else(|| &self.material(draw).group)
    }

    /// Material of a draw.
    pub fn material(&self, draw: &Draw) -> &ResidentMaterial {
        let resident = self.resident(draw.slot);
        &resident.materials[draw.material as usize]
    }

    /// Sets whether the previous frame's deformed vertices are kept, from the next frame on. They take as much memory again.
    pub fn keep_previous(&mut self, keeps: bool) {
        self.keeps_previous = keeps;
    }

    /// Settings for keeping the previous frame's vertices.
    pub fn keeping(&self) -> PreviousFrameSettings {
        PreviousFrameSettings {
            keeps_previous: self.keeps_previous,
            picture: self.frame,
        }
    }

    /// Deformed vertices of a draw.
    pub fn deformed(&self, draw: &Draw) -> wgpu::BufferSlice<'_> {
        let (piece, bytes) = self.piece_of(draw);
        let (chunk, at) = piece.chunk_of_job(draw.job);
        chunk
            .buffer
            .slice(u64::from(at) * bytes..u64::from(at + 1) * bytes)
    }

    /// Deformed vertices of a draw's instance in the previous frame, in the layout of this frame. Returns this frame's
    /// vertices if the instance was not drawn then, or if nothing is kept.
    pub fn deformed_before(&self, draw: &Draw) -> wgpu::BufferSlice<'_> {
        if draw.job_before == NOT_BEFORE {
            return self.deformed(draw);
        }
        let (piece, bytes) = self.piece_of(draw);
        let (chunk, at) = piece.chunk_of_previous_job(draw.job_before);
        let at = u64::from(at);
        chunk.buffer.slice(at * bytes..(at + 1) * bytes)
    }

    /// Piece of a draw, and its number of vertices.
    pub fn piece(&self, draw: &Draw) -> (&PartPrimitive, u32) {
        let piece = &self.resident(draw.slot).pieces[draw.piece as usize];
        (piece, self.geometry(draw).n_vertices)
    }

    /// Geometry of a draw.
    pub fn geometry(&self, draw: &Draw) -> &Geometry {
        let resident = self.resident(draw.slot);
        &resident.geometries[resident.pieces[draw.piece as usize].geometry]
    }

    fn piece_of(&self, draw: &Draw) -> (&PartPrimitive, u64) {
        let (piece, n) = self.piece(draw);
        (piece, u64::from(n) * DEFORMED_FLOATS * 4)
    }

    /// Same as [`Residency::draw`], with only the triangles visible in a view (0 is the image, then the sun's cascades), if
    /// they are known.
    pub fn draw_seen(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        draw: &Draw,
        sight: usize,
    ) {
        let Some((first, n)) = draw.triangles[sight] else {
            return self.draw(pass, groups, draw);
        };
        if n == 0 {
            return;
        }
        pass.set_vertex_buffer(0, self.deformed(draw));
        pass.set_vertex_buffer(1, self.geometry(draw).attributes.slice(..));
        pass.set_vertex_buffer(2, groups.placements.slice(..));
        pass.set_index_buffer(groups.triangles.slice(..), wgpu::IndexFormat::Uint32);
        let (instance, n_instances) = draw.placements;
        pass.draw_indexed(first..first + n, 0, instance..instance + n_instances);
    }

    /// Draws one primitive of one instance, of several instances, or of agents. Pipeline and groups must be bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, groups: &FrameGroups, draw: &Draw) {
        let resident = self.resident(draw.slot);
        let piece = &resident.pieces[draw.piece as usize];
        let geometry = &resident.geometries[piece.geometry];
        let (indices, n_indices) = geometry.level(draw.level);
        if n_indices == 0 {
            return;
        }
        if !draw.style.is_agent {
            pass.set_vertex_buffer(0, self.deformed(draw));
            pass.set_vertex_buffer(2, groups.placements.slice(..));
        } else if let Some(at_rest) = &piece.at_rest {
            pass.set_vertex_buffer(0, at_rest.slice(..));
            pass.set_vertex_buffer(2, groups.agents.slice(..));
        } else {
            return;
        }
        let (first, n) = draw.placements;
        pass.set_vertex_buffer(1, geometry.attributes.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..n_indices, 0, first..first + n);
    }

    /// Adds a message about an object that could not be drawn, once.
    pub fn report_problem(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            tracing::warn!("{problem}");
            self.problems.push(problem);
        }
    }

    /// Adds a message about reduced quality, once.
    pub fn report_reduced_quality(&mut self, what: String) {
        if self.reported.insert(what.clone()) {
            self.lessened.push(what);
        }
    }

    /// Returns the messages about reduced quality since the last call, without repetition.
    pub fn take_lessened(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lessened)
    }

    /// Iterates over the models in GPU memory.
    pub fn residents(&self) -> impl Iterator<Item = &Resident> {
        self.slots.iter().flatten()
    }

    /// Returns the messages about objects that could not be drawn since the last call, without repetition.
    pub fn take_problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.problems)
    }

    /// Drops all models.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.by_uid.clear();
    }

    /// Number of models in GPU memory.
    pub fn len(&self) -> usize {
        self.by_uid.len()
    }

    fn upload(&mut self, gpu: &Gpu, layouts: &Layouts, mips: &MipPass, model: &Model) -> Resident {
        let _phase = info_span!(target: PHASE, "upload", model = %model.name).entered();
        let materials = self.upload_materials(gpu, layouts, mips, model);
        let (mut geometries, made) = self.upload_geometries(gpu, layouts, model);
        let palette = PaletteLayout::new(model);
        let mut pieces = Vec::new();
        let mut first_weight = 0;
        for (part_idx, part) in model.parts.iter().enumerate() {
            let mesh = &model.meshes[part.mesh];
            let n_joints = part.skin.map_or(1, |skin| model.skins[skin].joints.len());
            for (p, primitive) in mesh.primitives.iter().enumerate() {
                let Some(geometry) = made[part.mesh][p] else {
                    continue;
                };
                let source = PieceSource {
                    part_idx,
                    part,
                    primitive_idx: p,
                    primitive,
                    palette: (palette.part_start[part_idx], n_joints as u32),
                    first_weight,
                    needs_tangents: needs_tangents(primitive, &materials),
                    max_bytes: gpu.device.limits().max_storage_buffer_binding_size,
                };
                let is_skinned = part.skin.is_some() && geometries[geometry].n_influences > 0;
                match part.skinning_mode {
                    SkinningMode::SmallPalette(most) if is_skinned => {
                        let mut lacks = |why| {
                            self.problems.push(format!(
                                "{}: part {:?}, primitive {p}: one piece is not drawn: {why}",
                                model.name, part.name
                            ));
                        };
                        for (cut, primitive) in cut(primitive, most) {
                            match Geometry::new(gpu, layouts, &primitive) {
                                Ok(geometry) => {
                                    pieces.push(source.piece(geometries.len(), &geometry, cut));
                                    geometries.push(geometry);
                                }
                                Err(why) => lacks(why),
                            }
                        }
                    }
                    mode => {
                        let cut =
                            PrimitiveCut::none(whole_mode(mode, is_skinned, gpu.is_software()));
                        pieces.push(source.piece(geometry, &geometries[geometry], cut));
                    }
                }
            }
            first_weight += mesh.morph_names.len() as u32;
        }
        for problem in &self.problems {
            tracing::warn!("{problem}");
        }
        Resident {
            uid: model.uid,
            palette,
            n_morph_weights: first_weight,
            geometries,
            pieces,
            materials,
            instances: Vec::new(),
            last_seen: self.frame,
        }
    }

    fn upload_materials(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        mips: &MipPass,
        model: &Model,
    ) -> Vec<ResidentMaterial> {
        let white = self.white.each_ref();
        let mut maker = MaterialMaker::new(gpu, layouts, mips, &mut self.samplers, white);
        let materials = model.materials.iter();
        let materials = materials
            .map(|material| maker.make(material, &model.images))
            .collect();
        for what in maker.into_lessened() {
            self.report_reduced_quality(format!("{}: {what}", model.name));
        }
        materials
    }

    /// Uploads the primitives of a model. Also returns, per mesh and primitive, the index of its geometry; `None` if it is
    /// not drawn.
    fn upload_geometries(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        model: &Model,
    ) -> (Vec<Geometry>, Vec<Vec<Option<usize>>>) {
        let mut geometries = Vec::new();
        let made = model.meshes.iter().map(|mesh| {
            let primitives = mesh.primitives.iter().enumerate();
            let of_mesh = primitives.map(|(p, primitive)| {
                if primitive.indices.is_empty() || primitive.positions.is_empty() {
                    return None;
                }
                let geometry = if primitive.material >= model.materials.len() {
                    Err("it has no material".to_owned())
                } else {
                    Geometry::new(gpu, layouts, primitive).map_err(|why| why.to_string())
                };
                match geometry {
                    Ok(geometry) => {
                        geometries.push(geometry);
                        Some(geometries.len() - 1)
                    }
                    Err(why) => {
                        self.problems.push(format!(
                            "{}: mesh {:?}, primitive {p} is not drawn: {why}",
                            model.name, mesh.name
                        ));
                        None
                    }
                }
            });
            of_mesh.collect()
        });
        let made = made.collect();
        (geometries, made)
    }
}

/// One primitive of one part, from which pieces are made.
struct PieceSource<'a> {
    part_idx: usize,
    part: &'a Part,
    primitive_idx: usize,
    primitive: &'a Primitive,
    /// Same as [`PartPrimitive::palette`].
    palette: (u32, u32),
    first_weight: u32,
    /// At least one material reads tangents that the primitive lacks.
    needs_tangents: bool,
    /// Size limit of a storage buffer.
    max_bytes: u64,
}

impl PieceSource<'_> {
    /// Creates a piece that draws `geometry`, whose index is `geometry_idx`.
    fn piece(&self, geometry_idx: usize, geometry: &Geometry, cut: PrimitiveCut) -> PartPrimitive {
        let Self {
            part, primitive, ..
        } = *self;
        let bytes = u64::from(geometry.n_vertices) * DEFORMED_FLOATS * 4;
        PartPrimitive {
            part: self.part_idx,
            primitive: self.primitive_idx,
            geometry: geometry_idx,
            material: primitive.material,
            variants: primitive.variants.clone(),
            n_influences: part.skin.map_or(0, |_| geometry.n_influences),
            palette: self.palette,
            first_weight: self.first_weight,
            skinning: part.skinning,
            mode: cut.mode,
            is_fine: part.is_fine,
            bones: cut.bones,
            vertices: cut.vertices,
            lost: cut.lost,
            own: (cut.mode == SkinningMode::Cpu && self.needs_tangents)
                .then(|| with_tangents(primitive)),
            level: 0,
            levels_apart: 0,
            at_rest: None,
            chunks: Vec::new(),
            before: PreviousVertices::default(),
            chunk_capacity: (self.max_bytes / bytes).clamp(1, 65535) as u32,
        }
    }
}

/// Returns true if the primitive has no tangents and at least one of its materials reads them.
fn needs_tangents(primitive: &Primitive, materials: &[ResidentMaterial]) -> bool {
    let used = primitive.variants.iter().map(|(_, material)| *material);
    let mut used = used.chain([primitive.material]);
    let has_strands = |class| matches!(class, Class::Hair | Class::Eye);
    primitive.tangents.is_empty()
        && used.any(|i| materials.get(i).is_some_and(|m| has_strands(m.plain.class)))
}

/// Skinning technique of a piece that is a whole primitive. On a software renderer, CPU code deforms about a hundred times
/// as fast as shaders.
fn whole_mode(mode: SkinningMode, is_skinned: bool, is_software: bool) -> SkinningMode {
    match mode {
        SkinningMode::Cpu if is_skinned || is_software => SkinningMode::Cpu,
        SkinningMode::Auto if is_software => SkinningMode::Cpu,
        _ => SkinningMode::IndexedPalette,
    }
}
