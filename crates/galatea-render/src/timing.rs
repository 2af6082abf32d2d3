//! GPU timestamps of the passes, if the device supports them.

use super::gpu::Gpu;

/// Maximum number of timed passes per frame.
const MAX_PASSES: u32 = 64;

/// Records timestamps at the start and end of passes.
pub struct Timing {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    names: Vec<&'static str>,
    /// Nanoseconds per tick of the device's clock.
    period: f32,
}

impl Timing {
    /// Returns `None` if the device has no timestamps.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        let has_clock = gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY);
        has_clock.then(|| Self {
            set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timing"),
                ty: wgpu::QueryType::Timestamp,
                count: MAX_PASSES * 2,
            }),
            resolved: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timing"),
                size: u64::from(MAX_PASSES) * 16,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            names: Vec::new(),
            period: gpu.queue.get_timestamp_period(),
        })
    }

    /// Begins a frame.
    pub fn begin(&mut self) {
        self.names.clear();
    }

    fn next(&mut self, name: &'static str) -> Option<(u32, u32)> {
        let i = self.names.len() as u32;
        if i >= MAX_PASSES {
            return None;
        }
        self.names.push(name);
        Some((i * 2, i * 2 + 1))
    }

    /// Timestamps for a render pass.
    pub fn render(&mut self, name: &'static str) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let (begin, end) = self.next(name)?;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// Timestamps for a compute pass.
    pub fn compute(&mut self, name: &'static str) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let (begin, end) = self.next(name)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// Resolves the timestamps. Call it after the last pass.
    pub fn end(&self, encoder: &mut wgpu::CommandEncoder) {
        if !self.names.is_empty() {
            let n = self.names.len() as u32 * 2;
            encoder.resolve_query_set(&self.set, 0..n, &self.resolved, 0);
        }
    }

    /// Names of the passes of the last frame, and the buffer with their timestamps.
    pub(super) fn stamps(&self) -> (&[&'static str], &wgpu::Buffer) {
        (&self.names, &self.resolved)
    }

    /// Milliseconds between two timestamps.
    pub(super) fn milliseconds(&self, begin: u64, end: u64) -> f32 {
        end.saturating_sub(begin) as f32 * self.period * 1e-6
    }
}
