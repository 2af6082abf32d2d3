//! Material factors of one frame: those of the model files, and those of instances with changed values.

use bytemuck::bytes_of;

use super::material::{Appearance, ResidentMaterial};
use super::uniforms::{self, GpuMaterial, GpuWrinkles, flag};
use galatea_stage::frame::Frame;

/// Distance between two materials' factors, bytes.
const STRIDE: u32 = (size_of::<GpuMaterial>() as u32).next_multiple_of(256);
/// Distance between two materials' wrinkles, bytes.
const WRINKLES_STRIDE: usize = size_of::<GpuWrinkles>().next_multiple_of(256);

/// Material factors of a frame. Rebuilt in place every frame, model by model.
#[derive(Default)]
pub struct MaterialFactors {
    /// [`GpuMaterial`]s, [`STRIDE`] apart.
    pub factors: Vec<u8>,
    /// [`GpuWrinkles`], [`WRINKLES_STRIDE`] apart; the first entry is unwrinkled skin.
    pub wrinkles: Vec<u8>,
    /// Index of the current model's first file material.
    first: u32,
    /// Changed materials of the current model: instance, material, index of the factors, appearance. Sorted.
    own: Vec<(u32, u16, u32, Appearance)>,
    /// Wrinkled materials of the current model: instance, material, offset of the wrinkles. Sorted.
    folded: Vec<(u32, u16, u32)>,
}

impl MaterialFactors {
    pub fn clear(&mut self) {
        self.factors.clear();
        self.own.clear();
        self.folded.clear();
        self.wrinkles.clear();
        self.wrinkles.resize(WRINKLES_STRIDE, 0);
    }

    /// Adds the materials of a model, and the changed materials of its `instances` (indices into the frame's models).
    pub fn begin_model(
        &mut self,
        materials: &[ResidentMaterial],
        instances: impl Iterator<Item = u32> + Clone,
        frame: &Frame,
    ) {
        self.own.clear();
        self.folded.clear();
        let scale = instances
            .clone()
            .next()
            .map_or(1.0, |instance| mesh_scale(frame, instance));
        self.first = self.factors.len() as u32;
        for material in materials {
            self.push(material.plain.factors, scale, frame.time);
        }
        for instance in instances {
            for own in frame.materials_of(&frame.models[instance as usize]) {
                let Some(material) = materials.get(usize::from(own.material)) else {
                    continue;
                };
                let look = material.with(&own.values);
                let at = self.push(look.factors, mesh_scale(frame, instance), frame.time);
                self.own.push((instance, own.material, at, look));
            }
            self.fold(materials, instance, frame);
        }
    }

    /// Adds the materials of a crowd body, with tint colours on some of them (material, first row, number of rows).
    pub fn begin_agents(
        &mut self,
        materials: &[ResidentMaterial],
        scale: f32,
        time: f64,
        tints: impl Iterator<Item = (u16, u32, u32)>,
    ) {
        self.own.clear();
        self.folded.clear();
        self.first = self.factors.len() as u32;
        let mut tints = tints.peekable();
        for (i, material) in (0..).zip(materials) {
            let mut factors = material.plain.factors;
            if let Some((_, first, n)) = tints.next_if(|tint| tint.0 == i) {
                (factors.first_tint, factors.tints) = (first, n | u32::from(i) << 16);
            }
            self.push(factors, scale, time);
        }
    }

    /// Adds the wrinkles of an instance.
    fn fold(&mut self, materials: &[ResidentMaterial], instance: u32, frame: &Frame) {
        let mut first = frame.models[instance as usize].wrinkle_start as usize;
        for (i, material) in materials.iter().enumerate() {
            let Some(folds) = &material.folds else {
                continue;
            };
            let weights = frame.wrinkle_weights.get(first..).unwrap_or_default();
            first += folds.n_regions();
            let n = folds.n_regions().min(weights.len());
            if weights[..n].iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let at = self.wrinkles.len();
            self.wrinkles
                .extend_from_slice(bytes_of(&folds.with(&weights[..n])));
            self.wrinkles.resize(at + WRINKLES_STRIDE, 0);
            self.folded.push((instance, i as u16, at as u32));
        }
    }

    /// Adds a copy of the factors for a material with decals.
    pub fn stamped(&mut self, factors: u32) -> u32 {
        let from = factors as usize;
        let mut own: GpuMaterial =
            bytemuck::pod_read_unaligned(&self.factors[from..from + size_of::<GpuMaterial>()]);
        own.flags |= flag::DECALS;
        let at = self.factors.len();
        self.factors.extend_from_slice(bytes_of(&own));
        self.factors.resize(at + STRIDE as usize, 0);
        at as u32
    }

    /// Offset of the wrinkles of an instance's material, bytes.
    pub fn wrinkles_of(&self, instance: u32, material: usize) -> u32 {
        let is_it = |own: &(u32, u16, u32)| (own.0, usize::from(own.1));
        let at = self
            .folded
            .binary_search_by_key(&(instance, material), is_it);
        at.map_or(0, |at| self.folded[at].2)
    }

    fn push(&mut self, mut factors: GpuMaterial, scale: f32, time: f64) -> u32 {
        factors.scale = scale;
        factors.toon.time = animated_time(&factors.toon, time);
        let at = self.factors.len();
        self.factors.extend_from_slice(bytes_of(&factors));
        self.factors.resize(at + STRIDE as usize, 0);
        at as u32
    }

    /// Returns the appearance of an instance's material and the offset of its factors in bytes.
    pub fn of<'a>(
        &'a self,
        materials: &'a [ResidentMaterial],
        instance: u32,
        material: usize,
    ) -> (&'a Appearance, u32) {
        let is_it = |own: &(u32, u16, u32, Appearance)| (own.0, usize::from(own.1));
        match self.own.binary_search_by_key(&(instance, material), is_it) {
            Ok(at) => (&self.own[at].3, self.own[at].2),
            Err(_) => (
                &materials[material].plain,
                self.first + material as u32 * STRIDE,
            ),
        }
    }
}

/// Animation time of a toon material's textures, seconds; 0 without animation.
fn animated_time(toon: &uniforms::GpuToon, time: f64) -> f32 {
    if toon.scroll == [0.0; 2] && toon.rotation == 0.0 {
        return 0.0;
    }
    // The time wraps every hour, so the animation stays smooth in long runs.
    (time % 3600.0).max(1e-3) as f32
}

/// Metres of the world per unit of a model's meshes, from its first matrix.
fn mesh_scale(frame: &Frame, instance: u32) -> f32 {
    let model = &frame.models[instance as usize];
    let first = frame.palette.get(model.palette_start as usize);
    let model_from_mesh = first.map_or(1.0, |m| m.matrix3.determinant());
    let world = model.world_from_model.matrix3.determinant();
    (model_from_mesh * world).abs().cbrt().max(1e-6)
}
