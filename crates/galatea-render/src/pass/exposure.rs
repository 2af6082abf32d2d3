//! Automatic exposure: adaptation to the brightness of the image.

use crate::buffers::{GrowBuffer, fixed};
use crate::gpu::Gpu;
use crate::layouts::{Layouts, bind};
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::timing::Timing;
use crate::uniforms::Adapting;
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::Frame;

/// Time step above which the exposure adapts at once, seconds of simulation time.
const MAX_STEP: f64 = 2.0;

pub struct ExposurePass {
    pipeline: wgpu::ComputePipeline,
}

/// Adaptation state.
pub struct Adaptation {
    settings: GrowBuffer,
    /// Adapted exposure, in stops.
    pub adapted: wgpu::Buffer,
    last: Option<f64>,
}

impl Adaptation {
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            settings: GrowBuffer::new(&gpu.device, "adapting", wgpu::BufferUsages::UNIFORM),
            adapted: fixed(
                &gpu.device,
                "adapted",
                wgpu::BufferUsages::STORAGE,
                &0_f32.to_ne_bytes(),
            ),
            last: None,
        }
    }

    /// Group 0 of the pass.
    pub fn group(
        &self,
        device: &wgpu::Device,
        layouts: &Layouts,
        picture: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        let resources = [
            self.settings.buffer().as_entire_binding(),
            wgpu::BindingResource::TextureView(picture),
            self.adapted.as_entire_binding(),
        ];
        bind(device, "exposure", &layouts.exposure, &resources)
    }

    /// Advances to a frame. The first frame, and a frame after a jump in time, adapt at once.
    pub fn advance(&mut self, gpu: &Gpu, frame: &Frame) {
        let Some(auto) = frame.post_processing.auto_exposure else {
            self.last = None;
            return;
        };
        let dt = self.last.map(|last| frame.time - last);
        let dt = dt.filter(|dt| (0.0..MAX_STEP).contains(dt));
        self.last = Some(frame.time);
        let low = auto.low.clamp(-20.0, 20.0);
        let settings = Adapting {
            dt: dt.map_or(-1.0, |dt| dt as f32),
            speed: auto.speed.clamp(0.0, 100.0),
            low,
            high: auto.high.clamp_to(low, 20.0),
        };
        self.settings.write(gpu, bytemuck::bytes_of(&settings));
    }
}

impl ExposurePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "exposure.wgsl")?;
        validated(device, "exposure.wgsl", || {
            let layout = Layouts::pipeline(device, "exposure", &[Some(&layouts.exposure)]);
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("exposure"),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("cs"),
                compilation_options: Default::default(),
                cache: None,
            });
            Self { pipeline }
        })
    }

    /// Encodes the pass.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        group: &wgpu::BindGroup,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("exposure"),
            timestamp_writes: timing.as_mut().and_then(|t| t.compute("exposure")),
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
}
