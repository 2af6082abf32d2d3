//! Eyeballs, lids, lashes and brows: patches in and on the skin of the face. The lids are rings of triangles from the
//! opening of the eye outwards to the face.

use glam::{Quat, Vec2, Vec3};

use super::{
    eye_shape::{LID, TEXTURE_ANGLE, corner, lower_edge, upper_edge},
    paint::Paint,
    rig::{EYE, EYE_RADIUS},
    sdf::smoothstep,
    surface,
};

/// A patch with one paint and the offsets of the `blink` target.
#[derive(Clone, Debug)]
pub struct BlinkPatch {
    /// Material of the triangles.
    pub paint: Paint,
    /// True if it rotates with the eye, false if it is fixed to the head.
    pub turns: bool,
    /// 1 for the left side, -1 for the right, 0 for the middle.
    pub side: f32,
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Texture coordinates.
    pub uv: Vec<Vec2>,
    /// Colour factors.
    pub shade: Vec<Vec3>,
    /// Offsets at full blink.
    pub blink: Vec<Vec3>,
    /// Vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A point behind the eye from which every point of the lids is visible once.
const BEHIND: Vec3 = Vec3::new(EYE.x + 0.004, EYE.y, EYE.z - 0.030);
/// Border between lids and face: centre and half-axes of an ellipse in [`seen`] coordinates.
const OUTER: (Vec2, Vec2) = (Vec2::new(0.08, -0.04), Vec2::new(0.54, 0.42));
/// Projection of a point as seen from behind the eye: outwards and upwards, metres at one metre.
fn seen(p: Vec3) -> Vec2 {
    let r = p - BEHIND;
    r.truncate() / r.z.max(0.01)
}

/// Negative where the lids' patch replaces the skin of the face.
pub fn opening(q: Vec3) -> f32 {
    let r = q - EYE;
    if r.z < 0.0 || r.length_squared() > 0.04 * 0.04 {
        return 0.05;
    }
    let (middle, radii) = OUTER;
    let from = (seen(q) - middle) / radii;
    (from.length() - 0.84) * 0.05
}

/// All patches of both eyes; `face` is the distance to the face with closed lids, for x ≥ 0.
pub fn patches(face: impl Fn(Vec3) -> f32) -> Vec<BlinkPatch> {
    let left = [ball(), lids(&face), lashes()];
    let mut all = Vec::new();
    for side in [1.0, -1.0] {
        for patch in &left {
            let mut patch = patch.clone();
            patch.side = side;
            if side < 0.0 {
                let mirror = Vec3::new(-1.0, 1.0, 1.0);
                for v in patch
                    .positions
                    .iter_mut()
                    .chain(&mut patch.normals)
                    .chain(&mut patch.blink)
                {
                    *v *= mirror;
                }
                for t in &mut patch.triangles {
                    t.swap(1, 2);
                }
            }
            all.push(patch);
        }
    }
    all
}

/// Direction from the eye: `side` rotates outwards, `up` upwards.
fn direction(side: f32, up: f32) -> Vec3 {
    Vec3::new(side.sin() * up.cos(), up.sin(), side.cos() * up.cos())
}

/// The front of the eyeball, with the bulge of the cornea.
fn ball() -> BlinkPatch {
    const RINGS: [f32; 12] = [
        0.08, 0.17, 0.26, 0.36, 0.45, 0.52, 0.59, 0.68, 0.80, 0.98, 1.18, 1.40,
    ];
    let around = 28_u32;
    let mut patch = BlinkPatch::new(Paint::Eye, true);
    let shape = |angle: f32| {
        let bulge = 0.05 * (1.0 - smoothstep(0.0, 0.70, angle));
        EYE_RADIUS * (1.0 + bulge)
    };
    let point = |angle: f32, azimuth: f32| {
        let n = Vec3::new(
            angle.sin() * azimuth.cos(),
            angle.sin() * azimuth.sin(),
            angle.cos(),
        );
        n * shape(angle)
    };
    patch.add(EYE + point(0.0, 0.0), Vec3::Z, Vec2::splat(0.5), 1.0);
    for angle in RINGS {
        for k in 0..around {
            let azimuth = k as f32 / around as f32 * std::f32::consts::TAU;
            let along = point(angle + 0.01, azimuth) - point(angle - 0.01, azimuth);
            let across = point(angle, azimuth + 0.01) - point(angle, azimuth - 0.01);
            let uv = Vec2::new(azimuth.cos(), -azimuth.sin()) * (angle / TEXTURE_ANGLE * 0.5) + 0.5;
            // The lids cast a soft shadow on the ball behind them.
            let shade = 1.0 - 0.35 * smoothstep(0.7, 1.2, angle);
            patch.add(
                EYE + point(angle, azimuth),
                along.cross(across).normalize(),
                uv,
                shade,
            );
        }
    }
    for k in 0..around {
        patch.triangles.push([0, 1 + k, 1 + (k + 1) % around]);
        for r in 0..RINGS.len() as u32 - 1 {
            let (a, b) = (1 + r * around + k, 1 + r * around + (k + 1) % around);
            patch.triangles.push([a, a + around, b + around]);
            patch.triangles.push([a, b + around, b]);
        }
    }
    patch
}

/// Rings of the lids, as fractions from the edge (0) to the face (1); the first is behind the edge.
const LID_RINGS: [f32; 12] = [
    -0.06, 0.0, 0.07, 0.15, 0.24, 0.33, 0.42, 0.52, 0.64, 0.77, 0.89, 1.0,
];
/// Points of each ring.
const LID_COLUMNS: u32 = 44;

/// A point on the edge of the lids.
struct LidEdge {
    /// Cosine and sine of the angle around the eye.
    cos: f32,
    sin: f32,
    /// Angles of the [`direction`].
    inner: Vec2,
}

impl LidEdge {
    fn new(column: u32) -> Self {
        let azimuth = column as f32 / LID_COLUMNS as f32 * std::f32::consts::TAU;
        let (cos, sin) = (azimuth.cos(), azimuth.sin());
        let edge = if sin >= 0.0 {
            upper_edge(cos)
        } else {
            lower_edge(cos)
        };
        let inner = Vec2::new(corner(cos) * cos, edge);
        Self { cos, sin, inner }
    }

    /// The direction from behind the eye to the ring at `t`.
    fn ray(&self, t: f32) -> Vec3 {
        let edge = EYE + direction(self.inner.x, self.inner.y) * (EYE_RADIUS + LID);
        let outer = OUTER.0 + OUTER.1 * Vec2::new(self.cos, self.sin);
        seen(edge).lerp(outer, t.max(0.0)).extend(1.0).normalize()
    }

    /// Position and normal in the ring at `t`; `p` is the point where the ray leaves the face.
    fn point(&self, face: &impl Fn(Vec3) -> f32, t: f32, p: Vec3) -> (Vec3, Vec3) {
        let normal = surface::normal(face, p, 0.0006);
        let from_eye = (p - EYE).normalize();
        if t < 0.0 {
            (EYE + from_eye * (EYE_RADIUS - 0.0004), normal)
        } else if t == 0.0 {
            let middle = direction(0.0, self.inner.y * 0.3);
            (p, (normal + (middle - from_eye) * 0.6).normalize())
        } else if t == 1.0 {
            (p - normal * 0.0002, normal)
        } else {
            // The lid is slightly above the face's triangles so that it is visible.
            (p + normal * (0.00035 * smoothstep(0.5, 0.8, t)), normal)
        }
    }

    /// Colour factor in the ring at `t`: red near the edge, dark in the fold of the upper lid.
    fn shade(&self, t: f32) -> Vec3 {
        let upper = smoothstep(-0.1, 0.35, self.sin);
        let near = (-(t / 0.16).powi(2)).exp();
        let tint = Vec3::new(0.62, 0.44, 0.40).lerp(Vec3::new(0.84, 0.68, 0.64), 1.0 - upper);
        let fold = (-((t - 0.36) / 0.10).powi(2)).exp() * upper * 0.16;
        Vec3::ONE.lerp(tint, near * 0.8) * (1.0 - fold)
    }
}

/// Both lids: rings from behind their edge outwards to the face.
fn lids(face: &impl Fn(Vec3) -> f32) -> BlinkPatch {
    let mut patch = BlinkPatch::new(Paint::Skin, false);
    let edges: Vec<LidEdge> = (0..LID_COLUMNS).map(LidEdge::new).collect();
    for (t, depths) in LID_RINGS.into_iter().zip(lid_depths(face, &edges)) {
        for (edge, depth) in edges.iter().zip(depths) {
            let (p, normal) = edge.point(face, t, BEHIND + edge.ray(t) * depth);
            patch.positions.push(p);
            patch.normals.push(normal);
            patch.uv.push(Vec2::ZERO);
            patch.shade.push(edge.shade(t));
            let closed = closed(p, t.max(0.0), edge.cos, edge.sin);
            patch.blink.push(closed - p);
        }
    }
    for r in 0..LID_RINGS.len() as u32 - 1 {
        for k in 0..LID_COLUMNS {
            let next = (k + 1) % LID_COLUMNS;
            let (a, b) = (r * LID_COLUMNS + k, r * LID_COLUMNS + next);
            patch.triangles.push([a, a + LID_COLUMNS, b + LID_COLUMNS]);
            patch.triangles.push([a, b + LID_COLUMNS, b]);
        }
    }
    smooth_lids(&mut patch);
    patch
}

/// Distances at which the rays of each ring leave the face, smoothed between neighbours.
fn lid_depths(face: &impl Fn(Vec3) -> f32, edges: &[LidEdge]) -> Vec<Vec<f32>> {
    let mut depths: Vec<Vec<f32>> = LID_RINGS
        .map(|t| edges.iter().map(|e| reach(face, e.ray(t))).collect())
        .into();
    for _ in 0..3 {
        for r in 2..LID_RINGS.len() - 2 {
            let n = edges.len();
            depths[r] = (0..n)
                .map(|k| {
                    let ring = &depths[r];
                    let beside = 0.5 * (ring[(k + 1) % n] + ring[(k + n - 1) % n]);
                    let along = 0.5 * (depths[r - 1][k] + depths[r + 1][k]);
                    0.5 * ring[k] + 0.35 * beside + 0.15 * along
                })
                .collect();
        }
    }
    depths
}

/// Replaces the normals between edge and face by those of the triangles, which are smoother than the field with its folds.
fn smooth_lids(patch: &mut BlinkPatch) {
    let mut sums = vec![Vec3::ZERO; patch.positions.len()];
    for t in &patch.triangles {
        let [a, b, c] = t.map(|i| patch.positions[i as usize]);
        for i in t {
            sums[*i as usize] += (b - a).cross(c - a);
        }
    }
    let n = LID_COLUMNS as usize;
    for i in 2 * n..(LID_RINGS.len() - 1) * n {
        let share = 1.0 - smoothstep(0.42, 0.80, LID_RINGS[i / n]);
        let own = sums[i].normalize_or(patch.normals[i]);
        patch.normals[i] = patch.normals[i].lerp(own, share).normalize();
    }
}

/// Distance from behind the eye at which a ray leaves the face.
fn reach(face: &impl Fn(Vec3) -> f32, to: Vec3) -> f32 {
    let mut low = 0.030;
    let mut high = low;
    while high < 0.080 && face(BEHIND + to * high) < 0.0 {
        low = high;
        high += 0.0006;
    }
    for _ in 0..14 {
        let middle = low.midpoint(high);
        if face(BEHIND + to * middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Position of a point of the lids when the eye is closed: the upper edge moves down to the lower one and the skin above it
/// follows, over the ball.
fn closed(p: Vec3, t: f32, cos: f32, sin: f32) -> Vec3 {
    let gap = upper_edge(cos) - lower_edge(cos);
    let share = 1.0 - smoothstep(0.0, 0.62, t);
    let turn = if sin >= 0.0 {
        -0.90 * gap * share
    } else {
        0.10 * gap * share
    };
    let r = Quat::from_rotation_x(-turn) * (p - EYE);
    let min_radius = EYE_RADIUS * 1.06 + LID;
    EYE + if t < 0.5 && r.length() < min_radius {
        r.normalize() * r.length().max(min_radius)
    } else {
        r
    }
}

/// Upper lashes: a curved, double-sided fringe from the lid's edge.
fn lashes() -> BlinkPatch {
    let (columns, rows) = (26_u32, 3_u32);
    let mut patch = BlinkPatch::new(Paint::Lash, false);
    for r in 0..=rows {
        for c in 0..=columns {
            let u = c as f32 / columns as f32 * 1.94 - 0.92;
            let v = r as f32 / rows as f32;
            let edge = upper_edge(u.min(1.0)) + 0.02;
            let to = direction(u.min(1.0) * corner(u), edge);
            let long = (0.0022 + 0.0026 * smoothstep(-0.6, 0.9, u)) * smoothstep(1.04, 0.70, u);
            let lift = Vec3::new(0.35 * u, 0.25 + 0.75 * v, 0.85 - 0.3 * v).normalize();
            let p = EYE + to * (EYE_RADIUS + LID * 0.9) + lift * (long * v);
            let normal = (to + Vec3::Y * 0.5).normalize();
            patch.positions.push(p);
            patch.normals.push(normal);
            patch.uv.push(Vec2::new(u * 5.5, 1.0 - v));
            patch.shade.push(Vec3::ONE);
            let turn = 0.90 * (upper_edge(u) - lower_edge(u));
            let tip = Quat::from_rotation_x(turn) * (p - EYE);
            patch.blink.push(tip * 1.02 + EYE - p);
        }
    }
    for r in 0..rows {
        for c in 0..columns {
            let a = r * (columns + 1) + c;
            let (b, d) = (a + 1, a + columns + 1);
            patch.triangles.extend([[a, b, d + 1], [a, d + 1, d]]);
        }
    }
    patch
}

impl BlinkPatch {
    fn new(paint: Paint, turns: bool) -> Self {
        Self {
            paint,
            turns,
            side: 1.0,
            positions: Vec::new(),
            normals: Vec::new(),
            uv: Vec::new(),
            shade: Vec::new(),
            blink: Vec::new(),
            triangles: Vec::new(),
        }
    }

    fn add(&mut self, position: Vec3, normal: Vec3, uv: Vec2, shade: f32) {
        self.positions.push(position);
        self.normals.push(normal);
        self.uv.push(uv);
        self.shade.push(Vec3::splat(shade));
        self.blink.push(Vec3::ZERO);
    }
}

/// Eyebrows, and the line between the lips, as thin bars on the skin; `drop` returns the skin and its normal along -Z at (x,
/// y).
pub fn bars(mouth_at: f32, drop: impl Fn(f32, f32) -> (Vec3, Vec3)) -> Vec<BlinkPatch> {
    let brow = |side: f32| {
        bar(Paint::Brow, side, &drop, move |u| {
            let arch = 1.6055 + 0.0078 * (u * 2.35).sin() - 0.0035 * u * u;
            let half = 0.0029 * (1.0 - u).powf(0.60) * (0.25 + 0.75 * smoothstep(0.0, 0.22, u));
            (side * (0.0120 + 0.0385 * u), arch, half)
        })
    };
    let mouth = bar(Paint::Lips, 1.0, &drop, |u| {
        let x = (u * 2.0 - 1.0) * 0.0228;
        let end = (1.0 - (u * 2.0 - 1.0).powi(2)).max(0.0);
        let bow = mouth_at + 1.4 * x * x + 0.0004 * (x * 420.0).cos() * end;
        (x, bow, 0.0007 * end.powf(0.6))
    });
    let mut mouth = mouth;
    mouth.side = 0.0;
    mouth.shade = vec![Vec3::new(0.20, 0.12, 0.12); mouth.positions.len()];
    vec![brow(1.0), brow(-1.0), mouth]
}

/// One bar; `line` gives (x, y, half of the height) along it.
fn bar(
    paint: Paint,
    side: f32,
    drop: impl Fn(f32, f32) -> (Vec3, Vec3),
    line: impl Fn(f32) -> (f32, f32, f32),
) -> BlinkPatch {
    let (columns, rows) = (18_u32, 2_u32);
    let mut patch = BlinkPatch::new(paint, false);
    patch.side = side;
    for r in 0..=rows {
        for c in 0..=columns {
            let u = c as f32 / columns as f32;
            let (x, y, half) = line(u);
            let v = r as f32 / rows as f32 * 2.0 - 1.0;
            let (skin, normal) = drop(x, y + v * half);
            let raise = if r == 1 { 0.0007 } else { 0.0001 };
            let lean = Quat::from_rotation_x(-0.3 * v);
            let uv = Vec2::new(v, u * 4.0);
            patch.add(skin + normal * raise, lean * normal, uv, 1.0);
        }
    }
    for r in 0..rows {
        for c in 0..columns {
            let a = r * (columns + 1) + c;
            let (b, d, e) = (a + 1, a + columns + 1, a + columns + 2);
            for t in [[a, b, e], [a, e, d]] {
                let flipped = [t[0], t[2], t[1]];
                patch.triangles.push(if side > 0.0 { t } else { flipped });
            }
        }
    }
    patch
}
