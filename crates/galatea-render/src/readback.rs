//! Readback of images and deformed vertices into main memory.

use glam::{Vec3, Vec4};

use super::draw::Draw;
use super::gpu::Gpu;
use super::gpu_error::GpuError;
use super::renderer::Renderer;
use super::residency::Residency;
use galatea_stage::Frame;

/// A finished image: 8 bits per channel, RGBA, sRGB, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// A vertex after the deform pass, model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeformedVertex {
    /// Position, metres.
    pub position: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Unit tangent; w = ±1 is the sign of the bitangent.
    pub tangent: Vec4,
}

/// An image that is being drawn.
pub struct PendingPicture {
    size: (u32, u32),
    /// Bytes per row.
    row: u32,
    is_bgra: bool,
    submission: wgpu::SubmissionIndex,
    buffer: wgpu::Buffer,
}

impl PendingPicture {
    /// Waits for the image.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn finish(self, gpu: &Gpu) -> Result<Picture, GpuError> {
        let (width, height) = self.size;
        read_after(gpu, &self.buffer, Some(self.submission), |bytes| {
            let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
            for line in bytes.chunks_exact(self.row as usize) {
                rgba.extend_from_slice(&line[..width as usize * 4]);
            }
            if self.is_bgra {
                rgba.chunks_exact_mut(4).for_each(|texel| texel.swap(0, 2));
            }
            Picture {
                width,
                height,
                rgba,
            }
        })
    }
}

impl Renderer {
    /// Draws a frame of `size` pixels and reads the image back. `paint` gets the encoder and the finished view, to draw an
    /// overlay such as messages. The output format is RGBA or BGRA.
    ///
    /// # Errors
    /// If the size is zero, exceeds the device's limit or memory, or the device is lost.
    pub fn draw_to_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        paint: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView),
    ) -> Result<Picture, GpuError> {
        self.begin_picture(gpu, frame, size, paint)?.finish(gpu)
    }

    /// Same as [`Renderer::draw_to_picture`], without waiting. The next frame can be prepared while this one is drawn.
    ///
    /// # Errors
    /// Same as [`Renderer::draw_to_picture`].
    pub fn begin_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        paint: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView),
    ) -> Result<PendingPicture, GpuError> {
        let begun = begin_picture(gpu, self.output_format(), size, |encoder, view| {
            self.draw(gpu, frame, encoder, view, size);
            paint(encoder, view);
        });
        if let Err(GpuError::Memory { .. }) = &begun {
            self.forget();
        }
        begun
    }
}

/// Draws an image of `size` pixels and reads it back later. The format is RGBA or BGRA.
///
/// # Errors
/// If the size is zero, exceeds the device's limit or memory, or the device is lost.
pub fn begin_picture(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    size: (u32, u32),
    draw: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView),
) -> Result<PendingPicture, GpuError> {
    let (width, height) = size;
    let largest = gpu.device.limits().max_texture_dimension_2d;
    if width == 0 || height == 0 || width > largest || height > largest {
        return Err(GpuError::Size {
            width,
            height,
            largest,
        });
    }
    let extent = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    gpu.check()?;
    let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let drawn = gpu.within_memory(|| {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: extent,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let buffer = readback_buffer(gpu, u64::from(row) * u64::from(height));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        draw(&mut encoder, &view);
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            extent,
        );
        (gpu.queue.submit([encoder.finish()]), buffer)
    });
    let Some((submission, buffer)) = drawn else {
        return Err(GpuError::Memory { width, height });
    };
    let is_bgra = matches!(
        format,
        wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb
    );
    Ok(PendingPicture {
        size,
        row,
        is_bgra,
        submission,
        buffer,
    })
}

impl Renderer {
    /// Reads the vertices of one primitive of one part, as last drawn for `frame.models[instance]`. Returns `None` if it was
    /// not drawn. Vertices that no triangle uses may be zero. So may tangents that no material reads, unless
    /// [`Renderer::keep_tangents`] is on.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn read_deformed(
        &self,
        gpu: &Gpu,
        instance: usize,
        part: usize,
        primitive: usize,
    ) -> Result<Option<Vec<DeformedVertex>>, GpuError> {
        self.read_vertices(gpu, (instance, part, primitive), Residency::deformed)
    }

    /// Same as [`Renderer::read_deformed`], for the previous frame. Returns the current vertices if the instance was not in
    /// the previous frame, or if [`Renderer::keep_previous`] is off.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn read_deformed_before(
        &self,
        gpu: &Gpu,
        instance: usize,
        part: usize,
        primitive: usize,
    ) -> Result<Option<Vec<DeformedVertex>>, GpuError> {
        self.read_vertices(gpu, (instance, part, primitive), Residency::deformed_before)
    }

    fn read_vertices(
        &self,
        gpu: &Gpu,
        (instance, part, primitive): (usize, usize, usize),
        of: for<'a> fn(&'a Residency, &Draw) -> wgpu::BufferSlice<'a>,
    ) -> Result<Option<Vec<DeformedVertex>>, GpuError> {
        let plan = &self.plan;
        let mut read_pieces = Vec::new();
        let mut out = Vec::new();
        for draw in plan.solid.iter().chain(&plan.blended).chain(&plan.casters) {
            let resident = self.residency.resident(draw.slot);
            let piece = &resident.pieces[draw.piece as usize];
            let is_requested = plan.contains_instance(draw, instance as u32)
                && (piece.part, piece.primitive) == (part, primitive);
            if !is_requested || read_pieces.contains(&draw.piece) {
                continue;
            }
            read_pieces.push(draw.piece);
            let slice = of(&self.residency, draw);
            let bytes = slice.size();
            let buffer = readback_buffer(gpu, bytes);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(slice.buffer(), slice.offset(), &buffer, 0, bytes);
            gpu.queue.submit([encoder.finish()]);
            let floats: Vec<f32> = read(gpu, &buffer, bytemuck::pod_collect_to_vec)?;
            let found = floats.chunks_exact(10).map(|f| DeformedVertex {
                position: Vec3::from_slice(f),
                normal: Vec3::from_slice(&f[3..]),
                tangent: Vec4::from_slice(&f[6..]),
            });
            let Some(vertices) = &piece.vertices else {
                out = found.collect();
                continue;
            };
            for (vertex, vertex_idx) in found.zip(vertices) {
                let vertex_idx = *vertex_idx as usize;
                if vertex_idx >= out.len() {
                    let nothing = DeformedVertex {
                        position: Vec3::ZERO,
                        normal: Vec3::ZERO,
                        tangent: Vec4::ZERO,
                    };
                    out.resize(vertex_idx + 1, nothing);
                }
                out[vertex_idx] = vertex;
            }
        }
        Ok((!read_pieces.is_empty()).then_some(out))
    }
}

impl Renderer {
    /// Milliseconds that each pass of the last submitted frame took on the GPU, in order. Passes with equal names are
    /// summed. Empty unless [`Renderer::time_passes`] returned true.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn pass_times(&self, gpu: &Gpu) -> Result<Vec<(&'static str, f32)>, GpuError> {
        let Some(timing) = &self.timing else {
            return Ok(Vec::new());
        };
        let (names, stamps) = timing.stamps();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let size = names.len() as u64 * 16;
        let buffer = readback_buffer(gpu, size);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(stamps, 0, &buffer, 0, size);
        gpu.queue.submit([encoder.finish()]);
        read(gpu, &buffer, |bytes| {
            let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(bytes);
            let mut times: Vec<(&'static str, f32)> = Vec::new();
            for (name, stamp) in names.iter().zip(stamps.chunks_exact(2)) {
                let took = timing.milliseconds(stamp[0], stamp[1]);
                match times.iter_mut().find(|(known, _)| known == name) {
                    Some((_, sum)) => *sum += took,
                    None => times.push((name, took)),
                }
            }
            times
        })
    }
}

fn readback_buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

/// Waits for the GPU and passes the buffer's bytes to `take`.
fn read<T>(gpu: &Gpu, buffer: &wgpu::Buffer, take: impl FnOnce(&[u8]) -> T) -> Result<T, GpuError> {
    read_after(gpu, buffer, None, take)
}

/// Same as [`read`]; with a submission, it waits only for that one.
fn read_after<T>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    submission: Option<wgpu::SubmissionIndex>,
    take: impl FnOnce(&[u8]) -> T,
) -> Result<T, GpuError> {
    let (done, result) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
        // Sending fails only if the receiver stopped waiting.
        let _ = done.send(mapped);
    });
    let failed = |why: String| GpuError::Readback(why);
    gpu.device
        .poll(wgpu::PollType::Wait {
            submission_index: submission,
            timeout: None,
        })
        .map_err(|error| failed(error.to_string()))?;
    result
        .recv()
        .map_err(|error| failed(error.to_string()))?
        .map_err(|error| failed(error.to_string()))?;
    let view = buffer
        .get_mapped_range(..)
        .map_err(|error| failed(error.to_string()))?;
    Ok(take(&view))
}
