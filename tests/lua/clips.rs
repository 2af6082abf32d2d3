//! Clips in scripts: created in Lua, inspected, played with masks, added and mirrored.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::common::Bench;
use galatea_character::Character;

fn first(bench: &Bench) -> &Character {
    bench.stage.characters.iter().next().unwrap().1
}

/// A clip from Character Animation with Direct3D (Granberg 2009, chapter 4): 500 ticks a second, back and forth, keys
/// of position and scale.
const BOOK: &str = r#"
hero = character "post.glb"
book = clip "AnimationSet1" {
    ticks_per_second = 500, mode = "pingpong",
    bones = { upper = {
        position = { { 0, 0.2, 0.3, 0 }, { 1000, 0.8, 0.5, 0 }, { 2000, 0.4, 0.8, 0 } },
        scale = { { 500, 1 }, { 1500, 4 } },
    } },
}
hero:add_clip(book)
"#;

#[test]
fn the_books_clip_made_in_code_is_sampled_at_any_time_and_has_no_rotation() {
    let mut bench = Bench::new(&format!(
        "{BOOK}
        local c = hero:clip 'AnimationSet1'
        print(c.duration, c.source, c.bytes > 0, c.root_translation == nil)
        for _, tick in {{ 0, 500, 1000, 1250, 1500, 2000, 9000 }} do
            local u = c:sample(tick / 500).upper
            local r = u.quaternion
            print(tick, string.format('%.3f %.3f %.3f | %.3f %.3f %.3f', u.position.x, u.position.y,
                u.position.z, u.scale.x, u.scale.y, u.scale.z), r[1], r[2], r[3], r[4])
        end"
    ));
    let want = [
        "4\tscript\ttrue\ttrue",
        "0\t0.200 0.300 0.000 | 1.000 1.000 1.000\t0\t0\t0\t1",
        "500\t0.500 0.400 0.000 | 1.000 1.000 1.000\t0\t0\t0\t1",
        "1000\t0.800 0.500 0.000 | 2.500 2.500 2.500\t0\t0\t0\t1",
        "1250\t0.700 0.575 0.000 | 3.250 3.250 3.250\t0\t0\t0\t1",
        "1500\t0.600 0.650 0.000 | 4.000 4.000 4.000\t0\t0\t0\t1",
        "2000\t0.400 0.800 0.000 | 4.000 4.000 4.000\t0\t0\t0\t1",
        "9000\t0.400 0.800 0.000 | 4.000 4.000 4.000\t0\t0\t0\t1",
    ];
    assert_eq!(bench.printed(), want);
    bench.run(0.1);
}

#[test]
fn a_clip_added_at_run_time_plays_to_and_fro_by_its_own_mode() {
    let mut bench = Bench::new(&format!(
        "{BOOK} p = hero:play('AnimationSet1', {{ fade = 0 }})"
    ));
    bench.run(2.0);
    let place = |bench: &Bench| first(bench).posed.pose.locals[1].translation;
    let (there, want) = (place(&bench), Vec3::new(0.8, 0.5, 0.0));
    assert!(there.abs_diff_eq(want, 1e-3), "{there}");
    // Four seconds forward, two back.
    bench.run(4.0);
    let there = place(&bench);
    assert!(there.abs_diff_eq(want, 1e-3), "{there}");
    assert_eq!(first(&bench).playback.actions.len(), 1);
}

#[test]
fn an_added_clip_belongs_to_one_character_and_the_rest_stays_shared() {
    let bench = Bench::new(
        r#"
        local a, b, c = character "post.glb", character "post.glb", character "post.glb"
        local shine = clip "shine" { curves = { glow = { { 0, 0 }, { 1, 1 } } } }
        local bow = clip "bow" { bones = { upper = { rotation = { { 0, 0, 0, 0 }, { 1, 40, 0, 0 } } } } }
        a:add_clip(bow) b:add_clip(bow) a:add_clip(shine) b:add_clip(shine)
        print(pcall(function() c:play "bow" end))
        print(pcall(function() a:add_clip(bow) end))
    "#,
    );
    let all: Vec<&Character> = bench.stage.characters.iter().map(|(_, c)| c).collect();
    assert!(Arc::ptr_eq(&all[0].definition, &all[1].definition));
    assert_eq!(
        all[2].definition.clips.len() + 2,
        all[0].definition.clips.len()
    );
    assert!(Arc::ptr_eq(
        &all[0].definition.model,
        &all[2].definition.model
    ));
    let walk = |c: &Character| c.definition.clips.clip(1).unwrap().clone();
    assert!(Arc::ptr_eq(&walk(all[0]), &walk(all[2])));
    assert_eq!(all[2].definition.clips.curve_names().len(), 0);
    let printed = bench.printed();
    assert!(
        printed[0].contains("the model \"post\" has no clip \"bow\""),
        "{printed:?}"
    );
    assert!(
        printed[1].contains("post already has a clip \"bow\", from script"),
        "{printed:?}"
    );
}

#[test]
fn a_curve_that_steps_steps_at_its_key_and_one_that_does_not_goes_evenly() {
    let mut bench = Bench::new(
        r#"
        hero = character "post.glb"
        hero:add_clip(clip "close" { curves = {
            lock = { { 0, 2 }, { 0.51, 4 }, { 1, 4 }, interpolation = "step" },
            glow = { { 0, 0 }, { 1, 1 } },
        } })
        local n = 0
        function update()
            n += 1
            if n == 2 then hero:play("close", { fade = 0 }) end
            if n > 31 and n < 35 then print(n, hero:curve "lock", hero:curve "glow") end
        end
    "#,
    );
    bench.run(0.7);
    let mut last = 0.0;
    for line in bench.printed() {
        let words: Vec<f32> = line
            .split_whitespace()
            .map(|w| w.parse().unwrap())
            .collect();
        let [_, lock, glow] = words[..] else {
            panic!("{line}");
        };
        assert_eq!(lock, if glow < 0.51 { 2.0 } else { 4.0 }, "{line}");
        assert!(glow > last);
        last = glow;
    }
    assert!((0.51..0.56).contains(&last), "{last}");
}

#[test]
fn machines_play_added_clips_also_after_a_reload() {
    let script = |turn: &str| {
        format!(
            r#"
        hero = character "post.glb"
        hero:add_clip(clip "nod" {{
            bones = {{ upper = {{ rotation = {{ {{ 0, 0, 0, 0 }}, {{ 2, {turn}, 0, 0 }} }} }} }},
            markers = {{ {{ 1.5, "nodded", how = "deep" }} }},
        }})
        hero:add_clip(clip "sway" {{ bones = {{ root = {{ position = {{ {{ 0, 1, 0, 0 }} }} }} }}, duration = 9 }})
        hero.machine = machine {{ state "nod" {{ "nod", mode = "once" }} }}
        hero:on("nodded", {{ all_clips = true }}, function(e) print(e.name, e.clip, e.how, string.format("%.3f", e.time)) end)
        if not rawget(_G, 'again') then again = true hero:play("sway", {{ fade = 0 }}) end
    "#
        )
    };
    let mut bench = Bench::new(&script("40"));
    bench.run(1.0);
    let angle = |bench: &Bench| {
        first(bench).posed.pose.locals[1]
            .rotation
            .to_scaled_axis()
            .x
            .to_degrees()
    };
    assert!((angle(&bench) - 20.0).abs() < 0.02, "{}", angle(&bench));
    bench
        .load(&script("80").replace("if not rawget(_G, 'again')", "if false"))
        .unwrap();
    // The pose blends to the new clip, which is close to the current pose.
    assert!((angle(&bench) - 20.0).abs() < 0.02, "{}", angle(&bench));
    bench.run(0.3);
    assert!((angle(&bench) - 52.0).abs() < 0.02, "{}", angle(&bench));
    let hero = first(&bench);
    assert_eq!(hero.playback.actions.len(), 1, "the action continues");
    assert_eq!(hero.posed.pose.locals[0].translation, Vec3::X);
    bench.run(0.7);
    // The action covers it, so that only listeners to all events receive its marker.
    assert_eq!(bench.printed(), ["nodded\tnod\tdeep\t1.500"]);
}

#[test]
fn errors_in_clips_are_reported_with_positions() {
    let mut bench = Bench::empty();
    for (code, want) in [
        (
            "clip 'a' { bone = {} }",
            "unknown field \"bone\"; did you mean \"bones\"?",
        ),
        (
            "clip 'a' { bones = { upper = { rotation = { { 0, 1, 2 } } } } }",
            "clip \"a\": upper: rotation: expected a key { time, x, y, z }",
        ),
        (
            "clip 'a' { bones = { upper = { rotation = { { 0, 0, 0, 0, 0 } } } } }",
            "a quaternion must not be zero",
        ),
        (
            "clip 'a' { curves = { glow = { { 1, 0 }, { 1, 1 } } } }",
            "curves: glow: the times of keys must increase",
        ),
        (
            "clip 'a' { curves = { glow = {} } }",
            "curves: glow: expected keys",
        ),
        (
            "clip 'a' { curves = { glow = { { 601, 0 } } } }",
            "the time must be 0 to 600 s, got 601 s",
        ),
        (
            "clip 'a' { duration = 1, curves = { glow = { { 2, 0 } } } }",
            "the duration is 1 s, but there is a key or marker at 2 s",
        ),
        (
            "clip 'a' { ticks_per_second = 0 }",
            "\"ticks_per_second\" must be more than 0",
        ),
        (
            "clip 'a' { markers = { { 1 } } }",
            "markers: expected { time, \"name\"",
        ),
        (
            "hero:add_clip(clip 'a' { bones = { uper = {} } })",
            "add_clip: the model \"post\" has no bone \"uper\"; did you mean \"upper\"?",
        ),
        (
            "hero:add_clip(clip 'a' { morphs = { smil = { { 0, 1 } } } })",
            "the model \"post\" has no morph target \"smil\"; did you mean \"smile\"?",
        ),
        (
            "hero:clip 'wolk'",
            "the model \"post\" has no clip \"wolk\"; did you mean \"walk\"?",
        ),
        (
            "hero:add_clip(clip 'a' { curves = { glow = { { 0, 1 } } } }) hero:curve 'glov'",
            "no curve \"glov\"; did you mean \"glow\"?",
        ),
        (
            "hero:play('walk', { mask = 'uper' })",
            "play: mask: the model \"post\" has no bone \"uper\"; did you mean \"upper\"?",
        ),
        (
            "hero:play('walk', { mask = 'upper_body' })",
            "its skeleton is not humanoid",
        ),
        (
            "character('post.glb', { clips = { prefix = 'a' } })",
            "belongs in the table of a file",
        ),
        (
            "character('post.glb', { clips = { [2] = 'moves.glb' } })",
            "expected a list of files without gaps",
        ),
        (
            "character('post.glb', { clips = { { 'a.bvh', prefx = 'a' } } })",
            "a.bvh: unknown field \"prefx\"; did you mean \"prefix\"?",
        ),
        (
            "character 'post.glb' { clips = 'a.bvh' }",
            "clips must be inside the parentheses",
        ),
    ] {
        let fault = bench.fault(&format!("local hero = character 'post.glb'\n{code}"));
        assert_eq!(fault.line, Some(2), "{code}: {fault:?}");
        assert!(fault.text.contains(want), "{code}: {}", fault.text);
    }
}

#[test]
fn steps_hold_and_splines_pass_through_their_keys_level_at_both_ends() {
    let bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "c" {
            interpolation = "cubic", space = "rest",
            bones = { upper = { position = { { 0, 0, 0, 0 }, { 1, 1, 0, 0 }, { 2, 0, 0, 0 } } } },
            curves = { lamp = { interpolation = "step", { 0, 0 }, { 1, 5 } }, s = { { 0, 0 }, { 1, 2 } } },
        })
        local c = hero:clip "c"
        for _, t in { 0, 0.001, 0.5, 1, 1.999 } do
            print(string.format("%.3f %.0f %.3f", c:sample(t).upper.position.x, c:curve("lamp", t), c:curve("s", t)))
        end
        print(c:sample(1).upper.position.y)
    "#,
    );
    // Flat tangents at the ends and, in the middle, the slope between the neighbours, which is 0.
    let want = [
        "0.000 0 0.000",
        "0.000 0 0.000",
        "0.500 0 1.000",
        "1.000 5 2.000",
        "0.000 5 2.000",
        "1",
    ];
    assert_eq!(bench.printed(), want);
}

#[test]
fn curves_are_blended_like_bones_and_die_away_in_inertial_fades() {
    let script = r#"
        hero = character "post.glb"
        local function flat(name, value)
            hero:add_clip(clip(name) { duration = 1, curves = { glow = { { 0, value }, { 1, value } } } })
        end
        flat("dark", 1) flat("bright", 5)
        hero.machine = machine { params = { x = 0 },
            state "mixed" { blend1d { param = "x", { 0, "dark" }, { 1, "bright" } } },
            state "dark" { "dark" },
            transition_to "dark" { on = "dim", fade = inertial(0.5) } }
        function show() print(string.format("%.3f", hero:curve("glow"))) end
        n = 0
        function update()
            hero.machine.params.x = 0.25
            n += 1
            if n == 10 then show() hero:play("bright", { fade = 0, weight = 0.5, mode = "loop" }) end
            if n == 20 then show() hero:play("bright", { fade = 0 }):stop(0) end
            if n == 30 then show() hero.machine:send("dim") end
            if n == 31 or n == 45 or n == 70 then show() end
        end
    "#;
    let mut bench = Bench::new(script);
    bench.run(1.5);
    let values: Vec<f32> = bench.printed().iter().map(|v| v.parse().unwrap()).collect();
    assert_eq!(values[..3], [2.0, 3.5, 2.0], "{values:?}");
    // From 2 to 1 without a jump, and then exactly 1.
    assert!((values[3] - 2.0).abs() < 0.02, "{values:?}");
    assert!(values[4] > 1.05 && values[4] < 1.95, "{values:?}");
    assert_eq!(values[5], 1.0);
}

#[test]
fn actions_have_weighted_bone_masks_like_layers() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "shift" { bones = {
            root = { position = { { 0, 1, 0, 0 } } }, upper = { position = { { 0, 1, 0, 0 } } },
            foot_l = { position = { { 0, 1, 0, 0 } } } }, duration = 1, mode = "loop" })
        hero:play("shift", { fade = 0, mask = { "foot_l", upper = 0.25 } })
    "#,
    );
    bench.run(0.1);
    let at = |bone: usize| first(&bench).posed.pose.locals[bone].translation;
    assert_eq!([at(0), at(2)], [Vec3::ZERO, Vec3::X]);
    assert!(
        at(1).abs_diff_eq(Vec3::new(0.25, 0.75, 0.0), 1e-6),
        "{}",
        at(1)
    );
}

#[test]
fn the_narrowest_name_of_a_mask_counts() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "shift" { bones = {
            root = { position = { { 0, 1, 0, 0 } } }, foot_l = { position = { { 0, 1, 0, 0 } } } }, duration = 1, mode = "loop" })
        hero:play("shift", { fade = 0, mask = { foot_l = 1, root = 0.5 } })
    "#,
    );
    bench.run(0.1);
    let at = |bone: usize| first(&bench).posed.pose.locals[bone].translation;
    assert_eq!([at(0), at(2)], [Vec3::X * 0.5, Vec3::X]);
}

#[test]
fn an_additive_play_adds_its_difference_and_covers_nothing() {
    let recoil = |additive: &str| {
        let mut bench = Bench::new(&format!(
            r#"
            local hero = character "post.glb"
            hero:add_clip(clip "base" {{ duration = 1, mode = "loop", bones = {{ upper = {{ rotation = {{ {{ 0, 0, 0, 30 }} }} }} }}, curves = {{ glow = {{ {{ 0, 1 }} }} }} }})
            hero:add_clip(clip "recoil" {{ mode = "loop", bones = {{ upper = {{ rotation = {{ {{ 0, 10, 0, 0 }}, {{ 2, 30, 0, 0 }} }} }} }}, curves = {{ glow = {{ {{ 0, 2 }}, {{ 2, 4 }} }} }} }})
            hero:play("base", {{ fade = 0 }})
            hero:play("recoil", {{ fade = 0, additive = {additive} }})
        "#
        ));
        bench.run(1.0);
        assert_eq!(
            first(&bench).playback.actions.len(),
            2,
            "neither interrupts the other"
        );
        let pose = &first(&bench).posed.pose;
        (pose.locals[1].rotation, pose.curves[0])
    };
    let turned =
        |x: f32| Quat::from_rotation_z(30f32.to_radians()) * Quat::from_rotation_x(x.to_radians());
    let (rotation, glow) = recoil("true");
    assert!(rotation.abs_diff_eq(turned(10.0), 1e-3), "{rotation}");
    assert!((glow - 2.0).abs() < 1e-3, "{glow}");
    let (rotation, glow) = recoil("'rest'");
    assert!(rotation.abs_diff_eq(turned(20.0), 1e-3), "{rotation}");
    assert!((glow - 4.0).abs() < 1e-3, "{glow}");
}

#[test]
fn a_mirrored_play_moves_the_other_side_and_leaves_this_one_alone() {
    let mut bench = Bench::new(
        r#"
        local hero = character "post.glb"
        hero:add_clip(clip "step" { duration = 1, mode = "loop",
            bones = { foot_l = { position = { { 0, 0.25, 0.5, 0 } } } },
            curves = { lock_l = { { 0, 1 } }, lock_r = { { 0, 0 } } } })
        hero:add_clip(clip "other" { duration = 1, mode = "loop", bones = { foot_l = { position = { { 0, 0, 0.125, 0 } } } } })
        hero:play("other", { fade = 0, mask = "foot_l" })
        hero:play("step", { fade = 0, mirror = true })
        function update() l, r = hero:curve("lock_l"), hero:curve("lock_r") end
        function show() print(l, r) end
    "#,
    );
    bench.run(0.1);
    let hero = first(&bench);
    let feet = [
        hero.posed.pose.locals[2].translation,
        hero.posed.pose.locals[3].translation,
    ];
    assert_eq!(
        feet,
        [Vec3::new(0.0, 0.125, 0.0), Vec3::new(-0.25, 0.5, 0.0)]
    );
    assert_eq!(hero.definition.clips.curve_names(), ["lock_l", "lock_r"]);
    assert_eq!(hero.posed.pose.curves, [0.0, 1.0]);
}
