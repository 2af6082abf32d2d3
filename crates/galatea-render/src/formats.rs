//! Texture formats of the targets that passes draw into and read from.

/// Linear light before tone mapping.
pub const HDR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Depth of the picture (reversed: nearer is larger) and of the shadow maps.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// World normals of the seen surface, 0..1.
pub const NORMALS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Openness, sunniness and distance of the seen surface.
pub const OCCLUSION: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// A tone-mapped picture, encoded, with its brightness.
pub const TONED: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// How much of the sky a point of the ground sees.
pub const OPENNESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
