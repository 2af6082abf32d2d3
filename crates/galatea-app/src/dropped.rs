//! Files that are dropped on the window. A model, a project or a script replaces the current session; a motion file is
//! played on the viewed model. A model or motion that cannot be read replaces nothing.

use std::path::Path;

use super::{PlayerProfile, Session, SessionOptions};
use galatea_asset::clip_files::{self, Joining};
use galatea_asset::{ClipFile, Project, Viewed, clips};
use galatea_stage::frame::MessageKind;

/// Subject of diagnostics about dropped files.
const SUBJECT: &str = "dropped";

/// Returns the session that replaces `before` for a dropped file. Returns `None` and reports the error in `before` if the
/// file cannot be played.
pub fn session_of(path: &Path, before: &mut Session, options: SessionOptions) -> Option<Session> {
    let shown = match (&before.project.viewed, clip_files::is_take(path)) {
        (Some(viewed), true) if !clip_files::is_take(&viewed.file) => {
            let takes = viewed.takes.iter().cloned().chain([path.to_owned()]);
            Project::viewer(&viewed.file, None, &takes.collect::<Vec<_>>())
        }
        _ => Project::show(path, None),
    };
    let opened = shown.and_then(|project| {
        project.viewed.as_ref().map_or(Ok(()), check)?;
        let player = PlayerProfile::here(&project);
        Session::open_for_console(project, options, player).map_err(|error| format!("{error:#}"))
    });
    match opened {
        Ok(mut session) => {
            session.diagnostics.shows_news = true;
            session.survive_errors();
            Some(session)
        }
        Err(why) => {
            before.diagnostics.set(SUBJECT, MessageKind::Error, &why);
            None
        }
    }
}

/// Loads the file to view, so that an error is found while the old session still plays.
fn check(viewed: &Viewed) -> Result<(), String> {
    let mut model = clips::load_model(&viewed.file).map_err(|error| error.to_string())?;
    let name = viewed.file.display().to_string();
    let mut joining = Joining::new(&mut model, &name);
    for take in &viewed.takes {
        let file = ClipFile {
            path: take.display().to_string(),
            ..ClipFile::default()
        };
        let source = clip_files::load(&file, take).map_err(|error| error.to_string())?;
        joining.join(&file, &source)?;
    }
    Ok(())
}
