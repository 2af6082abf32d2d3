//! `galatea gallery`: draws the pictures of `scripts/gallery` and the page that shows them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use super::progress::Progress;
use super::record::writer::write_packed;
use super::{quality, scale};
use galatea_app::gallery;
use galatea_app::png::Compression;
use galatea_app::studio::StudioOptions;
use galatea_asset::write_whole;
use galatea_stage::frame::Quality;

/// Arguments of `gallery`.
#[derive(Debug, Args)]
pub struct GalleryArgs {
    /// Folder of the project
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Folder for the pictures and the page README.md [default: docs/gallery of the project]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Draw only this picture; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Render quality: low, medium or high
    #[arg(long, value_name = "NAME", value_parser = quality, default_value = "high")]
    quality: Quality,
    /// Render scale along each axis, 0.25 to 2
    #[arg(long, value_name = "FACTOR", value_parser = scale, default_value = "2")]
    scale: f32,
}

pub fn run(args: &GalleryArgs) -> anyhow::Result<ExitCode> {
    let all = gallery::read(&args.dir)?;
    let chosen = all.chosen(&args.only)?;
    let own = Path::new("docs").join("gallery");
    let folder = match &args.output {
        Some(folder) => folder.clone(),
        None => args.dir.join(&own),
    };
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let wishes = StudioOptions {
        quality: Some(args.quality),
        scale: args.scale,
        ..StudioOptions::default()
    };
    let progress = Progress::new("drawing", chosen.len() as u64);
    let mut camera = None;
    for (i, entry) in chosen.iter().enumerate() {
        let picture = entry
            .draw(&args.dir, None, wishes, &mut camera)
            .with_context(|| entry.scene.clone())?;
        let file = folder.join(format!("{}.png", entry.name));
        // Published files are worth the slow compression.
        write_packed(&file, &picture, Compression::High)?;
        progress.at(i as u64 + 1);
        say!("{}", file.display());
    }
    progress.done();
    // For an output folder outside of the project, the page gives scene paths relative to the project.
    let inside = match [&folder, &args.dir].map(fs::canonicalize) {
        [Ok(folder), Ok(root)] => folder.strip_prefix(root).map(|way| way.iter().count()).ok(),
        _ => None,
    };
    let to_root = "../".repeat(inside.unwrap_or(0));
    let page = folder.join("README.md");
    write_whole(&page, all.page(&to_root).as_bytes())?;
    say!("{}", page.display());
    Ok(ExitCode::SUCCESS)
}
