//! Random tests against a slow reference that handles every marker separately.

use std::sync::{Arc, LazyLock};

use galatea::anim::{
    EventLogEntry, MAX_INTERVALS, Marker, MarkerPhase, MarkerValue, Outcome, PlayMode,
};
use galatea::character::{Action, ActionOptions, Definition, Placement};
use galatea::machine::{
    Content, LayerDef, MachineDef, MachineState, MotionDef, Predicate, StateDef, StatesDef, bind,
};
use galatea::stage::{Event, EventKind, Handle, Script, Stage, tick};
use proptest::prelude::*;

use crate::common::lua_test;
use galatea_character::Character;

/// Half a tick, the time unit of the reference.
const HALF: f64 = 1.0 / 16.0;

/// Length of `idle` in half ticks.
const LAP: i64 = 32;

#[derive(Clone, Copy, Debug)]
enum Source {
    Machine,
    Play,
    Idle,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Add { t: i64, length: i64, step: bool },
    Remove(usize),
}

/// An event: time, the marker's number from its field, edge, and cut flag.
type ReportedEvent = (i64, i64, MarkerPhase, bool);

fn id_of(mark: &Marker) -> i64 {
    match mark.fields.first() {
        Some((_, MarkerValue::Number(n))) => *n as i64,
        _ => -1,
    }
}

/// Performs the planned changes before the tick and during event delivery, and records the events.
struct Player {
    hero: Handle,
    plan: Vec<Vec<Change>>,
    n: usize,
    /// Number and id of each existing marker.
    markers: Vec<(i64, u64)>,
    next: i64,
    in_ticks: bool,
    told: Vec<ReportedEvent>,
}

impl Player {
    /// A time in half ticks, or in ticks for rounded times.
    fn when(&self, time: f64) -> i64 {
        let halves = (time / HALF + 1e-6).floor() as i64;
        if self.in_ticks { halves & !1 } else { halves }
    }

    fn change(&mut self, stage: &mut Stage, which: usize) {
        for change in self.plan.get(which).cloned().unwrap_or_default() {
            match change {
                Change::Add { t, length, step } => {
                    let mark = Marker {
                        time: (t as f64 * HALF) as f32,
                        duration: (length as f64 * HALF) as f32,
                        event: if step { "step" } else { "m" }.into(),
                        fields: vec![("id".into(), MarkerValue::Number(self.next as f64))],
                    };
                    // There may be too many intervals.
                    let (ids, now) = (&mut stage.ids, stage.clock.time());
                    let added = stage.characters.add_marker(
                        ids,
                        (self.hero, 0),
                        mark,
                        now,
                        &mut stage.events,
                    );
                    if let Ok(id) = added {
                        self.markers.push((self.next, id));
                    }
                    self.next += 1;
                }
                Change::Remove(i) if !self.markers.is_empty() => {
                    let i = i % self.markers.len();
                    let (_, id) = self.markers.remove(i);
                    let now = stage.clock.time();
                    let (characters, events) = (&mut stage.characters, &mut stage.events);
                    assert!(characters.remove_marker(self.hero, id, now, events));
                    assert!(!characters.remove_marker(self.hero, id, now, events));
                }
                Change::Remove(_) => {}
            }
        }
    }
}

impl Script for Player {
    fn update(&mut self, stage: &mut Stage, _: f64) {
        self.change(stage, 2 * self.n);
    }

    fn params(&mut self, _: Handle, _: &mut [f32]) {}

    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }

    fn deliver(&mut self, stage: &mut Stage, events: &[Event]) {
        let hero = stage.characters.get(self.hero).unwrap();
        for event in events {
            if let EventKind::Marker(mark) = &event.kind {
                let time = self.when(event.time);
                let id = event.named(hero).marker.map_or(-1, id_of);
                self.told.push((time, id, mark.phase, mark.is_cut()));
            }
        }
        self.change(stage, 2 * self.n + 1);
        self.n += 1;
    }
}

/// The same as simply as possible: each marker separately, in steps of half a tick.
#[derive(Default)]
struct Slow {
    /// Number, start, end, open.
    markers: Vec<(i64, i64, i64, bool)>,
    next: i64,
    told: Vec<ReportedEvent>,
}

impl Slow {
    fn change(&mut self, changes: &[Change], now: i64) {
        for change in changes {
            match *change {
                Change::Add { t, length, .. } => {
                    let n = self.markers.iter().filter(|mark| mark.1 < mark.2).count();
                    if length == 0 || n < MAX_INTERVALS {
                        let end = (t + length).min(LAP);
                        self.markers.push((self.next, t, end, false));
                    }
                    self.next += 1;
                }
                Change::Remove(i) if !self.markers.is_empty() => {
                    let (id, .., open) = self.markers.remove(i % self.markers.len());
                    if open {
                        self.told.push((now, id, MarkerPhase::End, true));
                    }
                }
                Change::Remove(_) => {}
            }
        }
    }

    fn half_tick(&mut self, now: i64) {
        let mut places = vec![now % LAP];
        if now > 0 && places[0] == 0 {
            places.insert(0, LAP);
        }
        for at in places {
            for (id, first, last, open) in &mut self.markers {
                let mut tell = |edge| self.told.push((now, *id, edge, false));
                if first == last && at == *first {
                    tell(MarkerPhase::Point);
                } else if at == *last && *open {
                    *open = false;
                    tell(MarkerPhase::End);
                } else if at == *first && first < last && at < LAP {
                    *open = true;
                    tell(MarkerPhase::Begin);
                }
            }
        }
    }
}

/// A character of the post whose clip `idle` is played by one source.
fn stage_of(source: Source) -> (Stage, Handle) {
    static POST: LazyLock<Arc<Definition>> =
        LazyLock::new(|| Arc::new(Definition::new(Arc::new(crate::common::post()))));
    let mut stage = Stage::new(2.0 * HALF);
    let hero = stage.add_character(POST.clone(), "post", None, Placement::default());
    let id = stage.ids.new_id();
    let character: &mut Character = stage.characters.get_mut(hero).unwrap();
    character.playback.event_log.set_capacity(10_000);
    let clip = |name: &str| StateDef {
        name: "s".into(),
        content: Content::Motion(MotionDef::Clip(name.into())),
        ..StateDef::default()
    };
    let machine = |name: &str| {
        let layer = LayerDef {
            name: "body".into(),
            states: StatesDef {
                states: vec![clip(name)],
                transitions: Vec::new(),
            },
            ..LayerDef::default()
        };
        let def = MachineDef {
            layers: vec![layer],
            ..MachineDef::default()
        };
        let bound = bind(&def, &POST.clips, &POST.markers).unwrap();
        let state = MachineState::new(&bound);
        Some((Arc::new(bound), state))
    };
    match source {
        Source::Machine => character.playback.machine = machine("idle"),
        Source::Idle => {}
        Source::Play => {
            character.playback.machine = machine("jump");
            let options = ActionOptions {
                mode: PlayMode::Loop,
                ..ActionOptions::default()
            };
            character
                .playback
                .actions
                .push(Action::new(id, 0, 2.0, options));
        }
    }
    (stage, hero)
}

fn entry_id(hero: &Character, entry: &EventLogEntry) -> i64 {
    hero.playback
        .entry_names(&hero.definition, entry)
        .marker
        .map_or(-1, id_of)
}

fn changes(steps: bool) -> impl Strategy<Value = Vec<Vec<Change>>> {
    // Steps are reported by cycle at times rounded within the tick, so they are placed between ticks.
    let t = (0..LAP / 2, 0..=1i64).prop_map(move |(t, odd)| 2 * t + if steps { 1 } else { odd });
    let length = prop_oneof![Just(0i64), 0..20i64];
    let add = (t, length, any::<bool>()).prop_map(move |(t, length, step)| {
        let length = if steps {
            (length & !1).min(LAP - 1 - t)
        } else {
            length
        };
        Change::Add {
            t,
            length: length & !i64::from(steps),
            step: step && steps,
        }
    });
    let one = prop_oneof![add, any::<usize>().prop_map(Change::Remove)];
    let some = prop_oneof![
        3 => Just(Vec::new()),
        2 => prop::collection::vec(one, 1..4),
    ];
    prop::collection::vec(some, 1..160)
}

fn check(source: Source, plan: Vec<Vec<Change>>, in_ticks: bool) -> Result<(), TestCaseError> {
    let (mut stage, hero) = stage_of(source);
    let mut player = Player {
        hero,
        plan: plan.clone(),
        n: 0,
        markers: Vec::new(),
        next: 0,
        in_ticks,
        told: Vec::new(),
    };
    let mut slow = Slow::default();
    for n in 0..plan.len().div_ceil(2) + 20 {
        let now = 2 * n as i64;
        let of = |which: usize| plan.get(which).map_or(&[][..], |changes| changes);
        slow.change(of(2 * n), now);
        slow.half_tick(now);
        slow.half_tick(now + 1);
        slow.change(of(2 * n + 1), now);
        tick(&mut stage, &mut player);
    }
    // Changes made during the last delivery.
    tick(&mut stage, &mut player);
    slow.half_tick(2 * (plan.len().div_ceil(2) + 20) as i64);
    slow.half_tick(2 * (plan.len().div_ceil(2) + 20) as i64 + 1);
    let hero = stage.characters.get(hero).unwrap();
    let kept: Vec<ReportedEvent> = hero
        .playback
        .event_log
        .iter()
        .map(|entry| {
            let time = player.when(entry.time);
            let cut = matches!(entry.outcome, Outcome::Interrupted(_));
            (time, entry_id(hero, entry), entry.phase, cut)
        })
        .collect();
    prop_assert_eq!(&kept, &player.told);
    let (mut told, mut want) = (player.told, slow.told);
    for one in want.iter_mut().filter(|_| in_ticks) {
        one.0 &= !1;
    }
    told.sort_unstable();
    want.sort_unstable();
    prop_assert_eq!(told, want);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn marks_that_come_and_go_are_told_as_a_slow_reference_tells_them(
        source in prop_oneof![Just(Source::Machine), Just(Source::Play), Just(Source::Idle)],
        plan in changes(false),
    ) {
        check(source, plan, false)?;
    }

    #[test]
    fn steps_that_come_and_go_are_told_as_a_slow_reference_tells_them(plan in changes(true)) {
        check(Source::Machine, plan, true)?;
    }
}

#[test]
fn an_action_with_weight_zero_ends_open_intervals_and_begins_none() {
    let result = lua_test(
        "hero:add_marker('run', 0.1, 'A', { duration = 0.1 }) hero:add_marker('run', 0.3, 'B', { duration = 0.1 })
        local heard = {}
        hero:on('*', { all_clips = true }, function(e)
            if e.clip == 'run' and e.name ~= 'step' then
                table.insert(heard, `{e.name} {e.marker_phase} {e.weight}`)
            end
        end)
        hero:event_log()
        local p = hero:play('run', { fade = 0, mode = 'loop' })
        p.weight = 0.25
        t:run(0.15)
        p.weight = 0
        t:run(0.2)
        p.weight = 1
        t:run(0.3)
        t:expect(table.concat(heard, ', ') == 'A begin 0.25, A end 0, A begin 1', table.concat(heard, ', '))
        t:expect_event_log(hero, { name = 'B', reason = 'layer_weight_zero', outcome = 'suppressed', count = 2 })
        t:expect_event_log(hero, { name = 'A', outcome = 'fired', count = 3 })",
    );
    assert_eq!(result, Ok(()));
}
