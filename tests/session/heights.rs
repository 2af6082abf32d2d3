//! Terrain from a height map image.

use galatea::app::{Session, SoundOutput};
use galatea::physics::Filter;
use glam::Vec3;
use image::{DynamicImage, ImageBuffer};

use super::{errors, open, project, run, until};
use crate::folder::Folder;

/// 10 m by 10 m, 20 m high.
const SCRIPT: &str = "ground.set { height = -5 }
physics.terrain { name = 'land', size = vector.create(10, 20, 10), heights = 'assets/land.png' }
local hero = character('assets/hero.glb', { position = vector.create(0, 15, 0) })";

fn fine(folder: &Folder, side: u32, height: impl Fn(u32, u32) -> u16) {
    let picture = ImageBuffer::from_fn(side, side, |x, y| image::Luma([height(x, y)]));
    let picture = DynamicImage::ImageLuma16(picture);
    picture.save(folder.0.join("assets/land.png")).unwrap();
}

fn top(session: &Session, x: f32, z: f32) -> f32 {
    let from = Vec3::new(x, 30.0, z);
    let world = &session.stage.physics.world;
    let hit = world.ray(from, -Vec3::Y, 40.0, &Filter::default());
    hit.unwrap().position.y
}

#[test]
fn a_slope_of_less_than_a_255th_of_the_range_has_no_steps_where_the_picture_has_16_bits() {
    let folder = project("fine", SCRIPT);
    fine(&folder, 65, |x, _| 20_000 + 4 * x as u16);
    let mut session = open(&folder, false, SoundOutput::Silent);
    assert_eq!(errors(&session), [""; 0]);
    run(&mut session, 0.1);
    let mut worst = 0.0_f32;
    for i in 0..128 {
        let u = (i as f32 + 0.5) / 128.0;
        let wanted = 20.0 * (20_000.0 + 256.0 * u) / 65_535.0;
        let found = top(&session, 10.0 * u - 5.0, 1.3);
        worst = worst.max((found - wanted).abs());
    }
    assert!(worst < 2e-5, "{worst} m off");
}

#[test]
fn pictures_of_8_bits_grey_or_in_colour_have_their_upper_edge_at_the_far_side_of_z() {
    for is_grey in [true, false] {
        let folder = project(&format!("plain-{is_grey}"), SCRIPT);
        let height = |x: u32, y: u32| (51 * x + 17 * y) as u8;
        let picture = if is_grey {
            DynamicImage::ImageLuma8(ImageBuffer::from_fn(5, 4, |x, y| {
                image::Luma([height(x, y)])
            }))
        } else {
            DynamicImage::ImageRgb8(ImageBuffer::from_fn(5, 4, |x, y| {
                image::Rgb([height(x, y), 200, 3])
            }))
        };
        picture.save(folder.0.join("assets/land.png")).unwrap();
        let mut session = open(&folder, false, SoundOutput::Silent);
        assert_eq!(errors(&session), [""; 0]);
        run(&mut session, 0.1);
        // A plane: 2.5 m of x and 10/3 m of z per texel.
        for (x, z) in [(-4.9, -4.9), (4.9, -4.9), (-1.2, 3.1), (4.9, 4.9)] {
            let (column, row) = ((x + 5.0) / 2.5, (z + 5.0) / (10.0 / 3.0));
            let wanted = 20.0 * (51.0 * column + 17.0 * row) / 255.0;
            let found = top(&session, x, z);
            assert!((found - wanted).abs() < 2e-5, "{found} for {wanted}");
        }
    }
}

#[test]
fn an_invalid_height_map_is_reported_with_file_and_script_line() {
    let wrong = |name: &str, write: &dyn Fn(&Folder), words: &str| {
        let folder = project(name, SCRIPT);
        write(&folder);
        let session = open(&folder, false, SoundOutput::Silent);
        let all = errors(&session).join("\n");
        assert!(all.contains(words), "{words} / {all}");
        assert!(all.contains("scripts/main.lua:2"), "{all}");
    };
    wrong(
        "none",
        &|folder| fine_named(folder, "lamd.png"),
        "assets/land.png: there is no such file; did you mean \"assets/lamd.png\"",
    );
    wrong(
        "text",
        &|folder| folder.write("assets/land.png", "this is a text"),
        "assets/land.png: is not a PNG, JPEG or WebP image",
    );
    wrong(
        "large",
        &|folder| fine(folder, 513, |_, _| 0),
        "assets/land.png: has 513 × 513 pixels; a height map must have at least 2 × 2 and at most 262144",
    );
    wrong(
        "small",
        &|folder| fine(folder, 1, |_, _| 0),
        "assets/land.png: has 1 × 1 pixels; a height map must have at least 2 × 2",
    );
    wrong(
        "cut",
        &|folder| {
            fine(folder, 64, |x, y| (x * y) as u16);
            let file = folder.0.join("assets/land.png");
            let whole = std::fs::read(&file).unwrap();
            std::fs::write(file, &whole[..whole.len() / 2]).unwrap();
        },
        "assets/land.png: ",
    );
}

fn fine_named(folder: &Folder, name: &str) {
    fine(folder, 2, |_, _| 0);
    let assets = folder.0.join("assets");
    std::fs::rename(assets.join("land.png"), assets.join(name)).unwrap();
}

#[test]
fn a_picture_that_is_saved_changes_the_ground_and_a_broken_one_leaves_it() {
    let script = SCRIPT.replace("15, 0) })", "10, 0) })\nhero:controller {}");
    let folder = project("saved-land", &script);
    fine(&folder, 9, |_, _| 32_768);
    let mut session = open(&folder, true, SoundOutput::Silent);
    assert_eq!(errors(&session), [""; 0]);
    run(&mut session, 0.5);
    let stands = |session: &Session| {
        let mut all = session.stage.characters.iter().map(|(_, one)| one);
        let hero = all.find(|one| one.body.controller.is_some()).unwrap();
        hero.placement.position.y - top(session, 2.0, 2.0)
    };
    let off = stands(&session);
    assert!(off.abs() < 0.01, "{off}");
    fine(&folder, 9, |_, _| 45_000);
    until(&mut session, "higher ground", |session| {
        top(session, 2.0, 2.0) > 13.0
    });
    let off = stands(&session);
    assert!(off.abs() < 0.01, "she is taken along: {off}");
    folder.write("assets/land.png", "this is a text");
    until(&mut session, "the broken picture", |session| {
        errors(session).iter().any(|error| {
            error.contains("assets/land.png: is not a PNG")
                && error.contains("the previous version stays in use")
        })
    });
    assert!(top(&session, 2.0, 2.0) > 13.0);
    fine(&folder, 9, |_, _| 0);
    until(&mut session, "the mended picture", |session| {
        top(session, 2.0, 2.0) < 0.1 && errors(session).is_empty()
    });
}
