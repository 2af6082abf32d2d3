//! Variants of the deform pass; each has its own pipeline.

use galatea_asset::skinning::Skinning;

/// A skinning variant with its own pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeformVariant {
    /// Influences per vertex: 0, 4 or 8.
    pub n_influences: u32,
    /// Value of the shader constant `DUAL`.
    pub dual: u32,
    /// Tangents are deformed too.
    pub tangents: bool,
    /// Vertices are offset sideways from their centre lines, along the tangents.
    pub ribbons: bool,
}

impl DeformVariant {
    /// Variants without tangents, by index. The same list follows with tangents, then as ribbons.
    const ALL: [Self; 7] = [
        Self::new(0, 0),
        Self::new(4, 0),
        Self::new(4, 1),
        Self::new(4, 2),
        Self::new(8, 0),
        Self::new(8, 1),
        Self::new(8, 2),
    ];

    const fn new(n_influences: u32, dual: u32) -> Self {
        Self {
            n_influences,
            dual,
            tangents: false,
            ribbons: false,
        }
    }

    /// Selects the variant of a primitive. `stretches`: at least one instance has bones that stretch. `tangents`: at least
    /// one material reads tangents.
    pub fn of(n_influences: u32, skinning: Skinning, stretches: bool, tangents: bool) -> Self {
        let dual = match skinning {
            Skinning::DualQuaternion if n_influences > 0 => 1 + u32::from(stretches),
            _ => 0,
        };
        Self {
            tangents,
            ..Self::new(n_influences, dual)
        }
    }

    /// Iterates over all variants in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        const KINDS: [(bool, bool); 3] = [(false, false), (true, false), (true, true)];
        KINDS.into_iter().flat_map(|(tangents, ribbons)| {
            let all = Self::ALL.into_iter();
            all.map(move |plain| Self {
                tangents,
                ribbons,
                ..plain
            })
        })
    }

    /// Position in [`DeformVariant::all`].
    pub fn index(self) -> usize {
        Self::all().position(|one| one == self).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_its_index() {
        for (i, variant) in DeformVariant::all().enumerate() {
            assert_eq!(variant.index(), i);
        }
        let dual = DeformVariant::of(8, Skinning::DualQuaternion, true, true);
        assert_eq!(
            dual,
            DeformVariant {
                tangents: true,
                ..DeformVariant::new(8, 2)
            }
        );
        let rigid = DeformVariant::of(0, Skinning::DualQuaternion, true, false);
        assert_eq!(rigid.index(), 0);
    }
}
