//! A clip played once over whatever the machine does.

use crate::anim::{Clip, Mask, PlayMode};

/// How an action is played.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionOptions {
    /// Seconds to fade in.
    pub fade_in: f32,
    /// Seconds to fade out; begins so that it ends with the clip.
    pub fade_out: f32,
    /// Factor on the clip's speed, greater than 0.
    pub speed: f32,
    /// What happens at the end; a loop plays until it is stopped.
    pub mode: PlayMode,
    /// Bones it moves; `None` the whole body.
    pub mask: Option<Mask>,
    /// How much of it shows at most, 0..=1.
    pub weight: f32,
}

/// Why an action is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// It was played to its end.
    End,
    /// Another action took its place.
    Interrupted,
    /// It was told to stop.
    Stopped,
    /// The script or the model was reloaded.
    Reloaded,
}

impl EndReason {
    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Interrupted => "interrupted",
            Self::Stopped => "stopped",
            Self::Reloaded => "reloaded",
        }
    }
}

/// The end of an action; told exactly once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionEnd {
    /// Which action.
    pub id: u64,
    /// Why.
    pub reason: EndReason,
    /// Seconds after the step's start.
    pub offset: f64,
}

/// A playing action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Names it to the script; unique on the stage.
    pub id: u64,
    /// Clip index.
    pub clip: usize,
    /// How it is played.
    pub options: ActionOptions,
    /// Seconds of clip played.
    pub elapsed: f64,
    /// Seconds since it began.
    pub age: f64,
    /// Seconds since it was told to fade out, and why.
    pub leaving: Option<(f64, EndReason)>,
    told: bool,
}

impl Action {
    /// Begins an action.
    pub fn new(id: u64, clip: usize, options: ActionOptions) -> Self {
        Self {
            id,
            clip,
            options,
            elapsed: 0.0,
            age: 0.0,
            leaving: None,
            told: false,
        }
    }

    /// Tells it to fade out; the first reason stays.
    pub fn leave(&mut self, reason: EndReason) {
        self.leaving.get_or_insert((0.0, reason));
    }

    /// How much of it shows now, 0..=1.
    pub fn weight(&self) -> f32 {
        let rise = ramp(self.age, self.options.fade_in);
        let fall = match self.leaving {
            Some((since, _)) => 1.0 - ramp(since, self.options.fade_out),
            None => 1.0,
        };
        self.options.weight * rise * fall
    }

    /// Moves it on by `dt` seconds; returns its end when that falls into this step.
    pub fn advance(&mut self, clip: &Clip, dt: f64) -> Option<ActionEnd> {
        let speed = f64::from(self.options.speed);
        let duration = f64::from(clip.duration);
        self.age += dt;
        self.elapsed += dt * speed;
        if let Some((since, _)) = &mut self.leaving {
            *since += dt;
        }
        let fade_out = f64::from(self.options.fade_out) * speed;
        if self.options.mode == PlayMode::Once && self.elapsed + fade_out >= duration {
            self.leave(EndReason::End);
        }
        let (since, reason) = self.leaving?;
        let over = match reason {
            EndReason::End => self.elapsed >= duration,
            _ => since >= f64::from(self.options.fade_out),
        };
        if self.told || !over {
            return None;
        }
        self.told = true;
        let late = match reason {
            EndReason::End => (self.elapsed - duration) / speed,
            _ => since - f64::from(self.options.fade_out),
        };
        Some(ActionEnd {
            id: self.id,
            reason,
            offset: (dt - late).clamp(0.0, dt),
        })
    }

    /// True when it shows nothing any more and its end was told.
    pub fn is_over(&self) -> bool {
        self.told
            && self
                .leaving
                .is_some_and(|(since, _)| since >= f64::from(self.options.fade_out) - 1e-9)
    }
}

fn ramp(t: f64, fade: f32) -> f32 {
    if fade <= 0.0 {
        return 1.0;
    }
    let u = (t as f32 / fade).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(duration: f32) -> Clip {
        Clip {
            duration,
            ..Clip::default()
        }
    }

    fn options() -> ActionOptions {
        ActionOptions {
            fade_in: 0.1,
            fade_out: 0.2,
            speed: 1.0,
            mode: PlayMode::Once,
            mask: None,
            weight: 1.0,
        }
    }

    fn run(action: &mut Action, clip: &Clip, seconds: f64) -> Vec<ActionEnd> {
        let n = (seconds * 60.0).round() as usize;
        (0..n)
            .filter_map(|_| action.advance(clip, 1.0 / 60.0))
            .collect()
    }

    #[test]
    fn an_action_ends_exactly_once_at_the_clips_end_and_has_faded_by_then() {
        let clip = clip(1.0);
        let mut action = Action::new(7, 0, options());
        let ends = run(&mut action, &clip, 0.98);
        assert!(ends.is_empty());
        assert!(action.weight() < 0.1, "{}", action.weight());
        let ends = run(&mut action, &clip, 2.0);
        assert_eq!(ends.len(), 1);
        assert_eq!((ends[0].id, ends[0].reason), (7, EndReason::End));
        assert!(action.is_over());
        assert_eq!(action.weight(), 0.0);
    }

    #[test]
    fn a_stopped_loop_fades_and_says_stopped() {
        let clip = clip(0.5);
        let mut action = Action::new(
            1,
            0,
            ActionOptions {
                mode: PlayMode::Loop,
                ..options()
            },
        );
        assert!(run(&mut action, &clip, 3.0).is_empty());
        assert_eq!(action.weight(), 1.0);
        action.leave(EndReason::Stopped);
        action.leave(EndReason::Interrupted);
        let ends = run(&mut action, &clip, 1.0);
        assert_eq!(ends.len(), 1);
        assert_eq!(ends[0].reason, EndReason::Stopped);
    }
}
