//! Closes skulls that are open below the model's own hair, before new hair is grown.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::rays::{COLUMNS, ROWS, SkullRays, angle_of, up_of};
use super::skin::{RestSkin, SkinRole};

/// Lower limit of the face in front, where holes belong to the model.
const FACE: Vec2 = Vec2::new(0.9, 0.55);
/// Centre of a skull relative to the midpoint between the eyes, metres for a usual head, and its maximum radius.
const MIDDLE: Vec3 = Vec3::new(0.0, 0.03, -0.085);
const MAX_RADIUS: f32 = 0.16;
/// Depth of the added surface below the existing one, where they overlap, metres. It is smaller than the height of the hair
/// cap, so no edge of the skin becomes visible.
const OVERLAP: f32 = 0.0003;
/// Minimum fraction of the skull that must have skin.
const MIN_KNOWN: f32 = 0.12;
/// Below this known fraction, the model's hair is used to estimate the skull's size.
const WELL_KNOWN: f32 = 0.5;
/// Range of distances of that hair, relative to the mean known distance, and its height above the skull in metres.
const HAIR_DISTANCES: std::ops::Range<f32> = 0.75..1.3;
const HAIR_ABOVE: f32 = 0.003;
/// Iterations that spread known distances to unknown ones.
const ROUNDS: usize = 300;

/// Centre of a skull from the midpoint between its eyes, and the head's size relative to a usual head.
pub fn middle_of(eye: Vec3, size: f32) -> Vec3 {
    eye + MIDDLE * size
}

/// Adds the missing triangles to the skull of a head, at the distance of the surrounding surface. `size` is relative to a
/// usual head. Returns the fraction of the skull that the model has, 0 to 1. If it is nearly 0, nothing is added.
pub fn close(skin: &mut RestSkin, eye: Vec3, size: f32) -> f32 {
    let middle = middle_of(eye, size);
    let farthest = MAX_RADIUS * size;
    let near = |role: SkinRole, skin: &RestSkin| -> Vec<[Vec3; 3]> {
        let corners = skin.with_role(role).map(|i| skin.corners(i));
        // The back of the neck is connected to the neck.
        corners
            .filter(|corners| corners[0].distance(middle) < 2.0 * farthest)
            .collect()
    };
    let rays = SkullRays::new(middle, farthest);
    let directions = &rays.directions;
    let own = near(SkinRole::Skin, skin);
    let mut known = rays.first_hits(own.into_iter());
    let is_own: Vec<bool> = known.iter().map(Option::is_some).collect();
    let is_skull = |i: usize| {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let around = angle_of(column);
        around.min(TAU - around) > FACE.x || up_of(row) > FACE.y
    };
    let n_skull = (0..directions.len()).filter(|i| is_skull(*i)).count();
    let n_own = (0..directions.len())
        .filter(|i| is_skull(*i) && is_own[*i])
        .count();
    let fraction = n_own as f32 / n_skull.max(1) as f32;
    if n_own == n_skull {
        return fraction;
    }
    let (n_known, n) = (known.iter().flatten().count(), known.len());
    if (n_known as f32) < MIN_KNOWN * n as f32 {
        return fraction;
    }
    if fraction < WELL_KNOWN {
        let mean = known.iter().flatten().sum::<f32>() / n_known as f32;
        let hair = rays.first_hits(near(SkinRole::OwnHair, skin).into_iter());
        for (i, (known, hair)) in known.iter_mut().zip(hair).enumerate() {
            let hair = hair.filter(|hair| HAIR_DISTANCES.contains(&(hair / mean)));
            if known.is_none() && is_skull(i) {
                *known = hair.map(|hair| hair - HAIR_ABOVE * size);
            }
        }
    }
    let mut filled = fill(&known);
    // The added surface continues a little below the jagged border of the existing one.
    for (i, distance) in filled.iter_mut().enumerate() {
        if is_own[i] {
            *distance -= OVERLAP * size;
        }
    }
    let at = |i: usize| middle + directions[i] * filled[i];
    let first = skin.positions.len() as u32;
    for (i, direction) in directions.iter().enumerate() {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let next = |row: usize, column: usize| at(row * COLUMNS + column % COLUMNS);
        let aside = next(row, column + 1) - next(row, column + COLUMNS - 1);
        let down = next((row + 1).min(ROWS), column) - next(row.saturating_sub(1), column);
        skin.positions.push(at(i));
        let normal = down.cross(aside).normalize_or(*direction);
        skin.normals.push(if row == 0 { Vec3::Y } else { normal });
    }
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let corner =
                |down: usize, right: usize| (row + down) * COLUMNS + (column + right) % COLUMNS;
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            // Includes the cells around the open ones.
            let mut around = (0..16).map(|i| {
                let row = (row + i / 4).saturating_sub(1).min(ROWS);
                row * COLUMNS + (column + COLUMNS + i % 4 - 1) % COLUMNS
            });
            if around.any(|i| !is_own[i]) && [a, b, c, d].iter().all(|i| is_skull(*i)) {
                for triangle in [[a, b, c], [a, c, d]] {
                    skin.triangles.push(triangle.map(|i| first + i as u32));
                    skin.is_head.push(true);
                }
            }
        }
    }
    fraction
}

/// Fills unknown values smoothly from their neighbours.
fn fill(known: &[Option<f32>]) -> Vec<f32> {
    let n = known.iter().flatten().count();
    let mean = known.iter().flatten().sum::<f32>() / n.max(1) as f32;
    let mut values: Vec<f32> = known.iter().map(|known| known.unwrap_or(mean)).collect();
    for _ in 0..ROUNDS {
        let before = values.clone();
        for (i, value) in values.iter_mut().enumerate() {
            if known[i].is_some() {
                continue;
            }
            let (row, column) = (i / COLUMNS, i % COLUMNS);
            let at = |row: usize, column: usize| before[row * COLUMNS + column % COLUMNS];
            // The neighbour above the highest row is on the opposite side.
            let above = if row == 0 {
                at(1, column + COLUMNS / 2)
            } else {
                at(row - 1, column)
            };
            let sides = at(row, column + 1) + at(row, column + COLUMNS - 1);
            *value = (above + at((row + 1).min(ROWS), column) + sides) * 0.25;
        }
    }
    values
}
