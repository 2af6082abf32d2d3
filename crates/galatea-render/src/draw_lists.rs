//! Lists of visible draws: opaque, blended, and the outlines of toon materials.

use super::draw::{Blending, Class, Draw, Style};
use super::material::Appearance;

/// Draw lists of the lit image.
pub struct DrawLists<'a> {
    pub solid: &'a mut Vec<Draw>,
    pub blended: &'a mut Vec<Draw>,
}

impl DrawLists<'_> {
    /// Adds a visible primitive. `blended_distance` is its distance along the view in metres; blended draws are sorted by
    /// it.
    pub fn add(&mut self, mut draw: Draw, look: &Appearance, blended_distance: f32) {
        if look.blending == Blending::Over {
            if look.has_core {
                let mut core = draw;
                core.style.blending = Blending::CutOut;
                self.solid.push(core);
            }
            draw.distance = blended_distance;
            self.blended.push(draw);
        } else {
            self.solid.push(draw);
        }
        if look.has_outline {
            draw.style = Style {
                blending: Blending::Opaque,
                class: Class::Outline,
                culls: true,
                ..draw.style
            };
            self.solid.push(draw);
        }
    }
}
