// The sun's shadow map and the contact map, and how soft a shadow is. Group 1.

#include "inc/disc.wgsl"

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
@group(1) @binding(2) var contact_map: texture_2d<f32>;
@group(1) @binding(3) var contact_sampler: sampler;

// Metres of half-shadow per metre between what casts and what receives: a sun in thin haze.
const PENUMBRA: f32 = 0.035;
const WIDEST: f32 = 0.07;
const BLOCKER_TAPS: u32 = 8u;
const SHADOW_TAPS: u32 = 16u;
// Where a texel is wider than the softest shadow, as over a crowd, a few taps do.
const CROWD_TAPS: u32 = 4u;

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
    let start = disc_start(pixel_noise(pixel));
    let size = vec2<f32>(textureDimensions(shadow_map));

    let is_crowd = scene.shadow_texel * 2.0 > WIDEST;
    let blocker_taps = select(BLOCKER_TAPS, 0u, is_crowd);
    let taps = select(SHADOW_TAPS, CROWD_TAPS, is_crowd);
    let search = max(WIDEST, 2.0 * scene.shadow_texel);
    var blockers = 0.0;
    var blocker_depth = 0.0;
    var direction = start;
    for (var i = 0u; i < blocker_taps; i++) {
        let o = direction * (search * sqrt((f32(i) + 0.5) / f32(BLOCKER_TAPS)));
        direction = disc_turn(direction);
        let texel = clamp((uv + o * uv_per_metre) * size, vec2<f32>(0.0), size - 1.0);
        let z = textureLoad(shadow_map, vec2<i32>(texel), 0);
        if z < depth + dot(o, slope) {
            blockers += 1.0;
            blocker_depth += z;
        }
    }
    if blockers < 0.5 && !is_crowd {
        // Something small, a nose, may still stand between the few places looked at.
        return textureSampleCompareLevel(shadow_map, shadow_sampler, uv, depth);
    }
    let gap = max(depth - blocker_depth / max(blockers, 1.0), 0.0) * scene.shadow_range;
    let radius = select(clamp(gap * PENUMBRA, 1.3 * scene.shadow_texel, search), scene.shadow_texel, is_crowd);
    var lit = 0.0;
    direction = start;
    for (var i = 0u; i < taps; i++) {
        let o = direction * (radius * sqrt((f32(i) + 0.5) / f32(taps)));
        direction = disc_turn(direction);
        lit += textureSampleCompareLevel(
            shadow_map, shadow_sampler, uv + o * uv_per_metre, depth + min(dot(o, slope), 0.0));
    }
    // Ease into the border of the map.
    let border = smoothstep(0.94, 1.0, max(abs(at.x), abs(at.y)));
    return mix(lit / f32(taps), 1.0, border);
}

// How much of the sky a point of the ground sees past what stands near it: 1 = all.
fn ground_openness(position: vec3<f32>) -> f32 {
    let at = scene.contact_from_world * vec4<f32>(position, 1.0);
    let uv = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    // Four filtered samples even out the noise of the map.
    let o = 0.75 / vec2<f32>(textureDimensions(contact_map));
    let open = textureSampleLevel(contact_map, contact_sampler, uv + o, 0.0).r
        + textureSampleLevel(contact_map, contact_sampler, uv - o, 0.0).r
        + textureSampleLevel(contact_map, contact_sampler, uv + vec2<f32>(o.x, -o.y), 0.0).r
        + textureSampleLevel(contact_map, contact_sampler, uv + vec2<f32>(-o.x, o.y), 0.0).r;
    let border = smoothstep(0.9, 1.0, max(abs(at.x), abs(at.y)));
    return mix(open * 0.25, 1.0, border);
}
