//! The passes of a frame, one file each, named like its shader. `pipeline` holds the code shared by the passes into the lit
//! image.

pub mod bloom;
pub mod contact;
pub mod deform;
pub mod exposure;
mod full_screen;
pub mod geometry;
pub mod ground;
pub mod impostors;
pub mod lines;
pub mod mesh;
pub mod mip;
pub mod occlusion;
pub mod overdraw;
pub mod particles;
mod pipeline;
pub mod prepass;
pub mod resolve;
pub mod shadow;
pub mod sky;
pub mod smooth;
pub mod strand_points;
pub mod tonemap;
mod vertex_layouts;
pub mod views;
pub mod wire;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::options::RenderOptions;
use super::shader::{ShaderError, ShaderSource};
use super::variants::PipelineCounts;

/// All pipelines. They are replaced together when shaders change.
pub struct Passes {
    pub deform: deform::DeformPass,
    pub shadow: shadow::ShadowPass,
    pub contact: contact::ContactPass,
    pub geometry: geometry::GeometryPass,
    pub occlusion: occlusion::OcclusionPass,
    pub prepass: prepass::Prepass,
    pub strand_points: strand_points::StrandPointsPass,
    pub mesh: mesh::MeshPass,
    pub impostors: impostors::ImpostorsPass,
    pub ground: ground::GroundPass,
    pub sky: sky::SkyPass,
    pub particles: particles::ParticlesPass,
    pub resolve: resolve::ResolvePass,
    pub bloom: bloom::BloomPass,
    pub exposure: exposure::ExposurePass,
    pub tonemap: tonemap::TonemapPass,
    pub smooth: smooth::SmoothPass,
    pub views: views::ViewsPass,
    pub lines: lines::LinesPass,
    pub mip: mip::MipPass,
}

impl Passes {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        options: &RenderOptions,
    ) -> Result<Self, ShaderError> {
        // Shaders are parsed and validated in parallel.
        let mesh = || mesh::MeshPass::new(gpu, layouts, shaders, options);
        let models = || {
            Ok((
                deform::DeformPass::new(gpu, layouts, shaders)?,
                shadow::ShadowPass::new(gpu, layouts, shaders)?,
                contact::ContactPass::new(gpu, layouts, shaders)?,
                geometry::GeometryPass::new(gpu, layouts, shaders)?,
                occlusion::OcclusionPass::new(gpu, layouts, shaders)?,
                prepass::Prepass::new(gpu, layouts, shaders, options)?,
                strand_points::StrandPointsPass::new(gpu, layouts, shaders)?,
            ))
        };
        let scenery = || {
            Ok((
                impostors::ImpostorsPass::new(gpu, layouts, shaders, options.msaa)?,
                ground::GroundPass::new(gpu, layouts, shaders, options.msaa)?,
                sky::SkyPass::new(gpu, layouts, shaders, options.msaa)?,
                particles::ParticlesPass::new(gpu, layouts, shaders, options.msaa)?,
            ))
        };
        let screen = || {
            Ok((
                resolve::ResolvePass::new(gpu, layouts, shaders)?,
                bloom::BloomPass::new(gpu, layouts, shaders)?,
                exposure::ExposurePass::new(gpu, layouts, shaders)?,
                tonemap::TonemapPass::new(gpu, layouts, shaders, output)?,
                smooth::SmoothPass::new(gpu, layouts, shaders, output)?,
                views::ViewsPass::new(gpu, layouts, shaders, output, options)?,
                lines::LinesPass::new(gpu, layouts, shaders, output)?,
                mip::MipPass::new(gpu, layouts, shaders)?,
            ))
        };
        let ((mesh, models), (scenery, screen)) = rayon::join(
            || rayon::join(mesh, models),
            || rayon::join(scenery, screen),
        );
        let (deform, shadow, contact, geometry, occlusion, prepass, strand_points) = models?;
        let (impostors, ground, sky, particles) = scenery?;
        let (resolve, bloom, exposure, tonemap, smooth, views, lines, mip) = screen?;
        Ok(Self {
            deform,
            shadow,
            contact,
            geometry,
            occlusion,
            prepass,
            strand_points,
            mesh: mesh?,
            impostors,
            ground,
            sky,
            particles,
            resolve,
            bloom,
            exposure,
            tonemap,
            smooth,
            views,
            lines,
            mip,
        })
    }
}

impl Passes {
    /// Counts the finished and the compiling specialised pipelines.
    pub fn counts(&self) -> PipelineCounts {
        let counts = [
            self.strand_points.counts(),
            self.mesh.counts(),
            self.impostors.counts(),
            self.ground.counts(),
            self.sky.counts(),
            self.particles.counts(),
            self.tonemap.counts(),
        ];
        counts.into_iter().sum()
    }
}
