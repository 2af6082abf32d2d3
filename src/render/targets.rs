//! The textures a picture is drawn into before it is shown.

use super::layouts::{Layouts, bind};
use super::pass::{CONTACT_SIZE, DEPTH, HDR, OPENNESS};

/// Textures of the size of the picture.
pub struct Targets {
    pub size: (u32, u32),
    /// Where meshes, ground and sky are drawn.
    pub color: wgpu::TextureView,
    /// One sample per pixel, when `color` has more.
    pub resolved: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    /// Group 1 of `tonemap`.
    pub hdr: wgpu::BindGroup,
}

impl Targets {
    pub fn new(device: &wgpu::Device, layouts: &Layouts, size: (u32, u32), msaa: u32) -> Self {
        let sampled = wgpu::TextureUsages::TEXTURE_BINDING;
        let make =
            |label, format, samples, usage| texture(device, label, size, format, samples, usage);
        let (color, resolved) = if msaa > 1 {
            let color = make("hdr samples", HDR, msaa, wgpu::TextureUsages::empty());
            (color, Some(make("hdr", HDR, 1, sampled)))
        } else {
            (make("hdr", HDR, 1, sampled), None)
        };
        let hdr = bind(
            device,
            "hdr",
            &layouts.picture,
            &[wgpu::BindingResource::TextureView(
                resolved.as_ref().unwrap_or(&color),
            )],
        );
        Self {
            size,
            depth: make("depth", DEPTH, msaa, wgpu::TextureUsages::empty()),
            color,
            resolved,
            hdr,
        }
    }

    /// Begins the pass that draws meshes, ground and sky.
    pub fn begin<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: self.resolved.as_ref(),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: if self.resolved.is_some() {
                        wgpu::StoreOp::Discard
                    } else {
                        wgpu::StoreOp::Store
                    },
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}

/// The sun's map and the maps of what stands on the ground.
pub struct ShadowMaps {
    /// Depth from the sun.
    pub sun: wgpu::TextureView,
    /// Depth from below the ground.
    pub below: wgpu::TextureView,
    /// Group 1 of `contact`: `below`.
    pub below_group: wgpu::BindGroup,
    /// How much of the sky the ground sees; half as large as `below`.
    pub openness: wgpu::TextureView,
    /// Group 1 of `mesh` and `ground`.
    pub group: wgpu::BindGroup,
}

impl ShadowMaps {
    pub fn new(device: &wgpu::Device, layouts: &Layouts, sun_size: u32) -> Self {
        let usage = wgpu::TextureUsages::TEXTURE_BINDING;
        let make = |label, size, format| texture(device, label, (size, size), format, 1, usage);
        let sun = make("sun", sun_size, DEPTH);
        let below = make("below", CONTACT_SIZE, DEPTH);
        let openness = make("openness", CONTACT_SIZE / 2, OPENNESS);
        let linear = wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        };
        let compare = device.create_sampler(&wgpu::SamplerDescriptor {
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..linear.clone()
        });
        let filter = device.create_sampler(&linear);
        let group = bind(
            device,
            "shadow maps",
            &layouts.shadow,
            &[
                wgpu::BindingResource::TextureView(&sun),
                wgpu::BindingResource::Sampler(&compare),
                wgpu::BindingResource::TextureView(&openness),
                wgpu::BindingResource::Sampler(&filter),
            ],
        );
        let below_group = bind(
            device,
            "below",
            &layouts.depth,
            &[wgpu::BindingResource::TextureView(&below)],
        );
        Self {
            sun,
            below,
            below_group,
            openness,
            group,
        }
    }
}

fn texture(
    device: &wgpu::Device,
    label: &str,
    size: (u32, u32),
    format: wgpu::TextureFormat,
    samples: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    device
        .create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d {
                width: size.0,
                height: size.1,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        })
        .create_view(&wgpu::TextureViewDescriptor::default())
}
