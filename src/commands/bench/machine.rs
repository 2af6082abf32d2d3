//! State machines: cost of evaluating conditions and of stepping, compared with the same machine as native code, and the
//! whole tick of a thousand characters with machines.
//!
//! A small interpreter evaluates the definition independently in every tick. Differences to it are a figure of the report.

use std::sync::Arc;

use glam::Mat4;

use super::person::{Random, clip, skeleton};
use super::stopwatch::Stopwatch;
use super::{BenchFigure, Benchmark, ROUNDS, measure};
use galatea_asset::Model;
use galatea_asset::model::Skin;
use galatea_character::{Definition, Placement};
use galatea_machine::{
    BlendDef, Clips, Content, Fade, FromStates, Happening, LayerDef, Machine, MachineDef,
    MachineHost, MachineState, MotionDef, ParamDef, ParamValue, PointContent, PointDef, Predicate,
    SpaceDef, StateDef, StatesDef, SyncBy, TransitionDef, WhenDef, advance, bind, choose,
};
use galatea_stage::{Event, Handle, Script, Stage, tick};

pub(super) const ALL: &[(&str, Benchmark)] =
    &[("machine", bench_machine), ("tick_machines", bench_tick)];

const CHARACTERS: usize = 1000;
/// Ticks per round.
const TICKS: usize = 30;
const DT: f64 = 1.0 / 60.0;

/// State, clip, and its two transitions: condition and target, evaluated in this order.
type StateRow = (&'static str, [(&'static str, &'static str); 2]);
const STATES: [StateRow; 8] = [
    ("idle", [("speed > 0.1", "walk"), ("armed", "aim")]),
    ("walk", [("speed <= 0.1", "idle"), ("speed > 3", "run")]),
    ("run", [("speed <= 3", "walk"), ("jump", "jump")]),
    ("aim", [("not armed", "idle"), ("hurt > 0.5", "hit")]),
    ("hit", [("hurt <= 0.5", "idle"), ("hurt > 2", "fall")]),
    ("jump", [("not jump", "fall"), ("hurt > 0.5", "hit")]),
    (
        "fall",
        [
            ("speed <= 0.1", "crouch"),
            ("speed > 0.1 and not jump", "walk"),
        ],
    ),
    (
        "crouch",
        [("speed > 0.1", "walk"), ("armed and hurt < 0.5", "aim")],
    ),
];

/// `STATES` in native code.
fn native(state: u8, [speed, hurt, armed, jump]: [f32; 4]) -> u8 {
    let (armed, jump) = (armed != 0.0, jump != 0.0);
    match state {
        0 if speed > 0.1 => 1,
        0 if armed => 3,
        1 if speed <= 0.1 => 0,
        1 if speed > 3.0 => 2,
        2 if speed <= 3.0 => 1,
        2 if jump => 5,
        3 if !armed => 0,
        3 if hurt > 0.5 => 4,
        4 if hurt <= 0.5 => 0,
        4 if hurt > 2.0 => 6,
        5 if !jump => 6,
        5 if hurt > 0.5 => 4,
        6 if speed <= 0.1 => 7,
        6 if speed > 0.1 && !jump => 1,
        7 if speed > 0.1 => 1,
        7 if armed && hurt < 0.5 => 3,
        same => same,
    }
}

/// The next state according to the definition.
fn interpreted(def: &MachineDef, state: u8, params: &[f32]) -> u8 {
    let Some(layer) = def.layers.first() else {
        return state;
    };
    let value = |name: &str| {
        let found = def.params.iter().position(|param| param.name == name);
        found.map_or(f32::NAN, |i| params[i])
    };
    let term = |text: &str| match text.split(' ').collect::<Vec<_>>()[..] {
        [name] => value(name) != 0.0,
        ["not", name] => value(name) == 0.0,
        [name, how, number] => {
            let (a, b) = (value(name), number.parse().unwrap_or(f32::NAN));
            match how {
                ">" => a > b,
                "<" => a < b,
                _ => a <= b,
            }
        }
        _ => false,
    };
    let name = &layer.states.states[usize::from(state)].name;
    let leaves =
        |from: &FromStates| matches!(from, FromStates::States(list) if list.contains(name));
    let taken = layer.states.transitions.iter().find(|way| {
        leaves(&way.from)
            && matches!(&way.when, Some(WhenDef::Text(text)) if text.split(" and ").all(term))
    });
    let to = taken.and_then(|way| layer.states.states.iter().position(|s| s.name == way.to));
    to.map_or(state, |to| to as u8)
}

/// The machine; `motion` returns the motion of a state.
fn machine_def(motion: impl Fn(&str) -> MotionDef) -> MachineDef {
    let param = |name: &str, default| ParamDef {
        name: name.into(),
        default,
    };
    MachineDef {
        params: vec![
            param("speed", ParamValue::Number(0.0)),
            param("hurt", ParamValue::Number(0.0)),
            param("armed", ParamValue::Bool(false)),
            param("jump", ParamValue::Bool(false)),
        ],
        layers: vec![LayerDef {
            name: "body".into(),
            states: StatesDef {
                states: STATES
                    .iter()
                    .map(|(name, _)| StateDef {
                        name: (*name).into(),
                        content: Content::Motion(motion(name)),
                        ..StateDef::default()
                    })
                    .collect(),
                transitions: STATES
                    .iter()
                    .flat_map(|(from, ways)| ways.iter().map(move |way| (from, way)))
                    .map(|(from, (when, to))| TransitionDef {
                        from: FromStates::States(vec![(*from).into()]),
                        to: (*to).into(),
                        when: Some(WhenDef::Text((*when).into())),
                        fade: Fade {
                            seconds: 0.15,
                            ..Fade::default()
                        },
                        ..TransitionDef::default()
                    })
                    .collect(),
            },
            ..LayerDef::default()
        }],
        ..MachineDef::default()
    }
}

/// Randomly changes a parameter.
fn flip(random: &mut Random, params: &mut [f32]) {
    if random.share() > 0.1 {
        return;
    }
    let which = (random.share() * 4.0) as usize;
    let share = random.share();
    params[which.min(3)] = match which {
        0 if share < 0.3 => 0.0,
        0 => share * 5.0,
        1 if share < 0.5 => 0.0,
        1 => share * 3.0,
        _ => f32::from(u8::from(share < 0.5)),
    };
}

struct Quiet(u64);

impl MachineHost for Quiet {
    fn evaluate(&mut self, _: Predicate) -> bool {
        false
    }

    fn random(&mut self) -> f64 {
        0.5
    }

    fn emit(&mut self, _: Happening) {
        self.0 += 1;
    }
}

fn bench_machine(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let (set, marks) = (&definition.clips, &definition.markers[..]);
    let def = machine_def(|name| {
        let has = |clip: &str| set.find(clip).map(|_| clip.to_owned());
        MotionDef::Clip(has(name).or_else(|| has("idle")).unwrap_or_default())
    });
    let Ok(machine) = bind(&def, set, marks) else {
        return Vec::new();
    };
    let mut race = MachineRace::new(
        &def,
        &machine,
        Clips {
            set,
            markers: marks,
        },
    );
    let mut times: [Vec<f64>; 3] = Default::default();
    for round in 0..=ROUNDS {
        let mut spent = [0.0; 3];
        for _ in 0..TICKS {
            race.tick(&mut spent);
        }
        // The first round is a warm-up.
        if round > 0 {
            for (times, spent) in times.iter_mut().zip(spent) {
                times.push(spent * 1e9 / (TICKS * CHARACTERS) as f64);
            }
        }
    }
    race.rows(times)
}

/// A machine, the same in native code, and an interpreter that checks both.
struct MachineRace<'a> {
    def: &'a MachineDef,
    machine: &'a Machine,
    clips: Clips<'a>,
    states: Vec<MachineState>,
    /// States of the native code.
    table: Vec<u8>,
    params: Vec<[f32; 4]>,
    random: Random,
    host: Quiet,
    n_differences: u64,
    /// Number of state changes.
    n_taken: u64,
}

impl<'a> MachineRace<'a> {
    fn new(def: &'a MachineDef, machine: &'a Machine, clips: Clips<'a>) -> Self {
        Self {
            def,
            machine,
            clips,
            states: (0..CHARACTERS)
                .map(|_| MachineState::new(machine))
                .collect(),
            table: vec![0; CHARACTERS],
            params: vec![[0.0; 4]; CHARACTERS],
            random: Random(3),
            host: Quiet(0),
            n_differences: 0,
            n_taken: 0,
        }
    }

    /// Steps all characters, and adds the seconds for conditions, for the whole step, and for the native code.
    fn tick(&mut self, spent: &mut [f64; 3]) {
        let (machine, clips) = (self.machine, self.clips);
        for (state, params) in self.states.iter_mut().zip(&mut self.params) {
            flip(&mut self.random, params);
            state.params.copy_from_slice(params);
        }
        let now = self.table.iter().zip(&self.params);
        let expected = now.map(|(state, params)| interpreted(self.def, *state, params));
        let expected: Vec<u8> = expected.collect();
        let changes = self.table.iter().zip(&expected);
        self.n_taken += changes.filter(|(a, b)| a != b).count() as u64;
        let start = Stopwatch::start();
        for state in &self.states {
            std::hint::black_box(choose(machine, 0, clips, state, DT, &mut |_| false));
        }
        spent[0] += start.elapsed().as_secs_f64();
        let start = Stopwatch::start();
        for state in &mut self.states {
            advance(machine, clips, state, DT, &mut self.host);
        }
        spent[1] += start.elapsed().as_secs_f64();
        let start = Stopwatch::start();
        for (state, params) in self.table.iter_mut().zip(&self.params) {
            *state = native(*state, *params);
        }
        std::hint::black_box(&self.table);
        spent[2] += start.elapsed().as_secs_f64();
        let ours = |state: &MachineState| state.current(0).map_or(usize::MAX, |c| c.state);
        for ((state, table), expected) in self.states.iter().zip(&self.table).zip(&expected) {
            let all = [usize::from(*table), ours(state)];
            self.n_differences += u64::from(all != [usize::from(*expected); 2]);
        }
    }

    /// Figures from the times of each round.
    fn rows(&self, mut times: [Vec<f64>; 3]) -> Vec<BenchFigure> {
        for rounds in &mut times {
            rounds.sort_by(f64::total_cmp);
        }
        let [ask, whole, table] = times;
        let timed = |name: &str, what: &str, rounds: &[f64]| BenchFigure {
            fastest: rounds.first().copied(),
            slowest: rounds.last().copied(),
            ..BenchFigure::plain(name, what, rounds[ROUNDS / 2], "ns per character")
        };
        let ratio = ask[ROUNDS / 2] / table[ROUNDS / 2].max(1e-9);
        let what =
            "8 states, 16 transitions with text conditions, 1000 characters, parameter flips";
        let (n_taken, n_differences) = (self.n_taken, self.n_differences as f64);
        let trace =
            format!("{n_taken} state changes, compared with an interpreter of the definition");
        vec![
            timed(
                "machine_ask",
                &format!("evaluating transitions; {what}"),
                &ask,
            ),
            timed(
                "machine_advance",
                "the whole step: evaluating and taking transitions, advancing clips",
                &whole,
            ),
            timed(
                "machine_table",
                "the same machine as hand-written native code, states only",
                &table,
            ),
            BenchFigure::plain(
                "machine_ratio",
                "evaluation time / native code",
                ratio,
                "times",
            ),
            BenchFigure::plain("machine_trace", &trace, n_differences, "differences"),
        ]
    }
}

/// Flips parameters and hears nothing.
struct Flips(Random);

impl Script for Flips {
    fn update(&mut self, _: &mut Stage, _: f64) {}

    fn params(&mut self, _: Handle, values: &mut [f32]) {
        flip(&mut self.0, values);
    }

    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }

    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

/// The person of 67 bones as a model without a mesh, with clips for the states.
fn person() -> anyhow::Result<Definition> {
    let skeleton = Arc::new(skeleton()?);
    let joints: Vec<u16> = (0..skeleton.len() as u16).collect();
    let clips = (0..10).map(|seed| Arc::new(clip(&skeleton, seed)));
    Ok(Definition::new(Arc::new(Model {
        name: "person".into(),
        clips: clips.collect(),
        skins: vec![Skin {
            name: "person".into(),
            inverse_bind: vec![Mat4::IDENTITY; joints.len()],
            joints,
        }],
        skeleton,
        ..Model::default()
    })))
}

/// Walking blends two clips by speed; every other state plays one clip.
fn blends(name: &str) -> MotionDef {
    let number = STATES.iter().position(|(state, _)| *state == name);
    if name != "walk" {
        return MotionDef::Clip(format!("clip {}", number.unwrap_or_default()));
    }
    let point = |place: f32, clip: &str| PointDef {
        position: Some([place, 0.0]),
        content: PointContent::Clip(clip.into()),
        speed: 1.0,
    };
    MotionDef::Blend(BlendDef {
        space: SpaceDef::Line("speed".into()),
        points: vec![point(0.0, "clip 8"), point(3.0, "clip 9")],
        sync: SyncBy::Phase,
        match_speed: false,
    })
}

fn bench_tick(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let Ok(person) = person() else {
        return Vec::new();
    };
    let bones = person.model.skeleton.len();
    let person = Arc::new(person);
    let Ok(machine) = bind(&machine_def(blends), &person.clips, &person.markers) else {
        return Vec::new();
    };
    let machine = Arc::new(machine);
    let rows = [1, 2].into_iter().filter_map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .ok()?;
        let mut stage = Stage::default();
        for _ in 0..CHARACTERS {
            let handle = stage.add_character(person.clone(), "person", None, Placement::default());
            let state = MachineState::new(&machine);
            stage.characters.get_mut(handle)?.playback.machine = Some((machine.clone(), state));
        }
        let mut script = Flips(Random(11));
        // Two seconds of warm-up: transitions run, and buffers have their size.
        (0..120).for_each(|_| pool.install(|| tick(&mut stage, &mut script)));
        let name = format!("tick_machines_{threads}");
        let what = format!(
            "a whole tick without a script: {CHARACTERS} characters of {bones} bones with state machines, {threads} threads"
        );
        Some(measure(&name, &what, "ms per tick", 1_000_000 * TICKS, || {
            pool.install(|| (0..TICKS).for_each(|_| tick(&mut stage, &mut script)));
        }))
    });
    rows.collect()
}
