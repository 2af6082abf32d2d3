//! The character under a point of the picture.

use super::Session;

/// Length of the ray, metres.
const REACH: f32 = 1000.0;

impl Session {
    /// Returns the name of the character or prop that is drawn at a point of the picture, in fractions from the top left;
    /// `aspect` is width over height. The ray is tested against the posed meshes of the displayed stage.
    pub fn character_at(&self, at: [f32; 2], aspect: f32) -> Option<String> {
        let camera = self.stage.camera.camera(1.0);
        let along = self.stage.camera.through(at, aspect);
        let (from, to) = (camera.eye, camera.eye + along * REACH);
        let visible = self.stage.characters.iter();
        let visible = visible.filter(|(_, character)| !character.appearance.is_hidden);
        let hits = visible.filter_map(|(_, character)| {
            let (hit, _) = character.trace(from, to);
            Some((hit?.u, character))
        });
        let nearest = hits.min_by(|(a, _), (b, _)| a.total_cmp(b));
        nearest.map(|(_, character)| character.shown_name().to_owned())
    }
}
