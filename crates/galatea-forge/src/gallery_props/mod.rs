//! Props of the gallery: clothing, accessories, furniture, and the light of a studio.

mod armour;
mod drape;
mod props;
mod solid;
mod studio;
mod tail;
mod worn;

pub use studio::studio;

use super::Forged;

/// Generator of a prop.
type Make = fn() -> Forged;

/// All props: file name without extension, and generator.
pub const ALL: &[(&str, Make)] = &[
    ("armour", armour::armour),
    ("backdrop", props::backdrop),
    ("bust", props::bust),
    ("cape", drape::cape),
    ("glasses", worn::glasses),
    ("knob", props::knob),
    ("lantern", props::lantern),
    ("pedestal", props::pedestal),
    ("ponytail", tail::ponytail),
    ("torch", props::torch),
    ("vase", props::vase),
];

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::glb;

    /// All props, shared by tests that only read them.
    pub fn made() -> &'static [(&'static str, Forged)] {
        static MADE: LazyLock<Vec<(&str, Forged)>> =
            LazyLock::new(|| ALL.iter().map(|(name, make)| (*name, make())).collect());
        &MADE
    }

    #[test]
    fn props_are_small_files_with_valid_triangles() {
        let mut total = 0;
        for (name, model) in made() {
            let bytes = glb::write(model);
            assert!(bytes.len() < 300_000, "{name}: {} bytes", bytes.len());
            total += bytes.len();
            for primitive in model.primitives() {
                let n = primitive.positions.len();
                assert!(
                    primitive.indices.iter().all(|i| (*i as usize) < n),
                    "{name}"
                );
                let finite = |p: &glam::Vec3| p.is_finite() && p.length() < 20.0;
                assert!(primitive.positions.iter().all(finite), "{name}");
                let unit = |v: &glam::Vec3| (v.length() - 1.0).abs() < 1e-3;
                assert!(primitive.normals.iter().all(unit), "{name}");
                // Triangles face in the direction of their normals, except a few at poles.
                let agree = primitive.indices.chunks(3).filter(|t| {
                    let [a, b, c] = [t[0], t[1], t[2]].map(|i| primitive.positions[i as usize]);
                    let normal = primitive.normals[t[0] as usize];
                    (b - a).cross(c - a).dot(normal) >= 0.0
                });
                let share = agree.count() as f32 / (primitive.indices.len() / 3) as f32;
                assert!(share > 0.97, "{name}: {share}");
            }
        }
        assert!(total < 2_000_000, "{total} bytes");
    }
}
