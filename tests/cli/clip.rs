//! Motion capture converted to clips.

use std::fs;
use std::path::Path;

use super::folder;
use crate::program::{err, galatea, out};

/// Two seconds of a figure that walks at 1 m/s with straight legs, as BVH: 61 frames, cycle 1 s.
pub fn mocap() -> String {
    let leg = |side: &str, x: &str| {
        format!(
            "JOINT {side}UpLeg {{ OFFSET {x} 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\n\
             JOINT {side}Foot {{ OFFSET 0 -80 0 CHANNELS 3 Zrotation Xrotation Yrotation\n\
             End Site {{ OFFSET 0 -6 12 }} }} }}\n"
        )
    };
    let mut text = format!(
        "HIERARCHY\nROOT Hips {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         {}{}JOINT Head {{ OFFSET 0 75 0 CHANNELS 3 Zrotation Xrotation Yrotation }} }}\n\
         MOTION\nFrames: 61\nFrame Time: 0.0333333\n",
        leg("Left", "10"),
        leg("Right", "-10")
    );
    for i in 0..61 {
        let t = f64::from(i) / 30.0;
        let swing = 18.0 * (t * std::f64::consts::TAU).sin();
        text += &format!(
            "0 87 {} 0 0 0  0 {swing} 0  0 {} 0  0 {} 0  0 {swing} 0  0 0 0\n",
            100.0 * t,
            -swing,
            -swing
        );
    }
    text
}

#[test]
fn mocap_becomes_a_loop_in_a_file_that_loads() {
    let dir = folder("clip");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    fs::write(at("take.bvh"), mocap()).unwrap();
    let (take, walk) = (at("take.bvh"), at("walk.glb"));

    let found = galatea(&["clip", &take, "--find-loop", "--json"]);
    assert!(found.status.success(), "{}", err(&found));
    let report: serde_json::Value = serde_json::from_str(&out(&found)).unwrap();
    let best = &report["clips"][0]["loops"][0];
    let seconds = best["end"].as_f64().unwrap() - best["start"].as_f64().unwrap();
    assert!((seconds - 1.0).abs() < 0.04, "{best}");
    assert!(
        (best["root_translation"].as_f64().unwrap() - 1.0).abs() < 0.04,
        "{best}"
    );

    let done = galatea(&[
        "clip",
        &take,
        "--loop",
        "0.5",
        "1.5",
        "--resample",
        "30",
        "--reduce",
        "0.02",
        "--markers",
        "--report",
        "-o",
        &walk,
    ]);
    assert!(done.status.success(), "{}", err(&done));
    assert!(out(&done).contains("take: 1.000 s"), "{}", out(&done));
    assert!(err(&done).contains("centimetres"), "{}", err(&done));
    let inspected = galatea(&["inspect", &walk, "--json"]);
    assert!(inspected.status.success(), "{}", err(&inspected));
    let report: serde_json::Value = serde_json::from_str(&out(&inspected)).unwrap();
    assert_eq!(report["clips"][0]["name"], "take");
    assert!((report["clips"][0]["seconds"].as_f64().unwrap() - 1.0).abs() < 1e-3);
    assert_eq!(report["bones"].as_array().unwrap().len(), 6);

    // Two files at once, the second bound to the bones of the first.
    let both = galatea(&["clip", &walk, &take, "--list"]);
    assert!(
        out(&both).starts_with("8 bones, 2 clips"),
        "{}{}",
        out(&both),
        err(&both)
    );
    assert!(
        out(&both).contains("take.bvh (1), bound by names, 8 bones, scale 1.000"),
        "{}",
        out(&both)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn clip_errors_are_reported() {
    let dir = folder("clip-bad");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    fs::write(at("take.bvh"), mocap()).unwrap();
    fs::write(at("bad.bvh"), mocap().replace("Xrotation", "Wrotation")).unwrap();
    let walk = mocap();
    let hierarchy = walk.split("MOTION").next().unwrap();
    fs::write(
        at("still.bvh"),
        format!("{hierarchy}MOTION\nFrames: 0\nFrame Time: 0.1\n"),
    )
    .unwrap();
    fs::write(
        at("bare.gltf"),
        r#"{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}]}"#,
    )
    .unwrap();
    fs::write(at("broken.glb"), "glTF").unwrap();
    let (take, bad, none) = (at("take.bvh"), at("bad.bvh"), at("none.bvh"));
    let (still, bare, broken, to) = (
        at("still.bvh"),
        at("bare.gltf"),
        at("broken.glb"),
        at("to.glb"),
    );
    for (args, text) in [
        (vec![&*take], "nothing to do"),
        (
            vec![&*bad, "--list"],
            "line 2: channel 5 of 6 is \"Wrotation\"",
        ),
        (vec![&*none, "--list"], "none.bvh"),
        (
            vec![&*take, "--list", "--clip", "tak"],
            "did you mean \"take\"?",
        ),
        (vec![&*take, "--loop", "1", "--list"], "START before END"),
        (
            vec![&*take, "--loop", "9", "12", "--list"],
            "ends at 2.000 s",
        ),
        (
            vec![&*still, "--loop", "--list"],
            "clip \"still\" has a length of 0 s, so it contains no loop",
        ),
        (vec![&*still, "-o", &*to], "clip \"still\" moves no bone"),
        (vec![&*bare, "-o", &*to], "there are no clips"),
        (
            vec![&*take, &*bare, "-o", &*to],
            "bare.gltf cannot be retargeted to ",
        ),
        (vec![&*broken, "--list"], "broken.glb"),
        (vec!["Cargo.toml", "--list"], "clips are read from"),
    ] {
        let mut all = vec!["clip"];
        all.extend(args);
        let output = galatea(&all);
        assert_eq!(output.status.code(), Some(1), "{all:?}");
        assert!(err(&output).contains(text), "{all:?}: {}", err(&output));
        for file in ["bad.bvh", "none.bvh", "broken.glb", "Cargo.toml"] {
            let n = err(&output).matches(file).count();
            assert!(n <= 1, "{file} {n} times: {}", err(&output));
        }
        assert!(!Path::new(&to).exists(), "{all:?}");
    }
    assert_eq!(galatea(&["clip"]).status.code(), Some(2));
    assert_eq!(
        galatea(&["clip", &take, "--reduce", "x"]).status.code(),
        Some(2)
    );
    fs::remove_dir_all(&dir).unwrap();
}
