// Half-size copy of a texture. Texels are averaged in linear space (the view decodes sRGB) and weighted by alpha, so that
// colours under transparent texels do not bleed.

@group(0) @binding(0) var source: texture_2d<f32>;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let last = vec2<i32>(textureDimensions(source)) - 1;
    let corner = vec2<i32>(position.xy) * 2;
    var plain = vec3<f32>(0.0);
    var weighted = vec3<f32>(0.0);
    var alpha = 0.0;
    for (var i = 0; i < 4; i++) {
        let texel = textureLoad(source, min(corner + vec2<i32>(i & 1, i >> 1u), last), 0);
        plain += texel.rgb * 0.25;
        weighted += texel.rgb * texel.a;
        alpha += texel.a;
    }
    let color = select(plain, weighted / max(alpha, 1e-6), alpha > 1e-3);
    return vec4<f32>(color, alpha * 0.25);
}
