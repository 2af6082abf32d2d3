// The sky background: a gradient with the sun's disc, linear HDR. Drawn at infinite depth.

#include "inc/scene.wgsl"
#include "inc/color.wgsl"
#include "inc/fog.wgsl"
#include "inc/local_lights.wgsl"
#include "inc/shadow.wgsl"
#include "inc/ambient.wgsl"

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Varyings {
    let corner = full_screen_corner(index);
    let ray = scene.ray_z + corner.x * scene.ray_x + corner.y * scene.ray_y;
    return Varyings(vec4<f32>(corner, 0.0, 1.0), ray);
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4<f32> {
    let d = normalize(in.ray);
    let towards = dot(d, scene.sun_direction);
    // A disc of 1.2 degrees with a soft rim.
    let disc = smoothstep(0.99965, 0.99985, towards) * smoothstep(-0.02, 0.02, d.y);
    let disc_shown = select(3.0 * disc, 0.0, shows_environment() || is_seamless());
    // The sky is at the far end of the fog.
    return vec4<f32>(with_fog(backdrop(d) + scene.sun_color * disc_shown, d * 2000.0), 1.0);
}
