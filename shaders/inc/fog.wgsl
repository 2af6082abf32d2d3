// Fog between the eye and a surface. Needs inc/scene.wgsl.

// Transmittance of the fog along `to` (world axes, relative to the eye; far away for the sky): the integral of a density
// that falls exponentially with height (Wenzel 2006).
fn clear_share(to: vec3<f32>) -> f32 {
    if !has_fog() {
        return 1.0;
    }
    let distance = length(to);
    let start = exp(-scene.fog_falloff * max(scene.eye.y - scene.fog_base, -20.0));
    let climb = scene.fog_falloff * to.y;
    let along = select((1.0 - exp(-climb)) / climb, 1.0 - 0.5 * climb, abs(climb) < 1e-3);
    return exp(-scene.fog_density * distance * start * clamp(along, 0.0, 1e4));
}

fn with_fog(color: vec3<f32>, to: vec3<f32>) -> vec3<f32> {
    if !has_fog() {
        return color;
    }
    return mix(scene.fog_color, color, clear_share(to));
}
