//! Restores a face after a hot reload.

use super::baseline::FaceBaseline;
use super::show::ActiveExpression;
use super::state::{ControlOverride, Face, MicroExpression};

fn baseline_of(face: &Face) -> FaceBaseline {
    let leak = face.micro_expression.as_ref();
    let held = face.overrides.iter().filter(|held| !held.is_leaving());
    FaceBaseline {
        mood: face.mood().map(ActiveExpression::goal),
        goal: face.goal,
        micro_expression: leak.map(|leak: &MicroExpression| {
            ((leak.mix.parts.clone(), leak.intensity), leak.interval)
        }),
        overrides: held.map(|held| (held.name.clone(), held.value)).collect(),
    }
}

impl Face {
    /// Returns the lasting mood.
    fn mood(&self) -> Option<&ActiveExpression> {
        let mut shown = self.expressions.iter().rev();
        shown.find(|shown| shown.lasting && !shown.is_going())
    }

    /// Records the state at the end of the script's main part.
    pub fn record_baseline(&mut self) {
        self.baseline = baseline_of(self);
    }

    /// Continues from the face that this one replaces after a hot reload: feeling and passing expressions, and mood,
    /// leak and overridden controls as far as the new version of the script does not change them.
    pub fn continue_from(&mut self, was: Self) {
        let own = baseline_of(self);
        let mood_unchanged = own.mood == was.baseline.mood && own.goal == was.baseline.goal;
        if mood_unchanged {
            self.goal = was.goal;
        }
        if own.micro_expression == was.baseline.micro_expression {
            self.micro_expression.clone_from(&was.micro_expression);
        }
        self.continue_held(&own, &was);
        (self.feeling, self.random) = (was.feeling, was.random);
        self.own_lids = was.own_lids;
        self.next_id = self.next_id.max(was.next_id);
        if mood_unchanged {
            self.expressions.retain(|shown| !shown.lasting);
        }
        for old in was.expressions {
            if old.lasting && mood_unchanged {
                self.expressions.push(old);
                continue;
            }
            let name = old.mix.name();
            let known = self
                .expressions
                .iter_mut()
                .find(|own| own.mix.name() == name);
            match known {
                Some(own) if own.lasting && old.lasting => {
                    *own = ActiveExpression {
                        id: own.id,
                        mix: own.mix.clone(),
                        intensity: own.intensity,
                        ..old
                    }
                }
                Some(_) => {}
                None if !old.lasting => self.expressions.push(old),
                None => {}
            }
        }
    }

    fn continue_held(&mut self, own: &FaceBaseline, was: &Self) {
        for old in &was.overrides {
            if own.held(&old.name) != was.baseline.held(&old.name) {
                continue;
            }
            let known = self.overrides.iter_mut().find(|held| held.name == old.name);
            match known {
                Some(held) => held.clone_from(old),
                None => self.overrides.push(old.clone()),
            }
        }
        // Controls that were released at run time stay released.
        let is_still_held = |held: &ControlOverride| {
            own.held(&held.name) != was.baseline.held(&held.name)
                || was.overrides.iter().any(|old| old.name == held.name)
        };
        self.overrides.retain(is_still_held);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::FaceRig;
    use super::super::show::Mix;
    use super::*;

    fn mood(name: &str) -> Mix {
        Mix::new(vec![(name.to_owned(), 1.0)], &FaceRig::default())
    }

    /// Creates a face in its state after the main part of a script.
    fn begun(main: impl Fn(&mut Face)) -> Face {
        let mut face = Face::new(1);
        main(&mut face);
        face.record_baseline();
        face
    }

    /// Returns the face of a new version that replaces a running one.
    fn reloaded(
        old: impl Fn(&mut Face),
        play: impl Fn(&mut Face),
        new: impl Fn(&mut Face),
    ) -> Face {
        let mut was = begun(old);
        play(&mut was);
        let mut face = begun(new);
        face.continue_from(was);
        face
    }

    fn mood_of(face: &Face) -> Option<String> {
        face.mood().map(|mood| mood.mix.name())
    }

    #[test]
    fn a_running_mood_is_kept_unless_the_script_changes_its_own() {
        let happy = |face: &mut Face| face.set_mood(mood("happiness"), 0.8, 0.0);
        let sad = |face: &mut Face| face.set_mood(mood("sadness"), 0.8, 0.0);
        let none = |_: &mut Face| {};
        assert_eq!(
            mood_of(&reloaded(none, happy, none)).as_deref(),
            Some("happiness")
        );
        assert_eq!(
            mood_of(&reloaded(sad, happy, sad)).as_deref(),
            Some("happiness")
        );
        assert_eq!(
            mood_of(&reloaded(none, happy, sad)).as_deref(),
            Some("sadness")
        );
        assert_eq!(mood_of(&reloaded(happy, none, none)), None);
        let ended = |face: &mut Face| face.set_mood(Mix::default(), 0.0, 0.0);
        assert_eq!(mood_of(&reloaded(happy, ended, happy)), None);
    }

    #[test]
    fn a_mood_set_in_every_tick_fades_in_and_follows_its_strength() {
        let mut face = Face::new(1);
        let weight = |face: &Face| face.mood().map_or(0.0, ActiveExpression::weight);
        for _ in 0..60 {
            face.set_mood(mood("happiness"), 0.8, 0.5);
            face.advance(1.0 / 60.0);
        }
        assert!((weight(&face) - 0.8).abs() < 1e-3, "{}", weight(&face));
        assert_eq!(face.expressions.len(), 1);
        // A new strength is reached within the fade, without a jump.
        face.set_mood(mood("happiness"), 0.2, 0.5);
        let mut last = weight(&face);
        for _ in 0..31 {
            face.advance(1.0 / 60.0);
            assert!((weight(&face) - last).abs() < 0.03);
            last = weight(&face);
        }
        assert!((last - 0.2).abs() < 1e-3, "{last}");
    }

    #[test]
    fn overridden_controls_and_micro_expressions_follow_the_same_rule() {
        let rig = FaceRig::default();
        let open = |face: &mut Face| face.hold(&rig, "jawOpen", 0.5, 0.0);
        let wide = |face: &mut Face| face.hold(&rig, "jawOpen", 0.9, 0.0);
        let shut = |face: &mut Face| {
            face.release_control(None, 0.0);
        };
        let none = |_: &mut Face| {};
        let value = |face: &Face| face.overrides.first().map(|held| held.value);
        assert_eq!(value(&reloaded(none, open, none)), Some(0.5));
        assert_eq!(value(&reloaded(open, wide, open)), Some(0.9));
        assert_eq!(value(&reloaded(open, none, wide)), Some(0.9));
        assert_eq!(value(&reloaded(open, none, none)), None);
        assert_eq!(value(&reloaded(open, shut, open)), None);
        let leaks = |face: &mut Face| face.set_micro_expression(mood("contempt"), 0.4, [3.0, 8.0]);
        assert!(reloaded(none, leaks, none).micro_expression.is_some());
        assert!(reloaded(leaks, none, none).micro_expression.is_none());
    }
}
