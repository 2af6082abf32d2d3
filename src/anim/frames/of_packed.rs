//! Frames of stored clips.

use super::{FrameGrid, Frames};
use crate::anim::{PackedClip, Pose};

impl Frames {
    /// Frames of a stored clip, on the grid it was stored on. `edit` may change each pose before it is
    /// kept; a bone that it changes must have no track that is kept as keys.
    pub fn of_packed(
        clip: &PackedClip,
        rest: &Pose,
        morph_start: &[usize],
        mut edit: impl FnMut(f32, &mut Pose),
    ) -> Self {
        let grid = FrameGrid {
            start: clip.frame_time(0),
            rate: clip.frame_rate(),
            duration: clip.duration,
        };
        let frames = Self::new(grid, rest, |t, pose| {
            clip.sample(t, &mut pose.locals);
            clip.sample_morphs(t, morph_start, &mut pose.morphs);
            edit(t, pose);
        });
        let (bones, morphs) = clip.exact_tracks();
        let morphs = morphs
            .iter()
            .filter_map(|morph| Some((*morph_start.get(morph.part)?, morph.clone())));
        frames.with_exact(bones.to_vec(), morphs.collect())
    }
}
