//! `galatea train`: trains the network that recognises sounds in recordings, with voices of speech synthesisers.

mod bend;
mod festival;
mod learn;
mod voices;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use learn::TrainingExample;

/// Arguments of `train`.
#[derive(Debug, Args)]
#[command(after_help = "Example: galatea train -o assets/speech/sounds.bin\n\n\
    Needs flite, festival and espeak-ng, which speak generated sentences. Takes about 40 minutes on two cores.\n\
    On Debian and Ubuntu: apt install flite espeak-ng festival festvox-kdlpc16k festvox-ru festvox-ca-ona-hts \
    festvox-suopuhe-lj festvox-suopuhe-mv festvox-czech-dita festvox-czech-krb festvox-czech-machac festvox-czech-ph \
    festvox-italp16k festvox-itapc16k. Voices that are not installed are skipped.")]
pub struct TrainArgs {
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Number of sentences for each voice of flite
    #[arg(long, default_value_t = 400)]
    sentences: usize,
    /// Number of epochs
    #[arg(long, default_value_t = 6)]
    rounds: usize,
    /// Folder for the generated speech [default: galatea-voices in the temporary folder]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
}

/// # Errors
/// When a synthesiser is not installed or the file cannot be written.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    for program in ["flite", "festival", "espeak-ng"] {
        if !voices::is_installed(program) {
            bail!(
                "{program} is not installed; on Debian and Ubuntu: apt install flite festival espeak-ng"
            );
        }
    }
    let work = args.work.clone();
    let work = work.unwrap_or_else(|| std::env::temp_dir().join("galatea-voices"));
    std::fs::create_dir_all(&work).with_context(|| format!("{}", work.display()))?;
    // Flite and Festival report phone times. The voices of espeak are aligned with the network trained on them.
    let mut all = voices::of_flite(&work, args.sentences);
    println!("{}", size("flite", &all));
    let more = festival::all(&work, args.sentences / 2)?;
    println!("{}", size("festival", &more));
    all.extend(more);
    let first = learn::learn(&all, args.rounds.div_ceil(4));
    let aligned = voices::of_espeak(&work, args.sentences / 4, &first);
    println!("{}", size("espeak-ng", &aligned));
    all.extend(aligned);
    let network = learn::learn(&all, args.rounds);
    let bytes = network.write();
    galatea_asset::write_whole(&args.output, &bytes)?;
    println!("{}: {} bytes", args.output.display(), bytes.len());
    Ok(ExitCode::SUCCESS)
}

fn size(what: &str, examples: &[TrainingExample]) -> String {
    let frames: usize = examples.iter().map(|example| example.frames.len()).sum();
    let minutes = frames as f32 / 6000.0;
    format!(
        "{what}: {} recordings, {minutes:.0} minutes",
        examples.len()
    )
}
