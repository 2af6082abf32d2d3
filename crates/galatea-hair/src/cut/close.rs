//! Skulls that are open where hair of the model hid them: closed before other hair grows there.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::rays::{COLUMNS, ROWS, SkullRays, angle_of, up_of};
use super::skin::{RestSkin, SkinRole};

/// In front and lower than this there is a face, with holes of its own.
const FACE: Vec2 = Vec2::new(0.9, 0.55);
/// The middle of a skull from that between the eyes, metres of a usual head, and how far out it may reach.
const MIDDLE: Vec3 = Vec3::new(0.0, 0.03, -0.085);
const FARTHEST: f32 = 0.16;
/// Metres by which what is added lies under what was there, where they overlap: less than hair's cap lies over both, so that
/// no edge of the skin looks out.
const OVERLAP: f32 = 0.0003;
/// Share of the skull that must be known.
const MIN_KNOWN: f32 = 0.12;
/// With less of the skull known than this, the size of the skull is taken from the hair of the model.
const WELL_KNOWN: f32 = 0.5;
/// Such hair lies between these distances, as factors on the mean of those that are known, and this much above the skull.
const HAIR_DISTANCES: std::ops::Range<f32> = 0.75..1.3;
const HAIR_ABOVE: f32 = 0.003;
/// Rounds in which what is not known becomes as what is around it.
const ROUNDS: usize = 300;

/// The middle of a skull by that between its eyes, and the size of the head as a factor on usual ones.
pub fn middle_of(eye: Vec3, size: f32) -> Vec3 {
    eye + MIDDLE * size
}

/// Adds the triangles that are missing to the skull of a head: as far out as what is around them is. `size` is that of
/// the head as a factor on usual ones. Returns how much of the skull the model has, 0 to 1; to one with next to nothing,
/// nothing is added.
pub fn close(skin: &mut RestSkin, eye: Vec3, size: f32) -> f32 {
    let middle = middle_of(eye, size);
    let farthest = FARTHEST * size;
    let near = |role: SkinRole, skin: &RestSkin| -> Vec<[Vec3; 3]> {
        let corners = skin.with_role(role).map(|i| skin.corners(i));
        // The nape hangs on the neck.
        corners
            .filter(|corners| corners[0].distance(middle) < 2.0 * farthest)
            .collect()
    };
    let rays = SkullRays::new(middle, farthest);
    let ways = &rays.directions;
    let own = near(SkinRole::Skin, skin);
    let mut known = rays.first_hits(own.into_iter());
    let is_own: Vec<bool> = known.iter().map(Option::is_some).collect();
    let is_skull = |i: usize| {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let around = angle_of(column);
        around.min(TAU - around) > FACE.x || up_of(row) > FACE.y
    };
    let n_skull = (0..ways.len()).filter(|i| is_skull(*i)).count();
    let n_own = (0..ways.len())
        .filter(|i| is_skull(*i) && is_own[*i])
        .count();
    let share = n_own as f32 / n_skull.max(1) as f32;
    if n_own == n_skull {
        return share;
    }
    let (n_known, n) = (known.iter().flatten().count(), known.len());
    if (n_known as f32) < MIN_KNOWN * n as f32 {
        return share;
    }
    if share < WELL_KNOWN {
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
    // It goes on a little under what is there, whose border is jagged.
    for (i, way) in filled.iter_mut().enumerate() {
        if is_own[i] {
            *way -= OVERLAP * size;
        }
    }
    let at = |i: usize| middle + ways[i] * filled[i];
    let first = skin.positions.len() as u32;
    for (i, way) in ways.iter().enumerate() {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let next = |row: usize, column: usize| at(row * COLUMNS + column % COLUMNS);
        let aside = next(row, column + 1) - next(row, column + COLUMNS - 1);
        let down = next((row + 1).min(ROWS), column) - next(row.saturating_sub(1), column);
        skin.positions.push(at(i));
        let normal = down.cross(aside).normalize_or(*way);
        skin.normals.push(if row == 0 { Vec3::Y } else { normal });
    }
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let corner =
                |down: usize, right: usize| (row + down) * COLUMNS + (column + right) % COLUMNS;
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            // With the cells around those that are open.
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
    share
}

/// What is known, and between that what is as around it.
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
            // Over the highest row lies what is across from it.
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
