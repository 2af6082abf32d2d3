//! Soles: points below the foot bones, with their heights and velocities.

use galatea_math::clamp::ClampTo as _;
use glam::{Affine3A, Quat, Vec3};

use super::contact::{Contact, ContactOptions};
use crate::Skeleton;
use crate::root_motion::{RootDelta, twist_y};
use crate::tools::SampledPoses;

/// Points of one sole: heel, ball, tip.
const N_POINTS: usize = 3;

/// Positions and velocities of all soles over a clip.
pub(super) struct Soles {
    pub looping: bool,
    /// Time between frames, seconds.
    dt: f32,
    n_frames: usize,
    /// Rest height of the skeleton, metres.
    size: f32,
    /// Height of the ground in model space.
    ground: f32,
    /// Horizontal displacement of the hips over the clip.
    travel: Vec3,
    /// Displacement and rotation of the character in one loop.
    lap: RootDelta,
    /// Positions per foot and per frame.
    positions: Vec<Vec<[Vec3; N_POINTS]>>,
}

impl Soles {
    /// `None` for clips of zero length, and for skeletons without feet or of zero size.
    pub fn new(
        skeleton: &Skeleton,
        frames: &SampledPoses,
        feet: &[(u16, Option<u16>)],
        looping: Option<bool>,
    ) -> Option<Self> {
        let known = |bone: u16| usize::from(bone) < skeleton.len();
        let fits = |(foot, toe): &(u16, Option<u16>)| known(*foot) && toe.is_none_or(known);
        if frames.len() < 3 || feet.is_empty() || !feet.iter().all(fits) {
            return None;
        }
        let size = height(skeleton, frames)?;
        let hips = usize::from(common_ancestor(skeleton, feet));
        let lap = lap(frames, hips, size);
        let looping = looping.unwrap_or_else(|| repeats(frames, feet, lap, size));
        let moved = frames.position(frames.len() - 1, hips) - frames.position(0, hips);
        let travels = lap != RootDelta::IDENTITY;
        let flat: Vec<FlatFrame> = feet
            .iter()
            .map(|foot| FlatFrame::find(frames, *foot, size))
            .collect();
        let ground = flat
            .iter()
            .map(|flat| flat.level)
            .fold(f32::INFINITY, f32::min);
        let positions = feet
            .iter()
            .zip(&flat)
            .map(|(foot, flat)| flat.positions(frames, *foot, ground, size))
            .collect();
        Some(Self {
            looping,
            dt: frames.dt,
            n_frames: frames.len(),
            size,
            ground,
            travel: if travels {
                moved.with_y(0.0)
            } else {
                Vec3::ZERO
            },
            lap,
            positions,
        })
    }

    /// Mean horizontal velocity of the hips.
    pub fn travel_velocity(&self) -> Vec3 {
        self.travel / (self.dt * (self.n_frames - 1) as f32)
    }

    /// Position of a point in a frame, which can be before the start or after the end of a loop.
    fn position(&self, foot: usize, point: usize, frame: isize) -> Vec3 {
        let lap = self.n_frames as isize - 1;
        if self.looping {
            let own = self.positions[foot][frame.rem_euclid(lap) as usize][point];
            return match frame.div_euclid(lap) {
                0 => own,
                laps if laps < 0 => self.lap.inverse().point(own),
                _ => self.lap.point(own),
            };
        }
        let at = frame.clamp_to(0, lap);
        self.positions[foot][at as usize][point]
    }

    /// Velocity by central difference over about 33 ms.
    fn velocity(&self, foot: usize, point: usize, frame: usize) -> Vec3 {
        let half = ((1.0 / 60.0) / self.dt).round().max(1.0) as isize;
        let frame = frame as isize;
        let (mut before, mut after) = (frame - half, frame + half);
        if !self.looping {
            before = before.max(0);
            after = after.min(self.n_frames as isize - 1);
        }
        let displacement = self.position(foot, point, after) - self.position(foot, point, before);
        displacement / (self.dt * (after - before).max(1) as f32)
    }

    fn lowest(&self, foot: usize, frame: usize) -> (usize, f32) {
        let points = self.positions[foot][frame].iter().enumerate();
        let heights = points.map(|(i, p)| (i, p.y - self.ground));
        heights
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((0, 0.0))
    }

    /// The most frequent horizontal velocity of low feet.
    pub fn usual_velocity(&self) -> Vec3 {
        const MAX_SAMPLES: usize = 1500;
        let step = (self.n_frames * self.positions.len())
            .div_ceil(MAX_SAMPLES)
            .max(1);
        let travel = self.travel_velocity();
        // The ground never moves forwards below a body that travels; a foot that swings low does.
        let swings = |v: Vec3| (v - travel).dot(travel) > 0.0;
        let mut low = Vec::new();
        for foot in 0..self.positions.len() {
            for frame in (0..self.n_frames).step_by(step) {
                let (point, height) = self.lowest(foot, frame);
                let velocity = self.velocity(foot, point, frame).with_y(0.0);
                if height < 0.04 * self.size && !swings(velocity) {
                    low.push(velocity);
                }
            }
        }
        let reach = |v: Vec3| (0.08 * self.size).max(0.3 * v.distance(travel));
        let score = |v: Vec3| {
            let near = low
                .iter()
                .map(|w| (1.0 - v.distance(*w) / reach(v)).max(0.0));
            near.sum::<f32>()
        };
        let mut best = (0.0, Vec3::ZERO);
        for v in &low {
            let score = score(*v);
            if score > best.0 {
                best = (score, *v);
            }
        }
        let near: Vec<Vec3> = low
            .iter()
            .copied()
            .filter(|v| v.distance(best.1) < reach(best.1))
            .collect();
        near.iter().sum::<Vec3>() / near.len().max(1) as f32
    }

    /// Returns for each frame if a foot is planted, for a ground velocity of `ground`.
    pub fn planted(&self, foot: usize, ground: Vec3, options: &ContactOptions) -> Vec<bool> {
        let speed = (options.speed * self.size).max(options.speed_fraction * ground.length());
        let within = |frame: usize, height: f32, speed: f32| {
            (0..N_POINTS).any(|point| {
                self.positions[foot][frame][point].y - self.ground < height * self.size
                    && (self.velocity(foot, point, frame) - ground).length() < speed
            })
        };
        let mut down = false;
        let mut step = |frame: usize| {
            down = if down {
                within(frame, options.leave_height, speed * options.leave_factor)
            } else {
                within(frame, options.height, speed)
            };
            down
        };
        if self.looping {
            // A loop starts in the state of its end.
            (0..self.n_frames).for_each(|frame| {
                step(frame);
            });
        }
        let mut planted: Vec<bool> = (0..self.n_frames).map(step).collect();
        let frames = |seconds: f32| (seconds / self.dt).round() as usize;
        self.close(&mut planted, false, frames(options.gap));
        self.bridge(foot, ground, options, &mut planted);
        self.close(&mut planted, true, frames(options.shortest));
        self.touch_down(foot, ground, options, &mut planted);
        planted
    }

    /// Returns true if the ground moves relative to the body.
    fn ground_moves(&self, ground: Vec3, options: &ContactOptions) -> bool {
        (ground - self.travel_velocity()).length() >= options.speed * self.size
    }

    /// Returns true if a foot is below a height and moves with the ground. `below` is a fraction of the skeleton's
    /// height, `share` the minimum fraction of the ground's speed.
    fn slides(&self, foot: usize, frame: usize, ground: Vec3, below: f32, fraction: f32) -> bool {
        let passing = ground - self.travel_velocity();
        let (point, height) = self.lowest(foot, frame);
        let velocity = self.velocity(foot, point, frame) - self.travel_velocity();
        height < below * self.size && velocity.dot(passing) > fraction * passing.length_squared()
    }

    /// Closes gaps in which the foot neither rises nor swings forwards: the foot slides there and makes no step.
    fn bridge(&self, foot: usize, ground: Vec3, options: &ContactOptions, planted: &mut [bool]) {
        if !self.ground_moves(ground, options) {
            return;
        }
        for (start, len) in self.runs(planted, false) {
            let at_end = start == 0 || start + len >= self.n_frames;
            let between = self.looping || !at_end;
            let slides =
                |i: usize| self.slides(foot, self.wrap(i), ground, options.leave_height, 0.0);
            if between && len < self.n_frames && (start..start + len).all(slides) {
                self.flip(planted, start, len, true);
            }
        }
    }

    /// Moves the start of each contact back to the touch-down of a foot that slides at first. It is then low and
    /// moves with the ground at more than half its speed, for up to 0.15 s.
    fn touch_down(
        &self,
        foot: usize,
        ground: Vec3,
        options: &ContactOptions,
        planted: &mut [bool],
    ) {
        if !self.ground_moves(ground, options) {
            return;
        }
        let slides = |frame: usize| self.slides(foot, frame, ground, options.height, 0.5);
        let lap = self.n_frames - 1;
        for (start, len) in self.runs(planted, true) {
            if len >= self.n_frames {
                continue;
            }
            for back in 1..=(0.15 / self.dt) as usize {
                let frame = match start.checked_sub(back) {
                    Some(frame) => frame,
                    None if self.looping && back < lap => start + lap - back,
                    None => break,
                };
                if planted[frame] || !slides(frame) {
                    break;
                }
                planted[frame] = true;
                if self.looping && (frame == 0 || frame == lap) {
                    planted[0] = true;
                    planted[lap] = true;
                }
            }
        }
    }

    /// Flips runs of `value` shorter than `shortest` frames. Runs at the ends of a clip that does not loop stay.
    fn close(&self, planted: &mut [bool], value: bool, shortest: usize) {
        for (start, len) in self.runs(planted, value) {
            let at_end = start == 0 || start + len >= self.n_frames;
            if len < shortest && len < self.n_frames && (self.looping || !at_end) {
                self.flip(planted, start, len, !value);
            }
        }
    }

    /// Frame index of a run that can continue past the end of a loop.
    fn wrap(&self, i: usize) -> usize {
        if self.looping {
            i % (self.n_frames - 1)
        } else {
            i
        }
    }

    /// Sets a run; in a loop, frame 0 and the last frame are the same moment.
    fn flip(&self, planted: &mut [bool], start: usize, len: usize, value: bool) {
        for i in start..start + len {
            let i = self.wrap(i);
            planted[i] = value;
            if self.looping && i == 0 {
                planted[self.n_frames - 1] = value;
            }
        }
    }

    /// Runs of a value: first frame and length. In a loop, a run can continue past the end.
    fn runs(&self, planted: &[bool], value: bool) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (i, is) in planted.iter().enumerate() {
            match runs.last_mut() {
                Some((start, len)) if *is == value && *start + *len == i => *len += 1,
                _ if *is == value => runs.push((i, 1)),
                _ => {}
            }
        }
        if self.looping
            && let [(0, first), .., (start, last)] = runs[..]
            && start + last == self.n_frames
        {
            // Frame 0 and the last frame are the same moment.
            if let Some(run) = runs.last_mut() {
                run.1 = last + first - 1;
            }
            runs.remove(0);
        }
        runs
    }

    /// Median horizontal velocity of the lowest points of planted feet; `before` if no foot is planted. The median is
    /// robust against feet that slide at the start and end of contacts.
    pub fn planted_velocity(&self, planted: &[Vec<bool>], before: Vec3) -> Vec3 {
        let (mut x, mut z) = (Vec::new(), Vec::new());
        for (foot, planted) in planted.iter().enumerate() {
            for frame in (0..self.n_frames).filter(|i| planted[*i]) {
                let velocities = (0..N_POINTS).map(|point| self.velocity(foot, point, frame));
                let nearest = velocities.min_by(|a, b| {
                    let miss = |v: &Vec3| v.distance_squared(before);
                    miss(a).total_cmp(&miss(b))
                });
                let velocity = nearest.unwrap_or(before);
                x.push(velocity.x);
                z.push(velocity.z);
            }
        }
        match (median(&mut x), median(&mut z)) {
            (Some(x), Some(z)) => Vec3::new(x, 0.0, z),
            _ => before,
        }
    }

    /// Converts runs of planted frames to contacts.
    pub fn contacts(&self, foot: usize, planted: &[bool]) -> Vec<Contact> {
        let duration = self.dt * (self.n_frames - 1) as f32;
        let runs = self.runs(planted, true).into_iter();
        let contacts = runs.map(|(start, len)| Contact {
            foot,
            start: start as f32 * self.dt,
            end: ((start + len - 1) as f32 * self.dt).min(start as f32 * self.dt + duration),
        });
        contacts.collect()
    }
}

/// A frame in which a foot is flat on the ground, and the height of the ground there.
struct FlatFrame {
    frame: usize,
    /// Height of the lower bone.
    level: f32,
}

impl FlatFrame {
    /// Finds the frame in which the sum of ankle and toe heights is lowest.
    fn find(frames: &SampledPoses, (foot, toe): (u16, Option<u16>), size: f32) -> Self {
        let toe = toe.unwrap_or(foot);
        let [foot, toe] = [foot, toe].map(usize::from);
        let height = |i: usize| frames.position(i, foot).y + frames.position(i, toe).y;
        let frame = (0..frames.len()).min_by(|a, b| height(*a).total_cmp(&height(*b)));
        let frame = frame.unwrap_or(0);
        let low = frames
            .position(frame, foot)
            .y
            .min(frames.position(frame, toe).y);
        // Characters stand on y = 0; a bone just above it has the thickness of a sole below it.
        let level = if (0.0..0.08 * size).contains(&low) {
            0.0
        } else {
            low
        };
        Self { frame, level }
    }

    /// Positions of heel, ball and tip, which move with the foot's bones.
    fn positions(
        &self,
        frames: &SampledPoses,
        (foot, toe): (u16, Option<u16>),
        ground: f32,
        size: f32,
    ) -> Vec<[Vec3; N_POINTS]> {
        let foot = usize::from(foot);
        let front = toe.map_or(foot, usize::from);
        let (ankle, ball) = (
            frames.position(self.frame, foot),
            frames.position(self.frame, front),
        );
        let along = (ball - ankle).with_y(0.0);
        // Characters face +Z; without toes, so does the foot.
        let along = if toe.is_some() && along.length() > 0.005 * size {
            along
        } else {
            Vec3::Z * 0.08 * size
        };
        // The sole of a foot that never touches the ground is as thick as the distance of the lowest foot to it.
        let level = if self.level - ground > 0.03 * size {
            self.level
        } else {
            ground
        };
        let under = |p: Vec3| p.with_y(level);
        // An animal that walks on its toes has its heel in the air: a foot steeper than 55°.
        let on_toes = toe.is_some() && (ankle.y - ball.y) > 1.4 * along.length();
        let rest = if on_toes {
            let toes = Vec3::Z * 0.04 * size;
            [
                (front, under(ball - toes)),
                (front, under(ball)),
                (front, under(ball + toes)),
            ]
        } else {
            [
                (foot, under(ankle - along * 0.35)),
                (foot, under(ankle + along)),
                (front, under(ankle + along * 1.5)),
            ]
        };
        let carried = rest.map(|(bone, p)| {
            let bone_from_model: Affine3A = frames.matrix(self.frame, bone).inverse();
            (bone, bone_from_model.transform_point3(p))
        });
        (0..frames.len())
            .map(|i| carried.map(|(bone, p)| frames.matrix(i, bone).transform_point3(p)))
            .collect()
    }
}

fn median(values: &mut [f32]) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Vertical extent of the skeleton in the first frame or at rest, whichever is larger. This gives a lying figure its
/// standing height.
fn height(skeleton: &Skeleton, frames: &SampledPoses) -> Option<f32> {
    let still = crate::Clip::default();
    let rest = SampledPoses::new(skeleton, &still, 1.0);
    let span = |frames: &SampledPoses| {
        let heights = (0..skeleton.len()).map(|b| frames.position(0, b).y);
        let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        high - low
    };
    let size = span(&rest).max(span(frames));
    (size.is_finite() && size > 0.0).then_some(size)
}

/// Deepest common ancestor of all feet; the first foot itself if they have none.
fn common_ancestor(skeleton: &Skeleton, feet: &[(u16, Option<u16>)]) -> u16 {
    let chain = |bone: u16| {
        let mut next = Some(bone);
        std::iter::from_fn(move || {
            let bone = next?;
            next = skeleton
                .bones()
                .get(usize::from(bone))
                .and_then(|b| b.parent);
            Some(bone)
        })
    };
    let Some(((first, _), rest)) = feet.split_first() else {
        return 0;
    };
    let common = |bone: &u16| {
        rest.iter()
            .all(|(foot, _)| chain(*foot).any(|b| b == *bone))
            && bone != first
    };
    chain(*first).find(common).unwrap_or(*first)
}

/// Displacement and rotation of the hips over the clip, as a root motion step. Small amounts are noise of the keys
/// and count as zero, because in-place loops end exactly at their start.
fn lap(frames: &SampledPoses, hips: usize, size: f32) -> RootDelta {
    let last = frames.len() - 1;
    let (first_position, last_position) = (frames.position(0, hips), frames.position(last, hips));
    let turn = |i: usize| frames.matrix(i, hips).to_scale_rotation_translation().1;
    let yaw = twist_y(turn(last) * turn(0).inverse());
    let moved = (last_position - first_position).with_y(0.0);
    if moved.length() <= 0.02 * size && yaw.abs() < 0.03 || !yaw.is_finite() {
        return RootDelta::IDENTITY;
    }
    let translation = last_position - Quat::from_rotation_y(yaw) * first_position;
    RootDelta {
        translation: translation.with_y(0.0),
        yaw,
    }
}

/// Returns true if feet and toes end where they began, plus one loop of travel. It also accepts clips whose last pose
/// is one frame before the first, if that gap is at most 1/24 s.
fn repeats(frames: &SampledPoses, feet: &[(u16, Option<u16>)], lap: RootDelta, size: f32) -> bool {
    let last = frames.len() - 1;
    let bones: Vec<usize> = feet
        .iter()
        .flat_map(|(foot, toe)| [Some(*foot), *toe])
        .flatten()
        .map(usize::from)
        .collect();
    [0.0, 1.0 / 60.0, 1.0 / 30.0, 1.0 / 24.0].iter().any(|gap| {
        bones.iter().all(|bone| {
            let (first, end) = (frames.position(0, *bone), frames.position(last, *bone));
            let speed = (end - frames.position(last - 1, *bone)) / frames.dt;
            (end + speed * *gap - lap.point(first)).length() < 0.02 * size
        })
    })
}
