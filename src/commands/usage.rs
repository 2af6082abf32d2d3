//! Reads the command line, and describes errors in it in plain words.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _, Error, FromArgMatches as _};

use galatea_math::names::{nearest, nearest_hint, printable};

use super::Cli;

/// Reads the command line. Prints the error, the help or the version if there is no command to run.
///
/// # Errors
/// The exit code for a command line without a command to run.
pub fn parse() -> Result<Cli, ExitCode> {
    let words: Vec<OsString> = std::env::args_os().collect();
    read(&words).map_err(|error| {
        match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                // A closed pipe (`galatea --help | head`) is no error.
                let _ = error.print();
            }
            _ => eprintln!("error: {}", printable(&message(&error, &words))),
        }
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

fn read(words: &[OsString]) -> Result<Cli, Error> {
    let command = with_negative_numbers(Cli::command());
    let matches = command.try_get_matches_from(words)?;
    Cli::from_arg_matches(&matches)
}

/// Lets every option with a value take a negative number, so that `--at -1` is a value out of range and no option `-1`.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let has_value = !arg.is_positional() && arg.get_action().takes_values();
        match has_value {
            true => arg.allow_negative_numbers(true),
            false => arg,
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// The error, and the command that lists the options.
fn message(error: &Error, words: &[OsString]) -> String {
    let root = Cli::command();
    let (mut command, mut path) = (&root, root.get_name().to_owned());
    for word in words.iter().skip(1) {
        if let Some(next) = command.find_subcommand(word) {
            command = next;
            path = format!("{path} {}", next.get_name());
        }
    }
    let problem = problem(error, command, &root).unwrap_or_else(|| {
        let text = error.render().to_string();
        text.trim_start_matches("error: ").trim_end().to_owned()
    });
    let what = match command.has_subcommands() {
        true => "commands and options",
        false => "options",
    };
    format!("{problem}\n`{path} --help` lists the {what}")
}

/// The problem in plain words; `None` for an error that has none.
fn problem(error: &Error, command: &Command, root: &Command) -> Option<String> {
    let arg = text_of(error, ContextKind::InvalidArg);
    let value = text_of(error, ContextKind::InvalidValue);
    let number = |kind| match error.get(kind) {
        Some(ContextValue::Number(n)) => Some(*n),
        _ => None,
    };
    let n_values = number(ContextKind::ActualNumValues);
    Some(match error.kind() {
        ErrorKind::ValueValidation => {
            let cause = cause_of(&error.source()?.to_string());
            format!("{} cannot be {:?}: {cause}", option(arg?), value?)
        }
        ErrorKind::InvalidValue if value?.is_empty() => {
            format!("{} needs a value: {}", option(arg?), arg?)
        }
        ErrorKind::InvalidValue => {
            let known = texts_of(error, ContextKind::ValidValue);
            let hint = nearest_hint(value?, known.into_iter());
            format!("{} cannot be {:?}{hint}", option(arg?), value?)
        }
        ErrorKind::UnknownArgument => unknown_argument(arg?, command, root),
        ErrorKind::InvalidSubcommand => {
            let word = text_of(error, ContextKind::InvalidSubcommand)?;
            unknown_command(word, command)
        }
        ErrorKind::ArgumentConflict => {
            let one = arg.or_else(|| text_of(error, ContextKind::InvalidSubcommand))?;
            let others = texts_of(error, ContextKind::PriorArg);
            match others.as_slice() {
                [other] if *other == one => format!("{} is given twice; give it once", option(one)),
                [] => format!("{} cannot be used with the other options", option(one)),
                others => {
                    let others: Vec<&str> = others.iter().map(|other| option(other)).collect();
                    format!("{} cannot be used with {}", option(one), others.join(", "))
                }
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = texts_of(error, ContextKind::InvalidArg);
            format!("the command needs {}", missing.join(" and "))
        }
        ErrorKind::MissingSubcommand => {
            let known = texts_of(error, ContextKind::ValidSubcommand);
            format!("expected one of these commands: {}", known.join(", "))
        }
        ErrorKind::TooManyValues if arg?.contains('<') => {
            format!("{} has one value too many: {:?}", option(arg?), value?)
        }
        ErrorKind::TooManyValues => format!("{} takes no value, got {:?}", arg?, value?),
        ErrorKind::TooFewValues => {
            let min = number(ContextKind::MinValues)?;
            format!(
                "{} needs at least {min} values, got {}",
                option(arg?),
                n_values?
            )
        }
        ErrorKind::WrongNumberOfValues => {
            let n = number(ContextKind::ExpectedNumValues)?;
            format!("{} needs {n} values, got {}", option(arg?), n_values?)
        }
        ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8 text".to_owned(),
        _ => return None,
    })
}

/// A text of the error's context.
fn text_of(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    }
}

/// All texts of a part of the error's context.
fn texts_of(error: &Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.as_str()],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The name in `--seconds <SECONDS>`.
fn option(arg: &str) -> &str {
    arg.split(' ').next().unwrap_or(arg)
}

/// Cause of an invalid value, from the message of a reader. Readers of this program describe valid values themselves.
fn cause_of(message: &str) -> String {
    if let Some((_, range)) = message.split_once(" is not in ")
        && let Some((min, max)) = range.split_once("..=")
    {
        return format!("expected a whole number from {min} to {max}");
    }
    match message {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number from 0"
        }
        "number too large to fit in target type" => "the number is too large",
        "invalid float literal" | "cannot parse float from empty string" => "expected a number",
        other => other,
    }
    .to_owned()
}

fn unknown_argument(arg: &str, command: &Command, root: &Command) -> String {
    if !arg.starts_with('-') {
        return format!("unexpected argument {arg:?}; put a name with spaces in quotes");
    }
    let written = arg.trim_start_matches('-');
    let mut former = FORMER.iter().filter(|(former, _)| *former == written);
    if let Some((_, current)) = former.find(|(_, current)| has_option(command, current)) {
        return format!("unknown option {arg}; write --{current}");
    }
    let owners = root
        .get_subcommands()
        .filter(|command| has_option(command, written));
    let owners: Vec<String> = owners
        .map(|command| format!("`{} {}`", root.get_name(), command.get_name()))
        .collect();
    if !owners.is_empty() {
        return format!(
            "unknown option {arg}; it is an option of {}",
            owners.join(", ")
        );
    }
    let global = root.get_arguments().filter(|a| a.is_global_set());
    let known = command.get_arguments().chain(global);
    let near = nearest(written, known.filter_map(|a| a.get_long()));
    let hint = near.map_or_else(String::new, |name| format!("; did you mean --{name}?"));
    format!("unknown option {arg}{hint}")
}

fn has_option(command: &Command, name: &str) -> bool {
    command
        .get_arguments()
        .any(|arg| arg.get_long() == Some(name))
}

/// Former names of options, and their current names.
const FORMER: [(&str, &str); 13] = [
    ("again", "force"),
    ("bless", "update-images"),
    ("by", "method"),
    ("hairs", "vertex-lines"),
    ("lock", "no-unpack"),
    ("marks", "markers"),
    ("only", "character"),
    ("pop", "max-pop"),
    ("reel", "render"),
    ("reel-to", "render-to"),
    ("slide", "max-slide"),
    ("to", "format"),
    ("travel", "add-root-motion"),
];

/// Words that other programs use for commands.
const FOREIGN: [(&str, &str); 8] = [
    ("build", "bundle"),
    ("create", "new"),
    ("export", "bundle"),
    ("init", "new"),
    ("open", "play"),
    ("render", "record"),
    ("run", "play"),
    ("start", "play"),
];

fn unknown_command(word: &str, command: &Command) -> String {
    if Path::new(word).exists() && command.find_subcommand("play").is_some() {
        return format!("unknown command {word:?}; to open it, write `galatea play {word}`");
    }
    let known = command.get_subcommands().map(Command::get_name);
    let hint = match FOREIGN.iter().find(|(foreign, _)| *foreign == word) {
        Some((_, ours)) => format!("; did you mean {ours:?}?"),
        None => nearest_hint(word, known),
    };
    format!("unknown command {word:?}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line of the message for a command line.
    fn problem_of(line: &str) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = read(&words).unwrap_err();
        let message = message(&error, &words);
        message.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn errors_name_the_option_the_value_and_the_limits() {
        for (line, expected) in [
            (
                "galatea record --seconds -1 -o x",
                "--seconds cannot be \"-1\": expected seconds from 0 to 86400",
            ),
            (
                "galatea record --fps 241 -o x",
                "--fps cannot be \"241\": expected a whole number from 1 to 240 (frames per second)",
            ),
            (
                "galatea torture --seed x",
                "--seed cannot be \"x\": expected a whole number from 0",
            ),
            (
                "galatea play --control 70000",
                "--control cannot be \"70000\": expected a whole number from 0 to 65535",
            ),
            (
                "galatea record --seconds",
                "--seconds needs a value: --seconds <SECONDS>",
            ),
            (
                "galatea new x --template walkr",
                "--template cannot be \"walkr\"; did you mean \"walker\"?",
            ),
            (
                "galatea record --secnds 5",
                "unknown option --secnds; did you mean --seconds?",
            ),
            (
                "galatea clip a.glb --travel -o b.glb",
                "unknown option --travel; write --add-root-motion",
            ),
            (
                "galatea check --fps 5",
                "unknown option --fps; it is an option of `galatea record`",
            ),
            (
                "galatea check --bakcend vulkan",
                "unknown option --bakcend; did you mean --backend?",
            ),
            (
                "galatea licenses now",
                "unexpected argument \"now\"; put a name with spaces in quotes",
            ),
            (
                "galatea paly",
                "unknown command \"paly\"; did you mean \"play\"?",
            ),
            (
                "galatea run",
                "unknown command \"run\"; did you mean \"play\"?",
            ),
            (
                "galatea Cargo.toml",
                "unknown command \"Cargo.toml\"; to open it, write `galatea play Cargo.toml`",
            ),
            (
                "galatea check --json=yes",
                "--json takes no value, got \"yes\"",
            ),
        ] {
            assert_eq!(problem_of(line), expected, "{line}");
        }
        let conflict = problem_of("galatea play --render --record-input x");
        assert!(conflict.contains(" cannot be used with --re"), "{conflict}");
    }

    #[test]
    fn the_second_line_is_the_command_for_help() {
        let words = ["galatea", "record", "--fps", "x"].map(OsString::from);
        let error = read(&words).unwrap_err();
        let text = message(&error, &words);
        assert!(
            text.ends_with("\n`galatea record --help` lists the options"),
            "{text}"
        );
        let words = ["galatea", "paly"].map(OsString::from);
        let error = read(&words).unwrap_err();
        let text = message(&error, &words);
        assert!(
            text.ends_with("\n`galatea --help` lists the commands and options"),
            "{text}"
        );
    }
}
