//! Input files: reading, recording during play, and replay.
//!
//! A recording is an input file whose first line holds the metadata that a replay needs.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::vec::IntoIter;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use galatea_asset::Project;
use galatea_math::data_fault::DataFault;
use galatea_math::names::{nearest_hint, printable};
use galatea_speech::viseme::N_VISEMES;
use galatea_stage::{Bindings, InputEvent, SEED, Stage, StageChecksum};

/// Maximum time of an input event, seconds: a year.
pub const MAX_TIME: f64 = 31_536_000.0;

/// Header of a recording: its first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordingHeader {
    /// Version of the runtime.
    pub galatea: String,
    /// Name of the project.
    pub project: String,
    /// Path of the main script, relative to the project.
    pub script: String,
    /// Random seed of the stage.
    pub seed: u64,
    /// Ticks per second.
    pub ticks_per_second: u32,
    /// Key bindings of the player.
    #[serde(default, skip_serializing_if = "Bindings::is_empty")]
    pub bindings: Bindings,
    /// Number and checksum of the project's files; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub files: String,
}

/// First line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    recording: RecordingHeader,
}

impl RecordingHeader {
    /// Header for a project that is played with these bindings.
    pub fn new(project: &Project, bindings: Bindings) -> Self {
        Self {
            galatea: env!("CARGO_PKG_VERSION").to_owned(),
            project: project.name(),
            script: project.settings.script.main.clone(),
            seed: SEED,
            ticks_per_second: rate(&Stage::default()),
            bindings,
            files: String::new(),
        }
    }

    /// The same header with the checksum of the project's files, which are read for it.
    pub fn with_files(self, project: &Project) -> Self {
        Self {
            files: project.fingerprint().to_string(),
            ..self
        }
    }

    /// Describes the differences from this project that may change the replay; `None` without differences.
    ///
    /// # Errors
    /// If the tick rate differs: a replay is then impossible.
    pub fn differs(&self, project: &Project) -> anyhow::Result<Option<String>> {
        let here = Self::new(project, Bindings::default());
        if self.ticks_per_second != here.ticks_per_second {
            anyhow::bail!(
                "the recording has {} ticks per second, but this runtime has {}",
                self.ticks_per_second,
                here.ticks_per_second
            );
        }
        let pairs = [
            ("Galatea", &self.galatea, &here.galatea),
            ("the project", &self.project, &here.project),
            ("the script", &self.script, &here.script),
        ];
        let others = pairs.iter().filter(|(_, then, now)| then != now);
        let mut others: Vec<String> = others
            .map(|(what, then, now)| format!("{what} was {then} and is now {now}"))
            .collect();
        if !self.files.is_empty() && self.files != project.fingerprint().to_string() {
            others.push("files of the project".to_owned());
        }
        Ok((!others.is_empty())
            .then(|| format!("changed since the recording: {}", others.join("; "))))
    }
}

fn rate(stage: &Stage) -> u32 {
    (1.0 / stage.clock.dt).round() as u32
}

/// A line of an input file.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedEvent {
    /// An input device changed.
    Input(InputEvent),
    /// The watchdog stopped a script after this number of steps in the coming tick. A replay stops it at the same step.
    Stopped(u64),
    /// Checksum of the stage before the coming tick. A replay compares it with its own.
    Checksum(StageChecksum),
    /// Mouth shape weights of the microphone from the coming tick on; `None` while it is off.
    Microphone(Option<[f32; N_VISEMES]>),
    /// A line of the console or of another program ran before the coming tick.
    Console(String),
}

/// An event with its unscaled time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedEvent {
    /// Time, seconds.
    pub t: f64,
    /// The event.
    pub event: RecordedEvent,
}

/// Content of an input file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputRecording {
    /// Header; `None` for a file written by hand.
    pub header: Option<RecordingHeader>,
    /// Events, sorted by time.
    pub events: Vec<TimedEvent>,
}

impl InputRecording {
    /// Parses input events, one JSON object per line: `{"t": 0.5, "down": "w"}`, with `down`, `up`, `axis` (name and value),
    /// `pointer` (x and y), `turn` (yaw and pitch), `pan` (right and up) or `zoom`. Recordings also have `stopped`,
    /// `checksum`, `microphone` and `console`. Empty lines and lines with `#` are skipped. The last line of a recording may
    /// be incomplete, for example because the disk was full.
    ///
    /// # Errors
    /// The first faulty line.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut recording = Self::default();
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().enumerate().peekable();
        let mut is_first = true;
        while let Some((i, written)) = lines.next() {
            let line = written.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if std::mem::take(&mut is_first) && line.starts_with("{\"recording\"") {
                let first: First = serde_json::from_str(written).map_err(|error| {
                    let fault = DataFault::of_json(&error.to_string()).on_line(i + 1);
                    DataFault {
                        problem: format!("the header of the recording: {}", fault.problem),
                        ..fault
                    }
                })?;
                recording.header = Some(first.recording);
                continue;
            }
            let is_cut =
                recording.header.is_some() && lines.peek().is_none() && !text.ends_with('\n');
            match parse_event(written) {
                Ok(input) => recording.events.push(input),
                Err(_) if is_cut => {}
                Err(error) => {
                    return Err(match error.downcast::<DataFault>() {
                        Ok(fault) => fault.on_line(i + 1).into(),
                        Err(error) => error.context(format!("line {}", i + 1)),
                    });
                }
            }
        }
        recording.events.sort_by(|a, b| a.t.total_cmp(&b.t));
        Ok(recording)
    }
}

/// Names of input events, with an example of each.
const EVENTS: [(&str, &str); 8] = [
    ("down", r#"{"down": "w"}"#),
    ("up", r#"{"up": "w"}"#),
    ("axis", r#"{"axis": ["pad_left_x", 0.5]}"#),
    ("pointer", r#"{"pointer": [0.5, 0.5]}"#),
    ("aspect", r#"{"aspect": 1.78}"#),
    ("turn", r#"{"turn": [5, -2]}"#),
    ("pan", r#"{"pan": [0.1, 0]}"#),
    ("zoom", r#"{"zoom": -0.1}"#),
];

/// Parses an event of a recording or of the control port from JSON, `{"down": "w"}`.
///
/// # Errors
/// An unknown event, or a field out of its range.
pub(super) fn input_event(
    value: serde_json::Map<String, serde_json::Value>,
) -> anyhow::Result<InputEvent> {
    let known = EVENTS.iter().map(|(name, _)| *name);
    let mut names = value.keys();
    let (Some(name), None) = (names.next().cloned(), names.next()) else {
        let known: Vec<&str> = known.collect();
        anyhow::bail!(
            "expected exactly one of {}; write each event by itself",
            known.join(", ")
        );
    };
    let Some((_, example)) = EVENTS.iter().find(|(known, _)| *known == name) else {
        anyhow::bail!("unknown event {name:?}{}", nearest_hint(&name, known));
    };
    let read: Result<InputEvent, _> = serde_json::from_value(serde_json::Value::Object(value));
    let event = read.map_err(|error| {
        let problem = DataFault::of_json(&error.to_string()).problem;
        anyhow::anyhow!("{name}: {problem}; write it as {example}")
    })?;
    event.check().map_err(anyhow::Error::msg)?;
    Ok(event)
}

/// Error for a line without a JSON object.
const NOT_RECORDED: &str = "this is not recorded input; each line must be a JSON object such as \
                            {\"t\": 0.5, \"down\": \"w\"}";

fn parse_event(line: &str) -> anyhow::Result<TimedEvent> {
    let read: Result<serde_json::Map<String, serde_json::Value>, _> = serde_json::from_str(line);
    let mut value = read.map_err(|error| {
        let fault = DataFault::of_json(&error.to_string());
        let problem = match line.trim_start().starts_with('{') {
            true => fault.problem,
            false => NOT_RECORDED.to_owned(),
        };
        DataFault { problem, ..fault }
    })?;
    let t = value
        .remove("t")
        .and_then(|t| t.as_f64())
        .filter(|t| (0.0..=MAX_TIME).contains(t))
        .with_context(|| format!("`t` must be a time in seconds from 0 to {MAX_TIME}"))?;
    let event = if let Some(steps) = value.get("stopped") {
        let steps = steps
            .as_u64()
            .context("`stopped` must be a number of steps")?;
        RecordedEvent::Stopped(steps)
    } else if let Some(checksum) = value.remove("checksum") {
        let read = serde_json::from_value(checksum).map_err(|error| {
            let problem = DataFault::of_json(&error.to_string()).problem;
            anyhow::anyhow!("checksum: {problem}")
        });
        RecordedEvent::Checksum(read?)
    } else if let Some(weights) = value.remove("microphone") {
        let read: Result<Option<[f32; N_VISEMES]>, _> = serde_json::from_value(weights);
        let weights = read.ok().filter(|read| {
            let mut all = read.iter().flatten();
            all.all(|weight| (0.0..=1.0).contains(weight))
        });
        let weights = weights.with_context(|| {
            format!("`microphone` must be null or a list of {N_VISEMES} numbers from 0 to 1")
        })?;
        RecordedEvent::Microphone(weights)
    } else if let Some(line) = value.remove("console") {
        let line = line.as_str().context("`console` must be a line of text")?;
        RecordedEvent::Console(line.to_owned())
    } else {
        RecordedEvent::Input(input_event(value)?)
    };
    Ok(TimedEvent { t, event })
}

/// Writes a recording, line by line as events occur, so that a crash loses nothing.
pub struct Recorder(Box<dyn Write + Send>);

impl Recorder {
    /// Creates or overwrites a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, header: RecordingHeader) -> io::Result<Self> {
        Self::to(File::create(path)?, header)
    }

    /// Starts a recording on a writer. It receives whole lines and should not buffer them.
    ///
    /// # Errors
    /// If writing fails.
    pub fn to(out: impl Write + Send + 'static, header: RecordingHeader) -> io::Result<Self> {
        let mut recorder = Self(Box::new(out));
        recorder.line(&first_line(header)?)?;
        Ok(recorder)
    }

    /// Writes an event at an unscaled time in seconds.
    pub(super) fn event(&mut self, t: f64, event: &RecordedEvent) -> io::Result<()> {
        self.line(&event_line(t, event)?)
    }

    /// Writes a comment for human readers.
    pub(super) fn remark(&mut self, t: f64, text: &str) -> io::Result<()> {
        self.line(&remark_line(t, text))
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(line.as_bytes())?;
        self.0.flush()
    }
}

/// First line of a recording.
pub(super) fn first_line(header: RecordingHeader) -> io::Result<String> {
    let first = serde_json::to_string(&First { recording: header })?;
    Ok(first + "\n")
}

/// Line of an event at an unscaled time in seconds.
pub(super) fn event_line(t: f64, event: &RecordedEvent) -> io::Result<String> {
    // Conversion through `Value` writes all digits, so that numbers are read back bit-exactly.
    let mut line = match event {
        RecordedEvent::Input(event) => serde_json::to_value(event)?,
        RecordedEvent::Stopped(steps) => serde_json::json!({ "stopped": steps }),
        RecordedEvent::Checksum(checksum) => serde_json::json!({ "checksum": checksum }),
        RecordedEvent::Microphone(weights) => serde_json::json!({ "microphone": weights }),
        RecordedEvent::Console(line) => serde_json::json!({ "console": line }),
    };
    if let Some(line) = line.as_object_mut() {
        line.insert("t".into(), t.into());
    }
    Ok(format!("{line}\n"))
}

/// Line of a comment.
pub(super) fn remark_line(t: f64, text: &str) -> String {
    let text = text.replace('\n', " ");
    format!("# {t:.3} s: {}\n", printable(&text))
}

/// Remaining events of a recording.
pub(super) struct Replay {
    events: std::iter::Peekable<IntoIter<TimedEvent>>,
    /// Weights of the recorded microphone now.
    pub microphone: Option<[f32; N_VISEMES]>,
    /// Time of the last matching checksum, seconds.
    agreed_at: Option<f64>,
    differs: bool,
}

impl Replay {
    pub fn new(events: Vec<TimedEvent>) -> Self {
        Self {
            events: events.into_iter().peekable(),
            microphone: None,
            agreed_at: None,
            differs: false,
        }
    }

    /// Returns the next event, if it is due before the tick that begins at `time`.
    pub fn next_due(&mut self, time: f64, dt: f64) -> Option<RecordedEvent> {
        // A tolerance of a thousandth of a tick absorbs the rounding of times like 1/30.
        let due = self.events.next_if(|event| event.t <= time + dt * 1e-3)?;
        Some(due.event)
    }

    /// Compares the stage at `time` with the recording. Describes the difference the first time that they differ.
    pub fn compare(&mut self, time: f64, [recorded, now]: [StageChecksum; 2]) -> Option<String> {
        let differences = now.differences(&recorded);
        if differences.is_empty() {
            self.agreed_at = Some(time);
            return None;
        }
        if std::mem::replace(&mut self.differs, true) {
            return None;
        }
        let parts = differences.join(", ");
        let before = match self.agreed_at {
            Some(at) => format!("; at {at:.2} s they were still equal"),
            None => String::new(),
        };
        Some(format!(
            "the replay differs from the recording at {time:.2} s ({parts}){before}\na script, a file or the version of Galatea changed, or a script uses values that differ between runs: see \"What differs between runs\" in docs/scripting.md"
        ))
    }

    pub fn is_over(&mut self) -> bool {
        self.events.peek().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_line_by_line_and_errors_name_the_line() {
        let text = "# walk\n{\"t\": 1, \"up\": \"w\"}\n\n{\"t\": 0.5, \"down\": \"w\"}\n{\"t\": 2, \"axis\": [\"pad_left_x\", 0.5]}\n{\"t\": 3, \"zoom\": -0.5}";
        let InputRecording { header, events } = InputRecording::parse(text).unwrap();
        assert_eq!((header, events.len()), (None, 4));
        let expected = [
            (0, InputEvent::Down("w".into())),
            (2, InputEvent::Axis("pad_left_x".into(), 0.5)),
            (3, InputEvent::Zoom(-0.5)),
        ];
        for (i, event) in expected {
            assert_eq!(events[i].event, RecordedEvent::Input(event));
        }
        let wrong = |text: &str| format!("{:#}", InputRecording::parse(text).unwrap_err());
        let hold = "{\"t\": 1, \"up\": \"w\"}\n{\"t\": 1, \"hold\": \"w\"}";
        assert!(wrong(hold).starts_with("line 2"));
        assert!(wrong("{\"up\": \"w\"}").contains("time in seconds"));
        for (line, what) in [
            ("{\"t\": 1, \"turn\": [0, 1e308]}", "turn: pitch"),
            ("{\"t\": 1, \"turn\": [-1e39, 0]}", "turn: yaw"),
            ("{\"t\": 1, \"pan\": [0, 1e5]}", "pan: up"),
            ("{\"t\": 1, \"pointer\": [1e39, 0]}", "pointer: x"),
            ("{\"t\": 1, \"zoom\": 1e308}", "zoom"),
            ("{\"t\": 1, \"aspect\": 0}", "aspect"),
            ("{\"t\": 1, \"axis\": [\"pad_left_x\", 2]}", "axis"),
            ("{\"t\": 1e300, \"up\": \"w\"}", "`t`"),
            ("{\"t\": -1, \"up\": \"w\"}", "`t`"),
            ("{\"t\": 1e999, \"up\": \"w\"}", "the number is too large"),
            ("{\"t\": 1, \"donw\": \"w\"}", "did you mean \"down\"?"),
            (
                "{\"t\": 1, \"up\": \"w\", \"down\": \"a\"}",
                "exactly one of",
            ),
            (
                "{\"t\": 1, \"axis\": 5}",
                "axis: expected a list, got 5; write it as {\"axis\": [\"pad_left_x\", 0.5]}",
            ),
            (
                "{\"t\": 1, \"turn\": [1]}",
                "turn: expected a list of 2 values, got 1 value",
            ),
            ("[script]", "this is not recorded input"),
            (
                "{\"t\": 1, \"up\": \"w\"",
                "the text ends inside of an object",
            ),
        ] {
            let error = wrong(&format!("# walk\n{line}"));
            assert!(
                error.starts_with("line 2") && error.contains(what),
                "{error}"
            );
        }
        let cut = "{\"t\": 1, \"up\": \"w\"}\n{\"t\": 1, \"do";
        assert!(
            wrong(cut).starts_with("line 2"),
            "text written by hand must be complete"
        );
        let header = wrong("{\"recording\": {\"galatea\": \"1\"}}");
        assert!(
            header.starts_with("line 1, column ")
                && header.ends_with("the header of the recording: field \"project\" is missing"),
            "{header}"
        );
        let first = First {
            recording: RecordingHeader::new(&project(), Bindings::default()),
        };
        let first = serde_json::to_string(&first).unwrap();
        let late = format!("{{\"t\": 1, \"up\": \"w\"}}\n{first}\n");
        assert!(wrong(&late).starts_with("line 2"));
    }

    fn project() -> Project {
        Project::viewer(Path::new("hero.glb"), None, &[]).unwrap()
    }

    #[test]
    fn a_truncated_recording_yields_all_complete_lines_with_exact_numbers() {
        let shared = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        struct Out(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
        impl Write for Out {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().write(bytes)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut bindings = Bindings::default();
        bindings.bind("jump", vec!["j".into()]);
        let header = RecordingHeader::new(&project(), bindings);
        let mut recorder = Recorder::to(Out(shared.clone()), header.clone()).unwrap();
        let mut rng = galatea_stage::Rng::new(7);
        let mut events = Vec::new();
        for tick in 0..2000 {
            let t = f64::from(tick) / 60.0;
            let value = (rng.unit() * 2.0 - 1.0) as f32 * 10f32.powi(-(rng.below(30) as i32));
            let event = match rng.below(3) {
                0 => InputEvent::Axis("pad1_left_x".into(), value),
                1 => InputEvent::Pointer(value, -value),
                _ => InputEvent::Turn(100.0 * value, value),
            };
            let event = RecordedEvent::Input(event);
            recorder.event(t, &event).unwrap();
            events.push(TimedEvent { t, event });
        }
        for event in [
            RecordedEvent::Stopped(u64::MAX),
            RecordedEvent::Checksum(Stage::default().checksum()),
        ] {
            recorder.event(39.0, &event).unwrap();
            events.push(TimedEvent { t: 39.0, event });
        }
        recorder.remark(1.0, "two\nlines").unwrap();
        let last = RecordedEvent::Input(InputEvent::Down("w".into()));
        recorder.event(40.0, &last).unwrap();
        let text = String::from_utf8(shared.lock().unwrap().clone()).unwrap();
        let cut = &text[..text.len() - 4];
        let read = InputRecording::parse(cut).unwrap();
        assert_eq!(read.header, Some(header));
        assert_eq!(read.events.len(), events.len());
        for (read, written) in read.events.iter().zip(&events) {
            assert_eq!(read.event, written.event);
            assert!((read.t - written.t).abs() < 1e-9);
        }
        assert_eq!(InputRecording::parse(&text).unwrap().events.len(), 2003);
    }

    #[test]
    fn differences_from_the_recording_are_reported() {
        let project = project();
        let header = RecordingHeader::new(&project, Bindings::default());
        assert_eq!(header.differs(&project).unwrap(), None);
        let mut other = header.clone();
        other.script = "scripts/other.lua".into();
        let difference = other.differs(&project).unwrap().unwrap();
        assert_eq!(
            difference,
            "changed since the recording: the script was scripts/other.lua and is now (viewer)"
        );
        other.ticks_per_second = 30;
        assert!(other.differs(&project).is_err());
    }
}
