//! Particles of a picture: which of them can be seen, in which order they are drawn, and their pictures in GPU memory.

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

/// Metres before the eye within which particles are not drawn: one would cover the picture.
const NEAREST: f32 = 0.05;

/// Particles of one picture.
#[derive(Default)]
pub struct Particles {
    /// From far to near.
    pub instances: Vec<ParticleInstance>,
    /// Metres along the view of each.
    distances: Vec<f32>,
    order: Vec<(f32, u32)>,
    sheet: Option<SheetTexture>,
}

/// Cells of pictures in GPU memory.
struct SheetTexture {
    /// What it was made for; all of it where the device holds so many.
    asked: Vec<Arc<SpriteSheet>>,
    pictures: Vec<Arc<SpriteSheet>>,
    /// Group 3 of `particles`.
    group: wgpu::BindGroup,
}

impl Particles {
    /// Sorts what can be seen of a frame's particles; says what could not be drawn.
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
        // Views show models.
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
            let along = forward.dot(sprite.at - eye);
            let reach = (sprite.size + sprite.along.length()) * 0.75;
            let is_seen = along > NEAREST
                && sprite.color.w > 0.0
                && sprite.size > 0.0
                && sphere_is_seen(&planes, (sprite.at, reach));
            if is_seen {
                self.order.push((along, i as u32));
            }
        }
        self.order
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(along, i) in &self.order {
            let sprite = &frame.particles[i as usize];
            let picture = frame.particle_pictures.get(usize::from(sprite.picture));
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
        let wanted = &frame.particle_pictures;
        let known = self.sheet.as_ref();
        let holds = |sheet: &SheetTexture| wanted.iter().all(|p| sheet.first_of(p).is_some());
        let is_asked = |sheet: &SheetTexture| {
            let both = sheet.asked.iter().zip(wanted);
            sheet.asked.len() == wanted.len()
                && both.fold(true, |same, (a, b)| same & Arc::ptr_eq(a, b))
        };
        if known.is_some_and(|sheet| holds(sheet) || is_asked(sheet)) {
            return None;
        }
        // Those that are there already stay while there is room.
        let limit = gpu.device.limits().max_texture_array_layers as usize;
        let mut pictures: Vec<Arc<SpriteSheet>> = Vec::new();
        let mut n_cells = 0;
        let kept = known.map(|sheet| sheet.pictures.as_slice());
        for picture in wanted.iter().chain(kept.unwrap_or_default()) {
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
            asked: wanted.clone(),
            pictures,
        });
        let fits = self.sheet.as_ref().is_some_and(holds);
        (!fits).then(|| "particles have more pictures than the graphics device holds".to_owned())
    }

    /// Group 3 of `particles`.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.sheet.as_ref().map(|sheet| &sheet.group)
    }

    /// How draws that blend, from far to near, and particles take turns: for each draw those particles that come before
    /// it, then what is left.
    pub fn turns(&self, blended: &[Draw]) -> Vec<Range<u32>> {
        let mut turns = Vec::with_capacity(blended.len() + 1);
        let mut next = 0;
        for draw in blended {
            let farther = self.distances[next..].partition_point(|along| *along > draw.distance);
            turns.push(next as u32..(next + farther) as u32);
            next += farther;
        }
        turns.push(next as u32..self.distances.len() as u32);
        turns
    }
}

impl SheetTexture {
    /// The layer in which a picture's cells begin.
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
    let flags = if sprite.lies { particle_flag::LIES } else { 0 };
    let color = sprite.color.truncate().max(Vec3::ZERO);
    ParticleInstance {
        at: sprite.at.to_array(),
        size: sprite.size,
        along: sprite.along.to_array(),
        turn: sprite.turn,
        color: color.extend(sprite.color.w).to_array(),
        looks: [sprite.glow, sprite.soft, sprite.gloss, sprite.thin],
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
