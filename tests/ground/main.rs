//! Feet on rough ground: sliding of planted feet, distance of soles from the ground, and speed of knees.

mod hills;
mod land;

use std::fs;
use std::path::{Path, PathBuf};

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;
use galatea::physics::Filter;
use galatea::rig::foot_ik::Leg;
use galatea::stage::owner;
use galatea_character::Character;
use glam::Vec3;

/// Shared script of every scene: a character walks to the positions of `ROUND` one after another.
const WALKS: &str = include_str!("walks.txt");

fn play(name: &str, model: &Path, script: &str) -> Session {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ground_{name}"));
    for folder in ["scripts", "assets"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    fs::copy(model, home.join("assets/hero.glb")).unwrap();
    land::write(&home.join("assets"));
    fs::write(home.join("scripts/main.lua"), format!("{script}\n{WALKS}")).unwrap();
    galatea::install();
    let options = SessionOptions {
        sound: SoundOutput::Silent,
        watch: false,
        quiet: true,
        wait: true,
    };
    let mut session = Session::open(Project::open(&home).unwrap(), options).unwrap();
    session.diagnostics.silence();
    session
}

fn ours() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb")
}

/// A model of the corpus, if it is available.
fn corpus(file: &str) -> Option<PathBuf> {
    let home = std::env::var_os("GALATEA_CORPUS")?;
    let path = Path::new(&home).join("01_characters").join(file);
    path.exists().then_some(path)
}

/// Largest errors of a walk.
#[derive(Debug, Default)]
struct Worst {
    /// Movement of a planted foot relative to the ground, metres.
    slide: f32,
    /// Distance of the planted end of a sole below and above the ground, metres.
    deep: f32,
    high: f32,
    /// Rotation speed of a knee, degrees per second.
    knee: f32,
    /// Vertical speed of the hips, metres per second.
    hips: f32,
    /// Number of ticks with planted feet.
    n_held: usize,
    /// Distance that the character walked, metres.
    way: f32,
}

struct Held {
    from: Vec3,
    ticks: u32,
}

fn walk(session: &mut Session, seconds: f32) -> Worst {
    let mut worst = Worst::default();
    let mut held: Vec<Option<Held>> = Vec::new();
    let mut knees: Vec<f32> = Vec::new();
    let mut before: Option<(Vec3, f32)> = None;
    for tick in 0..(seconds * 60.0) as u32 {
        session.tick();
        let errors: Vec<&str> = session.diagnostics.errors().collect();
        assert!(errors.is_empty(), "{errors:?}");
        let all: Vec<_> = session.stage.characters.iter().collect();
        let found = all
            .iter()
            .find(|(_, one)| one.modifiers.modifier_stack.is_some());
        let (handle, hero) = *found.unwrap();
        let without = [owner(handle)];
        let filter = Filter {
            exclude: &without,
            ..Filter::default()
        };
        let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
        let rig = stack.standing().unwrap().rig.clone().unwrap();
        held.resize_with(rig.legs.len(), || None);
        knees.resize(rig.legs.len(), f32::NAN);
        let place = hero.placement.position;
        let hips = hero.posed.bone_position(rig.body).y;
        if let Some((was, height)) = before.replace((place, hips)) {
            worst.way += (place - was).with_y(0.0).length();
            if tick > 60 {
                worst.hips = worst.hips.max((hips - height).abs() * 60.0);
            }
        }
        for (i, leg) in rig.legs.iter().enumerate() {
            let [hip, knee, ankle] = [leg.limb.upper, leg.limb.lower, leg.limb.end]
                .map(|bone| hero.posed.bone_position(bone));
            let angle = (hip - knee).angle_between(ankle - knee).to_degrees();
            let turned = (angle - knees[i]).abs() * 60.0;
            knees[i] = angle;
            if tick > 60 {
                worst.knee = worst.knee.max(turned);
            }
            let end = stack.locked_foot(leg.limb.end).flatten();
            let Some((end, on)) = end else {
                held[i] = None;
                continue;
            };
            let at = foot(hero, leg.limb.end).transform_point3(end);
            let inside = on.inverse().transform_point3(at);
            let since = held[i].get_or_insert(Held {
                from: inside,
                ticks: 0,
            });
            since.ticks += 1;
            // A foot comes to rest within a twentieth of a second.
            if since.ticks < 6 || tick < 60 {
                since.from = inside;
                continue;
            }
            worst.n_held += 1;
            let slide = (inside - since.from).with_y(0.0).length();
            let up = Vec3::Y * 0.5;
            let ground = session
                .stage
                .physics
                .world
                .ray(at + up, -Vec3::Y, 2.0, &filter);
            let over = at.y - ground.map_or(0.0, |hit| hit.position.y);
            worst.slide = worst.slide.max(slide);
            worst.deep = worst.deep.max(-over);
            worst.high = worst.high.max(over);
        }
    }
    worst
}

fn foot(hero: &Character, bone: u16) -> glam::Affine3A {
    hero.posed.world[0] * hero.posed.model_from_bone[usize::from(bone)]
}

fn judge(name: &str, model: &Path, script: &str, seconds: f32, least: f32) -> Worst {
    let worst = walk(&mut play(name, model, script), seconds);
    println!("{name}: {worst:.4?}");
    assert!(worst.way > least, "{name} came {} m", worst.way);
    worst
}

const OURS: &str = "local MODEL = { walk = 'walk', stand = 'idle', pace = 1.4 }\n";
const FOX: &str =
    "local MODEL = { walk = 'Walk', stand = 'Survey', pace = 0.75, scale = 0.008, rise = 0.08 }\n";
const MANNEQUIN: &str =
    "local MODEL = { walk = 'run_root.001', stand = 'idle_root.001', pace = 3.2 }\n";

const RUBBLE: &str = include_str!("rubble.txt");
const LEVEL: &str = "ROUND = { v(0, 0, 4), v(0, 0, -4) }";
const STAIRS: &str =
    "physics.stairs { position = v(0, 0, 1), steps = 8, step_height = MODEL.rise or 0.17, step_depth = 0.3, width = 3 }
    physics.box { position = v(0, 4 * (MODEL.rise or 0.17), 4.4), size = v(3, 8 * (MODEL.rise or 0.17), 2) }
    ROUND = { v(0, 0, 4.6), v(0, 0, -0.5) }";
const SLOPE: &str = "local rise = math.tan(math.rad(20))
    physics.terrain { position = v(0, 0, 6), size = v(10, 1, 10), columns = 11, rows = 11, heights = function(x, z) return (z + 5) * rise end }
    ROUND = { v(0, 0, 6), v(3, 0, 6), v(-3, 0, 6), v(0, 0, -1) }";
const CARRIED: &str = "local disc = physics.cylinder { position = v(0, 0.1, 0), radius = 3, height = 0.2, body_type = 'kinematic' }
    EACH = function() disc.yaw = now() * 20 disc.position = v(0.5 * math.sin(now()), 0.1 + 0.1 * math.sin(1.3 * now()), 0) end
    ROUND = { v(1, 0, 1), v(-1, 0, 1), v(-1, 0, -1), v(1, 0, -1) }";

/// Limits: slide in metres, distance of a sole from the ground in metres, degrees per second of a knee.
fn scenes(who: &str, model: &Path, head: &str, [slide, sole, knee]: [f32; 3]) {
    let mut wrong = Vec::new();
    for (scene, script, seconds, least) in [
        ("level", LEVEL, 8.0, 3.0),
        ("rubble", RUBBLE, 16.0, 6.0),
        ("stairs", STAIRS, 14.0, 6.0),
        ("slope", SLOPE, 18.0, 8.0),
        ("carried", CARRIED, 8.0, 3.0),
    ] {
        let head = format!("local v = vector.create\nlocal ROUND, EACH, STEPPED\n{head}");
        let name = format!("{who}_{scene}");
        let worst = judge(&name, model, &format!("{head}{script}"), seconds, least);
        let soles = worst.deep.max(worst.high);
        if !(worst.slide < slide && soles < sole && worst.knee < knee) {
            wrong.push(format!("{name}: {worst:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn planted_feet_stay_in_place_on_rough_ground() {
    scenes("ours", &ours(), OURS, [0.01, 0.01, 1550.0]);
}

#[test]
fn a_fox_does() {
    let Some(model) = corpus("khronos-samples-via-bevy/animated/Fox.glb") else {
        return;
    };
    scenes("fox", &model, FOX, [0.01, 0.01, 2100.0]);
}

#[test]
fn a_mannequin_that_runs_does() {
    let Some(model) = corpus("godot-demo-projects/ragdoll_physics/characters/mannequiny.glb")
    else {
        return;
    };
    // At the seam of its clip a foot moves 0.29 m in one tick, on level ground as well.
    scenes("mannequin", &model, MANNEQUIN, [0.01, 0.01, 3300.0]);
}

/// Position of a foot in its character's space, metres, and its heading, degrees.
fn stance(hero: &Character, leg: &Leg) -> (Vec3, f32) {
    let foot = hero.posed.model_from_bone[usize::from(leg.limb.end)];
    let [heel, ball] = [leg.heel, leg.ball].map(|place| foot.transform_point3(place));
    let way = ball - heel;
    (ball.with_y(0.0), way.x.atan2(way.z).to_degrees())
}

#[test]
fn stopping_does_not_sink_the_hips_and_brings_the_feet_under_the_body() {
    let round = "local v = vector.create\nlocal EACH, STEPPED\n\
        local MODEL = { walk = 'walk', stand = 'idle', pace = 1.4, rest = 2, fade = inertial(0.3) }\n\
        local ROUND = { v(0, 0, 3), v(2.5, 0, 3), v(2.5, 0, 1), v(0, 0, 0) }";
    let mut session = play("stops", &ours(), round);
    let mut begun: Vec<(Vec3, f32)> = Vec::new();
    let (mut walks, mut stops) = (f32::MAX, f32::MAX);
    let (mut rests, mut n_rests) = (0, 0);
    let mut before = Vec3::ZERO;
    let (mut sinks, mut hips_before) = (0.0_f32, 0.0);
    for tick in 0..900 {
        session.tick();
        let found = session.stage.characters.iter().next().unwrap().1;
        let rig = found
            .modifiers
            .modifier_stack
            .as_ref()
            .unwrap()
            .standing()
            .unwrap();
        let rig = rig.rig.clone().unwrap();
        let feet: Vec<_> = rig.legs.iter().map(|leg| stance(found, leg)).collect();
        let (place, hips) = (
            found.placement.position,
            found.posed.bone_position(rig.body).y,
        );
        let speed = (place - before).with_y(0.0).length() * 60.0;
        before = place;
        if tick < 20 {
            begun = feet;
            continue;
        }
        if speed > 0.1 {
            walks = walks.min(hips);
            rests = 0;
            continue;
        }
        rests += 1;
        if walks < f32::MAX {
            stops = stops.min(hips);
            if rests > 1 {
                sinks = sinks.max((hips_before - hips) * 60.0);
            }
        }
        hips_before = hips;
        if rests != 90 || tick < 90 {
            continue;
        }
        n_rests += 1;
        for ((now, heading), (was, headed)) in feet.iter().zip(&begun) {
            let (away, turned) = (now.distance(*was), (heading - headed).abs());
            assert!(away < 0.12 * rig.size + 0.005, "{away} m at tick {tick}");
            assert!(turned < 15.0, "{turned} degrees at tick {tick}");
        }
    }
    assert_eq!(n_rests, 3);
    assert!(stops > walks - 0.005, "{stops} against {walks} m");
    // With the rear foot planted until she stood, her hips sank at 1.2 m/s.
    assert!(sinks < 0.7, "hips sink at {sinks} m/s in a stop");
}

/// A model is the ground, and its materials give the footstep sounds.
const LAND: &str = "ground.set { height = -1 }
    local land = character('assets/land.gltf')
    land:collider { surface = 'stone', surfaces = { Lawn = 'grass', Boards = 'wood' } }
    ROUND = { v(0.1, 0, 7), v(1.2, 0, -3) }
    HEARD = {}
    STEPPED = function(e)
        HEARD[e.surface] = (HEARD[e.surface] or 0) + 1
        local z = e.position.z
        local wanted = if z > 5 then 'wood' elseif z > 0 and z < 3 then 'grass' else 'stone'
        local is_edge = math.min(math.abs(z), math.abs(z - 3), math.abs(z - 5)) < 0.01
        if e.surface ~= wanted and not is_edge then error(e.surface .. ' at ' .. z) end
    end
    EACH = function()
        for _, surface in { 'stone', 'grass', 'wood' } do
            if now() > 17.5 and (HEARD[surface] or 0) < 4 then error(surface .. ' is not heard') end
        end
    end";

#[test]
fn our_character_walks_over_a_model_its_slope_and_its_step_and_hears_its_materials() {
    let script =
        format!("local v = vector.create\nlocal ROUND, EACH, STEPPED, HEARD\n{OURS}{LAND}");
    let mut session = play("ours_land", &ours(), &script);
    let worst = walk(&mut session, 18.0);
    println!("land: {worst:.4?}");
    assert!(worst.way > 14.0, "{worst:?}");
    let soles = worst.deep.max(worst.high);
    assert!(worst.slide < 0.01 && soles < 0.01, "{worst:?}");
    assert!(worst.knee < 1200.0, "{worst:?}");
}
