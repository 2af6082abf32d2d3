// Lights the models. Reads deformed vertices (model space) and materials, writes linear HDR,
// premultiplied by alpha for blended ones.

#include "inc/scene.wgsl"
#include "inc/color.wgsl"
#include "inc/brdf.wgsl"
#include "inc/shadow.wgsl"
#include "inc/material.wgsl"

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
}

@vertex
fn vs(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    let at = placements[instance];
    let world = world_point(at, position);
    var out: Varyings;
    out.position = scene.clip_from_world * vec4<f32>(world, 1.0);
    out.world = world;
    out.normal = world_normal(at, normal);
    out.tangent = vec4<f32>(world_direction(at, tangent.xyz), tangent.w * at.normal_x.w);
    out.uv = uv;
    out.color = color;
    return out;
}

@fragment
fn fs(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, in.color);
    var alpha = 1.0;
    if has(MASK) {
        // Edges as wide as a pixel; multisampling turns alpha into coverage.
        alpha = clamp((base.a - material.alpha_cutoff) / max(fwidth(base.a), 1e-4) + 0.5, 0.0, 1.0);
        if alpha < select(0.01, 0.5, scene.samples < 1.5) {
            discard;
        }
    } else if has(BLEND) {
        alpha = clamp(base.a, 0.0, 1.0);
    }

    var smooth_normal = in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-20));
    var normal = smooth_normal;
    if has(HAS_NORMAL) {
        let texel = textureSample(normal_texture, normal_sampler, slot_uv(material.normal_slot, in.uv)).xyz;
        let bump = (texel * 2.0 - 1.0) * vec3<f32>(material.normal_scale, material.normal_scale, 1.0);
        // MikkTSpace: the interpolated vectors as they are, made unit at the end.
        let bitangent = cross(in.normal, in.tangent.xyz) * sign(in.tangent.w);
        let bumped = bump.x * in.tangent.xyz + bump.y * bitangent + max(bump.z, 1e-3) * in.normal;
        normal = bumped * inverseSqrt(max(dot(bumped, bumped), 1e-20));
    }
    var metallic = material.metallic;
    var roughness = material.roughness;
    if has(HAS_METALLIC_ROUGHNESS) {
        let texel = textureSample(
            metallic_roughness_texture, metallic_roughness_sampler,
            slot_uv(material.metallic_roughness_slot, in.uv));
        roughness *= texel.g;
        metallic *= texel.b;
    }
    var occlusion = 1.0;
    if has(HAS_OCCLUSION) {
        let texel = textureSample(occlusion_texture, occlusion_sampler, slot_uv(material.occlusion_slot, in.uv));
        occlusion = 1.0 + material.occlusion_strength * (texel.r - 1.0);
    }
    var emissive = material.emissive;
    if has(HAS_EMISSIVE) {
        emissive *= textureSample(emissive_texture, emissive_sampler, slot_uv(material.emissive_slot, in.uv)).rgb;
    }
    // Fast turning normals make the surface rougher, so that highlights do not sparkle
    // (Tokuyoshi and Kaplanyan, "Improved geometric specular antialiasing", 2019).
    let nx = dpdx(normal);
    let ny = dpdy(normal);
    let spread = min(0.5 * (dot(nx, nx) + dot(ny, ny)), 0.18);

    if has(UNLIT) {
        return finished(base.rgb, alpha);
    }
    if has(DOUBLE_SIDED) && !front {
        normal = -normal;
        smooth_normal = -smooth_normal;
    }
    metallic = clamp(metallic, 0.0, 1.0);
    roughness = clamp(roughness, 0.045, 1.0);
    roughness = sqrt(sqrt(min(pow(roughness, 4.0) + spread, 1.0)));

    var s: Surface;
    s.diffuse = base.rgb * (1.0 - metallic);
    s.f0 = mix(vec3<f32>(0.04), base.rgb, metallic);
    s.roughness = roughness;
    s.occlusion = occlusion;
    s.normal = normal;
    s.view = normalize(scene.eye - in.world);

    var sun = 0.0;
    let facing = dot(smooth_normal, scene.sun_direction);
    if facing > -0.1 {
        // The terminator is eased where smooth normals disagree with flat triangles.
        sun = sun_visibility(in.world, smooth_normal, in.position.xy) * smoothstep(-0.1, 0.1, facing);
    }
    let color = sun_light(s, sun) + sky_light(s) + emissive;
    return finished(color, alpha);
}

// Blended colours are premultiplied; for cut-out ones alpha is coverage.
fn finished(color: vec3<f32>, alpha: f32) -> vec4<f32> {
    let weight = select(1.0, alpha, has(BLEND));
    return vec4<f32>(min(color, vec3<f32>(64.0)) * weight, alpha);
}
