//! Buffers that are rewritten every frame and grow on demand.

use super::gpu::Gpu;

/// A buffer that is rewritten from its start every frame. It never shrinks.
pub struct GrowBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
}

impl GrowBuffer {
    /// Creates an empty buffer for `usage`.
    pub fn new(device: &wgpu::Device, label: &'static str, usage: wgpu::BufferUsages) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self {
            label,
            usage,
            buffer: make(device, label, usage, 1024),
        }
    }

    /// Current GPU buffer. Growing replaces it.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Reserves `needed` bytes. Returns true if the buffer was replaced.
    pub fn reserve(&mut self, gpu: &Gpu, needed: u64) -> bool {
        let grows = needed > self.buffer.size();
        if grows {
            let largest = gpu.device.limits().max_storage_buffer_binding_size;
            let size = needed.next_power_of_two().min(largest).max(needed);
            self.buffer = make(&gpu.device, self.label, self.usage, size);
        }
        grows
    }

    /// Replaces the content. Returns true if the buffer was replaced.
    pub fn write(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        let grows = self.reserve(gpu, bytes.len() as u64);
        if !bytes.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
        grows
    }
}

fn make(
    device: &wgpu::Device,
    label: &'static str,
    usage: wgpu::BufferUsages,
    size: u64,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Binding of one `T` in the buffer, at the dynamic offset that the pass sets.
pub fn part<T>(buffer: &GrowBuffer) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: buffer.buffer(),
        offset: 0,
        size: wgpu::BufferSize::new(size_of::<T>() as u64),
    })
}

/// Creates a buffer that is filled once. The size is rounded up to 16 bytes, so an empty buffer can be bound.
pub fn fixed(
    device: &wgpu::Device,
    label: &str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
) -> wgpu::Buffer {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: (bytes.len() as u64).next_multiple_of(16).max(16),
        usage,
        mapped_at_creation: true,
    });
    if !bytes.is_empty() {
        match buffer.get_mapped_range_mut(..) {
            Ok(mut view) => view.slice(..bytes.len()).copy_from_slice(bytes),
            Err(error) => tracing::error!("buffer {label}: {error}"),
        }
    }
    buffer.unmap();
    buffer
}
