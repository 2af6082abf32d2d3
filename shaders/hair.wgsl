// Lights hair: a highlight of light's own colour and, shifted along the strands, one of the hair's
// (Scheuermann 2004, "Practical real-time hair rendering and shading", after Marschner et al. 2003).
// Strands run along v of the texture coordinates. Reads and writes as mesh.wgsl.

#include "inc/model.wgsl"
#include "inc/base_layer.wgsl"
#include "inc/stone.wgsl"
#include "inc/fragment.wgsl"

const FACING_FROM: f32 = -0.6;
const READS_DEPTH: bool = false;

// Towards the root and towards the tip.
const FIRST_SHIFT: f32 = -0.06;
const SECOND_SHIFT: f32 = 0.12;

var<private> strand: vec3<f32>;

fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let bumped = bumped_normal(in);
    let mr = stamped_metal_rough(in.uv);
    let open = occlusion_at(in.uv);
    let stone = stone_of(in, base);
    is_stone = stone.here;
    let glow = emissive_at(in.uv);
    var s = surface_of(in, front, bumped);
    let along = cross(in.normal, in.tangent.xyz) * sign(in.tangent.w);
    // A bump bends the strand.
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

// A lobe about strands turned by a shift, as wide as the exponent is low.
fn strand_lobe(s: Surface, h: vec3<f32>, shift: f32, exponent: f32) -> f32 {
    let t = normalize(strand + s.normal * shift);
    let t_h = dot(t, h);
    let sin2 = max(1.0 - t_h * t_h, 1e-4);
    return smoothstep(-1.0, 0.0, t_h) * pow(sin2, exponent * 0.5) * sqrt(exponent) * 0.09;
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    if is_stone {
        return base_direct(s, light);
    }
    let n_l = dot(s.normal, light.direction);
    let wrapped = clamp((n_l + 0.35) / 1.8225, 0.0, 1.0);
    let h = normalize(light.direction + s.view + vec3<f32>(0.0, 1e-6, 0.0));
    let sharp = mix(160.0, 6.0, sqrt(s.roughness));
    // Strands hide each other at grazing angles.
    let f = min(schlick(s.f0, 1.0, clamp(dot(s.view, h), 0.0, 1.0)).x, 0.25);
    let facing = clamp(n_l + 0.25, 0.0, 1.0);
    let own = strand_lobe(s, h, FIRST_SHIFT, sharp) * f;
    let tinted = sqrt(s.diffuse) * (strand_lobe(s, h, SECOND_SHIFT, sharp * 0.35) * 0.12);
    // Light from behind goes through the strands.
    let behind = pow(clamp(dot(-light.direction, s.view), 0.0, 1.0), 8.0) * 0.5;
    let color = s.diffuse / PI * (wrapped + behind) + (vec3<f32>(own) + tinted) * facing;
    return color * light.color * light.visibility;
}

fn ambient(s: Surface) -> vec3<f32> {
    if is_stone {
        return base_ambient(s);
    }
    let n_v = clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0);
    let f = base_reflectance(s, n_v);
    // Seen from everywhere, strands turn towards the eye.
    let towards = normalize(s.view - strand * dot(s.view, strand));
    let normal = normalize(mix(s.normal, towards, 0.35));
    let shine = reflected(reflect(-s.view, normal), max(s.roughness, 0.4));
    return (s.diffuse * (1.0 - f) * irradiance(normal) + shine * f * 0.6) * s.occlusion;
}
