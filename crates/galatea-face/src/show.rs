//! Expressions while they show: how they come, stay and go.

use super::rig::FaceRig;

/// Expressions of one face at once.
pub const MOST_SHOWN: usize = 32;

/// Whose value it is. Those that come later are above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaceOwner {
    /// The lasting mood, and what passes over it.
    Mood,
    /// Marks of a line that is spoken.
    Speech,
    /// A script: it takes the place of all below.
    Script,
}

impl FaceOwner {
    /// As scripts write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mood => "mood",
            Self::Speech => "speech",
            Self::Script => "script",
        }
    }
}

/// What is shown: controls by their names, with weights. Names stay when the model changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mix {
    /// Name and weight.
    pub parts: Vec<(String, f32)>,
    /// The controls, in the same order; `None` for what this face cannot show.
    controls: Vec<Option<u16>>,
}

impl Mix {
    /// For a face.
    pub fn new(parts: Vec<(String, f32)>, rig: &FaceRig) -> Self {
        let mut mix = Self {
            parts,
            controls: Vec::new(),
        };
        mix.rebind(rig);
        mix
    }

    /// Finds its controls in another face.
    pub fn rebind(&mut self, rig: &FaceRig) {
        let found = self.parts.iter().map(|(name, _)| rig.find(name));
        self.controls = found.collect();
    }

    /// Controls and weights.
    pub fn controls(&self) -> impl Iterator<Item = (u16, f32)> + '_ {
        let pairs = self.controls.iter().zip(&self.parts);
        pairs.filter_map(|(control, (_, weight))| Some(((*control)?, *weight)))
    }

    /// What it is called: its one part, or all of them.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|(name, _)| name.as_str()).collect();
        names.join("+")
    }
}

/// Seconds in which an expression comes, stays and goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Envelope {
    /// Seconds until it is all there.
    pub onset: f32,
    /// Seconds for which it stays; `None` until it is let go.
    pub hold: Option<f32>,
    /// Seconds in which it goes.
    pub release: f32,
}

impl Envelope {
    /// One that passes: emotions on faces come within a third of a second, and stay for one to four (Ekman 2003).
    pub const PASSING: Self = Self {
        onset: 0.3,
        hold: Some(1.2),
        release: 0.5,
    };
    /// A micro-expression: a fifteenth to a fifth of a second in all (Ekman and Friesen 1969; Yan et al. 2013 measured
    /// half a second at most).
    pub const MICRO: Self = Self {
        onset: 0.06,
        hold: Some(0.06),
        release: 0.08,
    };
}

/// An expression that shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ActiveExpression {
    /// Its number.
    pub id: u64,
    /// What is shown.
    pub mix: Mix,
    /// Whose it is.
    pub owner: FaceOwner,
    /// 0..=1.
    pub intensity: f32,
    /// -1 only its left side..=1 only its right.
    pub side: f32,
    /// How it comes and goes.
    pub envelope: Envelope,
    /// A mood: it stays under others and gives way to them.
    pub lasting: bool,
    /// Seconds before it begins.
    pub delay: f32,
    /// How much of it is there, 0..=1.
    pub level: f32,
    /// Seconds since it began to come.
    pub(super) t: f32,
    /// Seconds since it began to go, and its level then.
    pub(super) going: Option<(f32, f32)>,
    /// A change of its strength in progress.
    pub(super) change: Option<ExpressionChange>,
}

/// A lasting expression that changes its strength.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpressionChange {
    intensity: f32,
    /// Of the parts of its mix, in their order.
    weights: Vec<f32>,
    /// Seconds until it is done.
    left: f32,
}

impl ActiveExpression {
    /// Begins.
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

    /// Its expressions with their weights, and its intensity, when the change in progress is done.
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

    /// Changes intensity and weights within some seconds, if the mix has the same parts; else returns false. It may be
    /// called in every tick: the change then follows with a lag of those seconds.
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

    /// Lets it go now, in some seconds or in its own.
    pub fn let_go(&mut self, seconds: Option<f32>) {
        if let Some(seconds) = seconds {
            self.envelope.release = seconds.max(0.0);
        }
        if self.going.is_none() {
            self.going = Some((0.0, self.level));
        }
    }

    /// It is on its way out.
    pub fn is_going(&self) -> bool {
        self.going.is_some()
    }

    /// Moves on; false when it is over.
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
            self.level = eased(self.t, self.envelope.onset);
            let end = self.envelope.hold.map(|hold| self.envelope.onset + hold);
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
            self.level = *from * (1.0 - eased(*t, self.envelope.release));
            return *t < self.envelope.release;
        }
        true
    }

    /// What shows of it, 0..=1.
    pub fn weight(&self) -> f32 {
        self.level * self.intensity
    }
}

/// Half a cosine from 0 to 1 in some seconds.
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
    fn it_comes_stays_and_goes_in_its_time() {
        let mut one = shown(Envelope {
            onset: 0.2,
            hold: Some(0.3),
            release: 0.4,
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
    fn it_is_let_go_from_where_it_is_and_long_steps_end_it_too() {
        let mut one = shown(Envelope {
            onset: 1.0,
            hold: None,
            release: 0.2,
        });
        assert!(one.advance(0.5));
        let before = one.weight();
        assert!((before - 0.4).abs() < 1e-3);
        one.let_go(Some(0.1));
        assert!(one.advance(0.001));
        assert!((one.weight() - before).abs() < 0.01, "no jump");
        assert!(!one.advance(0.2));
        assert_eq!(one.weight(), 0.0);
        assert!(!shown(Envelope::PASSING).advance(60.0));
        assert!(
            shown(Envelope {
                hold: None,
                ..Envelope::PASSING
            })
            .advance(60.0)
        );
    }
}
