// Triangles with their edges over a dim surface, with hidden line removal; and hair lines on vertices. Vertices are read
// from the deformed buffer, because an edge belongs to a corner of a triangle, not to a vertex.

#include "inc/scene.wgsl"
#include "inc/srgb.wgsl"

// Offset of a hair line's direction in a deformed vertex: 3 normal, 6 tangent.
override DIRECTION: u32 = 3u;

@group(1) @binding(0) var<storage, read> indices: array<u32>;
// Ten floats each: position, normal, tangent and its sign.
@group(1) @binding(1) var<storage, read> deformed: array<f32>;

// Half the width of an edge, pixels; the adjacent triangle draws the other half.
const HALF_WIDTH: f32 = 0.55;
// Length of a hair line as a fraction of the distance to the eye, and half its width in pixels.
const HAIR: f32 = 0.009;
const HAIR_HALF_WIDTH: f32 = 0.6;

fn three(at: u32) -> vec3<f32> {
    return vec3<f32>(deformed[at], deformed[at + 1u], deformed[at + 2u]);
}

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) barycentric: vec3<f32>,
}

// `of_draw` is the placement and the first float of the instance's vertices.
@vertex
fn vs(@builtin(vertex_index) index: u32, @location(0) of_draw: vec2<u32>) -> Corner {
    let placement = placements[of_draw.x];
    let at = of_draw.y + indices[index] * 10u;
    let world = world_point(placement, three(at));
    let corner = index % 3u;
    return Corner(
        scene.clip_from_world * vec4<f32>(world, 1.0), world, world_normal(placement, three(at + 3u)),
        vec3<f32>(vec3<u32>(corner) == vec3<u32>(0u, 1u, 2u)));
}

@fragment
fn fs(in: Corner) -> @location(0) vec4<f32> {
    let x = dpdx(in.barycentric);
    let y = dpdy(in.barycentric);
    // The heights of the triangle in pixels.
    let heights = inverseSqrt(max(x * x + y * y, vec3<f32>(1e-20)));
    let away = in.barycentric * heights;
    let nearest = min(away.x, min(away.y, away.z));
    let smallest = min(heights.x, min(heights.y, heights.z));
    // Edges of small triangles are fainter, since they would cover the whole triangle.
    let strength = mix(0.25, 1.0, smoothstep(1.5, 7.0, smallest));
    let edge = clamp(HALF_WIDTH + 0.5 - nearest, 0.0, 1.0) * strength;
    let n = in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-20));
    let form = abs(dot(n, normalize(scene.eye - in.world)));
    let body = vec3<f32>(0.20, 0.215, 0.24) * mix(0.5, 1.0, form);
    return vec4<f32>(linear_from_srgb(mix(body, vec3<f32>(0.70, 0.86, 0.96), edge)), 1.0);
}

struct Hair {
    @builtin(position) position: vec4<f32>,
    // Distance from the centre, pixels.
    @location(0) across: f32,
    // 0 at the root.
    @location(1) along: f32,
}

@vertex
fn vs_hair(@builtin(vertex_index) index: u32, @location(0) of_draw: vec2<u32>) -> Hair {
    let placement = placements[of_draw.x];
    let at = of_draw.y + index / 6u * 10u;
    let own = three(at + DIRECTION);
    var direction = world_direction(placement, own);
    if DIRECTION == 3u {
        direction = world_normal(placement, own);
    }
    let normal = world_normal(placement, three(at + 3u));
    let distance = length(scene.eye - world_point(placement, three(at)));
    let up = normal * inverseSqrt(max(dot(normal, normal), 1e-20));
    let root = world_point(placement, three(at)) + up * (distance * 5e-4);
    let tip = root + direction * inverseSqrt(max(dot(direction, direction), 1e-20)) * (distance * HAIR);
    let a = scene.clip_from_world * vec4<f32>(root, 1.0);
    let b = scene.clip_from_world * vec4<f32>(tip, 1.0);
    if a.w < scene.near || b.w < scene.near {
        return Hair(vec4<f32>(2.0, 2.0, 2.0, 1.0), 0.0, 0.0);
    }
    var corners = array<vec2<f32>, 6>(
        vec2<f32>(0.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(0.0, 1.0),
        vec2<f32>(0.0, 1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0));
    let corner = corners[index % 6u];
    let half_size = scene.size * 0.5;
    let d = (b.xy / b.w - a.xy / a.w) * half_size;
    let side = vec2<f32>(-d.y, d.x) / max(length(d), 1e-4);
    let across = corner.y * (HAIR_HALF_WIDTH + 1.0);
    let end = select(a, b, corner.x > 0.5);
    return Hair(vec4<f32>(end.xy + side * across / half_size * end.w, end.zw), across, corner.x);
}

@fragment
fn fs_hair(in: Hair) -> @location(0) vec4<f32> {
    let alpha = clamp(HAIR_HALF_WIDTH + 0.5 - abs(in.across), 0.0, 1.0) * mix(0.8, 0.2, in.along);
    return vec4<f32>(vec3<f32>(0.9) * alpha, alpha);
}
