// Packed directions in buffers.

// Decodes a direction from its octahedral encoding, two snorm16 (Meyer et al., "On floating-point normal vectors", 2010).
fn direction(packed: u32) -> vec3<f32> {
    let e = unpack2x16snorm(packed);
    let z = 1.0 - abs(e.x) - abs(e.y);
    let fold = max(-z, 0.0);
    return normalize(vec3<f32>(e.x - select(-fold, fold, e.x >= 0.0), e.y - select(-fold, fold, e.y >= 0.0), z));
}
