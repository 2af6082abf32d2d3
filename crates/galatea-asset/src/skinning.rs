//! The choices of how a skinned part is deformed: names, and how files and scripts give them.
//!
//! Callers: `gltf` (extras of meshes and nodes), `script` (options of a character), `deform` and
//! `render` (what is done). Invariant: plain values.

use serde_json::Value;

use galatea_math::names::nearest_hint;

/// How the transforms of a vertex's bones are mixed into one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Skinning {
    /// The weighted sum of the matrices (B03). Cheap; joints that bend or twist far lose volume.
    #[default]
    Linear,
    /// Scale and shear are summed, rotation and place are mixed as dual quaternions (Kavan, Collins,
    /// Žára, O'Sullivan, "Skinning with dual quaternions", 2007): twisted joints keep their volume.
    DualQuaternion,
}

/// By which technique a part is deformed. All give the same shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SkinningMode {
    /// The technique that suits the machine: [`SkinningMode::IndexedPalette`] on a graphics card,
    /// [`SkinningMode::Cpu`] where a processor draws.
    #[default]
    Auto,
    /// On the GPU; every vertex names bones of the whole palette (L01, L08).
    IndexedPalette,
    /// On the GPU; the mesh is split so that each piece uses at most this many bones, which are
    /// handed over piece by piece (J10, K03, L05). Less than 3 counts as 3, so that each corner of
    /// a triangle keeps a bone of its own.
    SmallPalette(u16),
    /// On the CPU, the result is uploaded (I01, I02).
    Cpu,
}

/// What a file or a script asks of one mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinningOptions {
    /// For all meshes.
    pub skinning: Option<Skinning>,
    /// For the meshes of these names, or those on nodes of these names.
    pub by_mesh: Vec<(String, Skinning)>,
    /// For all meshes.
    pub mode: Option<SkinningMode>,
}

impl SkinningOptions {
    /// Text that tells options apart; empty where nothing is asked.
    pub fn key(&self) -> String {
        let mut asked = Vec::new();
        asked.extend(self.skinning.map(|skinning| skinning.name().to_owned()));
        let named = self.by_mesh.iter();
        asked.extend(named.map(|(mesh, skinning)| format!("{mesh:?} {}", skinning.name())));
        asked.extend(self.mode.map(|mode| mode.to_string()));
        if asked.is_empty() {
            return String::new();
        }
        format!(" (skinning {})", asked.join(", "))
    }
}

impl Skinning {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Linear, Self::DualQuaternion];

    /// `linear` or `dual_quaternion`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::DualQuaternion => "dual_quaternion",
        }
    }

    /// The one of this name.
    ///
    /// # Errors
    /// In words, with the nearest name, when there is none.
    pub fn from_name(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.ok_or_else(|| {
            format!(
                "there is no skinning {name:?}{}",
                nearest_hint(name, Self::ALL.into_iter().map(Self::name))
            )
        })
    }

    /// What `extras` of a mesh or node ask for: `{"skinning": "dual_quaternion"}`, alone or inside
    /// `"galatea"`. `None` where they do not speak of it.
    ///
    /// # Errors
    /// In words, when they ask for one that there is not.
    pub(crate) fn from_extras(extras: &Value) -> Result<Option<Self>, String> {
        let nested = extras.get("galatea").and_then(|own| own.get("skinning"));
        match nested.or(extras.get("skinning")) {
            None => Ok(None),
            Some(Value::String(name)) => Self::from_name(name).map(Some),
            Some(other) => Err(format!("skinning is {other}, not a name")),
        }
    }
}

impl SkinningMode {
    const NAMES: [&str; 4] = ["auto", "indexed", "small", "cpu"];

    /// The one of this name: `auto`, `indexed`, `cpu`, or `small` followed by the most bones of a
    /// piece, as `small4`.
    ///
    /// # Errors
    /// In words, with the nearest name, when there is none.
    pub fn from_name(name: &str) -> Result<Self, String> {
        if let Some(bones) = name.strip_prefix("small") {
            return match bones.parse() {
                Ok(bones) if bones >= 3 => Ok(Self::SmallPalette(bones)),
                _ => Err(format!(
                    "skinning mode {name:?}: after \"small\" stands the most bones of a piece, \
                     3 to 65535, as in \"small16\""
                )),
            };
        }
        match name {
            "auto" => Ok(Self::Auto),
            "indexed" => Ok(Self::IndexedPalette),
            "cpu" => Ok(Self::Cpu),
            _ => Err(format!(
                "there is no skinning mode {name:?}{}",
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
