use glam::{Mat3, Quat, Vec3};
use proptest::prelude::*;

use super::{BvhError, BvhOptions, Up, load, load_with};
use galatea_anim::{Clip, Skeleton};

const METRES: BvhOptions = BvhOptions {
    metres_per_unit: Some(1.0),
    up: Some(Up::Y),
};

/// BVH file of a hip with one leg; `channels` and `row` are those of the hip.
fn file(channels: &str, row: &str) -> String {
    format!(
        "HIERARCHY\nROOT Hips\n{{\n OFFSET 0 0 0\n CHANNELS {channels}\n JOINT Knee\n {{\n  OFFSET 0 -1 0\n  \
         CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {{\n   OFFSET 0 -1 0\n  }}\n }}\n}}\n\
         MOTION\nFrames: 1\nFrame Time: 0.1\n{row} 0 0 0\n"
    )
}

fn read(text: &str) -> (Skeleton, Clip, Vec<String>) {
    load_with(text.as_bytes(), "take", &METRES).unwrap()
}

fn fault(text: &str) -> BvhError {
    load_with(text.as_bytes(), "take", &METRES).unwrap_err()
}

/// Rotation matrix about an axis.
fn about(axis: char, degrees: f32) -> Mat3 {
    let (s, c) = degrees.to_radians().sin_cos();
    let rows = match axis {
        'X' => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        'Y' => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    };
    Mat3::from_cols_array_2d(&rows).transpose()
}

#[test]
fn every_channel_order_rotates_as_the_product_of_its_matrices() {
    for order in ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "ZXZ", "XY", "Z"] {
        let angles = [31.0, -72.0, 118.0];
        let channels: Vec<String> = order
            .chars()
            .map(|axis| format!("{axis}rotation"))
            .collect();
        let row: Vec<String> = angles[..order.len()].iter().map(f32::to_string).collect();
        let text = file(
            &format!("{} {}", order.len(), channels.join(" ")),
            &row.join(" "),
        );
        let (_, clip, _) = read(&text);
        let got = Mat3::from_quat(clip.bones[0].rotation.as_ref().unwrap().values[0]);
        let axes = order.chars().zip(angles);
        let want = axes.fold(Mat3::IDENTITY, |m, (axis, angle)| m * about(axis, angle));
        assert!(got.abs_diff_eq(want, 1e-6), "{order}: {got} {want}");
    }
}

#[test]
fn positions_are_read_in_any_order_and_at_any_index() {
    let text = file("4 Zposition Yrotation Xposition Yposition", "3 90 1 2");
    let (_, clip, _) = read(&text);
    let hips = &clip.bones[0];
    let at = hips.translation.as_ref().unwrap().values[0];
    assert_eq!(at, Vec3::new(1.0, 2.0, 3.0));
    let first_rotation = hips.rotation.as_ref().unwrap().values[0];
    let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    assert!(first_rotation.abs_diff_eq(quarter, 1e-6));
}

#[test]
fn the_rest_pose_is_the_offsets_and_end_sites_are_bones() {
    let (skeleton, clip, warnings) = read(&file("3 Xposition Yposition Zposition", "0 2 0"));
    let names: Vec<&str> = skeleton.bones().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Knee", "Knee_end"]);
    let knee = &skeleton.bones()[1];
    assert_eq!(knee.rest.translation, Vec3::NEG_Y);
    assert_eq!(knee.rest.rotation, Quat::IDENTITY);
    assert!(knee.skinned && !skeleton.bones()[2].skinned);
    assert_eq!(clip.bones.len(), 2);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn line_ends_tabs_case_and_braces_do_not_matter() {
    let plain = file("3 Zrotation Xrotation Yrotation", "10 20 30");
    let want = read(&plain);
    let messy = [
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.replace('\n', " \t\n\n \t"),
        plain.replace(' ', "\t\t "),
        plain.replace("\n{", " {").replace("\n {", "{"),
        plain
            .replace("Zrotation", "ZROTATION")
            .replace("OFFSET", "Offset"),
        plain
            .replace("Frames:", "Frames :")
            .replace("Time: ", "Time:"),
        plain.replace("10 20 30", "10\n20\n30"),
        format!("\u{feff}{plain}"),
    ];
    for text in messy {
        assert_eq!(read(&text), want, "{text}");
    }
}

#[test]
fn missing_frames_and_times_are_repaired_with_warnings() {
    let plain = file("1 Zrotation", "10");
    let rows = format!("{plain}20 0 0 0\n30 0 0 0\n40 0");
    let (_, clip, warnings) = read(&rows.replace("Frames: 1", "Frames: 90"));
    assert_eq!(
        clip.bones[0].rotation.as_ref().unwrap().times,
        [0.0, 0.1, 0.2]
    );
    assert_eq!(clip.duration, 0.2);
    assert_eq!(
        warnings,
        [
            "the last frame has only 2 of 4 values; it is left out",
            "the header declares 90 frames, but the file contains 3"
        ]
    );
    for time in [
        "",
        "Frame Time: 0\n",
        "Frame Time: nan\n",
        "Frame Time: -1\n",
    ] {
        let text = rows.replace("Frame Time: 0.1\n", time);
        let (_, clip, warnings) = read(&text);
        assert!((clip.duration - 2.0 / 30.0).abs() < 1e-6);
        assert!(warnings.iter().any(|w| w.contains("30 frames per second")));
    }
    let (skeleton, clip, warnings) = read(plain.split("MOTION").next().unwrap());
    assert_eq!(
        (skeleton.len(), clip.bones.len(), clip.duration),
        (3, 0, 0.0)
    );
    assert_eq!(
        warnings,
        ["the file has no MOTION section; the clip is empty"]
    );
}

#[test]
fn nan_values_repeat_the_previous_frame() {
    let text = file("1 Xposition", "7") + "nan 0 0 0\n-1.#IND00 0 1e30 0\n";
    let (_, clip, warnings) = read(&text);
    let x = clip.bones[0].translation.as_ref().unwrap();
    assert_eq!(x.values, [Vec3::X * 7.0; 3]);
    assert!(
        warnings[0].starts_with("3 values are not valid numbers"),
        "{warnings:?}"
    );
}

#[test]
fn two_bones_of_one_name_get_two_names() {
    let text = file("1 Zrotation", "1").replace("Knee", "Hips");
    let (skeleton, ..) = read(&text);
    assert_eq!(skeleton.bones()[1].name, "Hips_1");
    assert_eq!(skeleton.bones()[2].name, "Hips_1_end");
}

#[test]
fn faults_name_line_and_cause() {
    let good = file("3 Xposition Yposition Zposition", "0 0 0");
    let roots = good.replace("MOTION", "ROOT Other\n{\n}\nMOTION");
    let cases = [
        (
            String::new(),
            1,
            "expected HIERARCHY, found the end of the file",
        ),
        ("glTF".into(), 1, "expected HIERARCHY, found \"glTF\""),
        (good.replace("ROOT", "BOOT"), 2, "expected ROOT"),
        (
            good.replace("OFFSET 0 0 0", "OFFSET 0 x 0"),
            4,
            "an offset is not a number: \"x\"",
        ),
        (
            good.replace("3 Xpos", "many Xpos"),
            5,
            "the channel count must be a whole number, got \"many\"",
        ),
        (
            good.replace("3 Xpos", "4000000000 Xpos"),
            5,
            "the limit is 9",
        ),
        (
            good.replace("Yposition", "Wposition"),
            5,
            "channel 2 of 3 is \"Wposition\"",
        ),
        (roots, 16, "a second ROOT"),
        (
            good.replace("}\nMOTION", "MOTION"),
            15,
            "missing closing brace",
        ),
        (
            good.replace("0.1\n0", "0.1\nzero"),
            19,
            "a motion value is not a number",
        ),
        (
            good.split("End").next().unwrap().into(),
            10,
            "the file ends inside joint \"Knee\"",
        ),
    ];
    for (text, line, cause) in cases {
        let error = fault(&text);
        assert!(error.cause.contains(cause), "{error} for {cause}");
        assert_eq!(error.line, line, "{error}");
    }
}

#[test]
fn declared_counts_do_not_allocate_memory() {
    let text = file("1 Zrotation", "1").replace("Frames: 1", "Frames: 99999999999999999999");
    assert_eq!(read(&text).1.bones.len(), 2);
    let deep = "JOINT a {".repeat(70_000);
    let error = fault(&format!("HIERARCHY ROOT r\n{{ {deep}"));
    assert!(
        error.cause.contains("65 535") || error.cause.contains("ends inside"),
        "{error}"
    );
}

#[test]
fn units_follow_the_skeletons_size_unless_given() {
    let sized = |size: f32| file("1 Yrotation", "0").replace("-1", &format!("-{}", size / 2.0));
    for (size, unit, metres) in [
        (1.75, "metres", 1.75),
        (178.0, "centimetres", 1.78),
        (1650.0, "millimetres", 1.65),
        (68.0, "inches", 1.727),
        (31.0, "Carnegie Mellon", 1.750),
    ] {
        let (skeleton, _, warnings) = load(sized(size).as_bytes(), "take").unwrap();
        let height = -2.0 * skeleton.bones()[1].rest.translation.y;
        assert!((height - metres).abs() < 1e-3, "{height}");
        assert!(warnings[0].contains(unit), "{warnings:?}");
    }
    let options = BvhOptions {
        metres_per_unit: Some(2.0),
        ..BvhOptions::default()
    };
    let (skeleton, _, warnings) = load_with(sized(100.0).as_bytes(), "take", &options).unwrap();
    assert_eq!(skeleton.bones()[1].rest.translation.y, -100.0);
    assert!(warnings.is_empty());
}

#[test]
fn a_z_up_file_is_upright_and_rest_rotations_stay_identity() {
    // A figure along Z: foot below, head above, rotated by 90° about its vertical axis, Z.
    let text = "HIERARCHY\nROOT Hips\n{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition \
        Xrotation Yrotation Zrotation\nJOINT Foot\n{ OFFSET 0 -0.1 -1 CHANNELS 0 }\nJOINT Head\n\
        { OFFSET 0 0 0.7 CHANNELS 0 } }\nMOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 0 0 90\n1 2 3 0 0 90\n";
    let (skeleton, clip, warnings) = load(text.as_bytes(), "take").unwrap();
    assert!(warnings.iter().any(|w| w.contains("Z-up")), "{warnings:?}");
    let head = skeleton.bones()[2].rest;
    assert!(head.translation.abs_diff_eq(Vec3::Y * 0.7, 1e-6));
    assert_eq!(head.rotation, Quat::IDENTITY);
    // The toes, along -Y in the file, point along +Z here.
    assert!(skeleton.bones()[1].rest.translation.z > 0.09);
    let hips = &clip.bones[0];
    let at = hips.translation.as_ref().unwrap().values[0];
    assert!(at.abs_diff_eq(Vec3::new(1.0, 3.0, -2.0), 1e-6));
    let first_rotation = hips.rotation.as_ref().unwrap().values[0];
    let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    assert!(first_rotation.abs_diff_eq(quarter, 1e-6));
}

#[test]
fn positions_relative_to_the_offset_are_distinguished_from_those_relative_to_the_parent() {
    let rows = |y: &str| {
        file("1 Zrotation", "0")
            .replace(
                "CHANNELS 3 Zrotation Xrotation Yrotation",
                "CHANNELS 3 Xposition Yposition Zposition",
            )
            .replace("0 0 0 0\n", &format!("0 0.01 {y} 0\n"))
    };
    let knee = |text: &str| {
        let (_, clip, _) = read(text);
        clip.bones[1].translation.as_ref().unwrap().values[0]
    };
    assert_eq!(knee(&rows("-1.02")), Vec3::new(0.01, -1.02, 0.0));
    assert_eq!(knee(&rows("-0.02")), Vec3::new(0.01, -1.02, 0.0));
}

/// Checks the invariants of a loaded file.
fn assert_valid(loaded: &(Skeleton, Clip, Vec<String>)) {
    let (skeleton, clip, _) = loaded;
    assert!(skeleton.bones().iter().all(|b| b.rest.is_finite()));
    assert!(clip.duration.is_finite() && clip.duration >= 0.0);
    for tracks in &clip.bones {
        assert!(usize::from(tracks.bone) < skeleton.len());
        if let Some(track) = &tracks.rotation {
            assert_eq!(track.times.len(), track.values.len());
            assert!(track.times.windows(2).all(|t| t[0] < t[1]));
            assert!(track.values.iter().all(|q| q.is_normalized()));
        }
        if let Some(track) = &tracks.translation {
            assert_eq!(track.times.len(), track.values.len());
            assert!(track.values.iter().all(|v| v.is_finite()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damage_gives_an_error_or_a_valid_clip(
        cuts in prop::collection::vec((0.0..1.0_f64, any::<u8>(), 0..4_u8), 1..12),
    ) {
        let channels = "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
        let mut bytes = (file(channels, "1 2 3 40 50 60") + "2 3 4 5 6 7 8 9 10\n").into_bytes();
        for (at, byte, kind) in cuts {
            let i = (at * bytes.len() as f64) as usize;
            if bytes.is_empty() {
                break;
            }
            match kind {
                0 => bytes[i] = byte,
                1 => bytes.insert(i, byte),
                2 => bytes.truncate(i),
                _ => {
                    let tail = bytes[i..].to_vec();
                    bytes.extend(tail);
                }
            }
        }
        if let Ok(loaded) = load(&bytes, "damaged") {
            assert_valid(&loaded);
        }
    }

    #[test]
    fn words_in_any_order_give_an_error_or_a_valid_clip(
        words in prop::collection::vec(prop::sample::select(vec![
            "HIERARCHY", "ROOT", "JOINT", "End", "Site", "{", "}", "OFFSET", "CHANNELS", "MOTION",
            "Frames:", "Frame", "Time:", "3", "-1", "0.1", "nan", "1e39", "Xposition", "Zrotation", "\n", "a",
        ]), 0..80),
    ) {
        let text = format!("HIERARCHY\nROOT a\n{{ {}", words.join(" "));
        if let Ok(loaded) = load(text.as_bytes(), "words") {
            assert_valid(&loaded);
        }
    }
}
