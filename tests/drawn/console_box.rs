//! The console as a user sees it: input line, history, completion, output, and appearance.

use galatea::app::console::{ConsoleWindow, Done};
use galatea::app::{PlayerProfile, Session};
use galatea::asset::Project;
use galatea::render::{Gpu, ShaderSource};
use galatea::stage::Frame;
use galatea::studio::{EditKey, LineKind, OverPicture, Prompt, Typed, View};

use crate::driver::gpu;
use crate::folder::Folder;
use crate::looked_at;
use crate::sessions;

const MAIN: &str = r#"local hero = character("assets/mannequin.glb", { name = "hero" })
camera.orbit { target = vector.create(0, 0.9, 0), distance = 4, yaw = 20, pitch = 6 }
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { "walk" },
	transition_to "move" { from = "idle", when = "speed > 0.5" },
}
local inventory = { gold = 12, names = { "sword", "rope" } }
"#;

/// Plays [`MAIN`] with a console; reads no player settings.
fn asked() -> (Folder, Session) {
    let folder = Folder::project("box", MAIN);
    let project = Project::open(&folder.0).unwrap();
    let session =
        Session::open_for_console(project, sessions::silent(), PlayerProfile::anonymous()).unwrap();
    (folder, session)
}

fn text(text: &str) -> Done {
    Done::Typed(Typed::Text(text.to_owned()))
}

/// Types as the overlay does, for tests without a picture: inserts text at the end.
fn plainly(prompt: &mut Prompt, typed: &[Typed]) {
    for one in typed {
        let Typed::Text(text) = one else {
            panic!("{one:?} needs a picture")
        };
        prompt.input.push_str(text);
        prompt.cursor = prompt.input.chars().count();
    }
}

fn said(console: &ConsoleWindow) -> Vec<(LineKind, &str)> {
    let lines = console.prompt.lines.iter();
    lines.map(|line| (line.kind, line.text.as_str())).collect()
}

#[test]
fn lines_are_evaluated_in_order_even_within_one_picture() {
    let (_folder, mut session) = asked();
    let mut console = ConsoleWindow::default();
    for done in [
        text("1 + "),
        text("1"),
        Done::Submit,
        text("print('a') return 2"),
        Done::Submit,
        text("inventroy"),
        Done::Submit,
        Done::Submit,
    ] {
        console.push(done);
    }
    console.work(&mut session, plainly);
    assert_eq!(
        said(&console),
        [
            (LineKind::Asked, "1 + 1"),
            (LineKind::Value, "2"),
            (LineKind::Asked, "print('a') return 2"),
            (LineKind::Printed, "a"),
            (LineKind::Value, "2"),
            (LineKind::Asked, "inventroy"),
            (
                LineKind::Wrong,
                "console:1: there is no global \"inventroy\"; did you mean \"inventory\"?"
            ),
        ]
    );
    assert_eq!(console.prompt.input, "");
    console.push(text("clear"));
    console.push(Done::Submit);
    console.work(&mut session, plainly);
    assert!(console.prompt.lines.is_empty());
    assert!(session.diagnostics.errors().next().is_none());
}

#[test]
fn the_history_moves_both_ways_and_keeps_the_started_line() {
    let (_folder, mut session) = asked();
    let mut console = ConsoleWindow::default();
    for done in [
        text("1"),
        Done::Submit,
        text("2"),
        Done::Submit,
        text("2"),
        Done::Submit,
        text("dra"),
    ] {
        console.push(done);
    }
    let mut seen = Vec::new();
    for step in [
        Done::Older,
        Done::Older,
        Done::Older,
        Done::Newer,
        Done::Newer,
        Done::Newer,
    ] {
        console.push(step);
        console.work(&mut session, plainly);
        seen.push(console.prompt.input.clone());
    }
    assert_eq!(seen, ["2", "1", "1", "2", "dra", "dra"]);
    assert_eq!(console.prompt.move_to, Some(3));
    console.is_open = false;
    console.is_open = true;
    console.push(Done::Older);
    console.work(&mut session, plainly);
    assert_eq!(
        console.prompt.input, "2",
        "it is kept while the console is closed"
    );
}

#[test]
fn tab_completes_at_the_cursor_and_lists_what_can_follow() {
    let (_folder, mut session) = asked();
    let mut console = ConsoleWindow::default();
    for done in [text("print(inv)"), Done::Complete] {
        console.push(done);
    }
    console.work(&mut session, |prompt, typed| {
        plainly(prompt, typed);
        prompt.cursor = "print(inv".len();
    });
    assert_eq!(console.prompt.input, "print(inventory)");
    assert_eq!(console.prompt.move_to, Some("print(inventory".len()));
    console.prompt.input.clear();
    console.push(text("hero.machine."));
    console.push(Done::Complete);
    console.work(&mut session, plainly);
    assert_eq!(console.prompt.input, "hero.machine.params");
    console.prompt.input.clear();
    console.push(text("hero:play('wa"));
    console.push(Done::Complete);
    console.work(&mut session, plainly);
    assert_eq!(said(&console), [(LineKind::Names, "walk  wave")]);
}

#[test]
fn typing_selecting_copying_and_pasting_go_through_the_line() {
    let Some(gpu) = gpu() else { return };
    let (_folder, mut session) = asked();
    let mut view = View::headless(&gpu, &ShaderSource::embedded()).unwrap();
    let mut console = ConsoleWindow::default();
    let key = |key, shift, control| {
        Done::Typed(Typed::Key {
            key,
            shift,
            control,
        })
    };
    let mut type_all = |console: &mut ConsoleWindow, session: &mut Session, all: Vec<Done>| {
        for done in all {
            console.push(done);
        }
        console.work(session, |prompt, typed| {
            view.type_into(prompt, (640, 360), 1.0, typed);
        });
    };
    type_all(&mut console, &mut session, vec![text("1 + 2")]);
    assert_eq!(
        (console.prompt.input.as_str(), console.prompt.cursor),
        ("1 + 2", 5)
    );
    let all = vec![
        key(EditKey::Left, false, false),
        key(EditKey::Backspace, false, false),
        text(" 3"),
        key(EditKey::Home, false, false),
        key(EditKey::Right, true, false),
        Done::Typed(Typed::Copy),
    ];
    type_all(&mut console, &mut session, all);
    assert_eq!(console.prompt.input, "1 + 32");
    assert_eq!(console.prompt.copied.take().as_deref(), Some("1"));
    let all = vec![
        key(EditKey::End, false, false),
        Done::Typed(Typed::Paste("00".into())),
        Done::Submit,
        text("'ä' .. 'ö'"),
        Done::Submit,
    ];
    type_all(&mut console, &mut session, all);
    assert_eq!(
        said(&console),
        [
            (LineKind::Asked, "1 + 3200"),
            (LineKind::Value, "3201"),
            (LineKind::Asked, "'ä' .. 'ö'"),
            (LineKind::Value, "\"äö\""),
        ]
    );
    let all = vec![Done::Older, key(EditKey::A, false, true), text("x")];
    type_all(&mut console, &mut session, all);
    assert_eq!(
        console.prompt.input, "x",
        "all was selected and written over"
    );
}

#[test]
fn the_console_equals_the_reviewed_picture() {
    if !looked_at::can_compare() {
        return;
    }
    let gpu = Gpu::headless().unwrap();
    let (_folder, mut session) = asked();
    let mut view = View::headless(&gpu, &ShaderSource::embedded()).unwrap();
    let mut console = ConsoleWindow::default();
    for line in [
        "watch hero.machine:state()",
        "watch hero.position",
        "watch missing.value",
        "help send",
        "inventory",
        "hero",
        "hero:paly('walk')",
        "why hero",
        "for i = 1, 3 do print(i, i * i) end",
    ] {
        console.push(text(line));
        console.push(Done::Submit);
    }
    console.push(text("hero:play('wa"));
    console.push(Done::Complete);
    for _ in 0..10 {
        session.tick();
    }
    for (name, size, scale) in [
        ("console", (1280, 720), 1.0),
        ("console_large", (1280, 720), 2.0),
    ] {
        console.work(&mut session, |prompt, typed| {
            view.type_into(prompt, size, scale, typed);
        });
        let mut frame = Frame::default();
        session.frame(1.0, &mut frame);
        // The first picture does the layout for its size.
        for _ in 0..2 {
            let over = over_picture(&mut console.prompt);
            view.draw_all_to_picture(&gpu, &frame, size, scale, over)
                .unwrap();
        }
        let over = over_picture(&mut console.prompt);
        let picture = view
            .draw_all_to_picture(&gpu, &frame, size, scale, over)
            .unwrap();
        looked_at::compare(name, &picture).unwrap();
    }
}

fn over_picture(prompt: &mut Prompt) -> OverPicture<'_> {
    OverPicture {
        console: Some(prompt),
        ..OverPicture::default()
    }
}
