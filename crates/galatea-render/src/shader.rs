//! Shader sources: built-in files, replacements from a project, includes, and errors that refer to the original file and
//! line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Built-in files: name and text.
macro_rules! embedded {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../shaders/", $name)))),+]
    };
}

const EMBEDDED: &[(&str, &str)] = embedded![
    "bloom.wgsl",
    "contact.wgsl",
    "deform.wgsl",
    "exposure.wgsl",
    "eye.wgsl",
    "geometry.wgsl",
    "ground.wgsl",
    "hair.wgsl",
    "impostor.wgsl",
    "layered.wgsl",
    "lines.wgsl",
    "mesh.wgsl",
    "mip.wgsl",
    "occlusion.wgsl",
    "overdraw.wgsl",
    "particles.wgsl",
    "particles_sampled.wgsl",
    "prepass.wgsl",
    "resolve.wgsl",
    "shadow.wgsl",
    "skin.wgsl",
    "sky.wgsl",
    "smooth.wgsl",
    "strand_points.wgsl",
    "strands.wgsl",
    "tonemap.wgsl",
    "toon.wgsl",
    "views.wgsl",
    "wire.wgsl",
    "inc/ambient.wgsl",
    "inc/base_layer.wgsl",
    "inc/brdf.wgsl",
    "inc/color.wgsl",
    "inc/decals.wgsl",
    "inc/disc.wgsl",
    "inc/display.wgsl",
    "inc/fibre.wgsl",
    "inc/fog.wgsl",
    "inc/fragment.wgsl",
    "inc/hair.wgsl",
    "inc/hair_around.wgsl",
    "inc/heat.wgsl",
    "inc/local_lights.wgsl",
    "inc/layers.wgsl",
    "inc/lighting.wgsl",
    "inc/material.wgsl",
    "inc/metal_rough.wgsl",
    "inc/model.wgsl",
    "inc/packed.wgsl",
    "inc/particles.wgsl",
    "inc/agents.wgsl",
    "inc/scene.wgsl",
    "inc/shadow.wgsl",
    "inc/sheen.wgsl",
    "inc/srgb.wgsl",
    "inc/stone.wgsl",
    "inc/wrinkles.wgsl",
];

/// Source of all shader texts: built-in files, some of them replaced by a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderSource {
    replaced: BTreeMap<String, String>,
}

impl ShaderSource {
    /// Uses the built-in shaders only.
    pub fn embedded() -> Self {
        Self::default()
    }

    /// Names of all built-in files, relative to a project's `shaders/` folder (`mesh.wgsl`, `inc/color.wgsl`, …).
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// Replaces the built-in file `name` with `text`, or adds a new file to include.
    pub fn replace(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.replaced.insert(name.into(), text.into());
    }

    /// Returns true if no file was replaced.
    pub fn is_embedded(&self) -> bool {
        self.replaced.is_empty()
    }

    fn file(&self, name: &str) -> Option<&str> {
        self.replaced.get(name).map(String::as_str).or_else(|| {
            EMBEDDED
                .iter()
                .find_map(|(known, text)| (*known == name).then_some(*text))
        })
    }

    /// Returns the text of `name` with its includes. Each file is included once.
    ///
    /// # Errors
    /// If an included file does not exist.
    pub fn assemble(&self, name: &str) -> Result<Assembled, ShaderError> {
        let mut out = Assembled::default();
        let text = self.file(name).ok_or_else(|| ShaderError {
            message: "no such shader".into(),
            ..ShaderError::in_file(name)
        })?;
        self.append(name, text, &mut out)?;
        Ok(out)
    }

    fn append(&self, name: &str, text: &str, out: &mut Assembled) -> Result<(), ShaderError> {
        let file = out.files.len();
        out.files.push(name.to_owned());
        for (i, line) in text.lines().enumerate() {
            let Some(included) = include_of(line) else {
                out.text.push_str(line);
                out.text.push('\n');
                out.lines.push((file, i as u32 + 1));
                continue;
            };
            if out.files.iter().any(|known| known == included) {
                continue;
            }
            let Some(included_text) = self.file(included) else {
                return Err(ShaderError {
                    line: i as u32 + 1,
                    column: 1,
                    message: format!("the included file {included:?} does not exist"),
                    source_line: line.to_owned(),
                    ..ShaderError::in_file(name)
                });
            };
            self.append(included, included_text, out)?;
        }
        Ok(())
    }
}

fn include_of(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("#include")?.trim();
    rest.strip_prefix('"')?.strip_suffix('"')
}

/// A shader with its includes, and the origin of every line.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// WGSL text.
    pub text: String,
    files: Vec<String>,
    lines: Vec<(usize, u32)>,
}

impl Assembled {
    /// File and line (from 1) in which line `line` (from 1) of the assembled text was written.
    pub fn origin(&self, line: u32) -> (&str, u32) {
        match self.lines.get((line.max(1) - 1) as usize) {
            Some(&(file, line)) => (&self.files[file], line),
            None => (self.files.first().map_or("", String::as_str), line),
        }
    }

    fn error_at(&self, at: Option<naga::SourceLocation>, message: String) -> ShaderError {
        let Some(at) = at else {
            return ShaderError {
                message,
                ..ShaderError::in_file(self.files.first().map_or("", String::as_str))
            };
        };
        let (file, line) = self.origin(at.line_number);
        let source_line = self.text.lines().nth((at.line_number.max(1) - 1) as usize);
        ShaderError {
            file: file.to_owned(),
            line,
            column: at.line_position,
            message,
            source_line: source_line.unwrap_or_default().to_owned(),
        }
    }

    /// Parses the text.
    ///
    /// # Errors
    /// The first error, with its position in the original file.
    fn parse(&self) -> Result<naga::Module, ShaderError> {
        naga::front::wgsl::parse_str(&self.text).map_err(|error| {
            let label = error.labels().next().map(|(_, label)| label.to_owned());
            let message = match label {
                Some(label) if !label.is_empty() && label != error.message() => {
                    format!("{} ({label})", error.message())
                }
                _ => error.message().to_owned(),
            };
            self.error_at(error.location(&self.text), message)
        })
    }

    /// Parses and validates the text as wgpu would without optional features.
    ///
    /// # Errors
    /// The first error, with its position in the original file.
    pub fn check(&self) -> Result<naga::Module, ShaderError> {
        let module = self.parse()?;
        naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::empty(),
        )
        .validate(&module)
        .map_err(|error| {
            let mut message = error.as_inner().to_string();
            let mut cause = std::error::Error::source(error.as_inner());
            while let Some(inner) = cause {
                message.push_str(": ");
                message.push_str(&inner.to_string());
                cause = inner.source();
            }
            self.error_at(error.location(&self.text), message)
        })?;
        Ok(module)
    }
}

/// An error in a shader, with its position in the original file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderError {
    /// File within `shaders/`.
    pub file: String,
    /// Line, from 1; 0 if the position is unknown.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Error message.
    pub message: String,
    /// Text of the line.
    pub source_line: String,
}

impl ShaderError {
    pub(super) fn in_file(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            ..Self::default()
        }
    }
}

impl fmt::Display for ShaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shaders/{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", self.message)?;
        if !self.source_line.trim().is_empty() {
            let caret = (self.column.max(1) - 1) as usize;
            let blank: String = self
                .source_line
                .chars()
                .take(caret)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            write!(f, "\n  {}\n  {blank}^", self.source_line)?;
        }
        Ok(())
    }
}

impl std::error::Error for ShaderError {}

/// Validates a shader and creates its module.
pub(super) fn compile(
    device: &wgpu::Device,
    source: &ShaderSource,
    name: &'static str,
) -> Result<wgpu::ShaderModule, ShaderError> {
    Ok(Shader::new(device, source, name)?.module)
}

/// A shader whose pipelines differ in the values of `override`s.
#[derive(Clone)]
pub(super) struct Shader {
    pub name: &'static str,
    pub module: wgpu::ShaderModule,
    overrides: Vec<String>,
    entries: Vec<String>,
}

impl Shader {
    /// Creates the module of a shader.
    ///
    /// # Errors
    /// The first error in a shader of a project.
    pub fn new(
        device: &wgpu::Device,
        source: &ShaderSource,
        name: &'static str,
    ) -> Result<Self, ShaderError> {
        let assembled = source.assemble(name)?;
        // wgpu validates every module. Here that is done for messages with a file and line; a test does it for the built-in
        // shaders.
        let parsed = match source.is_embedded() {
            true => assembled.parse()?,
            false => assembled.check()?,
        };
        let overrides = parsed.overrides.iter();
        let entries = parsed.entry_points.iter();
        Ok(Self {
            name,
            overrides: overrides.filter_map(|(_, one)| one.name.clone()).collect(),
            entries: entries.map(|entry| entry.name.clone()).collect(),
            module: device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Naga(Cow::Owned(parsed)),
            }),
        })
    }

    /// Returns the entry point `name`, or `other` if a project's replacement lacks it.
    pub fn entry_or(&self, name: &'static str, other: &'static str) -> &'static str {
        let has_it = self.entries.iter().any(|own| own == name);
        if has_it { name } else { other }
    }

    /// Filters `constants` to those that the shader declares; a project's replacement may lack some.
    pub fn known(&self, constants: &[(&'static str, f64)]) -> Vec<(&'static str, f64)> {
        let has = |name: &str| self.overrides.iter().any(|own| own == name);
        let known = constants.iter().filter(|(name, _)| has(name));
        known.copied().collect()
    }
}

/// Runs `build`, which creates pipelines. A validation error of the graphics API (a binding of the wrong type, a missing
/// output) becomes an error of the shader `name`.
pub(super) fn validated<T>(
    device: &wgpu::Device,
    name: &str,
    build: impl FnOnce() -> T,
) -> Result<T, ShaderError> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = build();
    match pollster::block_on(scope.pop()) {
        None => Ok(made),
        Some(error) => Err(ShaderError {
            message: error.to_string(),
            ..ShaderError::in_file(name)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_shader_is_valid() {
        for name in ShaderSource::names().filter(|name| !name.starts_with("inc/")) {
            let assembled = ShaderSource::embedded().assemble(name).unwrap();
            if let Err(error) = assembled.check() {
                panic!("{error}");
            }
        }
    }

    #[test]
    fn an_error_in_an_included_file_names_that_file_and_line() {
        let mut source = ShaderSource::embedded();
        source.replace(
            "inc/color.wgsl",
            "// one\n// two\nfn a() -> f32 {\n    return missing;\n}\n",
        );
        source.replace("sky.wgsl", "#include \"inc/color.wgsl\"\nfn b() {}\n");
        let error = source.assemble("sky.wgsl").unwrap().check().unwrap_err();
        assert_eq!(
            (error.file.as_str(), error.line, error.column),
            ("inc/color.wgsl", 4, 12)
        );
        let text = error.to_string();
        assert!(text.starts_with("shaders/inc/color.wgsl:4:12: "), "{text}");
        assert!(text.contains("    return missing;"), "{text}");
    }

    #[test]
    fn a_type_error_after_an_include_names_the_line_of_its_own_file() {
        let mut source = ShaderSource::embedded();
        source.replace(
            "sky.wgsl",
            "#include \"inc/scene.wgsl\"\nfn b() -> f32 {\n    let x: f32 = 1u;\n    return x;\n}\n",
        );
        let error = source.assemble("sky.wgsl").unwrap().check().unwrap_err();
        assert_eq!((error.file.as_str(), error.line), ("sky.wgsl", 3));
    }

    #[test]
    fn lines_are_mapped_back_through_nested_includes_taken_once() {
        let mut source = ShaderSource::embedded();
        source.replace("inc/x.wgsl", "x1\nx2\n");
        source.replace("inc/y.wgsl", "#include \"inc/x.wgsl\"\ny2\n");
        source.replace(
            "main.wgsl",
            "m1\n#include \"inc/y.wgsl\"\n#include \"inc/x.wgsl\"\nm4\n",
        );
        let assembled = source.assemble("main.wgsl").unwrap();
        assert_eq!(assembled.text, "m1\nx1\nx2\ny2\nm4\n");
        let origins: Vec<_> = (1..=5).map(|line| assembled.origin(line)).collect();
        assert_eq!(
            origins,
            [
                ("main.wgsl", 1),
                ("inc/x.wgsl", 1),
                ("inc/x.wgsl", 2),
                ("inc/y.wgsl", 2),
                ("main.wgsl", 4)
            ]
        );
    }

    #[test]
    fn a_missing_include_reports_the_line_of_the_directive() {
        let mut source = ShaderSource::embedded();
        source.replace("sky.wgsl", "\n#include \"inc/nothing.wgsl\"\n");
        let error = source.assemble("sky.wgsl").unwrap_err();
        assert_eq!((error.file.as_str(), error.line), ("sky.wgsl", 2));
    }
}
