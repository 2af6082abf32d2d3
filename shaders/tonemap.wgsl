// From linear HDR to the picture: exposure, tone map, sRGB, dither of half a step.

#include "inc/scene.wgsl"
#include "inc/color.wgsl"
#include "inc/disc.wgsl"

@group(1) @binding(0) var hdr: texture_2d<f32>;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let light = textureLoad(hdr, vec2<i32>(position.xy), 0).rgb * scene.exposure;
    let mapped = clamp(tone_map(light), vec3<f32>(0.0), vec3<f32>(1.0));
    let dither = (pixel_noise(position.xy) - 0.5) / 255.0;
    let encoded = clamp(srgb_from_linear(mapped) + dither, vec3<f32>(0.0), vec3<f32>(1.0));
    if scene.target_encodes > 0.5 {
        return vec4<f32>(linear_from_srgb(encoded), 1.0);
    }
    return vec4<f32>(encoded, 1.0);
}
