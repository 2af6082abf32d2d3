//! Point and spot lights of a frame: the visible ones, the view cells that each reaches, and the views of their shadow maps.
//!
//! The view is divided into cells (Olsson, Billeter, Assarsson 2012, "Clustered deferred and forward shading"): a screen
//! grid times depth slices. Each cell has a list of lights, so a pixel only evaluates the lights that can reach it.

use glam::camera::rh::proj::directx::perspective;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};

use super::options::RenderOptions;
use super::uniforms::{self, ShadowView};
use super::view::{NEAR, aspect, fov_y};
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::{Camera, Frame, LocalLight, MAX_LIGHTS};

/// Number of cells across, down and in depth: `CELLS_*` of `inc/local_lights.wgsl`.
pub const CELLS: (usize, usize, usize) = (16, 9, 24);
/// `CELL_NEAR` and `CELL_RATE` of `inc/local_lights.wgsl`.
const CELL_NEAR: f32 = 0.25;
const CELL_RATE: f32 = 2.4;
/// Maximum number of lights per cell, given by the bits of its counter.
const MAX_LIGHTS_PER_CELL: u32 = 255;
/// Maximum light range, metres. Depth is too coarse for shadows beyond it.
const MAX_RANGE: f32 = 1e4;
/// View index of a light without shadows.
const NO_VIEW: u32 = u32::MAX;
/// Extra field of view of each of a point light's six shadow views, in degrees beyond 90. It keeps soft shadows intact
/// across view edges.
const OVERLAP: f32 = 4.0;

/// Point and spot lights of a frame in shader layout. Rebuilt in place.
#[derive(Default)]
pub struct LocalLights {
    /// Lights, sorted by brightness at the camera's target, brightest first.
    pub local_lights: Vec<uniforms::GpuLocalLight>,
    /// Shadow map views of the lights that cast shadows.
    pub views: Vec<ShadowView>,
    /// Bounds of each shadow view, for culling.
    pub bounds: Vec<ShadowFocus>,
    /// Cell records, followed by the lists of lights.
    pub cells: Vec<u32>,
    order: Vec<(f32, u32)>,
    spans: Vec<CellSpan>,
}

/// Bounding cone of a shadow view.
#[derive(Clone, Copy, Debug)]
pub struct ShadowFocus {
    position: Vec3,
    range: f32,
    direction: Vec3,
    /// Cosine and sine of the cone's half angle.
    cone: (f32, f32),
}

impl ShadowFocus {
    /// Returns true if a sphere touches the bounding cone.
    pub fn touches(&self, (center, radius): (Vec3, f32)) -> bool {
        let to = center - self.position;
        if to.length() > self.range + radius {
            return false;
        }
        let along = to.dot(self.direction);
        let across = (to.length_squared() - along * along).max(0.0).sqrt();
        let (cos, sin) = self.cone;
        // Signed distance from the cone's surface, positive outside.
        across * cos - along * sin <= radius
    }
}

/// Range of cells that a light can reach: first and last on each axis.
#[derive(Clone, Copy, Debug)]
struct CellSpan {
    low: [usize; 3],
    high: [usize; 3],
}

impl LocalLights {
    /// Collects the lights of a frame.
    pub fn build(&mut self, frame: &Frame, size: (u32, u32), options: &RenderOptions) {
        self.local_lights.clear();
        self.views.clear();
        self.bounds.clear();
        self.spans.clear();
        self.choose(frame);
        let n_requested = self.order.iter().map(|(_, i)| {
            let light = &frame.light.local_lights[*i as usize];
            u32::from(light.casts_shadows) * n_views(light)
        });
        let tiles = ShadowTiles::of(options.light_shadow_size, n_requested.sum());
        for i in 0..self.order.len() {
            let light = frame.light.local_lights[self.order[i].1 as usize];
            let light = &LocalLight {
                range: light.range.min(MAX_RANGE),
                ..light
            };
            let n_views = n_views(light);
            let first = self.views.len() as u32;
            let casts = light.casts_shadows && first + n_views <= tiles.n();
            if casts {
                self.add_views(light, &tiles);
            }
            self.local_lights.push(gpu_local_light(
                light,
                if casts { first } else { NO_VIEW },
                n_views,
            ));
            self.spans.push(span_of(light, &frame.camera, size));
        }
        self.fill_cells();
    }

    /// Selects the brightest lights at the camera's target. Lights with NaN or infinite values are left out.
    fn choose(&mut self, frame: &Frame) {
        self.order.clear();
        for (i, light) in frame.light.local_lights.iter().enumerate() {
            let is_lit = light.range > 0.0 && light.color.max_element() > 0.0;
            if !(is_lit && light.position.is_finite() && light.color.is_finite()) {
                continue;
            }
            let distance = light.position.distance(frame.camera.target);
            let weight = light.color.max_element() / (distance * distance + 0.25);
            self.order.push((weight, i as u32));
        }
        self.order
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.order.truncate(MAX_LIGHTS);
    }

    fn add_views(&mut self, light: &LocalLight, tiles: &ShadowTiles) {
        let far = light.range;
        let near = (far * 0.005).max(0.01);
        let mut add = |direction: Vec3, up: Vec3, angle: f32| {
            let fov = angle.to_radians();
            let clip_from_world =
                perspective(fov, 1.0, near, far) * look_to_mat4(light.position, direction, up);
            let corner = ((fov * 0.5).tan() * std::f32::consts::SQRT_2).atan();
            self.views.push(ShadowView {
                clip_from_world: uniforms::columns(clip_from_world),
                tile: tiles.rectangle(self.views.len() as u32),
                near,
                far,
                texel: 2.0 * (fov * 0.5).tan() / tiles.size as f32,
                padding: 0.0,
            });
            self.bounds.push(ShadowFocus {
                position: light.position,
                range: far,
                direction,
                cone: (corner.cos(), corner.sin()),
            });
        };
        match light.spot {
            Some(spot) => {
                let direction = spot.direction.try_normalize().unwrap_or(Vec3::NEG_Y);
                let up = direction.any_orthonormal_vector();
                add(
                    direction,
                    up,
                    (2.0 * spot.outer_angle + 2.0).clamp(4.0, 172.0),
                );
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
                self.cells[cell] = (self.cells[cell] + 1).min(MAX_LIGHTS_PER_CELL);
            }
        }
        let mut end = n_cells as u32;
        for cell in 0..n_cells {
            let n = self.cells[cell];
            // The count restarts at 0 and is incremented while the list is filled.
            self.cells[cell] = end << 8;
            end += n;
        }
        self.cells.resize(end as usize, 0);
        for (light, span) in self.spans.iter().enumerate() {
            for cell in cells(*span) {
                let (first, n) = (self.cells[cell] >> 8, self.cells[cell] & 0xff);
                if n < MAX_LIGHTS_PER_CELL {
                    self.cells[(first + n) as usize] = light as u32;
                    self.cells[cell] += 1;
                }
            }
        }
    }
}

/// Number of shadow map views of a light.
fn n_views(light: &LocalLight) -> u32 {
    if light.spot.is_some() { 1 } else { 6 }
}

fn gpu_local_light(light: &LocalLight, first_view: u32, n_views: u32) -> uniforms::GpuLocalLight {
    let (direction, scale, offset) = match light.spot {
        Some(spot) => {
            let outer = spot.outer_angle.clamp(1.0, 85.0).to_radians().cos();
            let inner = spot
                .inner_angle
                .clamp_to(0.0, spot.outer_angle.clamp(1.0, 85.0) - 0.5)
                .to_radians()
                .cos();
            let scale = 1.0 / (inner - outer).max(1e-4);
            let direction = spot.direction.try_normalize().unwrap_or(Vec3::NEG_Y);
            (direction, scale, -outer * scale)
        }
        None => (Vec3::NEG_Y, 0.0, 1.0),
    };
    uniforms::GpuLocalLight {
        position: light.position.to_array(),
        falloff: 1.0 / (light.range * light.range),
        color: light.color.max(Vec3::ZERO).to_array(),
        radius: light.source_radius.clamp(0.0, 10.0),
        direction: direction.to_array(),
        spot_scale: scale,
        spot_offset: offset,
        first_view,
        n_views,
        padding: 0,
    }
}

/// Tiles of the shadow atlas for point and spot lights.
struct ShadowTiles {
    atlas: u32,
    size: u32,
}

impl ShadowTiles {
    /// Chooses the largest tile size with room for `n` tiles, at least `min_size`.
    fn of((atlas, min_size): (u32, u32), n: u32) -> Self {
        let per_row = (1..).find(|row| row * row >= n).unwrap_or(1);
        Self {
            atlas,
            size: (atlas / per_row).max(min_size).max(1),
        }
    }

    fn per_row(&self) -> u32 {
        self.atlas / self.size
    }

    fn n(&self) -> u32 {
        self.per_row() * self.per_row()
    }

    /// Offset and size of a tile, as fractions of the atlas.
    fn rectangle(&self, i: u32) -> [f32; 4] {
        let row = self.per_row().max(1);
        let unit = self.size as f32 / self.atlas.max(1) as f32;
        [(i % row) as f32 * unit, (i / row) as f32 * unit, unit, unit]
    }
}

/// Bounding sphere of a light's lit volume.
fn lit_sphere(light: &LocalLight) -> (Vec3, f32) {
    let Some(spot) = light.spot else {
        return (light.position, light.range);
    };
    let direction = spot.direction.try_normalize().unwrap_or(Vec3::NEG_Y);
    let outer = spot.outer_angle.clamp(1.0, 85.0).to_radians();
    if outer < std::f32::consts::FRAC_PI_4 {
        let radius = light.range / (2.0 * outer.cos());
        (light.position + direction * radius, radius)
    } else {
        let center = light.position + direction * (light.range * outer.cos());
        (center, light.range * outer.sin())
    }
}

fn slice(along: f32) -> usize {
    let slice = (along.max(1e-3) / CELL_NEAR).log2() * CELL_RATE + 1.0;
    (slice.max(0.0) as usize).min(CELLS.2 - 1)
}

fn span_of(light: &LocalLight, camera: &Camera, size: (u32, u32)) -> CellSpan {
    let (center, radius) = lit_sphere(light);
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
        // Cells are numbered from the top.
        let (low, high) = edges(at.y, half);
        (span.low[1], span.high[1]) = cells(-high, -low, CELLS.1);
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::frame::{Light, Spot};

    fn frame(lamps: Vec<LocalLight>) -> Frame {
        Frame {
            light: Light {
                local_lights: lamps,
                ..Light::default()
            },
            ..Frame::default()
        }
    }

    fn built(frame: &Frame) -> LocalLights {
        let mut lamps = LocalLights::default();
        lamps.build(frame, (640, 360), &RenderOptions::default());
        lamps
    }

    /// Lights in the cell of a world point; `None` outside the image.
    fn at(lamps: &LocalLights, frame: &Frame, point: Vec3) -> Option<Vec<u32>> {
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
    fn every_lit_point_lists_its_lights_and_few_others() {
        let mut random = galatea_stage::Rng::new(5);
        let mut unit = || random.unit() as f32 * 2.0 - 1.0;
        let lamps: Vec<LocalLight> = (0..60)
            .map(|i| LocalLight {
                position: Vec3::new(unit() * 8.0, unit() * 2.0 + 1.0, unit() * 12.0 - 6.0),
                range: 0.5 + (unit() + 1.0) * 1.5,
                spot: (i % 2 == 0).then(|| Spot {
                    direction: Vec3::new(unit(), unit(), unit()),
                    inner_angle: 10.0,
                    outer_angle: 20.0 + 25.0 * (unit() + 1.0),
                }),
                ..LocalLight::default()
            })
            .collect();
        let frame = frame(lamps);
        let built = built(&frame);
        let (mut n_points, mut listed, mut needed) = (0, 0, 0);
        for _ in 0..4000 {
            let point = Vec3::new(unit() * 8.0, unit() * 3.0 + 1.0, unit() * 12.0 - 6.0);
            let Some(known) = at(&built, &frame, point) else {
                continue;
            };
            n_points += 1;
            listed += known.len();
            for (i, light) in built.local_lights.iter().enumerate() {
                let to = Vec3::from(light.position) - point;
                let cosine = -to.normalize().dot(light.direction.into());
                let is_lit = to.length_squared() * light.falloff < 1.0
                    && cosine * light.spot_scale + light.spot_offset > 0.0;
                if is_lit {
                    needed += 1;
                    assert!(
                        known.contains(&(i as u32)),
                        "{point}: light {i} is not listed"
                    );
                }
            }
        }
        assert!(n_points > 500 && needed > 500, "{n_points}, {needed}");
        assert!(listed < n_points * 20, "{listed} of {}", n_points * 60);
    }

    #[test]
    fn the_brightest_lights_that_fit_cast_shadows() {
        let ball = |x: f32, strength: f32| LocalLight {
            position: Vec3::new(x, 1.0, 0.0),
            color: Vec3::splat(strength),
            ..LocalLight::default()
        };
        let lamps = built(&frame(vec![
            ball(1.0, 1.0),
            ball(1.0, 9.0),
            ball(-1.0, 5.0),
        ]));
        // 16 tiles have room for two point lights with six views each.
        let views: Vec<u32> = lamps
            .local_lights
            .iter()
            .map(|light| light.first_view)
            .collect();
        assert_eq!(views, [0, 6, NO_VIEW]);
        assert_eq!(lamps.views.len(), 12);
        assert_eq!(lamps.local_lights[0].color, [9.0; 3]);
    }

    #[test]
    fn the_bounding_cone_contains_the_view_frustum() {
        let light = LocalLight {
            spot: Some(Spot {
                direction: Vec3::new(0.2, -1.0, -0.4),
                inner_angle: 10.0,
                outer_angle: 30.0,
            }),
            ..LocalLight::default()
        };
        let lamps = built(&frame(vec![light]));
        let clip = Mat4::from_cols_array_2d(&lamps.views[0].clip_from_world);
        let mut random = galatea_stage::Rng::new(9);
        let mut n_seen = 0;
        for _ in 0..2000 {
            let mut unit = || random.unit() as f32 * 8.0 - 4.0;
            let point = Vec3::new(unit(), unit(), unit());
            let p = clip * point.extend(1.0);
            if p.w > 0.0 && p.x.abs() < p.w && p.y.abs() < p.w && p.z < p.w {
                n_seen += 1;
                assert!(lamps.bounds[0].touches((point, 0.0)), "{point}");
            }
        }
        assert!(n_seen > 20);
        assert!(!lamps.bounds[0].touches((light.position + Vec3::Y, 0.5)));
    }

    #[test]
    fn lights_with_nan_are_left_out_and_infinite_ranges_are_clamped() {
        let endless = LocalLight {
            range: f32::INFINITY,
            ..LocalLight::default()
        };
        let lamps = built(&frame(vec![endless]));
        assert!(
            lamps
                .views
                .iter()
                .all(|view| view.near < view.far && view.far < 2e4)
        );
        let broken = LocalLight {
            position: Vec3::NAN,
            ..LocalLight::default()
        };
        assert!(built(&frame(vec![broken])).local_lights.is_empty());
    }
}
