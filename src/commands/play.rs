//! `galatea play`: a window, or the reel where there is no display.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{ShowArg, record};
use crate::app::window;
use crate::app::{Session, SessionOptions, Sound};

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    show: ShowArg,
    /// Play without sound
    #[arg(long)]
    silent: bool,
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
            reel: false,
            reel_to: "out/reel".into(),
        }
    }
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let project = args.show.open()?;
    if !args.reel && !window::has_display() {
        eprintln!("There is no display here: rendering the reel to files instead.");
    }
    if args.reel || !window::has_display() {
        return record::reel(project, &args.reel_to);
    }
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
    window::run(Session::open(project, options)?)?;
    Ok(ExitCode::SUCCESS)
}
