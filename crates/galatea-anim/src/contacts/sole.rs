//! Soles: points under the foot's bones that touch the ground, their heights and velocities.

use galatea_math::clamp::ClampTo as _;
use glam::{Affine3A, Quat, Vec3};

use super::contact::{Contact, ContactOptions};
use crate::Skeleton;
use crate::root_motion::{RootDelta, twist_y};
use crate::tools::SampledPoses;

/// Points of one sole: heel, ball, tip.
const N_POINTS: usize = 3;

/// Places and velocities of all soles over a clip.
pub(super) struct Soles {
    pub looping: bool,
    /// Seconds.
    dt: f32,
    n_frames: usize,
    /// Resting height of the skeleton, metres.
    size: f32,
    /// Height of the ground in model space.
    ground: f32,
    /// Net movement of the hips over the clip, level.
    travel: Vec3,
    /// What one lap of a loop adds to the character's placement.
    lap: RootDelta,
    /// Foot after foot, frame after frame.
    places: Vec<Vec<[Vec3; N_POINTS]>>,
}

impl Soles {
    /// `None` for clips without time and skeletons without such feet or without size.
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
        let moved = frames.place(frames.len() - 1, hips) - frames.place(0, hips);
        let travels = lap != RootDelta::IDENTITY;
        let flat: Vec<FlatFrame> = feet
            .iter()
            .map(|foot| FlatFrame::find(frames, *foot, size))
            .collect();
        let ground = flat
            .iter()
            .map(|flat| flat.level)
            .fold(f32::INFINITY, f32::min);
        let places = feet
            .iter()
            .zip(&flat)
            .map(|(foot, flat)| flat.places(frames, *foot, ground, size))
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
            places,
        })
    }

    /// Mean velocity of the hips, level.
    pub fn travel_velocity(&self) -> Vec3 {
        self.travel / (self.dt * (self.n_frames - 1) as f32)
    }

    /// A point at a frame, which may lie before the start or behind the end of a loop.
    fn place(&self, foot: usize, point: usize, frame: isize) -> Vec3 {
        let lap = self.n_frames as isize - 1;
        if self.looping {
            let own = self.places[foot][frame.rem_euclid(lap) as usize][point];
            return match frame.div_euclid(lap) {
                0 => own,
                laps if laps < 0 => self.lap.inverse().point(own),
                _ => self.lap.point(own),
            };
        }
        let at = frame.clamp_to(0, lap);
        self.places[foot][at as usize][point]
    }

    /// By central difference over about 33 ms.
    fn velocity(&self, foot: usize, point: usize, frame: usize) -> Vec3 {
        let half = ((1.0 / 60.0) / self.dt).round().max(1.0) as isize;
        let frame = frame as isize;
        let (mut before, mut after) = (frame - half, frame + half);
        if !self.looping {
            before = before.max(0);
            after = after.min(self.n_frames as isize - 1);
        }
        let way = self.place(foot, point, after) - self.place(foot, point, before);
        way / (self.dt * (after - before).max(1) as f32)
    }

    fn lowest(&self, foot: usize, frame: usize) -> (usize, f32) {
        let points = self.places[foot][frame].iter().enumerate();
        let heights = points.map(|(i, p)| (i, p.y - self.ground));
        heights
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((0, 0.0))
    }

    /// The level velocity that low feet have most often.
    pub fn usual_velocity(&self) -> Vec3 {
        const MOST: usize = 1500;
        let step = (self.n_frames * self.places.len()).div_ceil(MOST).max(1);
        let travel = self.travel_velocity();
        // The ground never passes forwards under a body that travels; a foot that swings low does.
        let swings = |v: Vec3| (v - travel).dot(travel) > 0.0;
        let mut low = Vec::new();
        for foot in 0..self.places.len() {
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

    /// Whether a foot stands, frame by frame, the ground having velocity `ground`.
    pub fn planted(&self, foot: usize, ground: Vec3, options: &ContactOptions) -> Vec<bool> {
        let speed = (options.speed * self.size).max(options.speed_share * ground.length());
        let within = |frame: usize, height: f32, speed: f32| {
            (0..N_POINTS).any(|point| {
                self.places[foot][frame][point].y - self.ground < height * self.size
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
            // The state at the start of a loop is that of its end.
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

    /// True when the ground passes under the body.
    fn passes(&self, ground: Vec3, options: &ContactOptions) -> bool {
        (ground - self.travel_velocity()).length() >= options.speed * self.size
    }

    /// True when a foot is below a height, a share of the skeleton's, and goes with the ground at more than
    /// a share of its speed.
    fn slides(&self, foot: usize, frame: usize, ground: Vec3, below: f32, share: f32) -> bool {
        let passing = ground - self.travel_velocity();
        let (point, height) = self.lowest(foot, frame);
        let velocity = self.velocity(foot, point, frame) - self.travel_velocity();
        height < below * self.size && velocity.dot(passing) > share * passing.length_squared()
    }

    /// Closes gaps in which the foot neither rises nor swings forwards: there it slides and makes no step.
    fn bridge(&self, foot: usize, ground: Vec3, options: &ContactOptions, planted: &mut [bool]) {
        if !self.passes(ground, options) {
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

    /// Moves the start of each contact back to where the foot came down, if it slides on the ground
    /// at first: low, and going with the ground at more than half its speed, up to 0.15 s.
    fn touch_down(
        &self,
        foot: usize,
        ground: Vec3,
        options: &ContactOptions,
        planted: &mut [bool],
    ) {
        if !self.passes(ground, options) {
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

    /// Flips runs of `value` shorter than `shortest` frames; runs at the ends of a clip that does not
    /// loop are kept.
    fn close(&self, planted: &mut [bool], value: bool, shortest: usize) {
        for (start, len) in self.runs(planted, value) {
            let at_end = start == 0 || start + len >= self.n_frames;
            if len < shortest && len < self.n_frames && (self.looping || !at_end) {
                self.flip(planted, start, len, !value);
            }
        }
    }

    /// The frame of a run that may go on past the end of a loop.
    fn wrap(&self, i: usize) -> usize {
        if self.looping {
            i % (self.n_frames - 1)
        } else {
            i
        }
    }

    /// Sets a run; frame 0 and the last frame of a loop are one moment.
    fn flip(&self, planted: &mut [bool], start: usize, len: usize, value: bool) {
        for i in start..start + len {
            let i = self.wrap(i);
            planted[i] = value;
            if self.looping && i == 0 {
                planted[self.n_frames - 1] = value;
            }
        }
    }

    /// Runs of a value: first frame and length. In a loop a run may go on past the end.
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
            // Frame 0 and the last frame are one moment.
            if let Some(run) = runs.last_mut() {
                run.1 = last + first - 1;
            }
            runs.remove(0);
        }
        runs
    }

    /// Median level velocity of what touches the ground of planted feet; `before` when none is. Feet
    /// that slide where contacts begin and end do not move a median far.
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

    /// Runs of planted frames as contacts.
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

/// A frame in which a foot stands flat, and what lies under it there.
struct FlatFrame {
    frame: usize,
    /// Height of the lower bone.
    level: f32,
}

impl FlatFrame {
    /// The frame in which ankle and toes are lowest together.
    fn find(frames: &SampledPoses, (foot, toe): (u16, Option<u16>), size: f32) -> Self {
        let toe = toe.unwrap_or(foot);
        let [foot, toe] = [foot, toe].map(usize::from);
        let height = |i: usize| frames.place(i, foot).y + frames.place(i, toe).y;
        let frame = (0..frames.len()).min_by(|a, b| height(*a).total_cmp(&height(*b)));
        let frame = frame.unwrap_or(0);
        let low = frames.place(frame, foot).y.min(frames.place(frame, toe).y);
        // Characters stand on y = 0; a bone just above it has a sole's thickness below.
        let level = if (0.0..0.08 * size).contains(&low) {
            0.0
        } else {
            low
        };
        Self { frame, level }
    }

    /// Heel, ball and tip of the sole, carried along by the foot's bones.
    fn places(
        &self,
        frames: &SampledPoses,
        (foot, toe): (u16, Option<u16>),
        ground: f32,
        size: f32,
    ) -> Vec<[Vec3; N_POINTS]> {
        let foot = usize::from(foot);
        let front = toe.map_or(foot, usize::from);
        let (ankle, ball) = (
            frames.place(self.frame, foot),
            frames.place(self.frame, front),
        );
        let along = (ball - ankle).with_y(0.0);
        // Characters look along +Z; without toes the foot does too.
        let along = if toe.is_some() && along.length() > 0.005 * size {
            along
        } else {
            Vec3::Z * 0.08 * size
        };
        // A foot that is never on the ground is as thick as the lowest one's distance to it.
        let level = if self.level - ground > 0.03 * size {
            self.level
        } else {
            ground
        };
        let under = |p: Vec3| p.with_y(level);
        // An animal that walks on its toes has the heel in the air: a foot steeper than 55°.
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

/// Height of the highest bone over the lowest in the first frame or at rest, whichever is larger; a
/// lying figure is as tall as a standing one.
fn height(skeleton: &Skeleton, frames: &SampledPoses) -> Option<f32> {
    let still = crate::Clip::default();
    let rest = SampledPoses::new(skeleton, &still, 1.0);
    let span = |frames: &SampledPoses| {
        let heights = (0..skeleton.len()).map(|b| frames.place(0, b).y);
        let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        high - low
    };
    let size = span(&rest).max(span(frames));
    (size.is_finite() && size > 0.0).then_some(size)
}

/// The lowest bone that all feet hang from; the first foot itself when they have none in common.
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

/// What the hips' way and turn over the clip amount to, as a step of the character's placement. In-place
/// loops end exactly where they began; small amounts are noise of the keys.
fn lap(frames: &SampledPoses, hips: usize, size: f32) -> RootDelta {
    let last = frames.len() - 1;
    let (first_place, last_place) = (frames.place(0, hips), frames.place(last, hips));
    let turn = |i: usize| frames.matrix(i, hips).to_scale_rotation_translation().1;
    let yaw = twist_y(turn(last) * turn(0).inverse());
    let moved = (last_place - first_place).with_y(0.0);
    if moved.length() <= 0.02 * size && yaw.abs() < 0.03 || !yaw.is_finite() {
        return RootDelta::IDENTITY;
    }
    let translation = last_place - Quat::from_rotation_y(yaw) * first_place;
    RootDelta {
        translation: translation.with_y(0.0),
        yaw,
    }
}

/// Whether feet and toes end where they began, a lap further on. Clips whose last pose is one frame
/// before their first count too: their end goes on to the start within a twenty-fourth of a second.
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
            let (first, end) = (frames.place(0, *bone), frames.place(last, *bone));
            let speed = (end - frames.place(last - 1, *bone)) / frames.dt;
            (end + speed * *gap - lap.point(first)).length() < 0.02 * size
        })
    })
}
