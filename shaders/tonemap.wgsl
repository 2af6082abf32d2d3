// Converts linear HDR to the output image: bloom, exposure, tone map, colour grading, dither of half a step.

#include "inc/scene.wgsl"
#include "inc/display.wgsl"

@group(1) @binding(1) var lit: texture_2d<f32>;
@group(1) @binding(2) var scattered: texture_2d<f32>;
@group(1) @binding(3) var linear_sampler: sampler;
// Adapted exposure, in stops.
@group(1) @binding(4) var<storage, read> adapted: array<f32>;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

// Encoded colour and alpha of a pixel.
fn developed(position: vec4<f32>) -> vec4<f32> {
    let uv = position.xy / finish.target_size;
    var texel: vec4<f32>;
    if is_scaled() {
        texel = textureSampleLevel(lit, linear_sampler, uv, 0.0);
    } else {
        texel = textureLoad(lit, vec2<i32>(position.xy), 0);
    }
    var light = texel.rgb;
    if has_bloom() {
        light = mix(light, textureSampleLevel(scattered, linear_sampler, uv, 0.0).rgb, finish.bloom);
    }
    var exposure = finish.exposure;
    if adapts() {
        exposure *= exp2(adapted[0]);
    }
    if has_vignette() {
        let from_middle = (uv - 0.5) * vec2<f32>(1.0, finish.target_size.y / finish.target_size.x);
        exposure *= 1.0 - finish.vignette * smoothstep(0.2, 0.75, length(from_middle) * 1.2);
    }
    light *= finish.balance * exposure;
    var alpha = 1.0;
    if is_transparent() {
        alpha = clamp(texel.a, 0.0, 1.0);
        light /= max(alpha, 1e-3);
    }
    return vec4<f32>(graded(tone_mapped(light)), alpha);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let color = developed(position);
    return shown(color.rgb, color.a, position.xy);
}

// Output for the smoothing pass, with luminance in alpha.
@fragment
fn fs_smoothed_after(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let color = developed(position).rgb;
    return vec4<f32>(color, dot(color, vec3<f32>(0.299, 0.587, 0.114)));
}
