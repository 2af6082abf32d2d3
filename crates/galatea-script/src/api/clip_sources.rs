//! `clips = { … }` of `character`: files with more clips for a model.

use mlua::Value;

use super::check::{Fields, OptionValue, Options, Shape, Type, describe, text};
use crate::words;
use galatea_anim::retarget::RetargetMode;
use galatea_asset::ClipFile;
use galatea_derive::Options;

words!(RetargetMode {
    "name" => RetargetMode::Names,
    "body" => RetargetMode::Body,
});

/// A file with clips; the first entry of the table is its path.
#[derive(Options)]
#[option(entries = Type::Text)]
struct ClipFileOptions {
    /// Prefix added to the names of the clips.
    #[option(default = "")]
    prefix: String,
    /// Length of one unit of a BVH file.
    #[option(default_doc = "guessed", unit = "metres")]
    unit: Option<f32>,
    /// Retargeting method: match bones by name, or by their role in the body.
    #[option(default_doc = "chosen by comparing the skeletons")]
    match_by: Option<RetargetMode>,
}

/// Option shapes that are only referenced by type strings.
pub(super) const SHAPES: &[&Shape] = &[ClipFileOptions::SHAPE];

/// One file or a list of files; each is a path, or a table of a path and options.
pub(super) struct ClipFiles(pub Vec<ClipFile>);

impl OptionValue for ClipFiles {
    const TYPE: Type = Type::OneOf(&[Type::Text, Type::Table("{ string | ClipFileOptions }")]);

    fn from_value(value: Value) -> Result<Self, String> {
        clip_files(&value)
            .map(Self)
            .map_err(|error| error.to_string())
    }
}

fn clip_files(value: &Value) -> mlua::Result<Vec<ClipFile>> {
    match value {
        Value::Table(list) => {
            let mut files = Vec::new();
            let n = list.raw_len() as i64;
            for pair in list.pairs::<Value, Value>() {
                match pair? {
                    (Value::String(name), _) => {
                        return Err(mlua::Error::runtime(format!(
                            "character: clips: the option {:?} belongs in the table of a file: clips = {{ {{ \
                             \"walk.bvh\", prefix = \"cmu_\" }} }}",
                            name.to_string_lossy()
                        )));
                    }
                    (Value::Integer(i), _) if (1..=n).contains(&i) => {}
                    (Value::Number(i), _) if i.fract() == 0.0 && (1.0..=n as f64).contains(&i) => {}
                    (other, _) => {
                        return Err(mlua::Error::runtime(format!(
                            "character: clips: expected a list of files without gaps, got the key {}",
                            describe(&other)
                        )));
                    }
                }
            }
            for value in list.sequence_values::<Value>() {
                files.push(clip_file(&value?)?);
            }
            Ok(files)
        }
        one => Ok(vec![clip_file(one)?]),
    }
}

fn clip_file(value: &Value) -> mlua::Result<ClipFile> {
    let wrong = |text: String| mlua::Error::runtime(format!("character: clips: {text}"));
    if let Some(path) = text(value) {
        return Ok(ClipFile {
            path,
            ..ClipFile::default()
        });
    }
    let Value::Table(table) = value else {
        return Err(wrong(format!(
            "expected a file, or a table of a file and options, got {}",
            describe(value)
        )));
    };
    let path = text(&table.raw_get(1)?);
    let path = path
        .ok_or_else(|| wrong("the first entry of the table of a file must be its name".into()))?;
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let Some(name) = text(&key) else {
            if key.as_i64() == Some(1) || key.as_f64() == Some(1.0) {
                continue;
            }
            return Err(wrong(format!(
                "{path}: unexpected entry {}; give each file its own table",
                describe(&value)
            )));
        };
        let checked = ClipFileOptions::SHAPE.check_field(&name, &value);
        checked.map_err(|why| wrong(format!("{path}: {why}")))?;
    }
    let options = ClipFileOptions::from_fields(&Fields::of(value));
    let options = options.map_err(|why| wrong(format!("{path}: {why}")))?;
    if options.unit.is_some_and(|unit| unit <= 0.0) {
        return Err(wrong(format!("{path}: field \"unit\" must be more than 0")));
    }
    Ok(ClipFile {
        prefix: options.prefix,
        unit: options.unit,
        manner: options.match_by,
        path,
    })
}
