// Normals and depth of solid surfaces, for screen-space passes: the models and the ground. Writes world normals as 0..1.

#include "inc/scene.wgsl"
#include "inc/agents.wgsl"
#include "inc/material.wgsl"

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) uv: vec4<f32>,
    @location(2) color: vec4<f32>,
}

@vertex
fn vs(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    at: Placement,
) -> Varyings {
    let world = world_point(at, position);
    return Varyings(scene.clip_from_world * vec4<f32>(world, 1.0), world_normal(at, normal), uv, color);
}

@vertex
fn vs_agent(
    rest: Rest,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(7) number: u32,
) -> Varyings {
    let agent = agents[number];
    let m = posed(agent, rest.joints, rest.weights);
    let at = stand_of(agent);
    let world = world_point(at, point_of(m, rest.position));
    let normal = world_normal(at, direction_of(m, direction(rest.normal)));
    return Varyings(scene.clip_from_world * vec4<f32>(world, 1.0), normal, uv, color);
}

@fragment
fn fs(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let oriented = select(-in.normal, in.normal, front || !has(DOUBLE_SIDED));
    return vec4<f32>(normalize(oriented) * 0.5 + 0.5, 1.0);
}

@fragment
fn fs_masked(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    if base_color(in.uv, in.color).a < material.alpha_cutoff {
        discard;
    }
    let oriented = select(-in.normal, in.normal, front || !has(DOUBLE_SIDED));
    return vec4<f32>(normalize(oriented) * 0.5 + 0.5, 1.0);
}

// A square of the ground around the eye.
@vertex
fn vs_ground(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    var corners = array<vec2<f32>, 6>(
        vec2<f32>(-1.0, -1.0), vec2<f32>(-1.0, 1.0), vec2<f32>(1.0, -1.0),
        vec2<f32>(1.0, -1.0), vec2<f32>(-1.0, 1.0), vec2<f32>(1.0, 1.0));
    let p = corners[index] * 60.0;
    return scene.clip_from_world
        * vec4<f32>(scene.eye.x + p.x, scene.ground_height, scene.eye.z + p.y, 1.0);
}

@fragment
fn fs_ground() -> @location(0) vec4<f32> {
    return vec4<f32>(0.5, 1.0, 0.5, 1.0);
}
