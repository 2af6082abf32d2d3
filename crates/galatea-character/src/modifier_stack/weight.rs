//! The blend weight of a modifier: set, faded, driven by a curve of the clips, and reduced by camera distance.

use serde::{Deserialize, Serialize};

/// A clip curve that drives a weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightCurve {
    /// Name of the curve.
    pub name: String,
    /// Index among the curves of a pose.
    pub index: usize,
}

/// A fade from one weight to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct WeightFade {
    from: f32,
    to: f32,
    /// Elapsed time and total duration, seconds.
    t: f32,
    seconds: f32,
}

/// The blend weight of a modifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModifierWeight {
    /// Base weight, 0..=1; may be fading.
    pub now: f32,
    fade: Option<WeightFade>,
    /// Clip curve that scales the weight.
    pub weight_curve: Option<WeightCurve>,
    /// Distance from the camera beyond which the modifier is off, metres.
    pub max_distance: Option<f32>,
    /// The modifier is on.
    pub enabled: bool,
    /// Effective weight of the last tick: the product of all factors.
    pub effective_weight: f32,
}

impl Default for ModifierWeight {
    fn default() -> Self {
        Self::new(1.0)
    }
}

impl ModifierWeight {
    /// Creates a constant weight.
    pub fn new(weight: f32) -> Self {
        Self {
            now: weight.clamp(0.0, 1.0),
            fade: None,
            weight_curve: None,
            max_distance: None,
            enabled: true,
            effective_weight: 0.0,
        }
    }

    /// Sets the weight immediately.
    pub fn set(&mut self, weight: f32) {
        self.now = weight.clamp(0.0, 1.0);
        self.fade = None;
    }

    /// Returns the weight at the end of the fade, or the current one.
    pub fn goal(&self) -> f32 {
        self.fade.map_or(self.now, |fade| fade.to)
    }

    /// Fades to another weight over some seconds. A fade to the same weight continues.
    pub fn fade(&mut self, weight: f32, seconds: f32) {
        let weight = weight.clamp(0.0, 1.0);
        if self.goal() == weight && seconds > 0.0 {
            return;
        }
        if seconds <= 0.0 {
            self.set(weight);
            return;
        }
        self.fade = Some(WeightFade {
            from: self.now,
            to: weight,
            t: 0.0,
            seconds,
        });
    }

    /// Advances by `dt` seconds and returns the effective weight. `away`: distance from the camera, metres.
    pub(super) fn advance(&mut self, dt: f32, curves: &[f32], away: f32) -> f32 {
        if let Some(fade) = &mut self.fade {
            fade.t += dt;
            let u = (fade.t / fade.seconds).min(1.0);
            // Smoothstep.
            self.now = fade.from + (fade.to - fade.from) * u * u * (3.0 - 2.0 * u);
            let (to, is_over) = (fade.to, u >= 1.0);
            if is_over {
                self.set(to);
            }
        }
        let curve = self.weight_curve.as_ref();
        let curve = curve.map_or(1.0, |by| curves.get(by.index).copied().unwrap_or(0.0));
        // The weight falls to 0 over the last fifth of the distance.
        let near = self.max_distance.map_or(1.0, |within| {
            ((within - away) / (0.2 * within).max(1e-3)).clamp(0.0, 1.0)
        });
        let on = f32::from(u8::from(self.enabled));
        self.effective_weight = on * self.now * curve.clamp(0.0, 1.0) * near;
        self.effective_weight
    }

    /// Continues from the weight of the previous script version, if both have the same target weight.
    pub(super) fn take_over(&mut self, was: &Self) {
        if self.goal() == was.goal() {
            self.now = was.now;
            self.fade = was.fade;
        }
    }
}
