//! Startup of a bundle.

use std::io::Write as _;

use anyhow::{Context as _, ensure};
use galatea_app::headless::{HeadlessCamera, advance_to};
use galatea_app::png::{Compression, png_bytes};
use galatea_app::studio::StudioOptions;
use galatea_app::window::StudioUse;
use galatea_app::{PlayerProfile, Session, SessionOptions, SoundOutput, window};
use galatea_asset::pack::Pack;
use galatea_asset::{Project, write_whole};
use galatea_speech::text::dictionary;

use crate::args::{self, PlayerArgs, Shot};
use crate::{log, packed};

/// Maximum size of the licence text, bytes.
const MAX_LICENCES: usize = 4 << 20;

/// Runs the program.
///
/// # Errors
/// The error that ended it.
pub fn run(licences: &[u8]) -> anyhow::Result<()> {
    let pack = packed::own()?
        .context("this is Galatea's player without a project; use `galatea bundle` to add one")?;
    let args = args::parse(std::env::args_os().skip(1))?;
    let mut out = std::io::stdout().lock();
    if args.help {
        write!(out, "{}", args::help(&pack.about().name))?;
        return Ok(());
    }
    if args.version {
        writeln!(out, "galatea-player {}", env!("CARGO_PKG_VERSION"))?;
        return Ok(());
    }
    if args.licenses {
        let text =
            zstd::bulk::decompress(licences, MAX_LICENCES).context("cannot read the licences")?;
        out.write_all(&text)?;
        return Ok(());
    }
    drop(out);
    if let Some(folder) = &args.unpack {
        return packed::unpack(&pack, folder);
    }
    log::start(false);
    install_dictionary(&pack)?;
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program = program.context("cannot find this program's own file")?;
    packed::mount(pack, program, args.over.as_deref())?;
    let project = Project::show(".".as_ref(), None).map_err(anyhow::Error::msg)?;
    match &args.shot {
        Some(shot) => render(project, shot, &args),
        None => play(project, &args),
    }
}

fn install_dictionary(pack: &Pack) -> anyhow::Result<()> {
    if let Some(bytes) = pack.read(packed::DICTIONARY) {
        dictionary::install(bytes?.leak());
    }
    Ok(())
}

fn studio_options(args: &PlayerArgs) -> StudioOptions {
    StudioOptions {
        quality: args.quality,
        scale: 1.0,
        transparent: false,
        as_film: false,
    }
}

fn play(project: Project, args: &PlayerArgs) -> anyhow::Result<()> {
    ensure!(
        window::has_display(),
        "no display found; --shot renders a picture without one"
    );
    let player = PlayerProfile::here(&project);
    let options = SessionOptions {
        sound: if args.silent {
            SoundOutput::Silent
        } else {
            SoundOutput::Device
        },
        watch: true,
        quiet: false,
        wait: false,
    };
    let session = Session::open_for_console(project, options, player)?;
    window::run(
        session,
        options,
        None,
        studio_options(args),
        StudioUse::default(),
    )
}

/// Renders one image and writes it as PNG.
fn render(project: Project, shot: &Shot, args: &PlayerArgs) -> anyhow::Result<()> {
    let options = SessionOptions {
        sound: SoundOutput::Silent,
        watch: false,
        quiet: false,
        wait: true,
    };
    let mut session = Session::open(project, options)?;
    let n_errors = |session: &Session| session.diagnostics.errors().count();
    ensure!(n_errors(&session) == 0, "the project has errors; see above");
    let mut camera = HeadlessCamera::new(&mut session)?;
    camera.set_options(studio_options(args));
    advance_to(&mut session, shot.at);
    let picture = camera.picture(&mut session, shot.at, (shot.size.0, shot.size.1))?;
    let bytes = png_bytes(&picture, Compression::Fast)?;
    write_whole(&shot.file, &bytes)?;
    ensure!(n_errors(&session) == 0, "the project has errors; see above");
    Ok(())
}
