// Draws hair strands with the light that `strand_points` computed; writes linear HDR.

#include "inc/scene.wgsl"

struct Lit {
    // Bit-identical to `prepass`.
    @invariant @builtin(position) position: vec4<f32>,
    @location(0) color: vec3<f32>,
}

@vertex
fn vs_strand(@location(0) position: vec3<f32>, @location(13) color: vec4<f32>, at: Placement) -> Lit {
    return Lit(scene.clip_from_world * vec4<f32>(world_point(at, position), 1.0), color.rgb);
}

@fragment
fn fs_strand(in: Lit) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color, 1.0);
}
