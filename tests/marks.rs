//! Marks that scripts add and take off while clips play: no event is lost, doubled or misnamed.

mod common;

use common::{Bench, HERO, lua_test, printed};
use galatea::anim::{Edge, Entry, MOST_INTERVALS, Mark, MarkValue, Outcome, PlayMode};
use galatea::character::{Action, ActionOptions, Definition, Placement};
use galatea::machine::{
    Content, LayerDef, MachineDef, MachineState, MotionDef, Predicate, StateDef, StatesDef, bind,
};
use galatea::stage::{Event, EventKind, Handle, Script, Stage, StageCharacter, tick};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

#[test]
fn steps_marked_while_a_state_plays_throw_it_nowhere() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'idle' } }
        hero:mark('idle', 0.5, 'M')
        hero:on('M', function(e) print(string.format('%.2f', e.time), e.reverse) end)
        hero:on('*', function(e) assert(not e.reverse) end)
        local n = 0
        function update()
            n += 1
            if n == 200 then hero:mark('idle', 1.0, 'step', { foot = 'left' }) end
            if n == 260 then hero:mark('idle', 1.5, 'step', { foot = 'right' }) end
            if n == 500 then hero:mark('idle', 0.2, 'step', { foot = 'left' }) end
        end",
        13.0,
    );
    let wanted: Vec<String> = (0..7)
        .map(|lap| format!("{:.2}\tfalse", 0.5 + 2.0 * f64::from(lap)))
        .collect();
    assert_eq!(lines, wanted);
}

#[test]
fn events_that_wait_keep_their_names_and_fields_when_marks_come_and_go() {
    let lines = printed(
        "hero:mark('jump', 0.2, 'A', { n = 1 })
        local gone = hero:mark('jump', 0.3, 'B', { n = 2 })
        local same = hero:mark('jump', 0.3, 'B', { n = 2 })
        hero:mark('jump', 0.4, 'C', { n = 3 })
        hero:on('*', function(e) print(e.name, e.n, e.clip) end)
        local p = hero:play('jump', { fade = 0 })
        local n = 0
        function update()
            n += 1
            if n == 4 then
                p:seek(0.45, { fire = true })
                hero:mark('jump', 0.1, 'new', { n = 4 })
                hero:mark('walk', 0.1, 'other')
                print(gone:remove(), gone:remove())
                hero:mark('jump', 0.15, 'newer')
            end
        end",
        0.1,
    );
    let wanted = [
        "true\tfalse",
        "A\t1\tjump",
        "B\t2\tjump",
        "B\t2\tjump",
        "C\t3\tjump",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_way_that_waits_for_a_mark_is_taken_though_another_is_added_before_it() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'walk' }, state 'b' { 'idle' },
            to 'b' { from = 'a', passing = { 'step', foot = 'left' } } }
        hero:on('step', function() hero:mark('walk', 0.05, 'Z') end)
        hero:on('enter', function(e) print(e.state) end)",
        0.3,
    );
    assert_eq!(lines, ["b"]);
}

#[test]
fn the_ledger_says_what_was_passed_whatever_is_marked_after_it() {
    let result = lua_test(
        "local gone = hero:mark('idle', 0.2, 'A') hero:mark('idle', 0.3, 'B')
        hero.machine = machine { state 'first' { 'idle' } }
        t:run(0.5)
        hero:mark('idle', 0.1, 'Z')
        t:expect_ledger(hero, { name = 'A', mark = 2, state = 'first', layer = 'body', count = 1 })
        t:expect_ledger(hero, { name = 'B', mark = 3, count = 1 })
        gone:remove()
        t:expect_ledger(hero, { name = 'A', state = 'first', count = 1 })
        t:expect_ledger(hero, { name = 'A', mark = 2, count = 0 })
        t:expect_ledger(hero, { name = 'B', mark = 2, count = 1 })
        hero.machine = machine { layer 'whole' { state 'other' { 'idle' } } }
        t:expect_ledger(hero, { name = 'A', state = 'first', layer = 'body', count = 1 })
        t:expect_ledger(hero, { name = 'B', state = 'first', layer = 'body', count = 1 })
        t:run(0.35)
        t:expect_ledger(hero, { name = 'B', state = 'other', layer = 'whole', count = 1 })
        t:expect_no_lost(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn the_ledger_keeps_its_names_when_the_script_is_saved_with_other_states_and_marks() {
    let script = |body: &str| {
        format!(
            "{HERO}{body}
            function update()
                if now() > 0.49 and now() < 0.505 or now() > 0.6 then
                    for _, e in hero:ledger() do print(e.name, e.clip, e.layer, e.state) end
                else
                    hero:ledger()
                end
            end"
        )
    };
    let mut bench = Bench::new(&script(
        "hero:mark('idle', 0.2, 'A') hero.machine = machine { state 'first' { 'idle' } }",
    ));
    bench.run(0.5);
    bench
        .load(&script(
            "hero:mark('idle', 0.1, 'Z') hero.machine = machine { layer 'x' { state 'second' { 'walk' } } }",
        ))
        .unwrap();
    bench.run(0.13);
    let lines = bench.printed();
    assert_eq!(
        lines.first().map(String::as_str),
        Some("A\tidle\tbody\tfirst"),
        "{lines:?}"
    );
    // What is passed from now on comes after it.
    assert_eq!(
        lines.last().map(String::as_str),
        Some("step\twalk\tx\tsecond")
    );
    let older = lines.iter().filter(|line| line.starts_with('A'));
    assert!(older.clone().all(|line| line == &lines[0]) && older.count() > 1);
}

#[test]
fn an_interval_that_is_open_ends_cut_when_it_is_taken_off() {
    let lines = printed(
        "local held = hero:mark('idle', 0.1, 'I', { length = 1, power = 3 })
        hero:mark('idle', 0.1, 'I', { length = 1, power = 3 })
        hero:play('idle', { fade = 0, mask = 'upper' })
        hero.machine = machine { state 'a' { 'idle' } }
        hero:on('I', function(e) print(e.source, e.edge, e.cut, e.power, e.state) end)
        local n = 0
        function update() n += 1 if n == 20 then print(held:remove()) end end",
        0.5,
    );
    let (one, two) = ("machine\tbegin\tfalse\t3\ta", "play\tbegin\tfalse\t3\tnil");
    let ends = ["machine\tend\ttrue\t3\ta", "play\tend\ttrue\t3\tnil"];
    let wanted = [one, one, two, two, "true", ends[0], ends[1]];
    assert_eq!(lines, wanted);
}

#[test]
fn an_interval_of_a_state_that_is_entered_again_ends_as_it_began_in_each_playing() {
    for (fade, first, second) in [
        (0.3, 0.15, 0.15),
        (0.3, 0.1, 1.0),
        (0.2, 0.06, 0.06),
        (0.4, 0.3, 0.05),
        (0.25, 0.05, 0.05),
    ] {
        let result = lua_test(&format!(
            "hero:mark('jump', 0.05, 'I', {{ length = 0.3 }})
            hero.machine = machine {{
                state 'hit' {{ 'jump', mode = 'once' }},
                to 'hit' {{ from = 'hit', on = 'hit', fade = {fade} }},
            }}
            local heard = {{}}
            hero:on('I', function(e) table.insert(heard, e.edge) end)
            t:run({first})
            hero.machine:send 'hit'
            t:run({second})
            hero.machine:send 'hit'
            t:run(1)
            local begun, n = {{}}, 0
            for _, e in hero:ledger() do
                if e.edge == 'begin' then
                    t:expect(begun[e.playing] == nil, 'began twice')
                    begun[e.playing] = e
                else
                    local was = begun[e.playing]
                    t:expect((e.outcome == 'suppressed') == (was.outcome == 'suppressed'), e.outcome)
                    t:expect(was.outcome ~= 'suppressed' or e.reason == was.reason, e.reason)
                    n += 1
                end
            end
            t:expect(n == 3, 'playings that ended: ' .. n)
            -- Listeners heard the first: the others began below one that showed more.
            t:expect(table.concat(heard, ' ') == 'begin end', table.concat(heard, ' '))
            t:expect_no_lost(hero)"
        ));
        assert_eq!(result, Ok(()), "{fade} {first} {second}");
    }
}

#[test]
fn an_interval_begun_while_another_clip_showed_more_ends_untold_and_the_other_way_round() {
    let result = lua_test(
        "hero:mark('idle', 0.5, 'I', { length = 0.5 })
        hero.machine = machine {
            params = { x = 1 },
            state 'a' { blend1d { by = 'x', { 0, 'idle' }, { 1, 'jump' } } },
        }
        local function outcomes()
            local list = {}
            for _, e in hero:ledger() do
                if e.name == 'I' then table.insert(list, `{e.edge} {e.outcome}`) end
            end
            return table.concat(list, ', ')
        end
        t:run(0.6)
        hero.machine.params.x = 0
        t:run(1.0)
        t:expect(outcomes() == 'begin suppressed, end suppressed', outcomes())
        t:run(1.0)
        hero.machine.params.x = 1
        t:run(0.8)
        t:expect(outcomes() == 'begin suppressed, end suppressed, begin fired, end fired', outcomes())
        t:expect_no_lost(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn the_end_of_an_interval_stands_in_the_ledger_as_its_listeners_heard_its_beginning() {
    // The listener asks for a weight that shows at the end only, or comes when the interval is open.
    let of = |on: &str| {
        lua_test(&format!(
            "hero:mark('walk', 0.15, 'I', {{ length = 0.45 }})
            hero:play('walk', {{ fade = 1, fade_out = 0, speed = 0.5 }})
            {on}
            t:run(1.5)
            local list = {{}}
            for _, e in hero:ledger() do
                if e.name == 'I' then table.insert(list, `{{e.edge}} {{e.outcome}} {{e.reason}}`) end
            end
            t:expect(false, table.concat(list, ', '))"
        ))
        .unwrap_err()
    };
    assert_eq!(
        of("hero:on('I', { min_weight = 0.5 }, print)"),
        "begin suppressed below_min_weight, end suppressed below_min_weight"
    );
    assert_eq!(
        of("t:run(0.5) hero:on('I', print)"),
        "begin fired nil, end fired nil"
    );
}

#[test]
fn a_listener_of_a_play_hears_the_end_of_what_it_heard_begin() {
    let lines = printed(
        "hero:mark('idle', 0.1, 'I', { length = 0.3 })
        local p = hero:play('idle', { fade = 0, on = { I = function(e) print('first', e.edge) end } })
        local n = 0
        function update()
            n += 1
            if n == 15 then p:on('I', function(e) print('late', e.edge) end) end
        end",
        0.5,
    );
    assert_eq!(lines, ["first\tbegin", "first\tend"]);
}

#[test]
fn a_seek_of_a_muted_play_out_of_an_interval_is_told_to_nobody_and_changes_no_other_event() {
    let result = lua_test(
        "hero:mark('idle', 0.1, 'I', { length = 0.5 })
        local n = 0
        local on = { I = function() n += 1 end }
        local p = hero:play('idle', { fade = 0, mute = true, mask = 'upper', on = on })
        t:run(0.3)
        p:seek(1.5)
        t:run(0.1)
        t:expect(n == 0, n)
        t:expect_ledger(hero, { name = 'I', source = 'play', outcome = 'suppressed', reason = 'muted', count = 2 })",
    );
    assert_eq!(result, Ok(()));
    // Without a ledger nothing is kept of what is muted.
    let lines = printed(
        "hero:mark('idle', 0.1, 'I', { length = 0.5 }) hero:mark('jump', 0.4, 'J', { length = 0.08 })
        hero:on('J', function(e) print(e.edge, e.cut) end)
        local p = hero:play('idle', { fade = 0, mute = true, mask = 'upper' })
        local other = hero:play('jump', { fade = 0 })
        local n = 0
        function update()
            n += 1
            if n == 20 then other:seek(0.42, { fire = true }) p:seek(1.5) end
        end",
        0.36,
    );
    assert_eq!(lines, ["begin\tfalse"]);
}

#[test]
fn an_interval_of_a_fading_state_ends_when_it_is_taken_off_though_the_state_was_entered_again() {
    // What is entered anew begins inside the interval and is soon past it.
    let lines = printed(
        "local held = hero:mark('jump', 0.05, 'I', { length = 0.3 })
        hero.machine = machine {
            state 'hit' { 'jump', mode = 'once', speed = 0.5 },
            to 'hit' { from = 'hit', on = 'hit', fade = 2, start = 0.3 },
        }
        hero:on('I', function(e) print(e.edge, e.cut) end)
        local n = 0
        function update()
            n += 1
            if n == 10 then hero.machine:send 'hit' end
            if n == 20 then print(held:remove()) end
        end",
        0.5,
    );
    assert_eq!(lines, ["begin\tfalse", "true", "end\ttrue"]);
}

#[test]
fn a_field_that_is_not_a_number_is_refused_as_its_mark_could_not_be_taken_off() {
    for script in [
        "hero:mark('idle', 0.1, 'I', { length = 1, power = 0/0 })",
        "clip 'made' { curves = { c = { { 0, 0 }, { 1, 1 } } }, marks = { { 0.5, 'M', power = 0/0 } } }",
    ] {
        let fault = Bench::empty().fault(&format!("{HERO}{script}"));
        let text = "field \"power\" must be a number, a text, true or false";
        assert!(fault.text.contains(text), "{fault}");
    }
}

#[test]
fn another_machine_ends_what_is_open_on_the_clips_of_the_one_before() {
    let result = lua_test(
        "hero:mark('idle', 0.1, 'I', { length = 1 })
        local heard = {}
        hero:on('I', function(e) table.insert(heard, `{e.edge} {e.state}`) end)
        hero.machine = machine { state 'one' { 'idle' } }
        t:run(0.3)
        hero.machine = machine { state 'two' { 'idle' } }
        t:run(0.3)
        local text = table.concat(heard, ', ')
        t:expect(text == 'begin one, end one, begin two', text)
        t:expect_no_lost(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn a_layer_of_no_weight_tells_nobody_and_the_ledger_knows() {
    let result = lua_test(
        "hero:mark('run', 0.1, 'M') hero:mark('run', 0.2, 'I', { length = 0.2 })
        hero.machine = machine {
            params = { w = 0 },
            layer 'body' { state 'a' { 'idle' } },
            layer 'over' { weight = 'w', mask = 'upper', state 'b' { 'run' } },
        }
        local n = 0
        hero:on('*', { all = true }, function(e) if e.clip == 'run' then n += 1 end end)
        t:run(0.5)
        t:expect(n == 0, n)
        t:expect_ledger(hero, { name = 'M', reason = 'layer_weight_zero', outcome = 'suppressed', count = 1 })
        t:expect_ledger(hero, { name = 'I', reason = 'layer_weight_zero', count = 2 })
        t:expect_ledger(hero, { clip = 'run', outcome = 'fired', count = 0 })
        hero.machine.params.w = 1
        t:run(0.3)
        hero.machine.params.w = 0
        t:run(0.2)
        t:expect_ledger(hero, { name = 'I', outcome = 'fired', count = 2 })
        t:expect_no_lost(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn a_mark_is_gone_for_the_handle_of_a_script_that_was_saved() {
    let script = format!(
        "{HERO}local held = keep('held', {{}})
        function reload(old) print(old.held.mark:remove(), held.mark ~= nil) end
        held.mark = hero:mark('idle', 0.5, 'M')"
    );
    let mut bench = Bench::new(&script);
    bench.run(0.1);
    bench.load(&script).unwrap();
    assert_eq!(bench.printed(), ["false\ttrue"]);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!((hero.script_marks.len(), hero.marks[0].len()), (1, 1));
}

#[test]
fn a_script_may_put_so_many_marks_on_a_character_and_no_more() {
    let fault = Bench::empty().fault(&format!(
        "{HERO}for i = 1, 1e5 do hero:mark('idle', 0.5, 'x') end"
    ));
    assert!(fault.text.contains("1024 marks"), "{fault}");
    let lines = printed(
        "for i = 1, 3000 do hero:mark('idle', 0.5, 'x'):remove() end print 'fine'",
        0.1,
    );
    assert_eq!(lines, ["fine"]);
}

/// Half a tick, the unit of the reference.
const HALF: f64 = 1.0 / 16.0;
/// `idle` in half ticks.
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

/// Tells what happened by the number that each mark has as a field.
type Told = (i64, i64, Edge, bool);

fn id_of(mark: &Mark) -> i64 {
    match mark.fields.first() {
        Some((_, MarkValue::Number(n))) => *n as i64,
        _ => -1,
    }
}

/// Makes the changes that were planned, before the tick and when its events are told, and writes down
/// what is told.
struct Player {
    hero: Handle,
    plan: Vec<Vec<Change>>,
    n: usize,
    /// Number, id and whether it is there still.
    marks: Vec<(i64, u64)>,
    next: i64,
    in_ticks: bool,
    told: Vec<Told>,
}

impl Player {
    /// A time in half ticks, or where these are rounded in ticks.
    fn when(&self, time: f64) -> i64 {
        let halves = (time / HALF + 1e-6).floor() as i64;
        if self.in_ticks { halves & !1 } else { halves }
    }

    fn change(&mut self, stage: &mut Stage, which: usize) {
        for change in self.plan.get(which).cloned().unwrap_or_default() {
            match change {
                Change::Add { t, length, step } => {
                    let mark = Mark {
                        t: (t as f64 * HALF) as f32,
                        length: (length as f64 * HALF) as f32,
                        event: if step { "step" } else { "m" }.into(),
                        fields: vec![("id".into(), MarkValue::Number(self.next as f64))],
                    };
                    // There may be too many intervals.
                    if let Ok(id) = stage.add_mark(self.hero, 0, mark) {
                        self.marks.push((self.next, id));
                    }
                    self.next += 1;
                }
                Change::Remove(i) if !self.marks.is_empty() => {
                    let i = i % self.marks.len();
                    let (_, id) = self.marks.remove(i);
                    assert!(stage.remove_mark(self.hero, id));
                    assert!(!stage.remove_mark(self.hero, id));
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

    fn ask(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }

    fn deliver(&mut self, stage: &mut Stage, events: &[Event]) {
        let hero = stage.characters.get(self.hero).unwrap();
        for event in events {
            if let EventKind::Mark(mark) = &event.kind {
                let time = self.when(event.time);
                let id = event.named(hero).mark.map_or(-1, id_of);
                self.told.push((time, id, mark.edge, mark.is_cut()));
            }
        }
        self.change(stage, 2 * self.n + 1);
        self.n += 1;
    }
}

/// The same, as plainly as possible: every mark by itself, half a tick at a time.
#[derive(Default)]
struct Slow {
    /// Number, start, end, open.
    marks: Vec<(i64, i64, i64, bool)>,
    next: i64,
    told: Vec<Told>,
}

impl Slow {
    fn change(&mut self, changes: &[Change], now: i64) {
        for change in changes {
            match *change {
                Change::Add { t, length, .. } => {
                    let n = self.marks.iter().filter(|mark| mark.1 < mark.2).count();
                    if length == 0 || n < MOST_INTERVALS {
                        let end = (t + length).min(LAP);
                        self.marks.push((self.next, t, end, false));
                    }
                    self.next += 1;
                }
                Change::Remove(i) if !self.marks.is_empty() => {
                    let (id, .., open) = self.marks.remove(i % self.marks.len());
                    if open {
                        self.told.push((now, id, Edge::End, true));
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
            for (id, first, last, open) in &mut self.marks {
                let mut tell = |edge| self.told.push((now, *id, edge, false));
                if first == last && at == *first {
                    tell(Edge::Point);
                } else if at == *last && *open {
                    *open = false;
                    tell(Edge::End);
                } else if at == *first && first < last && at < LAP {
                    *open = true;
                    tell(Edge::Begin);
                }
            }
        }
    }
}

/// A character of the post whose clip `idle` plays by one source alone.
fn stage_of(source: Source) -> (Stage, Handle) {
    static POST: LazyLock<Arc<Definition>> =
        LazyLock::new(|| Arc::new(Definition::new(Arc::new(common::post()))));
    let mut stage = Stage::new(2.0 * HALF);
    let hero = stage.add_character(POST.clone(), "post", None, Placement::default());
    let id = stage.new_id();
    let character: &mut StageCharacter = stage.characters.get_mut(hero).unwrap();
    character.ledger.set_capacity(10_000);
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
        let bound = bind(&def, &POST.clips, &POST.marks).unwrap();
        let state = MachineState::new(&bound);
        Some((Arc::new(bound), state))
    };
    match source {
        Source::Machine => character.machine = machine("idle"),
        Source::Idle => {}
        Source::Play => {
            character.machine = machine("jump");
            let options = ActionOptions {
                mode: PlayMode::Loop,
                ..ActionOptions::default()
            };
            character.actions.push(Action::new(id, 0, 2.0, options));
        }
    }
    (stage, hero)
}

fn entry_id(hero: &StageCharacter, entry: &Entry) -> i64 {
    hero.entry_names(entry).mark.map_or(-1, id_of)
}

fn changes(steps: bool) -> impl Strategy<Value = Vec<Vec<Change>>> {
    // Steps are told by a cycle, at times that are rounded within the tick: they stand between ticks.
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
        marks: Vec::new(),
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
    // What was changed while the last tick was told.
    tick(&mut stage, &mut player);
    slow.half_tick(2 * (plan.len().div_ceil(2) + 20) as i64);
    slow.half_tick(2 * (plan.len().div_ceil(2) + 20) as i64 + 1);
    let hero = stage.characters.get(hero).unwrap();
    let kept: Vec<Told> = hero
        .ledger
        .iter()
        .map(|entry| {
            let time = player.when(entry.time);
            let cut = matches!(entry.outcome, Outcome::Cut(_));
            (time, entry_id(hero, entry), entry.edge, cut)
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
fn a_play_whose_weight_is_set_to_nothing_ends_what_it_told_and_begins_nothing() {
    let result = lua_test(
        "hero:mark('run', 0.1, 'A', { length = 0.1 }) hero:mark('run', 0.3, 'B', { length = 0.1 })
        local heard = {}
        hero:on('*', { all = true }, function(e)
            if e.clip == 'run' and e.name ~= 'step' then
                table.insert(heard, `{e.name} {e.edge} {e.weight}`)
            end
        end)
        hero:ledger()
        local p = hero:play('run', { fade = 0, mode = 'loop' })
        p.weight = 0.25
        t:run(0.15)
        p.weight = 0
        t:run(0.2)
        p.weight = 1
        t:run(0.3)
        t:expect(table.concat(heard, ', ') == 'A begin 0.25, A end 0, A begin 1', table.concat(heard, ', '))
        t:expect_ledger(hero, { name = 'B', reason = 'layer_weight_zero', outcome = 'suppressed', count = 2 })
        t:expect_ledger(hero, { name = 'A', outcome = 'fired', count = 3 })",
    );
    assert_eq!(result, Ok(()));
}
