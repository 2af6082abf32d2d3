//! Where the sun's nested shadow maps and the map of what stands on the ground look.

use glam::{Mat4, Vec3, Vec4};

use super::options::RenderOptions;
use super::view::{aspect, fov_y};
use galatea_stage::frame::Frame;

/// Metres above the ground under which things darken it.
pub const CONTACT_RANGE: f32 = 0.6;
/// Metres: half the width of the map of what stands on the ground, at most.
const CONTACT_RADIUS: f32 = 6.0;
/// Metres from the camera's target within which models cast shadows.
const CASTING_DISTANCE: f32 = 40.0;
/// The most nested maps.
pub const MOST_CASCADES: usize = 3;

/// The box a map of the sun covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SunBox {
    /// Depth 0..1 away from the sun.
    pub clip_from_world: Mat4,
    /// World space, on whole texels.
    pub center: Vec3,
    /// Metres: half its width, in coarse steps, so that texels keep their size while a character
    /// moves.
    pub radius: f32,
    /// Metres from depth 0 to 1.
    pub range: f32,
    /// Unit, towards the sun.
    pub towards: Vec3,
}

/// The sun's maps, from the smallest to the one that holds all that casts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cascades {
    boxes: [SunBox; MOST_CASCADES],
    n: usize,
    whole: Option<SunBox>,
}

impl Cascades {
    /// Fits the maps to the models near the camera's target; none without models. The smallest holds
    /// what the picture shows about the target, so that a face in close-up has fine shadows.
    pub fn fit(frame: &Frame, size: (u32, u32), options: &RenderOptions) -> Self {
        let Some((center, radius)) = sphere_of_models(frame) else {
            return Self::default();
        };
        let camera = &frame.camera;
        let distance = camera.eye.distance(camera.target).max(0.05);
        let shown = distance * (fov_y(camera) * 0.5).tan() * aspect(size).max(1.0) * 1.15;
        let mut wanted = [(center, radius); MOST_CASCADES];
        let mut n = 1;
        if options.cascades > 1 && shown * 1.5 < radius {
            let middle = (shown * radius).sqrt();
            wanted[0] = (camera.target, shown);
            n = 2;
            if options.cascades > 2 && middle > shown * 1.5 {
                wanted[1] = (camera.target, middle);
                n = 3;
            }
        }
        let mut out = Self::default();
        for (i, sphere) in wanted[..n].iter().enumerate() {
            out.boxes[i] = sun_box(frame, *sphere, (center, radius), options.shadow_size);
        }
        out.n = n;
        out.whole = Some(out.boxes[n - 1]);
        if options.cascades == 0 {
            out.n = 0;
        }
        out
    }

    /// From the smallest to the largest.
    pub fn boxes(&self) -> &[SunBox] {
        &self.boxes[..self.n]
    }

    /// The one that holds all that casts, drawn or not.
    pub fn whole(&self) -> Option<SunBox> {
        self.whole
    }
}

/// The sphere about the models that are near enough to the camera's target to cast shadows.
fn sphere_of_models(frame: &Frame) -> Option<(Vec3, f32)> {
    let reach = CASTING_DISTANCE + frame.camera.eye.distance(frame.camera.target);
    let near = |bounds: &(Vec3, f32)| {
        bounds.0.is_finite()
            && bounds.1.is_finite()
            && bounds.0.distance(frame.camera.target) - bounds.1 < reach
    };
    let bounds = || {
        let models = frame.models.iter().map(|m| m.bounds);
        models.chain(frame.people_spheres()).filter(near)
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

/// The box about `sphere` that is as deep as `whole`.
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
    /// True when a sphere can throw a shadow into the box: it is within its width.
    pub fn catches(&self, (center, radius): (Vec3, f32)) -> bool {
        let away = center - self.center;
        let along = away.dot(self.towards);
        let across = away.length_squared() - along * along;
        // The box is a square of which the sphere may touch a corner.
        let reach = self.radius * std::f32::consts::SQRT_2 + radius;
        across <= reach * reach || !reach.is_finite() || !across.is_finite()
    }
}

/// Unit vector towards the sun.
pub fn unit_sun(frame: &Frame) -> Vec3 {
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

/// Middle and half width of the map from below.
fn contact_square(frame: &Frame, sun: Option<SunBox>) -> (Vec3, f32) {
    match sun {
        Some(sun) if sun.radius <= CONTACT_RADIUS => (sun.center, sun.radius),
        _ => (frame.camera.target, CONTACT_RADIUS),
    }
}

/// The map from below: world x and z to its x and y, height to depth; and half its width, metres.
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
