//! Content of a file in another format, as plain lists: metres, right-handed, +Y up, seconds.

use std::collections::HashMap;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::clip::SceneClip;
use super::picture;
use galatea_anim::humanoid::{self, Humanoid, Role};
use galatea_anim::{Bone, Skeleton};
use galatea_asset::PictureBudget;
use galatea_asset::limits::{MAX_NUMBER, is_sound_matrix, is_sound_vector};
use galatea_math::Trs;

/// Content of a file.
#[derive(Debug, Default)]
pub struct Scene {
    pub name: String,
    /// Parents before children.
    pub nodes: Vec<SceneNode>,
    pub meshes: Vec<SceneMesh>,
    pub materials: Vec<SceneMaterial>,
    pub pictures: Vec<SceneImage>,
    pub clips: Vec<SceneClip>,
    /// Warnings about repairs and skipped data.
    pub warnings: Vec<String>,
}

#[derive(Debug, Default)]
pub struct SceneNode {
    pub name: String,
    pub parent: Option<usize>,
    pub local: Trs,
    pub mesh: Option<usize>,
}

/// A mesh with one row of attributes per vertex.
#[derive(Debug, Default)]
pub struct SceneMesh {
    pub name: String,
    pub positions: Vec<Vec3>,
    /// As many as positions, or none.
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub colors: Vec<Vec4>,
    /// Material index, and triangles of each group.
    pub groups: Vec<(usize, Vec<u32>)>,
    pub skin: Option<SceneSkin>,
    /// Names and position offsets.
    pub morphs: Vec<(String, Vec<Vec3>)>,
    /// Morph weights at rest; missing ones are 0.
    pub morph_weights: Vec<f32>,
}

#[derive(Debug, Default)]
pub struct SceneSkin {
    /// Indices of nodes.
    pub joints: Vec<usize>,
    pub inverse_bind: Vec<Mat4>,
    /// Influences of each vertex: index into `joints`, weight.
    pub influences: Vec<Vec<(u16, f32)>>,
}

#[derive(Debug)]
pub struct SceneMaterial {
    pub name: String,
    /// Linear.
    pub color: Vec4,
    /// With a texture, its colours are used unchanged; otherwise `color` multiplies them.
    pub picture_replaces_color: bool,
    pub metallic: f32,
    pub roughness: f32,
    pub emissive: Vec3,
    /// Index into `pictures`.
    pub color_picture: Option<usize>,
    pub normal_picture: Option<usize>,
    pub emissive_picture: Option<usize>,
    pub double_sided: bool,
}

impl Default for SceneMaterial {
    fn default() -> Self {
        Self {
            name: String::new(),
            color: Vec4::ONE,
            picture_replaces_color: false,
            metallic: 0.0,
            roughness: 0.8,
            emissive: Vec3::ZERO,
            color_picture: None,
            normal_picture: None,
            emissive_picture: None,
            double_sided: false,
        }
    }
}

/// An image that materials refer to.
#[derive(Debug, Default)]
pub struct SceneImage {
    /// Path as in the file.
    pub path: String,
    /// Bytes embedded in the file, or read from a separate file. PNG, JPEG or WebP after [`Scene::read_pictures`].
    pub bytes: Vec<u8>,
    /// Some pixels are not opaque.
    pub has_alpha: bool,
}

impl Scene {
    /// Index of an image in the list; a new one is added.
    pub fn picture(&mut self, path: &str) -> usize {
        let known = self.pictures.iter().position(|p| p.path == path);
        known.unwrap_or_else(|| {
            self.pictures.push(SceneImage {
                path: path.to_owned(),
                ..SceneImage::default()
            });
            self.pictures.len() - 1
        })
    }

    /// Replaces transforms and positions beyond the limits. Needed for formats without a unit, whose size is measured: one
    /// damaged number would make everything else tiny.
    pub fn limit_numbers(&mut self) {
        for node in &mut self.nodes {
            let local = &mut node.local;
            if !is_sound_vector(local.translation) || !is_sound_vector(local.scale) {
                local.translation = Vec3::ZERO;
                local.scale = Vec3::ONE;
                self.warnings.push(format!(
                    "node {:?}: the transform has values beyond {MAX_NUMBER:e}; translation and scale are left out",
                    node.name
                ));
            }
        }
        for mesh in &mut self.meshes {
            let damaged = mesh.positions.iter_mut();
            let damaged = damaged.filter(|position| !is_sound_vector(**position));
            let n = damaged.map(|position| *position = Vec3::ZERO).count();
            if n > 0 {
                self.warnings.push(format!(
                    "mesh {:?}: {n} positions are beyond {MAX_NUMBER:e}; set to zero",
                    mesh.name
                ));
            }
            let skin = mesh.skin.iter_mut();
            let binds = skin.flat_map(|skin| &mut skin.inverse_bind);
            let damaged = binds.filter(|matrix| !is_sound_matrix(matrix));
            let n = damaged.map(|matrix| *matrix = Mat4::IDENTITY).count();
            if n > 0 {
                self.warnings.push(format!(
                    "mesh {:?}: {n} offset matrices have values beyond {MAX_NUMBER:e}; the identity is used",
                    mesh.name
                ));
            }
        }
    }

    /// Scales everything by a factor.
    pub fn scale(&mut self, by: f32) {
        for node in &mut self.nodes {
            node.local.translation *= by;
        }
        for mesh in &mut self.meshes {
            mesh.positions.iter_mut().for_each(|p| *p *= by);
            for (_, offsets) in &mut mesh.morphs {
                offsets.iter_mut().for_each(|o| *o *= by);
            }
            let skin = mesh.skin.as_mut();
            for matrix in skin.into_iter().flat_map(|skin| &mut skin.inverse_bind) {
                matrix.w_axis = (matrix.w_axis.truncate() * by).extend(matrix.w_axis.w);
            }
        }
        let tracks = self.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
        for (_, place) in tracks.flat_map(|track| &mut track.translations) {
            *place *= by;
        }
    }

    /// Mirrors everything along z.
    pub fn mirror(&mut self) {
        let across = |v: &mut Vec3| v.z = -v.z;
        let turned = |q: &mut Quat| *q = Quat::from_xyzw(-q.x, -q.y, q.z, q.w);
        for node in &mut self.nodes {
            across(&mut node.local.translation);
            turned(&mut node.local.rotation);
        }
        let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
        for mesh in &mut self.meshes {
            mesh.positions.iter_mut().for_each(across);
            mesh.normals.iter_mut().for_each(across);
            let morphs = mesh.morphs.iter_mut();
            morphs.flat_map(|(_, offsets)| offsets).for_each(across);
            for (_, indices) in &mut mesh.groups {
                indices
                    .chunks_exact_mut(3)
                    .for_each(|triangle| triangle.swap(1, 2));
            }
            let skin = mesh.skin.as_mut();
            for matrix in skin.into_iter().flat_map(|skin| &mut skin.inverse_bind) {
                *matrix = mirror * *matrix * mirror;
            }
        }
        let tracks = self.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
        for track in tracks {
            track
                .translations
                .iter_mut()
                .for_each(|key| across(&mut key.1));
            track
                .rotations
                .iter_mut()
                .for_each(|key| turned(&mut key.1));
        }
    }

    /// Normalises the weights of each vertex of a skin; vertices without weights follow the first joint.
    pub fn normalise_weights(&mut self) {
        for mesh in &mut self.meshes {
            let skin = mesh.skin.iter_mut().filter(|skin| !skin.joints.is_empty());
            let (mut lowest, mut highest, mut n_unbound, mut n_wrong) = (1.0_f32, 1.0_f32, 0, 0);
            for vertex in skin.flat_map(|skin| &mut skin.influences) {
                let n = vertex.len();
                vertex.retain(|(_, weight)| weight.is_finite() && *weight >= 0.0);
                n_wrong += n - vertex.len();
                let sum: f32 = vertex.iter().map(|(_, weight)| weight).sum();
                if sum > 0.0 && sum.is_finite() {
                    (lowest, highest) = (lowest.min(sum), highest.max(sum));
                    vertex.iter_mut().for_each(|(_, weight)| *weight /= sum);
                } else {
                    n_unbound += 1;
                    *vertex = vec![(0, 1.0)];
                }
            }
            let name = &mesh.name;
            // Rounding errors are smaller.
            if 1.0 - lowest > 1e-3 || highest - 1.0 > 1e-3 {
                self.warnings.push(format!(
                    "mesh {name:?}: weights sum to {lowest:.3} … {highest:.3}; they were normalized to 1"
                ));
            }
            if n_wrong > 0 {
                self.warnings.push(format!(
                    "mesh {name:?}: {n_wrong} weights are negative or not numbers; left out"
                ));
            }
            if n_unbound > 0 {
                self.warnings.push(format!(
                    "mesh {name:?}: {n_unbound} vertices have no weight; bound to the skin's first joint"
                ));
            }
        }
    }

    /// Names unnamed nodes, and makes all names unique.
    pub(crate) fn name_nodes(&mut self) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for i in 0..self.nodes.len() {
            let own = match self.nodes[i].name.as_str() {
                "" => format!("node_{i}"),
                name => name.to_owned(),
            };
            let n = seen.entry(own.clone()).or_default();
            *n += 1;
            self.nodes[i].name = match *n {
                1 => own,
                n => format!("{own}_{n}"),
            };
        }
    }

    /// Humanoid bones, if the nodes form a complete human body from the hips to head, hands and feet.
    pub fn human(&self) -> Option<Humanoid> {
        let bones = self.nodes.iter().map(|node| Bone {
            name: node.name.clone(),
            parent: node.parent.map(|parent| parent as u16),
            rest: node.local,
            skinned: true,
        });
        let skeleton = Skeleton::new(bones.collect()).ok()?;
        let (humanoid, _) = humanoid::find(&skeleton, None);
        let lacks = humanoid.missing().any(|role| role.is_required());
        (!lacks).then_some(humanoid)
    }

    /// Returns true if left and right of a human body are exchanged. Its toes then point backwards as seen from its left and
    /// right side.
    pub fn is_mirrored(&self, human: &Humanoid) -> bool {
        let worlds = self.worlds();
        let place = |role: Role| {
            let bone = human.bone(role)?;
            worlds
                .get(usize::from(bone))
                .map(|world| world.w_axis.truncate())
        };
        let toes = |foot: Role, toes: Role| Some(place(toes)? - place(foot)?);
        let sides = [
            toes(Role::LeftFoot, Role::LeftToes),
            toes(Role::RightFoot, Role::RightToes),
        ];
        let [Some(left), Some(right)] = [Role::LeftUpperLeg, Role::RightUpperLeg].map(place) else {
            return false;
        };
        let ahead = (left - right).cross(Vec3::Y);
        let points: Vec3 = sides.into_iter().flatten().sum();
        points.dot(ahead) < -0.5 * points.length() * ahead.length()
    }

    /// Model-space matrix of each node.
    pub(crate) fn worlds(&self) -> Vec<Mat4> {
        let mut worlds: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let own = Mat4::from(node.local.to_affine());
            let parent = node.parent.and_then(|p| worlds.get(p)).copied();
            worlds.push(parent.map_or(own, |parent| parent * own));
        }
        worlds
    }

    /// Minimum and maximum of all meshes at rest, including skinned ones.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let worlds = self.worlds();
        let mut bounds: Option<(Vec3, Vec3)> = None;
        for (node, world) in self.nodes.iter().zip(&worlds) {
            let Some(mesh) = node.mesh.and_then(|mesh| self.meshes.get(mesh)) else {
                continue;
            };
            let palette = mesh.skin.as_ref().map(|skin| {
                let pairs = skin.joints.iter().zip(&skin.inverse_bind);
                let bound = pairs.map(|(joint, bind)| worlds[*joint] * *bind);
                (skin, bound.collect::<Vec<Mat4>>())
            });
            for (i, position) in mesh.positions.iter().enumerate() {
                let place = match &palette {
                    Some((skin, palette)) if !skin.influences[i].is_empty() => {
                        let parts = skin.influences[i].iter();
                        let at = |joint: u16| palette[usize::from(joint)];
                        parts
                            .map(|(joint, w)| at(*joint).transform_point3(*position) * *w)
                            .sum()
                    }
                    _ => world.transform_point3(*position),
                };
                let (low, high) = bounds.unwrap_or((place, place));
                bounds = Some((low.min(place), high.max(place)));
            }
        }
        bounds.filter(|(low, high)| low.is_finite() && high.is_finite())
    }

    /// Reads external images, from the given path or next to the model, and converts unsupported formats to PNG. Unreadable
    /// images are reported, and their materials lose the texture.
    pub(crate) fn read_pictures(&mut self, files: super::ReadFile<'_>, budget: PictureBudget) {
        let mut missing = Vec::new();
        for (i, picture) in self.pictures.iter_mut().enumerate() {
            let found = match picture.bytes.is_empty() {
                false => Ok(std::mem::take(&mut picture.bytes)),
                true => fetch(&picture.path, files),
            };
            match found.and_then(|bytes| picture::encoded(&picture.path, &bytes, budget)) {
                Ok(read) => (picture.bytes, picture.has_alpha) = (read.bytes, read.has_alpha),
                Err(why) => {
                    missing.push(i);
                    self.warnings
                        .push(format!("picture {}: {why}", shown(&picture.path)));
                }
            }
        }
        let remove = |slot: &mut Option<usize>| {
            if slot.is_some_and(|i| missing.contains(&i)) {
                *slot = None;
            }
        };
        for material in &mut self.materials {
            remove(&mut material.color_picture);
            remove(&mut material.normal_picture);
            remove(&mut material.emissive_picture);
        }
    }
}

fn shown(path: &str) -> String {
    path.chars().take(120).collect()
}

/// Returns true if a path, with slashes, is relative.
pub fn is_relative(path: &str) -> bool {
    !path.starts_with('/') && !path.contains(':')
}

/// Reads an image file: at the given path, otherwise by its name next to the model, since paths are often those of the
/// author's machine.
fn fetch(path: &str, files: super::ReadFile<'_>) -> Result<Vec<u8>, String> {
    let path = path.replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut tries = Vec::new();
    if is_relative(&path) {
        tries.push(path.clone());
    }
    for folder in ["", "textures/", "../textures/", "Textures/"] {
        tries.push(format!("{folder}{name}"));
    }
    let mut why = String::from("the image has no name");
    for (i, file) in tries.iter().filter(|file| !file.is_empty()).enumerate() {
        match files(file) {
            Ok(bytes) => return Ok(bytes),
            Err(error) if i == 0 => why = error,
            Err(_) => {}
        }
    }
    Err(why)
}
