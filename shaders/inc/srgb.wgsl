// The sRGB transfer function (IEC 61966-2-1), in both directions.

fn srgb_from_linear(c: vec3<f32>) -> vec3<f32> {
    let high = 1.055 * pow(max(c, vec3<f32>(0.0031308)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, c * 12.92, c <= vec3<f32>(0.0031308));
}

fn linear_from_srgb(c: vec3<f32>) -> vec3<f32> {
    let high = pow((max(c, vec3<f32>(0.04045)) + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, c / 12.92, c <= vec3<f32>(0.04045));
}
