//! Where the shadow maps look, and what the shaders know of camera, light and ground.

use glam::camera::rh::proj::directx::perspective_infinite_reverse;
use glam::{Mat4, Vec2, Vec3, Vec4};

use super::pass::CONTACT_SIZE;
use super::uniforms::{MAX_PATCHES, Patch, Scene, columns};
use crate::stage::frame::{Camera, Frame};

/// Metres before the eye from which things are drawn.
const NEAR: f32 = 0.01;
/// Metres above the ground under which things darken it.
const CONTACT_RANGE: f32 = 0.6;
/// Metres: half the width of the map of what stands on the ground, at most.
const CONTACT_RADIUS: f32 = 6.0;
/// Metres from the camera's target within which models cast shadows.
const CASTING_DISTANCE: f32 = 40.0;

/// The box the sun's map covers, around a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunBox {
    /// Depth 0..1 away from the sun.
    pub clip_from_world: Mat4,
    /// World space, on whole texels.
    pub center: Vec3,
    /// Metres, in coarse steps, so that texels keep their size while a character moves.
    pub radius: f32,
}

/// Fits the sun's box to the models near the camera's target; `None` without any.
pub fn fit_sun(frame: &Frame, map_size: u32) -> Option<SunBox> {
    let reach = CASTING_DISTANCE + frame.camera.eye.distance(frame.camera.target);
    let near = |bounds: &(Vec3, f32)| {
        bounds.0.is_finite()
            && bounds.1.is_finite()
            && bounds.0.distance(frame.camera.target) - bounds.1 < reach
    };
    let bounds = || frame.models.iter().map(|m| m.bounds).filter(near);
    let (low, high) = bounds().fold(
        (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY)),
        |(low, high), (center, _)| (low.min(center), high.max(center)),
    );
    if low.x > high.x {
        return None;
    }
    let center = (low + high) * 0.5;
    let radius = bounds()
        .map(|(c, r)| c.distance(center) + r)
        .fold(0.05, f32::max);
    let radius = (((radius * 1.03).log2() * 4.0).ceil() / 4.0).exp2();

    let forward = -unit_sun(frame);
    let right = forward.any_orthonormal_vector();
    let up = right.cross(forward);
    let texel = 2.0 * radius / map_size as f32;
    let snap = |x: f32| (x / texel).round() * texel;
    let (x, y, z) = (right.dot(center), up.dot(center), forward.dot(center));
    let (x, y) = (snap(x), snap(y));
    let rows = [
        (right / radius).extend(-x / radius),
        (up / radius).extend(-y / radius),
        (forward / (2.0 * radius)).extend(0.5 - z / (2.0 * radius)),
        Vec4::W,
    ];
    Some(SunBox {
        clip_from_world: Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose(),
        center: right * x + up * y + forward * z,
        radius,
    })
}

fn unit_sun(frame: &Frame) -> Vec3 {
    frame.light.sun_direction.try_normalize().unwrap_or(Vec3::Y)
}

/// True when a model can darken the ground that is seen near the camera's target.
pub fn touches_ground(frame: &Frame, sun: SunBox, (center, radius): (Vec3, f32)) -> bool {
    frame.ground.is_some_and(|ground| {
        let (middle, half) = contact_square(frame, Some(sun));
        let low = center.y - radius - ground.height;
        let away = (center - middle).abs();
        low < CONTACT_RANGE
            && center.y + radius > ground.height - 0.1
            && away.x.max(away.z) < half + radius
    })
}

/// Clip-from-world of a camera: reversed depth, no far end.
pub fn clip_from_world(camera: &Camera, size: (u32, u32)) -> Mat4 {
    perspective_infinite_reverse(fov_y(camera), aspect(size), NEAR) * camera.view_from_world()
}

fn fov_y(camera: &Camera) -> f32 {
    camera.fov_y.clamp(1.0, 170.0).to_radians()
}

fn aspect(size: (u32, u32)) -> f32 {
    size.0.max(1) as f32 / size.1.max(1) as f32
}

/// The four sides of the view and its near plane, as (unit normal inwards, offset).
pub fn view_planes(camera: &Camera, size: (u32, u32)) -> [Vec4; 5] {
    let m = clip_from_world(camera, size).transpose();
    let unit = |plane: Vec4| plane / plane.truncate().length().max(1e-12);
    [
        unit(m.w_axis + m.x_axis),
        unit(m.w_axis - m.x_axis),
        unit(m.w_axis + m.y_axis),
        unit(m.w_axis - m.y_axis),
        unit(m.w_axis),
    ]
}

/// True when a sphere is at least partly on the inner side of all planes.
pub fn sphere_is_seen(planes: &[Vec4; 5], (center, radius): (Vec3, f32)) -> bool {
    // A sphere that is not finite is never culled.
    !planes
        .iter()
        .any(|plane| plane.dot(center.extend(1.0)) < -radius)
}

/// Middle and half width of the map from below.
fn contact_square(frame: &Frame, sun: Option<SunBox>) -> (Vec3, f32) {
    match sun {
        Some(sun) if sun.radius <= CONTACT_RADIUS => (sun.center, sun.radius),
        _ => (frame.camera.target, CONTACT_RADIUS),
    }
}

/// The map from below: world x and z to its x and y, height to depth; and half its width, metres.
fn fit_contact(frame: &Frame, sun: Option<SunBox>, ground: f32) -> (Mat4, f32) {
    let (center, radius) = contact_square(frame, sun);
    let texel = 4.0 * radius / CONTACT_SIZE as f32;
    let snap = |x: f32| (x / texel).round() * texel;
    let from_world = Mat4::from_cols(
        Vec4::new(1.0 / radius, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 1.0 / (1.1 * CONTACT_RANGE), 0.0),
        Vec4::new(0.0, 1.0 / radius, 0.0, 0.0),
        Vec4::new(
            -snap(center.x) / radius,
            -snap(center.z) / radius,
            (0.1 - ground / CONTACT_RANGE) / 1.1,
            1.0,
        ),
    );
    (from_world, radius)
}

/// What all shaders know of a frame.
pub fn scene_of(
    frame: &Frame,
    size: (u32, u32),
    sun: Option<SunBox>,
    map_size: u32,
    target_encodes: bool,
    msaa: u32,
) -> Scene {
    let (camera, light) = (&frame.camera, &frame.light);
    let ground = frame.ground.unwrap_or_default();
    let world_from_view = camera.view_from_world().inverse();
    let half = Vec2::new(aspect(size), 1.0) * (fov_y(camera) * 0.5).tan();
    let ray = |v: Vec3| world_from_view.transform_vector3(v).to_array();
    let radius = sun.map_or(1.0, |sun| sun.radius);
    let (contact_from_world, contact_radius) = fit_contact(frame, sun, ground.height);
    let distance = camera.eye.distance(camera.target);
    Scene {
        clip_from_world: columns(clip_from_world(camera, size)),
        sun_from_world: columns(sun.map_or(Mat4::IDENTITY, |sun| sun.clip_from_world)),
        contact_from_world: columns(contact_from_world),
        eye: camera.eye.to_array(),
        exposure: frame.look.exposure.exp2(),
        ray_x: ray(Vec3::X * half.x),
        ground_height: ground.height,
        ray_y: ray(Vec3::Y * half.y),
        grid: ground.grid,
        ray_z: ray(Vec3::NEG_Z),
        fade: (distance * 6.0).max(24.0),
        sun_direction: unit_sun(frame).to_array(),
        target_encodes: if target_encodes { 1.0 } else { 0.0 },
        sun_color: light.sun_color.to_array(),
        n_patches: frame.patches.len().min(MAX_PATCHES) as u32,
        sky_zenith: light.sky_zenith.to_array(),
        contact_range: CONTACT_RANGE,
        sky_horizon: light.sky_horizon.to_array(),
        contact_radius,
        sky_ground: light.sky_ground.to_array(),
        shadow_texel: sun.map_or(0.0, |sun| 2.0 * sun.radius / map_size as f32),
        ground_color: ground.color.to_array(),
        shadow_radius: radius,
        target_size: [size.0 as f32, size.1 as f32],
        shadow_range: 2.0 * radius,
        samples: msaa as f32,
        patches: patches_of(frame),
    }
}

fn patches_of(frame: &Frame) -> [Patch; MAX_PATCHES] {
    let mut patches = [Patch::default(); MAX_PATCHES];
    for (out, patch) in patches.iter_mut().zip(&frame.patches) {
        *out = Patch {
            center: patch.centre.to_array(),
            half: patch.half.to_array(),
            color: patch.color.to_array(),
            round: f32::from(u8::from(patch.round)),
        };
    }
    patches
}
