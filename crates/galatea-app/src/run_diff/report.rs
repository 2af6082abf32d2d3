//! A report of differences, in words and as JSON.

use std::path::PathBuf;

use serde::Serialize;

/// Number of times of events that the text lists.
const MAX_LISTED: usize = 3;

/// All differences of two runs, by time.
#[derive(Debug, Serialize)]
pub struct DiffReport {
    /// Compared duration, seconds.
    pub seconds: f64,
    /// Distance up to which positions count as equal, metres.
    pub tolerance: f32,
    /// Differences, by time.
    pub differences: Vec<RunDifference>,
    /// Errors of each run at its end.
    pub errors: [Vec<String>; 2],
    /// Picture of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PathBuf>,
}

/// One difference.
#[derive(Debug, Serialize)]
pub struct RunDifference {
    /// Unscaled time at which it begins, seconds.
    pub time: f64,
    /// Character, or "the camera".
    pub subject: String,
    /// Kind and details.
    #[serde(flatten)]
    pub kind: DifferenceKind,
}

/// Kind of a difference.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The character exists only in "A" or in "B".
    OnlyIn(&'static str),
    /// A part of the stage that is compared to the bit.
    NotTheSame,
    /// States of a machine.
    State(StateDifference),
    /// Events of one name.
    Events(EventDifference),
    /// World positions.
    Position(Apart),
    /// Positions of bones.
    Pose(Apart),
    /// Distances that the feet slid.
    FootSlide(SlideDifference),
    /// Largest values of a meter.
    Peak {
        /// Name of the meter.
        meter: &'static str,
        /// Unit, with a space before it.
        unit: &'static str,
        /// Value in each run.
        peaks: [f32; 2],
    },
}

/// Different states of one layer.
#[derive(Debug, Serialize)]
pub struct StateDifference {
    /// Name of the layer.
    pub layer: String,
    /// State of A at the beginning of the first interval.
    pub a: Option<String>,
    /// State of B.
    pub b: Option<String>,
    /// End of the first interval, seconds; none if it lasts to the end.
    pub until: Option<f64>,
    /// Number of intervals.
    pub n: usize,
}

/// Events of one name.
#[derive(Debug, Serialize)]
pub struct EventDifference {
    /// Name of the event.
    pub name: String,
    /// Number in each run.
    pub n: [usize; 2],
    /// Times of those of A without a counterpart, seconds.
    pub only_a: Vec<f64>,
    /// Times of those of B.
    pub only_b: Vec<f64>,
    /// Times in both runs of those that moved, seconds.
    pub moved: Vec<[f64; 2]>,
}

/// Positions or poses that differ by more than the tolerance.
#[derive(Debug, Serialize)]
pub struct Apart {
    /// Beginning, seconds.
    pub from: f64,
    /// Largest distance, metres.
    pub largest: f32,
    /// Time of the largest distance, seconds.
    pub at: f64,
    /// Distance at the end, metres.
    pub last: f32,
    /// Bone with the largest distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bone: Option<String>,
}

/// Distances that the feet have slid, metres.
#[derive(Debug, Serialize)]
pub struct SlideDifference {
    /// Distance in each run.
    pub total: [f32; 2],
}

impl DiffReport {
    /// An empty report.
    pub fn of(seconds: f64, tolerance: f32) -> Self {
        Self {
            seconds,
            tolerance,
            differences: Vec::new(),
            errors: Default::default(),
            picture: None,
        }
    }

    /// Adds a difference that begins at a time in seconds.
    pub fn add(&mut self, subject: &str, time: f64, kind: DifferenceKind) {
        self.differences.push(RunDifference {
            time,
            subject: subject.to_owned(),
            kind,
        });
    }

    /// The report with the differences in the order of their times.
    pub fn sorted(mut self) -> Self {
        self.differences.sort_by(|a, b| a.time.total_cmp(&b.time));
        self
    }

    /// Returns true if the runs differ.
    pub fn differs(&self) -> bool {
        !self.differences.is_empty() || self.errors[0] != self.errors[1]
    }

    /// The report in words. `labels` are the paths of A and B.
    pub fn lines(&self, labels: [&str; 2]) -> Vec<String> {
        let [a, b] = labels;
        let mut lines = vec![format!("A is {a}, B is {b}")];
        let seconds = self.seconds;
        lines.push(match &self.differences[..] {
            [] => format!("no difference in {seconds:.2} s"),
            [first, ..] => format!(
                "{} in {seconds:.2} s, the first at {:.2} s",
                counted(self.differences.len(), "difference"),
                first.time
            ),
        });
        lines.extend(self.differences.iter().map(|one| {
            let (time, subject) = (one.time, &one.subject);
            let words = self.words(&one.kind, ["in A", "in B"]);
            format!("{time:7.2} s  {subject}: {words}")
        }));
        for (label, errors) in ["A", "B"].into_iter().zip(&self.errors) {
            lines.extend(
                errors
                    .iter()
                    .map(|error| format!("error in {label}: {error}")),
            );
        }
        if let Some(picture) = &self.picture {
            lines.push(format!("picture: {}", picture.display()));
        }
        lines
    }

    /// A difference in words. `runs` names the runs as in "3 steps in A".
    pub fn words(&self, kind: &DifferenceKind, runs: [&str; 2]) -> String {
        let tolerance = centimetres(self.tolerance);
        let [in_a, in_b] = runs;
        match kind {
            DifferenceKind::OnlyIn("A") => format!("exists only {in_a}"),
            DifferenceKind::OnlyIn(_) => format!("exists only {in_b}"),
            DifferenceKind::NotTheSame => "not the same".to_owned(),
            DifferenceKind::State(state) => state.words(runs),
            DifferenceKind::Events(events) => events.words(runs),
            DifferenceKind::Position(apart) => format!(
                "the positions differ by more than {tolerance}: at most {} at {:.2} s, {} at the end",
                centimetres(apart.largest),
                apart.at,
                centimetres(apart.last)
            ),
            DifferenceKind::Pose(apart) => format!(
                "the poses differ by more than {tolerance}: at most {} at {:.2} s{}",
                centimetres(apart.largest),
                apart.at,
                match &apart.bone {
                    Some(bone) => format!(" (bone {bone})"),
                    None => String::new(),
                }
            ),
            DifferenceKind::FootSlide(SlideDifference { total: [a, b] }) => format!(
                "the feet slide {} {} {in_b} ({} {in_a}, {} {in_b})",
                centimetres((b - a).abs()),
                if b > a { "more" } else { "less" },
                centimetres(*a),
                centimetres(*b)
            ),
            DifferenceKind::Peak {
                meter,
                unit,
                peaks: [a, b],
            } => format!("the largest {meter} is {a:.2}{unit} {in_a} and {b:.2}{unit} {in_b}"),
        }
    }
}

impl StateDifference {
    fn words(&self, [in_a, in_b]: [&str; 2]) -> String {
        let named = |state: &Option<String>| state.clone().unwrap_or_else(|| "no state".to_owned());
        let until = match self.until {
            Some(until) => format!("until {until:.2} s"),
            None => "to the end".to_owned(),
        };
        let further = match self.n {
            0 | 1 => String::new(),
            n => format!(", then {} with other states", counted(n - 1, "interval")),
        };
        let (layer, a, b) = (&self.layer, named(&self.a), named(&self.b));
        format!("layer {layer}: {a} {in_a}, {b} {in_b} {until}{further}")
    }
}

impl EventDifference {
    fn words(&self, runs: [&str; 2]) -> String {
        let [in_a, in_b] = runs;
        let mut parts = Vec::new();
        for (run, times) in runs.into_iter().zip([&self.only_a, &self.only_b]) {
            if !times.is_empty() {
                parts.push(format!("only {run} at {}", listed(times)));
            }
        }
        if let Some([a, b]) = self.moved.first() {
            let way = if b > a { "later" } else { "earlier" };
            let further = match self.moved.len() {
                1 => String::new(),
                n => format!(", and {} moved", counted(n - 1, "more")),
            };
            parts.push(format!(
                "at {a:.2} s {in_a}, {:.2} s {way} {in_b}{further}",
                (b - a).abs()
            ));
        }
        let ([a, b], name) = (self.n, &self.name);
        format!(
            "event {name} ({a} {in_a}, {b} {in_b}): {}",
            parts.join("; ")
        )
    }
}

fn listed(times: &[f64]) -> String {
    let first = times.iter().take(MAX_LISTED);
    let first: Vec<String> = first.map(|time| format!("{time:.2} s")).collect();
    let text = first.join(", ");
    match times.len().saturating_sub(MAX_LISTED) {
        0 => text,
        n => format!("{text} and {n} more"),
    }
}

fn counted(n: usize, what: &str) -> String {
    match (n, what) {
        (_, "more") => format!("{n} more"),
        (1, _) => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

fn centimetres(metres: f32) -> String {
    match metres {
        far if far >= 1.0 => format!("{far:.2} m"),
        near => format!("{:.1} cm", near * 100.0),
    }
}
