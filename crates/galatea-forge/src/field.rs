//! Signed distance fields for sculpting: trees of primitives that are blended, subtracted, bent and mirrored. Negative
//! inside, metres, gradients of about one.
//!
//! Every node has a bounding box, so that distant nodes are not evaluated: a smooth union changes only where its two
//! distances differ by less than its width.

use std::sync::Arc;

use glam::{Affine3A, Mat3, Quat, Vec2, Vec3, Vec3A};

pub use super::loft::Section;
use super::loft::lofted;
use super::sdf::{cone, ellipsoid, smax, smin, smoothstep};
use galatea_math::noise::noise;

/// A signed distance field; cheap to clone.
#[derive(Clone, Debug)]
pub struct DistanceField(Arc<FieldNode>);

#[derive(Debug)]
struct FieldNode {
    shape: FieldShape,
    low: Vec3,
    high: Vec3,
    depth: u32,
    n_nodes: u32,
}

#[derive(Debug)]
enum FieldShape {
    Ellipsoid {
        middle: Vec3,
        radii: Vec3,
    },
    Cone {
        a: Vec3,
        b: Vec3,
        ra: f32,
        rb: f32,
    },
    Path {
        points: Vec<Vec3>,
        radii: Vec<f32>,
    },
    Slab {
        middle: Vec3,
        half: Vec3,
        round: f32,
    },
    Torus {
        middle: Vec3,
        axis: Vec3,
        radius: f32,
        thick: f32,
    },
    Plane {
        normal: Vec3,
        at: f32,
    },
    Loft {
        origin: Vec3,
        frame: Mat3,
        sections: Vec<Section>,
    },
    Join {
        a: DistanceField,
        b: DistanceField,
        k: f32,
    },
    Cut {
        a: DistanceField,
        b: DistanceField,
        k: f32,
    },
    Intersection {
        a: DistanceField,
        b: DistanceField,
        k: f32,
    },
    Mirror(DistanceField),
    Transform {
        inner: DistanceField,
        inner_from_outer: Affine3A,
        scale: f32,
    },
    Grow {
        inner: DistanceField,
        by: f32,
    },
    Raise {
        inner: DistanceField,
        near: DistanceField,
        by: f32,
        width: f32,
    },
    Rough {
        inner: DistanceField,
        by: f32,
        size: Vec3,
        seed: u32,
    },
}

impl FieldShape {
    /// Child fields.
    fn inner(&self) -> [Option<&DistanceField>; 2] {
        match self {
            Self::Join { a, b, .. } | Self::Cut { a, b, .. } | Self::Intersection { a, b, .. } => {
                [Some(a), Some(b)]
            }
            Self::Raise { inner, near, .. } => [Some(inner), Some(near)],
            Self::Mirror(inner)
            | Self::Transform { inner, .. }
            | Self::Grow { inner, .. }
            | Self::Rough { inner, .. } => [Some(inner), None],
            Self::Path { .. }
            | Self::Loft { .. }
            | Self::Ellipsoid { .. }
            | Self::Cone { .. }
            | Self::Slab { .. }
            | Self::Torus { .. }
            | Self::Plane { .. } => [None, None],
        }
    }

    /// Number of primitives; each piece of a path and each section of a loft counts as one.
    fn n_solids(&self) -> u32 {
        let n = match self {
            Self::Path { points, .. } => points.len(),
            Self::Loft { sections, .. } => sections.len(),
            _ => 1,
        };
        u32::try_from(n).unwrap_or(u32::MAX)
    }
}

impl DistanceField {
    fn new(shape: FieldShape, low: Vec3, high: Vec3) -> Self {
        let inner = shape.inner().into_iter().flatten();
        let depth = inner.clone().map(Self::depth).max().unwrap_or(0) + 1;
        let n_nodes = inner
            .map(Self::n_nodes)
            .fold(shape.n_solids(), u32::saturating_add);
        Self(Arc::new(FieldNode {
            shape,
            low,
            high,
            depth,
            n_nodes,
        }))
    }

    /// Depth of nested operations, which is the recursion depth of evaluating and dropping the field.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Maximum number of nodes visited by an evaluation; a shared node counts at every use.
    pub fn n_nodes(&self) -> u32 {
        self.0.n_nodes
    }

    /// Bounding box.
    pub fn extent(&self) -> (Vec3, Vec3) {
        (self.0.low, self.0.high)
    }

    /// An axis-aligned ellipsoid.
    pub fn ellipsoid(middle: Vec3, radii: Vec3) -> Self {
        let shape = FieldShape::Ellipsoid { middle, radii };
        Self::new(shape, middle - radii, middle + radii)
    }

    /// A rounded cone: a segment whose radius changes from `ra` to `rb`.
    pub fn cone(a: Vec3, b: Vec3, ra: f32, rb: f32) -> Self {
        let (low, high) = ((a - ra).min(b - rb), (a + ra).max(b + rb));
        Self::new(FieldShape::Cone { a, b, ra, rb }, low, high)
    }

    /// Rounded cones through points, each with its radius; at least two points.
    pub fn path(points: Vec<Vec3>, radii: Vec<f32>) -> Self {
        let mut low = Vec3::MAX;
        let mut high = Vec3::MIN;
        for (p, r) in points.iter().zip(&radii) {
            low = low.min(*p - *r);
            high = high.max(*p + *r);
        }
        Self::new(FieldShape::Path { points, radii }, low, high)
    }

    /// An axis-aligned box with rounded edges.
    pub fn slab(middle: Vec3, half: Vec3, round: f32) -> Self {
        let shape = FieldShape::Slab {
            middle,
            half,
            round,
        };
        Self::new(shape, middle - half, middle + half)
    }

    /// A torus about an axis.
    pub fn torus(middle: Vec3, axis: Vec3, radius: f32, thick: f32) -> Self {
        let axis = axis.normalize_or(Vec3::Y);
        let reach = Vec3::splat(radius + thick);
        let shape = FieldShape::Torus {
            middle,
            axis,
            radius,
            thick,
        };
        Self::new(shape, middle - reach, middle + reach)
    }

    /// The half-space below a plane: `normal · p < at`.
    pub fn plane(normal: Vec3, at: f32) -> Self {
        let normal = normal.normalize_or(Vec3::Y);
        let shape = FieldShape::Plane { normal, at };
        Self::new(shape, Vec3::splat(-1e3), Vec3::splat(1e3))
    }

    /// A loft through cross-sections along an axis, interpolated by Catmull-Rom splines. The columns of `frame` are the two
    /// axes of the sections and the axis of the loft. At least two sections, ascending.
    pub fn loft(origin: Vec3, frame: Mat3, sections: Vec<Section>) -> Self {
        let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
        for s in &sections {
            // Splines may overshoot; a margin of a tenth suffices.
            let r = s.radius.max_element() * 1.1 + 0.005;
            let p = origin + frame * Vec3::new(s.middle.x, s.middle.y, s.t);
            low = low.min(p - r);
            high = high.max(p + r);
        }
        let shape = FieldShape::Loft {
            origin,
            frame,
            sections,
        };
        Self::new(shape, low, high)
    }

    /// Union, blended over `k` metres.
    #[must_use]
    pub fn join(&self, other: &Self, k: f32) -> Self {
        let (a, b) = (self.clone(), other.clone());
        let low = a.0.low.min(b.0.low) - 0.25 * k;
        let high = a.0.high.max(b.0.high) + 0.25 * k;
        Self::new(FieldShape::Join { a, b, k }, low, high)
    }

    /// Subtraction of the other field, with the edge rounded over `k` metres.
    #[must_use]
    pub fn cut(&self, other: &Self, k: f32) -> Self {
        let (a, b) = (self.clone(), other.clone());
        let (low, high) = a.extent();
        Self::new(FieldShape::Cut { a, b, k }, low, high)
    }

    /// Intersection, with the edge rounded over `k` metres.
    #[must_use]
    pub fn meet(&self, other: &Self, k: f32) -> Self {
        let (a, b) = (self.clone(), other.clone());
        let low = a.0.low.max(b.0.low);
        let high = a.0.high.min(b.0.high).max(low);
        Self::new(FieldShape::Intersection { a, b, k }, low, high)
    }

    /// Mirrors the half at x ≥ 0 to both sides.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let (low, high) = self.extent();
        let x = high.x.max(-low.x).max(0.0);
        let (low, high) = (Vec3::new(-x, low.y, low.z), Vec3::new(x, high.y, high.z));
        Self::new(FieldShape::Mirror(self.clone()), low, high)
    }

    /// Rotated about the origin, then scaled, then moved.
    #[must_use]
    pub fn transform(&self, at: Vec3, turn: Quat, scale: f32) -> Self {
        let outer_from_inner =
            Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, at);
        let (low, high) = self.extent();
        let corner = |i: usize| {
            let pick = |bit: usize, low: f32, high: f32| if i & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, low.x, high.x),
                pick(2, low.y, high.y),
                pick(4, low.z, high.z),
            )
        };
        let corners = (0..8).map(|i| outer_from_inner.transform_point3(corner(i)));
        let (low, high) = corners.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| {
            (low.min(p), high.max(p))
        });
        let shape = FieldShape::Transform {
            inner: self.clone(),
            inner_from_outer: outer_from_inner.inverse(),
            scale,
        };
        Self::new(shape, low, high)
    }

    /// Offset outwards by `by` metres.
    #[must_use]
    pub fn grow(&self, by: f32) -> Self {
        let (low, high) = self.extent();
        let shape = FieldShape::Grow {
            inner: self.clone(),
            by,
        };
        Self::new(shape, low - by.max(0.0), high + by.max(0.0))
    }

    /// Offset by `by` metres inside another field, fading over `width` metres outside it.
    #[must_use]
    pub fn raise(&self, near: &Self, by: f32, width: f32) -> Self {
        let (low, high) = self.extent();
        let shape = FieldShape::Raise {
            inner: self.clone(),
            near: near.clone(),
            by,
            width,
        };
        Self::new(shape, low - by.max(0.0), high + by.max(0.0))
    }

    /// Displaced by noise with an amplitude of `by` metres and a feature size of `size`.
    #[must_use]
    pub fn rough(&self, by: f32, size: Vec3, seed: u32) -> Self {
        let (low, high) = self.extent();
        let shape = FieldShape::Rough {
            inner: self.clone(),
            by,
            size,
            seed,
        };
        Self::new(shape, low - by.abs(), high + by.abs())
    }

    /// Distance to the bounding box, 0 inside.
    fn outside(&self, p: Vec3) -> f32 {
        let (low, high) = self.extent();
        (low - p).max(p - high).max(Vec3::ZERO).length()
    }

    /// Distance at a point, metres. Far away it is a lower bound, but never below the distance to the bounding box, which
    /// decides whether the field is evaluated.
    pub fn at(&self, p: Vec3) -> f32 {
        let d = self.shape_at(p);
        let outside = self.outside(p);
        if outside > 0.0 { d.max(outside) } else { d }
    }

    fn shape_at(&self, p: Vec3) -> f32 {
        match &self.0.shape {
            FieldShape::Ellipsoid { middle, radii } => ellipsoid(p, *middle, *radii),
            FieldShape::Cone { a, b, ra, rb } => cone(p, *a, *b, *ra, *rb),
            FieldShape::Path { points, radii } => {
                let pieces = points.windows(2).zip(radii.windows(2));
                let all = pieces.map(|(p2, r2)| cone(p, p2[0], p2[1], r2[0], r2[1]));
                all.fold(f32::MAX, f32::min)
            }
            FieldShape::Slab {
                middle,
                half,
                round,
            } => {
                let q = (p - middle).abs() - (*half - *round);
                q.max(Vec3::ZERO).length() + q.max_element().min(0.0) - round
            }
            FieldShape::Torus {
                middle,
                axis,
                radius,
                thick,
            } => {
                let r = p - middle;
                let along = r.dot(*axis);
                let across = (r - *axis * along).length();
                Vec2::new(across - radius, along).length() - thick
            }
            FieldShape::Plane { normal, at } => normal.dot(p) - at,
            FieldShape::Loft {
                origin,
                frame,
                sections,
            } => lofted(frame.transpose() * (p - *origin), sections),
            FieldShape::Join { a, b, k } => joined(p, a, b, *k),
            FieldShape::Cut { a, b, k } => {
                let d = a.at(p);
                if b.outside(p) > *k - d {
                    d
                } else {
                    smooth_max(d, -b.at(p), *k)
                }
            }
            FieldShape::Intersection { a, b, k } => smooth_max(a.at(p), b.at(p), *k),
            FieldShape::Mirror(inner) => inner.at(Vec3::new(p.x.abs(), p.y, p.z)),
            FieldShape::Transform {
                inner,
                inner_from_outer,
                scale,
            } => inner.at(inner_from_outer.transform_point3a(Vec3A::from(p)).into()) * scale,
            FieldShape::Grow { inner, by } => inner.at(p) - by,
            FieldShape::Raise {
                inner,
                near,
                by,
                width,
            } => {
                let d = inner.at(p);
                if near.outside(p) > *width {
                    d
                } else {
                    d - by * smoothstep(*width, 0.0, near.at(p))
                }
            }
            FieldShape::Rough {
                inner,
                by,
                size,
                seed,
            } => {
                let d = inner.at(p);
                if d.abs() > 8.0 * by.abs() + 0.002 {
                    d
                } else {
                    d - by * noise(p / *size, *seed)
                }
            }
        }
    }

    /// Unit gradient by finite differences of `eps` metres; gradients of mirrored points are mirrored.
    pub fn normal(&self, p: Vec3, eps: f32) -> Vec3 {
        let slope = |axis: Vec3| self.at(p + axis * eps) - self.at(p - axis * eps);
        Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or(Vec3::Y)
    }

    /// First intersection of a ray with the surface within `far` metres.
    pub fn cast(&self, from: Vec3, along: Vec3, far: f32) -> Option<Vec3> {
        let along = along.try_normalize()?;
        let mut t = 0.0;
        for _ in 0..256 {
            let p = from + along * t;
            let d = self.at(p);
            if d.abs() < 2e-5 {
                return Some(p);
            }
            t += d * 0.7;
            if !(0.0..=far).contains(&t) {
                return None;
            }
        }
        None
    }

    /// Exit point of a ray that starts inside, within `far` metres.
    pub fn way_out(&self, from: Vec3, along: Vec3, far: f32) -> Option<Vec3> {
        let along = along.try_normalize()?;
        // Marches from outside inwards, so that inner cavities are ignored.
        let steps = 200;
        let at = |i: i32| from + along * (far * i as f32 / steps as f32);
        let last = (0..=steps).rev().find(|i| self.at(at(*i)) < 0.0)?;
        let (mut inside, mut outside) = (at(last), at(last + 1));
        for _ in 0..24 {
            let middle = (inside + outside) * 0.5;
            if self.at(middle) < 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Some(inside)
    }
}

fn joined(p: Vec3, a: &DistanceField, b: &DistanceField, k: f32) -> f32 {
    let (out_a, out_b) = (a.outside(p), b.outside(p));
    let (first, second, least) = if out_a <= out_b {
        (a, b, out_b)
    } else {
        (b, a, out_a)
    };
    let d = first.at(p);
    if least > d + k {
        return d;
    }
    let other = second.at(p);
    if k > 0.0 {
        smin(d, other, k)
    } else {
        d.min(other)
    }
}

fn smooth_max(a: f32, b: f32, k: f32) -> f32 {
    if k > 0.0 { smax(a, b, k) } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f32) -> DistanceField {
        DistanceField::ellipsoid(Vec3::new(x, 0.0, 0.0), Vec3::splat(0.1))
    }

    #[test]
    fn distant_shapes_do_not_change_the_distance() {
        let many = (1..20).fold(ball(0.0), |all, i| all.join(&ball(0.5 * i as f32), 0.05));
        for p in [
            Vec3::new(0.0, 0.3, 0.0),
            Vec3::new(0.35, 0.02, 0.0),
            Vec3::new(1.0, 0.1, 0.0),
        ] {
            let plain = (0..20)
                .map(|i| ball(0.5 * i as f32).at(p))
                .fold(f32::MAX, f32::min);
            assert!((many.at(p) - plain).abs() < 1e-6, "{p}");
        }
        let melted = ball(0.0).join(&ball(0.18), 0.05);
        let between = Vec3::new(0.09, 0.05, 0.0);
        assert!(melted.at(between) < ball(0.0).at(between) - 0.003);
    }

    #[test]
    fn raising_or_cutting_near_a_long_body_is_continuous_at_its_bounding_box() {
        let long =
            DistanceField::ellipsoid(Vec3::new(0.1, 0.66, 0.055), Vec3::new(0.03, 0.11, 0.026));
        let leg = DistanceField::cone(
            Vec3::new(0.09, 0.4, 0.0),
            Vec3::new(0.09, 0.8, 0.0),
            0.06,
            0.07,
        );
        for field in [leg.raise(&long, 0.004, 0.045), leg.cut(&long, 0.045)] {
            for i in 0..2000 {
                let p = Vec3::new(0.08, 0.48 + 0.0001 * i as f32, 0.063);
                let step = field.at(p + Vec3::Y * 0.0001) - field.at(p);
                assert!(step.abs() < 0.0002, "{step} m at {p}");
            }
        }
    }

    #[test]
    fn a_mirrored_field_and_its_normals_are_the_same_on_both_sides() {
        let side = DistanceField::cone(
            Vec3::new(0.1, 0.0, 0.0),
            Vec3::new(0.3, 0.2, 0.1),
            0.05,
            0.02,
        );
        let both = ball(0.0)
            .join(&side.mirror(), 0.04)
            .rough(0.001, Vec3::splat(0.05), 3);
        let smooth = ball(0.0).join(&side.mirror(), 0.04);
        for i in 0..50 {
            let a = i as f32 * 0.37;
            let p = Vec3::new(a.cos() * 0.2, a.sin() * 0.2, (3.0 * a).sin() * 0.1);
            let twin = p * Vec3::new(-1.0, 1.0, 1.0);
            assert_eq!(smooth.at(p), smooth.at(twin));
            let turned = smooth.normal(twin, 0.001) * Vec3::new(-1.0, 1.0, 1.0);
            assert!((smooth.normal(p, 0.001) - turned).length() < 1e-3);
            assert!((both.at(p) - smooth.at(p)).abs() <= 0.001 + 1e-6);
        }
    }

    #[test]
    fn rays_find_the_outside_from_both_sides() {
        let bowl = ball(0.0).cut(&ball(0.08), 0.0);
        let hit = bowl.cast(Vec3::new(-1.0, 0.0, 0.0), Vec3::X, 2.0).unwrap();
        assert!((hit.x + 0.1).abs() < 1e-3);
        assert!(bowl.cast(Vec3::new(-1.0, 0.5, 0.0), Vec3::X, 2.0).is_none());
        let out = ball(0.0).way_out(Vec3::ZERO, Vec3::Y, 0.3).unwrap();
        assert!((out.y - 0.1).abs() < 1e-4);
        assert!(ball(0.0).way_out(Vec3::splat(1.0), Vec3::Y, 0.3).is_none());
    }

    #[test]
    fn a_loft_has_the_radii_of_its_sections_and_a_high_power_makes_a_box() {
        let rows = |power: f32| {
            [0.0_f32, 0.2, 0.4].map(|t| Section {
                t,
                middle: Vec2::ZERO,
                radius: Vec2::new(0.1, 0.05),
                power,
            })
        };
        let frame = Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y);
        let round = DistanceField::loft(Vec3::ZERO, frame, rows(2.0).to_vec());
        assert!(round.at(Vec3::new(0.1, 0.2, 0.0)).abs() < 1e-5);
        assert!(round.at(Vec3::new(0.0, 0.2, 0.05)).abs() < 1e-5);
        let corner = Vec3::new(0.09, 0.2, 0.045);
        let square = DistanceField::loft(Vec3::ZERO, frame, rows(8.0).to_vec());
        assert!(round.at(corner) > 0.01 && square.at(corner) < 0.0);
    }
}
