//! Views of the sun's shadow cascades and of the contact map.

use glam::{Mat4, Vec3, Vec4};

use super::options::RenderOptions;
use super::view::{aspect, fov_y};
use galatea_stage::frame::Frame;

/// Height above the ground below which objects cast contact shadows, metres.
pub const CONTACT_RANGE: f32 = 0.6;
/// Maximum half width of the contact map, metres.
const MAX_CONTACT_RADIUS: f32 = 6.0;
/// Distance from the camera's target within which models cast shadows, metres.
const CASTING_DISTANCE: f32 = 40.0;
/// Maximum number of cascades.
pub const MAX_CASCADES: usize = 3;

/// The box that one of the sun's shadow maps covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SunBox {
    /// Depth 0..1, increasing away from the sun.
    pub clip_from_world: Mat4,
    /// Centre in world space, snapped to whole texels.
    pub center: Vec3,
    /// Half width, metres. It changes in coarse steps, so the texel size is stable while a character moves.
    pub radius: f32,
    /// Distance from depth 0 to 1, metres.
    pub range: f32,
    /// Unit vector towards the sun.
    pub towards: Vec3,
}

/// The sun's shadow cascades, from the smallest to the one that contains all casters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cascades {
    boxes: [SunBox; MAX_CASCADES],
    n: usize,
    whole: Option<SunBox>,
}

impl Cascades {
    /// Fits the cascades to the models near the camera's target; there are none without models. The smallest cascade covers
    /// the visible area around the target, so a face in close-up has fine shadows.
    pub fn fit(frame: &Frame, size: (u32, u32), options: &RenderOptions) -> Self {
        let Some((center, radius)) = sphere_of_models(frame) else {
            return Self::default();
        };
        let camera = &frame.camera;
        let distance = camera.eye.distance(camera.target).max(0.05);
        let visible_radius = distance * (fov_y(camera) * 0.5).tan() * aspect(size).max(1.0) * 1.15;
        let mut spheres = [(center, radius); MAX_CASCADES];
        let mut n = 1;
        if options.cascades > 1 && visible_radius * 1.5 < radius {
            let middle = (visible_radius * radius).sqrt();
            spheres[0] = (camera.target, visible_radius);
            n = 2;
            if options.cascades > 2 && middle > visible_radius * 1.5 {
                spheres[1] = (camera.target, middle);
                n = 3;
            }
        }
        let mut out = Self::default();
        for (i, sphere) in spheres[..n].iter().enumerate() {
            out.boxes[i] = sun_box(frame, *sphere, (center, radius), options.shadow_size);
        }
        out.n = n;
        out.whole = Some(out.boxes[n - 1]);
        if options.cascades == 0 {
            out.n = 0;
        }
        out
    }

    /// Cascades from the smallest to the largest.
    pub fn boxes(&self) -> &[SunBox] {
        &self.boxes[..self.n]
    }

    /// Box that contains all casters, whether or not it is drawn.
    pub fn whole(&self) -> Option<SunBox> {
        self.whole
    }
}

/// Bounding sphere of the models that are near enough to the camera's target to cast shadows.
fn sphere_of_models(frame: &Frame) -> Option<(Vec3, f32)> {
    let reach = CASTING_DISTANCE + frame.camera.eye.distance(frame.camera.target);
    let near = |bounds: &(Vec3, f32)| {
        bounds.0.is_finite()
            && bounds.1.is_finite()
            && bounds.0.distance(frame.camera.target) - bounds.1 < reach
    };
    let bounds = || {
        let models = frame.models.iter().map(|m| m.bounds);
        models.chain(frame.agent_spheres()).filter(near)
    };
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
    Some((center, radius))
}

fn in_steps(radius: f32) -> f32 {
    (((radius * 1.03).log2() * 4.0).ceil() / 4.0).exp2()
}

/// Box around `sphere`, as deep as `whole`.
fn sun_box(
    frame: &Frame,
    (center, radius): (Vec3, f32),
    whole: (Vec3, f32),
    map_size: u32,
) -> SunBox {
    let radius = in_steps(radius);
    let depth = in_steps(whole.1);
    let forward = -unit_sun(frame);
    let right = forward.any_orthonormal_vector();
    let up = right.cross(forward);
    let texel = 2.0 * radius / map_size as f32;
    let snap = |x: f32| (x / texel).round() * texel;
    let (x, y) = (snap(right.dot(center)), snap(up.dot(center)));
    let z = forward.dot(whole.0);
    let rows = [
        (right / radius).extend(-x / radius),
        (up / radius).extend(-y / radius),
        (forward / (2.0 * depth)).extend(0.5 - z / (2.0 * depth)),
        Vec4::W,
    ];
    SunBox {
        clip_from_world: Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose(),
        center: right * x + up * y + forward * z,
        radius,
        range: 2.0 * depth,
        towards: -forward,
    }
}

impl SunBox {
    /// Returns true if a sphere can cast a shadow into the box.
    pub fn catches(&self, (center, radius): (Vec3, f32)) -> bool {
        let away = center - self.center;
        let along = away.dot(self.towards);
        let across = away.length_squared() - along * along;
        // The box is square, so the sphere may touch a corner.
        let reach = self.radius * std::f32::consts::SQRT_2 + radius;
        across <= reach * reach || !reach.is_finite() || !across.is_finite()
    }
}

/// Unit vector towards the sun.
pub fn unit_sun(frame: &Frame) -> Vec3 {
    frame.light.sun_direction.try_normalize().unwrap_or(Vec3::Y)
}

/// Returns true if a model can cast contact shadows on the ground near the camera's target.
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

/// Centre and half width of the contact map.
fn contact_square(frame: &Frame, sun: Option<SunBox>) -> (Vec3, f32) {
    match sun {
        Some(sun) if sun.radius <= MAX_CONTACT_RADIUS => (sun.center, sun.radius),
        _ => (frame.camera.target, MAX_CONTACT_RADIUS),
    }
}

/// Transform of the contact map (world x and z to x and y, height to depth), and its half width in metres.
pub fn fit_contact(frame: &Frame, sun: Option<SunBox>, ground: f32, size: u32) -> (Mat4, f32) {
    let (center, radius) = contact_square(frame, sun);
    let texel = 4.0 * radius / size as f32;
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
