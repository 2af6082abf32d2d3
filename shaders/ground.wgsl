// An infinite floor with grid lines, shadows and contact shadows, fading into the horizon. Reads the sun's shadow map and
// the contact map, writes linear HDR.

#include "inc/scene.wgsl"
#include "inc/color.wgsl"
#include "inc/fog.wgsl"
#include "inc/local_lights.wgsl"
#include "inc/shadow.wgsl"
#include "inc/ambient.wgsl"
#include "inc/brdf.wgsl"
#include "inc/lighting.wgsl"

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
}

// Cells per spoke and per ring, radius of the first ring in metres, and the ratio of successive radii.
override RINGS: u32 = 64u;
override SPOKES: u32 = 60u;
override FIRST: f32 = 0.5;
override STEP: f32 = 1.16;

// Rings around the point under the eye, each wider than the one before, so that coordinates stay precise near the eye.
@vertex
fn vs(@builtin(vertex_index) index: u32) -> Varyings {
    var quad = array<vec2<u32>, 6>(
        vec2<u32>(0u, 0u), vec2<u32>(0u, 1u), vec2<u32>(1u, 0u),
        vec2<u32>(1u, 0u), vec2<u32>(0u, 1u), vec2<u32>(1u, 1u));
    let cell = index / 6u;
    let corner = quad[index % 6u];
    let ring = cell % RINGS + corner.x;
    let spoke = cell / RINGS + corner.y;
    let radius = select(FIRST * pow(STEP, f32(ring)), 0.0, ring == 0u);
    let angle = f32(spoke % SPOKES) * (6.2831853 / f32(SPOKES));
    let world = vec3<f32>(
        scene.eye.x + radius * sin(angle), scene.ground_height, scene.eye.z + radius * cos(angle));
    return Varyings(scene.clip_from_world * vec4<f32>(world, 1.0), world);
}

// Coverage of lines `width` metres wide at integer values of `p * spacing`, filtered to the pixel.
fn grid_lines(p: vec2<f32>, spacing: f32, width: f32, pixel: vec2<f32>) -> f32 {
    let u = p / spacing;
    let du = max(pixel / spacing, vec2<f32>(1e-6));
     let line_width = vec2<f32>(width / spacing);
    // Lines are at least a pixel wide and fade instead of getting thinner (Golus, "The best darn grid shader", 2023).
     let drawn = clamp(line_width, du, vec2<f32>(0.5));
    let distance = abs(fract(u - 0.5) - 0.5) * 2.0;
    var line = smoothstep(drawn + du * 1.5, drawn - du * 1.5, distance);
     line *= clamp(line_width / drawn, vec2<f32>(0.0), vec2<f32>(1.0));
     line = mix(line, line_width, clamp(du * 2.0 - 1.0, vec2<f32>(0.0), vec2<f32>(1.0)));
    return mix(line.x, 1.0, line.y);
}

// Colour of the floor with its patches; their edges are slightly soft and uneven.
fn floor_color(p: vec2<f32>, pixel: vec2<f32>) -> vec3<f32> {
    var color = scene.ground_color;
    if !PATCHES {
        return color;
    }
    let edge = 0.02 + max(pixel.x, pixel.y);
    for (var i = 0u; i < min(scene.n_patches, 16u); i++) {
        let patch_ = scene.patches[i];
        let d = p - patch_.center;
        let box = abs(d) - patch_.half;
        let rectangle = max(box.x, box.y);
        let ellipse = (length(d / max(patch_.half, vec2<f32>(1e-4))) - 1.0) * min(patch_.half.x, patch_.half.y);
        let outside = select(rectangle, ellipse, patch_.round > 0.5);
        color = mix(color, patch_.color, smoothstep(edge, -edge, outside));
    }
    return color;
}

// Hash of an integer cell to 0..1 (the last steps of xxHash, Collet 2012).
fn hashed(cell: vec2<i32>) -> f32 {
    var h = bitcast<u32>(cell.x) * 1664525u + bitcast<u32>(cell.y) * 1013904223u;
    h = (h ^ (h >> 15u)) * 2246822519u;
    h = (h ^ (h >> 13u)) * 3266489917u;
    return f32((h ^ (h >> 16u)) & 0xffffu) / 65535.0;
}

// Smooth noise, -1..1, with cells one unit wide.
fn value_noise(p: vec2<f32>) -> f32 {
    let corner = floor(p);
    let cell = vec2<i32>(corner);
    let u = p - corner;
    let share = u * u * (3.0 - 2.0 * u);
    let low = mix(hashed(cell), hashed(cell + vec2<i32>(1, 0)), share.x);
    let high = mix(hashed(cell + vec2<i32>(0, 1)), hashed(cell + vec2<i32>(1, 1)), share.x);
    return mix(low, high, share.y) * 2.0 - 1.0;
}

// Factor on the floor's colour: variations in lightness and warmth at four scales. Scales smaller than a pixel are left out.
fn varied(p: vec2<f32>, pixel: f32) -> vec3<f32> {
    // Each scale is rotated, to hide rows.
     let rotation = mat2x2<f32>(0.8, 0.6, -0.6, 0.8);
    var at = p / 6.1;
    var width = 6.1;
    var sum = 0.0;
    for (var i = 0u; i < 4u; i++) {
        sum += value_noise(at) * clamp(1.5 - 3.0 * pixel / width, 0.0, 1.0);
           at = rotation * at * 4.3;
        width /= 4.3;
    }
    return vec3<f32>(1.0) + scene.uneven * sum * vec3<f32>(0.24, 0.22, 0.17);
}

// Colour that the floor fades to in the distance: the horizon, or the backdrop of a studio.
fn behind(ray: vec3<f32>) -> vec3<f32> {
    if is_seamless() {
        return backdrop(ray);
    }
    return backdrop(normalize(vec3<f32>(ray.x, 0.0, ray.z) + vec3<f32>(0.0, 1e-5, 0.0)));
}

// Fraction of that colour at a distance, in units of the fade distance. A studio floor fades more abruptly.
fn far_share(away: f32) -> f32 {
    let squared = away * away;
    return 1.0 - exp2(-2.0 * select(squared, squared * squared, is_seamless()));
}

// Additional constants of specialised pipelines.
override GRID: bool = true;
override PATCHES: bool = true;
override CONTACT: bool = true;

@fragment
fn fs(in: Varyings) -> @location(0) vec4<f32> {
    let pixel = fwidth(in.world.xz);
    let to_ground = in.world - scene.eye;
    let distance = length(to_ground);
    let ray = to_ground / distance;

    var color = floor_color(in.world.xz, pixel);
    if UNEVEN {
        color *= varied(in.world.xz, max(pixel.x, pixel.y));
    }
    if GRID && scene.grid > 0.0 {
        let fine = grid_lines(in.world.xz, scene.grid, 0.012 * scene.grid, pixel);
        let coarse = grid_lines(in.world.xz, scene.grid * 5.0, 0.02 * scene.grid, pixel);
        color *= 1.0 - 0.22 * max(fine, coarse * 1.4);
    }
    var s: Surface;
    s.position = in.world;
    s.normal = vec3<f32>(0.0, 1.0, 0.0);
    s.smooth_normal = s.normal;
    s.view = -ray;
    s.diffuse = color;
    s.occlusion = 1.0;
    if CONTACT {
        s.occlusion = ground_openness(in.world);
    }
    let lit = all_light(s, in.position.xy);

    return vec4<f32>(with_fog(mix(lit, behind(ray), far_share(distance / scene.fade)), to_ground), 1.0);
}

const FACING_FROM: f32 = 0.0;
const READS_DEPTH: bool = false;

// A matt floor with a little sheen at grazing angles, which blends it into the sky.
fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    let n_l = clamp(light.direction.y, 0.0, 1.0);
    return s.diffuse / PI * light.color * (n_l * light.visibility);
}

fn ambient(s: Surface) -> vec3<f32> {
    let flat_view = 1.0 - clamp(s.view.y, 0.0, 1.0);
    let grazing = 0.16 * flat_view * flat_view * flat_view * flat_view * flat_view;
    return s.diffuse * irradiance(s.normal) * s.occlusion
        + reflected(reflect(-s.view, s.normal), 0.5) * (grazing * s.occlusion);
}
