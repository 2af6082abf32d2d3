//! Checks of Lua scripts without running them: unknown names, calls that cannot work, and common slips.
//!
//! [`lint`] runs selene's checks. They learn the API from the tables that register it, so that a script is checked
//! against the functions that exist. A global that any script of a project sets is known in all of them.
//!
//! ```
//! use galatea_lint::lint;
//! use galatea_script::GROUPS;
//!
//! let scripts = [("main.lua".to_owned(), "hero = charakter 'hero.glb'".to_owned())];
//! let remarks = lint(&scripts, GROUPS);
//! assert_eq!((remarks[0].line, remarks[0].column), (1, 8));
//! assert!(remarks[0].text.contains("character"));
//! ```
//!
//! # Dependencies
//! The tables of `galatea-script`; it runs no Lua and reads no files.

mod conditions;
mod inputs;
mod typed;
mod unordered;

use std::collections::{BTreeMap, HashSet};
use std::panic::resume_unwind;

use full_moon::LuaVersion;
use full_moon::ast::{Ast, FunctionDeclaration};
use full_moon::visitors::Visitor;
use selene_lib::lints::Severity;
use selene_lib::standard_library::{
    Argument, ArgumentType, Field, FieldKind, FunctionBehavior, Observes, PropertyWritability,
    Required, StandardLibrary,
};
use selene_lib::{Checker, CheckerConfig, CheckerDiagnostic, LintVariation};

use self::conditions::Conditions;
pub use self::inputs::{InputName, InputNames, input_names};
use self::typed::{Misuse, renamed_function};
use self::unordered::{UnorderedLoop, unordered_loops};
use galatea_math::names::nearest;
use galatea_script::toolkit::{
    ENTRY_POINTS, Function, Group, Kind, REMOVED, Type, compiles, local_names, no_global,
};

/// A message about a script.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remark {
    /// Script file, relative to the project.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Message text.
    pub text: String,
    /// True for a run-time error, false for a warning.
    pub is_error: bool,
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            file,
            line,
            column,
            text,
            ..
        } = self;
        write!(f, "{file}:{line}:{column}: {text}")
    }
}

/// Disabled checks: the runtime reports the same better, or they are a matter of taste.
const DISABLED: [&str; 16] = [
    "bad_string_escape",
    "deprecated",
    "divide_by_zero",
    "empty_if",
    "empty_loop",
    "global_usage",
    "high_cyclomatic_complexity",
    "manual_table_clone",
    "mixed_table",
    "multiple_statements",
    "parenthese_conditions",
    "restricted_module_paths",
    "roblox_incorrect_roact_usage",
    "shadowing",
    "unscoped_variables",
    "unused_variable",
];

/// Checks the scripts of a project, given as path and text, which may use the API in `groups`. Scripts with syntax errors
/// are skipped, because the compiler reports them.
pub fn lint(scripts: &[(String, String)], groups: &[&'static Group]) -> Vec<Remark> {
    on_large_stack(|| remarks(scripts, groups))
}

/// Runs code on its own thread: the parser and the checks recurse as deep as a script is nested.
fn on_large_stack<T: Default + Send>(work: impl FnOnce() -> T + Send) -> T {
    /// Bytes of address space. The system provides memory only for the part in use.
    const STACK: usize = 512 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        // Without such a thread, no checks run.
        let Ok(thread) = thread.spawn_scoped(scope, work) else {
            return T::default();
        };
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn remarks(scripts: &[(String, String)], groups: &[&'static Group]) -> Vec<Remark> {
    let config = CheckerConfig::<serde_json::Value> {
        lints: DISABLED
            .iter()
            .map(|name| ((*name).to_owned(), LintVariation::Allow))
            .collect(),
        ..CheckerConfig::default()
    };
    // Only a configuration of single lints can be refused, and there is none.
    let Ok(checker) = Checker::new(config, library(groups)) else {
        return Vec::new();
    };
    let parsed = scripts.iter();
    let parsed: Vec<ParsedScript> = parsed
        .filter_map(|(file, text)| ParsedScript::new(file, text, &checker, groups))
        .collect();
    let globals: HashSet<&str> = parsed.iter().flat_map(ParsedScript::globals).collect();
    let is_used = |name: &str| {
        let words = scripts.iter().flat_map(|(_, text)| words(text));
        words.filter(|word| *word == name).nth(1).is_some()
    };
    let mut remarks = Vec::new();
    for script in &parsed {
        remarks.extend(script.conditions_that_set());
        remarks.extend(script.misnamed_entry_points(is_used));
        let loops = script.loops.iter();
        remarks.extend(loops.map(|each| script.remark(each.at, each.text.clone(), false)));
        let misuses = script.misuses.iter();
        remarks.extend(misuses.map(|misuse| script.remark(misuse.at, misuse.text.clone(), true)));
        // The check of types says more about the same line.
        let is_known = |found: &Remark| {
            let mut known = script.misuses.iter();
            found.is_error && known.any(|misuse| place(script.text, misuse.at).0 == found.line)
        };
        for finding in &script.findings {
            if let Some((said, is_error)) = remark(finding, script.text, &globals, groups) {
                let at = finding.diagnostic.start_position() as usize;
                let found = script.remark(at, said, is_error);
                remarks.extend((!is_known(&found)).then_some(found));
            }
        }
    }
    remarks.sort();
    remarks.dedup();
    remarks
}

/// A script without syntax errors.
struct ParsedScript<'a> {
    file: &'a str,
    text: &'a str,
    functions: Functions,
    conditions: Conditions,
    misuses: Vec<Misuse>,
    loops: Vec<UnorderedLoop>,
    findings: Vec<CheckerDiagnostic>,
}

impl<'a> ParsedScript<'a> {
    fn new(
        file: &'a str,
        text: &'a str,
        checker: &Checker<serde_json::Value>,
        groups: &[&'static Group],
    ) -> Option<Self> {
        let ast = Self::parse(text)?;
        let mut functions = Functions::default();
        functions.visit_ast(&ast);
        let mut conditions = Conditions::default();
        conditions.visit_ast(&ast);
        Some(Self {
            file,
            text,
            functions,
            conditions,
            // Tests are executed, so their errors show then; some tests provoke errors.
            misuses: if file.starts_with("tests/") {
                Vec::new()
            } else {
                typed::misuses(&ast, groups)
            },
            loops: unordered_loops(&ast, groups),
            findings: checker.test_on(&ast),
        })
    }

    /// The syntax tree of a script; `None` if it has errors.
    fn parse(text: &str) -> Option<Ast> {
        if !compiles(text) {
            return None;
        }
        let parsed = full_moon::parse_fallible(text, LuaVersion::luau());
        parsed.errors().is_empty().then(|| parsed.into_ast())
    }

    /// Names of the globals that the script assigns.
    fn globals(&self) -> impl Iterator<Item = &str> {
        let set = self.findings.iter();
        let set = set.filter(|f| f.diagnostic.code == "unscoped_variables");
        let functions = self.functions.0.iter().map(|(name, _)| name.as_str());
        set.map(|f| marked(f, self.text)).chain(functions)
    }

    fn remark(&self, at: usize, text: String, is_error: bool) -> Remark {
        let (line, column) = place(self.text, at);
        Remark {
            file: self.file.to_owned(),
            line,
            column,
            text,
            is_error,
        }
    }

    fn conditions_that_set(&self) -> impl Iterator<Item = Remark> {
        self.conditions.0.iter().map(|set| {
            let text = format!(
                "a condition (`when`) can only read its parameters; it cannot set {:?}",
                set.name
            );
            self.remark(set.at, text, true)
        })
    }

    /// Unused global functions with a name similar to an entry point.
    fn misnamed_entry_points(
        &self,
        is_used: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = Remark> {
        self.functions.0.iter().filter_map(move |(name, at)| {
            let meant = nearest(name, ENTRY_POINTS.into_iter());
            let meant = meant.filter(|meant| meant != name && !is_used(name))?;
            let text = format!("nothing calls the function {name:?}; did you mean {meant:?}?");
            Some(self.remark(*at, text, false))
        })
    }
}

/// Message for a finding, and true if it is a run-time error; `None` for irrelevant findings.
fn remark(
    finding: &CheckerDiagnostic,
    text: &str,
    set: &HashSet<&str>,
    groups: &[&'static Group],
) -> Option<(String, bool)> {
    let found = &finding.diagnostic;
    let name = marked(finding, text);
    let is_error = found.code == "incorrect_standard_library_use";
    if is_error && let Some(text) = renamed_function(name, groups) {
        return Some((text, true));
    }
    match found.code {
        "undefined_variable" if set.contains(name) || ENTRY_POINTS.contains(&name) => None,
        "undefined_variable" => {
            let api = groups.iter().flat_map(|group| match group.kind {
                Kind::Globals => group.functions.iter().map(|f| f.name).collect(),
                Kind::Module => vec![group.name],
                Kind::Object => Vec::new(),
            });
            let known = api.chain(set.iter().copied()).chain(local_names(text));
            Some((no_global(name, known), true))
        }
        _ if finding.severity == Severity::Allow => None,
        _ => {
            let label = found.primary_label.message.as_deref();
            let parts = [Some(found.message.as_str()), label].into_iter().flatten();
            let notes = found.notes.iter().map(String::as_str);
            let parts: Vec<&str> = parts.chain(notes).filter(|part| !part.is_empty()).collect();
            let text = parts.join("; ").replace("standard library ", "");
            Some((text.replace("standard_library ", ""), is_error))
        }
    }
}

/// Global functions of a script: names and byte offsets.
#[derive(Default)]
struct Functions(Vec<(String, usize)>);

impl Visitor for Functions {
    fn visit_function_declaration(&mut self, function: &FunctionDeclaration) {
        let name = function.name();
        if let (1, None, Some(first)) = (
            name.names().len(),
            name.method_name(),
            name.names().iter().next(),
        ) {
            let at = first.token().start_position().bytes();
            self.0.push((first.token().to_string(), at));
        }
    }
}

/// Names and keywords of a script, including those in comments and strings.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The source text of a finding.
fn marked<'a>(finding: &CheckerDiagnostic, text: &'a str) -> &'a str {
    let (from, to) = finding.diagnostic.primary_label.range;
    text.get(from as usize..to as usize).unwrap_or_default()
}

/// Line and column of a byte offset.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line, before[start..].chars().count() + 1)
}

/// Luau functions that are missing in the built-in list.
const NEW_FUNCTIONS: [&str; 4] = ["math.isfinite", "math.isinf", "math.isnan", "vector.lerp"];

/// The standard library of Luau as scripts see it, plus the API.
fn library(groups: &[&'static Group]) -> StandardLibrary {
    let luau = StandardLibrary::from_name("luau").unwrap_or_default();
    let is_there = |name: &String| {
        let global = name.split('.').next().unwrap_or(name);
        !REMOVED.contains(&global)
    };
    let own = luau.globals.into_iter().filter(|(name, _)| is_there(name));
    let mut globals: BTreeMap<String, Field> = own.collect();
    let any = || Field::from_field_kind(FieldKind::Any);
    for name in ["require", "test"].into_iter().chain(NEW_FUNCTIONS) {
        globals.insert(name.into(), any());
    }
    for group in groups {
        let prefix = match group.kind {
            Kind::Globals => String::new(),
            Kind::Module => format!("{}.", group.name),
            Kind::Object => continue,
        };
        for function in group.functions {
            globals.insert(format!("{prefix}{}", function.name), field(function));
        }
    }
    for name in ENTRY_POINTS {
        let own = FieldKind::Property(PropertyWritability::FullWrite);
        globals.insert(name.into(), Field::from_field_kind(own));
    }
    let mut library = StandardLibrary::default();
    library.globals = globals;
    library
}

fn field(function: &Function) -> Field {
    let arguments = function.params.iter().map(|param| Argument {
        required: if param.optional {
            Required::NotRequired
        } else {
            Required::Required(None)
        },
        argument_type: argument(&param.ty),
        observes: Observes::ReadWrite,
        deprecated: None,
    });
    let mut arguments: Vec<Argument> = arguments.collect();
    if function.name == "print" {
        arguments.push(Argument {
            required: Required::NotRequired,
            argument_type: ArgumentType::Vararg,
            observes: Observes::Read,
            deprecated: None,
        });
    }
    Field::from_field_kind(FieldKind::Function(FunctionBehavior {
        arguments,
        method: false,
        must_use: false,
    }))
}

fn argument(ty: &Type) -> ArgumentType {
    match ty {
        Type::Number => ArgumentType::Number,
        Type::Text => ArgumentType::String,
        Type::Bool => ArgumentType::Bool,
        Type::Function(_) => ArgumentType::Function,
        Type::Buffer => ArgumentType::Display("buffer".into()),
        Type::Vector => ArgumentType::Display("vector".into()),
        Type::Object(name) => ArgumentType::Display((*name).into()),
        Type::Options(_) | Type::List(_) | Type::Map(_) | Type::Table(_) => ArgumentType::Table,
        Type::Word(words) => {
            ArgumentType::Constant(words.iter().map(|word| (*word).to_owned()).collect())
        }
        Type::Any | Type::OneOf(_) => ArgumentType::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_script::GROUPS;

    fn remarks(text: &str) -> Vec<String> {
        let scripts = [("scripts/main.lua".to_owned(), text.to_owned())];
        let remarks = lint(&scripts, GROUPS).into_iter();
        remarks
            .map(|remark| {
                let kind = if remark.is_error { "error" } else { "warning" };
                format!("{kind} {remark}")
            })
            .collect()
    }

    #[test]
    fn an_unknown_name_is_reported_with_position_and_suggestion() {
        let text =
            "local hero = charactr 'x.glb'\nfunction update()\n\tif false then pritn(1) end\nend";
        assert_eq!(
            remarks(text),
            [
                "error scripts/main.lua:1:14: there is no global \"charactr\"; did you mean \"character\"?",
                "error scripts/main.lua:3:16: there is no global \"pritn\"; did you mean \"print\"?",
            ]
        );
    }

    #[test]
    fn recipes_have_their_own_functions() {
        use galatea_recipe::RECIPE_GROUPS;
        let text = "local c = cage()\nlocal b = field.bal(vector.zero, 1)\ncharacter 'x.glb'";
        let scripts = [("scripts/forge/a.lua".to_owned(), text.to_owned())];
        let remarks_text = lint(&scripts, RECIPE_GROUPS);
        let remarks_text: Vec<String> = remarks_text.iter().map(ToString::to_string).collect();
        assert_eq!(remarks_text.len(), 2, "{remarks_text:?}");
        assert!(remarks_text[0].contains("`bal`") && remarks_text[1].contains("\"character\""));
        assert!(lint(&scripts, GROUPS).len() > 1);
    }

    #[test]
    fn unordered_loops_are_warnings() {
        let text = "local set, list, names, state = {}, {}, {}, { seen = {} }
local hero = character 'x.glb'
local done = function() end
set[hero] = 1
state.seen[{}] = 2
list[#list + 1] = hero
names['a'] = done
for c in set do print(c) end
for c in pairs(state.seen) do print(c) end
for _, c in list do set[c] = nil end
for n in next, names do print(n) end";
        assert_eq!(
            remarks(text),
            [
                "warning scripts/main.lua:8:10: the keys of \"set\" are characters, whose order in a loop differs from run to run; loop over a list, or use names as keys",
                "warning scripts/main.lua:9:16: the keys of \"state.seen\" are tables, whose order in a loop differs from run to run; loop over a list, or use names as keys",
            ]
        );
    }

    #[test]
    fn invalid_calls_are_reported() {
        assert_eq!(
            remarks(
                "sound.plya('a')\nsound.play()\nsound.volume('loud')\nlocal function f(a) return a end\nf(1, 2)"
            ),
            [
                "error scripts/main.lua:1:1: global `sound` does not contain the field `plya`",
                "error scripts/main.lua:2:1: function `sound.play` requires 1 parameters, 0 passed",
                "error scripts/main.lua:3:14: use of function `sound.volume` is incorrect; expected `number`, received `string`",
                "warning scripts/main.lua:5:1: this function takes 1 argument but 2 arguments were supplied; expected 1 argument",
            ]
        );
    }

    #[test]
    fn options_methods_fields_and_words_of_known_values_are_checked() {
        let text = "local hero = character 'x.glb' { scle = 2 }
            physics.sphere { position = vector.zero, raduis = 1 }
            function update()
                hero:sya('hello')
                if hero.positon.y > 1 then hero:play('wave', { fdae = 1 }) end
                local it = hero:task(function(a) a:wait(1) end)
                it:stpo()
                hero:on('step', function(e) print(e.foot, e.anything) end)
            end";
        assert_eq!(
            remarks(text),
            [
                "error scripts/main.lua:2:54: unknown field \"raduis\"; did you mean \"radius\"?",
                "error scripts/main.lua:4:22: Character has no \"sya\"; did you mean \"say\"?",
                "error scripts/main.lua:5:25: Character has no \"positon\"; did you mean \"position\"?",
                "error scripts/main.lua:5:64: unknown field \"fdae\"; did you mean \"fade\"?",
                "error scripts/main.lua:7:20: Task has no \"stpo\"; did you mean \"stop\"?",
            ]
        );
    }

    #[test]
    fn ambiguous_names_are_not_checked() {
        let text = "local hero = character 'x.glb'
            local function f(hero) hero:anything() hero.x = 1 end
            local physics = { sphere = print } physics.sphere { raduis = 1 }
            local mixed = hero mixed = { sya = f } mixed:sya()
            local function g() local ground = character 'y.glb' print(ground) end
            ground.set { height = 1 }
            for _, thing in { hero } do thing:sya() end";
        assert_eq!(remarks(text), Vec::<String>::new());
    }

    #[test]
    fn keys_and_actions_are_listed_with_positions() {
        let listed = |text: &str| input_names(&[("main.lua".to_owned(), text.to_owned())]);
        let all = listed(
            "input.bind('dash', 'x')\nif input.pressed 'spcae' then end\nlocal key = 'a' input.down(key)",
        );
        let names: Vec<_> = all
            .names
            .iter()
            .map(|n| (n.name.as_str(), n.is_bound, n.line))
            .collect();
        assert_eq!(names, [("dash", true, 1), ("spcae", false, 2)]);
        assert!(!all.binds_others);
        assert!(listed("for name, key in t do input.bind(name, key) end").binds_others);
        let own = listed("local input = require 'mine' input.pressed('anything')");
        assert_eq!(own, InputNames::default());
    }

    #[test]
    fn assignments_in_conditions_are_reported() {
        let text = "local n, t = 0, {}
            local a = transition_to 'x' { from = 'y', when = function(p) n += 1 return p.v > 1 end }
            local b = transition_to 'x' { when = function(p) p.v = 1 t.x, m = 2, 3 return true end }
            local c = transition_to 'x' { when = function(p)
                local k, list = 1, {}
                for i, v in p do k = i list[i] = v end
                for j = 1, 2 do local function f(q) q = 1 j = q return k end p = f(j) end
                return k > 1
            end }
            local d = { when = 'v > 1', task = function() n = 2 end }
            print(a, b, c, d, n, t)";
        let cannot = |place: &str, name: &str| {
            format!(
                "error scripts/main.lua:{place}: a condition (`when`) can only read its parameters; it cannot \
                 set {name:?}"
            )
        };
        assert_eq!(
            remarks(text),
            [
                cannot("2:74", "n"),
                cannot("3:62", "p"),
                cannot("3:70", "t"),
                cannot("3:75", "m"),
            ]
        );
    }

    #[test]
    fn globals_of_one_script_are_known_in_all() {
        let scripts = [
            ("a.lua", "score = 0 function updat() end"),
            (
                "b.lua",
                "function update() score += 1 print(math.abs(score), vector.one, vector.lerp, math.isnan) end",
            ),
            ("c.lua", "test('x', function(t) t:run(1) end) os.exit()"),
            ("d.lua", "this does not parse"),
        ];
        let scripts = scripts.map(|(file, text)| (file.to_owned(), text.to_owned()));
        let remarks_text = lint(&scripts, GROUPS);
        let remarks_text: Vec<String> = remarks_text.iter().map(ToString::to_string).collect();
        assert_eq!(
            remarks_text,
            [
                "a.lua:1:20: nothing calls the function \"updat\"; did you mean \"update\"?",
                "c.lua:1:37: scripts have no \"os\"; write now()",
            ]
        );
    }

    #[test]
    fn deeply_nested_scripts_are_checked_or_skipped() {
        let check = |text: String| {
            let scripts = [("a.lua".to_owned(), text)];
            super::input_names(&scripts);
            lint(&scripts, GROUPS).len()
        };
        for (open, close) in [
            ("(", ")"),
            ("{", "}"),
            ("not ", ""),
            ("- ", ""),
            ("f(", ")"),
        ] {
            let nested = |n: usize| {
                let (open, close) = (open.repeat(n), close.repeat(n));
                format!("print(character 'a') print({open}1{close}) charakter()")
            };
            // Scripts nested less deep than the compiler's limit are checked.
            assert!(check(nested(100)) > 0, "{open}");
            assert_eq!(check(nested(100_000)), 0, "{open}");
        }
        let functions = "function() ".repeat(150);
        check(format!(
            "x = {functions} charakter() {}",
            "end ".repeat(150)
        ));
    }
}
