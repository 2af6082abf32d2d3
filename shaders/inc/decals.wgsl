// Decals (wounds, dirt, dents) over a material, placed by its first texture coordinates. `stamp` reads them once per pixel,
// before colour, normal and roughness are computed. Needs inc/wrinkles.wgsl.

const HAS_DECALS: u32 = 536870912u;

// Layer 0: colour (sRGB) and its opacity. Layer 1: slopes, roughness and the opacity of the roughness.
@group(2) @binding(19) var decal_textures: texture_2d_array<f32>;

var<private> decal_color: vec4<f32> = vec4<f32>(0.0);
var<private> decal_relief: vec4<f32> = vec4<f32>(128.0 / 255.0, 128.0 / 255.0, 1.0, 0.0);

fn stamp(uv: vec2<f32>) {
    if !has(HAS_DECALS) {
        return;
    }
    decal_color = textureSample(decal_textures, base_color_sampler, uv, 0u);
    decal_relief = textureSample(decal_textures, base_color_sampler, uv, 1u);
}

// Tangent-space normal with wrinkles and decals.
fn stamped_bump(bump: vec3<f32>) -> vec3<f32> {
    let folded = folded_bump(bump);
    let slopes = (decal_relief.xy * 255.0 - 128.0) / 127.0;
    let z = sqrt(max(1.0 - dot(slopes, slopes), 0.01));
    return folded + vec3<f32>(slopes / z, 0.0);
}

fn stamped_color(base: vec4<f32>) -> vec4<f32> {
    let folded = folded_color(base);
    return vec4<f32>(mix(folded.rgb, linear_from_srgb(decal_color.rgb), decal_color.a), folded.a);
}

// Metallic and roughness.
fn stamped_metal_rough(uv: vec4<f32>) -> vec2<f32> {
    let mr = folded_metal_rough(uv);
    let bare = mr * vec2<f32>(1.0 - decal_color.a, 1.0);
    return vec2<f32>(bare.x, clamp(mix(bare.y, decal_relief.z, decal_relief.w), 0.045, 1.0));
}
