//! Baking: from the triangles of a level to walkable polygons.

use glam::{DVec3, UVec3, Vec2, Vec3, Vec3A};
use rerecast::{
    Aabb3d, AreaType, BuildContoursFlags, CompactHeightfield, ContourSet, ConvexVolume,
    HeightfieldBuilder, PolygonNavmesh, TriMesh,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::carving::carve;
use super::ground::{DOOR, GroundTriangles, MAX_AREAS, NavVolume, VolumeEffect};
use super::mesh::NavMesh;

/// Maximum number of cells of the height field; baking that many takes about a gigabyte of memory.
const MAX_CELLS: f32 = 16e6;
/// Maximum number of cells along an axis; cell coordinates have 16 bits.
const MAX_CELLS_ALONG: f32 = 60_000.0;
/// Maximum height and radius of an agent in cells; these have 8 bits.
const MAX_HEIGHT_CELLS: f32 = 250.0;
const MAX_RADIUS_CELLS: f32 = 120.0;
/// Maximum number of corners of a polygon.
const MAX_CORNERS: u16 = 6;
/// Maximum distance of a simplified border from the cells, in cells.
const MAX_BORDER_ERROR: f32 = 1.3;
/// Maximum length of a border's edge, metres, and in cells; its square must fit 16 bits.
const MAX_EDGE: f32 = 12.0;
const MAX_EDGE_CELLS: f32 = 255.0;
/// Areas below which regions are removed, and below which they are merged with neighbours, square metres.
const MIN_REGION: f32 = 0.5;
const MERGED_REGION: f32 = 6.0;
/// Number of steps by which neighbouring cells may differ in height before a cell is a ledge. On a staircase, two neighbours
/// of a cell can differ by two steps. Cells that differ by more than one step are never connected.
const LEDGE_STEPS: u16 = 2;
/// Distance below a volume within which floors belong to it, metres.
const BELOW_VOLUME: f32 = 0.3;

/// Size of the agent, and resolution of the bake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BakeOptions {
    /// Lower corner of the baked box, metres.
    pub low: Vec3,
    /// Upper corner of the baked box, metres.
    pub high: Vec3,
    /// Distance that the mesh keeps from walls, metres, rounded down to whole cells.
    pub radius: f32,
    /// Height of an agent, metres.
    pub height: f32,
    /// Maximum height of a step, metres.
    pub step: f32,
    /// Maximum slope of walkable ground, degrees, below 90.
    pub slope: f32,
    /// Side of a cell of the height field, metres.
    pub cell: f32,
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self {
            low: Vec3::splat(-10.0),
            high: Vec3::splat(10.0),
            radius: 0.3,
            height: 1.8,
            step: 0.4,
            slope: 45.0,
            cell: 0.15,
        }
    }
}

/// Reasons why a mesh cannot be baked.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BakeError {
    /// An option is out of range; the text says which and why.
    #[error("{0}")]
    Wrong(String),
    /// The level cannot be baked; the text says why.
    #[error("cannot bake the navigation mesh of this level: {0}")]
    Failed(String),
}

/// The height field of a level before volumes are applied. Applying volumes is much faster than baking.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Baked {
    field: CompactHeightfield,
    options: BakeOptions,
}

impl Baked {
    /// Bakes a level.
    ///
    /// # Errors
    /// See [`BakeError`].
    pub fn new(ground: &GroundTriangles, options: &BakeOptions) -> Result<Self, BakeError> {
        let options = checked(options)?;
        guarded(|| Self::of(ground, options))
    }

    fn of(ground: &GroundTriangles, options: BakeOptions) -> Result<Self, BakeError> {
        let aabb = Aabb3d {
            min: options.low,
            max: options.high,
        };
        let failed = |why: String| BakeError::Failed(why);
        let builder = HeightfieldBuilder {
            aabb,
            cell_size: options.cell,
            cell_height: height_of_cell(&options),
        };
        let mut field = builder.build().map_err(|e| failed(e.to_string()))?;
        let cells = CellOptions::of(&options);
        let triangles = triangles(ground, &options);
        field
            .rasterize_triangles(&triangles, cells.step)
            .map_err(|e| failed(e.to_string()))?;
        field.filter_low_hanging_walkable_obstacles(cells.step);
        carve(&mut field, ground);
        field.filter_ledge_spans(cells.height, cells.step * LEDGE_STEPS);
        field.filter_walkable_low_height_spans(cells.height);
        let mut field = field
            .into_compact(cells.height, cells.step)
            .map_err(|e| failed(e.to_string()))?;
        field.erode_walkable_area(cells.radius);
        Ok(Self { field, options })
    }

    /// Builds the polygons around volumes. `costs` holds the cost per metre of each area, 1 if missing.
    ///
    /// # Errors
    /// See [`BakeError`].
    pub fn mesh(&self, volumes: &[NavVolume], costs: &[f32]) -> Result<NavMesh, BakeError> {
        guarded(|| self.polygons(volumes, costs))
    }

    fn polygons(&self, volumes: &[NavVolume], costs: &[f32]) -> Result<NavMesh, BakeError> {
        let failed = |why: String| BakeError::Failed(why);
        let mut field = self.field.clone();
        let mut doors = Vec::new();
        for volume in volumes {
            let [low, high] = volume.heights;
            let widened = || widened(&volume.around, from_walls(&self.options));
            let (vertices, low, area) = match volume.effect {
                VolumeEffect::Obstacle => {
                    let low = low - self.options.height;
                    (widened(), low, AreaType::NOT_WALKABLE)
                }
                VolumeEffect::Area(area) => (volume.around.clone(), low, area_type(area)),
                VolumeEffect::Door => (widened(), low - BELOW_VOLUME, AreaType::from(DOOR)),
            };
            if volume.effect == VolumeEffect::Door {
                doors.push(NavVolume {
                    around: vertices.clone(),
                    heights: [low, high],
                    effect: volume.effect,
                });
            }
            field.mark_convex_poly_area(&ConvexVolume {
                vertices,
                min_y: low,
                max_y: high,
                area,
            });
        }
        let cell = self.options.cell;
        let cells = |square: f32| (square / (cell * cell)).min(f32::from(u16::MAX)) as u16;
        field.build_distance_field();
        field
            .build_regions(0, cells(MIN_REGION), cells(MERGED_REGION))
            .map_err(|e| failed(e.to_string()))?;
        let edge = (MAX_EDGE / cell).clamp(1.0, MAX_EDGE_CELLS) as u16;
        let contours = field.build_contours(MAX_BORDER_ERROR, edge, BuildContoursFlags::default());
        let mesh = polygons(contours)?;
        Ok(NavMesh::new(
            &mesh,
            from_walls(&self.options),
            costs,
            &doors,
        ))
    }
}

/// Runs `work` and turns panics of the library into errors.
fn guarded<T>(work: impl FnOnce() -> Result<T, BakeError>) -> Result<T, BakeError> {
    let failed =
        |_| BakeError::Failed("the navigation library stopped with an internal error".into());
    galatea_guard::guarded("making a navigation mesh", work).map_err(failed)?
}

/// Triangulates contours and merges the triangles to convex polygons. A contour that touches itself is skipped, as in
/// Recast.
fn polygons(mut contours: ContourSet) -> Result<PolygonNavmesh, BakeError> {
    if let Ok(mesh) = contours.clone().into_polygon_mesh(MAX_CORNERS) {
        return Ok(mesh);
    }
    let alone = ContourSet {
        contours: Vec::new(),
        ..contours.clone()
    };
    contours.contours.retain(|own| {
        let one = ContourSet {
            contours: vec![own.clone()],
            ..alone.clone()
        };
        one.into_polygon_mesh(MAX_CORNERS).is_ok()
    });
    let made = contours.into_polygon_mesh(MAX_CORNERS);
    made.map_err(|error| BakeError::Failed(error.to_string()))
}

/// Sizes of an agent in cells.
struct CellOptions {
    height: u16,
    step: u16,
    radius: u16,
}

impl CellOptions {
    fn of(options: &BakeOptions) -> Self {
        let up = height_of_cell(options);
        Self {
            height: ((options.height / up).ceil() as u16).max(3),
            // Recast rounds heights up to whole cells.
            step: (options.step / up - 1e-3).ceil() as u16,
            radius: (options.radius / options.cell + 1e-3).floor() as u16,
        }
    }
}

/// Mean distance of borders from walls, metres: the whole cells of the radius, plus half of the cell in which a wall ends.
/// Agents keep the rest themselves; one cell more would make narrow doors narrower.
fn from_walls(options: &BakeOptions) -> f32 {
    (f32::from(CellOptions::of(options).radius) + 0.5) * options.cell
}

/// Height of a cell, metres: a fifth of a step, unless the agent would then have too many cells. It is a little more than a
/// fifth, so that rounding never exceeds the maximum step.
fn height_of_cell(options: &BakeOptions) -> f32 {
    let fine = (options.cell * 0.67).min(options.step.max(0.05) * 0.2001);
    fine.max(0.01).max(options.height / MAX_HEIGHT_CELLS)
}

impl BakeOptions {
    /// Number of columns of the height field.
    pub fn n_cells(&self) -> u64 {
        let along = (self.high - self.low) / self.cell;
        (f64::from(along.x) * f64::from(along.z)) as u64
    }

    /// Checks the ranges of all options.
    ///
    /// # Errors
    /// [`BakeError::Wrong`] for the first option that is out of range.
    pub fn check(&self) -> Result<(), BakeError> {
        checked(self).map(|_| ())
    }
}

fn checked(options: &BakeOptions) -> Result<BakeOptions, BakeError> {
    let wrong = |what: String| Err(BakeError::Wrong(what));
    let size = options.high - options.low;
    if !size.is_finite() || size.min_element() <= 0.0 {
        return wrong("the size of a level must be above 0 on each axis".into());
    }
    let ranges = [
        ("radius", options.radius, 0.0, 100.0),
        ("height", options.height, 0.05, 1000.0),
        ("step", options.step, 0.0, 100.0),
        ("slope", options.slope, 0.0, 89.0),
        ("cell", options.cell, 0.02, 100.0),
    ];
    for (name, value, min, max) in ranges {
        if !(min..=max).contains(&value) {
            return wrong(format!(
                "{name} must be between {min} and {max}, not {value}"
            ));
        }
    }
    if options.radius / options.cell > MAX_RADIUS_CELLS {
        return wrong(format!(
            "a radius of {} m needs cells of at least {:.2} m, not {}",
            options.radius,
            options.radius / MAX_RADIUS_CELLS,
            options.cell
        ));
    }
    let along = size / options.cell;
    if along.x * along.z > MAX_CELLS || along.max_element() > MAX_CELLS_ALONG {
        let min = (size.x * size.z / MAX_CELLS).sqrt();
        let min = min.max(size.max_element() / MAX_CELLS_ALONG);
        return wrong(format!(
            "a level of {:.0} × {:.0} m needs cells of at least {min:.2} m, not {}",
            size.x, size.z, options.cell
        ));
    }
    let heights = size.y / height_of_cell(options);
    if heights > 8000.0 {
        return wrong(format!(
            "a level {:.0} m high is too high for this cell size",
            size.y
        ));
    }
    Ok(*options)
}

/// Triangles clipped to the box, with areas for those that are flat enough.
fn triangles(ground: &GroundTriangles, options: &BakeOptions) -> TriMesh {
    let min_up = options.slope.to_radians().cos();
    let mut out = TriMesh {
        vertices: ground.vertices.iter().map(|at| Vec3A::from(*at)).collect(),
        ..TriMesh::default()
    };
    for (i, corners) in ground.triangles.iter().enumerate() {
        let at = corners.map(|corner| ground.vertices.get(corner as usize).copied());
        let [Some(a), Some(b), Some(c)] = at else {
            continue;
        };
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            continue;
        }
        let up = (b - a).cross(c - a).normalize_or_zero().y;
        let area = ground.areas.get(i).copied().unwrap_or(0);
        let kind = if up >= min_up {
            area_type(area)
        } else {
            AreaType::NOT_WALKABLE
        };
        if [a, b, c].iter().all(|at| is_within(*at, options)) {
            out.indices.push(UVec3::from_array(*corners));
            out.area_types.push(kind);
            continue;
        }
        let around = clipped([a, b, c], options);
        let first = out.vertices.len() as u32;
        out.vertices
            .extend(around.iter().map(|at| Vec3A::from(*at)));
        for k in 2..around.len() as u32 {
            out.indices
                .push(UVec3::new(first, first + k - 1, first + k));
            out.area_types.push(kind);
        }
    }
    out
}

/// Returns true if a position is inside the box, or above or below it.
fn is_within(at: Vec3, options: &BakeOptions) -> bool {
    let (low, high) = (options.low, options.high);
    (low.x..=high.x).contains(&at.x) && (low.z..=high.z).contains(&at.z)
}

/// The part of a triangle inside, above or below the box (Sutherland and Hodgman 1974). Single precision is not enough for
/// triangles that extend far beyond the box.
fn clipped(corners: [Vec3; 3], options: &BakeOptions) -> Vec<Vec3> {
    let mut around: Vec<DVec3> = corners.map(|at| at.as_dvec3()).to_vec();
    let (low, high) = (options.low.as_dvec3(), options.high.as_dvec3());
    for (axis, side, border) in [
        (0, 1.0, low.x),
        (0, -1.0, high.x),
        (2, 1.0, low.z),
        (2, -1.0, high.z),
    ] {
        let inside = |at: DVec3| (at[axis] - border) * side;
        let mut kept = Vec::with_capacity(around.len() + 1);
        for (i, to) in around.iter().enumerate() {
            let from = around[(i + around.len() - 1) % around.len()];
            let (was, is) = (inside(from), inside(*to));
            if (was < 0.0) != (is < 0.0) {
                let mut at = from.lerp(*to, was / (was - is));
                at[axis] = border;
                kept.push(at);
            }
            if is >= 0.0 {
                kept.push(*to);
            }
        }
        around = kept;
    }
    around.iter().map(|at| at.as_vec3()).collect()
}

fn area_type(area: u8) -> AreaType {
    AreaType::from(1 + area.min(MAX_AREAS as u8 - 1))
}

/// A convex polygon enlarged on all sides, with bevelled corners.
fn widened(around: &[Vec2], by: f32) -> Vec<Vec2> {
    let n = around.len();
    let mut middle = Vec2::ZERO;
    for at in around {
        middle += *at / n as f32;
    }
    let mut out = Vec::with_capacity(2 * n);
    for i in 0..n {
        let (a, b) = (around[i], around[(i + 1) % n]);
        let side = (b - a).perp().normalize_or_zero();
        let away = if side.dot(a - middle) < 0.0 {
            -side
        } else {
            side
        };
        out.extend([a + away * by, b + away * by]);
    }
    out
}
