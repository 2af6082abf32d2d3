//! Motion warping: adjusts root motion so that the character arrives at a target at a given time.
//!
//! A copy of the state machine is simulated ahead without evaluating transitions, and the resulting path is stretched and
//! rotated ([`TargetWarp`]). If the machine deviates from it, or something else moves the character, a new path is computed
//! from the current position.
//!
//! The stage calls this every tick while a warp is active. A new path allocates memory; other ticks do not.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::placement::Placement;
use galatea_anim::motion_warp::{TargetWarp, WarpKind};
use galatea_anim::{PlayMode, RootDelta, RootTrack};
use galatea_machine::{
    Clips, Happening, Machine, MachineHost, MachineState, Predicate, play_on, showing,
};

/// A motion warping target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionWarp {
    /// World position, metres; `None` keeps the distance of the clips.
    pub to: Option<Vec3>,
    /// Yaw, degrees about +Y; `None` keeps the rotation of the clips.
    pub yaw: Option<f32>,
    /// Remaining time, seconds.
    pub left: f64,
    path: Option<MotionWarpPath>,
}

/// Result of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MotionWarpEnd {
    /// The character arrived.
    Arrived,
    /// The time is over, and no state with root motion was playing at the end.
    Missed,
    /// Another warp replaced it.
    Replaced,
}

impl MotionWarpEnd {
    /// Returns the word that scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::Missed => "missed",
            Self::Replaced => "replaced",
        }
    }
}

/// Maximum duration of a warp, seconds.
pub const MAX_WARP: f64 = 60.0;

/// A predicted path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MotionWarpPath {
    /// Root motion of the machine without warping.
    track: RootTrack,
    /// Time on the track at which the current target starts, seconds.
    from: f64,
    /// Displacement to achieve from there.
    target: RootDelta,
    /// Current time on the track, seconds.
    t: f64,
    /// Arrival time on the track, seconds.
    seconds: f64,
    /// Expected placement after the last step.
    expected: Placement,
}

/// Tolerance for equal steps or positions, metres and radians.
const TOLERANCE: f32 = 1e-4;
/// Age of a path from which a deviation of the machine triggers a new path, seconds.
const MIN_PATH_AGE: f64 = 0.1;

impl MotionWarpPath {
    /// Returns true while the machine follows the prediction.
    fn is_as_predicted(&self, own: RootDelta, dt: f64) -> bool {
        if self.t < MIN_PATH_AGE {
            return true;
        }
        let predicted = self.track.delta(self.t, self.t + dt, PlayMode::Once);
        predicted.translation.distance(own.translation) < TOLERANCE
            && (predicted.yaw - own.yaw).abs() < TOLERANCE
    }
}

/// The parts of a character that a warp reads.
#[derive(Clone, Copy)]
pub struct MotionWarpInput<'a> {
    /// State machine, if any.
    pub machine: Option<(&'a Machine, &'a MachineState)>,
    /// Clips with their marks.
    pub clips: Clips<'a>,
    /// Placement before the step.
    pub placement: Placement,
}

impl MotionWarpInput<'_> {
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

    fn is_at(&self, there: Placement) -> bool {
        let here = self.placement;
        let turned = (here.yaw - there.yaw).to_radians().abs();
        here.position.distance(there.position) <= TOLERANCE
            && turned <= TOLERANCE
            && here.scale == there.scale
    }

    /// Returns the remaining displacement from here, in the character's frame.
    fn target(&self, to: Option<Vec3>, yaw: Option<f32>, path: &MotionWarpPath) -> RootDelta {
        let unwarped = path.track.delta(path.from, path.seconds, PlayMode::Once);
        let here = self.placement;
        let scale = if here.scale == 0.0 { 1.0 } else { here.scale };
        let back = Quat::from_rotation_y(-here.yaw.to_radians());
        RootDelta {
            translation: to.map_or(unwarped.translation, |to| {
                back * (to - here.position) / scale
            }),
            yaw: yaw.map_or(unwarped.yaw, |yaw| (yaw - here.yaw).to_radians()),
        }
    }
}

impl MotionWarp {
    /// Creates a warp that starts with the next tick.
    pub fn new(to: Option<Vec3>, yaw: Option<f32>, within: f64) -> Self {
        Self {
            to,
            yaw,
            left: within.clamp(0.0, MAX_WARP),
            path: None,
        }
    }

    /// Warps the machine's step of a tick of `dt` seconds, and returns the result if the warp ends.
    pub fn bend(
        &mut self,
        input: MotionWarpInput<'_>,
        own: RootDelta,
        dt: f64,
    ) -> (RootDelta, Option<MotionWarpEnd>) {
        let ends = self.left <= dt + 1e-9;
        if !input.shows_root_motion() {
            self.path = None;
            self.left -= dt;
            return (own, ends.then_some(MotionWarpEnd::Missed));
        }
        let path = match self.path.take() {
            Some(path) if path.is_as_predicted(own, dt) => path,
            _ => self.predict_path(input, own, dt),
        };
        let path = self.path.insert(path);
        if !input.is_at(path.expected) {
            path.from = path.t;
            path.target = input.target(self.to, self.yaw, path);
        }
        let bent = TargetWarp::new(
            &path.track,
            PlayMode::Once,
            (path.from, path.seconds),
            path.target,
            WarpKind::Stretch,
        );
        let step = bent.delta(path.t, (path.t + dt).min(path.seconds));
        path.t += dt;
        path.expected = input.placement.stepped(step);
        self.left -= dt;
        (step, ends.then_some(MotionWarpEnd::Arrived))
    }

    /// Predicts the machine until the arrival; its step of this tick is the first sample.
    fn predict_path(&self, input: MotionWarpInput<'_>, own: RootDelta, dt: f64) -> MotionWarpPath {
        let n = (self.left / dt).ceil().max(1.0) as usize;
        let mut at = own;
        let mut samples = vec![RootDelta::IDENTITY, at];
        if let Some((machine, state)) = input.machine {
            let mut ahead: MachineState = state.clone();
            for _ in 1..n {
                play_on(machine, input.clips, &mut ahead, dt, &mut SilentHost);
                at = at.compose(ahead.root_translation);
                samples.push(at);
            }
        }
        let track = RootTrack::new(0, (n as f64 * dt) as f32, samples);
        let mut path = MotionWarpPath {
            track,
            from: 0.0,
            target: RootDelta::IDENTITY,
            t: 0.0,
            seconds: self.left,
            expected: input.placement,
        };
        path.target = input.target(self.to, self.yaw, &path);
        path
    }
}

/// A host for the prediction: it never fires transitions and ignores events.
struct SilentHost;

impl MachineHost for SilentHost {
    fn evaluate(&mut self, _: Predicate) -> bool {
        false
    }

    fn random(&mut self) -> f64 {
        0.5
    }

    fn emit(&mut self, _: Happening) {}
}
