//! What is bound where: group 0 the frame, 1 the pass, 2 the material.

use std::num::NonZeroU64;

use wgpu::{BindGroupLayout, BindGroupLayoutEntry, BindingType, ShaderStages};

/// All bind group layouts of the room.
pub struct Layouts {
    /// Group 0 of every drawing pass: `Scene` and placements.
    pub scene: BindGroupLayout,
    /// Group 1 of `mesh` and `ground`: the sun's map and the contact map.
    pub shadow: BindGroupLayout,
    /// Group 1 of `contact`: a depth map to load from.
    pub depth: BindGroupLayout,
    /// Group 2 of `mesh` and `shadow`.
    pub material: BindGroupLayout,
    /// Group 1 of `tonemap`, group 0 of `mip`: one picture to load from.
    pub picture: BindGroupLayout,
    /// Group 0 of `deform`: palette, jobs, morphs, dispatch.
    pub deform_frame: BindGroupLayout,
    /// Group 1 of `deform`: vertices, influences, deltas.
    pub deform_geometry: BindGroupLayout,
    /// Group 2 of `deform`: what is written.
    pub deform_out: BindGroupLayout,
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Self {
        use ShaderStages as Stage;
        let make = |label, entries: &[BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let drawing = Stage::VERTEX_FRAGMENT;
        let mut material = vec![entry(0, Stage::FRAGMENT, uniform(None))];
        for slot in 0..5 {
            material.push(entry(1 + slot * 2, Stage::FRAGMENT, picture(true)));
            material.push(entry(
                2 + slot * 2,
                Stage::FRAGMENT,
                BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            ));
        }
        let depth = BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        Self {
            scene: make(
                "scene",
                &[
                    entry(0, drawing, uniform(None)),
                    entry(1, Stage::VERTEX, storage(true)),
                ],
            ),
            shadow: make(
                "shadow maps",
                &[
                    entry(0, Stage::FRAGMENT, depth),
                    entry(
                        1,
                        Stage::FRAGMENT,
                        BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
                    ),
                    entry(2, Stage::FRAGMENT, picture(true)),
                    entry(
                        3,
                        Stage::FRAGMENT,
                        BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    ),
                ],
            ),
            depth: make("depth map", &[entry(0, Stage::FRAGMENT, depth)]),
            material: make("material", &material),
            picture: make("picture", &[entry(0, Stage::FRAGMENT, picture(false))]),
            deform_frame: make(
                "deform frame",
                &[
                    entry(0, Stage::COMPUTE, storage(true)),
                    entry(1, Stage::COMPUTE, storage(true)),
                    entry(2, Stage::COMPUTE, storage(true)),
                    entry(3, Stage::COMPUTE, uniform(Some(16))),
                ],
            ),
            deform_geometry: make(
                "deform geometry",
                &[
                    entry(0, Stage::COMPUTE, storage(true)),
                    entry(1, Stage::COMPUTE, storage(true)),
                    entry(2, Stage::COMPUTE, storage(true)),
                ],
            ),
            deform_out: make("deformed", &[entry(0, Stage::COMPUTE, storage(false))]),
        }
    }

    /// Pipeline layout of `groups`, in order.
    pub fn pipeline(
        device: &wgpu::Device,
        label: &str,
        groups: &[Option<&BindGroupLayout>],
    ) -> wgpu::PipelineLayout {
        device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: groups,
            immediate_size: 0,
        })
    }
}

/// A bind group of resources at bindings 0, 1, 2, ….
pub fn bind(
    device: &wgpu::Device,
    label: &str,
    layout: &BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry {
            binding,
            resource: resource.clone(),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

fn entry(binding: u32, visibility: ShaderStages, ty: BindingType) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    }
}

/// A uniform buffer; with a size it has a dynamic offset.
fn uniform(dynamic_size: Option<u64>) -> BindingType {
    BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: dynamic_size.is_some(),
        min_binding_size: dynamic_size.and_then(NonZeroU64::new),
    }
}

fn storage(read_only: bool) -> BindingType {
    BindingType::Buffer {
        ty: wgpu::BufferBindingType::Storage { read_only },
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

fn picture(filterable: bool) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}
