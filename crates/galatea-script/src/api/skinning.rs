//! `skinning = …` and `skinning_mode = …` of `character`: how its meshes are deformed.

use mlua::Value;

use super::check::{Fields, describe, text};
use galatea_asset::skinning::{Skinning, SkinningMode, SkinningOptions};

/// What a character's options ask for.
pub(super) fn skinning_options(fields: &Fields) -> mlua::Result<SkinningOptions> {
    let wrong = |why: String| mlua::Error::runtime(format!("character: skinning: {why}"));
    let mut options = SkinningOptions::default();
    if let Some(mode) = fields.text("skinning_mode") {
        options.mode = Some(SkinningMode::from_name(&mode).map_err(wrong)?);
    }
    let asked = fields.value("skinning");
    if let Some(name) = text(&asked) {
        options.skinning = Some(Skinning::from_name(&name).map_err(wrong)?);
    } else if let Value::Table(by_mesh) = &asked {
        for pair in by_mesh.pairs::<Value, Value>() {
            let (mesh, name) = pair?;
            let (Some(mesh), Some(name)) = (text(&mesh), text(&name)) else {
                return Err(wrong(format!(
                    "expected words by the meshes' names, got {} = {}",
                    describe(&mesh),
                    describe(&name)
                )));
            };
            let skinning = Skinning::from_name(&name).map_err(wrong)?;
            options.by_mesh.push((mesh, skinning));
        }
        // A table has no order; the model is to be the same one every time.
        options.by_mesh.sort_by(|a, b| a.0.cmp(&b.0));
    }
    Ok(options)
}
