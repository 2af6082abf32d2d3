// Overdraw view: converts the number of layers shaded in each pixel to colours. Reads the lit image, r = layers.

#include "inc/scene.wgsl"
#include "inc/display.wgsl"
#include "inc/heat.wgsl"

@group(1) @binding(1) var layers: texture_2d<f32>;
@group(1) @binding(3) var linear_sampler: sampler;

const MAX_LAYERS: f32 = 8.0;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let n = textureSampleLevel(layers, linear_sampler, position.xy / finish.target_size, 0.0).r;
    let color = select(vec3<f32>(0.075, 0.078, 0.085), count_heat(n, MAX_LAYERS), n > 0.0);
    return shown(color, 1.0, position.xy);
}
