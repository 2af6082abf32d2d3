//! `galatea lipsync`: finds the times of words, sounds and mouth shapes in a recording, and writes files and pictures.

mod lines;
mod picture;
mod weights;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::many::ManyArgs;
use super::progress::Progress;
use galatea_app::timing_file;
use galatea_asset::write_whole;
use galatea_audio::Sound;
use galatea_speech::exchange::{write_json, write_textgrid, write_tsv};
use galatea_speech::marks::parse;
use galatea_speech::mouth::{Mouth, MouthOptions};
use galatea_speech::plan::{LipSync, PlanOptions, Recording, plan_telling};
use galatea_speech::text::Pronouncer;
use galatea_speech::text::language::language;
use galatea_speech::track::SpeechTrack;

/// Maximum size of a sound file, bytes.
const MAX_BYTES: u64 = 512 << 20;

/// Extensions of output files.
const EXTENSIONS: [&str; 5] = ["json", "tsv", "TextGrid", "glb", "gltf"];

/// Arguments of `lipsync`.
#[derive(Debug, Args)]
pub struct LipsyncArgs {
    /// Recordings (wav, ogg, mp3 or flac), or folders with recordings. With several, the text of line.ogg is read from
    /// line.txt in the same folder
    #[arg(value_name = "AUDIO", required_unless_present_any = ["text", "texts"])]
    audio: Vec<PathBuf>,
    /// A list of recordings and their texts. Each line has a file, relative to the list, a tab, and the text
    #[arg(long, value_name = "FILE.tsv", conflicts_with_all = ["text", "text_file", "from"])]
    texts: Option<PathBuf>,
    /// Text of the recording, or the text to speak if there is no recording; marks are removed
    #[arg(long, conflicts_with = "text_file")]
    text: Option<String>,
    /// File with the text
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// Language of the text: a name, or two letters such as "es"
    #[arg(long, value_name = "NAME", default_value = "en")]
    language: String,
    /// Import times of another program: Rhubarb output, TextGrid, words in JSON, labels, glTF morph weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Method of lip sync
    #[arg(long, value_enum, default_value_t = LipsyncMethod::Auto)]
    method: LipsyncMethod,
    /// Output file (.json, .tsv, .TextGrid, .glb, .gltf); without it the mouth shapes are printed. For several
    /// recordings the output folder
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Output format for several recordings
    #[arg(long, value_name = "FORMAT", default_value = "json", ignore_case = true, value_parser = EXTENSIONS)]
    format: String,
    #[command(flatten)]
    many: ManyArgs,
    /// Draw the waveform, sounds and mouth shapes
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// Print the JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LipsyncMethod {
    /// Sound and text, or sound alone if there is no text
    Auto,
    /// Sound alone without look-ahead, as for a microphone
    Live,
    /// Loudness alone, in four steps
    Amplitude,
}

/// # Errors
/// When a file cannot be read or written, or the text is empty.
pub fn run(args: &LipsyncArgs) -> anyhow::Result<ExitCode> {
    let reader = Pronouncer {
        language: language(&args.language, &[]).map_err(anyhow::Error::msg)?,
        ..Pronouncer::default()
    };
    match args.audio.as_slice() {
        [] if args.texts.is_none() => one(args, None, &reader),
        [audio] if args.texts.is_none() && !audio.is_dir() => one(args, Some(audio), &reader),
        _ => lines::run(args, &reader),
    }
}

/// Processes one recording, or one text.
fn one(args: &LipsyncArgs, audio: Option<&Path>, reader: &Pronouncer) -> anyhow::Result<ExitCode> {
    let text = match (&args.text, &args.text_file) {
        (Some(text), _) => text.clone(),
        (None, Some(file)) => {
            fs::read_to_string(file).with_context(|| format!("{}", file.display()))?
        }
        _ => String::new(),
    };
    let mut recording = audio.map(read).transpose()?;
    if let Some(from) = &args.from {
        let told = timing_file::read(from).map_err(anyhow::Error::msg)?;
        match &mut recording {
            Some(recording) => recording.timings = Some(Arc::new(told)),
            None => bail!("--from needs the recording that the times belong to"),
        }
    }
    let progress = Progress::new("analysing, %:", 100);
    let heard = hear(
        args.method,
        &text,
        audio,
        recording.as_ref(),
        reader,
        &mut |share| {
            progress.at((100.0 * share) as u64);
        },
    );
    progress.done();
    let heard = heard?;
    if let Some(file) = &args.output {
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        let bytes = heard.encoded(&ending);
        let bytes = bytes.with_context(|| format!("{}", file.display()))?;
        write_whole(file, &bytes)?;
    }
    if let Some(file) = &args.picture {
        let png = picture::draw(recording.as_ref(), &heard.track, &heard.mouth)
            .context("cannot draw the picture")?;
        write_whole(file, &png)?;
    }
    if args.json {
        say!("{}", heard.json().trim_end());
    } else if args.output.is_none() && args.picture.is_none() {
        say!("{}", write_tsv(&heard.track).trim_end());
    } else {
        say!("{}", summary(&heard.track, &heard.mouth));
        for file in args.output.iter().chain(&args.picture) {
            say!("{}", file.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Recognition result of a recording.
struct Recognized {
    track: SpeechTrack,
    mouth: Mouth,
    /// The text without marks.
    text: String,
    /// Name of the recording.
    sound: String,
}

impl Recognized {
    fn json(&self) -> String {
        write_json(&self.track, &self.mouth, &self.text, &self.sound)
    }

    /// Encodes the result for a file extension.
    fn encoded(&self, ending: &str) -> anyhow::Result<Vec<u8>> {
        Ok(match ending.to_lowercase().as_str() {
            "json" => self.json().into_bytes(),
            "tsv" => write_tsv(&self.track).into_bytes(),
            "textgrid" => write_textgrid(&self.track).into_bytes(),
            "glb" => weights::binary(&self.track, &self.mouth),
            "gltf" => weights::text(&self.track, &self.mouth),
            _ => bail!(
                "unsupported output format; expected one of .{}",
                EXTENSIONS.join(", .")
            ),
        })
    }
}

fn hear(
    by: LipsyncMethod,
    text: &str,
    audio: Option<&Path>,
    recording: Option<&Recording>,
    reader: &Pronouncer,
    tell: &mut dyn FnMut(f32),
) -> anyhow::Result<Recognized> {
    let marked = parse(text.trim()).context("cannot parse the text")?;
    let options = PlanOptions {
        rate: 1.0,
        lipsync: match by {
            LipsyncMethod::Auto => LipSync::Auto,
            LipsyncMethod::Live => LipSync::Live,
            LipsyncMethod::Amplitude => LipSync::Amplitude,
        },
        level: false,
    };
    let planned = plan_telling(&marked, recording, &options, reader, tell);
    let planned = planned.map_err(anyhow::Error::msg)?;
    for warning in &planned.warnings {
        let place = audio.map_or_else(String::new, |file| format!("{}: ", file.display()));
        eprintln!("warning: {place}{warning}");
    }
    let track = planned.track;
    let sound = audio.and_then(Path::file_name).unwrap_or_default();
    Ok(Recognized {
        mouth: Mouth::of_track(&track, &MouthOptions::default()),
        track,
        text: marked.text.clone(),
        sound: sound.to_string_lossy().into_owned(),
    })
}

fn read(file: &Path) -> anyhow::Result<Recording> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let bytes = galatea_asset::read_at_most(file, MAX_BYTES)
        .with_context(|| format!("{}", file.display()))?;
    let sound = Sound::decode(&name, &bytes)?;
    Ok(Recording {
        samples: sound.shared_samples(),
        rate: sound.sample_rate(),
        channels: sound.channels(),
        timings: None,
    })
}

fn summary(track: &SpeechTrack, mouth: &Mouth) -> String {
    let sure = track.words.iter().filter_map(|word| word.confidence);
    let doubted: Vec<&str> = track
        .words
        .iter()
        .filter(|word| word.confidence.is_some_and(|c| c < 0.25))
        .map(|word| word.text.as_str())
        .collect();
    let n = sure.clone().count();
    let mut text = format!(
        "{:.2} s, {} words, {} sounds, {:.1} mouth shapes a second",
        track.duration,
        track.words.len(),
        track.phonemes.len(),
        mouth.changes_per_second()
    );
    if n > 0 {
        let mean = sure.sum::<f32>() / n as f32;
        text.push_str(&format!(", confidence {:.0} %", 100.0 * mean));
    }
    if !doubted.is_empty() {
        text.push_str(&format!("; unclear: {}", doubted.join(" ")));
    }
    text
}
