//! Saved games: their size, the time that they take, and whether a loaded game continues to the bit.

use std::sync::Arc;

use super::script::{OneModel, run_script};
use super::{BenchFigure, Benchmark, measure};
use galatea_asset::{ModelSource, SaveFile};
use galatea_character::{Definition, DefinitionSource};
use galatea_forge::mannequin::mannequin;
use galatea_script::{GameContent as _, Host, SavedGame, ScriptSource};
use galatea_stage::{Stage, tick};

pub(super) const ALL: &[(&str, Benchmark)] = &[("time", bench_time)];

/// Ticks that are compared after a load: 60 s.
const COMPARED: usize = 3600;

/// Ten characters: three fall, two speak, the others walk with a state machine.
const TEN: &str = "
for i = 1, 10 do
    local who = character('x.glb', { name = 'c' .. i, position = vec(i * 1.2, 0, 0) })
    if i <= 3 then
        who:hit { bone = 'chest', impulse = vec(0, 0, 250) }
    elseif i <= 5 then
        who:say 'One two three four five six seven eight nine ten.'
    end
    who.machine = machine {
        params = { speed = 1.2 },
        state 'move' { blend1d { param = 'speed', { 0, 'idle' }, { 1.4, 'walk' } } },
    }
end";

/// Scenes whose loaded game is compared with uninterrupted play: name, script, ticks before saving.
const SCENES: [(&str, &str, usize); 3] = [
    (
        "mid-speech",
        "hero = character 'x.glb' hero:say 'One two three four five six seven eight nine ten.'
        function update() hero.yaw += random_range(-1, 1) end",
        60,
    ),
    (
        "mid-fall",
        "hero = character 'x.glb' hero:hit { bone = 'chest', impulse = vec(0, 0, 250) }
        for i = 1, 20 do
            physics.box { size = vec(0.2, 0.2, 0.2), mass = 2, position = vec(i % 3 * 0.1, 0.5 + i * 0.3, 0) }
        end",
        30,
    ),
    (
        "crowd of 1000",
        "people = crowd { model = 'x.glb', count = 1000, size = vec(40, 0, 40) }",
        60,
    ),
];

fn bench_time(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let source = DefinitionSource::File(ModelSource::new("x.glb").to_json());
    let definition = Arc::new(Definition::new(Arc::new(mannequin())).with_source(source));
    let mut figures = sizes(&definition);
    for (name, script, before) in SCENES {
        let what = format!("ticks of 60 s that differ after a load, {name}");
        let n = differing(&definition, script, before);
        figures.push(BenchFigure::plain("time/exact", &what, n as f64, "ticks"));
    }
    figures
}

/// Size of a saved game with ten characters, and times of its steps.
fn sizes(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let (mut host, mut stage) = run_script(definition, TEN);
    for _ in 0..60 {
        tick(&mut stage, &mut host);
    }
    let game = copy(&host, &stage);
    let file = |game: &SavedGame| SaveFile {
        header: Vec::new(),
        body: game.encode().expect("the game can be written"),
    };
    let body = file(&game).body.len();
    let bytes = file(&game).to_bytes().expect("the game fits into a file");
    let mut figures = vec![
        measure(
            "time/copy",
            "copies a game of 10 characters",
            "ns",
            1,
            || {
                copy(&host, &stage);
            },
        ),
        measure("time/write", "encodes and compresses it", "ns", 1, || {
            drop(file(&game).to_bytes());
        }),
        measure("time/read", "decompresses and decodes it", "ns", 1, || {
            read(definition, &bytes);
        }),
    ];
    figures.push(measure(
        "time/load",
        "loads it, with the script",
        "ns",
        1,
        || {
            load(&mut host, &mut stage, game.clone());
        },
    ));
    let per_character = |n: usize| n as f64 / 10_240.0;
    let plain = [
        (
            "time/size",
            "file, per character",
            per_character(bytes.len()),
        ),
        (
            "time/encoded",
            "before compression, per character",
            per_character(body),
        ),
    ];
    figures.extend(plain.map(|(name, what, kb)| BenchFigure::plain(name, what, kb, "KiB")));
    figures
}

fn copy(host: &Host, stage: &Stage) -> SavedGame {
    let game = host.copy_game(stage, Default::default());
    game.expect("the game can be copied")
}

fn read(definition: &Arc<Definition>, bytes: &[u8]) -> SavedGame {
    let services = Arc::new(OneModel(definition.clone(), String::new()));
    let file = SaveFile::of_bytes(bytes).expect("the file is whole");
    SavedGame::decode(&file.body, services).expect("the game can be read")
}

fn load(host: &mut Host, stage: &mut Stage, game: SavedGame) {
    let loaded = host.load_game(stage, &ScriptSource::default(), game);
    loaded.expect("the game can be loaded");
}

/// Number of ticks in which a loaded game differs from uninterrupted play.
fn differing(definition: &Arc<Definition>, script: &str, before: usize) -> usize {
    let (mut host, mut stage) = run_script(definition, script);
    for _ in 0..before {
        tick(&mut stage, &mut host);
    }
    let bytes = SaveFile {
        header: Vec::new(),
        body: copy(&host, &stage)
            .encode()
            .expect("the game can be written"),
    };
    let bytes = bytes.to_bytes().expect("the game fits into a file");
    let mut sums = || {
        let sum = |_| {
            tick(&mut stage, &mut host);
            stage.checksum()
        };
        (0..COMPARED).map(sum).collect::<Vec<_>>()
    };
    let wanted = sums();
    let game = read(definition, &bytes);
    load(&mut host, &mut stage, game);
    let sum = |_| {
        tick(&mut stage, &mut host);
        stage.checksum()
    };
    let got = (0..COMPARED).map(sum);
    wanted.iter().zip(got).filter(|(a, b)| *a != b).count()
}
