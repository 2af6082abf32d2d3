//! Feelings of a character: valence and arousal, and the expressions that show them.
//!
//! The two dimensions are those of Russell (1980): valence from -1 (bad) to 1 (good), arousal from -1 (sleepy) to 1
//! (excited).

use serde::{Deserialize, Serialize};

/// A feeling, as a point in the valence-arousal plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Feeling {
    /// Valence, from -1 (bad) to 1 (good).
    pub valence: f32,
    /// Arousal, from -1 (sleepy) to 1 (excited).
    pub arousal: f32,
}

/// Positions of emotions in the plane.
const EMOTIONS: [(&str, Feeling); 12] = [
    ("happiness", at(0.85, 0.3)),
    ("excitement", at(0.7, 0.85)),
    ("relaxed", at(0.6, -0.55)),
    ("surprise", at(0.1, 0.85)),
    ("fear", at(-0.6, 0.75)),
    ("anger", at(-0.75, 0.55)),
    ("disgust", at(-0.75, 0.2)),
    ("contempt", at(-0.5, -0.05)),
    ("sadness", at(-0.8, -0.4)),
    ("confusion", at(-0.2, 0.3)),
    ("concentration", at(0.05, 0.2)),
    ("desire", at(0.55, 0.45)),
];

/// Words for feelings that are not emotions.
const WORDS: [(&str, Feeling); 6] = [
    ("calm", at(0.3, -0.4)),
    ("tired", at(-0.2, -0.8)),
    ("bored", at(-0.35, -0.55)),
    ("tense", at(-0.35, 0.5)),
    ("alert", at(0.1, 0.5)),
    ("pain", at(-0.9, 0.6)),
];

/// Emotions that are blended to show a feeling.
const BLENDED: [&str; 6] = [
    "happiness",
    "excitement",
    "relaxed",
    "fear",
    "anger",
    "sadness",
];

const fn at(valence: f32, arousal: f32) -> Feeling {
    Feeling { valence, arousal }
}

impl Feeling {
    /// Returns the feeling of an emotion, or of a word like "calm".
    pub fn of(name: &str) -> Option<Self> {
        let name = super::recipe::words_for(&super::shape::key(name))
            .and_then(|words| words.first().copied())
            .filter(|usual| EMOTIONS.iter().any(|(known, _)| known == usual))
            .unwrap_or(name);
        let mut all = WORDS.iter().chain(&EMOTIONS);
        all.find(|(known, _)| *known == name)
            .map(|(_, feeling)| *feeling)
    }

    /// Returns every word that [`Feeling::of`] knows.
    pub fn words() -> impl Iterator<Item = &'static str> {
        EMOTIONS.iter().chain(&WORDS).map(|(name, _)| *name)
    }

    /// Returns the feeling clamped to the plane; NaN and infinite values become 0.
    pub fn clamped(self) -> Self {
        let one = |n: f32| {
            if n.is_finite() {
                n.clamp(-1.0, 1.0)
            } else {
                0.0
            }
        };
        Self {
            valence: one(self.valence),
            arousal: one(self.arousal),
        }
    }

    /// Returns the expressions that show the feeling, with their weights: the two nearest, weaker towards the centre of the
    /// plane.
    pub fn expressions(self) -> Vec<(&'static str, f32)> {
        let Self { valence, arousal } = self.clamped();
        let strength = valence.hypot(arousal).min(1.0);
        let mut near: Vec<(&str, f32)> = BLENDED
            .iter()
            .filter_map(|name| {
                let place = Self::of(name)?;
                // Compares only directions, because the strength must not affect the choice.
                let angle = place.arousal.atan2(place.valence) - arousal.atan2(valence);
                Some((*name, (0.5 * angle).sin().abs()))
            })
            .collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1));
        near.truncate(2);
        let affinity = |distance: f32| 1.0 / (distance + 0.02);
        let sum: f32 = near.iter().map(|(_, distance)| affinity(*distance)).sum();
        let weights = near
            .iter()
            .map(|(name, distance)| (*name, strength * affinity(*distance) / sum));
        weights.filter(|(_, weight)| *weight > 0.02).collect()
    }

    /// Returns the factor on the blink rate: higher when tense or excited, lower when sleepy or bored (Karson 1983: emotion
    /// and speech raise the rate, calm attention lowers it).
    pub fn blink_rate(self) -> f32 {
        let Self { valence, arousal } = self.clamped();
        (1.0 + 0.6 * arousal - 0.25 * valence.min(0.0)).clamp(0.4, 2.0)
    }

    /// Returns the change of the voice's level, dB.
    pub fn voice_gain(self) -> f32 {
        let Self { valence, arousal } = self.clamped();
        4.0 * arousal + 1.0 * valence.min(0.0)
    }

    /// Returns the factor on the walking speed: sad people walk more slowly, excited ones faster (Michalak et al. 2009: sad
    /// gait is about a sixth slower, with less arm swing and a slumped trunk).
    pub fn walk_speed_scale(self) -> f32 {
        let Self { valence, arousal } = self.clamped();
        (1.0 + 0.12 * arousal + 0.1 * valence).clamp(0.75, 1.25)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feeling_is_shown_by_the_nearest_emotions() {
        let first = |valence, arousal| at(valence, arousal).expressions()[0].0;
        assert_eq!(first(0.9, 0.3), "happiness");
        assert_eq!(first(-0.8, -0.4), "sadness");
        assert_eq!(first(-0.6, 0.75), "fear");
        assert_eq!(first(-0.75, 0.5), "anger");
        assert_eq!(first(0.5, -0.5), "relaxed");
        assert!(at(0.0, 0.0).expressions().is_empty());
        let sum = |feeling: Feeling| feeling.expressions().iter().map(|(_, w)| w).sum::<f32>();
        assert!((sum(at(0.3, 0.1)) - 0.316).abs() < 0.02);
        assert!(sum(at(9.0, f32::NAN)) <= 1.0);
    }

    #[test]
    fn words_give_feelings_in_every_spelling() {
        assert_eq!(Feeling::of("happy"), Feeling::of("happiness"));
        assert_eq!(Feeling::of("sorrow"), Feeling::of("sadness"));
        assert!(Feeling::of("calm").is_some_and(|f| f.arousal < 0.0 && f.valence > 0.0));
        assert_eq!(Feeling::of("purple"), None);
        for word in Feeling::words() {
            let feeling = Feeling::of(word).unwrap();
            assert!((0.4..=2.0).contains(&feeling.blink_rate()), "{word}");
            assert!(
                (0.75..=1.25).contains(&feeling.walk_speed_scale()),
                "{word}"
            );
        }
        assert!(
            Feeling::of("fear").unwrap().blink_rate() > Feeling::of("calm").unwrap().blink_rate()
        );
    }
}
