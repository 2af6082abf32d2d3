//! Maps that the lit passes sample: shadows, ground contact, environment.

use super::environment::EnvironmentMap;
use super::formats::{DEPTH, OPENNESS};
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::options::RenderOptions;
use super::tables;
use super::targets::texture;
use wgpu::BindingResource as Resource;

/// Maps that persist between frames.
pub struct Maps {
    /// Shadow map of the sun, one view per cascade.
    pub sun_layers: Vec<wgpu::TextureView>,
    sun: wgpu::TextureView,
    /// Shadow atlas of point and spot lights, one texel until there is such a light.
    pub local_lights: wgpu::TextureView,
    local_lights_size: u32,
    /// Depth map of objects on the ground, seen from below.
    pub below: wgpu::TextureView,
    /// Group 1 of `contact`: `below`.
    pub below_group: wgpu::BindGroup,
    /// Sky visibility of the ground, at half the size of `below`.
    pub openness: wgpu::TextureView,
    pub environment: EnvironmentMap,
    tables: wgpu::TextureView,
    /// Replaces the occlusion map if there is none.
    open: wgpu::TextureView,
    compare: wgpu::Sampler,
    /// Linear sampler, also between mip levels, clamped to the edge.
    pub linear: wgpu::Sampler,
}

impl Maps {
    /// Creates the maps at the largest size that fits into the device's memory. Returns them with the options used, and a
    /// message about the reduction if there is one.
    pub fn fitting(
        gpu: &Gpu,
        layouts: &Layouts,
        options: RenderOptions,
    ) -> (Self, RenderOptions, Option<String>) {
        let mut fitted = options;
        loop {
            let Some(maps) = gpu.within_memory(|| Self::new(gpu, layouts, &fitted)) else {
                match fitted.with_smaller_maps() {
                    Some(smaller) => fitted = smaller,
                    None => break,
                }
                continue;
            };
            let lessened = (fitted != options).then(|| {
                format!(
                    "shadow maps have {} and {} texels per side (sun, lights) instead of {} and {}: the graphics device has too little memory",
                    fitted.shadow_size,
                    fitted.light_shadow_size.0,
                    options.shadow_size,
                    options.light_shadow_size.0
                )
            });
            return (maps, fitted, lessened);
        }
        let lessened = "the graphics device has too little memory for shadow maps".to_owned();
        (Self::new(gpu, layouts, &fitted), fitted, Some(lessened))
    }

    fn new(gpu: &Gpu, layouts: &Layouts, options: &RenderOptions) -> Self {
        let device = &gpu.device;
        let usage = wgpu::TextureUsages::TEXTURE_BINDING;
        let make = |label, size, format| square(device, label, size, format);
        let sun = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("sun"),
            size: wgpu::Extent3d {
                width: options.shadow_size,
                height: options.shadow_size,
                depth_or_array_layers: options.cascades.max(1),
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let layer = |i| {
            sun.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: i,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        let linear = wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        };
        let compare = wgpu::SamplerDescriptor {
            compare: Some(wgpu::CompareFunction::LessEqual),
            mipmap_filter: wgpu::MipmapFilterMode::Nearest,
            ..linear.clone()
        };
        let below = make("below", options.contact_size, DEPTH);
        Self {
            sun_layers: (0..options.cascades).map(layer).collect(),
            sun: sun.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            }),
            local_lights: local_lights(device, 1),
            local_lights_size: 1,
            below_group: bind(
                device,
                "below",
                &layouts.depth,
                &[Resource::TextureView(&below)],
            ),
            below,
            openness: make("openness", options.contact_size / 2, OPENNESS),
            environment: EnvironmentMap::none(gpu),
            tables: tables::upload(gpu),
            open: make("open", 1, wgpu::TextureFormat::Rgba16Float),
            compare: device.create_sampler(&compare),
            linear: device.create_sampler(&linear),
        }
    }

    /// Creates the shadow atlas of point and spot lights unless it has the given size, texels per side. Groups of
    /// [`Maps::group`] then become invalid.
    pub fn resize_local_lights(&mut self, gpu: &Gpu, size: u32) -> AtlasChange {
        let size = size.max(1);
        if size == self.local_lights_size {
            return AtlasChange::Unchanged;
        }
        match gpu.within_memory(|| local_lights(&gpu.device, size)) {
            Some(made) => {
                (self.local_lights, self.local_lights_size) = (made, size);
                AtlasChange::Resized
            }
            None => AtlasChange::OutOfMemory,
        }
    }

    /// Group 1 of the lit passes. `occlusion` is the map of this frame, if there is one.
    pub fn group(
        &self,
        device: &wgpu::Device,
        layouts: &Layouts,
        occlusion: Option<&wgpu::TextureView>,
    ) -> wgpu::BindGroup {
        bind(
            device,
            "maps",
            &layouts.maps,
            &[
                Resource::TextureView(&self.sun),
                Resource::Sampler(&self.compare),
                Resource::TextureView(&self.openness),
                Resource::Sampler(&self.linear),
                Resource::TextureView(&self.local_lights),
                Resource::TextureView(occlusion.unwrap_or(&self.open)),
                Resource::TextureView(&self.environment.view),
                Resource::TextureView(&self.tables),
            ],
        )
    }
}

/// Result of [`Maps::resize_local_lights`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtlasChange {
    Unchanged,
    Resized,
    OutOfMemory,
}

fn local_lights(device: &wgpu::Device, size: u32) -> wgpu::TextureView {
    square(device, "local lights", size, DEPTH)
}

fn square(
    device: &wgpu::Device,
    label: &'static str,
    size: u32,
    format: wgpu::TextureFormat,
) -> wgpu::TextureView {
    let usage = wgpu::TextureUsages::TEXTURE_BINDING;
    texture(device, label, (size, size), format, 1, usage)
}
