//! Decals over a hot reload.

use std::sync::Arc;

use galatea::asset::Model;
use galatea::decal::DecalLayer;
use galatea::script::HostOptions;
use glam::Vec2;

use super::{Bench, HERO, hero, swap};
use crate::common::post;

/// The post with unique texture coordinates everywhere.
fn unwrapped() -> Model {
    let mut model = post();
    let piece = &mut model.meshes[0].primitives[0];
    let uv = |p: &glam::Vec3| Vec2::new((p.x + 0.1) * 5.0, 1.0 - p.y * 0.5);
    piece.uv0 = piece.positions.iter().map(uv).collect();
    model
}

const FRONT: &str = "{ from = vector.create(0, 1, 1), to = vector.create(0, 1, -1) }";

fn playing(script: &str, seconds: f64) -> Bench {
    let mut bench = Bench::with_model(HostOptions::default(), unwrapped());
    save(&mut bench, script, seconds);
    bench
}

fn save(bench: &mut Bench, script: &str, seconds: f64) {
    bench.load(&format!("{HERO}{script}")).expect("it loads");
    bench.run(seconds);
    assert_eq!(bench.printed(), Vec::<String>::new());
}

fn decals(bench: &Bench) -> (usize, Vec<(u16, Arc<DecalLayer>)>) {
    let hero = bench.stage.characters.get(hero(bench)).expect("a hero");
    (
        hero.appearance.decals.len(),
        hero.appearance.decals.layers().to_vec(),
    )
}

#[test]
fn a_decal_placed_while_running_survives_reloads() {
    let put = format!(
        "local done function update() if not done then done = true hero:decal('bruise', {FRONT}) end end"
    );
    let mut bench = playing(&put, 0.1);
    let (n, before) = decals(&bench);
    assert_eq!((n, before.len()), (1, 1));
    save(&mut bench, "function update() end", 0.1);
    assert_eq!(decals(&bench), (1, before.clone()));
    swap(&mut bench, unwrapped());
    assert_eq!(decals(&bench), (1, before.clone()));
    save(&mut bench, &put, 0.1);
    assert_eq!(decals(&bench).0, 2, "another one is put over it");
}

#[test]
fn decals_of_the_main_part_exist_once_with_their_age() {
    let dirty = format!("hero:decal('mud', {FRONT}) hero:decal('bruise', {FRONT})");
    let mut bench = playing(&dirty, 0.1);
    let before = decals(&bench);
    assert_eq!(before.0, 2);
    save(&mut bench, &format!("{dirty} -- 2"), 0.1);
    assert_eq!(decals(&bench), before);
    // A changed decal is placed again and replaces the old one.
    save(&mut bench, &dirty.replace("'mud'", "'soot'"), 0.1);
    let changed = decals(&bench);
    assert!(changed.0 == 2 && changed.1 != before.1);
    save(&mut bench, &dirty, 0.1);
    assert_eq!(decals(&bench), before);
    save(&mut bench, "", 0.1);
    assert_eq!(decals(&bench), (0, Vec::new()));

    let wet = format!("hero:decal('wet', {FRONT}, {{ lifetime = 0, fade = 0.3 }})");
    let mut bench = playing(&wet, 0.1);
    assert_eq!(decals(&bench).0, 1);
    bench.run(0.6);
    assert_eq!(decals(&bench).0, 0);
    save(&mut bench, &format!("{wet} -- 2"), 0.1);
    assert_eq!(decals(&bench).0, 0, "it has dried already");
}
