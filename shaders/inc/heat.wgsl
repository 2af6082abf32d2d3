// Encoded colours of measured values in debug views: 0 is grey, then blue, green and red. The legend uses the same colours
// from stage::views.

const NOTHING: vec3<f32> = vec3<f32>(0.27, 0.27, 0.285);

// Colour ramp for 0..1.
fn ramp(share: f32) -> vec3<f32> {
    var stops = array<vec3<f32>, 5>(
        vec3<f32>(0.12, 0.20, 0.80), vec3<f32>(0.05, 0.62, 0.86), vec3<f32>(0.12, 0.76, 0.28),
        vec3<f32>(0.96, 0.80, 0.14), vec3<f32>(0.90, 0.14, 0.10));
    let at = clamp(share, 0.0, 1.0) * 4.0;
    let i = min(u32(at), 3u);
    return mix(stops[i], stops[i + 1u], at - f32(i));
}

// Colour for 0..1, where 0 is grey.
fn heat(share: f32) -> vec3<f32> {
    return mix(NOTHING, ramp(share), smoothstep(0.0, 0.02, share));
}

// Colour for an integer; the scale ends at `most`.
fn count_heat(n: f32, most: f32) -> vec3<f32> {
    return mix(NOTHING, ramp((n - 1.0) / (most - 1.0)), clamp(n, 0.0, 1.0));
}
