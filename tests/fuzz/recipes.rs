//! Recipes: texts, and calls of every recipe function.

use std::rc::Rc;

use galatea::forge::glb;
use galatea::recipe::{RECIPE_GROUPS, bake};

use crate::hostile::{TOOLS, calls, examples, value};
use crate::mutate::InputFormat;
use crate::random::FuzzRng;
use crate::target::Target;
use galatea::script::toolkit::Type;

pub const TARGETS: &[Target] = &[
    Target::new("recipe", InputFormat::Text, 150)
        .seeds(seeds)
        .run(run),
    Target::new("recipe-api", InputFormat::Made(recipe), 150).run(run),
];

/// Limit for calls and loop rounds of a recipe.
const ROUNDS: u64 = 2_000_000;

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let read = move |path: &str| match path {
        "recipe.lua" => Ok(text.clone()),
        _ => Err("no such file".to_owned()),
    };
    let print = |_: &str| {};
    match bake("recipe.lua", Rc::new(read), Rc::new(print), ROUNDS, 1.0) {
        Ok((model, extras)) => {
            let points = model.primitives().flat_map(|own| &own.positions);
            assert!(points.into_iter().all(|point| point.is_finite()));
            glb::write_with(&model, &extras);
        }
        Err(fault) => {
            let text = fault.to_string();
            assert!(!text.contains("panicked"), "{text}");
            assert!(!text.contains("caused an internal error"), "{text}");
        }
    }
}

/// The examples of the reference, each a recipe.
fn seeds() -> Vec<Vec<u8>> {
    let functions = RECIPE_GROUPS.iter().flat_map(|group| group.functions);
    let texts = functions.map(|function| {
        let ends = function.example.contains("return ");
        let end = if ends { "" } else { "\nreturn model {}" };
        format!("{}{end}", function.example).into_bytes()
    });
    texts.collect()
}

/// Calls with hostile values, and a model of the results.
fn recipe(rng: &mut FuzzRng) -> String {
    let n = 4 + rng.below(24);
    let calls = calls(rng, RECIPE_GROUPS, n);
    let examples = examples(rng, RECIPE_GROUPS, 2);
    let model = RECIPE_GROUPS.iter().flat_map(|group| group.functions);
    let model = model
        .into_iter()
        .rev()
        .find(|function| function.name == "model");
    let options = model.map_or(&Type::Any, |function| &function.params[0].ty);
    let own = value(rng, options, 0);
    format!("{TOOLS}\n{examples}\n{calls}\nreturn model({own})")
}
