//! Images of particles, cut into cells.

use std::sync::Arc;

use galatea_asset::model::Image;
use galatea_emitter::{SpriteSheet, SpriteSheetError};

/// Maximum number of cached images.
const MAX_CUT: usize = 64;

/// An image, its number of columns and rows, and its cells.
type CutPicture = (Arc<Image>, (u32, u32), Arc<SpriteSheet>);

/// Cache of the most recently cut images.
#[derive(Default)]
pub(super) struct CutPictures(Vec<CutPicture>);

impl CutPictures {
    /// Returns an image cut into columns and rows. The same arguments return the same sprite sheet.
    ///
    /// # Errors
    /// Returns the reason if the image cannot be cut.
    pub fn cut(
        &mut self,
        image: Arc<Image>,
        cells: (u32, u32),
    ) -> Result<Arc<SpriteSheet>, SpriteSheetError> {
        let same = |(of, n, _): &&CutPicture| Arc::ptr_eq(of, &image) && *n == cells;
        if let Some((_, _, picture)) = self.0.iter().find(same) {
            return Ok(picture.clone());
        }
        let picture = SpriteSheet::cut(&image, cells.0, cells.1)?;
        if self.0.len() >= MAX_CUT {
            self.0.remove(0);
        }
        self.0.push((image, cells, picture.clone()));
        Ok(picture)
    }
}
