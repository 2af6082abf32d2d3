//! Picture settings of a stage.

use serde::{Deserialize, Serialize};

use super::DebugView;
use super::frame::{PostProcessing, Quality};

/// Picture settings; the simulation does not depend on them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PictureSettings {
    /// Exposure, tone mapping, fog and grading.
    pub post_processing: PostProcessing,
    /// Quality; `None` leaves it to the renderer.
    pub quality: Option<Quality>,
    /// Draws skeletons over the picture.
    pub show_bones: bool,
    /// Debug view that replaces the materials of characters.
    pub view: Option<DebugView>,
}

impl PictureSettings {
    /// The defaults, for a new version of the script, except for the views that the user chose.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            show_bones: self.show_bones,
            view: self.view.clone(),
            ..Self::default()
        }
    }
}
