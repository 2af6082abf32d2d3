//! `galatea inspect`: reports the content of a model file and its problems.

mod body;
mod doctor;
mod face;
mod helpers;
mod ragdoll;
mod rig;
mod sheet;
mod surface;
mod verdict;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use glam::Vec3;
use serde::Serialize;

use super::binding::BindingReport;
use galatea_anim::RootTrack;
use galatea_asset::model::{Model, Primitive};
use galatea_asset::{FacingReport, clip_files};
use galatea_character::Definition;

/// Arguments of `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// A model: .glb, .gltf, .vrm, .x, .fbx, .obj; or motion without a mesh: .vrma, .bvh, DeepMimic's .txt
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Clips to try on the model: .glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, or DeepMimic's .txt; may be repeated
    #[arg(long, value_name = "FILE")]
    clips: Vec<PathBuf>,
    /// Show the automatic ragdoll: bodies, masses, joints and their limits
    #[arg(long)]
    ragdoll: bool,
    /// Draw a contact sheet: all sides, bones, weights, triangles, and frames of the clips
    #[arg(long, value_name = "FILE.png")]
    sheet: Option<PathBuf>,
    /// Print every detail: parts, materials, clips with their sizes, bones, rig and face
    #[arg(long)]
    verbose: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ModelReport {
    file: String,
    /// Author and licence.
    meta: Vec<(&'static str, String)>,
    nodes: usize,
    bones: Vec<BoneReport>,
    skins: Vec<SkinReport>,
    parts: Vec<PartReport>,
    clips: Vec<ClipSummary>,
    materials: Vec<surface::MaterialReport>,
    variants: Vec<String>,
    images: Vec<ImageReport>,
    /// Width, height and depth at rest, metres.
    size: [f32; 3],
    vertices: usize,
    triangles: usize,
    influences_per_vertex: usize,
    bones_per_triangle: usize,
    bytes_on_gpu: usize,
    humanoid: body::HumanoidReport,
    /// Forward direction in the file.
    facing: FacingReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    ragdoll: Option<ragdoll::RagdollReport>,
    /// Number of spring bones (VRM) and of their colliders.
    springs: [usize; 2],
    #[serde(flatten)]
    helpers: helpers::HelpersReport,
    /// Features for modifiers.
    rig: rig::RigReport,
    /// Features of the face, if it has one.
    face: Option<face::FaceReport>,
    /// Result of binding each file of `--clips` to this model.
    packs: Vec<BindingReport>,
    /// Score and advice for characters.
    doctor: Option<doctor::DoctorReport>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct BoneReport {
    name: String,
    parent: Option<String>,
    /// Parent in the file, if loading changed it.
    file_parent: Option<String>,
}

#[derive(Debug, Serialize)]
struct SkinReport {
    name: String,
    bones: usize,
}

#[derive(Debug, Serialize)]
struct PartReport {
    name: String,
    bone: String,
    skinned: bool,
    /// Skinning of the skinned parts, `linear` or `dual_quaternion`.
    skinning: Option<&'static str>,
    primitives: usize,
    vertices: usize,
    morph_targets: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ClipSummary {
    name: String,
    seconds: f32,
    bones: usize,
    morph_tracks: usize,
    /// Ground speed in metres per second, measured from planted feet.
    speed: Option<f32>,
    /// Root motion of one play: metres over the ground, and degrees of rotation.
    root_translation: Option<f32>,
    turn: Option<f32>,
    /// Largest distance of the root from its start, metres.
    root_motion: Option<f32>,
    /// The clip ends near its start, so it moves the character only in states with root motion.
    in_place: bool,
    markers: Vec<String>,
    /// The step markers were detected from the feet and are not in the file.
    are_markers_found: bool,
    /// Bytes in memory while it does not play.
    resident_bytes: usize,
    /// Size of ten numbers per bone at 30 Hz, relative to that.
    ratio: f32,
    /// Largest error 3 cm from a bone in model space, centimetres, and that bone.
    worst_error_cm: f32,
    worst_bone: Option<String>,
    /// Bytes of decoded frames while it plays.
    frames_bytes: usize,
}

#[derive(Debug, Serialize)]
struct ImageReport {
    name: String,
    width: u32,
    height: u32,
}

pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let model = Arc::new(galatea_asset::clips::load_model(&args.file)?);
    let definition = Definition::new(model.clone());
    let mut report = report(&args.file.display().to_string(), &model, &definition);
    if args.ragdoll {
        report.ragdoll = Some(ragdoll::ragdoll(&definition));
    }
    for file in &args.clips {
        report.packs.push(body::pack(file, &model)?);
    }
    report.doctor = doctor::examine(&report);
    if let Some(sheet) = &args.sheet {
        let clips: Vec<String> = report.clips.iter().map(|clip| clip.name.clone()).collect();
        sheet::write(&args.file, &clips, sheet)?;
        eprintln!("{}", sheet.display());
    }
    if args.json {
        say!("{}", serde_json::to_string_pretty(&report)?);
    } else if args.verbose || args.ragdoll || !args.clips.is_empty() {
        say!("{}", text(&report).trim_end());
    } else {
        say!("{}", verdict::lines(&report).join("\n"));
    }
    let is_measurable = report.size.iter().all(|side| side.is_finite());
    if !is_measurable {
        eprintln!(
            "{}: the size of the model is NaN or infinite",
            args.file.display()
        );
    }
    Ok(match is_measurable {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn report(file: &str, model: &Model, definition: &Definition) -> ModelReport {
    let [low, high] = definition.rest_box;
    let size: Vec3 = high - low;
    let primitives = || model.primitives();
    let most_bones = primitives().map(max_bones_per_triangle).max();
    let springs = model.springs.as_deref();
    let folds = &definition.wrinkles().problems;
    ModelReport {
        file: file.to_owned(),
        meta: model.meta.clone(),
        nodes: model.skeleton.bones().len(),
        bones: bone_reports(model),
        skins: skin_reports(model),
        parts: part_reports(model),
        clips: (0..model.clips.len())
            .map(|i| clip_report(model, definition, i))
            .collect(),
        materials: surface::materials(model),
        variants: model.variants.clone(),
        images: image_reports(model),
        size: size.to_array(),
        vertices: model.n_vertices(),
        triangles: model.n_triangles(),
        influences_per_vertex: primitives().map(max_influences).max().unwrap_or(0),
        bones_per_triangle: most_bones.unwrap_or(0),
        bytes_on_gpu: primitives().map(gpu_bytes).sum::<usize>() + image_bytes(model),
        facing: model.facing.clone(),
        humanoid: body::humanoid(model),
        ragdoll: None,
        springs: springs.map_or([0, 0], |set| [set.joints.len(), set.colliders.len()]),
        helpers: helpers::helpers(model),
        rig: rig::rig(definition),
        face: face::FaceReport::of(definition),
        packs: Vec::new(),
        doctor: None,
        warnings: model.warnings.iter().chain(folds).cloned().collect(),
    }
}

fn bone_name(model: &Model, bone: u16) -> String {
    model.skeleton.bones()[usize::from(bone)].name.clone()
}

/// The parent of a bone in the file, if loading changed it.
fn file_parent(model: &Model, bone: u16) -> Option<String> {
    let moved = model.reparented.iter().find(|moved| moved.bone == bone)?;
    let parent = moved.old_parent.map(|parent| bone_name(model, parent));
    Some(parent.unwrap_or_else(|| "(none)".into()))
}

fn bone_reports(model: &Model) -> Vec<BoneReport> {
    let reports = model.bones().map(|(i, bone)| BoneReport {
        name: bone.name.clone(),
        parent: bone.parent.map(|parent| bone_name(model, parent)),
        file_parent: file_parent(model, i),
    });
    reports.collect()
}

fn skin_reports(model: &Model) -> Vec<SkinReport> {
    let reports = model.skins.iter().map(|skin| SkinReport {
        name: skin.name.clone(),
        bones: skin.joints.len(),
    });
    reports.collect()
}

fn part_reports(model: &Model) -> Vec<PartReport> {
    let reports = model.parts.iter().map(|part| {
        let mesh = &model.meshes[part.mesh];
        PartReport {
            name: part.name.clone(),
            bone: bone_name(model, part.bone),
            skinned: part.skin.is_some(),
            skinning: part.skin.map(|_| part.skinning.name()),
            primitives: mesh.primitives.len(),
            vertices: mesh.primitives.iter().map(|p| p.positions.len()).sum(),
            morph_targets: mesh.morph_names.clone(),
        }
    });
    reports.collect()
}

/// Report of the clip with index `i`.
fn clip_report(model: &Model, definition: &Definition, i: usize) -> ClipSummary {
    let (clip, packed) = (&model.clips[i], &definition.clips);
    let marks = &definition.markers[i];
    let packing = packed.packing(i).cloned().unwrap_or_default();
    let root = packed.root(i);
    let lap = root.map(RootTrack::lap);
    ClipSummary {
        resident_bytes: packing.bytes,
        ratio: packing.ratio,
        worst_error_cm: packing.worst_error_cm,
        worst_bone: packing.worst_bone.map(|bone| bone_name(model, bone)),
        frames_bytes: packed.frames(i, false).map_or(0, |frames| frames.bytes()),
        name: clip.name.clone(),
        seconds: clip.duration,
        bones: clip.bones.len(),
        morph_tracks: clip.morphs.len(),
        speed: packed.ground_velocity(i).map(Vec3::length),
        root_translation: lap.map(|lap| lap.translation.with_y(0.0).length()),
        turn: lap.map(|lap| lap.yaw.to_degrees()),
        root_motion: root.map(RootTrack::reach),
        in_place: packed.travel(i).is_none(),
        markers: marks.iter().map(super::clip::marker).collect(),
        are_markers_found: marks.len() > clip.markers.len(),
    }
}

fn image_reports(model: &Model) -> Vec<ImageReport> {
    let reports = model.images.iter().map(|image| ImageReport {
        name: image.name.clone(),
        width: image.width,
        height: image.height,
    });
    reports.collect()
}

/// Bytes of images with mip levels.
fn image_bytes(model: &Model) -> usize {
    let bytes = model.images.iter().map(|image| image.rgba.len() * 4 / 3);
    bytes.sum()
}

/// Largest number of influences that a vertex uses, as in the header of an X file.
fn max_influences(primitive: &Primitive) -> usize {
    let n = primitive.influences.per_vertex.max(1);
    let vertices = primitive.influences.weights.chunks(n);
    vertices
        .map(|weights| weights.iter().filter(|w| **w > 0.0).count())
        .max()
        .unwrap_or(0)
}

/// Largest number of distinct bones of a triangle.
fn max_bones_per_triangle(primitive: &Primitive) -> usize {
    let influences = &primitive.influences;
    let n = influences.per_vertex;
    primitive
        .indices
        .chunks_exact(3)
        .map(|triangle| {
            let mut bones = BTreeSet::new();
            for &vertex in triangle {
                let range = vertex as usize * n..(vertex as usize + 1) * n;
                let pairs = influences.joints[range.clone()]
                    .iter()
                    .zip(&influences.weights[range]);
                bones.extend(pairs.filter(|(_, w)| **w > 0.0).map(|(joint, _)| *joint));
            }
            bones.len()
        })
        .max()
        .unwrap_or(0)
}

/// GPU bytes: vertices before and after deformation, influences, morph offsets and indices.
fn gpu_bytes(primitive: &Primitive) -> usize {
    let n = primitive.positions.len();
    let offsets: usize = primitive
        .targets
        .iter()
        .map(|target| (target.positions.len() + target.normals.len() + target.tangents.len()) * 12)
        .sum();
    n * (48 * 2 + primitive.influences.per_vertex.min(8) * 6)
        + offsets
        + primitive.indices.len() * 4
}

fn text(report: &ModelReport) -> String {
    let mut lines = summary_lines(report);
    lines.extend(part_lines(&report.parts));
    lines.extend(surface::lines(&report.materials, &report.variants));
    lines.push(format!("clips ({})", report.clips.len()));
    lines.extend(report.clips.iter().map(clip_line));
    lines.push(format!("bones ({})", report.bones.len()));
    lines.extend(report.bones.iter().map(|bone| {
        let parent = bone.parent.as_deref().unwrap_or("(none)");
        let moved = bone.file_parent.as_ref();
        let moved = moved.map_or(String::new(), |old| {
            format!(" (in the file: {old}; changed to connect the skeleton)")
        });
        format!("  {} < {parent}{moved}", bone.name)
    }));
    lines.extend(body::lines(&report.humanoid, &report.packs));
    lines.extend(report.ragdoll.iter().flat_map(ragdoll::lines));
    let [bones, shapes] = report.springs;
    if bones > 0 {
        lines.push(format!("springs: {bones} bones, {shapes} colliders"));
    }
    lines.extend(helpers::lines(&report.helpers));
    lines.extend(rig::lines(&report.rig));
    if let Some(face) = &report.face {
        lines.push("face".into());
        lines.extend(face.lines());
    }
    lines.extend(report.doctor.iter().flat_map(doctor::lines));
    lines.push(format!("warnings ({})", report.warnings.len()));
    let warnings = report.warnings.iter();
    lines.extend(warnings.map(|warning| format!("  {warning}")));
    lines.join("\n")
}

/// File name, sizes and metadata.
fn summary_lines(report: &ModelReport) -> Vec<String> {
    let [width, height, depth] = report.size;
    let mut lines = vec![
        report.file.clone(),
        format!(
            "  {} triangles, {} vertices, {} nodes, {} bones in {} skins",
            report.triangles,
            report.vertices,
            report.nodes,
            report.bones.len(),
            report.skins.len()
        ),
        format!("  {width:.2} m wide, {height:.2} m tall, {depth:.2} m deep at rest"),
        format!(
            "  at most {} influences per vertex, {} bones per triangle; {:.1} MB on the GPU",
            report.influences_per_vertex,
            report.bones_per_triangle,
            report.bytes_on_gpu as f64 / 1e6
        ),
    ];
    let meta = report.meta.iter();
    lines.extend(meta.map(|(what, text)| format!("  {what}: {text}")));
    if report.parts.is_empty() && !report.clips.is_empty() {
        lines.push(format!("  {}", clip_files::how_to_use(&report.file)));
    }
    lines
}

fn part_lines(parts: &[PartReport]) -> Vec<String> {
    let mut lines = vec![format!("parts ({})", parts.len())];
    for part in parts {
        let kind = match part.skinning {
            Some(skinning) => format!("skinned, {skinning}"),
            None => "rigid".into(),
        };
        let morphs = match part.morph_targets.len() {
            0 => String::new(),
            n => format!(", {n} morph targets: {}", part.morph_targets.join(" ")),
        };
        lines.push(format!(
            "  {} ({kind}, {} vertices{morphs})",
            part.name, part.vertices
        ));
    }
    lines
}

fn clip_line(clip: &ClipSummary) -> String {
    let found = if clip.are_markers_found {
        " (found)"
    } else {
        ""
    };
    let markers = if clip.markers.is_empty() {
        String::new()
    } else {
        format!(", markers{found}: {}", super::clip::few(&clip.markers))
    };
    let motion = [
        clip.speed.map(|speed| format!(", {speed:.2} m/s")),
        clip.root_translation
            .filter(|_| !clip.in_place)
            .map(|metres| format!(", travels {metres:.2} m")),
        clip.turn
            .filter(|degrees| degrees.abs() >= 1.0)
            .map(|degrees| format!(", turns {degrees:.0}°")),
        clip.root_motion
            .filter(|_| clip.in_place)
            .map(|metres| format!(", in place (root moves up to {metres:.3} m)")),
    ];
    let motion: String = motion.into_iter().flatten().collect();
    format!(
        "  {} {:.3} s{motion}, {} bones, {} bytes ({:.1}:1, worst {:.4} cm at {}; frames {:.0} KiB){markers}",
        clip.name,
        clip.seconds,
        clip.bones,
        clip.resident_bytes,
        clip.ratio,
        clip.worst_error_cm,
        clip.worst_bone.as_deref().unwrap_or("no bone"),
        clip.frames_bytes as f64 / 1024.0
    )
}
