//! The command line of a bundle.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr as _;

use anyhow::{Context as _, bail, ensure};
use galatea_app::sheet::PixelSize;
use galatea_math::names::nearest_hint;
use galatea_stage::frame::Quality;

/// Options of the player's command line.
#[derive(Debug, Default)]
pub struct PlayerArgs {
    /// A folder with files that replace those of the bundle.
    pub over: Option<PathBuf>,
    pub quality: Option<Quality>,
    pub silent: bool,
    pub shot: Option<Shot>,
    /// The folder that gets the bundle's files.
    pub unpack: Option<PathBuf>,
    pub licenses: bool,
    pub help: bool,
    pub version: bool,
}

/// An image that is rendered without a window.
#[derive(Debug)]
pub struct Shot {
    pub file: PathBuf,
    /// Time of the image, seconds.
    pub at: f64,
    pub size: PixelSize,
}

/// Options with the help that `--help` shows.
const OPTIONS: [(&str, &str); 9] = [
    ("--quality NAME", "Rendering quality: low, medium or high"),
    ("--silent", "Play without sound"),
    (
        "--shot FILE.png",
        "Render one picture without a window, and exit",
    ),
    (
        "--at SECONDS",
        "With --shot: the time of the picture [default: 1]",
    ),
    (
        "--size WxH",
        "With --shot: pixels of the picture [default: 1280x720]",
    ),
    (
        "--unpack FOLDER",
        "Write the files of this bundle into an empty folder",
    ),
    (
        "--licenses",
        "Print the licences of the program and its components",
    ),
    ("-h, --help", "Print this help"),
    ("-V, --version", "Print the version"),
];

/// The text of `--help`.
pub fn help(name: &str) -> String {
    let mut text = format!(
        "{name}, played by galatea\n\nUsage: PROGRAM [OPTIONS] [FOLDER]\n\n  [FOLDER]          Files in this folder replace those in the program, like the folder `overrides` next to it\n\n"
    );
    for (option, help) in OPTIONS {
        text.push_str(&format!("  {option:<17} {help}\n"));
    }
    text.push_str(
        "\n`galatea check`, `shot`, `record` and `test` take this file as a project too.\n",
    );
    text
}

/// Parses a command line, without the program's name.
///
/// # Errors
/// An unknown option with the most similar known one, or a missing or invalid value.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<PlayerArgs> {
    use lexopt::Arg::{Long, Short, Value};
    let mut args = PlayerArgs::default();
    let (mut file, mut at, mut size) = (None, None, None);
    let mut parser = lexopt::Parser::from_args(words);
    while let Some(word) = parser.next()? {
        match word {
            Value(folder) if args.over.is_none() => args.over = Some(folder.into()),
            Value(word) => bail!(
                "expected only one folder; {} is a second one",
                word.display()
            ),
            Long("quality") => args.quality = Some(quality(&text(&mut parser)?)?),
            Long("silent") => args.silent = true,
            Long("shot") => file = Some(PathBuf::from(parser.value()?)),
            Long("at") => at = Some(seconds(&text(&mut parser)?)?),
            Long("size") => {
                let text = text(&mut parser)?;
                let parsed = PixelSize::from_str(&text).map_err(anyhow::Error::msg);
                size = Some(parsed.context("--size")?);
            }
            Long("unpack") => args.unpack = Some(parser.value()?.into()),
            Long("licenses") => args.licenses = true,
            Long("help") | Short('h') => args.help = true,
            Long("version") | Short('V') => args.version = true,
            Long(name) => {
                let known = OPTIONS.iter().filter_map(|(option, _)| {
                    let long = option.split("--").nth(1)?;
                    long.split(' ').next()
                });
                bail!("unknown option --{name}{}", nearest_hint(name, known));
            }
            Short(letter) => bail!("unknown option -{letter}; --help lists the options"),
        }
    }
    args.shot = match file {
        Some(file) => Some(Shot {
            file,
            at: at.unwrap_or(1.0),
            size: size.unwrap_or(PixelSize(1280, 720)),
        }),
        None => {
            ensure!(
                at.is_none() && size.is_none(),
                "--at and --size require --shot"
            );
            None
        }
    };
    Ok(args)
}

fn text(parser: &mut lexopt::Parser) -> anyhow::Result<String> {
    let value = parser.value()?;
    let text = value.into_string();
    text.map_err(|value| anyhow::anyhow!("{}: not valid UTF-8", value.display()))
}

fn quality(text: &str) -> anyhow::Result<Quality> {
    let names = Quality::ALL.map(Quality::name);
    Quality::of(text).with_context(|| {
        let hint = nearest_hint(text, names.into_iter());
        format!("--quality: expected one of {}{hint}", names.join(", "))
    })
}

fn seconds(text: &str) -> anyhow::Result<f64> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|n| (0.0..=86_400.0).contains(n));
    number.context("--at: expected seconds from 0 to 86400")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> anyhow::Result<PlayerArgs> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn options_are_read_with_and_without_an_equals_sign() {
        let args = read("mods --quality=high --silent --shot a.png --at 2.5 --size 64x32").unwrap();
        assert_eq!(args.over, Some("mods".into()));
        assert_eq!(args.quality, Some(Quality::High));
        assert!(args.silent);
        let shot = args.shot.unwrap();
        assert_eq!((shot.file, shot.at), ("a.png".into(), 2.5));
        assert_eq!((shot.size.0, shot.size.1), (64, 32));
    }

    #[test]
    fn mistakes_are_reported_with_the_nearest_option() {
        for (line, message) in [
            (
                "--silence",
                "unknown option --silence; did you mean \"silent\"?",
            ),
            (
                "--quality best",
                "--quality: expected one of low, medium, high",
            ),
            ("--at 2", "--at and --size require --shot"),
            ("--shot a.png --at never", "expected seconds"),
            ("--unpack", "missing argument"),
            ("one two", "two is a second one"),
        ] {
            let error = format!("{:#}", read(line).unwrap_err());
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
