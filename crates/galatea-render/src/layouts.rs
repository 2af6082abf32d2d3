//! What is bound where: group 0 the frame, 1 the pass, 2 a material's pictures, 3 its factors.

use std::num::NonZeroU64;

use super::uniforms::{Dispatch, GpuMaterial, GpuView, GpuWrinkles, StrandPoints};
use wgpu::{
    BindGroupLayout, BindGroupLayoutEntry, BindingType, ShaderStages, TextureSampleType,
    TextureViewDimension as Dimension,
};

/// Pictures of a material.
pub const N_PICTURES: usize = 9;

/// All bind group layouts of the room.
pub struct Layouts {
    /// Group 0 of every drawing pass: `Scene`, placements, lamps, their views and cells, people and their poses.
    pub scene: BindGroupLayout,
    /// Group 1 of what is lit: shadow maps, contact and occlusion map, surroundings.
    pub maps: BindGroupLayout,
    /// Group 1 of `shadow`: from where it looks.
    pub view: BindGroupLayout,
    /// Group 2 of `strand_points`: deformed vertices, their attributes, which points, their light, `StrandPoints`.
    pub strands: BindGroupLayout,
    /// Group 1 of `contact`: a depth map to load from.
    pub depth: BindGroupLayout,
    /// Group 2 of `particles`: the picture's depth; [`Layouts::depth`] where a pixel has one sample.
    pub depth_samples: BindGroupLayout,
    /// Group 3 of `particles`: cells of their pictures.
    pub cells: BindGroupLayout,
    /// Group 2 of `impostor`: light and form of tiles.
    pub tiles: BindGroupLayout,
    /// Group 1 of `occlusion`: depth and normals to load from.
    pub surface: BindGroupLayout,
    /// Group 2 of what draws models: a material's pictures.
    pub pictures: BindGroupLayout,
    /// Group 3 of what draws models: a material's factors, and its wrinkles.
    pub factors: BindGroupLayout,
    /// Group 0 of `mip`, group 2 of `occlusion`: one picture to load from.
    pub picture: BindGroupLayout,
    /// Group 1 of `bloom`: a picture and its sampler.
    pub sampled: BindGroupLayout,
    /// Group 1 of `lines`: `Finish`.
    pub finish: BindGroupLayout,
    /// Group 1 of `resolve`: `Finish`, the samples of the lit picture, adaptation.
    pub resolve: BindGroupLayout,
    /// Group 1 of `tonemap`: `Finish`, the lit picture, its scattered light, adaptation.
    pub tonemap: BindGroupLayout,
    /// Group 1 of `smooth`: `Finish` and the tone-mapped picture.
    pub smooth: BindGroupLayout,
    /// Group 0 of `exposure`.
    pub exposure: BindGroupLayout,
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
        let make = |label, stage, types: &[BindingType]| make(device, label, stage, types);
        let drawing = Stage::VERTEX_FRAGMENT;
        // Strands are lit by compute with what else is lit by.
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

/// People and their poses are read by vertices alone: light is worked out with as many buffers as it may have.
fn scene(device: &wgpu::Device, lighting: ShaderStages) -> BindGroupLayout {
    let read = storage(true);
    let lit = [uniform(None), read, read, read, read];
    let lit = lit.map(|ty| (lighting, ty));
    let people = [(ShaderStages::VERTEX, read); 2];
    let entries: Vec<_> = (0..)
        .zip(lit.into_iter().chain(people))
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

/// One value of many in a uniform buffer, at a dynamic offset.
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
/// Colour with several samples.
const COLOR_SAMPLES: BindingType = samples(TextureSampleType::Float { filterable: false });
/// Depth with several samples.
const DEPTH_SAMPLES: BindingType = samples(TextureSampleType::Depth);

const fn samples(sample_type: TextureSampleType) -> BindingType {
    BindingType::Texture {
        sample_type,
        view_dimension: Dimension::D2,
        multisampled: true,
    }
}
