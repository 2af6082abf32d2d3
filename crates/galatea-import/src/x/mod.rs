//! DirectX `.x` files (DirectX SDK, "X File Format Reference"): frames, skinned meshes, animation sets.
//!
//! `tokens` reads text, binary and compressed files into one stream; `objects` builds a tree without interpreting templates;
//! `mesh` and `motion` read that tree. The format is left-handed with row vectors, and models face +Z. Conversion mirrors x
//! and reverses the winding of triangles. Rotation keys hold the inverse of the rotation in frames.

mod mesh;
mod motion;
mod objects;
mod tokens;

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use self::objects::XObject;
use super::scene::{Scene, SceneMaterial, SceneNode};
use galatea_math::Trs;

/// Limit of the depth of frames.
const MAX_DEPTH: usize = 256;
/// Limit of frames per file.
const MAX_FRAMES: usize = 65_000;
/// Plausible heights in metres; other heights mean another unit.
const PLAUSIBLE_HEIGHTS: std::ops::RangeInclusive<f32> = 0.02..=20.0;
/// Plausible heights of human bodies in metres, and the height that others are scaled to.
const PLAUSIBLE_HUMAN_HEIGHTS: std::ops::RangeInclusive<f32> = 0.8..=2.6;
const HUMAN_HEIGHT: f32 = 1.7;

/// State while reading a file.
struct XReader {
    scene: Scene,
    /// Frames by name.
    frames: HashMap<String, usize>,
    /// Materials outside meshes, by name.
    shared: HashMap<String, usize>,
    /// Node of each mesh, and its weights.
    bound: Vec<(usize, mesh::MeshWeights)>,
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Scene, String> {
    let stream = tokens::XTokens::open(bytes)?;
    let tree = objects::read(stream)?;
    let mut reader = XReader {
        scene: Scene::default(),
        frames: HashMap::new(),
        shared: HashMap::new(),
        bound: Vec::new(),
    };
    for object in tree.iter().filter(|object| object.is("Material")) {
        let material = reader.material(object)?;
        reader.scene.materials.push(material);
        let place = reader.scene.materials.len() - 1;
        reader.shared.insert(object.name.clone(), place);
    }
    for object in &tree {
        if object.is("Frame") {
            reader.frame(object, None, 0)?;
        } else if object.is("Mesh") {
            let name = match object.name.as_str() {
                "" => "mesh",
                name => name,
            };
            let node = reader.node(name, None, Mat4::IDENTITY)?;
            reader.mesh(object, node)?;
        }
    }
    motion::read(&mut reader, &tree)?;
    reader.bind()?;
    let mut scene = reader.scene;
    if scene.nodes.is_empty() && scene.clips.is_empty() {
        return Err("the file has no frame, mesh or animation".into());
    }
    scene.name_nodes();
    scene.limit_numbers();
    let human = scene.human();
    if human.as_ref().is_some_and(|human| scene.is_mirrored(human)) {
        scene.mirror();
        let text = "left and right are swapped, because the toes point backwards; the file is read as right-handed";
        scene.warnings.push(text.into());
    }
    to_metres(&mut scene, human.is_some());
    Ok(scene)
}

/// Scales to metres, since the format has no unit. A human body of implausible size is scaled to human height; other models
/// by a power of ten.
fn to_metres(scene: &mut Scene, is_human: bool) {
    let Some((low, high)) = scene.bounds() else {
        return;
    };
    let size = (high - low).max_element();
    let by = match is_human {
        true if !PLAUSIBLE_HUMAN_HEIGHTS.contains(&size) => HUMAN_HEIGHT / size,
        false if !PLAUSIBLE_HEIGHTS.contains(&size) => 10_f32.powf(-(size / 0.5).log10().floor()),
        _ => return,
    };
    if size <= 0.0 || !by.is_finite() {
        return;
    }
    scene.scale(by);
    scene.warnings.push(format!(
        "the model is {size:.3} units in size and the format has no unit; one unit is assumed to be {by:.5} m"
    ));
}

/// Reads a matrix of a file. The file lists rows for row vectors, which equals our column layout; x is mirrored.
fn matrix(values: &[f64]) -> Result<Mat4, String> {
    let floats: Vec<f32> = values.iter().map(|v| *v as f32).collect();
    let array: [f32; 16] = floats
        .try_into()
        .map_err(|_| "a matrix needs 16 numbers".to_owned())?;
    let matrix = Mat4::from_cols_array(&array);
    if !matrix.is_finite() {
        return Err("a matrix contains NaN or infinity".into());
    }
    let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    Ok(mirror * matrix * mirror)
}

/// Translation, rotation and scale of a matrix; shear is lost.
fn parts(matrix: Mat4) -> Trs {
    Trs::from_matrix(matrix).0
}

impl XReader {
    fn node(&mut self, name: &str, parent: Option<usize>, local: Mat4) -> Result<usize, String> {
        if self.scene.nodes.len() >= MAX_FRAMES {
            return Err(format!(
                "the file has more frames than the limit of {MAX_FRAMES}"
            ));
        }
        self.scene.nodes.push(SceneNode {
            name: name.to_owned(),
            parent,
            local: parts(local),
            mesh: None,
        });
        Ok(self.scene.nodes.len() - 1)
    }

    fn frame(
        &mut self,
        object: &XObject,
        parent: Option<usize>,
        depth: usize,
    ) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(object.fault(&format!(
                "frames are nested deeper than the limit of {MAX_DEPTH} levels"
            )));
        }
        let place = object.child("FrameTransformMatrix");
        let local = place.map_or(Ok(Mat4::IDENTITY), |place| {
            matrix(&place.numbers).map_err(|why| place.fault(&why))
        })?;
        let node = self.node(&object.name, parent, local)?;
        if !object.name.is_empty() {
            self.frames.entry(object.name.clone()).or_insert(node);
        }
        let mut n_meshes = 0;
        for child in &object.children {
            if child.is("Frame") {
                self.frame(child, Some(node), depth + 1)?;
            } else if child.is("Mesh") {
                // A node has one mesh; further meshes get nodes of their own.
                let holder = match n_meshes {
                    0 => node,
                    n => self.node(
                        &format!("{}_mesh_{n}", object.name),
                        Some(node),
                        Mat4::IDENTITY,
                    )?,
                };
                n_meshes += 1;
                self.mesh(child, holder)?;
            }
        }
        Ok(())
    }

    fn mesh(&mut self, object: &XObject, node: usize) -> Result<(), String> {
        let (mesh, weights) = mesh::read(self, object)?;
        self.scene.meshes.push(mesh);
        self.scene.nodes[node].mesh = Some(self.scene.meshes.len() - 1);
        self.bound.push((node, weights));
        Ok(())
    }

    /// Finds the frames that skin weights refer to, after all frames are read.
    fn bind(&mut self) -> Result<(), String> {
        for (node, weights) in std::mem::take(&mut self.bound) {
            if weights.is_empty() {
                continue;
            }
            let Some(mesh) = self.scene.nodes[node].mesh else {
                continue;
            };
            let skin = mesh::skin(&weights, &self.frames, &mut self.scene.warnings)?;
            let n = self.scene.meshes[mesh].positions.len();
            if let Some(skin) = skin.filter(|skin| skin.influences.len() == n) {
                self.scene.meshes[mesh].skin = Some(skin);
            }
        }
        Ok(())
    }

    /// Reads a material; colours in the format are sRGB.
    fn material(&mut self, object: &XObject) -> Result<SceneMaterial, String> {
        let n = &object.numbers;
        if n.len() < 4 {
            return Err(object.fault("a material needs a color of four numbers"));
        }
        let number = |i: usize| n.get(i).map_or(0.0, |v| (*v as f32).clamp(0.0, 1.0));
        let color = |i: usize| Vec3::new(number(i), number(i + 1), number(i + 2)).powf(2.2);
        // Converts Phong's exponent to the roughness with a highlight of equal width.
        let power = n.get(4).map_or(0.0, |v| *v as f32).max(0.0);
        let shine = Vec3::new(number(5), number(6), number(7)).max_element();
        let rough = match shine > 0.0 {
            true => (2.0 / (power + 2.0)).powf(0.25),
            false => 0.9,
        };
        let picture = object.child("TextureFilename");
        let picture = picture
            .or_else(|| object.child("TextureFileName"))
            .and_then(|child| child.texts.first())
            .filter(|path| !path.is_empty())
            .map(|path| self.scene.picture(path));
        Ok(SceneMaterial {
            name: object.name.clone(),
            color: color(0).extend(number(3)),
            roughness: rough.clamp(0.2, 1.0),
            emissive: color(8),
            color_picture: picture,
            ..SceneMaterial::default()
        })
    }
}
