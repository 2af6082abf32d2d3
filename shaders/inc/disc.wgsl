// Points spread evenly over a disc by the golden angle (Vogel 1979), turned differently in every
// pixel: sample i of n lies at direction_i * sqrt((i + 0.5) / n).

// Interleaved gradient noise, 0..1 (Jimenez 2014): even over any 3 by 3 pixels, the same each run.
fn pixel_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2<f32>(0.06711056, 0.00583715))));
}

// Direction of the first sample; `turn` 0..1.
fn disc_start(turn: f32) -> vec2<f32> {
    let a = turn * 6.2831853;
    return vec2<f32>(cos(a), sin(a));
}

// Direction of the next sample.
fn disc_turn(d: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(d.x * -0.737368878 - d.y * 0.675490294, d.x * 0.675490294 + d.y * -0.737368878);
}
