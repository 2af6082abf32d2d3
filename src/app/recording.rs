//! All input of a session in one file, written while it plays, and such a file played again.
//!
//! A recording is an input file (see [`super::headless::parse_inputs`]) whose first line says what it was
//! made with, so that it alone is enough to see the same again.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::vec::IntoIter;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::headless::{TimedInput, parse_input};
use crate::asset::Project;
use crate::math::names::printable;
use crate::stage::{Bindings, InputEvent, SEED, Stage};

/// What a recording was made with: its first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the runtime.
    pub galatea: String,
    /// Name of the project.
    pub project: String,
    /// The main script, relative to the project.
    pub script: String,
    /// Where the stage's chance begins.
    pub seed: u64,
    /// Ticks per second.
    pub ticks_per_second: u32,
    /// The keys that the player had chosen.
    #[serde(default, skip_serializing_if = "Bindings::is_empty")]
    pub bindings: Bindings,
}

/// The first line as it stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    recording: Header,
}

impl Header {
    /// Of a project, played with these keys.
    pub fn new(project: &Project, bindings: Bindings) -> Self {
        Self {
            galatea: env!("CARGO_PKG_VERSION").to_owned(),
            project: project.name(),
            script: project.settings.script.main.clone(),
            seed: SEED,
            ticks_per_second: rate(&Stage::default()),
            bindings,
        }
    }

    /// What of this is otherwise here, so that the same may not be seen again; or nothing.
    ///
    /// # Errors
    /// When it was made with another length of a tick: then nothing would be the same.
    pub fn differs(&self, project: &Project) -> anyhow::Result<Option<String>> {
        let here = Self::new(project, Bindings::default());
        if self.ticks_per_second != here.ticks_per_second {
            anyhow::bail!(
                "the recording has {} ticks a second, this runtime {}",
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
        let others: Vec<String> = others
            .map(|(what, then, now)| format!("{what} was {then}, here it is {now}"))
            .collect();
        Ok((!others.is_empty()).then(|| format!("of the recording, {}", others.join("; "))))
    }
}

fn rate(stage: &Stage) -> u32 {
    (1.0 / stage.dt).round() as u32
}

/// An input file that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What it was made with, if it is a recording and was not written by hand.
    pub header: Option<Header>,
    /// The inputs, in order of time.
    pub inputs: Vec<TimedInput>,
}

impl Recording {
    /// Reads an input file. The last line of a recording may be cut off, as when the disk was full.
    ///
    /// # Errors
    /// The first faulty line.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut recording = Self::default();
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().enumerate().peekable();
        let mut is_first = true;
        while let Some((i, line)) = lines.next() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if std::mem::take(&mut is_first) && line.starts_with("{\"recording\"") {
                let first: First =
                    serde_json::from_str(line).with_context(|| format!("line {}", i + 1))?;
                recording.header = Some(first.recording);
                continue;
            }
            let is_cut = recording.header.is_some() && lines.peek().is_none() && !text.ends_with('\n');
            match parse_input(line) {
                Ok(input) => recording.inputs.push(input),
                Err(_) if is_cut => {}
                Err(error) => return Err(error.context(format!("line {}", i + 1))),
            }
        }
        recording.inputs.sort_by(|a, b| a.t.total_cmp(&b.t));
        Ok(recording)
    }
}

/// Writes a recording, line by line as things happen: a crash loses nothing.
pub struct Recorder(Box<dyn Write + Send>);

impl Recorder {
    /// Begins a file, in place of what it held.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path, header: Header) -> io::Result<Self> {
        Self::to(File::create(path)?, header)
    }

    /// Begins to write to something. It is written to line by line and should not keep lines back.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn to(out: impl Write + Send + 'static, header: Header) -> io::Result<Self> {
        let mut recorder = Self(Box::new(out));
        recorder.line(serde_json::to_string(&First { recording: header })?)?;
        Ok(recorder)
    }

    /// An input at a stage time, seconds.
    pub(super) fn input(&mut self, t: f64, event: &InputEvent) -> io::Result<()> {
        // Through a value, numbers are written with all digits: what is read again is the same to the bit.
        let mut line = serde_json::to_value(event)?;
        if let Some(line) = line.as_object_mut() {
            line.insert("t".into(), t.into());
        }
        self.line(line.to_string())
    }

    /// A remark for who reads it.
    pub(super) fn remark(&mut self, t: f64, text: &str) -> io::Result<()> {
        let text = text.replace('\n', " ");
        self.line(format!("# {t:.3} s: {}", printable(&text)))
    }

    fn line(&mut self, mut line: String) -> io::Result<()> {
        line.push('\n');
        self.0.write_all(line.as_bytes())?;
        self.0.flush()
    }
}

/// Inputs that are still to come.
pub(super) struct Replay(std::iter::Peekable<IntoIter<TimedInput>>);

impl Replay {
    pub fn new(inputs: Vec<TimedInput>) -> Self {
        Self(inputs.into_iter().peekable())
    }

    /// The next input, if it belongs before the tick that begins at `time`.
    pub fn next_due(&mut self, time: f64, dt: f64) -> Option<InputEvent> {
        // A thousandth of a tick absorbs the rounding of times like 1/30.
        let due = self.0.next_if(|input| input.t <= time + dt * 1e-3)?;
        Some(due.event)
    }

    pub fn is_over(&mut self) -> bool {
        self.0.peek().is_none()
    }
}
