//! The player of a session: key bindings and where they are saved.

use std::path::{Path, PathBuf};

use super::bindings;
use super::recording::{InputRecording, RecordingHeader};
use galatea_asset::Project;
use galatea_stage::{Bindings, Rng, SEED, Stage};

/// The player of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerProfile {
    /// Key bindings of the player.
    pub bindings: Bindings,
    /// Random seed of the stage; `None` for the default.
    seed: Option<u64>,
    /// Folder in which bindings and games are saved; `None` to not save them.
    folder: Option<PathBuf>,
    /// Error in the saved bindings.
    fault: Option<String>,
}

impl PlayerProfile {
    /// Anonymous player: the scripts' own keys, and nothing is saved.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// Player of a recording; anonymous if the recording has no header.
    pub fn of(recording: &InputRecording) -> Self {
        recording
            .header
            .as_ref()
            .map_or_else(Self::anonymous, |header| Self {
                bindings: header.bindings.clone(),
                seed: Some(header.seed),
                ..Self::default()
            })
    }

    /// Local player, with the bindings of the project's `bindings.toml`. A faulty file is reported when the session opens,
    /// and ignored. A viewer of a single model is anonymous.
    pub fn here(project: &Project) -> Self {
        if project.viewed.is_some() {
            return Self::anonymous();
        }
        let (bindings, fault) = match bindings::load(&project.home()) {
            Ok(bindings) => (bindings, None),
            Err(fault) => (Bindings::default(), Some(fault)),
        };
        Self {
            bindings,
            seed: None,
            folder: Some(project.home()),
            fault,
        }
    }

    /// Header of a recording of this player in a project, from the start.
    pub fn header(&self, project: &Project) -> RecordingHeader {
        RecordingHeader {
            seed: self.seed.unwrap_or(SEED),
            ..RecordingHeader::new(project, self.bindings.clone())
        }
    }

    /// Folder of the player's files; `None` to save nothing.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Applies the player's settings to an empty stage.
    pub(super) fn sit_down(&self, stage: &mut Stage) {
        *stage.input.player_mut() = self.bindings.clone();
        if let Some(seed) = self.seed {
            stage.rng = Rng::new(seed);
        }
    }

    /// Returns the error in the saved bindings, once.
    pub(super) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// Saves the bindings if the script requested it in the last tick. Returns true if it did.
    ///
    /// # Errors
    /// The reason why they cannot be saved.
    pub(super) fn save(&self, stage: &mut Stage) -> Result<bool, String> {
        match &self.folder {
            _ if !stage.input.take_save_request() => Ok(false),
            Some(folder) => bindings::save(folder, stage.input.player()).map(|()| true),
            None => Ok(false),
        }
    }
}
