//! Batch processing of recordings with their texts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};

use super::{LipsyncArgs, hear, read};
use crate::commands::many::{self, Depth};
use crate::commands::progress::Progress;
use galatea_asset::{SOUND_EXTENSIONS, write_whole};
use galatea_speech::text::Pronouncer;

/// A recording and the source of its text.
struct SpokenFile {
    audio: PathBuf,
    /// Source of the text: the list, a file next to the recording, or none.
    text: Text,
    /// Output file.
    output: PathBuf,
}

enum Text {
    Said(String, PathBuf),
    Beside(PathBuf),
    None,
}

pub fn run(args: &LipsyncArgs, reader: &Pronouncer) -> anyhow::Result<ExitCode> {
    ensure!(
        args.text.is_none() && args.text_file.is_none() && args.from.is_none(),
        "--text, --text-file and --from work with one recording only; for several, put text files next to them or use --texts"
    );
    ensure!(
        args.picture.is_none() && !args.json,
        "--picture and --json work with one recording only"
    );
    let folder = args
        .output
        .as_ref()
        .context("several recordings need an output folder: -o FOLDER")?;
    let lines = args.many.shard_items(lines(args, folder)?);
    let progress = Progress::new("analysing, line", lines.len() as u64);
    let (mut n_made, mut n_faulty) = (0, 0);
    for (i, line) in lines.iter().enumerate() {
        progress.at(i as u64);
        let sources: Vec<&Path> = match &line.text {
            Text::Said(_, file) | Text::Beside(file) => vec![&line.audio, file],
            Text::None => vec![&line.audio],
        };
        if args.many.is_done(&line.output, &sources) {
            continue;
        }
        // A recording that cannot be read does not stop the others.
        match one(args, line, reader) {
            Ok(()) => n_made += 1,
            Err(error) => {
                eprintln!("error: {}: {error:#}", line.audio.display());
                n_faulty += 1;
            }
        }
    }
    progress.done();
    let n_there = lines.len() - n_made - n_faulty;
    say!(
        "{n_made} written, {n_there} up to date, {n_faulty} failed, in {}",
        folder.display()
    );
    Ok(ExitCode::from(u8::from(n_faulty > 0)))
}

fn one(args: &LipsyncArgs, line: &SpokenFile, reader: &Pronouncer) -> anyhow::Result<()> {
    let text = match &line.text {
        Text::Said(text, _) => text.clone(),
        Text::Beside(file) => {
            fs::read_to_string(file).with_context(|| file.display().to_string())?
        }
        Text::None => String::new(),
    };
    let recording = read(&line.audio)?;
    let heard = hear(
        args.method,
        &text,
        Some(&line.audio),
        Some(&recording),
        reader,
        &mut |_| {},
    )?;
    Ok(write_whole(&line.output, &heard.encoded(&args.format)?)?)
}

fn lines(args: &LipsyncArgs, folder: &Path) -> anyhow::Result<Vec<SpokenFile>> {
    let mut all = Vec::new();
    if let Some(list) = &args.texts {
        let told = fs::read_to_string(list).with_context(|| list.display().to_string())?;
        let beside = list.parent().unwrap_or(Path::new(""));
        for (i, line) in told
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let parts = line.split_once('\t');
            let (audio, text) = parts.with_context(|| {
                format!(
                    "{}:{}: expected a file, a tab and a text",
                    list.display(),
                    i + 1
                )
            })?;
            let output = folder.join(audio).with_extension(&args.format);
            let leads_out =
                Path::new(audio).is_absolute() || audio.split(['/', '\\']).any(|part| part == "..");
            all.push(SpokenFile {
                audio: beside.join(audio),
                text: Text::Said(text.to_owned(), list.clone()),
                output: match leads_out {
                    true => many::beside(&[], Path::new(audio), folder, &args.format),
                    false => output,
                },
            });
        }
    }
    for audio in many::files(&args.audio, &SOUND_EXTENSIONS, Depth::All)? {
        let text = audio.with_extension("txt");
        all.push(SpokenFile {
            output: many::beside(&args.audio, &audio, folder, &args.format),
            text: match text.is_file() {
                true => Text::Beside(text),
                false => Text::None,
            },
            audio,
        });
    }
    let mut outputs: Vec<&PathBuf> = all.iter().map(|line| &line.output).collect();
    outputs.sort();
    let twice = outputs.windows(2).find(|pair| pair[0] == pair[1]);
    if let Some(pair) = twice {
        anyhow::bail!(
            "two recordings would both be written to {}",
            pair[0].display()
        );
    }
    Ok(all)
}
