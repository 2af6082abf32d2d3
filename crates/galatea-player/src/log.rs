//! The log on stderr.

use std::io::IsTerminal as _;
use std::str::FromStr as _;

use galatea_app::crash::LogTail;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Warnings, without messages of the graphics and sound libraries.
const FILTER: &str = "warn,wgpu_hal=off,wgpu_core=error,naga=error,sctk=error,winit=error,symphonia=off,\
    symphonia_core=off,symphonia_bundle_mp3=off";

/// Sends the log to stderr and its last lines to crash reports. `RUST_LOG` sets the filter (`level` or `target=level`,
/// separated by commas); the default is warnings. With `timings`, the phases of the start are
/// recorded; an event of the target [`PHASE`](galatea_math::phases::PHASE) lists them on stderr.
pub fn start(timings: bool) {
    let requested = std::env::var("RUST_LOG").ok();
    let filter = requested.and_then(|text| Targets::from_str(&text).ok());
    let filter = filter.or_else(|| Targets::from_str(FILTER).ok());
    let color = std::env::var_os("NO_COLOR").is_none() && std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(color)
        .without_time()
        .with_target(false);
    let tail = tracing_subscriber::fmt::layer()
        .with_writer(|| LogTail)
        .with_ansi(false)
        .without_time();
    let filter = filter.unwrap_or_default();
    tracing_subscriber::registry()
        .with(lines.with_filter(filter.clone()))
        .with(tail.with_filter(filter))
        .with(timings.then(super::timings::layer))
        .init();
}
