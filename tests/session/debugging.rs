//! Scripts that the debugger stops in the middle of a tick, while the rest of the program goes on.

use galatea::app::debug_facts::DebugAction;
use galatea::app::{Session, SoundOutput, StoppableGame};
use galatea::script::{Breakpoint, ScriptStep, StopReason, VariableScope};

use super::{errors, open, project};
use crate::folder::Folder;

const MAIN: &str = "scripts/main.lua";
const SCRIPT: &str = r#"local hero = character("assets/hero.glb", { name = "hero" })
local guard = require "guard"
local n = 0
hero:task(function(t)
	while true do
		local before = n
		t:wait(0.05)
		n += 1
	end
end)
function update(dt)
	local far = guard.distance(hero)
	state = { n = n, far = far }
end
"#;
const GUARD: &str = "local guard = {}
function guard.distance(of)
	local at = of.position
	return vector.magnitude(at)
end
return guard
";

fn game(name: &str) -> (Folder, StoppableGame) {
    let folder = project(name, SCRIPT);
    folder.write("scripts/guard.lua", GUARD);
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.survive_errors();
    session.tick();
    assert_eq!(errors(&session), Vec::<String>::new());
    (folder, StoppableGame::new(session))
}

fn at(line: u32) -> Breakpoint {
    Breakpoint {
        line,
        ..Breakpoint::default()
    }
}

/// Ticks until a script stops. Returns where it is.
fn until_stop(game: &mut StoppableGame) -> String {
    for _ in 0..120 {
        if game.stop().is_some() {
            break;
        }
        game.run(Session::tick);
    }
    here(game)
}

fn here(game: &StoppableGame) -> String {
    let frame = &game.stop().expect("a script is stopped").frames[0];
    format!("{}:{}", frame.file, frame.line)
}

fn local(game: &StoppableGame, scope: VariableScope, name: &str) -> String {
    let stop = game.stop().unwrap();
    let (_, variables) = stop.scopes.iter().find(|(of, _)| *of == scope).unwrap();
    let variable = variables.iter().find(|one| one.name == name);
    variable
        .unwrap_or_else(|| panic!("{name} in {variables:?}"))
        .value
        .clone()
}

#[test]
fn a_stopped_script_keeps_its_session_until_it_continues() {
    let (_folder, mut game) = game("debug-stop");
    game.set_breakpoints("scripts/guard.lua", vec![at(4)]);
    assert_eq!(game.debugger().place("scripts/guard.lua", 4), Some(4));
    let tick = game.session().unwrap().stage.clock.n_ticks;
    assert_eq!(until_stop(&mut game), "scripts/guard.lua:4");
    assert!(game.session().is_none(), "the session is in use");
    let stop = game.stop().unwrap();
    assert_eq!(stop.reason, StopReason::Breakpoint);
    let names: Vec<&str> = stop
        .frames
        .iter()
        .map(|frame| frame.name.as_str())
        .collect();
    assert_eq!(names, ["distance", "update"]);
    assert_eq!(local(&game, VariableScope::Locals, "at"), "vector(0, 0, 0)");
    // The other function on the stack, an opened value, and a watched expression.
    game.debug(&DebugAction::Watch("n + 1".into()));
    game.debug(&DebugAction::ShowFrame(1));
    let stop = game.stop().unwrap();
    assert_eq!(
        stop.watches[0].as_ref().map(|one| one.value.as_str()),
        Ok("1")
    );
    let (_, captured) = &stop.scopes[1];
    let hero = captured.iter().find(|one| one.name == "hero").unwrap();
    let (hero, kind) = (hero.reference, hero.kind.clone());
    assert_eq!(kind, "Character");
    game.debug(&DebugAction::ToggleParts(hero));
    let parts = &game.stop().unwrap().parts[&hero];
    assert!(parts.iter().any(|part| part.name == "yaw"), "{parts:?}");
    // The panels of the studio show the scene of that moment.
    let facts = game.studio_facts(Some("hero"));
    assert!(facts.selected_character().is_some());
    // Nothing runs until it continues.
    game.run(Session::tick);
    assert_eq!(here(&game), "scripts/guard.lua:4");
    game.step(ScriptStep::Continue);
    assert!(game.stop().is_none());
    assert_eq!(game.session().unwrap().stage.clock.n_ticks, tick + 1);
    game.set_breakpoints("scripts/guard.lua", Vec::new());
    for _ in 0..10 {
        game.run(Session::tick);
    }
    assert_eq!(game.session().unwrap().stage.clock.n_ticks, tick + 11);
    assert_eq!(errors(game.session().unwrap()), Vec::<String>::new());
}

#[test]
fn a_step_over_a_wait_goes_on_in_the_tick_that_ends_it() {
    let (_folder, mut game) = game("debug-wait");
    game.set_breakpoints(MAIN, vec![at(7)]);
    assert_eq!(until_stop(&mut game), "scripts/main.lua:7");
    let before = local(&game, VariableScope::Locals, "before");
    game.set_breakpoints(MAIN, Vec::new());
    game.step(ScriptStep::Over);
    assert!(game.stop().is_none(), "the task waits");
    assert_eq!(until_stop(&mut game), "scripts/main.lua:8");
    assert_eq!(game.stop().unwrap().reason, StopReason::Step);
    assert_eq!(local(&game, VariableScope::Locals, "before"), before);
}

#[test]
fn a_new_version_stops_in_its_main_part_and_an_evaluated_assignment_takes_effect() {
    let (folder, mut game) = game("debug-reload");
    game.set_breakpoints(MAIN, vec![at(4)]);
    game.run(Session::reload);
    assert_eq!(here(&game), "scripts/main.lua:4");
    let stop = game.stop().unwrap();
    assert_eq!(stop.frames[0].name, "main part");
    let set = game.ask(|script| script.evaluate(0, "n = 500").is_ok());
    assert_eq!(set, Some(true));
    game.finish();
    assert_eq!(game.debugger().breakpoints()[MAIN], [at(4)], "it stays");
    game.run(Session::tick);
    let answer = game.session().unwrap().answer("state.n");
    assert_eq!(answer.result.unwrap(), ["500"]);
    // A faulty version stops at its error, and is reported as ever.
    game.set_breakpoints(MAIN, Vec::new());
    game.debug(&DebugAction::BreakOnErrors(true));
    folder.write(MAIN, SCRIPT.replace("require \"guard\"", "nothing.at_all"));
    game.run(Session::reload);
    assert_eq!(here(&game), "scripts/main.lua:2");
    assert!(matches!(game.stop().unwrap().reason, StopReason::Error(_)));
    game.step(ScriptStep::Continue);
    let reported = errors(game.session().unwrap());
    assert!(reported[0].contains("scripts/main.lua:2"), "{reported:?}");
}

#[test]
fn a_game_can_end_while_its_script_is_stopped() {
    let (_folder, mut game) = game("debug-end");
    game.set_breakpoints(MAIN, vec![at(13)]);
    until_stop(&mut game);
    drop(game);
    // The thread is as it was: another game runs on it, and stops.
    let (_folder, mut game) = self::game("debug-end-2");
    game.set_breakpoints(MAIN, vec![at(13)]);
    assert_eq!(until_stop(&mut game), "scripts/main.lua:13");
}

#[test]
fn the_same_game_runs_with_and_without_stops() {
    let (_folder, mut plain) = game("debug-same-1");
    let (_folder_2, mut stopped) = game("debug-same-2");
    stopped.set_breakpoints(MAIN, vec![at(13)]);
    for _ in 0..30 {
        plain.run(Session::tick);
        stopped.run(Session::tick);
        assert_eq!(here(&stopped), "scripts/main.lua:13");
        for _ in 0..3 {
            stopped.step(ScriptStep::Over);
        }
        stopped.step(ScriptStep::Continue);
        while stopped.stop().is_some() {
            stopped.step(ScriptStep::Continue);
        }
    }
    let [a, b] = [&mut plain, &mut stopped].map(|game| {
        let session = game.session().unwrap();
        let answer = session.answer("state.n .. ' ' .. state.far .. ' ' .. time.now()");
        (answer.result, session.stage.clock.n_ticks)
    });
    assert_eq!(a, b);
}
