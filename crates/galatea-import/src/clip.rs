//! Clips of a scene: keys of nodes and of morph weights, and time changes.

use glam::{Quat, Vec3};

#[derive(Debug, Default)]
pub struct SceneClip {
    pub name: String,
    pub tracks: Vec<SceneTrack>,
    /// Mesh node with morphs, key times, and for each key one weight per morph.
    pub weights: Vec<(usize, Vec<f32>, Vec<f32>)>,
}

/// Keys of one node, times ascending, seconds.
#[derive(Debug, Default)]
pub struct SceneTrack {
    pub node: usize,
    pub translations: Vec<(f32, Vec3)>,
    pub rotations: Vec<(f32, Quat)>,
    pub scales: Vec<(f32, Vec3)>,
}

impl SceneTrack {
    fn times(&self) -> impl Iterator<Item = f32> {
        let places = self.translations.iter().chain(&self.scales);
        let places = places.map(|key| key.0);
        places.chain(self.rotations.iter().map(|key| key.0))
    }

    fn change_times(&mut self, change: impl Fn(f32) -> f32) {
        let places = self.translations.iter_mut().chain(&mut self.scales);
        places.for_each(|key| key.0 = change(key.0));
        let turns = self.rotations.iter_mut();
        turns.for_each(|key| key.0 = change(key.0));
    }

    /// Time of the last key.
    pub fn end(&self) -> f32 {
        self.times().fold(0.0, f32::max)
    }

    /// Multiplies all times by a factor.
    pub fn slow(&mut self, by: f32) {
        self.change_times(|time| time * by);
    }
}

impl SceneClip {
    fn times(&self) -> impl Iterator<Item = f32> {
        let weights = self.weights.iter().flat_map(|(_, times, _)| times);
        let tracks = self.tracks.iter().flat_map(SceneTrack::times);
        tracks.chain(weights.copied())
    }

    /// Time of the last key; 0 if all keys are earlier.
    pub fn end(&self) -> f32 {
        self.times().fold(0.0, f32::max)
    }

    /// Shifts a clip that begins before time 0, which glTF forbids, to begin at 0.
    pub fn start_at_zero(&mut self) {
        let start = self.times().fold(0.0, f32::min);
        if start < 0.0 {
            let tracks = self.tracks.iter_mut();
            tracks.for_each(|track| track.change_times(|time| time - start));
            let times = self.weights.iter_mut().flat_map(|(_, times, _)| times);
            times.for_each(|time| *time -= start);
        }
    }

    /// Removes the keys before time 0; each track gets a key at 0 with its value there.
    pub fn cut_before_zero(&mut self) {
        for track in &mut self.tracks {
            cut(&mut track.translations, Vec3::lerp);
            cut(&mut track.scales, Vec3::lerp);
            cut(&mut track.rotations, Quat::slerp);
        }
        for (_, times, weights) in &mut self.weights {
            let n = weights.len() / times.len().max(1);
            let rows = weights.chunks(n.max(1)).map(<[f32]>::to_vec);
            let mut keys: Vec<(f32, Vec<f32>)> = times.iter().copied().zip(rows).collect();
            cut(&mut keys, |a, b, u| {
                a.iter().zip(&b).map(|(a, b)| a + (b - a) * u).collect()
            });
            *times = keys.iter().map(|key| key.0).collect();
            *weights = keys.into_iter().flat_map(|key| key.1).collect();
        }
    }
}

/// Removes the keys before time 0, with an interpolated key at 0.
fn cut<T: Clone>(keys: &mut Vec<(f32, T)>, mix: impl Fn(T, T, f32) -> T) {
    let first = keys.partition_point(|key| key.0 < 0.0);
    let Some(before) = first.checked_sub(1) else {
        return;
    };
    let (time, value) = keys[before].clone();
    let start = match keys.get(first) {
        Some((next, other)) => mix(value, other.clone(), -time / (next - time)),
        None => value,
    };
    keys.drain(..before);
    keys[0] = (0.0, start);
    if keys.get(1).is_some_and(|key| key.0 == 0.0) {
        keys.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip() -> SceneClip {
        SceneClip {
            tracks: vec![SceneTrack {
                translations: vec![(-1.0, Vec3::ZERO), (1.0, Vec3::X)],
                scales: vec![(0.5, Vec3::ONE)],
                rotations: vec![(-0.5, Quat::IDENTITY), (0.0, Quat::from_rotation_x(1.0))],
                ..SceneTrack::default()
            }],
            weights: vec![(0, vec![-1.0, -0.5, 1.5], vec![0.0, 0.0, 0.2, 0.4, 1.0, 0.8])],
            ..SceneClip::default()
        }
    }

    #[test]
    fn a_clip_that_begins_before_zero_is_moved_as_a_whole() {
        let mut clip = clip();
        clip.start_at_zero();
        let track = &clip.tracks[0];
        assert_eq!(
            (track.translations[0].0, track.translations[1].0),
            (0.0, 2.0)
        );
        assert_eq!((track.scales[0].0, track.rotations[0].0), (1.5, 0.5));
        assert_eq!(clip.weights[0].1, [0.0, 0.5, 2.5]);
        assert_eq!(clip.end(), 2.5);
        clip.start_at_zero();
        assert_eq!(clip.end(), 2.5);
    }

    #[test]
    fn a_cut_clip_begins_with_the_values_that_it_had_at_zero() {
        let mut clip = clip();
        clip.cut_before_zero();
        let track = &clip.tracks[0];
        assert_eq!(track.translations, [(0.0, Vec3::X * 0.5), (1.0, Vec3::X)]);
        assert_eq!(track.scales, [(0.5, Vec3::ONE)]);
        assert_eq!(track.rotations, [(0.0, Quat::from_rotation_x(1.0))]);
        let (_, times, weights) = &clip.weights[0];
        assert_eq!(*times, [0.0, 1.5]);
        let expected = [0.4, 0.5, 1.0, 0.8];
        assert!(
            weights
                .iter()
                .zip(expected)
                .all(|(w, v)| (w - v).abs() < 1e-6),
            "{weights:?}"
        );
        // If all keys are earlier, the last value stays.
        let mut early = vec![(-2.0, 1.0_f32), (-1.0, 3.0)];
        cut(&mut early, |a, b, u| a + (b - a) * u);
        assert_eq!(early, [(0.0, 3.0)]);
    }
}
