//! Hot reloads of the script or of a model: characters, actions, open intervals, parameters and pending events continue.

mod bodies;
mod decals;
mod faces;
mod ground;
mod models;
mod scripts;
mod speech;

use std::sync::Arc;

use galatea::anim::{Clip, Marker};
use galatea::asset::Model;
use galatea::character::Definition;
use galatea::stage::Handle;

use crate::common::{Bench, HERO, post};

/// Runs a script for some seconds and loads another version of it.
fn saved(old: &str, seconds: f64, new: &str) -> Bench {
    let mut bench = Bench::new(&format!("{HERO}{old}"));
    bench.run(seconds);
    bench.printed();
    bench.load(&format!("{HERO}{new}")).expect("it loads");
    bench
}

fn hero(bench: &Bench) -> Handle {
    let first = bench.stage.characters.iter().next();
    first.expect("a character").0
}

fn interval(t: f32, length: f32, event: &str) -> Marker {
    Marker {
        time: t,
        duration: length,
        event: event.into(),
        fields: Vec::new(),
    }
}

/// The post with one of its clips changed.
fn with_clip(name: &str, change: impl FnOnce(&mut Clip)) -> Model {
    let mut model = post();
    let clip = model.clips.iter_mut().find(|clip| clip.name == name);
    change(Arc::make_mut(clip.expect("a clip of this name")));
    model
}

/// Replaces the model of every character by a new version, as after a save of its file.
fn swap(bench: &mut Bench, model: Model) {
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let characters = bench.stage.characters.iter();
    let handles: Vec<Handle> = characters.map(|(handle, _)| handle).collect();
    let mut ended = Vec::new();
    for &handle in &handles {
        let now = definition.clone();
        let lost = bench.stage.replace_definition(handle, now);
        ended.extend(lost.expect("the machine fits"));
    }
    bench.host.models_replaced(&handles, &ended);
}

fn faultless(bench: &mut Bench) {
    let faults = bench.host.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
}
