//! Surfaces and collision layers by name.

use std::sync::Arc;

use super::check::OneOrMany;
use galatea_math::names::nearest_hint;
use galatea_stage::Stage;

/// Maximum number of surfaces per shape.
const MAX_SURFACES: usize = 255;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Index of a layer by name.
pub(super) fn layer(stage: &Stage, name: &str) -> mlua::Result<u8> {
    let layers = &stage.physics.layers;
    layers.find(name).ok_or_else(|| {
        let hint = nearest_hint(name, layers.names.iter().map(String::as_str));
        wrong(format!("there is no layer {name:?}{hint}"))
    })
}

/// Bit mask of the named layers; without names, all layers.
pub(super) fn layers(stage: &Stage, names: Option<&OneOrMany<String>>) -> mlua::Result<u32> {
    let Some(OneOrMany(names)) = names else {
        return Ok(u32::MAX);
    };
    let mut names = names.iter();
    names.try_fold(0, |bits, name| Ok(bits | 1 << layer(stage, name)?))
}

/// Checks that a surface exists and returns its name.
pub(super) fn surface(stage: &Stage, name: &str) -> mlua::Result<Arc<str>> {
    let known = &stage.physics.surfaces;
    let found = known.iter().find(|surface| &*surface.name == name);
    found.map(|surface| surface.name.clone()).ok_or_else(|| {
        let hint = nearest_hint(name, known.iter().map(|surface| &*surface.name));
        wrong(format!(
            "unknown surface {name:?}; create it with physics.surface{hint}"
        ))
    })
}

/// Distinct surface names in order of appearance, and each cell's index into them.
pub(super) fn numbered(
    stage: &Stage,
    of_cells: &[String],
) -> mlua::Result<(Vec<Arc<str>>, Vec<u8>)> {
    let (mut names, mut made_of) = (Vec::<Arc<str>>::new(), Vec::with_capacity(of_cells.len()));
    for name in of_cells {
        let known = names.iter().position(|known| **known == **name);
        let number = match known {
            Some(number) => number,
            None => {
                names.push(surface(stage, name)?);
                names.len() - 1
            }
        };
        if number >= MAX_SURFACES {
            return Err(wrong(format!(
                "physics.terrain: surfaces: the limit is {MAX_SURFACES} surfaces"
            )));
        }
        made_of.push(number as u8);
    }
    Ok((names, made_of))
}
