//! `bake`: maps of models and of images, and its error messages.

use std::fs;
use std::path::Path;

use super::folder;
use crate::program::{err, galatea, out};

fn picture(path: &Path) -> image::RgbaImage {
    image::open(path).unwrap().into_rgba8()
}

#[test]
fn maps_are_baked_and_errors_are_reported() {
    let dir = folder("bake");
    fs::create_dir_all(&dir).unwrap();
    let file = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let hero = "assets/galatea.glb";
    let small = ["--size", "64", "--samples", "1", "--rays", "16"];
    let bake = |what: &str, more: &[&str]| {
        let args: Vec<&str> = ["bake", what, hero, "--material", "skin"]
            .iter()
            .chain(&small)
            .chain(more)
            .copied()
            .collect();
        galatea(&args)
    };
    let occlusion = file("occlusion.png");
    let text = out(&bake("occlusion", &["-o", &occlusion]));
    assert!(text.contains("64 × 64"), "{text}");
    let seen = picture(Path::new(&occlusion));
    let (dark, light) = seen.pixels().fold((255, 0), |(low, high), p| {
        (low.min(p.0[0]), high.max(p.0[0]))
    });
    assert!(dark < 120 && light > 240, "{dark} to {light}");
    // Against itself, the map has the model's own normals: it is flat.
    let normals = file("normals.png");
    out(&bake(
        "normals",
        &["--from", hero, "--reach", "0.002", "-o", &normals],
    ));
    let flat = picture(Path::new(&normals));
    let n_flat = flat.pixels().filter(|p| p.0[2] > 250).count();
    assert!(n_flat as f32 > 0.97 * (64.0 * 64.0), "{n_flat}");
    // A smile moves the face, but not the hands.
    let mask = file("mask.png");
    let text = out(&bake("mask", &["--morph", "mouthSmileLeft=1", "-o", &mask]));
    assert!(text.contains("largest displacement"), "{text}");
    let moved = picture(Path::new(&mask));
    let n_moved = moved.pixels().filter(|p| p.0[0] > 20).count();
    assert!((3..200).contains(&n_moved), "{n_moved}");

    for (args, wanted) in [
        (
            vec!["bake", "normals", hero, "--material", "skin", "-o", &mask],
            "give one with --from",
        ),
        (
            vec!["bake", "mask", hero, "--material", "skin", "-o", &mask],
            "give one with --morph",
        ),
        (
            vec!["bake", "occlusion", hero, "--material", "skn", "-o", &mask],
            "did you mean \"skin\"?",
        ),
        (
            vec!["bake", "occlusion", hero, "-o", &mask],
            "several materials; choose one with --material",
        ),
        (
            vec![
                "bake",
                "mask",
                hero,
                "--material",
                "skin",
                "--morph",
                "mouthSmielLeft=1",
                "-o",
                &mask,
            ],
            "mouthSmileLeft",
        ),
        (
            vec!["bake", "thickness", "assets/none.glb", "-o", &mask],
            "none.glb",
        ),
        (
            vec!["bake", "heights", hero, "-o", &mask],
            "not a PNG, JPEG or WebP image",
        ),
    ] {
        let text = err(&galatea(&args));
        assert!(text.contains(wanted), "{args:?}: {text}");
    }
    let _ = fs::remove_dir_all(&dir);
}

#[test]
fn pictures_become_normals_that_are_unit() {
    let dir = folder("bake-pictures");
    fs::create_dir_all(&dir).unwrap();
    let file = |name: &str| dir.join(name);
    let ramp = image::RgbaImage::from_fn(32, 32, |x, _| image::Rgba([(x * 8) as u8, 0, 0, 255]));
    ramp.save(file("ramp.png")).unwrap();
    let text = |name: &str| file(name).to_string_lossy().into_owned();
    let (from, to) = (text("ramp.png"), text("normals.png"));
    out(&galatea(&[
        "bake", "heights", &from, "--depth", "0.5", "-o", &to,
    ]));
    let made = picture(&file("normals.png"));
    // Red alone is a third of the brightness: 8/255/3 per pixel, half a width deep.
    let slope = 8.0_f32 / 255.0 / 3.0 * 0.5 * 32.0;
    let wanted = (-slope / (1.0 + slope * slope).sqrt() * 0.5 + 0.5) * 255.0;
    let seen = f32::from(made.get_pixel(16, 16).0[0]);
    assert!((seen - wanted).abs() < 1.5, "{seen}, not {wanted}");
    let painted = image::RgbaImage::from_pixel(8, 8, image::Rgba([200, 128, 128, 255]));
    painted.save(file("painted.png")).unwrap();
    let (from, to) = (text("painted.png"), text("unit.png"));
    let told = out(&galatea(&["bake", "unit", &from, "-o", &to]));
    assert!(
        told.contains("100.0 % of the texels did not have unit length"),
        "{told}"
    );
    assert_eq!(
        picture(&file("unit.png")).get_pixel(3, 3).0,
        [255, 128, 128, 255]
    );
    let _ = fs::remove_dir_all(&dir);
}

#[test]
fn a_real_head_is_baked() {
    let Some(corpus) = std::env::var_os("GALATEA_CORPUS") else {
        return;
    };
    let dir = folder("bake-head");
    fs::create_dir_all(&dir).unwrap();
    let head = Path::new(&corpus)
        .join("01_characters/threejs-examples/gltf/LeePerrySmith/LeePerrySmith.glb");
    let head = head.to_string_lossy();
    let to = dir.join("thickness.png").to_string_lossy().into_owned();
    let args = [
        "bake",
        "thickness",
        &head,
        "--size",
        "128",
        "--samples",
        "1",
        "--rays",
        "16",
        "--reach",
        "0.6",
    ];
    out(&galatea(&[&args[..], &["-o", &to]].concat()));
    let seen = picture(Path::new(&to));
    let share =
        |of: fn(u8) -> bool| seen.pixels().filter(|p| of(p.0[0])).count() as f32 / (128.0 * 128.0);
    // Ears, lips and nostrils are thin, the skull is not.
    let (thin, thick) = (share(|x| x < 90), share(|x| x > 250));
    assert!(
        (0.005..0.1).contains(&thin) && thick > 0.6,
        "{thin} {thick}"
    );
    let _ = fs::remove_dir_all(&dir);
}
