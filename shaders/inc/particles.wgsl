// Particles: quads that face the eye, are stretched along their motion, or are flat on a surface. They are lit at their
// corners, as spheres or as thin translucent material, and fade out near surfaces. The including shader defines
// `depth_at(pixel)`, the reversed depth behind the particle. Needs groups 0 and 1.

#include "inc/scene.wgsl"
#include "inc/color.wgsl"
#include "inc/fog.wgsl"
#include "inc/local_lights.wgsl"
#include "inc/shadow.wgsl"
#include "inc/ambient.wgsl"

// Square cells of one size, one layer each; sRGB, multiplied by alpha.
@group(3) @binding(0) var cells_map: texture_2d_array<f32>;
@group(3) @binding(1) var cells_sampler: sampler;

const LIES: u32 = 1u;
const INV_PI: f32 = 0.31830989;
// Range of distances to the eye over which particles fade in, metres. A nearer one would cover the image.
const FADE_FROM: f32 = 0.08;
const FADE_TO: f32 = 0.5;
// Outward tilt of the normals at the corners.
const ROUND: f32 = 1.15;
// Strength of forward scattering through thin particles. The lobe is a power of the cosine, as an approximation of the
// phase function of Henyey and Greenstein 1941.
const AHEAD: f32 = 1.4;
// Highlight exponent of a drop.
const SHARP: f32 = 90.0;
const F0: f32 = 0.04;

struct Instance {
    @location(0) at: vec3<f32>,
    // Diameter, metres.
    @location(1) size: f32,
    // Stretch vector behind the particle, metres; for a flat particle, its normal.
    @location(2) along: vec3<f32>,
    @location(3) turn: f32,
    // Linear colour, and opacity.
    @location(4) color: vec4<f32>,
    // Emission, fade distance in metres, gloss, thinness.
    @location(5) looks: vec4<f32>,
    @location(6) layer: u32,
    @location(7) flags: u32,
}

struct Varyings {
    @builtin(position) position: vec4<f32>,
    // -1..1, y up.
    @location(0) place: vec2<f32>,
    // Incoming light times colour.
    @location(1) light: vec3<f32>,
    @location(2) @interpolate(flat) layer: u32,
    // Opacity, fade distance in metres, gloss.
    @location(3) @interpolate(flat) covers: vec3<f32>,
    // Distance along the view, metres.
    @location(4) along: f32,
    // Direction to the sun and to the eye, in the particle's frame (right, up, normal).
    @location(5) @interpolate(flat) sun: vec3<f32>,
    @location(6) @interpolate(flat) eye: vec3<f32>,
    // Specular reflection of the sun.
    @location(7) glint: vec3<f32>,
    // Specular reflection of the environment.
    @location(8) around: vec3<f32>,
    // Fraction of the background that is kept behind the particle, 0..1: additive blending.
    @location(9) @interpolate(flat) adds: f32,
    // Curvature of a drop's surface: round in the air, nearly flat on a surface.
    @location(10) @interpolate(flat) bulge: f32,
}

// Axes right, up and towards the eye; a corner of the quad is `middle + right * x + up * y`.
struct Frame {
    right: vec3<f32>,
    up: vec3<f32>,
    normal: vec3<f32>,
    middle: vec3<f32>,
    // Half its width and height.
    half: vec2<f32>,
}

fn frame_of(own: Instance) -> Frame {
    var frame: Frame;
    let to_eye = scene.eye - own.at;
    let towards = normalize(to_eye + vec3<f32>(0.0, 1e-6, 0.0));
    frame.middle = own.at;
    frame.half = vec2<f32>(own.size * 0.5);
    let c = cos(own.turn);
    let s = sin(own.turn);
    if (own.flags & LIES) != 0u {
        let n = own.along;
        let helper = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 0.0, 1.0), abs(n.x) > 0.8);
        let a = normalize(cross(helper, n));
        let b = cross(n, a);
        frame.right = a * c + b * s;
        frame.up = b * c - a * s;
        frame.normal = n;
        // Offset from the surface towards the eye, so that the depth test passes.
        frame.middle += to_eye * 0.002;
        return frame;
    }
    let long = length(own.along);
    if long > own.size * 0.05 {
           let stretch = own.along / long;
           let side = cross(stretch, towards);
        let across = length(side);
        // Seen along the stretch direction, the quad shrinks to a point, so any side vector is valid.
           frame.right = select(cross(stretch, vec3<f32>(0.0, 1.0, 0.013)), side, across > 1e-3);
        frame.right = normalize(frame.right);
           frame.up = stretch;
           frame.normal = normalize(cross(frame.right, stretch));
        frame.middle -= own.along * 0.5;
        frame.half.y += long * 0.5;
        return frame;
    }
    // The axes of the view plane are used, not the direction to the eye, so that neighbouring particles stay parallel.
    let right = vec3<f32>(scene.view_from_world[0].x, scene.view_from_world[1].x, scene.view_from_world[2].x);
    let up = vec3<f32>(scene.view_from_world[0].y, scene.view_from_world[1].y, scene.view_from_world[2].y);
    frame.right = right * c + up * s;
    frame.up = up * c - right * s;
    frame.normal = cross(frame.right, frame.up);
    return frame;
}

// Reflected light for a cosine to the light: as a sphere, or as thin translucent material.
fn shade(cosine: f32, thin: f32, ahead: f32) -> f32 {
    let ball = clamp(cosine, 0.0, 1.0);
    let wrapped = cosine * 0.5 + 0.5;
    let through = 0.35 + 0.4 * wrapped * wrapped + AHEAD * ahead * ahead * ahead * ahead;
    return mix(ball, through, thin);
}

fn light_at(own: Instance, at: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>, sunny: f32) -> vec3<f32> {
    let thin = own.looks.w;
    let from_eye = normalize(at - scene.eye);
    let ambient = mix(irradiance(normal), 0.5 * (irradiance(normal) + irradiance(-normal)), thin * 0.7);
    var sum = ambient;
    let ahead = max(dot(from_eye, scene.sun_direction), 0.0);
    sum += scene.sun_color * (INV_PI * sunny * shade(dot(normal, scene.sun_direction), thin, ahead));
    if has_local_lights() {
        let cell = cells[cell_of(pixel, along_view(at))];
        let first = cell >> 8u;
        let end = first + (cell & 0xffu);
        for (var i = first; i < end; i++) {
            let local_light = local_lights[cells[i]];
            let to_local_light = local_light.position - at;
            let distance2 = dot(to_local_light, to_local_light);
            let direction = to_local_light * inverseSqrt(max(distance2, 1e-8));
            let share = local_light_falloff(local_light, distance2) * spot_share(local_light, direction);
            if share <= 0.0 {
                continue;
            }
            let seen = local_light_visibility(local_light, at, direction, pixel);
            let on = max(dot(from_eye, direction), 0.0);
            sum += local_light.color * (INV_PI * share * seen * shade(dot(normal, direction), thin, on));
        }
    }
    return sum;
}

@vertex
fn vs(own: Instance, @builtin(vertex_index) index: u32) -> Varyings {
    is_dense = true;
    var corners = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let number = corners[index];
    let corner = vec2<f32>(f32(number & 1u), f32(number >> 1u)) * 2.0 - 1.0;
    let frame = frame_of(own);
    let at = frame.middle + frame.right * (corner.x * frame.half.x) + frame.up * (corner.y * frame.half.y);
    var out: Varyings;
    out.position = scene.clip_from_world * vec4<f32>(at, 1.0);
    out.place = corner;
    out.layer = own.layer;
    out.along = along_view(at);

    let lies = (own.flags & LIES) != 0u;
    let clip = out.position.xy / max(out.position.w, 1e-3);
    let pixel = clamp((clip * vec2<f32>(0.5, -0.5) + 0.5), vec2<f32>(0.0), vec2<f32>(0.9999)) * scene.size;
    let leaning = frame.normal + ROUND * (frame.right * corner.x + frame.up * corner.y);
    let normal = select(normalize(leaning), frame.normal, lies);
    // Shadows are sampled inside the particle, where it is thick.
    let inside = mix(frame.middle, at, 0.5);
    let sunny = sun_visibility(inside, scene.sun_direction, pixel);
    let lit = light_at(own, inside, normal, pixel, sunny);
    let glow = own.looks.x;
    out.light = own.color.rgb * select(lit, vec3<f32>(glow), glow > 0.0);
    out.adds = clamp(glow, 0.0, 1.0);

    let towards = normalize(scene.eye - frame.middle);
    let axes = mat3x3<f32>(frame.right, frame.up, frame.normal);
    out.sun = scene.sun_direction * axes;
    out.eye = towards * axes;
    let gloss = own.looks.z;
    out.bulge = select(0.8, 0.22, lies);
    out.glint = scene.sun_color * (sunny * gloss);
    // Thin films on rough ground reflect less.
    out.around = reflected(reflect(-towards, frame.normal), 0.2) * (gloss * select(1.0, 0.35, lies));

    let near = smoothstep(FADE_FROM, FADE_TO, out.along);
    out.covers = vec3<f32>(own.color.a * select(near, 1.0, glow > 0.0), own.looks.y, gloss);
    // Fog in front of the particle.
    let clear = clear_share(frame.middle - scene.eye);
    out.light = mix(select(scene.fog_color, vec3<f32>(0.0), glow > 0.0), out.light, clear);
    out.glint *= clear;
    out.around *= clear;
    return out;
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4<f32> {
    let uv = in.place * vec2<f32>(0.5, -0.5) + 0.5;
    let texel = textureSample(cells_map, cells_sampler, uv, in.layer);
    let last = vec2<i32>(scene.size) - 1;
    let behind = scene.near / max(depth_at(clamp(vec2<i32>(in.position.xy), vec2<i32>(0), last)), 1e-7);
    let room = clamp((behind - in.along) / max(in.covers.y, 1e-4), 0.0, 1.0);
    let soft = select(1.0, room, in.covers.y > 0.0);
    let covers = in.covers.x * soft;
    var color = texel.rgb * in.light;
    if in.covers.z > 0.0 {
        // Normal of a drop's surface.
        let r2 = min(dot(in.place, in.place), 0.95);
        let n = normalize(vec3<f32>(in.place * in.bulge, sqrt(1.0 - r2) * in.bulge + 1.0 - 0.9 * in.bulge));
        let h = normalize(in.sun + in.eye);
        let facing = clamp(dot(n, in.eye), 0.0, 1.0);
        let fresnel = F0 + (1.0 - F0) * pow(1.0 - facing, 5.0);
        let shine = pow(clamp(dot(n, h), 0.0, 1.0), SHARP) * (SHARP + 8.0) * (INV_PI / 8.0) * F0;
        let lit = step(0.0, in.sun.z) * clamp(dot(n, in.sun), 0.0, 1.0);
        color += (in.glint * (shine * lit) + in.around * fresnel) * texel.a;
    }
    return vec4<f32>(color * covers, texel.a * covers * (1.0 - in.adds));
}
