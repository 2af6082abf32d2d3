//! Particles of a frame: culling, sorting, and their sprite sheets in GPU memory.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use super::draw::Draw;
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::pass::mip::MipPass;
use super::texture::upload_array;
use super::uniforms::{ParticleInstance, particle_flag};
use super::view::{sphere_is_seen, view_planes};
use galatea_stage::frame::{Frame, Sprite, SpriteSheet};

/// Minimum distance to the eye, metres. A nearer particle would cover the image.
const MIN_DISTANCE: f32 = 0.05;

/// Particles of one frame.
#[derive(Default)]
pub struct Particles {
    /// Particles from far to near.
    pub instances: Vec<ParticleInstance>,
    /// Distance of each particle along the view, metres.
    distances: Vec<f32>,
    order: Vec<(f32, u32)>,
    sheet: Option<SheetTexture>,
}

/// Sprite sheet cells in GPU memory.
struct SheetTexture {
    /// Requested sheets. `pictures` holds as many of them as fit.
    requested: Vec<Arc<SpriteSheet>>,
    pictures: Vec<Arc<SpriteSheet>>,
    /// Group 3 of `particles`.
    group: wgpu::BindGroup,
}

impl Particles {
    /// Culls and sorts the particles of a frame. Returns a message about sheets that do not fit.
    pub fn build(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        mips: &MipPass,
        frame: &Frame,
        size: (u32, u32),
    ) -> Option<String> {
        self.instances.clear();
        self.distances.clear();
        // Debug views show no particles.
        if frame.particles.is_empty() || frame.view.is_some() {
            return None;
        }
        let problem = self.ensure_sheet(gpu, layouts, mips, frame);
        let Some(sheet) = &self.sheet else {
            return problem;
        };
        let planes = view_planes(&frame.camera, size);
        let eye = frame.camera.eye;
        let forward = (frame.camera.target - eye).normalize_or_zero();
        self.order.clear();
        for (i, sprite) in frame.particles.iter().enumerate() {
            let along = forward.dot(sprite.position - eye);
            let reach = (sprite.size + sprite.along.length()) * 0.75;
            let is_seen = along > MIN_DISTANCE
                && sprite.color.w > 0.0
                && sprite.size > 0.0
                && sphere_is_seen(&planes, (sprite.position, reach));
            if is_seen {
                self.order.push((along, i as u32));
            }
        }
        self.order
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(along, i) in &self.order {
            let sprite = &frame.particles[i as usize];
            let picture = frame.particle_pictures.get(usize::from(sprite.texture));
            let Some(first) = picture.and_then(|picture| sheet.first_of(picture)) else {
                continue;
            };
            self.distances.push(along);
            self.instances.push(instance(sprite, first));
        }
        problem
    }

    fn ensure_sheet(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        mips: &MipPass,
        frame: &Frame,
    ) -> Option<String> {
        let needed = &frame.particle_pictures;
        let known = self.sheet.as_ref();
        let touches = |sheet: &SheetTexture| needed.iter().all(|p| sheet.first_of(p).is_some());
        let is_requested = |sheet: &SheetTexture| {
            let both = sheet.requested.iter().zip(needed);
            sheet.requested.len() == needed.len()
                && both.fold(true, |same, (a, b)| same & Arc::ptr_eq(a, b))
        };
        if known.is_some_and(|sheet| touches(sheet) || is_requested(sheet)) {
            return None;
        }
        // Existing sheets stay while there is room.
        let limit = gpu.device.limits().max_texture_array_layers as usize;
        let mut pictures: Vec<Arc<SpriteSheet>> = Vec::new();
        let mut n_cells = 0;
        let existing = known.map(|sheet| sheet.pictures.as_slice());
        for picture in needed.iter().chain(existing.unwrap_or_default()) {
            let is_there = pictures.iter().any(|own| Arc::ptr_eq(own, picture));
            if !is_there && n_cells + picture.cells.len() <= limit {
                n_cells += picture.cells.len();
                pictures.push(picture.clone());
            }
        }
        let cells: Vec<_> = pictures.iter().flat_map(|p| p.cells.iter()).collect();
        let uploaded = upload_array(gpu, mips, &cells, true);
        self.sheet = uploaded.view.map(|view| SheetTexture {
            group: bind(
                &gpu.device,
                "particle pictures",
                &layouts.cells,
                &[
                    wgpu::BindingResource::TextureView(&view),
                    wgpu::BindingResource::Sampler(&sampler(gpu)),
                ],
            ),
            requested: needed.clone(),
            pictures,
        });
        let fits = self.sheet.as_ref().is_some_and(touches);
        (!fits).then(|| {
            "particles use more textures than the graphics device supports; some are not drawn"
                .to_owned()
        })
    }

    /// Group 3 of `particles`.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.sheet.as_ref().map(|sheet| &sheet.group)
    }

    /// Ranges of particles to draw before each blended draw, and a last range after all draws. Particles and `blended` are
    /// both sorted from far to near.
    pub fn interleaved_ranges(&self, blended: &[Draw]) -> Vec<Range<u32>> {
        let mut interleaved_ranges = Vec::with_capacity(blended.len() + 1);
        let mut next = 0;
        for draw in blended {
            let farther = self.distances[next..].partition_point(|along| *along > draw.distance);
            interleaved_ranges.push(next as u32..(next + farther) as u32);
            next += farther;
        }
        interleaved_ranges.push(next as u32..self.distances.len() as u32);
        interleaved_ranges
    }
}

impl SheetTexture {
    /// First layer of a sheet's cells.
    fn first_of(&self, picture: &Arc<SpriteSheet>) -> Option<u32> {
        let mut first = 0;
        for own in &self.pictures {
            if Arc::ptr_eq(own, picture) {
                return Some(first);
            }
            first += own.cells.len() as u32;
        }
        None
    }
}

fn instance(sprite: &Sprite, first: u32) -> ParticleInstance {
    let flags = if sprite.is_flat {
        particle_flag::LIES
    } else {
        0
    };
    let color = sprite.color.truncate().max(Vec3::ZERO);
    ParticleInstance {
        at: sprite.position.to_array(),
        size: sprite.size,
        along: sprite.along.to_array(),
        turn: sprite.rotation,
        color: color.extend(sprite.color.w).to_array(),
        looks: [
            sprite.emissive_strength,
            sprite.soft_distance,
            sprite.gloss,
            sprite.translucency,
        ],
        layer: first + u32::from(sprite.cell),
        flags,
    }
}

fn sampler(gpu: &Gpu) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("particles"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    })
}
