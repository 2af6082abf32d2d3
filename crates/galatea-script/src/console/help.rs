//! The console command `help`: an overview, and entries of the reference.

use mlua::Value;

use super::answer::{Answer, WORDS};
use super::print::kind_of;
use crate::api::group::{Function, Group, Kind, Property};
use crate::api::groups::GROUPS;
use crate::host::Host;
use crate::reference::{fields_of, signature};
use galatea_math::names::nearest_hint;
use galatea_stage::Stage;

/// Line width, characters.
const WIDTH: usize = 92;
/// Maximum number of entries with the same name that are shown in full.
const MAX_ENTRIES: usize = 4;

impl Host {
    /// Runs the commands `help` and `help NAME`.
    pub(super) fn help(&mut self, stage: &mut Stage, name: &str) -> Answer {
        if name == "locals" {
            return Answer::text(self.help_locals());
        }
        // `help hero:play()` and `help "play"` mean `play`.
        let name = name.trim_matches(['"', '\'']);
        let name = name.split('(').next().unwrap_or_default().trim();
        if name.is_empty() {
            return Answer::text(overview());
        }
        // `hero:play` means the `play` of a character.
        let owned = name.rsplit_once([':', '.']).and_then(|(owner, last)| {
            let Value::UserData(data) = self.read_path(stage, owner)? else {
                return None;
            };
            entry(&format!("{}:{last}", kind_of(&data)?))
        });
        match owned.or_else(|| entry(name)) {
            Some(text) => Answer::text(text),
            None => {
                let names = all_names();
                let names = names.iter().map(String::as_str);
                let last = name.rsplit(['.', ':']).next().unwrap_or(name);
                Answer::wrong(format!(
                    "unknown name {name:?}{}",
                    nearest_hint(last, names)
                ))
            }
        }
    }

    fn help_locals(&self) -> String {
        let lines: Vec<String> = self.with_program(|program| {
            let locals = program.sources.ordered_locals().into_iter();
            locals
                .map(|one| wrapped(&format!("{}: {}", one.file, one.names.join(", "))))
                .collect()
        });
        if lines.is_empty() {
            "no script has locals that the console can read".into()
        } else {
            lines.join("\n")
        }
    }
}

/// Overview of modules, types and commands.
fn overview() -> String {
    let mut out = String::from("Lua: prints the value of an expression, or runs statements.\n");
    for (word, what) in WORDS {
        out += &format!("  {word:<8} {what}\n");
    }
    for group in GROUPS {
        let functions = group.functions.iter().map(|function| function.name);
        let properties = group.properties.iter().map(|property| property.name);
        let names: Vec<&str> = functions.chain(properties).collect();
        let title = match group.kind {
            Kind::Globals => format!("({})", group.name),
            Kind::Module => format!("{}.", group.name),
            Kind::Object => format!("{}:", group.name),
        };
        out += &wrapped(&format!("{title} {}", names.join(", ")));
        out.push('\n');
    }
    out
}

/// Entry of a function, property, module, type or command.
fn entry(name: &str) -> Option<String> {
    if let Some((word, what)) = WORDS.iter().find(|(word, _)| *word == name) {
        return Some(format!("{word}: {what}"));
    }
    if let Some(group) = GROUPS.iter().find(|group| group.name == name) {
        return Some(of_group(group));
    }
    let (owner, last) = name
        .rsplit_once(['.', ':'])
        .map_or((None, name), |(owner, last)| (Some(owner), last));
    let is_of = |group: &&&Group| {
        owner.is_none_or(|owner| {
            group.kind != Kind::Globals && group.name.eq_ignore_ascii_case(owner)
        })
    };
    let found = |only: bool| -> Vec<String> {
        let groups = GROUPS.iter().filter(|group| !only || is_of(group));
        groups
            .flat_map(|group| {
                let functions = group.functions.iter().filter(|f| f.name == last);
                let functions = functions.map(|f| of_function(group, f));
                let properties = group.properties.iter().filter(|p| p.name == last);
                functions.chain(properties.map(|p| of_property(group, p)))
            })
            .collect()
    };
    // In `hero:play`, the part before the colon is the name of a value, which may have any type.
    let mut entries = found(true);
    if entries.is_empty() {
        entries = found(false);
    }
    if entries.is_empty() {
        let mut groups = GROUPS.iter();
        let group = groups.find(|group| group.name.eq_ignore_ascii_case(name));
        entries.extend(group.map(|group| of_group(group)));
    }
    entries.truncate(MAX_ENTRIES);
    (!entries.is_empty()).then(|| entries.join("\n\n"))
}

fn of_group(group: &Group) -> String {
    let mut out = format!("{}: {}\n", group.name, sentence(group.doc));
    for property in group.properties {
        out += &format!("  .{}: {}\n", property.name, property.ty);
    }
    for function in group.functions {
        out += &format!("  {}\n", signature(group, function));
    }
    out
}

fn of_function(group: &Group, function: &'static Function) -> String {
    let mut out = format!(
        "{}\n{}\n",
        signature(group, function),
        sentence(function.doc)
    );
    for field in function
        .params
        .iter()
        .flat_map(|param| fields_of(&param.ty))
    {
        let default = match field.default {
            "" => String::new(),
            default => format!("; {default}"),
        };
        out += &wrapped(&format!("  {}: {}{default}", field.name, field.meaning()));
        out.push('\n');
    }
    out + &format!("  example: {}", function.example)
}

fn of_property(group: &Group, property: &Property) -> String {
    format!(
        "{}.{}: {}\n{}",
        group.name.to_lowercase(),
        property.name,
        property.ty,
        sentence(property.doc)
    )
}

/// Text of the reference as wrapped plain lines, without Markdown.
fn sentence(doc: &str) -> String {
    wrapped(&doc.replace('`', ""))
}

/// Wraps a text at [`WIDTH`] characters. Lines after the first are indented.
fn wrapped(text: &str) -> String {
    let start: String = text.chars().take_while(|c| *c == ' ').collect();
    let mut out = start.clone();
    let mut width = start.len();
    for word in text.split_whitespace() {
        let n = word.chars().count();
        if width + n > WIDTH && width > 4 {
            out = format!("{}\n{start}    ", out.trim_end());
            width = start.len() + 4;
        }
        out += word;
        out.push(' ');
        width += n + 1;
    }
    out.truncate(out.trim_end().len());
    out
}

/// All names that have an entry.
pub(super) fn all_names() -> Vec<String> {
    let mut names: Vec<String> = WORDS.iter().map(|(word, _)| (*word).to_owned()).collect();
    for group in GROUPS {
        names.push(group.name.to_owned());
        names.extend(group.functions.iter().map(|f| f.name.to_owned()));
        names.extend(group.properties.iter().map(|p| p.name.to_owned()));
    }
    names
}

/// Returns true if the code is a call of a runtime function that returns nothing.
pub(super) fn gives_nothing(code: &str) -> bool {
    let mut depth = 0usize;
    let opens = code.trim_end().char_indices().rev().find(|(_, c)| {
        match c {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let Some((at, '(')) = opens else {
        return false;
    };
    let before = code[..at].trim_end();
    let name = before
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    let mut functions = GROUPS.iter().flat_map(|group| group.functions);
    functions.any(|f| Some(f.name) == name && f.returns.is_empty())
}
