// The sun's shadow map and the contact map, and how soft a shadow is. Group 1.

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
@group(1) @binding(2) var contact_map: texture_depth_2d;

// Metres of half-shadow per metre between what casts and what receives: a sun in thin haze.
const PENUMBRA: f32 = 0.035;
const WIDEST: f32 = 0.07;
const BLOCKER_TAPS: u32 = 8u;
const SHADOW_TAPS: u32 = 16u;
const CONTACT_TAPS: u32 = 20u;
const CONTACT_REACH: f32 = 0.30;
const GOLDEN_ANGLE: f32 = 2.39996323;

// Point `i` of `n` spread evenly over the unit disc, turned by `turn` radians (Vogel 1979).
fn disc_point(i: u32, n: u32, turn: f32) -> vec2<f32> {
    let r = sqrt((f32(i) + 0.5) / f32(n));
    let a = f32(i) * GOLDEN_ANGLE + turn;
    return r * vec2<f32>(cos(a), sin(a));
}

// 0 in full shadow, 1 in the sun. `normal` is the smooth geometric one, not the bumped one.
fn sun_visibility(position: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>) -> f32 {
    if scene.shadow_texel <= 0.0 {
        return 1.0;
    }
    let n_l = clamp(dot(normal, scene.sun_direction), 0.0, 1.0);
    let away = scene.shadow_texel * (0.5 + 1.5 * sqrt(1.0 - n_l * n_l));
    let at = scene.sun_from_world * vec4<f32>(position + normal * away, 1.0);
    if abs(at.x) >= 1.0 || abs(at.y) >= 1.0 {
        return 1.0;
    }
    let uv = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    let uv_per_metre = vec2<f32>(0.5, -0.5) / scene.shadow_radius;
    let depth = min(at.z, 0.99999);
    // How depth changes along the receiving plane, per metre across the map.
    let ln = (scene.sun_from_world * vec4<f32>(normal, 0.0)).xyz
        * vec3<f32>(scene.shadow_radius, scene.shadow_radius, scene.shadow_range);
    let slope = clamp(-ln.xy / min(ln.z, -0.05), vec2<f32>(-6.0), vec2<f32>(6.0)) / scene.shadow_range;
    let turn = pixel_noise(pixel) * 6.2831853;
    let size = vec2<f32>(textureDimensions(shadow_map));

    let search = max(WIDEST, 2.0 * scene.shadow_texel);
    var blockers = 0.0;
    var blocker_depth = 0.0;
    for (var i = 0u; i < BLOCKER_TAPS; i++) {
        let o = disc_point(i, BLOCKER_TAPS, turn) * search;
        let texel = clamp((uv + o * uv_per_metre) * size, vec2<f32>(0.0), size - 1.0);
        let z = textureLoad(shadow_map, vec2<i32>(texel), 0);
        if z < depth + dot(o, slope) {
            blockers += 1.0;
            blocker_depth += z;
        }
    }
    if blockers < 0.5 {
        return 1.0;
    }
    let gap = max(depth - blocker_depth / blockers, 0.0) * scene.shadow_range;
    let radius = clamp(gap * PENUMBRA, 1.3 * scene.shadow_texel, search);
    var lit = 0.0;
    for (var i = 0u; i < SHADOW_TAPS; i++) {
        let o = disc_point(i, SHADOW_TAPS, turn) * radius;
        lit += textureSampleCompareLevel(
            shadow_map, shadow_sampler, uv + o * uv_per_metre, depth + min(dot(o, slope), 0.0));
    }
    // Ease into the border of the map.
    let border = smoothstep(0.94, 1.0, max(abs(at.x), abs(at.y)));
    return mix(lit / f32(SHADOW_TAPS), 1.0, border);
}

// How much of the sky a point of the ground sees past what stands near it: 1 = all.
fn ground_openness(position: vec3<f32>, pixel: vec2<f32>) -> f32 {
    if scene.contact <= 0.0 {
        return 1.0;
    }
    let at = scene.contact_from_world * vec4<f32>(position, 1.0);
    if abs(at.x) >= 1.0 || abs(at.y) >= 1.0 {
        return 1.0;
    }
    let uv = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    let size = vec2<f32>(textureDimensions(contact_map));
    let turn = pixel_noise(pixel.yx + 17.0) * 6.2831853;
    var hidden = 0.0;
    var all = 0.0;
    for (var i = 0u; i < CONTACT_TAPS; i++) {
        let d = disc_point(i, CONTACT_TAPS, turn);
        let o = d * length(d) * CONTACT_REACH;
        let texel = (uv + o * 0.5 / scene.contact_radius) * size;
        let z = textureLoad(contact_map, vec2<i32>(clamp(texel, vec2<f32>(0.0), size - 1.0)), 0);
        let height = max((z * 1.1 - 0.1) * scene.contact_range, 0.0);
        // The nearer and the lower, the more of the sky is hidden.
        let weight = 1.0 / (0.15 + length(d));
        let far = select(0.0, 1.0, z < 1.0);
        hidden += weight * far * exp(-height * 7.0);
        all += weight;
    }
    return 1.0 - 0.85 * hidden / all;
}
