// All light that falls on a surface: the sun, the lamps of its cell and what comes from all around.
// The shader that includes this gives `Surface` its meaning in two functions: `direct(s, light)`
// and `ambient(s)`, both radiance towards the eye.

struct Surface {
    // World space.
    position: vec3<f32>,
    // Unit, bumped.
    normal: vec3<f32>,
    // Unit, of the mesh.
    smooth_normal: vec3<f32>,
    // Unit, towards the eye.
    view: vec3<f32>,
    // Linear.
    diffuse: vec3<f32>,
    // Reflectance at normal incidence, and at grazing incidence.
    f0: vec3<f32>,
    f90: f32,
    // Perceptual, 0.045..1.
    roughness: f32,
    // 1 = open.
    occlusion: f32,
}

// Light from one direction.
struct Incoming {
    // Unit, towards the light.
    direction: vec3<f32>,
    // On a surface that faces it, unshadowed.
    color: vec3<f32>,
    // 0 in full shadow.
    visibility: f32,
    // Metres that the light went through the model to here, as far as its map tells; 0 where it did
    // not, or where the shader does not ask (READS_DEPTH).
    depth: f32,
    // Tangent of the angular radius of what shines.
    spread: f32,
}

fn all_light(s: Surface, pixel: vec2<f32>) -> vec3<f32> {
    var surface = s;
    let along = along_view(s.position);
    let seen = seen_openness(pixel, along);
    surface.occlusion = min(s.occlusion, mix(1.0, seen.x, scene.occlusion));
    var color = ambient(surface);

    let facing = dot(s.smooth_normal, scene.sun_direction);
    if facing > FACING_FROM {
        var sun: Incoming;
        sun.direction = scene.sun_direction;
        sun.color = scene.sun_color;
        sun.visibility = min(sun_visibility(s.position, s.smooth_normal, pixel), seen.y);
        // The terminator is eased where smooth normals disagree with flat triangles.
        sun.visibility *= smoothstep(-0.1, 0.1, facing);
        sun.spread = 0.0;
        sun.depth = 0.0;
        if READS_DEPTH && facing < 0.4 {
            sun.depth = sun_depth(s.position, s.smooth_normal);
        }
        color += direct(surface, sun);
    }
    if has_lamps() {
        let cell = cells[cell_of(pixel, along)];
        let first = cell >> 8u;
        let end = first + (cell & 0xffu);
        for (var i = first; i < end; i++) {
            let lamp = lamps[cells[i]];
            let to_lamp = lamp.position - s.position;
            let distance2 = dot(to_lamp, to_lamp);
            var light: Incoming;
            light.direction = to_lamp * inverseSqrt(max(distance2, 1e-8));
            let towards = dot(s.smooth_normal, light.direction);
            let share = lamp_falloff(lamp, distance2) * spot_share(lamp, light.direction);
            if share <= 0.0 || towards <= FACING_FROM {
                continue;
            }
            light.color = lamp.color * share;
            light.visibility = smoothstep(-0.1, 0.1, towards)
                * lamp_visibility(lamp, s.position, s.smooth_normal, pixel);
            light.depth = 0.0;
            if READS_DEPTH && towards < 0.4 {
                light.depth = lamp_depth(lamp, s.position, s.smooth_normal);
            }
            light.spread = lamp.radius * inverseSqrt(max(distance2, 1e-6));
            color += direct(surface, light);
        }
    }
    return color;
}
