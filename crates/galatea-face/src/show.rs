//! Active expressions: fade-in, hold and fade-out.

use serde::{Deserialize, Serialize};

use super::rig::FaceRig;

/// Maximum number of simultaneous expressions of one face.
pub const MAX_SHOWN: usize = 32;

/// Owner of a value. Later variants have priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FaceOwner {
    /// The lasting mood, and expressions that pass over it.
    Mood,
    /// Marks of a spoken line.
    Speech,
    /// A script, which replaces all others.
    Script,
}

impl FaceOwner {
    /// Returns the word that scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mood => "mood",
            Self::Speech => "speech",
            Self::Script => "script",
        }
    }
}

/// A weighted set of controls, by name. Names stay valid when the model changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mix {
    /// Names and weights.
    pub parts: Vec<(String, f32)>,
    /// Controls in the same order; `None` for those that this face cannot show.
    controls: Vec<Option<u16>>,
}

impl Mix {
    /// Creates a mix bound to a face.
    pub fn new(parts: Vec<(String, f32)>, rig: &FaceRig) -> Self {
        let mut mix = Self {
            parts,
            controls: Vec::new(),
        };
        mix.rebind(rig);
        mix
    }

    /// Rebinds the mix to another face.
    pub fn rebind(&mut self, rig: &FaceRig) {
        let found = self.parts.iter().map(|(name, _)| rig.find(name));
        self.controls = found.collect();
    }

    /// Returns the controls with their weights.
    pub fn controls(&self) -> impl Iterator<Item = (u16, f32)> + '_ {
        let pairs = self.controls.iter().zip(&self.parts);
        pairs.filter_map(|(control, (_, weight))| Some(((*control)?, *weight)))
    }

    /// Returns the name: its only part, or all parts joined by `+`.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|(name, _)| name.as_str()).collect();
        names.join("+")
    }
}

/// Fade-in, hold and fade-out times of an expression, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// Time to full strength, seconds.
    pub fade_in: f32,
    /// Hold time, seconds; `None` holds until release.
    pub hold_time: Option<f32>,
    /// Fade-out time, seconds.
    pub fade_out: f32,
}

impl Envelope {
    /// A passing expression: emotions appear within a third of a second and last one to four seconds (Ekman 2003).
    pub const PASSING: Self = Self {
        fade_in: 0.3,
        hold_time: Some(1.2),
        fade_out: 0.5,
    };
    /// A micro-expression: 1/15 to 1/5 s in total (Ekman and Friesen 1969; Yan et al. 2013 measured at most half a second).
    pub const MICRO: Self = Self {
        fade_in: 0.06,
        hold_time: Some(0.06),
        fade_out: 0.08,
    };
}

/// An active expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActiveExpression {
    /// Id of the expression.
    pub id: u64,
    /// Controls and weights.
    pub mix: Mix,
    /// Owner of the expression.
    pub owner: FaceOwner,
    /// Intensity, 0..=1.
    pub intensity: f32,
    /// Side, from -1 (only the left side) to 1 (only the right side).
    pub side: f32,
    /// Fade times.
    pub envelope: Envelope,
    /// A lasting mood, which passing expressions suppress.
    pub lasting: bool,
    /// Remaining delay before the start, seconds.
    pub delay: f32,
    /// Current level of the fade, 0..=1.
    pub level: f32,
    /// Seconds since the fade-in started.
    pub(super) t: f32,
    /// Seconds since the fade-out started, and the level at its start.
    pub(super) going: Option<(f32, f32)>,
    /// Change of strength in progress.
    pub(super) change: Option<ExpressionChange>,
}

/// A lasting expression that changes its strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ExpressionChange {
    intensity: f32,
    /// Target weights of the parts of the mix, in order.
    weights: Vec<f32>,
    /// Remaining time, seconds.
    left: f32,
}

impl ActiveExpression {
    /// Starts an expression.
    pub fn new(id: u64, mix: Mix, owner: FaceOwner, intensity: f32, envelope: Envelope) -> Self {
        Self {
            id,
            mix,
            owner,
            intensity,
            side: 0.0,
            envelope,
            lasting: false,
            delay: 0.0,
            level: 0.0,
            t: 0.0,
            going: None,
            change: None,
        }
    }

    /// Returns the expressions with their weights, and the intensity, at the end of the change in progress.
    pub(super) fn goal(&self) -> (Vec<(String, f32)>, f32) {
        let mut parts = self.mix.parts.clone();
        let Some(change) = &self.change else {
            return (parts, self.intensity);
        };
        for ((_, weight), goal) in parts.iter_mut().zip(&change.weights) {
            *weight = *goal;
        }
        (parts, change.intensity)
    }

    /// Changes intensity and weights over some seconds, if the mix has the same parts; otherwise returns false. It may be
    /// called in every tick; the change then follows with a lag of that time.
    pub fn change_to(&mut self, mix: &Mix, intensity: f32, seconds: f32) -> bool {
        fn names(mix: &Mix) -> impl Iterator<Item = &String> {
            mix.parts.iter().map(|(name, _)| name)
        }
        if !names(&self.mix).eq(names(mix)) {
            return false;
        }
        self.change = Some(ExpressionChange {
            intensity,
            weights: mix.parts.iter().map(|(_, weight)| *weight).collect(),
            left: seconds.max(0.0),
        });
        true
    }

    fn advance_change(&mut self, dt: f32) {
        let Some(change) = &mut self.change else {
            return;
        };
        let step = if change.left > dt {
            dt / change.left
        } else {
            1.0
        };
        self.intensity += (change.intensity - self.intensity) * step;
        for ((_, weight), goal) in self.mix.parts.iter_mut().zip(&change.weights) {
            *weight += (goal - *weight) * step;
        }
        change.left -= dt;
        if step >= 1.0 {
            self.change = None;
        }
    }

    /// Starts the fade-out over `seconds`, or over the expression's own release time.
    pub fn release(&mut self, seconds: Option<f32>) {
        if let Some(seconds) = seconds {
            self.envelope.fade_out = seconds.max(0.0);
        }
        if self.going.is_none() {
            self.going = Some((0.0, self.level));
        }
    }

    /// Returns true during the fade-out.
    pub fn is_going(&self) -> bool {
        self.going.is_some()
    }

    /// Advances by `dt` seconds; returns false when the expression has ended.
    pub(super) fn advance(&mut self, dt: f32) -> bool {
        self.advance_change(dt);
        let mut dt = dt;
        if self.delay > 0.0 && self.going.is_none() {
            self.delay -= dt;
            if self.delay > 0.0 {
                return true;
            }
            dt = -self.delay;
        }
        if self.going.is_none() {
            self.t += dt;
            self.level = eased(self.t, self.envelope.fade_in);
            let end = self
                .envelope
                .hold_time
                .map(|hold| self.envelope.fade_in + hold);
            match end {
                Some(end) if self.t >= end => {
                    dt = self.t - end;
                    self.going = Some((0.0, 1.0));
                }
                _ => return true,
            }
        }
        if let Some((t, from)) = &mut self.going {
            *t += dt;
            self.level = *from * (1.0 - eased(*t, self.envelope.fade_out));
            return *t < self.envelope.fade_out;
        }
        true
    }

    /// Returns the effective weight, 0..=1.
    pub fn weight(&self) -> f32 {
        self.level * self.intensity
    }
}

/// Cosine ease from 0 to 1 over some seconds.
fn eased(t: f32, seconds: f32) -> f32 {
    if seconds <= 0.0 {
        return 1.0;
    }
    let u = (t / seconds).clamp(0.0, 1.0);
    0.5 - 0.5 * (std::f32::consts::PI * u).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(envelope: Envelope) -> ActiveExpression {
        ActiveExpression::new(1, Mix::default(), FaceOwner::Mood, 0.8, envelope)
    }

    #[test]
    fn an_expression_follows_its_envelope() {
        let mut one = shown(Envelope {
            fade_in: 0.2,
            hold_time: Some(0.3),
            fade_out: 0.4,
        });
        let mut levels = Vec::new();
        let mut n = 0;
        while one.advance(0.01) && n < 1000 {
            levels.push(one.weight());
            n += 1;
        }
        assert!((88..=91).contains(&n), "{n}");
        assert!(
            (levels[9] - 0.4).abs() < 0.01,
            "half way up after half the onset"
        );
        assert!(levels[20..49].iter().all(|w| (w - 0.8).abs() < 1e-4));
        assert!((levels[69] - 0.4).abs() < 0.02);
        let steps = levels.windows(2).map(|w| (w[1] - w[0]).abs());
        assert!(steps.fold(0.0, f32::max) < 0.07, "no jump");
    }

    #[test]
    fn release_starts_from_the_current_level_and_long_steps_end_it() {
        let mut one = shown(Envelope {
            fade_in: 1.0,
            hold_time: None,
            fade_out: 0.2,
        });
        assert!(one.advance(0.5));
        let before = one.weight();
        assert!((before - 0.4).abs() < 1e-3);
        one.release(Some(0.1));
        assert!(one.advance(0.001));
        assert!((one.weight() - before).abs() < 0.01, "no jump");
        assert!(!one.advance(0.2));
        assert_eq!(one.weight(), 0.0);
        assert!(!shown(Envelope::PASSING).advance(60.0));
        assert!(
            shown(Envelope {
                hold_time: None,
                ..Envelope::PASSING
            })
            .advance(60.0)
        );
    }
}
