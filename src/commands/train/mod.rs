//! `galatea train`: makes anew the network that finds sounds in recordings, from voices of speech synthesisers.

mod learn;
mod voices;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use learn::Example;

/// Arguments of `train`.
#[derive(Debug, Args)]
#[command(after_help = "Example: galatea train -o assets/speech/sounds.bin\n\n\
    It needs flite and espeak-ng, whose voices speak sentences that are made up; some 20 minutes on two cores.")]
pub struct TrainArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Sentences that each voice of flite speaks
    #[arg(long, default_value_t = 400)]
    sentences: usize,
    /// Times that all of it is learnt
    #[arg(long, default_value_t = 14)]
    rounds: usize,
    /// Folder for what the voices speak; one of its own under the temporary folder
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
}

/// # Errors
/// When a synthesiser is not installed or the file cannot be written.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    for program in ["flite", "espeak-ng"] {
        if !voices::is_installed(program) {
            bail!("{program} is not installed; on Debian and Ubuntu: apt install flite espeak-ng");
        }
    }
    let work = args.work.clone();
    let work = work.unwrap_or_else(|| std::env::temp_dir().join("galatea-voices"));
    std::fs::create_dir_all(&work).with_context(|| format!("{}", work.display()))?;
    // The voices of flite tell when they speak what; those of espeak are aligned by what was learnt from these.
    let told = voices::of_flite(&work, args.sentences);
    println!("{}", size("flite", &told));
    let first = learn::learn(told.clone(), args.rounds.div_ceil(2));
    let aligned = voices::of_espeak(&work, args.sentences / 4, &first);
    println!("{}", size("espeak-ng", &aligned));
    let network = learn::learn([told, aligned].concat(), args.rounds);
    let bytes = network.write();
    std::fs::write(&args.output, &bytes).with_context(|| format!("{}", args.output.display()))?;
    println!("{}: {} bytes", args.output.display(), bytes.len());
    Ok(ExitCode::SUCCESS)
}

fn size(what: &str, examples: &[Example]) -> String {
    let frames: usize = examples.iter().map(|example| example.frames.len()).sum();
    let minutes = frames as f32 / 6000.0;
    format!(
        "{what}: {} recordings, {minutes:.0} minutes",
        examples.len()
    )
}
