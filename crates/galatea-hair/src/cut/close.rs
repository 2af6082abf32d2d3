//! Skulls that are open where hair of the model hid them: closed before other hair grows there.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, Vec3};

use super::skin::RestSkin;

/// Columns around, and rows from the highest of them down.
const COLUMNS: usize = 60;
const ROWS: usize = 37;
/// Radians below the horizon to which rows go: into the neck, whatever the hole.
const DEEPEST: f32 = 0.95;
/// In front and lower than this there is a face, with holes of its own.
const FACE: Vec2 = Vec2::new(0.9, 0.55);
/// The middle of a skull from that between the eyes, metres of a usual head, and how far out it may reach.
const MIDDLE: Vec3 = Vec3::new(0.0, 0.03, -0.085);
const FARTHEST: f32 = 0.16;
/// Metres by which what is added lies under what was there, where they overlap: less than hair's cap lies over both, so that
/// no edge of the skin looks out.
const OVERLAP: f32 = 0.0003;
/// Share of the skull that must be known.
const LEAST_KNOWN: f32 = 0.15;
/// Rounds in which what is not known becomes as what is around it.
const ROUNDS: usize = 300;

/// Adds the triangles that are missing to the skull of a head: as far out as what is around them is. `size` is that of
/// the head beside usual ones. Nothing is added to a skull that is whole, or of which next to nothing is there.
pub fn close(skin: &mut RestSkin, eye: Vec3, size: f32) {
    let middle = eye + MIDDLE * size;
    let farthest = FARTHEST * size;
    // The nape hangs on the neck.
    let own: Vec<[Vec3; 3]> = skin
        .triangles
        .iter()
        .map(|corners| corners.map(|corner| skin.positions[corner as usize]))
        .filter(|corners| corners[0].distance(middle) < 2.0 * farthest)
        .collect();
    let ways: Vec<Vec3> = (0..=ROWS)
        .flat_map(|row| (0..COLUMNS).map(move |column| way(row, column)))
        .collect();
    let known = hits(&own, middle, &ways, farthest);
    let is_own: Vec<bool> = known.iter().map(Option::is_some).collect();
    let is_skull = |i: usize| {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let around = angle_of(column);
        around.min(TAU - around) > FACE.x || up_of(row) > FACE.y
    };
    if (0..ways.len()).all(|i| is_own[i] || !is_skull(i)) {
        return;
    }
    let (n_known, n) = (known.iter().flatten().count(), known.len());
    if (n_known as f32) < LEAST_KNOWN * n as f32 {
        return;
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
}

fn up_of(row: usize) -> f32 {
    FRAC_PI_2 - row as f32 / ROWS as f32 * (FRAC_PI_2 + DEEPEST)
}

/// About +Y from ahead towards its left.
fn angle_of(column: usize) -> f32 {
    column as f32 / COLUMNS as f32 * TAU
}

fn way(row: usize, column: usize) -> Vec3 {
    let (up, around) = (up_of(row), angle_of(column));
    Vec3::new(up.cos() * around.sin(), up.sin(), up.cos() * around.cos())
}

/// How far from a middle ways meet triangles first: the skull, not an ear on it.
fn hits(triangles: &[[Vec3; 3]], middle: Vec3, ways: &[Vec3], farthest: f32) -> Vec<Option<f32>> {
    let mut found: Vec<Option<f32>> = vec![None; ways.len()];
    for [a, b, c] in triangles.iter().map(|corners| corners.map(|p| p - middle)) {
        let center = (a + b + c) / 3.0;
        let Some(toward) = center.try_normalize() else {
            continue;
        };
        let reach = [a, b, c].map(|p| p.normalize_or_zero().distance(toward));
        // A chord of the unit ball; some more for those that come close to the middle.
        let reach = reach.into_iter().fold(0.0, f32::max) * 1.1 + 1e-4;
        let (along, aside) = (b - a, c - a);
        for (way, found) in ways.iter().zip(&mut found) {
            if way.distance_squared(toward) > reach * reach {
                continue;
            }
            let across = way.cross(aside);
            let by = along.dot(across);
            if by.abs() < 1e-14 {
                continue;
            }
            let u = -a.dot(across) / by;
            let turned = (-a).cross(along);
            let v = way.dot(turned) / by;
            let distance = aside.dot(turned) / by;
            if u >= -1e-3 && v >= -1e-3 && u + v <= 1.001 && (0.0..farthest).contains(&distance) {
                *found = Some(found.map_or(distance, |other| distance.min(other)));
            }
        }
    }
    found
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
