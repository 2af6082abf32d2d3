//! A loaded character file as plain data: what the loader makes and every other room reads.

mod material;
mod texture;
mod toon;
mod values;
mod wrinkles;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

pub use material::{
    AlphaMode, Clearcoat, Iris, Material, MaterialKind, Sheen, Specular, Transmission,
};
pub use texture::{Sampler, TextureRef, UvTransform, Wrap};
pub use toon::{Outline, OutlineMode, Toon, UvAnimation};
pub use values::{Factor, InstanceMaterial, MaterialValues, TextureSlot};
pub use wrinkles::{
    MOST_MAPS, MOST_MASKS, MOST_REGIONS, WrinkleDriver, WrinkleMap, WrinkleMode, WrinkleRegion,
    Wrinkles,
};

use super::facing::FacingReport;
use super::handle::HandleSpec;
use super::ragdoll::BodyWish;
use super::skinning::{Skinning, SkinningMode, SkinningOptions};
use super::solid::{NodeMotion, NodeSolid};
use galatea_anim::humanoid::{self, Declared, Humanoid};
use galatea_anim::reparent::ReparentedBone;
use galatea_anim::{Bone, Clip, Skeleton};
use galatea_math::names::nearest_hint;
use galatea_rig::expression::Expression;
use galatea_rig::helper::HelperSpec;
use galatea_rig::look_at::LookAt;
use galatea_rig::spring::SpringSet;

/// Everything one glTF or GLB file holds, ready to pose and draw. Immutable; shared by `Arc`.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Hash of the file's bytes and of those it refers to; equal content has equal `uid`.
    pub uid: u64,
    /// File name without folders and extension.
    pub name: String,
    /// Every file that was read, the model itself first; a change of one asks for a reload. Empty
    /// for a model loaded from memory.
    pub sources: Vec<PathBuf>,
    /// The nodes of the file's scene and those that joints and clips need, parents before children.
    pub skeleton: Arc<Skeleton>,
    /// Bones of the skeleton that hang on another parent than in the file, so that the body hangs together
    /// ([`galatea_anim::reparent`]). Clips are rewritten for it.
    pub reparented: Vec<ReparentedBone>,
    /// Which way the character looks in its file, and how it was turned.
    pub facing: FacingReport,
    /// Who made the file and what may be done with it: what it is called, and the text.
    pub meta: Vec<(&'static str, String)>,
    /// Humanoid bones as the file declares them (VRM); see [`Model::humanoid`].
    pub declared: Option<Declared>,
    /// What the file wants of the ragdoll's bodies (`ragdoll` in the extras of nodes), by bone, ascending.
    pub ragdoll: Vec<(u16, BodyWish)>,
    /// Solid forms that the file brings along (names of nodes, `solid` in their extras), model space at rest.
    pub solids: Vec<NodeSolid>,
    /// Nodes that move by themselves (KHR_physics_rigid_bodies), by bone, ascending.
    pub motions: Vec<NodeMotion>,
    /// Springs that come with the file (VRM).
    pub springs: Option<Arc<SpringSet>>,
    /// Constraints that come with the file (VRMC_node_constraint), in the order of its nodes; each can be bound to
    /// the skeleton, and none waits for another in a circle.
    pub constraints: Vec<HelperSpec>,
    /// Helper bones of the file (`helper` in the extras of nodes); as `constraints`, and together with them.
    pub helpers: Vec<HelperSpec>,
    /// Places at which somebody does something with it (`handle` in the extras of nodes).
    pub handles: Vec<HandleSpec>,
    /// How far its eyes go (VRM).
    pub look_at: Option<LookAt>,
    /// From where the meshes of nodes are seen, where a file says so (VRM), by bone, ascending.
    pub seen_from: Vec<(u16, SeenFrom)>,
    /// Expressions that come with the file (VRM).
    pub expressions: Vec<Expression>,
    /// Skins; several may share bones (D06).
    pub skins: Vec<Skin>,
    /// Meshes, placed in the scene by `parts`. A mesh moved by skins of different size is listed once
    /// for each.
    pub meshes: Vec<Mesh>,
    /// Meshes placed on nodes; what is drawn.
    pub parts: Vec<Part>,
    /// Materials; `Primitive::material` indexes them. The loader always adds a default one.
    pub materials: Vec<Material>,
    /// Names of the file's variants (KHR_materials_variants), each once; `Primitive::variants` says what
    /// they change.
    pub variants: Vec<String>,
    /// Decoded pictures, those that materials use.
    pub images: Vec<Image>,
    /// Clips, in the file's order.
    pub clips: Vec<Arc<Clip>>,
    /// What was mended or left out while loading, once each, in plain words.
    pub warnings: Vec<String>,
}

/// A list of bones and the matrices that take a vertex from the mesh into each bone's space.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Name as authored, may be empty.
    pub name: String,
    /// Index into the skeleton for every joint of the skin.
    pub joints: Vec<u16>,
    /// Bone-from-mesh matrix for every joint; any affine matrix is accepted (A06).
    pub inverse_bind: Vec<Mat4>,
}

/// A mesh placed on a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Name of the node it stands on.
    pub name: String,
    /// The node. Its transform places a rigid part; for a skinned part it is ignored (D02).
    pub bone: u16,
    /// Index into `Model::meshes`.
    pub mesh: usize,
    /// Index into `Model::skins`, `None` for a rigid part.
    pub skin: Option<usize>,
    /// Morph weights at rest, one per target of the mesh.
    pub morph_weights: Vec<f32>,
    /// Throws no shadow: other parts do for it, as for strands of hair of which some are enough.
    pub is_fine: bool,
    /// How the transforms of a vertex's bones are mixed.
    pub skinning: Skinning,
    /// Where and in which pieces that is done.
    pub skinning_mode: SkinningMode,
}

/// From where a mesh is drawn (VRM 1.0, `firstPerson.meshAnnotations`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeenFrom {
    /// From the character's own eyes all but what hangs on its head; from elsewhere all.
    #[default]
    Auto,
    /// All of it, always.
    Both,
    /// Through the character's own eyes alone.
    OwnEyes,
    /// From elsewhere alone.
    Outside,
}

/// Primitives that share morph target names.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name as authored, may be empty.
    pub name: String,
    /// Pieces with one material each.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets (`extras.targetNames`, else `target_0`, `target_1`, …).
    pub morph_names: Vec<String>,
}

/// Triangles with one material. All vertex arrays have one length; optional ones may be empty.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Mesh space, metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// Unit xyz, w = ±1 the bitangent's sign. May be empty where the material has no normal
    /// texture, or one without coordinates to lie on.
    pub tangents: Vec<Vec4>,
    /// First texture coordinates; zeros where the file has none.
    pub uv0: Vec<Vec2>,
    /// Second texture coordinates, or empty.
    pub uv1: Vec<Vec2>,
    /// Linear colours that multiply the base colour, or empty.
    pub colors: Vec<Vec4>,
    /// Which joints move each vertex; empty for a rigid primitive.
    pub influences: Influences,
    /// Offsets, one entry per morph target of the mesh.
    pub targets: Vec<MorphTarget>,
    /// Of ribbons, which turn to the eye: how far each vertex lies aside of the middle line that its position is
    /// on, metres, less than 0 to the other side. Their tangents are along the line, they have normals, and no morph
    /// targets. Empty for all else.
    pub ribbon: Vec<f32>,
    /// Triangle list into the vertex arrays.
    pub indices: Vec<u32>,
    /// Index into `Model::materials`.
    pub material: usize,
    /// Materials that take its place: an index into `Model::variants`, and one into
    /// `Model::materials`, in ascending order of the first, which stands once.
    pub variants: Vec<(u16, usize)>,
}

impl Primitive {
    /// The material that a variant shows it with, an index into `Model::materials`; the plain one
    /// where the variant names none.
    pub fn material_in(&self, variant: Option<u16>) -> usize {
        let found = variant.and_then(|variant| {
            let at = self.variants.binary_search_by_key(&variant, |pair| pair.0);
            Some(self.variants.get(at.ok()?)?.1)
        });
        found.unwrap_or(self.material)
    }
}

/// Joint indices and weights, `per_vertex` of each for every vertex; weights are not negative and
/// sum to 1 (A04).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Influences stored per vertex: 4 times the number of JOINTS sets, 0 when there are none.
    pub per_vertex: usize,
    /// Indices into the skin's joint list.
    pub joints: Vec<u16>,
    /// Weights, same layout as `joints`.
    pub weights: Vec<f32>,
}

/// Offsets added to the vertices, times a weight. An attribute the target does not move is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Added before the normal is made unit again.
    pub normals: Vec<Vec3>,
    /// Added to xyz of the tangent.
    pub tangents: Vec<Vec3>,
}

/// A decoded picture, 8 bits per channel, RGBA, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Name or URI as authored, may be empty.
    pub name: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

impl Model {
    /// From where the mesh of a node is seen.
    pub fn seen_from(&self, bone: u16) -> SeenFrom {
        let found = self.seen_from.binary_search_by_key(&bone, |(own, _)| *own);
        found.map_or(SeenFrom::Auto, |i| self.seen_from[i].1)
    }

    /// The humanoid bones: as declared, else found by name and shape. Not cheap; keep it.
    pub fn humanoid(&self) -> (Humanoid, humanoid::HumanoidMatch) {
        humanoid::find(&self.skeleton, self.declared.as_ref())
    }

    /// The bones: the nodes that a skin uses. Without a skin any node may be meant as one, and all are.
    /// Each with its index in the skeleton.
    pub fn bones(&self) -> impl Iterator<Item = (u16, &Bone)> {
        let bones = self.skeleton.bones();
        let no_skin = !bones.iter().any(|bone| bone.skinned);
        let all = (0_u16..).zip(bones);
        all.filter(move |(_, bone)| bone.skinned || no_skin)
    }

    /// The clip with this exact name.
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

    /// Sets how parts are deformed. The `uid` changes too, because the model draws differently.
    ///
    /// # Errors
    /// When `options` names a mesh that does not exist; the message gives the nearest name.
    pub fn set_skinning(&mut self, options: &SkinningOptions) -> Result<(), String> {
        for (wanted, _) in &options.by_mesh {
            let mut names = Vec::new();
            for part in &self.parts {
                names.extend([part.name.as_str(), self.meshes[part.mesh].name.as_str()]);
            }
            if !names.contains(&wanted.as_str()) {
                names.retain(|name| !name.is_empty());
                let hint = nearest_hint(wanted, names.into_iter());
                return Err(format!("skinning: there is no mesh {wanted:?}{hint}"));
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
            "it is told apart from the model as its file is"
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
