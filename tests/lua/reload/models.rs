//! Hot reloads of a model.

use std::sync::Arc;

use galatea::anim::{Bone, Outcome, Reason, Skeleton};
use galatea::character::EndReason;
use galatea::script::HostOptions;
use galatea::stage::tick;

use super::{faultless, hero, interval, saved, swap, with_clip};
use crate::common::{Bench, HERO, post};

#[test]
fn a_machine_keeps_its_intervals_over_a_model_reload() {
    let script = format!(
        "{HERO}hero.machine = machine {{ state 'a' {{ 'idle' }} }}
        hero:on('*', function(e) print(e.name, e.marker_phase, e.interrupted, string.format('%.2f', e.time)) end)"
    );
    let old = with_clip("idle", |clip| {
        clip.markers = vec![interval(0.2, 0.6, "hold")];
    });
    let mut bench = Bench::with_model(Default::default(), old);
    bench.load(&script).unwrap();
    bench.run(0.4);
    assert_eq!(bench.printed(), ["hold\tbegin\tfalse\t0.20"]);
    // More markers before it, a later end, and another index of the clip.
    let mut new = with_clip("idle", |clip| {
        clip.markers = vec![
            interval(0.05, 0.1, "first"),
            interval(0.3, 0.7, "hold"),
            interval(1.4, 0.1, "last"),
        ];
    });
    new.clips.rotate_left(1);
    swap(&mut bench, new);
    bench.run(1.0);
    assert_eq!(
        bench.printed(),
        ["hold\tend\tfalse\t1.00", "last\tbegin\tfalse\t1.40"]
    );
    faultless(&mut bench);
}

#[test]
fn an_interval_removed_by_a_model_reload_ends_cut_as_reloaded() {
    let script = format!(
        "{HERO}hero.machine = machine {{ state 'a' {{ 'idle' }} }}
        hero:play('walk', {{ mode = 'loop', fade = 0, mask = 'upper' }})
        hero:on('*', function(e) print(e.name, e.clip, e.source, e.state, e.marker_phase, e.interrupted) end)
        function update()
            for _, e in hero:event_log() do
                if e.reason == 'reloaded' then print(e.name, e.clip, e.state, e.outcome) end
            end
        end"
    );
    let held = |name: &str| {
        with_clip(name, |clip| {
            clip.markers = vec![interval(0.2, 0.6, "hold")];
        })
    };
    let mut old = held("idle");
    old.clips[1] = held("walk").clips[1].clone();
    let mut bench = Bench::with_model(Default::default(), old);
    bench.load(&script).unwrap();
    bench.run(0.4);
    assert_eq!(bench.printed().len(), 2);
    swap(&mut bench, post());
    tick(&mut bench.stage, &mut bench.host);
    let mut told = bench.printed();
    told.sort();
    assert_eq!(
        told,
        [
            "hold\tidle\tmachine\ta\tend\ttrue",
            "hold\twalk\tplay\tnil\tend\ttrue"
        ]
    );
    tick(&mut bench.stage, &mut bench.host);
    let mut told = bench.printed();
    told.sort();
    assert_eq!(
        told,
        ["hold\tidle\ta\tinterrupted", "hold\twalk\tnil\tinterrupted"]
    );
    faultless(&mut bench);
}

#[test]
fn a_longer_clip_cuts_its_interval_and_begins_it_again() {
    let long = |seconds: f32| {
        with_clip("idle", |clip| {
            clip.duration = seconds;
            clip.markers = vec![interval(0.2, 0.6, "hold")];
        })
    };
    let mut bench = Bench::with_model(Default::default(), long(2.0));
    bench
        .load(&format!(
            "{HERO}hero.machine = machine {{ state 'a' {{ 'idle' }} }}
            hero:on('*', function(e) print(e.marker_phase, e.interrupted) end)"
        ))
        .unwrap();
    bench.run(0.4);
    swap(&mut bench, long(2.5));
    bench.run(0.6);
    assert_eq!(
        bench.printed(),
        ["begin\tfalse", "end\ttrue", "begin\tfalse", "end\tfalse"]
    );
}

#[test]
fn a_play_of_a_clip_that_a_saved_model_has_no_more_ends_cut_then_done() {
    let mut bench = Bench::new(&format!(
        "{HERO}hero:add_marker('jump', 0.1, 'hit', {{ duration = 0.3 }})
        P = hero:play('jump', {{
            on = {{ hit = function(e) print(e.marker_phase, e.interrupted) end }},
            on_end = function(why) print(why) end,
        }})
        N = 0
        function update() N += 1 if N == 13 then print(P:end_reason()) end end"
    ));
    bench.run(0.2);
    assert_eq!(bench.printed(), ["begin\tfalse"]);
    let mut model = post();
    model.clips.retain(|clip| clip.name != "jump");
    swap(&mut bench, model);
    bench.run(0.2);
    assert_eq!(bench.printed(), ["reloaded", "end\ttrue", "reloaded"]);
    faultless(&mut bench);
}

#[test]
fn an_idle_clip_that_a_saved_model_has_no_more_ends_its_interval() {
    let old = with_clip("idle", |clip| {
        clip.markers = vec![interval(0.2, 0.6, "hold")];
    });
    let mut bench = Bench::with_model(Default::default(), old);
    bench
        .load(&format!(
            "{HERO}hero:on('hold', function(e) print(e.clip, e.marker_phase, e.interrupted) end)"
        ))
        .unwrap();
    bench.run(0.4);
    let mut model = post();
    model.clips.retain(|clip| clip.name != "idle");
    swap(&mut bench, model);
    bench.run(0.1);
    assert_eq!(bench.printed(), ["idle\tbegin\tfalse", "idle\tend\ttrue"]);
}

#[test]
fn a_weight_set_by_name_is_one_for_each_part_however_often_the_model_is_saved() {
    let two = || {
        let mut model = post();
        model.parts.push(model.parts[0].clone());
        model
    };
    let mut bench = Bench::with_model(HostOptions::default(), two());
    bench
        .load(&format!("{HERO}hero:morph('smile', 0.5)"))
        .unwrap();
    for _ in 0..3 {
        swap(&mut bench, two());
        let character = bench.stage.characters.iter().next().unwrap().1;
        assert_eq!(character.posed.morph_overrides, [(0, 0.5), (1, 0.5)]);
    }
}

#[test]
fn a_mask_follows_bone_names_over_a_model_reload() {
    let script = format!("{HERO}hero:play('walk', {{ mode = 'loop', mask = 'upper' }})");
    let mut bench = Bench::new(&script);
    bench.run(0.2);
    let mask = |bench: &Bench| {
        let character = bench.stage.characters.iter().next().unwrap().1;
        let action = &character.playback.actions[0];
        assert_eq!(action.leaving, None::<(f64, EndReason)>);
        action.options.mask.as_ref().unwrap().bones.clone()
    };
    assert_eq!(mask(&bench), [0.0, 1.0, 0.0, 0.0]);
    // The same number of bones in another order.
    let mut model = post();
    let mut bones = model.skeleton.bones().to_vec();
    bones.swap(1, 2);
    model.skeleton = Arc::new(Skeleton::new(bones.clone()).unwrap());
    model.skins[0].joints = vec![0, 2];
    for clip in &mut model.clips {
        Arc::make_mut(clip).bones[0].bone = 2;
    }
    swap(&mut bench, model);
    assert_eq!(mask(&bench), [0.0, 0.0, 1.0, 0.0]);
    bench.run(0.1);
    // One more below it, and one less elsewhere.
    let mut model = post();
    let mut bones = model.skeleton.bones().to_vec();
    bones[2].name = "hat".into();
    bones[2].parent = Some(1);
    bones.push(galatea::anim::Bone {
        name: "tail".into(),
        parent: Some(0),
        ..bones[3].clone()
    });
    model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    swap(&mut bench, model);
    assert_eq!(mask(&bench), [0.0, 1.0, 1.0, 0.0, 0.0]);
    bench.run(0.1);
    faultless(&mut bench);
}

#[test]
fn a_model_reload_emits_nothing_for_fading_actions() {
    let mut bench = Bench::new(&format!(
        "{HERO}hero:add_marker('walk', 0.1, 'I', {{ duration = 0.8 }})
        hero:event_log()
        local p = hero:play('walk', {{ mode = 'loop', fade = 1, on = {{ I = function(e) print(e.marker_phase) end }} }})
        function update() if now() > 0.2 and not p:end_reason() then p:stop() end end"
    ));
    bench.run(0.5);
    assert_eq!(bench.printed(), ["begin", "end"]);
    swap(&mut bench, with_clip("walk", |clip| clip.duration = 0.3));
    bench.run(0.1);
    assert!(bench.printed().is_empty());
    let character = bench.stage.characters.iter().next().unwrap().1;
    let reloaded = character.playback.event_log.counts().of(Reason::Reloaded);
    assert_eq!(reloaded, 0);
    let cut = |e: &&galatea::anim::EventLogEntry| matches!(e.outcome, Outcome::Interrupted(_));
    assert_eq!(character.playback.event_log.iter().filter(cut).count(), 1);
}

#[test]
fn a_model_reload_with_other_steps_keeps_the_clip_time() {
    let steps = |times: &[f32]| {
        with_clip("walk", |clip| {
            clip.markers = times.iter().map(|t| interval(*t, 0.0, "step")).collect();
            clip.markers.push(interval(0.5, 0.0, "M"));
        })
    };
    let mut bench = Bench::with_model(Default::default(), steps(&[0.1, 0.6]));
    bench
        .load(&format!(
            "{HERO}hero.machine = machine {{ state 'a' {{ 'walk' }} }}
            hero:on('*', function(e) print(e.name, string.format('%.2f', e.time)) end)"
        ))
        .unwrap();
    bench.run(0.4);
    assert_eq!(bench.printed(), ["step\t0.10"]);
    swap(&mut bench, steps(&[0.1, 0.3, 0.7, 0.9]));
    bench.run(0.55);
    assert_eq!(bench.printed(), ["M\t0.50", "step\t0.70", "step\t0.90"]);
    faultless(&mut bench);
}

#[test]
fn intervals_of_a_layer_of_weight_zero_end_suppressed_on_replacement() {
    let script =
        "hero:on('*', { all_clips = true }, function(e) if e.name == 'hold' then print(e.marker_phase) end end)
        function update()
            for _, e in hero:event_log() do
                if e.outcome == 'interrupted' then print(e.name, e.reason) end
            end
        end";
    let layers = "hero.machine = machine { params = { w = 0 },
        layer 'body' { state 'a' { 'idle' } },
        layer 'over' { weight = 'w', mask = 'upper', state 'b' { 'run' } } }";
    let held = |t: f32| {
        with_clip("run", |clip| {
            clip.markers = vec![interval(t, 0.15, "hold")];
        })
    };
    let start = || {
        let mut bench = Bench::with_model(Default::default(), held(0.02));
        bench.load(&format!("{HERO}{layers}\n{script}")).unwrap();
        bench.run(0.1);
        bench
    };
    let mut bench = start();
    swap(&mut bench, post());
    bench.run(0.1);
    assert!(bench.printed().is_empty());
    // The interval still exists: its end is not delivered.
    let mut bench = start();
    swap(&mut bench, held(0.03));
    bench.run(0.2);
    assert!(bench.printed().is_empty());
    let mut bench = start();
    let other = layers.replace("'run'", "'jump'");
    bench.load(&format!("{HERO}{other}\n{script}")).unwrap();
    bench.run(0.1);
    assert!(bench.printed().is_empty());
    let other = "local n = 0 local before = update
        function update() n += 1 before()
            if n == 6 then hero.machine = machine { state 'c' { 'idle' } } end
        end";
    let mut bench = start();
    bench
        .load(&format!("{HERO}{layers}\n{script}\n{other}"))
        .unwrap();
    bench.run(0.2);
    assert!(bench.printed().is_empty());
}

#[test]
fn a_label_keeps_its_bone_by_name_or_uses_the_character_position() {
    let label = "local label = ui.text('name', { character = hero, bone = 'upper' })
        function update() print(label.world_position.y) end";
    let mut bench = Bench::new(&format!("{HERO}{label}"));
    let height = |bench: &mut Bench| {
        bench.run(0.1);
        bench.printed().pop().unwrap()
    };
    assert_eq!(height(&mut bench), "1");
    let with_bones = |change: fn(&mut Vec<Bone>)| {
        let mut model = post();
        let mut bones = model.skeleton.bones().to_vec();
        change(&mut bones);
        model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
        model
    };
    swap(&mut bench, with_bones(|bones| bones.swap(1, 2)));
    assert_eq!(height(&mut bench), "1", "it is another bone's number now");
    swap(
        &mut bench,
        with_bones(|bones| bones[1].name = "over".into()),
    );
    assert_eq!(height(&mut bench), "0");
    faultless(&mut bench);
}

#[test]
fn a_marker_can_be_removed_after_its_model_was_saved() {
    let mut bench = Bench::new(&format!(
        "{HERO}local held = hero:add_marker('idle', 0.1, 'I', {{ duration = 1, power = 3 }})
        hero:on('I', function(e) print(e.marker_phase, e.interrupted, e.power) end)
        N = 0
        function update() N += 1 if N == 20 then print(held:remove(), held:remove()) end end"
    ));
    bench.run(0.2);
    let marks = vec![interval(0.02, 0.1, "first"), interval(0.1, 1.0, "I")];
    swap(&mut bench, with_clip("idle", |clip| clip.markers = marks));
    bench.run(0.3);
    let lines = bench.printed();
    assert_eq!(lines.first().unwrap(), "begin\tfalse\t3");
    assert!(lines.contains(&"true\tfalse".into()), "{lines:?}");
    faultless(&mut bench);
}

#[test]
fn a_transition_on_a_marker_is_matched_after_a_model_reload() {
    let script = |more: &str| {
        format!(
            "hero:add_marker('idle', 0.05, 'M')
            hero.machine = machine {{ state 'a' {{ 'idle' }}, state 'b' {{ 'walk' }}, {more}
                transition_to 'b' {{ from = 'a', marker = 'M' }} }}
            function on_reload() print(#hero.machine:transition_history()) end"
        )
    };
    let more = "transition_to 'a' { from = 'b', marker = 'step', priority = 1 },";
    let mut bench = saved(&script(""), 0.1, &script(more));
    assert_eq!(bench.printed(), ["1"]);
    faultless(&mut bench);
    let other = script("").replace("marker = 'M'", "marker = 'step'");
    let other = other.replace(
        "hero:add_marker",
        "hero:add_marker('idle', 0.05, 'step') hero:add_marker",
    );
    let bench = saved(&script(""), 0.1, &other);
    assert_eq!(bench.printed(), ["0"]);
}

#[test]
fn a_reload_keeps_action_weights_and_suppressed_intervals() {
    let bend = "hero:add_clip(clip 'bend' { duration = 1,
        bones = { upper = { rotation = { { 0, 0, 0, 80 } } } } })
        hero:add_marker('bend', 0.05, 'B', { duration = 0.4 })
        hero:on('B', { all_clips = true }, function(e) print(e.marker_phase) end)";
    let old = format!(
        "{bend} local p = hero:play('bend', {{ fade = 0, mode = 'loop' }})
        p.weight = 0
        function update() if now() > 0.2 then p.weight = 0.25 end end"
    );
    let mut bench = saved(&old, 0.3, bend);
    bench.run(0.3);
    faultless(&mut bench);
    assert!(bench.printed().is_empty(), "its beginning was suppressed");
    let character = bench.stage.characters.get(hero(&bench)).unwrap();
    let lean = character.posed.pose.locals[1].rotation.to_scaled_axis().z;
    assert!(
        (0.3..0.4).contains(&lean),
        "a quarter of 80 degrees: {lean}"
    );
    bench.run(1.0);
    assert_eq!(bench.printed(), ["begin", "end"]);
}
