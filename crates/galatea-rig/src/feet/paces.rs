//! How what feet remember dies away in a tick: ticks of one length share their exponentials.

use galatea_math::damp::{DampingPace, left};

/// Per second: how fast a foot comes to rest where it is put down, and how fast it goes over to its clip when
/// it is let go. What is left of a way dies away by its exponential, twice.
const PUT: f32 = 40.0;
const LET_GO: f32 = 22.0;
/// Seconds in which a foot follows the height of the ground.
const RISE: f32 = 0.07;
/// Half-lives in seconds of the slope under a foot, and of how fast one came down.
const SLOPE: f32 = 0.04;
const FALL: f32 = 0.05;
/// Seconds in which toes follow an edge of the ground, and the half-life of its slope.
const EDGE: f32 = 0.03;
/// Seconds in which feet take and leave the ground's shape.
const GRIP: f32 = 0.12;
/// How much longer than to follow the ground a body takes to come up again: longer than a step, so that on slopes and
/// stairs it goes with bent knees instead of up and down.
const RECOVER: f32 = 4.0;
/// Half-life of the character's speed, seconds.
const GOING: f32 = 0.06;

/// The paces of a tick. Shares are what is left after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paces {
    dt: f32,
    smooth: f32,
    pub put: DampingPace,
    pub let_go: DampingPace,
    pub rise: DampingPace,
    pub slope: f32,
    pub fall: f32,
    pub edge: DampingPace,
    pub edge_slope: f32,
    pub grip: f32,
    pub going: f32,
    /// Of the body's height and slope.
    pub body: DampingPace,
    /// Of how it comes up again after it went down for a foot.
    pub recover: DampingPace,
}

impl Paces {
    /// Those of a tick of `dt` seconds and a body that follows within `smooth` seconds; those before, if they are.
    pub fn of(before: Option<Self>, dt: f32, smooth: f32) -> Self {
        let same = before.filter(|before| before.dt == dt && before.smooth == smooth);
        same.unwrap_or_else(|| Self {
            dt,
            smooth,
            put: DampingPace::at_rate(PUT, dt),
            let_go: DampingPace::at_rate(LET_GO, dt),
            rise: DampingPace::within(RISE, dt),
            slope: left(SLOPE, dt),
            fall: left(FALL, dt),
            edge: DampingPace::within(EDGE, dt),
            edge_slope: left(EDGE, dt),
            grip: left(GRIP * 0.5, dt),
            going: left(GOING, dt),
            body: DampingPace::within(smooth, dt),
            recover: DampingPace::within(RECOVER * smooth, dt),
        })
    }
}
