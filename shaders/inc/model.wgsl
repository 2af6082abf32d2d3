// Vertices of a model, and the start of every fragment shader for models.

#include "inc/scene.wgsl"
#include "inc/agents.wgsl"
#include "inc/color.wgsl"
#include "inc/fog.wgsl"
#include "inc/local_lights.wgsl"
#include "inc/shadow.wgsl"
#include "inc/ambient.wgsl"
#include "inc/brdf.wgsl"
#include "inc/material.wgsl"
#include "inc/srgb.wgsl"
#include "inc/wrinkles.wgsl"
#include "inc/decals.wgsl"
#include "inc/lighting.wgsl"

struct Varyings {
    // Bit-identical to `prepass`.
    @invariant @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    // Curvature of the undeformed mesh, 1 / metres.
    @location(5) curvature: f32,
    // Offset from the character's position along the world axes, metres at scale 1.
    @location(6) local: vec3<f32>,
}

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) curvature: f32,
}

@vertex
fn vs(vertex: Vertex, at: Placement) -> Varyings {
    return placed(vertex, at);
}

// Vertex of a crowd agent.
@vertex
fn vs_agent(
    rest: Rest,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) curvature: f32,
    @location(7) number: u32,
) -> Varyings {
    let agent = agents[number];
    return placed(agent_vertex(agent, rest, uv, color, curvature), stand_of(agent));
}

fn agent_vertex(agent: Agent, rest: Rest, uv: vec4<f32>, color: vec4<f32>, curvature: f32) -> Vertex {
    let m = posed(agent, rest.joints, rest.weights);
    let tint = tint_of(agent.seed, material.tints >> 16u, material.first_tint, material.tints & 0xffffu);
    return Vertex(
        point_of(m, rest.position),
        direction_of(m, direction(rest.normal)),
        vec4<f32>(direction_of(m, direction(rest.tangent & 0xfffffffeu)), select(1.0, -1.0, (rest.tangent & 1u) == 1u)),
        uv,
        vec4<f32>(color.rgb * tint, color.a),
        curvature,
    );
}

// Transforms a vertex of an instance to world and clip space.
fn placed(vertex: Vertex, at: Placement) -> Varyings {
    let world = world_point(at, vertex.position);
    var out: Varyings;
    out.position = scene.clip_from_world * vec4<f32>(world, 1.0);
    out.world = world;
    out.normal = world_normal(at, vertex.normal);
    out.tangent = vec4<f32>(world_direction(at, vertex.tangent.xyz), vertex.tangent.w * at.normal_x.w);
    out.uv = vertex.uv;
    out.color = vertex.color;
    out.curvature = vertex.curvature / material.scale;
    let stands = vec3<f32>(at.world_x.w, at.world_y.w, at.world_z.w);
    out.local = (world - stands) / length(at.world_y.xyz);
    return out;
}

// Animated texture coordinates of a toon material, weighted by its mask. Other materials are unchanged.
fn moved(uv: vec4<f32>) -> vec4<f32> {
    let toon = material.toon;
    if !has(MOVES) {
        return uv;
    }
    let time = toon.time * layers_at(uv).b;
    let angle = toon.rotation * time;
    let c = cos(angle);
    let s = sin(angle);
    let p = uv.xy - 0.5;
    let round = vec2<f32>(c * p.x - s * p.y, s * p.x + c * p.y) + 0.5;
    return vec4<f32>(round + toon.scroll * time, uv.zw);
}

// Premultiplied by alpha if the material blends.
fn over(color: vec3<f32>, base_alpha: f32) -> vec4<f32> {
    if has(BLEND) {
        let alpha = clamp(base_alpha, 0.0, 1.0);
        return vec4<f32>(color * alpha, alpha);
    }
    return vec4<f32>(color, 1.0);
}

// Edges as wide as a pixel; multisampling turns alpha into coverage.
fn coverage(alpha: f32) -> f32 {
    return clamp((alpha - material.alpha_cutoff) / max(fwidth(alpha), 1e-4) + 0.5, 0.0, 1.0);
}

fn least_coverage() -> f32 {
    return select(0.01, 0.5, scene.samples < 1.5);
}

// Unit normal with normal map.
fn bumped_normal(in: Varyings) -> vec3<f32> {
    var normal = in.normal;
    if has(HAS_NORMAL | HAS_WRINKLES | HAS_DECALS) {
        var bump = vec3<f32>(0.0, 0.0, 1.0);
        if has(HAS_NORMAL) {
            let texel = textureSample(normal_texture, normal_sampler, slot_uv(material.normal_slot, in.uv)).xyz;
            bump = bump_of(texel, material.normal_scale);
        }
        normal = in_world(in, stamped_bump(bump));
    }
    return normal * inverseSqrt(max(dot(normal, normal), 1e-20));
}

// Decodes a texel of a normal map.
fn bump_of(texel: vec3<f32>, scale: f32) -> vec3<f32> {
    return (texel * 2.0 - 1.0) * vec3<f32>(scale, scale, 1.0);
}

// Transforms a normal map vector to world space, of any length. MikkTSpace: the interpolated vectors are not normalized.
fn in_world(in: Varyings, bump: vec3<f32>) -> vec3<f32> {
    let bitangent = cross(in.normal, in.tangent.xyz) * sign(in.tangent.w);
    return bump.x * in.tangent.xyz + bump.y * bitangent + max(bump.z, 1e-3) * in.normal;
}

// Variation of the normals between pixels. It increases the roughness, so that highlights do not sparkle (Tokuyoshi and
// Kaplanyan, "Improved geometric specular antialiasing", 2019).
fn normal_spread(normal: vec3<f32>) -> f32 {
    let nx = dpdx(normal);
    let ny = dpdy(normal);
    return min(0.5 * (dot(nx, nx) + dot(ny, ny)), 0.18);
}

fn roughened(roughness: f32, spread: f32) -> f32 {
    let r2 = roughness * roughness;
    return sqrt(sqrt(min(r2 * r2 + spread, 1.0)));
}

fn surface_of(in: Varyings, front: bool, bumped: vec3<f32>) -> Surface {
    let side = select(1.0, -1.0, has(DOUBLE_SIDED) && !front);
    var s: Surface;
    s.position = in.world;
    s.normal = bumped * side;
    s.smooth_normal = in.normal * (side * inverseSqrt(max(dot(in.normal, in.normal), 1e-20)));
    s.view = normalize(scene.eye - in.world);
    s.f90 = 1.0;
    return s;
}

fn seen_through_fog(color: vec3<f32>, world: vec3<f32>) -> vec3<f32> {
    return with_fog(color, world - scene.eye);
}
