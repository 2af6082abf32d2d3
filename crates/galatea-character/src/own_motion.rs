//! Motion that a clip has on its own: jolts, hip positions and planted feet.
//!
//! Measured once per clip when a meter first needs it, and kept with the definition. Used by the meters and the transition
//! test.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::loaded_model::LoadedModel;
use galatea_anim::metrics::Pop;
use galatea_anim::{ClipPlay, PlayMode, Pose, RootDelta, local_to_model};

/// Sample rate of clips, Hz.
pub(super) const RATE: f32 = 60.0;
/// Maximum number of frames measured (one hour); later times use the last frame.
const MAX_FRAMES: usize = 216_000;
/// Maximum height of a planted foot above its rest height, metres for a human-sized body.
const MAX_HEIGHT: f32 = 0.03;
/// Maximum ground speed of a planted foot, metres per second for such a body.
const MAX_SPEED: f32 = 0.3;
/// Feet of many clips slip while they are planted. A planted foot may slip sideways no faster than [`MAX_SPEED`], and
/// forwards and backwards up to these fractions of the body's speed. This holds for at most [`MAX_SLIP`] frames before and
/// between frames in which the foot rests.
const MAX_FORWARD: f32 = 0.5;
const MAX_BACKWARD: f32 = 1.5;
const MAX_SLIP: usize = 15;
/// Maximum distance of the feet between the end and the start of a clip that counts as a loop, metres for such a body.
const MAX_SEAM: f32 = 0.01;
/// Height of a human-sized body, metres.
const HUMAN_HEIGHT: f32 = 1.7;

/// A clip's own motion, model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnMotion {
    /// Largest jolt of a bone during one playthrough, see [`Pop`].
    pub jolt: f32,
    /// Frames at 60 per second, the first at the clip's start.
    frames: Vec<MotionFrame>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MotionFrame {
    /// Position of the hips without root motion.
    hips: Vec3,
    /// Planted flags of the left and the right foot.
    planted: [bool; 2],
}

impl OwnMotion {
    /// Measures a clip by playing it once.
    pub fn measure(loaded: &LoadedModel, clip: usize) -> Self {
        let clips = &loaded.clips;
        let seconds = clips.duration(clip);
        let n = ((seconds * RATE).ceil() as usize).min(MAX_FRAMES) + 1;
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        let mut pop = Pop::new(loaded.model.skeleton.len());
        let mut frames: Vec<MotionFrame> = Vec::with_capacity(n);
        let mut feet_before: [Option<Vec3>; 2] = [None; 2];
        let mut feet_first = feet_before;
        let mut slips: [Vec<Slip>; 2] = [Vec::with_capacity(n), Vec::with_capacity(n)];
        let mut jolt = 0.0_f32;
        let body = BodySize::of(loaded);
        let (mut t_before, mut last_step) = (0.0, 0.0);
        for i in 0..n {
            // The last step may be shorter.
            let t = (i as f32 / RATE).min(seconds);
            let play = ClipPlay {
                clip,
                in_place: clips.travel(clip).is_some(),
                t,
                weight: 1.0,
                rate: 1.0,
                wraps: false,
            };
            clips.sample(&[play], &mut pose);
            local_to_model(clips.skeleton(), &pose.locals, &mut matrices);
            // The last frame is skipped because its shorter step would distort the jolt.
            if t < seconds || i == 0 {
                let positions = visible_positions(loaded, &matrices);
                pop.update_against(positions, 1.0 / RATE, 0.0);
                jolt = jolt.max(pop.reading() * Pop::FLOOR);
            }
            let at = |bone: Option<u16>| {
                let matrix = matrices.get(usize::from(bone?))?;
                Some(Vec3::from(matrix.translation))
            };
            let step = ground_step(loaded, clip, t_before, t);
            let mut planted = [false; 2];
            for (foot, planted) in planted.iter_mut().enumerate() {
                let now = at(loaded.feet[foot]);
                let mut slip = Slip::No;
                if let (Some(now), Some(before)) = (now, feet_before[foot]) {
                    let displacement = (step.point(now) - before).with_y(0.0);
                    let is_low = now.y < body.feet[foot] + MAX_HEIGHT * body.size;
                    let slow = MAX_SPEED * body.size * (t - t_before);
                    *planted = is_low && displacement.length() <= slow;
                    if is_low {
                        slip = Slip::of(displacement, step.translation, slow);
                    }
                }
                slips[foot].push(slip);
                feet_before[foot] = now;
            }
            if i == 0 {
                feet_first = feet_before;
            }
            last_step = t - t_before;
            t_before = t;
            frames.push(MotionFrame {
                hips: at(body.hips).unwrap_or_default(),
                planted,
            });
        }
        let jumps = feet_first.iter().zip(&feet_before);
        let is_loop = n > 2
            && jumps
                .flat_map(|(first, last)| first.zip(*last))
                .all(|(first, last)| first.distance(last) < MAX_SEAM * body.size);
        let is_cut = last_step < 0.5 / RATE;
        extend_planted(&mut frames, &mut slips, is_loop, is_cut);
        Self { jolt, frames }
    }

    fn frame(&self, t: f32) -> MotionFrame {
        let i = (t * RATE).round().max(0.0) as usize;
        let last = self.frames.len().saturating_sub(1);
        self.frames.get(i.min(last)).copied().unwrap_or_default()
    }

    /// Returns the position of the hips at `t` seconds of the clip, without root motion.
    pub fn hips(&self, t: f32, mirrored: bool) -> Vec3 {
        let hips = self.frame(t).hips;
        let side = if mirrored { -1.0 } else { 1.0 };
        Vec3::new(hips.x * side, hips.y, hips.z)
    }

    /// Returns true for each foot, left and right, that is planted at `t` seconds of the clip.
    pub fn planted(&self, t: f32, mirrored: bool) -> [bool; 2] {
        let [left, right] = self.frame(t).planted;
        if mirrored {
            [right, left]
        } else {
            [left, right]
        }
    }
}

/// Motion of a low foot over the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// No planted foot moves like this.
    No,
    /// Slips backwards.
    Back,
    /// Slips forwards, with the body.
    Ahead,
}

impl Slip {
    /// Classifies the displacements of the foot and of the body in one frame.
    fn of(displacement: Vec3, body: Vec3, slow: f32) -> Self {
        let body = body.with_y(0.0);
        let Some(unit) = body.try_normalize() else {
            return Self::No;
        };
        let along = displacement.dot(unit);
        if (displacement - unit * along).length() > slow {
            return Self::No;
        }
        match along / body.length() {
            fraction if (-MAX_BACKWARD..=0.0).contains(&fraction) => Self::Back,
            fraction if (0.0..MAX_FORWARD).contains(&fraction) => Self::Ahead,
            _ => Self::No,
        }
    }
}

/// Extends planted phases by the frames in which a foot only slips. `is_cut`: the last step is much shorter than the others.
fn extend_planted(
    frames: &mut [MotionFrame],
    slips: &mut [Vec<Slip>; 2],
    is_loop: bool,
    is_cut: bool,
) {
    for (foot, slips) in slips.iter_mut().enumerate() {
        let mut rests: Vec<bool> = frames.iter().map(|frame| frame.planted[foot]).collect();
        // The first frame has no predecessor, and a much shorter last step is not reliable.
        let last = rests.len() - 1;
        if last > 0 {
            (rests[0], slips[0]) = (rests[1], slips[1]);
        }
        if is_loop && is_cut {
            (rests[last], slips[last]) = (rests[0], slips[0]);
        }
        let planted = if is_loop {
            with_slips_of_loop(&rests, slips)
        } else {
            with_slips(&rests, slips)
        };
        for (frame, planted) in frames.iter_mut().zip(planted) {
            frame.planted[foot] = planted;
        }
    }
}

/// Returns the frames in which a foot is planted, given those in which it rests. It may slip backwards when it touches down,
/// and in both directions between rests.
fn with_slips(rests: &[bool], slips: &[Slip]) -> Vec<bool> {
    let mut planted = rests.to_vec();
    let mut start = 0;
    while start < rests.len() {
        let end = (start..rests.len()).find(|i| rests[*i] != rests[start]);
        let end = end.unwrap_or(rests.len());
        // Frames before a rest.
        if !rests[start] && end < rests.len() {
            let slipped = |i: usize| slips.get(i).copied().unwrap_or(Slip::No);
            let first = start.max(end.saturating_sub(MAX_SLIP));
            let between = start > 0 && first == start;
            if between && (start..end).all(|i| slipped(i) != Slip::No) {
                planted[start..end].fill(true);
            } else {
                let back = (first..end).rev().take_while(|i| slipped(*i) == Slip::Back);
                back.for_each(|i| planted[i] = true);
            }
        }
        start = end;
    }
    planted
}

/// The same for a loop. Its last frame is its first: a slip at the end continues at the beginning.
fn with_slips_of_loop(rests: &[bool], slips: &[Slip]) -> Vec<bool> {
    let last = rests.len() - 1;
    let Some(start) = (1..=last).find(|i| rests[*i]) else {
        return rests.to_vec();
    };
    // One full cycle, from one rest to the same rest.
    let round: Vec<usize> = (0..=last).map(|k| 1 + (start - 1 + k) % last).collect();
    let rotated: Vec<bool> = round.iter().map(|i| rests[*i]).collect();
    let rotated_slips: Vec<Slip> = round.iter().map(|i| slips[*i]).collect();
    let mut planted = rests.to_vec();
    for (i, is_planted) in round.into_iter().zip(with_slips(&rotated, &rotated_slips)) {
        planted[i] = is_planted;
    }
    planted[0] = planted[last];
    planted
}

/// Returns bone positions in model space for measuring jolts. Bones that move no vertex get a constant position.
pub(super) fn visible_positions<'a>(
    loaded: &'a LoadedModel,
    matrices: &'a [Affine3A],
) -> impl Iterator<Item = Vec3> + 'a {
    let positions = matrices.iter().zip(&loaded.shown);
    positions.map(|(matrix, shown)| {
        if *shown {
            matrix.translation.into()
        } else {
            Vec3::ZERO
        }
    })
}

/// Returns the character's movement over the ground while a clip plays from `t0` to `t1`: its root motion, or the ground
/// velocity measured from the feet of a clip without root motion.
pub(super) fn ground_step(loaded: &LoadedModel, clip: usize, t0: f32, t1: f32) -> RootDelta {
    let clips = &loaded.clips;
    if let Some(root) = clips.travel(clip) {
        return root.delta(f64::from(t0), f64::from(t1), PlayMode::Once);
    }
    let velocity = clips.ground_velocity(clip).unwrap_or(Vec3::ZERO);
    RootDelta {
        translation: velocity * (t1 - t0),
        yaw: 0.0,
    }
}

/// Sizes of a body at rest, model space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct BodySize {
    /// Bone that carries the body.
    pub hips: Option<u16>,
    /// Heights of the left and the right foot bone, metres.
    pub feet: [f32; 2],
    /// Height relative to a human.
    pub size: f32,
}

impl BodySize {
    pub fn of(loaded: &LoadedModel) -> Self {
        let skeleton = loaded.clips.skeleton();
        let mut matrices = Vec::new();
        local_to_model(skeleton, &loaded.rest.locals, &mut matrices);
        let height = |bone: Option<u16>| {
            let matrix = bone.and_then(|bone| matrices.get(usize::from(bone)));
            matrix.map_or(0.0, |m| m.translation.y)
        };
        let heights = matrices.iter().map(|m| m.translation.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let hips = loaded
            .clips
            .humanoid()
            .bone(galatea_anim::humanoid::Role::Hips);
        Self {
            hips: hips.or((!matrices.is_empty()).then_some(0)),
            feet: loaded.feet.map(height),
            size: ((high - low) / HUMAN_HEIGHT).max(1e-3),
        }
    }

    /// Returns the maximum height of the left (0) or right (1) foot bone while it is planted.
    pub fn stands_below(&self, foot: usize) -> f32 {
        self.feet[foot] + 2.0 * MAX_HEIGHT * self.size
    }

    /// Returns the plant rule for feet without clip data, at a scale.
    pub fn plant_rule(&self, scale: f32) -> galatea_anim::metrics::PlantRule {
        let ankle = self.feet[0].max(self.feet[1]);
        galatea_anim::metrics::PlantRule {
            height: (ankle + MAX_HEIGHT * self.size) * scale,
            speed: MAX_SPEED * self.size * scale,
            leave: 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use galatea_anim::{Bone, BoneTracks, Clip, Interpolation, Skeleton, Track};
    use galatea_asset::Model;
    use galatea_math::Trs;

    fn slips(text: &str) -> Vec<Slip> {
        let of = |c| match c {
            'b' => Slip::Back,
            'a' => Slip::Ahead,
            _ => Slip::No,
        };
        text.chars().map(of).collect()
    }

    fn rests(text: &str) -> Vec<bool> {
        text.chars().map(|c| c == '#').collect()
    }

    #[test]
    fn a_foot_is_planted_while_it_slips_between_rests_or_backwards_before_them() {
        for (moves, resting, standing) in [
            ("...bb##ab##aa..", ".....##..##....", "...########...."),
            (".ab##.b##......", "...##..##......", "..###.###......"),
            ("aaaaaaa#.......", ".......#.......", ".......#......."),
        ] {
            let found = with_slips(&rests(resting), &slips(moves));
            assert_eq!(found, rests(standing), "{moves}");
        }
        let long = "#".to_owned() + &".".repeat(MAX_SLIP + 1) + "#";
        let back = "b".repeat(long.len());
        let n = with_slips(&rests(&long), &slips(&back));
        assert!(!n[1] && n[2..].iter().all(|planted| *planted));
    }

    #[test]
    fn a_stance_at_the_end_of_a_loop_continues_at_its_beginning() {
        // The last frame of each row equals its first.
        for (moves, resting, standing, halves) in [
            (
                "bab##......##bb",
                "...##......##..",
                "#####......####",
                "..###......##..",
            ),
            (
                "bb##........abb",
                "..##...........",
                "####.........##",
                "####...........",
            ),
            (
                "aa##......##.aa",
                "..##......##...",
                "..##......##...",
                "..##......##...",
            ),
            (
                "...............",
                "...............",
                "...............",
                "...............",
            ),
        ] {
            let found = with_slips_of_loop(&rests(resting), &slips(moves));
            assert_eq!(found, rests(standing), "{moves}");
            let found = with_slips(&rests(resting), &slips(moves));
            assert_eq!(found, rests(halves), "{moves} as no loop");
        }
    }

    #[test]
    fn motion_faster_than_or_beside_the_body_is_no_slip() {
        let slip = |x: f32, z: f32| Slip::of(Vec3::new(x, 0.0, z), Vec3::Z * 0.02, 0.005);
        assert_eq!(slip(0.0, -0.025), Slip::Back);
        assert_eq!(slip(0.003, 0.008), Slip::Ahead);
        for (x, z) in [(0.006, 0.0), (0.0, 0.011), (0.0, -0.031)] {
            assert_eq!(slip(x, z), Slip::No, "{x} {z}");
        }
        assert_eq!(Slip::of(Vec3::Z, Vec3::ZERO, 2.0), Slip::No);
    }

    /// Builds a root that moves one metre in one second, with two feet in its space. The left foot is planted from 0.7 s
    /// over the loop seam to 0.3 s. From 0.95 to 0.05 s it slips forwards by 0.3 of the body's distance. The right foot
    /// stays in the air.
    fn slips_over_the_seam() -> LoadedModel {
        let bone = |name: &str, parent, at| Bone {
            name: name.into(),
            parent,
            rest: Trs::from_translation(at),
            skinned: true,
        };
        let skeleton = Skeleton::new(vec![
            bone("root", None, Vec3::ZERO),
            bone("hips", Some(0), Vec3::Y),
            bone("foot_l", Some(0), Vec3::new(0.1, 0.0, 0.0)),
            bone("foot_r", Some(0), Vec3::new(-0.1, 0.0, 0.0)),
            bone("head", Some(1), Vec3::Y * 0.7),
        ]);
        let track = |bone, keys: &[(f32, Vec3)]| BoneTracks {
            bone,
            translation: Some(Track {
                times: keys.iter().map(|(t, _)| *t).collect(),
                values: keys.iter().map(|(_, at)| *at).collect(),
                interpolation: Interpolation::Linear,
            }),
            rotation: None,
            scale: None,
        };
        let foot = |y: f32, z: f32| Vec3::new(0.1, y, z);
        let clip = Clip {
            name: "walk".into(),
            duration: 1.0,
            bones: vec![
                track(0, &[(0.0, Vec3::ZERO), (1.0, Vec3::Z)]),
                track(
                    2,
                    &[
                        (0.0, foot(0.0, 0.0)),
                        (0.05, foot(0.0, -0.035)),
                        (0.3, foot(0.0, -0.285)),
                        (0.35, foot(0.2, -0.285)),
                        (0.65, foot(0.2, 0.285)),
                        (0.7, foot(0.0, 0.285)),
                        (0.95, foot(0.0, 0.035)),
                        (1.0, foot(0.0, 0.0)),
                    ],
                ),
                track(3, &[(0.0, Vec3::new(-0.1, 0.3, 0.0))]),
            ],
            ..Clip::default()
        };
        LoadedModel::new(Arc::new(Model {
            uid: 1,
            skeleton: Arc::new(skeleton.expect("parents come before children")),
            clips: vec![Arc::new(clip)],
            ..Model::default()
        }))
    }

    #[test]
    fn a_foot_stays_planted_over_the_seam_of_a_loop() {
        let loaded = slips_over_the_seam();
        assert!(loaded.clips.root(0).is_some() && loaded.feet[0] == Some(2));
        let own = OwnMotion::measure(&loaded, 0);
        let planted: String = own
            .frames
            .iter()
            .map(|f| if f.planted[0] { '#' } else { '.' })
            .collect();
        assert_eq!(
            planted,
            "###################........................##################"
        );
        assert!(own.frames.iter().all(|frame| !frame.planted[1]));
    }
}
