//! Structs shared with the shaders, byte for byte. A test compares them with naga's view of the WGSL.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat4};

use galatea_asset::model::{MAX_MAPS, MAX_MASKS};

/// Distance between structs in a uniform buffer with dynamic offsets, bytes. Every device supports this alignment.
pub const UNIFORM_STRIDE: u32 = 256;

/// `Scene` of `inc/scene.wgsl`; the fields are described there.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuScene {
    pub clip_from_world: [[f32; 4]; 4],
    pub view_from_world: [[f32; 4]; 4],
    pub contact_from_world: [[f32; 4]; 4],
    pub cascades: [Cascade; 3],
    pub eye: [f32; 3],
    pub n_cascades: u32,
    pub ray_x: [f32; 3],
    pub ground_height: f32,
    pub ray_y: [f32; 3],
    pub grid: f32,
    pub ray_z: [f32; 3],
    pub fade: f32,
    pub sun_direction: [f32; 3],
    pub sun_softness: f32,
    pub sun_color: [f32; 3],
    pub n_patches: u32,
    pub sky_zenith: [f32; 3],
    pub contact_range: f32,
    pub sky_horizon: [f32; 3],
    pub contact_radius: f32,
    pub sky_ground: [f32; 3],
    pub samples: f32,
    pub ground_color: [f32; 3],
    pub near: f32,
    pub fog_color: [f32; 3],
    pub fog_density: f32,
    pub fog_falloff: f32,
    pub fog_base: f32,
    pub occlusion: f32,
    pub contact_shadow: f32,
    pub size: [f32; 2],
    pub occlusion_scale: f32,
    pub has_local_lights: u32,
    pub blocker_taps: u32,
    pub shadow_taps: u32,
    pub environment_shown: u32,
    pub environment_blur: f32,
    pub environment_turn: [f32; 2],
    pub environment_strength: f32,
    pub environment_levels: f32,
    pub environment_irradiance: [[f32; 4]; 9],
    pub seamless: f32,
    pub uneven: f32,
    pub padding_b: f32,
    pub padding_c: f32,
    pub patches: [GpuPatch; MAX_PATCHES],
}

/// `Cascade` of `inc/scene.wgsl`: one of the sun's shadow cascades.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Cascade {
    pub from_world: [[f32; 4]; 4],
    pub texel: f32,
    pub radius: f32,
    pub range: f32,
    pub padding: f32,
}

/// `LocalLight` of `inc/local_lights.wgsl`: a point or spot light.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuLocalLight {
    pub position: [f32; 3],
    pub falloff: f32,
    pub color: [f32; 3],
    pub radius: f32,
    pub direction: [f32; 3],
    pub spot_scale: f32,
    pub spot_offset: f32,
    pub first_view: u32,
    pub n_views: u32,
    pub padding: u32,
}

/// `ShadowView` of `inc/local_lights.wgsl`: one tile of the shadow atlas for point and spot lights.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ShadowView {
    pub clip_from_world: [[f32; 4]; 4],
    pub tile: [f32; 4],
    pub near: f32,
    pub far: f32,
    pub texel: f32,
    pub padding: f32,
}

/// `View` of `shadow.wgsl`: the view of a depth map.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuView {
    pub clip_from_world: [[f32; 4]; 4],
    pub keeps_near: f32,
    pub padding_a: f32,
    pub padding_b: f32,
    pub padding_c: f32,
}

/// `Finish` of `inc/display.wgsl`: settings of tone mapping.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Finish {
    pub target_size: [f32; 2],
    pub lit_size: [f32; 2],
    pub target_encodes: f32,
    pub exposure: f32,
    pub adapts: f32,
    pub tone: u32,
    pub bloom: f32,
    pub contrast: f32,
    pub saturation: f32,
    pub vignette: f32,
    pub balance: [f32; 3],
    pub is_transparent: f32,
    pub shadows: [f32; 3],
    pub padding_a: f32,
    pub highlights: [f32; 3],
    pub dither: f32,
}

/// `Adapting` of `exposure.wgsl`: settings of automatic exposure.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Adapting {
    pub dt: f32,
    pub speed: f32,
    pub low: f32,
    pub high: f32,
}

/// Maximum number of coloured patches on the ground.
pub const MAX_PATCHES: usize = 16;

/// `Patch` of `inc/scene.wgsl`: a coloured area of the ground.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct GpuPatch {
    pub center: [f32; 2],
    pub half: [f32; 2],
    pub color: [f32; 3],
    pub round: f32,
}

/// Rows of a 3×4 matrix, for palettes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuMatrix {
    pub x: [f32; 4],
    pub y: [f32; 4],
    pub z: [f32; 4],
}

impl From<&Affine3A> for GpuMatrix {
    fn from(m: &Affine3A) -> Self {
        let c = m.to_cols_array_2d();
        Self {
            x: [c[0][0], c[1][0], c[2][0], c[3][0]],
            y: [c[0][1], c[1][1], c[2][1], c[3][1]],
            z: [c[0][2], c[1][2], c[2][2], c[3][2]],
        }
    }
}

/// `Agent` of `inc/agents.wgsl`: an agent of a crowd.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuAgent {
    pub at: [f32; 3],
    pub seed: u32,
    pub turn: [f32; 3],
    pub wide: f32,
    pub tall: f32,
    pub pose: u32,
    pub next_pose: u32,
    pub share_joints: u32,
}

/// `Instance` of `impostor.wgsl`: an agent drawn as an impostor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ImpostorInstance {
    pub at: [f32; 3],
    pub tile: u32,
    pub turn: [f32; 3],
    pub first_tint: u32,
    pub half: [f32; 2],
    pub depth: f32,
    pub roughness: f32,
    pub seed: u32,
}

/// `Placement` of `inc/scene.wgsl`: the transform of a model.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuPlacement {
    pub world_x: [f32; 4],
    pub world_y: [f32; 4],
    pub world_z: [f32; 4],
    pub normal_x: [f32; 4],
    pub normal_y: [f32; 4],
    pub normal_z: [f32; 4],
}

impl From<&Affine3A> for GpuPlacement {
    fn from(world_from_model: &Affine3A) -> Self {
        let rows = GpuMatrix::from(world_from_model);
        let m = world_from_model.matrix3;
        let sign = if m.determinant() < 0.0 { -1.0 } else { 1.0 };
        // Columns of the cofactor matrix, without its sign, so that outward normals stay outward.
        let x = m.y_axis.cross(m.z_axis) * sign;
        let y = m.z_axis.cross(m.x_axis) * sign;
        let z = m.x_axis.cross(m.y_axis) * sign;
        Self {
            world_x: rows.x,
            world_y: rows.y,
            world_z: rows.z,
            normal_x: [x.x, y.x, z.x, sign],
            normal_y: [x.y, y.y, z.y, 0.0],
            normal_z: [x.z, y.z, z.z, 0.0],
        }
    }
}

/// `Job` of `deform.wgsl`: one instance of a primitive.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Job {
    pub palette: u32,
    pub first_morph: u32,
    pub n_morphs: u32,
    pub padding: u32,
    /// The eye in model space, for ribbons.
    pub eye: [f32; 3],
    /// Size of a pixel at a distance of one metre, metres.
    pub pixel: f32,
}

/// `Morph` of `deform.wgsl`: an active morph target.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuMorph {
    pub weight: f32,
    pub table: u32,
    pub first_block: u32,
    /// The upper four bits hold the number of floats per vertex.
    pub n_blocks: u32,
}

/// `Dispatch` of `deform.wgsl`: some instances of one primitive.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Dispatch {
    pub first_job: u32,
    pub n_vertices: u32,
    pub padding: u32,
    pub row: u32,
}

/// `Slot` of `inc/material.wgsl`: UV transform of a texture.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuSlot {
    pub u_row: [f32; 4],
    pub v_row: [f32; 4],
}

/// `Material` of `inc/material.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuMaterial {
    pub base_color: [f32; 4],
    pub emissive: [f32; 3],
    pub normal_scale: f32,
    pub metallic: f32,
    pub roughness: f32,
    pub occlusion_strength: f32,
    pub alpha_cutoff: f32,
    pub base_color_slot: GpuSlot,
    pub metallic_roughness_slot: GpuSlot,
    pub normal_slot: GpuSlot,
    pub occlusion_slot: GpuSlot,
    pub emissive_slot: GpuSlot,
    pub f0: [f32; 3],
    pub f90: f32,
    pub sheen_color: [f32; 3],
    pub sheen_roughness: f32,
    pub coat: f32,
    pub coat_roughness: f32,
    pub coat_normal_scale: f32,
    pub transmission: f32,
    pub absorption: [f32; 3],
    pub thickness: f32,
    pub iris: [f32; 4],
    pub scale: f32,
    pub flags: u32,
    pub first_tint: u32,
    pub tints: u32,
    pub color_layer_slot: GpuSlot,
    pub layers_slot: GpuSlot,
    pub sheen_slot: GpuSlot,
    pub coat_normal_slot: GpuSlot,
    pub toon: GpuToon,
}

/// `Toon` of `inc/material.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuToon {
    pub shade_color: [f32; 3],
    pub shading_shift: f32,
    pub rim_color: [f32; 3],
    pub rim_power: f32,
    pub matcap_color: [f32; 3],
    pub rim_lift: f32,
    pub outline_color: [f32; 3],
    pub outline_width: f32,
    pub shading_toony: f32,
    pub gi_equalization: f32,
    pub rim_lighting_mix: f32,
    pub outline_lighting_mix: f32,
    pub scroll: [f32; 2],
    pub rotation: f32,
    pub time: f32,
    pub shift_scale: f32,
    pub outline_on_screen: f32,
    pub padding_a: f32,
    pub padding_b: f32,
}

/// `Wrinkles` of `inc/wrinkles.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuWrinkles {
    pub weights: [[f32; 4]; MAX_MASKS * MAX_MAPS],
    pub tints: [[f32; 4]; MAX_MASKS * 3],
    pub maps: [[f32; 4]; MAX_MAPS],
    pub whole: [[f32; 4]; 3],
    pub area: [f32; 4],
}

/// Bits of [`GpuMaterial::flags`].
pub mod flag {
    pub const BASE_COLOR: u32 = 1;
    pub const METALLIC_ROUGHNESS: u32 = 2;
    pub const NORMAL: u32 = 4;
    pub const OCCLUSION: u32 = 8;
    pub const EMISSIVE: u32 = 16;
    pub const DOUBLE_SIDED: u32 = 32;
    pub const UNLIT: u32 = 64;
    pub const BLEND: u32 = 128;
    pub const COLOR_LAYER: u32 = 256;
    pub const LAYERS: u32 = 512;
    pub const SHEEN: u32 = 1024;
    pub const COAT_NORMAL: u32 = 2048;
    pub const MOVES: u32 = 4096;
    pub const IRIS: u32 = 8192;
    pub const COAT: u32 = 16384;
    pub const FIBRES: u32 = 32768;
    pub const CLEAR: u32 = 65536;
    pub const STONE: u32 = 131_072;
    pub const BRONZE: u32 = 262_144;
    pub const WRINKLES: u32 = 524_288;
    pub const CLASSIC: u32 = 1_048_576;
    /// First bits of the number of wrinkle masks and of wrinkle maps, four bits each.
    pub const MASKS_FROM: u32 = 21;
    pub const MAPS_FROM: u32 = 25;
    pub const DECALS: u32 = 536_870_912;
}

/// Texture coordinates and colour of a vertex, in the layout of the mesh pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Attributes {
    pub uv: [f32; 4],
    /// Colour, unorm.
    pub color: [u16; 4],
    /// Curvature, 1 / mesh unit.
    pub curvature: f32,
}

/// `Points` of `strand_points.wgsl`: the strand points of one draw to light.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct StrandPoints {
    pub first_vertex: u32,
    pub n: u32,
    pub place: u32,
    pub first_listed: u32,
    pub first_lit: u32,
    pub row: u32,
    pub padding: [u32; 2],
}

/// A particle, as instance data; the fields are described in `inc/particles.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ParticleInstance {
    pub at: [f32; 3],
    pub size: f32,
    pub along: [f32; 3],
    pub turn: f32,
    pub color: [f32; 4],
    pub looks: [f32; 4],
    pub layer: u32,
    pub flags: u32,
}

/// Bits of [`ParticleInstance::flags`].
pub mod particle_flag {
    pub const LIES: u32 = 1;
}

/// One line, in the layout of `lines.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LineVertex {
    pub from: [f32; 3],
    pub to: [f32; 3],
    pub color: [f32; 3],
}

/// Floats of a deformed vertex: position, normal, tangent with sign.
pub const DEFORMED_FLOATS: u64 = 10;

/// Columns of a matrix, in the layout of WGSL.
pub fn columns(m: Mat4) -> [[f32; 4]; 4] {
    m.to_cols_array_2d()
}

#[cfg(test)]
mod tests;
