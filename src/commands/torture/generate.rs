//! Random actions from a seed.

use galatea_asset::{Project, SCRIPT_EXTENSIONS};
use galatea_lint::input_names;
use galatea_stage::{Input, InputEvent, Rng};
use serde_json::json;

use super::actions::{ActionList, FileChange, TimedAction, TortureAction};
use super::folder::ProjectFiles;

/// Ticks before the first action, in which the project runs unchanged.
pub const WARM_UP: u64 = 60;
/// Mean number of ticks between two changes of files.
const TICKS_PER_CHANGE: usize = 90;
/// Maximum number of ticks for which a file stays changed.
const MAX_CHANGED: usize = 40;
/// Fraction of changes that apply to files mentioned in scripts.
const USED_FRACTION: f64 = 0.8;
/// Replacements for numbers in scripts.
const NUMBERS: [&str; 10] = [
    "0", "-1", "1", "0.5", "2", "100", "1e9", "-1e9", "1e-9", "(0/0)",
];
/// Lines for the console.
const LINES: [&str; 14] = [
    "help",
    "state",
    "now()",
    "1 + ",
    "error('asked for')",
    "while true do end",
    "string.rep('x', 1e8)",
    "local t = {} for i = 1, 1e7 do t[i] = i end",
    "nothing.at.all",
    "characters()",
    "camera.distance",
    "watch now()",
    "unwatch",
    "undo",
];

/// Generates the actions of a run. The same seed and files give the same actions.
pub fn generate(project: &Project, files: &ProjectFiles, seed: u64, n_ticks: u64) -> ActionList {
    let mut maker = ActionMaker {
        rng: Rng::new(seed),
        keys: keys(project),
        files,
        used: files.used_by_scripts(&project.settings.script.main),
        all: files.names().map(str::to_owned).collect(),
        actions: Vec::new(),
    };
    let mut free_at = WARM_UP;
    for tick in WARM_UP..n_ticks {
        maker.inputs(tick);
        maker.questions(tick);
        maker.times(tick);
        if tick >= free_at && maker.rng.below(TICKS_PER_CHANGE) == 0 {
            let n_changed = 1 + maker.rng.below(MAX_CHANGED) as u64;
            maker.change(tick, tick + n_changed);
            // Sometimes two files are changed at once.
            if maker.rng.below(4) > 0 {
                free_at = tick + n_changed + TICKS_PER_CHANGE as u64;
            }
        }
    }
    maker.actions.sort_by_key(|action| action.tick);
    ActionList {
        n_ticks,
        actions: maker.actions,
    }
}

/// Keys mentioned in scripts, repeated, and all other named keys.
fn keys(project: &Project) -> Vec<String> {
    let texts: Vec<(String, String)> = project
        .scripts()
        .into_iter()
        .filter(|name| name.starts_with("scripts/"))
        .filter_map(|name| {
            let text = std::fs::read_to_string(project.root.join(&name)).ok()?;
            Some((name, text))
        })
        .collect();
    let named = input_names(&texts).names;
    let mut named: Vec<String> = named.into_iter().map(|name| name.name).collect();
    named.sort();
    named.dedup();
    let others: Vec<String> = Input::default().known_names().map(str::to_owned).collect();
    let n_repeats = match named.len() {
        0 => 0,
        n => 2 * others.len() / n + 1,
    };
    let mut keys = vec![named; n_repeats].concat();
    keys.extend(others);
    keys
}

struct ActionMaker<'a> {
    rng: Rng,
    keys: Vec<String>,
    files: &'a ProjectFiles,
    used: Vec<String>,
    all: Vec<String>,
    actions: Vec<TimedAction>,
}

impl ActionMaker<'_> {
    fn add(&mut self, tick: u64, action: TortureAction) {
        self.actions.push(TimedAction { tick, action });
    }

    fn share(&mut self) -> f32 {
        self.rng.unit() as f32
    }

    fn pick(&mut self, of: &[String]) -> String {
        let i = self.rng.below(of.len());
        of.get(i).cloned().unwrap_or_default()
    }

    fn inputs(&mut self, tick: u64) {
        if self.rng.below(5) > 0 {
            return;
        }
        let keys = std::mem::take(&mut self.keys);
        let key = self.pick(&keys);
        self.keys = keys;
        let event = match self.rng.below(12) {
            0..5 => {
                let n_held = 1 + self.rng.below(60) as u64;
                let up = InputEvent::Up(key.clone());
                self.add(tick + n_held, TortureAction::Input(up));
                InputEvent::Down(key)
            }
            5 => InputEvent::Up(key),
            6 => {
                let sticks = [
                    "pad_left_x",
                    "pad_left_y",
                    "pad_right_x",
                    "pad_right_trigger",
                ];
                let stick = sticks[self.rng.below(sticks.len())];
                InputEvent::Axis(stick.to_owned(), 2.0 * self.share() - 1.0)
            }
            7..9 => InputEvent::Pointer(self.share(), self.share()),
            9 => InputEvent::Turn(90.0 * self.share() - 45.0, 30.0 * self.share() - 15.0),
            10 => InputEvent::Pan(self.share() - 0.5, self.share() - 0.5),
            _ => InputEvent::Zoom(self.share() - 0.5),
        };
        self.add(tick, TortureAction::Input(event));
    }

    fn questions(&mut self, tick: u64) {
        if self.rng.below(80) == 0 {
            let line = LINES[self.rng.below(LINES.len())];
            self.add(tick, TortureAction::Ask(line.to_owned()));
        }
        if self.rng.below(120) == 0 {
            let requests = [
                json!({"do": "state"}),
                json!({"do": "characters"}),
                json!({"do": "events", "since": 0}),
                json!({"do": "eval", "code": "now()"}),
                json!({"do": "input", "events": [{"down": "space"}, {"up": "space"}]}),
                json!({"do": "input", "events": [{"turn": [1e30, 0]}]}),
                json!({"do": "reload"}),
                json!({"do": "undo"}),
                json!({"do": "redo"}),
                json!({"do": "nothing"}),
                json!({"id": [[[]]]}),
            ];
            let request = &requests[self.rng.below(requests.len())];
            if let Some(request) = request.as_object() {
                self.add(tick, TortureAction::Request(request.clone()));
            }
        }
    }

    fn times(&mut self, tick: u64) {
        let n = 1 + self.rng.below(60) as u64;
        let action = match self.rng.below(1000) {
            0 | 1 => TortureAction::Jump(n),
            2 => TortureAction::Pause(n),
            3 => TortureAction::SlowDisk(n),
            4 => TortureAction::LoseWatch(n),
            _ => return,
        };
        self.add(tick, action);
    }

    fn change(&mut self, tick: u64, until: u64) {
        let folders = self.files.folders();
        if self.rng.below(12) == 0 && !folders.is_empty() {
            let folder = self.pick(&folders);
            let by = match self.rng.below(2) {
                0 => FileChange::DeleteFolder,
                _ => FileChange::RenameFolder,
            };
            let file = folder.clone();
            self.add(tick, TortureAction::Change { file, by });
            return self.add(until, TortureAction::Restore(folder));
        }
        let is_used = self.rng.unit() < USED_FRACTION && !self.used.is_empty();
        let names = match is_used {
            true => self.used.clone(),
            false => self.all.clone(),
        };
        let file = self.pick(&names);
        let by = self.file_change(&file);
        let changed = file.clone();
        self.add(tick, TortureAction::Change { file, by });
        self.add(until, TortureAction::Restore(changed));
    }

    fn file_change(&mut self, file: &str) -> FileChange {
        let extension = file.rsplit('.').next().unwrap_or_default();
        let is_script = SCRIPT_EXTENSIONS.contains(&extension);
        // Half of the changes of a script are typical edits of an author.
        match self.rng.below(if is_script { 14 } else { 8 }) {
            0 => FileChange::Save,
            1 | 2 => FileChange::Bytes(self.rng.bits() >> 32),
            3 => FileChange::Truncate(f64::from(self.share())),
            4 => FileChange::Truncate(0.5),
            5 => FileChange::Empty,
            6 => {
                let all = std::mem::take(&mut self.all);
                let other = self.pick(&all);
                self.all = all;
                FileChange::Replace(other)
            }
            7 => FileChange::Delete,
            _ => {
                let number = NUMBERS[self.rng.below(NUMBERS.len())];
                FileChange::Number(self.rng.below(10_000), number.to_owned())
            }
        }
    }
}
