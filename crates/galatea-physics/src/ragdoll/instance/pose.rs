//! Writes the frames of a ragdoll's bodies into bones.

use std::cell::RefCell;

use glam::Affine3A;

use super::Ragdoll;
use crate::ragdoll::RigidFrame;
use galatea_anim::Skeleton;
use galatea_math::Trs;

thread_local! {
    /// Scratch buffer: flags of the bones that were moved.
    static MOVED: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
}

impl Ragdoll {
    /// Writes the frames of dynamic bodies into the bones: model-space matrices and local transforms. Bones without bodies
    /// follow their parents with their animated local transforms.
    pub fn pose(
        &self,
        world_from_model: Affine3A,
        skeleton: &Skeleton,
        locals: &mut [Trs],
        model_from_bone: &mut [Affine3A],
    ) {
        MOVED.with_borrow_mut(|moved| {
            moved.clear();
            moved.resize(skeleton.len(), false);
            self.write(world_from_model, skeleton, locals, model_from_bone, moved);
        });
    }

    fn write(
        &self,
        world_from_model: Affine3A,
        skeleton: &Skeleton,
        locals: &mut [Trs],
        model_from_bone: &mut [Affine3A],
        moved: &mut [bool],
    ) {
        let model_from_world = world_from_model.inverse();
        let mut next = self.definition.bodies.iter().zip(&self.bodies).peekable();
        for (i, &parent) in skeleton.parents().iter().enumerate() {
            if i >= locals.len() || i >= model_from_bone.len() {
                return;
            }
            let parent = usize::from(parent);
            let above = model_from_bone.get(parent).copied();
            let own = match next.peek() {
                Some((definition, _)) if usize::from(definition.bone) == i => next.next(),
                _ => None,
            };
            let own = own.filter(|(_, body)| body.control.is_free());
            if let Some((definition, Some(frame))) =
                own.map(|(definition, body)| (definition, body.frame))
            {
                let bone = frame.then(definition.bone_from_body.scaled(self.scale).inverse());
                // The bone keeps its scale; only rotation and position change.
                let before = world_from_model * model_from_bone[i];
                let rotation = bone.rotation * RigidFrame::of_bone(before).rotation.conjugate();
                let world = Affine3A {
                    matrix3: glam::Mat3A::from_quat(rotation) * before.matrix3,
                    translation: bone.position.into(),
                };
                model_from_bone[i] = model_from_world * world;
                let local = above.map_or(model_from_bone[i], |above| {
                    above.inverse() * model_from_bone[i]
                });
                let scale = locals[i].scale;
                let placed = Trs::nearest(local);
                if placed.is_finite() {
                    locals[i] = Trs { scale, ..placed };
                }
                moved[i] = true;
            } else if moved.get(parent).copied().unwrap_or(false) {
                if let Some(above) = above {
                    model_from_bone[i] = above * locals[i].to_affine();
                }
                moved[i] = true;
            }
        }
    }
}
