//! One of a crowd: where it wants to be, how it turns, which of its poses is shown.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::gaits::Gaits;
use crate::asset::Lods;
use crate::crowd::Agent;
use crate::stage::frame::ShownPerson;

/// Metres from a goal at which somebody has arrived, and within which they slow down.
pub(super) const ARRIVED: f32 = 0.3;
const SLOWS: f32 = 0.8;
/// Times faster than they like to that people may go to give way.
const HURRY: f32 = 1.3;
/// Metres a second under which somebody keeps facing where they faced, and radians a second in which they turn.
const FACES: f32 = 0.25;
const TURNS: f32 = 5.0;
/// Metres a second in which people come to the height of the ground.
const RISES: f32 = 3.0;
/// Shares of the picture's height that somebody has at least on each level of detail, and by how much more to come back
/// to a finer one.
const DETAILS: [f32; Lods::LEVELS - 1] = [0.25, 0.1, 0.04, 0.018];
const HYSTERESIS: f32 = 1.15;
/// Levels of detail on which somebody is between two poses; on coarser ones in the nearer.
const BLENDED: u8 = 2;

/// One of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// How it walks.
    pub agent: Agent,
    /// Where it wants to be, on the ground.
    pub goal: Option<Vec2>,
    /// Metres a second that it likes to go.
    pub pace: f32,
    /// Of its body.
    pub scale: f32,
    /// How wide its body is, of what it would be at its scale.
    pub girth: f32,
    /// Its own number: what it wears.
    pub seed: u32,
    /// Which of the crowd's bodies.
    pub body: u16,
    /// How it faces, radians about +Y from +Z.
    pub heading: f32,
    /// Metres, of the ground under it.
    pub height: f32,
    /// Share of its lap, 0..1, and which of its gaits' levels is shown.
    lap: f32,
    level: usize,
    /// Coarser triangles of its body: the level.
    lod: u8,
    /// Height that it comes to.
    pub(super) ground: f32,
    /// It came to its goal in this tick.
    has_arrived: bool,
    /// Place and heading in the tick before.
    before: (Vec3, f32),
    /// Where its way turns next; nothing where that is its goal.
    pub(super) aim: Option<Vec2>,
    /// It waits for its way to be found.
    pub(super) waits: bool,
    /// No way leads to where it was sent in this tick.
    pub(super) is_lost: bool,
}

impl Person {
    /// One who stands somewhere.
    pub fn new(at: Vec3, heading: f32, pace: f32) -> Self {
        Self {
            agent: Agent {
                at: Vec2::new(at.x, at.z),
                fastest: pace * HURRY,
                ..Agent::default()
            },
            goal: None,
            pace,
            scale: 1.0,
            girth: 1.0,
            seed: 0,
            body: 0,
            heading,
            height: at.y,
            lap: 0.0,
            level: 0,
            lod: 0,
            ground: at.y,
            has_arrived: false,
            before: (at, heading),
            aim: None,
            waits: false,
            is_lost: false,
        }
    }

    /// World place of its soles.
    pub fn position(&self) -> Vec3 {
        Vec3::new(self.agent.at.x, self.height, self.agent.at.y)
    }

    /// Metres a second.
    pub fn velocity(&self) -> Vec3 {
        Vec3::new(self.agent.velocity.x, 0.0, self.agent.velocity.y)
    }

    /// It came to its goal in the last tick.
    pub fn has_arrived(&self) -> bool {
        self.has_arrived
    }

    /// No way leads to where it was sent, which it came to know in the last tick.
    pub fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Begins its laps at another moment than others.
    pub fn begin_lap(&mut self, share: f32) {
        self.lap = share;
    }

    /// Goes somewhere else from now on; `None` stays.
    pub fn send(&mut self, goal: Option<Vec2>) {
        (self.goal, self.has_arrived, self.aim) = (goal, false, None);
    }

    /// Changes how fast it likes to go.
    pub fn set_pace(&mut self, pace: f32) {
        (self.pace, self.agent.fastest) = (pace, pace * HURRY);
    }

    /// Goes on where it was before a script was saved; how fast it likes to go, its size and body are those of now.
    pub(super) fn go_on_as(&mut self, was: &Self) {
        let own = *self;
        *self = Self {
            pace: own.pace,
            scale: own.scale,
            girth: own.girth,
            seed: own.seed,
            body: own.body,
            level: 0,
            goal: own.goal.or(was.goal),
            aim: None,
            agent: Agent {
                at: was.agent.at,
                velocity: was.agent.velocity,
                yields: was.agent.yields,
                ..own.agent
            },
            ..*was
        };
    }

    /// Begins a tick.
    pub(super) fn begin(&mut self) {
        self.before = (self.position(), self.heading);
        (self.has_arrived, self.is_lost) = (false, false);
        self.agent.height = self.height;
    }

    /// Wishes to go on, unless it has arrived.
    pub(super) fn wish(&mut self, arrived: f32) {
        self.agent.wish = Vec2::ZERO;
        let Some(goal) = self.goal else {
            return;
        };
        let distance = (goal - self.agent.at).length();
        if distance < arrived {
            (self.goal, self.has_arrived, self.aim) = (None, true, None);
            return;
        }
        if self.waits {
            return;
        }
        let way = self.aim.unwrap_or(goal) - self.agent.at;
        let speed = match self.aim {
            Some(_) => self.pace,
            None => self.pace * (distance / SLOWS).clamp(0.25, 1.0),
        };
        self.agent.wish = way.normalize_or_zero() * speed;
    }

    /// Takes the level of detail that fits how large it is seen, a share of the picture's height.
    pub(super) fn show(&mut self, seen: f32) {
        let (finest, coarsest) = (level_of_detail(seen), level_of_detail(seen / HYSTERESIS));
        self.lod = self.lod.clamp(finest, coarsest);
    }

    /// As it is seen, `alpha` of the way from the tick before. Only from near it is between two of its poses.
    pub(super) fn shown(&self, number: u32, gaits: &Gaits, alpha: f32) -> ShownPerson {
        let (from, facing) = self.before;
        let turned = turn(facing, self.heading);
        let (sin, cos) = (facing + turned * alpha).sin_cos();
        let (poses, share) = gaits.poses(self.level, self.lap);
        ShownPerson {
            number,
            at: from.lerp(self.position(), alpha),
            turn: Vec2::new(cos, sin),
            scale: [self.scale * self.girth, self.scale],
            poses,
            share: if self.lod < BLENDED {
                share
            } else {
                share.round()
            },
            level: self.lod,
            seed: self.seed,
        }
    }

    /// Turns, and moves its steps on.
    pub(super) fn step(&mut self, gaits: &Gaits, dt: f32) {
        let velocity = self.agent.velocity;
        let speed = velocity.length();
        if speed > FACES {
            let to = velocity.x.atan2(velocity.y);
            let by = turn(self.heading, to);
            self.heading += by.clamp(-TURNS * dt, TURNS * dt);
        }
        let own = speed / self.scale.max(1e-3);
        self.level = gaits.level(own, self.level);
        let level = &gaits.levels[self.level];
        let rate = if level.speed > 0.0 {
            (own / level.speed).clamp(0.5, 1.6)
        } else {
            1.0
        };
        self.lap = (self.lap + rate * dt / level.seconds).fract();
        let rise = RISES * dt;
        self.height += (self.ground - self.height).clamp(-rise, rise);
    }
}

/// The level of detail of somebody who is so large a share of the picture's height; 0 is the finest.
pub fn level_of_detail(seen: f32) -> u8 {
    DETAILS.iter().filter(|least| seen < **least).count() as u8
}

/// The shorter way from one heading to another, radians.
fn turn(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(TAU) - PI
}
