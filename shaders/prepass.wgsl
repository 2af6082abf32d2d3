// Depth prepass of opaque surfaces, so that hidden pixels are never shaded. The position is computed as in `mesh`, to the
// same bits.

#include "inc/scene.wgsl"
#include "inc/agents.wgsl"

struct Varyings {
    @invariant @builtin(position) position: vec4<f32>,
}

@vertex
fn vs(@location(0) position: vec3<f32>, at: Placement) -> Varyings {
    return Varyings(scene.clip_from_world * vec4<f32>(world_point(at, position), 1.0));
}

@vertex
fn vs_agent(rest: Rest, @location(7) number: u32) -> Varyings {
    let agent = agents[number];
    let p = point_of(posed(agent, rest.joints, rest.weights), rest.position);
    return Varyings(scene.clip_from_world * vec4<f32>(world_point(stand_of(agent), p), 1.0));
}

@fragment
fn fs() {}
