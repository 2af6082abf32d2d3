//! Test results as text, JSON or JUnit XML. Times are stage times, so that a report is the same on every run.

use std::fmt::Write as _;

use serde::Serialize;

/// Result of a test.
#[derive(Debug, Default, Serialize)]
pub struct TestOutcome {
    /// File, relative to the project.
    pub file: String,
    /// Name of the test, or of the file if it did not load.
    pub name: String,
    /// Ticks that the test ran.
    pub ticks: u64,
    /// Stage time that the test ran, seconds.
    pub seconds: f64,
    /// Failure message.
    pub failure: Option<String>,
    /// Description of the stage at the failure, see [`super::scene`].
    pub scene: Vec<String>,
    /// Checks that cannot run here, with the reason.
    pub skipped: Vec<String>,
    /// Reference pictures that were created.
    pub blessed: Vec<String>,
    /// Printed lines.
    pub printed: Vec<String>,
}

/// Prints the result of a test.
pub fn say(outcome: &TestOutcome) -> anyhow::Result<()> {
    for line in &outcome.printed {
        say!("{line}");
    }
    match &outcome.failure {
        None => say!("ok      {}", outcome.name),
        Some(failure) => {
            say!("FAILED  {}\n        {}", outcome.name, indented(failure));
            for line in &outcome.scene {
                say!("        {line}");
            }
        }
    }
    for file in &outcome.blessed {
        say!("        drawn: {file}");
    }
    for what in &outcome.skipped {
        say!("        skipped: {what}");
    }
    Ok(())
}

/// Prints the number of passed and failed tests.
pub fn say_sum(outcomes: &[TestOutcome]) -> anyhow::Result<()> {
    let n_failed = n_failed(outcomes);
    let n_skipped: usize = outcomes.iter().map(|outcome| outcome.skipped.len()).sum();
    let skipped = match n_skipped {
        0 => String::new(),
        1 => ", 1 check skipped".to_owned(),
        n => format!(", {n} checks skipped"),
    };
    say!(
        "{} passed, {n_failed} failed{skipped}",
        outcomes.len() - n_failed
    );
    Ok(())
}

pub fn n_failed(outcomes: &[TestOutcome]) -> usize {
    let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some());
    failed.count()
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n        ")
}

/// The results as JUnit XML with a suite for each file.
pub fn junit(outcomes: &[TestOutcome]) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"galatea\"{}>\n",
        counts(outcomes)
    );
    for suite in outcomes.chunk_by(|a, b| a.file == b.file) {
        let file = suite.first().map_or("", |outcome| outcome.file.as_str());
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\"{}>",
            escaped(file),
            counts(suite)
        );
        for outcome in suite {
            write_case(&mut out, outcome);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn is_skipped(outcome: &TestOutcome) -> bool {
    outcome.failure.is_none() && !outcome.skipped.is_empty()
}

fn counts(outcomes: &[TestOutcome]) -> String {
    let skipped = outcomes.iter().filter(|outcome| is_skipped(outcome));
    let seconds: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{seconds:.3}\"",
        outcomes.len(),
        n_failed(outcomes),
        skipped.count()
    )
}

fn write_case(out: &mut String, outcome: &TestOutcome) {
    let (file, name) = (escaped(&outcome.file), escaped(&outcome.name));
    let _ = write!(
        out,
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" time=\"{:.3}\"",
        outcome.seconds
    );
    let mut inside = String::new();
    if let Some(failure) = &outcome.failure {
        let first = failure.lines().next().unwrap_or_default();
        let text = format!("{failure}\n{}", outcome.scene.join("\n"));
        let _ = writeln!(
            inside,
            "      <failure message=\"{}\">{}</failure>",
            escaped(first),
            escaped(text.trim_end())
        );
    } else if is_skipped(outcome) {
        let what = escaped(&outcome.skipped.join("; "));
        let _ = writeln!(inside, "      <skipped message=\"{what}\"/>");
    }
    if !outcome.printed.is_empty() {
        let text = escaped(&outcome.printed.join("\n"));
        let _ = writeln!(inside, "      <system-out>{text}</system-out>");
    }
    if inside.is_empty() {
        out.push_str("/>\n");
    } else {
        let _ = write!(out, ">\n{inside}    </testcase>\n");
    }
}

fn escaped(text: &str) -> String {
    // XML 1.0 does not allow other control characters, nor these two.
    let unknown = |c: char| {
        c.is_control() && !['\n', '\t'].contains(&c) || ['\u{fffe}', '\u{ffff}'].contains(&c)
    };
    text.replace(unknown, " ")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_counts_by_file_and_escapes_what_tests_say() {
        let outcomes = [
            TestOutcome {
                file: "tests/a.lua".into(),
                name: "a < b".into(),
                seconds: 1.5,
                failure: Some("not \"b\"\u{1b}\nmore".into()),
                scene: vec!["at 1.500 s".into()],
                ..TestOutcome::default()
            },
            TestOutcome {
                file: "tests/b.lua".into(),
                name: "b".into(),
                seconds: 0.25,
                skipped: vec!["picture \"x\": no driver".into()],
                printed: vec!["1 & 2".into()],
                ..TestOutcome::default()
            },
        ];
        let wanted = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="galatea" tests="2" failures="1" errors="0" skipped="1" time="1.750">
  <testsuite name="tests/a.lua" tests="1" failures="1" errors="0" skipped="0" time="1.500">
    <testcase classname="tests/a.lua" name="a &lt; b" file="tests/a.lua" time="1.500">
      <failure message="not &quot;b&quot; ">not &quot;b&quot; 
more
at 1.500 s</failure>
    </testcase>
  </testsuite>
  <testsuite name="tests/b.lua" tests="1" failures="0" errors="0" skipped="1" time="0.250">
    <testcase classname="tests/b.lua" name="b" file="tests/b.lua" time="0.250">
      <skipped message="picture &quot;x&quot;: no driver"/>
      <system-out>1 &amp; 2</system-out>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(junit(&outcomes), wanted);
    }
}
