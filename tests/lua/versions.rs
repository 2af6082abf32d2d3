//! Script versions: messages, references in kept tables, and undo.

use galatea::script::{Host, LoadError, Loaded, ScriptSource, Services as _, Texts};
use galatea::stage::Stage;

use crate::common::{Bench, Memory};

/// A version: the main script and its modules.
fn save(bench: &mut Bench, main: &str, modules: &[(&str, &str)]) -> Loaded {
    for (name, text) in modules {
        bench.write(&format!("scripts/{name}.lua"), text);
    }
    bench.write("scripts/main.lua", main);
    load(bench, &ScriptSource::default()).expect("it loads")
}

fn load(bench: &mut Bench, source: &ScriptSource) -> Result<Loaded, LoadError> {
    let (host, stage): (&mut Host, &mut Stage) = (&mut bench.host, &mut bench.stage);
    host.load(stage, source)
}

fn changes(old: &str, new: &str) -> Vec<String> {
    let mut bench = Bench::empty();
    assert!(
        save(&mut bench, old, &[]).changes.is_empty(),
        "the first has none"
    );
    bench.run(0.1);
    save(&mut bench, new, &[]).changes
}

const MACHINE: &str = "local hero = character('post.glb', { name = 'hero' })
local function fast(p)
    return p.speed > 1
end
hero.machine = machine {
    params = { speed = 0 },
    state 'idle' { 'idle' },
    state 'walk' { 'walk', on_enter = function() print('walk') end },
    transition_to 'walk' { from = 'idle', when = fast },
    transition_to 'idle' { from = 'walk', when = 'speed < 1', fade = 0.2 },
}
";

#[test]
fn a_reload_reports_its_changes() {
    let edits: [(&str, &str, &[&str]); 9] = [
        (
            "fade = 0.2",
            "fade = 0.3",
            &["scripts/main.lua: line 10", "hero: 1 transition changed"],
        ),
        (
            "p.speed > 1",
            "p.speed > 2",
            &["scripts/main.lua: line 3", "hero: 1 transition changed"],
        ),
        (
            "print('walk')",
            "print('go')",
            &["scripts/main.lua: line 8", "hero: 1 state changed (walk)"],
        ),
        (
            "    transition_to 'walk'",
            "    state 'run' { 'run' },\n    transition_to 'run' { from = 'walk', on = 'run' },\n    transition_to 'walk'",
            &[
                "scripts/main.lua: lines 9 to 10",
                "hero: 1 state added (run), 1 transition added",
            ],
        ),
        (
            "from = 'walk', ",
            "",
            &["scripts/main.lua: line 10", "hero: 1 transition changed"],
        ),
        (
            "params = { speed = 0 }",
            "params = { speed = 0, armed = false }",
            &[
                "scripts/main.lua: line 6",
                "hero: 1 parameter added (armed)",
            ],
        ),
        (
            "    transition_to 'idle' { from = 'walk', when = 'speed < 1', fade = 0.2 },\n",
            "",
            &[
                "scripts/main.lua: 1 line removed before line 10",
                "hero: 1 transition removed",
            ],
        ),
        (
            "{ name = 'hero' })",
            "{ name = 'hero' }) hero:add_marker('walk', 0.5, 'hum') hero:on('hum', print)\ncharacter('post.glb', { name = 'extra' })",
            &[
                "scripts/main.lua: lines 1 to 2",
                "1 character added (extra)",
                "1 listener added",
                "1 marker added",
            ],
        ),
        (
            "local function fast",
            "\nlocal function fast",
            &["scripts/main.lua: line 2"],
        ),
    ];
    for (old, new, want) in edits {
        assert!(MACHINE.contains(old), "{old}");
        assert_eq!(
            changes(MACHINE, &MACHINE.replacen(old, new, 1)),
            want,
            "{new}"
        );
    }
    assert!(changes(MACHINE, MACHINE).is_empty());
}

#[test]
fn many_characters_with_the_same_change_share_a_line() {
    let crowd = |fade: f32| {
        format!(
            "local m = machine {{ state 'idle' {{ 'idle' }}, state 'walk' {{ 'walk' }}, transition_to 'walk' {{ on = 'go', fade = {fade} }} }}
            for i = 1, 5 do character('post.glb', {{ name = 'n' .. i }}).machine = m end
            local s = keep_on_reload('s', {{ a = 1 {} }})",
            if fade > 0.2 { ", b = 2, c = 3" } else { "" },
        )
    };
    assert_eq!(
        changes(&crowd(0.1), &crowd(0.25)),
        [
            "scripts/main.lua: lines 1 to 3",
            "n1 and 4 more: 1 transition changed",
            "2 values of keep_on_reload \"s\" added (b, c)",
        ]
    );
}

#[test]
fn modules_that_come_and_go_are_named() {
    let mut bench = Bench::empty();
    let one = [("a", "return { x = 1 }"), ("b", "return { y = 1 }")];
    save(&mut bench, "require 'a'", &one);
    let loaded = save(&mut bench, "require 'b'", &one);
    assert_eq!(
        loaded.changes,
        [
            "scripts/a.lua is no longer used",
            "scripts/b.lua is new",
            "scripts/main.lua: line 1"
        ]
    );
    let loaded = save(&mut bench, "require 'b'", &[("b", "return {\n y = 2 }")]);
    assert_eq!(loaded.changes, ["scripts/b.lua: lines 1 to 2"]);
}

#[test]
fn the_reload_hook_receives_kept_values_and_changes() {
    let mut bench = Bench::new("local s = keep_on_reload('s', { n = 7 })");
    bench
        .load("function on_reload(old, changes) print(old.s.n, #changes, changes[1]) end")
        .expect("it loads");
    assert_eq!(bench.printed(), ["7\t1\tscripts/main.lua: line 1"]);
}

/// A class in a module, and a kept object of it.
const KINDS: &str = "local Kinds = { Sword = {}, Bow = { range = 10 } }
Kinds.Sword.__index = Kinds.Sword
function Kinds.Sword.name(self) return 'sword ' .. self.edge end
function Kinds.new(edge) return setmetatable({ edge = edge }, Kinds.Sword) end
return Kinds";

#[test]
fn kept_values_refer_to_the_new_modules() {
    let main = "local Kinds = require 'kinds'
        local s = keep_on_reload('s', { arm = Kinds.new(3), bow = Kinds.Bow, list = { Kinds } })
        print('begin', s.arm:name(), s.bow == Kinds.Bow, s.list[1] == Kinds, s.bow.range)
        local n = 0
        function update() n += 1 if n == 1 then
            s.list[2] = Kinds.Bow
            print('runs', s.arm:name(), getmetatable(s.arm) == Kinds.Sword, s.list[1] == Kinds)
        end end";
    let mut bench = Bench::empty();
    save(&mut bench, main, &[("kinds", KINDS)]);
    bench.run(0.05);
    assert_eq!(
        bench.printed(),
        [
            "begin\tsword 3\ttrue\ttrue\t10",
            "runs\tsword 3\ttrue\ttrue"
        ]
    );
    for _ in 0..3 {
        let new = KINDS
            .replace("'sword '", "'blade '")
            .replace("range = 10", "range = 20");
        save(&mut bench, main, &[("kinds", &new)]);
        bench.run(0.05);
        assert_eq!(
            bench.printed(),
            [
                "begin\tblade 3\ttrue\ttrue\t20",
                "runs\tblade 3\ttrue\ttrue"
            ]
        );
    }
    // A failed version leaves the old one with its own modules.
    bench.write("scripts/kinds.lua", &KINDS.replace("'sword '", "'wrong '"));
    bench.write("scripts/main.lua", &format!("{main}\nerror('no')"));
    load(&mut bench, &ScriptSource::default()).expect_err("it fails");
    bench.printed();
    bench.write("scripts/main.lua", &format!("{main}\nprint(s.arm:name())"));
    bench.write("scripts/kinds.lua", KINDS);
    load(&mut bench, &ScriptSource::default()).expect("it loads");
    assert_eq!(
        bench.printed(),
        ["begin\tsword 3\ttrue\ttrue\t10", "sword 3"]
    );
    assert!(bench.host.take_faults().is_empty());
}

#[test]
fn a_failed_reload_does_not_change_the_running_modules() {
    let module = "local M = { Old = { inner = {} }, Same = {} }
        M.Old.inner.points = M.Same
        return M";
    let main = "local M = require 'm'
        local s = keep_on_reload('s', { old = M.Old })
        function update() print(s.old == M.Old, s.old.inner.points == M.Same) end";
    let mut bench = Bench::empty();
    save(&mut bench, main, &[("m", module)]);
    bench.write("scripts/m.lua", "return { Same = {} }");
    bench.write("scripts/main.lua", &format!("{main} error('no')"));
    load(&mut bench, &ScriptSource::default()).expect_err("it fails");
    bench.run(0.02);
    assert_eq!(bench.printed(), ["true\ttrue"]);
}

#[test]
fn objects_of_a_global_class_get_its_new_methods() {
    let main = |word: &str| {
        format!(
            "Guard = {{}} Guard.__index = Guard
            function Guard.say(self) print('{word}', self.n) end
            local s = keep_on_reload('s', {{ one = setmetatable({{ n = 1 }}, Guard) }})
            function update() s.one:say() s.one.n += 1 end"
        )
    };
    let mut bench = Bench::new(&main("old"));
    bench.run(0.04);
    bench.load(&main("new")).expect("it loads");
    bench.run(0.04);
    assert_eq!(bench.printed(), ["old\t1", "old\t2", "new\t3", "new\t4"]);
}

#[test]
fn a_version_can_be_gone_back_to_with_its_modules() {
    let mut bench = Bench::empty();
    let first = save(
        &mut bench,
        "local s = keep_on_reload('s', { n = 0 }) s.n += 1 print(require 'word', s.n)",
        &[("word", "return 'first'")],
    );
    save(
        &mut bench,
        "local s = keep_on_reload('s', { n = 0 }) s.n += 1 print(require 'word', s.n)",
        &[("word", "return 'second'")],
    );
    let back = ScriptSource {
        texts: Some(first.texts.clone()),
        ..ScriptSource::default()
    };
    let loaded = load(&mut bench, &back).expect("it runs");
    assert_eq!(loaded.texts, first.texts);
    assert_eq!(loaded.changes, ["scripts/word.lua: line 1"]);
    assert_eq!(bench.printed(), ["first\t1", "second\t2", "first\t3"]);
    assert_eq!(
        Memory::script(&bench.memory, "scripts/word.lua").as_deref(),
        Ok("return 'second'"),
        "the files stay"
    );
    // A version knows only its own files.
    let mut texts: Texts = first.texts;
    texts.remove("scripts/word.lua");
    let source = ScriptSource {
        texts: Some(texts),
        ..ScriptSource::default()
    };
    let Err(LoadError::Fault { fault, .. }) = load(&mut bench, &source) else {
        panic!("it has no such module");
    };
    assert!(fault.text.contains("no script \"word\""), "{fault}");
}
