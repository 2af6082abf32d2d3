// Lights eyes: a wet, clear cornea over the painted texture, an iris behind it, light refracted across it, and the shadow of
// the upper lid. Reads and writes as mesh.wgsl.

#include "inc/model.wgsl"
#include "inc/base_layer.wgsl"
#include "inc/stone.wgsl"
#include "inc/fragment.wgsl"

const FACING_FROM: f32 = -0.3;
const READS_DEPTH: bool = false;

const CORNEA_ROUGHNESS: f32 = 0.06;
// Reflectance of the tear film (index 1.34), and index of the cornea.
const CORNEA_F0: f32 = 0.025;
const CORNEA_INDEX: f32 = 1.376;

// 1 within the iris.
var<private> in_iris: f32;
var<private> iris_normal: vec3<f32>;

fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let bumped = bumped_normal(in);
    let open = occlusion_at(in.uv);
    let stone = stone_of(in, base);
    is_stone = stone.here;
    let glow = emissive_at(in.uv);
    var s = surface_of(in, front, bumped);
    var color_here = base;
    in_iris = 0.0;
    iris_normal = s.normal;
    if has(HAS_IRIS) {
        let from_middle = (in.uv.xy - material.iris.xy) / material.iris.z;
        in_iris = 1.0 - smoothstep(0.92, 1.08, length(from_middle));
        // The ray, refracted by the cornea, hits the iris further on (Jiménez 2012, "Eye rendering"). Direction of growing
        // v: against the bitangent, which points up in the texture.
        let down_picture = -cross(in.normal, in.tangent.xyz) * sign(in.tangent.w);
        let bent = refract(-s.view, s.smooth_normal, 1.0 / CORNEA_INDEX);
        let down = max(-dot(bent, s.smooth_normal), 0.3);
        let across = vec2<f32>(dot(bent, normalize(in.tangent.xyz)), dot(bent, normalize(down_picture)));
        let shift = across / down * (material.iris.w * material.iris.z) * in_iris;
        if has(HAS_BASE_COLOR) {
            let uv = vec4<f32>(in.uv.xy + shift, in.uv.zw);
            let texel = textureSample(
                base_color_texture, base_color_sampler, slot_uv(material.base_color_slot, uv));
            color_here = mix(base, material.base_color.rgb * in.color.rgb * texel.rgb, in_iris);
        }
        // The iris is concave, so its far side faces the light.
        let outward = normalize(in.tangent.xyz) * from_middle.x + normalize(down_picture) * from_middle.y;
        iris_normal = normalize(s.smooth_normal - outward * 0.55);
    }
    s.diffuse = color_here;
    s.f0 = vec3<f32>(CORNEA_F0);
    s.roughness = CORNEA_ROUGHNESS;
    // The upper lid and its lashes block light from above at the top of the eyeball.
    let lid = 1.0 - smoothstep(0.1, 0.95, s.smooth_normal.y) * 0.55;
    s.occlusion = open * lid;
    if stone.here {
        s.diffuse = stone.diffuse;
        s.f0 = stone.f0;
        s.roughness = roughened(stone.roughness, normal_spread(bumped));
    }
    let color = all_light(s, in.position.xy) + glow + stone.glow;
    return seen_through_fog(min(color, vec3<f32>(64.0)), in.world);
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    if is_stone {
        return base_direct(s, light);
    }
    let n_l = dot(s.smooth_normal, light.direction);
    // The white of the eye scatters light below its surface, which gives a soft, warm terminator.
    let wrap = vec3<f32>(0.35, 0.22, 0.16);
    let ball = clamp((vec3<f32>(n_l) + wrap) / ((1.0 + wrap) * (1.0 + wrap)), vec3<f32>(0.0), vec3<f32>(1.0));
    let bowl = clamp(dot(iris_normal, light.direction), 0.0, 1.0) * 1.25;
    var color = s.diffuse / PI * mix(ball, vec3<f32>(bowl), in_iris);
    let facing = clamp(n_l, 0.0, 1.0);
    if facing > 0.0 {
        let n_v = max(abs(dot(s.smooth_normal, s.view)), 1e-4);
        let h = normalize(light.direction + s.view + vec3<f32>(0.0, 1e-6, 0.0));
        let alpha = s.roughness * s.roughness;
        let wide = widened(alpha, light.spread);
        let share = alpha / wide;
        let f = schlick(s.f0, 1.0, clamp(dot(s.view, h), 0.0, 1.0)).x;
        let d = ggx_distribution(clamp(dot(s.smooth_normal, h), 0.0, 1.0), wide) * share * share;
        color += vec3<f32>(f * d * smith_visibility(n_v, facing, alpha) * facing);
    }
    return color * light.color * (light.visibility * s.occlusion);
}

fn ambient(s: Surface) -> vec3<f32> {
    if is_stone {
        return base_ambient(s);
    }
    let n_v = clamp(abs(dot(s.smooth_normal, s.view)), 1e-4, 1.0);
    let f = base_reflectance(s, n_v);
    let normal = mix(s.smooth_normal, iris_normal, in_iris);
    let shine = reflected(reflect(-s.view, s.smooth_normal), s.roughness);
    return s.diffuse * (1.0 - f) * irradiance(normal) * s.occlusion + shine * f * mix(0.4, 1.0, s.occlusion);
}
