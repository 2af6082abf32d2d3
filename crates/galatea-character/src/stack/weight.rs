//! How much of a modifier shows: set, faded, driven by a curve of the clips, and by how far it is away.

/// A curve of the clips that a weight follows.
#[derive(Clone, Debug, PartialEq)]
pub struct ByCurve {
    /// Its name.
    pub name: String,
    /// Its place among the curves of a pose.
    pub index: usize,
}

/// A way from one weight to another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WeightFade {
    from: f32,
    to: f32,
    /// Seconds that have gone, and that it takes.
    t: f32,
    seconds: f32,
}

/// The weight of a modifier.
#[derive(Clone, Debug, PartialEq)]
pub struct ModifierWeight {
    /// 0..=1: as it was set, or is on its way to.
    pub now: f32,
    fade: Option<WeightFade>,
    /// The factor that a clip gives.
    pub curve: Option<ByCurve>,
    /// Metres from the camera beyond which nothing shows.
    pub within: Option<f32>,
    /// It is on.
    pub enabled: bool,
    /// All of that together, in the last tick.
    pub shown: f32,
}

impl Default for ModifierWeight {
    fn default() -> Self {
        Self::new(1.0)
    }
}

impl ModifierWeight {
    /// A weight that stays as it is.
    pub fn new(weight: f32) -> Self {
        Self {
            now: weight.clamp(0.0, 1.0),
            fade: None,
            curve: None,
            within: None,
            enabled: true,
            shown: 0.0,
        }
    }

    /// Sets it at once.
    pub fn set(&mut self, weight: f32) {
        self.now = weight.clamp(0.0, 1.0);
        self.fade = None;
    }

    /// Where it is, or goes.
    pub fn goal(&self) -> f32 {
        self.fade.map_or(self.now, |fade| fade.to)
    }

    /// Brings it to another in some seconds. One that is on its way there goes on.
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

    /// Moves on by `dt` seconds. `away`: metres from the camera.
    pub(super) fn advance(&mut self, dt: f32, curves: &[f32], away: f32) -> f32 {
        if let Some(fade) = &mut self.fade {
            fade.t += dt;
            let u = (fade.t / fade.seconds).min(1.0);
            // It begins and ends gently.
            self.now = fade.from + (fade.to - fade.from) * u * u * (3.0 - 2.0 * u);
            let (to, is_over) = (fade.to, u >= 1.0);
            if is_over {
                self.set(to);
            }
        }
        let curve = self.curve.as_ref();
        let curve = curve.map_or(1.0, |by| curves.get(by.index).copied().unwrap_or(0.0));
        // It goes in the last fifth of the way.
        let near = self.within.map_or(1.0, |within| {
            ((within - away) / (0.2 * within).max(1e-3)).clamp(0.0, 1.0)
        });
        let on = f32::from(u8::from(self.enabled));
        self.shown = on * self.now * curve.clamp(0.0, 1.0) * near;
        self.shown
    }

    /// Goes on from where that of the version before was, if it has the same goal.
    pub(super) fn take_over(&mut self, was: &Self) {
        if self.goal() == was.goal() {
            self.now = was.now;
            self.fade = was.fade;
        }
    }
}
