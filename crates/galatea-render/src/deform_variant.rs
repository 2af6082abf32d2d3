//! Variants of the deform pass, a pipeline each.

use galatea_asset::skinning::Skinning;

/// One way to skin, a pipeline of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeformVariant {
    /// 0, 4 or 8.
    pub n_influences: u32,
    /// As `DUAL` of the shader.
    pub dual: u32,
    /// Tangents are deformed too.
    pub tangents: bool,
    /// Vertices are moved aside of their middle lines, with tangents.
    pub ribbons: bool,
}

impl DeformVariant {
    /// Every one without tangents, by its index; with tangents, and as ribbons, they follow.
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

    /// That of a primitive, some of whose instances have bones that stretch, or materials that read tangents.
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

    /// Every variant, in the order of their indices.
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

    /// Its place among [`DeformVariant::all`].
    pub fn index(self) -> usize {
        Self::all().position(|one| one == self).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_skin_has_its_pipeline() {
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
