//! Self-collision of cloth: particles stay on their side of the triangles of other layers.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Particle, ParticleWorld};

/// Maximum distance between two layers, relative to the edges of the triangles.
const MAX_GAP: f32 = 0.2;
/// Distance between two layers that is restored per step, metres: more than gravity removes.
const MAX_CORRECTION: f32 = 1e-4;
/// Largest distance outside of a triangle at which a particle still touches it, as a barycentric coordinate.
const TOUCH_MARGIN: f32 = 0.05;
/// The same for a particle that may touch it within a tick.
const NEAR_MARGIN: f32 = 0.4;
/// Coefficient of friction between layers.
const FRICTION: f32 = 0.4;

/// A particle close to a triangle of another layer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct LayerContact {
    particle: u32,
    triangle: [u32; 3],
    /// 1 on the side of the triangle's normal, -1 on the other side.
    side: f32,
}

/// Finds parts of a piece of cloth that are close to other parts of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ClothLayers {
    triangles: Vec<[u32; 3]>,
    /// Longest edge at rest, metres.
    edge: f32,
    /// Pairs of grid cell and particle.
    grid: Vec<(u64, u32)>,
}

/// Contacts that are possible in a tick, and the distance between layers, metres.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LayerContacts {
    all: Vec<LayerContact>,
    gap: f32,
}

impl LayerContacts {
    /// Removes all contacts.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }
}

impl ClothLayers {
    /// Builds two triangles for each cell between lanes.
    pub(super) fn new(lanes: &[Vec<u32>], rest: &[Vec3]) -> Self {
        let mut triangles = Vec::new();
        for pair in lanes.windows(2) {
            for (left, right) in pair[0].windows(2).zip(pair[1].windows(2)) {
                triangles.push([left[0], left[1], right[0]]);
                triangles.push([right[0], left[1], right[1]]);
            }
        }
        let at = |i: u32| rest.get(i as usize).copied().unwrap_or(Vec3::ZERO);
        let edges = triangles
            .iter()
            .flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let edge = edges
            .map(|[a, b]| at(a).distance(at(b)))
            .fold(0.0, f32::max);
        Self {
            triangles,
            edge,
            grid: Vec::new(),
        }
    }

    /// Finds the contacts that are possible in the coming tick of `dt` seconds.
    pub(super) fn find(&mut self, world: &mut ParticleWorld, rest: &[Vec3], dt: f32) {
        world.contacts.all.clear();
        if self.edge <= 0.0 {
            return;
        }
        let particles = &world.particles;
        let cell = self.edge;
        self.grid.clear();
        let cells = particles.iter().zip(0..);
        self.grid
            .extend(cells.map(|(p, i)| (key(grid_cell(p.position, cell)), i)));
        self.grid.sort_unstable();
        let mean =
            particles.iter().map(|p| p.displacement).sum::<Vec3>() / particles.len().max(1) as f32;
        let moved = particles
            .iter()
            .map(|p| (p.displacement - mean).length())
            .fold(0.0, f32::max);
        let moved = moved / world.step * dt;
        let gap = world.thickness.min(MAX_GAP * self.edge);
        world.contacts.gap = gap;
        let reach = gap + (2.0 * moved).min(0.3 * self.edge);
        for triangle in &self.triangles {
            let [Some(a), Some(b), Some(c)] =
                triangle.map(|i| particles.get(i as usize).map(|p| p.position))
            else {
                continue;
            };
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let [low, high] = [
                a.min(b).min(c) - Vec3::splat(reach),
                a.max(b).max(c) + Vec3::splat(reach),
            ];
            let ([x, y, z], [to_x, to_y, to_z]) = (grid_cell(low, cell), grid_cell(high, cell));
            for (x, y) in (x..=to_x).flat_map(|x| (y..=to_y).map(move |y| (x, y))) {
                let (first, last) = (key([x, y, z]), key([x, y, to_z]));
                let from = self.grid.partition_point(|(key, _)| *key < first);
                for (_, i) in self.grid[from..].iter().take_while(|(key, _)| *key <= last) {
                    let Some(p) = particles.get(*i as usize) else {
                        continue;
                    };
                    let inside = p.position.cmpge(low) & p.position.cmple(high);
                    let away = (p.position - a).dot(normal);
                    if !inside.all() || away.abs() > reach || self.is_next_to(*i, triangle, rest) {
                        continue;
                    }
                    let is_over = barycentric(p.position, [a, b, c]).is_some_and(|fractions| {
                        fractions.iter().all(|weight| *weight > -NEAR_MARGIN)
                    });
                    if !is_over {
                        continue;
                    }
                    world.contacts.all.push(LayerContact {
                        particle: *i,
                        triangle: *triangle,
                        side: if away < 0.0 { -1.0 } else { 1.0 },
                    });
                }
            }
        }
    }

    /// Returns true for a particle of the triangle or of its neighbours.
    fn is_next_to(&self, particle: u32, triangle: &[u32; 3], rest: &[Vec3]) -> bool {
        let at = |i: u32| rest.get(i as usize).copied().unwrap_or(Vec3::ZERO);
        let near = 1.1 * self.edge;
        triangle
            .iter()
            .any(|corner| at(*corner).distance_squared(at(particle)) < near * near)
    }
}

/// Grid cell of a position. Far from the origin all positions share the outermost cells.
fn grid_cell(position: Vec3, size: f32) -> [i32; 3] {
    const MAX_COORDINATE: f32 = 1e6;
    (position / size)
        .clamp(Vec3::splat(-MAX_COORDINATE), Vec3::splat(MAX_COORDINATE))
        .to_array()
        .map(|v| v.floor() as i32)
}

/// Cell as a number; cells along z have consecutive numbers.
fn key(cell: [i32; 3]) -> u64 {
    let [x, y, z] = cell.map(|v| (v + (1 << 20)) as u64);
    x << 42 | y << 21 | z
}

/// Keeps particles at a distance from triangles of other layers after a step, with friction.
pub(super) fn keep_apart(particles: &mut [Particle], contacts: &LayerContacts) {
    let gap = contacts.gap;
    for contact in &contacts.all {
        let [a, b, c] = contact.triangle;
        let at = |i: u32| particles.get(i as usize).copied();
        let (Some(p), Some(a), Some(b), Some(c)) = (at(contact.particle), at(a), at(b), at(c))
        else {
            continue;
        };
        let normal = (b.position - a.position).cross(c.position - a.position);
        let Some(normal) = normal.try_normalize() else {
            continue;
        };
        let normal = normal * contact.side;
        let away = (p.position - a.position).dot(normal);
        if away >= gap {
            continue;
        }
        let corners = [a, b, c];
        let Some(fractions) = barycentric(p.position, corners.map(|p| p.position)) else {
            continue;
        };
        if fractions.iter().any(|weight| *weight < -TOUCH_MARGIN) {
            continue;
        }
        let spread = fractions.map(|weight| weight.clamp(0.0, 1.0));
        let relative_motion = corners
            .iter()
            .zip(spread)
            .fold(Vec3::ZERO, |sum, (corner, weight)| {
                sum + corner.displacement * weight
            });
        let speed = p.displacement - relative_motion;
        let into = normal * speed.dot(normal).min(0.0);
        let along = speed - normal * speed.dot(normal);
        let slide = along.length();
        let held = (FRICTION * -into.dot(normal)).min(slide);
        let along = if slide > 0.0 {
            along * (held / slide)
        } else {
            Vec3::ZERO
        };
        let weights = corners.iter().zip(spread);
        let sum = p.inverse_mass
            + weights.fold(0.0, |sum, (p, weight)| {
                sum + weight * weight * p.inverse_mass
            });
        if sum <= 0.0 {
            continue;
        }
        // Removes the relative velocity. The distance is restored slowly: layers that are pushed apart by force never come
        // to rest in a pile, where each has others above and below.
        let slowed = -(into + along) / sum;
        let moved = normal * ((gap - away).min(MAX_CORRECTION) / sum);
        let mut shift = |i: u32, weight: f32| {
            if let Some(p) = particles.get_mut(i as usize) {
                let weight = weight * p.inverse_mass;
                p.position += (slowed + moved) * weight;
                p.displacement += slowed * weight;
            }
        };
        shift(contact.particle, 1.0);
        for (i, weight) in contact.triangle.into_iter().zip(spread) {
            shift(i, -weight);
        }
    }
}

/// Barycentric coordinates of the projection of a point onto a triangle; `None` without an area.
fn barycentric(point: Vec3, [a, b, c]: [Vec3; 3]) -> Option<[f32; 3]> {
    let (u, v, w) = (b - a, c - a, point - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let area = uu * vv - uv * uv;
    if area <= 1e-6 * uu * vv {
        return None;
    }
    let (wu, wv) = (w.dot(u), w.dot(v));
    let (s, t) = ((vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area);
    Some([1.0 - s - t, s, t])
}
