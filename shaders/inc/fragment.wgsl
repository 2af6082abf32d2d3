// Entry points of the shaders that draw models. The including shader defines `shaded(in, front, base)`, linear light towards
// the eye.

// Opacity of a transmissive material, as a fraction.
var<private> veil: f32 = 1.0;

@fragment
fn fs(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var at = in;
    at.uv = moved(in.uv);
    fold(at.uv);
    stamp(at.uv.xy);
    let base = stamped_color(base_color(at.uv, in.color));
    let color = over(shaded(at, front, base.rgb), base.a);
    return vec4<f32>(color.rgb, color.a * veil);
}

// Separate from `fs`, because a shader with discard makes depth tests late.
@fragment
fn fs_cut_out(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var at = in;
    at.uv = moved(in.uv);
    fold(at.uv);
    stamp(at.uv.xy);
    let base = stamped_color(base_color(at.uv, in.color));
    let alpha = coverage(base.a);
    let color = shaded(at, front, base.rgb);
    if alpha < least_coverage() {
        discard;
    }
    return vec4<f32>(color, alpha);
}
