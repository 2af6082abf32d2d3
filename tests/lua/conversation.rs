//! Conversations: start of turns, cuts, gaze, and nods.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use galatea::asset::gltf::load;
use galatea::character::{Definition, LookAtModifier, ModifierKind};
use galatea::script::HostOptions;
use galatea::speech::line::Line;
use galatea::stage::{Handle, Stage};
use glam::Vec3;

use crate::common::Bench;
use galatea_character::Character;

const CAST: &str = r#"
local v = vector.create
local function person(name, at, yaw)
	local one = character("assets/mannequin.glb", { name = name, position = at, yaw = yaw })
	one.face:configure { blink_rate = 0, asymmetry = 0 }
	return one
end
local cast = {
	anna = person("Anna", v(-0.6, 0, 0), 90),
	ben = person("Ben", v(0.6, 0, 0), -90),
	eve = person("Eve", v(0, 0, 0.9), 180),
}
"#;

fn bench(script: &str) -> Bench {
    static HERO: OnceLock<Arc<Definition>> = OnceLock::new();
    let hero = HERO.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
        Arc::new(Definition::new(Arc::new(load(&file).unwrap())))
    });
    let mut bench = Bench::with_definition(HostOptions::default(), hero.clone());
    if let Err(error) = bench.load(&format!("{CAST}{script}")) {
        panic!("the script does not load: {error:?}");
    }
    bench
}

/// A line as it was spoken: speaker, stage time of its second 0, the line, and start and cut positions.
#[derive(Clone, Debug)]
struct SpokenLine {
    id: u64,
    who: Handle,
    begun: f64,
    line: Arc<Line>,
    from: f32,
    stop_at: Option<f32>,
}

impl SpokenLine {
    fn first_sound(&self) -> f64 {
        self.begun + f64::from(self.line.voiced().0)
    }

    fn last_sound(&self) -> f64 {
        self.begun + f64::from(self.line.voiced().1)
    }
}

fn listen(stage: &Stage, heard: &mut Vec<SpokenLine>) {
    for speaking in &stage.speech.lines {
        let Some(begun) = speaking.begun else {
            continue;
        };
        match heard.iter_mut().find(|known| known.id == speaking.id) {
            Some(known) => known.stop_at = speaking.stop_at,
            None => heard.push(SpokenLine {
                id: speaking.id,
                who: speaking.character,
                begun,
                line: speaking.saying.line.clone(),
                from: speaking.from,
                stop_at: speaking.stop_at,
            }),
        }
    }
}

fn run(bench: &mut Bench, seconds: f64, mut each: impl FnMut(&Stage)) {
    for _ in 0..(seconds * 60.0).round() as usize {
        bench.run(bench.stage.clock.dt);
        each(&bench.stage);
    }
    let faults = bench.host.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
}

/// All lines spoken in some seconds.
fn heard(script: &str, seconds: f64) -> Vec<SpokenLine> {
    let mut heard = Vec::new();
    run(&mut bench(script), seconds, |stage| {
        listen(stage, &mut heard)
    });
    heard
}

fn handle(stage: &Stage, name: &str) -> Handle {
    stage.characters.named(name).unwrap()
}

fn person<'a>(stage: &'a Stage, name: &str) -> &'a Character {
    stage.characters.get(handle(stage, name)).unwrap()
}

fn looking(who: &Character) -> Option<&LookAtModifier> {
    let modifiers = who
        .modifiers
        .modifier_stack
        .iter()
        .flat_map(|stack| &stack.modifiers);
    modifiers.into_iter().find_map(|m| match &m.kind {
        ModifierKind::LookAt(looking) => Some(&**looking),
        _ => None,
    })
}

fn eyes(who: &Character) -> Vec3 {
    let rig = who.definition.gaze_rig().unwrap();
    let head = who.posed.model_from_bone[usize::from(rig.head.bone)];
    who.posed.world[0].transform_point3(head.transform_point3(rig.eye_middle))
}

/// Angle between a character's gaze and the face of another, degrees.
fn off(who: &Character, other: &Character) -> f32 {
    let rig = who.definition.gaze_rig().unwrap();
    let eye = rig.eyes.iter().flatten().next().unwrap();
    let frame = who.posed.world[0] * who.posed.model_from_bone[usize::from(eye.bone)];
    let ahead = frame.matrix3 * (eye.bone_from_character * Vec3::Z);
    ahead.angle_between(eyes(other) - eyes(who)).to_degrees()
}

const TICK: f64 = 1.5 / 60.0;

#[test]
fn turns_follow_each_other_after_their_gaps_and_overlaps() {
    let heard = heard(
        "conversation { cast = cast, { 'anna', 'Come in, come in.' }, { 'ben', 'Good evening.', gap = 0.5 },
            { 'eve', 'Mm-hm.', overlap = 0.3 }, { pause = 1 }, { 'anna', 'Sit down.' } }",
        9.0,
    );
    assert_eq!(heard.len(), 4);
    let between = |i: usize| heard[i + 1].first_sound() - heard[i].last_sound();
    assert!((between(0) - 0.5).abs() < TICK, "{}", between(0));
    assert!((between(1) + 0.3).abs() < TICK, "{}", between(1));
    // The pause begins at the end of the longest line.
    let last = heard[1].last_sound().max(heard[2].last_sound());
    let pause = heard[3].first_sound() - last;
    assert!((1.06..1.36).contains(&pause), "{pause}");
}

#[test]
fn gaps_are_about_a_fifth_of_a_second() {
    let turns = "{ 'anna', 'One.' }, { 'ben', 'Two.' }, { 'eve', 'Three.' },".repeat(7);
    let heard = heard(&format!("conversation {{ cast = cast, {turns} }}"), 26.0);
    let gaps: Vec<f64> = heard
        .windows(2)
        .map(|pair| pair[1].first_sound() - pair[0].last_sound())
        .collect();
    assert_eq!(gaps.len(), 20);
    assert!(
        gaps.iter().all(|gap| (0.05..0.36).contains(gap)),
        "{gaps:?}"
    );
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    assert!((0.15..0.25).contains(&mean), "{mean}");
}

#[test]
fn an_interrupted_speaker_stops_at_the_phrase_and_resumes_it() {
    let heard = heard(
        "conversation { cast = cast, { 'ben', 'I was walking home, and then the lights went out, and nobody came.' },
            { 'eve', 'Wait!', interrupt = 'phrase' }, { 'ben', resume = true } }",
        10.0,
    );
    assert_eq!(heard.len(), 3);
    let (first, eve, rest) = (&heard[0], &heard[1], &heard[2]);
    let cut = first.stop_at.unwrap();
    let line = &first.line;
    let at = line.cuts.iter().position(|known| *known == cut);
    assert!(at.is_some_and(|at| at + 1 < line.cuts.len()), "{cut}");
    // She begins just before he falls silent.
    let before = first.begun + f64::from(cut) - eve.begun;
    assert!((before - 0.15).abs() < TICK, "{before}");
    assert_eq!((rest.who, &rest.line), (first.who, &first.line));
    assert_eq!(rest.from, line.phrase_before(cut));
    assert!(rest.begun + f64::from(rest.from) > eve.last_sound());
}

#[test]
fn a_line_cut_now_or_at_a_word_ends_there() {
    for (how, after, latest) in [("now", "0.5", 0.55), ("word", "0.5", 0.9)] {
        let heard = heard(
            &format!(
                "conversation {{ cast = cast, {{ 'ben', 'Seven hundred and ninety eight people came.' }},
                    {{ 'eve', 'No!', interrupt = '{how}', after = {after} }} }}"
            ),
            4.0,
        );
        let cut = heard[0].stop_at.unwrap();
        assert!((0.49..latest).contains(&cut), "{how} {cut}");
        let is_word = heard[0].line.track.words.iter().any(|w| w.end == cut);
        assert_eq!(is_word, how == "word");
    }
}

#[test]
fn listeners_look_at_the_speaker_and_the_speaker_at_the_addressee() {
    let mut bench = bench(
        "local long = 'We came along the river, where the old houses are, and it was so quiet that we heard the boats.'
        cast.eve:look_at(camera)
        conversation { cast = cast, { 'anna', long, to = 'ben' }, { 'eve', long, to = 'anna' } }",
    );
    let (mut at, mut n, mut spoken, mut handed) = ([0; 3], 0, 0, Vec::new());
    let mut head = 0;
    run(&mut bench, 13.0, |stage| {
        let Some(own) = stage.conversations.running.first() else {
            return;
        };
        let name = |who: usize| ["Anna", "Ben", "Eve"][who];
        let Some(speaker) = own.speaker().map(name) else {
            return;
        };
        let line = stage
            .speech
            .lines
            .iter()
            .find(|line| line.begun.is_some())
            .unwrap();
        let left = line.saying.line.voiced().1 - line.t;
        let speaker = person(stage, speaker);
        if own.turn() == Some(1) && (0.02..0.2).contains(&left) {
            handed.push(off(speaker, person(stage, "Eve")));
        }
        if line.t < 1.2 || left < 1.0 {
            return;
        }
        n += 1;
        let to = person(stage, if own.turn() == Some(1) { "Ben" } else { "Anna" });
        spoken += usize::from(off(speaker, to) < 9.0);
        for (i, name) in ["Anna", "Ben", "Eve"].into_iter().enumerate() {
            let listener = person(stage, name);
            if listener.identity == speaker.identity {
                continue;
            }
            at[i] += usize::from(off(listener, speaker) < 9.0);
            let rig = listener.definition.gaze_rig().unwrap();
            let frame = listener.posed.world[0]
                * listener.posed.model_from_bone[usize::from(rig.head.bone)];
            let ahead = frame.matrix3 * (rig.head.bone_from_character * Vec3::Z);
            let way = eyes(speaker) - eyes(listener);
            head += usize::from(ahead.angle_between(way).to_degrees() < 30.0);
        }
    });
    assert!(n > 240, "{n}");
    // Two of three participants listen at a time.
    let share = at.iter().sum::<usize>() as f32 / (2 * n) as f32;
    assert!((0.5..0.98).contains(&share), "{share} {at:?}");
    let heads = head as f32 / (2 * n) as f32;
    assert!(heads > 0.7, "{heads}");
    let spoken = spoken as f32 / n as f32;
    assert!((0.15..0.85).contains(&spoken), "{spoken}");
    let nearest = handed.iter().copied().fold(f32::MAX, f32::min);
    assert!(nearest < 9.0, "{handed:?}");
}

#[test]
fn gaze_targets_of_the_script_return_after_a_conversation() {
    let mut bench = bench(
        "cast.eve:look_at(camera)
        conversation { cast = cast, { 'anna', 'Come in.' }, { 'ben', 'Good evening.' } }",
    );
    run(&mut bench, 1.0, |_| {});
    for name in ["Anna", "Ben", "Eve"] {
        assert!(
            looking(person(&bench.stage, name))
                .unwrap()
                .conversation_target
                .is_some()
        );
    }
    run(&mut bench, 4.0, |_| {});
    assert!(bench.stage.conversations.running.is_empty());
    let eve = looking(person(&bench.stage, "Eve")).unwrap();
    assert!(eve.conversation_target.is_none() && eve.targets.len() == 1);
    assert!(looking(person(&bench.stage, "Anna")).is_none());
}

#[test]
fn a_mark_that_looks_wins_while_it_lasts() {
    let mut bench = bench(
        "conversation { cast = cast, { 'anna', '{look=eve 1.5s}Come in, come in, it is late and the others are here.', to = 'ben' } }",
    );
    let mut nearest = f32::MAX;
    run(&mut bench, 1.4, |stage| {
        nearest = nearest.min(off(person(stage, "Anna"), person(stage, "Eve")));
    });
    assert!(nearest < 6.0, "{nearest}");
}

/// Head rotations of a character during some seconds.
fn heads(name: &str, script: &str, seconds: f64) -> Vec<glam::Quat> {
    let mut turns = Vec::new();
    run(&mut bench(script), seconds, |stage| {
        let who = person(stage, name);
        let head = who.definition.model.skeleton.find("head").unwrap();
        turns.push(who.posed.pose.locals[usize::from(head)].rotation);
    });
    turns
}

const REPORTED: &str =
    "{ 'anna', 'We came along the river. It was so quiet, and nobody was there.', to = 'ben' }";

#[test]
fn listeners_nod_after_phrases_and_never_while_a_script_holds_the_face() {
    let script = |nods: f32, before: &str| {
        format!(
            "{before} conversation {{ cast = cast, gaze = false, nod_chance = {nods}, {REPORTED} }}"
        )
    };
    let line = &heard(&script(0.0, ""), 0.1)[0].line.clone();
    let still = heads("Ben", &script(0.0, ""), 6.0);
    let nods = heads("Ben", &script(1.0, ""), 6.0);
    let differs = |a: &[glam::Quat], b: &[glam::Quat]| {
        let mut pairs = a.iter().zip(b);
        pairs.position(|(a, b)| a != b)
    };
    let first = differs(&still, &nods).expect("he nods") as f32 / 60.0;
    let phrase = line.cuts[0];
    assert!(
        (phrase + 0.15..line.voiced().1 + 0.6).contains(&first),
        "{first} {phrase}"
    );
    let hold = "cast.ben.face:set('smile', 0.4)";
    let held = [0.0, 1.0].map(|nods| heads("Ben", &script(nods, hold), 6.0));
    assert_eq!(differs(&held[0], &held[1]), None);
}

#[test]
fn a_conversation_continues_without_a_dead_participant() {
    let mut bench = bench(&format!(
        "local talk = conversation {{ cast = cast, {REPORTED}, {{ 'anna', 'And then.' }}, {{ 'ben', 'What is it?' }} }}
        talk:on('*', function(e) print(e.name, e.turn, e.reason) end)"
    ));
    run(&mut bench, 1.0, |_| {});
    let anna = handle(&bench.stage, "Anna");
    bench
        .stage
        .characters
        .get_mut(anna)
        .unwrap()
        .body
        .vitals
        .is_dead = true;
    run(&mut bench, 4.0, |_| {});
    assert_eq!(
        bench.printed(),
        [
            "turn\t1\tnil",
            "turn_end\t1\tunavailable",
            "turn_end\t2\tunavailable",
            "turn\t3\tnil",
            "turn_end\t3\tend",
            "end\tnil\tend"
        ]
    );
    // Two participants are left; a conversation with one ends.
    bench
        .stage
        .characters
        .get_mut(anna)
        .unwrap()
        .body
        .vitals
        .is_dead = false;
}

#[test]
fn a_run_is_the_same_every_time() {
    let bits = || {
        let mut all: Vec<u32> = Vec::new();
        let mut bench = bench(&format!(
            "conversation {{ cast = cast, nod_chance = 1, {REPORTED}, {{ 'ben', 'Were you afraid?' }},
                {{ choose = {{ {{ 'anna', 'No.' }}, {{ 'eve', 'She was.' }} }} }}, {{ 'ben', 'I see.', to = 'all' }} }}"
        ));
        run(&mut bench, 12.0, |stage| {
            for (_, one) in stage.characters.iter() {
                let bones = one.posed.pose.locals.iter();
                all.extend(bones.flat_map(|l| l.rotation.to_array().map(f32::to_bits)));
                all.extend(one.posed.pose.morphs.iter().map(|w| w.to_bits()));
            }
        });
        all
    };
    assert!(bits() == bits());
}

#[test]
fn a_conversation_survives_a_reload() {
    let talk = |line: &str| {
        format!(
            "task(function(a)
                local talk = conversation {{ cast = cast, {REPORTED}, {{ 'ben', '{line}' }}, {{ 'eve', 'Good.' }} }}
                talk:on('turn', function(e) print(e.turn, e.speaker) end)
                print(a:wait(talk))
            end)"
        )
    };
    let mut bench = bench(&talk("Were you afraid?"));
    run(&mut bench, 1.5, |_| {});
    assert_eq!(bench.printed(), ["1\tanna"]);
    let before = off(person(&bench.stage, "Ben"), person(&bench.stage, "Anna"));
    let script = format!("{CAST}{}", talk("Who was there?"));
    bench.load(&script).unwrap();
    run(&mut bench, 0.1, |_| {});
    let after = off(person(&bench.stage, "Ben"), person(&bench.stage, "Anna"));
    assert!((after - before).abs() < 12.0, "{before} {after}");
    assert_eq!(bench.stage.speech.lines.len(), 1);
    let mut texts = Vec::new();
    let mut heard = Vec::new();
    run(&mut bench, 9.0, |stage| listen(stage, &mut heard));
    texts.extend(heard.iter().map(|heard| heard.line.text.clone()));
    assert_eq!(texts[1..], ["Who was there?", "Good."]);
    assert_eq!(bench.printed(), ["2\tben", "3\teve", "end"]);
}

#[test]
fn one_that_the_new_script_does_not_begin_is_over() {
    let mut bench = bench(&format!(
        "conversation {{ cast = cast, {REPORTED}, {{ 'ben', 'I see.' }} }}"
    ));
    run(&mut bench, 1.0, |_| {});
    bench.load(CAST).unwrap();
    assert_eq!(bench.stage.speech.lines.len(), 1);
    run(&mut bench, 6.0, |_| {});
    assert!(bench.stage.speech.lines.is_empty() && bench.stage.conversations.running.is_empty());
    assert!(looking(person(&bench.stage, "Ben")).is_none());
}

/// The post's face can only smile.
#[test]
fn unsupported_expressions_are_skipped_and_reported_once() {
    let script = "
        expression 'grim' { smile = -0.2, frown = 0.5, brow_down = 0.4 }
        for i = 1, 3 do
            hero:say('{joy}Well.{/joy} {surprise}Well!', { if_speaking = 'interrupt' })
        end
        hero.face:show 'grim'
        local ok, why = pcall(function() hero.face:show 'smlie' end)
        print(ok, string.match(tostring(why), 'show: [^\\n]*'))
        hero:on('say_end', function(event) print(event.cut) end)";
    let left_out = |line: u32, what: &str, name: &str| {
        format!(
            "warning: scripts/main.lua:{line}: {what}: this face has no morph target or bone for {name:?} (it has \
             smile, mouthSmileLeft, mouthSmileRight, relaxed, smirk, desire, happiness); it is ignored"
        )
    };
    let wanted = [
        left_out(5, "say", "surprise"),
        left_out(7, "show", "brow_down"),
        left_out(7, "show", "frown"),
        "false\tshow: this face has no expression \"smlie\"; did you mean \"smile\"?".to_owned(),
    ];
    let printed = crate::common::printed(script, 4.0);
    assert_eq!(printed[..4], wanted);
    assert_eq!(printed.len(), 7, "each line is spoken: {printed:?}");
}
