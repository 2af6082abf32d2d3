//! Render targets of a frame.

use super::attachments::color;
use super::formats::{DEPTH, HDR, NORMALS, OCCLUSION, TONED};
use super::options::RenderOptions;
use galatea_math::clamp::ClampTo as _;

/// Maximum number of bloom levels.
const MAX_BLOOM_LEVELS: u32 = 6;

/// Textures of the size of the image.
pub struct Targets {
    /// Output size, pixels.
    pub size: (u32, u32),
    /// Render size, pixels.
    pub lit_size: (u32, u32),
    /// Target of meshes, ground and sky.
    color: wgpu::TextureView,
    /// Resolved colour, if `color` is multisampled.
    resolved: Option<wgpu::TextureView>,
    /// Depth of `color`.
    pub depth: wgpu::TextureView,
    /// Inputs and outputs of ambient occlusion.
    pub surface: Option<SurfaceTargets>,
    /// Bloom levels: a quarter of the lit size, then half of that and so on.
    pub bloom: Vec<wgpu::TextureView>,
    /// Tone-mapped, before smoothing.
    pub toned: Option<wgpu::TextureView>,
}

/// Depth and normals of the visible surface, and its occlusion.
pub struct SurfaceTargets {
    /// Size, texels.
    pub size: (u32, u32),
    pub depth: wgpu::TextureView,
    pub normals: wgpu::TextureView,
    pub raw: wgpu::TextureView,
    pub occlusion: wgpu::TextureView,
}

impl Targets {
    pub fn new(device: &wgpu::Device, size: (u32, u32), options: &RenderOptions) -> Self {
        let largest = device.limits().max_texture_dimension_2d;
        let scaled =
            |pixels: u32| ((pixels as f32 * options.scale).round() as u32).clamp_to(1, largest);
        let lit_size = (scaled(size.0), scaled(size.1));
        let sampled = wgpu::TextureUsages::TEXTURE_BINDING;
        let make = |label, size, format, samples, usage| {
            texture(device, label, size, format, samples, usage)
        };
        let msaa = options.msaa;
        let (color, resolved) = if msaa > 1 {
            let color = make("lit samples", lit_size, HDR, msaa, sampled);
            (color, Some(make("lit", lit_size, HDR, 1, sampled)))
        } else {
            (make("lit", lit_size, HDR, 1, sampled), None)
        };
        let surface = (options.occlusion > 0).then(|| {
            let part = |pixels: u32| pixels.div_ceil(options.occlusion);
            let size = (part(lit_size.0), part(lit_size.1));
            let make = |label, format| make(label, size, format, 1, sampled);
            SurfaceTargets {
                size,
                depth: make("surface depth", DEPTH),
                normals: make("surface normals", NORMALS),
                raw: make("raw occlusion", OCCLUSION),
                occlusion: make("occlusion", OCCLUSION),
            }
        });
        let mut bloom = Vec::new();
        let mut level = (lit_size.0.div_ceil(4), lit_size.1.div_ceil(4));
        while options.bloom && (bloom.len() as u32) < MAX_BLOOM_LEVELS && level.0.min(level.1) >= 2
        {
            bloom.push(make("bloom", level, HDR, 1, sampled));
            level = (level.0.div_ceil(2), level.1.div_ceil(2));
        }
        Self {
            size,
            lit_size,
            depth: make("depth", lit_size, DEPTH, msaa, sampled),
            color,
            resolved,
            surface,
            bloom,
            toned: options
                .smooths
                .then(|| make("toned", size, TONED, 1, sampled)),
        }
    }

    /// The lit image, one sample per pixel.
    pub fn lit(&self) -> &wgpu::TextureView {
        self.resolved.as_ref().unwrap_or(&self.color)
    }

    /// Multisampled colour and its resolve target; `None` without multisampling.
    pub fn samples(&self) -> Option<(&wgpu::TextureView, &wgpu::TextureView)> {
        self.resolved
            .as_ref()
            .map(|resolved| (&self.color, resolved))
    }

    /// Begins the pass that draws meshes, ground and sky. Its depth is stored if a later pass reads it.
    pub fn begin<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        timing: Option<wgpu::RenderPassTimestampWrites<'_>>,
        keeps_depth: bool,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("lit"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: if keeps_depth {
                        wgpu::StoreOp::Store
                    } else {
                        wgpu::StoreOp::Discard
                    },
                }),
                stencil_ops: None,
            }),
            timestamp_writes: timing,
            ..Default::default()
        })
    }

    /// Begins a pass that draws on top and may read the depth.
    pub fn begin_over<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        timing: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("blended"),
            color_attachments: &[color(&self.color, wgpu::LoadOp::Load)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: None,
                stencil_ops: None,
            }),
            timestamp_writes: timing,
            ..Default::default()
        })
    }
}

/// Creates a 2D render target and returns its view.
pub fn texture(
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
