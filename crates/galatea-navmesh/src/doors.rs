//! Doors: polygons that open and close without a new bake.

use glam::Vec2;
use rerecast::AreaType;

use super::ground::{DOOR, NavVolume};
use super::mesh::{NONE, NavLink, NavMesh};
use galatea_math::lines::flat;

impl NavMesh {
    /// Opens or closes a door. The polygons of a closed door have no neighbours, and [`nearest`](Self::nearest) does not
    /// find them, so no agent can be on them. Takes time in proportion to the number of edges. Returns true if anything
    /// changed.
    pub fn set_door(&mut self, door: usize, is_open: bool) -> bool {
        let Some(is_closed) = self.closed.get_mut(door) else {
            return false;
        };
        if *is_closed != is_open {
            return false;
        }
        *is_closed = !is_open;
        self.connect();
        true
    }

    /// Finds the door of each polygon. All doors start open.
    pub(super) fn find_doors(&mut self, areas: &[AreaType], doors: &[NavVolume]) {
        let n_polygons = self.n_polygons();
        self.closed = vec![false; doors.len()];
        self.doors = vec![NONE; n_polygons];
        for (polygon, area) in areas.iter().enumerate().take(n_polygons) {
            if area.0 != DOOR {
                continue;
            }
            let n_corners = self.edges(polygon as u32).len().max(1) as f32;
            let corners = self.around(polygon as u32);
            let middle: glam::Vec3 = corners.sum::<glam::Vec3>() / n_corners;
            let off = |door: &NavVolume| {
                let [low, high] = door.heights;
                let up = (low - middle.y).max(middle.y - high).max(0.0);
                up + distance(&door.around, flat(middle))
            };
            let nearest = (0..)
                .zip(doors)
                .min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
            self.doors[polygon] = nearest.map_or(NONE, |(door, _)| door);
        }
    }

    /// Returns true if a polygon belongs to a closed door.
    pub(super) fn is_closed(&self, polygon: u32) -> bool {
        let door = self.doors[polygon as usize];
        self.closed.get(door as usize).copied().unwrap_or(false)
    }

    /// Returns true if neither end of a link is in a closed door.
    pub(super) fn is_passable(&self, link: &NavLink) -> bool {
        !self.is_closed(link.from.polygon) && !self.is_closed(link.to.polygon)
    }
}

/// Distance of a position from a convex polygon, metres; 0 inside.
fn distance(around: &[Vec2], at: Vec2) -> f32 {
    let mut sides = (false, false);
    let mut nearest = f32::INFINITY;
    for (i, from) in around.iter().enumerate() {
        let to = around[(i + 1) % around.len()];
        let side = (to - *from).perp_dot(at - *from);
        sides.0 |= side > 0.0;
        sides.1 |= side < 0.0;
        let near = galatea_math::lines::nearest_on([*from, to], at);
        nearest = nearest.min(near.distance(at));
    }
    if sides.0 && sides.1 { nearest } else { 0.0 }
}

#[cfg(test)]
mod tests;
