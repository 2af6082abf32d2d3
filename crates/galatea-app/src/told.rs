//! What stands beside a sound: a file of the same name that tells when what is spoken in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use galatea_asset::{clips, vfs};
use galatea_character::Definition;
use galatea_speech::exchange::{self, SpeechTimings};
use galatea_speech::track::Curves;
use galatea_speech::viseme::{N_VISEMES, Viseme};

/// Endings of such files, in the order in which they are looked for.
pub const EXTENSIONS: [&str; 9] = [
    "json", "TextGrid", "textgrid", "tsv", "xml", "lab", "txt", "glb", "gltf",
];
/// Bytes of the largest one that is read.
const LARGEST: u64 = 64 << 20;
/// Values of weights in a second.
const RATE: f32 = 60.0;

/// The file beside a sound, and what it tells; `None` when there is none. A text that is no table of times stands there for
/// people and is none.
///
/// # Errors
/// Why it cannot be read, naming it.
pub fn beside(sound: &Path) -> Result<Option<(PathBuf, SpeechTimings)>, String> {
    for extension in EXTENSIONS {
        let file = sound.with_extension(extension);
        if !vfs::is_file(&file) {
            continue;
        }
        match read(&file) {
            Err(_) if extension == "txt" => {}
            told => return told.map(|told| Some((file, told))),
        }
    }
    Ok(None)
}

/// What a file tells, by what is in it; one of glTF by the weights that its first clip with mouth shapes has.
///
/// # Errors
/// Why it cannot be read, naming it.
pub fn read(file: &Path) -> Result<SpeechTimings, String> {
    let name = || file.file_name().unwrap_or_default().to_string_lossy();
    let extension = file.extension().unwrap_or_default();
    if ["glb", "gltf", "vrm"]
        .iter()
        .any(|own| extension.eq_ignore_ascii_case(own))
    {
        return weights(file).map_err(|why| format!("{}: {why}", name()));
    }
    let bytes =
        galatea_asset::read_at_most(file, LARGEST).map_err(|why| format!("{}: {why}", name()))?;
    let mut timings = exchange::read(&bytes).map_err(|why| format!("{}: {why}", name()))?;
    for warning in &mut timings.warnings {
        *warning = format!("{}: {warning}", name());
    }
    Ok(timings)
}

/// A mouth shape by what a morph target or an expression is called: Oculus's names, VRM's vowels.
fn viseme(name: &str) -> Option<Viseme> {
    let lower = name.to_lowercase();
    let bare = ["viseme_", "viseme.", "expression.", "mouth_"]
        .iter()
        .find_map(|start| lower.strip_prefix(start))
        .unwrap_or(&lower);
    Viseme::from_name(bare).or(match bare {
        "ih" => Some(Viseme::I),
        "ou" => Some(Viseme::U),
        "ee" => Some(Viseme::E),
        "oh" => Some(Viseme::O),
        _ => None,
    })
}

fn weights(file: &Path) -> Result<SpeechTimings, String> {
    let model = clips::load_model(file).map_err(|why| why.to_string())?;
    let definition = Definition::new(Arc::new(model));
    let names = definition.morph_names();
    let shapes: Vec<(usize, Viseme)> = names
        .iter()
        .enumerate()
        .filter_map(|(i, name)| Some((i, viseme(name)?)))
        .collect();
    if shapes.is_empty() {
        return Err(
            "it has no morph targets of mouth shapes (viseme_sil, viseme_PP, …)".to_owned(),
        );
    }
    let mut pose = definition.rest.clone();
    for clip in 0..definition.clips.names().count() {
        let n = (definition.clips.duration(clip) * RATE).ceil() as usize + 1;
        let mut frames = vec![[0.0; N_VISEMES]; n];
        for (i, frame) in frames.iter_mut().enumerate() {
            definition
                .clips
                .sample_one(clip, i as f32 / RATE, &mut pose);
            for (morph, viseme) in &shapes {
                let weight = pose.morphs.get(*morph).copied().unwrap_or(0.0);
                let slot = &mut frame[*viseme as usize];
                *slot = f32::max(*slot, weight.clamp(0.0, 1.0));
            }
        }
        if frames.iter().flatten().any(|weight| *weight > 0.01) {
            let curves = Curves { rate: RATE, frames };
            return Ok(SpeechTimings {
                duration: Some(definition.clips.duration(clip)),
                cues: curves.cues(),
                curves,
                ..SpeechTimings::default()
            });
        }
    }
    Err("no clip of it moves its mouth shapes".to_owned())
}
