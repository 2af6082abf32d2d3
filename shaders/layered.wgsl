// Lights models whose material has layers: coloured or stronger specular, another index of refraction, clearcoat, sheen,
// transmission. Reads and writes as mesh.wgsl.

#include "inc/model.wgsl"
#include "inc/sheen.wgsl"
#include "inc/layers.wgsl"
#include "inc/stone.wgsl"
#include "inc/fragment.wgsl"

fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let bumped = bumped_normal(in);
    let spread = normal_spread(bumped);
    let mr = stamped_metal_rough(in.uv);
    let open = occlusion_at(in.uv);
    let stone = stone_of(in, base);
    is_stone = stone.here;
    let glow = emissive_at(in.uv);
    let reflection = color_layer_at(in.uv);
    let layers = layers_at(in.uv);
    let fibres = sheen_at(in.uv);
    var coat_normal = in.normal;
    if has(HAS_COAT_NORMAL) {
        let texel = textureSample(
            coat_normal_texture, coat_normal_sampler, slot_uv(material.coat_normal_slot, in.uv)).xyz;
        coat_normal = in_world(in, bump_of(texel, material.coat_normal_scale));
    }
    var s = surface_of(in, front, bumped);
    let side = select(1.0, -1.0, has(DOUBLE_SIDED) && !front);
    coat.normal = coat_normal * (side * inverseSqrt(max(dot(coat_normal, coat_normal), 1e-20)));
    coat.strength = material.coat * layers.r;
    coat.roughness = roughened(clamp(material.coat_roughness * layers.g, 0.045, 1.0), spread);
    fibre.color = material.sheen_color * fibres.rgb;
    fibre.roughness = clamp(material.sheen_roughness * fibres.a, 0.07, 1.0);
    let goes_through = material.transmission * layers.b * (1.0 - mr.x);
    // A smooth transmissive surface shows the background. A rough one shows only its blurred light.
    let clear = goes_through * (1.0 - mr.y) * (1.0 - mr.y);
    through.share = goes_through - clear;
    through.color = base * exp(-material.absorption * (material.thickness * layers.a));
    s.diffuse = base * ((1.0 - mr.x) * (1.0 - goes_through));
    let dielectric = min(material.f0 * reflection.rgb, vec3<f32>(1.0)) * reflection.a;
    s.f0 = mix(dielectric, base, mr.x);
    s.f90 = mix(material.f90 * reflection.a, 1.0, mr.x);
    s.roughness = roughened(mr.y, spread);
    s.occlusion = open;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = roughened(stone.roughness, spread);
    }
    if stone.here {
        s.f90 = 1.0;
        coat.strength = 0.0;
        fibre.color = vec3<f32>(0.0);
        through.share = 0.0;
    }
    let kept = base_reflectance(s, clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0));
    veil = 1.0 - clear * (1.0 - largest(kept)) * dot(through.color, vec3<f32>(0.2126, 0.7152, 0.0722));
    let color = all_light(s, in.position.xy) + glow * (1.0 - coat.strength * coat_fresnel(s.view)) + stone.glow;
    return seen_through_fog(min(color, vec3<f32>(64.0)), in.world);
}
