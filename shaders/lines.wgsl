// Lines over the finished image, 1.5 pixels wide with soft edges. Colours are linear.

#include "inc/scene.wgsl"
#include "inc/display.wgsl"

struct Varyings {
    @builtin(position) position: vec4<f32>,
    // Distance from the centre of the line, pixels.
    @location(0) across: f32,
    @location(1) color: vec3<f32>,
}

const HALF_WIDTH: f32 = 0.75;
const NEAR: f32 = 0.001;

@vertex
fn vs(
    @builtin(vertex_index) index: u32,
    @location(0) line_from: vec3<f32>,
    @location(1) line_to: vec3<f32>,
    @location(2) color: vec3<f32>,
) -> Varyings {
    var a = scene.clip_from_world * vec4<f32>(line_from, 1.0);
    var b = scene.clip_from_world * vec4<f32>(line_to, 1.0);
    var out: Varyings;
    out.color = color;
    if a.w < NEAR && b.w < NEAR {
        out.position = vec4<f32>(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    if a.w < NEAR {
        a = mix(b, a, (b.w - NEAR) / (b.w - a.w));
    } else if b.w < NEAR {
        b = mix(a, b, (a.w - NEAR) / (a.w - b.w));
    }
    let half_size = finish.target_size * 0.5;
    let pa = a.xy / a.w * half_size;
    let pb = b.xy / b.w * half_size;
    let d = pb - pa;
    let along = select(vec2<f32>(1.0, 0.0), d / max(length(d), 1e-6), length(d) > 1e-4);
    let normal = vec2<f32>(-along.y, along.x);
    let side = f32(index & 1u) * 2.0 - 1.0;
    let at_end = index >= 2u;
    let reach = HALF_WIDTH + 1.0;
    let p = select(pa - along * 0.5, pb + along * 0.5, at_end) + normal * side * reach;
    out.position = vec4<f32>(p / half_size, 0.5, 1.0);
    out.across = side * reach;
    return out;
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4<f32> {
    let alpha = clamp(HALF_WIDTH + 0.5 - abs(in.across), 0.0, 1.0) * 0.9;
    let color = clamp(in.color, vec3<f32>(0.0), vec3<f32>(1.0));
    return vec4<f32>(select(srgb_from_linear(color), color, finish.target_encodes > 0.5), alpha);
}
