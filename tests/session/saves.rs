//! Saved games in a project: a loaded game continues to the bit, keeps what scripts stored, survives changed scripts, and
//! damaged files do no harm.

use std::fs;

use galatea::app::{PlayerProfile, Session, SessionOptions, SoundOutput};
use galatea::asset::Project;
use galatea::stage::{InputEvent, StageChecksum};

use super::{errors, open, project, run};
use crate::folder::Folder;

/// A walking hero with a machine, a line, falling boxes, a rope, particles, a light and a text.
const SCENE: &str = r#"
hero = character("assets/hero.glb", { name = "hero" })
hero.machine = machine {
	params = { speed = 0 },
	state "stand" { "idle" },
	state "go" { "walk", task = function(a) a:wait(0.1) print("task") end },
	transition_to "go" { from = "stand", when = function(p) return p.speed > 0.5 end, fade = 0.3 },
	transition_to "stand" { from = "go", when = "speed < 0.5", fade = 0.3 },
}
hero:say "One two three four five six seven."
for i = 1, 6 do
	physics.box { size = vec(0.3, 0.3, 0.3), mass = 2, position = vec(i * 0.1, 1 + i * 0.4, 1) }
end
victim = character("assets/hero.glb", { name = "victim", position = vec(2, 0, 0) })
rope { from = vec(0, 2, 2), to = vec(1, 2, 2), length = 1.4 }
particles("smoke", { position = vec(0, 0, 3) })
label = ui.text("0")
lamp = light.point { position = vec(0, 2, 0) }
game = keep_on_reload("game", { score = 0, places = {} })
function update(dt)
	if now() > 0.5 then hero.machine.params.speed = 1 end
	hero.yaw += random_range(-2, 2)
	game.score += 1
	label.text = tostring(game.score)
	if input.pressed "x" then victim:hit { bone = "chest", impulse = vec(0, 0, -220) } end
	if input.pressed "f5" then save("slot", { title = "here" }) end
	if input.pressed "f9" then load("slot") end
end
function on_load(extra) loaded = extra.title end
"#;

fn press(session: &mut Session, key: &str) {
    session.input(&InputEvent::Down(key.into()));
    session.tick();
    session.input(&InputEvent::Up(key.into()));
}

fn checksums(session: &mut Session, n: usize) -> Vec<StageChecksum> {
    let one = |_| {
        session.tick();
        session.stage.checksum()
    };
    (0..n).map(one).collect()
}

fn value(session: &mut Session, line: &str) -> String {
    let answer = session.answer(line);
    answer.result.unwrap().join(" ").replace('"', "")
}

#[test]
fn a_loaded_game_continues_to_the_bit() {
    let folder = project("saves-exact", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    run(&mut session, 1.0);
    press(&mut session, "x");
    run(&mut session, 0.3);
    press(&mut session, "f5");
    let saved = session.stage.checksum();
    let wanted = checksums(&mut session, 600);
    assert_ne!(wanted[0], wanted[599]);
    press(&mut session, "f9");
    assert_eq!(session.stage.checksum(), saved);
    assert_eq!(value(&mut session, "loaded"), "here");
    let got = checksums(&mut session, 600);
    for (i, (wanted, got)) in wanted.iter().zip(&got).enumerate() {
        assert_eq!(got, wanted, "{i}: {:?}", got.differences(wanted));
    }
    assert_eq!(errors(&session), [""; 0]);
}

#[test]
fn kept_tables_keep_their_shape_and_their_objects() {
    let script = r#"
        hero = character("assets/hero.glb", { name = "hero" })
        Class = {}
        Class.__index = Class
        function Class:twice() return 2 * self.n end
        tool = require "tool"
        game = keep_on_reload("game", {})
        function fill()
            local inner = { n = 4, place = vec(1, 2, 3), [true] = "yes", [2] = "two", [0.5] = "half" }
            inner.own = inner
            setmetatable(inner, Class)
            game.inner, game.same, game.hero, game.tool = inner, inner, hero, tool
            game.lamp = light.point { position = vec(0, 2, 0) }
        end
        function seen()
            local g = game
            return g.inner == g.same and g.inner.own == g.inner and g.inner:twice() == 8 and g.inner[true] == "yes"
                and g.inner[2] == "two" and g.inner[0.5] == "half" and g.inner.place == vec(1, 2, 3) and g.hero == hero
                and g.tool == tool and g.tool.made() == "made" and g.lamp.position == vec(0, 2, 0)
        end
    "#;
    let folder = project("saves-tables", script);
    folder.write(
        "scripts/tool.lua",
        "return { made = function() return 'made' end }",
    );
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.answer("fill()");
    assert_eq!(value(&mut session, "seen()"), "true");
    session.answer("save 'a'");
    session.tick();
    session.answer("game.inner, game.hero = nil, nil");
    session.answer("load 'a'");
    session.tick();
    assert_eq!(errors(&session), [""; 0]);
    assert_eq!(value(&mut session, "seen()"), "true");

    let error = |session: &mut Session, line: &str| session.answer(line).result.unwrap_err().text;
    let why = error(&mut session, "game.list = { 1, { act = fill } } save 'b'");
    assert!(why.contains("game.list[2].act is a function"), "{why}");
    let why = error(
        &mut session,
        "game.list = { t = task(function() end) } save 'b'",
    );
    assert!(why.contains("game.list.t is a Task"), "{why}");
    let why = error(&mut session, "game.list = setmetatable({}, {}) save 'b'");
    assert!(why.contains("game.list has a metatable"), "{why}");
    let why = error(&mut session, "game.list = nil save '../b'");
    assert!(why.contains("cannot be the name of a slot"), "{why}");
    assert_eq!(value(&mut session, "load 'b'"), "false");
    assert_eq!(value(&mut session, "#saves()"), "1");
    assert_eq!(value(&mut session, "delete_save 'a'"), "true");
    assert_eq!(value(&mut session, "#saves()"), "0");
}

/// Characters that the script makes and removes after its main part.
const LATER: &str = r#"
entered, updated = 0, 0
hero = character("assets/hero.glb", { name = "hero" })
ghost = character("assets/hero.glb", { name = "ghost", position = vec(1, 0, 0) })
function brain(who)
	who.machine = machine {
		params = { mood = 0 },
		state "calm" { "idle", on_enter = function() entered += 1 end },
		state "wild" { "walk", on_update = function() updated += 1 end },
		transition_to "wild" { from = "calm", when = function(p) return p.mood > 0 end, fade = 0 },
	}
end
function begin()
	ghost:remove()
	local guard = character("assets/hero.glb", { name = "guard", position = vec(0, 0, 2) })
	brain(guard)
	guard.machine.params.mood = 1
end
function on_load()
	if again then brain(find_character "guard") end
end
again = true
"#;

#[test]
fn characters_made_later_stay_and_removed_ones_do_not_return() {
    for changed in [false, true] {
        let folder = project("saves-later", LATER);
        let mut session = open(&folder, false, SoundOutput::Silent);
        session.answer("begin()");
        run(&mut session, 0.5);
        session.answer("save 'a'");
        session.tick();
        let before = session.stage.checksum();
        if changed {
            let text = LATER.replace("vec(0, 0, 2)", "vec(0, 0, 3)");
            folder.write("scripts/main.lua", format!("{text}\nlocal more = 1"));
        }
        session.answer("load 'a'");
        session.tick();
        assert_eq!(errors(&session), [""; 0]);
        if !changed {
            assert_eq!(session.stage.checksum(), before);
        }
        let names = "local n = {} for i, c in characters() do n[i] = c.name end table.sort(n) return table.concat(n, ' ')";
        assert_eq!(value(&mut session, names), "guard hero", "{changed}");
        assert_eq!(
            value(&mut session, "find_character('guard').machine:state()"),
            "wild"
        );
        assert_eq!(
            value(&mut session, "find_character('guard').position.z"),
            "2"
        );
        session.tick();
        // The state continues: it is not entered again, and its functions are called.
        assert_eq!(value(&mut session, "entered"), "0");
        assert_ne!(value(&mut session, "updated"), "0");
    }
    let folder = project(
        "saves-later",
        &LATER.replace("again = true", "again = false"),
    );
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.answer("begin()");
    session.answer("save 'a'");
    session.tick();
    session.answer("load 'a'");
    session.tick();
    let all = session.diagnostics.warnings().map(str::to_owned);
    let all: Vec<String> = all.collect();
    let named = |text: &String| text.contains("guard: the functions of its state machine are gone");
    assert!(all.iter().any(named), "{all:?}");
}

#[test]
fn a_changed_script_continues_the_saved_game_by_name() {
    let folder = project("saves-patched", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    run(&mut session, 1.5);
    press(&mut session, "f5");
    let place = value(&mut session, "hero.position");
    let text = SCENE.replace(
        "victim = character",
        "other = character(\"assets/hero.glb\", { name = \"other\" })\nvictim = other and character",
    );
    folder.write(
        "scripts/main.lua",
        text.replace("score = 0", "score = 0, more = 7"),
    );
    press(&mut session, "f9");
    assert_eq!(errors(&session), [""; 0]);
    assert_eq!(value(&mut session, "hero.position"), place);
    assert_eq!(value(&mut session, "hero.machine:state()"), "go");
    assert_eq!(value(&mut session, "hero.machine.params.speed"), "1");
    assert_eq!(value(&mut session, "game.more"), "7");
    assert_eq!(value(&mut session, "game.score"), "91");
    assert_eq!(value(&mut session, "other.name"), "other");
    folder.write("scripts/main.lua", "broken(");
    press(&mut session, "f9");
    let all = errors(&session);
    assert!(
        all.iter().any(|text| text.contains("was not loaded")),
        "{all:?}"
    );
    assert_eq!(value(&mut session, "game.more"), "7");
}

fn open_on_disk(folder: &Folder) -> Session {
    let options = SessionOptions {
        sound: SoundOutput::Silent,
        watch: false,
        quiet: true,
        wait: true,
    };
    galatea::install();
    let project = Project::open(&folder.0).unwrap();
    let player = PlayerProfile::here(&project);
    let mut session = Session::open_for(project, options, player).unwrap();
    session.diagnostics.silence();
    session
}

#[test]
fn files_survive_the_session_and_damage_is_reported() {
    let folder = project("saves-files", SCENE);
    let mut session = open_on_disk(&folder);
    run(&mut session, 1.5);
    press(&mut session, "f5");
    let first = value(&mut session, "hero.position");
    run(&mut session, 1.0);
    press(&mut session, "f5");
    let wanted = checksums(&mut session, 60);
    drop(session);

    let mut session = open_on_disk(&folder);
    assert_eq!(value(&mut session, "saves()[1].extra.title"), "here");
    assert_eq!(value(&mut session, "saves()[1].slot"), "slot");
    let time: f64 = value(&mut session, "saves()[1].play_time").parse().unwrap();
    assert!((time - 2.5).abs() < 0.1, "{time}");
    assert!(value(&mut session, "saves()[1].date").starts_with("20"));
    press(&mut session, "f9");
    assert_eq!(errors(&session), [""; 0]);
    assert_eq!(checksums(&mut session, 60), wanted);

    let file = folder.0.join("saves/slot.save");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert!(value(&mut session, "saves()[1].problem").contains("damaged"));
    session.answer("load 'slot'");
    session.tick();
    // The game that was in the slot before.
    assert_eq!(value(&mut session, "hero.position"), first);
    fs::write(folder.0.join("saves/slot.save.bak"), b"").unwrap();
    session.answer("load 'slot'");
    run(&mut session, 0.1);
    let all = errors(&session);
    let named = |text: &String| text.contains("damaged") && text.contains("continues");
    assert!(all.iter().any(named), "{all:?}");
}

#[test]
fn a_rewind_goes_back_and_keeps_the_tables_that_the_script_excepts() {
    let script =
        format!("{SCENE}\ntime.keep_history(5) count = keep_on_reload('count', {{ n = 0 }})");
    let folder = project("saves-rewind", &script);
    let mut session = open(&folder, false, SoundOutput::Silent);
    // A copy is made in every 15th tick, beginning with the first.
    run(&mut session, 121.0 / 60.0);
    let n = session.stage.clock.n_ticks;
    let there = session.stage.checksum();
    run(&mut session, 1.0);
    session.answer("count.n = 3");
    assert_eq!(
        value(&mut session, "time.rewind(1, { except = { 'count' } })"),
        "1"
    );
    session.tick();
    assert_eq!(errors(&session), [""; 0]);
    assert_eq!(session.stage.clock.n_ticks, n);
    assert_eq!(session.stage.checksum(), there);
    assert_eq!(value(&mut session, "count.n"), "3");
    assert_eq!(value(&mut session, "game.score"), "121");
    // The history before this moment remains.
    assert_eq!(value(&mut session, "time.rewind(1.5)"), "1.5");
    session.tick();
    assert!(session.stage.time() < 0.6, "{}", session.stage.time());
    let none = session.answer("time.keep_history(0)");
    assert!(none.result.is_ok());
    session.tick();
    let why = session.answer("time.rewind(1)").result.unwrap_err().text;
    assert!(why.contains("there is no history"), "{why}");
}

#[test]
fn a_changed_model_continues_by_the_names_of_its_bones_and_clips() {
    let folder = project("saves-model", LATER);
    let mut session = open_on_disk(&folder);
    session.answer("begin()");
    session.answer("hero:play('walk', { mode = 'loop' }) hero.position = vec(0, 0, 5)");
    run(&mut session, 0.5);
    session.answer("save 'a'");
    session.tick();
    drop(session);
    folder.copy("assets/galatea.glb", "assets/hero.glb");
    let mut session = open_on_disk(&folder);
    session.answer("load 'a'");
    session.tick();
    assert_eq!(errors(&session), [""; 0]);
    assert_eq!(value(&mut session, "hero.position.z"), "5");
    assert_eq!(
        value(&mut session, "find_character('guard').machine:state()"),
        "wild"
    );
    for (_, character) in session.stage.characters.iter() {
        let model = &character.definition.model;
        assert!(model.meshes.iter().any(|mesh| !mesh.primitives.is_empty()));
    }
    run(&mut session, 1.0);
    assert_eq!(errors(&session), [""; 0]);
}
