//! Measures of weighted points: mean, quantile, extent.

use glam::Vec3;

/// The mean place of points, by their weight.
pub fn middle(points: &[(Vec3, f32)]) -> Option<Vec3> {
    let weight: f32 = points.iter().map(|point| point.1).sum();
    let sum: Vec3 = points.iter().map(|point| point.0 * point.1).sum();
    (weight > 0.0).then(|| sum / weight)
}

/// Weighted quantile of values; 0 of none.
pub fn quantile(values: &mut [(f32, f32)], share: f32) -> f32 {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f32 = values.iter().map(|value| value.1).sum();
    let mut sum = 0.0;
    for (value, weight) in values.iter() {
        sum += weight;
        if sum >= share * total {
            return *value;
        }
    }
    values.last().map_or(0.0, |last| last.0)
}

/// The values at a share from below and from above.
pub fn between(points: &[(Vec3, f32)], along: Vec3, share: f32) -> (f32, f32) {
    let mut values: Vec<_> = points.iter().map(|(p, w)| (p.dot(along), *w)).collect();
    let low = quantile(&mut values, share);
    (low, quantile(&mut values, 1.0 - share))
}
