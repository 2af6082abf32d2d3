//! Saved games: their files, and their content behind the checksums.

use galatea::asset::SaveFile;
use galatea::script::{GameContent as _, SavedGame, SavedTables};

use crate::common::{Bench, Memory, defined, post};
use crate::mutate::InputFormat;
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
