//! Materials in GPU memory.

use std::collections::HashMap;

use super::Gpu;
use super::layouts::{Layouts, bind};
use super::pass::mip::MipPass;
use super::plan::Blending;
use super::texture::{Samplers, upload};
use super::uniforms::{self, Slot, flag};
use crate::asset::model::{AlphaMode, Image, Material, Sampler, TextureRef};

/// Pictures of a material.
pub const N_PICTURES: usize = 5;

/// A material ready to bind.
pub struct ResidentMaterial {
    /// Group 2: its pictures.
    pub group: wgpu::BindGroup,
    /// As the file has them.
    pub factors: uniforms::Material,
    pub blending: Blending,
    pub is_double_sided: bool,
    /// Its shadow has holes where alpha is low.
    pub is_cut_out: bool,
}

/// Makes the materials of one model, uploading each picture once.
pub struct MaterialMaker<'a> {
    gpu: &'a Gpu,
    layouts: &'a Layouts,
    mips: &'a MipPass,
    samplers: &'a mut Samplers,
    white: &'a wgpu::TextureView,
    /// By image and whether it is read as sRGB.
    views: HashMap<(usize, bool), Option<wgpu::TextureView>>,
}

impl<'a> MaterialMaker<'a> {
    pub fn new(
        gpu: &'a Gpu,
        layouts: &'a Layouts,
        mips: &'a MipPass,
        samplers: &'a mut Samplers,
        white: &'a wgpu::TextureView,
    ) -> Self {
        Self {
            gpu,
            layouts,
            mips,
            samplers,
            white,
            views: HashMap::new(),
        }
    }

    pub fn make(&mut self, material: &Material, images: &[Image]) -> ResidentMaterial {
        let mut flags = 0;
        let uses = [
            (&material.base_color_texture, true, flag::BASE_COLOR),
            (
                &material.metallic_roughness_texture,
                false,
                flag::METALLIC_ROUGHNESS,
            ),
            (&material.normal_texture, false, flag::NORMAL),
            (&material.occlusion_texture, false, flag::OCCLUSION),
            (&material.emissive_texture, true, flag::EMISSIVE),
        ];
        let mut slots = [slot_of(None); 5];
        let mut bound = Vec::with_capacity(5);
        for (i, (texture, is_srgb, bit)) in uses.into_iter().enumerate() {
            let view = texture.and_then(|texture| self.view(texture.image, is_srgb, images));
            if view.is_some() {
                flags |= bit;
                slots[i] = slot_of(texture.as_ref());
            }
            let sampler = texture.map_or_else(Sampler::default, |texture| texture.sampler);
            let sampler = self.samplers.get(self.gpu, sampler).clone();
            bound.push((view.unwrap_or_else(|| self.white.clone()), sampler));
        }
        let (blending, alpha_cutoff) = match material.alpha {
            AlphaMode::Opaque => (Blending::Opaque, 0.0),
            AlphaMode::Mask(cutoff) => (Blending::CutOut, cutoff),
            AlphaMode::Blend => (Blending::Over, 0.5),
        };
        if blending == Blending::Over {
            flags |= flag::BLEND;
        }
        if material.double_sided {
            flags |= flag::DOUBLE_SIDED;
        }
        if material.unlit {
            flags |= flag::UNLIT;
        }
        let content = uniforms::Material {
            base_color: material.base_color.to_array(),
            emissive: material.emissive().to_array(),
            normal_scale: material.normal_scale,
            metallic: material.metallic,
            roughness: material.roughness,
            occlusion_strength: material.occlusion_strength,
            alpha_cutoff,
            base_color_slot: slots[0],
            metallic_roughness_slot: slots[1],
            normal_slot: slots[2],
            occlusion_slot: slots[3],
            emissive_slot: slots[4],
            flags,
            padding_a: 0,
            padding_b: 0,
            padding_c: 0,
        };
        let mut resources = Vec::with_capacity(bound.len() * 2);
        for (view, sampler) in &bound {
            resources.push(wgpu::BindingResource::TextureView(view));
            resources.push(wgpu::BindingResource::Sampler(sampler));
        }
        ResidentMaterial {
            group: bind(
                &self.gpu.device,
                &material.name,
                &self.layouts.pictures,
                &resources,
            ),
            factors: content,
            blending,
            is_double_sided: material.double_sided,
            is_cut_out: blending != Blending::Opaque,
        }
    }

    fn view(&mut self, image: usize, is_srgb: bool, images: &[Image]) -> Option<wgpu::TextureView> {
        let (gpu, mips) = (self.gpu, self.mips);
        self.views
            .entry((image, is_srgb))
            .or_insert_with(|| upload(gpu, mips, images.get(image)?, is_srgb))
            .clone()
    }
}

fn slot_of(texture: Option<&TextureRef>) -> Slot {
    let Some(texture) = texture else {
        return Slot {
            u_row: [1.0, 0.0, 0.0, 0.0],
            v_row: [0.0, 1.0, 0.0, 0.0],
        };
    };
    let m = texture.uv_transform.matrix();
    let set = if texture.uv_set == 1 { 1.0 } else { 0.0 };
    Slot {
        u_row: [m.x_axis.x, m.y_axis.x, m.z_axis.x, set],
        v_row: [m.x_axis.y, m.y_axis.y, m.z_axis.y, 0.0],
    }
}
