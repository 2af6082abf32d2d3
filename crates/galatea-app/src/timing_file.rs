//! Timing files next to a sound: a file of the same name that lists the times of the spoken words or sounds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use galatea_asset::{clips, vfs};
use galatea_character::Definition;
use galatea_speech::exchange::{self, SpeechTimings};
use galatea_speech::track::Curves;
use galatea_speech::viseme::{N_VISEMES, Viseme};

/// Extensions of timing files, in search order.
pub const EXTENSIONS: [&str; 9] = [
    "json", "TextGrid", "textgrid", "tsv", "xml", "lab", "txt", "glb", "gltf",
];
/// Maximum file size, bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Sample rate of mouth shape weights, Hz.
const SAMPLE_RATE: f32 = 60.0;

/// Finds and reads the timing file of a sound; `None` if there is none. A text file without timings is ignored, since it may
/// be a note for people.
///
/// # Errors
/// The reason why it cannot be read, with the file name.
pub fn timings_of_sound(sound: &Path) -> Result<Option<(PathBuf, SpeechTimings)>, String> {
    for extension in EXTENSIONS {
        let file = sound.with_extension(extension);
        if !vfs::is_file(&file) {
            continue;
        }
        match read(&file) {
            Err(_) if extension == "txt" => {}
            timings => return timings.map(|timings| Some((file, timings))),
        }
    }
    Ok(None)
}

/// Reads a timing file in any known format, detected from its content. A glTF file gives the weights of its first clip with
/// mouth shapes.
///
/// # Errors
/// The reason why it cannot be read, with the file name.
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
        galatea_asset::read_at_most(file, MAX_BYTES).map_err(|why| format!("{}: {why}", name()))?;
    let mut timings = exchange::read(&bytes).map_err(|why| format!("{}: {why}", name()))?;
    for warning in &mut timings.warnings {
        *warning = format!("{}: {warning}", name());
    }
    Ok(timings)
}

/// Mouth shape of a morph target or expression, by its name: Oculus visemes or VRM vowels.
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
            "it has no morph targets for mouth shapes (viseme_sil, viseme_PP, …)".to_owned(),
        );
    }
    let mut pose = definition.rest.clone();
    for clip in 0..definition.clips.names().count() {
        let n = (definition.clips.duration(clip) * SAMPLE_RATE).ceil() as usize + 1;
        let mut frames = vec![[0.0; N_VISEMES]; n];
        for (i, frame) in frames.iter_mut().enumerate() {
            definition
                .clips
                .sample_one(clip, i as f32 / SAMPLE_RATE, &mut pose);
            for (morph, viseme) in &shapes {
                let weight = pose.morphs.get(*morph).copied().unwrap_or(0.0);
                let slot = &mut frame[*viseme as usize];
                *slot = f32::max(*slot, weight.clamp(0.0, 1.0));
            }
        }
        if frames.iter().flatten().any(|weight| *weight > 0.01) {
            let curves = Curves {
                rate: SAMPLE_RATE,
                frames,
            };
            return Ok(SpeechTimings {
                duration: Some(definition.clips.duration(clip)),
                cues: curves.cues(),
                curves,
                ..SpeechTimings::default()
            });
        }
    }
    Err("none of its clips moves the mouth shapes".to_owned())
}
