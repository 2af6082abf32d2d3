//! Fields of extensions that the crate leaves as JSON: numbers, colours and texture references. Each is checked; an invalid
//! one causes a warning.

use glam::Vec3;
use serde_json::{Map, Value};

use super::MaterialReader;
use super::texture::Used;
use crate::model::TextureRef;

/// An extension of the current material.
#[derive(Clone, Copy)]
pub(super) struct Extension<'a> {
    name: &'a str,
    fields: &'a Map<String, Value>,
}

impl<'a> Extension<'a> {
    /// Returns the extension with this name.
    pub fn of(all: &'a Map<String, Value>, name: &'a str) -> Option<Self> {
        let fields = all.get(name)?.as_object()?;
        Some(Self { name, fields })
    }

    /// A field as JSON.
    pub fn value(&self, field: &str) -> Option<&'a Value> {
        self.fields.get(field)
    }

    /// A boolean that is true only if the file sets it to true.
    pub fn flag(&self, field: &str) -> bool {
        self.value(field).and_then(Value::as_bool).unwrap_or(false)
    }
}

impl MaterialReader<'_> {
    fn warn_of(&self, extension: &Extension, field: &str, wanted: &str) {
        self.warnings.add(format!(
            "{}: {}: {field} is {wanted}; it is left out",
            self.what, extension.name
        ));
    }

    /// A number within `low..=high`; `default` if it is missing.
    pub(super) fn factor(
        &self,
        extension: &Extension,
        field: &str,
        default: f32,
        (low, high): (f32, f32),
    ) -> f32 {
        let Some(value) = extension.value(field) else {
            return default;
        };
        let Some(value) = value.as_f64() else {
            self.warn_of(extension, field, "not a number");
            return default;
        };
        self.number(value as f32, default, low, high)
    }

    /// A linear colour with components of at most `max`; `default` if it is missing.
    pub(super) fn color(
        &self,
        extension: &Extension,
        field: &str,
        default: Vec3,
        max: f32,
    ) -> Vec3 {
        let Some(value) = extension.value(field) else {
            return default;
        };
        let Some(parts) = numbers::<3>(value) else {
            self.warn_of(extension, field, "not a list of three numbers");
            return default;
        };
        let part = |i: usize| self.number(parts[i], default[i], 0.0, max);
        Vec3::new(part(0), part(1), part(2))
    }

    /// A texture reference.
    pub(super) fn picture(&mut self, extension: &Extension, field: &str) -> Option<TextureRef> {
        let info = extension.value(field)?;
        let used = Used::from_json(info);
        if used.is_none() {
            self.warn_of(extension, field, "not a texture reference");
        }
        self.texture(used)
    }
}

/// The first `N` numbers of a list that has at least `N`.
pub(super) fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list = value.as_array()?;
    let mut out = [0.0; N];
    for (i, out) in out.iter_mut().enumerate() {
        *out = list.get(i)?.as_f64()? as f32;
    }
    Some(out)
}
