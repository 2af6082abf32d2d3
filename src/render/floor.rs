//! Which parts of the floor can lie in shadow or have patches: the rest is drawn without asking.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::sun::{CONTACT_RANGE, unit_sun};
use crate::stage::frame::Frame;

/// Rings of cells around the point under the eye.
pub const RINGS: u32 = 36;
/// Cells of a ring.
pub const SPOKES: u32 = 60;
/// Metres: radius of the first ring.
pub const FIRST: f32 = 0.5;
/// How many times as wide as the one before a ring is.
pub const STEP: f32 = 1.3;

/// More things than this are looked at together.
const MOST_ZONES: usize = 64;
/// Metres by which shadows are softer than what casts them is wide.
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
    fn touches(&self, other: &Self) -> bool {
        let apart = (self.middle - other.middle).abs();
        apart.cmple(self.half + other.half).all()
    }
}

/// The cells of the floor of a frame, as runs of cells that are drawn alike.
pub fn runs(frame: &Frame, out: &mut Vec<Run>) {
    out.clear();
    let shaded = shaded_zones(frame);
    let patches = frame.patches.iter().map(|patch| Zone {
        middle: patch.centre,
        half: patch.half,
    });
    let eye = Vec2::new(frame.camera.eye.x, frame.camera.eye.z);
    for cell in 0..RINGS * SPOKES {
        let zone = cell_zone(eye, cell);
        let is_shaded = shaded
            .as_ref()
            .is_none_or(|zones| zones.iter().any(|other| other.touches(&zone)));
        // Edges of patches are as soft as pixels are wide there.
        let wide = Zone {
            half: zone.half + 0.1 + 0.05 * radius(cell / SPOKES + 1),
            ..zone
        };
        let has_patches = patches.clone().any(|patch| patch.touches(&wide));
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

/// Where the models of a frame can darken the floor; `None` is everywhere.
fn shaded_zones(frame: &Frame) -> Option<Vec<Zone>> {
    let ground = frame.ground.unwrap_or_default();
    let sun = unit_sun(frame);
    if frame.models.len() > MOST_ZONES || sun.y < LOW_SUN {
        return None;
    }
    let mut zones = Vec::with_capacity(2 * frame.models.len());
    for model in &frame.models {
        let (center, radius) = model.bounds;
        if !center.is_finite() || !radius.is_finite() {
            return None;
        }
        let on_floor = |at: Vec3, half: Vec2| Zone {
            middle: Vec2::new(at.x, at.z),
            half: half + SOFT,
        };
        let height = center.y - ground.height;
        // A ball's shadow is an ellipse, longer along the sun.
        let along = Vec2::new(sun.x, sun.z).normalize_or(Vec2::X) / sun.y;
        let across = along.perp() * sun.y;
        let half = Vec2::new(along.x.hypot(across.x), along.y.hypot(across.y)) * radius;
        zones.push(on_floor(center - sun * (height / sun.y), half));
        if height - radius < CONTACT_RANGE {
            zones.push(on_floor(center, Vec2::splat(radius)));
        }
    }
    Some(zones)
}

/// Metres from the eye at which a ring begins.
fn radius(ring: u32) -> f32 {
    match ring {
        0 => 0.0,
        _ => FIRST * STEP.powi(ring as i32),
    }
}

fn cell_zone(eye: Vec2, cell: u32) -> Zone {
    let (ring, spoke) = (cell / SPOKES, cell % SPOKES);
    let (mut low, mut high) = (Vec2::splat(f32::INFINITY), Vec2::splat(f32::NEG_INFINITY));
    for corner in 0..4 {
        let turn = (spoke + corner % 2) as f32 / SPOKES as f32;
        let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
        let at = eye + Vec2::new(sin, cos) * radius(ring + corner / 2);
        (low, high) = (low.min(at), high.max(at));
    }
    Zone {
        middle: (low + high) * 0.5,
        half: (high - low) * 0.5,
    }
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
