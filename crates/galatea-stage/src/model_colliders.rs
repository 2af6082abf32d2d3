//! Colliders from the model file: a level is solid without a script.

use std::sync::Arc;

use glam::Affine3A;

use super::{Bodies, Handle, Layers};
use galatea_anim::Skeleton;
use galatea_asset::collider::{ColliderPrimitive, NodeCollider, NodeRigidBody};
use galatea_character::Definition;
use galatea_math::names::nearest_hint;
use galatea_physics::{
    Balance, BodyType, CollisionShape, NodeBody, PlacedShape, PropBodySettings, RigidFrame,
    ShapeOverrides, Velocity,
};

impl Bodies<'_> {
    /// Makes a character solid as its file says; does nothing if the file has no colliders. All shapes form one body,
    /// which is dynamic if one of them has a mass. Nodes with a motion of their own get separate bodies, and so do
    /// nodes that clips move, once a clip moves them.
    ///
    /// # Errors
    /// A message, when a shape cannot be created or its layer does not exist.
    pub fn set_prop_body_from_file(&mut self, handle: Handle) -> Result<(), String> {
        let Some(character) = self.characters.get(handle) else {
            return Ok(());
        };
        let definition = character.definition.clone();
        let model = &definition.model;
        let velocity = character.body.velocity();
        if model.colliders.is_empty() {
            return match &character.body.prop_body {
                Some(solid) if solid.is_from_file => self.set_prop_body(handle, None, velocity),
                _ => Ok(()),
            };
        }
        let whole = motion_of_whole(&definition);
        let falls = whole.is_some()
            || model
                .colliders
                .iter()
                .any(|solid| solid.settings.mass.is_some());
        let wear = model.colliders.iter().map(|solid| self.wear(solid));
        let mut options = PropBodySettings {
            shape_overrides: wear.collect::<Result<_, _>>()?,
            pieces: model
                .colliders
                .iter()
                .map(|solid| piece(solid, falls))
                .collect(),
            body_type: if falls {
                BodyType::Dynamic
            } else {
                BodyType::Static
            },
            layer: if falls { Layers::PROPS } else { Layers::WORLD },
            ..PropBodySettings::default()
        };
        let mut velocity = Velocity::default();
        if let Some(motion) = whole {
            let node = definition.rest_matrix(motion.bone);
            velocity = spread(motion, node, RigidFrame::IDENTITY, &mut options);
            let placement = character.placement;
            velocity.linear = placement.rotation() * velocity.linear;
            velocity.angular = placement.rotation() * velocity.angular;
        }
        options.nodes = nodes(&definition, &options, whole.is_some());
        self.set_prop_body(handle, Some(options), velocity)
            .map_err(|why| format!("{}: nodes with `solid` extras: {why}", model.name))?;
        if let Some(character) = self.characters.get_mut(handle)
            && let Some(solid) = &mut character.body.prop_body
        {
            solid.is_from_file = true;
        }
        Ok(())
    }

    fn wear(&self, solid: &NodeCollider) -> Result<ShapeOverrides, String> {
        let wish = &solid.settings;
        let layers = &self.physics.layers;
        let layer = wish.layer.as_deref().map(|name| {
            layers.find(name).ok_or_else(|| {
                let hint = nearest_hint(name, layers.names.iter().map(String::as_str));
                format!("{}: there is no layer {name:?}{hint}", solid.node)
            })
        });
        let system = wish.system.as_deref().and_then(|name| layers.find(name));
        Ok(ShapeOverrides {
            surface: wish.surface.as_deref().map(Into::into),
            friction: wish.friction,
            restitution: wish.restitution,
            mass: wish.mass,
            layer: layer.transpose()?.or(system),
            sensor: wish.sensor == Some(true),
            cells: None,
        })
    }
}

/// The motion of the whole object. It is set if a single node is dynamic, there are no clips, and everything solid or
/// drawn is below that node.
fn motion_of_whole(definition: &Definition) -> Option<&NodeRigidBody> {
    let model = &definition.model;
    let [motion] = &model.motions[..] else {
        return None;
    };
    let hangs_on_it = |bone: u16| ancestors(&model.skeleton, bone).any(|b| b == motion.bone);
    let is_whole = !motion.is_kinematic_velocity
        && definition.clips.is_empty()
        && model.colliders.iter().all(|solid| hangs_on_it(solid.bone))
        && model.parts.iter().all(|part| hangs_on_it(part.bone));
    is_whole.then_some(motion)
}

fn ancestors(skeleton: &Skeleton, bone: u16) -> impl Iterator<Item = u16> {
    let above = |bone: &u16| skeleton.bones().get(usize::from(*bone))?.parent;
    std::iter::successors(Some(bone), above)
}

/// Separate bodies that nodes have, or may get later, in addition to the main body.
fn nodes(definition: &Definition, whole: &PropBodySettings, is_free: bool) -> Arc<[NodeBody]> {
    let model = &definition.model;
    let free = |bone: u16| {
        let mut above = ancestors(&model.skeleton, bone);
        let motions = if is_free { &[][..] } else { &model.motions };
        above.find_map(|bone| motions.iter().find(|motion| motion.bone == bone))
    };
    let mut groups: Vec<(u16, Option<&NodeRigidBody>, Vec<u16>)> = Vec::new();
    for (number, solid) in (0u16..).zip(&model.colliders) {
        let motion = free(solid.bone);
        let bone = motion.map_or(solid.bone, |motion| motion.bone);
        match groups.iter_mut().find(|(known, ..)| *known == bone) {
            Some((.., numbers)) => numbers.push(number),
            None => groups.push((bone, motion, vec![number])),
        }
    }
    groups.sort_by_key(|(bone, ..)| *bone);
    let body = |(bone, motion, numbers): (u16, Option<&NodeRigidBody>, Vec<u16>)| {
        let node = definition.rest_matrix(bone);
        let rest = RigidFrame::of_bone(node);
        let falls = motion.is_some_and(|motion| !motion.is_kinematic_velocity);
        let solids = numbers.iter().map(|n| &model.colliders[usize::from(*n)]);
        let wear = numbers
            .iter()
            .map(|n| whole.shape_overrides[usize::from(*n)].clone());
        let mut own = PropBodySettings {
            pieces: solids
                .map(|solid| {
                    let piece = piece(solid, falls || whole.body_type == BodyType::Dynamic);
                    let at = rest.inverse().then(piece.at);
                    PlacedShape { at, ..piece }
                })
                .collect(),
            shape_overrides: wear.collect(),
            layer: if motion.is_some() {
                Layers::PROPS
            } else {
                whole.layer
            },
            ..PropBodySettings::default()
        };
        let velocity = motion.map(|motion| spread(motion, node, rest, &mut own));
        NodeBody {
            bone,
            rest,
            numbers: numbers.into(),
            own,
            velocity: velocity.unwrap_or_default(),
        }
    };
    groups.into_iter().map(body).collect()
}

/// Adds the motion of a node to a body whose frame in the object's space is `at`. Returns its velocity there.
fn spread(
    motion: &NodeRigidBody,
    node: Affine3A,
    at: RigidFrame,
    own: &mut PropBodySettings,
) -> Velocity {
    let turn = RigidFrame::of_bone(node).rotation;
    own.body_type = if motion.is_kinematic_velocity {
        BodyType::KinematicVelocity
    } else {
        BodyType::Dynamic
    };
    own.mass = motion.mass;
    own.gravity_scale = motion.gravity_scale;
    own.balance = Balance {
        centre: motion
            .centre
            .map(|centre| at.inverse().point(node.transform_point3(centre))),
        inertia: motion
            .inertia
            .map(|(inertia, axes)| (inertia, at.rotation.conjugate() * turn * axes)),
    };
    Velocity {
        linear: turn * motion.velocity,
        angular: turn * motion.angular_velocity,
    }
}

fn piece(solid: &NodeCollider, falls: bool) -> PlacedShape {
    let shape = match &solid.shape {
        ColliderPrimitive::Box(size) => CollisionShape::Box(*size / 2.0),
        ColliderPrimitive::Sphere(radius) => CollisionShape::Sphere(*radius),
        ColliderPrimitive::Capsule(radius, height) => CollisionShape::Capsule {
            half_length: (height / 2.0 - radius).max(0.0),
            radius: *radius,
        },
        ColliderPrimitive::Cylinder(radius, height) => CollisionShape::Cylinder {
            half_length: height / 2.0,
            radius: *radius,
        },
        ColliderPrimitive::Hull(corners) => CollisionShape::Hull(Arc::from(corners.as_slice())),
        // A triangle mesh has no volume, so a dynamic body uses its convex hull.
        ColliderPrimitive::Mesh(corners, _) if falls => {
            CollisionShape::Hull(Arc::from(corners.as_slice()))
        }
        ColliderPrimitive::Mesh(corners, triangles) => CollisionShape::mesh(
            Arc::from(corners.as_slice()),
            Arc::from(triangles.as_slice()),
        ),
    };
    PlacedShape {
        shape,
        at: RigidFrame {
            position: solid.position,
            rotation: solid.rotation,
        },
    }
}
