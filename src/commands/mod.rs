//! Commands of the program, one file each: arguments in, exit code out.
//!
//! Exit codes: 0 success, 1 error in the project or a file, 2 error in the command line, 70 internal error
//! ([`galatea_app::crash::EXIT_CODE`]).

/// Prints a line to stdout. A closed pipe or a full disk is an error of the command.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let text = format!($($text)*);
        writeln!(std::io::stdout().lock(), "{}", galatea_math::names::printable(&text))?
    }};
}

mod animation;
mod autoplay;
mod bake;
mod bench;
mod binding;
mod bundle;
mod check;
mod clip;
mod convert;
mod debug_adapter;
mod diff;
mod doctor;
mod fewest;
mod forge;
mod gallery;
mod inspect;
mod licenses;
mod lipsync;
mod many;
mod new;
mod play;
mod progress;
mod record;
mod shell;
mod shot;
mod stubs;
mod test;
mod torture;
mod train;
mod usage;
mod video;
mod view;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

pub use galatea_player::start_log;
pub use usage::parse;

use galatea_app::studio::StudioOptions;
use galatea_app::{Session, SessionOptions, SoundOutput};
use galatea_asset::Project;
use galatea_render::{AdapterRequest, Backend, adapters, request_adapter};
use galatea_stage::frame::Quality;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "galatea",
    version,
    about = "A glTF character, a page of Lua, and it lives",
    after_help = "Without a command, `galatea` plays the project in this folder.\n\nExample: galatea new demo && galatea play demo"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Graphics API: vulkan, metal or dx12 [default: WGPU_BACKEND, or any]
    #[arg(long, global = true, value_name = "NAME", value_parser = backend, help_heading = "Graphics")]
    backend: Option<Backend>,
    /// Graphics adapter, by a part of its name
    #[arg(long, global = true, value_name = "NAME", help_heading = "Graphics")]
    adapter: Option<String>,
    /// List the graphics adapters of this machine
    #[arg(long, help_heading = "Graphics")]
    list_adapters: bool,
}

impl Cli {
    /// Returns true if the command lists the phases of its start.
    pub fn wants_timings(&self) -> bool {
        match &self.command {
            Some(Command::Play(args)) => args.timings,
            Some(Command::Shot(args)) => args.timings,
            _ => false,
        }
    }

    /// Name of the command for activities: `galatea check`.
    pub fn name(&self) -> String {
        let text = match &self.command {
            Some(command) => format!("{command:?}"),
            None => "Play".to_owned(),
        };
        let variant = text.split(|c: char| !c.is_alphanumeric()).next();
        format!("galatea {}", variant.unwrap_or_default().to_lowercase())
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a project or show a model in a window; scripts, models, sounds and shaders reload when saved
    #[command(
        after_help = "Keys: drag to turn the camera, right drag to move it, wheel to zoom, B for bones, V for debug views, ` (left of 1) for the console, F1 for the studio, F8 for the past, Ctrl+Z and Ctrl+Y for the previous and next version of the script, F11 for full screen, Esc to close.\n\nExamples:\n  galatea play demo\n  galatea play demo --record-input bug.jsonl\n  galatea play demo --input bug.jsonl\n  galatea play demo --eval 'hero.position'\n  galatea play demo --studio\n  galatea play demo --control"
    )]
    Play(play::PlayArgs),
    /// Create a new project
    #[command(
        after_help = "Examples:\n  galatea new demo && galatea play demo\n  galatea new talk --template talker"
    )]
    New(new::NewArgs),
    /// Load all files of a project and report the errors
    #[command(after_help = "Example: galatea check demo --json")]
    Check(check::CheckArgs),
    /// Run two versions of a project with the same input and report what differs; exit code 1 if anything does
    #[command(
        after_help = "Examples:\n  galatea diff demo demo --seconds 2\n  galatea diff demo demo --input bug.jsonl -o diff.png\n  galatea diff bug.jsonl bug.jsonl --project demo"
    )]
    Diff(diff::DiffArgs),
    /// Run the tests in a project's tests/ folder
    #[command(after_help = "Example: galatea test demo --filter walk")]
    Test(test::TestArgs),
    /// Render a project to pictures, an animated image and a sound file
    #[command(
        after_help = "Examples:\n  galatea record demo --seconds 2 --fps 30 --size 640x360 -o out/demo\n  galatea record demo --seconds 1 --turntable -o out/turn\n  galatea record demo --seconds 2 --size 640x360 --shard 1/4 -o out/shared\n  galatea record demo --video out/demo.mp4 -o out/demo"
    )]
    Record(record::RecordArgs),
    /// Render one picture of a project
    #[command(
        after_help = "Examples:\n  galatea shot demo --at 1.5 --size 1280x720 -o shot.png\n  galatea shot assets/galatea.glb --clip run -o run.png\n  galatea shot assets/galatea.glb --clip run --sheet 4x3 --every 0.1 -o run.png\n  galatea shot assets/galatea.glb --turntable 8 -o around.png\n  galatea shot assets/galatea.glb --view weights --bone head -o weights.png"
    )]
    Shot(shot::ShotArgs),
    /// Report the content of a model file and its problems
    #[command(
        after_help = "Examples:\n  galatea inspect assets/galatea.glb\n  galatea inspect assets/galatea.glb --sheet galatea.png\n  galatea inspect hero.vrm --clips walks.glb"
    )]
    Inspect(inspect::InspectArgs),
    /// Turn motion capture and clips into one animation file: cut loops, resample, reduce keys, mark footsteps
    #[command(
        after_help = "Examples:\n  galatea clip walk.bvh --find-loop\n  galatea clip walk.bvh --loop 1.2 2.3 --reduce 0.02 --markers --report -o walk.glb"
    )]
    Clip(Box<clip::ClipArgs>),
    /// Convert a model of any supported format to one binary glTF file, with clips and markers
    Convert(convert::ConvertArgs),
    /// Draw the pictures listed in scripts/gallery, and write the page that shows them
    #[command(
        after_help = "Examples:\n  galatea gallery\n  galatea gallery --only portrait -o out/gallery"
    )]
    Gallery(gallery::GalleryArgs),
    /// Build the model of a recipe, or the built-in character, its sounds and the props of the gallery
    #[command(after_help = "Example: galatea forge -o assets")]
    Forge(forge::ForgeArgs),
    /// Bake textures for a model: normals, occlusion, thickness, curvature, masks; convert heights to normals
    Bake(bake::BakeArgs),
    /// Pack a project into one executable that plays it, or unpack one
    Bundle(bundle::BundleArgs),
    /// Report which features of this machine work: graphics, sound, display, voices
    Doctor(doctor::DoctorArgs),
    /// Write shell completions
    Completions(shell::CompletionsArgs),
    /// Write the manual pages
    Man(shell::ManArgs),
    /// Print the licences of this program and its built-in components
    #[command(after_help = "Example: galatea licenses")]
    Licenses,
    /// Run benchmarks
    #[command(after_help = "Example: galatea bench springs --json")]
    Bench(bench::BenchArgs),
    /// Write editor stubs and the API reference
    #[command(after_help = "Example: galatea stubs demo")]
    Stubs(stubs::StubsArgs),
    /// Find the times of words, sounds and mouth shapes in a recording
    #[command(
        after_help = "Examples:\n  galatea lipsync line.ogg --text 'Oh, it is you.' -o line.json --picture line.png\n  galatea lipsync line.ogg > line.tsv\n  galatea lipsync line.ogg --from rhubarb.tsv -o line.glb"
    )]
    Lipsync(lipsync::LipsyncArgs),
    /// Play a copy of a project with random input and random file changes, and report errors
    #[command(
        after_help = "The project itself is not changed. The exit code is 1 after an error.\n\nExample: galatea torture demo --seed 7 --ticks 300 --tick-limit 2"
    )]
    Torture(torture::TortureArgs),
    /// Connect a code editor to the debugger of a project, by the Debug Adapter Protocol on stdin and stdout
    #[command(
        after_help = "Code editors start this themselves; `galatea new` writes the settings for Visual Studio Code.\n\nExample: galatea debug-adapter"
    )]
    DebugAdapter(debug_adapter::DebugAdapterArgs),
    /// Train the speech recogniser
    Train(train::TrainArgs),
}

/// The project that a command works on.
#[derive(Debug, Args)]
struct ProjectArg {
    /// Folder of a project, or a script
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

impl ProjectArg {
    fn open(&self) -> anyhow::Result<Project> {
        match bundle::opened(&self.dir)? {
            Some(project) => Ok(project),
            None => Ok(Project::open(&self.dir)?),
        }
    }
}

/// A project, or a model to look at by itself.
#[derive(Debug, Args)]
struct ShowArg {
    /// Folder of a project, a script, or a model to show: .glb, .gltf, .vrm, .x, .fbx, .obj
    #[arg(value_name = "DIR|FILE", default_value = ".")]
    path: PathBuf,
    /// The clip to play when a model is shown
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
}

/// Render quality.
#[derive(Clone, Copy, Debug, Default, Args)]
struct QualityArg {
    /// Render quality: low, medium or high
    #[arg(long, value_name = "NAME", value_parser = quality)]
    quality: Option<Quality>,
    /// Render scale along each axis, 0.25 to 2
    #[arg(long, value_name = "FACTOR", value_parser = scale)]
    scale: Option<f32>,
}

impl QualityArg {
    fn wishes(self, transparent: bool) -> StudioOptions {
        StudioOptions {
            quality: self.quality,
            scale: self.scale.unwrap_or(1.0),
            transparent,
            as_film: false,
        }
    }
}

fn quality(text: &str) -> Result<Quality, String> {
    Quality::of(text).ok_or_else(|| {
        let names = Quality::ALL.map(Quality::name);
        format!(
            "expected one of {}{}",
            names.join(", "),
            galatea_math::names::nearest_hint(text, names.into_iter())
        )
    })
}

fn backend(text: &str) -> Result<Backend, String> {
    Backend::of(text).ok_or_else(|| {
        let names = Backend::ALL.map(|(name, _)| name);
        format!(
            "expected one of {}{}",
            names.join(", "),
            galatea_math::names::nearest_hint(text, names.into_iter())
        )
    })
}

fn scale(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(scale) if (0.25..=2.0).contains(&scale) => Ok(scale),
        _ => Err("expected a number from 0.25 to 2".into()),
    }
}

impl ShowArg {
    fn open(&self) -> anyhow::Result<Project> {
        if let Some(project) = bundle::opened(&self.path)? {
            return Ok(project);
        }
        Project::show(&self.path, self.clip.as_deref()).map_err(anyhow::Error::msg)
    }
}

/// Files embedded in the program, compressed with zstd.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFiles {
    /// The character of new projects, a GLB.
    pub character: &'static [u8],
    /// The player for bundles; empty if it is a file next to the program.
    pub player: &'static [u8],
}

/// Runs the command of the command line.
///
/// # Errors
/// The error that stopped the command, with its cause.
pub fn run(cli: Cli, brought: &EmbeddedFiles) -> anyhow::Result<ExitCode> {
    crate::install();
    request_adapter(AdapterRequest {
        backend: cli.backend,
        adapter: cli.adapter,
    });
    if cli.list_adapters {
        doctor::list(&adapters())?;
        return Ok(ExitCode::SUCCESS);
    }
    match cli.command {
        None => play::run(&play::PlayArgs::here()),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::New(args)) => new::run(&args, brought.character),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Test(args)) => test::run(&args),
        Some(Command::Record(args)) => record::run(&args),
        Some(Command::Shot(args)) => shot::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Clip(args)) => clip::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Gallery(args)) => gallery::run(&args),
        Some(Command::Forge(args)) => forge::run(&args),
        Some(Command::Bake(args)) => bake::run(&args),
        Some(Command::Bundle(args)) => bundle::run(&args, brought.player),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man(args)) => shell::man(&args),
        Some(Command::Licenses) => licenses::run(),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Stubs(args)) => stubs::run(&args),
        Some(Command::Lipsync(args)) => lipsync::run(&args),
        Some(Command::Torture(args)) => torture::run(&args),
        Some(Command::DebugAdapter(_)) => debug_adapter::run(),
        Some(Command::Train(args)) => train::run(&args),
    }
}

/// Opens a project for a run without a window.
fn open_headless(project: Project, sound: SoundOutput) -> anyhow::Result<Session> {
    Session::open(project, headless(sound, false))
}

/// Options of a session without a window. With `quiet`, the caller reports the errors.
fn headless(sound: SoundOutput, quiet: bool) -> SessionOptions {
    SessionOptions {
        sound,
        watch: false,
        quiet,
        wait: true,
    }
}

/// Fails if a session has errors; they were printed to stderr.
fn fail_on_errors(session: &Session) -> anyhow::Result<()> {
    match session.diagnostics.errors().count() {
        0 => Ok(()),
        1 => Err(anyhow::anyhow!("the project has an error; see above")),
        n => Err(anyhow::anyhow!("the project has {n} errors; see above")),
    }
}

/// Parser of a whole number from `min` to `max`; `unit` names what it counts.
fn whole<T>(
    min: u64,
    max: u64,
    unit: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + 'static,
{
    move |text: &str| {
        let n = text.parse::<u64>().ok().filter(|n| (min..=max).contains(n));
        let n = n.and_then(|n| T::try_from(n).ok());
        n.ok_or_else(|| format!("expected a whole number from {min} to {max} ({unit})"))
    }
}

/// Parses a time or a rate: finite and not negative.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if n.is_finite() && (0.0..=86_400.0).contains(&n) => Ok(n),
        _ => Err("expected seconds from 0 to 86400".into()),
    }
}
