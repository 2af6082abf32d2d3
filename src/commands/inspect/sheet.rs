//! Contact sheet of a model: all sides, bones, weights and surface, and moments of its clips.

use std::path::Path;

use crate::commands::{fail_on_errors, open_headless, record};
use galatea_app::headless::{HeadlessCamera, advance_to};
use galatea_app::sheet::{ContactSheet, Layout, PixelSize};
use galatea_app::{Session, SoundOutput};
use galatea_asset::Project;
use galatea_stage::{DebugView, ViewKind};

/// Size of one picture, pixels.
const SIZE: PixelSize = PixelSize(280, 360);
/// Number of clip pictures, in the second row.
const MOMENTS: usize = 6;

/// Camera angle in degrees, debug view, and label.
type SheetAngle = (f32, Option<ViewKind>, &'static str);

const SIDES: [SheetAngle; 6] = [
    (0.0, None, "front"),
    (90.0, None, "side"),
    (180.0, None, "back"),
    (0.0, Some(ViewKind::Skeleton), "bones"),
    (0.0, Some(ViewKind::Weights), "weights"),
    (0.0, Some(ViewKind::Wireframe), "triangles"),
];

/// Draws the sheet and writes it.
///
/// # Errors
/// When the model cannot be shown, no renderer works, or the file cannot be written.
pub fn write(file: &Path, clips: &[String], output: &Path) -> anyhow::Result<()> {
    let chosen = chosen(clips);
    let rows = if chosen.is_empty() { 1 } else { 2 };
    let layout = Layout {
        columns: SIDES.len() as u32,
        rows,
    };
    let mut sheet = ContactSheet::new(layout, SIZE)?;
    let mut session = open(file, None)?;
    let mut camera = HeadlessCamera::new(&mut session)?;
    for (turned, view, label) in SIDES {
        session.stage.picture.view = view.map(|kind| DebugView {
            legend: false,
            ..DebugView::new(kind)
        });
        camera.turn(turned);
        camera.label(label);
        sheet.add(&camera.picture(&mut session, 0.0, (SIZE.0, SIZE.1))?);
    }
    camera.turn(0.0);
    for clip in chosen {
        let mut session = open(file, Some(clip))?;
        advance_to(&mut session, 0.3);
        camera.label(clip);
        sheet.add(&camera.picture(&mut session, 0.3, (SIZE.0, SIZE.1))?);
    }
    record::write_png(output, &sheet.finish())
}

fn open(file: &Path, clip: Option<&str>) -> anyhow::Result<Session> {
    let project = Project::show(file, clip).map_err(anyhow::Error::msg)?;
    let session = open_headless(project, SoundOutput::Silent)?;
    fail_on_errors(&session)?;
    Ok(session)
}

/// Clips for the second row, evenly spread over all clips.
fn chosen(clips: &[String]) -> Vec<&str> {
    let n = clips.len().min(MOMENTS);
    (0..n)
        .map(|i| clips[i * clips.len() / n].as_str())
        .collect()
}
