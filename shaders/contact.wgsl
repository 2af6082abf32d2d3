// Sky visibility of each point of the ground, past objects on the ground. Reads the depth of the models as seen from below
// the ground. Writes openness, 1 = all of the sky.

#include "inc/scene.wgsl"
#include "inc/disc.wgsl"

@group(1) @binding(0) var depth_map: texture_depth_2d;

const TAPS: u32 = 20u;
// Radius around a point within which objects darken it, metres.
const REACH: f32 = 0.30;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(depth_map));
    // The target is half as large as the map.
    let center = position.xy * 2.0;
    let texels = REACH * 0.5 / scene.contact_radius * size;
    var direction = disc_start(pixel_noise(position.xy));
    var hidden = 0.0;
    var all = 0.0;
    for (var i = 0u; i < TAPS; i++) {
        // Samples are denser towards the centre, where occluders are nearest.
        let r = (f32(i) + 0.5) / f32(TAPS);
        let texel = clamp(center + direction * r * texels, vec2<f32>(0.0), size - 1.0);
        direction = disc_turn(direction);
        let z = textureLoad(depth_map, vec2<i32>(texel), 0);
        let height = max((z * 1.1 - 0.1) * scene.contact_range, 0.0);
        let weight = 1.0 / (0.15 + r);
        hidden += select(0.0, weight * exp2(-height * 10.0), z < 1.0);
        all += weight;
    }
    return vec4<f32>(1.0 - 0.9 * hidden / all);
}
