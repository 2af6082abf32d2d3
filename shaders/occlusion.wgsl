// Ambient occlusion and contact shadows of the visible surface. Reads depth and normals of the solid surfaces. Writes
// openness (r), sun visibility past nearby objects that are too small for the shadow map (g), and distance along the view
// (b). `fs` computes them, `fs_blur` removes the noise.

#include "inc/scene.wgsl"
#include "inc/disc.wgsl"

@group(1) @binding(0) var depth_map: texture_depth_2d;
@group(1) @binding(1) var normal_map: texture_2d<f32>;
@group(2) @binding(0) var raw_map: texture_2d<f32>;

// Radius around a point within which objects darken it, metres.
const REACH: f32 = 0.35;
const SLICES: u32 = 2u;
const STEPS: u32 = 4u;
const SUN_STEPS: u32 = 8u;
// Assumed thickness of visible surfaces, metres.
const THICKNESS: f32 = 0.06;
const FAR: f32 = 60000.0;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

fn map_size() -> vec2<f32> {
    return vec2<f32>(textureDimensions(depth_map));
}

// Distance of a texel along the view, metres.
fn along_at(texel: vec2<f32>) -> f32 {
    let z = textureLoad(depth_map, vec2<i32>(clamp(texel, vec2<f32>(0.0), map_size() - 1.0)), 0);
    return select(FAR, scene.near / z, z > 0.0);
}

// Vector from the eye to the surface of a texel, world axes.
fn from_eye(texel: vec2<f32>, along: f32) -> vec3<f32> {
    let clip = texel / map_size() * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0);
    return (scene.ray_z + clip.x * scene.ray_x + clip.y * scene.ray_y) * along;
}

fn fast_acos(x: f32) -> f32 {
    let a = abs(x);
    let r = (1.5707963 - 0.156583 * a) * sqrt(max(1.0 - a, 0.0));
    return select(3.14159265 - r, r, x >= 0.0);
}

// Ground-truth ambient occlusion (Jiménez, Wu, Pesce, Jarabo 2016): the two horizons in each slice through the view
// direction, and the cosine-weighted arc between them.
fn openness(texel: vec2<f32>, p: vec3<f32>, normal: vec3<f32>, along: f32) -> f32 {
    let v = -normalize(p);
    let right = normalize(scene.ray_x);
    let up = normalize(scene.ray_y);
    let pixels = REACH / along * map_size().y * 0.5 / length(scene.ray_y);
    let reach = min(pixels, map_size().y * 0.25);
    if reach < 1.0 {
        return 1.0;
    }
    let noise = pixel_noise(texel);
    let jitter = fract(noise * 7.31 + 0.37);
    var sum = 0.0;
    // The same sum for an unoccluded point: few slices do not give exactly 1.
    var open = 0.0;
    for (var i = 0u; i < SLICES; i++) {
           let slice = disc_start((f32(i) + noise) / f32(SLICES) * 0.5);
           let along_slice = right * slice.x + up * slice.y;
        let d = normalize(along_slice - v * dot(along_slice, v));
        let axis = cross(d, v);
        let flat_normal = normal - axis * dot(normal, axis);
        let flat_length = max(length(flat_normal), 1e-4);
        let cos_n = clamp(dot(flat_normal, v) / flat_length, -1.0, 1.0);
        let n = fast_acos(cos_n) * select(-1.0, 1.0, dot(flat_normal, d) > 0.0);
        var horizon = vec2<f32>(cos(n + 1.5707963), cos(n - 1.5707963));
        let lowest = horizon;
        for (var j = 0u; j < STEPS; j++) {
            let u = (f32(j) + jitter + 0.1) / f32(STEPS);
                 let step = vec2<f32>(slice.x, -slice.y) * (u * u * reach + 1.0);
            // Depth is valid at the centre of a texel. Elsewhere a slanted plane would occlude itself.
            let ahead = floor(texel + step) + 0.5;
            let behind = floor(texel - step) + 0.5;
            let a = from_eye(ahead, along_at(ahead)) - p;
            let b = from_eye(behind, along_at(behind)) - p;
            let a2 = dot(a, a);
            let b2 = dot(b, b);
            let cosines = vec2<f32>(dot(a, v) * inverseSqrt(max(a2, 1e-8)), dot(b, v) * inverseSqrt(max(b2, 1e-8)));
            let fade = clamp(vec2<f32>(a2, b2) / (REACH * REACH), vec2<f32>(0.0), vec2<f32>(1.0));
            horizon = max(horizon, mix(cosines, lowest, fade * fade));
        }
        let h_ahead = n + clamp(fast_acos(clamp(horizon.x, -1.0, 1.0)) - n, -1.5707963, 1.5707963);
        let h_behind = n + clamp(-fast_acos(clamp(horizon.y, -1.0, 1.0)) - n, -1.5707963, 1.5707963);
        let sin_n = sin(n);
        let arcs = (cos_n - cos(2.0 * h_ahead - n) + 2.0 * h_ahead * sin_n)
            + (cos_n - cos(2.0 * h_behind - n) + 2.0 * h_behind * sin_n);
        sum += flat_length * arcs * 0.25;
        open += flat_length * (cos_n + n * sin_n);
    }
    return clamp(sum / max(open, 1e-4), 0.0, 1.0);
}

// Ray march of a short distance towards the sun, in the depth buffer.
fn sunniness(texel: vec2<f32>, p: vec3<f32>, normal: vec3<f32>, along: f32) -> f32 {
    let n_l = dot(normal, scene.sun_direction);
    if scene.contact_shadow <= 0.0 || n_l <= 0.0 || along > 20.0 {
        return 1.0;
    }
    let noise = fract(pixel_noise(texel) * 3.17 + 0.61);
    let start = p + normal * (0.002 + 0.001 * along);
    for (var i = 0u; i < SUN_STEPS; i++) {
        let u = (f32(i) + noise) / f32(SUN_STEPS);
        let q = start + scene.sun_direction * (scene.contact_shadow * u);
        let clip = scene.clip_from_world * vec4<f32>(q + scene.eye, 1.0);
        let at = (clip.xy / clip.w * vec2<f32>(0.5, -0.5) + 0.5) * map_size();
        let behind = clip.w - along_at(at);
        if behind > 0.003 + 0.002 * along && behind < THICKNESS {
            return smoothstep(0.5, 1.0, u);
        }
    }
    return 1.0;
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let along = along_at(position.xy);
    if along >= FAR {
        return vec4<f32>(1.0, 1.0, along, 1.0);
    }
    let p = from_eye(position.xy, along);
    let normal = normalize(textureLoad(normal_map, vec2<i32>(position.xy), 0).xyz * 2.0 - 1.0);
    return vec4<f32>(
        openness(position.xy, p, normal, along), sunniness(position.xy, p, normal, along), along, 1.0);
}

// The mean of 4 by 4 texels of the same surface, which is the period of the noise.
@fragment
fn fs_blur(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let here = vec2<i32>(position.xy);
    let last = vec2<i32>(textureDimensions(raw_map)) - 1;
    let middle = textureLoad(raw_map, here, 0);
    var sum = vec2<f32>(0.0);
    var all = 0.0;
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let texel = textureLoad(raw_map, clamp(here + vec2<i32>(x, y), vec2<i32>(0), last), 0);
            let unlike = abs(texel.b - middle.b) / (0.01 + 0.02 * middle.b);
            let weight = max(1.0 - unlike, 0.0) + 1e-4;
            sum += texel.rg * weight;
            all += weight;
        }
    }
    return vec4<f32>(sum / all, middle.b, 1.0);
}
