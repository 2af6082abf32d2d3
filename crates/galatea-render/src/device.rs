//! The device, and the pipeline cache that it keeps between runs.

use std::ops::Deref;

/// Start of a sealed cache. The checksum and the data follow.
const MAGIC: &[u8; 8] = b"GALPIPE1";

/// A device that creates all pipelines through the restored cache, if there is one.
#[derive(Clone, Debug)]
pub struct Device {
    plain: wgpu::Device,
    cache: Option<wgpu::PipelineCache>,
}

/// Compiled shaders of the driver, to be saved in a file.
#[derive(Clone, Debug)]
pub struct PipelineCache {
    cache: wgpu::PipelineCache,
}

impl PipelineCache {
    /// Data to pass to [`Gpu::restore_pipelines`](super::Gpu::restore_pipelines) for the same adapter in another run. `None`
    /// if the driver returns no data.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        Some(sealed(&self.cache.get_data()?))
    }
}

fn sealed(data: &[u8]) -> Vec<u8> {
    [MAGIC.as_slice(), &sum_of(data).to_le_bytes(), data].concat()
}

/// Returns the sealed data; `None` if the header or the checksum is wrong.
fn opened(bytes: &[u8]) -> Option<&[u8]> {
    let (magic, rest) = bytes.split_at_checked(8)?;
    let (sum, data) = rest.split_at_checked(8)?;
    let is_whole = magic == MAGIC && sum == sum_of(data).to_le_bytes();
    is_whole.then_some(data)
}

/// FNV-1a hash (Fowler, Noll, Vo), 64 bits.
fn sum_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

impl Device {
    pub(super) fn new(plain: wgpu::Device) -> Self {
        Self { plain, cache: None }
    }

    /// Starts the cache with the data of an earlier run. Damaged data and data of another driver or version are ignored.
    /// Returns `None` if the device has no pipeline cache.
    pub(super) fn restore(&mut self, bytes: Option<&[u8]>) -> Option<PipelineCache> {
        if !self.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let descriptor = wgpu::PipelineCacheDescriptor {
            label: Some("pipelines"),
            data: bytes.and_then(opened),
            fallback: true,
        };
        // SAFETY: the checksum shows that the data come from `PipelineCache::bytes`. The driver refuses data of another
        // adapter or driver by their header.
        let cache = unsafe { self.plain.create_pipeline_cache(&descriptor) };
        self.cache = Some(cache.clone());
        Some(PipelineCache { cache })
    }

    /// Same as [`wgpu::Device::create_render_pipeline`], through the cache.
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

    /// Same as [`wgpu::Device::create_compute_pipeline`], through the cache.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_data_is_rejected() {
        let data: Vec<u8> = (0..=255).collect();
        let whole = sealed(&data);
        assert_eq!(opened(&whole), Some(data.as_slice()));
        assert_eq!(opened(&sealed(&[])), Some([].as_slice()));
        for broken in [&whole[..whole.len() - 1], &whole[..12], &whole[..3], &[]] {
            assert_eq!(opened(broken), None, "{} bytes", broken.len());
        }
        for at in [0, 9, 100] {
            let mut other = whole.clone();
            other[at] ^= 1;
            assert_eq!(opened(&other), None, "byte {at}");
        }
    }
}
