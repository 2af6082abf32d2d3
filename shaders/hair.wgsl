// Lights hair. Strands run along v of the texture coordinates. Reads and writes as mesh.wgsl.

#include "inc/model.wgsl"
#include "inc/base_layer.wgsl"
#include "inc/stone.wgsl"
#include "inc/hair_around.wgsl"
#include "inc/hair.wgsl"
#include "inc/fragment.wgsl"

fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let bumped = bumped_normal(in);
    let mr = stamped_metal_rough(in.uv);
    let open = occlusion_at(in.uv);
    let stone = stone_of(in, base);
    is_stone = stone.here;
    let glow = emissive_at(in.uv);
    var s = surface_of(in, front, bumped);
    let along = cross(in.normal, in.tangent.xyz) * sign(in.tangent.w);
    // The normal map bends the strand.
    let bent = along - s.normal * dot(along, s.normal);
    strand = bent * inverseSqrt(max(dot(bent, bent), 1e-20));
    s.diffuse = base;
    s.f0 = vec3<f32>(0.046);
    s.roughness = clamp(mr.y, 0.15, 1.0);
    s.occlusion = open;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = roughened(stone.roughness, normal_spread(bumped));
    }
    let color = all_light(s, in.position.xy) + glow + stone.glow;
    return seen_through_fog(min(color, vec3<f32>(64.0)), in.world);
}
