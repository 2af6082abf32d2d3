//! glTF 2.0, as `.gltf` and `.glb` (and `.vrm`, which is GLB), and formats that an importer converts to it. One file gives
//! one [`Model`]. `repack` writes one file with everything in it; `shrink` writes a smaller one.
//!
//! Callers: `stage` and the commands that view files. Submodules in the order of processing: `container` opens the file.
//! `mend` (with `lenient`) makes the `gltf` crate's document from its JSON. `external` and `buffers` fetch the bytes;
//! `accessor` makes arrays of them. The model is built by `nodes`, `skin`, `material`, `picture`, `mesh` (with `primitive`,
//! `influences`, `shading`, `variants`), `lines`, `animation` (with `marks` and `pointer`), `meta`, `ragdoll`, `helpers`,
//! `solids` (with `rigid_bodies`), `vrm`, `look_at`, `first_person`, `expressions` and `springs`.
//!
//! Container and document are the `gltf` crate's (`gltf::binary`, `gltf::json`). The document is used as plain data: every
//! index and offset in it is checked here. The crate's access to buffers (`gltf::Document`, `gltf::accessor`) is not used,
//! because it panics on many files that can be shown. Own code reads GLBs with unknown chunks and the descriptions of
//! meshopt views, which the crate does not support.
//!
//! Invariants:
//! - No file makes the loader panic or run forever; its allocations are bounded by the size of the files it reads.
//! - A returned [`Model`] is valid: every index is in range, every number is finite, bones come after their parents, weights
//!   sum to 1, key times ascend.
//! - Repairable faults are repaired and listed once in `Model::warnings`. Other faults give a [`ModelLoadError`] that names
//!   the file and the cause.

mod accessor;
mod animation;
mod buffers;
mod colliders;
mod container;
mod error;
mod expressions;
mod external;
mod first_person;
mod helpers;
mod influences;
mod lenient;
mod lines;
mod look_at;
mod markers;
mod material;
mod mend;
mod mesh;
mod meshopt;
mod meta;
mod nodes;
mod picture;
mod plain_json;
mod pointer;
mod primitive;
mod ragdoll;
mod repack;
mod repair;
mod rigid_bodies;
mod shading;
mod shrink;
mod skin;
mod springs;
#[cfg(test)]
mod tests;
mod variants;
mod vrm;
mod vrm_names;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use error::{LoadFault, ModelLoadError};
pub use lines::load_lines;
pub use repack::Additions;
pub use shading::{pick, with_tangents};
pub use shrink::shrink;

use self::accessor::GltfSource;
use self::buffers::Buffers;
use self::error::Warnings;
use self::external::External;
use self::mesh::LoadedMeshes;
use self::nodes::Tree;
use self::variants::MaterialVariants;
use self::vrm::Vrm;
use super::model::{Image, Material, Model, Skin};
use crate::facing::{self, FacingReport, ModelFacing};
use crate::import::{self, CLIP_EXTENSIONS, MODEL_EXTENSIONS};
use crate::missing::unreadable;
use crate::near_origin;
use crate::picture_budget::PictureBudget;
use crate::vfs;
use galatea_anim::{Clip, Skeleton};
use galatea_math::phases::PHASE;

/// Loads a file and the files it refers to; `Model::sources` lists them all, the file first.
///
/// # Errors
/// If the file or a buffer cannot be read, or the file is damaged beyond repair.
pub fn load(path: &Path) -> Result<Model, ModelLoadError> {
    load_facing(path, ModelFacing::Auto)
}

/// Loads a file like [`load`]; `facing` is the character's direction in the file. The character is rotated to face +Z.
///
/// # Errors
/// As [`load`].
pub fn load_facing(path: &Path, facing: ModelFacing) -> Result<Model, ModelLoadError> {
    let _phase = tracing::info_span!(target: PHASE, "read its file").entered();
    let options = LoadOptions {
        facing,
        pictures: PictureBudget::of(path),
        with_pictures: true,
    };
    let (mut model, read) = with_files(path, |name, bytes, files| {
        build(name, bytes, files, options)
    })?;
    model.warnings.extend(read.warnings);
    model.sources = read.sources;
    Ok(model)
}

/// Loads the skeleton and the authored clips of a file. The returned model has no clips and no images.
///
/// # Errors
/// As [`load`].
pub fn load_motion(path: &Path) -> Result<(Model, Vec<Clip>), ModelLoadError> {
    let ((mut model, clips), read) = with_files(path, motion)?;
    model.warnings.extend(read.warnings);
    model.sources = read.sources;
    Ok((model, clips))
}

/// Loads motion from memory like [`load_motion`], see [`load_slice`].
///
/// # Errors
/// As [`load`].
pub fn load_motion_slice(
    name: &str,
    bytes: &[u8],
    external: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Model, Vec<Clip>), ModelLoadError> {
    motion(name, bytes, external).map_err(|fault| ModelLoadError {
        file: name.to_owned(),
        fault,
        sources: Vec::new(),
    })
}

/// Options of a load.
#[derive(Clone, Copy, Debug)]
struct LoadOptions {
    facing: ModelFacing,
    pictures: PictureBudget,
    /// False to skip the images.
    with_pictures: bool,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            facing: ModelFacing::Auto,
            pictures: PictureBudget::default(),
            with_pictures: true,
        }
    }
}

/// Files that a file refers to.
#[derive(Default)]
struct FilesRead {
    /// All requested files, starting with the file itself.
    sources: Vec<PathBuf>,
    /// One warning for each file that was found only with different letter case.
    warnings: Vec<String>,
}

/// Runs a function on a file and returns its result and all files that were read.
fn with_files<T>(
    path: &Path,
    build: impl FnOnce(
        &str,
        &[u8],
        &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<T, LoadFault>,
) -> Result<(T, FilesRead), ModelLoadError> {
    let file = path.display().to_string();
    let mut sources = vec![path.to_owned()];
    let mut warnings = Vec::new();
    let bytes = match super::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return Err(ModelLoadError {
                file,
                fault: LoadFault::Unreadable(unreadable(path, &error)),
                sources,
            });
        }
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let loaded = build(&file, &bytes, &mut |name| {
        let path: PathBuf = folder.join(name);
        let other = vfs::other_case(&path);
        let read = super::read(other.as_deref().unwrap_or(&path));
        // A missing file is listed too: the model changes when it appears.
        sources.push(path);
        if let Some(other) = other {
            warnings.push(format!(
                "refers to `{name}`; {} is used, which differs only in upper and lower case",
                other.display()
            ));
            sources.push(other);
        }
        read.map_err(|error| error.to_string())
    });
    match loaded {
        Ok(made) => Ok((made, FilesRead { sources, warnings })),
        Err(fault) => Err(ModelLoadError {
            file,
            fault,
            sources,
        }),
    }
}

/// Packs a file and everything it refers to into one binary glTF file, with clips and marks added; `model` is the loaded
/// file.
///
/// # Errors
/// As [`load`].
pub fn repack(
    path: &Path,
    model: &Model,
    additions: &Additions,
) -> Result<Vec<u8>, ModelLoadError> {
    let (bytes, _) = with_files(path, |name, bytes, files| {
        let (bytes, _) = native(name, bytes, files, PictureBudget::of(path))?;
        repack::repack(&bytes, files, model, additions)
    })?;
    Ok(bytes)
}

/// Converts a file of another format to binary glTF; `None` for a file that is already glTF.
///
/// # Errors
/// As [`load`].
pub fn converted(path: &Path) -> Result<Option<Vec<u8>>, ModelLoadError> {
    let (bytes, _) = with_files(path, |name, bytes, files| {
        let (bytes, _) = native(name, bytes, files, PictureBudget::of(path))?;
        Ok(match bytes {
            Cow::Owned(bytes) => Some(bytes),
            Cow::Borrowed(_) => None,
        })
    })?;
    Ok(bytes)
}

/// The file as glTF, with the converter's warnings if it was another format.
fn native<'a>(
    name: &str,
    bytes: &'a [u8],
    files: external::FetchBytes<'_>,
    pictures: PictureBudget,
) -> Result<(Cow<'a, [u8]>, Vec<String>), LoadFault> {
    let Some((format, importer)) = import::importer(name, bytes) else {
        return Ok((bytes.into(), Vec::new()));
    };
    let converted = match importer {
        Some(importer) => (importer.convert)(name, bytes, files, pictures),
        None => Err("this program reads only glTF; make a .glb with `galatea convert`".into()),
    };
    let (bytes, warnings) = converted.map_err(|cause| LoadFault::Foreign {
        format: format.name(),
        cause,
    })?;
    Ok((bytes.into(), warnings))
}

/// Error for a file that is not glTF; names the extension if it is that of an unsupported format.
fn unsupported(name: &str, fault: LoadFault) -> LoadFault {
    let extension = Path::new(name).extension().unwrap_or_default();
    let is = |known: &&str| extension.eq_ignore_ascii_case(known);
    let is_known = MODEL_EXTENSIONS.iter().chain(&CLIP_EXTENSIONS).any(is);
    match fault {
        LoadFault::NotGltf(_) if !extension.is_empty() && !is_known => {
            LoadFault::Unsupported(extension.to_string_lossy().into_owned())
        }
        fault => fault,
    }
}

/// Loads from memory. `name` is used for messages and `Model::name`. `external` is called once for every referenced file,
/// with its relative path and `/` between folders.
///
/// # Errors
/// As [`load`].
pub fn load_slice(
    name: &str,
    bytes: &[u8],
    external: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Model, ModelLoadError> {
    build(name, bytes, external, LoadOptions::default()).map_err(|fault| ModelLoadError {
        file: name.to_owned(),
        fault,
        sources: Vec::new(),
    })
}

fn build(
    name: &str,
    bytes: &[u8],
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    options: LoadOptions,
) -> Result<Model, LoadFault> {
    let (model, clips) = assemble(name, bytes, read, options)?;
    Ok(Model {
        clips: clips.into_iter().map(Arc::new).collect(),
        ..model
    })
}

fn motion(
    name: &str,
    bytes: &[u8],
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Model, Vec<Clip>), LoadFault> {
    let options = LoadOptions {
        with_pictures: false,
        ..LoadOptions::default()
    };
    assemble(name, bytes, read, options)
}

/// Reads the materials' wrinkles from the file next to the model, if it exists.
fn read_wrinkles(
    name: &str,
    source: &GltfSource,
    external: &mut External,
    materials: &mut material::Materials,
) {
    if source.document.materials.is_empty() {
        return;
    }
    let wrinkles_file = Path::new(name).with_extension(material::BESIDE);
    let wrinkles_file = wrinkles_file.file_name().map(|name| name.to_string_lossy());
    let wrinkles_file = wrinkles_file.unwrap_or_default();
    if let Ok(bytes) = external.file(&wrinkles_file) {
        materials.read_wrinkles(&wrinkles_file, &bytes, source.warnings);
    }
}

/// Materials, images and meshes of a file.
struct Visuals {
    materials: Vec<Material>,
    variants: Vec<String>,
    images: Vec<Image>,
    skins: Vec<Skin>,
    meshes: LoadedMeshes,
}

impl Visuals {
    /// Reads images only if `pictures_of` names the file.
    fn load(
        source: &GltfSource,
        tree: &Tree,
        external: &mut External,
        pictures_of: Option<(&str, PictureBudget)>,
    ) -> Result<Self, LoadFault> {
        let mut materials = material::load(source.document, source.warnings);
        let images = match pictures_of {
            Some((name, budget)) => {
                let _phase = tracing::info_span!(target: PHASE, "decode its pictures").entered();
                read_wrinkles(name, source, external, &mut materials);
                picture::load(source, external, &mut materials, budget)
            }
            None => Vec::new(),
        };
        let mut skins = skin::load(source, tree)?;
        let variants = MaterialVariants::read(source.document.extensions.as_ref(), source.warnings);
        let looks = primitive::MaterialSet {
            materials: &materials.list,
            variants: &variants,
        };
        let mut meshes = mesh::load(source, tree, &skins, looks)?;
        let (own, parts, _) = &mut meshes;
        let warn = &mut |text: String| source.warnings.add(text);
        near_origin::surfaces(&tree.skeleton, &mut skins, own, parts, warn);
        Ok(Self {
            meshes,
            materials: materials.list,
            variants: variants.names,
            images,
            skins,
        })
    }
}

/// Moves clips near the origin and rotates a character to face +Z, by its format, otherwise by the script's setting or
/// evidence on its body.
fn faced(
    vrm: &mut Vrm,
    skeleton: Skeleton,
    clips: &mut [Clip],
    facing: ModelFacing,
    warnings: &Warnings,
) -> (Skeleton, FacingReport) {
    let warn = &mut |text: String| warnings.add(text);
    for clip in &mut *clips {
        near_origin::clip(clip, &skeleton, warn);
    }
    if vrm.declared.is_none() {
        return facing::face_ahead(skeleton, clips, facing, warn);
    }
    if facing != ModelFacing::Auto {
        warnings.add(
            "the option facing is ignored: VRM files define the direction that the model faces",
        );
    }
    vrm.face_ahead(skeleton, clips)
}

/// The model without its clips, and the clips.
fn assemble(
    name: &str,
    bytes: &[u8],
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    options: LoadOptions,
) -> Result<(Model, Vec<Clip>), LoadFault> {
    let warnings = Warnings::default();
    let (bytes, conversion_warnings) = native(name, bytes, read, options.pictures)?;
    conversion_warnings
        .into_iter()
        .for_each(|text| warnings.add(text));
    let bytes = &*bytes;
    let opened = container::open(bytes, &warnings);
    let (document, bin) = opened.map_err(|fault| unsupported(name, fault))?;
    let mut external = External::new(bytes, read);
    let tree = Tree::build(&document, &warnings)?;
    let mut vrm = Vrm::read(document.extensions.as_ref(), &tree);
    let springs = springs::read(document.extensions.as_ref(), &tree, &warnings);
    let expressions = expressions::read(&document, &tree, &warnings);
    let look_at = look_at::read(&document, &expressions, &warnings);
    let seen_from = first_person::read(&document, &tree, &warnings);
    let buffers = Buffers::fetch(&document, bin.as_deref(), &mut external, &warnings)?;
    let source = GltfSource {
        document: &document,
        buffers: &buffers,
        warnings: &warnings,
    };
    let pictures_of = options.with_pictures.then_some((name, options.pictures));
    let visuals = Visuals::load(&source, &tree, &mut external, pictures_of)?;
    let (meshes, mut parts, places) = visuals.meshes;
    let solids = colliders::RigidBodyNodes::read(&document, &tree.bone_of, &mut parts, &warnings);
    let mut clips = animation::load(&source, &tree, &meshes, &parts);
    clips.iter_mut().for_each(|clip| tree.rebase(clip));
    let reparented = tree.moved.clone();
    clips.iter_mut().for_each(|clip| vrm.curves(clip));
    let ragdoll = ragdoll::load(&document, &tree, &warnings);
    let wishes = helpers::NodeHelpers::read(&document, &tree, &warnings);
    let handles = helpers::handles(&document, &tree, &warnings);
    let way = options.facing;
    let (skeleton, facing) = faced(&mut vrm, tree.skeleton, &mut clips, way, &warnings);
    let (constraints, helpers) = wishes.fit(&skeleton, &warnings);
    let loaded = colliders::Meshes {
        document: &document,
        mesh_indices: &places,
        loaded: &meshes,
    };
    let (solids, motions) = solids.build(&skeleton, loaded, &warnings);
    let stem = Path::new(name).file_stem();
    let model = Model {
        uid: external.hash(),
        name: stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        sources: Vec::new(),
        skeleton: Arc::new(skeleton),
        meta: meta::read(&document),
        reparented,
        facing,
        declared: vrm.declared,
        ragdoll,
        colliders: solids,
        motions,
        springs: springs.map(Arc::new),
        constraints,
        helpers,
        interactions: handles,
        look_at,
        seen_from,
        expressions,
        skins: visuals.skins,
        meshes,
        parts,
        materials: visuals.materials,
        variants: visuals.variants,
        images: visuals.images,
        clips: Vec::new(),
        warnings: warnings.into_list(),
    };
    Ok((model, clips))
}
