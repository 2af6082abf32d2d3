// The metallic-roughness surface of glTF 2.0 (appendix B), without layers: `direct` and `ambient`.

#include "inc/base_layer.wgsl"

// Cosine from which light is accepted, where smooth normals disagree with flat triangles.
const FACING_FROM: f32 = -0.1;
const READS_DEPTH: bool = false;

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    return base_direct(s, light);
}

fn ambient(s: Surface) -> vec3<f32> {
    return base_ambient(s);
}
