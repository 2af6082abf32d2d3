//! Health, balance and hit reactions of a character.

use serde::{Deserialize, Serialize};

use galatea_physics::ragdoll::RagdollQuality;

/// Reaction of a character to a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum HitReaction {
    /// No visible reaction.
    None,
    /// The limb that was hit yields for a moment.
    Flinch,
    /// The whole upper body yields and recovers.
    Brace,
    /// The character is pushed away and recovers its balance with a step.
    Stagger,
    /// The character falls.
    Fall,
}

impl HitReaction {
    /// All reactions, from the weakest to the strongest.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Flinch,
        Self::Brace,
        Self::Stagger,
        Self::Fall,
    ];

    /// Returns the word that scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Flinch => "flinch",
            Self::Brace => "brace",
            Self::Stagger => "stagger",
            Self::Fall => "fall",
        }
    }

    /// Returns the reaction with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

/// Health, balance and thresholds of hit reactions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vitals {
    /// Health, 0..=1; the character is dead at 0.
    pub health: f32,
    /// Stability: 1 like a human, 0 falls at the slightest touch.
    pub balance: f32,
    /// The character does not get up.
    pub is_dead: bool,
    /// Time lying still after which it gets up on its own, seconds; `None` waits for a command.
    pub get_up_delay: Option<f32>,
    /// Flying objects hit the character. `None`: only while its limbs are simulated.
    pub hit_on_touch: Option<bool>,
    /// Thresholds for flinch, brace, stagger and fall: the hit's impulse divided by the body's mass, metres per second.
    pub thresholds: [f32; 4],
    /// Effort of the solver for the ragdoll.
    pub ragdoll_quality: RagdollQuality,
}

impl Default for Vitals {
    fn default() -> Self {
        Self {
            health: 1.0,
            balance: 1.0,
            is_dead: false,
            get_up_delay: Some(0.6),
            hit_on_touch: None,
            thresholds: [0.01, 0.35, 0.9, 1.9],
            ragdoll_quality: RagdollQuality::Exact,
        }
    }
}

impl Vitals {
    /// Takes over the run-time value of each field for which the main part of the script sets the same value (`begins`) as
    /// that of the previous version (`began`).
    pub fn take_over(&mut self, was: &Self, begins: &Self, began: &Self) {
        let same = |is_same: bool| is_same.then_some(was);
        if let Some(was) = same(begins.health == began.health) {
            self.health = was.health;
        }
        if let Some(was) = same(begins.balance == began.balance) {
            self.balance = was.balance;
        }
        if let Some(was) = same(begins.is_dead == began.is_dead && begins.health == began.health) {
            self.is_dead = was.is_dead;
        }
        if let Some(was) = same(begins.get_up_delay == began.get_up_delay) {
            self.get_up_delay = was.get_up_delay;
        }
        if let Some(was) = same(begins.thresholds == began.thresholds) {
            self.thresholds = was.thresholds;
        }
        if let Some(was) = same(begins.ragdoll_quality == began.ragdoll_quality) {
            self.ragdoll_quality = was.ragdoll_quality;
        }
    }

    /// Returns the reaction to a push. `speed`: impulse divided by the body's mass, metres per second. `lever`: height of
    /// the hit above the ground relative to that of the hips; a larger height has a longer lever.
    pub fn judge(&self, speed: f32, lever: f32) -> HitReaction {
        if self.is_dead {
            return HitReaction::Fall;
        }
        let firmness = self.balance.max(0.02) * (0.6 + 0.4 * self.health.clamp(0.0, 1.0));
        let effective = speed * (0.6 + 0.4 * lever.clamp(0.0, 2.0)) / firmness;
        let passed = self
            .thresholds
            .iter()
            .filter(|limit| effective >= **limit)
            .count();
        HitReaction::ALL[passed]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harder_hits_cause_stronger_reactions_and_weak_characters_fall_sooner() {
        let vitals = Vitals::default();
        let at = |vitals: &Vitals, speed| vitals.judge(speed, 1.0);
        assert_eq!(at(&vitals, 0.005), HitReaction::None);
        assert_eq!(at(&vitals, 0.2), HitReaction::Flinch);
        assert_eq!(at(&vitals, 0.6), HitReaction::Brace);
        assert_eq!(at(&vitals, 1.2), HitReaction::Stagger);
        assert_eq!(at(&vitals, 2.5), HitReaction::Fall);
        let weak = Vitals {
            health: 0.1,
            balance: 0.5,
            ..vitals
        };
        assert_eq!(at(&weak, 1.2), HitReaction::Fall);
        assert!(vitals.judge(0.3, 2.0) > vitals.judge(0.3, 0.0));
    }
}
