//! Attention: selects one of several gaze candidates.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A possible gaze target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Id of the candidate, stable over ticks.
    pub id: u64,
    /// Position, model space, metres.
    pub position: Vec3,
    /// Interest, 0 or more; 1 is normal.
    pub interest: f32,
    /// Radius of the face, metres; 0 without a face.
    pub radius: f32,
}

/// Settings of attention.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionOptions {
    /// Minimum time on a candidate while it is present, seconds.
    pub dwell: f32,
    /// Factor by which another candidate must score higher before attention shifts, 1 or more.
    pub margin: f32,
    /// Distance at which interest is halved, metres.
    pub near: f32,
    /// Time in which the current target becomes boring, seconds; it recovers in twice that time.
    pub boredom: f32,
    /// Time in which a new candidate draws extra attention, seconds (orienting response, Sokolov 1963).
    pub novelty: f32,
}

impl Default for AttentionOptions {
    fn default() -> Self {
        Self {
            dwell: 1.2,
            margin: 1.25,
            near: 3.0,
            boredom: 6.0,
            novelty: 2.0,
        }
    }
}

/// Fraction of the interest that a completely boring candidate keeps.
const MIN_FRESHNESS: f32 = 0.45;
/// Factor of interest of a completely new candidate.
const NOVELTY_FACTOR: f32 = 2.0;
/// Maximum number of remembered candidates, and seconds after which an absent one counts as new again.
const MAX_REMEMBERED: usize = 64;
const FORGET_AFTER_S: f32 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct SeenCandidate {
    id: u64,
    /// Boredom, 0 (fresh) to 1.
    boring: f32,
    /// Seconds since the candidate was first seen, and since it was last present.
    age: f32,
    absent: f32,
}

/// State of attention: the current target and the remembered candidates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attention {
    at: Option<u64>,
    /// Seconds on the current target.
    dwelt: f32,
    known: Vec<SeenCandidate>,
    is_started: bool,
}

impl Attention {
    /// Id of the current target.
    pub fn at(&self) -> Option<u64> {
        self.at
    }

    /// Advances by `dt` seconds and selects a candidate, as seen from `eye` with the body facing `ahead`, model space.
    /// Returns `None` without an interesting candidate.
    pub fn choose(
        &mut self,
        options: &AttentionOptions,
        candidates: &[Candidate],
        eye: Vec3,
        ahead: Vec3,
        dt: f32,
    ) -> Option<Candidate> {
        self.remember(options, candidates, dt);
        self.dwelt += dt;
        let score = |candidate: &Candidate| self.score(options, candidate, eye, ahead);
        let mut best: Option<(f32, &Candidate)> = None;
        for candidate in candidates {
            let value = score(candidate);
            if value > 0.0 && best.is_none_or(|(best_value, _)| value > best_value) {
                best = Some((value, candidate));
            }
        }
        let current = candidates
            .iter()
            .find(|candidate| Some(candidate.id) == self.at)
            .map(|candidate| (score(candidate), candidate))
            .filter(|(value, _)| *value > 0.0);
        let chosen = match (current, best) {
            (Some((now, current_target)), Some((best_value, candidate))) => {
                let leaves =
                    self.dwelt >= options.dwell && best_value > now * options.margin.max(1.0);
                Some(if leaves { *candidate } else { *current_target })
            }
            (None, best) => best.map(|(_, candidate)| *candidate),
            (Some((_, current_target)), None) => Some(*current_target),
        };
        let id = chosen.map(|candidate| candidate.id);
        if id != self.at {
            self.at = id;
            self.dwelt = 0.0;
        }
        chosen
    }

    fn score(
        &self,
        options: &AttentionOptions,
        candidate: &Candidate,
        eye: Vec3,
        ahead: Vec3,
    ) -> f32 {
        let to = candidate.position - eye;
        let distance = to.length();
        if !distance.is_finite() || !candidate.interest.is_finite() {
            return 0.0;
        }
        let near = 1.0 / (1.0 + distance / options.near.max(1e-3));
        let cos = to.try_normalize().map_or(1.0, |to| to.dot(ahead));
        let before = 0.15 + 0.85 * (0.5 + 0.5 * cos.clamp(-1.0, 1.0));
        let known = self.known.iter().find(|known| known.id == candidate.id);
        let (boring, age) = known.map_or((0.0, f32::MAX), |known| (known.boring, known.age));
        let fresh = 1.0 - (1.0 - MIN_FRESHNESS) * boring;
        let new = 1.0 + (NOVELTY_FACTOR - 1.0) * (1.0 - age / options.novelty.max(1e-3)).max(0.0);
        candidate.interest.max(0.0) * near * before * fresh * new
    }

    fn remember(&mut self, options: &AttentionOptions, candidates: &[Candidate], dt: f32) {
        let rate = dt / options.boredom.max(1e-3);
        for known in &mut self.known {
            let change = if Some(known.id) == self.at {
                (1.0 - known.boring) * rate
            } else {
                -known.boring * rate * 0.5
            };
            known.boring = (known.boring + change).clamp(0.0, 1.0);
            known.age += dt;
            known.absent += dt;
        }
        for candidate in candidates {
            let known = self.known.iter_mut().find(|known| known.id == candidate.id);
            if let Some(known) = known {
                known.absent = 0.0;
            } else if self.known.len() < MAX_REMEMBERED {
                self.known.push(SeenCandidate {
                    id: candidate.id,
                    boring: 0.0,
                    // Candidates present at the start are not new.
                    age: if self.is_started {
                        0.0
                    } else {
                        options.novelty
                    },
                    absent: 0.0,
                });
            }
        }
        self.known.retain(|known| known.absent < FORGET_AFTER_S);
        self.is_started = true;
    }
}

/// Raises the interest of the current speaker of a conversation fourfold if it is among the candidates. A character that
/// speaks itself looks at the others in turn as they become boring.
pub fn converse(candidates: &mut [Candidate], speaker: Option<u64>) {
    for candidate in candidates {
        if Some(candidate.id) == speaker {
            candidate.interest *= 4.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    fn candidate(id: u64, position: Vec3, interest: f32) -> Candidate {
        Candidate {
            id,
            position,
            interest,
            radius: 0.1,
        }
    }

    /// Records the targets and how long each was looked at, over `seconds`.
    fn watch(
        seconds: f32,
        mut scene: impl FnMut(f32) -> Vec<Candidate>,
    ) -> Vec<(Option<u64>, f32)> {
        let (mut attention, mut out) = (Attention::default(), Vec::new());
        for i in 0..(seconds * 60.0) as u32 {
            let scene = scene(i as f32 / 60.0);
            let options = AttentionOptions::default();
            attention.choose(&options, &scene, Vec3::ZERO, Vec3::Z, 1.0 / 60.0);
            match out.last_mut() {
                Some((id, dwelt)) if *id == attention.at() => *dwelt += 1.0 / 60.0,
                _ => out.push((attention.at(), 1.0 / 60.0)),
            }
        }
        out
    }

    #[test]
    fn two_equal_candidates_are_looked_at_in_turn_without_flicker() {
        let mut chance = RandomSource::new(1);
        let looks = watch(120.0, |_| {
            let mut wobble = || 1.0 + 0.08 * chance.about_zero();
            let (a, b) = (wobble(), wobble());
            vec![
                candidate(1, Vec3::new(1.0, 0.0, 2.0), a),
                candidate(2, Vec3::new(-1.0, 0.0, 2.0), b),
            ]
        });
        assert!((10..60).contains(&looks.len()), "{}", looks.len());
        let last = looks.len() - 1;
        assert!(looks[..last].iter().all(|(_, s)| *s >= 1.19), "{looks:?}");
    }

    #[test]
    fn near_interesting_and_new_candidates_are_preferred() {
        let [near, far] = [Vec3::Z, Vec3::Z * 8.0];
        let first = watch(0.1, |_| {
            vec![candidate(1, far, 1.0), candidate(2, near, 1.0)]
        });
        assert_eq!(first[0].0, Some(2));
        let first = watch(0.1, |_| {
            vec![candidate(1, far, 5.0), candidate(2, near, 1.0)]
        });
        assert_eq!(first[0].0, Some(1));
        let behind = watch(0.1, |_| {
            vec![candidate(1, -near, 1.0), candidate(2, near, 1.0)]
        });
        assert_eq!(behind[0].0, Some(2));
        let looks = watch(6.0, |t| {
            let mut scene = vec![candidate(1, near, 1.0)];
            if t >= 3.0 {
                scene.push(candidate(2, near + Vec3::X * 0.2, 0.95));
            }
            scene
        });
        assert_eq!(looks[1].0, Some(2));
        assert!((looks[0].1 - 3.0).abs() < 0.05, "{looks:?}");
        let nothing = watch(1.0, |_| Vec::new());
        assert!(nothing.len() == 1 && nothing[0].0.is_none());
    }

    #[test]
    fn in_a_conversation_of_three_the_speaker_is_looked_at() {
        let looks = watch(60.0, |t| {
            let mut scene = vec![
                candidate(1, Vec3::new(1.0, 0.0, 1.5), 1.0),
                candidate(2, Vec3::new(-1.0, 0.0, 1.5), 1.0),
            ];
            converse(&mut scene, Some(if t < 30.0 { 1 } else { 2 }));
            scene
        });
        let at = |id| {
            let looks = looks.iter().filter(|(at, _)| *at == Some(id));
            looks.map(|(_, s)| *s).sum::<f32>()
        };
        assert!(
            (at(1) - 30.0).abs() < 2.0 && (at(2) - 30.0).abs() < 2.0,
            "{looks:?}"
        );
    }
}
