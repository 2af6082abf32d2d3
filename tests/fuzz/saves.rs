//! Saved games: their files, and their content behind the checksums.

use galatea::asset::SaveFile;
use galatea::script::{GameContent as _, SavedGame, SavedTables};

use crate::common::{Bench, Memory, defined, post};
use crate::mutate::{InputFormat, mutate};
use crate::random::FuzzRng;
use crate::target::Target;

pub const TARGETS: &[Target] = &[
    Target::new("save-file", InputFormat::Bytes, 300)
        .seeds(|| {
            let file = SaveFile {
                header: b"header".to_vec(),
                body: b"body ".repeat(200),
            };
            vec![file.to_bytes().unwrap()]
        })
        .run(|bytes| {
            // A file is read as it was written, or refused.
            if let Ok(file) = SaveFile::of_bytes(bytes) {
                assert_eq!(file.body, b"body ".repeat(200));
            }
        }),
    Target::new("saved-game", InputFormat::Bytes, 100)
        .seeds(|| vec![game()])
        .run(|bytes| {
            // Refused or read: both are fine.
            let _ = SavedGame::decode(bytes, Memory::new(defined(post())));
        }),
];

/// Bodies, a rope, particles, texts and tables.
fn game() -> Vec<u8> {
    let mut bench = Bench::new(
        "keep_on_reload('game', { list = { 1, 'two', vec(1, 2, 3), { deep = true } } })
        for i = 1, 3 do
            physics.box { size = vec(0.3, 0.3, 0.3), mass = 2, position = vec(0, i, 0) }
        end
        rope { from = vec(0, 2, 2), to = vec(1, 2, 2), length = 1.4 }
        particles('smoke', { position = vec(0, 0, 3) })
        ui.text('text')",
    );
    bench.ticks(20);
    let game = bench.host.copy_game(&bench.stage, SavedTables::default());
    game.unwrap().encode().unwrap()
}

/// Number of damaged files, and of damaged contents behind intact checksums; `GALATEA_ROUNDS` sets another one.
const N_DAMAGED: u64 = 1000;

#[test]
fn damaged_saves_are_refused_without_a_panic() {
    let body = game();
    let file = SaveFile {
        header: b"header".to_vec(),
        body: body.clone(),
    };
    let files = [file.to_bytes().unwrap()];
    let asked = std::env::var("GALATEA_ROUNDS").ok();
    let n_damaged = asked.map_or(N_DAMAGED, |text| text.parse().unwrap());
    let mut n_refused = 0;
    for index in 0..n_damaged {
        let mut rng = FuzzRng::new("damaged files", 1, index);
        match SaveFile::of_bytes(&mutate(&mut rng, InputFormat::Bytes, &files)) {
            Ok(read) => assert_eq!(read.body, body, "{index}: what is accepted is the game"),
            Err(_) => n_refused += 1,
        }
    }
    assert!(n_refused > n_damaged * 9 / 10, "{n_refused}");
    let (definition, bodies) = (defined(post()), [body]);
    for index in 0..n_damaged {
        let mut rng = FuzzRng::new("damaged games", 1, index);
        let damaged = mutate(&mut rng, InputFormat::Bytes, &bodies);
        // Refused or read: both are fine.
        let _ = SavedGame::decode(&damaged, Memory::new(definition.clone()));
    }
}
