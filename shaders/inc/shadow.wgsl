// The sun's shadow cascades, the shadow atlas of point and spot lights, the contact map and the occlusion map, with soft
// shadow filters. Group 1. Needs inc/scene.wgsl and inc/local_lights.wgsl.

#include "inc/disc.wgsl"

@group(1) @binding(0) var sun_maps: texture_depth_2d_array;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
@group(1) @binding(2) var contact_map: texture_2d<f32>;
@group(1) @binding(3) var linear_sampler: sampler;
@group(1) @binding(4) var local_light_map: texture_depth_2d;
// Ambient openness (r) and sun visibility (g) of the visible surface, and its depth (b, metres along the view).
@group(1) @binding(5) var occlusion_map: texture_2d<f32>;

const WIDEST: f32 = 0.07;
// A few samples suffice if a texel is wider than the softest shadow, for example over a crowd.
const CROWD_TAPS: u32 = 4u;
// A few samples also suffice if light is computed at closely spaced points, for example along strands.
var<private> is_dense: bool = false;

fn n_searches() -> u32 {
    return select(blocker_taps(), 0u, is_dense);
}

fn n_taps() -> u32 {
    return select(shadow_taps(), min(CROWD_TAPS, shadow_taps()), is_dense);
}

// 0 in full shadow, 1 in the sun. `normal` is the smooth geometric one, without normal map.
fn sun_visibility(position: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>) -> f32 {
    let last = n_cascades();
    // Near its edge, a cascade is dithered into the next one. Sampling both would cost twice as much.
    let dither_edge = 0.97 - 0.07 * fract(pixel_noise(pixel) * 5.77 + 0.13);
    var layer = last;
    var edge = 0.0;
    for (var i = 0u; i < last; i++) {
        let at = scene.cascades[i].from_world * vec4<f32>(position, 1.0);
        let here = max(abs(at.x), abs(at.y));
        if layer == last && here < select(dither_edge, 0.97, i + 1u == last) {
            layer = i;
            edge = here;
        }
    }
    if layer >= last {
        return 1.0;
    }
    let lit = cascade_visibility(layer, position, normal, pixel);
    // Fades to unshadowed outside the last cascade.
    return mix(lit, 1.0, select(0.0, smoothstep(0.9, 0.97, edge), layer + 1u == last));
}

fn cascade_visibility(layer: u32, position: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>) -> f32 {
    let texel_width = scene.cascades[layer].texel;
    let map_radius = scene.cascades[layer].radius;
    let map_range = scene.cascades[layer].range;
    let n_l = clamp(dot(normal, scene.sun_direction), 0.0, 1.0);
    let away = texel_width * (0.5 + 1.5 * sqrt(1.0 - n_l * n_l));
    let at = scene.cascades[layer].from_world * vec4<f32>(position + normal * away, 1.0);
    let uv = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    let uv_per_metre = vec2<f32>(0.5, -0.5) / map_radius;
    let depth = min(at.z, 0.99999);
    // Depth gradient along the receiving plane, per metre across the map.
    let ln = (scene.cascades[layer].from_world * vec4<f32>(normal, 0.0)).xyz
        * vec3<f32>(map_radius, map_radius, map_range);
    let slope = clamp(-ln.xy / min(ln.z, -0.05), vec2<f32>(-6.0), vec2<f32>(6.0)) / map_range;
    let start = disc_start(pixel_noise(pixel));
    let size = vec2<f32>(textureDimensions(sun_maps));

    let is_crowd = texel_width * 2.0 > WIDEST;
    let n_searched = select(n_searches(), 0u, is_crowd);
    let taps = select(n_taps(), min(CROWD_TAPS, n_taps()), is_crowd);
    let search = max(WIDEST, 2.0 * texel_width);
    var blockers = 0.0;
    var blocker_depth = 0.0;
    var direction = start;
    for (var i = 0u; i < n_searched; i++) {
        let o = direction * (search * sqrt((f32(i) + 0.5) / f32(n_searched)));
        direction = disc_turn(direction);
        let texel = clamp((uv + o * uv_per_metre) * size, vec2<f32>(0.0), size - 1.0);
        let z = textureLoad(sun_maps, vec2<i32>(texel), layer, 0);
        if z < depth + dot(o, slope) {
            blockers += 1.0;
            blocker_depth += z;
        }
    }
    // If the search finds no blocker, one more sample checks for a small one, such as a nose, between the samples.
    if n_searched > 0u && blockers < 0.5 {
        if textureSampleCompareLevel(sun_maps, shadow_sampler, uv, layer, depth) > 0.99 {
            return 1.0;
        }
    }
    let gap = select(0.0, max(depth - blocker_depth / max(blockers, 1.0), 0.0) * map_range, blockers > 0.5);
    let wide = clamp(gap * scene.sun_softness, 1.6 * texel_width, search);
    let radius = select(wide, texel_width, n_searched == 0u);
    var lit = 0.0;
    direction = start;
    for (var i = 0u; i < taps; i++) {
        let o = direction * (radius * sqrt((f32(i) + 0.5) / f32(taps)));
        direction = disc_turn(direction);
        lit += textureSampleCompareLevel(
            sun_maps, shadow_sampler, uv + o * uv_per_metre, layer, depth + min(dot(o, slope), 0.0));
    }
    return lit / f32(taps);
}

// Distance from the light's plane, metres, for a depth of its map.
fn local_light_distance(view: ShadowView, depth: f32) -> f32 {
    return view.near * view.far / max(view.far - depth * (view.far - view.near), 1e-6);
}

// Index of the view of a point light that contains direction `d`.
fn cube_face(d: vec3<f32>) -> u32 {
    let a = abs(d);
    if a.x >= a.y && a.x >= a.z {
        return select(1u, 0u, d.x > 0.0);
    }
    if a.y >= a.z {
        return select(3u, 2u, d.y > 0.0);
    }
    return select(5u, 4u, d.z > 0.0);
}

fn local_light_visibility(local_light: LocalLight, position: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>) -> f32 {
    if local_light.first_view == NO_VIEW {
        return 1.0;
    }
    let from_local_light = position - local_light.position;
    var index = local_light.first_view;
    if local_light.n_views > 1u {
        index += cube_face(from_local_light);
    }
    let view = shadow_views[index];
    let distance = length(from_local_light);
    let texel_width = view.texel * distance;
    let n_l = clamp(-dot(normal, from_local_light) / max(distance, 1e-4), 0.0, 1.0);
    let away = texel_width * (0.7 + 2.0 * sqrt(1.0 - n_l * n_l));
    let clip = view.clip_from_world * vec4<f32>(position + normal * away, 1.0);
    if clip.w <= 0.0 {
        return 1.0;
    }
    let at = clip.xyz / clip.w;
    if abs(at.x) > 1.0 || abs(at.y) > 1.0 {
        return select(1.0, 0.0, local_light.n_views == 1u);
    }
    let inside = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    // A texel is `texel_width` metres here.
    let size = vec2<f32>(textureDimensions(local_light_map));
    let texel_uv = 1.0 / size;
    let low = view.tile.xy + texel_uv * 0.5;
    let high = view.tile.xy + view.tile.zw - texel_uv * 0.5;
    let uv = view.tile.xy + inside * view.tile.zw;
    let uv_per_metre = texel_uv / texel_width;
    let depth = at.z;
    let here = local_light_distance(view, depth);
    let search = clamp(local_light.radius * 1.5, 2.0 * texel_width, 24.0 * texel_width);
    let start = disc_start(pixel_noise(pixel));
    var direction = start;
    var blockers = 0.0;
    var blocker_distance = 0.0;
    for (var i = 0u; i < n_searches(); i++) {
        let o = direction * (search * sqrt((f32(i) + 0.5) / f32(n_searches())));
        direction = disc_turn(direction);
        let texel = clamp(uv + o * uv_per_metre, low, high) * size;
        let z = local_light_distance(view, textureLoad(local_light_map, vec2<i32>(texel), 0));
        if z < here - 2.0 * texel_width {
            blockers += 1.0;
            blocker_distance += z;
        }
    }
    // Same as for the sun.
    if n_searches() > 0u && blockers < 0.5 {
        if textureSampleCompareLevel(local_light_map, shadow_sampler, uv, depth) > 0.99 {
            return 1.0;
        }
    }
    let blocker = blocker_distance / max(blockers, 1.0);
    let gap = select(0.0, max(here - blocker, 0.0) / max(blocker, 1e-3), blockers > 0.5);
    let radius = clamp(local_light.radius * gap, 1.6 * texel_width, search);
    var lit = 0.0;
    direction = start;
    for (var i = 0u; i < n_taps(); i++) {
        let o = direction * (radius * sqrt((f32(i) + 0.5) / f32(n_taps())));
        direction = disc_turn(direction);
        lit += textureSampleCompareLevel(
            local_light_map, shadow_sampler, clamp(uv + o * uv_per_metre, low, high), depth);
    }
    return lit / f32(n_taps());
}

// Fraction of the sky that is visible from a point of the ground, past nearby objects: 1 = all.
fn ground_openness(position: vec3<f32>) -> f32 {
    let at = scene.contact_from_world * vec4<f32>(position, 1.0);
    let uv = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    // Four filtered samples smooth the noise of the map.
    let o = 0.75 / vec2<f32>(textureDimensions(contact_map));
    let open = textureSampleLevel(contact_map, linear_sampler, uv + o, 0.0).r
        + textureSampleLevel(contact_map, linear_sampler, uv - o, 0.0).r
        + textureSampleLevel(contact_map, linear_sampler, uv + vec2<f32>(o.x, -o.y), 0.0).r
        + textureSampleLevel(contact_map, linear_sampler, uv + vec2<f32>(-o.x, o.y), 0.0).r;
    let border = smoothstep(0.9, 1.0, max(abs(at.x), abs(at.y)));
    return mix(open * 0.25, 1.0, border);
}

// Ambient openness and sun visibility at a pixel of the lit image whose surface is `along` metres away along the view. Of
// the four nearest texels of the map, those of the same surface are used.
fn seen_openness(pixel: vec2<f32>, along: f32) -> vec2<f32> {
    if !has_occlusion() {
        return vec2<f32>(1.0);
    }
    let last = vec2<i32>(textureDimensions(occlusion_map)) - 1;
    let at = pixel * scene.occlusion_scale - 0.5;
    let corner = floor(at);
     let fraction = at - corner;
    var sum = vec2<f32>(0.0);
    var all = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let step = vec2<f32>(f32(i & 1u), f32(i >> 1u));
        let texel = textureLoad(occlusion_map, clamp(vec2<i32>(corner + step), vec2<i32>(0), last), 0);
           let near = select(1.0 - fraction, fraction, step > vec2<f32>(0.5));
        let unlike = abs(texel.b - along) / max(along, 1e-3);
        let weight = near.x * near.y / (1e-4 + unlike * 4.0) + 1e-6;
        sum += texel.rg * weight;
        all += weight;
    }
    return sum / all;
}

// Thickness of the model between the sun and a point just below the surface, metres, from the smallest cascade that contains
// the point (Jiménez, Whelan, Sundstedt, Gutierrez 2010, "Real-time realistic skin translucency").
fn sun_depth(position: vec3<f32>, normal: vec3<f32>) -> f32 {
    for (var i = 0u; i < n_cascades(); i++) {
        let inside = position - normal * (0.002 + scene.cascades[i].texel);
        let at = scene.cascades[i].from_world * vec4<f32>(inside, 1.0);
        if max(abs(at.x), abs(at.y)) < 0.97 {
            let size = vec2<f32>(textureDimensions(sun_maps));
                 let texel_position = (at.xy * vec2<f32>(0.5, -0.5) + 0.5) * size - 0.5;
            let corner = floor(texel_position);
            let last = vec2<i32>(size) - 1;
            var sum = 0.0;
            for (var k = 0u; k < 4u; k++) {
                let step = vec2<f32>(f32(k & 1u), f32(k >> 1u));
                let z = textureLoad(sun_maps, clamp(vec2<i32>(corner + step), vec2<i32>(0), last), i, 0);
                sum += max(at.z - z, 0.0) * texel_share(texel_position - corner, step);
            }
            return sum * scene.cascades[i].range;
        }
    }
    return 1.0;
}

// Same as `sun_depth`, for a point or spot light; large without a shadow map.
fn local_light_depth(local_light: LocalLight, position: vec3<f32>, normal: vec3<f32>) -> f32 {
    if local_light.first_view == NO_VIEW {
        return 1.0;
    }
    let from_local_light = position - local_light.position;
    var index = local_light.first_view;
    if local_light.n_views > 1u {
        index += cube_face(from_local_light);
    }
    let view = shadow_views[index];
    let inside = position - normal * (0.002 + view.texel * length(from_local_light));
    let clip = view.clip_from_world * vec4<f32>(inside, 1.0);
    if clip.w <= 0.0 {
        return 1.0;
    }
    let at = (clip.xy / clip.w) * vec2<f32>(0.5, -0.5) + 0.5;
    let size = vec2<f32>(textureDimensions(local_light_map));
    let texel_position = (view.tile.xy + at * view.tile.zw) * size - 0.5;
    let corner = floor(texel_position);
    let low = vec2<i32>(view.tile.xy * size);
    let high = vec2<i32>((view.tile.xy + view.tile.zw) * size) - 1;
    let here = local_light_distance(view, clip.z / clip.w);
    var sum = 0.0;
    for (var k = 0u; k < 4u; k++) {
        let step = vec2<f32>(f32(k & 1u), f32(k >> 1u));
        let z = textureLoad(local_light_map, clamp(vec2<i32>(corner + step), low, high), 0);
        sum += max(here - local_light_distance(view, z), 0.0) * texel_share(texel_position - corner, step);
    }
    return sum;
}

// Bilinear weight of the texel at `step` from the corner texel, for a position `share` between corner and opposite texel.
fn texel_share(share: vec2<f32>, step: vec2<f32>) -> f32 {
    let near = select(1.0 - share, share, step > vec2<f32>(0.5));
    return near.x * near.y;
}
