//! Floor cells that can be in shadow or have patches. The rest is drawn with a cheaper shader.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::sun::{CONTACT_RANGE, unit_sun};
use super::view::{sphere_is_seen, view_planes};
use galatea_stage::frame::Frame;

/// Number of rings of cells around the point under the camera. Cells are numbered outwards along each spoke.
pub const RINGS: u32 = 64;
/// Cells per ring.
pub const SPOKES: u32 = 60;
/// Radius of the first ring, metres.
pub const FIRST: f32 = 0.5;
/// Ratio of the radii of successive rings.
pub const STEP: f32 = 1.16;

/// With more models than this, the whole floor counts as shaded.
const MAX_MODELS: usize = 64;
/// Margin around a caster within which it can darken the floor, metres.
const SOFT: f32 = 0.35;
/// Sine of the sun's elevation below which the whole floor counts as shaded.
const LOW_SUN: f32 = 0.08;

/// A run of cells with the same properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellRun {
    pub cells: Range<u32>,
    pub is_shaded: bool,
    pub has_patches: bool,
}

/// A rectangle on the floor: centre (world x and z) and half size, metres.
#[derive(Clone, Copy, Debug)]
struct Zone {
    middle: Vec2,
    half: Vec2,
}

impl Zone {
    /// Smallest rectangle that contains all `points`, given relative to `from`.
    fn about(from: Vec2, points: impl IntoIterator<Item = Vec2>) -> Self {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for point in points {
            (low, high) = (low.min(point), high.max(point));
        }
        Self {
            middle: from + (low + high) * 0.5,
            half: (high - low) * 0.5,
        }
    }

    fn touches(&self, other: &Self) -> bool {
        let apart = (self.middle - other.middle).abs();
        apart.cmple(self.half + other.half).all()
    }
}

/// Floor area that a model can darken.
struct Shade {
    whole: Zone,
    parts: Vec<Zone>,
}

impl Shade {
    fn touches(&self, zone: &Zone) -> bool {
        self.whole.touches(zone) && self.parts.iter().any(|part| part.touches(zone))
    }
}

/// Collects the floor cells visible in an image of `size` pixels, as runs of cells with the same shader.
pub fn runs(frame: &Frame, size: (u32, u32), out: &mut Vec<CellRun>) {
    out.clear();
    let height = frame.ground.unwrap_or_default().height;
    let planes = view_planes(&frame.camera, size);
    let shades = shades(frame);
    let patches = frame.patches.iter().map(|patch| Zone {
        middle: patch.centre,
        half: patch.half,
    });
    let eye = Vec2::new(frame.camera.eye.x, frame.camera.eye.z);
    let spokes: Vec<Vec2> = (0..=SPOKES).map(spoke).collect();
    for (i, ends) in spokes.windows(2).enumerate() {
        for ring in 0..RINGS {
            let (near, far) = (radius(ring), radius(ring + 1));
            let corners = [near, far].map(|r| [ends[0] * r, ends[1] * r]);
            let zone = Zone::about(eye, corners.into_iter().flatten());
            let middle = Vec3::new(zone.middle.x, height, zone.middle.y);
            if !sphere_is_seen(&planes, (middle, zone.half.length())) {
                continue;
            }
            // The soft edges of patches are proportional to the pixel size.
            let soft = 0.1 + 0.05 * far;
            let wide = Zone {
                half: zone.half + soft,
                ..zone
            };
            let is_shaded = match &shades {
                Some(shades) => shades.iter().any(|shade| shade.touches(&zone)),
                None => true,
            };
            let has_patches = patches.clone().any(|patch| patch.touches(&wide));
            let cell = i as u32 * RINGS + ring;
            match out.last_mut() {
                Some(run)
                    if run.cells.end == cell
                        && (run.is_shaded, run.has_patches) == (is_shaded, has_patches) =>
                {
                    run.cells.end = cell + 1;
                }
                _ => out.push(CellRun {
                    cells: cell..cell + 1,
                    is_shaded,
                    has_patches,
                }),
            }
        }
    }
}

/// Computes the areas of the floor that the models can darken; `None` means everywhere.
fn shades(frame: &Frame) -> Option<Vec<Shade>> {
    let ground = frame.ground.unwrap_or_default();
    let sun = unit_sun(frame);
    let n = frame.models.len() + frame.agents.len();
    if n > MAX_MODELS || sun.y < LOW_SUN {
        return None;
    }
    // The shadow of a ball is an ellipse, elongated along the sun's direction.
    let along = Vec2::new(sun.x, sun.z).normalize_or(Vec2::X) / sun.y;
    let across = along.perp() * sun.y;
    let ellipse = Vec2::new(along.x.hypot(across.x), along.y.hypot(across.y));
    let mut shades = Vec::with_capacity(n);
    let models = frame.models.iter().map(|model| frame.spheres_of(model));
    let agents: Vec<(Vec3, f32)> = frame.agent_spheres().collect();
    for spheres in models.chain(agents.iter().map(std::slice::from_ref)) {
        let mut parts = Vec::new();
        for &(center, radius) in spheres {
            if !center.is_finite() || !radius.is_finite() {
                return None;
            }
            // Shadow maps that contain giants have large texels.
            let soft = SOFT + 0.05 * radius;
            let on_floor = |at: Vec3, half: Vec2| Zone {
                middle: Vec2::new(at.x, at.z),
                half: half + soft,
            };
            let height = center.y - ground.height;
            parts.push(on_floor(center - sun * (height / sun.y), ellipse * radius));
            if height - radius < CONTACT_RANGE {
                parts.push(on_floor(center, Vec2::splat(radius)));
            }
        }
        let corners = parts
            .iter()
            .flat_map(|part| [part.middle - part.half, part.middle + part.half]);
        let whole = Zone::about(Vec2::ZERO, corners);
        shades.push(Shade { whole, parts });
    }
    Some(shades)
}

/// Inner radius of a ring around the camera, metres.
fn radius(ring: u32) -> f32 {
    match ring {
        0 => 0.0,
        _ => FIRST * STEP.powi(ring as i32),
    }
}

/// Direction of a spoke, unit vector.
fn spoke(i: u32) -> Vec2 {
    let (sin, cos) = (i as f32 / SPOKES as f32 * std::f32::consts::TAU).sin_cos();
    Vec2::new(sin, cos)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Affine3A;

    use super::*;
    use galatea_stage::frame::{Camera, DrawModel, GroundPatch};

    /// Run of the cell at a point; `None` if the cell is not drawn.
    fn at(frame: &Frame, x: f32, z: f32) -> Option<CellRun> {
        let (mut found, point) = (Vec::new(), Vec2::new(x, z));
        runs(frame, (160, 90), &mut found);
        let away = point - Vec2::new(frame.camera.eye.x, frame.camera.eye.z);
        let revolutions = away.x.atan2(away.y) / std::f32::consts::TAU;
        let ring = (0..RINGS).rev().find(|r| radius(*r) <= away.length())?;
        let cell = (revolutions.rem_euclid(1.0) * SPOKES as f32) as u32 * RINGS + ring;
        found.into_iter().find(|run| run.cells.contains(&cell))
    }

    fn seen_from_above() -> Frame {
        Frame {
            camera: Camera {
                eye: Vec3::new(3.0, 9.0, 2.0),
                target: Vec3::new(-2.0, 0.0, 1.0),
                ..Camera::default()
            },
            ..Frame::default()
        }
    }

    #[test]
    fn only_cells_with_patches_read_patches_and_hidden_cells_are_not_drawn() {
        let frame = Frame {
            patches: vec![GroundPatch {
                centre: Vec2::new(-4.0, 1.0),
                half: Vec2::new(1.0, 0.5),
                round: true,
                color: Vec3::ONE,
            }],
            ..seen_from_above()
        };
        assert!(at(&frame, -4.0, 1.0).unwrap().has_patches);
        assert!(at(&frame, -4.9, 1.0).unwrap().has_patches);
        let bare = at(&frame, -1.0, 1.0).unwrap();
        assert!(!bare.has_patches && !bare.is_shaded);
        assert_eq!(at(&frame, 9.0, 2.0), None, "behind the eye");
    }

    #[test]
    fn a_ball_shades_the_floor_below_it_and_its_shadow_area() {
        let mut frame = seen_from_above();
        let model = DrawModel {
            model: Arc::default(),
            instance: 0,
            world_from_model: Affine3A::IDENTITY,
            palette_start: 0,
            morph_start: 0,
            materials: (0, 0),
            wrinkle_start: 0,
            headless: None,
            coarser: None,
            decals: (0, 0),
            variant: None,
            hidden_parts: Vec::new(),
            bounds: (Vec3::new(-2.0, 0.4, 1.0), 0.4),
            spheres: 0..0,
        };
        frame.models.push(model);
        frame.light.sun_direction = Vec3::new(1.0, 0.5, 0.0);
        let is_shaded = |x, z| at(&frame, x, z).unwrap().is_shaded;
        assert!(is_shaded(-2.0, 1.0));
        assert!(is_shaded(-3.5, 1.0), "along the sun");
        assert!(!is_shaded(-2.0, 3.0) && !is_shaded(0.0, 1.0));
        frame.light.sun_direction = Vec3::new(1.0, 0.01, 0.0);
        assert!(at(&frame, 0.0, 1.0).unwrap().is_shaded, "a low sun");
    }
}
