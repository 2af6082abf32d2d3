//! Foot contacts of a motion: detects sliding feet and feet below the ground.

use glam::{Quat, Vec3};

use super::figure::Figure;
use super::pose::FigureSide;
use super::solve::{Solved, attached_point};

/// Maximum height of a planted foot, metres.
const MAX_PLANTED_HEIGHT: f32 = 0.004;
/// Tolerated depth of a foot below the ground, metres.
const MAX_DEPTH: f32 = 0.012;
/// Number of poses checked between two keys.
const N_BETWEEN: usize = 4;

/// Foot contacts of a motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contacts {
    /// Maximum slide of a planted foot, metres, its time, and the foot.
    pub slide: (f32, f32, usize),
    /// Maximum depth below the ground, its time, and the foot.
    pub deep: (f32, f32, usize),
}

/// Interpolates a figure between two poses.
fn between(a: &Solved, b: &Solved, u: f32) -> Solved {
    let turned = |(a, b): (&Quat, &Quat)| a.slerp(*b, u);
    Solved {
        rotations: a.rotations.iter().zip(&b.rotations).map(turned).collect(),
        hips: a.hips.lerp(b.hips, u),
        ..a.clone()
    }
}

/// Measures foot contacts over ground that has moved by `ground` at a time. While a foot is planted, all points of the sole
/// that touch the ground must move with it.
pub fn measure_contacts(
    figure: &Figure,
    keys: &[Solved],
    times: &[f32],
    ground: &dyn Fn(f32) -> Vec3,
) -> Contacts {
    let mut out = Contacts::default();
    for (k, _) in FigureSide::BOTH.into_iter().enumerate() {
        let leg = &figure.legs[k];
        let [.., ball, heel, tip] = leg.positions;
        let toes = leg.toes.unwrap_or(leg.foot);
        let points = [(leg.foot, heel), (toes, ball.with_y(0.0)), (toes, tip)];
        let mut before: Option<[Vec3; 3]> = None;
        let mut drift = Vec3::ZERO;
        let steps = (keys.len().max(1) - 1) * N_BETWEEN;
        for i in 0..=steps {
            let key = (i / N_BETWEEN).min(keys.len() - 1);
            let next = (key + 1).min(keys.len() - 1);
            let u = (i % N_BETWEEN) as f32 / N_BETWEEN as f32;
            let t = times[key] + (times[next] - times[key]) * u;
            let pose = between(&keys[key], &keys[next], u);
            let here =
                points.map(|(bone, rest)| attached_point(figure, &pose, bone, rest) - ground(t));
            for p in &here {
                if -p.y > out.deep.0 {
                    out.deep = (-p.y, t, k);
                }
            }
            if let Some(before) = before {
                let low = MAX_PLANTED_HEIGHT * figure.scale;
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
    /// Checks the contacts; planted feet may slide by at most `slide` metres.
    ///
    /// # Errors
    /// If a foot slides or sinks; the message names the foot and the time.
    pub fn check(&self, figure: &Figure, slide: Option<f32>) -> Result<(), String> {
        let told = |(metres, t, k): (f32, f32, usize), what: &str| {
            let side = FigureSide::BOTH[k].word();
            Err(format!(
                "the {side} foot {what} by {:.1} cm at {t:.2} s",
                metres * 100.0
            ))
        };
        if self.deep.0 > MAX_DEPTH * figure.scale {
            return told(self.deep, "sinks into the ground");
        }
        if slide.is_some_and(|most| self.slide.0 > most * figure.scale) {
            return told(self.slide, "slides while planted");
        }
        Ok(())
    }
}
