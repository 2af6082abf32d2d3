//! Interpolated strands between guides: patches of three or four guides, and weights of the nearest guides.

use glam::Vec3;

use super::spread::spread;
use galatea_math::random::RandomSource;

/// Maximum number of guides that a strand follows.
pub const FOLLOWED: usize = 4;

/// Guides that a strand follows, and their weights, which sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuideWeights {
    /// Indices of guides; without weight the index is arbitrary.
    pub guides: [u16; FOLLOWED],
    /// Weights, 0..=1.
    pub weights: [f32; FOLLOWED],
}

/// A strand to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// Guides that it follows.
    pub follow: GuideWeights,
    /// Points at rest, as many as the guides have, metres.
    pub points: Vec<Vec3>,
}

/// An area between guides, in their order around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideArea {
    /// Area of three guides.
    Three([u16; 3]),
    /// Area of four guides.
    Four([u16; 4]),
}

impl GuideArea {
    /// Guides around the area.
    pub fn guides(&self) -> &[u16] {
        match self {
            Self::Three(guides) => guides,
            Self::Four(guides) => guides,
        }
    }

    /// Guide weights of a strand at `x`, `y` (0..=1 each) in the patch. For three guides, the half of the square beyond the
    /// diagonal is mirrored to the other half.
    pub fn follow(&self, x: f32, y: f32) -> GuideWeights {
        match *self {
            Self::Four(guides) => GuideWeights {
                guides,
                weights: [(1.0 - x) * (1.0 - y), x * (1.0 - y), x * y, (1.0 - x) * y],
            },
            Self::Three([a, b, c]) => {
                let (x, y) = if x + y > 1.0 {
                    (1.0 - x, 1.0 - y)
                } else {
                    (x, y)
                };
                GuideWeights {
                    guides: [a, b, c, a],
                    weights: [1.0 - x - y, x, y, 0.0],
                }
            }
        }
    }
}

/// Unit direction of a guide in its first third.
fn combed(guide: &[Vec3]) -> Vec3 {
    let (Some(root), Some(then)) = (guide.first(), guide.get(guide.len().div_ceil(3))) else {
        return Vec3::ZERO;
    };
    (*then - *root).normalize_or_zero()
}

/// Patches of three guides whose roots are close to each other. With `parted`, there are no patches between guides that
/// part, as at both sides of a parting; otherwise see [`keep_together`].
pub fn patches_between(guides: &[Vec<Vec3>], parted: bool) -> Vec<GuideArea> {
    const NEAR: usize = 6;
    /// Maximum side of a patch, relative to the median distance to the next guide.
    const MAX_SIDE: f32 = 2.5;
    /// Guides part if their directions differ more than on a skull of this radius in metres, by this amount.
    const SKULL_RADIUS: f32 = 0.07;
    const MIN_DIFFERENCE: f32 = 0.7;
    let roots: Vec<Vec3> = guides
        .iter()
        .filter_map(|guide| guide.first().copied())
        .collect();
    let n = roots.len().min(usize::from(u16::MAX));
    if n < guides.len() {
        return Vec::new();
    }
    let near: Vec<Vec<(f32, u16)>> = (0..n)
        .map(|i| {
            let others = (0..n as u16).filter(|other| usize::from(*other) != i);
            let mut near: Vec<(f32, u16)> = others
                .map(|other| (roots[i].distance(roots[usize::from(other)]), other))
                .collect();
            let nearer = |a: &(f32, u16), b: &(f32, u16)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if near.len() > NEAR {
                near.select_nth_unstable_by(NEAR, nearer);
                near.truncate(NEAR);
            }
            near.sort_by(nearer);
            near
        })
        .collect();
    let mut steps: Vec<f32> = near
        .iter()
        .filter_map(|near| Some(near.first()?.0))
        .collect();
    steps.sort_by(f32::total_cmp);
    let longest = MAX_SIDE * steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    let parts = |a: u16, b: u16, distance: f32| {
        let [a, b] = [a, b].map(|guide| combed(&guides[usize::from(guide)]));
        parted && a.distance(b) > MIN_DIFFERENCE + distance / SKULL_RADIUS
    };
    let is_near = |a: u16, b: u16| {
        let mut known = near[usize::from(a)].iter();
        known
            .any(|(distance, other)| *other == b && *distance <= longest && !parts(a, b, *distance))
    };
    let mut patches = Vec::new();
    for a in 0..n as u16 {
        for &(_, b) in near[usize::from(a)].iter().filter(|(_, b)| *b > a) {
            for &(_, c) in near[usize::from(a)].iter().filter(|(_, c)| *c > b) {
                if is_near(a, b) && is_near(a, c) && (is_near(b, c) || is_near(c, b)) {
                    patches.push(GuideArea::Three([a, b, c]));
                }
            }
        }
    }
    patches
}

impl GuideWeights {
    /// Interpolated point at a level of the guides; the origin if the guides do not exist.
    pub fn point(&self, guides: &[Vec<Vec3>], level: usize) -> Vec3 {
        let point = |guide: u16| guides.get(usize::from(guide))?.get(level).copied();
        let pairs = self.guides.iter().zip(self.weights);
        pairs
            .map(|(guide, weight)| point(*guide).unwrap_or_default() * weight)
            .sum()
    }

    /// Guides nearest to a strand's root, weighted by the inverse square of the distance.
    pub fn nearest(root: Vec3, roots: &[Vec3]) -> Self {
        let mut near = [(f32::INFINITY, 0_u16); FOLLOWED];
        for (i, other) in roots.iter().enumerate().take(usize::from(u16::MAX)) {
            let distance = root.distance_squared(*other);
            let at = near.iter().position(|(d, _)| distance < *d);
            if let Some(at) = at {
                near[at..].rotate_right(1);
                near[at] = (distance, i as u16);
            }
        }
        let first = near[0];
        if first.0 < 1e-12 || !first.0.is_finite() {
            return Self {
                guides: [first.1; FOLLOWED],
                weights: [1.0, 0.0, 0.0, 0.0],
            };
        }
        // The weight falls to 0 at the distance of the fourth guide, so that it changes continuously from root to root.
        let end = if near[3].0.is_finite() {
            1.0 / near[3].0
        } else {
            0.0
        };
        let weights = near.map(|(distance, _)| (1.0 / distance - end).max(0.0));
        let sum: f32 = weights.iter().sum();
        if sum <= 0.0 {
            return Self {
                guides: [first.1; FOLLOWED],
                weights: [1.0, 0.0, 0.0, 0.0],
            };
        }
        let guides = near.map(|(d, guide)| if d.is_finite() { guide } else { first.1 });
        Self {
            guides,
            weights: weights.map(|weight| weight / sum),
        }
    }
}

/// Grows `n` strands over patches, with roots spread evenly over their area; any number of the first strands also covers the
/// whole area. Patches with invalid guides are ignored; all guides must have equal numbers of points.
pub fn grow(guides: &[Vec<Vec3>], patches: &[GuideArea], n: usize, seed: u64) -> Vec<Strand> {
    let there = |patch: &&GuideArea| {
        let mut named = patch.guides().iter();
        named.all(|guide| {
            guides
                .get(usize::from(*guide))
                .is_some_and(|g| !g.is_empty())
        })
    };
    let mut cumulative_areas: Vec<(f32, &GuideArea)> = Vec::new();
    let mut total = 0.0;
    for patch in patches.iter().filter(there) {
        total += area(guides, patch).max(1e-12);
        cumulative_areas.push((total, patch));
    }
    if cumulative_areas.is_empty() {
        return Vec::new();
    }
    let sample = |chance: &mut RandomSource| {
        let goal = chance.unit() * total;
        let at = cumulative_areas.partition_point(|(end, _)| *end < goal);
        let patch = cumulative_areas[at.min(cumulative_areas.len() - 1)].1;
        let follow = patch.follow(chance.unit(), chance.unit());
        (follow.point(guides, 0), follow)
    };
    let levels = guides.iter().map(Vec::len).min().unwrap_or(0);
    spread(n, seed, sample)
        .into_iter()
        .map(|(_, follow)| Strand {
            follow,
            points: (0..levels).map(|l| follow.point(guides, l)).collect(),
        })
        .collect()
}

/// Prevents strands between diverging guides, for example in front of and behind a shoulder. If the guides of a strand
/// separate by more than a multiple of the distance of their roots plus some centimetres, the strand follows only the guides
/// near the one with the highest weight.
pub fn keep_together(strands: &mut [Strand], guides: &[Vec<Vec3>]) {
    const MAX_RATIO: f32 = 2.0;
    const MARGIN: f32 = 0.05;
    for strand in strands {
        let GuideWeights {
            guides: of,
            weights,
        } = strand.follow;
        let most = (0..FOLLOWED).max_by(|a, b| weights[*a].total_cmp(&weights[*b]));
        let Some(own) = most.and_then(|most| guides.get(usize::from(of[most]))) else {
            continue;
        };
        let stays_close = |guide: u16| {
            guides.get(usize::from(guide)).is_some_and(|other| {
                let distances = own.iter().zip(other).map(|(a, b)| a.distance(*b));
                let farthest = distances.fold(0.0, f32::max);
                farthest < MAX_RATIO * own[0].distance(other[0]) + MARGIN
            })
        };
        let remaining: [f32; FOLLOWED] =
            std::array::from_fn(|i| if stays_close(of[i]) { weights[i] } else { 0.0 });
        let sum: f32 = remaining.iter().sum();
        if sum <= 0.0 || remaining == weights {
            continue;
        }
        strand.follow.weights = remaining.map(|weight| weight / sum);
        let off =
            strand.points.first().copied().unwrap_or_default() - strand.follow.point(guides, 0);
        for (level, at) in strand.points.iter_mut().enumerate() {
            *at = strand.follow.point(guides, level) + off;
        }
    }
}

/// Area between the roots, square metres.
fn area(guides: &[Vec<Vec3>], patch: &GuideArea) -> f32 {
    let root = |guide: &u16| guides[usize::from(*guide)][0];
    let roots: Vec<Vec3> = patch.guides().iter().map(root).collect();
    let triangle = |a: usize, b: usize, c: usize| {
        (roots[b] - roots[a]).cross(roots[c] - roots[a]).length() * 0.5
    };
    let rest = if roots.len() > 3 {
        triangle(0, 2, 3)
    } else {
        0.0
    };
    triangle(0, 1, 2) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four guides at the corners of a square metre, two points each, in the order of the patch.
    fn corners() -> Vec<Vec<Vec3>> {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, z)| vec![Vec3::new(x, 0.0, z), Vec3::new(x, 1.0, z) * 2.0])
            .to_vec()
    }

    #[test]
    fn a_strand_between_diverging_guides_follows_one_of_them() {
        let hanging = |x: f32, z: f32| {
            let at = |k: usize| Vec3::new(x, -0.03 * k as f32, z * k as f32);
            (0..10).map(at).collect::<Vec<Vec3>>()
        };
        // Two guides lead forwards, two backwards, with tips 36 cm apart.
        let guides = vec![
            hanging(0.0, 0.02),
            hanging(0.01, 0.02),
            hanging(0.02, -0.02),
            hanging(0.03, -0.02),
        ];
        let patches = [GuideArea::Three([0, 1, 2]), GuideArea::Three([1, 2, 3])];
        let plain = grow(&guides, &patches, 200, 1);
        let mut parted = plain.clone();
        keep_together(&mut parted, &guides);
        let between = |strands: &[Strand]| {
            let tips = strands.iter().map(|strand| strand.points[9].z.abs());
            tips.filter(|z| *z < 0.15).count()
        };
        assert!(between(&plain) > 100);
        assert_eq!(between(&parted), 0);
        for (was, is) in plain.iter().zip(&parted) {
            assert!(was.points[0].distance(is.points[0]) < 1e-6);
            assert!((is.follow.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn a_strand_of_a_patch_matches_the_books_two_interpolations() {
        let guides = corners();
        let patch = GuideArea::Four([0, 1, 2, 3]);
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.3, 0.8), (0.5, 0.5)] {
            for level in 0..2 {
                let c = |i: usize| guides[i][level];
                let along = c(0).lerp(c(1), x);
                let other = c(3).lerp(c(2), x);
                let book = along.lerp(other, y);
                let here = patch.follow(x, y).point(&guides, level);
                assert!(here.distance(book) < 1e-6, "{x} {y}: {here} {book}");
            }
        }
        let third = GuideArea::Three([0, 1, 3]).follow(0.9, 0.6);
        assert!(third.weights.iter().all(|w| *w >= 0.0));
        assert!((third.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn strands_cover_patches_by_their_area() {
        // A square metre, and next to it an area of a quarter.
        let mut guides = corners();
        for (x, z) in [(1.25, 0.0), (1.25, 1.0)] {
            guides.push(vec![Vec3::new(x, 0.0, z), Vec3::new(x, 1.0, z)]);
        }
        let patches = [GuideArea::Four([0, 1, 2, 3]), GuideArea::Four([1, 4, 5, 2])];
        let strands = grow(&guides, &patches, 500, 3);
        assert_eq!(strands.len(), 500);
        for n in [100, 500] {
            let small = strands[..n].iter().filter(|s| s.points[0].x > 1.0).count();
            let fraction = small as f32 / n as f32;
            assert!((fraction - 0.2).abs() < 0.03, "{n}: {fraction}");
        }
        assert_eq!(strands, grow(&guides, &patches, 500, 3));
        let missing = [GuideArea::Four([0, 1, 2, 9])];
        assert!(grow(&guides, &missing, 10, 3).is_empty());
    }

    #[test]
    fn patches_between_guides_of_a_grid_cover_it_and_none_spans_a_gap() {
        // Two grids of 5 by 5, far from each other.
        let roots: Vec<Vec3> = (0..50)
            .map(|i| Vec3::new((i % 5 + i / 25 * 40) as f32, 0.0, (i / 5 % 5) as f32))
            .collect();
        // In centimetres.
        let line = |root: &Vec3| vec![*root * 0.01, (*root + Vec3::Y) * 0.01];
        let mut guides: Vec<Vec<Vec3>> = roots.iter().map(line).collect();
        let patches = patches_between(&guides, true);
        let strands = grow(&guides, &patches, 400, 1);
        assert_eq!(strands.len(), 400);
        let root = |strand: &Strand| strand.points[0] * 100.0;
        assert!(
            strands
                .iter()
                .all(|s| root(s).x <= 4.0 || root(s).x >= 40.0)
        );
        for cell in 0..16 {
            let low = Vec3::new((cell % 4) as f32, 0.0, (cell / 4) as f32);
            let inside = |p: Vec3| (p - low).min_element() >= 0.0 && (p - low).max_element() < 1.0;
            assert!(strands.iter().any(|s| inside(root(s))), "{low}");
        }
        assert!(patches_between(&guides[..2], true).is_empty());
        // A ring around a crown has no parting.
        let around = |i: usize| {
            let out = glam::Quat::from_rotation_y(i as f32 * 0.785) * Vec3::X;
            vec![out * 0.07, out * 0.13, out * 0.16 - Vec3::Y * 0.12]
        };
        let ring: Vec<Vec<Vec3>> = (0..8).map(around).collect();
        assert!(patches_between(&ring, true).len() >= 8);
        // Combed to both sides of a line: no strand grows across it.
        for guide in &mut guides {
            let side = if guide[0].x < 0.015 { -1.0 } else { 1.0 };
            guide[1] = guide[0] + Vec3::new(side, 0.2, 0.0);
        }
        let strands = grow(&guides, &patches_between(&guides, true), 400, 1);
        assert!(strands.iter().all(|s| root(s).x < 1.01 || root(s).x > 1.99));
    }

    #[test]
    fn a_strand_follows_the_guides_around_it_and_at_a_guide_only_that_one() {
        let roots: Vec<Vec3> = (0..25)
            .map(|i| Vec3::new((i % 5) as f32, 0.0, (i / 5) as f32))
            .collect();
        let on = GuideWeights::nearest(roots[12], &roots);
        assert_eq!((on.guides[0], on.weights[0]), (12, 1.0));
        let beside = GuideWeights::nearest(roots[12] + Vec3::X * 0.2, &roots);
        assert_eq!((beside.guides[0], beside.guides[1]), (12, 13));
        assert!(beside.weights[0] > beside.weights[1]);
        assert!((beside.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let two = GuideWeights::nearest(Vec3::X * 0.25, &roots[..2]);
        assert!(two.weights[2..].iter().all(|w| *w == 0.0) && two.weights[1] > 0.0);
        let one = GuideWeights::nearest(Vec3::X, &roots[..1]);
        assert_eq!(one.weights, [1.0, 0.0, 0.0, 0.0]);
        // At equal distances to four guides, all weights would be 0.
        let middle = GuideWeights::nearest(Vec3::new(0.5, 0.0, 0.5), &roots[..]);
        assert!((middle.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}
