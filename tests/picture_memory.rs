//! Memory must not grow over many pictures of one scene, even if shader inputs change with each picture: Mesa's software
//! driver caches a shader for every value of a uniform that alone selects a branch.
#![cfg(target_os = "linux")]

mod driver;
mod sessions;

use std::fs;
use std::path::Path;

use galatea::app::headless::{HeadlessCamera, advance_to};
use galatea::asset::Project;

/// A figure of marble that becomes skin after three seconds, one of skin, one of bronze.
const SCRIPT: &str = r#"
local function one(x, stone)
	local who = character("assets/mannequin.glb", { position = vector.create(x, 0, 0) })
	who:play("idle", { mode = "loop" })
	for _, name in who:materials() do
		who:material(name).thickness = stone
	end
	return who
end
local statue = one(0, 1)
for _, name in statue:materials() do
	statue:material(name):fade { thickness = 0.01, duration = 3 }
end
one(-1, 0)
one(1, 2)
-- Her skin folds, more and less.
local hero = character("assets/galatea.glb", { position = vector.create(0, 0, 2) })
function update()
	local weight = 0.5 + 0.5 * math.sin(now() * 7)
	hero.face:set("browInnerUp", weight)
	hero.face:set("mouthSmileLeft", 1 - weight)
end
camera.orbit { target = vector.create(0, 1, 0), distance = 4 }
"#;

/// Memory of the process, bytes.
fn held() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = text.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

#[test]
fn pictures_of_a_running_scene_need_no_more_memory() {
    if driver::gpu().is_none() {
        return;
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("picture_memory");
    fs::create_dir_all(folder.join("scripts")).unwrap();
    fs::create_dir_all(folder.join("assets")).unwrap();
    fs::write(folder.join("scripts/main.lua"), SCRIPT).unwrap();
    for model in ["assets/mannequin.glb", "assets/galatea.glb"] {
        fs::copy(home.join(model), folder.join(model)).unwrap();
    }
    let mut session = sessions::open(Project::open(&folder).unwrap());
    let mut camera = HeadlessCamera::new(&mut session).unwrap();
    let mut draw = |i: u32| {
        let time = 0.1 * f64::from(i);
        advance_to(&mut session, time);
        camera.picture(&mut session, time, (160, 90)).unwrap();
        let errors: Vec<&str> = session.diagnostics.errors().collect();
        assert!(errors.is_empty(), "{errors:?}");
    };
    // All pipelines and buffers exist after the first one.
    (1..10).for_each(&mut draw);
    let before = held();
    (10..26).for_each(&mut draw);
    let grown = held().saturating_sub(before) >> 20;
    println!("{grown} MiB");
    assert!(grown < 100, "sixteen pictures took {grown} MiB");
}
