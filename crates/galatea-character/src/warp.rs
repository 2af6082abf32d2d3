//! Root motion bent so that the character arrives somewhere at a given time.
//!
//! What the machine is going to do is found by playing a copy of it ahead without asking transitions;
//! that way is stretched and turned ([`TargetWarp`]). When the machine does something else, or the
//! character is moved by another hand, a new way is found from where it is.
//!
//! Caller: `stage`, every tick while a warp is on. A new way takes memory; none is needed between.

use glam::{Quat, Vec3};

use super::placement::Placement;
use galatea_anim::warp::{TargetWarp, WarpKind};
use galatea_anim::{PlayMode, RootDelta, RootTrack};
use galatea_machine::{
    Clips, Happening, Machine, MachineHost, MachineState, Predicate, play_on, showing,
};

/// Where a character is to arrive.
#[derive(Clone, Debug, PartialEq)]
pub struct Warp {
    /// World position, metres; `None` goes as far as the clips go.
    pub to: Option<Vec3>,
    /// Degrees about +Y; `None` turns as the clips turn.
    pub yaw: Option<f32>,
    /// Seconds that are left.
    pub left: f64,
    way: Option<WarpPath>,
}

/// How a warp ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpEnd {
    /// The character is there.
    Arrived,
    /// The time is over, and no state with root motion played in the end.
    Missed,
    /// Another warp took its place.
    Replaced,
}

impl WarpEnd {
    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::Missed => "missed",
            Self::Replaced => "replaced",
        }
    }
}

/// The longest time of a warp, seconds.
pub const LONGEST_WARP: f64 = 60.0;

/// A way that was found.
#[derive(Clone, Debug, PartialEq)]
struct WarpPath {
    /// What the machine does by itself.
    track: RootTrack,
    /// Seconds from the track's begin to where the target counts from.
    from: f64,
    /// What it shall come to from there.
    target: RootDelta,
    /// Seconds that have passed since the track's begin.
    t: f64,
    /// Seconds from the track's begin to the arrival.
    seconds: f64,
    /// Where the last step led.
    expected: Placement,
}

/// Two steps or places nearer than this are the same; metres and radians.
const SAME: f32 = 1e-4;
/// Seconds after which a way is found anew because the machine does something else.
const PATIENCE: f64 = 0.1;

impl WarpPath {
    /// True while the machine does what the way was found for.
    fn foretold(&self, own: RootDelta, dt: f64) -> bool {
        if self.t < PATIENCE {
            return true;
        }
        let thought = self.track.delta(self.t, self.t + dt, PlayMode::Once);
        thought.translation.distance(own.translation) < SAME && (thought.yaw - own.yaw).abs() < SAME
    }
}

/// The parts of a character that a warp reads.
#[derive(Clone, Copy)]
pub struct WarpInput<'a> {
    /// Its machine, if it has one.
    pub machine: Option<(&'a Machine, &'a MachineState)>,
    /// Its clips.
    pub clips: Clips<'a>,
    /// Its place before the step.
    pub placement: Placement,
}

impl WarpInput<'_> {
    fn shows_root_motion(&self) -> bool {
        let Some((machine, state)) = self.machine else {
            return false;
        };
        let clips = self.clips.set;
        let mut shows = false;
        showing(machine, clips, state, |shown| {
            shows |= shown.root_motion && clips.root(shown.clip).is_some();
        });
        shows
    }

    fn stands_at(&self, there: Placement) -> bool {
        let here = self.placement;
        let turned = (here.yaw - there.yaw).to_radians().abs();
        here.position.distance(there.position) <= SAME
            && turned <= SAME
            && here.scale == there.scale
    }

    /// What is left to go and to turn of a way from here, in the character's frame.
    fn target(&self, to: Option<Vec3>, yaw: Option<f32>, way: &WarpPath) -> RootDelta {
        let by_itself = way.track.delta(way.from, way.seconds, PlayMode::Once);
        let here = self.placement;
        let scale = if here.scale == 0.0 { 1.0 } else { here.scale };
        let back = Quat::from_rotation_y(-here.yaw.to_radians());
        RootDelta {
            translation: to.map_or(by_itself.translation, |to| {
                back * (to - here.position) / scale
            }),
            yaw: yaw.map_or(by_itself.yaw, |yaw| (yaw - here.yaw).to_radians()),
        }
    }
}

impl Warp {
    /// A warp that begins with the coming tick.
    pub fn new(to: Option<Vec3>, yaw: Option<f32>, within: f64) -> Self {
        Self {
            to,
            yaw,
            left: within.clamp(0.0, LONGEST_WARP),
            way: None,
        }
    }

    /// Bends the step that the machine made in a tick of `dt` seconds, and tells when that ends the warp.
    pub fn bend(
        &mut self,
        input: WarpInput<'_>,
        own: RootDelta,
        dt: f64,
    ) -> (RootDelta, Option<WarpEnd>) {
        let ends = self.left <= dt + 1e-9;
        if !input.shows_root_motion() {
            self.way = None;
            self.left -= dt;
            return (own, ends.then_some(WarpEnd::Missed));
        }
        let way = match self.way.take() {
            Some(way) if way.foretold(own, dt) => way,
            _ => self.find_way(input, own, dt),
        };
        let way = self.way.insert(way);
        if !input.stands_at(way.expected) {
            way.from = way.t;
            way.target = input.target(self.to, self.yaw, way);
        }
        let bent = TargetWarp::new(
            &way.track,
            PlayMode::Once,
            (way.from, way.seconds),
            way.target,
            WarpKind::Stretch,
        );
        let step = bent.delta(way.t, (way.t + dt).min(way.seconds));
        way.t += dt;
        way.expected = input.placement.stepped(step);
        self.left -= dt;
        (step, ends.then_some(WarpEnd::Arrived))
    }

    /// What the machine does until the arrival, its step of this tick being the first.
    fn find_way(&self, input: WarpInput<'_>, own: RootDelta, dt: f64) -> WarpPath {
        let n = (self.left / dt).ceil().max(1.0) as usize;
        let mut at = own;
        let mut samples = vec![RootDelta::IDENTITY, at];
        if let Some((machine, state)) = input.machine {
            let mut ahead: MachineState = state.clone();
            for _ in 1..n {
                play_on(machine, input.clips, &mut ahead, dt, &mut Deaf);
                at = at.compose(ahead.travel);
                samples.push(at);
            }
        }
        let track = RootTrack::new(0, (n as f64 * dt) as f32, samples);
        let mut way = WarpPath {
            track,
            from: 0.0,
            target: RootDelta::IDENTITY,
            t: 0.0,
            seconds: self.left,
            expected: input.placement,
        };
        way.target = input.target(self.to, self.yaw, &way);
        way
    }
}

/// Plays ahead: nothing is asked and nobody hears.
struct Deaf;

impl MachineHost for Deaf {
    fn ask(&mut self, _: Predicate) -> bool {
        false
    }

    fn chance(&mut self) -> f64 {
        0.5
    }

    fn tell(&mut self, _: Happening) {}
}
