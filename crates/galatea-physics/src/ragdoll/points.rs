//! Statistics of weighted points: mean, quantile, extent.

use glam::Vec3;

/// Weighted mean position of points.
pub fn middle(points: &[(Vec3, f32)]) -> Option<Vec3> {
    let weight: f32 = points.iter().map(|point| point.1).sum();
    let sum: Vec3 = points.iter().map(|point| point.0 * point.1).sum();
    (weight > 0.0).then(|| sum / weight)
}

/// An integer with the order of `f32::total_cmp`.
fn order(value: f32) -> u32 {
    let bits = value.to_bits();
    bits ^ if value.is_sign_negative() {
        u32::MAX
    } else {
        1 << 31
    }
}

/// Sorts weighted values; equal ones keep their order. Sorting integers is several times faster than sorting pairs of
/// floats.
fn sort(values: &mut Vec<(f32, f32)>) {
    let keyed = values.iter().enumerate();
    let mut keys: Vec<u64> = keyed
        .map(|(i, value)| u64::from(order(value.0)) << 32 | i as u64)
        .collect();
    keys.sort_unstable();
    *values = keys
        .iter()
        .map(|key| values[*key as u32 as usize])
        .collect();
}

/// Weighted quantile of values, which it sorts; 0 without values.
pub fn quantile(values: &mut Vec<(f32, f32)>, fraction: f32) -> f32 {
    sort(values);
    sorted_quantile(values, fraction)
}

fn sorted_quantile(values: &[(f32, f32)], fraction: f32) -> f32 {
    let total: f32 = values.iter().map(|value| value.1).sum();
    let mut sum = 0.0;
    for (value, weight) in values.iter() {
        sum += weight;
        if sum >= fraction * total {
            return *value;
        }
    }
    values.last().map_or(0.0, |last| last.0)
}

/// Quantiles of the positions along a direction, at a fraction from below and from above.
pub fn between(points: &[(Vec3, f32)], along: Vec3, fraction: f32) -> (f32, f32) {
    let mut values: Vec<_> = points.iter().map(|(p, w)| (p.dot(along), *w)).collect();
    let low = quantile(&mut values, fraction);
    (low, sorted_quantile(&values, 1.0 - fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_as_a_stable_sort_of_floats_does() {
        let values = [0.5, -0.0, 0.0, -3.0, 0.5, f32::INFINITY, -1e-40, -3.0, 7.0];
        let mut sorted: Vec<(f32, f32)> = values.into_iter().zip((1..).map(|i| i as f32)).collect();
        let mut expected = sorted.clone();
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        sort(&mut sorted);
        let bits = |all: &[(f32, f32)]| -> Vec<(u32, f32)> {
            all.iter().map(|(v, w)| (v.to_bits(), *w)).collect()
        };
        assert_eq!(bits(&sorted), bits(&expected));
    }
}
