//! Frames of packed clips.

use glam::Quat;

use super::{FrameGrid, Frames};
use crate::{Curve, Interpolation, PackedClip, Pose, Track};

/// Minimum frame rate if an edited bone was stored as keys.
const EDITED_RATE: f32 = 60.0;

fn is_step(curve: &Curve) -> bool {
    curve.track.interpolation == Interpolation::Step
}

impl Frames {
    /// Creates the frames of a packed clip on its own grid. `edit` can change each pose before it is stored. Changes
    /// to the position or rotation of the bone `edited` are kept in the frames, even if its tracks are stored as
    /// keys.
    pub fn of_packed(
        clip: &PackedClip,
        rest: &Pose,
        morph_start: &[usize],
        edited: Option<u16>,
        mut edit: impl FnMut(f32, &mut Pose),
    ) -> Self {
        let (bones, morphs) = clip.exact_tracks();
        let mut bones = bones.to_vec();
        let mut rate = clip.frame_rate();
        for tracks in &mut bones {
            if edited == Some(tracks.bone) && rate > 0.0 {
                (tracks.translation, tracks.rotation) = (None, None);
                // Keys that linear interpolation between the clip's frames cannot represent need a higher rate.
                rate *= (EDITED_RATE / rate).ceil().max(1.0);
            }
        }
        let last_key = clip.frame_time(clip.n_frames().saturating_sub(1));
        let grid = FrameGrid {
            start: clip.frame_time(0),
            rate,
            // Curves can continue after the last key; bones do not move then.
            duration: if clip.curves.iter().all(is_step) {
                last_key.min(clip.duration)
            } else {
                clip.duration
            },
        };
        let frames = Self::new(grid, rest, |t, pose| {
            clip.sample(t, &mut pose.locals);
            clip.sample_morphs(t, morph_start, &mut pose.morphs);
            edit(t, pose);
        });
        let grid = frames.grid();
        for tracks in &mut bones {
            tracks
                .translation
                .take_if(|track| is_in_frames(track, grid));
            tracks
                .rotation
                .take_if(|track| is_in_frames(track, grid) && turns_slowly(track, grid));
            tracks.scale.take_if(|track| is_in_frames(track, grid));
        }
        bones.retain(|tracks| {
            tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some()
        });
        let morphs = morphs
            .iter()
            .filter(|morph| !is_in_frames(&morph.track, grid))
            .filter_map(|morph| Some((*morph_start.get(morph.part)?, morph.clone())));
        frames.with_exact(bones, morphs.collect())
    }
}

/// Returns true if linear interpolation between frames gives the values of a track. A clip stores some such tracks as keys
/// because they are smaller.
fn is_in_frames<T>(track: &Track<T>, grid: FrameGrid) -> bool {
    /// Fraction of the time between two frames.
    const TOLERANCE: f32 = 1e-3;
    let is_on_grid = |t: f32| {
        let x = (t - grid.start) * grid.rate;
        (x - x.round()).abs() < TOLERANCE || (t - grid.duration).abs() * grid.rate < TOLERANCE
    };
    track.interpolation == Interpolation::Linear && track.times.iter().all(|t| is_on_grid(*t))
}

/// Returns true if a rotation changes so little between two frames that the blend of frames follows its arc.
fn turns_slowly(track: &Track<Quat>, grid: FrameGrid) -> bool {
    /// Radians.
    const MAX_STEP: f32 = 0.3;
    let times = track.times.windows(2).map(|pair| pair[1] - pair[0]);
    let angles = track
        .values
        .windows(2)
        .map(|pair| pair[0].angle_between(pair[1]));
    times.zip(angles).all(|(seconds, angle)| {
        // Two rotations of opposite sign are equal.
        let angle = angle.min(std::f32::consts::TAU - angle);
        angle <= MAX_STEP * seconds * grid.rate
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::pack::pack;
    use crate::tests::{rest_of, tree};
    use crate::{BoneTracks, Clip, ClipAt, PackOptions, sample_blend};

    fn slide(interpolation: Interpolation, values: Vec<Vec3>, times: Vec<f32>) -> Clip {
        Clip {
            duration: 1.0,
            bones: vec![BoneTracks {
                bone: 0,
                translation: Some(Track {
                    times,
                    values,
                    interpolation,
                }),
                rotation: None,
                scale: None,
            }],
            ..Clip::default()
        }
    }

    #[test]
    fn edited_bones_are_not_read_from_the_keys() {
        let skeleton = tree(3, 1);
        let rest = rest_of(&skeleton);
        let clips = [
            slide(
                Interpolation::Linear,
                vec![Vec3::ZERO, Vec3::Z * 2.0],
                vec![0.0, 1.0],
            ),
            slide(
                Interpolation::Step,
                vec![Vec3::ZERO, Vec3::Z, Vec3::Z * 2.0],
                vec![0.0, 0.5, 1.0],
            ),
        ];
        for clip in clips {
            let (packed, report) = pack(&skeleton, &clip, &PackOptions::default());
            assert_eq!(report.kept_exact, 1);
            let frames = Frames::of_packed(&packed, &rest, &[], Some(0), |_, pose| {
                pose.locals[0].translation = Vec3::Y;
            });
            let mut out = Pose::default();
            for t in [0.0, 0.2, 0.5, 0.9, 1.0] {
                let frames = &frames;
                let weight = 1.0;
                sample_blend(&[ClipAt { frames, t, weight }], &rest, &mut out);
                assert_eq!(out.locals[0].translation, Vec3::Y, "at {t}");
            }
        }
    }

    #[test]
    fn sparse_keys_on_the_frames_are_read_from_the_frames() {
        let skeleton = tree(3, 1);
        let rest = rest_of(&skeleton);
        let times: Vec<f32> = (0..=60_u16).map(|i| f32::from(i) / 30.0).collect();
        let values = times.iter().map(|t| Vec3::Y * (t * 9.0).sin()).collect();
        let mut clip = slide(Interpolation::Linear, values, times);
        clip.duration = 2.0;
        let sparse = |times: [f32; 3], angles: [f32; 3], interpolation| BoneTracks {
            bone: 1,
            rotation: Some(Track {
                times: times.to_vec(),
                values: angles.map(Quat::from_rotation_x).to_vec(),
                interpolation,
            }),
            translation: None,
            scale: None,
        };
        let angles = [0.0, 1.0, 0.4];
        for (times, angles, interpolation, is_read_from_keys) in [
            ([0.0, 0.5, 2.0], angles, Interpolation::Linear, false),
            ([0.0, 0.51, 2.0], angles, Interpolation::Linear, true),
            ([0.0, 0.5, 2.0], angles, Interpolation::Step, true),
            // A third of a turn within a frame.
            (
                [0.0, 0.5, 0.5 + 1.0 / 30.0],
                [0.0, 0.0, 2.0],
                Interpolation::Linear,
                true,
            ),
        ] {
            let tracks = sparse(times, angles, interpolation);
            let mut clip = clip.clone();
            clip.bones.push(tracks.clone());
            let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
            let has_keys = |bones: &[BoneTracks]| bones.iter().any(|bone| bone.bone == 1);
            assert!(has_keys(packed.exact_tracks().0), "{times:?}");
            let frames = Frames::of_packed(&packed, &rest, &[], None, |_, _| {});
            assert_eq!(
                has_keys(&frames.exact.bones),
                is_read_from_keys,
                "{times:?}"
            );
            let track = tracks.rotation.unwrap();
            let mut out = Pose::default();
            for i in 0..200_u16 {
                let t = f32::from(i) / 100.0;
                let clip = ClipAt {
                    frames: &frames,
                    t,
                    weight: 1.0,
                };
                sample_blend(&[clip], &rest, &mut out);
                let authored = crate::sample::sample_rotation(&track, t);
                let apart = out.locals[1].rotation.angle_between(authored);
                assert!(apart < 1e-3, "{times:?} at {t}: {apart}");
            }
        }
    }

    #[test]
    fn curve_of_hours_does_not_fill_the_memory_with_poses() {
        let skeleton = tree(3, 1);
        let rest = Pose {
            curves: vec![0.0],
            ..rest_of(&skeleton)
        };
        let times: Vec<f32> = (0..250_u16).map(|i| f32::from(i) / 250.0).collect();
        let values = times.iter().map(|t| Vec3::Y * (t * 20.0).sin()).collect();
        let mut clip = slide(Interpolation::Linear, values, times);
        clip.curves.push(Curve {
            name: "fade".into(),
            track: Track {
                times: vec![0.0, 1e6],
                values: vec![0.0, 1.0],
                interpolation: Interpolation::Linear,
            },
        });
        clip.duration = 1e6;
        let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
        let read = |t: f32, pose: &mut Pose| pose.curves[0] = packed.curves[0].at(t);
        let frames = Frames::of_packed(&packed, &rest, &[], None, read);
        assert!(frames.bytes() < 1 << 28, "{} bytes", frames.bytes());
        let mut packed = packed;
        packed.curves.clear();
        let frames = Frames::of_packed(&packed, &rest, &[], None, |_, _| {});
        assert_eq!(frames.len(), 250);
    }

    #[test]
    fn clips_that_differ_only_in_keys_have_different_content_keys() {
        let skeleton = tree(3, 1);
        let rest = rest_of(&skeleton);
        let key = |z: f32| {
            let values = vec![Vec3::ZERO, Vec3::Z * z, Vec3::ZERO];
            let clip = slide(Interpolation::Step, values, vec![0.0, 0.4, 0.41]);
            let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
            Frames::of_packed(&packed, &rest, &[], None, |_, _| {}).key
        };
        assert_ne!(key(1.0), key(2.0));
    }
}
