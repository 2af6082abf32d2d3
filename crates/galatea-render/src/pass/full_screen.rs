//! Pipelines without vertex buffers: one triangle over the whole target.

use crate::device::Device;
use crate::formats::HDR;

/// Creates a pipeline that fills one colour target, one sample per pixel. Entry points: `vs` and `entry`.
pub fn full_screen(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    entry: &str,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    full_screen_blended(device, label, layout, module, entry, format, None)
}

/// Same as [`full_screen`], with blending.
pub fn full_screen_blended(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    entry: &str,
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> wgpu::RenderPipeline {
    let target = wgpu::ColorTargetState {
        blend,
        ..format.into()
    };
    let program = (module, entry, [].as_slice());
    from_index(device, label, layout, program, target, None, 1)
}

/// Creates a pipeline that draws into the lit image. Entry points: `vs` and `fs`.
pub fn lit_full_screen(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    program: FragmentProgram<'_>,
    depth: wgpu::DepthStencilState,
    samples: u32,
) -> wgpu::RenderPipeline {
    from_index(
        device,
        label,
        layout,
        program,
        HDR.into(),
        Some(depth),
        samples,
    )
}

/// Module, fragment entry point, values of `override`s.
pub type FragmentProgram<'a> = (&'a wgpu::ShaderModule, &'a str, &'a [(&'a str, f64)]);

/// Creates a pipeline without vertex buffers.
pub fn from_index(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    (module, entry, constants): FragmentProgram<'_>,
    target: wgpu::ColorTargetState,
    depth_stencil: Option<wgpu::DepthStencilState>,
    samples: u32,
) -> wgpu::RenderPipeline {
    let compilation_options = wgpu::PipelineCompilationOptions {
        constants,
        ..Default::default()
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs"),
            compilation_options: compilation_options.clone(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil,
        multisample: wgpu::MultisampleState {
            count: samples,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(entry),
            compilation_options,
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}
