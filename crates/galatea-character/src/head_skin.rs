//! The skin of a head that hair grows on.

use glam::{Affine3A, Quat, Vec3};

use super::definition::Definition;
use super::extent::{below_arms, carrier, each_deformed};
use super::head_parts::{HeadNames, NamedPart, PartMeaning};
use super::skin_root::{SkinRoot, SkinTriangle, frame};
use galatea_anim::humanoid::Role;
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive};
use galatea_deform::{Deformed, build_palette};
use galatea_hair::{RestSkin, Scalp, ScalpError, SkinRole};

/// Half of the distance between eyes that are not known, metres of a body 1.7 m high.
const HALF_EYES: f32 = 0.032;
const USUAL_HEIGHT: f32 = 1.7;
/// Names in a message at most.
const MAX_NAMES: usize = 6;

/// A head that hair grows on.
#[derive(Debug)]
pub struct HeadSkin {
    /// In the character's directions: +X left, +Y up, +Z ahead.
    pub scalp: Scalp,
    /// Triangles of the model, in the order of those of the scalp; the scalp has more, which close the skull.
    triangles: Vec<SkinTriangle>,
    /// Takes the scalp's directions to the model's at rest.
    model_from_scalp: Quat,
    /// Of the model at rest.
    palette: Vec<Affine3A>,
    left_out: LeftOut,
}

/// Parts of a head that are not its skin, by name.
#[derive(Clone, Debug, Default)]
struct LeftOut {
    hats: Vec<String>,
    others: Vec<String>,
}

impl HeadSkin {
    /// The skin at rest of what a bone carries and of the body around it, without parts that are hidden, and those that
    /// are hair, hats, eyes and jewellery by their names or their shape. A skull that is open under the model's own hair
    /// is closed.
    ///
    /// # Errors
    /// When a name fits nothing, or there is no skin.
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
        let turn = model_from_scalp.inverse();
        let matrices = definition.rest_matrices();
        let mut palette = Vec::new();
        build_palette(model, &matrices, &mut palette);
        let is_arm = below_arms(model, humanoid);
        let sorter = PartSorter::of(model, [under(model, bone), is_arm], hidden, names);
        let mut collected = CollectedSkin::default();
        let mut sorts = sorter.sorts.iter();
        each_deformed(
            model,
            &palette,
            &definition.rest.morphs,
            |part, primitive, deformed| {
                let Some(sort) = sorts.next() else { return };
                if is_brow(model, part, primitive) {
                    let heights = deformed.positions.iter().map(|at| (turn * *at).y);
                    collected.brows.extend(heights);
                }
                if !sort.is_hidden {
                    collected.add(&sorter, sort, deformed, turn);
                }
            },
        );
        let eyes = eyes_of(definition, &matrices, bone).map(|eye| turn * eye);
        let brows = &collected.brows;
        let n = brows.len();
        let brows = (n > 0).then(|| brows.iter().sum::<f32>() / n as f32);
        let has_mesh = collected.skin.is_head.contains(&true);
        let left_out = collected.left_out;
        let scalp = Scalp::new(collected.skin, eyes, brows).map_err(|why| {
            if has_mesh {
                left_out.explain(why)
            } else {
                let bone = &model.skeleton.bones()[usize::from(bone)].name;
                format!("the bone {bone:?} carries no mesh to grow hair on")
            }
        })?;
        Ok(Self {
            scalp,
            triangles: collected.triangles,
            model_from_scalp,
            palette,
            left_out,
        })
    }

    /// Explains an error of the scalp, with the names of the parts that matter and what to do.
    pub fn explain(&self, why: ScalpError) -> String {
        self.left_out.explain(why)
    }

    /// A position of the scalp in the model at rest.
    pub fn to_model(&self, at: Vec3) -> Vec3 {
        self.model_from_scalp * (at * self.scalp.scale)
    }

    /// A direction on the scalp in the model at rest.
    pub fn direction_to_model(&self, direction: Vec3) -> Vec3 {
        self.model_from_scalp * direction
    }

    /// A position of the model at rest on the scalp.
    pub fn to_scalp(&self, at: Vec3) -> Vec3 {
        self.model_from_scalp.inverse() * at / self.scalp.scale
    }

    /// Points of the skin nearest to points of the model at rest; `None` for points more than 3 cm away from it.
    pub fn roots(&self, definition: &Definition, at: &[Vec3]) -> Vec<Option<SkinRoot>> {
        let found = at.iter().map(|at| {
            let root = self.scalp.nearest_root(self.to_scalp(*at))?;
            let triangle = *self.triangles.get(root.triangle)?;
            let morphs = &definition.rest.morphs;
            let frame = frame(definition, &triangle, root.shares, &self.palette, morphs)?;
            Some(SkinRoot {
                triangle,
                shares: root.shares,
                back: frame.inverse(),
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

    fn explain(&self, why: ScalpError) -> String {
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
        if let (ScalpError::Covered, Some(hat)) = (why, self.hats.first()) {
            return format!("{why}: hide it with hero:show({hat:?}, false), or name it in exclude");
        }
        let names: Vec<String> = self.hats.iter().chain(&self.others).cloned().collect();
        if names.is_empty() {
            return why.to_string();
        }
        format!(
            "{why}; {} count as hair, eyes or things worn: if one of them is skin, name it in scalp",
            listed(&names)
        )
    }
}

/// Role of a primitive.
struct PartSort {
    part: usize,
    primitive: usize,
    is_hidden: bool,
    /// Role of the triangles that the head carries, and of the others.
    roles: [SkinRole; 2],
    is_chosen: bool,
}

/// Sorting of the primitives of a model.
struct PartSorter<'a> {
    model: &'a Model,
    /// Of each bone, whether it is the head or hangs on it.
    is_head: Vec<bool>,
    /// The same of arms, which are lifted at rest and hang while hair is seen.
    is_arm: Vec<bool>,
    /// In the order of parts and primitives.
    sorts: Vec<PartSort>,
}

impl<'a> PartSorter<'a> {
    /// Sorts them; `bones` are those of the head and of the arms.
    fn of(model: &'a Model, bones: [Vec<bool>; 2], hidden: &[u64], names: &HeadNames) -> Self {
        let [is_head, is_arm] = bones;
        let mut sorter = Self {
            model,
            is_head,
            is_arm,
            sorts: Vec::new(),
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
                triangles.any(|corners| sorter.carries(&sorter.is_head, part, primitive, corners))
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
                // Beside a material "skin", the gold of a node "head" is a crown.
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
            sorter.sorts.push(PartSort {
                part: p,
                primitive: k,
                is_hidden: is_hidden(p),
                roles,
                is_chosen,
            });
        }
        sorter
    }

    /// Returns whether some bones carry most of a triangle.
    fn carries(&self, bones: &[bool], part: &Part, primitive: &Primitive, corners: &[u32]) -> bool {
        let of_them = corners.iter().filter(|corner| {
            let bone = carrier(self.model, part, primitive, **corner as usize);
            bones.get(usize::from(bone)) == Some(&true)
        });
        of_them.count() >= 2
    }
}

/// Skin while it is collected.
#[derive(Default)]
struct CollectedSkin {
    skin: RestSkin,
    triangles: Vec<SkinTriangle>,
    /// Heights of the corners of the model's own brows.
    brows: Vec<f32>,
    left_out: LeftOut,
}

impl CollectedSkin {
    fn add(&mut self, sorter: &PartSorter, sort: &PartSort, deformed: &Deformed, turn: Quat) {
        let part = &sorter.model.parts[sort.part];
        let primitive = &sorter.model.meshes[part.mesh].primitives[sort.primitive];
        let skin = &mut self.skin;
        let first = skin.positions.len() as u32;
        skin.positions
            .extend(deformed.positions.iter().map(|at| turn * *at));
        let normals = deformed.normals.iter().map(|normal| turn * *normal);
        skin.normals.extend(normals);
        skin.normals.resize(skin.positions.len(), Vec3::ZERO);
        for t in primitive.indices.chunks_exact(3) {
            let corners = [t[0], t[1], t[2]];
            let is_head = sorter.carries(&sorter.is_head, part, primitive, t);
            let role = if sorter.carries(&sorter.is_arm, part, primitive, t) {
                SkinRole::Ignored
            } else {
                sort.roles[usize::from(!is_head)]
            };
            skin.is_head.push(is_head);
            skin.roles.push(role);
            skin.is_chosen.push(sort.is_chosen);
            skin.triangles.push(corners.map(|corner| corner + first));
            self.triangles.push(SkinTriangle {
                part: sort.part as u32,
                primitive: sort.primitive as u32,
                corners,
            });
            if is_head && role != SkinRole::Skin {
                // `hero:show` hides nodes; one with several materials is left out by the material.
                let material = sorter.model.materials.get(primitive.material);
                let name = match material {
                    Some(material) if role != SkinRole::Cover => &material.name,
                    _ => &part.name,
                };
                self.left_out.add(role, name);
            }
        }
    }
}

/// Which bones are one or hang on it.
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

/// Positions of the left and the right eye, model space at rest.
fn eyes_of(definition: &Definition, matrices: &[Affine3A], head: u16) -> [Vec3; 2] {
    let humanoid = definition.clips.humanoid();
    let place = |bone: u16| {
        matrices
            .get(usize::from(bone))
            .map(|m| Vec3::from(m.translation))
    };
    let known = [Role::LeftEye, Role::RightEye].map(|role| place(humanoid.bone(role)?));
    if let [Some(left), Some(right)] = known {
        return [left, right];
    }
    let head_place = matrices.get(usize::from(head)).copied().unwrap_or_default();
    let size = definition.model.skeleton.height() / USUAL_HEIGHT;
    let forward = humanoid.model_from_character;
    let middle = definition.gaze_rig().map_or_else(
        |_| Vec3::from(head_place.translation) + forward * (Vec3::new(0.0, 0.08, 0.08) * size),
        |rig| head_place.transform_point3(rig.eye_middle),
    );
    [HALF_EYES, -HALF_EYES].map(|half| middle + forward * (Vec3::X * half * size))
}
