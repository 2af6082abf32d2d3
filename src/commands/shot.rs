//! `galatea shot`: one picture.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{QualityArg, ShowArg, Size, fail_on_errors, open_headless, record, seconds};
use crate::app::Sound;
use crate::app::headless::{Camera, advance_to};

/// Arguments of `shot`.
#[derive(Debug, Args)]
pub struct ShotArgs {
    #[command(flatten)]
    show: ShowArg,
    #[command(flatten)]
    quality: QualityArg,
    /// When
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    at: f64,
    /// Pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    size: Size,
    /// Draw skeletons over the picture
    #[arg(long)]
    bones: bool,
    /// Draw only the models; what is behind them stays clear
    #[arg(long)]
    transparent: bool,
    /// The picture, PNG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(args: &ShotArgs) -> anyhow::Result<ExitCode> {
    if args
        .output
        .extension()
        .is_none_or(|e| !e.eq_ignore_ascii_case("png"))
    {
        anyhow::bail!(
            "{}: pictures are written as PNG, so name it .png",
            args.output.display()
        );
    }
    let mut session = open_headless(args.show.open()?, Sound::Silent)?;
    fail_on_errors(&session)?;
    if args.bones {
        session.stage.show_bones = true;
    }
    let mut camera = Camera::new(&mut session)?;
    camera.wish(args.quality.wishes(args.transparent));
    advance_to(&mut session, args.at);
    let picture = camera.picture(&mut session, args.at, (args.size.0, args.size.1))?;
    record::write_png(&args.output, &picture)?;
    say!("{}", args.output.display());
    fail_on_errors(&session)?;
    Ok(ExitCode::SUCCESS)
}
