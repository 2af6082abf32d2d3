//! Hot reload of models with their attachments and references.

use std::fs;
use std::time::{Duration, Instant};

use galatea::app::{Session, SoundOutput};

use super::{SCRIPT, errors, hero, open, project, run, until};

#[test]
fn a_model_is_swapped_in_place_and_a_damaged_one_leaves_the_old() {
    let folder = project("model", SCRIPT);
    let mut session = open(&folder, true, SoundOutput::Silent);
    run(&mut session, 0.5);
    let (handle, before, _) = hero(&session);
    let uid = |session: &Session| {
        session
            .stage
            .characters
            .get(handle)
            .unwrap()
            .definition
            .model
            .uid
    };
    let was = uid(&session);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();

    folder.write("assets/hero.glb", &good[..good.len() / 2]);
    until(&mut session, "the error", |session| {
        !errors(session).is_empty()
    });
    assert!(
        errors(&session)[0].contains("hero.glb"),
        "{:?}",
        errors(&session)
    );
    assert_eq!(uid(&session), was);

    // The same model with another name inside is another file.
    let mut changed = good.clone();
    let at = changed.windows(6).position(|w| w == b"\"wave\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"grin");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "the new model", |session| uid(session) != was);
    assert!(errors(&session).is_empty());
    let (_, after, state) = hero(&session);
    assert!(after > before && state == "walk");
    let clips = &session
        .stage
        .characters
        .get(handle)
        .unwrap()
        .definition
        .clips;
    assert!(clips.find("grin").is_some());

    // A model without a clip that the machine needs is refused.
    let at = changed.windows(6).position(|w| w == b"\"walk\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"wolk");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "the refusal", |session| {
        !errors(session).is_empty()
    });
    assert!(
        errors(&session)[0].contains("\"walk\""),
        "{:?}",
        errors(&session)
    );
    run(&mut session, 0.2);
}

#[test]
fn a_script_that_failed_at_a_model_runs_again_when_the_model_is_repaired() {
    let folder = project("repaired", SCRIPT);
    let mut session = open(&folder, true, SoundOutput::Silent);
    run(&mut session, 0.2);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    let mut changed = good.clone();
    let at = changed.windows(6).position(|w| w == b"\"walk\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"wolk");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "the refusal", |session| {
        !errors(session).is_empty()
    });
    folder.write("scripts/main.lua", format!("{SCRIPT}\nrepaired = true"));
    until(&mut session, "the fault", |session| session.script_failed());
    folder.write("assets/hero.glb", &good);
    until(&mut session, "the repair", |session| {
        errors(session).is_empty()
    });
    assert_eq!(
        session.answer("repaired").result,
        Ok(vec!["true".to_owned()])
    );
}

#[test]
fn a_repaired_model_lets_a_failed_script_load() {
    let folder = project("mended", "character 'assets/crate.glb'");
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    folder.write("assets/crate.glb", &good[..good.len() / 2]);
    let mut session = open(&folder, true, SoundOutput::Silent);
    until(&mut session, "the error", |session| {
        !errors(session).is_empty()
    });
    folder.write("assets/crate.glb", &good);
    until(&mut session, "running", |session| {
        session.stage.characters.len() == 1
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn intervals_and_plays_of_a_saved_model_end_cut_with_the_reason_reloaded() {
    let script = "local hero = character 'assets/hero.glb'
        hero.machine = machine { state 'walk' { 'walk' } }
        hero:add_marker('wave', 0.05, 'hold', { duration = 1 })
        hero:event_log()
        local told = keep_on_reload('told', { n = 0 })
        hero:play('wave', {
            on = { hold = function(e) if e.interrupted then told.n += 1 end end },
            on_end = function(why) if why == 'reloaded' and told.n == 1 then hero.yaw = 45 end end,
        })";
    let folder = project("cut", script);
    let mut session = open(&folder, true, SoundOutput::Silent);
    run(&mut session, 0.2);
    let mut changed = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    let at = changed.windows(6).position(|w| w == b"\"wave\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"grin");
    folder.write("assets/hero.glb", &changed);
    let has_it = |session: &Session| {
        let hero = session.stage.characters.iter().next().unwrap().1;
        hero.definition.clips.find("grin").is_some()
    };
    let start = Instant::now();
    while !has_it(&session) && start.elapsed() < Duration::from_secs(20) {
        session.apply_reloads();
        std::thread::sleep(Duration::from_millis(5));
    }
    session.tick();
    let hero = session.stage.characters.iter().next().unwrap().1;
    let reloaded = galatea::anim::Reason::Reloaded;
    assert_eq!(hero.playback.event_log.counts().of(reloaded), 1);
    assert!(hero.playback.actions.is_empty());
    assert_eq!(hero.placement.yaw, 45.0, "done came after the cut");
}

#[test]
fn an_attached_object_stays_with_a_reloaded_model_or_is_released() {
    let script = "local hero = character 'assets/hero.glb'
        local lamp = character 'assets/mannequin.glb' { scale = 0.1 }
        hero:attach(lamp, 'right_hand')";
    let folder = project("held", script);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    folder.write("assets/mannequin.glb", &good);
    let mut session = open(&folder, true, SoundOutput::Silent);
    until(&mut session, "both", |session| {
        session.stage.characters.len() == 2
    });
    let held = |session: &Session| {
        let (_, lamp) = session.stage.characters.iter().nth(1).unwrap();
        let (_, hero) = session.stage.characters.iter().next().unwrap();
        let bones = hero.definition.model.skeleton.bones();
        lamp.attachment
            .map(|a| bones[usize::from(a.bone)].name.clone())
    };
    assert_eq!(held(&session).as_deref(), Some("right_hand"));
    // Without the right hand, the attachment is released.
    let mut changed = good.clone();
    let at = changed
        .windows(12)
        .position(|w| w == b"\"right_hand\"")
        .unwrap();
    changed[at + 1..at + 11].copy_from_slice(b"right_hook");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "letting go", |session| {
        held(session).is_none()
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn an_external_texture_is_reloaded_when_it_changes() {
    let folder = project("texture", "character 'assets/leaf.gltf'");
    let paint = |color: [u8; 3]| {
        let picture = image::RgbImage::from_pixel(4, 4, image::Rgb(color));
        picture.save(folder.0.join("assets/leaf.png")).unwrap();
    };
    paint([200, 30, 30]);
    let floats: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    folder.write("assets/leaf.bin", bytes);
    folder.write(
        "assets/leaf.gltf",
        r#"{ "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "textures": [{ "source": 0 }], "images": [{ "uri": "leaf.png" }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }], "buffers": [{ "uri": "leaf.bin", "byteLength": 36 }] }"#,
    );
    let mut session = open(&folder, true, SoundOutput::Silent);
    let texel = |session: &Session| {
        let (_, leaf) = session.stage.characters.iter().next().unwrap();
        leaf.definition.model.images[0].rgba[..3].to_vec()
    };
    assert_eq!(texel(&session), [200, 30, 30]);
    paint([20, 220, 60]);
    until(&mut session, "the new paint", |session| {
        texel(session) == [20, 220, 60]
    });
    folder.write("assets/leaf.png", "this is a text");
    until(&mut session, "the stand-in", |session| {
        session.diagnostics.warnings().next().is_some()
    });
    paint([1, 2, 3]);
    until(&mut session, "painted again", |session| {
        texel(session) == [1, 2, 3]
    });
    assert!(errors(&session).is_empty());
}

/// A triangle with two materials, selected by variants.
const TRIANGLE: &str = r#"{ "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
    "extensions": { "KHR_materials_variants": { "variants": [{ "name": "red" }, { "name": "blue" }] } },
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0, "extensions": {
        "KHR_materials_variants": { "mappings": [{ "material": 1, "variants": [1] }] } } }] }],
    "materials": [{ "name": "A" }, { "name": "B" }],
    "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
    "bufferViews": [{ "buffer": 0, "byteLength": 36 }], "buffers": [{ "uri": "leaf.bin", "byteLength": 36 }] }"#;

#[test]
fn variants_and_material_values_survive_a_model_reload() {
    let script = "local leaf = character('assets/leaf.gltf', {
            variant = 'blue', materials = { B = { kind = 'skin', roughness = 0.5 } } })
        assert(leaf.variant == 'blue' and #leaf:variants() == 2)";
    let folder = project("variant", script);
    let floats: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    folder.write("assets/leaf.bin", bytes);
    folder.write("assets/leaf.gltf", TRIANGLE);
    let mut session = open(&folder, true, SoundOutput::Silent);
    assert_eq!(errors(&session), [""; 0]);
    let shown = |session: &mut Session| {
        let mut frame = galatea::stage::Frame::default();
        session.frame(1.0, &mut frame);
        let leaf = &frame.models[0];
        let primitive = &leaf.model.meshes[0].primitives[0];
        let material = primitive.material_in(leaf.variant);
        let changed: Vec<_> = frame
            .materials_of(leaf)
            .iter()
            .map(|one| (one.material, one.values.kind.name(), one.values.roughness))
            .collect();
        (leaf.model.materials[material].name.clone(), changed)
    };
    session.tick();
    let (name, changed) = shown(&mut session);
    assert_eq!((name.as_str(), changed), ("B", vec![(1, "skin", 0.5)]));
    // The same names at other indices.
    let text = TRIANGLE
        .replace(r#"{ "name": "red" }, "#, "")
        .replace(
            r#"{ "name": "A" }, { "name": "B" }"#,
            r#"{ "name": "B" }, { "name": "A" }"#,
        )
        .replace(
            r#""material": 1, "variants": [1]"#,
            r#""material": 1, "variants": [0]"#,
        );
    folder.write("assets/leaf.gltf", text);
    until(&mut session, "the other order", |session| {
        let (name, changed) = shown(session);
        (name.as_str(), changed) == ("A", vec![(0, "skin", 0.5)])
    });
}

/// The model facing the other way, with meaningless joint names: `j0`, `j1` and so on.
fn turned(glb: &[u8]) -> Vec<u8> {
    let n = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + n]).unwrap();
    let nodes = json["nodes"].as_array_mut().unwrap();
    for (i, node) in nodes.iter_mut().enumerate() {
        node["name"] = format!("j{i}").into();
    }
    let top = json["scenes"][0]["nodes"].take();
    let nodes = json["nodes"].as_array_mut().unwrap();
    let turn = serde_json::json!({ "name": "turn", "rotation": [0, 1, 0, 0], "children": top });
    nodes.push(turn);
    let last = nodes.len() - 1;
    json["scenes"][0]["nodes"] = serde_json::json!([last]);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + n..];
    let mut out = b"glTF".to_vec();
    out.extend(2_u32.to_le_bytes());
    out.extend(((20 + text.len() + rest.len()) as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(text);
    out.extend(rest);
    out
}

#[test]
fn agents_walk_forward_even_if_their_model_faces_backwards() {
    for (facing, sign) in [
        ("", 1.0),
        ("forward_axis = '-z',", 1.0),
        ("forward_axis = '+z',", -1.0),
    ] {
        let script = format!(
            "people = crowd {{
                 model = 'assets/back.glb', count = 1, size = vector.create(1, 0, 1), speed = 1, {facing}
             }}
             people:walk_to(1, vector.create(0, 0, 30))
             people:promote(1)"
        );
        let folder = project("back", &script);
        let model = fs::read(folder.0.join("assets/hero.glb")).unwrap();
        folder.write("assets/back.glb", turned(&model));
        let mut session = open(&folder, true, SoundOutput::Silent);
        run(&mut session, 2.5);
        assert!(errors(&session).is_empty(), "{:?}", errors(&session));
        let (_, own) = session.stage.characters.iter().next().expect("it is there");
        let place = |name: &str| {
            let bone = own.definition.model.skeleton.find(name).unwrap();
            let model = own.posed.model_from_bone[usize::from(bone)];
            (own.posed.world[0] * model).translation
        };
        let ahead = (place("j15") - place("j14")).z;
        assert!(ahead * sign > 0.1, "{facing}: the toes are {ahead} m ahead");
    }
}
