//! `galatea doctor --memory`: the memory of a project after its first second.

use std::path::Path;

use anyhow::Context as _;
use memory_stats::memory_stats;
use serde::Serialize;

use crate::commands::{ShowArg, fail_on_errors, headless};
use galatea_app::headless::{HeadlessCamera, advance_to};
use galatea_app::{Session, SoundOutput};
use galatea_asset::model::ModelSize;

/// Size of the picture, pixels.
const PICTURE: (u32, u32) = (1280, 720);
/// Resources on the graphics device below this size are added up, bytes.
const SMALL: u64 = 1_000_000;

/// Kind of the rows of the graphics device.
const GRAPHICS: &str = "graphics";

/// Bytes of one kind of data.
#[derive(Debug, Serialize)]
struct MemoryRow {
    kind: &'static str,
    what: String,
    bytes: u64,
}

/// Opens a project, runs it for a second, draws one picture, and prints its memory.
///
/// # Errors
/// If the project has errors or cannot be drawn.
pub fn report(project: &Path, as_json: bool) -> anyhow::Result<()> {
    let at_start = resident();
    let show = ShowArg {
        path: project.to_owned(),
        clip: None,
    };
    // Stdout holds only the report.
    let options = headless(SoundOutput::Silent, as_json);
    let mut session = Session::open(show.open()?, options)?;
    match session.diagnostics.errors().next() {
        Some(error) if as_json => anyhow::bail!("{error}"),
        _ => fail_on_errors(&session)?,
    }
    let mut camera = HeadlessCamera::new(&mut session)?;
    advance_to(&mut session, 1.0);
    camera.picture(&mut session, 1.0, PICTURE)?;
    fail_on_errors(&session)?;
    let process = resident();

    let mut rows = vec![MemoryRow {
        kind: "program",
        what: "before the project is opened".into(),
        bytes: at_start,
    }];
    rows.extend(of_models(&session));
    rows.push(MemoryRow {
        kind: "scripts",
        what: "all tables, functions and texts".into(),
        bytes: session.script_memory() as u64,
    });
    let (of_device, is_shared) = on_device(&camera);
    rows.extend(of_device);
    if as_json {
        let told = serde_json::json!({ "memory": rows, "process": process });
        say!(
            "{}",
            serde_json::to_string_pretty(&told).context("as JSON")?
        );
        return Ok(());
    }
    for row in &rows {
        say!(
            "{:>7.1} MB  {}: {}",
            megabytes(row.bytes),
            row.kind,
            row.what
        );
    }
    // The memory of a graphics card is not part of the process.
    let is_in_process = |row: &&MemoryRow| row.kind != GRAPHICS || is_shared;
    let listed: u64 = rows.iter().filter(is_in_process).map(|row| row.bytes).sum();
    say!(
        "{:>7.1} MB  other: graphics driver with its compiled shaders, fonts, freed memory that the system has not taken back",
        megabytes(process.saturating_sub(listed))
    );
    say!(
        "{:>7.1} MB  the whole process, after one second and one picture of {} × {} pixels",
        megabytes(process),
        PICTURE.0,
        PICTURE.1
    );
    Ok(())
}

fn of_models(session: &Session) -> Vec<MemoryRow> {
    let mut rows = Vec::new();
    for definition in session.models() {
        let size = ModelSize::of(&definition.model);
        let [packed, frames] = definition.clips.bytes();
        let parts = [
            ("images", size.images),
            ("vertices", size.vertices),
            ("offsets of morph targets", size.morphs),
            ("packed clips", packed),
            ("unpacked frames of clips", frames),
        ];
        rows.extend(parts.map(|(what, bytes)| MemoryRow {
            kind: "model",
            what: format!("{}: {what}", definition.model.name),
            bytes: bytes as u64,
        }));
    }
    rows.retain(|row| row.bytes > 0);
    rows
}

/// The resources on the graphics device, and true if its memory is that of the process.
fn on_device(camera: &HeadlessCamera) -> (Vec<MemoryRow>, bool) {
    let row = |what: String, bytes| MemoryRow {
        kind: GRAPHICS,
        what,
        bytes,
    };
    let Some(memory) = camera.graphics_memory() else {
        let unknown = row("not reported by this graphics API".into(), 0);
        return (vec![unknown], false);
    };
    let (large, small): (Vec<_>, Vec<_>) = memory
        .resources
        .iter()
        .partition(|(_, bytes)| *bytes >= SMALL);
    let named = large.iter().map(|(name, bytes)| {
        let name = if name.is_empty() {
            "without a name"
        } else {
            name
        };
        row(name.to_owned(), *bytes)
    });
    let mut rows: Vec<MemoryRow> = named.collect();
    let small = small.iter().map(|(_, bytes)| bytes).sum();
    rows.push(row("smaller resources".into(), small));
    let unused = memory.reserved.saturating_sub(memory.used());
    rows.push(row("reserved, not in use".into(), unused));
    (rows, camera.is_software())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Resident memory of the process, bytes; 0 if it is unknown.
fn resident() -> u64 {
    memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}
