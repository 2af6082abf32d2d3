// The base layer of a surface: metal, or a diffuse body under a specular reflection (glTF 2.0, appendix B).

fn base_direct(s: Surface, light: Incoming) -> vec3<f32> {
    let n_l = clamp(dot(s.normal, light.direction), 0.0, 1.0);
    if n_l <= 0.0 || light.visibility <= 0.0 {
        return vec3<f32>(0.0);
    }
    let n_v = max(abs(dot(s.normal, s.view)), 1e-4);
    let h = normalize(light.direction + s.view + vec3<f32>(0.0, 1e-6, 0.0));
    let n_h = clamp(dot(s.normal, h), 0.0, 1.0);
    let v_h = clamp(dot(s.view, h), 0.0, 1.0);
    let alpha = s.roughness * s.roughness;
    let wide = widened(alpha, light.spread);
    let narrowed = alpha / wide;
    let f = schlick(s.f0, s.f90, v_h);
    let specular = f * (ggx_distribution(n_h, wide) * smith_visibility(n_v, n_l, alpha) * narrowed * narrowed);
    let diffuse = (1.0 - f) * s.diffuse / PI;
    return (diffuse + specular) * light.color * (n_l * light.visibility);
}

// Includes the light that bounces more than once inside a rough surface (Fdez-Agüera, "A multiple-scattering microfacet
// model", 2019).
fn base_ambient(s: Surface) -> vec3<f32> {
    let n_v = clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0);
    // A rough lobe leans towards the normal (Lagarde and de Rousiers 2014).
    let alpha = s.roughness * s.roughness;
    let leaning = (1.0 - alpha) * (sqrt(1.0 - alpha) + alpha);
    let r = normalize(mix(s.normal, reflect(-s.view, s.normal), leaning));
    let ab = dfg(n_v, s.roughness);
    let single = s.f0 * ab.x + s.f90 * ab.y;
    let lost = 1.0 - (ab.x + ab.y);
    let f_mean = s.f0 + (1.0 - s.f0) / 21.0;
    let multiple = single * f_mean / (1.0 - f_mean * lost) * lost;
    let around = irradiance(s.normal);
    // Specular occlusion follows from ambient occlusion (Lagarde 2014).
    let open = clamp(pow(n_v + s.occlusion, exp2(-16.0 * s.roughness - 1.0)) - 1.0 + s.occlusion, 0.0, 1.0);
    let specular = reflected(r, s.roughness) * single * open;
    let tinted = many_bounces(s.occlusion, s.diffuse);
    let diffuse = (s.diffuse * (1.0 - single - multiple) * tinted + multiple * s.occlusion) * around;
    return specular + diffuse;
}

// Light that bounces within a crease takes on the surface's colour (Jiménez 2016).
fn many_bounces(open: f32, albedo: vec3<f32>) -> vec3<f32> {
    let a = 2.0404 * albedo - 0.3324;
    let b = -4.7951 * albedo + 0.6417;
    let c = 2.7552 * albedo + 0.6903;
    return max(vec3<f32>(open), ((open * a + b) * open + c) * open);
}

// Fraction of the ambient light that is reflected.
fn base_reflectance(s: Surface, n_v: f32) -> vec3<f32> {
    let ab = dfg(n_v, s.roughness);
    return s.f0 * ab.x + s.f90 * ab.y;
}
