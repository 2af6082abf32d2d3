//! Vertical movement of the body on slopes.

use std::path::Path;

use super::{FOX, OURS, corpus, ours, play};

/// A slope of 20 degrees, 10 m long, starting at z = 1, up it and down again.
const HILL: &str = "local rise = math.tan(math.rad(20))
    physics.terrain { position = v(0, 0, 6), size = v(10, 1, 10), columns = 11, rows = 11, heights = function(x, z) return (z + 5) * rise end }
    ROUND = { v(0, 0, 8), v(0, 0, -1) }";

/// Vertical range of the hips on the slope, relative to level ground, upwards and downwards, metres.
fn bobs(name: &str, model: &Path, head: &str, hips: &str, seconds: f32) -> [f32; 2] {
    let script = format!("local v = vector.create\nlocal ROUND, EACH, STEPPED\n{head}{HILL}");
    let mut session = play(name, model, &script);
    let mut ranges = [[f32::MAX, f32::MIN]; 2];
    let mut before = f32::MAX;
    for _ in 0..(seconds * 60.0) as u32 {
        session.tick();
        let all = session.stage.characters.iter();
        let hero = all
            .map(|(_, one)| one)
            .find(|one| one.modifiers.modifier_stack.is_some());
        let hero = hero.unwrap();
        let bone = hero.definition.bone(hips).unwrap();
        let (place, z) = (hero.posed.bone_position(bone), hero.placement.position.z);
        let speed = (z - before) * 60.0;
        before = z;
        if (3.0..6.5).contains(&z) && speed.abs() > 0.5 {
            let over = place.y - (place.z - 1.0) * 20_f32.to_radians().tan();
            let range = &mut ranges[usize::from(speed < 0.0)];
            *range = [range[0].min(over), range[1].max(over)];
        }
    }
    let bobs = ranges.map(|[low, high]| high - low);
    println!("{name}: {bobs:.3?}");
    bobs
}

#[test]
fn hips_go_over_a_slope_nearly_as_level_as_over_level_ground() {
    let [up, down] = bobs("ours_hill", &ours(), OURS, "hips", 16.0);
    // It is 0.04 on level ground.
    assert!((0.03..0.065).contains(&up), "{up} m");
    assert!((0.03..0.085).contains(&down), "{down} m");
}

#[test]
fn hips_of_a_fox_go_over_a_slope_as_level_too() {
    let Some(model) = corpus("khronos-samples-via-bevy/animated/Fox.glb") else {
        return;
    };
    let [up, down] = bobs("fox_hill", &model, FOX, "b_Hip_01", 28.0);
    // It is 0.016 on level ground.
    assert!((0.01..0.025).contains(&up), "{up} m");
    assert!((0.01..0.035).contains(&down), "{down} m");
}
