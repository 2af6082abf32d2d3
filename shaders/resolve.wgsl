// Resolves the samples of a pixel to one colour. Brighter samples have lower weights (Karis 2013, "Tone mapping"). Otherwise
// an edge next to a very bright surface would clip to white and look jagged.

#include "inc/scene.wgsl"
#include "inc/display.wgsl"

@group(1) @binding(1) var samples: texture_multisampled_2d<f32>;
// Adapted exposure, in stops.
@group(1) @binding(2) var<storage, read> adapted: array<f32>;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    var exposure = finish.exposure;
    if finish.adapts > 0.5 {
        exposure *= exp2(adapted[0]);
    }
    // Without a tone map, and if the image will be composited over another one, the mean is correct.
    let is_plain = finish.tone == 3u || finish.is_transparent > 0.5;
    exposure = select(exposure, 0.0, is_plain);
    var sum = vec4<f32>(0.0);
    var all = 0.0;
    for (var i = 0; i < 4; i++) {
        let light = textureLoad(samples, vec2<i32>(position.xy), i);
        let weight = 1.0 / (1.0 + exposure * max(light.r, max(light.g, light.b)));
        sum += light * weight;
        all += weight;
    }
    return sum / all;
}
