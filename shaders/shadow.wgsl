// Depth of the models as seen from a light or, for contact shadows, from below the ground. Reads deformed vertices (model
// space), writes depth only. Holes of masked materials stay open.

#include "inc/scene.wgsl"
#include "inc/agents.wgsl"
#include "inc/material.wgsl"

struct View {
    clip_from_world: mat4x4<f32>,
    // 1: objects before the near plane also cast shadows.
    keeps_near: f32,
    padding_a: f32,
    padding_b: f32,
    padding_c: f32,
}

@group(1) @binding(0) var<uniform> view: View;

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec4<f32>,
    @location(1) color: vec4<f32>,
}

fn seen(position: vec3<f32>, at: Placement) -> vec4<f32> {
    let world = world_point(at, position);
    let p = view.clip_from_world * vec4<f32>(world, 1.0);
    return vec4<f32>(p.xy, select(p.z, max(p.z, 0.0), view.keeps_near > 0.5), p.w);
}

@vertex
fn vs(
    @location(0) position: vec3<f32>,
    at: Placement,
) -> @builtin(position) vec4<f32> {
    return seen(position, at);
}

@vertex
fn vs_masked(
    @location(0) position: vec3<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    at: Placement,
) -> Varyings {
    return Varyings(seen(position, at), uv, color);
}

@vertex
fn vs_agent(rest: Rest, @location(7) number: u32) -> @builtin(position) vec4<f32> {
    let agent = agents[number];
    return seen(point_of(posed(agent, rest.joints, rest.weights), rest.position), stand_of(agent));
}

@vertex
fn vs_agent_masked(
    rest: Rest,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(7) number: u32,
) -> Varyings {
    let agent = agents[number];
    let p = point_of(posed(agent, rest.joints, rest.weights), rest.position);
    return Varyings(seen(p, stand_of(agent)), uv, color);
}

@fragment
fn fs_masked(in: Varyings) {
    if base_color(in.uv, in.color).a < material.alpha_cutoff {
        discard;
    }
}
