// Lights strands of hair at their vertices: between two of them light changes little, and across a strand, which is hardly
// wider than a pixel, not at all. Reads as mesh.wgsl but for pictures; writes linear HDR.

#include "inc/model.wgsl"
#include "inc/base_layer.wgsl"
#include "inc/stone.wgsl"
#include "inc/hair_around.wgsl"
#include "inc/fibre.wgsl"

struct Lit {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec3<f32>,
}

@vertex
fn vs_strand(vertex: Vertex, at: Placement) -> Lit {
    let in = placed(vertex, at);
    let base = material.base_color.rgb * vertex.color.rgb;
    let stone = stone_of(in, base);
    is_stone = stone.here;
    is_dense = true;
    var s = surface_of(in, true, normalize(in.normal));
    strand = normalize(cross(in.normal, in.tangent.xyz) * sign(in.tangent.w));
    s.diffuse = base;
    s.f0 = vec3<f32>(0.046);
    s.roughness = clamp(material.roughness, 0.15, 1.0);
    s.occlusion = 1.0;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = stone.roughness;
    }
    let ndc = in.position.xy / max(in.position.w, 1e-4);
    let pixel = clamp(ndc * vec2<f32>(0.5, -0.5) + 0.5, vec2<f32>(0.0), vec2<f32>(1.0)) * scene.size;
    let color = all_light(s, pixel) + material.emissive + stone.glow;
    return Lit(in.position, seen_through_fog(min(color, vec3<f32>(64.0)), in.world));
}

@fragment
fn fs_strand(in: Lit) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color, 1.0);
}
