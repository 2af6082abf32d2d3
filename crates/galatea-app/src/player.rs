//! Who plays: the keys that a player chose, and where they are kept.

use std::path::PathBuf;

use super::bindings;
use super::recording::{InputRecording, RecordingHeader};
use galatea_asset::Project;
use galatea_stage::{Bindings, Rng, SEED, Stage};

/// The player of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerProfile {
    /// What the player chose.
    pub bindings: Bindings,
    /// Where the stage's chance begins, if not as always.
    seed: Option<u64>,
    /// Folder where that is kept for the next time; `None`: nowhere.
    keeps_in: Option<PathBuf>,
    /// What is wrong with what was kept.
    fault: Option<String>,
}

impl PlayerProfile {
    /// Nobody in particular: with the scripts' own keys, and nothing is kept.
    pub fn nobody() -> Self {
        Self::default()
    }

    /// Who made a recording; nobody when it does not say.
    pub fn of(recording: &InputRecording) -> Self {
        recording
            .header
            .as_ref()
            .map_or_else(Self::nobody, |header| Self {
                bindings: header.bindings.clone(),
                seed: Some(header.seed),
                ..Self::default()
            })
    }

    /// The player who sits here, as `bindings.toml` of the project knows them. A faulty file is told
    /// when the session opens and passed over. Who looks at a model by itself is nobody.
    pub fn here(project: &Project) -> Self {
        if project.viewed.is_some() {
            return Self::nobody();
        }
        let (bindings, fault) = match bindings::load(&project.home()) {
            Ok(bindings) => (bindings, None),
            Err(fault) => (Bindings::default(), Some(fault)),
        };
        Self {
            bindings,
            seed: None,
            keeps_in: Some(project.home()),
            fault,
        }
    }

    /// The first line of a recording of what this player does in a project, from the start.
    pub fn header(&self, project: &Project) -> RecordingHeader {
        RecordingHeader {
            seed: self.seed.unwrap_or(SEED),
            ..RecordingHeader::new(project, self.bindings.clone())
        }
    }

    /// Puts what the player brings on an empty stage.
    pub(super) fn sit_down(&self, stage: &mut Stage) {
        *stage.input.player_mut() = self.bindings.clone();
        if let Some(seed) = self.seed {
            stage.rng = Rng::new(seed);
        }
    }

    /// What was wrong with the bindings that were kept; once.
    pub(super) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// Keeps what the player chose, if the script asked for that in the last tick; true when it did.
    ///
    /// # Errors
    /// Why it cannot be kept.
    pub(super) fn keep(&self, stage: &mut Stage) -> Result<bool, String> {
        match &self.keeps_in {
            _ if !stage.input.take_save_asked() => Ok(false),
            Some(folder) => bindings::save(folder, stage.input.player()).map(|()| true),
            None => Ok(false),
        }
    }
}
