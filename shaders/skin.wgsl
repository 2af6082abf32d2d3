// Lights skin: light scatters below the surface and comes out redder, thin parts are translucent, and the specular
// reflection is a soft lobe with a sharper one on top. Reads and writes as mesh.wgsl.

#include "inc/model.wgsl"
#include "inc/base_layer.wgsl"
#include "inc/stone.wgsl"
#include "inc/fragment.wgsl"

// Light from directly behind contributes too.
const FACING_FROM: f32 = -1.1;
const READS_DEPTH: bool = true;

// Two specular lobes: factors on the roughness, and the weight of the second (Penner and Borshukov 2011; the factors are
// those of common practice).
const SHARP: f32 = 0.72;
const SOFT: f32 = 1.25;
const SOFT_SHARE: f32 = 0.45;

var<private> curvature: f32;
// Normal for the light that travelled furthest, red.
var<private> smoothed: vec3<f32>;

fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let bumped = bumped_normal(in);
    let spread = normal_spread(bumped);
    let mr = stamped_metal_rough(in.uv);
    let open = occlusion_at(in.uv);
    let stone = stone_of(in, base);
    is_stone = stone.here;
    let glow = emissive_at(in.uv);
    let layers = layers_at(in.uv);
    var s = surface_of(in, front, bumped);
    // The normal map affects light that stays near the surface, but not light that went deep.
    smoothed = normalize(mix(s.normal, s.smooth_normal, 0.75));
    // Thin parts, according to a thickness texture, count as more curved.
    curvature = clamp(in.curvature, 2.0, 300.0) * mix(2.0, 1.0, layers.a);
    s.diffuse = base;
    s.f0 = vec3<f32>(0.028);
    s.roughness = roughened(clamp(mr.y, 0.2, 1.0), spread);
    s.occlusion = open;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = roughened(stone.roughness, spread);
    }
    let color = all_light(s, in.position.xy) + glow + stone.glow;
    return seen_through_fog(min(color, vec3<f32>(64.0)), in.world);
}

// Transmittance of skin after a distance in metres: the profile of d'Eon, Luebke and Enderton 2007 ("Efficient rendering of
// human skin"), transmitted (Jiménez et al. 2010). Variances in mm².
fn left_after(depth: f32) -> vec3<f32> {
    let dd = -(depth * 1000.0) * (depth * 1000.0);
    return vec3<f32>(0.233, 0.455, 0.649) * exp(dd / 0.0064)
        + vec3<f32>(0.1, 0.336, 0.344) * exp(dd / 0.0484)
        + vec3<f32>(0.118, 0.198, 0.0) * exp(dd / 0.187)
        + vec3<f32>(0.113, 0.007, 0.007) * exp(dd / 0.567)
        + vec3<f32>(0.358, 0.004, 0.0) * exp(dd / 1.99)
        + vec3<f32>(0.078, 0.0, 0.0) * exp(dd / 7.41);
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    if is_stone {
        return base_direct(s, light);
    }
    let deep_l = dot(smoothed, light.direction);
    let near_l = dot(s.normal, light.direction);
    // Each colour uses the normal for its scattering depth.
    let red = skin_diffuse(deep_l, curvature).r;
    let others = skin_diffuse(mix(near_l, deep_l, 0.35), curvature);
    let scattered = vec3<f32>(red, others.g, others.b);
    // Light that entered next to a shadow's edge comes out inside the shadow, red most.
    let shadow = light.visibility;
    let soft = vec3<f32>(pow(shadow, 0.8), pow(shadow, 0.94), shadow);
    var color = s.diffuse / PI * scattered * soft;
    // Surfaces that the light can reach directly have no transmitted light.
    let behind = clamp(-deep_l, 0.0, 1.0) * smoothstep(0.001, 0.006, light.depth);
    if behind > 0.0 {
        // Fat is clearer than the profile's skin, so distances are scaled down.
        color += s.diffuse / PI * left_after((light.depth + 0.004) * 0.32) * behind;
    }
    let n_l = clamp(near_l, 0.0, 1.0);
    if n_l > 0.0 && shadow > 0.0 {
        let n_v = max(abs(dot(s.normal, s.view)), 1e-4);
        let h = normalize(light.direction + s.view + vec3<f32>(0.0, 1e-6, 0.0));
        let n_h = clamp(dot(s.normal, h), 0.0, 1.0);
        let f = schlick(s.f0, 1.0, clamp(dot(s.view, h), 0.0, 1.0)).x;
        let lobes = mix(
            lobe(n_h, n_v, n_l, s.roughness * SHARP, light.spread),
            lobe(n_h, n_v, n_l, min(s.roughness * SOFT, 1.0), light.spread), SOFT_SHARE);
        color += vec3<f32>(f * lobes * n_l * shadow);
    }
    return color * light.color;
}

fn lobe(n_h: f32, n_v: f32, n_l: f32, roughness: f32, spread: f32) -> f32 {
    let alpha = roughness * roughness;
    let wide = widened(alpha, spread);
    let share = alpha / wide;
    return ggx_distribution(n_h, wide) * smith_visibility(n_v, n_l, alpha) * share * share;
}

fn ambient(s: Surface) -> vec3<f32> {
    if is_stone {
        return base_ambient(s);
    }
    let n_v = clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0);
    let f = base_reflectance(s, n_v);
    let around = vec3<f32>(irradiance(smoothed).r, irradiance(s.normal).gb);
    // Creases of skin stay warm, because red light passes through.
    let open = vec3<f32>(pow(s.occlusion, 0.6), pow(s.occlusion, 0.9), s.occlusion);
    let shine = reflected(reflect(-s.view, s.normal), s.roughness);
    let seen = clamp(pow(n_v + s.occlusion, exp2(-16.0 * s.roughness - 1.0)) - 1.0 + s.occlusion, 0.0, 1.0);
    return s.diffuse * (1.0 - f) * around * max(open, many_bounces(s.occlusion, s.diffuse)) + shine * f * seen;
}
