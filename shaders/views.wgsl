// Debug views of models, and the shading style "book": they replace the lighting. Reads the same data as mesh.wgsl.
// Writes linear colours that are shown without tone mapping. The background is a plain room.

#include "inc/model.wgsl"
#include "inc/metal_rough.wgsl"
#include "inc/srgb.wgsl"
#include "inc/heat.wgsl"

// Same values as render::pass::views::ViewMode.
override MODE: u32 = 0u;
// There is a floor.
override FLOOR: bool = false;
// The material blends with the background.
override BLENDS: bool = false;
// The material is a toon material, whose textures have other meanings.
override TOON: bool = false;

const ASIDE: u32 = 0u;
const BOOK: u32 = 1u;
const NORMALS: u32 = 3u;
const TANGENTS: u32 = 4u;
const UV: u32 = 5u;
const OVERDRAW: u32 = 6u;
const LIGHT: u32 = 7u;
const BASE_COLOR: u32 = 8u;
const ROUGHNESS: u32 = 9u;
const METALLIC: u32 = 10u;
const OCCLUSION: u32 = 11u;
const DEPTH: u32 = 12u;

// Alpha cutoff for blended materials that the view draws as opaque.
const BLEND_CUTOFF: f32 = 0.1;
// Number of lights at the end of the colour scale.
const MAX_LIGHTS: f32 = 8.0;

fn cutoff() -> f32 {
    if MODE == BOOK || MODE == OVERDRAW {
        return select(material.alpha_cutoff, 0.0, BLENDS);
    }
    return select(material.alpha_cutoff, BLEND_CUTOFF, has(BLEND));
}

// 1 facing the eye, less at the rims: shows the shape.
fn form(normal: vec3<f32>, world: vec3<f32>) -> f32 {
    let n = normal * inverseSqrt(max(dot(normal, normal), 1e-20));
    return abs(dot(n, normalize(scene.eye - world)));
}

// Diffuse light with a minimum of 0.2, and a Blinn highlight of exponent 85 at 0.4, computed on encoded colours. This
// is the lighting of Character Animation with Direct3D (Granberg 2009); see docs/light.md.
fn book(normal: vec3<f32>, view: vec3<f32>, base: vec3<f32>, specular: vec3<f32>) -> vec3<f32> {
    let shade = max(clamp(dot(normal, scene.sun_direction), 0.0, 1.0), 0.2);
    let h = normalize(scene.sun_direction + view + vec3<f32>(0.0, 1e-6, 0.0));
    let highlight = pow(max(dot(normal, h), 0.0), 85.0) * 0.4;
    return srgb_from_linear(base) * shade + specular * highlight;
}

// Specular colour as in KHR_materials_specular; 1 without.
fn book_specular(uv: vec4<f32>) -> vec3<f32> {
    let own = clamp(material.f0 / 0.04, vec3<f32>(0.0), vec3<f32>(1.0)) * material.f90;
    if TOON {
        return own;
    }
    let layer = color_layer_at(uv);
    return own * layer.rgb * layer.a;
}

fn local_lights_at(pixel: vec2<f32>, along: f32) -> f32 {
    if scene.has_local_lights == 0u {
        return 0.0;
    }
    return f32(cells[cell_of(pixel, along)] & 0xffu);
}

// 0.25 m to 64 m by octaves, with a line every 10 cm where the lines are not too dense.
fn depth_color(along: f32) -> vec3<f32> {
    let share = clamp(log2(max(along, 0.25) / 0.25) / 8.0, 0.0, 1.0);
    let step = along * 10.0;
    let width = max(fwidth(step), 1e-5);
    let line = clamp(1.2 - abs(fract(step - 0.5) - 0.5) / width, 0.0, 1.0);
    return ramp(share) * (1.0 - 0.45 * line * (1.0 - smoothstep(0.15, 0.4, width)));
}

// Columns A..H, then rows 1..8: five lines of three pixels, the first in the highest bits.
fn glyph(index: u32, p: vec2<f32>) -> f32 {
    var letters = array<u32, 16>(
        0x2bedu, 0x6baeu, 0x3923u, 0x6b6eu, 0x79a7u, 0x79a4u, 0x396bu, 0x5bedu,
        0x2c97u, 0x62a7u, 0x628eu, 0x5bc9u, 0x798eu, 0x39aau, 0x7292u, 0x7befu);
    let at = vec2<i32>(floor(p));
    if any(at < vec2<i32>(0)) || at.x > 2 || at.y > 4 {
        return 0.0;
    }
    return f32((letters[index] >> u32(14 - at.y * 3 - at.x)) & 1u);
}

// Checkerboard of 8 by 8 squares named A1 to H8, u across, v down; pale outside of 0..1.
fn board(uv: vec2<f32>) -> vec3<f32> {
    let inside = uv - floor(uv);
    let field = min(vec2<u32>(inside * 8.0), vec2<u32>(7u));
    let at = fract(inside * 8.0);
    let hue = f32(field.x) / 8.0;
    let wheel = clamp(abs(fract(hue + vec3<f32>(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, vec3<f32>(0.0), vec3<f32>(1.0));
    let bright = 0.88 - 0.055 * f32(field.y);
    var color = mix(vec3<f32>(0.95), wheel, 0.5) * bright;
    let fine = vec2<u32>(at * 8.0);
    color *= select(0.93, 1.0, (fine.x + fine.y) % 2u == 0u);
    color *= select(0.72, 1.0, (field.x + field.y) % 2u == 0u);
    let p = (at - vec2<f32>(0.16, 0.2)) * vec2<f32>(10.0, 10.0);
    let ink = max(glyph(field.x, p), glyph(8u + field.y, p - vec2<f32>(4.0, 0.0)));
    color = mix(color, vec3<f32>(0.06), ink * 0.9);
    let is_outside = any(uv < vec2<f32>(0.0)) || any(uv > vec2<f32>(1.0));
    return select(color, mix(color, vec3<f32>(0.75), 0.65), is_outside);
}

// The mean of four samples per pixel, for smooth edges of squares and letters.
fn smooth_board(uv: vec2<f32>) -> vec3<f32> {
    let x = dpdx(uv);
    let y = dpdy(uv);
    let sum = board(uv + 0.125 * x + 0.375 * y) + board(uv - 0.125 * x - 0.375 * y)
        + board(uv + 0.375 * x - 0.125 * y) + board(uv - 0.375 * x + 0.125 * y);
    return sum * 0.25;
}

// Encoded colour of the view.
fn seen(in: Varyings, s: Surface, base: vec3<f32>) -> vec3<f32> {
    let lift = mix(0.6, 1.0, form(s.smooth_normal, in.world));
    switch MODE {
        case BOOK: {
            let color = book(s.normal, s.view, base, book_specular(in.uv));
            return select(color, srgb_from_linear(base), has(UNLIT));
        }
        case NORMALS: { return s.normal * 0.5 + 0.5; }
        case TANGENTS: {
            let t = in.tangent.xyz * inverseSqrt(max(dot(in.tangent.xyz, in.tangent.xyz), 1e-20));
            let stripe = fract((in.position.x + in.position.y) / 9.0) < 0.33;
            return (t * 0.5 + 0.5) * select(1.0, 0.3, stripe && in.tangent.w < 0.0);
        }
        case UV: { return smooth_board(in.uv.xy) * lift; }
        case LIGHT: { return count_heat(local_lights_at(in.position.xy, along_view(in.world)), MAX_LIGHTS) * lift; }
        case BASE_COLOR: { return srgb_from_linear(base); }
        case ROUGHNESS: { return vec3<f32>(stamped_metal_rough(in.uv).y); }
        case METALLIC: { return vec3<f32>(stamped_metal_rough(in.uv).x); }
        case OCCLUSION: {
            let around = seen_openness(in.position.xy, along_view(in.world)).x;
            return vec3<f32>(min(occlusion_at(in.uv), mix(1.0, around, min(scene.occlusion, 1.0))));
        }
        case DEPTH: { return depth_color(along_view(in.world)); }
        default: { return vec3<f32>(0.40, 0.41, 0.43) * mix(0.4, 1.0, form(s.smooth_normal, in.world)); }
    }
}

@fragment
fn fs(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var at = in;
    at.uv = moved(in.uv);
    fold(at.uv);
    stamp(at.uv.xy);
    let base = stamped_color(base_color(at.uv, in.color));
    let s = surface_of(at, front, bumped_normal(at));
    let color = linear_from_srgb(clamp(seen(at, s, base.rgb), vec3<f32>(0.0), vec3<f32>(1.0)));
    if MODE == BOOK && BLENDS {
        return over(color, base.a);
    }
    if base.a < cutoff() {
        discard;
    }
    if MODE == OVERDRAW {
        return vec4<f32>(1.0, 0.0, 0.0, 1.0);
    }
    return vec4<f32>(color, 1.0);
}

struct PaintedVaryings {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec4<f32>,
    @location(3) color: vec4<f32>,
    @location(4) paint: vec4<f32>,
}

// `paint` is an encoded colour with w 1, or a fraction of the scale in x with w 0.
@vertex
fn vs_painted(
    vertex: Vertex, @location(6) paint: vec4<f32>, at: Placement,
) -> PaintedVaryings {
    let out = placed(vertex, at);
    return PaintedVaryings(out.position, out.world, out.normal, out.uv, out.color, paint);
}

@fragment
fn fs_painted(in: PaintedVaryings) -> @location(0) vec4<f32> {
    let base = base_color(moved(in.uv), in.color);
    if base.a < cutoff() {
        discard;
    }
    let color = select(heat(in.paint.x), in.paint.rgb, in.paint.w > 0.5);
    return vec4<f32>(linear_from_srgb(color * mix(0.5, 1.0, form(in.normal, in.world))), 1.0);
}

struct Behind {
    @builtin(position) position: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

@vertex
fn vs_behind(@builtin(vertex_index) index: u32) -> Behind {
    let corner = full_screen_corner(index);
    return Behind(vec4<f32>(corner, 0.0, 1.0), scene.ray_z + corner.x * scene.ray_x + corner.y * scene.ray_y);
}

// Grid lines, a pixel wide, `step` metres apart.
fn grid_lines(p: vec2<f32>, step: f32) -> f32 {
    let at = p / step;
    let width = max(fwidth(at), vec2<f32>(1e-5));
    let line = clamp(1.0 - abs(fract(at - 0.5) - 0.5) / width, vec2<f32>(0.0), vec2<f32>(1.0));
    let density = max(width.x, width.y);
    return max(line.x, line.y) * (1.0 - smoothstep(0.1, 0.5, density));
}

@fragment
fn fs_behind(in: Behind) -> @location(0) vec4<f32> {
    let direction = normalize(in.ray);
    // Distance along the ray to the floor, metres; a ray that misses the floor counts as far away.
    let hits_floor = FLOOR && (scene.ground_height - scene.eye.y) * direction.y > 0.0;
    let distance = select(1e5, (scene.ground_height - scene.eye.y) / direction.y, hits_floor);
    let world = scene.eye + direction * distance;
    let along = distance / length(in.ray);
    let near = select(0.0, 1.0 - smoothstep(0.15, 0.9, distance / scene.fade), hits_floor);
    var far = mix(vec3<f32>(0.135, 0.14, 0.15), vec3<f32>(0.075, 0.078, 0.085), clamp(direction.y * 1.2 + 0.3, 0.0, 1.0));
    var floor_color = vec3<f32>(0.115, 0.12, 0.128);
    var line_strength = 0.09;
    if MODE == BOOK {
        far = srgb_from_linear(scene.sky_horizon);
        floor_color = book(vec3<f32>(0.0, 1.0, 0.0), -direction, scene.ground_color, vec3<f32>(0.0));
        line_strength = -0.06;
    } else if MODE == LIGHT {
        floor_color = count_heat(local_lights_at(in.position.xy, along), MAX_LIGHTS) * 0.72;
    } else if MODE == DEPTH {
        floor_color = depth_color(along) * 0.72;
    }
    let step = select(scene.grid, 1.0, scene.grid <= 0.0);
    floor_color += grid_lines(world.xz, step) * line_strength;
    let color = mix(far, floor_color, near);
    return vec4<f32>(linear_from_srgb(clamp(color, vec3<f32>(0.0), vec3<f32>(1.0))), 1.0);
}
