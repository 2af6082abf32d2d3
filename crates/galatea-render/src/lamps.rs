//! Which lamps light a picture, in which cells of the view, and where their shadow maps look.
//!
//! The view is cut into cells (Olsson, Billeter, Assarsson 2012, "Clustered deferred and forward
//! shading"): a grid on the picture times slices of distance. Each has its list of lamps, so that a
//! pixel asks only those that can reach it.

use glam::camera::rh::proj::directx::perspective;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};

use super::options::RenderOptions;
use super::uniforms::{self, ShadowView};
use super::view::{NEAR, aspect, fov_y};
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::{Camera, Frame, Lamp, MOST_LAMPS};

/// Cells across, down and away: `CELLS_*` of `inc/lamps.wgsl`.
pub const CELLS: (usize, usize, usize) = (16, 9, 24);
/// `CELL_NEAR` and `CELL_RATE` of `inc/lamps.wgsl`.
const CELL_NEAR: f32 = 0.25;
const CELL_RATE: f32 = 2.4;
/// The most lamps of a cell: what its record can count.
const MOST_IN_CELL: u32 = 255;
/// The greatest range, metres: farther, depth is too coarse for shadows.
const FARTHEST: f32 = 1e4;
/// No shadow.
const NO_VIEW: u32 = u32::MAX;
/// Degrees that each of a ball's six views is wider than a right angle, so that soft shadows do not
/// end at their edges.
const OVERLAP: f32 = 4.0;

/// The lamps of a picture, for the shaders. Rebuilt in place.
#[derive(Default)]
pub struct Lamps {
    /// The brightest at the camera's target first.
    pub lamps: Vec<uniforms::GpuLamp>,
    /// Views of those that cast shadows.
    pub views: Vec<ShadowView>,
    /// What the views can see at most: position of the lamp, range, and for a spot where it shines
    /// and the cosine of its outer angle.
    pub reach: Vec<ShadowFocus>,
    /// Cells, then their lists.
    pub cells: Vec<u32>,
    order: Vec<(f32, u32)>,
    spans: Vec<CellSpan>,
}

/// The place that a shadow view looks at.
#[derive(Clone, Copy, Debug)]
pub struct ShadowFocus {
    position: Vec3,
    range: f32,
    direction: Vec3,
    /// Cosine and sine of half the angle of a cone that holds the view.
    cone: (f32, f32),
}

impl ShadowFocus {
    /// True when a sphere is at least partly within the view, as far as a cone about it tells.
    pub fn holds(&self, (center, radius): (Vec3, f32)) -> bool {
        let to = center - self.position;
        if to.length() > self.range + radius {
            return false;
        }
        let along = to.dot(self.direction);
        let across = (to.length_squared() - along * along).max(0.0).sqrt();
        let (cos, sin) = self.cone;
        // Distance from the cone's surface, positive outside.
        across * cos - along * sin <= radius
    }
}

/// Cells that a lamp may reach: first and last on each axis.
#[derive(Clone, Copy, Debug)]
struct CellSpan {
    low: [usize; 3],
    high: [usize; 3],
}

impl Lamps {
    /// Takes the lamps of a frame.
    pub fn build(&mut self, frame: &Frame, size: (u32, u32), options: &RenderOptions) {
        self.lamps.clear();
        self.views.clear();
        self.reach.clear();
        self.spans.clear();
        self.choose(frame);
        let wanted = self.order.iter().map(|(_, i)| {
            let lamp = &frame.light.lamps[*i as usize];
            u32::from(lamp.casts) * n_views(lamp)
        });
        let tiles = ShadowTiles::of(options.lamp_shadows, wanted.sum());
        for i in 0..self.order.len() {
            let lamp = frame.light.lamps[self.order[i].1 as usize];
            let lamp = &Lamp {
                range: lamp.range.min(FARTHEST),
                ..lamp
            };
            let n_views = n_views(lamp);
            let first = self.views.len() as u32;
            let casts = lamp.casts && first + n_views <= tiles.n();
            if casts {
                self.add_views(lamp, &tiles);
            }
            self.lamps
                .push(gpu_lamp(lamp, if casts { first } else { NO_VIEW }, n_views));
            self.spans.push(span_of(lamp, &frame.camera, size));
        }
        self.fill_cells();
    }

    /// The brightest at the camera's target, those that are not numbers left out.
    fn choose(&mut self, frame: &Frame) {
        self.order.clear();
        for (i, lamp) in frame.light.lamps.iter().enumerate() {
            let is_lit = lamp.range > 0.0 && lamp.color.max_element() > 0.0;
            if !(is_lit && lamp.position.is_finite() && lamp.color.is_finite()) {
                continue;
            }
            let distance = lamp.position.distance(frame.camera.target);
            let weight = lamp.color.max_element() / (distance * distance + 0.25);
            self.order.push((weight, i as u32));
        }
        self.order
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.order.truncate(MOST_LAMPS);
    }

    fn add_views(&mut self, lamp: &Lamp, tiles: &ShadowTiles) {
        let far = lamp.range;
        let near = (far * 0.005).max(0.01);
        let mut add = |direction: Vec3, up: Vec3, angle: f32| {
            let fov = angle.to_radians();
            let clip_from_world =
                perspective(fov, 1.0, near, far) * look_to_mat4(lamp.position, direction, up);
            let corner = ((fov * 0.5).tan() * std::f32::consts::SQRT_2).atan();
            self.views.push(ShadowView {
                clip_from_world: uniforms::columns(clip_from_world),
                tile: tiles.rectangle(self.views.len() as u32),
                near,
                far,
                texel: 2.0 * (fov * 0.5).tan() / tiles.size as f32,
                padding: 0.0,
            });
            self.reach.push(ShadowFocus {
                position: lamp.position,
                range: far,
                direction,
                cone: (corner.cos(), corner.sin()),
            });
        };
        match lamp.spot {
            Some(spot) => {
                let direction = spot.direction.try_normalize().unwrap_or(Vec3::NEG_Y);
                let up = direction.any_orthonormal_vector();
                add(direction, up, (2.0 * spot.outer + 2.0).clamp(4.0, 172.0));
            }
            None => {
                for direction in [
                    Vec3::X,
                    Vec3::NEG_X,
                    Vec3::Y,
                    Vec3::NEG_Y,
                    Vec3::Z,
                    Vec3::NEG_Z,
                ] {
                    add(
                        direction,
                        direction.any_orthonormal_vector(),
                        90.0 + OVERLAP,
                    );
                }
            }
        }
    }

    fn fill_cells(&mut self) {
        let n_cells = CELLS.0 * CELLS.1 * CELLS.2;
        self.cells.clear();
        self.cells.resize(n_cells, 0);
        let cells = |span: CellSpan| {
            let [low, high] = [span.low, span.high];
            (low[2]..=high[2]).flat_map(move |z| {
                (low[1]..=high[1]).flat_map(move |y| {
                    (low[0]..=high[0]).map(move |x| (z * CELLS.1 + y) * CELLS.0 + x)
                })
            })
        };
        for span in &self.spans {
            for cell in cells(*span) {
                self.cells[cell] = (self.cells[cell] + 1).min(MOST_IN_CELL);
            }
        }
        let mut end = n_cells as u32;
        for cell in 0..n_cells {
            let n = self.cells[cell];
            // The count is built up again while the list is filled.
            self.cells[cell] = end << 8;
            end += n;
        }
        self.cells.resize(end as usize, 0);
        for (lamp, span) in self.spans.iter().enumerate() {
            for cell in cells(*span) {
                let (first, n) = (self.cells[cell] >> 8, self.cells[cell] & 0xff);
                if n < MOST_IN_CELL {
                    self.cells[(first + n) as usize] = lamp as u32;
                    self.cells[cell] += 1;
                }
            }
        }
    }
}

/// Views of a lamp's shadow map.
fn n_views(lamp: &Lamp) -> u32 {
    if lamp.spot.is_some() { 1 } else { 6 }
}

fn gpu_lamp(lamp: &Lamp, first_view: u32, n_views: u32) -> uniforms::GpuLamp {
    let (direction, scale, offset) = match lamp.spot {
        Some(spot) => {
            let outer = spot.outer.clamp(1.0, 85.0).to_radians().cos();
            let inner = spot
                .inner
                .clamp_to(0.0, spot.outer.clamp(1.0, 85.0) - 0.5)
                .to_radians()
                .cos();
            let scale = 1.0 / (inner - outer).max(1e-4);
            let direction = spot.direction.try_normalize().unwrap_or(Vec3::NEG_Y);
            (direction, scale, -outer * scale)
        }
        None => (Vec3::NEG_Y, 0.0, 1.0),
    };
    uniforms::GpuLamp {
        position: lamp.position.to_array(),
        falloff: 1.0 / (lamp.range * lamp.range),
        color: lamp.color.max(Vec3::ZERO).to_array(),
        radius: lamp.radius.clamp(0.0, 10.0),
        direction: direction.to_array(),
        spot_scale: scale,
        spot_offset: offset,
        first_view,
        n_views,
        padding: 0,
    }
}

/// Tiles of the lamps' map.
struct ShadowTiles {
    atlas: u32,
    size: u32,
}

impl ShadowTiles {
    /// As large as `n` of them may be, but no smaller than `least`.
    fn of((atlas, least): (u32, u32), n: u32) -> Self {
        let per_row = (1..).find(|row| row * row >= n).unwrap_or(1);
        Self {
            atlas,
            size: (atlas / per_row).max(least).max(1),
        }
    }

    fn per_row(&self) -> u32 {
        self.atlas / self.size
    }

    fn n(&self) -> u32 {
        self.per_row() * self.per_row()
    }

    /// Offset and size of a tile, 0..1.
    fn rectangle(&self, i: u32) -> [f32; 4] {
        let row = self.per_row().max(1);
        let unit = self.size as f32 / self.atlas.max(1) as f32;
        [(i % row) as f32 * unit, (i / row) as f32 * unit, unit, unit]
    }
}

/// A sphere about all that a lamp lights.
fn lit_sphere(lamp: &Lamp) -> (Vec3, f32) {
    let Some(spot) = lamp.spot else {
        return (lamp.position, lamp.range);
    };
    let direction = spot.direction.try_normalize().unwrap_or(Vec3::NEG_Y);
    let outer = spot.outer.clamp(1.0, 85.0).to_radians();
    if outer < std::f32::consts::FRAC_PI_4 {
        let radius = lamp.range / (2.0 * outer.cos());
        (lamp.position + direction * radius, radius)
    } else {
        let center = lamp.position + direction * (lamp.range * outer.cos());
        (center, lamp.range * outer.sin())
    }
}

fn slice(along: f32) -> usize {
    let slice = (along.max(1e-3) / CELL_NEAR).log2() * CELL_RATE + 1.0;
    (slice.max(0.0) as usize).min(CELLS.2 - 1)
}

fn span_of(lamp: &Lamp, camera: &Camera, size: (u32, u32)) -> CellSpan {
    let (center, radius) = lit_sphere(lamp);
    let view: Mat4 = camera.view_from_world();
    let at = view.transform_point3(center);
    let along = -at.z;
    let (near, far) = (along - radius, along + radius);
    let mut span = CellSpan {
        low: [0, 0, slice(near)],
        high: [CELLS.0 - 1, CELLS.1 - 1, slice(far)],
    };
    if near > NEAR {
        let half = (fov_y(camera) * 0.5).tan();
        let cells = |low: f32, high: f32, n: usize| {
            let cell = |ndc: f32| {
                let at = (ndc * 0.5 + 0.5) * n as f32;
                (at.max(0.0) as usize).min(n - 1)
            };
            (cell(low), cell(high))
        };
        let edges = |middle: f32, tan: f32| {
            let (low, high) = (middle - radius, middle + radius);
            (
                (low / near).min(low / far) / tan,
                (high / near).max(high / far) / tan,
            )
        };
        let (low, high) = edges(at.x, half * aspect(size));
        (span.low[0], span.high[0]) = cells(low, high, CELLS.0);
        // Cells are counted from the top.
        let (low, high) = edges(at.y, half);
        (span.low[1], span.high[1]) = cells(-high, -low, CELLS.1);
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::frame::{Light, Spot};

    fn frame(lamps: Vec<Lamp>) -> Frame {
        Frame {
            light: Light {
                lamps,
                ..Light::default()
            },
            ..Frame::default()
        }
    }

    fn built(frame: &Frame) -> Lamps {
        let mut lamps = Lamps::default();
        lamps.build(frame, (640, 360), &RenderOptions::default());
        lamps
    }

    /// The lamps of the cell of a world point, or `None` outside the picture.
    fn at(lamps: &Lamps, frame: &Frame, point: Vec3) -> Option<Vec<u32>> {
        let clip =
            super::super::view::clip_from_world(&frame.camera, (640, 360)) * point.extend(1.0);
        let ndc = clip.truncate() / clip.w;
        if clip.w <= NEAR || ndc.x.abs() > 1.0 || ndc.y.abs() > 1.0 {
            return None;
        }
        let x = ((ndc.x * 0.5 + 0.5) * CELLS.0 as f32) as usize;
        let y = ((0.5 - ndc.y * 0.5) * CELLS.1 as f32) as usize;
        let cell = (slice(clip.w) * CELLS.1 + y.min(CELLS.1 - 1)) * CELLS.0 + x.min(CELLS.0 - 1);
        let (first, n) = (lamps.cells[cell] >> 8, lamps.cells[cell] & 0xff);
        Some(lamps.cells[first as usize..(first + n) as usize].to_vec())
    }

    #[test]
    fn every_lit_place_knows_its_lamps_and_most_others_do_not() {
        let mut random = galatea_stage::Rng::new(5);
        let mut unit = || random.unit() as f32 * 2.0 - 1.0;
        let lamps: Vec<Lamp> = (0..60)
            .map(|i| Lamp {
                position: Vec3::new(unit() * 8.0, unit() * 2.0 + 1.0, unit() * 12.0 - 6.0),
                range: 0.5 + (unit() + 1.0) * 1.5,
                spot: (i % 2 == 0).then(|| Spot {
                    direction: Vec3::new(unit(), unit(), unit()),
                    inner: 10.0,
                    outer: 20.0 + 25.0 * (unit() + 1.0),
                }),
                ..Lamp::default()
            })
            .collect();
        let frame = frame(lamps);
        let built = built(&frame);
        let (mut asked, mut listed, mut needed) = (0, 0, 0);
        for _ in 0..4000 {
            let point = Vec3::new(unit() * 8.0, unit() * 3.0 + 1.0, unit() * 12.0 - 6.0);
            let Some(known) = at(&built, &frame, point) else {
                continue;
            };
            asked += 1;
            listed += known.len();
            for (i, lamp) in built.lamps.iter().enumerate() {
                let to = Vec3::from(lamp.position) - point;
                let cosine = -to.normalize().dot(lamp.direction.into());
                let is_lit = to.length_squared() * lamp.falloff < 1.0
                    && cosine * lamp.spot_scale + lamp.spot_offset > 0.0;
                if is_lit {
                    needed += 1;
                    assert!(
                        known.contains(&(i as u32)),
                        "{point}: lamp {i} is not known"
                    );
                }
            }
        }
        assert!(asked > 500 && needed > 500, "{asked}, {needed}");
        assert!(listed < asked * 20, "{listed} of {}", asked * 60);
    }

    #[test]
    fn shadows_go_to_the_brightest_lamps_that_fit() {
        let ball = |x: f32, strength: f32| Lamp {
            position: Vec3::new(x, 1.0, 0.0),
            color: Vec3::splat(strength),
            ..Lamp::default()
        };
        let lamps = built(&frame(vec![
            ball(1.0, 1.0),
            ball(1.0, 9.0),
            ball(-1.0, 5.0),
        ]));
        // 16 tiles hold two balls of six views.
        let views: Vec<u32> = lamps.lamps.iter().map(|lamp| lamp.first_view).collect();
        assert_eq!(views, [0, 6, NO_VIEW]);
        assert_eq!(lamps.views.len(), 12);
        assert_eq!(lamps.lamps[0].color, [9.0; 3]);
    }

    #[test]
    fn a_view_holds_what_its_matrix_shows() {
        let lamp = Lamp {
            spot: Some(Spot {
                direction: Vec3::new(0.2, -1.0, -0.4),
                inner: 10.0,
                outer: 30.0,
            }),
            ..Lamp::default()
        };
        let lamps = built(&frame(vec![lamp]));
        let clip = Mat4::from_cols_array_2d(&lamps.views[0].clip_from_world);
        let mut random = galatea_stage::Rng::new(9);
        let mut n_seen = 0;
        for _ in 0..2000 {
            let mut unit = || random.unit() as f32 * 8.0 - 4.0;
            let point = Vec3::new(unit(), unit(), unit());
            let p = clip * point.extend(1.0);
            if p.w > 0.0 && p.x.abs() < p.w && p.y.abs() < p.w && p.z < p.w {
                n_seen += 1;
                assert!(lamps.reach[0].holds((point, 0.0)), "{point}");
            }
        }
        assert!(n_seen > 20);
        assert!(!lamps.reach[0].holds((lamp.position + Vec3::Y, 0.5)));
    }

    #[test]
    fn lamps_that_are_no_numbers_are_left_out_and_endless_ones_end() {
        let endless = Lamp {
            range: f32::INFINITY,
            ..Lamp::default()
        };
        let lamps = built(&frame(vec![endless]));
        assert!(
            lamps
                .views
                .iter()
                .all(|view| view.near < view.far && view.far < 2e4)
        );
        let broken = Lamp {
            position: Vec3::NAN,
            ..Lamp::default()
        };
        assert!(built(&frame(vec![broken])).lamps.is_empty());
    }
}
