//! Attention: which of several things is looked at.

use glam::Vec3;

/// Something that could be looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// What it is; the same from tick to tick.
    pub id: u64,
    /// Where it is, model space, metres.
    pub place: Vec3,
    /// How interesting it is, 0 or more; 1 is usual.
    pub interest: f32,
    /// Radius of a face, metres; 0 for what has none.
    pub radius: f32,
}

/// How attention goes from one to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionOptions {
    /// Seconds at one at least, while it is there.
    pub dwell: f32,
    /// How many times more interesting another must be, 1 or more.
    pub margin: f32,
    /// Distance at which interest is half, metres.
    pub near: f32,
    /// Seconds in which what is looked at becomes boring; it becomes interesting again in twice the time.
    pub boredom: f32,
    /// Seconds in which what is new stops to draw looks (orienting response, Sokolov 1963).
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

/// Share of its interest that a thing keeps when it is wholly boring.
const BORING: f32 = 0.45;
/// How many times more interesting what is wholly new is.
const NEW: f32 = 2.0;
/// Things that are remembered at most, and seconds after which one that is gone is new again.
const MOST: usize = 64;
const FORGOTTEN: f32 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq)]
struct SeenCandidate {
    id: u64,
    /// 0 fresh..=1 boring.
    boring: f32,
    /// Seconds since it was first seen, and since it was last there.
    age: f32,
    absent: f32,
}

/// Who is looked at, and what was seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attention {
    at: Option<u64>,
    /// Seconds at it.
    dwelt: f32,
    known: Vec<SeenCandidate>,
    is_started: bool,
}

impl Attention {
    /// What is looked at.
    pub fn at(&self) -> Option<u64> {
        self.at
    }

    /// Moves on by `dt` seconds and chooses among what there is, seen from `eye` with `ahead` as the way
    /// that the body faces, model space. `None` when there is nothing of interest.
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
            let worth = score(candidate);
            if worth > 0.0 && best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, candidate));
            }
        }
        let current = candidates
            .iter()
            .find(|candidate| Some(candidate.id) == self.at)
            .map(|candidate| (score(candidate), candidate))
            .filter(|(worth, _)| *worth > 0.0);
        let chosen = match (current, best) {
            (Some((now, kept)), Some((most, other))) => {
                let leaves = self.dwelt >= options.dwell && most > now * options.margin.max(1.0);
                Some(if leaves { *other } else { *kept })
            }
            (None, best) => best.map(|(_, candidate)| *candidate),
            (Some((_, kept)), None) => Some(*kept),
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
        let to = candidate.place - eye;
        let distance = to.length();
        if !distance.is_finite() || !candidate.interest.is_finite() {
            return 0.0;
        }
        let near = 1.0 / (1.0 + distance / options.near.max(1e-3));
        let cos = to.try_normalize().map_or(1.0, |to| to.dot(ahead));
        let before = 0.15 + 0.85 * (0.5 + 0.5 * cos.clamp(-1.0, 1.0));
        let known = self.known.iter().find(|known| known.id == candidate.id);
        let (boring, age) = known.map_or((0.0, f32::MAX), |known| (known.boring, known.age));
        let fresh = 1.0 - (1.0 - BORING) * boring;
        let new = 1.0 + (NEW - 1.0) * (1.0 - age / options.novelty.max(1e-3)).max(0.0);
        candidate.interest.max(0.0) * near * before * fresh * new
    }

    fn remember(&mut self, options: &AttentionOptions, candidates: &[Candidate], dt: f32) {
        let rate = dt / options.boredom.max(1e-3);
        for known in &mut self.known {
            let goes = if Some(known.id) == self.at {
                (1.0 - known.boring) * rate
            } else {
                -known.boring * rate * 0.5
            };
            known.boring = (known.boring + goes).clamp(0.0, 1.0);
            known.age += dt;
            known.absent += dt;
        }
        for candidate in candidates {
            let known = self.known.iter_mut().find(|known| known.id == candidate.id);
            if let Some(known) = known {
                known.absent = 0.0;
            } else if self.known.len() < MOST {
                self.known.push(SeenCandidate {
                    id: candidate.id,
                    boring: 0.0,
                    // What is there at the start is not new.
                    age: if self.is_started {
                        0.0
                    } else {
                        options.novelty
                    },
                    absent: 0.0,
                });
            }
        }
        self.known.retain(|known| known.absent < FORGOTTEN);
        self.is_started = true;
    }
}

/// In a conversation who speaks is looked at: four times the interest for the speaker among the
/// candidates, when it is one of them; who speaks himself goes round the others as they grow boring.
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
    use galatea_math::chance::Chance;

    fn candidate(id: u64, place: Vec3, interest: f32) -> Candidate {
        Candidate {
            id,
            place,
            interest,
            radius: 0.1,
        }
    }

    /// What was looked at and how long, over `seconds`.
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
    fn two_alike_are_looked_at_in_turn_and_nothing_flickers() {
        let mut chance = Chance::new(1);
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
    fn the_near_the_interesting_and_the_new_are_looked_at() {
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
    fn of_three_who_talk_the_speaker_is_looked_at() {
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
