//! Bind group layouts: group 0 the frame, 1 the pass, 2 a material's textures, 3 its factors.

use std::num::NonZeroU64;

use super::uniforms::{Dispatch, GpuMaterial, GpuView, GpuWrinkles, StrandPoints};
use wgpu::{
    BindGroupLayout, BindGroupLayoutEntry, BindingType, ShaderStages, TextureSampleType,
    TextureViewDimension as Dimension,
};

/// Number of textures of a material.
pub const N_PICTURES: usize = 9;

/// All bind group layouts of the renderer.
pub struct Layouts {
    /// Group 0 of every drawing pass: `Scene`, placements, lights, their views and cells, agents and their poses.
    pub scene: BindGroupLayout,
    /// Group 1 of the lit passes: shadow maps, contact and occlusion map, environment.
    pub maps: BindGroupLayout,
    /// Group 1 of `shadow`: the matrix of its view.
    pub view: BindGroupLayout,
    /// Group 2 of `strand_points`: deformed vertices, their attributes, point indices, lit values, `StrandPoints`.
    pub strands: BindGroupLayout,
    /// Group 1 of `contact`: a depth map to load from.
    pub depth: BindGroupLayout,
    /// Group 2 of `particles`: depth of the image; [`Layouts::depth`] is used without multisampling.
    pub depth_samples: BindGroupLayout,
    /// Group 3 of `particles`: cells of their sprite sheets.
    pub cells: BindGroupLayout,
    /// Group 2 of `impostor`: colour and shape of tiles.
    pub tiles: BindGroupLayout,
    /// Group 1 of `occlusion`: depth and normals to load from.
    pub surface: BindGroupLayout,
    /// Group 2 of the pipelines that draw models: a material's textures.
    pub pictures: BindGroupLayout,
    /// Group 3 of the pipelines that draw models: a material's factors and wrinkles.
    pub factors: BindGroupLayout,
    /// Group 0 of `mip`, group 2 of `occlusion`: one texture to load from.
    pub picture: BindGroupLayout,
    /// Group 1 of `bloom`: a texture and its sampler.
    pub sampled: BindGroupLayout,
    /// Group 1 of `lines`: `Finish`.
    pub finish: BindGroupLayout,
    /// Group 1 of `resolve`: `Finish`, the samples of the lit image, adaptation.
    pub resolve: BindGroupLayout,
    /// Group 1 of `tonemap`: `Finish`, the lit image, bloom, adaptation.
    pub tonemap: BindGroupLayout,
    /// Group 1 of `smooth`: `Finish` and the tone-mapped image.
    pub smooth: BindGroupLayout,
    /// Group 0 of `exposure`.
    pub exposure: BindGroupLayout,
    /// Group 0 of `deform`: palette, jobs, morphs, dispatch.
    pub deform_frame: BindGroupLayout,
    /// Group 1 of `deform`: vertices, influences, deltas.
    pub deform_geometry: BindGroupLayout,
    /// Group 2 of `deform`: the deformed vertices, written by the shader.
    pub deform_out: BindGroupLayout,
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Self {
        use ShaderStages as Stage;
        let make = |label, stage, types: &[BindingType]| make(device, label, stage, types);
        let drawing = Stage::VERTEX_FRAGMENT;
        // The compute pass that lights strands reads the same lighting data.
        let lighting = drawing | Stage::COMPUTE;
        let read = storage(true);
        let flat_depth = depth(Dimension::D2);
        let textures = float(Dimension::D2Array);
        let mut pictures = [[picture(true), FILTER]; N_PICTURES].concat();
        pictures.extend([textures, textures]);
        Self {
            scene: scene(device, lighting),
            maps: make(
                "maps",
                lighting,
                &[
                    depth(Dimension::D2Array),
                    COMPARE,
                    picture(true),
                    FILTER,
                    flat_depth,
                    picture(false),
                    float(Dimension::Cube),
                    picture(true),
                ],
            ),
            view: make("view", Stage::VERTEX, &[part_of::<GpuView>()]),
            strands: make(
                "strands",
                Stage::COMPUTE,
                &[read, read, read, storage(false), part_of::<StrandPoints>()],
            ),
            depth: make("depth map", Stage::FRAGMENT, &[flat_depth]),
            depth_samples: make("depth samples", Stage::FRAGMENT, &[DEPTH_SAMPLES]),
            cells: make("cells", Stage::FRAGMENT, &[textures, FILTER]),
            tiles: make(
                "tiles",
                Stage::FRAGMENT,
                &[picture(true), picture(true), FILTER],
            ),
            surface: make("surface", Stage::FRAGMENT, &[flat_depth, picture(false)]),
            pictures: make("pictures", drawing, &pictures),
            factors: make(
                "factors",
                lighting,
                &[part_of::<GpuMaterial>(), part_of::<GpuWrinkles>()],
            ),
            picture: make("picture", Stage::FRAGMENT, &[picture(false)]),
            sampled: make("sampled", Stage::FRAGMENT, &[picture(true), FILTER]),
            finish: make("finish", drawing, &[uniform(None)]),
            resolve: make(
                "resolve",
                Stage::FRAGMENT,
                &[uniform(None), COLOR_SAMPLES, read],
            ),
            tonemap: make(
                "tonemap",
                Stage::FRAGMENT,
                &[uniform(None), picture(true), picture(true), FILTER, read],
            ),
            smooth: make(
                "smooth",
                Stage::FRAGMENT,
                &[uniform(None), picture(true), FILTER],
            ),
            exposure: make(
                "exposure",
                Stage::COMPUTE,
                &[uniform(None), picture(false), storage(false)],
            ),
            deform_frame: make(
                "deform frame",
                Stage::COMPUTE,
                &[read, read, read, part_of::<Dispatch>()],
            ),
            deform_geometry: make("deform geometry", Stage::COMPUTE, &[read, read, read]),
            deform_out: make("deformed", Stage::COMPUTE, &[storage(false)]),
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

/// Creates a bind group of resources at bindings 0, 1, 2, ….
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

/// Only vertex shaders read agents and their poses, because fragment shaders already use the maximum number of storage
/// buffers.
fn scene(device: &wgpu::Device, lighting: ShaderStages) -> BindGroupLayout {
    let read = storage(true);
    let lit = [uniform(None), read, read, read, read];
    let lit = lit.map(|ty| (lighting, ty));
    let agents = [(ShaderStages::VERTEX, read); 2];
    let entries: Vec<_> = (0..)
        .zip(lit.into_iter().chain(agents))
        .map(|(binding, (stages, ty))| entry(binding, stages, ty))
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("scene"),
        entries: &entries,
    })
}

fn make(
    device: &wgpu::Device,
    label: &str,
    stages: ShaderStages,
    types: &[BindingType],
) -> BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(types)
        .map(|(binding, ty)| entry(binding, stages, *ty))
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
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

/// One `T` in a uniform buffer, at a dynamic offset.
fn part_of<T>() -> BindingType {
    uniform(Some(size_of::<T>() as u64))
}

fn storage(read_only: bool) -> BindingType {
    BindingType::Buffer {
        ty: wgpu::BufferBindingType::Storage { read_only },
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

fn picture(filterable: bool) -> BindingType {
    texture(TextureSampleType::Float { filterable }, Dimension::D2)
}

fn float(view_dimension: Dimension) -> BindingType {
    texture(
        TextureSampleType::Float { filterable: true },
        view_dimension,
    )
}

fn depth(view_dimension: Dimension) -> BindingType {
    texture(TextureSampleType::Depth, view_dimension)
}

fn texture(sample_type: TextureSampleType, view_dimension: Dimension) -> BindingType {
    BindingType::Texture {
        sample_type,
        view_dimension,
        multisampled: false,
    }
}

const FILTER: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
const COMPARE: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
/// Multisampled colour.
const COLOR_SAMPLES: BindingType = samples(TextureSampleType::Float { filterable: false });
/// Multisampled depth.
const DEPTH_SAMPLES: BindingType = samples(TextureSampleType::Depth);

const fn samples(sample_type: TextureSampleType) -> BindingType {
    BindingType::Texture {
        sample_type,
        view_dimension: Dimension::D2,
        multisampled: true,
    }
}
