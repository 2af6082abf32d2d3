//! An agent of a crowd: its goal, its heading and the pose that is shown.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::behaviour::{AgentBehaviour, Leader};
use super::clip_sequence::{AgentPlayback, FADE};
use super::gaits::Gaits;
use super::standing::Standing;
use super::using::Using;
use crate::Handle;
use crate::frame::DrawnAgent;
use crate::level_of_detail::level_of_detail;
use galatea_anim::ClipPlay;
use galatea_character::Placement;
use galatea_crowd::Agent;
use galatea_math::clamp::ClampTo as _;

/// Distance from its goal at which an agent has arrived, and within which it slows down, metres.
pub(super) const ARRIVED: f32 = 0.3;
const SLOWS: f32 = 0.8;
/// Distance at which an intermediate goal of a tour counts as passed, metres.
const PASSED: f32 = 0.5;
/// Time for which others keep an agent from its own position at a goal, seconds, and distance at which it then stops,
/// metres.
const TAKEN_POSITION_TIME: f32 = 0.5;
const NEAR_POSITION: f32 = 1.0;
/// Factor that derives a second random number from the first.
const SECOND_RANDOM_FACTOR: f32 = 97.0;
/// Minimum distance between floors, metres.
const FLOOR_HEIGHT: f32 = 1.2;
/// Maximum speed of an agent that gives way, as a multiple of its preferred speed.
const MAX_HURRY_FACTOR: f32 = 1.3;
/// Speed below which an agent keeps its heading, m/s, and maximum turning speed, rad/s.
const FACES: f32 = 0.25;
const TURNS: f32 = 5.0;
/// Maximum speed at which agents are moved to the height of the ground, m/s, and time constant of the measured slope,
/// seconds.
const RISES: f32 = 3.0;
const EVENS_OUT: f32 = 0.4;
/// Factor by which an agent must appear larger than the limit of a level of detail to return to a finer one.
const HYSTERESIS: f32 = 1.15;
/// Coarsest level of detail, exclusive, with blending between two poses; coarser levels show the nearer pose.
const BLENDED: u8 = 2;

/// The character of a promoted agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCharacter {
    /// Handle of the character.
    pub character: Handle,
    /// A script requested the promotion; it lasts until the script ends it.
    pub is_requested: bool,
    /// The character leads the agent: it is down, gets up, is held or has a controller.
    pub leads_agent: bool,
    /// The character continues an earlier one, or one from before a reload.
    pub again: bool,
    /// The promotion was made in the main part of the script.
    pub by_main: bool,
}

/// An agent of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrowdAgent {
    /// Steering state: position, velocity, radius and preferred velocity.
    pub agent: Agent,
    /// Goal on the ground.
    pub goal: Option<Vec2>,
    /// Height requested with the goal, metres; without one, the goal is on the agent's current floor.
    pub(super) goal_height: Option<f32>,
    /// Height of the floor of its goal, metres, once its route is known.
    pub(super) goal_floor: Option<f32>,
    /// Radius around the goal in which agents with the same goal gather, metres.
    pub(super) gathering: f32,
    /// Own position in that circle, while the agent walks straight there.
    pub(super) own_position: Option<Vec2>,
    /// The goal at which it has arrived.
    pub(super) reached_goal: Option<Vec2>,
    /// Standing state since then.
    standing_state: Option<Standing>,
    /// Walking speed for now, m/s.
    pub speed: f32,
    /// Scale of the body.
    pub scale: f32,
    /// Width of the body relative to `scale`.
    pub width_scale: f32,
    /// Seed of the appearance and of individual variation.
    pub seed: u32,
    /// Index into the crowd's bodies.
    pub body: u16,
    /// Heading, radians about +Y from +Z.
    pub heading: f32,
    /// Height of the soles, metres.
    pub height: f32,
    /// Fraction of the lap, 0..1, and index of the gait level shown.
    lap: f32,
    level: usize,
    /// Level of detail of the body.
    lod: u8,
    /// Apparent size, as a fraction of the picture's height.
    apparent_size: f32,
    /// Height to which it is moved, metres, and the speed of that, m/s.
    pub(super) ground: f32,
    rises: f32,
    /// The agent arrived at its goal in this tick.
    has_arrived: bool,
    /// Position and heading in the previous tick.
    before: (Vec3, f32),
    /// Next corner of the path; `None` if that is the goal.
    pub(super) aim: Option<Vec2>,
    /// The agent waits until its path is found.
    pub(super) waits: bool,
    /// The goal is an intermediate one of a tour.
    pub(super) passes: bool,
    /// This tick found no path to its goal.
    pub(super) has_no_path: bool,
    /// Behaviour besides walking.
    pub(super) behaviour: AgentBehaviour,
    /// The clip that it acts.
    playback: Option<AgentPlayback>,
    /// The pose shown last; the pose that fades out, with the seconds left; the clip that was acted then.
    posed: u32,
    fade: (u32, f32),
    shown_clip: Option<AgentPlayback>,
    /// Character of a promoted agent.
    pub(super) character: Option<AgentCharacter>,
    /// Smoothed slope of the ground along its motion (rise over run).
    slope: f32,
}

impl CrowdAgent {
    /// An agent that stands at a position.
    pub fn new(at: Vec3, heading: f32, pace: f32) -> Self {
        Self {
            agent: Agent {
                at: Vec2::new(at.x, at.z),
                fastest: pace * MAX_HURRY_FACTOR,
                ..Agent::default()
            },
            goal: None,
            goal_height: None,
            goal_floor: None,
            gathering: 0.0,
            own_position: None,
            reached_goal: None,
            standing_state: None,
            speed: pace,
            scale: 1.0,
            width_scale: 1.0,
            seed: 0,
            body: 0,
            heading,
            height: at.y,
            lap: 0.0,
            level: 0,
            lod: 0,
            apparent_size: 1.0,
            ground: at.y,
            rises: RISES,
            has_arrived: false,
            before: (at, heading),
            aim: None,
            waits: false,
            passes: false,
            has_no_path: false,
            behaviour: AgentBehaviour::with_speed(pace),
            playback: None,
            posed: 0,
            fade: (0, 0.0),
            shown_clip: None,
            character: None,
            slope: 0.0,
        }
    }

    /// World position of the soles.
    pub fn position(&self) -> Vec3 {
        Vec3::new(self.agent.at.x, self.height, self.agent.at.y)
    }

    /// Position, heading and scale of the body.
    pub(super) fn placement(&self) -> Placement {
        Placement {
            position: self.position(),
            yaw: self.heading.to_degrees(),
            scale: self.scale,
            ..Placement::default()
        }
    }

    /// Velocity, m/s.
    pub fn velocity(&self) -> Vec3 {
        Vec3::new(self.agent.velocity.x, 0.0, self.agent.velocity.y)
    }

    /// Returns true if it came to its goal in the last tick. A position of a smart object is no goal.
    pub fn has_arrived(&self) -> bool {
        self.has_arrived && self.behaviour.used_object.is_none()
    }

    /// Returns true if the last tick found no path to its goal. A position of a smart object is no goal.
    pub fn has_no_path(&self) -> bool {
        self.has_no_path && self.behaviour.used_object.is_none()
    }

    /// Returns true if its character leads: it is down, held, or has a controller.
    pub(super) fn leads_agent(&self) -> bool {
        self.character.is_some_and(|own| own.leads_agent)
    }

    /// Returns true if it has no goal, no leader, and nothing else that keeps it where it is.
    pub(super) fn is_free(&self) -> bool {
        let is_kept =
            self.behaviour.stationary || self.behaviour.used_object.is_some() || self.leads_agent();
        self.goal.is_none() && self.behaviour.leader.is_none() && !is_kept
    }

    /// A random number of its own, 0..1, by which agents differ.
    pub(super) fn own_random(&self) -> f32 {
        (self.seed % (1 << 24)) as f32 / (1 << 24) as f32
    }

    /// Own position in the circle around a goal, metres.
    pub(super) fn own_position(&self, goal: Vec2) -> Vec2 {
        let radius = self.gathering * (self.own_random() * SECOND_RANDOM_FACTOR).fract().sqrt();
        goal + Vec2::from_angle(self.own_random() * TAU) * radius
    }

    /// Sets the phase of the lap, so that agents are not in step.
    pub fn begin_lap(&mut self, share: f32) {
        self.lap = share;
    }

    /// Sends it to a goal on its floor; `None` stops it.
    pub fn send(&mut self, goal: Option<Vec2>) {
        (self.goal, self.has_arrived, self.aim) = (goal, false, None);
        (self.goal_height, self.goal_floor) = (None, None);
        (self.gathering, self.own_position) = (0.0, None);
        (self.passes, self.reached_goal, self.standing_state) = (false, None, None);
    }

    /// Sends it to a position; of several floors above each other, to the one nearest in height.
    pub fn send_to(&mut self, goal: Vec3) {
        self.send(Some(Vec2::new(goal.x, goal.z)));
        self.goal_height = Some(goal.y);
    }

    /// Sets its preferred speed, now and in states without a speed of their own, m/s.
    pub fn set_speed(&mut self, pace: f32) {
        self.behaviour.speed = pace;
        self.hurry(pace);
    }

    /// Sets its walking speed for now, m/s.
    pub(super) fn hurry(&mut self, pace: f32) {
        (self.speed, self.agent.fastest) = (pace, pace * MAX_HURRY_FACTOR);
    }

    /// Follows a leader with an offset to the left and ahead, metres.
    pub fn follow(&mut self, leader: Option<(Leader, Vec2)>) {
        (self.behaviour.leader, self.reached_goal) = (leader, None);
        self.hurry(self.speed);
    }

    /// Faces a position while it stands; `None` ends that.
    pub fn face(&mut self, place: Option<Vec2>) {
        self.behaviour.faces = place;
    }

    /// The smart object that it uses, waits for or walks to.
    pub fn used_object(&self) -> Option<Handle> {
        self.behaviour.used_object.map(Using::object)
    }

    /// Moves it to a height within `seconds`, limited by the maximum speed.
    pub(super) fn rise_to(&mut self, ground: f32, seconds: f32) {
        self.ground = ground;
        self.rises = ((ground - self.height).abs() / seconds).min(RISES);
    }

    /// Teleports it to a position. `heading` in radians; `None` keeps the heading.
    pub fn teleport(&mut self, at: Vec3, heading: Option<f32>) {
        self.agent.at = Vec2::new(at.x, at.z);
        self.agent.velocity = Vec2::ZERO;
        (self.height, self.ground) = (at.y, at.y);
        self.heading = heading.unwrap_or(self.heading);
        self.before = (at, self.heading);
        (self.aim, self.reached_goal, self.behaviour.spot) = (None, None, None);
    }

    /// Moves the agent to the character that leads it. Other agents give way.
    pub(super) fn follow_character(&mut self, placement: Placement) {
        let Placement { position, yaw, .. } = placement;
        self.agent.at = Vec2::new(position.x, position.z);
        self.agent.velocity = Vec2::ZERO;
        self.agent.yields = 0.0;
        (self.height, self.ground) = (position.y, position.y);
        self.heading = yaw.to_radians();
    }

    /// Starts to act a clip; `None` stops acting.
    pub(super) fn play(&mut self, act: Option<AgentPlayback>) {
        if act.is_some() || self.playback.is_some() {
            self.fade = (self.posed, FADE);
            self.shown_clip = self.playback;
        }
        self.playback = act;
    }

    /// The clip that it acts.
    pub(super) fn playback(&self) -> Option<AgentPlayback> {
        self.playback
    }

    /// Advances its clip. Returns true if the clip is over.
    pub(super) fn advance_clip(&mut self, gaits: &Gaits, dt: f32) -> bool {
        self.playback
            .as_mut()
            .is_some_and(|act| act.advance(gaits, dt))
    }

    /// Continues the agent of before a reload. Its speed, size and body are those of the new script.
    pub(super) fn continue_from(&mut self, was: &Self) {
        let own = *self;
        *self = Self {
            speed: own.speed,
            scale: own.scale,
            width_scale: own.width_scale,
            seed: own.seed,
            body: own.body,
            level: 0,
            goal: own.goal.or(was.goal),
            goal_height: if own.goal.is_some() {
                own.goal_height
            } else {
                was.goal_height
            },
            reached_goal: was.reached_goal.filter(|_| own.goal.is_none()),
            standing_state: was.standing_state.filter(|_| own.goal.is_none()),
            aim: None,
            playback: None,
            posed: 0,
            fade: (0, 0.0),
            shown_clip: None,
            character: own.character,
            slope: 0.0,
            passes: if own.goal.is_some() {
                own.passes
            } else {
                was.passes
            },
            behaviour: was.behaviour.continued(&own.behaviour),
            agent: Agent {
                at: was.agent.at,
                velocity: was.agent.velocity,
                yields: was.agent.yields,
                ..own.agent
            },
            ..*was
        };
    }

    /// Selects the gait level that fits its speed.
    pub(super) fn find_level(&mut self, gaits: &Gaits) {
        let own = self.agent.velocity.length() / self.scale.max(1e-3);
        self.level = gaits.level(own, self.level);
    }

    /// Starts a tick.
    pub(super) fn begin(&mut self) {
        self.before = (self.position(), self.heading);
        (self.has_arrived, self.has_no_path) = (false, false);
        self.agent.height = self.height;
    }

    /// Sets its preferred velocity towards its goal, unless it has arrived.
    pub(super) fn set_desired_velocity(&mut self, arrived: f32, dt: f32) {
        (self.agent.desired_velocity, self.agent.waypoint) = (Vec2::ZERO, None);
        self.start_return(dt);
        let Some(goal) = self.goal else {
            return;
        };
        let to = self.own_position.filter(|_| !self.passes).unwrap_or(goal);
        let distance = (to - self.agent.at).length();
        let arrived = if self.passes { PASSED } else { arrived };
        // Another agent may occupy its own position.
        let own = if self.agent.blocked > TAKEN_POSITION_TIME {
            NEAR_POSITION
        } else {
            ARRIVED
        };
        let is_there = distance < own || goal.distance(self.agent.at) < arrived;
        if self.agent.blocked > TAKEN_POSITION_TIME && !is_there && self.stop_returning(distance) {
            return;
        }
        let is_on_floor = self
            .goal_floor
            .is_none_or(|floor| (floor - self.height).abs() < FLOOR_HEIGHT);
        if is_there && is_on_floor {
            self.arrive(goal);
            return;
        }
        if self.waits || self.behaviour.stationary || self.leads_agent() {
            return;
        }
        let aim = self.aim.unwrap_or(to);
        self.agent.waypoint = Some(aim);
        let way = aim - self.agent.at;
        let pace = self.speed * climbing(self.slope);
        let speed = match self.aim {
            Some(_) => pace,
            None if self.passes => pace,
            None if !is_on_floor => pace,
            None => pace * (distance / SLOWS).clamp(0.25, 1.0),
        };
        self.agent.desired_velocity = way.normalize_or_zero() * speed;
    }

    /// Ends its path at its goal.
    fn arrive(&mut self, goal: Vec2) {
        (self.goal, self.aim) = (None, None);
        let at = self.position();
        match &mut self.standing_state {
            Some(standing) if standing.is_returning() => standing.end_return(),
            standing => {
                self.has_arrived = true;
                self.reached_goal = Some(goal).filter(|_| !self.passes);
                *standing = self.reached_goal.map(|_| Standing::at(at));
            }
        }
    }

    /// Gives up its goal, to which there is no path.
    pub(super) fn drop_goal(&mut self) {
        (self.goal, self.aim) = (None, None);
        let standing = self.standing_state.take();
        self.has_no_path = !standing.is_some_and(|standing| standing.is_returning());
    }

    /// Sends it back when others have pushed it away from where it stood at its goal.
    fn start_return(&mut self, dt: f32) {
        if self.behaviour.wander_direction.is_some() || self.behaviour.leader.is_some() {
            self.standing_state = None;
        }
        let at = self.position();
        if self.is_free()
            && let Some(standing) = &mut self.standing_state
            && let Some(back) = standing.start_return(at, dt)
        {
            (self.goal, self.aim) = (Some(Vec2::new(back.x, back.z)), None);
            (self.goal_height, self.goal_floor) = (Some(back.y), None);
            self.own_position = None;
        }
    }

    /// Stops walking back when others are in the way. Returns true if it has stopped.
    fn stop_returning(&mut self, distance: f32) -> bool {
        let at = self.position();
        let standing = &mut self.standing_state;
        let stops = standing
            .as_mut()
            .is_some_and(|standing| standing.give_up(at, distance));
        if stops {
            (self.goal, self.aim) = (None, None);
        }
        stops
    }

    /// Selects the level of detail for an apparent size, as a fraction of the picture's height.
    pub(super) fn show(&mut self, seen: f32) {
        let (finest, coarsest) = (level_of_detail(seen), level_of_detail(seen / HYSTERESIS));
        self.lod = self.lod.clamp_to(finest, coarsest);
        self.apparent_size = seen;
    }

    /// The agent as drawn, interpolated by `alpha` from the previous tick. Only near agents blend two poses.
    pub(super) fn shown(&self, number: u32, gaits: &Gaits, alpha: f32) -> DrawnAgent {
        let (from, facing) = self.before;
        let turned = turn(facing, self.heading);
        let (poses, share) = self.poses(gaits);
        let is_near = self.lod < BLENDED;
        DrawnAgent {
            number,
            at: from.lerp(self.position(), alpha),
            turn: Quat::from_rotation_y(facing + turned * alpha),
            scale: [self.scale * self.width_scale, self.scale],
            poses,
            pose_fraction: if is_near { share } else { share.round() },
            level: self.lod,
            apparent_size: self.apparent_size,
            seed: self.seed,
        }
    }

    /// The two poses that are blended, and the weight of the second.
    fn poses(&self, gaits: &Gaits) -> ([u32; 2], f32) {
        let acted = self.playback.and_then(|act| act.poses(gaits));
        let (poses, share) = acted.unwrap_or_else(|| gaits.poses(self.level, self.lap));
        let (from, left) = self.fade;
        if left > 0.0 {
            let t = 1.0 - left / FADE;
            let to = poses[usize::from(share > 0.5)];
            return ([from, to], t * t * (3.0 - 2.0 * t));
        }
        (poses, share)
    }

    /// Writes the clips of the pose, for the character that replaces the agent.
    pub(super) fn plays(&self, gaits: &Gaits, out: &mut Vec<ClipPlay>) {
        out.clear();
        let definition = &gaits.definition;
        let mut play = |act: Option<AgentPlayback>, weight: f32| {
            let acted = act.and_then(|act| act.moment(gaits));
            let (level, lap) = acted.unwrap_or((&gaits.levels[self.level], self.lap));
            level.play(definition, lap, weight, out);
        };
        let left = (self.fade.1 / FADE).clamp(0.0, 1.0);
        let before = left * left * (3.0 - 2.0 * left);
        play(self.playback, 1.0 - before);
        if before > 0.0 {
            play(self.shown_clip, before);
        }
    }

    /// Turns it and advances its steps.
    pub(super) fn step(&mut self, gaits: &Gaits, dt: f32) {
        let velocity = self.agent.velocity;
        let speed = velocity.length();
        let looks = self
            .behaviour
            .faces
            .or(self.behaviour.spot.map(|spot| spot.ahead()));
        let looks = looks.map(|place| place - self.agent.at);
        let way = match looks.filter(|way| way.length_squared() > 1e-4) {
            Some(way)
                if self.agent.desired_velocity == Vec2::ZERO
                    && (self.behaviour.faces.is_some() || speed <= FACES) =>
            {
                Some(way)
            }
            _ => (speed > FACES).then_some(velocity),
        };
        if let Some(way) = way {
            let by = turn(self.heading, way.x.atan2(way.y));
            self.heading += by.clamp_to(-TURNS * dt, TURNS * dt);
        }
        self.find_level(gaits);
        let own = speed / self.scale.max(1e-3);
        let level = &gaits.levels[self.level];
        let rate = if level.speed > 0.0 {
            (own / level.speed).clamp(0.5, 1.6)
        } else {
            1.0
        };
        self.lap = (self.lap + rate * dt / level.seconds).fract();
        let (poses, share) = self.poses(gaits);
        self.posed = poses[usize::from(share > 0.5)];
        self.fade.1 = (self.fade.1 - dt).max(0.0);
        let rise = self.rises * dt;
        self.height += (self.ground - self.height).clamp_to(-rise, rise);
        let (before, _) = self.before;
        let gone = speed * dt;
        let slope = if gone > 1e-3 {
            ((self.height - before.y) / gone).clamp(-1.0, 1.0)
        } else {
            0.0
        };
        self.slope += (slope - self.slope) * (dt / EVENS_OUT).min(1.0);
    }
}

/// Walking speed on a slope (rise over run) as a fraction of the speed on level ground. It is highest slightly downhill and
/// falls with the steepness (Tobler 1993, "Three presentations on geographical analysis and modeling"). The minimum is the
/// speed on stairs of Weidmann (1993, "Transporttechnik der Fussgänger"), 0.61 of 1.34 m/s.
fn climbing(slope: f32) -> f32 {
    (-3.5 * ((slope + 0.05).abs() - 0.05)).exp().max(0.455)
}

/// The shortest rotation from one heading to another, radians.
pub(super) fn turn(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_slower_on_steeper_slopes_and_fastest_slightly_downhill() {
        assert!((climbing(0.0) - 1.0).abs() < 1e-6);
        assert!((climbing(-0.05) - 1.191).abs() < 1e-3);
        assert!((climbing(0.1) - 0.705).abs() < 1e-3);
        assert!(climbing(-0.2) < climbing(-0.1) && climbing(-0.1) < climbing(-0.05));
        assert_eq!((climbing(0.6), climbing(-0.9)), (0.455, 0.455));
    }
}
