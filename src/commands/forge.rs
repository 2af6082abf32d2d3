//! `galatea forge`: writes the built-in character, its sounds and the things of the gallery.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use crate::audio;
use crate::forge::{character, glb, sounds, things};

/// Arguments of `forge`.
#[derive(Debug, Args)]
pub struct ForgeArgs {
    /// Folder for galatea.glb, sounds/ and gallery/
    #[arg(short, long, value_name = "FOLDER", default_value = "assets")]
    output: PathBuf,
}

/// Recordings of each step that differ a little, so that walking does not sound like a machine.
const VARIANTS: u64 = 3;

pub fn run(args: &ForgeArgs) -> anyhow::Result<ExitCode> {
    let folder = args.output.join("sounds");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let file = args.output.join("galatea.glb");
    fs::write(&file, glb::write(&character::galatea()))
        .with_context(|| file.display().to_string())?;
    say!("{}", file.display());
    for (name, samples) in all_sounds() {
        write(&folder.join(format!("{name}.wav")), &samples)?;
    }
    let folder = args.output.join("gallery");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let made = things::ALL
        .iter()
        .map(|(name, make)| (format!("{name}.glb"), glb::write(&make())))
        .chain([("studio.hdr".into(), things::studio())]);
    for (name, bytes) in made {
        let file = folder.join(name);
        fs::write(&file, bytes).with_context(|| file.display().to_string())?;
        say!("{}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Every built-in sound: file stem and samples.
fn all_sounds() -> Vec<(String, Vec<f32>)> {
    let mut all = Vec::new();
    for surface in sounds::Surface::ALL {
        for variant in 1..=VARIANTS {
            let name = format!("step_{}_{variant}", surface.name());
            all.push((name, sounds::footstep(surface, variant)));
        }
        all.push((format!("land_{}", surface.name()), sounds::land(surface, 1)));
    }
    all.push(("jump".into(), sounds::jump(1)));
    all.push(("cloth".into(), sounds::cloth(1)));
    all
}

fn write(path: &Path, samples: &[f32]) -> anyhow::Result<()> {
    audio::write_wav(path, sounds::RATE, 1, samples)?;
    say!("{}", path.display());
    Ok(())
}
