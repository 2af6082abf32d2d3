//! Which parts of the floor can lie in shadow or have patches: the rest is drawn without asking.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::sun::{CONTACT_RANGE, unit_sun};
use crate::stage::frame::Frame;

/// Rings of cells around the point under the eye.
pub const RINGS: u32 = 64;
/// Cells of a ring.
pub const SPOKES: u32 = 60;
/// Metres: radius of the first ring.
pub const FIRST: f32 = 0.5;
/// How many times as wide as the one before a ring is.
pub const STEP: f32 = 1.16;

/// Under more models than this the whole floor is taken to be shaded.
const MOST_MODELS: usize = 64;
/// Metres by which what darkens the floor reaches farther than what casts it is wide.
const SOFT: f32 = 0.35;
/// Sines of the sun's height under which shadows are everywhere.
const LOW_SUN: f32 = 0.08;

/// Cells that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub cells: Range<u32>,
    pub is_shaded: bool,
    pub has_patches: bool,
}

/// A place on the floor: its middle (world x and z) and half its size, metres.
#[derive(Clone, Copy, Debug)]
struct Zone {
    middle: Vec2,
    half: Vec2,
}

impl Zone {
    /// The smallest about some points around `from`.
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

/// What a model can darken.
struct Shade {
    whole: Zone,
    parts: Vec<Zone>,
}

impl Shade {
    fn touches(&self, zone: &Zone) -> bool {
        self.whole.touches(zone) && self.parts.iter().any(|part| part.touches(zone))
    }
}

/// The cells of the floor of a frame, as runs of cells that are drawn alike.
pub fn runs(frame: &Frame, out: &mut Vec<Run>) {
    out.clear();
    let shades = shades(frame);
    let patches = frame.patches.iter().map(|patch| Zone {
        middle: patch.centre,
        half: patch.half,
    });
    let eye = Vec2::new(frame.camera.eye.x, frame.camera.eye.z);
    let spokes: Vec<Vec2> = (0..=SPOKES).map(spoke).collect();
    for ring in 0..RINGS {
        let (near, far) = (radius(ring), radius(ring + 1));
        // Edges of patches are as soft as pixels are wide there.
        let soft = 0.1 + 0.05 * far;
        for i in 0..SPOKES {
            let (a, b) = (spokes[i as usize], spokes[i as usize + 1]);
            let zone = Zone::about(eye, [a * near, b * near, a * far, b * far]);
            let wide = Zone {
                half: zone.half + soft,
                ..zone
            };
            let is_shaded = match &shades {
                Some(shades) => shades.iter().any(|shade| shade.touches(&zone)),
                None => true,
            };
            let has_patches = patches.clone().any(|patch| patch.touches(&wide));
            let cell = ring * SPOKES + i;
            match out.last_mut() {
                Some(run) if (run.is_shaded, run.has_patches) == (is_shaded, has_patches) => {
                    run.cells.end = cell + 1;
                }
                _ => out.push(Run {
                    cells: cell..cell + 1,
                    is_shaded,
                    has_patches,
                }),
            }
        }
    }
}

/// Where the models of a frame can darken the floor; `None` is everywhere.
fn shades(frame: &Frame) -> Option<Vec<Shade>> {
    let ground = frame.ground.unwrap_or_default();
    let sun = unit_sun(frame);
    if frame.models.len() > MOST_MODELS || sun.y < LOW_SUN {
        return None;
    }
    // A ball's shadow is an ellipse, longer along the sun.
    let along = Vec2::new(sun.x, sun.z).normalize_or(Vec2::X) / sun.y;
    let across = along.perp() * sun.y;
    let ellipse = Vec2::new(along.x.hypot(across.x), along.y.hypot(across.y));
    let mut shades = Vec::with_capacity(frame.models.len());
    for model in &frame.models {
        let mut parts = Vec::new();
        for &(center, radius) in frame.spheres_of(model) {
            if !center.is_finite() || !radius.is_finite() {
                return None;
            }
            let on_floor = |at: Vec3, half: Vec2| Zone {
                middle: Vec2::new(at.x, at.z),
                half: half + SOFT,
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

/// Metres from the eye at which a ring begins.
fn radius(ring: u32) -> f32 {
    match ring {
        0 => 0.0,
        _ => FIRST * STEP.powi(ring as i32),
    }
}

/// Unit vector along which a spoke lies.
fn spoke(i: u32) -> Vec2 {
    let (sin, cos) = (i as f32 / SPOKES as f32 * std::f32::consts::TAU).sin_cos();
    Vec2::new(sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::frame::{Camera, GroundPatch};

    fn at(frame: &Frame, x: f32, z: f32) -> Run {
        let (mut found, point) = (Vec::new(), Vec2::new(x, z));
        runs(frame, &mut found);
        let eye = Vec2::new(frame.camera.eye.x, frame.camera.eye.z);
        let (away, ring) = (point - eye, |r: u32| radius(r) <= eye.distance(point));
        let turn = away.x.atan2(away.y).rem_euclid(std::f32::consts::TAU) / std::f32::consts::TAU;
        let ring = (0..RINGS).rev().find(|r| ring(*r)).unwrap();
        let cell = ring * SPOKES + (turn * SPOKES as f32) as u32;
        found
            .into_iter()
            .find(|run| run.cells.contains(&cell))
            .unwrap()
    }

    #[test]
    fn only_cells_with_patches_ask_for_patches_and_together_the_runs_are_the_floor() {
        let frame = Frame {
            camera: Camera {
                eye: Vec3::new(3.0, 1.5, 2.0),
                ..Camera::default()
            },
            patches: vec![GroundPatch {
                centre: Vec2::new(-4.0, 1.0),
                half: Vec2::new(1.0, 0.5),
                round: true,
                color: Vec3::ONE,
            }],
            ..Frame::default()
        };
        assert!(at(&frame, -4.0, 1.0).has_patches);
        assert!(at(&frame, -4.9, 1.0).has_patches);
        assert!(!at(&frame, 4.0, 5.0).has_patches);
        assert!(!at(&frame, -4.0, 1.0).is_shaded, "nothing casts");
        let mut all = Vec::new();
        runs(&frame, &mut all);
        let mut next = 0;
        for run in all {
            assert_eq!(run.cells.start, next);
            next = run.cells.end;
        }
        assert_eq!(next, RINGS * SPOKES);
    }
}
