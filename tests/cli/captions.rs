//! Captions in scripts that the program's fonts do not cover. The installed fonts are defined by a configuration file of
//! fontconfig, which only works on Linux.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::folder::Folder;
use crate::program::{can_draw, command, err, galatea};
use crate::small_font::small_font;

const KOREAN: &str = "camera.orbit { target = vector.create(0, 0.5, 0), distance = 3 }
ui.caption('유리', '안녕하세요', { duration = 9 })
ui.text('안녕, 세요', { anchor = 'center', size = 60 })
function update() ui.caption('유리', '하하 ' .. now(), { duration = 9 }) end";

/// Runs a program with only the fonts of a folder installed.
fn with_fonts(mut command: Command, folder: &Folder) -> Output {
    let fonts = folder.0.join("fonts");
    let list = format!(
        "<?xml version=\"1.0\"?>\n<fontconfig><dir>{}</dir></fontconfig>\n",
        fonts.display()
    );
    folder.write("fonts/fonts.conf", list);
    command.env("FONTCONFIG_FILE", fonts.join("fonts.conf"));
    command.output().unwrap()
}

fn shot(project: &Folder, fonts: &Folder) -> (PathBuf, Output) {
    let file = fonts.0.join("shot.png");
    let args = ["shot", project.path(), "--size", "640x360", "--at", "0.2"];
    let done = with_fonts(command(&[&args[..], &["-o", text(&file)]].concat()), fonts);
    assert!(done.status.success(), "{}", err(&done));
    (file, done)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn n_white(file: &Path) -> usize {
    let picture = image::open(file).unwrap().to_rgb8();
    let white = picture.pixels().filter(|pixel| pixel.0 == [255; 3]);
    white.count()
}

#[test]
fn texts_in_a_script_without_a_font_give_one_warning_that_names_it() {
    if !can_draw() {
        return;
    }
    let project = Folder::project("captions", KOREAN);
    let none = Folder::new("no-fonts");
    let (boxes, done) = shot(&project, &none);
    let warned = |done: &Output| err(done).matches("Hangul").count();
    assert_eq!(warned(&done), 1, "{}", err(&done));
    let part = "warning: no installed font supports Hangul (Korean), so boxes are drawn instead";
    assert!(err(&done).contains(part), "{}", err(&done));

    let args = ["record", project.path(), "--seconds", "0.2", "--fps", "30"];
    let frames = none.0.join("frames");
    let more = ["--size", "64x36", "-o", text(&frames)];
    let done = with_fonts(command(&[&args[..], &more].concat()), &none);
    assert!(done.status.success(), "{}", err(&done));
    assert_eq!(warned(&done), 1, "one for all frames: {}", err(&done));

    // The player of a bundle behaves the same.
    let game = none.0.join("game");
    let done = galatea(&["bundle", project.path(), "-o", text(&game)]);
    assert!(done.status.success(), "{}", err(&done));
    let mut play = Command::new(&game);
    play.args(["--shot", "shot.png"]).current_dir(&none.0);
    let done = with_fonts(play, &none);
    assert_eq!(warned(&done), 1, "{}", err(&done));

    let some = Folder::new("some-fonts");
    some.write("fonts/a.ttf", small_font("A", "유리안녕하세요"));
    let (squares, done) = shot(&project, &some);
    assert_eq!(warned(&done), 0, "{}", err(&done));
    let (boxes, squares) = (n_white(&boxes), n_white(&squares));
    assert!(2 * squares > 3 * boxes, "{squares} {boxes}");
}

#[test]
fn texts_that_the_fonts_of_the_program_cover_are_drawn_alike_whatever_is_installed() {
    if !can_draw() {
        return;
    }
    let script = "ui.text('Zoë, Σοφία, Юлия – 100 € 😀', { anchor = 'center', size = 40 })";
    let project = Folder::project("covered", script);
    let (none, some) = (Folder::new("no-fonts"), Folder::new("some-fonts"));
    some.write(
        "fonts/a.ttf",
        small_font("A", "Zoë, Σοφία, Юлия – 100 € 😀"),
    );
    let pictures = [&none, &some].map(|fonts| std::fs::read(shot(&project, fonts).0).unwrap());
    assert_eq!(pictures[0], pictures[1]);
}
