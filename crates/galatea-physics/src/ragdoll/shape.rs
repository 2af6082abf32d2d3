//! Queries of body shapes: volume, distance to a point, and wireframes.

use std::f32::consts::{PI, TAU};

use galatea_guard::guarded;
use galatea_math::clamp::ClampTo as _;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::query;
use rapier3d::parry::shape::{Ball, Capsule, Cuboid, Shape};

use super::{BodyShape, RigidFrame};

impl BodyShape {
    /// Volume, cubic metres. A box counts as the inscribed elliptic cylinder along Y, because bodies are limbs and trunks,
    /// not bricks.
    pub fn volume(&self) -> f32 {
        match *self {
            Self::Capsule {
                half_length,
                radius,
            } => PI * radius * radius * (2.0 * half_length + radius * 4.0 / 3.0),
            Self::Box { half } => 2.0 * PI * half.x * half.y * half.z,
            Self::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
        }
    }

    /// Signed distance from a point in the body's frame to the surface, metres, negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        match *self {
            Self::Capsule {
                half_length,
                radius,
            } => {
                let on_axis = Vec3::Y * point.y.clamp_to(-half_length, half_length);
                point.distance(on_axis) - radius
            }
            Self::Box { half } => {
                let out = point.abs() - half;
                out.max(Vec3::ZERO).length() + out.max_element().min(0.0)
            }
            Self::Sphere { radius } => point.length() - radius,
        }
    }

    /// Distance from the centre to the farthest point, metres.
    pub fn reach(&self) -> f32 {
        match *self {
            Self::Capsule {
                half_length,
                radius,
            } => half_length + radius,
            Self::Box { half } => half.length(),
            Self::Sphere { radius } => radius,
        }
    }

    /// Name of the shape type, for tables.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Capsule { .. } => "capsule",
            Self::Box { .. } => "box",
            Self::Sphere { .. } => "sphere",
        }
    }

    /// Half extents of the bounding box in its own frame, metres.
    pub fn half_extents(&self) -> Vec3 {
        match *self {
            Self::Capsule {
                half_length,
                radius,
            } => Vec3::new(radius, half_length + radius, radius),
            Self::Box { half } => half,
            Self::Sphere { radius } => Vec3::splat(radius),
        }
    }

    fn solid(&self) -> Box<dyn Shape> {
        match *self {
            Self::Capsule {
                half_length,
                radius,
            } => Box::new(Capsule::new_y(half_length, radius)),
            Self::Box { half } => Box::new(Cuboid::new(half)),
            Self::Sphere { radius } => Box::new(Ball::new(radius)),
        }
    }
}

/// Distance between the surfaces of two bodies with frames in the same space, metres. It is negative where they overlap (the
/// depth), and infinite beyond `reach`.
pub fn gap(a: (&BodyShape, RigidFrame), b: (&BodyShape, RigidFrame), reach: f32) -> f32 {
    let pose = |frame: RigidFrame| Pose::from_parts(frame.position, frame.rotation);
    let (pa, pb) = (pose(a.1), pose(b.1));
    let (sa, sb) = (a.0.solid(), b.0.solid());
    // The engine panics on extreme sizes.
    let found = guarded("the gap between two shapes", || {
        query::contact(&pa, &*sa, &pb, &*sb, reach)
    });
    let contact = found.ok().and_then(Result::ok).flatten();
    contact.map_or(f32::INFINITY, |contact| contact.dist)
}

/// Number of segments of a circle.
const N_SEGMENTS: usize = 24;

/// Calls `line` with both ends of each line of a wireframe, in the space of the frame: circles and arcs of a capsule or
/// sphere, edges of a box.
pub fn outline(shape: &BodyShape, frame: RigidFrame, line: &mut dyn FnMut(Vec3, Vec3)) {
    let mut arc = |center: Vec3, a: Vec3, b: Vec3, share: f32| {
        let n = (N_SEGMENTS as f32 * share) as usize;
        let at = |i: usize| {
            let (sin, cos) = (TAU * i as f32 / N_SEGMENTS as f32).sin_cos();
            frame.point(center + a * cos + b * sin)
        };
        (0..n).for_each(|i| line(at(i), at(i + 1)));
    };
    match *shape {
        BodyShape::Sphere { radius } => {
            let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * radius);
            arc(Vec3::ZERO, x, y, 1.0);
            arc(Vec3::ZERO, y, z, 1.0);
            arc(Vec3::ZERO, z, x, 1.0);
        }
        BodyShape::Capsule {
            half_length,
            radius,
        } => {
            let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * radius);
            let top = Vec3::Y * half_length;
            for (end, out) in [(top, y), (-top, -y)] {
                arc(end, x, z, 1.0);
                arc(end, x, out, 0.5);
                arc(end, z, out, 0.5);
            }
            for side in [x, z, -x, -z] {
                line(frame.point(top + side), frame.point(side - top));
            }
        }
        BodyShape::Box { half } => {
            let corner = |i: usize| {
                let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                frame.point(half * Vec3::new(sign(0), sign(1), sign(2)))
            };
            for from in 0..8 {
                for bit in (0..3).filter(|bit| from >> bit & 1 == 0) {
                    line(corner(from), corner(from | 1 << bit));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    const CAPSULE: BodyShape = BodyShape::Capsule {
        half_length: 0.2,
        radius: 0.1,
    };
    const BLOCK: BodyShape = BodyShape::Box {
        half: Vec3::new(0.1, 0.2, 0.3),
    };

    #[test]
    fn distances_are_relative_to_the_surface() {
        let near = |shape: BodyShape, point: [f32; 3], expected: f32| {
            let found = shape.distance(Vec3::from_array(point));
            assert!(
                (found - expected).abs() < 1e-6,
                "{shape:?} {point:?} {found}"
            );
        };
        near(CAPSULE, [0.0, 0.5, 0.0], 0.2);
        near(CAPSULE, [0.3, 0.1, 0.0], 0.2);
        near(CAPSULE, [0.0, 0.0, 0.0], -0.1);
        near(BLOCK, [0.4, 0.6, 0.0], 0.5);
        near(BLOCK, [0.05, 0.0, 0.0], -0.05);
        near(BodyShape::Sphere { radius: 0.5 }, [0.0, 2.0, 0.0], 1.5);
    }

    #[test]
    fn volumes_match_the_formulas() {
        let found = CAPSULE.volume();
        let expected = PI * 0.01 * 0.4 + 4.0 / 3.0 * PI * 0.001;
        assert!((found - expected).abs() < 1e-6);
        assert!((BLOCK.volume() - 0.048 * PI / 4.0).abs() < 1e-6);
    }

    #[test]
    fn gaps_are_signed_and_exact() {
        let at = |x: f32| RigidFrame {
            position: Vec3::X * x,
            rotation: Quat::from_rotation_y(0.3),
        };
        let apart = gap((&CAPSULE, at(0.0)), (&CAPSULE, at(0.25)), 1.0);
        assert!((apart - 0.05).abs() < 1e-5, "{apart}");
        let inside = gap((&CAPSULE, at(0.0)), (&CAPSULE, at(0.15)), 1.0);
        assert!((inside + 0.05).abs() < 1e-4, "{inside}");
        assert_eq!(
            gap((&CAPSULE, at(0.0)), (&BLOCK, at(3.0)), 0.1),
            f32::INFINITY
        );
    }

    #[test]
    fn the_lines_of_a_shape_are_on_its_surface() {
        let frame = RigidFrame {
            position: Vec3::new(1.0, 2.0, 3.0),
            rotation: Quat::from_rotation_z(0.7),
        };
        for shape in [CAPSULE, BLOCK, BodyShape::Sphere { radius: 0.4 }] {
            let mut n = 0;
            outline(&shape, frame, &mut |from, to| {
                n += 1;
                for end in [from, to] {
                    let own = frame.inverse().point(end);
                    assert!(shape.distance(own).abs() < 1e-5, "{shape:?} {own}");
                }
            });
            assert!(n >= 12, "{shape:?}");
        }
    }
}
