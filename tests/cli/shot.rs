//! Single pictures and contact sheets.

use std::fs;
use std::path::Path;

use super::{folder, redder};
use crate::program::{can_draw, err, galatea};

#[test]
fn a_sheet_holds_pictures_of_many_times_or_from_all_around() {
    if !can_draw() {
        return;
    }
    let dir = redder("sheet");
    let (path, file) = (dir.to_str().unwrap(), dir.join("sheet.png"));
    let shot = |more: &[&str]| {
        let args = [
            "shot",
            path,
            "--size",
            "96x64",
            "-o",
            file.to_str().unwrap(),
        ];
        let done = galatea(&[&args[..], more].concat());
        assert!(done.status.success(), "{}", err(&done));
        image::open(&file).unwrap().to_rgba8()
    };
    let times = shot(&["--at", "0.1", "--sheet", "3x2", "--every", "0.2"]);
    assert_eq!(times.dimensions(), (3 * 96 + 4, 2 * 64 + 2));
    assert_eq!(times.get_pixel(97, 10).0[3], 0, "clear between pictures");
    // The ground at a point of each picture, in order.
    let reds: Vec<u8> = (0..6)
        .map(|i| times.get_pixel(98 * (i % 3) + 88, 66 * (i / 3) + 20).0[0])
        .collect();
    assert!(reds.is_sorted() && reds[0] + 30 < reds[5], "{reds:?}");
    // The times are at the lower left: white letters on black.
    for i in 0..6 {
        let (left, top) = (98 * (i % 3), 66 * (i / 3));
        let corner = (0..40).flat_map(|x| (46..62).map(move |y| (left + x, top + y)));
        let white = corner.filter(|&(x, y)| times.get_pixel(x, y).0[..3].iter().all(|c| *c > 200));
        assert!(white.count() > 10, "{i}");
    }
    let around = shot(&["--turntable", "4"]);
    assert_eq!(around.dimensions(), (2 * 96 + 2, 2 * 64 + 2));
    let view =
        |i: u32| image::imageops::crop_imm(&around, 98 * (i % 2), 66 * (i / 2), 96, 44).to_image();
    for (a, b) in [(0, 1), (0, 2), (1, 3)] {
        assert_ne!(view(a), view(b), "she is seen from another side");
    }
    let wrong = galatea(&["shot", path, "--sheet", "4", "-o", "x.png"]);
    assert!(err(&wrong).contains("COLUMNSxROWS"), "{}", err(&wrong));
    let large = [
        "shot", path, "--sheet", "64x64", "--size", "1280x720", "-o", "x.png",
    ];
    let large = galatea(&large);
    assert_eq!(large.status.code(), Some(1));
    assert!(
        err(&large).contains("use a smaller --size"),
        "{}",
        err(&large)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn timings_list_the_phases_of_a_picture_in_order() {
    if !can_draw() {
        return;
    }
    let dir = folder("timings");
    fs::create_dir_all(&dir).unwrap();
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (model, png) = (home.join("assets/mannequin.glb"), dir.join("x.png"));
    let files = [&model, &png].map(|path| path.to_str().unwrap());
    let plain = [
        "shot", files[0], "--at", "0.1", "--size", "64x64", "-o", files[1],
    ];
    let done = galatea(&[&plain[..], &["--timings"]].concat());
    let said = err(&done);
    let phases = [
        "open the project",
        "load ",
        "read its file",
        "compress its clips",
        "open the graphics device",
        "create the renderer",
        "compile shaders",
        "run the script to the time",
        "draw the picture",
        "upload ",
        "write the picture",
    ];
    let lines: Vec<&str> = said.lines().collect();
    let at = phases.map(|phase| lines.iter().position(|line| line.contains(phase)));
    assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{said}");
    for line in &lines[1..lines.len() - 1] {
        assert!(line.contains(" ms ") && line.contains(" MB "), "{line}");
    }
    assert!(said.contains("memory of the process: "), "{said}");
    assert_eq!(err(&galatea(&plain)), "", "only with the option");
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn debug_views_are_rendered_and_unknown_names_get_suggestions() {
    let dir = folder("views");
    fs::create_dir_all(&dir).unwrap();
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = home.join("assets/mannequin.glb");
    let png = dir.join("x.png");
    let shot = |more: &[&str]| {
        let mut args = vec!["shot", model.to_str().unwrap(), "--at", "0.1"];
        args.extend(["--size", "320x180", "-o", png.to_str().unwrap()]);
        args.extend(more);
        galatea(&args)
    };
    let wrongs: [(&[&str], i32, &str); 6] = [
        (
            &["--view", "wierframe"],
            2,
            "did you mean \"wireframe\"? Views: skeleton,",
        ),
        (&["--bone", "head"], 2, "--view"),
        (
            &["--view", "uv", "--bone", "head"],
            1,
            "--bone requires --view weights",
        ),
        (
            &["--view", "uv", "--vertex-lines"],
            1,
            "--vertex-lines requires --view normals or tangents",
        ),
        (
            &["--view", "weights", "--character", "manequin"],
            1,
            "no character \"manequin\"; did you mean \"mannequin\"?",
        ),
        (
            &["--view", "morphs", "--morph", "smiel"],
            1,
            "no character has a morph \"smiel\"; did you mean \"smile\"?",
        ),
    ];
    for (args, code, text) in wrongs {
        if !can_draw() && code == 1 {
            continue;
        }
        let wrong = shot(args);
        assert_eq!(wrong.status.code(), Some(code), "{args:?}: {}", err(&wrong));
        assert!(err(&wrong).contains(text), "{args:?}: {}", err(&wrong));
    }
    if can_draw() {
        let drawn = |args: &[&str]| {
            let good = shot(args);
            assert!(good.status.success(), "{args:?}: {}", err(&good));
            image::open(&png).unwrap().to_rgba8()
        };
        let with = drawn(&["--view", "weights", "--bone", "head"]);
        let without = drawn(&["--view", "weights", "--bone", "head", "--no-legend"]);
        let differing: Vec<u32> = with
            .enumerate_pixels()
            .filter(|(x, y, pixel)| without.get_pixel(*x, *y) != *pixel)
            .map(|(x, ..)| x)
            .collect();
        // Only the legend, in its corner.
        assert!(differing.len() > 1000, "{}", differing.len());
        assert!(differing.iter().all(|x| *x < 80), "{differing:?}");
    }
    let _ = fs::remove_dir_all(&dir);
}
