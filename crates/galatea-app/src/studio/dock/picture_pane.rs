//! The picture of the game.

use egui::{Color32, Rect, TextureId, Ui, pos2};

/// The picture of the game.
pub struct PicturePane {
    /// Area in the last pass, points; not positive before the first one.
    pub area: Rect,
}

impl Default for PicturePane {
    fn default() -> Self {
        Self { area: Rect::ZERO }
    }
}

impl PicturePane {
    /// Paints the picture into the whole pane.
    pub fn show(&mut self, ui: &Ui, texture: Option<TextureId>) {
        self.area = ui.max_rect();
        if let Some(texture) = texture {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter()
                .image(texture, self.area, whole, Color32::WHITE);
        }
    }
}
