//! Curves through a few points.

/// A smooth curve through `(t, value)` points, ascending in `t`, flat at both ends; constant
/// outside.
pub fn through(points: &[(f32, f32)], t: f32) -> f32 {
    sloped(points, 0.0, 0.0, t)
}

/// A smooth curve through `(t, value)` points with the given slopes at its ends (value per unit of
/// `t`). Between the points it never leaves their range (Fritsch and Carlson 1980).
pub fn sloped(points: &[(f32, f32)], first: f32, last: f32, t: f32) -> f32 {
    let n = points.len();
    if t <= points[0].0 {
        return points[0].1;
    }
    if t >= points[n - 1].0 {
        return points[n - 1].1;
    }
    let i = points
        .iter()
        .rposition(|p| p.0 <= t)
        .unwrap_or(0)
        .min(n - 2);
    let slope = |k: usize| {
        if k == 0 {
            first
        } else if k == n - 1 {
            last
        } else {
            let (before, here, after) = (points[k - 1], points[k], points[k + 1]);
            let left = (here.1 - before.1) / (here.0 - before.0);
            let right = (after.1 - here.1) / (after.0 - here.0);
            if left * right <= 0.0 {
                return 0.0;
            }
            let share = (here.0 - before.0) / (after.0 - before.0);
            let steepest = 3.0 * left.abs().min(right.abs());
            (right * share + left * (1.0 - share)).clamp(-steepest, steepest)
        }
    };
    let (a, b) = (points[i], points[i + 1]);
    let span = b.0 - a.0;
    crate::forge::sdf::hermite(
        a.1,
        slope(i) * span,
        b.1,
        slope(i + 1) * span,
        (t - a.0) / span,
    )
}

/// A cosine over a cycle: 1 at `peak`, both in cycles.
pub fn wave(u: f32, peak: f32) -> f32 {
    ((u - peak) * std::f32::consts::TAU).cos()
}
