//! Playback: rules of docs/rows.md, tested from a script and from the stage.

use std::path::Path;
use std::sync::Arc;

use galatea::app::Session;
use galatea::asset::Project;
use galatea::stage::{Frame, SoundOrder};
use glam::{Affine3A, Quat, Vec3};

use crate::common::Bench;
use crate::sessions;
use galatea_character::Character;

fn all(bench: &Bench) -> Vec<&Character> {
    bench.stage.characters.iter().map(|(_, c)| c).collect()
}

fn first(bench: &Bench) -> &Character {
    bench.stage.characters.iter().next().unwrap().1
}

/// Rotation of `upper` about z in radians; the post's own clips move only this bone.
fn lean(character: &Character) -> f32 {
    character.posed.pose.locals[1].rotation.to_scaled_axis().z
}

/// Error bound of a packed rotation: 0.1 mm at three centimetres from the bone.
const PACKED: f32 = 1e-4 / 0.03;

fn without_faults(bench: &mut Bench) {
    let faults = bench.host.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn place_turn_size_shape_and_a_number_move_together_between_the_same_two_keys() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "all" {
            bones = { upper = {
                position = { { 0, 0, 1, 0 }, { 2, 1, 3, 0 } },
                rotation = { { 0, 0, 0, 0 }, { 2, 0, 0, 80 } },
                scale = { { 0, 1 }, { 2, 3 } },
            } },
            morphs = { smile = { { 0, 0 }, { 2, 1 } } },
            curves = { red = { { 0, 0.25 }, { 2, 0.75 } } },
        })
        hero:play("all", { fade = 0 })
    "#,
    );
    for (seconds, u) in [(0.5, 0.25), (1.0, 0.75)] {
        bench.run(seconds);
        let pose = &first(&bench).posed.pose;
        let upper = pose.locals[1];
        let place = Vec3::new(u, 1.0 + 2.0 * u, 0.0);
        assert!(upper.translation.abs_diff_eq(place, 1e-4), "{upper:?}");
        let turn = Quat::from_rotation_z((80.0 * u).to_radians());
        assert!(upper.rotation.angle_between(turn) < PACKED, "{upper:?}");
        let size = Vec3::splat(1.0 + 2.0 * u);
        assert!(upper.scale.abs_diff_eq(size, 5e-3), "{upper:?}");
        assert!((pose.morphs[0] - u).abs() < 1e-3, "{:?}", pose.morphs);
        assert!((pose.curves[0] - 0.25 - 0.5 * u).abs() < 1e-3);
    }
}

#[test]
fn an_action_can_override_the_end_mode_of_its_clip() {
    let mut bench = Bench::new(
        r#"
        local plays = {}
        for _, mode in { "own", "once", "loop", "pingpong" } do
            local hero = character "post.glb"
            hero:add_clip(clip "c" { mode = "pingpong", curves = { u = { { 0, 0 }, { 1, 1 } } } })
            table.insert(plays, hero:play("c", { fade = 0, mode = if mode == "own" then nil else mode }))
        end
        local n = 0
        function update()
            n += 1
            if n == 76 then
                for _, p in plays do print(p.time and string.format("%.2f", p.time), p:end_reason()) end
            end
        end
    "#,
    );
    bench.run(1.3);
    let want = ["0.75\tnil", "nil\tend", "0.25\tnil", "0.75\tnil"];
    assert_eq!(bench.printed(), want);
}

#[test]
fn a_character_lists_its_clips_with_their_lengths_and_those_added_to_it() {
    let bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "bow" { duration = 1.5, curves = { u = { { 0, 0 } } } })
        local list = {}
        for name, seconds in hero:clips() do table.insert(list, name .. " " .. seconds) end
        table.sort(list)
        print(table.concat(list, ", "))
    "#,
    );
    assert_eq!(
        bench.printed(),
        ["bow 1.5, idle 2, jump 0.5, run 0.5, walk 1"]
    );
}

#[test]
fn every_tick_ends_with_matrices_of_the_pose_that_this_tick_made() {
    let mut bench = Bench::new(
        "character('post.glb'):play('run', { fade = 0, mode = 'loop', start_time = 0 })",
    );
    for tick in 1..=14 {
        bench.run(1.0 / 60.0);
        let hero = first(&bench);
        // From 0.8 radians on one side to the other in a quarter of a second.
        let want = -0.8 + 1.6 * 4.0 * tick as f32 / 60.0;
        assert!((lean(hero) - want).abs() < 2.0 * PACKED, "tick {tick}");
        let bones = hero.definition.model.skeleton.bones();
        let mut matrices: Vec<Affine3A> = Vec::new();
        for (bone, local) in bones.iter().zip(&hero.posed.pose.locals) {
            let parent = bone.parent.map(|parent| matrices[usize::from(parent)]);
            matrices.push(parent.unwrap_or_default() * local.to_affine());
        }
        for (ours, want) in hero.posed.model_from_bone.iter().zip(&matrices) {
            assert!(ours.abs_diff_eq(*want, 1e-6), "tick {tick}");
        }
        let skin = &hero.definition.model.skins[0];
        for (i, joint) in skin.joints.iter().enumerate() {
            let bind = Affine3A::from_mat4(skin.inverse_bind[i]);
            let want = matrices[usize::from(*joint)] * bind;
            assert!(
                hero.skin.palette[0][i].abs_diff_eq(want, 1e-6),
                "tick {tick}"
            );
        }
    }
}

#[test]
fn characters_of_one_model_keep_their_own_time_and_share_the_rest() {
    let mut bench = Bench::new(
        "character('post.glb'):play('walk', { mode = 'loop', fade = 0 })
        character('post.glb'):play('walk', { mode = 'loop', fade = 0, start_time = 0.25, speed = 2 })
        character('post.glb'):play('jump', { mode = 'loop', fade = 0 })",
    );
    bench.run(0.1);
    let all = all(&bench);
    // 1.6 radians in half a second, from the clip's start, and at double speed from 0.25 s; and 2 in 0.25 s.
    for (hero, want) in all.iter().zip([-0.4 + 0.16, -0.4 + 0.72, -1.0 + 0.8]) {
        assert!((lean(hero) - want).abs() < 2.0 * PACKED, "{}", lean(hero));
        assert!(Arc::ptr_eq(&hero.definition, &all[0].definition));
    }
}

#[test]
fn each_instance_has_its_own_pose_and_one_placement() {
    let mut bench = Bench::new(
        "character('post.glb', { position = vector.create(3, 0, -1), yaw = 40 }):play('walk', { mode = 'loop', fade = 0 })
        character('post.glb', { position = vector.create(-2, 1, 4), scale = 2 }):play('walk', { mode = 'loop', fade = 0 })
        character('post.glb'):play('run', { mode = 'loop', fade = 0 })",
    );
    bench.run(0.2);
    let mut frame = Frame::default();
    bench.stage.snapshot(1.0, &mut frame);
    let all = all(&bench);
    assert_eq!(frame.models.len(), all.len());
    let palette = |i: usize| {
        let start = frame.models[i].palette_start as usize;
        &frame.palette[start..start + all[i].skin.palette[0].len()]
    };
    for (i, (drawn, hero)) in frame.models.iter().zip(&all).enumerate() {
        assert!(Arc::ptr_eq(&drawn.model, &frame.models[0].model));
        assert_eq!(drawn.world_from_model, hero.placement.to_affine());
        assert_eq!(palette(i), hero.skin.palette[0]);
    }
    // World positions are not part of it: the same time of the same clip gives the same palette.
    assert_eq!(palette(0), palette(1));
    assert_ne!(palette(0), palette(2));
}

#[test]
fn bones_are_drawn_at_their_animated_positions_on_request() {
    let mut bench = Bench::new(
        r#"
        local hero = character("post.glb", { position = vector.create(2, 0, 0), yaw = 90 })
        hero:add_clip(clip "lift" { mode = "loop", bones = { upper = { position = { { 0, 0, 1, 0 }, { 1, 0, 1, 1 } } } } })
        hero:play("lift", { fade = 0 })
        local n = 0
        function update()
            n += 1
            show_bones(n > 15 and n <= 45)
        end
    "#,
    );
    let mut frame = Frame::default();
    let mut lines = |bench: &Bench| {
        bench.stage.snapshot(1.0, &mut frame);
        frame.lines.clone()
    };
    bench.run(0.25);
    assert!(lines(&bench).is_empty());
    for seconds in [0.5, 0.75] {
        bench.run(0.25);
        let lines = lines(&bench);
        // One for each bone except the root. With yaw 90, forward is +X.
        assert_eq!(lines.len(), 3);
        let tip = Vec3::new(2.0 + seconds, 1.0, 0.0);
        assert!(lines[0].to.abs_diff_eq(tip, 1e-3), "{lines:?}");
        assert!(lines[0].from.abs_diff_eq(Vec3::X * 2.0, 1e-6));
    }
    bench.run(0.25);
    assert!(lines(&bench).is_empty());
}

#[test]
fn walk_and_run_go_round_and_a_sneeze_stops_at_its_end() {
    // The lengths of figure 5.1 in Character Animation with Direct3D (Granberg 2009).
    let mut bench = Bench::new(
        r#"
        local function begin(name, seconds, mode)
            local hero = character "post.glb"
            hero:add_clip(clip(name) { mode = mode, curves = { u = { { 0, 0 }, { seconds, 1 } } } })
            return hero:play(name, { fade = 0, on_end = function(why) print(name, why, string.format("%.3f", now())) end })
        end
        local plays = { begin("walk_2", 2.5, "loop"), begin("run_2", 1.5, "loop"), begin("sneeze", 1, "once") }
        local n = 0
        function update()
            n += 1
            if n == 241 then
                for _, p in plays do print(p.loop_count, p.time and string.format("%.3f", p.time), p:end_reason()) end
            end
        end
    "#,
    );
    bench.run(4.1);
    let want = [
        "sneeze\tend\t1.000",
        "1\t1.500\tnil",
        "2\t1.000\tnil",
        "nil\tnil\tend",
    ];
    assert_eq!(bench.printed(), want);
}

#[test]
fn a_layer_is_left_out_beyond_its_distance_from_the_camera() {
    for (metres, share) in [(19.9, 1.0), (21.0, 0.5), (22.1, 0.0)] {
        let mut bench = Bench::new(&format!(
            "hero = character 'post.glb'
            hero.machine = machine {{
                layer 'body' {{ state 'rest' {{}} }},
                layer 'top' {{ max_distance = 20, state 'jump' {{ 'jump', mode = 'once' }} }},
            }}
            camera.orbit {{ target = vector.create(0, 0, 0), distance = {metres}, yaw = 30, pitch = 20 }}"
        ));
        bench.run(0.6);
        // The clip's last key leans by a radian; the rest pose does not lean.
        let hero = first(&bench);
        assert!(
            (lean(hero) + share).abs() < 1e-3,
            "{metres} m: {}",
            lean(hero)
        );
    }
}

#[test]
fn an_action_overrides_only_the_bones_that_it_animates() {
    let script = |play: &str| {
        format!(
            r#"
            local hero = character "post.glb"
            hero:add_clip(clip "kick" {{ mode = "loop", bones = {{ foot_l = {{ position = {{ {{ 0, 0, 0.5, 0 }} }} }} }}, duration = 1 }})
            hero.machine = machine {{ state "walk" {{ "walk" }} }}
            {play}
            "#
        )
    };
    let mut alone = Bench::new(&script(""));
    let mut kicking = Bench::new(&script("hero:play('kick', { fade = 0 })"));
    for _ in 0..10 {
        alone.run(4.0 / 60.0);
        kicking.run(4.0 / 60.0);
        let (below, both) = (
            &first(&alone).posed.pose.locals,
            &first(&kicking).posed.pose.locals,
        );
        assert_eq!(both[1], below[1]);
        assert_ne!(both[1].rotation, Quat::IDENTITY);
        assert_eq!(both[2].translation, Vec3::Y * 0.5);
    }
}

#[test]
fn restarted_actions_and_machines_begin_at_zero() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        local function fresh()
            return machine { state "idle" { "idle" }, state "walk" { "walk" },
                transition_to "walk" { from = "idle", on = "go", fade = 0.2 } }
        end
        local function show(p)
            print(hero.machine:state(), string.format("%.2f", hero.machine:time_in_state()), string.format("%.2f", p.time))
        end
        hero.machine = fresh()
        local p = hero:play("idle", { fade = 0, start_time = 1, mode = "loop" })
        local n = 0
        function update()
            n += 1
            if n == 10 then hero.machine:send "go" end
            if n == 40 then
                show(p)
                p = hero:play("idle", { fade = 0, mode = "loop" })
                hero.machine = fresh()
                show(p)
            end
        end
    "#,
    );
    bench.run(1.0);
    assert_eq!(bench.printed(), ["walk\t0.50\t1.65", "idle\t0.00\t0.00"]);
    without_faults(&mut bench);
}

#[test]
fn of_a_loaded_file_only_packed_clips_are_left() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let project = Project::viewer(&file, None, &[]).unwrap();
    let session = Session::open(project, sessions::silent()).unwrap();
    let hero = session.stage.characters.iter().next().unwrap().1;
    let authored = galatea::asset::gltf::load(&file).unwrap().clips;
    assert!(hero.definition.model.clips.is_empty(), "no keys to reach");
    let clips: Vec<_> = hero.definition.clips.iter().collect();
    assert_eq!(clips.len(), authored.len());
    for (clip, was) in clips.iter().zip(&authored) {
        assert_eq!((&clip.name, clip.duration), (&was.name, was.duration));
        assert!(clip.bytes() > 0 && clip.n_frames() > 1);
    }
}

#[test]
fn markers_of_a_clip_in_ticks_are_crossed_at_their_seconds() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "c" { ticks_per_second = 500, curves = { u = { { 0, 0 }, { 2000, 1 } } }, markers = { { 1250, "hit" } } })
        local c = hero:clip "c"
        print(c.duration, c.markers[1].time)
        hero:on("hit", function(e) print(string.format("%.4f", e.time)) end)
        hero:play("c", { fade = 0 })
    "#,
    );
    bench.run(4.1);
    assert_eq!(bench.printed(), ["4\t2.5", "2.5000"]);
}

#[test]
fn a_step_sound_depends_on_the_surface_under_the_foot() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        ground.patch { position = vector.create(0, 0, 5), size = vector.create(2, 0, 2), surface = "grass" }
        hero:play("walk", { mode = "loop", fade = 0 })
        hero:on("step", function(e) sound.play("step_" .. e.surface, { position = e.position }) end)
        function update() hero.position = vector.create(0, 0, if now() < 0.5 then 0 else 5) end
    "#,
    );
    bench.run(1.0);
    without_faults(&mut bench);
    let heard: Vec<(String, Option<f32>)> = (bench.stage.audio.orders.iter())
        .filter_map(|order| match order {
            SoundOrder::Play(cue) => Some((cue.sound.to_string(), cue.position.map(|p| p.z))),
            _ => None,
        })
        .collect();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].0.starts_with("step_stone") && heard[0].1 == Some(0.0));
    assert!(heard[1].0.starts_with("step_grass") && heard[1].1 == Some(5.0));
}

#[test]
fn the_weight_of_a_play_can_be_set_while_it_plays_and_fades_are_a_factor_on_it() {
    let mut bench = Bench::new(
        r#"
        hero = character "post.glb"
        hero:add_clip(clip "grin" { duration = 1, morphs = { smile = { { 0, 1 } } } })
        p = hero:play("grin", { fade = 0.2, mode = "loop" })
        local n = 0
        function update()
            n += 1
            if n == 1 then p.weight = 0.5 end
            if n == 13 then assert(p.weight == 0.5) p.weight = 0.25 assert(p.weight == 0.25) end
            if n == 19 then p.weight = 7 assert(p.weight == 1) p.weight = -7 assert(p.weight == 0) end
            if n == 25 then p.weight = 0.8 p:stop(0.2) end
            if n == 31 then p.weight = 0.4 assert(p.weight == nil, "it is over") end
        end
    "#,
    );
    let mut shown = |ticks: usize| {
        bench.run(ticks as f64 / 60.0);
        without_faults(&mut bench);
        first(&bench).posed.pose.morphs[0]
    };
    let near = |got: f32, want: f32| assert!((got - want).abs() < 1e-3, "{got} {want}");
    // Halfway through the fade-in, and at its end.
    near(shown(6), 0.5 * 0.5);
    near(shown(6), 0.5);
    // Immediately.
    near(shown(1), 0.25);
    near(shown(6), 0.0);
    // Halfway through the fade-out, from a weight in the middle.
    near(shown(11), 0.8 * 0.5);
    near(
        shown(1),
        0.4 * (1.0 - 7.0 / 12.0 * 7.0 / 12.0 * (3.0 - 14.0 / 12.0)),
    );
    near(shown(6), 0.0);
    let fault = Bench::empty().fault("character('post.glb'):play('walk').weight = 'much'");
    assert!(fault.text.contains("weight: expected a number"), "{fault}");
}
