//! The scalp: the skin of a head at rest, and the extents of scalp, beard and brows on it.

use std::collections::HashMap;

use glam::{IVec3, Vec2, Vec3};

use super::close::{close, middle_of};
use super::measure::HeadMeasure;
use super::pieces::ignore_outer;
use super::skin::{RestSkin, SkinRole};
use galatea_math::random::RandomSource;

/// Spacing of the sample points of the skin, metres.
const SAMPLE_SPACING: f32 = 0.008;
/// Maximum number of sample points.
const MAX_SAMPLES: usize = 200_000;
/// Radius around the head within which the skin is sampled, metres.
const SAMPLE_RADIUS: f32 = 0.8;
/// Size of a grid cell, metres. Points deeper in the skin than that are not recognised as inside.
const CELL: f32 = 0.03;
/// Free distance above a point that hair needs to grow, metres.
const FREE_DISTANCE: f32 = 0.05;
/// Distance from the eyes to the chin of a usual head, metres; the sizes of brows and beard are relative to it.
const USUAL_FACE: f32 = 0.11;
/// Maximum distance of the head's skin from the midpoint between the eyes, metres.
const HEAD_RADIUS: f32 = 0.13;
/// Distance from the eyes up to the brows, metres.
const USUAL_BROWS: f32 = 0.024;
/// A head with a smaller fraction of its skull is too open for hair.
const MIN_SKULL: f32 = 0.05;

/// Area in which hair grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HairArea {
    /// From the hairline to the nape, without the ears.
    Scalp,
    /// Cheeks, chin and under the jaw, around the mouth.
    Beard,
    /// Between nose and mouth.
    Moustache,
    /// Above the eyes.
    Brows,
}

/// A position on the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// Position, metres.
    pub at: Vec3,
    /// Unit normal, outwards.
    pub normal: Vec3,
    /// Index into [`RestSkin::triangles`].
    pub triangle: usize,
    /// Barycentric coordinates in the triangle.
    pub shares: Vec3,
}

/// Errors of growing hair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScalpError {
    /// The bone carries no triangle near the eyes.
    #[error("the head bone has no skin to grow hair on")]
    NoHead,
    /// No triangle is in the area.
    #[error("there is no free skin where this hair would grow")]
    NoRoom,
    /// The face exists, but next to nothing of the skull.
    #[error(
        "the skull is incomplete: the model has only {percent} % of it, too little to estimate its shape"
    )]
    Open {
        /// Percentage of the skull that has skin.
        percent: u32,
    },
    /// A hat covers the whole area.
    #[error("a worn part covers all of the skin where this hair would grow")]
    Covered,
}

/// A head with its measures, in metres of a head of usual size.
#[derive(Clone, Debug)]
pub struct Scalp {
    skin: RestSkin,
    /// Scale from this space to the skin's own: 1 for heads of about the usual size.
    pub scale: f32,
    /// Fraction of the skull that the model has.
    skull: f32,
    /// Hats.
    covers: SkinGrid,
    /// Number of corners that the model has; those after them close the skull.
    n_own: usize,
    samples: SkinGrid,
    /// Positions of the left and the right eye.
    pub eyes: [Vec3; 2],
    /// Height of the chin.
    pub chin: f32,
    /// Height of the brows over the eyes, metres.
    brows: f32,
    /// Centre of the skull.
    pub middle: Vec3,
    /// Radii of the skull from `middle`.
    pub radii: Vec3,
}

impl Scalp {
    /// Analyses the head of a body. An open skull, as it may be below the model's own hair, is closed by adding triangles to
    /// the skin. `brows` is the height of the model's own brows, if known.
    ///
    /// # Errors
    /// If the head has no skin.
    pub fn new(
        mut skin: RestSkin,
        eyes: [Vec3; 2],
        brows: Option<f32>,
    ) -> Result<Self, ScalpError> {
        let measure = HeadMeasure::of(&skin, eyes).ok_or(ScalpError::NoHead)?;
        let scale = measure.scale();
        for at in &mut skin.positions {
            *at /= scale;
        }
        let eyes = measure.eyes.map(|eye| eye / scale);
        let brows = brows.map(|height| height / scale);
        let (eye, size) = ((eyes[0] + eyes[1]) * 0.5, measure.size / scale);
        ignore_outer(&mut skin, middle_of(eye, size), size);
        if !of_head(&skin).any(|p| p.distance(eye) < HEAD_RADIUS * size) {
            return Err(ScalpError::NoHead);
        }
        let n_own = skin.positions.len();
        let skull_share = close(&mut skin, eye, size);
        let head: Vec<Vec3> = of_head(&skin).collect();
        let top = head.iter().fold(f32::MIN, |top, p| top.max(p.y));
        let above = (top - eye.y).max(0.02);
        // The skull above the ears, without protruding parts.
        let skull = head.iter().filter(|p| p.y > eye.y + 0.35 * above);
        let (low, high) = skull.fold((eye, eye), |(low, high), p| (low.min(*p), high.max(*p)));
        let half = (high - low) * 0.5;
        let middle = Vec3::new(
            (low.x + high.x) * 0.5,
            eye.y + 0.1 * above,
            (low.z + high.z) * 0.5,
        );
        let radii = Vec3::new(half.x, top - middle.y, half.z).max(Vec3::splat(0.02));
        // The lowest point in front, within the usual range of chins.
        let is_chin = |p: &&Vec3| {
            (p.x - eye.x).abs() < 0.25 * radii.x
                && p.z > eye.z - 0.35 * radii.z
                && (0.55..1.35).contains(&((eye.y - p.y) / above))
        };
        let chin = head.iter().filter(is_chin).map(|p| p.y);
        let chin = chin.fold(f32::INFINITY, f32::min);
        let chin = if chin.is_finite() {
            chin
        } else {
            eye.y - 0.95 * above
        };
        Ok(Self {
            samples: SkinGrid::of(&skin, middle, &[SkinRole::Skin, SkinRole::Obstacle]),
            covers: SkinGrid::of(&skin, middle, &[SkinRole::Cover]),
            skin,
            scale,
            skull: skull_share,
            n_own,
            brows: brows.map_or(USUAL_BROWS * (eye.y - chin) / USUAL_FACE, |height| {
                height - eye.y
            }),
            eyes,
            chin,
            middle,
            radii,
        })
    }

    /// The skin.
    pub fn skin(&self) -> &RestSkin {
        &self.skin
    }

    /// Returns true if a corner of the skin belongs to the model itself.
    pub(super) fn is_own(&self, corner: u32) -> bool {
        (corner as usize) < self.n_own
    }

    /// Distance from the eyes down to the chin, metres.
    pub fn face(&self) -> f32 {
        (self.eye().y - self.chin).max(0.02)
    }

    /// Size of the face relative to a usual one.
    pub fn size(&self) -> f32 {
        self.face() / USUAL_FACE
    }

    /// Midpoint between the eyes.
    pub fn eye(&self) -> Vec3 {
        (self.eyes[0] + self.eyes[1]) * 0.5
    }

    /// Height over the eyes, as a fraction of the distance from there to the top.
    pub fn height(&self, p: Vec3) -> f32 {
        let eye = self.eye().y;
        (p.y - eye) / (self.middle.y + self.radii.y - eye)
    }

    /// Angle from the front, degrees to either side.
    pub fn around(&self, p: Vec3) -> f32 {
        let offset = p - self.middle;
        offset.x.abs().atan2(offset.z).to_degrees()
    }

    /// Distance of a point to the border of an area, metres; negative outside of it.
    pub fn inside(&self, area: HairArea, p: Vec3, normal: Vec3) -> f32 {
        match area {
            HairArea::Scalp => self.in_scalp(p, normal),
            HairArea::Beard => self.in_beard(p),
            HairArea::Moustache => self.in_moustache(p),
            HairArea::Brows => self.in_brows(p, normal),
        }
    }

    fn in_scalp(&self, p: Vec3, normal: Vec3) -> f32 {
        /// Height of the hairline by angle in degrees: forehead, temple, in front of and behind the ear, nape.
        const LINE: [Vec2; 10] = [
            Vec2::new(0.0, 0.58),
            Vec2::new(28.0, 0.62),
            Vec2::new(48.0, 0.5),
            Vec2::new(60.0, 0.18),
            Vec2::new(70.0, -0.12),
            Vec2::new(80.0, 0.0),
            Vec2::new(105.0, 0.0),
            Vec2::new(122.0, -0.35),
            Vec2::new(150.0, -0.62),
            Vec2::new(180.0, -0.66),
        ];
        let around = self.around(p);
        let height_fraction = self.height(p);
        let height = self.radii.y;
        let above = (height_fraction - along_line(&LINE, around)) * height;
        let beside = (65.0..125.0).contains(&around);
        // Ears protrude from the skull, and no hair grows where their skin faces sideways.
        let ear = if beside && height_fraction < 0.3 {
            self.radii.x * 1.03 - (p.x - self.middle.x).abs()
        } else {
            f32::INFINITY
        };
        let outward = (p - self.middle).normalize_or(Vec3::Y).dot(normal);
        let aside = if beside && height_fraction < 0.4 {
            (outward - 0.35) * 0.05
        } else {
            f32::INFINITY
        };
        above.min(ear).min(aside)
    }

    /// Fraction of the distance from the eyes down to the chin.
    pub(super) fn down(&self, p: Vec3) -> f32 {
        (self.eye().y - p.y) / self.face()
    }

    /// Distance to the lips, metres.
    fn off_lips(&self, p: Vec3) -> f32 {
        let at = Vec2::new(
            (p.x - self.eye().x) / (0.25 * self.face()),
            (self.down(p) - 0.62) / 0.1,
        );
        (at.length() - 1.0) * 0.1 * self.face()
    }

    fn in_beard(&self, p: Vec3) -> f32 {
        /// Upper and lower end by angle in degrees.
        const UPPER: [Vec2; 7] = [
            Vec2::new(0.0, 0.44),
            Vec2::new(14.0, 0.46),
            Vec2::new(26.0, 0.6),
            Vec2::new(48.0, 0.58),
            Vec2::new(66.0, 0.34),
            Vec2::new(78.0, 0.02),
            Vec2::new(90.0, 0.02),
        ];
        const LOWER: [Vec2; 5] = [
            Vec2::new(0.0, 1.2),
            Vec2::new(40.0, 1.15),
            Vec2::new(70.0, 0.92),
            Vec2::new(84.0, 0.6),
            Vec2::new(90.0, 0.3),
        ];
        let around = self.around(p);
        let down = self.down(p);
        let between = (down - along_line(&UPPER, around)).min(along_line(&LOWER, around) - down);
        let before_ear = (82.0 - around) * 0.0015;
        (between * self.face())
            .min(self.off_lips(p))
            .min(before_ear)
    }

    fn in_moustache(&self, p: Vec3) -> f32 {
        let off = (p.x - self.eye().x).abs() / self.face();
        let down = self.down(p);
        // It comes down at its ends.
        let bent = 1.2 * off * off;
        let between = (down - 0.43 - bent).min(0.6 + bent - down).min(0.3 - off);
        let ahead = (50.0 - self.around(p)) * 0.0015;
        (between * self.face()).min(self.off_lips(p)).min(ahead)
    }

    fn in_brows(&self, p: Vec3, normal: Vec3) -> f32 {
        let size = self.size();
        let of_eye = |eye: &Vec3| {
            let side = if eye.x < self.eye().x { -1.0 } else { 1.0 };
            let across = (p.x - eye.x) * side / size;
            let arch = 1.0 - ((across - 0.008) / 0.024).powi(2);
            let up = (p.y - eye.y - self.brows) / size + 0.0025 - 0.0045 * arch;
            let thick = 0.0042 - 0.0024 * ((across + 0.017) / 0.044).clamp(0.0, 1.0);
            let along = (across + 0.018).min(0.027 - across);
            (thick - up.abs()).min(along) * size
        };
        let nearest = self.eyes.iter().map(of_eye).fold(f32::MIN, f32::max);
        nearest.min((normal.z - 0.2) * 0.02)
    }

    /// Random positions in an area, uniformly distributed by area. Positions covered by other skin are left out.
    ///
    /// # Errors
    /// If there are none.
    pub fn roots(&self, area: HairArea, n: usize, seed: u64) -> Result<Vec<Root>, ScalpError> {
        if area == HairArea::Scalp && self.skull < MIN_SKULL {
            let percent = (self.skull * 100.0).round() as u32;
            return Err(ScalpError::Open { percent });
        }
        let mut total = 0.0;
        let mut ends: Vec<(f32, usize)> = Vec::new();
        for i in self.skin.with_role(SkinRole::Skin) {
            let (corners, is_head) = (self.skin.corners(i), &self.skin.is_head[i]);
            let [a, b, c] = corners;
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let normal = (b - a).cross(c - a);
            let middle = (a + b + c) / 3.0;
            let reaches = self.inside(area, middle, normal.normalize_or_zero()) > -longest;
            if (*is_head || area == HairArea::Scalp) && reaches && normal.length() > 0.0 {
                total += normal.length();
                ends.push((total, i));
            }
        }
        let mut chance = RandomSource::new(seed);
        let mut roots = Vec::with_capacity(n);
        let mut n_covered = 0;
        for _ in 0..n * 40 {
            if roots.len() == n || ends.is_empty() {
                break;
            }
            let goal = chance.unit() * total;
            let at = ends.partition_point(|(end, _)| *end < goal);
            let triangle = ends[at.min(ends.len() - 1)].1;
            let (mut u, mut v) = (chance.unit(), chance.unit());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let root = self.root(triangle, Vec3::new(1.0 - u - v, u, v));
            if self.inside(area, root.at, root.normal) <= 0.0 {
                continue;
            }
            if self.is_under_cover(&root) {
                n_covered += 1;
            } else if self.is_open(&root) {
                roots.push(root);
            }
        }
        if roots.is_empty() {
            return Err(if n_covered > 0 {
                ScalpError::Covered
            } else {
                ScalpError::NoRoom
            });
        }
        Ok(roots)
    }

    /// Position on a triangle.
    fn root(&self, triangle: usize, shares: Vec3) -> Root {
        let corners = self.skin.triangles[triangle].map(|corner| corner as usize);
        let mixed = |of: &[Vec3]| {
            let each = corners.iter().zip(shares.to_array());
            each.map(|(corner, share)| of[*corner] * share)
                .sum::<Vec3>()
        };
        Root {
            at: mixed(&self.skin.positions),
            normal: mixed(&self.skin.normals).normalize_or(Vec3::Y),
            triangle,
            shares,
        }
    }

    /// Returns true if a hat covers the root so closely that hair would pass through it.
    fn is_under_cover(&self, root: &Root) -> bool {
        let steps = (FREE_DISTANCE / SAMPLE_SPACING).ceil() as usize;
        !self.covers.all.is_empty()
            && (0..=steps).any(|step| {
                let at = root.at + root.normal * (step as f32 * SAMPLE_SPACING);
                self.covers.nearest(at, SAMPLE_SPACING).is_some()
            })
    }

    /// Returns true if nothing covers the root, such as a mouth from inside, clothes or a helmet.
    fn is_open(&self, root: &Root) -> bool {
        let mut distance = 0.012;
        while distance < FREE_DISTANCE {
            let at = root.at + root.normal * distance;
            let covered = self
                .samples
                .nearest(at, SAMPLE_SPACING)
                .is_some_and(|near| {
                    near.at.distance(root.at) > 0.008 && near.normal.dot(root.normal) < -0.2
                });
            if covered {
                return false;
            }
            distance += SAMPLE_SPACING * 0.5;
        }
        true
    }

    /// Nearest position on the skin; `None` if it is farther away than 3 cm.
    pub fn nearest_root(&self, at: Vec3) -> Option<Root> {
        let near = self.samples.nearest(at, CELL)?;
        let corners = self.skin.triangles[near.triangle as usize];
        let [a, b, c] = corners.map(|corner| self.skin.positions[corner as usize]);
        let (along, aside) = (b - a, c - a);
        let normal = along.cross(aside);
        let double_area = normal.length_squared().max(1e-20);
        let offset = near.at - a;
        let u = offset.cross(aside).dot(normal) / double_area;
        let v = along.cross(offset).dot(normal) / double_area;
        Some(self.root(near.triangle as usize, Vec3::new(1.0 - u - v, u, v)))
    }

    /// Distance of a point outside of the nearby skin in metres, and the outward direction; `None` far from the skin.
    pub fn outside(&self, at: Vec3) -> Option<(f32, Vec3)> {
        let near = self.samples.nearest(at, CELL)?;
        Some(((at - near.at).dot(near.normal), near.normal))
    }
}

/// A sample point of the skin.
#[derive(Clone, Copy, Debug)]
struct SkinPoint {
    at: Vec3,
    normal: Vec3,
    triangle: u32,
}

/// Sample points of the skin in a grid.
#[derive(Clone, Debug, Default)]
struct SkinGrid {
    all: Vec<SkinPoint>,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl SkinGrid {
    /// Samples the skin near a centre, the head first, with a spacing of at most [`SAMPLE_SPACING`] unless there are too
    /// many.
    fn of(skin: &RestSkin, middle: Vec3, roles: &[SkinRole]) -> Self {
        let mut out = Self::default();
        let each = || {
            let each = skin.triangles.iter().zip(&skin.is_head).enumerate();
            each.filter(|(i, _)| roles.contains(&skin.role(*i)))
        };
        let heads = each().filter(|(_, (_, is_head))| **is_head);
        let others = each().filter(|(_, (_, is_head))| !**is_head);
        for (triangle, (corners, _)) in heads.chain(others) {
            let [a, b, c] = corners.map(|i| (skin.positions[i as usize], skin.normals[i as usize]));
            if a.0.distance_squared(middle) > SAMPLE_RADIUS * SAMPLE_RADIUS {
                continue;
            }
            let longest =
                a.0.distance(b.0)
                    .max(b.0.distance(c.0))
                    .max(c.0.distance(a.0));
            let n = ((longest / SAMPLE_SPACING).ceil() as usize).clamp(1, 40);
            // The centres of the n × n triangles into which it is divided.
            for i in 0..n {
                for k in 0..2 * (n - i) - 1 {
                    let third = (1.0 + (k % 2) as f32) / 3.0;
                    let [u, v] = [i, k / 2].map(|at| (at as f32 + third) / n as f32);
                    let mixed = |a: Vec3, b: Vec3, c: Vec3| a * (1.0 - u - v) + b * u + c * v;
                    let known = SkinPoint {
                        at: mixed(a.0, b.0, c.0),
                        normal: mixed(a.1, b.1, c.1).normalize_or_zero(),
                        triangle: triangle as u32,
                    };
                    if out.all.len() < MAX_SAMPLES && known.at.is_finite() {
                        let cell = out.cells.entry(cell_of(known.at)).or_default();
                        cell.push(out.all.len() as u32);
                        out.all.push(known);
                    }
                }
            }
        }
        out
    }

    /// Nearest sample within a distance of at most [`CELL`].
    fn nearest(&self, to: Vec3, within: f32) -> Option<SkinPoint> {
        let middle = cell_of(to);
        let mut best = None;
        let mut least = within * within;
        for i in 0..27 {
            let offset = IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            for index in self.cells.get(&(middle + offset)).into_iter().flatten() {
                let found = self.all[*index as usize];
                let distance = found.at.distance_squared(to);
                if distance < least {
                    (best, least) = (Some(found), distance);
                }
            }
        }
        best
    }
}

fn cell_of(at_point: Vec3) -> IVec3 {
    (at_point / CELL).floor().as_ivec3()
}

/// Corners of the skin that the head carries.
fn of_head(skin: &RestSkin) -> impl Iterator<Item = Vec3> + '_ {
    skin.of_head().flat_map(|i| skin.corners(i))
}

/// Height of a polyline at x; its points are sorted, and it is constant beyond its ends.
fn along_line(line: &[Vec2], x: f32) -> f32 {
    let next = line.iter().position(|point| point.x > x);
    match (next, line.last()) {
        (Some(0), _) => line[0].y,
        (Some(i), _) => {
            let (a, b) = (line[i - 1], line[i]);
            a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
        }
        (None, last) => last.map_or(0.0, |last| last.y),
    }
}
