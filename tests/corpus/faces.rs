//! Faces of real characters (GALATEA_CORPUS): all shapes, VRM presets, three targets, overrides.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use galatea::asset::gltf::load;
use galatea::character::Definition;
use galatea::face::{ControlOrigin, EXPRESSIONS, FaceRig, SpeechBy};
use galatea::speech::viseme::{VISEMES, Viseme};

use crate::driver::gpu;
use crate::files::corpus;

const HUMAN: &str = "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb";
const GODETTE: &str = "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm";
const ROBOT: &str = "01_characters/threejs-examples/gltf/RobotExpressive/RobotExpressive.glb";
const OVERRIDES: &str = "03_vrm/vrm-specification/VRMC_vrm_expressions_isBinary_Overrides/vrm/VRMC_vrm_expressions_isBinary_Overrides.vrm";

fn face(folder: &Path, file: &str) -> (Definition, Arc<FaceRig>) {
    let definition = Definition::new(Arc::new(load(&folder.join(file)).unwrap()));
    let rig = definition.face_rig();
    (definition, rig)
}

fn origin(rig: &FaceRig, name: &str) -> Option<ControlOrigin> {
    Some(rig.controls[usize::from(rig.find(name)?)].origin)
}

#[test]
fn the_human_has_all_shapes_and_godette_the_vrm_presets() {
    let Some(folder) = corpus() else { return };
    let (_, human) = face(&folder, HUMAN);
    assert_eq!(human.speech_by, SpeechBy::Visemes);
    assert!(human.missing.is_empty());
    for (name, _) in EXPRESSIONS {
        assert_eq!(origin(&human, name), Some(ControlOrigin::Made), "{name}");
    }
    let (definition, godette) = face(&folder, GODETTE);
    assert_eq!(definition.model.expressions.len(), 17);
    assert_eq!(godette.speech_by, SpeechBy::Vowels);
    assert_eq!(origin(&godette, "happiness"), Some(ControlOrigin::File));
    assert_eq!(godette.find("joy"), godette.find("happy"));
    let of = |viseme: Viseme| godette.visemes[viseme as usize].clone();
    assert!(of(Viseme::PP).is_empty(), "closed lips");
    assert_eq!(of(Viseme::AA).len(), 1);
    let name = |sink: u16| definition.morph_name(usize::from(sink));
    assert_eq!(name(of(Viseme::AA)[0].0), "ah");
    assert_eq!(name(of(Viseme::U)[0].0), "uu");
    let lids: Vec<&str> = godette.blink.iter().map(|(sink, _)| name(*sink)).collect();
    assert_eq!(lids, ["blink_left", "blink_right"]);
    assert_eq!(godette.bones.len(), 2, "brows");
    let (_, robot) = face(&folder, ROBOT);
    assert_eq!(robot.speech_by, SpeechBy::Nothing);
    assert_eq!(origin(&robot, "anger"), Some(ControlOrigin::Morph));
    assert_eq!(origin(&robot, "fear"), Some(ControlOrigin::Instead));
    assert!(robot.missing.contains(&"happiness"));
}

/// Runs a Lua test with a character of the corpus, `hero`.
fn play(folder: &Path, file: &str, body: &str) {
    let name = Path::new(file).file_name().unwrap().to_str().unwrap();
    let project = std::env::temp_dir().join(format!("galatea-face-{}-{name}", std::process::id()));
    for part in ["assets", "scripts", "tests"] {
        std::fs::create_dir_all(project.join(part)).unwrap();
    }
    std::fs::copy(folder.join(file), project.join("assets").join(name)).unwrap();
    let text =
        format!("test('it', function(t)\nlocal hero = character 'assets/{name}'\n{body}\nend)");
    std::fs::write(project.join("scripts/main.lua"), "").unwrap();
    std::fs::write(project.join("tests/it.lua"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
    let output = command.arg("test").arg(&project).output().unwrap();
    std::fs::remove_dir_all(&project).unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = told + &String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && told.contains("1 passed"),
        "{told}"
    );
}

#[test]
fn every_emotion_and_viseme_of_the_human_moves_its_own_part_of_the_face() {
    let Some(folder) = corpus() else { return };
    let body = "
        local face = hero.face
        face:configure { blink_rate = 0, asymmetry = 0 }
        local least = {}
        for _, name in { 'anger', 'concentration', 'contempt', 'desire', 'disgust', 'excitement', 'fear', 'happiness',
                'confusion', 'sadness', 'surprise' } do
            face:mood(name, { intensity = 1, fade = 0.1 })
            t:run(0.4)
            t:expect(face:get(name) > 0.9, name .. ' ' .. face:get(name))
            local moved = 0
            for _, shape in { 'browInnerUp', 'browDownLeft', 'mouthSmileRight', 'mouthFrownLeft', 'eyeWideLeft', 'noseSneerLeft',
                    'eyeSquintRight', 'jawOpen', 'browOuterUpRight', 'mouthPressLeft' } do
                moved += if face:get(shape) > 0.05 then 1 else 0
            end
            t:expect(moved >= 2, name)
        end
        face:mood()
        t:run(0.9)
        t:expect(face:get('browInnerUp') == 0 and face:get('mouthSmileRight') == 0)
        hero:look_at(camera)
        t:run(1)
        t:expect(tostring(hero:modifiers()):find('face', 1, true))";
    play(&folder, HUMAN, body);
    let (_, human) = face(&folder, HUMAN);
    assert!(
        VISEMES
            .iter()
            .all(|viseme| human.visemes[*viseme as usize].len() == 1)
    );
}

/// pixiv's test of binary expressions with overrides: the binary value counts.
#[test]
fn pictures_of_materials_move_and_binary_overrides_count_as_binary() {
    let Some(folder) = corpus() else { return };
    let (definition, rig) = face(&folder, OVERRIDES);
    assert_eq!(rig.materials.len(), 2);
    assert_eq!(definition.model.expressions.len(), 2);
    let body = "
        local face = hero.face
        face:configure { blink_rate = 0 }
        local function at(happy)
            face:set('happy', happy)
            t:run(0.05)
            face:blink()
            local most = 0
            for _ = 1, 20 do
                t:run_ticks()
                most = math.max(most, face:get('blink'))
            end
            t:run(0.3)
            return face:get('happy'), most
        end
        local happy, blink = at(0)
        t:expect(happy == 0 and blink > 0.3, blink)
        happy, blink = at(0.4)
        t:expect(happy == 0 and blink > 0.3, blink)
        happy, blink = at(0.6)
        t:expect(happy == 1 and blink == 0, blink)";
    play(&folder, OVERRIDES, body);
}

/// A folder for one test with some files of the corpus.
fn copied(name: &str, from: &Path, files: &[&str]) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("galatea-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for file in files {
        std::fs::copy(from.join(file), folder.join(file)).unwrap();
    }
    folder
}

#[test]
fn a_real_head_folds_by_maps_of_its_own() {
    use galatea::render::{RenderOptions, Renderer, ShaderSource, difference};
    use galatea::stage::{Frame, Stage};
    let Some(corpus) = corpus() else { return };
    let from = corpus.join("01_characters/threejs-examples/gltf/LeePerrySmith");
    let maps = ["Infinite-Level_02_Tangent_SmoothUV.jpg", "Map-COL.jpg"];
    let folder = copied("head", &from, &["LeePerrySmith.glb", maps[0], maps[1]]);
    let plain = load(&folder.join("LeePerrySmith.glb")).unwrap();
    assert_eq!(plain.materials[0].wrinkles, None);
    let beside = serde_json::json!({"Material.002": {
        "maps": [{"normal": maps[0]}, {"normal": maps[0], "color": maps[1]}],
        "regions": [{"name": "pores", "map": 0}, {"name": "alive", "map": 1}],
    }});
    std::fs::write(
        folder.join("LeePerrySmith.wrinkles.json"),
        beside.to_string(),
    )
    .unwrap();
    let folded = load(&folder.join("LeePerrySmith.glb")).unwrap();
    assert_eq!(folded.warnings, Vec::<String>::new());
    assert!(
        folded
            .primitives()
            .all(|p| p.tangents.len() == p.positions.len())
    );
    assert_ne!(plain.uid, folded.uid, "it is another model");
    let Some(gpu) = gpu() else { return };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let options = RenderOptions::default();
    let mut renderer = Renderer::new(&gpu, &ShaderSource::embedded(), format, options).unwrap();
    let mut shot = |model: galatea::asset::Model, weights: &[(usize, f32)]| {
        let definition = Arc::new(Definition::new(Arc::new(model)));
        let (middle, radius) = definition.rest_bounds;
        let mut stage = Stage::default();
        let head = stage.add_character(definition, "head", None, Default::default());
        let character = stage.characters.get_mut(head).unwrap();
        for (region, weight) in weights {
            character
                .appearance
                .wrinkles
                .hold(*region, Some(*weight), 0.0);
        }
        character.begin_build();
        character.build();
        let mut frame = Frame::default();
        stage.snapshot(1.0, &mut frame);
        frame.camera.eye = middle + glam::Vec3::new(0.5, 0.1, 1.0).normalize() * radius * 2.4;
        frame.camera.target = middle;
        let picture = renderer
            .draw_to_picture(&gpu, &frame, (240, 240), |_, _| {})
            .unwrap();
        assert_eq!(renderer.take_problems(), Vec::<String>::new());
        picture
    };
    let bare = shot(plain, &[]);
    let smooth = shot(folded.clone(), &[]);
    let pores = shot(folded.clone(), &[(0, 1.0)]);
    let alive = shot(folded, &[(1, 1.0)]);
    let far = |a, b| difference(a, b).unwrap().mean;
    assert!(
        far(&bare, &smooth) < 1e-4,
        "without weights nothing changes: {}",
        far(&bare, &smooth)
    );
    assert!(far(&bare, &pores) > 0.004, "{}", far(&bare, &pores));
    assert!(
        far(&pores, &alive) > 0.02,
        "its colour comes too: {}",
        far(&pores, &alive)
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn skin_of_a_real_face_that_is_pressed_together_folds() {
    use galatea::character::{Character, Placement};
    let Some(corpus) = corpus() else { return };
    let from = corpus.join("02_faces_lipsync/mpfb-cc0-human-DERIVED");
    let folder = copied("human", &from, &["mpfb_cc0_human.glb"]);
    let path = folder.join("mpfb_cc0_human.glb");
    let plain = load(&path).unwrap();
    // The point that raised brows lift most, and one 4 cm above it.
    let skin = plain
        .primitives()
        .find(|p| plain.materials[p.material].name == "skin")
        .unwrap();
    let names = &plain.meshes[0].morph_names;
    let brow = names.iter().position(|name| name == "browInnerUp").unwrap();
    let up = &skin.targets[brow].positions;
    let lifted = (0..up.len())
        .max_by(|a, b| up[*a].y.total_cmp(&up[*b].y))
        .unwrap();
    let above = skin.positions[lifted] + glam::Vec3::Y * 0.04;
    let far = |i: &usize| skin.positions[*i].distance_squared(above);
    let still = (0..up.len()).filter(|i| up[*i].length() < 0.2 * up[lifted].length());
    let still = still.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap();
    let uv = |i: usize| skin.uv0[i].to_array();
    let stretch = serde_json::json!([{"from": uv(lifted), "to": uv(still), "ratio": 0.7}]);
    let beside = serde_json::json!({"skin": {"regions": [
        {"name": "brow", "stretch": stretch},
        {"name": "told", "shapes": {"browInnerUp": 1, "surprise": 0.0}},
    ]}});
    std::fs::write(
        folder.join("mpfb_cc0_human.wrinkles.json"),
        beside.to_string(),
    )
    .unwrap();
    let definition = Arc::new(Definition::new(Arc::new(load(&path).unwrap())));
    assert_eq!(definition.wrinkles().problems, Vec::<String>::new());
    let brows = definition.morph_indices("browInnerUp");
    let mut human: Character =
        Character::new("a".into(), "a".into(), definition, Placement::default());
    let mut weights = |weight: f32| {
        human.posed.morph_overrides = brows.iter().map(|i| (*i, weight)).collect();
        human.begin_build();
        human.evaluate_pose(0.0);
        human.build();
        [
            human.appearance.wrinkles.weight(0),
            human.appearance.wrinkles.weight(1),
        ]
    };
    assert_eq!(weights(0.0), [0.0, 0.0]);
    let [half, told] = weights(0.5);
    assert!((told - 0.5).abs() < 1e-5, "{told}");
    let [whole, told] = weights(1.0);
    assert!((told - 1.0).abs() < 1e-5 && whole > 0.2, "{whole} {told}");
    assert!(
        (half * 2.0 - whole).abs() < 0.1 * whole,
        "it grows evenly: {half} {whole}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}
