//! Signed distance primitives: negative inside, metres, gradients of at most about one.
//!
//! The smooth union is the quadratic polynomial one (Quilez, "Smooth minimum"): it changes the field only where the two
//! distances differ by less than `k`.

use galatea_math::clamp::ClampTo as _;
pub use galatea_math::smoothstep;
use glam::{Mat3, Vec3};

/// Smooth union of two distances, `k` metres wide.
#[inline]
pub fn smin(a: f32, b: f32, k: f32) -> f32 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

/// Smooth intersection of two distances, `k` metres wide.
#[inline]
pub fn smax(a: f32, b: f32, k: f32) -> f32 {
    -smin(-a, -b, k)
}

/// An axis-aligned ellipsoid (first-order distance).
#[inline]
pub fn ellipsoid(p: Vec3, centre: Vec3, radii: Vec3) -> f32 {
    let q = p - centre;
    let k0 = (q / radii).length();
    let k1 = (q / (radii * radii)).length();
    if k1 < 1e-6 {
        -radii.min_element()
    } else {
        k0 * (k0 - 1.0) / k1
    }
}

/// A rounded cone: a segment whose radius changes from `ra` to `rb`.
#[inline]
pub fn cone(p: Vec3, a: Vec3, b: Vec3, ra: f32, rb: f32) -> f32 {
    let ab = b - a;
    let t = ((p - a).dot(ab) / ab.length_squared()).clamp(0.0, 1.0);
    (p - a - ab * t).length() - (ra + (rb - ra) * t)
}

/// A cross-section of a [`Loft`]: an ellipse perpendicular to the axis.
#[derive(Clone, Copy, Debug)]
pub struct LoftRing {
    /// Position along the axis.
    pub t: f32,
    /// Offset of the centre.
    pub centre: [f32; 2],
    /// Half-axes.
    pub radius: [f32; 2],
}

/// Constructs a [`LoftRing`].
pub const fn ring(t: f32, cu: f32, cv: f32, ru: f32, rv: f32) -> LoftRing {
    LoftRing {
        t,
        centre: [cu, cv],
        radius: [ru, rv],
    }
}

/// A loft through elliptic cross-sections, interpolated by Catmull-Rom splines.
#[derive(Clone, Debug)]
pub struct Loft {
    /// Point at t = 0.
    pub origin: Vec3,
    /// Columns: the two axes of the ellipses and the axis of the loft.
    pub frame: Mat3,
    /// Ascending in `t`, at least two.
    pub rings: &'static [LoftRing],
}

impl Loft {
    /// A vertical loft: t is the height; the axes of ellipses point sideways (X), then forward (Z).
    pub fn upright(rings: &'static [LoftRing]) -> Self {
        Self {
            origin: Vec3::ZERO,
            frame: Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::Y),
            rings,
        }
    }

    /// Distance to the loft.
    pub fn distance(&self, p: Vec3) -> f32 {
        let q = self.frame.transpose() * (p - self.origin);
        let (first, last) = (self.rings[0].t, self.rings[self.rings.len() - 1].t);
        let t = q.z.clamp_to(first, last);
        let [cu, cv, ru, rv] = self.section(t);
        let (u, v) = (q.x - cu, q.y - cv);
        let k0 = ((u / ru).powi(2) + (v / rv).powi(2)).sqrt();
        let k1 = ((u / (ru * ru)).powi(2) + (v / (rv * rv)).powi(2)).sqrt();
        let across = if k1 < 1e-4 {
            -ru.min(rv)
        } else {
            k0 * (k0 - 1.0) / k1
        };
        let beyond = (first - q.z).max(q.z - last);
        if beyond > 0.0 {
            across.max(0.0).hypot(beyond)
        } else {
            smax(across, beyond, 0.012)
        }
    }

    fn section(&self, t: f32) -> [f32; 4] {
        let rings = self.rings;
        let i = rings
            .iter()
            .rposition(|r| r.t <= t)
            .unwrap_or(0)
            .min(rings.len() - 2);
        let (a, b) = (&rings[i], &rings[i + 1]);
        let before = &rings[i.saturating_sub(1)];
        let after = &rings[(i + 2).min(rings.len() - 1)];
        let span = b.t - a.t;
        let u = (t - a.t) / span;
        let row = |r: &LoftRing| [r.centre[0], r.centre[1], r.radius[0], r.radius[1]];
        let (p0, p1, p2, p3) = (row(before), row(a), row(b), row(after));
        std::array::from_fn(|k| {
            let m1 = (p2[k] - p0[k]) / (b.t - before.t) * span;
            let m2 = (p3[k] - p1[k]) / (after.t - a.t) * span;
            hermite(p1[k], m1, p2[k], m2, u)
        })
    }
}

/// Cubic Hermite interpolation from `a` with slope `ma` to `b` with slope `mb`, `u` in 0..=1.
#[inline]
pub fn hermite(a: f32, ma: f32, b: f32, mb: f32, u: f32) -> f32 {
    let (u2, u3) = (u * u, u * u * u);
    a * (2.0 * u3 - 3.0 * u2 + 1.0)
        + ma * (u3 - 2.0 * u2 + u)
        + b * (3.0 * u2 - 2.0 * u3)
        + mb * (u3 - u2)
}
