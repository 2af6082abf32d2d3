//! `galatea shot`: renders one picture, or a sheet of several.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tracing::{info, info_span};

use super::progress::Progress;
use super::view::ViewArg;
use super::{QualityArg, ShowArg, fail_on_errors, open_headless, record, seconds};
use galatea_app::headless::{HeadlessCamera, advance_to};
use galatea_app::sheet::{ContactSheet, Layout, PixelSize};
use galatea_app::{Session, SoundOutput};
use galatea_math::phases::PHASE;
use galatea_render::Picture;

/// Arguments of `shot`.
#[derive(Debug, Args)]
pub struct ShotArgs {
    #[command(flatten)]
    show: ShowArg,
    #[command(flatten)]
    quality: QualityArg,
    #[command(flatten)]
    view: ViewArg,
    /// Time in seconds; with --sheet, the time of the first picture
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    at: f64,
    /// Size of each picture, pixels [default: 1280x720, on a sheet 320x180]
    #[arg(long, value_name = "WxH")]
    size: Option<PixelSize>,
    /// Draw skeletons over the picture
    #[arg(long)]
    bones: bool,
    /// Draw only the models, on a transparent background
    #[arg(long)]
    transparent: bool,
    /// Draw a contact sheet: consecutive pictures with their times
    #[arg(long, value_name = "COLUMNSxROWS", conflicts_with = "turntable")]
    sheet: Option<Layout>,
    /// Seconds between the pictures of a sheet
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "0.25", requires = "sheet")]
    every: f64,
    /// Draw N pictures of one moment, from all around the camera's target
    #[arg(long, value_name = "N", value_parser = super::whole::<u32>(1, 360, "pictures"))]
    turntable: Option<u32>,
    /// Print the phases until the picture is written: time, processor time and memory
    #[arg(long)]
    pub(super) timings: bool,
    /// Output picture, PNG
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
            "{}: expected an output file that ends in .png",
            args.output.display()
        );
    }
    let views = views(args);
    let size = args.size.unwrap_or(match views {
        Some(_) => PixelSize(320, 180),
        None => PixelSize(1280, 720),
    });
    let sheet = match &views {
        Some((layout, _)) => Some(ContactSheet::new(*layout, size)?),
        None => None,
    };
    let mut session = open_headless(args.show.open()?, SoundOutput::Silent)?;
    fail_on_errors(&session)?;
    if args.bones {
        session.stage.picture.show_bones = true;
    }
    match &sheet {
        Some(_) => args.view.without_legend().show(&mut session.stage)?,
        None => args.view.show(&mut session.stage)?,
    }
    let mut camera = HeadlessCamera::new(&mut session)?;
    camera.set_options(args.quality.wishes(args.transparent));
    let picture = match (views, sheet) {
        (Some((_, views)), Some(sheet)) => fill(sheet, &views, size, &mut session, &mut camera)?,
        _ => {
            {
                let _phase = info_span!(target: PHASE, "run the script to the time").entered();
                advance_to(&mut session, args.at);
            }
            check(&session)?;
            camera.picture(&mut session, args.at, (size.0, size.1))?
        }
    };
    {
        let _phase = info_span!(target: PHASE, "write the picture").entered();
        record::write_png(&args.output, &picture)?;
    }
    info!(target: PHASE, "the picture is written");
    say!("{}", args.output.display());
    fail_on_errors(&session)?;
    Ok(ExitCode::SUCCESS)
}

/// Fails if the debug view refers to something that does not exist.
fn check(session: &Session) -> anyhow::Result<()> {
    let view = session.stage.picture.view.as_ref();
    let checked = view.map_or(Ok(()), |view| view.check(&session.stage.characters));
    checked.map_err(anyhow::Error::msg)
}

/// A picture of a sheet.
struct ShotView {
    /// Time, seconds.
    time: f64,
    /// Rotation of the camera about its target, degrees.
    turned: f64,
    label: String,
}

/// The pictures of the requested sheet, if any.
fn views(args: &ShotArgs) -> Option<(Layout, Vec<ShotView>)> {
    if let Some(n) = args.turntable {
        let side = |i: u32| {
            let turned = 360.0 * f64::from(i) / f64::from(n);
            ShotView {
                time: args.at,
                turned,
                label: format!("{turned:.0}°"),
            }
        };
        return Some((Layout::of(n), (0..n).map(side).collect()));
    }
    let layout = args.sheet?;
    let moment = |i: u32| {
        let time = args.at + args.every * f64::from(i);
        ShotView {
            time,
            turned: 0.0,
            label: format!("{time:.2} s"),
        }
    };
    Some((layout, (0..layout.capacity()).map(moment).collect()))
}

fn fill(
    mut sheet: ContactSheet,
    views: &[ShotView],
    size: PixelSize,
    session: &mut Session,
    camera: &mut HeadlessCamera,
) -> anyhow::Result<Picture> {
    let progress = Progress::new("rendering", views.len() as u64);
    for (i, view) in views.iter().enumerate() {
        advance_to(session, view.time);
        check(session)?;
        camera.turn(view.turned as f32);
        camera.label(&view.label);
        sheet.add(&camera.picture(session, view.time, (size.0, size.1))?);
        progress.at(i as u64 + 1);
    }
    progress.done();
    Ok(sheet.finish())
}
