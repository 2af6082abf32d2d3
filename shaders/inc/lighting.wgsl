// All light on a surface: the sun, the lights of its cell and ambient light. The including shader defines the response of a
// `Surface` in two functions: `direct(s, light)` and `ambient(s)`, both radiance towards the eye.

struct Surface {
    // Position, world space.
    position: vec3<f32>,
    // Unit normal, with normal map.
    normal: vec3<f32>,
    // Unit normal of the mesh.
    smooth_normal: vec3<f32>,
    // Unit vector towards the eye.
    view: vec3<f32>,
    // Linear colour.
    diffuse: vec3<f32>,
    // Reflectance at normal incidence, and at grazing incidence.
    f0: vec3<f32>,
    f90: f32,
    // Perceptual roughness, 0.045..1.
    roughness: f32,
    // 1 = unoccluded.
    occlusion: f32,
}

// Light from one direction.
struct Incoming {
    // Unit vector towards the light.
    direction: vec3<f32>,
    // Light on a surface that faces it, unshadowed.
    color: vec3<f32>,
    // 0 in full shadow.
    visibility: f32,
    // Distance that the light travelled through the model, metres, from the shadow map. 0 without, or if the shader does not
    // need it (READS_DEPTH).
    depth: f32,
    // Tangent of the light source's angular radius.
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
        // Softens the terminator where smooth normals disagree with flat triangles.
        sun.visibility *= smoothstep(-0.1, 0.1, facing);
        sun.spread = 0.0;
        sun.depth = 0.0;
        if READS_DEPTH && facing < 0.4 {
            sun.depth = sun_depth(s.position, s.smooth_normal);
        }
        color += direct(surface, sun);
    }
    if has_local_lights() {
        let cell = cells[cell_of(pixel, along)];
        let first = cell >> 8u;
        let end = first + (cell & 0xffu);
        for (var i = first; i < end; i++) {
            let local_light = local_lights[cells[i]];
            let to_local_light = local_light.position - s.position;
            let distance2 = dot(to_local_light, to_local_light);
            var light: Incoming;
            light.direction = to_local_light * inverseSqrt(max(distance2, 1e-8));
            let towards = dot(s.smooth_normal, light.direction);
            let share = local_light_falloff(local_light, distance2) * spot_share(local_light, light.direction);
            if share <= 0.0 || towards <= FACING_FROM {
                continue;
            }
            light.color = local_light.color * share;
            light.visibility = smoothstep(-0.1, 0.1, towards)
                * local_light_visibility(local_light, s.position, s.smooth_normal, pixel);
            light.depth = 0.0;
            if READS_DEPTH && towards < 0.4 {
                light.depth = local_light_depth(local_light, s.position, s.smooth_normal);
            }
            light.spread = local_light.radius * inverseSqrt(max(distance2, 1e-6));
            color += direct(surface, light);
        }
    }
    return color;
}
