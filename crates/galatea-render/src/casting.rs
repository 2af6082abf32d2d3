//! Which maps of depth a picture has, and who casts into which.

use bytemuck::bytes_of;
use glam::Vec3;

use super::draw::ViewTarget;
use super::plan_context::PlanContext;
use super::sun::touches_ground;
use super::uniforms::{self, UNIFORM_STRIDE};
use galatea_stage::frame::Frame;

/// The most maps of depth in one picture: the bits of [`Draw::views`](super::draw::Draw::views).
const MOST_VIEWS: usize = 64;

/// Rebuilt in place every picture.
#[derive(Default)]
pub struct Casting {
    /// Maps of depth to draw.
    pub views: Vec<ViewTarget>,
    /// [`uniforms::GpuView`]s, [`UNIFORM_STRIDE`] apart.
    pub matrices: Vec<u8>,
    /// Something stands near the ground.
    pub has_contacts: bool,
}

impl Casting {
    /// Which maps of depth are drawn, from where.
    pub fn plan(&mut self, context: &PlanContext<'_>, frame: &Frame) {
        self.views.clear();
        self.matrices.clear();
        self.has_contacts = false;
        for (layer, fitted) in context.cascades.boxes().iter().enumerate() {
            let matrix = uniforms::columns(fitted.clip_from_world);
            self.add(ViewTarget::Sun(layer), matrix, true);
        }
        if frame.ground.is_some() {
            self.add(ViewTarget::Below, context.contact_from_world, false);
        }
        for view in &context.lamps.views {
            let texels = view.tile.map(|share| share * context.lamp_map as f32);
            self.add(ViewTarget::Lamp(texels), view.clip_from_world, false);
        }
    }

    fn add(&mut self, target: ViewTarget, clip_from_world: [[f32; 4]; 4], keeps_near: bool) {
        if self.views.len() >= MOST_VIEWS {
            return;
        }
        self.views.push(target);
        self.matrices
            .extend_from_slice(bytes_of(&uniforms::GpuView {
                clip_from_world,
                keeps_near: f32::from(u8::from(keeps_near)),
                padding_a: 0.0,
                padding_b: 0.0,
                padding_c: 0.0,
            }));
        self.matrices
            .resize(self.views.len() * UNIFORM_STRIDE as usize, 0);
    }

    /// Into which maps a model of these bounds casts: bit i is view i.
    pub fn of(&self, context: &PlanContext<'_>, frame: &Frame, bounds: (Vec3, f32)) -> u64 {
        let mut mask = 0;
        let mut lamp = 0;
        for (i, view) in self.views.iter().enumerate() {
            let is_caught = match view {
                ViewTarget::Sun(layer) => context.cascades.boxes()[*layer].catches(bounds),
                ViewTarget::Below => {
                    let whole = context.cascades.whole();
                    whole.is_some_and(|whole| touches_ground(frame, whole, bounds))
                }
                ViewTarget::Lamp(_) => {
                    lamp += 1;
                    context.lamps.reach[lamp - 1].holds(bounds)
                }
            };
            mask |= u64::from(is_caught) << i;
        }
        mask
    }

    /// Notes that somebody casts into the maps of a mask.
    pub fn note(&mut self, mask: u64) {
        let below = self.views.iter().position(|v| *v == ViewTarget::Below);
        self.has_contacts |= below.is_some_and(|i| mask >> i & 1 != 0);
    }
}
