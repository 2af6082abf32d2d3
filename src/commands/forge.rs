//! `galatea forge`: builds the model of a recipe, or the mannequin, the sounds and the props of the gallery.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;

use super::many::{self, Depth, ManyArgs};
use galatea_asset::{SCRIPT_EXTENSIONS, unreadable, write_whole};
use galatea_forge::{gallery_props, glb, mannequin, sounds};
use galatea_math::names::printable;
use galatea_recipe::{RECIPE_BUDGET, bake};

/// Arguments of `forge`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    galatea forge scripts/forge/vase.lua -o assets/vase.glb\n  \
    galatea forge scripts/forge -o assets --shard 1/4\n  \
    galatea forge\n\n\
    Recipes: docs/forge.md. Equal recipes give equal bytes.")]
pub struct ForgeArgs {
    /// Recipes, or folders with recipes; without one, the built-in assets
    #[arg(value_name = "RECIPE.lua")]
    recipes: Vec<PathBuf>,
    /// Output file, by default next to the recipe; for several recipes the output folder; for the built-in assets the
    /// folder of mannequin.glb, sounds/ and gallery/, by default assets
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Fraction of the triangles to keep, 0.02 to 1; for models seen from far away. Textures stay the same
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    keep: f32,
    #[command(flatten)]
    many: ManyArgs,
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse::<f32>().ok();
    let share = share.filter(|share| (0.02..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0.02 to 1".into())
}

/// Variants of each step sound, so that walking does not sound mechanical.
const VARIANTS: u64 = 3;

/// # Errors
/// An error of the recipe with file and line, or a file that cannot be written.
pub fn run(args: &ForgeArgs) -> anyhow::Result<ExitCode> {
    match args.recipes.as_slice() {
        [] => built_in(args.output.as_deref().unwrap_or(Path::new("assets"))),
        [recipe] if !recipe.is_dir() => one(recipe, args.output.as_deref(), args.keep),
        _ => several(args),
    }
}

/// Builds several recipes. A recipe with an error does not stop the others.
fn several(args: &ForgeArgs) -> anyhow::Result<ExitCode> {
    let all = args
        .many
        .shard_items(many::files(&args.recipes, &SCRIPT_EXTENSIONS, Depth::One)?);
    let mut n_faulty = 0;
    for recipe in &all {
        let output = match &args.output {
            Some(folder) => many::beside(&args.recipes, recipe, folder, "glb"),
            None => recipe.with_extension("glb"),
        };
        // Required files are relative to the recipe.
        let folder = recipe
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let required = many::files(&[folder], &SCRIPT_EXTENSIONS, Depth::All)?;
        let sources: Vec<&Path> = required.iter().map(PathBuf::as_path).collect();
        if args.many.is_done(&output, &sources) {
            continue;
        }
        if let Err(error) = one(recipe, Some(&output), args.keep) {
            eprintln!("error: {error:#}");
            n_faulty += 1;
        }
    }
    Ok(ExitCode::from(u8::from(n_faulty > 0)))
}

/// Builds the model of a recipe. Required files are searched next to it and in the folders above, up to the current
/// one.
fn one(recipe: &Path, output: Option<&Path>, keep: f32) -> anyhow::Result<ExitCode> {
    let file = recipe.to_string_lossy().replace('\\', "/");
    let read =
        |path: &str| fs::read_to_string(path).map_err(|error| unreadable(Path::new(path), &error));
    let print = |line: &str| println!("{}", printable(line));
    let (model, extras) = bake(&file, Rc::new(read), Rc::new(print), RECIPE_BUDGET, keep)
        .map_err(|fault| anyhow::anyhow!("{fault}"))?;
    let beside = recipe.with_extension("glb");
    let output = output.unwrap_or(&beside);
    write_whole(output, &glb::write_with(&model, &extras))?;
    say!(
        "{}: {} triangles, {} bones",
        output.display(),
        model.n_triangles(),
        model.skeleton.len()
    );
    Ok(ExitCode::SUCCESS)
}

fn built_in(to: &Path) -> anyhow::Result<ExitCode> {
    let folder = to.join("sounds");
    let file = to.join("mannequin.glb");
    write_whole(&file, &glb::write(&mannequin::mannequin()))?;
    say!("{}", file.display());
    for (name, samples) in all_sounds() {
        write(&folder.join(format!("{name}.wav")), &samples)?;
    }
    let folder = to.join("gallery");
    let made = gallery_props::ALL
        .iter()
        .map(|(name, make)| (format!("{name}.glb"), glb::write(&make())))
        .chain([("studio.hdr".into(), gallery_props::studio())]);
    for (name, bytes) in made {
        let file = folder.join(name);
        write_whole(&file, &bytes)?;
        say!("{}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Synthesises a sound from a seed.
type Synthesis = fn(u64) -> Vec<f32>;

/// Every built-in sound: file stem and samples.
fn all_sounds() -> Vec<(String, Vec<f32>)> {
    let mut all = Vec::new();
    for surface in sounds::GroundMaterial::ALL {
        for variant in 1..=VARIANTS {
            let name = format!("step_{}_{variant}", surface.name());
            all.push((name, sounds::footstep(surface, variant)));
        }
        all.push((format!("land_{}", surface.name()), sounds::land(surface, 1)));
    }
    all.push(("jump".into(), sounds::jump(1)));
    all.push(("cloth".into(), sounds::cloth(1)));
    let single: [(&str, Synthesis); 7] = [
        ("breath", sounds::breath),
        ("creak", sounds::creak),
        ("knocker", sounds::knocker),
        ("bonk", sounds::bonk),
        ("wind", sounds::wind),
        ("glow", sounds::glow),
        ("thud", sounds::thud),
    ];
    all.extend(single.map(|(name, make)| (name.into(), make(1))));
    let several: [(&str, Synthesis, u64); 4] = [
        ("crack", sounds::crack, 3),
        ("crumble", sounds::crumble, 2),
        ("ball", sounds::ball, 2),
        ("bird", sounds::bird, 3),
    ];
    for (name, make, n) in several {
        all.extend((1..=n).map(|seed| (format!("{name}_{seed}"), make(seed))));
    }
    all
}

fn write(path: &Path, samples: &[f32]) -> anyhow::Result<()> {
    write_whole(path, &galatea_audio::wav_bytes(sounds::RATE, 1, samples)?)?;
    say!("{}", path.display());
    Ok(())
}
