//! Distance to a loft through cross-sections.

use galatea_math::clamp::ClampTo as _;
use glam::{Vec2, Vec3};

use super::sdf::{hermite, smax};

/// A cross-section of a loft: a superellipse perpendicular to the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Position along the axis, metres.
    pub t: f32,
    /// Offset of the centre, metres.
    pub middle: Vec2,
    /// Half-axes, metres.
    pub radius: Vec2,
    /// Exponent: 2 is an ellipse, a larger value approaches a box.
    pub power: f32,
}

/// Distance to a loft in its own space; z is along the axis.
pub(super) fn lofted(q: Vec3, sections: &[Section]) -> f32 {
    let (Some(first), Some(last)) = (sections.first(), sections.last()) else {
        return f32::MAX;
    };
    let t = q.z.clamp_to(first.t, last.t);
    let [cu, cv, ru, rv, power] = section(sections, t);
    let (u, v) = ((q.x - cu).abs(), (q.y - cv).abs());
    let across = if (power - 2.0).abs() < 1e-3 {
        let k0 = ((u / ru).powi(2) + (v / rv).powi(2)).sqrt();
        let k1 = ((u / (ru * ru)).powi(2) + (v / (rv * rv)).powi(2)).sqrt();
        if k1 < 1e-4 {
            -ru.min(rv)
        } else {
            k0 * (k0 - 1.0) / k1
        }
    } else {
        // First-order distance: the value divided by the length of the gradient.
        let (a, b) = ((u / ru).max(1e-6), (v / rv).max(1e-6));
        let s = (a.powf(power) + b.powf(power)).max(1e-12);
        let f = s.powf(1.0 / power);
        let down = s.powf(1.0 / power - 1.0);
        let slope = Vec2::new(
            down * a.powf(power - 1.0) / ru,
            down * b.powf(power - 1.0) / rv,
        );
        (f - 1.0) / slope.length().max(1e-3)
    };
    let beyond = (first.t - q.z).max(q.z - last.t);
    if beyond > 0.0 {
        across.max(0.0).hypot(beyond)
    } else {
        smax(across, beyond, 0.012)
    }
}

fn section(sections: &[Section], t: f32) -> [f32; 5] {
    let row = |s: &Section| [s.middle.x, s.middle.y, s.radius.x, s.radius.y, s.power];
    let n = sections.len();
    if n < 2 {
        return row(&sections[0]);
    }
    let i = sections
        .iter()
        .rposition(|s| s.t <= t)
        .unwrap_or(0)
        .min(n - 2);
    let (a, b) = (&sections[i], &sections[i + 1]);
    let (before, after) = (
        &sections[i.saturating_sub(1)],
        &sections[(i + 2).min(n - 1)],
    );
    let span = (b.t - a.t).max(1e-6);
    let u = (t - a.t) / span;
    let (p0, p1, p2, p3) = (row(before), row(a), row(b), row(after));
    std::array::from_fn(|k| {
        let m1 = (p2[k] - p0[k]) / (b.t - before.t).max(1e-6) * span;
        let m2 = (p3[k] - p1[k]) / (after.t - a.t).max(1e-6) * span;
        hermite(p1[k], m1, p2[k], m2, u)
    })
}
