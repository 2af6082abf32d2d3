// Layers over the metallic-roughness surface, as in KHR_materials_sheen and KHR_materials_clearcoat: `direct` and `ambient`.

#include "inc/base_layer.wgsl"

const FACING_FROM: f32 = -0.1;
const READS_DEPTH: bool = false;

struct Coat {
    normal: vec3<f32>,
    strength: f32,
    roughness: f32,
}

struct Fibre {
    color: vec3<f32>,
    roughness: f32,
}

// Light from behind that is transmitted and scattered.
struct Through {
    color: vec3<f32>,
    share: f32,
}

var<private> coat: Coat;
var<private> fibre: Fibre;
var<private> through: Through;

fn coat_fresnel(view: vec3<f32>) -> f32 {
    let t = 1.0 - clamp(abs(dot(coat.normal, view)), 0.0, 1.0);
    let t2 = t * t;
    return 0.04 + 0.96 * (t2 * t2 * t);
}

fn largest(c: vec3<f32>) -> f32 {
    return max(c.r, max(c.g, c.b));
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    var color = base_direct(s, light);
    let n_v = max(abs(dot(s.normal, s.view)), 1e-4);
    let h = normalize(light.direction + s.view + vec3<f32>(0.0, 1e-6, 0.0));
    let lit = light.color * light.visibility;
    let fibres = largest(fibre.color);
    let n_l = clamp(dot(s.normal, light.direction), 0.0, 1.0);
    if has(HAS_FIBRES) {
        let n_h = clamp(dot(s.normal, h), 0.0, 1.0);
        let strength = sheen_distribution(n_h, fibre.roughness) * sheen_visibility(n_v, n_l);
        let kept = 1.0 - fibres * max(dfg(n_v, fibre.roughness).z, dfg(max(n_l, 1e-4), fibre.roughness).z);
        color = color * kept + fibre.color * lit * (strength * n_l);
    }
    if has(HAS_COAT) {
        let alpha = coat.roughness * coat.roughness;
        let wide = widened(alpha, light.spread);
        let coat_l = clamp(dot(coat.normal, light.direction), 0.0, 1.0);
        let coat_v = max(abs(dot(coat.normal, s.view)), 1e-4);
        let v_h = clamp(dot(s.view, h), 0.0, 1.0);
        let f = schlick(vec3<f32>(0.04), 1.0, v_h).x * coat.strength;
        let d = ggx_distribution(clamp(dot(coat.normal, h), 0.0, 1.0), wide) * (alpha / wide) * (alpha / wide);
        color = color * (1.0 - coat.strength * coat_fresnel(s.view))
            + lit * (f * d * smith_visibility(coat_v, coat_l, alpha) * coat_l);
    }
    return color;
}

fn ambient(s: Surface) -> vec3<f32> {
    var color = base_ambient(s);
    let n_v = clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0);
    if has(IS_CLEAR) {
        let f = base_reflectance(s, n_v);
        color += (1.0 - f) * through.share * through.color * reflected(-s.view, s.roughness);
    }
    let fibres = largest(fibre.color);
    if has(HAS_FIBRES) {
        let share = dfg(n_v, fibre.roughness).z;
        color = color * (1.0 - fibres * share) + fibre.color * irradiance(s.normal) * (share * s.occlusion);
    }
    if has(HAS_COAT) {
        let coat_v = clamp(abs(dot(coat.normal, s.view)), 1e-4, 1.0);
        let ab = dfg(coat_v, coat.roughness);
        let mirrored = reflected(reflect(-s.view, coat.normal), coat.roughness);
        color = color * (1.0 - coat.strength * coat_fresnel(s.view))
            + mirrored * (coat.strength * (0.04 * ab.x + ab.y) * s.occlusion);
    }
    return color;
}
