//! Escapes and resource bombs: each is stopped or refused with its position, and the scene continues.

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;
use galatea::script::{Fault, HostOptions, LoadError};

/// Context in which a script runs the code.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ScriptContext {
    Main,
    Module,
    Update,
    Listener,
    Condition,
    Act,
    Deferred,
    Coroutine,
    Metamethod,
    Handler,
    Test,
}
use ScriptContext::*;

use crate::common::{Bench, HERO};

/// Description, context, statements, and expected message.
type Row = (&'static str, ScriptContext, &'static str, &'static str);

const STOPPED: &str = "stopped: exceeded its budget";
const MEMORY: &str = "out of memory";

/// Endless loops.
#[rustfmt::skip]
const ENDLESS: &[Row] = &[
    ("a loop", Main, "while true do end", STOPPED),
    ("a loop", Module, "while true do end", STOPPED),
    ("a loop", Update, "while true do end", STOPPED),
    ("a loop", Listener, "while true do end", STOPPED),
    ("a loop", Condition, "while true do end", STOPPED),
    ("a loop", Act, "while true do end", STOPPED),
    ("a loop", Deferred, "while true do end", STOPPED),
    ("a loop", Coroutine, "while true do end", STOPPED),
    ("a loop", Metamethod, "while true do end", STOPPED),
    ("a loop", Handler, "while true do end", STOPPED),
    ("a loop", Test, "while true do end", STOPPED),
    ("caught", Update, "while true do pcall(function() while true do end end) end", STOPPED),
    ("caught at every depth", Update, "local function f() pcall(f) while true do end end f()", STOPPED),
    ("in an error handler", Act, "while true do xpcall(error, function() while true do end end) end", STOPPED),
    ("__index", Update, "local t = setmetatable({}, { __index = function() while true do end end }) print(t.x)", STOPPED),
    ("__newindex", Update, "local t = setmetatable({}, { __newindex = function() while true do end end }) t.x = 1", STOPPED),
    ("__eq", Listener, "local m = { __eq = function() while true do end end } print(setmetatable({}, m) == setmetatable({}, m))", STOPPED),
    ("__lt", Update, "local m = { __lt = function() while true do end end } print(setmetatable({}, m) < setmetatable({}, m))", STOPPED),
    ("__le", Update, "local m = { __le = function() while true do end end } print(setmetatable({}, m) <= setmetatable({}, m))", STOPPED),
    ("__concat", Update, "print(setmetatable({}, { __concat = function() while true do end end }) .. 'x')", STOPPED),
    ("__len", Update, "print(#setmetatable({}, { __len = function() while true do end end }))", STOPPED),
    ("__iter", Update, "for _ in setmetatable({}, { __iter = function() return function() return 1 end end }) do end", STOPPED),
    ("__call", Update, "setmetatable({}, { __call = function() while true do end end })()", STOPPED),
    ("__add", Update, "print(setmetatable({}, { __add = function() while true do end end }) + 1)", STOPPED),
    ("__tostring", Update, "tostring(setmetatable({}, { __tostring = function() while true do end end }))", STOPPED),
    ("__tostring when printed", Update, "print(setmetatable({}, { __tostring = function() while true do end end }))", STOPPED),
    ("a comparator", Update, "table.sort({ 1, 2, 3 }, function() while true do end end)", STOPPED),
    ("a substitution", Update, "string.gsub('abc', '.', function() while true do end end)", STOPPED),
    ("a coroutine", Update, "coroutine.resume(coroutine.create(function() while true do end end)) while true do end", STOPPED),
    ("an iterator that yields", Update, "for _ in coroutine.wrap(function() while true do coroutine.yield(1) end end) do end", STOPPED),
    ("coroutines without end", Update, "while true do coroutine.wrap(function() coroutine.yield() end)() end", STOPPED),
    ("a jump back", Main, "repeat until false", STOPPED),
    ("numbers without end", Update, "for i = 1, math.huge do end", STOPPED),
    ("an iterator that is a metamethod", Update, "local t = setmetatable({}, { __index = function(_, i) return i end }) local i = 0 while t[i] do i += 1 end", STOPPED),
    ("functions of the runtime", Update, "while true do now() end", STOPPED),
    ("acts that begin acts", Update, "while true do task(function() end):stop() end", STOPPED),
];

/// Single calls that take long.
#[rustfmt::skip]
const SLOW: &[Row] = &[
    ("options in a pattern", Update, "print(('a'):rep(25):find(('a?'):rep(25) .. ('a'):rep(25) .. 'b'))", STOPPED),
    ("lazy repetitions", Update, "print(('a'):rep(1e5):find('.-.-.-.-b'))", STOPPED),
    ("greedy repetitions", Listener, "print(('a'):rep(1e5):match('.*.*.*.*b'))", STOPPED),
    ("balances", Update, "print(('('):rep(1e6):find('%b()'))", STOPPED),
    ("frontiers", Update, "while true do (('a'):rep(1e5)):find('%f[b]') end", STOPPED),
    ("a set that is long", Update, "print(('a'):rep(3e6):find('[^' .. ('b'):rep(3e6) .. ']*c'))", STOPPED),
    ("captures that come again", Update, "print(('a'):rep(3e6):find('(a*)%1b'))", STOPPED),
    ("a plain search", Update, "print(('a'):rep(2e7):find(('a'):rep(1e7) .. 'b', 1, true))", STOPPED),
    ("a plain pattern", Update, "print(('a'):rep(2e7):find(('a'):rep(1e7) .. 'b'))", STOPPED),
    ("a split", Update, "print(#('a'):rep(2e7):split(('a'):rep(1e7) .. 'b'))", STOPPED),
    ("a substitution", Update, "while true do (('a'):rep(1e5)):gsub('a', 'bb') end", STOPPED),
    ("matches one by one", Act, "while true do for _ in (('a'):rep(1e5)):gmatch('.') do end end", STOPPED),
    ("repetition", Update, "while true do local s = ('x'):rep(1e7) end", ""),
    ("joined texts", Update, "local s = ('x'):rep(1e7) while true do local t = s .. 'y' end", ""),
    ("compared texts", Update, "local s = ('x'):rep(1e7) local a, b = s .. 'y', s .. 'z' while true do if a > b then break end end", STOPPED),
    ("upper case", Update, "local s = ('x'):rep(1e7) while true do s = s:upper() end", ""),
    ("read backwards", Update, "local s = ('x'):rep(1e7) .. 'y' while true do s = s:reverse() end", ""),
    ("bytes", Update, "local s = ('x'):rep(1e7) while true do local _ = s:sub(2) end", STOPPED),
    ("an empty table walked", Update, "local t = table.create(2e6, 1) table.clear(t) while true do for _ in t do end end", STOPPED),
    ("the next of nothing", Update, "local t = {} for i = 1, 2e5 do t['k' .. i] = 1 end table.clear(t) while true do next(t) end", STOPPED),
    ("a table joined", Update, "local t = table.create(1e6, 'x') while true do table.concat(t) end", ""),
    ("a table copied", Update, "local t = table.create(1e6, 'x') while true do table.clone(t) end", ""),
    ("a table searched", Update, "local t = table.create(1e6, 'x') while true do table.find(t, 'y') end", STOPPED),
    ("a table shifted", Update, "local t = table.create(1e6, 'x') while true do table.insert(t, 1, 'y') table.remove(t, 1) end", STOPPED),
    ("a table moved", Update, "table.move({ 1 }, 1, 2^31 - 3, 2)", STOPPED),
    ("a table unpacked", Update, "local t = table.create(2e5, 1) while true do select('#', table.unpack(t)) end", STOPPED),
    ("numbers sorted", Update, "local t = table.create(1e6, 1) while true do table.sort(t) end", STOPPED),
    ("texts sorted", Update, "local s, t = ('x'):rep(1e6), {} for i = 1, 1e4 do t[i] = if i % 2 == 0 then s .. 'y' else s .. 'z' end table.sort(t)", STOPPED),
    ("sorted by a function of the library", Update, "local t = table.create(1e6, 1) table.sort(t, rawequal)", STOPPED),
    ("sorted by a search", Update, "local m = { __lt = table.find } local one = setmetatable(table.create(1e6, 1), m) table.sort(table.create(1000, one))", STOPPED),
    ("each entry to a function of the library", Update, "table.foreachi(table.create(1e6, 1), table.create)", ""),
    ("a buffer filled", Update, "local b = buffer.create(1e7) while true do buffer.fill(b, 0, 1) end", STOPPED),
    ("a buffer copied", Update, "local b = buffer.create(1e7) while true do buffer.copy(b, 0, b) end", STOPPED),
    ("a buffer as text", Update, "local b = buffer.create(1e7) while true do buffer.tostring(b) end", STOPPED),
    ("letters counted", Update, "local s = ('x'):rep(1e7) while true do utf8.len(s) end", STOPPED),
    ("letters found", Update, "local s = ('x'):rep(1e7) while true do utf8.offset(s, 9e6) end", STOPPED),
    ("a long number", Update, "local s = ('1'):rep(1e7) while true do tonumber(s) end", STOPPED),
    ("a long format", Update, "local s = ('x'):rep(1e7) while true do string.format('%s', s) end", ""),
    ("bits", Update, "while true do bit32.bor(1, 2) end", STOPPED),
    ("vectors", Update, "while true do vector.normalize(vector.one) end", STOPPED),
    ("long names", Update, "local s = ('x'):rep(1e7) while true do pcall(function() hero:play(s) end) end", STOPPED),
    ("long lines", Update, "local s = ('x'):rep(1e5) while true do print(s) end", STOPPED),
    ("kept again and again", Update, "local t = table.create(1e5, 1) while true do keep_on_reload('k', t) end", STOPPED),
];

/// Unlimited memory.
#[rustfmt::skip]
const LARGE: &[Row] = &[
    ("a text that doubles", Update, "local s = 'x' while true do s ..= s end", ""),
    ("a text repeated", Main, "print(#('x'):rep(1e9))", MEMORY),
    ("a table that grows", Update, "local t = {} while true do t[#t + 1] = {} end", ""),
    ("a table of its own size", Update, "table.create(1e9)", ""),
    ("a buffer", Listener, "buffer.create(2^30)", ""),
    ("buffers", Update, "local t = {} while true do t[#t + 1] = buffer.create(1e6) end", ""),
    ("functions", Act, "local t = {} while true do t[#t + 1] = function() return t end end", ""),
    ("coroutines", Update, "local t = {} while true do t[#t + 1] = coroutine.create(print) end", ""),
    ("texts", Update, "local t, i = {}, 0 while true do i += 1 t[i] = ('x'):rep(1e5) .. i end", ""),
    ("caught", Update, "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1e6) .. #t end) end", ""),
    ("characters", Update, "while true do character 'post.glb' end", STOPPED),
    ("marks", Update, "while true do hero:add_marker('idle', 0.1, 'M') end", ""),
    ("listeners", Update, "while true do hero:on('step', print) end", "1024 listeners"),
    ("acts", Update, "while true do task(function() end) end", ""),
    ("what acts defer", Act, "while true do it:on_end(print) end", ""),
    ("machines", Update, "local t = {} while true do t[#t + 1] = machine { state 'a' { 'idle' } } end", ""),
    ("plays", Update, "while true do hero:play('walk', { mode = 'loop' }) end", STOPPED),
    ("sounds", Update, "while true do sound.play 'land' end", "in one tick"),
    ("kept tables", Update, "local i = 0 while true do i += 1 keep_on_reload('k' .. i, {}) end", "1000 tables"),
    ("actions of the keyboard", Update, "local i = 0 while true do i += 1 input.bind('k' .. i, 'space') end", "1024 actions"),
    ("axes of the keyboard", Update, "local i = 0 while true do i += 1 input.bind_axis('k' .. i, { positive = 'space' }) end", "1024 axes"),
    ("patches of ground", Update, "while true do ground.patch { radius = 1 } end", "the limit is 1024"),
    ("messages to a machine", Update, "hero.machine = machine { state 'a' { 'idle' }, transition_to 'a' { from = 'a', on = 'go', when = 'false' } } while true do hero.machine:send('go', { timeout = 1e6 }) end", STOPPED),
];

/// Unlimited recursion.
#[rustfmt::skip]
const DEEP: &[Row] = &[
    ("a function", Update, "local function f() return 1 + f() end f()", "stack overflow"),
    ("a function", Main, "local function f() return 1 + f() end f()", "stack overflow"),
    ("protected calls", Update, "local function f() local ok, why = pcall(f) if not ok then error(why, 0) end end f()", ""),
    ("a metamethod", Update, "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. 'x'] end print(t.x)", ""),
    ("a chain of tables", Update, "local t = {} for i = 1, 1e3 do t = setmetatable({}, { __index = t }) end print(t.x)", ""),
    ("a loop of tables", Update, "local t = {} setmetatable(t, { __index = t }) print(t.x)", "loop"),
    ("a loop of assignments", Update, "local t = {} setmetatable(t, { __newindex = t }) t.x = 1", "loop"),
    ("coroutines", Act, "local function f() coroutine.wrap(f)() end f()", ""),
    ("__tostring", Update, "local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) print(t)", ""),
    ("a comparator", Update, "local function f() table.sort({ 1, 2, 3 }, f) end f()", ""),
    ("a substitution", Update, "local function f() return (string.gsub('a', 'a', f)) end f()", ""),
    ("a pattern", Update, "string.find(('a'):rep(1e5), ('(a'):rep(1e5))", ""),
    ("a pattern of options", Update, "string.find(('a'):rep(1e5), ('a?'):rep(1e5))", ""),
    ("lists of acts", Update, "local function f(a) a:all { f } end hero:task(f) error 'begun'", ""),
    ("acts of acts", Act, "local function f(a) a:start(f) a:wait(1) end f(it)", ""),
    ("modules", Module, "require 'evil'", "requires itself"),
    ("brackets", Update, "loadstring(('('):rep(1e5))", "scripts have no"),
];

/// Thrown values.
#[rustfmt::skip]
const THROWN: &[Row] = &[
    ("a long text", Update, "error(('x'):rep(1e7))", "xxx"),
    ("a text of places", Update, "error(('a:99999999999'):rep(1e6), 0)", "a:999"),
    ("a text of lines", Update, "error(('\\n'):rep(1e6))", "without a message"),
    ("a table in itself", Update, "local t = {} t.t = t error(t)", "a table was thrown"),
    ("a table whose __tostring fails", Update, "error(setmetatable({}, { __tostring = function() error 'no' end }))", "__tostring failed"),
    ("a table whose __tostring never ends", Update, "error(setmetatable({}, { __tostring = function() while true do end end }))", STOPPED),
    ("a table whose __tostring returns no string", Listener, "error(setmetatable({}, { __tostring = function() return {} end }))", "__tostring failed"),
    ("a table with a long message", Act, "error({ message = ('x'):rep(1e7) })", "xxx"),
    ("nothing", Update, "error()", ""),
    ("in the handler", Update, "local ok, why = xpcall(error, function() error 'again' end) error(why)", ""),
    ("a userdata", Update, "error(hero)", ""),
    ("a wrong argument", Update, "('x'):rep({})", "invalid argument #2 to 'rep'"),
    ("a wrong argument", Act, "('x'):find()", "invalid argument #2 to 'find'"),
    ("a wrong pattern", Condition, "('x'):find('[a')", "malformed pattern"),
    ("a wrong width", Update, "string.format('%999999d', 1)", "invalid"),
    ("a wrong letter", Update, "utf8.char(-1)", "out of range"),
    ("a wrong shift", Update, "bit32.extract(1, 40, 40)", ""),
    ("a wrong vector", Update, "vector.create('x')", "invalid argument"),
    ("a wrong place in a buffer", Update, "buffer.writeu8(buffer.create(4), -1, 0)", "out of bounds"),
];

/// Yields where nothing can resume.
#[rustfmt::skip]
const YIELDS: &[Row] = &[
    ("the main part", Main, "coroutine.yield()", "yield"),
    ("a module", Module, "coroutine.yield()", "yield"),
    ("update", Update, "coroutine.yield()", "yield"),
    ("a listener", Listener, "coroutine.yield()", "yield"),
    ("a condition", Condition, "coroutine.yield()", "yield"),
    ("a deferred function", Deferred, "coroutine.yield()", "yield"),
    ("a metamethod", Metamethod, "coroutine.yield()", "yield"),
    ("a comparator", Act, "table.sort({ 1, 2, 3 }, coroutine.yield)", "yield"),
    ("a substitution", Act, "string.gsub('abc', '.', coroutine.yield)", "yield"),
    ("an act in update", Update, "it = it or task(function(a) it = a a:wait(9) end) if type(it) == 'userdata' then it:wait(1) end", ""),
    ("a test for a table", Test, "coroutine.yield({})", "t:run"),
    ("a test for ever", Test, "coroutine.yield(math.huge)", "t:run"),
    ("a test for nothing", Test, "coroutine.yield(0/0)", "t:run"),
    ("a test backwards", Test, "coroutine.yield(-1)", "t:run"),
];

/// Escapes from the sandbox.
#[rustfmt::skip]
const ESCAPES: &[Row] = &[
    ("a file above", Main, "require '../../etc/passwd'", "outside the project"),
    ("a file above", Update, "require './../../../etc/passwd'", "outside the project"),
    ("a file of the machine", Main, "require '/etc/passwd'", "no script"),
    ("a model above", Update, "character '../post.glb'", ""),
    ("a model of the machine", Update, "character '/etc/passwd'", ""),
    ("a sound above", Update, "sound.play '../../land'", "no sound"),
    ("compiled code", Main, "loadstring('\\6\\3')", "scripts have no"),
    ("load", Update, "load('return 1')()", "cannot be called"),
    ("dofile", Update, "dofile('/etc/passwd')", "scripts have no"),
    ("io", Update, "io.open('/etc/passwd')", "scripts have no"),
    ("os", Update, "os.execute('true')", "scripts have no"),
    ("package", Update, "print(package.loaded)", "scripts have no"),
    ("getfenv", Update, "getfenv(print).x = 1", "scripts have no"),
    ("setfenv", Update, "setfenv(print, {})", "scripts have no"),
    ("newproxy", Update, "newproxy(true)", "scripts have no"),
    ("collectgarbage", Update, "collectgarbage 'stop'", "scripts have no"),
    ("debug.getupvalue", Update, "debug.getupvalue(print, 1)", "cannot be called"),
    ("debug.getregistry", Update, "debug.getregistry()", "cannot be called"),
    ("debug.sethook", Update, "debug.sethook()", "cannot be called"),
    ("the texts' metatable", Update, "getmetatable('').__index = {}", ""),
    ("a library", Update, "math.huge = 1", "readonly"),
    ("a function of a library", Update, "string.rep = print", "readonly"),
    ("rawset on a library", Update, "rawset(math, 'huge', 1)", "readonly"),
    ("rawset on the runtime's", Update, "rawset(sound, 'play', print)", "readonly"),
    ("clearing a library", Update, "table.clear(math)", "readonly"),
    ("moving into a library", Update, "table.move({ 1 }, 1, 1, 1, math)", "readonly"),
    ("a library's metatable", Update, "setmetatable(math, {})", ""),
    ("the globals' metatable", Update, "setmetatable(_G, {})", "protected"),
    ("the globals below", Update, "getmetatable(_G).__index.leak = 1", ""),
    ("a character's metatable", Update, "getmetatable(hero).__index = print", ""),
    ("setmetatable of a character", Update, "setmetatable(hero, {})", ""),
    ("rawset on a character", Update, "rawset(hero, 'x', 1)", ""),
    ("a vector's metatable", Update, "getmetatable(vector.one).__index = nil", ""),
    ("a frozen table", Update, "rawset(table.freeze({}), 'x', 1)", "readonly"),
    ("the error of the runtime", Update, "getmetatable(select(2, pcall(hero.play, 1))).__tostring = nil", ""),
    ("another's test function", Update, "test('x', print)", "there is no global"),
    ("a condition that does", Condition, "hero:remove()", "can only read its parameters"),
    ("a condition that plays", Condition, "hero:play 'walk'", "can only read its parameters"),
];

/// The line of a row's statements.
const LINE: u32 = 5;

/// The scene that must continue.
const SCENE: &str = "hero:play('walk', { mode = 'loop', fade = 0 })
    hero:on('step', function() print 'listener' end)
    hero:task(function(a) while true do a:wait(0.2) print 'act' end end)\n";

fn script(place: ScriptContext, body: &str) -> String {
    let begin = match place {
        Listener => "hero:on('step', bomb)",
        Condition => {
            "hero.machine = machine { state 'a' { 'idle' }, state 'b' { 'idle' }, transition_to 'b' { from = 'a', when = bomb } }"
        }
        Act => "hero:task(function(a) it = a bomb() end)",
        Deferred => "hero:task(function(a) a:on_end(bomb) a:wait(0.1) end)",
        Update => "function update() bomb() end",
        Coroutine => {
            "function update() local ok, why = coroutine.resume(coroutine.create(bomb)) error(why, 0) end"
        }
        Metamethod => "function update() print(setmetatable({}, { __index = bomb }).x) end",
        Handler => "function update() print(xpcall(error, bomb)) end",
        Main => "bomb()",
        Module => "require 'evil'",
        Test => "",
    };
    let machine = if place == Condition {
        ""
    } else {
        "hero.machine = machine { state 'a' { 'idle' } }"
    };
    format!(
        "{HERO}local it\n{machine}\nlocal function bomb()\n{body}\nend\n{begin}\n{}",
        if begin == "bomb()" { "" } else { SCENE }
    )
}

fn bench() -> Bench {
    Bench::with_options(HostOptions {
        load_budget: 1_000_000,
        call_budget: 500_000,
        memory: 64 << 20,
        ..HostOptions::default()
    })
}

/// Runs a row and returns its error; fails if the scene does not continue.
fn told(place: ScriptContext, body: &str) -> Result<Fault, String> {
    let mut bench = bench();
    let fault = match place {
        Test => {
            let text = format!(
                "\n\n\ntest('it', function()\n{body}\nend)\ntest('next', function(t) t:run(0.1) end)"
            );
            bench.write("tests/it.lua", &text);
            let names = bench.host.load_tests(&mut bench.stage, "tests/it.lua");
            names.map_err(|error| format!("{error:?}"))?;
            let fault = bench.host.run_test(&mut bench.stage, 0, &mut ()).err();
            let next = bench.host.run_test(&mut bench.stage, 1, &mut ());
            next.map_err(|fault| format!("the next test: {fault}"))?;
            return fault.ok_or_else(|| "no fault".into());
        }
        Main | Module => {
            bench
                .load(&format!("{HERO}{SCENE}"))
                .map_err(|error| format!("{error:?}"))?;
            bench.write("scripts/evil.lua", &format!("\n\n\n\n{body}"));
            match bench.load(&script(place, body)) {
                Err(LoadError::Fault { fault, .. }) => Some(fault),
                other => return Err(format!("{other:?}")),
            }
        }
        _ => {
            bench
                .load(&script(place, body))
                .map_err(|error| format!("{error:?}"))?;
            bench.run(0.3);
            bench.host.take_faults().into_iter().next()
        }
    };
    bench.printed();
    let time = bench.stage.time();
    bench.run(1.1);
    let lines = bench.printed();
    for who in ["listener", "act"] {
        if !lines.iter().any(|line| line == who) {
            return Err(format!("no {who} afterwards; {fault:?}"));
        }
    }
    if bench.stage.time() < time + 1.0 {
        return Err("the stage stands".into());
    }
    fault.ok_or_else(|| "no fault".into())
}

/// The VM does not report the line of a memory error; called code has at least the position of its function.
fn is_near(place: ScriptContext, fault: &Fault) -> bool {
    match fault.line {
        Some(line) => line.abs_diff(LINE) <= 2,
        None => place == Main && fault.text.contains(MEMORY),
    }
}

fn all(rows: &[Row]) {
    let mut wrong = Vec::new();
    for (what, place, body, text) in rows {
        let told = told(*place, body);
        let file = match place {
            Module => "scripts/evil.lua",
            Test => "tests/it.lua",
            _ => "scripts/main.lua",
        };
        match told {
            Ok(fault)
                if fault.text.contains(text)
                    && !fault.text.is_empty()
                    && fault.file.as_deref() == Some(file)
                    && is_near(*place, &fault) => {}
            other => wrong.push(format!("{what}, {place:?}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn work_without_end_is_stopped_wherever_it_is_done() {
    all(ENDLESS);
}

#[test]
fn long_single_calls_count_with_their_cost() {
    all(SLOW);
}

#[test]
fn memory_without_end_is_refused() {
    all(LARGE);
}

#[test]
fn recursion_without_end_is_refused() {
    all(DEEP);
}

#[test]
fn any_thrown_value_is_reported_with_its_position() {
    all(THROWN);
}

#[test]
fn waiting_outside_of_tasks_is_an_error() {
    all(YIELDS);
}

#[test]
fn escapes_are_refused() {
    all(ESCAPES);
}

#[test]
fn apparent_escapes_are_harmless() {
    let lines = crate::common::printed(
        "local gone = setmetatable({}, { __gc = function() print 'collected' end, __mode = 'kv' })
        gone = nil
        -- Globals are the script's own; those of the library stay as they are below them.
        print = print
        string = { rep = function() return 'mine' end }
        print(('x'):rep(2), string.rep('x', 2), _G.string == string)
        local ok, why = pcall(string.rep)
        function error() end
        error('not thrown')
        _G._G = nil
        print(debug.info(1, 'l') > 0, debug.info(print, 's'), gcinfo() > 0)",
        0.1,
    );
    assert_eq!(lines, ["xx\tmine\ttrue", "true\t[C]\ttrue"]);
}

#[test]
#[cfg(unix)]
fn files_outside_the_project_are_not_read_by_name_or_by_link() {
    let root = std::env::temp_dir().join(format!("galatea-sandbox-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    let inside = root.join("project");
    for folder in ["project/scripts", "project/assets/sounds", "outside"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    let outside = root.join("outside");
    std::fs::write(outside.join("secret.lua"), "return 'secret'").unwrap();
    let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    std::fs::copy(home.join("mannequin.glb"), outside.join("hero.glb")).unwrap();
    std::fs::copy(home.join("mannequin.glb"), inside.join("assets/hero.glb")).unwrap();
    std::fs::copy(
        home.join("sounds/step_stone_1.wav"),
        outside.join("step.wav"),
    )
    .unwrap();
    for (from, to) in [
        ("secret.lua", "scripts/link.lua"),
        ("", "scripts/folder"),
        ("hero.glb", "assets/link.glb"),
        ("step.wav", "assets/sounds/link.wav"),
    ] {
        std::os::unix::fs::symlink(outside.join(from), inside.join(to)).unwrap();
    }
    let whole = outside.join("hero.glb").display().to_string();
    let model = |path: &str| format!("character {path:?}");
    let clips = |path: &str| format!("character('assets/hero.glb', {{ clips = {path:?} }})");
    for statement in [
        "require 'link'".into(),
        "require 'folder.secret'".into(),
        "require '../../outside/secret'".into(),
        "require './../../outside/secret'".into(),
        model("assets/link.glb"),
        model("../outside/hero.glb"),
        model("assets/../../outside/hero.glb"),
        model(&whole),
        clips("assets/link.glb"),
        clips("../outside/hero.glb"),
        clips(&whole),
        "sound.play 'link'".into(),
    ] {
        std::fs::write(inside.join("scripts/main.lua"), format!("\n{statement}")).unwrap();
        galatea::install();
        let options = SessionOptions {
            sound: SoundOutput::Capture,
            watch: false,
            quiet: true,
            wait: true,
        };
        let project = Project::open(&inside).unwrap();
        let mut session = Session::open(project, options).unwrap();
        session.tick();
        let told: Vec<&str> = session.diagnostics.errors().collect();
        assert_eq!(told.len(), 1, "{statement}: {told:?}");
        let by_name = statement.contains("require '");
        assert!(
            told[0].contains("leads out of the project")
                || told[0].contains("outside the project")
                || by_name && told[0].contains("no script"),
            "{statement}: {told:?}"
        );
    }
    let _ = std::fs::remove_dir_all(&root);
}

#[test]
fn one_version_of_a_script_cannot_reach_the_state_of_another() {
    let mut bench = Bench::new("LEFT = 1 string = {} kept = keep_on_reload('k', { n = 1 })");
    bench
        .load("print(rawget(_G, 'LEFT'), string.rep('x', 2), rawget(_G, 'kept'), keep_on_reload('k').n)")
        .unwrap();
    assert_eq!(bench.printed(), ["nil\txx\tnil\t1"]);
    // A module has only the globals of the script that requires it.
    bench.write("scripts/other.lua", "local own = 5 shared = 6 return {}");
    bench
        .load(
            "local other = require 'other' print(rawget(_G, 'own'), shared, other.own, require 'other' == other)",
        )
        .unwrap();
    assert_eq!(bench.printed(), ["nil\t6\tnil\ttrue"]);
}
