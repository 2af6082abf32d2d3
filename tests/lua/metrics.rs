//! Motion meters, and warped root motion, on the built-in character.

use std::path::Path;
use std::sync::Arc;

use galatea::anim::root_motion::{RootTrack, find_root_bone};
use galatea::asset::{Model, gltf};
use galatea::character::{EdgeReport, TransitionLimits, test_transitions};
use galatea::script::HostOptions;
use glam::Vec3;

use crate::common::Bench;
use galatea_character::Character;

/// Galatea with a clip `go`: her walk with root motion at the speed of its feet, 1.4 m/s.
fn galatea() -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let mut model = gltf::load(&file).unwrap();
    let walk = model.clips.iter().find(|clip| clip.name == "walk").unwrap();
    let bone = find_root_bone(&model.skeleton, walk).unwrap();
    let track = RootTrack::even(bone, walk.duration, Vec3::Z * 1.4);
    let mut go = track.restore(&model.skeleton, walk);
    go.name = "go".into();
    model.clips.push(Arc::new(go));
    model
}

fn bench(script: &str) -> Bench {
    let mut bench = Bench::with_model(HostOptions::default(), galatea());
    let main = format!("hero = character(\"post.glb\")\n{script}");
    if let Err(error) = bench.load(&main) {
        panic!("the script does not load: {error:?}");
    }
    bench
}

fn hero(bench: &Bench) -> &Character {
    bench.stage.characters.iter().next().unwrap().1
}

fn peak(bench: &Bench, meter: &str) -> f32 {
    let meters = hero(bench).metrics.as_ref().unwrap();
    meters.reading(meter).unwrap().peak
}

/// A machine that plays a clip while a script moves her at a speed.
fn walked_at(speed: f32) -> Bench {
    bench(&format!(
        r#"
hero.machine = machine {{ state "walk" {{ "walk" }} }}
hero:reset_metrics()
function update(dt) hero.position += vector.create(0, 0, {speed} * dt) end
"#
    ))
}

#[test]
fn a_walk_carried_at_its_own_speed_does_not_slide_and_at_another_it_does() {
    let mut good = walked_at(1.4);
    good.run(3.0);
    let own = peak(&good, "foot_slide");
    assert!(own < 0.02, "{own}");
    assert!(peak(&good, "pop") < 1.5, "{}", peak(&good, "pop"));
    assert!(peak(&good, "root_drift") < 0.01);
    let mut fast = walked_at(2.0);
    fast.run(3.0);
    let slid = peak(&fast, "foot_slide");
    assert!(slid > 0.15, "{slid}");
    let mut still = walked_at(0.0);
    still.run(3.0);
    assert!(peak(&still, "foot_slide") > 0.4);
}

/// Plays a loop for three seconds and returns the drift of its hips.
fn drift_of(play: &str) -> f32 {
    let mut bench = bench(&format!("hero:reset_metrics()\nhero:play({play})"));
    bench.run(3.0);
    peak(&bench, "root_drift")
}

#[test]
fn a_mirrored_play_is_measured_by_its_mirrored_clip() {
    let straight = drift_of(r#""walk", { mode = "loop", fade = 0 }"#);
    let mirrored = drift_of(r#""walk", { mode = "loop", fade = 0, mirror = true }"#);
    assert!(straight < 1e-4, "{straight}");
    assert!(mirrored < 1e-4, "{mirrored}");
}

#[test]
fn an_additive_layer_moves_the_hips_by_its_difference() {
    for additive in ["true", "\"rest\""] {
        let mut bench = bench(&format!(
            r#"
hero.machine = machine {{ state "idle" {{ "idle" }} }}
hero:reset_metrics()
hero:play("crouch_down", {{ additive = {additive}, fade = 0, weight = 0.5 }})
"#
        ));
        bench.run(1.0);
        let drift = peak(&bench, "root_drift");
        assert!(drift < 0.005, "{additive}: {drift}");
    }
}

#[test]
fn metrics_are_off_until_enabled_and_readable_from_lua() {
    let mut bench = bench("");
    bench.run(0.5);
    assert!(hero(&bench).metrics.is_none());
    let mut bench = walked_at(2.0);
    bench.run(2.0);
    let slid = peak(&bench, "foot_slide");
    let mut asked = walked_at(2.0);
    asked
        .load(
            r#"
hero = character("post.glb")
hero.machine = machine { state "walk" { "walk" } }
hero:reset_metrics()
local n = 0
function update(dt)
	n += 1
	hero.position += vector.create(0, 0, 2 * dt)
	if n == 121 then
		print(hero:metric("foot_slide"), hero:metrics().pop < 2, hero:metrics().last_tick.root_drift < 0.01)
		hero:reset_metrics()
		print(hero:metric("foot_slide"))
	end
end
"#,
        )
        .unwrap();
    asked.run(2.1);
    let printed = asked.printed();
    let words: Vec<&str> = printed[0].split_whitespace().collect();
    let told: f32 = words[0].parse().unwrap();
    assert!((told - slid).abs() < 0.02, "{told} {slid}");
    assert_eq!(words[1..], ["true", "true"]);
    assert_eq!(printed[1].trim(), "0");
}

#[test]
fn foot_slide_is_that_of_the_last_tick_and_zero_while_standing() {
    let mut bench = bench(
        r#"
hero.machine = machine { state "idle" { "idle" } }
local n = 0
function update(dt)
	n += 1
	if n > 30 and n <= 60 then hero.position += vector.create(0, 0, 0.005) end
	local slid = hero:metrics()
	if n == 60 or n == 90 then print(slid.last_tick.foot_slide, slid.foot_slide) end
end
"#,
    );
    bench.run(1.6);
    let read = |line: &String| -> Vec<f32> {
        let words = line.split_whitespace();
        words.map(|word| word.parse().unwrap()).collect()
    };
    let printed: Vec<Vec<f32>> = bench.printed().iter().map(read).collect();
    let [going, standing] = &printed[..] else {
        panic!("{printed:?}");
    };
    assert!((going[0] - 0.005).abs() < 1e-3, "{printed:?}");
    assert!(standing[0] < 1e-3, "{printed:?}");
    assert!(going[1] > 0.1 && standing[1] >= going[1], "{printed:?}");
}

#[test]
fn a_cut_pops_but_a_fade_or_a_teleport_does_not() {
    let change = |fade: &str| {
        let mut bench = bench(&format!(
            r#"
hero.machine = machine {{
	state "idle" {{ "idle" }},
	state "run" {{ "run" }},
	transition_to "run" {{ from = "idle", on = "go", {fade} }},
}}
hero:reset_metrics()
local t = 0
function update(dt)
	t += dt
	if t > 1 then hero.machine:send("go") end
end
"#
        ));
        bench.run(1.6);
        peak(&bench, "pop")
    };
    let [cut, faded, inertial] = ["fade = 0", "fade = 0.3", "fade = inertial(0.3)"].map(change);
    assert!(
        cut > 4.0 && faded < 2.0 && inertial < 2.0,
        "{cut} {faded} {inertial}"
    );
    let mut bench = bench(
        r#"
hero:reset_metrics()
local t = 0
function update(dt)
	t += dt
	if t > 1 then hero.position = vector.create(50 * math.floor(t), 0, 3) end
end
"#,
    );
    bench.run(4.0);
    assert!(peak(&bench, "pop") < 1.5);
    assert!(peak(&bench, "foot_slide") < 0.02);
}

#[test]
fn a_travelling_clip_drifts_off_unless_its_travel_moves_the_character() {
    let drift = |root_motion: bool| {
        let mut bench = bench(&format!(
            r#"
hero.machine = machine {{ state "go" {{ "go", root_motion = {root_motion} }} }}
hero:reset_metrics()
"#
        ));
        bench.run(0.8);
        (
            peak(&bench, "root_drift"),
            hero(&bench).placement.position.z,
        )
    };
    let (drifted, z) = drift(false);
    assert!(drifted > 0.8 && z == 0.0, "{drifted} {z}");
    let (drifted, z) = drift(true);
    assert!(
        drifted < 0.005 && (z - 0.8 * 1.4).abs() < 0.02,
        "{drifted} {z}"
    );
}

#[test]
fn too_many_markers_in_a_step_of_a_machine_are_in_the_event_log() {
    let mut bench = bench(
        r#"
for i = 1, 400 do hero:add_marker("walk", i * 0.002, "tick") end
hero.machine = machine { params = { fast = 1 }, state "walk" { "walk", speed = "fast" } }
hero:event_log()
local t = 0
function update(dt)
	t += dt
	hero.machine.params.fast = if t > 0.5 then 1000 else 1
	if t > 0.6 then
		for _, e in hero:event_log() do
			if e.reason == "flood" then print(e.clip, e.source, e.state, e.occurrences > 0) return end
		end
	end
end
"#,
    );
    bench.run(0.7);
    assert_eq!(bench.printed()[0].trim(), "walk\tmachine\twalk\ttrue");
}

#[test]
fn a_warped_character_arrives_at_the_millimetre_and_the_tenth_of_a_degree() {
    for (to, yaw, within) in [
        (Vec3::new(1.0, 0.0, 1.2), 60.0, 1.0),
        (Vec3::new(-0.4, 0.2, 2.5), -120.0, 1.37),
        (Vec3::new(0.2, 0.0, -0.3), 0.0, 0.7),
    ] {
        let mut bench = bench(&format!(
            r#"
hero.machine = machine {{
	state "idle" {{ "idle" }},
	state "go" {{ "go", root_motion = true }},
	transition_to "go" {{ from = "idle", on = "go", fade = 0.2 }},
}}
local t, done = 0, false
hero:on("warp_end", function(e)
	print(e.reason, vector.magnitude(hero.position - vector.create({}, {}, {})), hero.yaw - ({yaw}), t)
end)
function update(dt)
	if not done then
		done = true
		hero.machine:send("go")
		hero:motion_warp {{ position = vector.create({}, {}, {}), yaw = {yaw}, duration = {within} }}
	end
	t += dt
	if hero.is_warping and t > 0.5 then assert(vector.magnitude(hero.root_motion.translation) < 0.2) end
end
"#,
            to.x, to.y, to.z, to.x, to.y, to.z
        ));
        bench.run(2.0);
        let printed = bench.printed();
        assert_eq!(printed.len(), 1, "{printed:?}");
        let words: Vec<&str> = printed[0].split_whitespace().collect();
        let number = |i: usize| words[i].parse::<f32>().unwrap();
        assert_eq!(words[0], "arrived");
        assert!(number(1) < 1e-3 && number(2).abs() < 0.1, "{printed:?}");
        assert!((number(3) - within).abs() < 0.02, "{printed:?}");
    }
}

#[test]
fn a_pushed_character_still_arrives_and_without_root_motion_the_warp_is_missed() {
    let run = |entered: &str, push: &str| {
        let mut bench = bench(&format!(
            r#"
hero.machine = machine {{
	state "idle" {{ "idle" }},
	state "go" {{ "go", root_motion = true }},
	transition_to "go" {{ from = "idle", on = "go", fade = 0.2 }},
}}
local n = 0
hero:on("warp_end", function(e)
	print(e.reason, vector.magnitude(hero.position - vector.create(0.5, 0, 1.5)))
end)
function update(dt)
	n += 1
	if n == 1 then
		{entered}
		hero:motion_warp {{ position = vector.create(0.5, 0, 1.5), duration = 1 }}
	end
	{push}
end
"#
        ));
        bench.run(1.5);
        bench.printed().join("\n")
    };
    let pushed = run(
        "hero.machine:send(\"go\")",
        "if n == 30 then hero.position += vector.create(0.3, 0, 0) end",
    );
    let words: Vec<&str> = pushed.split_whitespace().collect();
    assert_eq!(words[0], "arrived");
    assert!(words[1].parse::<f32>().unwrap() < 1e-3, "{pushed}");
    assert!(run("", "").starts_with("missed"));
}

#[test]
fn root_motion_applied_by_a_script_gives_the_same_path() {
    let end = |script: &str| {
        let mut bench = bench(&format!(
            "hero.yaw = 30\nhero.machine = machine {{ state \"go\" {{ \"go\", root_motion = true }} }}\n{script}"
        ));
        bench.run(1.0);
        hero(&bench).placement.position
    };
    let by_itself = end("");
    assert!((by_itself.length() - 1.4).abs() < 0.03);
    assert_eq!(end("hero.apply_root_motion = false"), Vec3::ZERO);
    // A script receives the travel of a tick in the next tick.
    let applied = end(
        "hero.apply_root_motion = false\nfunction update() hero.position += hero.root_motion.translation hero.yaw += hero.root_motion.yaw end",
    );
    let behind = by_itself.distance(applied);
    assert!((behind - 1.4 / 60.0).abs() < 2e-3, "{behind}");
}

/// Position of a bone in the character's space, and its direction.
fn seen(bench: &Bench, bone: &str) -> (Vec3, Vec3) {
    let character = hero(bench);
    let bone = character.definition.model.skeleton.find(bone).unwrap();
    let matrix = character.posed.model_from_bone[usize::from(bone)];
    (matrix.translation.into(), matrix.transform_vector3(Vec3::Z))
}

#[test]
fn legs_follow_the_direction_and_the_upper_body_faces_ahead() {
    for (degrees, backwards) in [(45.0_f32, false), (-70.0, false), (150.0, true)] {
        let script = |turn: &str| {
            format!(
                r#"
hero.machine = machine {{ params = {{ way = {degrees} }}, state "go" {{ "go", root_motion = true{turn} }} }}
"#
            )
        };
        let (mut plain, mut turned) = (
            bench(&script("")),
            bench(&script(", orient_param = \"way\"")),
        );
        plain.run(1.5);
        turned.run(1.5);
        let start = hero(&turned).placement.position;
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let heading = |v: Vec3| v.x.atan2(v.z);
        for _ in 0..120 {
            plain.run(1.0 / 60.0);
            turned.run(1.0 / 60.0);
            if !backwards {
                // The rotation of the head itself is the same as without.
                let (one, other) = (seen(&plain, "head").1, seen(&turned, "head").1);
                let off = (heading(one) - heading(other)).to_degrees();
                assert!(off.abs() < 1.0, "{degrees}: {off}");
            }
            let (foot, _) = seen(&turned, "left_foot");
            if foot.z < low.z {
                low = foot;
            }
            if foot.z > high.z {
                high = foot;
            }
        }
        let gone = hero(&turned).placement.position - start;
        let off = (heading(gone).to_degrees() - degrees + 180.0).rem_euclid(360.0) - 180.0;
        assert!(off.abs() < 1.0, "{degrees}: {off} off the path");
        assert!((gone.length() - 2.8).abs() < 0.05, "{gone}");
        // A stride is along the path, whichever foot is in front.
        let stride = heading(high - low).to_degrees() - degrees;
        let stride = (stride + 90.0).rem_euclid(180.0) - 90.0;
        assert!(
            stride.abs() < 8.0,
            "{degrees}: strides {stride} off the path"
        );
        assert_eq!(hero(&turned).placement.yaw, 0.0);
    }
}

fn edges(transitions: &str) -> Vec<EdgeReport> {
    let bench = bench(&format!(
        r#"
hero:add_marker("jump", 0.9, "late")
hero.machine = machine {{
	state "idle" {{ "idle" }},
	state "run" {{ "run" }},
	state "jump" {{ "jump", mode = "once" }},
	{transitions}
}}
"#
    ));
    test_transitions(hero(&bench)).edges
}

#[test]
fn a_cut_between_distant_poses_is_reported_and_a_fade_is_not() {
    let limits = TransitionLimits::default();
    let cut = edges("transition_to \"run\" { from = \"idle\", on = \"x\", fade = 0 },");
    let [cut] = &cut[..] else { panic!("{cut:?}") };
    assert!(cut.pop > 4.0, "{cut:?}");
    let line = &cut.faults(&limits)[0];
    assert!(line.starts_with("scripts/main.lua:"), "{line}");
    assert!(
        line.contains(": idle -> run: pop of ") && line.ends_with("(limit 2)"),
        "{line}"
    );
    for fade in ["0.3", "inertial(0.3)"] {
        let soft = edges(&format!(
            "transition_to \"run\" {{ from = \"idle\", on = \"x\", fade = {fade} }},"
        ));
        assert!(soft[0].pop < 2.0, "{fade}: {soft:?}");
    }
}

#[test]
fn a_marker_that_a_transition_cuts_off_is_lost_and_one_below_another_clip_is_suppressed() {
    let early = edges("transition_to \"idle\" { from = \"jump\", min_time = 0.1, fade = 0.2 },");
    assert!(
        early[0].lost.contains(&"late of jump".to_owned()),
        "{early:?}"
    );
    let faults = early[0].faults(&TransitionLimits::default());
    assert!(
        faults.iter().any(|line| line
            .contains(": markers lost, because the clip is left before them: ")
            && line.ends_with("late of jump")),
        "{faults:?}"
    );
    let below = edges("transition_to \"idle\" { from = \"jump\", at_end = true, fade = 0.9 },");
    assert!(below[0].lost.is_empty(), "{below:?}");
    let faults = below[0].faults(&TransitionLimits::default());
    assert!(
        faults.iter().any(|line| line
            .ends_with(": markers suppressed (lower_weight): land of jump, late of jump")),
        "{faults:?}"
    );
    let done = edges("transition_to \"idle\" { from = \"jump\", at_end = true, fade = 0 },");
    assert!(done[0].lost.is_empty(), "{done:?}");
}

#[test]
fn a_transition_test_is_repeatable_and_does_not_change_the_character() {
    let bench = bench(
        "hero.machine = machine { state \"idle\" { \"idle\" }, state \"run\" { \"run\" }, transition_to \"run\" { on = \"x\", fade = 0.1 }, transition_to \"idle\" { on = \"y\", fade = 0.1 } }",
    );
    let before = hero(&bench).playback.machine.clone();
    let once = test_transitions(hero(&bench));
    assert_eq!(once, test_transitions(hero(&bench)));
    assert_eq!(once.edges.len(), 4);
    assert_eq!(before, hero(&bench).playback.machine);
}

#[test]
fn lua_tests_compare_metrics_with_a_limit_without_enabling_them_first() {
    let run = |speed: f32| {
        let mut bench = Bench::with_model(HostOptions::default(), galatea());
        bench.write(
            "tests/walk.lua",
            &format!(
                r#"
test("walks", function(t)
	local hero = t:character("post.glb")
	hero.machine = machine {{ state "walk" {{ "walk" }} }}
	for _ = 1, 120 do
		hero.position += vector.create(0, 0, {speed} / 60)
		t:run(1 / 60)
	end
	t:expect_metric(hero, "pop", 2)
	t:expect_metric(hero, "foot_slide", 0.02)
end)
"#
            ),
        );
        let names = bench.host.load_tests(&mut bench.stage, "tests/walk.lua");
        assert_eq!(names.unwrap(), ["walks"]);
        bench.host.run_test(&mut bench.stage, 0, &mut ())
    };
    assert_eq!(run(1.4), Ok(()));
    let text = run(2.0).unwrap_err().text;
    assert!(
        text.contains("expected the metric \"foot_slide\" to be at most 0.02, but it is 0."),
        "{text}"
    );
}

#[test]
fn a_body_without_legs_cannot_orient_and_a_warp_needs_a_time_and_an_aim() {
    let fault = |script: &str| {
        let main = format!("hero = character(\"post.glb\")\n{script}");
        Bench::empty().fault(&main).text
    };
    let idle = "hero.machine = machine { params = { way = 0 }, state \"idle\" { \"idle\"";
    let text = fault(&format!("{idle}, orient_param = \"way\" }} }}"));
    assert!(text.contains("cannot use `orient_param`"), "{text}");
    let text = fault(&format!("{idle} }} }} hero:motion_warp {{ duration = 1 }}"));
    assert!(text.contains("position, yaw or both"), "{text}");
    let text = fault(&format!(
        "{idle} }} }} hero:motion_warp {{ yaw = 1, duration = 0 }}"
    ));
    assert!(text.contains("duration must be more than 0"), "{text}");
}
