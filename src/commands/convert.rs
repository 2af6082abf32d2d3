//! `galatea convert`: writes a model of any supported format as one binary glTF file, with clips and markers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use serde::Serialize;

use super::many::{Depth, ManyArgs, beside, files};
use super::progress::Progress;
use galatea_anim::Marker;
use galatea_asset::clip_files::{self, Joining};
use galatea_asset::gltf::Additions;
use galatea_asset::{ClipFile, MODEL_EXTENSIONS, Model, write_whole};

/// Arguments of `convert`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  galatea convert tiny.x -o tiny.glb\n  galatea convert hero.gltf --clips walk.bvh --clips emotes.glb --markers -o hero.glb\n  galatea convert models --shard 1/4 -o converted\n\nAll content of a glTF file is kept, even extensions that Galatea does not know."
)]
pub struct ConvertArgs {
    /// Models (.glb, .gltf, .vrm, .x, .fbx, .obj), or folders with models
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Output file; for several models the output folder
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// A file with clips to retarget to the model and add; may be repeated
    #[arg(long, value_name = "FILE")]
    clips: Vec<PathBuf>,
    /// Add a marker for each footstep to clips without markers
    #[arg(long)]
    markers: bool,
    #[command(flatten)]
    many: ManyArgs,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Result for one model.
#[derive(Debug, Serialize)]
struct ConvertedModel {
    from: String,
    file: String,
    bytes: usize,
    bones: usize,
    clips: Vec<String>,
    morphs: usize,
    marked: Vec<String>,
    /// Warnings about corrected or skipped data.
    warnings: Vec<String>,
}

pub fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let is_many = args.inputs.len() > 1 || args.inputs[0].is_dir() || args.output.is_dir();
    let mut all = files(&args.inputs, &MODEL_EXTENSIONS, Depth::All)?;
    if is_many {
        // Skips earlier results if the output folder is the input folder.
        all.retain(|file| {
            file.extension()
                .is_none_or(|e| !e.eq_ignore_ascii_case("glb"))
                || !file.starts_with(&args.output)
        });
        distinct(args, &all)?;
    } else {
        let extension = args.output.extension().unwrap_or_default();
        ensure!(
            extension.eq_ignore_ascii_case("glb") || extension.eq_ignore_ascii_case("vrm"),
            "{}: expected an output file that ends in .glb or .vrm",
            args.output.display()
        );
    }
    let all = args.many.shard_items(all);
    let progress = Progress::new("converting", all.len() as u64);
    let (mut told, mut n_done, mut n_faulty) = (Vec::new(), 0, 0);
    for (i, file) in all.iter().enumerate() {
        progress.at(i as u64);
        let output = match is_many {
            true => beside(&args.inputs, file, &args.output, "glb"),
            false => args.output.clone(),
        };
        let sources: Vec<&Path> = args
            .clips
            .iter()
            .chain([file])
            .map(PathBuf::as_path)
            .collect();
        if is_many && args.many.is_done(&output, &sources) {
            n_done += 1;
            continue;
        }
        match one(args, file, &output) {
            Ok(made) => told.push(made),
            // With several models, one that cannot be read does not stop the others.
            Err(error) if is_many => {
                eprintln!("error: {error:#}");
                n_faulty += 1;
            }
            Err(error) => return Err(error),
        }
    }
    progress.done();
    report(args, &told)?;
    if n_done > 0 {
        eprintln!("{n_done} files were up to date; --force rebuilds them");
    }
    Ok(ExitCode::from(u8::from(n_faulty > 0)))
}

/// Refuses two models with the same output file before anything is written.
fn distinct(args: &ConvertArgs, all: &[PathBuf]) -> anyhow::Result<()> {
    let mut outputs: Vec<(PathBuf, &PathBuf)> = all
        .iter()
        .map(|file| (beside(&args.inputs, file, &args.output, "glb"), file))
        .collect();
    outputs.sort();
    let twice = outputs.windows(2).find(|pair| pair[0].0 == pair[1].0);
    if let Some([(output, a), (_, b)]) = twice {
        let (a, b) = (a.display(), b.display());
        bail!("{a} and {b} would both be written to {}", output.display());
    }
    Ok(())
}

fn one(args: &ConvertArgs, file: &Path, output: &Path) -> anyhow::Result<ConvertedModel> {
    let mut model = galatea_asset::gltf::load(file)?;
    let n_own = model.clips.len();
    let name = file.display().to_string();
    let mut joining = Joining::new(&mut model, &name);
    for path in &args.clips {
        let clips = ClipFile {
            path: path.display().to_string(),
            ..ClipFile::default()
        };
        let source = clip_files::load(&clips, path)?;
        joining.join(&clips, &source).map_err(anyhow::Error::msg)?;
    }
    let mut additions = Additions {
        clips: model.clips.iter().skip(n_own).map(Arc::clone).collect(),
        markers: Vec::new(),
    };
    if args.markers {
        additions.markers = steps(&model);
    }
    let bytes = galatea_asset::gltf::repack(file, &model, &additions)?;
    write_whole(output, &bytes)?;
    Ok(ConvertedModel {
        from: file.display().to_string(),
        file: output.display().to_string(),
        bytes: bytes.len(),
        bones: model.bones().count(),
        clips: model.clips.iter().map(|clip| clip.name.clone()).collect(),
        morphs: model
            .meshes
            .iter()
            .map(|mesh| mesh.morph_names.len())
            .max()
            .unwrap_or(0),
        marked: additions
            .markers
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
        warnings: model.warnings.clone(),
    })
}

/// Step markers for clips that have feet on the ground and no markers.
fn steps(model: &Model) -> Vec<(String, Vec<Marker>)> {
    let (humanoid, _) = model.humanoid();
    let without = model.clips.iter().filter(|clip| clip.markers.is_empty());
    let found = without.map(|clip| {
        let marks = galatea_asset::clips::steps(&model.skeleton, &humanoid, clip);
        (clip.name.clone(), marks)
    });
    found.filter(|(_, marks)| !marks.is_empty()).collect()
}

fn report(args: &ConvertArgs, told: &[ConvertedModel]) -> anyhow::Result<()> {
    if args.json {
        say!("{}", serde_json::to_string_pretty(told).context("as JSON")?);
        return Ok(());
    }
    for made in told {
        say!(
            "{}: {} bones, {} clips, {} morph targets, {:.1} MB",
            made.file,
            made.bones,
            made.clips.len(),
            made.morphs,
            made.bytes as f64 / 1e6
        );
        for warning in &made.warnings {
            eprintln!("{}: {warning}", made.from);
        }
    }
    Ok(())
}
