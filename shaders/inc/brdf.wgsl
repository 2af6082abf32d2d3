// Shared parts of reflectance models: GGX distribution, Smith visibility, Fresnel (glTF 2.0 appendix B).

const PI: f32 = 3.14159265;

fn ggx_distribution(n_h: f32, alpha: f32) -> f32 {
    let a = n_h * alpha;
    let k = alpha / max(1.0 - n_h * n_h + a * a, 1e-7);
    return k * k / PI;
}

// Height-correlated Smith visibility, including 1 / (4 n.l n.v) (Heitz 2014).
fn smith_visibility(n_v: f32, n_l: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let v = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2);
    let l = n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    return 0.5 / max(v + l, 1e-5);
}

fn schlick(f0: vec3<f32>, f90: f32, v_h: f32) -> vec3<f32> {
    let t = 1.0 - v_h;
    let t2 = t * t;
    return f0 + (f90 - f0) * (t2 * t2 * t);
}

// Widens the lobe for a spherical light, given the tangent of its angular radius, without changing its energy (Karis 2013,
// "Real shading in Unreal Engine 4").
fn widened(alpha: f32, spread: f32) -> f32 {
    return clamp(alpha + 0.5 * spread, alpha, 1.0);
}
