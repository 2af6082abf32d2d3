// Crowd agents that are small on screen: a billboard for each, with a lit image of its pose from the view direction. Writes
// linear HDR.

#include "inc/scene.wgsl"
#include "inc/agents.wgsl"
#include "inc/color.wgsl"
#include "inc/fog.wgsl"
#include "inc/local_lights.wgsl"
#include "inc/shadow.wgsl"
#include "inc/ambient.wgsl"
#include "inc/brdf.wgsl"
#include "inc/lighting.wgsl"
#include "inc/metal_rough.wgsl"

// Base colour times coverage, and the coverage.
@group(2) @binding(0) var light_map: texture_2d<f32>;
// Normal x and y, depth relative to the quad, and tint index in steps of a quarter.
@group(2) @binding(1) var form_map: texture_2d<f32>;
@group(2) @binding(2) var tile_sampler: sampler;

// Bias towards finer mip levels, in levels.
const SHARPER: f32 = 0.35;
// Coverage at which a pixel counts as opaque without multisampling. It is below one half, so that thin limbs stay visible.
const THIN: f32 = 0.4;
// Height of a tile in the smallest mip level, texels.
const SMALLEST: f32 = 16.0;

struct Instance {
    // Position, world space.
    @location(0) at: vec3<f32>,
    // Column, row from the 12th bit on, tile height in texels / 16 from the 24th bit on.
    @location(1) tile: u32,
    // x, y and z of a unit quaternion with w ≥ 0; its z axis points towards the eye.
    @location(2) turn: vec3<f32>,
    // First of four rows that describe a tinted material each: material number, first colour row, number of colours.
    @location(3) first_tint: u32,
    // Half size, metres.
    @location(4) half: vec2<f32>,
    // Maximum depth of the body in front of or behind the quad, metres.
    @location(5) depth: f32,
    @location(6) roughness: f32,
    @location(7) seed: u32,
}

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    // Position in the texture, texels.
    @location(1) texel: vec2<f32>,
    // Axes of the quad, with one scalar each: depth, mip level, roughness.
    @location(2) @interpolate(flat) right: vec4<f32>,
    @location(3) @interpolate(flat) up: vec4<f32>,
    @location(4) @interpolate(flat) ahead: vec4<f32>,
    @location(5) @interpolate(flat) tints: vec4<u32>,
}

fn packed_tint(color: vec3<f32>) -> u32 {
    let root = vec3<u32>(sqrt(clamp(color, vec3<f32>(0.0), vec3<f32>(4.0))) * vec3<f32>(1023.5, 1023.5, 511.5));
    return root.x | root.y << 11u | root.z << 22u;
}

fn tint_from(word: u32) -> vec3<f32> {
    let root = vec3<f32>(f32(word & 2047u), f32(word >> 11u & 2047u), f32(word >> 22u)) / vec3<f32>(1023.5, 1023.5, 511.5);
    return root * root;
}

fn tint(own: Instance, which: u32) -> u32 {
    let choice = vec3<u32>(rows[own.first_tint + which].xyz);
    return packed_tint(tint_of(own.seed, choice.x, choice.y, choice.z));
}

fn turned_by(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

@vertex
fn vs(own: Instance, @builtin(vertex_index) index: u32) -> Varyings {
    var corners = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let number = corners[index];
    let corner = vec2<f32>(f32(number & 1u), f32(number >> 1u)) * 2.0 - 1.0;
    let turn = vec4<f32>(own.turn, sqrt(max(1.0 - dot(own.turn, own.turn), 0.0)));
    let right = turned_by(turn, vec3<f32>(1.0, 0.0, 0.0));
    let up = turned_by(turn, vec3<f32>(0.0, 1.0, 0.0));
    let height = f32(own.tile >> 24u) * SMALLEST;
    let size = vec2<f32>(height * 0.75, height);

    var out: Varyings;
    out.world = own.at + right * (corner.x * own.half.x) + up * (corner.y * own.half.y);
    out.position = scene.clip_from_world * vec4<f32>(out.world, 1.0);
     let tile = vec2<f32>(f32(own.tile & 0xfffu), f32(own.tile >> 12u & 0xfffu));
     out.texel = (tile + corner * vec2<f32>(0.5, -0.5) + 0.5) * size;
    // Height in pixels.
    let middle = scene.clip_from_world * vec4<f32>(own.at, 1.0);
    let top = scene.clip_from_world * vec4<f32>(up * own.half.y, 0.0);
    let pixels = length(top.xy * scene.size) / max(middle.w, 1e-3);
    let level = clamp(log2(height / max(pixels, 1.0)) - SHARPER, 0.0, log2(height / SMALLEST));
    out.right = vec4<f32>(right, own.depth);
    out.up = vec4<f32>(up, level);
    out.ahead = vec4<f32>(turned_by(turn, vec3<f32>(0.0, 0.0, 1.0)), own.roughness);
    out.tints = vec4<u32>(tint(own, 0u), tint(own, 1u), tint(own, 2u), tint(own, 3u));
    return out;
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4<f32> {
    is_dense = true;
    let level = in.up.w;
    let uv = in.texel / vec2<f32>(textureDimensions(light_map));
    let seen = textureSampleLevel(light_map, tile_sampler, uv, level);
    let has_samples = scene.samples > 1.5;
    if seen.a < select(THIN, 0.02, has_samples) {
        discard;
    }
    // The shape is read from one texel, because interpolated tint indices would be wrong.
    let whole = u32(level + 0.5);
    let texel = textureLoad(form_map, vec2<u32>(in.texel) >> vec2<u32>(whole), whole);
    let which = u32(texel.a * 4.0 + 0.5);
    let form = texel.xyz * 2.0 - 1.0;
    var base = seen.rgb / seen.a;
    if which > 0u {
        base *= tint_from(in.tints[which - 1u]);
    }
    let flat_part = form.xy * min(1.0, inverseSqrt(max(dot(form.xy, form.xy), 1e-6)));
    let lift = sqrt(max(1.0 - dot(flat_part, flat_part), 0.0));
    let normal = normalize(in.right.xyz * flat_part.x + in.up.xyz * flat_part.y + in.ahead.xyz * (lift + 1e-3));

    var s: Surface;
    s.position = in.world + in.ahead.xyz * (form.z * in.right.w);
    s.normal = normal;
    s.smooth_normal = normal;
    s.view = normalize(scene.eye - s.position);
    s.diffuse = base;
    s.f0 = vec3<f32>(0.04);
    s.f90 = 1.0;
    s.roughness = clamp(in.ahead.w, 0.3, 1.0);
    s.occlusion = 1.0;
    let color = with_fog(min(all_light(s, in.position.xy), vec3<f32>(64.0)), s.position - scene.eye);
    return vec4<f32>(color, select(1.0, clamp((seen.a - 0.5) * 1.5 + 0.5, 0.0, 1.0), has_samples));
}
