//! How long each pass takes on the graphics device, where it can tell.

use super::gpu::Gpu;

/// The most passes of a picture that are timed.
const MOST: u32 = 64;

/// Stamps the beginning and the end of passes.
pub struct Timing {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    names: Vec<&'static str>,
    /// Nanoseconds of one step of the device's clock.
    period: f32,
}

impl Timing {
    /// `None` where the device has no clock.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        let has_clock = gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY);
        has_clock.then(|| Self {
            set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timing"),
                ty: wgpu::QueryType::Timestamp,
                count: MOST * 2,
            }),
            resolved: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timing"),
                size: u64::from(MOST) * 16,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            names: Vec::new(),
            period: gpu.queue.get_timestamp_period(),
        })
    }

    /// Forgets the last picture.
    pub fn begin(&mut self) {
        self.names.clear();
    }

    fn next(&mut self, name: &'static str) -> Option<(u32, u32)> {
        let i = self.names.len() as u32;
        if i >= MOST {
            return None;
        }
        self.names.push(name);
        Some((i * 2, i * 2 + 1))
    }

    /// For a render pass of this name.
    pub fn render(&mut self, name: &'static str) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let (begin, end) = self.next(name)?;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// For a compute pass of this name.
    pub fn compute(&mut self, name: &'static str) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let (begin, end) = self.next(name)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// After the last pass.
    pub fn end(&self, encoder: &mut wgpu::CommandEncoder) {
        if !self.names.is_empty() {
            let n = self.names.len() as u32 * 2;
            encoder.resolve_query_set(&self.set, 0..n, &self.resolved, 0);
        }
    }

    /// Names of the passes of the last picture and where their stamps are, to be read back.
    pub(super) fn stamps(&self) -> (&[&'static str], &wgpu::Buffer) {
        (&self.names, &self.resolved)
    }

    /// Milliseconds between two stamps.
    pub(super) fn milliseconds(&self, begin: u64, end: u64) -> f32 {
        end.saturating_sub(begin) as f32 * self.period * 1e-6
    }
}
