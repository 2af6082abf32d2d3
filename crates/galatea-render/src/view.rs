//! Camera matrices and view frustum.

use glam::camera::rh::proj::directx::perspective_infinite_reverse;
use glam::{Affine3A, Mat4, Vec3, Vec4};

use galatea_deform::Eye;
use galatea_stage::frame::Camera;

/// Near plane, metres.
pub const NEAR: f32 = 0.01;

/// Clip-from-world matrix of a camera: reversed depth, infinite far plane.
pub fn clip_from_world(camera: &Camera, size: (u32, u32)) -> Mat4 {
    perspective_infinite_reverse(fov_y(camera), aspect(size), NEAR) * camera.view_from_world()
}

/// Vertical field of view, radians, clamped to the drawable range.
pub fn fov_y(camera: &Camera) -> f32 {
    camera.fov_y.clamp(1.0, 170.0).to_radians()
}

/// Aspect ratio, width over height.
pub fn aspect(size: (u32, u32)) -> f32 {
    size.0.max(1) as f32 / size.1.max(1) as f32
}

/// The eye in a model's space, for images of `size` pixels.
pub fn eye_of(camera: &Camera, size: (u32, u32), world_from_model: &Affine3A) -> Eye {
    let back = world_from_model.inverse();
    let back = if back.is_finite() {
        back
    } else {
        Affine3A::IDENTITY
    };
    Eye {
        at: back.transform_point3(camera.eye),
        pixel: 2.0 * (fov_y(camera) * 0.5).tan() / size.1.max(1) as f32,
    }
}

/// The four sides of the view and its near plane, as (unit normal inwards, offset).
pub fn view_planes(camera: &Camera, size: (u32, u32)) -> [Vec4; 5] {
    planes_of(clip_from_world(camera, size))
}

/// The four sides and the near plane of a clip-from-world matrix with reversed depth.
fn planes_of(clip_from_world: Mat4) -> [Vec4; 5] {
    let m = clip_from_world.transpose();
    let unit = |plane: Vec4| plane / plane.truncate().length().max(1e-12);
    [
        unit(m.w_axis + m.x_axis),
        unit(m.w_axis - m.x_axis),
        unit(m.w_axis + m.y_axis),
        unit(m.w_axis - m.y_axis),
        unit(m.w_axis),
    ]
}

/// Returns true if a sphere is at least partly on the inner side of all planes.
pub fn sphere_is_seen(planes: &[Vec4; 5], (center, radius): (Vec3, f32)) -> bool {
    // A sphere that is not finite is never culled.
    !planes
        .iter()
        .any(|plane| plane.dot(center.extend(1.0)) < -radius)
}
