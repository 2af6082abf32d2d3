//! Vertex buffer layouts of the pipelines.

use crate::at_rest::VERTEX_BYTES;
use crate::uniforms::{Attributes, DEFORMED_FLOATS, GpuPlacement};

/// Attributes of deformed vertices, and fixed attributes, for `mesh` and `shadow`.
const DEFORMED_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
const FIXED_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![3 => Float32x4, 4 => Unorm16x4, 5 => Float32];

/// Transform of an instance, for `mesh`, `shadow`, `geometry` and `views`.
const PLACED_ATTRIBUTES: [wgpu::VertexAttribute; 6] = wgpu::vertex_attr_array![
    7 => Float32x4, 8 => Float32x4, 9 => Float32x4,
    10 => Float32x4, 11 => Float32x4, 12 => Float32x4
];

/// Rest-pose vertices of crowd agents, and the index of the agent.
const REST_ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Uint32, 2 => Uint32, 14 => Uint16x4, 15 => Unorm16x4
];
const AGENT_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![7 => Uint32];

/// Light of strand points, computed by `strand_points`.
const LIT_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![13 => Float32x4];

/// Vertex buffers of strands: those of all models, and the light of the points.
pub fn strand_layouts() -> [Option<wgpu::VertexBufferLayout<'static>>; 4] {
    let [deformed, fixed, placed] = model_layouts();
    let lit = wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &LIT_ATTRIBUTES,
    };
    [deformed, fixed, placed, Some(lit)]
}

/// Vertex buffers of models: deformed vertices, fixed attributes, placements.
pub fn model_layouts() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    let placed = wgpu::VertexBufferLayout {
        array_stride: size_of::<GpuPlacement>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &PLACED_ATTRIBUTES,
    };
    [Some(deformed_layout()), Some(fixed_layout()), Some(placed)]
}

/// Vertex buffers of crowd agents: rest-pose vertices, fixed attributes, agent indices.
pub fn agent_layouts() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    let at_rest = wgpu::VertexBufferLayout {
        array_stride: VERTEX_BYTES,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &REST_ATTRIBUTES,
    };
    let agent = wgpu::VertexBufferLayout {
        array_stride: 4,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &AGENT_ATTRIBUTES,
    };
    [Some(at_rest), Some(fixed_layout()), Some(agent)]
}

fn deformed_layout() -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: DEFORMED_FLOATS * 4,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &DEFORMED_ATTRIBUTES,
    }
}

fn fixed_layout() -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<Attributes>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &FIXED_ATTRIBUTES,
    }
}
