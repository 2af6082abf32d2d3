// Ambient light, from a sky model or from an environment map. Needs inc/scene.wgsl and inc/color.wgsl.

@group(1) @binding(6) var environment_map: texture_cube<f32>;
@group(1) @binding(7) var table_map: texture_2d<f32>;

const TABLE: f32 = 32.0;

// Scale and bias of f0 for ambient light (Karis 2013), and the albedo of a sheen (Charlie distribution, Estevez and Kulla
// 2017).
fn dfg(n_v: f32, roughness: f32) -> vec3<f32> {
    let at = (vec2<f32>(n_v, roughness) * (TABLE - 1.0) + 0.5) / vec2<f32>(TABLE, TABLE * 2.0);
    return textureSampleLevel(table_map, linear_sampler, at, 0.0).rgb;
}

// Light scattered by a ball of skin for a cosine of -1..1 to the light, by its curvature (1 / metres). It includes light
// that entered elsewhere (Penner 2011, "Pre-integrated skin shading").
fn skin_diffuse(n_l: f32, curvature: f32) -> vec3<f32> {
    let along = clamp(curvature / (curvature + SKIN_CURVATURE), 0.0, 1.0);
    let at = (vec2<f32>(n_l * 0.5 + 0.5, along) * (TABLE - 1.0) + vec2<f32>(0.5, TABLE + 0.5))
        / vec2<f32>(TABLE, TABLE * 2.0);
    return textureSampleLevel(table_map, linear_sampler, at, 0.0).rgb;
}

// Curvature in the middle of the table.
const SKIN_CURVATURE: f32 = 60.0;

fn turned(d: vec3<f32>) -> vec3<f32> {
    let t = scene.environment_turn;
    return vec3<f32>(t.x * d.x + t.y * d.z, d.y, t.x * d.z - t.y * d.x);
}

// Mean radiance around `n`, weighted by the cosine.
fn irradiance(n: vec3<f32>) -> vec3<f32> {
    if !has_environment() {
        return sky_irradiance(n);
    }
    let d = turned(n);
    let i = scene.environment_irradiance;
    let sum = i[0].rgb + i[1].rgb * d.y + i[2].rgb * d.z + i[3].rgb * d.x
        + i[4].rgb * (d.x * d.y) + i[5].rgb * (d.y * d.z) + i[6].rgb * (3.0 * d.z * d.z - 1.0)
        + i[7].rgb * (d.x * d.z) + i[8].rgb * (d.x * d.x - d.y * d.y);
    return max(sum, vec3<f32>(0.0)) * scene.environment_strength;
}

// Mean radiance in the lobe of a rough mirror around the reflection vector `r`.
fn reflected(r: vec3<f32>, roughness: f32) -> vec3<f32> {
    if !has_environment() {
        return sky_specular(r, roughness);
    }
    let level = roughness * scene.environment_levels;
    return textureSampleLevel(environment_map, linear_sampler, turned(r), level).rgb
        * scene.environment_strength;
}

// Background along `d`.
fn backdrop(d: vec3<f32>) -> vec3<f32> {
    if !shows_environment() {
        return sky_backdrop(d);
    }
    let level = scene.environment_blur * scene.environment_levels;
    return textureSampleLevel(environment_map, linear_sampler, turned(d), level).rgb
        * scene.environment_strength;
}
