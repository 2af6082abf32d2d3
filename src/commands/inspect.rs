//! `galatea inspect`: what a model file holds and what is odd about it.

mod body;
mod doctor;
mod face;
mod helpers;
mod ragdoll;
mod rig;
mod sheet;
mod surface;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use glam::Vec3;
use serde::Serialize;

use super::binding::PackReport;
use galatea_anim::RootTrack;
use galatea_asset::clip_files;
use galatea_asset::model::{Model, Primitive};
use galatea_character::Definition;

/// Arguments of `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// A model: .glb, .gltf, .vrm, .x, .fbx, .obj; or motion without a mesh: .vrma, .bvh, DeepMimic's .txt
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A file of clips (.glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, DeepMimic's .txt) to try on the model; may be given several times
    #[arg(long, value_name = "FILE")]
    clips: Vec<PathBuf>,
    /// Show the ragdoll that it makes: bodies, masses, links and their ranges
    #[arg(long)]
    ragdoll: bool,
    /// Draw it: from all sides, its bones, weights and triangles, and moments of its clips
    #[arg(long, value_name = "FILE.png")]
    sheet: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    file: String,
    /// Who made it and what may be done with it.
    meta: Vec<(&'static str, String)>,
    nodes: usize,
    bones: Vec<BoneReport>,
    skins: Vec<SkinReport>,
    parts: Vec<PartReport>,
    clips: Vec<ClipReport>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    ragdoll: Option<ragdoll::RagdollReport>,
    /// Bones that spring by themselves (VRM), and shapes that they collide with.
    springs: [usize; 2],
    #[serde(flatten)]
    helpers: helpers::HelpersReport,
    /// What it offers to modifiers.
    rig: rig::RigReport,
    /// What its face can do; nothing for one without.
    face: Option<face::FaceReport>,
    /// What each file of `--clips` would do on this model.
    packs: Vec<PackReport>,
    /// How much of it can be used, and what to do about the rest; nothing for what is no character.
    doctor: Option<doctor::DoctorReport>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct BoneReport {
    name: String,
    parent: Option<String>,
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
    /// How bones are mixed, `linear` or `dual_quaternion`; of skinned parts.
    skinning: Option<&'static str>,
    primitives: usize,
    vertices: usize,
    morph_targets: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ClipReport {
    name: String,
    seconds: f32,
    bones: usize,
    morph_tracks: usize,
    /// Metres per second over the ground, as its planted feet tell.
    speed: Option<f32>,
    /// Metres that it moves the character over the ground when it is played once, and degrees that it
    /// turns it.
    travel: Option<f32>,
    turn: Option<f32>,
    marks: Vec<String>,
    /// The steps among the marks are not the file's but found from the feet.
    marks_found: bool,
    /// Bytes in memory while it is not played.
    resident_bytes: usize,
    /// Ten numbers per bone, 30 times a second, over that.
    ratio: f32,
    /// The greatest error 3 cm from a bone in model space, centimetres, and that bone.
    worst_error_cm: f32,
    worst_bone: Option<String>,
    /// Bytes of its frames while it plays.
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
    } else {
        say!("{}", text(&report).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn report(file: &str, model: &Model, definition: &Definition) -> Report {
    let [low, high] = definition.rest_box;
    let size: Vec3 = high - low;
    let packed = &definition.clips;
    let lap = |i: usize| packed.root(i).map(RootTrack::lap);
    let packing = |i: usize| packed.packing(i).cloned().unwrap_or_default();
    let bones = model.skeleton.bones();
    let name = |i: u16| bones[usize::from(i)].name.clone();
    // Without a skin any node may be meant as a bone.
    let no_skin = !bones.iter().any(|bone| bone.skinned);
    Report {
        file: file.to_owned(),
        meta: model.meta.clone(),
        nodes: bones.len(),
        bones: bones
            .iter()
            .filter(|bone| bone.skinned || no_skin)
            .map(|bone| BoneReport {
                name: bone.name.clone(),
                parent: bone.parent.map(name),
            })
            .collect(),
        skins: model
            .skins
            .iter()
            .map(|skin| SkinReport {
                name: skin.name.clone(),
                bones: skin.joints.len(),
            })
            .collect(),
        parts: model
            .parts
            .iter()
            .map(|part| {
                let mesh = &model.meshes[part.mesh];
                PartReport {
                    name: part.name.clone(),
                    bone: name(part.bone),
                    skinned: part.skin.is_some(),
                    skinning: part.skin.map(|_| part.skinning.name()),
                    primitives: mesh.primitives.len(),
                    vertices: mesh.primitives.iter().map(|p| p.positions.len()).sum(),
                    morph_targets: mesh.morph_names.clone(),
                }
            })
            .collect(),
        clips: model
            .clips
            .iter()
            .enumerate()
            .map(|(i, clip)| ClipReport {
                resident_bytes: packing(i).bytes,
                ratio: packing(i).ratio,
                worst_error_cm: packing(i).worst_error_cm,
                worst_bone: packing(i).worst_bone.map(name),
                frames_bytes: packed.frames(i, false).map_or(0, |frames| frames.bytes()),
                name: clip.name.clone(),
                seconds: clip.duration,
                bones: clip.bones.len(),
                morph_tracks: clip.morphs.len(),
                speed: packed.ground_velocity(i).map(Vec3::length),
                travel: lap(i).map(|lap| lap.translation.with_y(0.0).length()),
                turn: lap(i).map(|lap| lap.yaw.to_degrees()),
                marks: definition.marks[i].iter().map(super::clip::mark).collect(),
                marks_found: definition.marks[i].len() > clip.marks.len(),
            })
            .collect(),
        materials: surface::materials(model),
        variants: model.variants.clone(),
        images: model
            .images
            .iter()
            .map(|image| ImageReport {
                name: image.name.clone(),
                width: image.width,
                height: image.height,
            })
            .collect(),
        size: size.to_array(),
        vertices: model.n_vertices(),
        triangles: model.n_triangles(),
        influences_per_vertex: model.primitives().map(most_influences).max().unwrap_or(0),
        bones_per_triangle: model
            .primitives()
            .map(most_bones_per_triangle)
            .max()
            .unwrap_or(0),
        bytes_on_gpu: model.primitives().map(gpu_bytes).sum::<usize>()
            + model
                .images
                .iter()
                .map(|image| image.rgba.len() * 4 / 3)
                .sum::<usize>(),
        humanoid: body::humanoid(model),
        ragdoll: None,
        springs: model
            .springs
            .as_deref()
            .map_or([0, 0], |set| [set.joints.len(), set.colliders.len()]),
        helpers: helpers::helpers(model),
        rig: rig::rig(definition),
        face: face::FaceReport::of(definition),
        packs: Vec::new(),
        doctor: None,
        warnings: {
            let folds = &definition.wrinkles().problems;
            model.warnings.iter().chain(folds).cloned().collect()
        },
    }
}

/// Influences that some vertex really uses (the X file header's first number, D03).
fn most_influences(primitive: &Primitive) -> usize {
    let n = primitive.influences.per_vertex.max(1);
    let vertices = primitive.influences.weights.chunks(n);
    vertices
        .map(|weights| weights.iter().filter(|w| **w > 0.0).count())
        .max()
        .unwrap_or(0)
}

/// Distinct bones of the triangle that has most (D03, F07).
fn most_bones_per_triangle(primitive: &Primitive) -> usize {
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

/// Vertices before and after deformation, influences, morph offsets and indices.
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

fn text(report: &Report) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(report.file.clone());
    line(format!(
        "  {} triangles, {} vertices, {} nodes, {} bones in {} skins",
        report.triangles,
        report.vertices,
        report.nodes,
        report.bones.len(),
        report.skins.len()
    ));
    let [width, height, depth] = report.size;
    line(format!(
        "  {width:.2} m wide, {height:.2} m tall, {depth:.2} m deep at rest"
    ));
    line(format!(
        "  at most {} influences per vertex, {} bones per triangle; {:.1} MB on the GPU",
        report.influences_per_vertex,
        report.bones_per_triangle,
        report.bytes_on_gpu as f64 / 1e6
    ));
    for (what, text) in &report.meta {
        line(format!("  {what}: {text}"));
    }
    if report.parts.is_empty() && !report.clips.is_empty() {
        line(format!("  {}", clip_files::how_to_use(&report.file)));
    }
    line(format!("parts ({})", report.parts.len()));
    for part in &report.parts {
        let kind = match part.skinning {
            Some(skinning) => format!("skinned, {skinning}"),
            None => "rigid".into(),
        };
        let morphs = match part.morph_targets.len() {
            0 => String::new(),
            n => format!(", {n} morph targets: {}", part.morph_targets.join(" ")),
        };
        line(format!(
            "  {} ({kind}, {} vertices{morphs})",
            part.name, part.vertices
        ));
    }
    for text in surface::lines(&report.materials, &report.variants) {
        line(text);
    }
    line(format!("clips ({})", report.clips.len()));
    for clip in &report.clips {
        let found = if clip.marks_found { " (found)" } else { "" };
        let marks = if clip.marks.is_empty() {
            String::new()
        } else {
            format!(", marks{found}: {}", super::clip::few(&clip.marks))
        };
        let ways = [
            clip.speed.map(|speed| format!(", {speed:.2} m/s")),
            clip.travel.map(|metres| format!(", travels {metres:.2} m")),
            clip.turn
                .filter(|degrees| degrees.abs() >= 1.0)
                .map(|degrees| format!(", turns {degrees:.0}°")),
        ];
        let ways: String = ways.into_iter().flatten().collect();
        line(format!(
            "  {} {:.3} s{ways}, {} bones, {} bytes ({:.1}:1, worst {:.4} cm at {}; frames {:.0} KiB){marks}",
            clip.name,
            clip.seconds,
            clip.bones,
            clip.resident_bytes,
            clip.ratio,
            clip.worst_error_cm,
            clip.worst_bone.as_deref().unwrap_or("no bone"),
            clip.frames_bytes as f64 / 1024.0
        ));
    }
    line(format!("bones ({})", report.bones.len()));
    for bone in &report.bones {
        line(format!(
            "  {} < {}",
            bone.name,
            bone.parent.as_deref().unwrap_or("(none)")
        ));
    }
    for text in body::lines(&report.humanoid, &report.packs) {
        line(text);
    }
    for text in report.ragdoll.iter().flat_map(ragdoll::lines) {
        line(text);
    }
    let [bones, shapes] = report.springs;
    if bones > 0 {
        line(format!("springs: {bones} bones, {shapes} colliders"));
    }
    for text in helpers::lines(&report.helpers) {
        line(text);
    }
    for text in rig::lines(&report.rig) {
        line(text);
    }
    if let Some(face) = &report.face {
        line("face".into());
        face.lines().into_iter().for_each(&mut line);
    }
    for text in report.doctor.iter().flat_map(doctor::lines) {
        line(text);
    }
    line(format!("warnings ({})", report.warnings.len()));
    for warning in &report.warnings {
        line(format!("  {warning}"));
    }
    out
}
