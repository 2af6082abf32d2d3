//! The first screen of `inspect`: a verdict, the contents, what to improve, and first steps.

use super::ModelReport;
use super::doctor::{DoctorReport, is_animal};

/// Maximum number of clips and of warnings that are listed.
const MAX_CLIPS: usize = 10;
const MAX_WARNINGS: usize = 3;

/// The report as lines of text.
pub fn lines(report: &ModelReport) -> Vec<String> {
    let mut lines = vec![headline(report), String::new()];
    lines.extend(contents(report).into_iter().map(row));
    lines.extend(
        report
            .doctor
            .iter()
            .flat_map(|doctor| improvements(&doctor.advice())),
    );
    if !report.warnings.is_empty() {
        lines.push(String::new());
        lines.push("warnings".into());
        let shown = report.warnings.iter().take(MAX_WARNINGS);
        lines.extend(shown.map(|warning| format!("  {warning}")));
        let more = report.warnings.len().saturating_sub(MAX_WARNINGS);
        if more > 0 {
            lines.push(format!("  … and {more} more with --verbose"));
        }
    }
    lines.push(String::new());
    lines.push("first steps".into());
    lines.extend(
        first_steps(report)
            .into_iter()
            .map(|step| format!("  {step}")),
    );
    lines.push(format!(
        "  galatea inspect --verbose {}    every detail",
        report.file
    ));
    lines
}

fn row((what, text): (&str, String)) -> String {
    format!("  {what:<10}{text}")
}

fn headline(report: &ModelReport) -> String {
    let file = &report.file;
    let kind = kind(report);
    match report.doctor.as_ref().map(DoctorReport::score) {
        None => format!("{file}: {kind}"),
        Some(score) => {
            let verdict = match score {
                90.. => "ready to use",
                60..90 => "usable, some features are missing",
                _ => "needs work in a modeling program",
            };
            format!("{file}: {kind}, {verdict} ({score} of 100 points)")
        }
    }
}

/// What the file contains, in a word or two.
fn kind(report: &ModelReport) -> &'static str {
    if report.parts.is_empty() {
        return match report.clips.len() {
            0 => "no mesh and no clips",
            _ => "clips without a mesh",
        };
    }
    if report.doctor.is_none() {
        return "a prop without a body";
    }
    if is_animal(report) {
        "an animal"
    } else if report.humanoid.missing.is_empty() {
        "a person"
    } else {
        "a character"
    }
}

fn contents(report: &ModelReport) -> Vec<(&'static str, String)> {
    let [width, height, depth] = report.size;
    let mut rows = Vec::new();
    if !report.parts.is_empty() || !report.clips.is_empty() {
        rows.push((
            "size",
            format!("{height:.2} m tall, {width:.2} m wide, {depth:.2} m deep"),
        ));
    }
    if !report.parts.is_empty() {
        rows.push((
            "mesh",
            format!(
                "{} triangles, {}, {}, {:.0} MB on the GPU",
                report.triangles,
                count(report.parts.len(), "part"),
                count(report.materials.len(), "material"),
                report.bytes_on_gpu as f64 / 1e6
            ),
        ));
    }
    if !report.skins.is_empty() {
        rows.push(("skeleton", skeleton(report)));
    }
    if let Some(face) = &report.face {
        let blinks = if face.blink.is_empty() {
            "no blinking"
        } else {
            "blinks"
        };
        rows.push(("face", format!("speech: {}; {blinks}", face.speech)));
    }
    rows.push(("clips", clips(report)));
    if !report.variants.is_empty() {
        rows.push(("variants", report.variants.join(", ")));
    }
    rows.extend(report.meta.iter().map(|(what, text)| (*what, text.clone())));
    rows
}

/// A number with its noun.
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn skeleton(report: &ModelReport) -> String {
    let rig = &report.rig;
    let grips = rig.hands.iter().filter(|hand| !hand.fingers.is_empty());
    let mut parts = vec![count(report.bones.len(), "node")];
    if !rig.legs.is_empty() {
        parts.push(count(rig.legs.len(), "leg"));
    }
    if !is_animal(report) && !rig.hands.is_empty() {
        parts.push(format!(
            "{} ({} with fingers)",
            count(rig.hands.len(), "hand"),
            grips.count()
        ));
    }
    if rig.look.is_some() {
        parts.push("a head that can look".into());
    }
    parts.join(", ")
}

fn clips(report: &ModelReport) -> String {
    let names = report.clips.iter().take(MAX_CLIPS).map(|clip| {
        match clip.speed.filter(|speed| *speed > 0.3) {
            Some(speed) => format!("{} ({speed:.1} m/s)", clip.name),
            None => clip.name.clone(),
        }
    });
    let names: Vec<String> = names.collect();
    let more = report.clips.len().saturating_sub(MAX_CLIPS);
    match (names.len(), more) {
        (0, _) => "none".into(),
        (_, 0) => names.join(", "),
        _ => format!("{} and {more} more", names.join(", ")),
    }
}

/// Features that are incomplete, with the effect and the solution.
fn improvements(advice: &[[&str; 4]]) -> Vec<String> {
    let mut lines = Vec::new();
    if !advice.is_empty() {
        lines.extend([String::new(), "to improve".into()]);
    }
    for (i, [what, found, effect, solution]) in advice.iter().enumerate() {
        lines.push(format!("  {}. {what}: {found}", i + 1));
        lines.push(format!("     effect:   {effect}"));
        lines.push(format!("     solution: {solution}"));
    }
    lines
}

fn first_steps(report: &ModelReport) -> Vec<String> {
    let file = &report.file;
    if report.parts.is_empty() {
        let use_clips = galatea_asset::clip_files::how_to_use(file);
        return if report.clips.is_empty() {
            Vec::new()
        } else {
            vec![use_clips]
        };
    }
    let mut steps = vec![
        format!("galatea play {file}    look at it; the arrow keys switch clips"),
        format!("local hero = character {file:?}"),
    ];
    let has = |part: &str| {
        let mut all = report.clips.iter().map(|clip| clip.name.as_str());
        all.find(|name| name.to_lowercase().contains(part))
    };
    if let Some(clip) = has("walk").or_else(|| has("idle")).or_else(|| has("")) {
        steps.push(format!("hero:play({clip:?}, {{ mode = \"loop\" }})"));
    }
    steps
}
