//! `galatea check`: loads everything, tries every transition, and reports errors.

mod findings;
mod transitions;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::{ProjectArg, headless};
use galatea_app::{Session, SoundOutput, timing_file};
use galatea_asset::{MODEL_EXTENSIONS, Project, SOUND_EXTENSIONS, vfs};
use galatea_character::Definition;
use galatea_lint::{InputName, InputNames, input_names, lint};
use galatea_machine::partial_states;
use galatea_math::names::{nearest, nearest_hint, printable};
use galatea_recipe::RECIPE_GROUPS;
use galatea_render::shader;
use galatea_script::{GROUPS, is_compiled};
use galatea_stage::Input;

use self::findings::CheckFindings;
use self::transitions::{TransitionArgs, check_transitions};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// Fail on warnings too
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    transitions: TransitionArgs,
}

/// Run time of the project, so that errors in `update` and in listeners are found, seconds.
const RUN_SECONDS: f64 = 2.0;

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let project = args.project.open()?;
    let mut findings = CheckFindings::default();
    findings.errors.extend(project.icon().err());
    check_models(&project, &mut findings);
    check_sounds(&project, &mut findings);
    check_shaders(&project, &mut findings);
    let inputs = lint_scripts(&project, &mut findings);
    check_scripts(project.clone(), args, &inputs, &mut findings)?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&findings)?);
    } else {
        for warning in &findings.warnings {
            eprintln!("warning: {}", printable(warning));
        }
        for error in &findings.errors {
            eprintln!("error: {}", printable(error));
        }
        for note in &findings.notes {
            eprintln!("note: {}", printable(note));
        }
        let (n_errors, n_warnings) = (findings.errors.len(), findings.warnings.len());
        let tried = match findings.transitions.len() {
            0 => String::new(),
            n => format!(", {n} transitions tried"),
        };
        say!(
            "{}: {}, {}{tried}",
            project.name(),
            counted(n_errors, "error"),
            counted(n_warnings, "warning")
        );
    }
    let fails = !findings.errors.is_empty() || args.strict && !findings.warnings.is_empty();
    Ok(if !fails {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// File and line at the start of a message, such as `scripts/main.lua:3`.
fn line_of(message: &str) -> Option<&str> {
    let (file, rest) = message.split_once(':')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &message[..file.len() + 1 + digits])
}

/// A number of things in words: `1 error`, `2 errors`.
fn counted(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// The project's own assets. Assets of shared folders are only checked where the project uses them.
fn own_assets(project: &Project, extensions: &[&str]) -> Vec<String> {
    let mut all = project.assets(extensions);
    all.retain(|file| vfs::is_own(&project.root.join(file)));
    all
}

fn check_models(project: &Project, findings: &mut CheckFindings) {
    for file in own_assets(project, &MODEL_EXTENSIONS) {
        match galatea_asset::gltf::load(&project.root.join(&file)) {
            Ok(model) => {
                let warnings = model.warnings.iter();
                findings
                    .warnings
                    .extend(warnings.map(|text| format!("{file}: {text}")));
                if model.materials.iter().any(|own| own.wrinkles.is_some()) {
                    let definition = Definition::new(Arc::new(model));
                    let folds = definition.wrinkles().problems.iter();
                    let told = folds.map(|text| format!("{file}: {text}"));
                    findings.warnings.extend(told);
                }
            }
            Err(error) => findings.errors.push(error.to_string()),
        }
    }
}

fn check_sounds(project: &Project, findings: &mut CheckFindings) {
    let mut names = std::collections::HashMap::new();
    for file in own_assets(project, &SOUND_EXTENSIONS) {
        let stem = Path::new(&file)
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned());
        if let Some(other) = stem.and_then(|stem| names.insert(stem, file.clone())) {
            findings.warnings.push(format!(
                "{file} and {other} have the same name, so only one of them can be played; rename one"
            ));
        }
        let decoded = galatea_asset::read(&project.root.join(&file))
            .map_err(|error| format!("{file}: {error}"))
            .and_then(|bytes| {
                galatea_audio::Sound::decode(&file, &bytes).map_err(|error| error.to_string())
            });
        if let Err(error) = decoded {
            findings.errors.push(error);
        }
        if let Ok(Some((_, timings))) = timing_file::timings_of_sound(&project.root.join(&file)) {
            findings.warnings.extend(timings.warnings);
        }
    }
}

fn check_shaders(project: &Project, findings: &mut CheckFindings) {
    let mut source = shader::ShaderSource::embedded();
    for (name, text) in project.shaders() {
        if !shader::ShaderSource::names().any(|known| known == name) {
            let names = shader::ShaderSource::names().filter(|known| !known.starts_with("inc/"));
            let names: Vec<&str> = names.collect();
            let hint = match nearest(&name, names.iter().copied()) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("these are {}", names.join(", ")),
            };
            findings.warn(format!(
                "shaders/{name} is not used, because no built-in shader has this name: a file in shaders/ replaces the \
                 built-in shader of the same name; {hint}"
            ));
        }
        source.replace(name, text);
    }
    for name in shader::ShaderSource::names().filter(|name| !name.starts_with("inc/")) {
        let checked = source
            .assemble(name)
            .and_then(|assembled| assembled.check());
        if let Err(error) = checked {
            findings.errors.push(error.to_string());
        }
    }
    findings.errors.dedup();
}

/// Folder of a project's recipes, which use another API than its scripts.
pub const RECIPES: &str = "scripts/forge/";

/// Static checks of scripts, which also cover code that the run does not reach.
fn lint_scripts(project: &Project, findings: &mut CheckFindings) -> InputNames {
    let (mut texts, mut recipes) = (Vec::new(), Vec::new());
    for file in project.scripts() {
        match vfs::read_text(&project.root.join(&file), vfs::MAX_TEXT) {
            // The source was checked before it was compiled.
            Ok(text) if is_compiled(&text) => {}
            Ok(text) if file.starts_with(RECIPES) => recipes.push((file, text)),
            Ok(text) => texts.push((file, text)),
            Err(error) => findings.errors.push(format!("{file}: {error}")),
        }
    }
    let all = lint(&texts, GROUPS)
        .into_iter()
        .chain(lint(&recipes, RECIPE_GROUPS));
    for remark in all {
        if remark.is_error {
            findings.errors.push(remark.to_string());
        } else {
            findings.warn(remark.to_string());
        }
    }
    input_names(&texts)
}

/// Reports keys and actions that scripts read but that do not exist. `input` has the actions of the project after a
/// run.
fn check_inputs(used: &InputNames, input: &Input, findings: &mut CheckFindings) {
    if used.binds_others {
        return;
    }
    let names = &used.names;
    let is_bound = |name: &str| {
        names
            .iter()
            .any(|other| other.is_bound && other.name == name)
    };
    for read in names.iter().filter(|read| !read.is_bound) {
        let InputName {
            name,
            file,
            line,
            column,
            ..
        } = read;
        if !input.knows(name) && !is_bound(name) {
            let hint = nearest_hint(name, input.known_names());
            findings.errors.push(format!(
                "{file}:{line}:{column}: unknown action or key {name:?}{hint}"
            ));
        }
    }
}

fn check_scripts(
    project: Project,
    args: &CheckArgs,
    inputs: &InputNames,
    findings: &mut CheckFindings,
) -> anyhow::Result<()> {
    let root = project.root.clone();
    let mut session = Session::open_dry(project, headless(SoundOutput::Silent, true))?;
    let n = (RUN_SECONDS / session.stage.clock.dt) as usize;
    for _ in 0..n {
        session.tick();
    }
    check_inputs(inputs, &session.stage.input, findings);
    for error in session.diagnostics.errors() {
        // The static checks and the run find the same mistake.
        let line = line_of(error);
        let mut known = findings.errors.iter();
        if !known.any(|known| known == error || line.is_some() && line_of(known) == line) {
            findings.errors.push(error.to_owned());
        }
    }
    for (_, character) in session.stage.characters.iter() {
        // Problems of the model's own file were reported with the file.
        let source = character.source.to_string();
        let files = character.definition.model.sources.first();
        let own = files.and_then(|file| file.strip_prefix(&root).ok());
        let own = own.map(|file| file.to_string_lossy().replace('\\', "/"));
        let file = own.as_deref().unwrap_or(&source);
        for warning in &character.definition.model.warnings {
            findings.warn(format!("{file}: {warning}"));
        }
        if let Some((machine, _)) = &character.playback.machine {
            for problem in partial_states(machine, &character.definition.clips) {
                findings.warn(problem.to_string());
            }
        }
    }
    check_transitions(&session.stage, &args.transitions, findings);
    Ok(())
}
