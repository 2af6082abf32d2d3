//! A project that is edited randomly while it plays: whatever is written, truncated, renamed or deleted, the last good
//! version continues.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use galatea::anim::{MarkerPhase, Outcome};
use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::{self, ModelSource, Project};
use galatea::character::Definition;
use galatea::machine::Predicate;
use galatea::script::{Host, HostOptions, LoadError, ModelState, ScriptSource, Services};
use galatea::stage::{Event, EventKind, Handle, Script, Stage, tick};

const MAIN: &str = "scripts/main.lua";
const GAIT: &str = "scripts/gait.lua";
const COUNT: &str = "scripts/count.lua";

/// The three files of version `n`; all contain the version.
fn good(n: u64) -> BTreeMap<String, String> {
    let main = format!(
        "print('memory', gcinfo())
VERSION = {n}
local gait, count = require 'gait', require 'count'
local hero = character 'assets/mannequin.glb' {{ scale = 1 + {n} / 1e6 }}
hero.machine = gait.machine()
hero:on('step', function(e) count.step() print('step', VERSION) end)
local stroll = hero:task(function(a)
    a:on_end(function(why) count.ended(why) end)
    while true do a:wait('step') a:wait(0.05) end
end)
function update(dt) count.tick() end
function on_reload(kept) print('version', VERSION, gait.version, count.version, kept.tally.steps) end
"
    );
    let gait = format!(
        "local gait = {{ version = {n} }}
function gait.machine()
    return machine {{
        params = {{ speed = 1 }},
        state 'walk' {{ 'walk' }},
        state 'other{}' {{ 'idle' }},
        transition_to 'walk' {{ from = 'other{}', when = function(p) return p.speed > {n} end }},
    }}
end
return gait
",
        n % 3,
        n % 3
    );
    let count = format!(
        "local count, tally = {{ version = {n} }}, keep_on_reload('tally', {{ steps = 0, ticks = 0, ended = 0 }})
function count.step() tally.steps += 1 end
function count.tick() tally.ticks += 1 end
function count.ended(why) assert(why == 'reloaded') tally.ended += 1 end
return count
"
    );
    let files = [(MAIN, main), (GAIT, gait), (COUNT, count)];
    files.map(|(path, text)| (path.to_owned(), text)).into()
}

/// Pseudorandom numbers that repeat on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn file(&mut self) -> &'static str {
        [MAIN, GAIT, COUNT][self.below(3)]
    }
}

const BREAKS: [&str; 10] = [
    "function (",
    "local x = = 1",
    "end end end",
    "error('no')",
    "error({ no = {} })",
    "while true do pcall(function() while true do end end) end",
    "local t = nil; t.x = 1",
    "character 'assets/nobody.glb'",
    "local s = 'x' while true do s ..= s end",
    "coroutine.yield()",
];

/// Changes some files of version `n`: one to three changes at once. Returns true if the result is the good version.
fn edit(dice: &mut Dice, files: &mut BTreeMap<String, String>, n: u64) -> bool {
    let whole = good(n);
    if dice.below(2) == 0 {
        *files = whole;
        return true;
    }
    for _ in 0..=dice.below(3) {
        let path = dice.file();
        match dice.below(7) {
            0 => {
                files.remove(path);
            }
            1 => {
                if let Some(text) = files.remove(path) {
                    files.insert(path.replace(".lua", ".old.lua"), text);
                }
            }
            2 => {
                let text = &whole[path];
                let at = dice.below(text.len());
                files.insert(path.into(), text[..at].into());
            }
            3 => {
                let text = format!("{}\n{}\n", BREAKS[dice.below(BREAKS.len())], whole[path]);
                files.insert(path.into(), text);
            }
            4 => {
                let text = format!("{}\n{}\n", whole[path], BREAKS[dice.below(BREAKS.len())]);
                files.insert(path.into(), text);
            }
            5 => {
                files.insert(path.into(), String::new());
            }
            _ => {
                files.insert(path.into(), whole[path].clone());
            }
        }
    }
    false
}

/// The project in memory.
struct Shelf {
    files: Mutex<BTreeMap<String, String>>,
    printed: Mutex<Vec<String>>,
    model: Arc<Definition>,
}

impl Services for Shelf {
    fn sound_seconds(&self, _: &str) -> Option<f64> {
        None
    }

    fn model(&self, source: &ModelSource) -> ModelState {
        match source.path.as_str() {
            "assets/mannequin.glb" => ModelState::Ready(self.model.clone()),
            path => ModelState::Failed(format!("{path}: there is no such file")),
        }
    }

    fn sound_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn script(&self, path: &str) -> Result<String, String> {
        let files = self.files.lock().unwrap();
        files.get(path).cloned().ok_or("no such file".into())
    }

    fn print(&self, line: &str) {
        self.printed.lock().unwrap().push(line.to_owned());
    }
}

/// The host, and the number of step events it received.
struct Counted {
    host: Host,
    steps: usize,
}

impl Script for Counted {
    fn update(&mut self, stage: &mut Stage, dt: f64) {
        self.host.update(stage, dt);
    }

    fn params(&mut self, character: Handle, values: &mut [f32]) {
        self.host.params(character, values);
    }

    fn evaluate(&mut self, character: Handle, predicate: Predicate) -> bool {
        Script::evaluate(&mut self.host, character, predicate)
    }

    fn deliver(&mut self, stage: &mut Stage, events: &[Event]) {
        let is_step = |event: &&Event| match &event.kind {
            // The walk clip has no other markers.
            EventKind::Marker(mark) => {
                let told = !matches!(mark.outcome, Outcome::Suppressed(_));
                mark.phase == MarkerPhase::Point && mark.has_max_weight && told
            }
            _ => false,
        };
        self.steps += events.iter().filter(is_step).count();
        self.host.deliver(stage, events);
    }
}

/// Time in the current state, if there is a machine.
fn age(stage: &Stage) -> Option<f64> {
    let (_, hero) = stage.characters.iter().next()?;
    let (machine, state) = hero.playback.machine.as_ref()?;
    let active = state.layers[0].active.last()?;
    assert_eq!(machine.state_name(0, active.state), "walk");
    Some(active.state_age)
}

/// The running version, as far as the edits know.
#[derive(Clone, Default)]
struct Running {
    files: BTreeMap<String, String>,
    version: u64,
}

impl Running {
    /// Returns true if a file of a version is complete and contains nothing that breaks it.
    fn has(&self, path: &str, mark: &str) -> bool {
        self.files.get(path).is_some_and(|text| text.contains(mark))
    }

    fn listens(&self) -> bool {
        self.has(MAIN, "print('step', VERSION) end)") && self.has(COUNT, "return count")
    }
}

struct Torture {
    shelf: Arc<Shelf>,
    script: Counted,
    stage: Stage,
    running: Running,
    kept: u64,
    /// Script memory after the last version started, kilobytes.
    memory: u64,
}

impl Torture {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
        let model = asset::gltf::load(&path).unwrap();
        let shelf = Arc::new(Shelf {
            files: Mutex::default(),
            printed: Mutex::default(),
            model: Arc::new(Definition::new(Arc::new(model))),
        });
        let options = HostOptions {
            load_budget: 20_000,
            call_budget: 20_000,
            memory: 8 << 20,
            ..HostOptions::default()
        };
        let host = Host::new(options, shelf.clone()).unwrap();
        Self {
            shelf,
            script: Counted { host, steps: 0 },
            stage: Stage::default(),
            running: Running::default(),
            kept: 0,
            memory: 0,
        }
    }

    /// Saves the files. A complete version must start, and its restored state must continue.
    fn save(&mut self, files: &BTreeMap<String, String>, version: u64, whole: bool) {
        *self.shelf.files.lock().unwrap() = files.clone();
        let before = age(&self.stage);
        let loaded = self
            .script
            .host
            .load(&mut self.stage, &ScriptSource::default());
        let printed = std::mem::take(&mut *self.shelf.printed.lock().unwrap());
        match loaded {
            Ok(_) => {
                self.running = Running {
                    files: files.clone(),
                    version,
                };
                if let (Some(before), Some(now)) = (before, age(&self.stage)) {
                    assert_eq!(before, now, "the clip continues over version {version}");
                }
                if whole {
                    let told = format!("version\t{version}\t{version}\t{version}\t{}", self.kept);
                    assert_eq!(printed.last(), Some(&told), "{printed:?}");
                    let memory = printed[0].trim_start_matches("memory\t");
                    self.memory = memory.parse().unwrap();
                }
            }
            Err(LoadError::Fault { fault, .. }) => {
                assert!(!whole, "{version}: {fault}");
                assert_eq!(age(&self.stage), before, "{fault}");
            }
            Err(LoadError::Pending(models)) => panic!("{models:?}"),
        }
    }

    fn tick(&mut self) {
        let before = age(&self.stage);
        self.script.steps = 0;
        tick(&mut self.stage, &mut self.script);
        if let (Some(before), Some(now)) = (before, age(&self.stage)) {
            let gone = now - before;
            assert!((gone - self.stage.clock.dt).abs() < 1e-6, "{gone}");
        }
        let printed = std::mem::take(&mut *self.shelf.printed.lock().unwrap());
        if self.running.listens() {
            let step = format!("step\t{}", self.running.version);
            assert_eq!(printed, vec![step; self.script.steps]);
            self.kept += self.script.steps as u64;
        } else {
            assert!(printed.is_empty(), "{printed:?}");
        }
        self.script.host.take_faults();
    }
}

#[test]
fn ten_thousand_edits_harm_nothing() {
    let mut torture = Torture::new();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut files = good(0);
    *torture.shelf.files.lock().unwrap() = files.clone();
    let first = torture
        .script
        .host
        .load(&mut torture.stage, &ScriptSource::default());
    assert!(first.is_ok(), "{first:?}");
    torture.running.files = files.clone();
    torture.shelf.printed.lock().unwrap().clear();
    let (mut early, mut n_whole) = (0, 0);
    for n in 1..=10_000 {
        let whole = edit(&mut dice, &mut files, n);
        // For unchanged files, the version is that of the edit that wrote them.
        let version = version_of(&files).unwrap_or(torture.running.version);
        torture.save(&files, version, whole);
        n_whole += u32::from(whole);
        torture.tick();
        if n % 1000 == 0 {
            files = good(n);
            torture.save(&files, n, true);
            torture.tick();
            torture.save(&files, n, true);
            if n == 1000 {
                early = torture.memory;
            }
        }
    }
    assert!(n_whole > 4000);
    assert!(torture.kept > 100, "{}", torture.kept);
    let late = torture.memory;
    assert!(late <= early + 2, "{early} kB, then {late} kB");
}

fn version_of(files: &BTreeMap<String, String>) -> Option<u64> {
    let (_, rest) = files.get(MAIN)?.split_once("VERSION = ")?;
    rest.lines().next()?.parse().ok()
}

#[test]
fn edits_of_true_files_harm_nothing() {
    let root = std::env::temp_dir().join(format!("galatea-torture-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for folder in ["scripts", "assets"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    fs::copy(
        home.join("mannequin.glb"),
        root.join("assets/mannequin.glb"),
    )
    .unwrap();
    let mut written = BTreeMap::new();
    let write = |files: &BTreeMap<String, String>, written: &mut BTreeMap<String, String>| {
        for gone in written.keys().filter(|path| !files.contains_key(*path)) {
            fs::remove_file(root.join(gone)).unwrap();
        }
        for (path, text) in files {
            if written.get(path) != Some(text) {
                fs::write(root.join(path), text).unwrap();
            }
        }
        written.clone_from(files);
    };
    let mut files = good(0);
    write(&files, &mut written);
    galatea::install();
    let options = SessionOptions {
        sound: SoundOutput::Silent,
        watch: true,
        quiet: true,
        wait: false,
    };
    let mut session = Session::open(Project::open(&root).unwrap(), options).unwrap();
    session.diagnostics.silence();
    let scale = |session: &Session| {
        let hero = session.stage.characters.iter().next();
        hero.map(|(_, hero)| hero.placement.scale)
    };
    let until = |session: &mut Session, version: u64| {
        let wanted = Some(1.0 + (version as f64 / 1e6) as f32);
        let begin = Instant::now();
        while scale(session)
            .is_none_or(|now| Some((now * 1e6).round()) != wanted.map(|w| (w * 1e6).round()))
        {
            let errors: Vec<&str> = session.diagnostics.errors().collect();
            assert!(
                begin.elapsed() < Duration::from_secs(20),
                "{version}: {errors:?}"
            );
            session.tick();
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    until(&mut session, 0);
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for n in 1..=60 {
        edit(&mut dice, &mut files, n * 10);
        write(&files, &mut written);
        for _ in 0..dice.below(20) {
            session.tick();
            std::thread::sleep(Duration::from_millis(2));
        }
        if n % 10 == 0 {
            files = good(n * 10);
            write(&files, &mut written);
            until(&mut session, n * 10);
            let errors: Vec<&str> = session.diagnostics.errors().collect();
            assert!(errors.is_empty(), "{errors:?}");
        }
    }
    drop(session);
    let _ = fs::remove_dir_all(&root);
}
