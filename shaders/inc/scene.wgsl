// What every pass of one picture reads: camera, light, ground and the placements of the models.
// World space in metres, +Y up; colours linear. Group 0.

// An area of another colour on the ground.
struct Patch {
    // World x and z.
    center: vec2<f32>,
    half: vec2<f32>,
    color: vec3<f32>,
    // 1 for an ellipse, 0 for a rectangle.
    round: f32,
}

// One of the sun's nested maps, each in its layer.
struct Cascade {
    // Orthographic from the sun, depth 0..1 away from it.
    from_world: mat4x4<f32>,
    // Metres: width of a texel, half the width of the map, depth from 0 to 1.
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
    // Distance between grid lines, 0 without.
    grid: f32,
    ray_z: vec3<f32>,
    // Distance at which the ground has mostly become horizon.
    fade: f32,
    // Unit vector towards the sun.
    sun_direction: vec3<f32>,
    // Metres of half-shadow per metre between what casts and what receives.
    sun_softness: f32,
    sun_color: vec3<f32>,
    n_patches: u32,
    sky_zenith: vec3<f32>,
    // Metres: height under which the contact map knows geometry.
    contact_range: f32,
    sky_horizon: vec3<f32>,
    // Metres: half the width of the contact map.
    contact_radius: f32,
    sky_ground: vec3<f32>,
    // Samples of a pixel while meshes are drawn.
    samples: f32,
    ground_color: vec3<f32>,
    // Metres from the eye to the near plane.
    near: f32,
    fog_color: vec3<f32>,
    // Per metre at fog_base.
    fog_density: f32,
    // Per metre of height above fog_base; 0 is even.
    fog_falloff: f32,
    fog_base: f32,
    // Strength of ambient occlusion; 0 when the occlusion map is not drawn.
    occlusion: f32,
    // Metres of contact shadow; 0 without.
    contact_shadow: f32,
    // Pixels of what is lit, and of one texel of the occlusion map.
    size: vec2<f32>,
    occlusion_scale: f32,
    // 1 while lamps light the picture.
    has_lamps: u32,
    // Taps that a shadow takes: to find what casts, and to filter.
    blocker_taps: u32,
    shadow_taps: u32,
    // 1 when the environment's picture is seen behind everything, blurred 0..1.
    environment_shown: u32,
    environment_blur: f32,
    // Cosine and sine of its turn about +Y.
    environment_turn: vec2<f32>,
    // Factor; 0 without a picture, when the painted sky lights.
    environment_strength: f32,
    // Last mip level, for full roughness.
    environment_levels: f32,
    // Spherical harmonics of its irradiance over pi, factors of the basis taken in.
    environment_irradiance: array<vec4<f32>, 9>,
    // 1 when the floor runs up into what stands behind, without a horizon.
    seamless: f32,
    // Share by which the ground's colour varies from place to place.
    uneven: f32,
    padding_b: f32,
    padding_c: f32,
    patches: array<Patch, 16>,
}

// Where a model stands; read by the step of instances.
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

// What the pipeline was made for. Where KNOWS is false the scene and the material are asked instead.
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

fn has_lamps() -> bool {
    return select(scene.has_lamps != 0u, LAMPS, KNOWS);
}

fn has_fog() -> bool {
    return select(scene.fog_density > 0.0, FOG, KNOWS);
}

fn has_occlusion() -> bool {
    return select(scene.occlusion_scale > 0.0, OCCLUSION_MAP, KNOWS);
}

// A picture lights from all around, not the painted sky.
fn has_environment() -> bool {
    return select(scene.environment_strength > 0.0, ENVIRONMENT, KNOWS);
}

fn shows_environment() -> bool {
    return has_environment() && select(scene.environment_shown != 0u, ENVIRONMENT_SHOWN, KNOWS);
}

// The floor runs up into the backdrop of a studio; else there is a horizon.
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
