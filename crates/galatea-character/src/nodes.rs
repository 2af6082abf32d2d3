//! Bones that are moved by rigid bodies of their own: the free nodes of a prop.

use glam::{Affine3A, Vec3};

use super::body::CharacterBody;
use super::definition::Definition;
use super::placement::Placement;
use super::pose_state::PoseState;
use galatea_anim::Skeleton;
use galatea_physics::RigidFrame;

impl PoseState {
    /// Moves bones to the free node bodies of a prop, together with the bones below them.
    pub fn apply_nodes(
        &mut self,
        body: &mut CharacterBody,
        definition: &Definition,
        placement: Placement,
    ) {
        let Some(solid) = &mut body.prop_body else {
            return;
        };
        let free = |(node, state): &(&galatea_physics::NodeBody, &galatea_physics::NodeState)| {
            node.is_free() && !state.follows
        };
        let nodes = solid.options.nodes.iter().zip(&solid.nodes).filter(free);
        let mut free_nodes = nodes
            .filter_map(|(node, state)| Some((node.bone, state.at?)))
            .peekable();
        if free_nodes.peek().is_none() {
            return;
        }
        let back = placement.to_affine().inverse();
        let inverse_rotation = placement.rotation().conjugate();
        let parents = definition.model.skeleton.parents();
        let moved_by = &mut solid.moved_by;
        moved_by.clear();
        for (i, (bone, parent)) in self.model_from_bone.iter_mut().zip(parents).enumerate() {
            let by = match free_nodes.next_if(|(node, _)| usize::from(*node) == i) {
                Some((_, at)) if back.is_finite() => {
                    let target = matrix(RigidFrame {
                        position: back.transform_point3(at.position),
                        rotation: inverse_rotation * at.rotation,
                    });
                    Some(target * matrix(RigidFrame::of_bone(*bone)).inverse())
                }
                _ if *parent == Skeleton::NO_PARENT => None,
                _ => moved_by.get(usize::from(*parent)).copied().flatten(),
            };
            if let Some(by) = by {
                *bone = by * *bone;
            }
            moved_by.push(by);
        }
    }
}

fn matrix(frame: RigidFrame) -> Affine3A {
    Affine3A::from_scale_rotation_translation(Vec3::ONE, frame.rotation, frame.position)
}
