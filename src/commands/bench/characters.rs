//! Whole ticks of many characters of one model: what a scene costs per character, without scripts and pictures.

use std::path::PathBuf;
use std::sync::Arc;

use super::{BenchFigure, NoScript, measure};
use galatea_character::{Definition, Placement};
use galatea_forge::mannequin::mannequin;
use galatea_stage::{Stage, tick};

pub(super) const NAME: &str = "characters";

/// Numbers of characters.
const COUNTS: [usize; 4] = [10, 100, 1000, 5000];
/// Characters that a round moves by a tick.
const MOVED: usize = 10_000;
/// Distance between two characters, metres.
const SPACING: f32 = 2.0;
/// Ticks before the measurement, in which buffers get their size.
const WARM_UP: usize = 30;

/// Measures each file, or the built-in character if there are none.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    let mut models = Vec::new();
    if files.is_empty() {
        models.push(mannequin());
    }
    for file in files {
        models.push(galatea_asset::gltf::load(file)?);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut all = Vec::new();
    for model in models {
        let name = model.name.clone();
        let definition = Arc::new(Definition::new(Arc::new(model)));
        for n in COUNTS {
            let mut stage = stand(&definition, n);
            pool.install(|| (0..WARM_UP).for_each(|_| tick(&mut stage, &mut NoScript)));
            let ticks = MOVED.div_ceil(n);
            let what = format!(
                "a tick of {n} characters of {} bones that play their idle clip, one thread",
                definition.model.skeleton.len()
            );
            let mut row = measure(
                &format!("characters_{n}"),
                &what,
                "ns per character",
                ticks * n,
                || pool.install(|| (0..ticks).for_each(|_| tick(&mut stage, &mut NoScript))),
            );
            row.file = Some(name.clone());
            all.push(row);
        }
    }
    Ok(all)
}

/// Characters in a square, with the idle motion that scripts give them.
fn stand(definition: &Arc<Definition>, n: usize) -> Stage {
    let mut stage = Stage::default();
    let side = (n as f32).sqrt().ceil() as usize;
    for i in 0..n {
        let [column, row] = [i % side, i / side].map(|k| k as f32 * SPACING);
        let place = Placement {
            position: glam::Vec3::new(column, 0.0, row),
            ..Placement::default()
        };
        let handle = stage.add_character(definition.clone(), "character", None, place);
        let life = stage.ids.new_id();
        if let Some(character) = stage.characters.get_mut(handle) {
            let definition = &character.definition;
            character
                .modifiers
                .add_default_idle_motion(definition, life, handle.to_u64());
        }
    }
    stage
}
