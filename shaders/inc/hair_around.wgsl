// Shared parts of hair shading: strand direction and ambient light. Needs inc/model.wgsl, inc/base_layer.wgsl and
// inc/stone.wgsl.

const FACING_FROM: f32 = -0.6;
const READS_DEPTH: bool = false;

// Unit vector along the strand, from root to tip. Read by `direct` and `ambient`.
var<private> strand: vec3<f32>;

fn ambient(s: Surface) -> vec3<f32> {
    if is_stone {
        return base_ambient(s);
    }
    let n_v = clamp(abs(dot(s.normal, s.view)), 1e-4, 1.0);
    let f = base_reflectance(s, n_v);
    // Averaged over all light directions, strands appear to face the eye.
    let towards = normalize(s.view - strand * dot(s.view, strand));
    let normal = normalize(mix(s.normal, towards, 0.35));
    let shine = reflected(reflect(-s.view, normal), max(s.roughness, 0.4));
    return (s.diffuse * (1.0 - f) * irradiance(normal) + shine * f * 0.6) * s.occlusion;
}
