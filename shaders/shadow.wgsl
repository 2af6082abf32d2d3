// Depth of the models as seen from the sun or, for contact darkening, from below the ground. Reads
// deformed vertices (model space), writes depth only. Holes of masked materials stay open.

#include "inc/scene.wgsl"
#include "inc/material.wgsl"

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec4<f32>,
    @location(1) color: vec4<f32>,
}

fn world_of(position: vec3<f32>, instance: u32) -> vec4<f32> {
    return vec4<f32>(world_point(placements[instance], position), 1.0);
}

fn seen_from_sun(position: vec3<f32>, instance: u32) -> vec4<f32> {
    let p = scene.sun_from_world * world_of(position, instance);
    // What stands outside the box towards the sun still casts.
    return vec4<f32>(p.xy, max(p.z, 0.0), p.w);
}

@vertex
fn vs_sun(
    @location(0) position: vec3<f32>,
    @builtin(instance_index) instance: u32,
) -> @builtin(position) vec4<f32> {
    return seen_from_sun(position, instance);
}

@vertex
fn vs_sun_masked(
    @location(0) position: vec3<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    return Varyings(seen_from_sun(position, instance), uv, color);
}

@vertex
fn vs_below(
    @location(0) position: vec3<f32>,
    @builtin(instance_index) instance: u32,
) -> @builtin(position) vec4<f32> {
    return scene.contact_from_world * world_of(position, instance);
}

@fragment
fn fs_masked(in: Varyings) {
    if base_color(in.uv, in.color).a < material.alpha_cutoff {
        discard;
    }
}
