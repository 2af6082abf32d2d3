//! Packs UV charts into one texture.

use etagere::{BucketedAtlasAllocator, size2};
use glam::{Mat2, Vec2};

use super::unwrap::Chart;

/// Placement of a chart in the texture: rotation, scale, offset; 0..=1, v downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    rotation: Mat2,
    offset: Vec2,
}

impl Seat {
    /// Texture coordinates of a point of the chart.
    pub fn of(&self, uv: Vec2) -> Vec2 {
        let p = self.rotation * uv + self.offset;
        Vec2::new(p.x, 1.0 - p.y)
    }
}

/// A chart rotated to its narrowest upright box, in metres times its texel density.
struct UprightChart {
    rotation: Mat2,
    low: Vec2,
    size: Vec2,
}

/// Packs all charts into a square texture of `side` pixels, with `gutter` free pixels around each. `details` is the relative
/// texel density of each chart. The scale is as large as possible.
pub fn seats(charts: &[Chart], side: u32, gutter: u32, details: &[f32]) -> Vec<Seat> {
    let both = charts.iter().zip(details);
    let standing: Vec<UprightChart> = both.map(|(chart, detail)| stand(chart, *detail)).collect();
    let area: f32 = standing.iter().map(|s| s.size.x * s.size.y).sum();
    let mut scale = side as f32 / area.max(1e-9).sqrt();
    for _ in 0..400 {
        if let Some(seats) = placed(&standing, side, gutter, scale) {
            return seats;
        }
        scale *= 0.985;
    }
    vec![
        Seat {
            rotation: Mat2::ZERO,
            offset: Vec2::ZERO
        };
        charts.len()
    ]
}

fn placed(standing: &[UprightChart], side: u32, gutter: u32, scale: f32) -> Option<Vec<Seat>> {
    let mut order: Vec<usize> = (0..standing.len()).collect();
    order.sort_by(|a, b| {
        let key = |i: usize| standing[i].size.y;
        key(*b).total_cmp(&key(*a)).then(a.cmp(b))
    });
    let side_px = side.min(16_384) as i32;
    let mut shelves = BucketedAtlasAllocator::new(size2(side_px, side_px));
    let mut seats = vec![None; standing.len()];
    for i in order {
        let own = &standing[i];
        let box_size = (own.size * scale).ceil().as_ivec2() + 2 * gutter as i32;
        let room = shelves.allocate(size2(box_size.x, box_size.y))?;
        let corner =
            Vec2::new(room.rectangle.min.x as f32, room.rectangle.min.y as f32) + gutter as f32;
        let share = scale / side as f32;
        seats[i] = Some(Seat {
            rotation: own.rotation * share,
            offset: corner / side as f32 - own.low * share,
        });
    }
    seats.into_iter().collect()
}

/// Rotates a chart to the smallest bounding box, upright.
fn stand(chart: &Chart, detail: f32) -> UprightChart {
    let turned = |rotation: Mat2| {
        let all = chart.uv.iter().map(|p| rotation * *p);
        let (low, high) = all.fold((Vec2::MAX, Vec2::MIN), |(low, high), p| {
            (low.min(p), high.max(p))
        });
        (low, (high - low).max(Vec2::ZERO))
    };
    let mut best = (f32::MAX, Mat2::IDENTITY);
    for step in 0..60 {
        let rotation = Mat2::from_angle((step as f32 * 3.0).to_radians());
        let (_, size) = turned(rotation);
        if size.x * size.y < best.0 {
            best = (size.x * size.y, rotation);
        }
    }
    let mut rotation = best.1;
    if turned(rotation).1.x > turned(rotation).1.y {
        rotation = Mat2::from_angle(std::f32::consts::FRAC_PI_2) * rotation;
    }
    let rotation = rotation * detail;
    let (low, size) = turned(rotation);
    UprightChart {
        rotation,
        low,
        size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(size: Vec2, rotation: f32) -> Chart {
        let at = [
            Vec2::ZERO,
            Vec2::new(size.x, 0.0),
            size,
            Vec2::new(0.0, size.y),
        ];
        Chart {
            faces: vec![(0, [0, 1, 2, 3])],
            uv: at.map(|p| Mat2::from_angle(rotation) * p).to_vec(),
            stretch: 1.0,
            turned: 0.0,
        }
    }

    #[test]
    fn charts_do_not_touch_and_have_their_texel_density() {
        let charts: Vec<Chart> = (0..12)
            .map(|i| {
                chart(
                    Vec2::new(0.1 + 0.03 * i as f32, 0.3 - 0.015 * i as f32),
                    i as f32,
                )
            })
            .collect();
        let (side, gutter) = (512, 4);
        let mut details = [1.0; 12];
        details[5] = 2.0;
        let seats = seats(&charts, side, gutter, &details);
        let boxes: Vec<(Vec2, Vec2)> = charts
            .iter()
            .zip(&seats)
            .map(|(chart, seat)| {
                let all = chart.uv.iter().map(|p| seat.of(*p) * side as f32);
                all.fold((Vec2::MAX, Vec2::MIN), |(low, high), p| {
                    (low.min(p), high.max(p))
                })
            })
            .collect();
        let mut covered = 0.0;
        for (i, (low, high)) in boxes.iter().enumerate() {
            assert!(
                low.min_element() >= 3.9 && high.max_element() <= 508.1,
                "{i}: {low} {high}"
            );
            covered += (high - low).element_product();
            for (other_low, other_high) in &boxes[..i] {
                let apart = (*low - *other_high).max(*other_low - *high).max_element();
                assert!(apart > 7.0, "{i}: {apart}");
            }
        }
        assert!(covered > 0.5 * 512.0 * 512.0, "{covered}");
        let wide = |i: usize| {
            let [a, b] = [0, 1].map(|k| seats[i].of(charts[i].uv[k]));
            a.distance(b) / charts[i].uv[0].distance(charts[i].uv[1])
        };
        assert!((wide(5) / wide(4) - 2.0).abs() < 1e-3);
    }
}
