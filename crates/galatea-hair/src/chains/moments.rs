//! Input of the chains in each step of a tick: carrier, gravity, air and colliders.

use glam::{Affine3A, Mat3, Vec3, Vec3A};

use super::kernel::MAX_COLLIDERS;
use super::kernel::{ChainCollider, ChainStep, ColliderKind};
use super::{ChainInput, Chains, GRAVITY, STEP};
use galatea_math::nlerp;
use galatea_physics::particles::ParticleObstacle;

/// Length scale of a matrix.
pub(super) fn size_of(of: &Affine3A) -> f32 {
    of.matrix3.determinant().abs().cbrt()
}

/// Interpolates between two matrices by `u`.
fn between(from: &Affine3A, to: &Affine3A, u: f32) -> Affine3A {
    if u >= 1.0 - 1e-5 {
        return *to;
    }
    let (scale, rotation, position) = from.to_scale_rotation_translation();
    let (to_scale, to_rotation, to_position) = to.to_scale_rotation_translation();
    Affine3A::from_scale_rotation_translation(
        scale.lerp(to_scale, u),
        nlerp(rotation, to_rotation, u),
        position.lerp(to_position, u),
    )
}

fn columns(matrix: &Mat3, translation: Vec3) -> [[f32; 3]; 4] {
    let [x, y, z] = matrix.to_cols_array_2d();
    [x, y, z, translation.to_array()]
}

impl Chains {
    /// Fills in the steps at these fractions of the tick, and the colliders of each step.
    pub(super) fn gather(&mut self, input: &ChainInput<'_>, fractions: &[f32], origin: Vec3) {
        self.moments.clear();
        self.colliders.clear();
        self.colliders_stepped.truncate(input.colliders.len());
        let dt = STEP as f32;
        let options = &self.options;
        let mut last = about(&self.stepped, origin);
        for &u in fractions {
            let now = about(&between(&self.seen, &input.world_from_rest, u), origin);
            let turned = now.matrix3 * last.matrix3.inverse();
            // Minus the identity: the displacement of a point, which is small compared with its position.
            let change = Mat3::from(turned) - Mat3::IDENTITY;
            let moved = Vec3::from(now.translation - turned * last.translation);
            let (_, rotation, _) = now.to_scale_rotation_translation();
            let made_under = rotation * Vec3::NEG_Y * (1.0 - options.wet.clamp(0.0, 1.0));
            let fall = (Vec3::NEG_Y - made_under) * (GRAVITY * options.gravity_scale * dt * dt);
            let first = self.colliders.len();
            for (i, now) in input.colliders.iter().take(MAX_COLLIDERS).enumerate() {
                let now = self.colliders_seen.get(i).unwrap_or(now).between(now, u);
                let before = self.colliders_stepped.get(i).unwrap_or(&now);
                self.colliders.push(collider_of(
                    &shifted(before, -origin),
                    &shifted(&now, -origin),
                ));
                match self.colliders_stepped.get_mut(i) {
                    Some(before) => *before = now,
                    None => self.colliders_stepped.push(now),
                }
            }
            self.moments.push(ChainStep {
                world_from_rest: columns(&Mat3::from(now.matrix3), now.translation.into()),
                rotation: rotation.to_array(),
                change: columns(&change, moved),
                fall: fall.to_array(),
                wind: (input.wind * dt).to_array(),
                colliders: (first as u32, self.colliders.len() as u32),
            });
            last = now;
        }
        self.stepped = between(
            &self.seen,
            &input.world_from_rest,
            fractions.last().copied().unwrap_or(1.0),
        );
    }
}

/// Moves a matrix to the space around an origin.
fn about(of: &Affine3A, origin: Vec3) -> Affine3A {
    Affine3A {
        translation: of.translation - Vec3A::from(origin),
        ..*of
    }
}

fn shifted(solid: &ParticleObstacle, by: Vec3) -> ParticleObstacle {
    match *solid {
        ParticleObstacle::Plane { normal, height } => ParticleObstacle::Plane {
            normal,
            height: height + normal.dot(by),
        },
        ParticleObstacle::Sphere { center, radius } => ParticleObstacle::Sphere {
            center: center + by,
            radius,
        },
        ParticleObstacle::Capsule { a, b, radius } => ParticleObstacle::Capsule {
            a: a + by,
            b: b + by,
            radius,
        },
        ParticleObstacle::Box {
            center,
            rotation,
            half,
        } => ParticleObstacle::Box {
            center: center + by,
            rotation,
            half,
        },
    }
}

/// Creates a collider with its displacement since the last step.
fn collider_of(before: &ParticleObstacle, now: &ParticleObstacle) -> ChainCollider {
    let ends = |of: &ParticleObstacle| match *of {
        ParticleObstacle::Plane { .. } => (Vec3::ZERO, Vec3::ZERO),
        ParticleObstacle::Sphere { center, .. } | ParticleObstacle::Box { center, .. } => {
            (center, Vec3::ZERO)
        }
        ParticleObstacle::Capsule { a, b, .. } => (a, b - a),
    };
    let ((was, was_along), (is, along)) = (ends(before), ends(now));
    let shape_kind = match *now {
        ParticleObstacle::Plane { normal, height } => ColliderKind::Plane {
            normal: normal.to_array(),
            height,
        },
        ParticleObstacle::Sphere { radius, .. } | ParticleObstacle::Capsule { radius, .. } => {
            ColliderKind::Round {
                a: is.to_array(),
                ab: along.to_array(),
                by: 1.0 / along.length_squared().max(1e-12),
                radius,
            }
        }
        ParticleObstacle::Box { rotation, half, .. } => ColliderKind::Box {
            center: is.to_array(),
            axes: [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (rotation * axis).to_array()),
            half: half.to_array(),
        },
    };
    ChainCollider {
        shape_kind,
        moved: [(is - was).to_array(), (along - was_along).to_array()],
        bounds: now.bounds().map(|corner| corner.to_array()),
    }
}
