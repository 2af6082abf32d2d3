// Point and spot lights, the cells that they reach, and their shadow maps. Group 0. Needs inc/scene.wgsl.

struct LocalLight {
    // Position, world space.
    position: vec3<f32>,
    // 1 / range².
    falloff: f32,
    // Light on a surface that faces the light at 1 m.
    color: vec3<f32>,
    // Radius of the light source, metres.
    radius: f32,
    // Direction of a spot light, unit vector.
    direction: vec3<f32>,
    // Attenuation by the cosine of the angle: clamp(cosine * scale + offset), squared.
    spot_scale: f32,
    spot_offset: f32,
    // First shadow view, NO_VIEW without; a point light has six: +X -X +Y -Y +Z -Z.
    first_view: u32,
    n_views: u32,
    padding: u32,
}

struct ShadowView {
    clip_from_world: mat4x4<f32>,
    // Location of its tile in the shadow atlas: offset and size, 0..1.
    tile: vec4<f32>,
    // Distances of the near and the far plane, metres.
    near: f32,
    far: f32,
    // Width of a texel at 1 m, metres.
    texel: f32,
    padding: f32,
}

const NO_VIEW: u32 = 0xffffffffu;
const CELLS_X: u32 = 16u;
const CELLS_Y: u32 = 9u;
const CELLS_Z: u32 = 24u;
// Distance at which the first depth slice of cells ends, metres, and slices per doubling of the distance.
const CELL_NEAR: f32 = 0.25;
const CELL_RATE: f32 = 2.4;

@group(0) @binding(2) var<storage, read> local_lights: array<LocalLight>;
@group(0) @binding(3) var<storage, read> shadow_views: array<ShadowView>;
// For each cell: first index and count (24 + 8 bits); then the lists of lights.
@group(0) @binding(4) var<storage, read> cells: array<u32>;

// Cell of a pixel of the lit image, at a distance along the view.
fn cell_of(pixel: vec2<f32>, along: f32) -> u32 {
    let x = min(u32(pixel.x / scene.size.x * f32(CELLS_X)), CELLS_X - 1u);
    let y = min(u32(pixel.y / scene.size.y * f32(CELLS_Y)), CELLS_Y - 1u);
    let slice = max(log2(max(along, 1e-3) / CELL_NEAR) * CELL_RATE + 1.0, 0.0);
    let z = min(u32(slice), CELLS_Z - 1u);
    return (z * CELLS_Y + y) * CELLS_X + x;
}

// Distance from the eye along the view, metres.
fn along_view(position: vec3<f32>) -> f32 {
    return -(scene.view_from_world * vec4<f32>(position, 1.0)).z;
}

// Attenuation of a light at a distance, eased to 0 at its range (Karis 2013), times 1 / d².
fn local_light_falloff(local_light: LocalLight, distance2: f32) -> f32 {
    let ratio = distance2 * local_light.falloff;
    let window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    return window * window / max(distance2, max(local_light.radius * local_light.radius, 1e-4));
}

fn spot_share(local_light: LocalLight, to_local_light: vec3<f32>) -> f32 {
    let cosine = -dot(local_light.direction, to_local_light);
     let attenuation = clamp(cosine * local_light.spot_scale + local_light.spot_offset, 0.0, 1.0);
     return attenuation * attenuation;
}
