//! A loaded model file as plain data: made by the loaders, read by all other modules.

mod material;
pub(crate) mod meta;
mod size;
mod texture;
mod toon;
mod values;
mod wrinkles;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

pub use material::{
    AlphaMode, Clearcoat, Iris, Material, MaterialKind, Sheen, Specular, Transmission,
};
pub use size::ModelSize;
pub use texture::{Sampler, TextureRef, UvTransform, Wrap};
pub use toon::{Outline, OutlineMode, Toon, UvAnimation};
pub use values::{Factor, InstanceMaterial, MaterialValues, TextureSlot};
pub use wrinkles::{
    MAX_MAPS, MAX_MASKS, MAX_REGIONS, WrinkleDriver, WrinkleMap, WrinkleMode, WrinkleRegion,
    Wrinkles,
};

use super::collider::{NodeCollider, NodeRigidBody};
use super::facing::FacingReport;
use super::interaction::InteractionSpec;
use super::ragdoll::RagdollBodySpec;
use super::skinning::{Skinning, SkinningMode, SkinningOptions};
use galatea_anim::humanoid::{self, Declared, Humanoid};
use galatea_anim::reparent::ReparentedBone;
use galatea_anim::{Bone, Clip, Skeleton};
use galatea_math::names::nearest_hint;
use galatea_rig::expression::Expression;
use galatea_rig::helper::HelperSpec;
use galatea_rig::look_at::LookAt;
use galatea_rig::spring::SpringSet;

/// Content of one glTF or GLB file, ready to pose and draw. Immutable; shared by `Arc`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Model {
    /// Hash of the bytes of the file and of referenced files; equal content has equal `uid`.
    pub uid: u64,
    /// File name without directory and extension.
    pub name: String,
    /// All files that were read, starting with the model; a change of one causes a reload. Empty for a model loaded from
    /// memory.
    pub sources: Vec<PathBuf>,
    /// Nodes of the file's scene, and nodes that joints and clips need; parents before children.
    #[serde(with = "galatea_persist::shared")]
    pub skeleton: Arc<Skeleton>,
    /// Bones with another parent than in the file, reparented to connect the body ([`galatea_anim::reparent`]). Clips are
    /// adapted.
    pub reparented: Vec<ReparentedBone>,
    /// Direction that the character faces in its file, and the rotation applied to it.
    pub facing: FacingReport,
    /// Author and licence: name of the field and text.
    #[serde(deserialize_with = "meta::deserialize")]
    pub meta: Vec<(&'static str, String)>,
    /// Humanoid bones declared by the file (VRM); see [`Model::humanoid`].
    pub declared: Option<Declared>,
    /// Ragdoll settings (`ragdoll` in the extras of nodes), ascending by bone.
    pub ragdoll: Vec<(u16, RagdollBodySpec)>,
    /// Colliders defined by the file (names of nodes, `solid` in their extras), model space at rest.
    pub colliders: Vec<NodeCollider>,
    /// Nodes with physics (KHR_physics_rigid_bodies), ascending by bone.
    pub motions: Vec<NodeRigidBody>,
    /// Spring bones defined by the file (VRM).
    #[serde(with = "galatea_persist::shared")]
    pub springs: Option<Arc<SpringSet>>,
    /// Constraints defined by the file (VRMC_node_constraint), in the order of the nodes. Each can be bound to the skeleton,
    /// and there are no circular dependencies.
    pub constraints: Vec<HelperSpec>,
    /// Helper bones (`helper` in the extras of nodes); with the same guarantees as `constraints`.
    pub helpers: Vec<HelperSpec>,
    /// Interaction points (`handle` in the extras of nodes).
    pub interactions: Vec<InteractionSpec>,
    /// Range of the eyes (VRM).
    pub look_at: Option<LookAt>,
    /// First-person visibility of the meshes of nodes (VRM), ascending by bone.
    pub seen_from: Vec<(u16, SeenFrom)>,
    /// Expressions defined by the file (VRM).
    pub expressions: Vec<Expression>,
    /// Skins; several may share bones.
    pub skins: Vec<Skin>,
    /// Meshes, placed in the scene by `parts`. A mesh used with skins of different size is listed once for each.
    pub meshes: Vec<Mesh>,
    /// Instances of meshes on nodes, which are drawn.
    pub parts: Vec<Part>,
    /// Materials; `Primitive::material` indexes them. The loader always adds a default one.
    pub materials: Vec<Material>,
    /// Unique names of the file's variants (KHR_materials_variants); `Primitive::variants` lists the materials they change.
    pub variants: Vec<String>,
    /// Decoded images used by materials.
    pub images: Vec<Image>,
    /// Clips, in the file's order.
    #[serde(with = "galatea_persist::shared")]
    pub clips: Vec<Arc<Clip>>,
    /// Repairs and skipped data while loading, as sentences for users, without duplicates.
    pub warnings: Vec<String>,
}

/// A list of bones and the matrices that transform a vertex from mesh space into each bone's space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skin {
    /// Name as authored, may be empty.
    pub name: String,
    /// Index into the skeleton for every joint of the skin.
    pub joints: Vec<u16>,
    /// Bone-from-mesh matrix for every joint; any affine matrix is accepted.
    pub inverse_bind: Vec<Mat4>,
}

/// Instance of a mesh on a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Name of the node.
    pub name: String,
    /// Node. Its transform places a rigid part and is ignored for a skinned part.
    pub bone: u16,
    /// Index into `Model::meshes`.
    pub mesh: usize,
    /// Index into `Model::skins`, `None` for a rigid part.
    pub skin: Option<usize>,
    /// Morph weights at rest, one per target of the mesh.
    pub morph_weights: Vec<f32>,
    /// Casts no shadow because other parts cast enough, as for fine strands of hair.
    pub is_fine: bool,
    /// Blending method for the transforms of a vertex's bones.
    pub skinning: Skinning,
    /// Processor and granularity of skinning.
    pub skinning_mode: SkinningMode,
}

/// Views in which a mesh is drawn (VRM 1.0, `firstPerson.meshAnnotations`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenFrom {
    /// In first person everything except geometry attached to the head; in other views everything.
    #[default]
    Auto,
    /// Drawn in all views.
    Both,
    /// Drawn only in first person.
    OwnEyes,
    /// Drawn only in other views.
    Outside,
}

/// Primitives that share morph target names.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Mesh {
    /// Name as authored, may be empty.
    pub name: String,
    /// Primitives with one material each.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets (`extras.targetNames`, otherwise `target_0`, `target_1`, …).
    pub morph_names: Vec<String>,
}

/// Triangles with one material. All vertex arrays have equal length; optional ones may be empty.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Primitive {
    /// Positions in mesh space, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Unit tangents in xyz; w = ±1 is the sign of the bitangent. May be empty if the material has no normal texture, or one
    /// without texture coordinates.
    pub tangents: Vec<Vec4>,
    /// First texture coordinates; zeros if the file has none.
    pub uv0: Vec<Vec2>,
    /// Second texture coordinates, or empty.
    pub uv1: Vec<Vec2>,
    /// Linear colours that multiply the base colour, or empty.
    pub colors: Vec<Vec4>,
    /// Joints and weights of each vertex; empty for a rigid primitive.
    pub influences: Influences,
    /// Offsets, one entry per morph target of the mesh.
    pub targets: Vec<MorphTarget>,
    /// Signed distance of each vertex from the centre line of a ribbon, metres; `positions` are on that line. Ribbons face
    /// the camera. Their tangents are along the line; they have normals and no morph targets. Empty for all other
    /// primitives.
    pub ribbon: Vec<f32>,
    /// Triangle list into the vertex arrays.
    pub indices: Vec<u32>,
    /// Index into `Model::materials`.
    pub material: usize,
    /// Materials in variants: an index into `Model::variants` and one into `Model::materials`, in ascending order of the
    /// first, without duplicates.
    pub variants: Vec<(u16, usize)>,
}

impl Primitive {
    /// Material index in a variant; the default material if the variant does not change it.
    pub fn material_in(&self, variant: Option<u16>) -> usize {
        let found = variant.and_then(|variant| {
            let at = self.variants.binary_search_by_key(&variant, |pair| pair.0);
            Some(self.variants.get(at.ok()?)?.1)
        });
        found.unwrap_or(self.material)
    }
}

/// Joint indices and weights, `per_vertex` of each for every vertex; weights are not negative and sum to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Influences {
    /// Influences per vertex: 4 times the number of JOINTS sets, 0 if there are none.
    pub per_vertex: usize,
    /// Indices into the skin's joint list.
    pub joints: Vec<u16>,
    /// Weights, same layout as `joints`.
    pub weights: Vec<f32>,
}

/// Offsets that are multiplied by a weight and added to the vertices. Attributes that the target does not change are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MorphTarget {
    /// Offsets of positions, metres.
    pub positions: Vec<Vec3>,
    /// Offsets of normals; the sum is normalised.
    pub normals: Vec<Vec3>,
    /// Offsets of the tangents' xyz.
    pub tangents: Vec<Vec3>,
}

/// A decoded image, 8 bits per channel, RGBA, rows from the top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Name or URI as authored, may be empty.
    pub name: String,
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// `width * height * 4` bytes.
    #[serde(with = "galatea_persist::bytes")]
    pub rgba: Vec<u8>,
}

impl Model {
    /// Returns the first-person visibility of the mesh of a node.
    pub fn seen_from(&self, bone: u16) -> SeenFrom {
        let found = self.seen_from.binary_search_by_key(&bone, |(own, _)| *own);
        found.map_or(SeenFrom::Auto, |i| self.seen_from[i].1)
    }

    /// Returns the humanoid bones: as declared, otherwise found by name and shape. Expensive; store the result.
    pub fn humanoid(&self) -> (Humanoid, humanoid::HumanoidMatch) {
        humanoid::find(&self.skeleton, self.declared.as_ref())
    }

    /// Returns the bones with their indices in the skeleton: the nodes that a skin uses. A model without a skin returns all
    /// nodes.
    pub fn bones(&self) -> impl Iterator<Item = (u16, &Bone)> {
        let bones = self.skeleton.bones();
        let no_skin = !bones.iter().any(|bone| bone.skinned);
        let all = (0_u16..).zip(bones);
        all.filter(move |(_, bone)| bone.skinned || no_skin)
    }

    /// Returns the clip with this exact name.
    pub fn clip(&self, name: &str) -> Option<usize> {
        self.clips.iter().position(|clip| clip.name == name)
    }

    /// Number of vertices over all meshes.
    pub fn n_vertices(&self) -> usize {
        self.primitives().map(|p| p.positions.len()).sum()
    }

    /// Number of triangles over all meshes.
    pub fn n_triangles(&self) -> usize {
        self.primitives().map(|p| p.indices.len() / 3).sum()
    }

    /// All primitives of all meshes.
    pub fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }

    /// Sets the skinning method of parts. Also changes the `uid`, because the model draws differently.
    ///
    /// # Errors
    /// If `options` names a mesh that does not exist; the message suggests the most similar name.
    pub fn set_skinning(&mut self, options: &SkinningOptions) -> Result<(), String> {
        for (mesh_name, _) in &options.by_mesh {
            let mut names = Vec::new();
            for part in &self.parts {
                names.extend([part.name.as_str(), self.meshes[part.mesh].name.as_str()]);
            }
            if !names.contains(&mesh_name.as_str()) {
                names.retain(|name| !name.is_empty());
                let hint = nearest_hint(mesh_name, names.into_iter());
                return Err(format!("skinning: unknown mesh {mesh_name:?}{hint}"));
            }
        }
        for part in &mut self.parts {
            let mesh = &self.meshes[part.mesh].name;
            let named = options.by_mesh.iter().find(|(name, _)| *name == part.name);
            let named = named.or(options.by_mesh.iter().find(|(name, _)| name == mesh));
            if let Some(skinning) = named.map(|(_, skinning)| *skinning).or(options.skinning) {
                part.skinning = skinning;
            }
            if let Some(mode) = options.mode {
                part.skinning_mode = mode;
            }
        }
        // FNV-1a over the text of the options (Fowler, Noll, Vo).
        for byte in options.key().bytes() {
            self.uid = (self.uid ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_reach_the_parts_they_name_and_no_others() {
        let part = |name: &str, mesh: usize| Part {
            name: name.into(),
            mesh,
            ..Default::default()
        };
        let mesh = |name: &str| Mesh {
            name: name.into(),
            ..Default::default()
        };
        let mut model = Model {
            meshes: vec![mesh("Body"), mesh("Hat")],
            parts: vec![part("body node", 0), part("hat node", 1)],
            ..Model::default()
        };
        let options = SkinningOptions {
            by_mesh: vec![("Body".into(), Skinning::DualQuaternion)],
            mode: Some(SkinningMode::Cpu),
            ..SkinningOptions::default()
        };
        assert_eq!(model.set_skinning(&options), Ok(()));
        assert_ne!(
            model.uid, 0,
            "it has an identity apart from the unchanged model"
        );
        let found: Vec<_> = model.parts.iter().map(|part| part.skinning).collect();
        assert_eq!(found, [Skinning::DualQuaternion, Skinning::Linear]);
        assert!(
            model
                .parts
                .iter()
                .all(|part| part.skinning_mode == SkinningMode::Cpu)
        );
        let wrong = SkinningOptions {
            by_mesh: vec![("Bodi".into(), Skinning::Linear)],
            ..SkinningOptions::default()
        };
        let why = model.set_skinning(&wrong).unwrap_err();
        assert!(why.contains("\"Bodi\"") && why.contains("Body"), "{why}");
    }
}
