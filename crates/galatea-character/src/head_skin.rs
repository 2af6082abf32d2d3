//! The skin of a head on which hair grows.

use glam::{Affine3A, Quat, Vec3};

use super::definition::Definition;
use super::extent::{below_arms, dominant_bone, each_deformed};
use super::head_parts::{HeadNames, NamedPart, PartMeaning};
use super::skin_root::{SkinRoot, frame};
use super::skin_triangles::SkinTriangle;
use galatea_anim::humanoid::Role;
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive};
use galatea_deform::{Deformed, build_palette};
use galatea_hair::{RestSkin, Scalp, ScalpError, SkinRole};

/// Half of the assumed eye distance when the eyes are unknown, metres, for a body height of 1.7 m.
const HALF_EYE_DISTANCE: f32 = 0.032;
const REFERENCE_HEIGHT: f32 = 1.7;
/// Maximum number of names in a message.
const MAX_NAMES: usize = 6;

/// The scalp of a model's head.
#[derive(Debug)]
pub struct HeadSkin {
    /// Scalp in the character's axes: +X left, +Y up, +Z forward.
    pub scalp: Scalp,
    /// Triangles of the model, in the order of the scalp's triangles. The scalp has additional ones that close the skull.
    triangles: Vec<SkinTriangle>,
    /// Rotation from the scalp's axes to the model's rest pose.
    model_from_scalp: Quat,
    /// Skinning palette of the rest pose.
    palette: Vec<Affine3A>,
    excluded: LeftOut,
}

/// Names of the parts of a head that do not count as skin.
#[derive(Clone, Debug, Default)]
struct LeftOut {
    hats: Vec<String>,
    others: Vec<String>,
}

impl HeadSkin {
    /// Builds the scalp from the rest-pose skin on a head bone and the body around it. Leaves out hidden parts, and parts
    /// that are hair, hats, eyes or jewellery by name or shape. Closes a skull that is open under the model's own hair.
    ///
    /// # Errors
    /// Returns an error if a pattern matches nothing or the head has no skin.
    pub fn of(
        definition: &Definition,
        bone: u16,
        hidden: &[u64],
        names: &HeadNames,
    ) -> Result<Self, String> {
        let model = &definition.model;
        names.check(model)?;
        let humanoid = definition.clips.humanoid();
        let model_from_scalp = humanoid.model_from_character;
        let rotation = model_from_scalp.inverse();
        let matrices = definition.rest_matrices();
        let mut palette = Vec::new();
        build_palette(model, &matrices, &mut palette);
        let is_arm = below_arms(model, humanoid);
        let sorter = PartSorter::of(model, [under(model, bone), is_arm], hidden, names);
        let mut collected = CollectedSkin::default();
        let mut classes = sorter.classes.iter();
        each_deformed(
            model,
            &palette,
            &definition.rest.morphs,
            |part, primitive, deformed| {
                let Some(class) = classes.next() else { return };
                if is_brow(model, part, primitive) {
                    let heights = deformed.positions.iter().map(|at| (rotation * *at).y);
                    collected.brows.extend(heights);
                }
                if !class.is_hidden {
                    collected.add(&sorter, class, deformed, rotation);
                }
            },
        );
        let eyes = eyes_of(definition, &matrices, bone).map(|eye| rotation * eye);
        let brows = &collected.brows;
        let n = brows.len();
        let brows = (n > 0).then(|| brows.iter().sum::<f32>() / n as f32);
        let has_mesh = collected.skin.is_head.contains(&true);
        let excluded = collected.excluded;
        let scalp = Scalp::new(collected.skin, eyes, brows).map_err(|error| {
            if has_mesh {
                excluded.explain(error)
            } else {
                let bone = &model.skeleton.bones()[usize::from(bone)].name;
                format!("no mesh is attached to bone {bone:?}, so hair cannot grow there")
            }
        })?;
        Ok(Self {
            scalp,
            triangles: collected.triangles,
            model_from_scalp,
            palette,
            excluded,
        })
    }

    /// Explains a scalp error, with the names of the relevant parts and what to do.
    pub fn explain(&self, error: ScalpError) -> String {
        self.excluded.explain(error)
    }

    /// Converts a position on the scalp to the model's rest pose.
    pub fn to_model(&self, at: Vec3) -> Vec3 {
        self.model_from_scalp * (at * self.scalp.scale)
    }

    /// Converts a direction on the scalp to the model's rest pose.
    pub fn direction_to_model(&self, direction: Vec3) -> Vec3 {
        self.model_from_scalp * direction
    }

    /// Converts a position in the model's rest pose to scalp space.
    pub fn to_scalp(&self, at: Vec3) -> Vec3 {
        self.model_from_scalp.inverse() * at / self.scalp.scale
    }

    /// Returns the nearest skin points for points in the model's rest pose; `None` for points more than 3 cm away.
    pub fn roots(&self, definition: &Definition, at: &[Vec3]) -> Vec<Option<SkinRoot>> {
        let found = at.iter().map(|at| {
            let root = self.scalp.nearest_root(self.to_scalp(*at))?;
            let triangle = *self.triangles.get(root.triangle)?;
            let morphs = &definition.rest.morphs;
            let frame = frame(definition, &triangle, root.shares, &self.palette, morphs)?;
            Some(SkinRoot {
                triangle,
                barycentric: root.shares,
                rest_inverse: frame.inverse(),
            })
        });
        found.collect()
    }
}

impl LeftOut {
    fn add(&mut self, role: SkinRole, name: &str) {
        let list = match role {
            SkinRole::Cover => &mut self.hats,
            _ => &mut self.others,
        };
        if !name.is_empty() && !list.iter().any(|known| known == name) {
            list.push(name.to_owned());
        }
    }

    fn explain(&self, error: ScalpError) -> String {
        let listed = |names: &[String]| {
            let shown: Vec<String> = names
                .iter()
                .take(MAX_NAMES)
                .map(|n| format!("{n:?}"))
                .collect();
            let more = names.len().saturating_sub(MAX_NAMES);
            let and = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            format!("{}{and}", shown.join(", "))
        };
        if let (ScalpError::Covered, Some(hat)) = (error, self.hats.first()) {
            return format!(
                "{error}; hide it with hero:show_part({hat:?}, false), or add it to the option `exclude`"
            );
        }
        let names: Vec<String> = self.hats.iter().chain(&self.others).cloned().collect();
        if names.is_empty() {
            return error.to_string();
        }
        format!(
            "{error}; {} count as hair, eyes or clothes. If one of these is skin, add it to the option `scalp`",
            listed(&names)
        )
    }
}

/// Classification of a primitive.
struct PartSort {
    part: usize,
    primitive: usize,
    is_hidden: bool,
    /// Role of the triangles on the head, and of the other triangles.
    roles: [SkinRole; 2],
    is_chosen: bool,
}

/// Classifies the primitives of a model.
struct PartSorter<'a> {
    model: &'a Model,
    /// For each bone: true if it is the head or below it.
    is_head: Vec<bool>,
    /// For each bone: true if it belongs to an arm. Arms are raised in many rest poses but hang down when hair is seen.
    is_arm: Vec<bool>,
    /// Classifications in the order of parts and primitives.
    classes: Vec<PartSort>,
}

impl<'a> PartSorter<'a> {
    /// Classifies all primitives; `bones` flags those of the head and of the arms.
    fn of(model: &'a Model, bones: [Vec<bool>; 2], hidden: &[u64], names: &HeadNames) -> Self {
        let [is_head, is_arm] = bones;
        let mut sorter = Self {
            model,
            is_head,
            is_arm,
            classes: Vec::new(),
        };
        let each = || {
            model.parts.iter().enumerate().flat_map(|(p, part)| {
                let primitives = model.meshes[part.mesh].primitives.iter().enumerate();
                primitives.map(move |(k, primitive)| ((p, part), (k, primitive)))
            })
        };
        let is_hidden = |p: usize| {
            let bits = hidden.get(p / 64);
            bits.is_some_and(|bits| bits >> (p % 64) & 1 == 1)
        };
        let on_head: Vec<bool> = each()
            .map(|((_, part), (_, primitive))| {
                let mut triangles = primitive.indices.chunks_exact(3);
                triangles
                    .any(|corners| sorter.is_carried_by(&sorter.is_head, part, primitive, corners))
            })
            .collect();
        let has_skin_material =
            each()
                .zip(&on_head)
                .any(|(((p, part), (_, primitive)), on_head)| {
                    let meaning = PartMeaning::of(model, part, primitive);
                    *on_head && !is_hidden(p) && meaning.material == Some(NamedPart::Skin)
                });
        let meaning = |part: &Part, primitive: &Primitive| {
            let meaning = PartMeaning::of(model, part, primitive);
            let node = meaning.node.filter(|node| {
                // Next to a material named "skin", a gold primitive of a node named "head" is a crown.
                matches!(node, NamedPart::Other(_)) || !has_skin_material
            });
            meaning.material.or(node)
        };
        let has_skin = each()
            .zip(&on_head)
            .any(|(((p, part), (_, primitive)), on_head)| {
                *on_head && !is_hidden(p) && meaning(part, primitive) == Some(NamedPart::Skin)
            });
        for (((p, part), (k, primitive)), on_head) in each().zip(&on_head) {
            let fits = |patterns| HeadNames::any_fits(patterns, model, part, primitive);
            let is_chosen = fits(&names.scalp);
            let unknown = if has_skin {
                SkinRole::Ignored
            } else {
                SkinRole::Skin
            };
            let roles = match meaning(part, primitive) {
                _ if fits(&names.exclude) => [SkinRole::Ignored; 2],
                _ if is_chosen => [SkinRole::Skin; 2],
                Some(NamedPart::Other(role)) => [role; 2],
                _ if !names.scalp.is_empty() => [SkinRole::Ignored, SkinRole::Obstacle],
                Some(NamedPart::Skin | NamedPart::InSkin) if *on_head => [SkinRole::Skin; 2],
                Some(NamedPart::Skin) if has_skin_material => [SkinRole::Skin; 2],
                None if *on_head && !has_skin => [SkinRole::Skin; 2],
                _ => [unknown, SkinRole::Obstacle],
            };
            sorter.classes.push(PartSort {
                part: p,
                primitive: k,
                is_hidden: is_hidden(p),
                roles,
                is_chosen,
            });
        }
        sorter
    }

    /// Returns true if at least two corners of a triangle are carried by the given bones.
    fn is_carried_by(
        &self,
        bones: &[bool],
        part: &Part,
        primitive: &Primitive,
        corners: &[u32],
    ) -> bool {
        let of_them = corners.iter().filter(|corner| {
            let bone = dominant_bone(self.model, part, primitive, **corner as usize);
            bones.get(usize::from(bone)) == Some(&true)
        });
        of_them.count() >= 2
    }
}

/// Skin data being collected.
#[derive(Default)]
struct CollectedSkin {
    skin: RestSkin,
    triangles: Vec<SkinTriangle>,
    /// Heights of the vertices of the model's own brows.
    brows: Vec<f32>,
    excluded: LeftOut,
}

impl CollectedSkin {
    fn add(&mut self, sorter: &PartSorter, class: &PartSort, deformed: &Deformed, rotation: Quat) {
        let part = &sorter.model.parts[class.part];
        let primitive = &sorter.model.meshes[part.mesh].primitives[class.primitive];
        let skin = &mut self.skin;
        let first = skin.positions.len() as u32;
        skin.positions
            .extend(deformed.positions.iter().map(|at| rotation * *at));
        let normals = deformed.normals.iter().map(|normal| rotation * *normal);
        skin.normals.extend(normals);
        skin.normals.resize(skin.positions.len(), Vec3::ZERO);
        for t in primitive.indices.chunks_exact(3) {
            let corners = [t[0], t[1], t[2]];
            let is_head = sorter.is_carried_by(&sorter.is_head, part, primitive, t);
            let role = if sorter.is_carried_by(&sorter.is_arm, part, primitive, t) {
                SkinRole::Ignored
            } else {
                class.roles[usize::from(!is_head)]
            };
            skin.is_head.push(is_head);
            skin.roles.push(role);
            skin.is_chosen.push(class.is_chosen);
            skin.triangles.push(corners.map(|corner| corner + first));
            self.triangles.push(SkinTriangle {
                part: class.part as u32,
                primitive: class.primitive as u32,
                corners,
            });
            if is_head && role != SkinRole::Skin {
                // `hero:show` hides nodes, so hats are listed by node. Other parts are listed by material.
                let material = sorter.model.materials.get(primitive.material);
                let name = match material {
                    Some(material) if role != SkinRole::Cover => &material.name,
                    _ => &part.name,
                };
                self.excluded.add(role, name);
            }
        }
    }
}

/// Returns for each bone whether it is `bone` or below it.
fn under(model: &Model, bone: u16) -> Vec<bool> {
    let mut under = vec![false; model.skeleton.len()];
    for (i, own) in model.skeleton.bones().iter().enumerate() {
        let hangs = own.parent.is_some_and(|parent| under[usize::from(parent)]);
        under[i] = hangs || i == usize::from(bone);
    }
    under
}

fn is_brow(model: &Model, part: &Part, primitive: &Primitive) -> bool {
    let material = model.materials.get(primitive.material);
    let names = [Some(&part.name), material.map(|material| &material.name)];
    let is_named = |name: &String| name.to_lowercase().contains("brow");
    names.into_iter().flatten().any(is_named)
}

/// Returns the positions of the left and right eye in the rest pose, model space.
fn eyes_of(definition: &Definition, matrices: &[Affine3A], head: u16) -> [Vec3; 2] {
    let humanoid = definition.clips.humanoid();
    let position = |bone: u16| {
        matrices
            .get(usize::from(bone))
            .map(|m| Vec3::from(m.translation))
    };
    let known = [Role::LeftEye, Role::RightEye].map(|role| position(humanoid.bone(role)?));
    if let [Some(left), Some(right)] = known {
        return [left, right];
    }
    let head_place = matrices.get(usize::from(head)).copied().unwrap_or_default();
    let size = definition.model.skeleton.height() / REFERENCE_HEIGHT;
    let forward = humanoid.model_from_character;
    let middle = definition.gaze_rig().map_or_else(
        |_| Vec3::from(head_place.translation) + forward * (Vec3::new(0.0, 0.08, 0.08) * size),
        |rig| head_place.transform_point3(rig.eye_middle),
    );
    [HALF_EYE_DISTANCE, -HALF_EYE_DISTANCE].map(|half| middle + forward * (Vec3::X * half * size))
}
