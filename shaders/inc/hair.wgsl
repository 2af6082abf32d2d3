// Hair shading with two highlights: one in the light's colour and, shifted along the strands, one in the hair's colour
// (Scheuermann 2004, "Practical real-time hair rendering and shading", after Marschner et al. 2003). Needs inc/model.wgsl,
// inc/base_layer.wgsl, inc/stone.wgsl and inc/hair_around.wgsl.

// Shifts towards the root and towards the tip.
const FIRST_SHIFT: f32 = -0.06;
const SECOND_SHIFT: f32 = 0.12;

// Lobe around strands that are tilted by `shift`; a lower exponent makes it wider.
fn strand_lobe(s: Surface, h: vec3<f32>, shift: f32, exponent: f32) -> f32 {
    let t = normalize(strand + s.normal * shift);
    let t_h = dot(t, h);
    let sin2 = max(1.0 - t_h * t_h, 1e-4);
    return smoothstep(-1.0, 0.0, t_h) * pow(sin2, exponent * 0.5) * sqrt(exponent) * 0.09;
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    if is_stone {
        return base_direct(s, light);
    }
    let n_l = dot(s.normal, light.direction);
    let wrapped = clamp((n_l + 0.35) / 1.8225, 0.0, 1.0);
    let h = normalize(light.direction + s.view + vec3<f32>(0.0, 1e-6, 0.0));
    let sharp = mix(160.0, 6.0, sqrt(s.roughness));
    // Strands hide each other at grazing angles.
    let f = min(schlick(s.f0, 1.0, clamp(dot(s.view, h), 0.0, 1.0)).x, 0.25);
    let facing = clamp(n_l + 0.25, 0.0, 1.0);
    let own = strand_lobe(s, h, FIRST_SHIFT, sharp) * f;
    let tinted = sqrt(s.diffuse) * (strand_lobe(s, h, SECOND_SHIFT, sharp * 0.35) * 0.12);
    // Light from behind passes through the strands.
    let behind = pow(clamp(dot(-light.direction, s.view), 0.0, 1.0), 8.0) * 0.5;
    let color = s.diffuse / PI * (wrapped + behind) + (vec3<f32>(own) + tinted) * facing;
    return color * light.color * light.visibility;
}
