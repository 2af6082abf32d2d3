//! Identity shapes of faces over a hot reload.

use std::sync::Arc;

use super::{hero, saved, swap};
use crate::common::{Bench, post};

const FACE: &str = "hero.face:shapes { smile = { -1, 1 } } hero.face:shape('smile', 0.25)";

fn weight(bench: &Bench) -> f32 {
    let hero = bench.stage.characters.get(hero(bench)).expect("a hero");
    let likeness = hero
        .appearance
        .face_shapes
        .as_ref()
        .expect("a face of its own");
    likeness.weights()[0]
}

#[test]
fn a_face_generated_while_running_survives_a_reload() {
    let edit = "on_tick = false function update() if not on_tick then on_tick = true hero.face:shape('smile', 0.75) end end";
    let script = format!("{FACE} local {edit}").replace("on_tick", "done");
    let bench = saved(&script, 0.2, &format!("{FACE} function update() end"));
    assert_eq!(weight(&bench), 0.75);
    // A changed value in the script wins.
    let other = FACE.replace("0.25", "-0.5");
    let bench = saved(&script, 0.2, &other);
    assert_eq!(weight(&bench), -0.5);
}

#[test]
fn a_face_without_a_seed_is_the_same_after_a_reload() {
    let made = "hero.face:shapes { smile = { -1, 1 } } hero.face:randomize { variation = 1 }";
    let first = saved(made, 0.1, made);
    let second = saved(made, 0.1, &format!("{made} -- 2"));
    assert!(weight(&first) != 0.0);
    assert_eq!(weight(&first), weight(&second));
}

#[test]
fn a_new_version_of_the_model_has_the_face_by_its_names() {
    let mut bench = saved(FACE, 0.1, &format!("{FACE} -- 2"));
    let mut model = post();
    let mesh = &mut model.meshes[0];
    mesh.morph_names = vec!["frown".into(), "smile".into()];
    let targets = &mut mesh.primitives[0].targets;
    targets.insert(0, targets[0].clone());
    model.parts[0].morph_weights = vec![0.0; 2];
    model.clips = model
        .clips
        .iter()
        .map(|clip| Arc::new((**clip).clone()))
        .collect();
    swap(&mut bench, model);
    bench.run(0.1);
    assert_eq!(weight(&bench), 0.25);
    let hero = bench.stage.characters.get(hero(&bench)).expect("a hero");
    assert_eq!(hero.skin.morphs[0], [0.0, 0.25]);
}
