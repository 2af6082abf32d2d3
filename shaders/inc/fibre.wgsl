// Hair fibre shading: a rough glass cylinder with a coloured interior (Marschner et al. 2003, "Light scattering from human
// hair fibers"). The azimuthal lobes are fits by Karis (2016, "Physically based hair shading in Unreal"). Needs
// inc/hair_around.wgsl.

// Half the tilt of the cuticle scales, radians.
const TILT: f32 = 0.035;
// Fraction of the light that dense strands scatter; the rest passes through.
const SCATTERED: f32 = 0.85;

// Gaussian lobe of a given width, at an offset along the strand.
fn lobe_along(width: f32, off: f32) -> f32 {
    return exp(-0.5 * off * off / (width * width)) / (width * 2.5066);
}

fn fresnel_fibre(cosine: f32) -> f32 {
    let t = 1.0 - clamp(cosine, 0.0, 1.0);
    let t2 = t * t;
    return 0.0465 + 0.9535 * t2 * t2 * t;
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    if is_stone {
        return base_direct(s, light);
    }
    let sin_l = clamp(dot(strand, light.direction), -1.0, 1.0);
    let sin_v = clamp(dot(strand, s.view), -1.0, 1.0);
    let cos_l = sqrt(1.0 - sin_l * sin_l);
    let cos_v = sqrt(1.0 - sin_v * sin_v);
    // Half the difference of the angles along the strand.
    let cos_d = sqrt(clamp(0.5 * (1.0 + cos_l * cos_v + sin_l * sin_v), 0.01, 1.0));
    let l_v = dot(light.direction, s.view);
    let cos_around = clamp((l_v - sin_l * sin_v) / max(cos_l * cos_v, 0.02), -1.0, 1.0);
    let cos_half = sqrt(clamp(0.5 + 0.5 * cos_around, 0.0, 1.0));
    let rough2 = s.roughness * s.roughness;
    // A spherical light widens all lobes.
    let wide = rough2 + 0.3 * light.spread;
    let off = sin_l + sin_v;
    let color = clamp(s.diffuse, vec3<f32>(0.002), vec3<f32>(0.98));

    // R: reflection at the surface.
    let tilt = -2.0 * TILT;
    let shifted = 2.0 * sin(tilt) * (cos(tilt) * cos_half * cos_v + sin(tilt) * sin_v);
    let first = lobe_along(max(wide * 1.414 * cos_half, 0.03), off - shifted)
        * 0.25 * cos_half * fresnel_fibre(sqrt(clamp(0.5 + 0.5 * l_v, 0.0, 1.0)));
    // TT: transmission through the strand.
    let bent = 1.0 / (1.19 / cos_d + 0.36 * cos_d);
    let across = cos_half * (1.0 + bent * (0.6 - 0.8 * cos_around));
    let into = 1.0 - fresnel_fibre(cos_d * sqrt(clamp(1.0 - across * across, 0.0, 1.0)));
    let inside = sqrt(clamp(1.0 - across * across * bent * bent, 0.0, 1.0)) * 0.5 / cos_d;
    let through = pow(color, vec3<f32>(inside)) * (into * into
        * lobe_along(max(0.5 * wide, 0.03), off - TILT) * exp(-3.65 * cos_around - 3.98));
    // TRT: transmission, internal reflection at the far side, transmission.
    let at_back = fresnel_fibre(cos_d * 0.5);
    let back = pow(color, vec3<f32>(0.8 / cos_d)) * ((1.0 - at_back) * (1.0 - at_back) * at_back
        * lobe_along(max(2.0 * wide, 0.03), off - 4.0 * TILT) * exp(17.0 * cos_around - 16.78));

    // Multiple scattering between strands: diffuse on the shape of the hair as a whole, and around each strand.
    let n_l = dot(s.normal, light.direction);
    let on_ball = clamp((n_l + 0.35) / 1.8225, 0.0, 1.0);
    let towards = normalize(s.view - strand * sin_v + vec3<f32>(0.0, 1e-6, 0.0));
    let on_strand = clamp((dot(towards, light.direction) + 1.0) * 0.25, 0.0, 1.0);
    let scattered = s.diffuse / PI * SCATTERED * mix(on_ball, on_strand * (1.0 - abs(sin_l)), 0.3);
    // Strands shadow each other's highlights where the hair faces away from the light.
    let facing = clamp(n_l + 0.3, 0.0, 1.0);
    let lobes = (vec3<f32>(first) + back) * facing + through;
    return (scattered + lobes) * light.color * light.visibility;
}
