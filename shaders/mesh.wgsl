// Lights models with the metallic-roughness material. Reads deformed vertices (model space) and materials, writes linear
// HDR, premultiplied by alpha for blended materials.

#include "inc/model.wgsl"
#include "inc/metal_rough.wgsl"
#include "inc/stone.wgsl"
#include "inc/fragment.wgsl"

// Linear light towards the eye.
fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let bumped = bumped_normal(in);
    let spread = normal_spread(bumped);
    let mr = stamped_metal_rough(in.uv);
    let open = occlusion_at(in.uv);
    let stone = stone_of(in, base);
    is_stone = stone.here;
    let glow = emissive_at(in.uv);
    if has(UNLIT) {
        return seen_through_fog(base, in.world);
    }
    var s = surface_of(in, front, bumped);
    s.diffuse = base * (1.0 - mr.x);
    s.f0 = mix(vec3<f32>(0.04), base, mr.x);
    s.roughness = roughened(mr.y, spread);
    s.occlusion = open;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = roughened(stone.roughness, spread);
    }
    let color = all_light(s, in.position.xy) + glow + stone.glow;
    return seen_through_fog(min(color, vec3<f32>(64.0)), in.world);
}
