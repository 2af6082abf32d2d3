// Sky model: radiance by direction.

// Radiance of the sky without the sun's disc. `d` is a unit vector.
fn sky_radiance(d: vec3<f32>) -> vec3<f32> {
    let up = clamp(d.y, 0.0, 1.0);
    let down = smoothstep(0.0, 0.35, -d.y);
    // 6th power of 1 - up. Multiplication is much cheaper than pow on a software renderer.
    let low = (1.0 - up) * (1.0 - up);
    let above = mix(scene.sky_zenith, scene.sky_horizon, low * low * low);
    // A warm glow around the sun: the 8th and the 96th power of the cosine.
    let t = max(dot(d, scene.sun_direction), 0.0);
    let t4 = (t * t) * (t * t);
    let t8 = t4 * t4;
    let t32 = (t8 * t8) * (t8 * t8);
    let glow = scene.sun_color * (0.045 * t8 + 0.10 * t32 * t32 * t32);
    return mix(above + glow, scene.sky_ground, down);
}

// The visible sky background. It is brighter than the light it emits, as in a photograph that is exposed for the subject.
fn sky_backdrop(d: vec3<f32>) -> vec3<f32> {
    if is_seamless() {
        let above = mix(scene.sky_horizon, scene.sky_zenith, smoothstep(0.0, 1.0, d.y));
        return mix(above, scene.sky_ground, smoothstep(0.0, 1.0, -d.y)) * BACKDROP;
    }
    return sky_radiance(d) * BACKDROP;
}

const BACKDROP: f32 = 1.9;

// Cosine-weighted mean radiance around `n`: the three colours with Bernstein weights. A surface that faces up also sees much
// of the sky near the horizon.
fn sky_irradiance(n: vec3<f32>) -> vec3<f32> {
    let t = clamp(n.y * 0.5 + 0.5, 0.0, 1.0);
    let s = 1.0 - t;
    return scene.sky_ground * s * s + scene.sky_horizon * 2.0 * s * t + mix(scene.sky_zenith, scene.sky_horizon, 0.3) * t * t;
}

// Mean radiance in a lobe around the reflection vector `r`.
fn sky_specular(r: vec3<f32>, roughness: f32) -> vec3<f32> {
    return mix(sky_radiance(r), sky_irradiance(r), smoothstep(0.0, 0.9, roughness));
}
