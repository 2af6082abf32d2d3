// Particles in a multisampled image: see inc/particles.wgsl. Reads depth, blends onto the lit image.

@group(2) @binding(0) var depth_map: texture_depth_multisampled_2d;

fn depth_at(pixel: vec2<i32>) -> f32 {
    return textureLoad(depth_map, pixel, 0);
}

#include "inc/particles.wgsl"
