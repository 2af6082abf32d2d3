// The metallic-roughness surface of glTF 2.0 (appendix B) under one sun and the sky.

struct Surface {
    // Linear.
    diffuse: vec3<f32>,
    // Reflectance at normal incidence.
    f0: vec3<f32>,
    // Perceptual, 0.045..1.
    roughness: f32,
    // 1 = open.
    occlusion: f32,
    normal: vec3<f32>,
    // Towards the eye.
    view: vec3<f32>,
}

const PI: f32 = 3.14159265;

fn ggx_distribution(n_h: f32, alpha: f32) -> f32 {
    let a = n_h * alpha;
    let k = alpha / max(1.0 - n_h * n_h + a * a, 1e-7);
    return k * k / PI;
}

// Height-correlated Smith visibility, the 1 / (4 n.l n.v) included (Heitz 2014).
fn smith_visibility(n_v: f32, n_l: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let v = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2);
    let l = n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    return 0.5 / max(v + l, 1e-5);
}

fn schlick(f0: vec3<f32>, v_h: f32) -> vec3<f32> {
    return f0 + (1.0 - f0) * pow(1.0 - v_h, 5.0);
}

// Scale and bias of f0 for light from everywhere: Karis' polynomial fit of the split-sum table
// ("Physically based shading on mobile", 2014).
fn split_sum(n_v: f32, roughness: f32) -> vec2<f32> {
    let c0 = vec4<f32>(-1.0, -0.0275, -0.572, 0.022);
    let c1 = vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let r = roughness * c0 + c1;
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2<f32>(-1.04, 1.04) * a + r.zw;
}

// Radiance towards the eye of what the sun gives; `visibility` 0..1 is its shadow.
fn sun_light(s: Surface, visibility: f32) -> vec3<f32> {
    let l = scene.sun_direction;
    let n_l = clamp(dot(s.normal, l), 0.0, 1.0);
    if n_l <= 0.0 || visibility <= 0.0 {
        return vec3<f32>(0.0);
    }
    let n_v = max(abs(dot(s.normal, s.view)), 1e-4);
    let h = normalize(l + s.view + vec3<f32>(0.0, 1e-6, 0.0));
    let n_h = clamp(dot(s.normal, h), 0.0, 1.0);
    let v_h = clamp(dot(s.view, h), 0.0, 1.0);
    let alpha = s.roughness * s.roughness;
    let f = schlick(s.f0, v_h);
    let specular = f * ggx_distribution(n_h, alpha) * smith_visibility(n_v, n_l, alpha);
    let diffuse = (1.0 - f) * s.diffuse / PI;
    return (diffuse + specular) * scene.sun_color * (n_l * visibility);
}

// Radiance towards the eye of what the sky gives, with the light that bounces more than once
// inside a rough surface (Fdez-Agüera, "A multiple-scattering microfacet model", 2019).
fn sky_light(s: Surface) -> vec3<f32> {
    let n_v = clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0);
    let r = reflect(-s.view, s.normal);
    let ab = split_sum(n_v, s.roughness);
    let single = s.f0 * ab.x + ab.y;
    let lost = 1.0 - (ab.x + ab.y);
    let f_mean = s.f0 + (1.0 - s.f0) / 21.0;
    let multiple = single * f_mean / (1.0 - f_mean * lost) * lost;
    let irradiance = sky_irradiance(s.normal);
    // Reflections see less of the sky where the surface sees less of it (Lagarde 2014).
    let open = clamp(pow(n_v + s.occlusion, exp2(-16.0 * s.roughness - 1.0)) - 1.0 + s.occlusion, 0.0, 1.0);
    let specular = sky_specular(r, s.roughness) * single * open;
    let diffuse = (s.diffuse * (1.0 - single - multiple) + multiple) * irradiance * s.occlusion;
    return specular + diffuse;
}
