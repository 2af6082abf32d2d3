//! `galatea doctor`: reports which features of this machine Galatea can use, with advice for the others.

mod memory;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::video::on_path;
use galatea_app::headless::HeadlessCamera;
use galatea_app::window;
use galatea_asset::{Project, Settings};
use galatea_audio::{Audio, AudioBlock, Microphone, Status};
use galatea_render::{AdapterReport, Gpu, adapters};
use galatea_stage::Stage;

/// Arguments of `doctor`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  galatea doctor\n  galatea doctor --json\n  galatea doctor --memory hero.glb\n  galatea doctor --backend vulkan --adapter llvmpipe\n\nThe exit code is 1 if a feature that is required for drawing is missing."
)]
pub struct DoctorArgs {
    /// Listen to the microphone for a moment
    #[arg(long)]
    microphone: bool,
    /// Report the memory of a project, a script or a model by category, after one second and one picture
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = ".", conflicts_with = "microphone")]
    memory: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CheckStatus {
    /// The feature works.
    Good,
    /// The feature is missing; Galatea works without it.
    Without,
    /// The feature is missing and required.
    Bad,
}

/// One check of the machine.
#[derive(Debug, Serialize)]
struct SystemCheck {
    what: &'static str,
    state: CheckStatus,
    found: String,
    /// Advice if the feature is missing.
    advice: Option<&'static str>,
}

impl SystemCheck {
    const fn good(what: &'static str, found: String) -> Self {
        Self {
            what,
            state: CheckStatus::Good,
            found,
            advice: None,
        }
    }

    const fn without(what: &'static str, found: String, advice: &'static str) -> Self {
        Self {
            what,
            state: CheckStatus::Without,
            found,
            advice: Some(advice),
        }
    }
}

pub fn run(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    if let Some(project) = &args.memory {
        memory::report(project, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let adapters = adapters();
    let mut findings = vec![program(), picture(), display(), sound()];
    if args.microphone {
        findings.push(microphone());
    }
    findings.extend([voice(), video(), folder("saved data", dirs::data_dir())]);
    findings.push(folder("pipeline cache", dirs::cache_dir()));
    let is_bad = findings
        .iter()
        .any(|finding| finding.state == CheckStatus::Bad);
    if args.json {
        let told = serde_json::json!({
            "findings": findings,
            "adapters": adapters.iter().map(as_json).collect::<Vec<_>>(),
        });
        say!(
            "{}",
            serde_json::to_string_pretty(&told).context("as JSON")?
        );
    } else {
        for finding in &findings {
            let mark = match finding.state {
                CheckStatus::Good => "ok  ",
                CheckStatus::Without => "none",
                CheckStatus::Bad => "BAD ",
            };
            say!("{mark}  {}: {}", finding.what, finding.found);
            if let Some(advice) = finding.advice {
                say!("      {advice}");
            }
        }
        say!("adapters ({})", adapters.len());
        list(&adapters)?;
    }
    Ok(ExitCode::from(u8::from(is_bad)))
}

/// Prints the graphics adapters.
pub fn list(adapters: &[AdapterReport]) -> anyhow::Result<()> {
    for adapter in adapters {
        let AdapterReport {
            name,
            backend,
            kind,
            driver,
            ..
        } = adapter;
        say!("  {name}: {backend}, {kind}, driver {driver}");
        if !adapter.lacking.is_empty() {
            say!("    cannot draw: lacks {}", adapter.lacking.join("; "));
        }
        if !adapter.without.is_empty() {
            say!("    draws without {}", adapter.without.join("; without "));
        }
    }
    Ok(())
}

fn as_json(adapter: &AdapterReport) -> serde_json::Value {
    serde_json::json!({
        "name": adapter.name,
        "backend": adapter.backend,
        "kind": adapter.kind,
        "driver": adapter.driver,
        "lacking": adapter.lacking,
        "without": adapter.without,
    })
}

fn program() -> SystemCheck {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (version, system, kind) = (
        env!("CARGO_PKG_VERSION"),
        env::consts::OS,
        env::consts::ARCH,
    );
    let found = format!("galatea {version} for {system} on {kind}, {cores} cores");
    SystemCheck::good("program", found)
}

/// Draws an empty stage with the normal renderer.
fn picture() -> SystemCheck {
    let begun = Instant::now();
    let drawn = Gpu::headless()
        .map_err(anyhow::Error::from)
        .and_then(|gpu| {
            let name = gpu.info.name.clone();
            let nothing = Project {
                root: ".".into(),
                settings: Settings::default(),
                viewed: None,
            };
            let picture =
                HeadlessCamera::for_project(gpu, &nothing)?.still(&Stage::default(), (320, 180))?;
            // Any renderer draws a bright sky.
            let is_black = picture
                .rgba
                .chunks_exact(4)
                .all(|pixel| pixel[..3] == [0; 3]);
            anyhow::ensure!(!is_black, "{name} draws only black");
            Ok(name)
        });
    let seconds = begun.elapsed().as_secs_f64();
    match drawn {
        Ok(name) => SystemCheck::good(
            "picture",
            format!("{name}; the first picture took {seconds:.1} s"),
        ),
        Err(error) => SystemCheck {
            what: "picture",
            state: CheckStatus::Bad,
            found: format!("{error:#}"),
            advice: Some(
                "install the driver of the graphics card, or on Linux mesa-vulkan-drivers (software); scripts, tests and record --no-pictures work without it",
            ),
        },
    }
}

fn display() -> SystemCheck {
    let names = ["WAYLAND_DISPLAY", "DISPLAY"];
    let set = names
        .iter()
        .find_map(|name| Some((name, env::var(name).ok()?)));
    match (window::has_display(), set) {
        (true, Some((name, value))) => SystemCheck::good("display", format!("{name}={value}")),
        (true, None) => SystemCheck::good("display", "available".into()),
        (false, _) => SystemCheck::without(
            "display",
            "none".into(),
            "galatea play renders to files; record and shot need no display",
        ),
    }
}

fn sound() -> SystemCheck {
    match Audio::device().status() {
        Status::Device { name } => SystemCheck::good("sound", name),
        other => SystemCheck::without(
            "sound",
            other.to_string(),
            "projects play silently; record still writes the sound",
        ),
    }
}

fn microphone() -> SystemCheck {
    let advice = "live lip sync does not work without a microphone";
    let heard = Microphone::open();
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        if let Some(block) = heard.take().next() {
            return match block {
                AudioBlock::Samples { rate, channels, .. } => {
                    SystemCheck::good("microphone", format!("{rate} Hz, {channels} channels"))
                }
                AudioBlock::Lost(why) => SystemCheck::without("microphone", why, advice),
            };
        }
        thread::sleep(Duration::from_millis(20));
    }
    SystemCheck::without(
        "microphone",
        "no data arrived within 2 seconds".into(),
        advice,
    )
}

fn voice() -> SystemCheck {
    match on_path("espeak-ng") {
        Some(file) => SystemCheck::good("voice", file.display().to_string()),
        None => SystemCheck::without(
            "voice",
            "espeak-ng not found".into(),
            "lines without a recording are silent, but the mouth moves",
        ),
    }
}

fn video() -> SystemCheck {
    match on_path("ffmpeg") {
        Some(file) => SystemCheck::good("video", file.display().to_string()),
        None => SystemCheck::without(
            "video",
            "ffmpeg not found".into(),
            "record --video needs ffmpeg; other recordings work without it",
        ),
    }
}

fn folder(what: &'static str, folder: Option<PathBuf>) -> SystemCheck {
    let advice = "set HOME; without it, this data is lost between runs";
    match folder {
        Some(folder) => SystemCheck::good(what, folder.display().to_string()),
        None => SystemCheck::without(what, "no user folder found".into(), advice),
    }
}
