//! Which marks a step of time passes, for callers that keep the elapsed time themselves;
//! [`Playhead`](super::Playhead) does it with turns, seeks and intervals.

use super::{Mark, PlayMode};

/// Calls `fire(mark, at)` for every mark passed while playing from `from` to `to` (seconds of
/// playing, `0 <= from <= to`), in order of time; `at` is the elapsed time at which it was passed.
///
/// A mark at `from` is passed, one at `to` is not yet, so that no mark is lost or doubled between
/// two steps; a clip played once passes marks at its very end on the step that reaches it.
pub fn passed_marks<'a>(
    marks: &'a [Mark],
    mode: PlayMode,
    duration: f32,
    from: f64,
    to: f64,
    mut fire: impl FnMut(&'a Mark, f64),
) {
    let d = f64::from(duration);
    if marks.is_empty() || to <= from {
        return;
    }
    if d <= 0.0 || mode == PlayMode::Once {
        for mark in marks {
            let t = f64::from(mark.t).min(d);
            let passed = if t < d {
                from <= t && t < to
            } else {
                from < d.max(f64::MIN_POSITIVE) && to >= d
            };
            if passed {
                fire(mark, t);
            }
        }
        return;
    }
    let lap = if mode == PlayMode::PingPong {
        2.0 * d
    } else {
        d
    };
    // One lap early, for a mark at that lap's very end. A step longer than eight laps is a pause or
    // a jump, not playing.
    let first = ((from / lap).floor() - 1.0)
        .max((to / lap).floor() - 8.0)
        .max(0.0);
    for n in 0..=MOST_LAPS {
        let start = (first + f64::from(n)) * lap;
        if start >= to {
            break;
        }
        for mark in marks {
            let at = start + f64::from(mark.t).min(d);
            if from <= at && at < to {
                fire(mark, at);
            }
        }
        if mode == PlayMode::PingPong {
            for mark in marks.iter().rev() {
                let t = f64::from(mark.t).min(d);
                let at = start + lap - t;
                if t > 0.0 && t < d && from <= at && at < to {
                    fire(mark, at);
                }
            }
        }
    }
}

/// Laps of a loop whose marks are told in one step; a longer step is a pause or a jump, not playing.
const MOST_LAPS: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(times: &[f32]) -> Vec<Mark> {
        times
            .iter()
            .map(|&t| Mark {
                t,
                length: 0.0,
                event: "step".into(),
                fields: Vec::new(),
            })
            .collect()
    }

    fn passed(marks: &[Mark], mode: PlayMode, d: f32, steps: &[f64]) -> Vec<f64> {
        let mut out = Vec::new();
        for pair in steps.windows(2) {
            passed_marks(marks, mode, d, pair[0], pair[1], |_, at| out.push(at));
        }
        out
    }

    #[test]
    fn a_loop_fires_each_mark_once_per_lap_whatever_the_step() {
        let marks = marks(&[0.0, 0.4, 1.0]);
        for n in [3, 7, 50, 1000] {
            let steps: Vec<f64> = (0..=n).map(|i| 3.0 * f64::from(i) / f64::from(n)).collect();
            let fired = passed(&marks, PlayMode::Loop, 1.0, &steps);
            let want = [0.0, 0.4, 1.0, 1.0, 1.4, 2.0, 2.0, 2.4];
            assert_eq!(fired.len(), want.len(), "{n} steps: {fired:?}");
            for (got, want) in fired.iter().zip(want) {
                assert!((got - want).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_clip_played_once_fires_the_mark_at_its_end_once() {
        let marks = marks(&[0.5, 1.0]);
        let fired = passed(&marks, PlayMode::Once, 1.0, &[0.0, 0.5, 0.9, 1.0, 1.1, 1.2]);
        assert_eq!(fired, [0.5, 1.0]);
    }

    #[test]
    fn ping_pong_passes_inner_marks_twice_and_turning_points_once() {
        let marks = marks(&[0.0, 0.25, 1.0]);
        let fired = passed(&marks, PlayMode::PingPong, 1.0, &[0.0, 0.7, 1.3, 1.9, 2.1]);
        assert_eq!(fired, [0.0, 0.25, 1.0, 1.75, 2.0]);
    }

    #[test]
    fn a_very_long_step_is_bounded() {
        for far in [1e9, 1e18, 1e300] {
            let fired = passed(&marks(&[0.1]), PlayMode::Loop, 0.001, &[0.0, far]);
            assert!(fired.len() < 20);
        }
    }
}
