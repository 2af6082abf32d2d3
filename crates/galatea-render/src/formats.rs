//! Formats of render targets.

/// Linear HDR colour, before tone mapping.
pub const HDR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Depth of the image (reversed: nearer is larger) and of the shadow maps.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// World-space normals of the visible surface, mapped to 0..1.
pub const NORMALS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Ambient openness, sun visibility and distance of the visible surface.
pub const OCCLUSION: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Tone-mapped, encoded colour with its luminance.
pub const TONED: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Fraction of the sky that is visible from a point of the ground.
pub const OPENNESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
