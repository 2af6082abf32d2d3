// Data that every pass of a frame reads: camera, light, ground and the transforms of the models. World space in metres, +Y
// up; colours linear. Group 0.

// A coloured area of the ground.
struct Patch {
    // World x and z.
    center: vec2<f32>,
    half: vec2<f32>,
    color: vec3<f32>,
    // 1 for an ellipse, 0 for a rectangle.
    round: f32,
}

// One of the sun's shadow cascades, each in its own layer.
struct Cascade {
    // Orthographic projection from the sun, depth 0..1 away from it.
    from_world: mat4x4<f32>,
    // Width of a texel, half the width of the map, depth range, all in metres.
    texel: f32,
    radius: f32,
    range: f32,
    padding: f32,
}

struct Scene {
    // Reversed depth: 1 at the near plane, 0 at infinity.
    clip_from_world: mat4x4<f32>,
    view_from_world: mat4x4<f32>,
    // Orthographic from below the ground upwards, depth 0..1.
    contact_from_world: mat4x4<f32>,
    cascades: array<Cascade, 3>,
    eye: vec3<f32>,
    n_cascades: u32,
    // A view ray is ray_z + x * ray_x + y * ray_y for clip x and y.
    ray_x: vec3<f32>,
    ground_height: f32,
    ray_y: vec3<f32>,
    // Distance between grid lines, metres; 0 without.
    grid: f32,
    ray_z: vec3<f32>,
    // Distance at which the ground has mostly faded into the horizon, metres.
    fade: f32,
    // Unit vector towards the sun.
    sun_direction: vec3<f32>,
    // Penumbra width per metre between caster and receiver, metres.
    sun_softness: f32,
    sun_color: vec3<f32>,
    n_patches: u32,
    sky_zenith: vec3<f32>,
    // Height above the ground that the contact map covers, metres.
    contact_range: f32,
    sky_horizon: vec3<f32>,
    // Half the width of the contact map, metres.
    contact_radius: f32,
    sky_ground: vec3<f32>,
    // Samples per pixel while meshes are drawn.
    samples: f32,
    ground_color: vec3<f32>,
    // Distance from the eye to the near plane, metres.
    near: f32,
    fog_color: vec3<f32>,
    // Fog density at fog_base, 1/m.
    fog_density: f32,
    // Fog falloff per metre of height above fog_base; 0 is uniform.
    fog_falloff: f32,
    fog_base: f32,
    // Strength of ambient occlusion; 0 if the occlusion map is not drawn.
    occlusion: f32,
    // Length of contact shadows, metres; 0 without.
    contact_shadow: f32,
    // Size of the lit image, and of one texel of the occlusion map, pixels.
    size: vec2<f32>,
    occlusion_scale: f32,
    // 1 if point or spot lights are present.
    has_local_lights: u32,
    // Shadow samples: for the blocker search, and for the filter.
    blocker_taps: u32,
    shadow_taps: u32,
    // 1 if the environment is the visible background; its blur, 0..1.
    environment_shown: u32,
    environment_blur: f32,
    // Cosine and sine of its rotation about +Y.
    environment_turn: vec2<f32>,
    // Intensity; 0 without an environment map, when the sky model is the light.
    environment_strength: f32,
    // Last mip level, for full roughness.
    environment_levels: f32,
    // Spherical harmonics of its irradiance / π, including the basis constants.
    environment_irradiance: array<vec4<f32>, 9>,
    // 1 if the floor blends into the backdrop without a horizon.
    seamless: f32,
    // Fraction by which the ground's colour varies.
    uneven: f32,
    padding_b: f32,
    padding_c: f32,
    patches: array<Patch, 16>,
}

// Transform of a model, as instance data.
struct Placement {
    // Rows of world_from_model.
    @location(7) world_x: vec4<f32>,
    @location(8) world_y: vec4<f32>,
    @location(9) world_z: vec4<f32>,
    // Rows of the matrix for normals; normal_x.w is -1 for a mirrored placement, else 1.
    @location(10) normal_x: vec4<f32>,
    @location(11) normal_y: vec4<f32>,
    @location(12) normal_z: vec4<f32>,
}

// Constants of specialised pipelines. If KNOWS is false, the scene and material data are read instead.
override KNOWS: bool = false;
override LAMPS: bool = true;
override FOG: bool = true;
override OCCLUSION_MAP: bool = true;
override ENVIRONMENT: bool = true;
override ENVIRONMENT_SHOWN: bool = true;
override SEAMLESS: bool = true;
override UNEVEN: bool = true;
override CASCADES: u32 = 3u;
override BLOCKER_TAPS: u32 = 0u;
override SHADOW_TAPS: u32 = 0u;

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<storage, read> placements: array<Placement>;

fn has_local_lights() -> bool {
    return select(scene.has_local_lights != 0u, LAMPS, KNOWS);
}

fn has_fog() -> bool {
    return select(scene.fog_density > 0.0, FOG, KNOWS);
}

fn has_occlusion() -> bool {
    return select(scene.occlusion_scale > 0.0, OCCLUSION_MAP, KNOWS);
}

// True if an environment map is the ambient light, false for the sky model.
fn has_environment() -> bool {
    return select(scene.environment_strength > 0.0, ENVIRONMENT, KNOWS);
}

fn shows_environment() -> bool {
    return has_environment() && select(scene.environment_shown != 0u, ENVIRONMENT_SHOWN, KNOWS);
}

// True if the floor blends into a studio backdrop, false if there is a horizon.
fn is_seamless() -> bool {
    return select(scene.seamless > 0.5, SEAMLESS, KNOWS);
}

fn n_cascades() -> u32 {
    return select(scene.n_cascades, CASCADES, KNOWS);
}

fn blocker_taps() -> u32 {
    return select(scene.blocker_taps, BLOCKER_TAPS, KNOWS);
}

fn shadow_taps() -> u32 {
    return select(scene.shadow_taps, SHADOW_TAPS, KNOWS);
}

fn world_point(at: Placement, p: vec3<f32>) -> vec3<f32> {
    let h = vec4<f32>(p, 1.0);
    return vec3<f32>(dot(at.world_x, h), dot(at.world_y, h), dot(at.world_z, h));
}

fn world_direction(at: Placement, d: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(at.world_x.xyz, d), dot(at.world_y.xyz, d), dot(at.world_z.xyz, d));
}

fn world_normal(at: Placement, n: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(at.normal_x.xyz, n), dot(at.normal_y.xyz, n), dot(at.normal_z.xyz, n));
}

// Corner of a triangle that covers the target.
fn full_screen_corner(index: u32) -> vec2<f32> {
    return vec2<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}
