//! Models of particles: a root bone, and a bone per particle for skinning.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use galatea_anim::{Bone, Skeleton, SkeletonError};
use galatea_asset::Model;
use galatea_asset::model::{Image, Influences, Material, Mesh, Part, Primitive, Skin};
use galatea_math::Trs;

/// Adds the four influences of a vertex.
pub fn push_influences(influences: &mut Influences, corners: [(u16, f32); 4]) {
    for (joint, weight) in corners {
        influences.joints.push(joint);
        influences.weights.push(weight);
    }
}

/// Root bone, with index 0.
pub fn root_bone(name: &str) -> Bone {
    Bone {
        name: name.into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    }
}

/// Bone of a particle at its rest position.
pub fn particle_bone(name: String, position: Vec3) -> Bone {
    Bone {
        name,
        parent: Some(0),
        rest: Trs::from_translation(position),
        skinned: true,
    }
}

/// Model of a root bone and particle bones; joint i of its skin is bone 1 + i. Each primitive becomes a part with its own
/// material.
///
/// # Errors
/// Fails if there are more bones than a skeleton may have.
pub fn particle_model(
    name: &str,
    bones: Vec<Bone>,
    primitives: Vec<Primitive>,
    (materials, images): (Vec<Material>, Vec<Image>),
) -> Result<Model, SkeletonError> {
    let skeleton = Skeleton::new(bones)?;
    let bones = skeleton.bones();
    let back = |bone: &Bone| Mat4::from_translation(-bone.rest.translation);
    let skin = Skin {
        name: name.into(),
        joints: (1..bones.len() as u16).collect(),
        inverse_bind: bones.iter().skip(1).map(back).collect(),
    };
    let mesh = |primitive: Primitive| Mesh {
        name: name.into(),
        primitives: vec![primitive],
        morph_names: Vec::new(),
    };
    let meshes: Vec<Mesh> = primitives.into_iter().map(mesh).collect();
    let part = |mesh: usize| Part {
        name: name.into(),
        mesh,
        skin: Some(0),
        ..Part::default()
    };
    Ok(Model {
        uid: content_hash(&skin, &meshes, &materials, &images),
        name: name.into(),
        parts: (0..meshes.len()).map(part).collect(),
        skins: vec![skin],
        meshes,
        materials,
        images,
        skeleton: Arc::new(skeleton),
        ..Model::default()
    })
}

/// FNV-1a hash of all data that distinguishes models.
fn content_hash(skin: &Skin, meshes: &[Mesh], materials: &[Material], images: &[Image]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    add(&skin.joints.len().to_le_bytes());
    for primitive in meshes.iter().flat_map(|mesh| &mesh.primitives) {
        for v in &primitive.positions {
            v.to_array().iter().for_each(|x| add(&x.to_le_bytes()));
        }
        for x in primitive.ribbon.iter().chain(&primitive.influences.weights) {
            add(&x.to_le_bytes());
        }
        for joint in &primitive.influences.joints {
            add(&joint.to_le_bytes());
        }
        for color in &primitive.colors {
            color.to_array().iter().for_each(|x| add(&x.to_le_bytes()));
        }
    }
    add(format!("{materials:?}").as_bytes());
    images.iter().for_each(|image| add(&image.rgba));
    hash
}
