// Colour: the sky's light by direction, the tone map, the sRGB transfer function.

// Radiance of the sky without the sun's disc. `d` is a unit vector.
fn sky_radiance(d: vec3<f32>) -> vec3<f32> {
    let up = clamp(d.y, 0.0, 1.0);
    let down = smoothstep(0.0, 0.35, -d.y);
    let above = mix(scene.sky_horizon, scene.sky_zenith, 1.0 - pow(1.0 - up, 2.5));
    // A warm veil around the sun.
    let towards = max(dot(d, scene.sun_direction), 0.0);
    let glow = scene.sun_color * (0.045 * pow(towards, 8.0) + 0.10 * pow(towards, 96.0));
    return mix(above + glow, scene.sky_ground, down);
}

// The sky as it is seen behind everything: lighter than the light it gives, as in a photograph
// exposed for the figure.
fn sky_backdrop(d: vec3<f32>) -> vec3<f32> {
    return sky_radiance(d) * 1.5;
}

// Cosine-weighted mean radiance around `n`: the three colours by Bernstein weights. A surface that
// faces up sees much of the sky near the horizon too.
fn sky_irradiance(n: vec3<f32>) -> vec3<f32> {
    let t = clamp(n.y * 0.5 + 0.5, 0.0, 1.0);
    let s = 1.0 - t;
    return scene.sky_ground * s * s + scene.sky_horizon * 2.0 * s * t + mix(scene.sky_zenith, scene.sky_horizon, 0.3) * t * t;
}

// Mean radiance in a lobe around the reflection vector `r`.
fn sky_specular(r: vec3<f32>, roughness: f32) -> vec3<f32> {
    return mix(sky_radiance(r), sky_irradiance(r), smoothstep(0.0, 0.9, roughness));
}

// Khronos PBR Neutral: keeps hue and the base colours of lit surfaces up to 0.8, compresses above.
// https://github.com/KhronosGroup/ToneMapping/blob/main/PBR_Neutral/README.md
fn tone_map(hdr: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    let low = min(hdr.r, min(hdr.g, hdr.b));
    let offset = select(0.04, low - 6.25 * low * low, low < 0.08);
    let color = hdr - offset;
    let peak = max(color.r, max(color.g, color.b));
    if peak < start {
        return max(color, vec3<f32>(0.0));
    }
    let d = 1.0 - start;
    let new_peak = 1.0 - d * d / (peak + d - start);
    let g = 1.0 - 1.0 / (desaturation * (peak - new_peak) + 1.0);
    return mix(color * (new_peak / peak), vec3<f32>(new_peak), g);
}

fn srgb_from_linear(c: vec3<f32>) -> vec3<f32> {
    let high = 1.055 * pow(max(c, vec3<f32>(0.0031308)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, c * 12.92, c <= vec3<f32>(0.0031308));
}

fn linear_from_srgb(c: vec3<f32>) -> vec3<f32> {
    let high = pow((max(c, vec3<f32>(0.04045)) + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, c / 12.92, c <= vec3<f32>(0.04045));
}
