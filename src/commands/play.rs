//! `galatea play`: a window, or the reel where there is no display.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use super::{ShowArg, record};
use crate::app::recording::{Recorder, Recording};
use crate::app::window;
use crate::app::{Player, Session, SessionOptions, Sound};

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    show: ShowArg,
    /// Play without sound
    #[arg(long)]
    silent: bool,
    /// Play a recording of inputs, and then hand over the keys
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write all input to a file while playing, for `--input`, `record --input` and tests
    #[arg(long, value_name = "FILE", conflicts_with = "reel")]
    record_input: Option<PathBuf>,
    /// Render the reel to files even if there is a display
    #[arg(long)]
    reel: bool,
    /// Where the reel goes
    #[arg(long, value_name = "FOLDER", default_value = "out/reel")]
    reel_to: PathBuf,
}

impl PlayArgs {
    /// The project in this folder.
    pub fn here() -> Self {
        Self {
            show: ShowArg {
                path: ".".into(),
                clip: None,
            },
            silent: false,
            input: None,
            record_input: None,
            reel: false,
            reel_to: "out/reel".into(),
        }
    }
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let project = args.show.open()?;
    let recording = match &args.input {
        Some(file) => Some(record::read_inputs(file)?),
        None => None,
    };
    if !args.reel && !window::has_display() {
        if args.record_input.is_some() {
            anyhow::bail!("there is no display here, and so no input to record");
        }
        eprintln!("There is no display here: rendering the reel to files instead.");
    }
    if args.reel || !window::has_display() {
        return record::reel(project, recording, &args.reel_to);
    }
    let player = match &recording {
        Some(recording) => Player::of(recording),
        None => Player::here(&project),
    };
    if let Some(recording) = &recording {
        record::tell_differences(&project, recording)?;
    }
    let recorder = match &args.record_input {
        Some(file) => {
            let recorder = Recorder::create(file, player.header(&project));
            Some(recorder.with_context(|| file.display().to_string())?)
        }
        None => None,
    };
    let options = SessionOptions {
        sound: if args.silent {
            Sound::Silent
        } else {
            Sound::Device
        },
        watch: true,
        quiet: false,
        wait: false,
    };
    let mut session = Session::open_for(project, options, player)?;
    if let Some(Recording { inputs, .. }) = recording {
        session.replay(inputs);
    }
    if let Some(recorder) = recorder {
        session.record(recorder);
    }
    window::run(session)?;
    Ok(ExitCode::SUCCESS)
}
