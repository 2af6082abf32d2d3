//! The shortest random input with which a test still fails.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::commands::fewest::fewest;
use galatea_asset::{Project, write_whole};
use galatea_script::RandomPress;

/// Maximum number of runs, and the time after which no further one begins.
const MAX_RUNS: u32 = 200;
const MAX_TIME: Duration = Duration::from_secs(30);
/// Maximum number of presses in a message.
const MAX_LISTED: usize = 8;

/// Finds the presses that a failure needs. `fails` runs the test with these presses only.
pub fn shortest(
    all: Vec<RandomPress>,
    mut fails: impl FnMut(&[RandomPress]) -> bool,
) -> Option<Vec<RandomPress>> {
    // A failure that depends on chance outside of the input cannot be shortened.
    if !fails(&all) {
        return None;
    }
    let until = Instant::now() + MAX_TIME;
    let mut n = 0;
    let goes_on = || {
        n += 1;
        n <= MAX_RUNS && Instant::now() < until
    };
    Some(fewest(all, goes_on, fails))
}

/// The presses in words. `dt`: seconds per tick.
pub fn words(presses: &[RandomPress], n_all: usize, dt: f64) -> String {
    let several = presses.iter().any(|press| press.call > 1);
    let time = |tick: u32| format!("{:.2} s", seconds(tick, dt));
    let one = |press: &RandomPress| {
        let call = match several {
            true => format!(" of call {}", press.call),
            false => String::new(),
        };
        let until = match press.until {
            Some(until) => format!(" to {}", time(until)),
            None => " on".to_owned(),
        };
        format!("{} from {}{until}{call}", press.key, time(press.from))
    };
    let listed = presses.iter().take(MAX_LISTED).map(one);
    let listed = listed.collect::<Vec<_>>().join(", ");
    let further = match presses.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    match presses.is_empty() {
        true => "it fails without any random input, too".to_owned(),
        false => format!(
            "the shortest input with which it still fails ({} of {n_all} presses): {listed}{further}",
            presses.len()
        ),
    }
}

/// Writes the presses as an input file for `t:replay` in place of `t:random_input`, and returns its path.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    project: &Project,
    name: &str,
    presses: &[RandomPress],
    dt: f64,
) -> anyhow::Result<PathBuf> {
    let file = project.root.join("out/tests").join(format!("{name}.jsonl"));
    let last_call = presses.iter().map(|press| press.call).max().unwrap_or(1);
    let mut text = String::new();
    for call in 1..=last_call {
        if last_call > 1 {
            text += &format!("# in place of call {call} of t:random_input\n");
        }
        let own = presses.iter().filter(|press| press.call == call);
        let mut changes: Vec<(u32, &str, &str)> = own
            .flat_map(|press| {
                let down = (press.from, "down", press.key.as_str());
                let up = press.until.map(|until| (until, "up", press.key.as_str()));
                std::iter::once(down).chain(up)
            })
            .collect();
        changes.sort_by_key(|(tick, ..)| *tick);
        for (tick, what, key) in changes {
            let t = seconds(tick, dt);
            let mut line = serde_json::Map::new();
            line.insert("t".to_owned(), t.into());
            line.insert(what.to_owned(), key.into());
            text += &format!("{}\n", serde_json::Value::Object(line));
        }
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    write_whole(&file, text.as_bytes())?;
    Ok(file)
}

/// Time since the beginning of the call, seconds. Ticks count from 1.
fn seconds(tick: u32, dt: f64) -> f64 {
    f64::from(tick - 1) * dt
}
