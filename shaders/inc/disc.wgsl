// Points spread evenly over a disc by the golden angle (Vogel 1979), with a different rotation per pixel. Sample i of n is
// at direction_i * sqrt((i + 0.5) / n).

// Interleaved gradient noise, 0..1 (Jimenez 2014): evenly distributed over any 3 by 3 pixels, the same in each run.
fn pixel_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2<f32>(0.06711056, 0.00583715))));
}

// Direction of the first sample, for `turn` 0..1 revolutions. A parabola through the zeros of the sine, adjusted towards it,
// has an error below 0.001 and is much cheaper on a software renderer.
fn disc_start(turn: f32) -> vec2<f32> {
    let t = fract(vec2<f32>(turn + 0.25, turn)) * 2.0 - 1.0;
    let bow = 4.0 * t * (abs(t) - 1.0);
    return bow + 0.225 * (bow * abs(bow) - bow);
}

// Direction of the next sample.
fn disc_turn(d: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(d.x * -0.737368878 - d.y * 0.675490294, d.x * 0.675490294 + d.y * -0.737368878);
}
