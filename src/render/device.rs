//! The device, and what it remembers of pipelines from one run to the next.

use std::ops::Deref;

/// A device; every pipeline that is made with it goes through the cache that was recalled, if any.
#[derive(Clone, Debug)]
pub struct Device {
    plain: wgpu::Device,
    cache: Option<wgpu::PipelineCache>,
}

/// What a driver made of shaders, to be kept in a file.
#[derive(Clone, Debug)]
pub struct PipelineCache {
    cache: wgpu::PipelineCache,
}

impl PipelineCache {
    /// What is to be handed to [`Gpu::recall_pipelines`](super::Gpu::recall_pipelines) of the same adapter in
    /// another run; `None` when the driver gives nothing.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        self.cache.get_data()
    }
}

impl Device {
    pub(super) fn new(plain: wgpu::Device) -> Self {
        Self { plain, cache: None }
    }

    /// Begins to remember, with what `bytes` hold of an earlier run; bytes of another driver or version count as
    /// none. `None` when the device cannot.
    pub(super) fn recall(&mut self, bytes: Option<&[u8]>) -> Option<PipelineCache> {
        if !self.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let descriptor = wgpu::PipelineCacheDescriptor {
            label: Some("pipelines"),
            data: bytes,
            fallback: true,
        };
        // SAFETY: the bytes come from `PipelineCache::bytes` by way of a file whose checksum is right; those
        // of another adapter or driver are refused by their header.
        let cache = unsafe { self.plain.create_pipeline_cache(&descriptor) };
        self.cache = Some(cache.clone());
        Some(PipelineCache { cache })
    }

    /// As [`wgpu::Device::create_render_pipeline`], through the cache.
    pub(super) fn create_render_pipeline(
        &self,
        descriptor: &wgpu::RenderPipelineDescriptor<'_>,
    ) -> wgpu::RenderPipeline {
        let cache = self.cache.as_ref();
        self.plain
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                cache,
                ..descriptor.clone()
            })
    }

    /// As [`wgpu::Device::create_compute_pipeline`], through the cache.
    pub(super) fn create_compute_pipeline(
        &self,
        descriptor: &wgpu::ComputePipelineDescriptor<'_>,
    ) -> wgpu::ComputePipeline {
        let cache = self.cache.as_ref();
        self.plain
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                cache,
                ..descriptor.clone()
            })
    }
}

impl Deref for Device {
    type Target = wgpu::Device;

    fn deref(&self) -> &wgpu::Device {
        &self.plain
    }
}
