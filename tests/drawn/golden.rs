//! Golden pictures, drawn on software Vulkan and compared by FLIP (Andersson et al. 2020).
//! `./x bless` draws them again; check them before committing.

use galatea::app::headless::{HeadlessCamera, advance_to};
use galatea::render::{Picture, SAME_PICTURE, difference};

use crate::folder::Folder;
use crate::looked_at;
use crate::open;

/// Name, seconds, and the script after `hero` was created.
const PICTURES: [(&str, f64, &str); 12] = [
    ("bind_pose", 0.1, "hero.machine = machine { state 'rest' {} } camera.frame(hero, { yaw = 20, pitch = 8 })"),
    ("walk_side", 0.72, "hero:play('walk', { mode = 'loop', fade = 0 }) camera.frame(hero, { yaw = 90, pitch = 5 })"),
    ("walk_front", 0.97, "hero:play('walk', { mode = 'loop', fade = 0 }) camera.frame(hero, { yaw = 15, pitch = 5 })"),
    ("run_flight", 0.5, "hero:play('run', { mode = 'loop', fade = 0 }) camera.frame(hero, { yaw = 65, pitch = 5 })"),
    ("face", 1.0, "hero:morph('smile', 0.8) camera.orbit { target = hero.position + vector.create(0, 1.57, 0), distance = 0.95, yaw = 24, pitch = 4, fov = 28 }"),
    (
        "several",
        0.8,
        "hero:play('wave', { fade = 0 })
        for i, clip in { 'walk', 'run', 'jump' } do
            local other = character('assets/mannequin.glb', { position = vector.create(i * 1.1 - 0.3, 0, -i * 0.5), yaw = 20 * i, scale = 1 - 0.1 * i })
            other:play(clip, { mode = 'loop', fade = 0 })
        end
        ground.patch { position = vector.create(1.5, 0, 0), size = vector.create(2, 0, 3), surface = 'wood', color = vector.create(0.3, 0.17, 0.08) }
        camera.orbit { target = vector.create(0.9, 0.8, -0.5), distance = 6, yaw = 25, pitch = 14 }",
    ),
    ("bones", 0.3, "show_bones() hero:play('walk', { mode = 'loop', fade = 0 }) camera.frame(hero, { yaw = 120, pitch = 12 })"),
    (
        "light_three_point",
        0.4,
        "hero:material('porcelain').kind = 'skin'
        camera.orbit { target = vector.create(0, 1.5, 0), distance = 1.1, yaw = 28, pitch = 3, fov = 30 }
        light.rig('three_point', { character = hero })",
    ),
    (
        "light_night",
        0.6,
        "hero:play('walk', { mode = 'loop', fade = 0 }) camera.frame(hero, { yaw = 40, pitch = 8 })
        light.rig('night', { character = hero })
        light.point { character = hero, bone = 'right_hand', position = vector.create(0, 0.15, 0), color = vector.create(1, 0.5, 0.2), intensity = 0.6, range = 4 }
        light.post_process { tonemap = 'agx', bloom = 0.15 } light.exposure(0.7)",
    ),
    (
        "light_neon",
        0.3,
        "hero:play('wave', { fade = 0 }) camera.frame(hero, { yaw = 20, pitch = 4 })
        light.rig('neon', { character = hero }) light.post_process { tonemap = 'aces' } light.quality 'high'",
    ),
    (
        "cloth",
        0.1,
        "local function pin(u, side, x) return { u = u, v = 0, character = hero, bone = side, offset = vector.create(x, 0.04, -0.08) } end
        cloth { size = vector.create(0.34, 0.95, 0), hem = 2.2, columns = 11, rows = 12, drag = 4, collide_with = hero,
            pins = { pin(0, 'left_shoulder', 0.12), pin(0.5, 'neck', 0), pin(1, 'right_shoulder', -0.12) } }
        rope { from = vector.create(-0.9, 1.7, -0.4), to = vector.create(0.9, 1.9, -0.4), length = 2.3, links = 24, drag = 4 }
        hero.machine = machine { state 'rest' {} } camera.frame(hero, { yaw = 205, pitch = 8 })",
    ),
    (
        "light_mist",
        0.5,
        "for i = 1, 5 do character('assets/mannequin.glb', { position = vector.create(i * 0.9 - 2.4, 0, -i * 2.2) }):play('idle', { fade = 0 }) end
        camera.orbit { target = vector.create(0, 1, -2), distance = 7, yaw = 15, pitch = 6, fov = 34 }
        light.rig('overcast') light.fog { density = 0.09, height = 2.5 } light.post_process { auto_exposure = true, contrast = 1.1, temperature = -0.2 }
        light.quality 'low'",
    ),
];

/// Debug views on one sheet, and the shading style "book": the script after `hero` was created.
const VIEWS: [&str; 12] = [
    "camera.frame(hero, { yaw = 25, pitch = 6 }) debug_view('skeleton')",
    "camera.frame(hero, { yaw = 25, pitch = 6 }) debug_view('weights', { legend = false })",
    "camera.frame(hero, { yaw = 25, pitch = 6 }) debug_view('bounds', { legend = false })",
    "face() debug_view('weights', { bone = 'head', legend = false })",
    "face() debug_view('wireframe', { legend = false })",
    "face() debug_view('normals', { vertex_lines = true, legend = false })",
    "face() debug_view('morphs', { morph = 'smile' })",
    "camera.frame(hero, { yaw = 25, pitch = 6 }) debug_view('light', { legend = false })
    for i = 1, 6 do light.point { position = vector.create(i * 0.4 - 1.4, 0.4 * i, 0.8), range = 0.9 } end",
    "face() light.post_process { shading = 'classic' }",
    "camera.frame(hero, { yaw = 25, pitch = 6 }) debug_view('bodies')",
    "camera.frame(hero, { yaw = 115, pitch = 6 }) debug_view('bodies', { legend = false })",
    "camera.frame(hero, { yaw = 205, pitch = 6 }) debug_view('bodies', { legend = false })",
];

/// Shows the face.
const FACE: &str = "local function face() camera.orbit { target = hero.position + vector.create(0, 1.5, 0), distance = 1.3, yaw = 25, pitch = 4, fov = 28 } end\n";

fn draw(
    folder: &Folder,
    seconds: f64,
    script: &str,
    camera: &mut Option<HeadlessCamera>,
) -> Picture {
    draw_sized(folder, seconds, script, camera, (480, 320))
}

fn draw_sized(
    folder: &Folder,
    seconds: f64,
    script: &str,
    camera: &mut Option<HeadlessCamera>,
    size: (u32, u32),
) -> Picture {
    let text = format!("local hero = character 'assets/mannequin.glb'\n{script}\n");
    folder.write("scripts/main.lua", text);
    let mut session = open(folder);
    let errors: Vec<&str> = session.diagnostics.errors().collect();
    assert!(errors.is_empty(), "{errors:?}");
    if camera.is_none() {
        *camera = HeadlessCamera::new(&mut session).ok();
    }
    advance_to(&mut session, seconds);
    let camera = camera.as_mut().unwrap();
    camera.picture(&mut session, seconds, size).unwrap()
}

fn flip(a: &Picture, b: &Picture) -> f32 {
    difference(a, b).expect("one size").mean
}

#[test]
fn pictures_equal_the_reviewed_ones() {
    if !looked_at::can_compare() {
        return;
    }
    let folder = Folder::project("golden", "");
    let mut camera = None;
    let mut wrong: Vec<String> = Vec::new();
    let mut drawn: Vec<Picture> = Vec::new();
    for (name, seconds, script) in PICTURES {
        let picture = draw(&folder, seconds, script, &mut camera);
        wrong.extend(looked_at::compare(name, &picture).err());
        drawn.push(picture);
    }
    let sheet: Vec<Picture> = VIEWS
        .iter()
        .map(|script| {
            let script = format!("{FACE}hero:play('walk', {{ mode = 'loop', fade = 0 }}) {script}");
            draw_sized(&folder, 0.3, &script, &mut camera, (256, 192))
        })
        .collect();
    wrong.extend(looked_at::compare("views", &looked_at::side_by_side(&sheet, 3)).err());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The metric distinguishes two moments of one walk.
    assert!(flip(&drawn[1], &drawn[3]) > 3.0 * SAME_PICTURE);
}
