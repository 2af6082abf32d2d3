//! Paint in layers over a surface: where each lies, and what it does to colour, roughness, metal and height.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::field::DistanceField;
use super::sdf::smoothstep;
use galatea_math::noise::{cells, layered};

/// Where something is, 0..=1 at every place of a surface.
#[derive(Clone, Debug)]
pub enum SurfaceMask {
    /// Everywhere.
    All,
    /// 1 where a field's distance is `from` or less, 0 from `to` on.
    Near {
        /// The field.
        field: DistanceField,
        /// Metres.
        from: f32,
        /// Metres; may be below `from`, which turns it over.
        to: f32,
    },
    /// Noise of several sizes: 0 where it is `from` or less, 1 from `to` on; it goes from -1 to 1.
    Noise {
        /// Of the largest hills, metres.
        size: Vec3,
        /// How many sizes.
        octaves: u32,
        /// Which of all noises.
        seed: u32,
        /// Lower end.
        from: f32,
        /// Upper end.
        to: f32,
    },
    /// Spots around scattered points: 1 where the nearest is `from` cells away or less, 0 from `to` on.
    Spots {
        /// Of a cell, metres.
        size: Vec3,
        /// Which of all patterns.
        seed: u32,
        /// Cells.
        from: f32,
        /// Cells.
        to: f32,
    },
    /// 0 where the surface looks away from a direction: the product is `from` or less; 1 from `to` on.
    Facing {
        /// Unit.
        along: Vec3,
        /// Cosine.
        from: f32,
        /// Cosine.
        to: f32,
    },
    /// 1 where a surface is open to the sky, 0 in its folds: the openness is below `from` and above `to`.
    Open {
        /// 0..=1.
        from: f32,
        /// 0..=1.
        to: f32,
    },
    /// On faces of this paint; at its border it fades over half a face to each side.
    Paint(Arc<str>),
    /// Product.
    Times(Box<SurfaceMask>, Box<SurfaceMask>),
    /// The larger.
    Most(Box<SurfaceMask>, Box<SurfaceMask>),
    /// Turned over.
    Not(Box<SurfaceMask>),
    /// A share of it.
    Share(Box<SurfaceMask>, f32),
}

/// A place of a surface, for masks.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceSample<'a> {
    /// Metres.
    pub at: Vec3,
    /// Unit.
    pub normal: Vec3,
    /// How much of the sky it sees, 0..=1.
    pub open: f32,
    /// Names of the paints around, with shares that sum to 1.
    pub paints: &'a [(&'a str, f32)],
}

impl SurfaceMask {
    /// Depth of nested operations.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Times(a, b) | Self::Most(a, b) => 1 + a.depth().max(b.depth()),
            Self::Not(inner) | Self::Share(inner, _) => 1 + inner.depth(),
            Self::All
            | Self::Near { .. }
            | Self::Noise { .. }
            | Self::Spots { .. }
            | Self::Facing { .. }
            | Self::Open { .. }
            | Self::Paint(_) => 1,
        }
    }

    /// Masks in it, and nodes of their fields.
    pub fn n_nodes(&self) -> u32 {
        match self {
            Self::Near { field, .. } => field.n_nodes(),
            Self::Times(a, b) | Self::Most(a, b) => {
                a.n_nodes().saturating_add(b.n_nodes()).saturating_add(1)
            }
            Self::Not(inner) | Self::Share(inner, _) => inner.n_nodes().saturating_add(1),
            Self::All
            | Self::Noise { .. }
            | Self::Spots { .. }
            | Self::Facing { .. }
            | Self::Open { .. }
            | Self::Paint(_) => 1,
        }
    }

    /// How much of it is at a place, 0..=1.
    pub fn at(&self, place: &SurfaceSample<'_>) -> f32 {
        match self {
            Self::All => 1.0,
            Self::Near { field, from, to } => smoothstep(*to, *from, field.at(place.at)),
            Self::Noise {
                size,
                octaves,
                seed,
                from,
                to,
            } => smoothstep(*from, *to, layered(place.at / *size, *seed, *octaves)),
            Self::Spots {
                size,
                seed,
                from,
                to,
            } => smoothstep(*to, *from, cells(place.at / *size, *seed)[0]),
            Self::Facing { along, from, to } => smoothstep(*from, *to, place.normal.dot(*along)),
            Self::Open { from, to } => smoothstep(*from, *to, place.open),
            Self::Paint(paint) => {
                let own = place.paints.iter().filter(|(name, _)| *name == &**paint);
                smoothstep(0.12, 0.88, own.map(|(_, share)| share).sum())
            }
            Self::Times(a, b) => {
                let a = a.at(place);
                if a > 0.0 { a * b.at(place) } else { 0.0 }
            }
            Self::Most(a, b) => a.at(place).max(b.at(place)),
            Self::Not(inner) => 1.0 - inner.at(place),
            Self::Share(inner, share) => inner.at(place) * share,
        }
    }
}

/// What one layer does where it is.
#[derive(Clone, Debug)]
pub struct PaintLayer {
    /// Where it is.
    pub mask: SurfaceMask,
    /// Linear colour.
    pub color: Option<Vec3>,
    /// The colour multiplies what is below in place of covering it.
    pub multiply: bool,
    /// 0..=1.
    pub roughness: Option<f32>,
    /// 0..=1.
    pub metallic: Option<f32>,
    /// Metres that it lifts the surface.
    pub height: f32,
}

/// What all layers make of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceShade {
    /// Linear.
    pub color: Vec3,
    /// 0..=1.
    pub roughness: f32,
    /// 0..=1.
    pub metallic: f32,
}

/// What layers make of a place, the first lowest.
pub fn look(layers: &[PaintLayer], place: &SurfaceSample<'_>) -> SurfaceShade {
    let mut look = SurfaceShade {
        color: Vec3::splat(0.5),
        roughness: 0.5,
        metallic: 0.0,
    };
    for layer in layers {
        let share = layer.mask.at(place);
        if share <= 0.0 {
            continue;
        }
        if let Some(color) = layer.color {
            let to = if layer.multiply {
                look.color * color
            } else {
                color
            };
            look.color = look.color.lerp(to, share);
        }
        if let Some(roughness) = layer.roughness {
            look.roughness += (roughness - look.roughness) * share;
        }
        if let Some(metallic) = layer.metallic {
            look.metallic += (metallic - look.metallic) * share;
        }
    }
    look
}

/// How far all layers lift a place, metres.
pub fn height(layers: &[PaintLayer], place: &SurfaceSample<'_>) -> f32 {
    let lifting = layers.iter().filter(|layer| layer.height != 0.0);
    lifting
        .map(|layer| layer.height * layer.mask.at(place))
        .sum()
}

/// How steeply layers rise along two directions.
pub fn slopes(all: &[PaintLayer], place: &SurfaceSample<'_>, along: Vec3, across: Vec3) -> Vec2 {
    const STEP: f32 = 0.0002;
    let lift = |by: Vec3| {
        let at = place.at + by;
        height(all, &SurfaceSample { at, ..*place })
    };
    let slope = |axis: Vec3| (lift(axis * STEP) - lift(axis * -STEP)) / (2.0 * STEP);
    Vec2::new(slope(along), slope(across))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(at: Vec3) -> SurfaceSample<'static> {
        SurfaceSample {
            at,
            normal: Vec3::Y,
            open: 0.25,
            paints: &[("lips", 1.0)],
        }
    }

    fn layer(mask: SurfaceMask, color: Vec3) -> PaintLayer {
        PaintLayer {
            mask,
            color: Some(color),
            multiply: false,
            roughness: None,
            metallic: None,
            height: 0.0,
        }
    }

    #[test]
    fn layers_cover_what_is_below_as_far_as_their_mask_goes() {
        let ball = DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(0.1));
        let near = SurfaceMask::Near {
            field: ball,
            from: 0.0,
            to: 0.1,
        };
        let mut layers = vec![layer(SurfaceMask::All, Vec3::X), layer(near, Vec3::Y)];
        assert_eq!(look(&layers, &place(Vec3::ZERO)).color, Vec3::Y);
        let half = look(&layers, &place(Vec3::X * 0.15)).color;
        assert!((half - Vec3::new(0.5, 0.5, 0.0)).length() < 1e-3, "{half}");
        assert_eq!(look(&layers, &place(Vec3::X)).color, Vec3::X);
        layers.push(PaintLayer {
            multiply: true,
            roughness: Some(0.9),
            ..layer(SurfaceMask::Paint("lips".into()), Vec3::splat(0.5))
        });
        let found = look(&layers, &place(Vec3::X));
        assert_eq!((found.color, found.roughness), (Vec3::X * 0.5, 0.9));
    }

    #[test]
    fn masks_are_multiplied_turned_over_and_read_what_a_place_tells() {
        let open = SurfaceMask::Open { from: 0.0, to: 0.5 };
        let p = place(Vec3::ZERO);
        assert!((open.at(&p) - 0.5).abs() < 1e-6);
        let facing = SurfaceMask::Facing {
            along: Vec3::Y,
            from: 0.0,
            to: 0.9,
        };
        assert_eq!(facing.at(&p), 1.0);
        let both = SurfaceMask::Times(Box::new(open.clone()), Box::new(facing));
        assert!((both.at(&p) - 0.5).abs() < 1e-6);
        let most = SurfaceMask::Most(
            Box::new(open),
            Box::new(SurfaceMask::Share(Box::new(SurfaceMask::All), 0.75)),
        );
        assert_eq!(SurfaceMask::Not(Box::new(most)).at(&p), 0.25);
    }

    #[test]
    fn spots_and_noise_have_both_ends_and_differ_by_their_seed() {
        let at = |mask: &SurfaceMask| -> Vec<f32> {
            (0..400)
                .map(|i| mask.at(&place(Vec3::new(i as f32 * 0.0131, 0.3, 0.7))))
                .collect()
        };
        for seed in [1, 2] {
            let spots = at(&SurfaceMask::Spots {
                size: Vec3::splat(0.05),
                seed,
                from: 0.1,
                to: 0.5,
            });
            let noise = at(&SurfaceMask::Noise {
                size: Vec3::splat(0.05),
                octaves: 3,
                seed,
                from: -0.3,
                to: 0.3,
            });
            for all in [&spots, &noise] {
                let (low, high) = all
                    .iter()
                    .fold((1.0_f32, 0.0_f32), |(l, h), x| (l.min(*x), h.max(*x)));
                assert!(low < 0.1 && high > 0.6, "{low} {high}");
            }
            let other = SurfaceMask::Noise {
                size: Vec3::splat(0.05),
                octaves: 3,
                seed: seed + 7,
                from: -0.3,
                to: 0.3,
            };
            assert_ne!(noise, at(&other));
        }
    }
}
