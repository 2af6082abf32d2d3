//! Where somebody can walk, worked out from the triangles of a level.

use glam::{DVec3, UVec3, Vec2, Vec3, Vec3A};
use rerecast::{
    Aabb3d, AreaType, BuildContoursFlags, CompactHeightfield, ContourSet, ConvexVolume,
    HeightfieldBuilder, PolygonNavmesh, TriMesh,
};
use thiserror::Error;

use super::mesh::{MOST_AREAS, NavMesh};

/// Cells of a level, at most: about a gigabyte while it is worked out.
const MOST_CELLS: f32 = 16e6;
/// Cells along a side, at most: places of cells are 16 bits.
const MOST_ALONG: f32 = 60_000.0;
/// Cells that who walks is high and wide, at most: both are counted in 8 bits.
const MOST_HIGH: f32 = 250.0;
const MOST_WIDE: f32 = 120.0;
/// Corners of a polygon, at most.
const CORNERS: u16 = 6;
/// Cells by which a border may be straightened.
const STRAIGHTENED: f32 = 1.3;
/// Metres along an edge of a border, at most.
const EDGE: f32 = 12.0;
/// Cells along an edge, at most: its square is 16 bits.
const MOST_EDGE: f32 = 255.0;
/// Square metres under which an island is left out, and up to which areas are merged.
const LEAST_ISLAND: f32 = 0.5;
const MERGED: f32 = 6.0;

/// Who is to walk, and how exactly it is worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeOptions {
    /// Corners of the box that is looked at, metres.
    pub low: Vec3,
    /// See `low`.
    pub high: Vec3,
    /// Metres that are kept from walls, as exactly as a cell is small.
    pub radius: f32,
    /// Metres that somebody is high.
    pub height: f32,
    /// Metres that somebody can step up.
    pub step: f32,
    /// Degrees of the steepest ground, under 90.
    pub slope: f32,
    /// Metres along a cell on the ground.
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

/// Triangles of a level, world space, and of what kind each is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundTriangles {
    /// Places, metres.
    pub vertices: Vec<Vec3>,
    /// Corners, counter-clockwise seen from where they are walked on.
    pub triangles: Vec<[u32; 3]>,
    /// Of each triangle, under [`MOST_AREAS`]; 0 where there are fewer.
    pub areas: Vec<u8>,
}

/// Something in the way, or ground of another kind: a standing pillar of convex shape.
#[derive(Clone, Debug, PartialEq)]
pub struct NavVolume {
    /// Around it on the ground, x and z; 3 at least.
    pub around: Vec<Vec2>,
    /// Metres, from and to.
    pub heights: [f32; 2],
    /// Nothing: nobody walks there. Else it is ground of this kind.
    pub area: Option<u8>,
}

/// Why nothing can be worked out.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BakeError {
    /// The box has no volume, or a number is no number or out of its range.
    #[error("{0}")]
    Wrong(String),
    /// In words.
    #[error("the ways of this level cannot be worked out: {0}")]
    Failed(String),
}

/// What is known of a level before anything stands in the way: blocks are put into it quickly.
#[derive(Clone, Debug)]
pub struct Baked {
    field: CompactHeightfield,
    options: BakeOptions,
}

impl Baked {
    /// Looks at a level.
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
        field.filter_ledge_spans(cells.height, cells.step);
        field.filter_walkable_low_height_spans(cells.height);
        let mut field = field
            .into_compact(cells.height, cells.step)
            .map_err(|e| failed(e.to_string()))?;
        field.erode_walkable_area(cells.radius);
        Ok(Self { field, options })
    }

    /// Where one can walk around what stands in the way. `costs` are those of a metre of each kind of ground.
    ///
    /// # Errors
    /// See [`BakeError`].
    pub fn mesh(&self, blocks: &[NavVolume], costs: &[f32]) -> Result<NavMesh, BakeError> {
        guarded(|| self.polygons(blocks, costs))
    }

    fn polygons(&self, blocks: &[NavVolume], costs: &[f32]) -> Result<NavMesh, BakeError> {
        let failed = |why: String| BakeError::Failed(why);
        let mut field = self.field.clone();
        for block in blocks {
            let [low, high] = block.heights;
            field.mark_convex_poly_area(&match block.area {
                None => ConvexVolume {
                    vertices: widened(&block.around, from_walls(&self.options)),
                    min_y: low - self.options.height,
                    max_y: high,
                    area: AreaType::NOT_WALKABLE,
                },
                Some(area) => ConvexVolume {
                    vertices: block.around.clone(),
                    min_y: low,
                    max_y: high,
                    area: kind(area),
                },
            });
        }
        let cell = self.options.cell;
        let cells = |square: f32| (square / (cell * cell)).min(f32::from(u16::MAX)) as u16;
        field.build_distance_field();
        field
            .build_regions(0, cells(LEAST_ISLAND), cells(MERGED))
            .map_err(|e| failed(e.to_string()))?;
        let edge = (EDGE / cell).clamp(1.0, MOST_EDGE) as u16;
        let contours = field.build_contours(STRAIGHTENED, edge, BuildContoursFlags::default());
        let mesh = polygons(contours)?;
        Ok(NavMesh::new(&mesh, from_walls(&self.options), costs))
    }
}

/// Runs the library, which must not end the game, whatever the level.
fn guarded<T>(work: impl FnOnce() -> Result<T, BakeError>) -> Result<T, BakeError> {
    let failed = |_| BakeError::Failed("the library that makes it failed".into());
    galatea_guard::guarded("making a navigation mesh", work).map_err(failed)?
}

/// Convex polygons of areas. Of one whose border touches itself none can be made: it is left out, as Recast does.
fn polygons(mut contours: ContourSet) -> Result<PolygonNavmesh, BakeError> {
    if let Ok(mesh) = contours.clone().into_polygon_mesh(CORNERS) {
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
        one.into_polygon_mesh(CORNERS).is_ok()
    });
    let made = contours.into_polygon_mesh(CORNERS);
    made.map_err(|error| BakeError::Failed(error.to_string()))
}

/// Options in cells.
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
            step: (options.step / up).floor() as u16,
            radius: (options.radius / options.cell + 1e-3).floor() as u16,
        }
    }
}

/// Metres that borders are from walls, as a mean: so many whole cells, and half of the one in which a wall ends. Whoever
/// walks keeps the rest; with a cell more, narrow doors would be narrower still.
fn from_walls(options: &BakeOptions) -> f32 {
    (f32::from(CellOptions::of(options).radius) + 0.5) * options.cell
}

/// Steps are told apart by a fifth of their height, where who walks is not too many cells high for that.
fn height_of_cell(options: &BakeOptions) -> f32 {
    let fine = (options.cell * 0.67).min(options.step.max(0.05) * 0.2);
    fine.max(0.01).max(options.height / MOST_HIGH)
}

impl BakeOptions {
    /// Cells of the grid over the ground.
    pub fn n_cells(&self) -> u64 {
        let along = (self.high - self.low) / self.cell;
        (f64::from(along.x) * f64::from(along.z)) as u64
    }

    /// Whether a level can be looked at with them.
    ///
    /// # Errors
    /// What cannot be, in words.
    pub fn check(&self) -> Result<(), BakeError> {
        checked(self).map(|_| ())
    }
}

fn checked(options: &BakeOptions) -> Result<BakeOptions, BakeError> {
    let wrong = |what: String| Err(BakeError::Wrong(what));
    let size = options.high - options.low;
    if !size.is_finite() || size.min_element() <= 0.0 {
        return wrong("the box of a level has to be larger than nothing".into());
    }
    let ranges = [
        ("radius", options.radius, 0.0, 100.0),
        ("height", options.height, 0.05, 1000.0),
        ("step", options.step, 0.0, 100.0),
        ("slope", options.slope, 0.0, 89.0),
        ("cell", options.cell, 0.02, 100.0),
    ];
    for (name, value, least, most) in ranges {
        if !(least..=most).contains(&value) {
            return wrong(format!("{name} has to be {least} to {most}, not {value}"));
        }
    }
    if options.radius / options.cell > MOST_WIDE {
        return wrong(format!(
            "a radius of {} m needs cells of {:.2} m at least, not {}",
            options.radius,
            options.radius / MOST_WIDE,
            options.cell
        ));
    }
    let along = size / options.cell;
    if along.x * along.z > MOST_CELLS || along.max_element() > MOST_ALONG {
        let least = (size.x * size.z / MOST_CELLS).sqrt();
        let least = least.max(size.max_element() / MOST_ALONG);
        return wrong(format!(
            "a level of {:.0} × {:.0} m needs cells of {least:.2} m at least, not {}",
            size.x, size.z, options.cell
        ));
    }
    let heights = size.y / height_of_cell(options);
    if heights > 8000.0 {
        return wrong(format!(
            "a level {:.0} m high is too high for such cells",
            size.y
        ));
    }
    Ok(*options)
}

/// Those that are places, marked by whether they are flat enough.
fn triangles(ground: &GroundTriangles, options: &BakeOptions) -> TriMesh {
    let least = options.slope.to_radians().cos();
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
        let kind = if up >= least {
            kind(area)
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

/// Whether a place is over or under the box that is looked at.
fn is_within(at: Vec3, options: &BakeOptions) -> bool {
    let (low, high) = (options.low, options.high);
    (low.x..=high.x).contains(&at.x) && (low.z..=high.z).contains(&at.z)
}

/// What of a triangle is over or under the box (Sutherland and Hodgman 1974): cells of one that reaches far beyond it could
/// not be told apart.
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

fn kind(area: u8) -> AreaType {
    AreaType::from(1 + area.min(MOST_AREAS as u8 - 1))
}

/// A convex shape grown on all sides, with flat corners.
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
