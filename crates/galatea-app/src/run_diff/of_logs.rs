//! Comparison of two recorded runs that had the same beginning.

use super::differences::{Distance, event_differences, slide_difference, state_differences};
use super::report::{DiffReport, DifferenceKind};
use super::run_log::{RunLog, bone_distance, characters};
use galatea_stage::Stage;

/// Compares two runs after tick `from`, until tick `to` of unscaled time. `dt` is the duration of a tick in seconds, and
/// `tolerance` the distance up to which positions count as equal, metres.
pub fn compare_logs(
    logs: [&RunLog; 2],
    [from, to]: [u64; 2],
    dt: f64,
    tolerance: f32,
) -> DiffReport {
    let mut report = DiffReport::of((to - from) as f64 * dt, tolerance);
    let [a, b] = logs;
    let begin = from as f64 * dt;
    for name in a.states.keys() {
        let [a, b] = logs.map(|log| log.states_from(name, begin));
        for (time, difference) in state_differences(&a, &b) {
            report.add(name, time, DifferenceKind::State(difference));
        }
    }
    let [in_a, in_b] = logs.map(|log| {
        let all = log.events.iter();
        all.filter(move |event| event.n_ticks > from && event.n_ticks <= to)
    });
    for (time, name, difference) in event_differences(in_a, in_b) {
        report.add(&name, time, DifferenceKind::Events(difference));
    }
    for (name, slides) in &a.slides {
        let others = b.slides.get(name);
        let slide = others.and_then(|others| slide_difference([slides, others], [from, to], dt));
        if let Some((time, slide)) = slide {
            report.add(name, time, DifferenceKind::FootSlide(slide));
        }
    }
    compare_positions(logs, [from, to], dt, &mut report);
    report.sorted()
}

fn compare_positions([a, b]: [&RunLog; 2], [from, to]: [u64; 2], dt: f64, report: &mut DiffReport) {
    let in_either = a.positions.keys().chain(b.positions.keys());
    let names: std::collections::BTreeSet<&String> = in_either.collect();
    for name in names {
        let mut distance = Distance::default();
        let at = |log: &RunLog, n_ticks| log.positions.get(name)?.get(n_ticks).copied().flatten();
        let mut missing = None;
        for n_ticks in from + 1..=to {
            let time = n_ticks as f64 * dt;
            match (at(a, n_ticks), at(b, n_ticks)) {
                (Some(a), Some(b)) => {
                    distance.take(time, a.distance(b), None, report.tolerance);
                }
                (Some(_), None) => drop(missing.get_or_insert((time, 0))),
                (None, Some(_)) => drop(missing.get_or_insert((time, 1))),
                (None, None) => {}
            }
        }
        if let Some((time, run)) = missing {
            report.add(name, time, DifferenceKind::OnlyIn(["A", "B"][run]));
        }
        if let Some(apart) = distance.apart(None) {
            report.add(name, apart.from, DifferenceKind::Position(apart));
        }
    }
}

/// Adds the differences of the poses at the end of both runs.
pub fn add_final_poses(report: &mut DiffReport, [a, b]: [&Stage; 2]) {
    let others = characters(b);
    let time = b.unscaled_time();
    for (name, one) in characters(a) {
        let Some(other) = others.get(name) else {
            continue;
        };
        let Some((distance, bone)) = bone_distance(one, other) else {
            continue;
        };
        let mut apart = Distance::default();
        apart.take(time, distance, Some(bone), report.tolerance);
        let bones = one.definition.model.skeleton.bones();
        let bone = bones.get(bone).map(|bone| bone.name.clone());
        if let Some(apart) = apart.apart(bone) {
            report.add(name, apart.from, DifferenceKind::Pose(apart));
        }
    }
}
