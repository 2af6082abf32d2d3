//! Error panel of a faulty project: source lines around the error, its count, and the same lines on stderr.

use galatea::app::Session;
use galatea::app::headless::{HeadlessCamera, advance_to};
use galatea::stage::frame::Message;

use crate::folder::Folder;
use crate::looked_at;
use crate::open;
use crate::program;

/// Errors of two functions in several ticks; the first has a long line.
const FAULTY: &str = r#"-- A walk with sounds.
local hero = character "assets/mannequin.glb"
camera.orbit { target = vector.create(0, 0.9, 0), distance = 4, yaw = 20, pitch = 6 }
local SURFACES = { grass = "step_grass", stone = "step_stone" }

local function sound_of(surface)
	local name = SURFACES[surface]
	return sound.play(name .. "_1", { volume = 0.5, position = hero.position, pitch = 1 + 0.1 * math.sin(now()), nonsense = true })
end

function update(dt)
	if now() > 0.1 then
		sound_of("gravel")
	end
end

hero:task(function(a)
	a:wait(0.05)
	hero:play("wlak")
end)
"#;

fn messages(session: &Session) -> Vec<Message> {
    session
        .diagnostics
        .messages()
        .into_iter()
        .cloned()
        .collect()
}

#[test]
fn an_error_shows_position_source_calls_and_count() {
    let folder = Folder::project("panels-told", FAULTY);
    let mut session = open(&folder);
    for _ in 0..20 {
        session.tick();
    }
    let mut frame = galatea::stage::Frame::default();
    session.frame(1.0, &mut frame);
    let told = messages(&session);
    assert_eq!(told.len(), 2, "{told:?}");
    // The newest first.
    let [update, act] = &told[..] else { return };
    assert_eq!(update.location, "scripts/main.lua:8");
    let numbers: Vec<u32> = update.source.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [6, 7, 8, 9, 10]);
    let marked: Vec<_> = update.source.iter().map(|l| l.mark.is_some()).collect();
    assert_eq!(marked, [false, false, true, false, false]);
    assert_eq!(update.calls, ["scripts/main.lua:13 in update"]);
    assert!((10..=14).contains(&update.times), "{}", update.times);
    assert_eq!(act.location, "scripts/main.lua:19");
    assert_eq!(act.times, 1);
    let at_fault = act.source.iter().find(|line| line.mark.is_some()).unwrap();
    let (from, n) = at_fault.mark.unwrap();
    assert_eq!(&at_fault.text[from..from + n], "wlak");
    assert_eq!(frame.messages[0], *update);
}

#[test]
fn the_lines_that_are_shown_are_those_that_ran() {
    let folder = Folder::project("panels-ran", "function update() error('old') end -- first");
    let mut session = open(&folder);
    folder.write(
        "scripts/main.lua",
        "-- another line\n\n\nfunction update() end",
    );
    session.tick();
    let told = messages(&session);
    assert_eq!(
        told[0].source[0].text,
        "function update() error('old') end -- first"
    );
}

#[test]
fn a_failed_version_shows_its_lines_and_the_previous_one_continues() {
    let folder = Folder::project("panels-before", "function update() end");
    let mut session = open(&folder);
    folder.write(
        "scripts/main.lua",
        "local a = 1\nlocal b = = 2\nlocal c = 3",
    );
    session.reload();
    let told = messages(&session);
    assert_eq!(told[0].location, "scripts/main.lua:2");
    assert_eq!(told[0].note, "the previous version keeps running");
    assert_eq!(told[0].source[1].text, "local b = = 2");
    folder.write("scripts/main.lua", "function update() end");
    session.reload();
    assert!(messages(&session).is_empty());
}

#[test]
fn stderr_has_the_same_lines() {
    let folder = Folder::project("panels-said", "local x = 1\nhero:jump(x)\n");
    let path = folder.0.to_str().unwrap();
    let output = program::galatea(&["record", path, "--no-pictures", "-o", path]);
    let said = program::err(&output);
    let expected = "error: scripts/main.lua:2: there is no global \"hero\"\n    1 | local x = 1\n>   2 | hero:jump(x)\n      | ^^^^\n";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn the_panel_equals_the_reviewed_picture() {
    if !looked_at::can_compare() {
        return;
    }
    let folder = Folder::project("panels-golden", FAULTY);
    let mut session = open(&folder);
    session.diagnostics.shows_news = true;
    advance_to(&mut session, 0.2);
    folder.write("scripts/main.lua", FAULTY.replace("if now()", "iff now()"));
    session.reload();
    session
        .diagnostics
        .notify("script reloaded\n2 transitions changed, 1 state added");
    session.diagnostics.notify("assets/mannequin.glb reloaded");
    let mut camera = HeadlessCamera::new(&mut session).unwrap();
    // The message has just begun to fade in.
    camera.picture(&mut session, 0.2, (1280, 720)).unwrap();
    advance_to(&mut session, 0.5);
    let picture = camera.picture(&mut session, 0.5, (1280, 720)).unwrap();
    looked_at::compare("panels", &picture).unwrap();
}
