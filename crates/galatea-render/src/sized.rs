//! Size-dependent resources: targets, and the bind groups that read them.

use wgpu::BindingResource as Resource;

use super::buffers::GrowBuffer;
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::maps::Maps;
use super::options::RenderOptions;
use super::pass::bloom::BloomGroups;
use super::pass::exposure::Adaptation;
use super::pass::occlusion::OcclusionGroups;
use super::targets::{SurfaceTargets, Targets};

/// Bloom level from which exposure adaptation is measured: 1/16 of the lit size.
const MEASURED_LEVEL: usize = 2;

/// Targets of one size, and the bind groups that read them.
pub struct SizedTargets {
    pub targets: Targets,
    /// Group 1 of the lit passes.
    pub maps: wgpu::BindGroup,
    /// Group 2 of `particles`.
    pub depth: wgpu::BindGroup,
    occlusion: Option<OcclusionGroups>,
    pub bloom: Option<BloomGroups>,
    /// Group 0 of `exposure`.
    pub exposure: Option<wgpu::BindGroup>,
    /// Group 1 of `resolve`.
    resolve: Option<wgpu::BindGroup>,
    /// Group 1 of `tonemap`.
    pub tonemap: wgpu::BindGroup,
    /// Group 1 of `smooth`.
    smooth: Option<wgpu::BindGroup>,
}

impl SizedTargets {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        maps: &Maps,
        finish: &GrowBuffer,
        adaptation: &Adaptation,
        size: (u32, u32),
        options: &RenderOptions,
    ) -> Self {
        let device = &gpu.device;
        let targets = Targets::new(device, size, options);
        let surface = targets.surface.as_ref();
        let levels = &targets.bloom;
        let scattered = levels.first().unwrap_or_else(|| targets.lit());
        let finish = || finish.buffer().as_entire_binding();
        Self {
            maps: maps.group(device, layouts, surface.map(|surface| &surface.occlusion)),
            depth: bind(
                device,
                "depth",
                if options.msaa > 1 {
                    &layouts.depth_samples
                } else {
                    &layouts.depth
                },
                &[Resource::TextureView(&targets.depth)],
            ),
            occlusion: surface.map(|surface| OcclusionGroups::new(device, layouts, surface)),
            bloom: (!levels.is_empty())
                .then(|| BloomGroups::new(device, layouts, &maps.linear, targets.lit(), levels)),
            exposure: levels
                .get(MEASURED_LEVEL.min(levels.len().saturating_sub(1)))
                .map(|level| adaptation.group(device, layouts, level)),
            resolve: targets.samples().map(|(samples, _)| {
                let resources = [
                    finish(),
                    Resource::TextureView(samples),
                    adaptation.adapted.as_entire_binding(),
                ];
                bind(device, "resolve", &layouts.resolve, &resources)
            }),
            tonemap: bind(
                device,
                "tonemap",
                &layouts.tonemap,
                &[
                    finish(),
                    Resource::TextureView(targets.lit()),
                    Resource::TextureView(scattered),
                    Resource::Sampler(&maps.linear),
                    adaptation.adapted.as_entire_binding(),
                ],
            ),
            smooth: targets.toned.as_ref().map(|toned| {
                let resources = [
                    finish(),
                    Resource::TextureView(toned),
                    Resource::Sampler(&maps.linear),
                ];
                bind(device, "smooth", &layouts.smooth, &resources)
            }),
            targets,
        }
    }

    /// Tone-mapped target before smoothing, and group 1 of `smooth`; `None` without smoothing.
    pub fn smoothed(&self) -> Option<(&wgpu::TextureView, &wgpu::BindGroup)> {
        self.targets.toned.as_ref().zip(self.smooth.as_ref())
    }

    /// Resolve target, and group 1 of `resolve`; `None` without multisampling.
    pub fn resolved(&self) -> Option<(&wgpu::TextureView, &wgpu::BindGroup)> {
        let (_, resolved) = self.targets.samples()?;
        Some(resolved).zip(self.resolve.as_ref())
    }

    /// Inputs of ambient occlusion; `None` if it is off.
    pub fn occlusion(&self) -> Option<(&SurfaceTargets, &OcclusionGroups)> {
        self.targets.surface.as_ref().zip(self.occlusion.as_ref())
    }
}
