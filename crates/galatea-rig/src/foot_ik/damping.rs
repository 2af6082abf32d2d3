//! Decay rates of foot state for one tick length: ticks of equal length share their exponentials.

use serde::{Deserialize, Serialize};

use galatea_math::damp::{DampingFactors, left};

/// Rates, per second: how fast a foot comes to rest where it is planted, and how fast it blends to its clip when it is
/// released. The remaining offset decays with a double exponential (critically damped).
const PLANT_RATE: f32 = 40.0;
const RELEASE_RATE: f32 = 22.0;
/// Time in which a foot follows the height of the ground, seconds.
const RISE_S: f32 = 0.07;
/// Half-lives of the ground slope under a foot and of the foot's downward speed, seconds.
const SLOPE_HALF_LIFE: f32 = 0.04;
const FALL_HALF_LIFE: f32 = 0.05;
/// Time in which toes follow an edge of the ground, and half-life of its slope, seconds.
const EDGE_S: f32 = 0.03;
/// Time in which feet blend to or from the shape of the ground, seconds.
const GRIP_S: f32 = 0.12;
/// Time in which a lowered body rises again, as a multiple of the time in which it follows the ground. It is longer than a
/// step: on slopes and stairs the body continues with bent knees and does not bob up and down.
const RECOVER_FACTOR: f32 = 4.0;
/// Half-life of the character's smoothed velocity, seconds.
const SPEED_HALF_LIFE: f32 = 0.06;

/// Damping constants of one tick. The `f32` fields are the fractions that remain after it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct FootDamping {
    dt: f32,
    smooth: f32,
    pub plant: DampingFactors,
    pub unlock: DampingFactors,
    pub rise: DampingFactors,
    pub slope: f32,
    pub fall: f32,
    pub edge: DampingFactors,
    pub edge_slope: f32,
    pub grip: f32,
    pub speed: f32,
    /// For the height and pitch of the body.
    pub body: DampingFactors,
    /// For the rise of the body after it was lowered for a foot.
    pub recover: DampingFactors,
}

impl FootDamping {
    /// Constants for a tick of `dt` seconds and a body that follows within `smooth` seconds. Reuses `before` if it matches.
    pub fn of(before: Option<Self>, dt: f32, smooth: f32) -> Self {
        let same = before.filter(|before| before.dt == dt && before.smooth == smooth);
        same.unwrap_or_else(|| Self {
            dt,
            smooth,
            plant: DampingFactors::at_rate(PLANT_RATE, dt),
            unlock: DampingFactors::at_rate(RELEASE_RATE, dt),
            rise: DampingFactors::within_time(RISE_S, dt),
            slope: left(SLOPE_HALF_LIFE, dt),
            fall: left(FALL_HALF_LIFE, dt),
            edge: DampingFactors::within_time(EDGE_S, dt),
            edge_slope: left(EDGE_S, dt),
            grip: left(GRIP_S * 0.5, dt),
            speed: left(SPEED_HALF_LIFE, dt),
            body: DampingFactors::within_time(smooth, dt),
            recover: DampingFactors::within_time(RECOVER_FACTOR * smooth, dt),
        })
    }
}
