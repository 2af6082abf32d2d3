//! What feet of a motion do on the ground: whether they stand still on it, and are not in it.

use glam::{Quat, Vec3};

use super::figure::Figure;
use super::pose::FigureSide;
use super::solve::{Solved, carried};

/// A foot so low stands on the ground, metres.
const LOW: f32 = 0.004;
/// A foot may be so far in the ground, metres.
const DEEP: f32 = 0.012;
/// Poses that are looked at between two keys.
const BETWEEN: usize = 4;

/// What the feet of a motion do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contacts {
    /// The farthest that a standing foot slides, metres, when, and which.
    pub slide: (f32, f32, usize),
    /// The deepest that one is in the ground.
    pub deep: (f32, f32, usize),
}

/// A figure between two of its poses.
fn between(a: &Solved, b: &Solved, u: f32) -> Solved {
    let turned = |(a, b): (&Quat, &Quat)| a.slerp(*b, u);
    Solved {
        rotations: a.rotations.iter().zip(&b.rotations).map(turned).collect(),
        hips: a.hips.lerp(b.hips, u),
        ..a.clone()
    }
}

/// Looks at feet over ground that has moved by `ground` at a time. While one stands, any point of its sole that touches
/// the ground must go along with it.
pub fn look(
    figure: &Figure,
    keys: &[Solved],
    times: &[f32],
    ground: &dyn Fn(f32) -> Vec3,
) -> Contacts {
    let mut out = Contacts::default();
    for (k, _) in FigureSide::BOTH.into_iter().enumerate() {
        let leg = &figure.legs[k];
        let [.., ball, heel, tip] = leg.places;
        let toes = leg.toes.unwrap_or(leg.foot);
        let points = [(leg.foot, heel), (toes, ball.with_y(0.0)), (toes, tip)];
        let mut before: Option<[Vec3; 3]> = None;
        let mut drift = Vec3::ZERO;
        let steps = (keys.len().max(1) - 1) * BETWEEN;
        for i in 0..=steps {
            let key = (i / BETWEEN).min(keys.len() - 1);
            let next = (key + 1).min(keys.len() - 1);
            let u = (i % BETWEEN) as f32 / BETWEEN as f32;
            let t = times[key] + (times[next] - times[key]) * u;
            let pose = between(&keys[key], &keys[next], u);
            let here = points.map(|(bone, rest)| carried(figure, &pose, bone, rest) - ground(t));
            for p in &here {
                if -p.y > out.deep.0 {
                    out.deep = (-p.y, t, k);
                }
            }
            if let Some(before) = before {
                let low = LOW * figure.scale;
                let stands = (0..3).filter(|p| here[*p].y < low && before[*p].y < low);
                let moved = stands.map(|p| (here[p] - before[p]).with_y(0.0));
                let least = moved.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
                drift = least.map_or(Vec3::ZERO, |step| drift + step);
                if drift.length() > out.slide.0 {
                    out.slide = (drift.length(), t, k);
                }
            }
            before = Some(here);
        }
    }
    out
}

impl Contacts {
    /// What is wrong with them, where feet may slide by so many metres.
    ///
    /// # Errors
    /// Names the foot and the time.
    pub fn check(&self, figure: &Figure, slide: Option<f32>) -> Result<(), String> {
        let told = |(metres, t, k): (f32, f32, usize), what: &str| {
            let side = FigureSide::BOTH[k].word();
            Err(format!(
                "the {side} foot {what} by {:.1} cm at {t:.2} s",
                metres * 100.0
            ))
        };
        if self.deep.0 > DEEP * figure.scale {
            return told(self.deep, "is in the ground");
        }
        if slide.is_some_and(|most| self.slide.0 > most * figure.scale) {
            return told(self.slide, "stands and slides");
        }
        Ok(())
    }
}
