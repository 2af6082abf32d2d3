// Draws toon materials: two colours with a border between them, a rim, a matcap, and an outline (MToon: VRMC_materials_mtoon
// 1.0). Reads and writes as mesh.wgsl.

#include "inc/model.wgsl"
#include "inc/fragment.wgsl"

const FACING_FROM: f32 = -1.1;
const READS_DEPTH: bool = false;

var<private> shade_color: vec3<f32>;
var<private> shift: f32;

fn shaded(in: Varyings, front: bool, base: vec3<f32>) -> vec3<f32> {
    let toon = material.toon;
    let bumped = bumped_normal(in);
    let glow = emissive_at(in.uv);
    let shade = color_layer_at(in.uv);
    let layers = layers_at(in.uv);
    let rim_mask = sheen_at(in.uv).rgb;
    var s = surface_of(in, front, bumped);
    s.diffuse = base;
    s.occlusion = 1.0;
    shade_color = toon.shade_color * shade.rgb;
    shift = toon.shading_shift + select(0.0, (layers.r * 2.0 - 1.0) * toon.shift_scale, has(HAS_LAYERS));
    let lit = all_light(s, in.position.xy);

    // Rim and matcap are added, tinted by the light according to the material.
    let rim = pow(clamp(1.0 - dot(s.normal, s.view) + toon.rim_lift, 0.0, 1.0), max(toon.rim_power, 1e-3));
    var edge = toon.rim_color * rim;
    if has(HAS_COAT_NORMAL) {
        let x = normalize(vec3<f32>(s.view.z, 0.0, -s.view.x) + vec3<f32>(1e-6, 0.0, 0.0));
        let y = cross(s.view, x);
        let uv = vec2<f32>(dot(x, s.normal), dot(y, s.normal)) * 0.495 + 0.5;
        let texel = textureSample(coat_normal_texture, coat_normal_sampler, vec2<f32>(uv.x, 1.0 - uv.y));
        edge += toon.matcap_color * texel.rgb;
    }
    let lighting = lit / max(base, vec3<f32>(0.05));
    edge *= rim_mask * mix(vec3<f32>(1.0), lighting, toon.rim_lighting_mix);
    return seen_through_fog(min(lit + edge + glow, vec3<f32>(64.0)), in.world);
}

fn direct(s: Surface, light: Incoming) -> vec3<f32> {
    let toony = clamp(material.toon.shading_toony, 0.0, 0.999);
    let n_l = dot(s.normal, light.direction) + shift;
    let share = clamp((n_l + 1.0 - toony) / (2.0 - 2.0 * toony), 0.0, 1.0);
    // Shadows use the shade colour too. Where the surface faces away from the light, only the shading border decides.
    let facing = dot(s.smooth_normal, light.direction);
    let lit = share * mix(1.0, light.visibility, smoothstep(0.0, 0.2, facing));
    return mix(shade_color, s.diffuse, lit) * light.color / PI;
}

fn ambient(s: Surface) -> vec3<f32> {
    let even = (irradiance(vec3<f32>(0.0, 1.0, 0.0)) + irradiance(vec3<f32>(0.0, -1.0, 0.0))) * 0.5;
    return s.diffuse * mix(irradiance(s.normal), even, material.toon.gi_equalization);
}

// The outline: the model again, enlarged, back faces only.
@vertex
fn vs_outline(vertex: Vertex, at: Placement) -> Varyings {
    return outlined(vertex, at);
}

@vertex
fn vs_agent_outline(
    rest: Rest,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) curvature: f32,
    @location(7) number: u32,
) -> Varyings {
    let agent = agents[number];
    return outlined(agent_vertex(agent, rest, uv, color, curvature), stand_of(agent));
}

fn outlined(vertex: Vertex, at: Placement) -> Varyings {
    var out = placed(vertex, at);
    out.normal = normalize(out.normal);
    var width = material.toon.outline_width;
    if has(HAS_LAYERS) {
        width *= textureSampleLevel(
            layers_texture, layers_sampler, slot_uv(material.layers_slot, vertex.uv), 0.0).g;
    }
    if material.toon.outline_on_screen > 0.5 {
        width *= along_view(out.world) * length(scene.ray_y) * 2.0;
    }
    out.world += out.normal * width;
    out.position = scene.clip_from_world * vec4<f32>(out.world, 1.0);
    return out;
}

@fragment
fn fs_outline(in: Varyings) -> @location(0) vec4<f32> {
    let base = base_color(moved(in.uv), in.color);
    let toon = material.toon;
    let around = irradiance(normalize(in.normal)) + scene.sun_color * 0.2;
    let color = toon.outline_color * mix(vec3<f32>(1.0), around, toon.outline_lighting_mix);
    if base.a < material.alpha_cutoff {
        discard;
    }
    return vec4<f32>(seen_through_fog(color, in.world), 1.0);
}
