// Bloom: the image is downsampled repeatedly, then added up from the smallest level (Jiménez 2014, "Next generation post
// processing"; filter taps after Bjørge 2015).

#include "inc/scene.wgsl"

@group(1) @binding(0) var source: texture_2d<f32>;
@group(1) @binding(1) var linear_sampler: sampler;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

fn tap(uv: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(source, linear_sampler, uv, 0.0).rgb;
}

// Weighted so that a single bright pixel does not flicker.
fn calmed(c: vec3<f32>) -> vec4<f32> {
    let safe = clamp(c, vec3<f32>(0.0), vec3<f32>(64.0));
    return vec4<f32>(safe, 1.0) / (1.0 + max(safe.r, max(safe.g, safe.b)));
}

// A quarter as wide and high: each tap is the mean of 2 by 2 pixels.
@fragment
fn fs_first(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let o = 1.0 / vec2<f32>(textureDimensions(source));
    let uv = position.xy * 4.0 * o;
    let sum = calmed(tap(uv - o)) + calmed(tap(uv + o))
        + calmed(tap(uv + vec2<f32>(o.x, -o.y))) + calmed(tap(uv + vec2<f32>(-o.x, o.y)));
    return vec4<f32>(sum.rgb / sum.a, 1.0);
}

// Half as wide and high.
@fragment
fn fs_down(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let o = 1.0 / vec2<f32>(textureDimensions(source));
    let uv = position.xy * 2.0 * o;
    let sum = tap(uv) * 4.0 + tap(uv - o) + tap(uv + o)
        + tap(uv + vec2<f32>(o.x, -o.y)) + tap(uv + vec2<f32>(-o.x, o.y));
    return vec4<f32>(sum / 8.0, 1.0);
}

// Twice as wide and high; blended onto the level it came from.
@fragment
fn fs_up(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let o = 0.5 / vec2<f32>(textureDimensions(source));
    let uv = position.xy * o;
    let sum = tap(uv + vec2<f32>(-2.0 * o.x, 0.0)) + tap(uv + vec2<f32>(2.0 * o.x, 0.0))
        + tap(uv + vec2<f32>(0.0, -2.0 * o.y)) + tap(uv + vec2<f32>(0.0, 2.0 * o.y))
        + 2.0 * (tap(uv - o) + tap(uv + o) + tap(uv + vec2<f32>(o.x, -o.y)) + tap(uv + vec2<f32>(-o.x, o.y)));
    return vec4<f32>(sum / 12.0, 1.0);
}
