//! Bones that are moved by bodies of their own: the free nodes of a thing.

use glam::{Affine3A, Vec3};

use super::body::CharacterBody;
use super::definition::Definition;
use super::placement::Placement;
use super::pose_state::PoseState;
use galatea_anim::Skeleton;
use galatea_physics::RigidFrame;

impl PoseState {
    /// Brings bones to the free bodies of the nodes of a prop, and the bones below them along.
    pub fn apply_nodes(
        &mut self,
        body: &mut CharacterBody,
        definition: &Definition,
        placement: Placement,
    ) {
        let Some(solid) = &mut body.solid else {
            return;
        };
        let free = |(node, state): &(&galatea_physics::NodeBody, &galatea_physics::NodeState)| {
            node.is_free() && !state.follows
        };
        let nodes = solid.options.nodes.iter().zip(&solid.nodes).filter(free);
        let mut places = nodes
            .filter_map(|(node, state)| Some((node.bone, state.at?)))
            .peekable();
        if places.peek().is_none() {
            return;
        }
        let back = placement.to_affine().inverse();
        let turn_back = placement.rotation().conjugate();
        let parents = definition.model.skeleton.parents();
        let moved_by = &mut solid.moved_by;
        moved_by.clear();
        for (i, (bone, parent)) in self.model_from_bone.iter_mut().zip(parents).enumerate() {
            let by = match places.next_if(|(place, _)| usize::from(*place) == i) {
                Some((_, at)) if back.is_finite() => {
                    let wanted = matrix(RigidFrame {
                        position: back.transform_point3(at.position),
                        rotation: turn_back * at.rotation,
                    });
                    Some(wanted * matrix(RigidFrame::of_bone(*bone)).inverse())
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
