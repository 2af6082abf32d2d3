//! How well a character stands what happens to it.

/// What a character does when it is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitReaction {
    /// Nothing that shows.
    None,
    /// The limb that was hit gives way for a moment.
    Flinch,
    /// The whole upper body gives way and comes back.
    Brace,
    /// It is pushed off its place and catches itself.
    Stagger,
    /// It falls.
    Fall,
}

impl HitReaction {
    /// All of them, from the least.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Flinch,
        Self::Brace,
        Self::Stagger,
        Self::Fall,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Flinch => "flinch",
            Self::Brace => "brace",
            Self::Stagger => "stagger",
            Self::Fall => "fall",
        }
    }

    /// The reaction of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

/// What a character has to stand a hit with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vitals {
    /// 0..=1; at 0 it is dead.
    pub health: f32,
    /// How firmly it stands: 1 as a human does, 0 falls at a touch.
    pub balance: f32,
    /// It does not get up.
    pub dead: bool,
    /// Seconds of stillness after which it gets up by itself; `None` waits to be told.
    pub get_up: Option<f32>,
    /// What flies into it hits it. Where nothing is said, while its limbs are bodies.
    pub touches: Option<bool>,
    /// Metres per second, the hit's impulse over the body's mass, from which it flinches, braces, staggers
    /// and falls.
    pub limits: [f32; 4],
}

impl Default for Vitals {
    fn default() -> Self {
        Self {
            health: 1.0,
            balance: 1.0,
            dead: false,
            get_up: Some(0.6),
            touches: None,
            limits: [0.01, 0.35, 0.9, 1.9],
        }
    }
}

impl Vitals {
    /// Takes over what became of this, field by field, where the main part of a script `begins` as that of
    /// the version before `began`.
    pub fn take_over(&mut self, was: &Self, begins: &Self, began: &Self) {
        let same = |is_same: bool| is_same.then_some(was);
        if let Some(was) = same(begins.health == began.health) {
            self.health = was.health;
        }
        if let Some(was) = same(begins.balance == began.balance) {
            self.balance = was.balance;
        }
        if let Some(was) = same(begins.dead == began.dead && begins.health == began.health) {
            self.dead = was.dead;
        }
        if let Some(was) = same(begins.get_up == began.get_up) {
            self.get_up = was.get_up;
        }
        if let Some(was) = same(begins.limits == began.limits) {
            self.limits = was.limits;
        }
    }

    /// What a push does to it: metres per second that its whole mass would have of it, and the height of
    /// the place over that of the hips, both over the ground; the higher, the longer the lever.
    pub fn judge(&self, speed: f32, lever: f32) -> HitReaction {
        if self.dead {
            return HitReaction::Fall;
        }
        let firm = self.balance.max(0.02) * (0.6 + 0.4 * self.health.clamp(0.0, 1.0));
        let felt = speed * (0.6 + 0.4 * lever.clamp(0.0, 2.0)) / firm;
        let passed = self.limits.iter().filter(|limit| felt >= **limit).count();
        HitReaction::ALL[passed]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harder_hit_does_more_and_the_weak_fall_sooner() {
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
