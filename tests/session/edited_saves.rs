//! Saved games outlive random edits of the script: every edited script loads the game, and no character's pose jumps without
//! being listed.

use std::collections::BTreeMap;

use galatea::app::{Session, SoundOutput};
use galatea::stage::Rng;
use glam::Vec3;

use super::{errors, open, project, run};

/// Ticks before the game is saved.
const BEFORE: f64 = 1.2;
/// Largest distance of a bone between a loaded game and uninterrupted play one tick later, metres: edited characters begin to
/// blend into another motion, which takes several ticks.
const MAX_STEP: f32 = 0.05;

/// Names of the characters whose poses are compared.
const PEOPLE: [&str; 3] = ["walker", "victim", "speaker"];

/// A script made of blocks that can be shuffled, edited and removed.
struct Blocks {
    /// One character walks with a machine, one falls, one speaks and smiles.
    people: Vec<(&'static str, String)>,
    others: Vec<String>,
}

/// Choices of an edit.
struct Edit {
    rng: Rng,
    /// Kinds of changes that were made, for messages.
    made: Vec<&'static str>,
}

impl Edit {
    fn happens(&mut self, what: &'static str, percent: usize) -> bool {
        let happens = self.rng.below(100) < percent;
        self.made.extend(happens.then_some(what));
        happens
    }

    fn pick<'a>(&mut self, what: &'static str, usual: &'a str, others: &[&'a str]) -> &'a str {
        match self.happens(what, 25) {
            true => others[self.rng.below(others.len())],
            false => usual,
        }
    }
}

fn blocks(edit: &mut Edit) -> Blocks {
    let stand = edit.pick("a state is renamed", "stand", &["wait", "rest"]);
    let clip = edit.pick("the clip of a state", "walk", &["run", "idle"]);
    let fade = edit.pick("a fade", "0.3", &["0", "1.5"]);
    let limit = edit.pick("a condition", "0.5", &["0.4", "0.9"]);
    let more = edit.pick("a state is added", "", &["state \"hop\" { \"jump\" },"]);
    let walker = format!(
        "walker = character(\"assets/hero.glb\", {{ name = \"walker\" }})
        walker.machine = machine {{
            params = {{ speed = 0 }},
            state \"{stand}\" {{ \"idle\" }}, {more}
            state \"go\" {{ \"{clip}\" }},
            transition_to \"go\" {{ from = \"{stand}\", when = \"speed > {limit}\", fade = {fade} }},
            transition_to \"{stand}\" {{ from = \"go\", when = function(p) return p.speed < {limit} end, fade = {fade} }},
        }}"
    );
    let walker = match edit.happens("a machine is removed", 8) {
        true => {
            "walker = character(\"assets/hero.glb\", { name = \"walker\" }) walker:play(\"idle\")"
                .to_owned()
        }
        false => walker,
    };
    let impulse = edit.pick("an impulse", "-220", &["-100", "300"]);
    let victim = format!(
        "victim = character(\"assets/hero.glb\", {{ name = \"victim\", position = vec(2, 0, 0) }})
        after(1, function() victim:hit {{ bone = \"chest\", impulse = vec(0, 0, {impulse}) }} end)"
    );
    let line = edit.pick(
        "a line",
        "One two three four five.",
        &["Yes.", "Six seven eight nine ten eleven twelve."],
    );
    let speaker = format!(
        "speaker = character(\"assets/hero.glb\", {{ name = \"speaker\", position = vec(-2, 0, 0) }})
        speaker:play(\"idle\") speaker:say \"{line}\""
    );
    let n = edit.pick("a number of boxes", "5", &["2", "9"]);
    let mut others = vec![
        format!(
            "for i = 1, {n} do physics.box {{ size = vec(0.3, 0.3, 0.3), mass = 2, position = vec(4, i, 0) }} end"
        ),
        "lamp = light.point { position = vec(0, 2, 0) }".to_owned(),
        "label = ui.text(\"0\")".to_owned(),
        "rope { from = vec(0, 2, 4), to = vec(1, 2, 4), length = 1.4 }".to_owned(),
    ];
    for added in [
        "guest = character(\"assets/hero.glb\", { name = \"guest\", position = vec(0, 0, -3) })",
        "physics.sphere { radius = 0.2, mass = 1, position = vec(5, 4, 0) }",
        "particles(\"smoke\", { position = vec(0, 0, 6) })",
    ] {
        if edit.happens("an object is added", 20) {
            others.push(added.to_owned());
        }
    }
    others.retain(|_| !edit.happens("an object is removed", 15));
    let people = [("walker", walker), ("victim", victim), ("speaker", speaker)];
    let people = people.into_iter();
    Blocks {
        people: people
            .filter(|_| !edit.happens("a character is removed", 10))
            .collect(),
        others,
    }
}

fn script(edit: &mut Edit) -> String {
    let Blocks { people, others } = blocks(edit);
    let mut parts: Vec<String> = people.into_iter().map(|(_, text)| text).collect();
    parts.extend(others);
    if edit.happens("blocks are moved", 50) {
        for i in (1..parts.len()).rev() {
            parts.swap(i, edit.rng.below(i + 1));
        }
    }
    let has_machine = parts.iter().any(|part| part.contains("walker.machine"));
    let walk = match has_machine {
        true => "if now() > 0.4 then walker.machine.params.speed = 1 end",
        false => "",
    };
    parts.push(format!(
        "game = keep_on_reload(\"game\", {{ n = 0 }})
        function update()
            game.n += 1
            {walk}
        end
        function on_load() end"
    ));
    parts.join("\n")
}

/// Positions of the bones of each character in its own space.
fn poses(session: &Session) -> BTreeMap<String, Vec<Vec3>> {
    let all = session.stage.characters.iter();
    let named = all.filter(|(_, character)| PEOPLE.contains(&character.shown_name()));
    named
        .map(|(_, character)| {
            let bones = character.posed.model_from_bone.iter();
            let bones = bones.map(|bone| Vec3::from(bone.translation));
            (character.shown_name().to_owned(), bones.collect())
        })
        .collect()
}

fn jump(a: &[Vec3], b: &[Vec3]) -> f32 {
    let both = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    both.fold(0.0, f32::max)
}

#[test]
fn edited_scripts_load_the_game_without_a_jump() {
    // More rounds for a longer search: GALATEA_ROUNDS=1000.
    let rounds = std::env::var("GALATEA_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|n| n.parse().ok()).unwrap_or(40);
    let unchanged = |seed| Edit {
        rng: Rng::new(seed),
        made: Vec::new(),
    };
    // A seed whose edit changes nothing is the script before.
    let first = (0..).find_map(|seed| {
        let mut edit = unchanged(seed);
        let text = script(&mut edit);
        edit.made.is_empty().then_some(text)
    });
    let first = first.unwrap();
    let folder = project("saves-edited", &first);
    let mut session = open(&folder, false, SoundOutput::Silent);
    run(&mut session, BEFORE);
    session.answer("save 'slot'");
    session.tick();
    session.tick();
    let wanted = poses(&session);
    assert_eq!(wanted.len(), 3);
    assert_eq!(errors(&session), [""; 0]);
    let mut n_listed = 0;
    for seed in 0..rounds {
        let mut edit = unchanged(1000 + seed);
        let text = script(&mut edit);
        let what = format!("edit {seed}: {}\n{text}", edit.made.join(", "));
        folder.write("scripts/main.lua", &text);
        session.answer("load 'slot'");
        session.tick();
        assert_eq!(errors(&session), [""; 0], "{what}");
        let listed = session
            .diagnostics
            .warnings()
            .collect::<Vec<_>>()
            .join("\n");
        session.tick();
        let now = poses(&session);
        for (name, wanted) in &wanted {
            let Some(now) = now.get(name) else {
                assert!(
                    !text.contains(&format!("\"{name}\"")) && listed.contains(name.as_str()),
                    "{listed}\n{what}"
                );
                n_listed += 1;
                continue;
            };
            let jump = jump(wanted, now);
            assert!(
                jump < MAX_STEP || listed.contains(name.as_str()),
                "{name} jumps by {jump} m, listed: {listed}\n{what}"
            );
        }
        let n = session.answer("game.n").result.unwrap().join("");
        assert!(
            n.parse::<u32>().is_ok_and(|n| (73..=76).contains(&n)),
            "{n}: {what}"
        );
    }
    assert!(
        rounds < 40 || n_listed > 5,
        "{n_listed} removed characters were listed"
    );
}
