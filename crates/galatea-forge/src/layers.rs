//! Layered materials: masks that select parts of a surface, and layers of colour, roughness, metallic and height.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::field::DistanceField;
use super::sdf::smoothstep;
use galatea_math::noise::{cells, layered};

/// Mask: a weight 0..=1 at every point of a surface.
#[derive(Clone, Debug)]
pub enum SurfaceMask {
    /// 1 everywhere.
    All,
    /// 1 where a field's distance is `from` or less, 0 at `to` and more.
    Near {
        /// Distance field.
        field: DistanceField,
        /// Distance for 1, metres.
        from: f32,
        /// Distance for 0, metres; a value below `from` inverts the mask.
        to: f32,
    },
    /// Fractal noise in -1..=1: 0 where it is `from` or less, 1 at `to` and more.
    Noise {
        /// Size of the largest features, metres.
        size: Vec3,
        /// Number of octaves.
        octaves: u32,
        /// Seed.
        seed: u32,
        /// Lower threshold.
        from: f32,
        /// Upper threshold.
        to: f32,
    },
    /// Spots around scattered points: 1 where the nearest is `from` cells away or less, 0 at `to` and more.
    Spots {
        /// Size of a cell, metres.
        size: Vec3,
        /// Seed.
        seed: u32,
        /// Distance for 1, cells.
        from: f32,
        /// Distance for 0, cells.
        to: f32,
    },
    /// By surface direction: 0 where the cosine between normal and direction is `from` or less, 1 at `to` and more.
    Facing {
        /// Unit direction.
        along: Vec3,
        /// Cosine for 0.
        from: f32,
        /// Cosine for 1.
        to: f32,
    },
    /// By ambient occlusion: 0 where it is `from` or less (folds), 1 at `to` and more (open).
    Open {
        /// Value for 0, 0..=1.
        from: f32,
        /// Value for 1, 0..=1.
        to: f32,
    },
    /// Faces with this paint; at the border it fades over half a face to each side.
    Paint(Arc<str>),
    /// Product of two masks.
    Times(Box<SurfaceMask>, Box<SurfaceMask>),
    /// Maximum of two masks.
    Max(Box<SurfaceMask>, Box<SurfaceMask>),
    /// Inverted mask.
    Not(Box<SurfaceMask>),
    /// Mask multiplied by a factor.
    Scale(Box<SurfaceMask>, f32),
}

/// A point of a surface, for masks.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceSample<'a> {
    /// Position, metres.
    pub at: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Ambient occlusion, 0..=1; 1 is open.
    pub open: f32,
    /// Names of the surrounding paints, with weights that sum to 1.
    pub paints: &'a [(&'a str, f32)],
}

impl SurfaceMask {
    /// Depth of nested operations.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Times(a, b) | Self::Max(a, b) => 1 + a.depth().max(b.depth()),
            Self::Not(inner) | Self::Scale(inner, _) => 1 + inner.depth(),
            Self::All
            | Self::Near { .. }
            | Self::Noise { .. }
            | Self::Spots { .. }
            | Self::Facing { .. }
            | Self::Open { .. }
            | Self::Paint(_) => 1,
        }
    }

    /// Number of masks and of nodes in their fields.
    pub fn n_nodes(&self) -> u32 {
        match self {
            Self::Near { field, .. } => field.n_nodes(),
            Self::Times(a, b) | Self::Max(a, b) => {
                a.n_nodes().saturating_add(b.n_nodes()).saturating_add(1)
            }
            Self::Not(inner) | Self::Scale(inner, _) => inner.n_nodes().saturating_add(1),
            Self::All
            | Self::Noise { .. }
            | Self::Spots { .. }
            | Self::Facing { .. }
            | Self::Open { .. }
            | Self::Paint(_) => 1,
        }
    }

    /// Evaluates the mask at a point, 0..=1.
    pub fn at(&self, sample: &SurfaceSample<'_>) -> f32 {
        match self {
            Self::All => 1.0,
            Self::Near { field, from, to } => smoothstep(*to, *from, field.at(sample.at)),
            Self::Noise {
                size,
                octaves,
                seed,
                from,
                to,
            } => smoothstep(*from, *to, layered(sample.at / *size, *seed, *octaves)),
            Self::Spots {
                size,
                seed,
                from,
                to,
            } => smoothstep(*to, *from, cells(sample.at / *size, *seed)[0]),
            Self::Facing { along, from, to } => smoothstep(*from, *to, sample.normal.dot(*along)),
            Self::Open { from, to } => smoothstep(*from, *to, sample.open),
            Self::Paint(paint) => {
                let own = sample.paints.iter().filter(|(name, _)| *name == &**paint);
                smoothstep(0.12, 0.88, own.map(|(_, weight)| weight).sum())
            }
            Self::Times(a, b) => {
                let a = a.at(sample);
                if a > 0.0 { a * b.at(sample) } else { 0.0 }
            }
            Self::Max(a, b) => a.at(sample).max(b.at(sample)),
            Self::Not(inner) => 1.0 - inner.at(sample),
            Self::Scale(inner, weight) => inner.at(sample) * weight,
        }
    }
}

/// A paint layer.
#[derive(Clone, Debug)]
pub struct PaintLayer {
    /// Area of the layer.
    pub mask: SurfaceMask,
    /// Linear colour.
    pub color: Option<Vec3>,
    /// The colour multiplies the lower layers instead of covering them.
    pub multiply: bool,
    /// 0..=1.
    pub roughness: Option<f32>,
    /// 0..=1.
    pub metallic: Option<f32>,
    /// Displacement of the surface, metres.
    pub height: f32,
}

/// Result of all layers at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceShade {
    /// Linear colour.
    pub color: Vec3,
    /// 0..=1.
    pub roughness: f32,
    /// 0..=1.
    pub metallic: f32,
}

/// Combines layers at a point, the lowest first.
pub fn shade(layers: &[PaintLayer], sample: &SurfaceSample<'_>) -> SurfaceShade {
    let mut look = SurfaceShade {
        color: Vec3::splat(0.5),
        roughness: 0.5,
        metallic: 0.0,
    };
    for layer in layers {
        let weight = layer.mask.at(sample);
        if weight <= 0.0 {
            continue;
        }
        if let Some(color) = layer.color {
            let to = if layer.multiply {
                look.color * color
            } else {
                color
            };
            look.color = look.color.lerp(to, weight);
        }
        if let Some(roughness) = layer.roughness {
            look.roughness += (roughness - look.roughness) * weight;
        }
        if let Some(metallic) = layer.metallic {
            look.metallic += (metallic - look.metallic) * weight;
        }
    }
    look
}

/// Displacement by all layers at a point, metres.
pub fn height(layers: &[PaintLayer], sample: &SurfaceSample<'_>) -> f32 {
    let lifting = layers.iter().filter(|layer| layer.height != 0.0);
    lifting
        .map(|layer| layer.height * layer.mask.at(sample))
        .sum()
}

/// Slope of the displacement along two directions.
pub fn slopes(all: &[PaintLayer], sample: &SurfaceSample<'_>, along: Vec3, across: Vec3) -> Vec2 {
    const STEP: f32 = 0.0002;
    let lift = |by: Vec3| {
        let at = sample.at + by;
        height(all, &SurfaceSample { at, ..*sample })
    };
    let slope = |axis: Vec3| (lift(axis * STEP) - lift(axis * -STEP)) / (2.0 * STEP);
    Vec2::new(slope(along), slope(across))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at: Vec3) -> SurfaceSample<'static> {
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
    fn layers_cover_lower_ones_according_to_their_mask() {
        let ball = DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(0.1));
        let near = SurfaceMask::Near {
            field: ball,
            from: 0.0,
            to: 0.1,
        };
        let mut layers = vec![layer(SurfaceMask::All, Vec3::X), layer(near, Vec3::Y)];
        assert_eq!(shade(&layers, &sample(Vec3::ZERO)).color, Vec3::Y);
        let half = shade(&layers, &sample(Vec3::X * 0.15)).color;
        assert!((half - Vec3::new(0.5, 0.5, 0.0)).length() < 1e-3, "{half}");
        assert_eq!(shade(&layers, &sample(Vec3::X)).color, Vec3::X);
        layers.push(PaintLayer {
            multiply: true,
            roughness: Some(0.9),
            ..layer(SurfaceMask::Paint("lips".into()), Vec3::splat(0.5))
        });
        let found = shade(&layers, &sample(Vec3::X));
        assert_eq!((found.color, found.roughness), (Vec3::X * 0.5, 0.9));
    }

    #[test]
    fn masks_are_multiplied_inverted_and_read_surface_samples() {
        let open = SurfaceMask::Open { from: 0.0, to: 0.5 };
        let p = sample(Vec3::ZERO);
        assert!((open.at(&p) - 0.5).abs() < 1e-6);
        let facing = SurfaceMask::Facing {
            along: Vec3::Y,
            from: 0.0,
            to: 0.9,
        };
        assert_eq!(facing.at(&p), 1.0);
        let both = SurfaceMask::Times(Box::new(open.clone()), Box::new(facing));
        assert!((both.at(&p) - 0.5).abs() < 1e-6);
        let most = SurfaceMask::Max(
            Box::new(open),
            Box::new(SurfaceMask::Scale(Box::new(SurfaceMask::All), 0.75)),
        );
        assert_eq!(SurfaceMask::Not(Box::new(most)).at(&p), 0.25);
    }

    #[test]
    fn spots_and_noise_reach_both_ends_and_depend_on_the_seed() {
        let at = |mask: &SurfaceMask| -> Vec<f32> {
            (0..400)
                .map(|i| mask.at(&sample(Vec3::new(i as f32 * 0.0131, 0.3, 0.7))))
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
