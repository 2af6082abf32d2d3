// A glTF material: textures (group 2), factors and UV transforms (group 3). Factors are linear; base colour and emissive
// textures are sRGB, decoded by the sampler.

struct Slot {
    // Rows applied to (u, v, 1); u_row.w is the index of the texture coordinates.
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
    // Dielectric reflectance at normal incidence, and at grazing incidence.
    f0: vec3<f32>,
    f90: f32,
    sheen_color: vec3<f32>,
    sheen_roughness: f32,
    coat: f32,
    coat_roughness: f32,
    coat_normal_scale: f32,
    // Fraction of transmitted light.
    transmission: f32,
    // Absorption coefficient, 1/m.
    absorption: vec3<f32>,
    // Metres.
    thickness: f32,
    // Iris: centre in texture coordinates, radius (0 without), depth as a fraction of the radius.
    iris: vec4<f32>,
    // Metres of the world per unit of the mesh.
    scale: f32,
    flags: u32,
    // For crowds: first row of the tint colours; the number of tint colours (lower half) and the material's number in the
    // model (upper half).
    first_tint: u32,
    tints: u32,
    color_layer_slot: Slot,
    layers_slot: Slot,
    sheen_slot: Slot,
    coat_normal_slot: Slot,
    toon: Toon,
}

// MToon (VRMC_materials_mtoon 1.0).
struct Toon {
    shade_color: vec3<f32>,
    shading_shift: f32,
    rim_color: vec3<f32>,
    rim_power: f32,
    matcap_color: vec3<f32>,
    rim_lift: f32,
    outline_color: vec3<f32>,
    // Metres, or a fraction of the image height.
    outline_width: f32,
    shading_toony: f32,
    gi_equalization: f32,
    rim_lighting_mix: f32,
    outline_lighting_mix: f32,
    // Texture scroll along u and v in repeats per second, rotation in radians per second, and time in seconds.
    scroll: vec2<f32>,
    rotation: f32,
    time: f32,
    shift_scale: f32,
    // 1 if the outline's width is a fraction of the image height.
    outline_on_screen: f32,
    padding_a: f32,
    padding_b: f32,
}

const HAS_BASE_COLOR: u32 = 1u;
const HAS_METALLIC_ROUGHNESS: u32 = 2u;
const HAS_NORMAL: u32 = 4u;
const HAS_OCCLUSION: u32 = 8u;
const HAS_EMISSIVE: u32 = 16u;
const DOUBLE_SIDED: u32 = 32u;
const UNLIT: u32 = 64u;
const BLEND: u32 = 128u;
// Specular colour (rgb) and strength (a); the shade colour of a toon material.
const HAS_COLOR_LAYER: u32 = 256u;
// Clearcoat (r), its roughness (g), transmission (b), thickness (a). For toon materials: shading shift (r), outline width
// (g), UV animation mask (b).
const HAS_LAYERS: u32 = 512u;
// Sheen (rgb) and its roughness (a); the rim of a toon material.
const HAS_SHEEN: u32 = 1024u;
// Clearcoat normals; the matcap of a toon material.
const HAS_COAT_NORMAL: u32 = 2048u;

// Its textures are animated.
const MOVES: u32 = 4096u;
const HAS_IRIS: u32 = 8192u;
const HAS_COAT: u32 = 16384u;
const HAS_FIBRES: u32 = 32768u;
const IS_CLEAR: u32 = 65536u;
const IS_STONE: u32 = 131072u;
const IS_BRONZE: u32 = 262144u;

// Material flags of a specialised pipeline.
override FLAGS: u32 = 0u;

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
@group(2) @binding(10) var color_layer_texture: texture_2d<f32>;
@group(2) @binding(11) var color_layer_sampler: sampler;
@group(2) @binding(12) var layers_texture: texture_2d<f32>;
@group(2) @binding(13) var layers_sampler: sampler;
@group(2) @binding(14) var sheen_texture: texture_2d<f32>;
@group(2) @binding(15) var sheen_sampler: sampler;
@group(2) @binding(16) var coat_normal_texture: texture_2d<f32>;
@group(2) @binding(17) var coat_normal_sampler: sampler;

fn has(flag: u32) -> bool {
    return (select(material.flags, FLAGS, KNOWS) & flag) != 0u;
}

// `uv` holds both sets of texture coordinates.
fn slot_uv(slot: Slot, uv: vec4<f32>) -> vec2<f32> {
    let p = vec3<f32>(select(uv.xy, uv.zw, slot.u_row.w > 0.5), 1.0);
    return vec2<f32>(dot(slot.u_row.xyz, p), dot(slot.v_row.xyz, p));
}

fn base_color(uv: vec4<f32>, vertex_color: vec4<f32>) -> vec4<f32> {
    // At the edge of a thin triangle, interpolation can extrapolate the vertex colours.
    var color = material.base_color * max(vertex_color, vec4<f32>(0.0));
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

// 1 = unoccluded.
fn occlusion_at(uv: vec4<f32>) -> f32 {
    if !has(HAS_OCCLUSION) {
        return 1.0;
    }
    let texel = textureSample(occlusion_texture, occlusion_sampler, slot_uv(material.occlusion_slot, uv));
    return 1.0 + material.occlusion_strength * (texel.r - 1.0);
}

// Emitted linear light.
fn emissive_at(uv: vec4<f32>) -> vec3<f32> {
    if !has(HAS_EMISSIVE) {
        return material.emissive;
    }
    return material.emissive
        * textureSample(emissive_texture, emissive_sampler, slot_uv(material.emissive_slot, uv)).rgb;
}

// 1 without a texture.
fn color_layer_at(uv: vec4<f32>) -> vec4<f32> {
    if !has(HAS_COLOR_LAYER) {
        return vec4<f32>(1.0);
    }
    return textureSample(color_layer_texture, color_layer_sampler, slot_uv(material.color_layer_slot, uv));
}

fn layers_at(uv: vec4<f32>) -> vec4<f32> {
    if !has(HAS_LAYERS) {
        return vec4<f32>(1.0);
    }
    return textureSample(layers_texture, layers_sampler, slot_uv(material.layers_slot, uv));
}

fn sheen_at(uv: vec4<f32>) -> vec4<f32> {
    if !has(HAS_SHEEN) {
        return vec4<f32>(1.0);
    }
    return textureSample(sheen_texture, sheen_sampler, slot_uv(material.sheen_slot, uv));
}
