//! One foot: whether it carries, where it is held, and how it goes over to where its clip wants it.

use glam::{Affine3A, Quat, Vec3};

use super::footing::{FootProbe, Footing, climb, ground_at};
use super::hold::{Fading, FootHold};
use super::legs::Leg;
use super::next::Stride;
use super::seen::Seen;
use super::toe::{Plane, Toes};
use super::{Carrier, FeetInput, Step, Under};
use crate::Posed;
use crate::turning::short_way;
use galatea_math::{nlerp, smoothstep};

/// How far one that is put down slips on at most until it rests, as a share of a leg.
const MOST_SLIP: f32 = 0.02;
/// Seconds of a step that a foot makes by itself when it stands too far from where its clip wants it.
const OWN_STEP: f32 = 0.24;
/// How high it is lifted then, as a share of its leg.
const LIFT: f32 = 0.08;
/// Radians that a foot that is held may be turned away from its clip.
const MOST_TURN: f32 = 0.6;
/// The same, and a share of a leg, once the body rests.
const REST_TURN: f32 = 0.25;
const REST_AWAY: f32 = 0.12;
/// Seconds ahead in which a foot that its clip tears away would be held too far.
const SOON: f32 = 0.1;
/// Radians by which a foot that is held rolls over for its leg to reach: as far as toes bend.
const MOST_ROLL: f32 = 0.85;
/// How much of that it does before the body goes down instead.
const EASY_ROLL: f32 = 0.2;
/// A foot lower than this share of its leg over the clip's ground may carry, and leaves it above the other.
const LOW: [f32; 2] = [0.045, 0.075];
/// A foot slower than this many legs per second may carry, and leaves it above the other.
const SLOW: [f32; 2] = [0.4, 0.8];
/// Shares of the body's speed up to which a foot may be carried along as well, and up to which one that carries slips
/// back: clips that were never measured against the ground do both, while a foot that swings goes at twice the speed.
const ALONG: [f32; 2] = [0.5, 0.9];
const BACK: f32 = 1.5;

/// Which end of the foot is on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    Heel,
    #[default]
    Ball,
}

/// What is remembered of one foot.
#[derive(Clone, Debug, Default)]
pub struct FootState {
    carries: bool,
    hold: Option<FootHold>,
    end: End,
    /// From where it is to be to where it is, world space, and the same of its heading in radians.
    rest: Fading,
    /// Where it is shown, from where its clip and the ground want it.
    offset: Vec3,
    turned: f32,
    /// How fast it is shown to go.
    velocity: Vec3,
    /// How fast its clip wants it to go while it is held, against what carries it.
    torn: Vec3,
    /// Since when it steps by itself, and its offset then.
    own_step: Option<(f32, Vec3, f32)>,
    /// Where its clip and the ground wanted it.
    wish: Option<(End, Vec3)>,
    footing: Footing,
    /// Where its clip had it in the tick before.
    before: Option<(End, Vec3)>,
    /// How fast it came down.
    falling: f32,
    /// How far it went since it stood last.
    way: f32,
    last: Option<Vec3>,
    /// Where heel and ball were shown.
    shown: [Vec3; 2],
    /// For how many ticks it was held by this end, and what it stands on.
    held_for: u32,
    on: Affine3A,
    /// What moves under it, and where that was.
    under: Option<(Carrier, Affine3A)>,
    /// Where it was held, and how far what carries it has taken it up in this tick.
    held: Option<Vec3>,
    pub(super) lifted: Option<f32>,
    pub(super) stride: Stride,
    pub(super) toes: Toes,
}

/// What the clip and the ground want of a foot.
struct FootGoal {
    stands: bool,
    /// Where its end is to be.
    wish: Vec3,
    heading: f32,
    under: Under,
}

/// The foot in the pose of the clip, world space.
struct FootInClip {
    ankle: Vec3,
    rotation: Quat,
    /// Heel and ball.
    ends: [Vec3; 2],
    hip: Vec3,
}

impl FootInClip {
    fn of(leg: &Leg, seen: &Seen<'_>, posed: &Posed<'_>) -> Self {
        let in_world = seen.world * posed.model(leg.limb.end);
        Self {
            ankle: Vec3::from(in_world.translation),
            rotation: turn_of(in_world),
            ends: [leg.heel, leg.ball].map(|place| in_world.transform_point3(place)),
            hip: seen.world.transform_point3(posed.position(leg.limb.upper)),
        }
    }
}

/// Where a foot is to be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootPose {
    /// World space.
    pub ankle: Vec3,
    pub rotation: Quat,
    /// Where the hip is, once the body is at its height.
    pub hip: Vec3,
    /// Height of the ground under it over that of the clips.
    pub rise: f32,
    /// From hip to ankle as the clip has it.
    pub stretch: f32,
    pub carries: bool,
    /// It is lifted off for a step of its own: the body need not reach down to it.
    pub lifts: bool,
    /// From where its clip wants it to where it is held, world space.
    pub held_away: Vec3,
    /// The end at which it is held, and where.
    pub end: End,
    pub pivot: Option<Vec3>,
    /// There is ground under it, and where.
    pub found: bool,
    pub place: Vec3,
    /// How far that slope goes up with the body in this tick.
    pub climb: f32,
    pub plane: Plane,
}

impl FootPose {
    /// Where its ankle can be, with its ball where it is held, before the body need go down: nearer to the hip.
    /// `walks`: 0 for a body that stands, whose heels stay down, to 1.
    pub fn within_reach(&self, walks: f32) -> Vec3 {
        let Some(pivot) = self.pivot.filter(|_| self.end == End::Ball) else {
            return self.ankle;
        };
        let (arm, up) = (self.ankle - pivot, self.hip - pivot);
        let Some(axis) = arm.cross(up).try_normalize() else {
            return self.ankle;
        };
        let angle = arm.angle_between(up).min(EASY_ROLL * walks);
        pivot + Quat::from_axis_angle(axis, angle) * arm
    }

    /// A foot that is held farther away than its leg is long, in the world, rolls over the end at which it is held, as
    /// far as that goes: heel or toes are lifted and the end stays.
    pub fn roll(&mut self, length: f32) {
        let Some(pivot) = self.pivot else {
            return;
        };
        let length = length.max(self.stretch);
        let (arm, up) = (self.ankle - pivot, self.hip - pivot);
        let (r, far) = (arm.length(), up.length());
        if self.hip.distance(self.ankle) <= length || r * far < 1e-9 {
            return;
        }
        let cosine = (far * far + r * r - length * length) / (2.0 * far * r);
        let angle = arm.angle_between(up) - cosine.clamp(-1.0, 1.0).acos();
        let Some(axis) = arm.cross(up).try_normalize() else {
            return;
        };
        let turn = Quat::from_axis_angle(axis, angle.clamp(0.0, MOST_ROLL));
        self.ankle = pivot + turn * arm;
        self.rotation = turn * self.rotation;
    }
}

impl FootState {
    /// The place of the foot that is held, in its space, and what it stands on.
    pub fn held_end(&self, leg: &Leg) -> Option<(Vec3, Affine3A)> {
        let end = match self.end {
            End::Heel => leg.heel,
            End::Ball => leg.ball,
        };
        (self.held_for > 1).then_some((end, self.on))
    }

    pub(super) fn is_stepping(&self) -> bool {
        self.own_step.is_some()
    }

    pub(super) fn advance(
        &mut self,
        index: usize,
        leg: &Leg,
        seen: &Seen<'_>,
        posed: &Posed<'_>,
        input: &FeetInput<'_>,
        steps: &mut Vec<Step>,
    ) -> FootPose {
        let clip = FootInClip::of(leg, seen, posed);
        let end = self.end;
        self.choose_end(clip.ends, seen);
        let at_end = usize::from(self.end == End::Ball);
        let contact = clip.ends[at_end];
        let height = (clip.ends[0].y.min(clip.ends[1].y) - seen.plane).max(0.0);
        let (velocity, fell) = self.motion(contact, input.dt, seen.paces.fall);
        let carried = self.carried(contact, input);
        let wants = input.grounded && self.wants(index, height, [velocity, carried], seen, input);
        let at = match self.held_at(input) {
            Some(held) if wants => held,
            _ => contact + self.offset,
        };
        let found = FootProbe::at(at, (!wants).then_some(velocity), seen, input);
        let is_found = found.is_some();
        let found = found.unwrap_or_else(|| FootProbe::level(at.with_y(seen.plane)));
        let under = found.under;
        let carrier = under.carrier;
        self.under = carrier.and_then(|id| Some((id, input.ground.carrier(id)?)));
        let (rise, normal) = self.footing.advance(&found, carried, input.dt, seen);
        let wish = contact + Vec3::Y * rise;
        if self.end != end && self.last.is_some() {
            self.roll_over(self.shown[at_end], wish);
        }
        let wanted = FootGoal {
            stands: wants && is_found,
            wish,
            heading: heading_of(clip.ends),
            under,
        };
        let carries = self.go_over(&wanted, seen, input);
        if carries && !self.carries {
            self.land(index, wish, under, fell, seen, steps);
        }
        self.carries = carries;
        self.torn = velocity - carried;
        self.held_for = self.hold.map_or(0, |_| self.held_for + 1);
        self.stride.advance(input.dt);
        let shown = self.show(wish, input.dt, seen);
        let turn = self.turn(normal, height, seen);
        self.shown = clip.ends.map(|end| shown + turn * (end - contact));
        FootPose {
            ankle: shown + turn * (clip.ankle - contact),
            rotation: turn * clip.rotation,
            hip: clip.hip,
            rise,
            stretch: clip.hip.distance(clip.ankle),
            carries,
            lifts: self.own_step.is_some_and(|(t, ..)| t < 0.5),
            held_away: self.hold.map_or(Vec3::ZERO, |_| self.offset.with_y(0.0)),
            end: self.end,
            pivot: self.hold.map(|_| shown),
            found: is_found,
            place: under.point,
            climb: climb(under.normal, seen.going * input.dt),
            plane: Plane {
                point: under.point,
                normal,
            },
        }
    }

    /// Switches the hold to the other end of the foot, at its current position `shown`.
    fn roll_over(&mut self, shown: Vec3, wish: Vec3) {
        if self.hold.take().is_some() {
            self.offset = shown - wish;
            self.velocity = Vec3::ZERO;
        }
        self.last = Some(shown);
    }

    /// Returns the new position, and updates distance and velocity.
    fn show(&mut self, wish: Vec3, dt: f32, seen: &Seen<'_>) -> Vec3 {
        let shown = wish + self.offset + Vec3::Y * self.lift(seen);
        let way = shown - self.last.unwrap_or(shown);
        self.way += way.with_y(0.0).length();
        if dt > 0.0 {
            self.velocity = way / dt;
        }
        self.last = Some(shown);
        shown
    }

    /// Rotation relative to the clip. A foot near the ground is aligned with the slope.
    fn turn(&self, normal: Vec3, height: f32, seen: &Seen<'_>) -> Quat {
        let mut turn = Quat::from_rotation_y(self.turned);
        let near = 1.0 - smoothstep(0.0, 1.0, height / (0.2 * seen.size));
        if normal != Vec3::Y && near > 0.0 {
            let slope = Quat::from_rotation_arc(Vec3::Y, normal);
            turn = nlerp(Quat::IDENTITY, slope, near) * turn;
        }
        turn
    }

    /// The lower end of the foot touches the ground, the ball where both do.
    fn choose_end(&mut self, ends: [Vec3; 2], seen: &Seen<'_>) {
        let heel_over_ball = ends[0].y - ends[1].y;
        let slack = 0.012 * seen.size;
        self.end = match self.end {
            End::Ball if heel_over_ball < -2.0 * slack => End::Heel,
            End::Heel if heel_over_ball > -slack => End::Ball,
            same => same,
        };
    }

    /// How fast the clip and the character move the foot, and how fast it came down.
    fn motion(&mut self, contact: Vec3, dt: f32, left: f32) -> (Vec3, f32) {
        let before = self.before.replace((self.end, contact));
        let Some((end, before)) = before.filter(|_| dt > 0.0) else {
            return (Vec3::ZERO, 0.0);
        };
        let fell = self.falling;
        if end != self.end {
            return (Vec3::ZERO, fell);
        }
        let velocity = (contact - before) / dt;
        self.falling = (-velocity.y).max(self.falling * left).max(0.0);
        (velocity, self.falling.max(fell))
    }

    /// How fast what it was over in the tick before takes it along.
    fn carried(&self, contact: Vec3, input: &FeetInput<'_>) -> Vec3 {
        let moved = self.under.filter(|_| input.dt > 0.0).and_then(|(id, was)| {
            let now = input.ground.carrier(id)?;
            let before = was.inverse().transform_point3(contact);
            Some((now.transform_point3(before) - contact) / input.dt)
        });
        moved.filter(|v| v.is_finite()).unwrap_or_default()
    }

    /// Whether it is to carry. `velocity`: its own and that of the ground.
    fn wants(
        &self,
        index: usize,
        height: f32,
        [velocity, carried]: [Vec3; 2],
        seen: &Seen<'_>,
        input: &FeetInput<'_>,
    ) -> bool {
        let slack = usize::from(self.carries);
        let is_low = height < LOW[slack] * seen.size;
        match input.planted.get(index).copied().flatten() {
            Some(planted) => {
                let enough = if self.carries { 0.35 } else { 0.5 };
                planted >= enough && height < 2.0 * LOW[slack] * seen.size
            }
            None => is_low && is_slow(velocity - carried, seen.going - carried, seen.size, slack),
        }
    }

    /// Where the place is now at which it is held.
    fn held_at(&self, input: &FeetInput<'_>) -> Option<Vec3> {
        self.hold?.place_now(input.ground)
    }

    /// Moves it on to where it is to be. True when it carries.
    fn go_over(&mut self, wanted: &FootGoal, seen: &Seen<'_>, input: &FeetInput<'_>) -> bool {
        let stands = wanted.stands;
        self.lifted = None;
        let wish_velocity = self.wish_velocity(wanted.wish, input.dt);
        if self.goes_by_itself(stands, wish_velocity, input.dt, seen) {
            return false;
        }
        if !stands || !seen.holds {
            if self.hold.take().is_some() {
                self.let_go(self.offset, wish_velocity);
            }
            self.rest.advance(&seen.paces.let_go);
            (self.offset, self.turned) = (self.rest.away, self.rest.turned);
            return stands;
        }
        if self.hold.is_none() {
            self.put_down(wanted, seen, input);
        }
        self.follow_hold(wanted, seen, input)
    }

    /// Velocity of the target position, metres per second.
    fn wish_velocity(&mut self, wish: Vec3, dt: f32) -> Vec3 {
        let same_end = self.wish.replace((self.end, wish));
        match same_end {
            Some((end, before)) if end == self.end && dt > 0.0 => (wish - before) / dt,
            _ => Vec3::ZERO,
        }
    }

    /// Advances a corrective step. Returns false if there is none or it has just ended.
    fn goes_by_itself(
        &mut self,
        stands: bool,
        wish_velocity: Vec3,
        dt: f32,
        seen: &Seen<'_>,
    ) -> bool {
        let Some((t, from, turned)) = &mut self.own_step else {
            return false;
        };
        *t += dt / OWN_STEP;
        let rest = 1.0 - smoothstep(0.0, 1.0, *t);
        (self.offset, self.turned) = (*from * rest, *turned * rest);
        let is_over = *t >= 1.0;
        if !stands {
            self.let_go(self.offset + Vec3::Y * self.lift(seen), wish_velocity);
            self.offset = self.rest.away;
            self.own_step = None;
            return true;
        }
        if is_over {
            self.own_step = None;
            self.rest = Fading::default();
        }
        !is_over
    }

    /// Fades from the current position, `away` from the target, back to the clip.
    fn let_go(&mut self, away: Vec3, wish_velocity: Vec3) {
        self.rest = Fading {
            away,
            velocity: self.velocity - wish_velocity,
            turned: self.turned,
        };
    }

    /// Plants the foot a little ahead, where it comes to rest, and never below the ground.
    fn put_down(&mut self, wanted: &FootGoal, seen: &Seen<'_>, input: &FeetInput<'_>) {
        let shown = wanted.wish + self.offset;
        let put = seen.paces.put.rate;
        let level = self.velocity.with_y(0.0) / put;
        let at = shown + level.clamp_length_max(MOST_SLIP * seen.size);
        let there = ground_at(at, seen, input).unwrap_or(wanted.under);
        let at = at.with_y(there.point.y);
        let away = shown - at;
        self.rest = Fading {
            away,
            velocity: (-away * put).with_y(self.velocity.y.max(-away.y.max(0.0) * put)),
            turned: 0.0,
        };
        let heading = wanted.heading + self.turned;
        self.hold = Some(FootHold::at(at, heading, there.carrier, input.ground));
        self.held_for = 0;
        self.held = None;
    }

    /// Follows the held position and the moving ground. Returns true if the foot bears weight.
    fn follow_hold(&mut self, wanted: &FootGoal, seen: &Seen<'_>, input: &FeetInput<'_>) -> bool {
        let now = self.hold.and_then(|hold| {
            Some((
                hold.place_now(input.ground)?,
                hold.heading_now(input.ground)?,
            ))
        });
        let Some((at, held_heading)) = now else {
            self.hold = None;
            return wanted.stands;
        };
        if let (Some(before), Some(_)) = (self.held, self.hold.and_then(|hold| hold.carrier)) {
            self.lifted = Some(at.y - before.y);
        }
        self.held = Some(at);
        self.rest.advance(&seen.paces.put);
        self.offset = at + self.rest.away - wanted.wish;
        self.turned = short_way(wanted.heading, held_heading);
        let carrier = self
            .hold
            .and_then(|hold| input.ground.carrier(hold.carrier?));
        self.on = carrier.unwrap_or_default();
        true
    }

    /// For how many ticks it is held too far from where its clip wants it or soon will, and whether it cannot wait.
    pub(super) fn too_far(&self, seen: &Seen<'_>) -> Option<(u32, bool)> {
        self.hold?;
        let [away, soon] = [0.0, SOON].map(|time| {
            let away = self.offset - self.torn * time;
            away.with_y(0.0).length()
        });
        let rests = seen.rests;
        let most = seen.size * least_if(rests, REST_AWAY, seen.options.release);
        let most_turn = least_if(rests, REST_TURN, MOST_TURN);
        let turned = self.turned.abs();
        let is_torn = soon > most && !is_slow(self.torn, seen.going, seen.size, 1);
        let too_far = is_torn || away > most || turned > most_turn;
        let much = away > 2.0 * seen.options.release * seen.size || turned > 2.0 * MOST_TURN;
        too_far.then_some((self.held_for, much))
    }

    /// Begins a step of its own.
    pub(super) fn step_by_itself(&mut self) {
        self.own_step = Some((0.0, self.offset, self.turned));
        self.hold = None;
    }

    fn lift(&self, seen: &Seen<'_>) -> f32 {
        match self.own_step {
            Some((t, from, _)) => {
                let far = (from.length() / (0.15 * seen.size)).clamp(0.4, 1.0);
                LIFT * seen.size * far * (t.clamp(0.0, 1.0) * std::f32::consts::PI).sin()
            }
            None => 0.0,
        }
    }

    /// It came down: a step, unless it has hardly moved.
    fn land(
        &mut self,
        index: usize,
        wish: Vec3,
        under: Under,
        speed: f32,
        seen: &Seen<'_>,
        steps: &mut Vec<Step>,
    ) {
        let place = (wish + self.offset).with_y(under.point.y);
        self.stride.land(place, seen.world);
        if self.way > 0.08 * seen.size {
            steps.push(Step {
                leg: index,
                place,
                normal: under.normal,
                speed,
                weight: 1.0,
                next: None,
                owner: under.owner,
                part: under.part,
            });
        }
        self.way = 0.0;
        self.falling = 0.0;
    }
}

/// Whether a foot may stand that moves so over its ground, as the body does; `size`: length of a leg.
fn is_slow(velocity: Vec3, going: Vec3, size: f32, slack: usize) -> bool {
    let slow = SLOW[slack] * size.max(0.1);
    let going = going.with_y(0.0);
    let speed = going.length();
    let Some(way) = going.try_normalize() else {
        return velocity.length() < slow;
    };
    let along = velocity.dot(way);
    let aside = velocity - way * along;
    let ahead = slow.max(ALONG[slack] * speed);
    aside.length() < slow && along < ahead && -along < slow.max(BACK * speed)
}

/// The smaller of two where something holds, else the second.
fn least_if(holds: bool, a: f32, b: f32) -> f32 {
    if holds { a.min(b) } else { b }
}

/// How a matrix is turned, its scale left out.
fn turn_of(matrix: Affine3A) -> Quat {
    galatea_math::Trs::near(matrix).rotation
}

/// Radians about +Y of the way from heel to ball.
fn heading_of([heel, ball]: [Vec3; 2]) -> f32 {
    let way = ball - heel;
    if way.x.abs() + way.z.abs() < 1e-6 {
        0.0
    } else {
        f32::atan2(way.x, way.z)
    }
}
