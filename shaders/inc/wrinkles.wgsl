// Wrinkles that come with facial expressions. `fold` computes their effect once per pixel, before colour, normal and
// roughness are computed. Needs inc/material.wgsl and inc/srgb.wgsl.

struct Wrinkles {
    // Entry 8 j + k: the weight of each channel of mask j for map k.
    weights: array<vec4<f32>, 64>,
    // Entries 3 j + 0, 1, 2: the change of the red, green and blue factor by each channel of mask j.
    tints: array<vec4<f32>, 24>,
    // For each map: scale of its normals, 1 if it is additive, layer of its colour or -1, 1 if it has a roughness.
    maps: array<vec4<f32>, 8>,
    // Weights that apply everywhere: of the first four maps, of the other maps, of the colour; w: 1 if `area` covers
    // everything.
    whole: array<vec4<f32>, 3>,
    // Lowest u and v of the area covered by the textures, and 1 / its size.
    area: vec4<f32>,
}

const HAS_WRINKLES: u32 = 524288u;
const IS_BOOK: u32 = 1048576u;
// First bits of the number of masks and maps, four bits each.
const MASKS_FROM: u32 = 21u;
const MAPS_FROM: u32 = 25u;

@group(3) @binding(1) var<uniform> wrinkles: Wrinkles;
// Masks, then maps (slopes, roughness), then colours (sRGB).
@group(2) @binding(18) var wrinkle_textures: texture_2d_array<f32>;

// A lower weight of a map has no visible effect.
const NO_FOLD: f32 = 0.004;

// Normal, colour and roughness are multiplied by the `_kept` factors, then the other values are added.
var<private> fold_kept: f32 = 1.0;
var<private> fold_normal: vec3<f32> = vec3<f32>(0.0);
var<private> fold_color_kept: vec3<f32> = vec3<f32>(1.0);
var<private> fold_color: vec3<f32> = vec3<f32>(0.0);
var<private> fold_roughness_kept: f32 = 1.0;
var<private> fold_roughness: f32 = 0.0;
// Weight of the material's own normals.
var<private> fold_own: f32 = 1.0;

fn fold(uv: vec4<f32>) {
    if !has(HAS_WRINKLES) {
        return;
    }
    let flags = select(material.flags, FLAGS, KNOWS);
    let n_masks = (flags >> MASKS_FROM) & 15u;
    let n_maps = (flags >> MAPS_FROM) & 15u;
    let p = (slot_uv(material.normal_slot, uv) - wrinkles.area.xy) * wrinkles.area.zw;
    let dx = dpdx(p);
    let dy = dpdy(p);
    let inside = (all(p >= vec2<f32>(0.0)) & all(p <= vec2<f32>(1.0))) | (wrinkles.whole[2].w > 0.5);
    var sums = array<vec4<f32>, 2>(wrinkles.whole[0], wrinkles.whole[1]);
    var shift = wrinkles.whole[2].xyz;
    for (var j = 0u; j < n_masks; j++) {
        let texel = textureSample(wrinkle_textures, normal_sampler, p, j);
        let mask = select(vec4<f32>(0.0), texel, inside);
        let w = 8u * j;
        sums[0] += vec4<f32>(
            dot(mask, wrinkles.weights[w]), dot(mask, wrinkles.weights[w + 1u]),
            dot(mask, wrinkles.weights[w + 2u]), dot(mask, wrinkles.weights[w + 3u]));
        if n_maps > 4u {
            sums[1] += vec4<f32>(
                dot(mask, wrinkles.weights[w + 4u]), dot(mask, wrinkles.weights[w + 5u]),
                dot(mask, wrinkles.weights[w + 6u]), dot(mask, wrinkles.weights[w + 7u]));
        }
        let t = 3u * j;
        shift += vec3<f32>(
            dot(mask, wrinkles.tints[t]), dot(mask, wrinkles.tints[t + 1u]), dot(mask, wrinkles.tints[t + 2u]));
    }
    let tint = max(vec3<f32>(1.0) + shift, vec3<f32>(0.0));
    fold_color_kept = tint;
    if has(IS_BOOK) {
        fold_own = min(sums[0].x, 1.0);
        return;
    }
    for (var k = 0u; k < n_maps; k++) {
        let weight = clamp(sums[k / 4u][k % 4u], 0.0, 1.0);
        if weight > NO_FOLD {
            let map = wrinkles.maps[k];
            let texel = textureSampleGrad(wrinkle_textures, normal_sampler, p, n_masks + k, dx, dy);
            let bump = (texel.xy * 2.0 - 1.0) * map.x;
            let z = sqrt(max(1.0 - dot(bump, bump), 0.01));
            let kept = select(1.0 - weight, 1.0, map.y > 0.5);
            let added = select(vec3<f32>(bump, z), vec3<f32>(bump / z, 0.0), map.y > 0.5);
            fold_normal = fold_normal * kept + added * weight;
            fold_kept *= kept;
            let rough = mix(1.0, texel.z, map.w);
            let factor = select(kept, 1.0 + weight * (rough - 1.0), map.y > 0.5);
            let own = select(weight * texel.z, 0.0, map.y > 0.5);
            fold_roughness_kept *= select(1.0, factor, map.w > 0.5);
            fold_roughness = select(fold_roughness, fold_roughness * factor + own, map.w > 0.5);
            // The condition must not depend on the uniform alone, or Mesa's software driver would recompile the shader every
            // frame.
            if select(0.0, weight, map.z >= 0.0) > NO_FOLD {
                let seen = textureSampleGrad(wrinkle_textures, normal_sampler, p, u32(map.z), dx, dy).rgb;
                let color = linear_from_srgb(seen);
                let by = select(vec3<f32>(kept), 1.0 + weight * (color - 1.0), map.y > 0.5);
                fold_color_kept *= by;
                fold_color = fold_color * by + select(weight * color * material.base_color.rgb, vec3<f32>(0.0), map.y > 0.5);
            }
        }
    }
}

// Tangent-space normal of the material's normal map, with wrinkles.
fn folded_bump(bump: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(bump.xy * fold_own, bump.z) * fold_kept + fold_normal;
}

fn folded_color(base: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(base.rgb * fold_color_kept + fold_color, base.a);
}

// Metallic and roughness.
fn folded_metal_rough(uv: vec4<f32>) -> vec2<f32> {
    let mr = metal_rough(uv);
    return vec2<f32>(mr.x, clamp(mr.y * fold_roughness_kept + fold_roughness, 0.045, 1.0));
}
