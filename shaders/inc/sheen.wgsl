// Fibres that stand up from a surface (Estevez and Kulla 2017, "Production friendly microfacet sheen BRDF"; visibility after
// Neubelt and Pettineo 2013), as in KHR_materials_sheen.

fn sheen_distribution(n_h: f32, roughness: f32) -> f32 {
    let inverse = 1.0 / max(roughness * roughness, 1e-3);
    let sin2 = max(1.0 - n_h * n_h, 0.0078125);
    return (2.0 + inverse) * pow(sin2, inverse * 0.5) / (2.0 * PI);
}

fn sheen_visibility(n_v: f32, n_l: f32) -> f32 {
    return 1.0 / max(4.0 * (n_l + n_v - n_l * n_v), 1e-4);
}
