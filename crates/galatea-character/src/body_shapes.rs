//! Collision shapes of a character's body, taken from its ragdoll, for cloth, ropes and the character's own springs.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::body::CharacterBody;
use super::definition::Definition;
use super::pose_state::PoseState;
use super::secondary::Secondary;
use galatea_physics::particles::ParticleObstacle;
use galatea_physics::ragdoll::{BodyDefinition, BodyShape, RigidFrame};
use galatea_rig::spring::{ColliderShape, SpringCollider, SpringSet, Springs};

impl CharacterBody {
    /// Adds the body shapes of the current pose in world space, except those on bones for which `is_excluded` is true.
    /// Bones with springs from the file have none.
    pub fn add_obstacles(
        &self,
        definition: &Definition,
        posed: &PoseState,
        is_excluded: impl Fn(u16) -> bool,
        out: &mut Vec<ParticleObstacle>,
    ) {
        for body in self
            .body_shapes(definition)
            .filter(|body| !is_excluded(body.bone))
        {
            if let Some(bone) = posed.model_from_bone.get(usize::from(body.bone)) {
                out.push(obstacle(body, *bone, posed.world[0]));
            }
        }
    }

    /// Returns the body shapes in the rest pose, each with its bone; model space.
    pub fn rest_obstacles<'a>(
        &'a self,
        definition: &'a Definition,
    ) -> impl Iterator<Item = (u16, ParticleObstacle)> + 'a {
        self.body_shapes(definition).map(|body| {
            let rest = definition.rest_matrix(body.bone);
            (body.bone, obstacle(body, rest, Affine3A::IDENTITY))
        })
    }

    /// Updates the colliders of springs that collide with its own body to the current shapes. The springs keep their motion.
    pub fn refit_springs(&self, definition: &Definition, secondary: &mut Secondary) {
        if !secondary.springs.iter().any(|own| own.on_body) {
            return;
        }
        let bodies: Vec<SpringCollider> = self
            .body_shapes(definition)
            .map(|body| collider(body, definition.rest_matrix(body.bone)))
            .collect();
        let skeleton = &definition.model.skeleton;
        for own in &mut secondary.springs {
            if !own.on_body {
                continue;
            }
            let was = &own.springs;
            let mut set = SpringSet::clone(was.set());
            let others = bodies.iter().filter(|collider| {
                let mut joints = set.joints.iter();
                joints.all(|joint| joint.bone != collider.bone)
            });
            set.colliders = others.copied().collect();
            let all: Arc<[u16]> = (0..set.colliders.len() as u16).collect();
            for joint in &mut set.joints {
                joint.colliders = all.clone();
            }
            let mut springs = Springs::new(Arc::new(set), skeleton);
            springs.weight = was.weight;
            springs.continue_from(was);
            own.springs = springs;
        }
    }

    fn body_shapes<'a>(
        &'a self,
        definition: &'a Definition,
    ) -> impl Iterator<Item = &'a BodyDefinition> {
        let is_loose = definition.is_loose();
        let bodies = self.ragdoll(definition).bodies.iter();
        bodies.filter(|body| is_loose.get(usize::from(body.bone)) == Some(&false))
    }
}

/// Returns the collision shape of a body in world space, at the current position of the bone.
pub fn obstacle(
    body: &BodyDefinition,
    model_from_bone: Affine3A,
    world_from_model: Affine3A,
) -> ParticleObstacle {
    let at = RigidFrame::of_bone(model_from_bone).then(body.bone_from_body);
    let size = world_from_model.matrix3.x_axis.length();
    let point = |own: Vec3| world_from_model.transform_point3(at.point(own));
    match body.shape {
        BodyShape::Capsule {
            half_length,
            radius,
        } => ParticleObstacle::Capsule {
            a: point(Vec3::NEG_Y * half_length),
            b: point(Vec3::Y * half_length),
            radius: radius * size,
        },
        BodyShape::Box { half } => ParticleObstacle::Box {
            center: point(Vec3::ZERO),
            rotation: RigidFrame::of_bone(world_from_model).rotation * at.rotation,
            half: half * size,
        },
        BodyShape::Sphere { radius } => ParticleObstacle::Sphere {
            center: point(Vec3::ZERO),
            radius: radius * size,
        },
    }
}

/// Converts a body to a spring collider, in its bone's space with the bone's rest scale.
fn collider(body: &BodyDefinition, rest: Affine3A) -> SpringCollider {
    let columns = rest.matrix3;
    let size = [columns.x_axis, columns.y_axis, columns.z_axis]
        .map(|column| column.length())
        .into_iter()
        .fold(1e-6, f32::max);
    let at = body.bone_from_body;
    let point = |own: Vec3| at.point(own) / size;
    let shape = match body.shape {
        BodyShape::Capsule {
            half_length,
            radius,
        } => ColliderShape::Capsule {
            offset: point(Vec3::NEG_Y * half_length),
            tail: point(Vec3::Y * half_length),
            radius: radius / size,
            inside: false,
        },
        BodyShape::Box { half } => ColliderShape::Box {
            offset: point(Vec3::ZERO),
            rotation: at.rotation,
            half: half / size,
        },
        BodyShape::Sphere { radius } => ColliderShape::Sphere {
            offset: point(Vec3::ZERO),
            radius: radius / size,
            inside: false,
        },
    };
    SpringCollider {
        bone: body.bone,
        shape,
    }
}
