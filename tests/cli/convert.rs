//! Models of other formats combined with clips of other files.

use std::fs;

use super::{folder, takes};
use crate::program::{err, galatea, out};

#[test]
fn a_converted_model_gets_clips_of_others_and_a_report() {
    let dir = folder("convert");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    fs::write(at("lift.bvh"), takes::human(2.0)).unwrap();
    let (lift, whole) = (at("lift.bvh"), at("whole.glb"));
    let model = "assets/mannequin.glb";
    let made = galatea(&[
        "convert",
        model,
        "--clips",
        &lift,
        "--markers",
        "--json",
        "-o",
        &whole,
    ]);
    assert!(made.status.success(), "{}", err(&made));
    let told: serde_json::Value = serde_json::from_str(&out(&made)).unwrap();
    let names = |list: &serde_json::Value, field: Option<&str>| -> Vec<String> {
        let all = list.as_array().unwrap().iter();
        let name = |one: &serde_json::Value| field.map_or(one, |field| &one[field]).clone();
        all.map(|one| name(one).as_str().unwrap().to_owned())
            .collect()
    };
    let clips = names(&told[0]["clips"], None);
    assert!(
        clips.contains(&"lift".into()) && clips.contains(&"walk".into()),
        "{told}"
    );
    let inspected = out(&galatea(&["inspect", &whole, "--json"]));
    let report: serde_json::Value = serde_json::from_str(&inspected).unwrap();
    assert_eq!(names(&report["clips"], Some("name")), clips);
    assert_eq!(report["meta"][0][1], "galatea convert");

    let wrong = galatea(&["convert", model, "-o", &at("x.obj")]);
    assert_eq!(wrong.status.code(), Some(1));
    let why = "expected an output file that ends in .glb";
    assert!(err(&wrong).contains(why), "{}", err(&wrong));
    fs::create_dir_all(at("other")).unwrap();
    for copy in ["a.glb", "other/a.glb"] {
        fs::copy(model, at(copy)).unwrap();
    }
    let twice = galatea(&[
        "convert",
        &at("a.glb"),
        &at("other/a.glb"),
        "-o",
        &at("out"),
    ]);
    assert!(
        err(&twice).contains("would both be written to"),
        "{}",
        err(&twice)
    );
    let ending = galatea(&["lipsync", &at("other"), "--format", "wav", "-o", &at("out")]);
    assert_eq!(ending.status.code(), Some(2));
    fs::remove_dir_all(&dir).unwrap();
}
