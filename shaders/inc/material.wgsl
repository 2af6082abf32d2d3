// A glTF material: pictures (group 2), and factors and where pictures are read (group 3). Factors are linear; base
// colour and emissive pictures are sRGB, decoded by the sampler.

struct Slot {
    // Rows applied to (u, v, 1); u_row.w is the set of texture coordinates.
    u_row: vec4<f32>,
    v_row: vec4<f32>,
}

struct Material {
    base_color: vec4<f32>,
    emissive: vec3<f32>,
    normal_scale: f32,
    metallic: f32,
    roughness: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,
    base_color_slot: Slot,
    metallic_roughness_slot: Slot,
    normal_slot: Slot,
    occlusion_slot: Slot,
    emissive_slot: Slot,
    flags: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

const HAS_BASE_COLOR: u32 = 1u;
const HAS_METALLIC_ROUGHNESS: u32 = 2u;
const HAS_NORMAL: u32 = 4u;
const HAS_OCCLUSION: u32 = 8u;
const HAS_EMISSIVE: u32 = 16u;
const DOUBLE_SIDED: u32 = 32u;
const UNLIT: u32 = 64u;
const BLEND: u32 = 128u;

@group(3) @binding(0) var<uniform> material: Material;
@group(2) @binding(0) var base_color_texture: texture_2d<f32>;
@group(2) @binding(1) var base_color_sampler: sampler;
@group(2) @binding(2) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(3) var metallic_roughness_sampler: sampler;
@group(2) @binding(4) var normal_texture: texture_2d<f32>;
@group(2) @binding(5) var normal_sampler: sampler;
@group(2) @binding(6) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(7) var occlusion_sampler: sampler;
@group(2) @binding(8) var emissive_texture: texture_2d<f32>;
@group(2) @binding(9) var emissive_sampler: sampler;

fn has(flag: u32) -> bool {
    return (material.flags & flag) != 0u;
}

// `uv` holds both sets of texture coordinates.
fn slot_uv(slot: Slot, uv: vec4<f32>) -> vec2<f32> {
    let p = vec3<f32>(select(uv.xy, uv.zw, slot.u_row.w > 0.5), 1.0);
    return vec2<f32>(dot(slot.u_row.xyz, p), dot(slot.v_row.xyz, p));
}

fn base_color(uv: vec4<f32>, vertex_color: vec4<f32>) -> vec4<f32> {
    var color = material.base_color * vertex_color;
    if has(HAS_BASE_COLOR) {
        color *= textureSample(base_color_texture, base_color_sampler, slot_uv(material.base_color_slot, uv));
    }
    return color;
}

// Metallic and perceptual roughness.
fn metal_rough(uv: vec4<f32>) -> vec2<f32> {
    var mr = vec2<f32>(material.metallic, material.roughness);
    if has(HAS_METALLIC_ROUGHNESS) {
        let texel = textureSample(
            metallic_roughness_texture, metallic_roughness_sampler,
            slot_uv(material.metallic_roughness_slot, uv));
        mr *= texel.bg;
    }
    return vec2<f32>(clamp(mr.x, 0.0, 1.0), clamp(mr.y, 0.045, 1.0));
}

// 1 = open.
fn occlusion_at(uv: vec4<f32>) -> f32 {
    if !has(HAS_OCCLUSION) {
        return 1.0;
    }
    let texel = textureSample(occlusion_texture, occlusion_sampler, slot_uv(material.occlusion_slot, uv));
    return 1.0 + material.occlusion_strength * (texel.r - 1.0);
}

// Linear light given off.
fn emissive_at(uv: vec4<f32>) -> vec3<f32> {
    if !has(HAS_EMISSIVE) {
        return material.emissive;
    }
    return material.emissive
        * textureSample(emissive_texture, emissive_sampler, slot_uv(material.emissive_slot, uv)).rgb;
}
