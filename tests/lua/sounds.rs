//! Sound handles: progress, changes, and a single end event.

use galatea::stage::SoundOrder;
use glam::Vec3;

use crate::common::{Bench, HERO, printed};

#[test]
fn a_sound_ends_once_when_its_length_is_over_and_a_task_can_wait_for_it() {
    // The sounds of these tests are half a second long.
    let script = "local function say(...) print(string.format('%.2f', now()), ...) end
        local s = sound.play('land')
        task(function(a) say(a:wait(s)) say(s:end_reason(), s.time, s.volume) end)
        task(function(a) say('fast', a:wait(sound.play('land', { pitch = 2 }))) end)
        task(function(a) say('late', a:wait(sound.play('land', { delay = 0.25 }))) end)
        task(function(a) local n = a:race { sound.play('land', { loop = true }), 0.9 } say('loop', n) end)
        task(function(a)
            local t = sound.play('land')
            a:wait(0.25)
            say('half', string.format('%.2f', t.time))
            t.pitch = 0.5
            say('slow', a:wait(t))
        end)";
    assert_eq!(
        printed(script, 1.2),
        [
            "0.25\thalf\t0.25",
            "0.25\tfast\tend",
            "0.50\tend",
            "0.50\tend\tnil\tnil",
            "0.75\tlate\tend",
            "0.75\tslow\tend",
            "0.90\tloop\t2",
        ]
    );
}

#[test]
fn sound_changes_are_sent_to_the_mixer_until_it_ends() {
    let script = "local s = sound.play('land', { position = vector.create(1, 0, 0), volume = 2 })
        function update()
            if now() > 0.09 and now() < 0.11 then
                s.volume = 40
                s.pitch = 4
                s.position = vector.create(0, 1, 0)
                print(s.volume, s.pitch, s.position)
            end
            if now() > 0.3 then s.volume = 1 s:stop() print(s:end_reason(), s.volume) end
        end";
    let mut bench = Bench::new(script);
    let mut orders = Vec::new();
    for _ in 0..30 {
        bench.run(bench.stage.clock.dt);
        orders.append(&mut bench.stage.audio.orders);
    }
    let SoundOrder::Play(cue) = orders.remove(0) else {
        panic!("it is played");
    };
    let change = |gain, pitch, position| SoundOrder::Change {
        id: cue.id,
        volume: gain,
        pitch,
        position,
    };
    // At four times the speed it ends before 0.3 s, so there is no further output.
    assert_eq!(
        orders,
        [
            change(Some(16.0), None, None),
            change(None, Some(4.0), None),
            change(None, None, Some(Vec3::Y)),
        ]
    );
    let lines = bench.printed();
    assert_eq!(lines[0], "16\t4\tvector(0, 1, 0)");
    assert!(
        lines[1..].iter().all(|line| line == "end\tnil"),
        "{lines:?}"
    );
    assert!(bench.host.take_faults().is_empty());
}

#[test]
fn a_stopped_sound_and_one_of_a_saved_script_are_over_for_good() {
    let script = "local s = sound.play('land', { loop = true })
        local stopped = sound.play('land')
        stopped:stop(0.1)
        stopped:stop(0.1)
        print(stopped:end_reason(), s:end_reason(), s.position)
        local ok, why = pcall(function() s.position = vector.one end)
        print(ok, tostring(why):match('no 3D position'))
        local held = keep_on_reload('held', {})
        held.s = s";
    let mut bench = Bench::new(&format!("{HERO}{script}"));
    let stops = bench.stage.audio.orders.iter();
    let stops = stops.filter(|order| matches!(order, SoundOrder::Stop { .. }));
    assert_eq!(stops.count(), 1);
    assert_eq!(
        bench.printed(),
        ["stopped\tnil\tnil", "false\tno 3D position"]
    );
    bench
        .load("function update() local s = keep_on_reload('held', {}).s print(s:end_reason(), s.time) s.gain = 2 s:stop() end")
        .expect("it loads");
    bench.stage.audio.orders.clear();
    bench.run(0.02);
    assert_eq!(bench.printed(), ["reloaded\tnil"]);
    assert!(bench.stage.audio.orders.is_empty());
}
