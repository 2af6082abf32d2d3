//! How much each region of a character's skin is folded: by the shapes of its face, by how near places of the skin come
//! to each other, by curves of clips (rows WM-03, WM-04, AW-10), and by what a script holds.

use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};

use super::loaded_model::LoadedModel;
use galatea_asset::model::{Primitive, WrinkleDriver};
use galatea_deform::build_palette;
use galatea_face::{FaceRig, SinkTarget};
use galatea_math::names::nearest_hint;

/// The regions of all materials of a model, and what gives them their weights.
#[derive(Clone, Debug, Default)]
pub struct WrinkleRig {
    /// Material after material, in the order of their regions.
    pub regions: Vec<ResolvedRegion>,
    /// What of the file could not be found, in plain words.
    pub problems: Vec<String>,
}

/// A region of a material, resolved.
#[derive(Clone, Debug, Default)]
pub struct ResolvedRegion {
    /// What scripts call it; several materials may have one of the same name.
    pub name: String,
    rest: f32,
    shapes: Vec<WrinkleShape>,
    stretches: Vec<Stretch>,
    /// Indices into the curves of a pose.
    curves: Vec<usize>,
}

/// Weights of a pose that together are a shape, with what they are when it is all there.
#[derive(Clone, Debug)]
struct WrinkleShape {
    morphs: Vec<(usize, f32)>,
    factor: f32,
}

#[derive(Clone, Debug)]
struct Stretch {
    ends: [Probe; 2],
    /// Metres at rest.
    length: f32,
    ratio: f32,
}

/// A vertex that is followed.
#[derive(Clone, Debug)]
struct Probe {
    /// In mesh space.
    at: Vec3,
    /// Weights of a pose and what they add.
    offsets: Vec<(usize, Vec3)>,
    /// Matrices of the palette and their shares.
    bones: Vec<(usize, f32)>,
}

impl Probe {
    fn place(&self, morphs: &[f32], palette: &[Affine3A]) -> Vec3 {
        let moved = self
            .offsets
            .iter()
            .map(|(i, by)| *by * morphs.get(*i).copied().unwrap_or(0.0));
        let at = self.at + moved.sum::<Vec3>();
        let by = |(bone, share): &(usize, f32)| {
            palette.get(*bone).map_or(at, |m| m.transform_point3(at)) * *share
        };
        self.bones.iter().map(by).sum()
    }
}

impl WrinkleRig {
    /// Of a model.
    pub(super) fn of(loaded: &LoadedModel, face: impl FnOnce() -> Arc<FaceRig>) -> Self {
        let mut rig = Self::default();
        let materials = loaded.model.materials.iter().enumerate();
        let wrinkled: Vec<_> = materials
            .filter_map(|(i, material)| Some((i, material, material.wrinkles.as_deref()?)))
            .collect();
        if wrinkled.is_empty() {
            return rig;
        }
        let face = face();
        let mut rest = Vec::new();
        build_palette(&loaded.model, &loaded.rest_matrices(), &mut rest);
        for (i, material, wrinkles) in wrinkled {
            for region in &wrinkles.regions {
                let mut own = ResolvedRegion {
                    name: region.name.clone(),
                    rest: region.rest,
                    ..ResolvedRegion::default()
                };
                for driver in &region.drivers {
                    let added = match driver {
                        WrinkleDriver::Shape(name, factor) => {
                            shape(&face, name, *factor).map(|shape| own.shapes.push(shape))
                        }
                        WrinkleDriver::Stretch { from, to, ratio } => {
                            let ends = [*from, *to].map(|uv| probe(loaded, i, uv));
                            stretch(ends, (&loaded.rest.morphs, &rest), *ratio)
                                .map(|stretch| own.stretches.push(stretch))
                        }
                        WrinkleDriver::Curve(name) => {
                            curve(loaded, name).map(|curve| own.curves.push(curve))
                        }
                    };
                    if let Err(why) = added {
                        rig.problems.push(format!(
                            "wrinkles of {:?}: region {:?}: {why}",
                            material.name, region.name
                        ));
                    }
                }
                rig.regions.push(own);
            }
        }
        rig
    }

    /// Names of the regions, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.regions.iter().enumerate();
        all.filter(|(i, region)| self.regions[..*i].iter().all(|r| r.name != region.name))
            .map(|(_, region)| region.name.as_str())
    }

    /// What drives the weights of a pose: clamped sums, one per region.
    fn weights(
        &self,
        (morphs, rest): (&[f32], &[f32]),
        palette: &[Affine3A],
        curves: &[f32],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        out.extend(self.regions.iter().map(|region| {
            let shapes = region.shapes.iter().map(|shape| {
                // The share of the shape that fits the weights best.
                let (mut along, mut all) = (0.0, 0.0);
                for (i, full) in &shape.morphs {
                    let of = |list: &[f32]| list.get(*i).copied().unwrap_or(0.0);
                    along += (of(morphs) - of(rest)) * full;
                    all += full * full;
                }
                shape.factor * along / all
            });
            let stretches = region.stretches.iter().map(|stretch| {
                let [a, b] = stretch
                    .ends
                    .each_ref()
                    .map(|end| end.place(morphs, palette));
                let share = (1.0 - a.distance(b) / stretch.length) / (1.0 - stretch.ratio);
                share.max(0.0)
            });
            let curves = region.curves.iter().filter_map(|i| curves.get(*i).copied());
            let sum = region.rest + shapes.chain(stretches).chain(curves).sum::<f32>();
            if sum.is_finite() {
                sum.clamp(0.0, 1.0)
            } else {
                0.0
            }
        }));
    }
}

fn shape(face: &FaceRig, name: &str, factor: f32) -> Result<WrinkleShape, String> {
    let Some(control) = face.find(name) else {
        let names = face.controls.iter().map(|control| control.name.as_str());
        return Err(format!(
            "there is no shape {name:?}{}",
            nearest_hint(name, names)
        ));
    };
    let binds = face.controls[usize::from(control)].binds.iter();
    let morphs: Vec<(usize, f32)> = binds
        .filter_map(
            |(sink, full)| match face.sinks.get(usize::from(*sink))?.target {
                SinkTarget::Morph(i) if *full != 0.0 => Some((i, *full)),
                _ => None,
            },
        )
        .collect();
    if morphs.is_empty() {
        return Err(format!("the shape {name:?} moves no morph target"));
    }
    Ok(WrinkleShape { morphs, factor })
}

fn curve(loaded: &LoadedModel, name: &str) -> Result<usize, String> {
    let names = loaded.clips.curve_names();
    names.iter().position(|own| own == name).ok_or_else(|| {
        let hint = nearest_hint(name, names.iter().map(String::as_str));
        format!("no clip has a curve {name:?}{hint}")
    })
}

fn stretch(
    ends: [Option<Probe>; 2],
    (morphs, palette): (&[f32], &[Affine3A]),
    ratio: f32,
) -> Result<Stretch, String> {
    let [Some(from), Some(to)] = ends else {
        return Err("nothing shows the material, so nothing is stretched".into());
    };
    let length = from
        .place(morphs, palette)
        .distance(to.place(morphs, palette));
    if length < 1e-5 {
        return Err("both places of a stretch are the same".into());
    }
    Ok(Stretch {
        ends: [from, to],
        length,
        ratio,
    })
}

/// The vertex nearest to a place on a material's pictures.
fn probe(loaded: &LoadedModel, material: usize, uv: Vec2) -> Option<Probe> {
    let model = &loaded.model;
    let mut best: Option<(f32, usize, &Primitive, usize)> = None;
    for (i, part) in model.parts.iter().enumerate() {
        let primitives = model.meshes.get(part.mesh)?.primitives.iter();
        for primitive in primitives.filter(|own| own.material == material) {
            for (vertex, own) in primitive.uv0.iter().enumerate() {
                let far = own.distance_squared(uv);
                if best.is_none_or(|best| far < best.0) {
                    best = Some((far, i, primitive, vertex));
                }
            }
        }
    }
    let (_, part, primitive, vertex) = best?;
    let start = loaded.morph_start.get(part)?;
    let targets = primitive.targets.iter().enumerate();
    let offsets = targets.filter_map(|(k, target)| {
        let by = target
            .positions
            .get(vertex)
            .filter(|by| **by != Vec3::ZERO)?;
        Some((start + k, *by))
    });
    let first = *loaded.layout.part_start.get(part)? as usize;
    Some(Probe {
        at: *primitive.positions.get(vertex)?,
        offsets: offsets.collect(),
        bones: influences(primitive, vertex, first),
    })
}

fn influences(primitive: &Primitive, vertex: usize, first: usize) -> Vec<(usize, f32)> {
    let own = &primitive.influences;
    let n = own.per_vertex;
    let range = vertex * n..(vertex + 1) * n;
    let joints = own.joints.get(range.clone()).unwrap_or_default();
    let weights = own.weights.get(range).unwrap_or_default();
    let pairs = joints
        .iter()
        .zip(weights)
        .filter(|(_, weight)| **weight > 0.0);
    let found: Vec<(usize, f32)> = pairs
        .map(|(joint, weight)| (first + usize::from(*joint), *weight))
        .collect();
    if found.is_empty() {
        vec![(first, 1.0)]
    } else {
        found
    }
}

/// The wrinkles of one character.
#[derive(Clone, Debug, Default)]
pub struct WrinkleState {
    held: Vec<RegionOverride>,
    /// Weights of the last tick and of the one before.
    shown: [Vec<f32>; 2],
}

/// A region whose weight is the script's.
#[derive(Clone, Copy, Debug)]
struct RegionOverride {
    region: usize,
    value: f32,
    /// How much of it counts, 0..=1; the rest is what drives it.
    share: f32,
    /// What they come to, in so many seconds.
    to: (f32, f32),
    left: f64,
}

impl WrinkleState {
    /// The weight that a region showed in the last tick.
    pub fn weight(&self, region: usize) -> f32 {
        self.shown[0].get(region).copied().unwrap_or(0.0)
    }

    /// Holds the weight of a region, or gives it back, over some seconds.
    pub fn hold(&mut self, region: usize, value: Option<f32>, seconds: f64) {
        let at = self.held.iter().position(|held| held.region == region);
        let now = match at {
            Some(at) => self.held.remove(at),
            None => RegionOverride {
                region,
                value: self.weight(region),
                share: 0.0,
                to: (0.0, 0.0),
                left: 0.0,
            },
        };
        let to = match value {
            Some(value) => (value, 1.0),
            None => (now.value, 0.0),
        };
        // What was not held begins from what shows.
        let share = if value.is_some() { 1.0 } else { now.share };
        let held = RegionOverride {
            share,
            to,
            left: seconds,
            ..now
        };
        if seconds > 0.0 {
            self.held.push(held);
        } else if to.1 > 0.0 {
            self.held.push(RegionOverride {
                value: to.0,
                ..held
            });
        }
    }

    /// Moves what fades on by some seconds.
    pub fn advance(&mut self, dt: f64) {
        self.held.retain_mut(|held| {
            if held.left > 0.0 {
                let u = (dt / held.left).min(1.0) as f32;
                held.value += (held.to.0 - held.value) * u;
                held.share += (held.to.1 - held.share) * u;
                held.left = (held.left - dt).max(0.0);
            }
            held.left > 0.0 || held.to.1 > 0.0
        });
    }

    /// The last tick's weights become those before; their memory goes to [`WrinkleState::build`].
    pub(super) fn begin_build(&mut self) {
        self.shown.swap(0, 1);
    }

    /// Takes the weights of a pose.
    pub(super) fn build(
        &mut self,
        rig: &WrinkleRig,
        morphs: (&[f32], &[f32]),
        palette: &[Affine3A],
        curves: &[f32],
    ) {
        rig.weights(morphs, palette, curves, &mut self.shown[0]);
        for held in &self.held {
            if let Some(weight) = self.shown[0].get_mut(held.region) {
                *weight += (held.value - *weight) * held.share;
            }
        }
    }

    /// Makes the tick before equal to the last one.
    pub(super) fn forget_motion(&mut self) {
        let [now, before] = &mut self.shown;
        before.clone_from(now);
    }

    /// Goes on with what a script held of another version of the model, by names.
    pub(super) fn carry(&mut self, old: &WrinkleRig, new: &WrinkleRig) {
        let was = std::mem::take(&mut self.held);
        let held = was.iter().filter_map(|held| {
            let name = &old.regions.get(held.region)?.name;
            let region = new.regions.iter().position(|region| region.name == *name)?;
            Some(RegionOverride { region, ..*held })
        });
        self.held = held.collect();
    }

    /// What was shown before is what another character showed last.
    pub fn show_before(&mut self, was: &Self) {
        self.shown[1].clone_from(&was.shown[0]);
    }

    /// Adds the weights, `alpha` (0..=1) of the way from the tick before to the last one.
    pub fn snapshot(&self, alpha: f32, out: &mut Vec<f32>) {
        let [now, before] = &self.shown;
        out.extend(now.iter().enumerate().map(|(i, now)| {
            let was = before.get(i).copied().unwrap_or(*now);
            was + (now - was) * alpha
        }));
    }
}

#[cfg(test)]
mod tests;
