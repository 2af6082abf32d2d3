use super::*;
use galatea_anim::humanoid::{Humanoid, find};
use galatea_anim::{Bone, local_to_model};

/// Builds a skeleton from pairs of parent and position in the parent's space.
pub fn skeleton(bones: &[(Option<u16>, Vec3)]) -> Skeleton {
    let bones = bones.iter().enumerate().map(|(i, (parent, at))| Bone {
        name: format!("bone{i}"),
        parent: *parent,
        rest: Trs::from_translation(*at),
        skinned: true,
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Builds a body from names, parents and positions in its own space, in a model that is rotated by `rotation`.
pub fn named_body(bones: &[(String, Option<u16>, Vec3)], rotation: Quat) -> (Skeleton, Humanoid) {
    let positions: Vec<Vec3> = bones.iter().map(|bone| rotation * bone.2).collect();
    let bones = bones.iter().enumerate().map(|(i, (name, parent, _))| {
        let above = parent.map_or(Vec3::ZERO, |p| positions[usize::from(p)]);
        Bone {
            name: name.clone(),
            parent: *parent,
            rest: Trs::from_translation(positions[i] - above),
            skinned: true,
        }
    });
    let skeleton = Skeleton::new(bones.collect()).unwrap();
    let (mut humanoid, _) = find(&skeleton, None);
    humanoid.model_from_character = rotation;
    (skeleton, humanoid)
}

/// Deterministic pseudorandom numbers.
pub struct Random(pub u64);

impl Random {
    /// A number in 0..1.
    pub fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// A vector with components in -1..1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.share() * 2.0 - 1.0))
    }

    /// A unit vector.
    pub fn unit(&mut self) -> Vec3 {
        self.vector().normalize_or(Vec3::X)
    }

    /// A uniformly distributed rotation.
    pub fn rotation(&mut self) -> Quat {
        let (v, w) = (self.vector(), self.share() * 2.0 - 1.0);
        Quat::from_vec4(v.extend(w)).normalize()
    }
}

#[test]
fn positions_below_rotated_bones_equal_those_of_a_forward_pass() {
    let skeleton = skeleton(&[
        (None, Vec3::Y),
        (Some(0), Vec3::Y),
        (Some(0), Vec3::X),
        (Some(1), Vec3::Y),
    ]);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    locals[1].scale = Vec3::splat(2.0);
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let before = model.clone();
    let mut posed = Posed::new(&skeleton, &mut locals, &model);
    assert!(!posed.is_changed());
    posed.turn_in_model(1, Quat::from_rotation_z(1.0));
    posed.turn_in_model(0, Quat::from_rotation_x(0.5));
    assert!(posed.is_changed());
    let found: Vec<Affine3A> = (0..4).map(|bone| posed.model(bone)).collect();
    let below = posed.below(0, 3).unwrap();
    assert!(posed.below(2, 3).is_none());
    assert!((posed.model(0) * below).abs_diff_eq(found[3], 1e-6));
    local_to_model(&skeleton, &locals, &mut model);
    for (found, want) in found.iter().zip(&model) {
        assert!(found.abs_diff_eq(*want, 1e-6));
    }
    assert!(!before[3].abs_diff_eq(model[3], 0.1));
}

#[test]
fn non_finite_transforms_are_ignored() {
    let skeleton = skeleton(&[(None, Vec3::Y)]);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    let model = vec![locals[0].to_affine()];
    let mut posed = Posed::new(&skeleton, &mut locals, &model);
    posed.set_rotation(0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    posed.set_rotation(7, Quat::IDENTITY);
    assert!(!posed.is_changed());
}
