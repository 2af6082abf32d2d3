//! Models for ropes and cloth: a bone for every particle, and a finer skinned mesh.

use glam::{Vec2, Vec3, Vec4};

use super::model::{particle_bone, particle_model, push_influences, root_bone};
use galatea_anim::SkeletonError;
use galatea_asset::Model;
use galatea_asset::model::{Influences, Material, Primitive};

/// Subdivisions of each particle cell along each side.
const SUBDIVISIONS: usize = 4;
/// Number of sides of a rope's cross-section.
const N_SIDES: usize = 10;

/// A piece of cloth in the plane z = 0 that hangs down from the origin at the middle of its upper edge. It is `size` metres
/// wide and high, its lower edge is `hem` times as wide, and its normal is +Z. Bone 0 is the root; bone 1 + column · rows +
/// row is named `cCOLUMN_rROW` and is at the particle of that lane and row.
///
/// # Errors
/// Fails if there are more bones than a skeleton may have.
pub fn sheet_model(
    (columns, rows): (usize, usize),
    size: Vec2,
    hem: f32,
    material: Material,
) -> Result<Model, SkeletonError> {
    let (columns, rows) = (columns.max(2), rows.max(2));
    let position = |u: f32, v: f32| {
        let width = size.x * (1.0 + (hem - 1.0) * v);
        Vec3::new((u - 0.5) * width, -v * size.y, 0.0)
    };
    let mut bones = vec![root_bone("cloth")];
    for column in 0..columns {
        for row in 0..rows {
            let u = column as f32 / (columns - 1) as f32;
            let v = row as f32 / (rows - 1) as f32;
            bones.push(particle_bone(format!("c{column}_r{row}"), position(u, v)));
        }
    }
    let (across, down) = ((columns - 1) * SUBDIVISIONS, (rows - 1) * SUBDIVISIONS);
    let mut primitive = Primitive {
        influences: Influences {
            per_vertex: 4,
            ..Influences::default()
        },
        ..Primitive::default()
    };
    for i in 0..=across {
        for j in 0..=down {
            let (u, v) = (i as f32 / across as f32, j as f32 / down as f32);
            primitive.positions.push(position(u, v));
            primitive.normals.push(Vec3::Z);
            primitive.tangents.push(Vec4::new(1.0, 0.0, 0.0, 1.0));
            primitive.uv0.push(Vec2::new(u, v));
            let (column, s) = cell(i, columns);
            let (row, t) = cell(j, rows);
            let bone = |c: usize, r: usize| (c * rows + r) as u16;
            let corners = [
                (bone(column, row), (1.0 - s) * (1.0 - t)),
                (bone(column + 1, row), s * (1.0 - t)),
                (bone(column, row + 1), (1.0 - s) * t),
                (bone(column + 1, row + 1), s * t),
            ];
            push_influences(&mut primitive.influences, corners);
        }
    }
    let at = |i: usize, j: usize| (i * (down + 1) + j) as u32;
    for i in 0..across {
        for j in 0..down {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
            primitive.indices.extend([a, c, b, b, c, d]);
        }
    }
    particle_model(
        "cloth",
        bones,
        vec![primitive],
        (vec![material], Vec::new()),
    )
}

/// A rope that hangs down from the origin, with bones `link_0`, `link_1`, …; the last one is named `end`.
///
/// # Errors
/// Fails if there are more bones than a skeleton may have.
pub fn tube_model(
    n: usize,
    length: f32,
    radius: f32,
    material: Material,
) -> Result<Model, SkeletonError> {
    let n = n.max(2);
    let mut bones = vec![root_bone("rope")];
    for i in 0..n {
        let name = if i + 1 == n {
            "end".to_owned()
        } else {
            format!("link_{i}")
        };
        let position = Vec3::NEG_Y * (length * i as f32 / (n - 1) as f32);
        bones.push(particle_bone(name, position));
    }
    let mut primitive = tube_side(n, length, radius);
    close_tube(&mut primitive, n);
    particle_model("rope", bones, vec![primitive], (vec![material], Vec::new()))
}

/// Bones and weights of a ring of a tube with `n` bones.
fn ring_weights(ring: usize, n: usize) -> [(u16, f32); 4] {
    let (row, t) = cell(ring, n);
    [
        (row as u16, 1.0 - t),
        (row as u16 + 1, t),
        (0, 0.0),
        (0, 0.0),
    ]
}

/// Index of a vertex on the side of a tube.
fn side_vertex(ring: usize, side: usize) -> usize {
    ring * (N_SIDES + 1) + side
}

fn tube_side(n: usize, length: f32, radius: f32) -> Primitive {
    let rings = (n - 1) * SUBDIVISIONS;
    let mut primitive = Primitive {
        influences: Influences {
            per_vertex: 4,
            ..Influences::default()
        },
        ..Primitive::default()
    };
    for j in 0..=rings {
        let v = j as f32 / rings as f32;
        for side in 0..=N_SIDES {
            let angle = std::f32::consts::TAU * side as f32 / N_SIDES as f32;
            let normal = Vec3::new(angle.cos(), 0.0, angle.sin());
            primitive
                .positions
                .push(normal * radius - Vec3::Y * (length * v));
            primitive.normals.push(normal);
            primitive
                .tangents
                .push(Vec4::new(-angle.sin(), 0.0, angle.cos(), 1.0));
            let turns = length * v / (radius * std::f32::consts::TAU).max(1e-4);
            primitive
                .uv0
                .push(Vec2::new(side as f32 / N_SIDES as f32, turns));
            push_influences(&mut primitive.influences, ring_weights(j, n));
        }
    }
    for j in 0..rings {
        for side in 0..N_SIDES {
            let (a, b, c, d) = (
                side_vertex(j, side) as u32,
                side_vertex(j, side + 1) as u32,
                side_vertex(j + 1, side) as u32,
                side_vertex(j + 1, side + 1) as u32,
            );
            primitive.indices.extend([a, b, c, b, d, c]);
        }
    }
    primitive
}

/// Adds the flat ends of a tube.
fn close_tube(primitive: &mut Primitive, n: usize) {
    for (j, normal) in [(0, Vec3::Y), ((n - 1) * SUBDIVISIONS, Vec3::NEG_Y)] {
        let first = primitive.positions.len() as u32;
        for side in 0..N_SIDES {
            let ring = primitive.positions[side_vertex(j, side)];
            primitive.positions.push(ring);
            primitive.normals.push(normal);
            primitive.tangents.push(Vec4::new(1.0, 0.0, 0.0, 1.0));
            primitive.uv0.push(Vec2::splat(0.5));
            push_influences(&mut primitive.influences, ring_weights(j, n));
        }
        for side in 1..N_SIDES as u32 - 1 {
            let (b, c) = if j == 0 {
                (side + 1, side)
            } else {
                (side, side + 1)
            };
            primitive.indices.extend([first, first + b, first + c]);
        }
    }
}

/// Cell of a subdivision line, and position in the cell, 0..=1.
fn cell(line: usize, n: usize) -> (usize, f32) {
    let cell = (line / SUBDIVISIONS).min(n - 2);
    (
        cell,
        (line - cell * SUBDIVISIONS) as f32 / SUBDIVISIONS as f32,
    )
}
