//! The report of `clip` as text.

use std::fmt::Write as _;

use super::super::binding::BindingReport;
use super::report::{CentredReport, ClipFileReport, ClipReport, LoopReport};
use galatea_anim::{Marker, MarkerValue};

/// The report as text; `asked` adds details.
pub fn text(report: &ClipFileReport, asked: bool) -> String {
    let mut out = String::new();
    if asked {
        let _ = writeln!(out, "{} bones, {} clips", report.bones, report.clips.len());
    }
    for clip in &report.clips {
        if asked {
            let _ = writeln!(
                out,
                "{}: {:.3} s, {} moving bones, {} keys",
                clip.name, clip.seconds, clip.bones, clip.keys
            );
        }
        details(&mut out, clip);
    }
    for line in report.packs.iter().flat_map(BindingReport::lines) {
        let _ = writeln!(out, "{line}");
    }
    if let Some(written) = &report.written {
        let _ = writeln!(out, "{written}");
    }
    out
}

fn details(out: &mut String, clip: &ClipReport) {
    if let Some(cut) = &clip.cut {
        let _ = writeln!(out, "  cut: {}", one_loop(cut));
    }
    if let Some(CentredReport {
        from: [x, z],
        facing,
    }) = &clip.centred
    {
        let _ = writeln!(
            out,
            "  centred: it started at x {x:.2} m, z {z:.2} m, facing {facing:.0}° from +Z (use --place keep to leave it there)"
        );
    }
    for found in clip.loops.iter().flatten() {
        let _ = writeln!(out, "  loop {}", one_loop(found));
    }
    if clip.loops.as_ref().is_some_and(Vec::is_empty) {
        let _ = writeln!(out, "  no loop");
    }
    if let Some(reduced) = &clip.reduced {
        let _ = writeln!(
            out,
            "  {} of {} keys kept; largest error {:.4} cm, near {}",
            reduced.keys_after, reduced.keys_before, reduced.error_cm, reduced.worst_bone
        );
    }
    if let Some(feet) = &clip.feet {
        let kind = if feet.in_place {
            "in place"
        } else {
            "travelling"
        };
        let _ = writeln!(
            out,
            "  {:.3} m/s over the ground, {:.0}° from forward, {kind}{}",
            feet.speed,
            feet.direction,
            if feet.looping { ", a loop" } else { "" }
        );
        for contact in &feet.contacts {
            let _ = writeln!(
                out,
                "  {} planted from {:.3} to {:.3} s",
                contact.foot, contact.start, contact.end
            );
        }
    }
    if !clip.markers.is_empty() {
        let _ = writeln!(out, "  markers: {}", few(&clip.markers));
    }
}

fn one_loop(found: &LoopReport) -> String {
    let mut out = format!("{:.3} to {:.3} s", found.start, found.end);
    if let (Some(distance), Some(velocity)) = (found.distance, found.velocity) {
        let _ = write!(
            out,
            ", poses differ by {:.2} cm and {velocity:.2} m/s",
            distance * 100.0
        );
    }
    if let (Some(travel), Some(turn)) = (found.root_translation, found.turn) {
        let _ = write!(out, ", travels {travel:.2} m and turns {turn:.0}°");
    }
    out
}

/// Maximum number of listed markers; JSON has all of them.
const MAX_LISTED: usize = 12;

/// The first entries of a list, and the number of the others.
pub fn few(marks: &[String]) -> String {
    match marks.split_at_checked(MAX_LISTED) {
        Some((first, rest)) if !rest.is_empty() => {
            format!("{} and {} more", first.join(", "), rest.len())
        }
        _ => marks.join(", "),
    }
}

/// A marker as `step 0.123 left`.
pub fn marker(mark: &Marker) -> String {
    let mut out = format!("{} {:.3}", mark.event, mark.time);
    for (_, field) in &mark.fields {
        let _ = match field {
            MarkerValue::Text(text) => write!(out, " {text}"),
            MarkerValue::Number(number) => write!(out, " {number}"),
            MarkerValue::Bool(truth) => write!(out, " {truth}"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_markers_the_first_are_listed() {
        let marks: Vec<String> = (1..=14).map(|i| i.to_string()).collect();
        assert_eq!(few(&marks[..12]), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12");
        assert_eq!(
            few(&marks),
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more"
        );
        assert_eq!(few(&[]), "");
    }
}
