// Lights hair strands at each of their points. The light changes little between two points. It is constant across a
// strand, which is hardly wider than a pixel. Groups 0, 1 and 3 as in mesh.wgsl; writes linear HDR.

#include "inc/model.wgsl"
#include "inc/base_layer.wgsl"
#include "inc/stone.wgsl"
#include "inc/hair_around.wgsl"
#include "inc/fibre.wgsl"

struct Points {
    // Index into the deformed vertices; a point has two, left and right.
    first_vertex: u32,
    n: u32,
    // Index into the placements.
    place: u32,
    // Start of the list of points to light; ALL without a list.
    first_listed: u32,
    // Output index of the first point.
    first_lit: u32,
    // Invocations in a row of work groups.
    row: u32,
}

const ALL: u32 = 0xffffffffu;
// Words of a deformed vertex and of its attributes.
const DEFORMED: u32 = 10u;
const ATTRIBUTES: u32 = 7u;
const COLOR_AT: u32 = 4u;

@group(2) @binding(0) var<storage, read> deformed: array<f32>;
@group(2) @binding(1) var<storage, read> attributes: array<u32>;
@group(2) @binding(2) var<storage, read> listed: array<u32>;
// Values for both vertices of each point.
@group(2) @binding(3) var<storage, read_write> lit: array<vec4<f32>>;
@group(2) @binding(4) var<uniform> points: Points;

fn vertex_of(i: u32) -> Vertex {
    let at = (points.first_vertex + i) * DEFORMED;
    let color_at = i * ATTRIBUTES + COLOR_AT;
    var vertex: Vertex;
    vertex.position = vec3<f32>(deformed[at], deformed[at + 1u], deformed[at + 2u]);
    vertex.normal = vec3<f32>(deformed[at + 3u], deformed[at + 4u], deformed[at + 5u]);
    vertex.tangent = vec4<f32>(deformed[at + 6u], deformed[at + 7u], deformed[at + 8u], deformed[at + 9u]);
    vertex.color = vec4<f32>(unpack2x16unorm(attributes[color_at]), unpack2x16unorm(attributes[color_at + 1u]));
    return vertex;
}

@compute @workgroup_size(64)
fn cs(@builtin(global_invocation_id) id: vec3<u32>) {
    var point = id.y * points.row + id.x;
    if point >= points.n {
        return;
    }
    if points.first_listed != ALL {
        point = listed[points.first_listed + point];
    }
    let in = placed(vertex_of(2u * point), placements[points.place]);
    let base = material.base_color.rgb * in.color.rgb;
    let stone = stone_of(in, base);
    is_stone = stone.here;
    is_dense = true;
    var s = surface_of(in, true, normalize(in.normal));
    strand = normalize(cross(in.normal, in.tangent.xyz) * sign(in.tangent.w));
    s.diffuse = base;
    s.f0 = vec3<f32>(0.046);
    s.roughness = clamp(material.roughness, 0.15, 1.0);
    s.occlusion = 1.0;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = stone.roughness;
    }
    let ndc = in.position.xy / max(in.position.w, 1e-4);
    let pixel = clamp(ndc * vec2<f32>(0.5, -0.5) + 0.5, vec2<f32>(0.0), vec2<f32>(1.0)) * scene.size;
    let all = all_light(s, pixel) + material.emissive + stone.glow;
    let color = seen_through_fog(min(all, vec3<f32>(64.0)), in.world);
    let first = 2u * (points.first_lit + point);
    lit[first] = vec4<f32>(color, 1.0);
    lit[first + 1u] = vec4<f32>(color, 1.0);
}
