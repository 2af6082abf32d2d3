//! The size of a head and the positions of its eyes, checked against its skin.

use glam::Vec3;

use super::skin::RestSkin;

/// Distance between the eyes of a usual head, metres.
pub(super) const USUAL_EYES: f32 = 0.064;
/// Width of a usual head without its outermost parts (ears and earrings), metres.
const USUAL_WIDTH: f32 = 0.146;
/// Fraction of the area of a head's skin that lies outside of its width on each side.
const OUTER: f32 = 0.04;
/// Eyes are moved if their distance gives a size that differs by more than this factor from that of the skull.
const MAX_DISAGREEMENT: f32 = 1.3;
/// Heights of eyes in a head, from its lowest point to its top.
const EYE_HEIGHT: std::ops::RangeInclusive<f32> = 0.2..=0.75;
/// Height of the eyes if it is unknown.
const USUAL_EYE_HEIGHT: f32 = 0.48;
/// Distance from the skin in front of an eye to its centre, metres for a usual head.
const EYE_DEPTH: f32 = 0.012;
/// Maximum additional depth of the eyes, metres.
const MAX_EYE_DEPTH: f32 = 0.045;
/// Smallest height of a head, as a fraction of its width.
const MIN_HEIGHT: f32 = 0.4;
/// Sizes within this range count as usual.
const USUAL_SIZES: std::ops::RangeInclusive<f32> = 0.75..=1.3;

/// Measures of a head.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadMeasure {
    /// The left and the right eye.
    pub eyes: [Vec3; 2],
    /// Size as a factor on a usual head.
    pub size: f32,
}

impl HeadMeasure {
    /// Measures the skin that the head carries. Eyes that contradict it are moved to their usual position. Returns `None`
    /// without skin.
    pub fn of(skin: &RestSkin, eyes: [Vec3; 2]) -> Option<Self> {
        let [left, right] = quantiles(skin, |p| p.x)?;
        let [low, high] = quantiles(skin, |p| p.y)?;
        if high - low < MIN_HEIGHT * (right - left) {
            return None;
        }
        let by_skull = ((right - left) / USUAL_WIDTH).max(1e-6);
        let middle = (eyes[0] + eyes[1]) * 0.5;
        // A part such as a foot is not a head, even if eyes are assigned to it.
        let beyond = (middle.y - high).max(low - middle.y);
        if beyond > high - low {
            return None;
        }
        let apart = eyes[0].distance(eyes[1]);
        let by_eyes = apart / USUAL_EYES;
        let agrees = (by_skull / MAX_DISAGREEMENT..by_skull * MAX_DISAGREEMENT).contains(&by_eyes);
        let height = (middle.y - low) / (high - low).max(1e-6);
        let is_inside = EYE_HEIGHT.contains(&height) && (left..right).contains(&middle.x);
        let size = if agrees && is_inside {
            by_eyes
        } else {
            by_skull
        };
        let mut middle = if is_inside {
            middle
        } else {
            let y = low + (high - low) * USUAL_EYE_HEIGHT;
            Vec3::new((left + right) * 0.5, y, middle.z)
        };
        if let Some(front) = front_of(skin, middle, 0.02 * size) {
            let depths = front - MAX_EYE_DEPTH * size..=front;
            if !depths.contains(&middle.z) {
                middle.z = front - EYE_DEPTH * size;
            }
        }
        let half = if agrees && is_inside {
            (eyes[0] - eyes[1]) * 0.5
        } else {
            Vec3::X * (0.5 * USUAL_EYES * size)
        };
        Some(Self {
            eyes: [middle + half, middle - half],
            size,
        })
    }

    /// Scale of hair lengths: 1 for heads of about the usual size.
    pub fn scale(&self) -> f32 {
        if USUAL_SIZES.contains(&self.size) {
            1.0
        } else {
            self.size
        }
    }
}

/// Two values that bound the area of the head's skin, without its outer parts.
fn quantiles(skin: &RestSkin, value: impl Fn(Vec3) -> f32) -> Option<[f32; 2]> {
    let mut parts: Vec<(f32, f32)> = skin
        .of_head()
        .map(|i| {
            let [a, b, c] = skin.corners(i);
            (value((a + b + c) / 3.0), (b - a).cross(c - a).length())
        })
        .filter(|(value, area)| value.is_finite() && area.is_finite())
        .collect();
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f32 = parts.iter().map(|(_, area)| area).sum();
    let at = |height: f32| {
        let mut sum = 0.0;
        let found = parts.iter().find(|(_, area)| {
            sum += area;
            sum >= height * total
        });
        found.or(parts.last()).map(|(value, _)| *value)
    };
    Some([at(OUTER)?, at(1.0 - OUTER)?])
}

/// Foremost skin of the head near a height and a side.
fn front_of(skin: &RestSkin, middle: Vec3, around: f32) -> Option<f32> {
    let near = |p: &Vec3| (p.x - middle.x).abs() < 2.0 * around && (p.y - middle.y).abs() < around;
    let corners = skin.of_head().flat_map(|i| {
        let [a, b, c] = skin.corners(i);
        [a, b, c, (a + b + c) / 3.0]
    });
    corners.filter(near).map(|p| p.z).reduce(f32::max)
}
