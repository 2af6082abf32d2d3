//! Skinning methods: names, and how files and scripts select them.
//!
//! Callers: `gltf` (extras of meshes and nodes), `script` (options of a character), `deform` and `render` (implementations).
//! Invariant: plain values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use galatea_math::names::nearest_hint;

/// Blending method for the transforms of a vertex's bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Skinning {
    /// Weighted sum of the matrices. Cheap; strongly bent or twisted joints lose volume.
    #[default]
    Linear,
    /// Sums scale and shear, and blends rotation and translation as dual quaternions (Kavan, Collins, Žára, O'Sullivan,
    /// "Skinning with dual quaternions", 2007). Twisted joints keep their volume.
    DualQuaternion,
}

/// Processor and granularity of skinning. All modes give the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SkinningMode {
    /// The best mode for the machine: [`SkinningMode::IndexedPalette`] on a GPU, [`SkinningMode::Cpu`] with software
    /// rendering.
    #[default]
    Auto,
    /// On the GPU; every vertex indexes the whole bone palette.
    IndexedPalette,
    /// On the GPU; the mesh is split so that each piece uses at most this many bones, and the palette is uploaded for each
    /// piece. Values below 3 count as 3, so that each vertex of a triangle can have its own bone.
    SmallPalette(u16),
    /// On the CPU; the result is uploaded.
    Cpu,
}

/// Skinning options of a file or a script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkinningOptions {
    /// Method for all meshes.
    pub skinning: Option<Skinning>,
    /// Method for the meshes with these names, or on nodes with these names.
    pub by_mesh: Vec<(String, Skinning)>,
    /// Mode for all meshes.
    pub mode: Option<SkinningMode>,
}

impl SkinningOptions {
    /// Unique key of the options; empty for the default.
    pub fn key(&self) -> String {
        let mut selected = Vec::new();
        selected.extend(self.skinning.map(|skinning| skinning.name().to_owned()));
        let named = self.by_mesh.iter();
        selected.extend(named.map(|(mesh, skinning)| format!("{mesh:?} {}", skinning.name())));
        selected.extend(self.mode.map(|mode| mode.to_string()));
        if selected.is_empty() {
            return String::new();
        }
        format!(" (skinning {})", selected.join(", "))
    }
}

impl Skinning {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::Linear, Self::DualQuaternion];

    /// `linear` or `dual_quaternion`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::DualQuaternion => "dual_quaternion",
        }
    }

    /// Returns the method with this name.
    ///
    /// # Errors
    /// If there is none; the error is a message with the most similar name.
    pub fn from_name(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.ok_or_else(|| {
            format!(
                "unknown skinning {name:?}{}",
                nearest_hint(name, Self::ALL.into_iter().map(Self::name))
            )
        })
    }

    /// Reads the method from `extras` of a mesh or node: `{"skinning": "dual_quaternion"}`, at the top level or inside
    /// `"galatea"`. `None` if they contain none.
    ///
    /// # Errors
    /// If the method does not exist; the error is a message for users.
    pub(crate) fn from_extras(extras: &Value) -> Result<Option<Self>, String> {
        let nested = extras.get("galatea").and_then(|own| own.get("skinning"));
        match nested.or(extras.get("skinning")) {
            None => Ok(None),
            Some(Value::String(name)) => Self::from_name(name).map(Some),
            Some(other) => Err(format!("skinning is {other}, expected a name")),
        }
    }
}

impl SkinningMode {
    const NAMES: [&str; 4] = ["auto", "indexed", "small", "cpu"];

    /// Returns the mode with this name: `auto`, `indexed`, `cpu`, or `small` followed by the maximum number of bones per
    /// piece, such as `small4`.
    ///
    /// # Errors
    /// If there is none; the error is a message with the most similar name.
    pub fn from_name(name: &str) -> Result<Self, String> {
        if let Some(bones) = name.strip_prefix("small") {
            return match bones.parse() {
                Ok(bones) if bones >= 3 => Ok(Self::SmallPalette(bones)),
                _ => Err(format!(
                    "skinning mode {name:?}: \"small\" must be followed by the maximum number of bones, 3 to 65535, \
                     as in \"small16\""
                )),
            };
        }
        match name {
            "auto" => Ok(Self::Auto),
            "indexed" => Ok(Self::IndexedPalette),
            "cpu" => Ok(Self::Cpu),
            _ => Err(format!(
                "unknown skinning mode {name:?}{}",
                nearest_hint(name, Self::NAMES.into_iter())
            )),
        }
    }
}

impl std::fmt::Display for SkinningMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::IndexedPalette => f.write_str("indexed"),
            Self::SmallPalette(bones) => write!(f, "small{bones}"),
            Self::Cpu => f.write_str("cpu"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn extras_choose_alone_or_under_our_name() {
        let of = |extras| Skinning::from_extras(&extras);
        assert_eq!(of(json!({})), Ok(None));
        let dual = Ok(Some(Skinning::DualQuaternion));
        assert_eq!(of(json!({"skinning": "dual_quaternion"})), dual);
        assert_eq!(
            of(json!({"skinning": "linear", "galatea": {"skinning": "dual_quaternion"}})),
            dual
        );
        let wrong = of(json!({"skinning": "dual_quaternoin"})).unwrap_err();
        assert!(wrong.contains("dual_quaternion"), "{wrong}");
        assert!(of(json!({"skinning": 3})).is_err());
    }

    #[test]
    fn every_mode_has_a_name_that_gives_it() {
        for mode in [
            SkinningMode::Auto,
            SkinningMode::IndexedPalette,
            SkinningMode::SmallPalette(12),
            SkinningMode::Cpu,
        ] {
            assert_eq!(SkinningMode::from_name(&mode.to_string()), Ok(mode));
        }
        for wrong in ["small", "small2", "smallest", "gpu", ""] {
            assert!(SkinningMode::from_name(wrong).is_err(), "{wrong}");
        }
    }
}
