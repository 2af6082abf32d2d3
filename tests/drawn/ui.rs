//! Appearance of the user interface of scripts.

use galatea::app::Session;
use galatea::app::headless::{HeadlessCamera, advance_to};
use galatea::stage::Frame;
use galatea::stage::frame::UiContent;

use crate::folder::Folder;
use crate::looked_at;
use crate::open;

/// A project with an image.
fn project(name: &str, script: &str) -> Folder {
    let folder = Folder::project(name, script);
    folder.copy("tests/logo.png", "assets/logo.png");
    folder
}

const EVERYTHING: &str = r#"
local hero = character "assets/mannequin.glb"
camera.orbit { target = vector.create(0, 0.95, 0), distance = 5, yaw = 20, pitch = 8 }
ui.image("assets/logo.png", { anchor = "top_right", position = vector.create(-20, 20, 0) })
ui.text("Score 1200", { position = vector.create(20, 20, 0), size = 34, outline = 2 })
ui.text("small,\nin two lines, to the right", { position = vector.create(20, 70, 0), size = 18, align = "right", background = vector.create(0.02, 0.04, 0.12) })
ui.bar(0.7, { position = vector.create(20, 140, 0), width = 240, color = vector.create(0.7, 0.06, 0.06) })
ui.bar(0.03, { position = vector.create(20, 168, 0), width = 240, color = vector.create(0.1, 0.4, 0.9) })
ui.box { anchor = "left", position = vector.create(20, 60, 0), width = 200, height = 120, color = vector.create(0.03, 0.1, 0.08), opacity = 0.7, corner_radius = 12, border = vector.create(0.3, 0.8, 0.6) }
ui.text("broken where it is wider than the box around it", { anchor = "left", position = vector.create(35, 60, 0), width = 170, size = 18, z_index = 1, shadow = true })
ui.text("Galatea", { character = hero, bone = "head", offset = vector.create(0, 0.28, 0), size = 24, outline = 2, color = vector.create(1, 0.8, 0.3) })
ui.bar(0.5, { character = hero, offset = vector.create(0, -0.05, 0), anchor = "top", width = 120, height = 10, full_size_distance = 5 })
ui.text("behind the camera", { world_position = vector.create(0, 1, 30) })
ui.text("far", { world_position = vector.create(-3, 0, -12), size = 60, full_size_distance = 5, outline = 3 })
ui.text("faded away", { world_position = vector.create(3, 0, -12), max_distance = 10 })
ui.text("hidden", { anchor = "center", visible = false })
ui.text("?", { anchor = "right", position = vector.create(-30, 0, 0), size = 90, color = vector.create(0.2, 0.6, 1), opacity = 0.5 })
ui.caption("Galatea", "Oh, it is you. I had been told that nobody would come before the evening, and so I have not even put on my shoes, nor have I eaten.", { duration = 9 })
ui.caption("Pygmalion", "Good morning.", { duration = 9 })
"#;

#[test]
fn the_ui_equals_the_reviewed_picture_and_fits_another_shape() {
    if !looked_at::can_compare() {
        return;
    }
    let folder = project("ui-golden", EVERYTHING);
    let mut session = open(&folder);
    assert!(
        !session.script_failed(),
        "{:?}",
        session.diagnostics.messages()
    );
    let mut camera = HeadlessCamera::new(&mut session).unwrap();
    advance_to(&mut session, 0.5);
    let picture = camera.picture(&mut session, 0.5, (1280, 720)).unwrap();
    looked_at::compare("ui", &picture).unwrap();
    let picture = camera.picture(&mut session, 0.5, (480, 640)).unwrap();
    looked_at::compare("ui_tall", &picture).unwrap();
}

fn texts(session: &mut Session, alpha: f32) -> Vec<(String, f32)> {
    let mut frame = Frame::default();
    session.frame(alpha, &mut frame);
    let text = |content: &UiContent| match content {
        UiContent::Text(text) => text.text.to_string(),
        other => format!("{other:?}"),
    };
    let place =
        |item: &galatea::stage::frame::UiItem| item.world_position.map_or(0.0, |w| w.position.x);
    let items = frame.ui.iter();
    items
        .map(|item| (text(&item.content), place(item)))
        .collect()
}

#[test]
fn a_label_moves_with_its_character_between_ticks_and_goes_with_it_and_with_the_script() {
    let script = r#"
        local hero = character "assets/mannequin.glb"
        local at = keep_on_reload("at", {})
        at.label = ui.text("old", { character = hero })
        function update()
            hero.position += vector.create(0.5, 0, 0)
            if now() > 0.3 then hero:remove() update = nil end
        end"#;
    let folder = project("ui-moves", script);
    let mut session = open(&folder);
    advance_to(&mut session, 0.1);
    let [(_, before), (_, now)] = [0.0, 1.0].map(|alpha| texts(&mut session, alpha).remove(0));
    assert_eq!(now - before, 0.5);
    assert_eq!(texts(&mut session, 0.5)[0].1, before + 0.25);
    advance_to(&mut session, 0.5);
    assert!(texts(&mut session, 1.0).is_empty());
    // Items of the previous version are gone, and its handle does not reach the new ones.
    let new = r#"
        local at = keep_on_reload("at", {})
        ui.text("new", {})
        good = pcall(function() at.label.text = "wrong" end)
        ui.text(tostring(good), {})"#;
    folder.write("scripts/main.lua", new);
    session.reload();
    session.tick();
    let now: Vec<String> = texts(&mut session, 1.0)
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(
        now,
        ["new", "false"],
        "{:?}",
        session.diagnostics.messages()
    );
}
