//! Weights of the wrinkle regions of a character's skin: driven by face shapes, by distances between points of the skin and
//! by clip curves, or overridden by a script.

use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::loaded_model::LoadedModel;
use galatea_asset::model::{Primitive, WrinkleDriver};
use galatea_deform::build_palette;
use galatea_face::{FaceRig, SinkTarget};
use galatea_math::names::nearest_hint;

/// Wrinkle regions of all materials of a model, and the drivers of their weights.
#[derive(Clone, Debug, Default)]
pub struct WrinkleRig {
    /// Regions by material, in the material's order.
    pub regions: Vec<ResolvedRegion>,
    /// Messages about parts of the file that could not be resolved.
    pub problems: Vec<String>,
}

/// A wrinkle region of a material, resolved.
#[derive(Clone, Debug, Default)]
pub struct ResolvedRegion {
    /// Name for scripts; several materials may have a region of the same name.
    pub name: String,
    rest: f32,
    shapes: Vec<WrinkleShape>,
    stretches: Vec<Stretch>,
    /// Indices into the curves of a pose.
    curves: Vec<usize>,
}

/// Morph weights that together form a shape, with their values at full strength.
#[derive(Clone, Debug)]
struct WrinkleShape {
    morphs: Vec<(usize, f32)>,
    factor: f32,
}

#[derive(Clone, Debug)]
struct Stretch {
    ends: [Probe; 2],
    /// Length at rest, metres.
    length: f32,
    ratio: f32,
}

/// A vertex with a tracked position.
#[derive(Clone, Debug)]
struct Probe {
    /// Position in mesh space.
    at: Vec3,
    /// Indices of morph weights, and their offsets.
    offsets: Vec<(usize, Vec3)>,
    /// Palette matrices and their weights.
    bones: Vec<(usize, f32)>,
}

impl Probe {
    fn position(&self, morphs: &[f32], palette: &[Affine3A]) -> Vec3 {
        let moved = self
            .offsets
            .iter()
            .map(|(i, by)| *by * morphs.get(*i).copied().unwrap_or(0.0));
        let at = self.at + moved.sum::<Vec3>();
        let by = |(bone, fraction): &(usize, f32)| {
            palette.get(*bone).map_or(at, |m| m.transform_point3(at)) * *fraction
        };
        self.bones.iter().map(by).sum()
    }
}

impl WrinkleRig {
    /// Resolves the wrinkle regions of a model.
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
                    if let Err(error) = added {
                        rig.problems.push(format!(
                            "wrinkles of {:?}: region {:?}: {error}",
                            material.name, region.name
                        ));
                    }
                }
                rig.regions.push(own);
            }
        }
        rig
    }

    /// Returns the names of the regions, without duplicates.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.regions.iter().enumerate();
        all.filter(|(i, region)| self.regions[..*i].iter().all(|r| r.name != region.name))
            .map(|(_, region)| region.name.as_str())
    }

    /// Computes the sums of the shapes of a face, one per region.
    fn sum_shapes(&self, (morphs, rest): (&[f32], &[f32]), out: &mut Vec<f32>) {
        out.clear();
        out.extend(self.regions.iter().map(|region| {
            let shapes = region.shapes.iter().map(|shape| {
                // Least-squares fraction of the shape.
                let (mut along, mut all) = (0.0, 0.0);
                for (i, full) in &shape.morphs {
                    let of = |list: &[f32]| list.get(*i).copied().unwrap_or(0.0);
                    along += (of(morphs) - of(rest)) * full;
                    all += full * full;
                }
                shape.factor * along / all
            });
            shapes.sum::<f32>()
        }));
    }

    /// Computes the driven weights of a pose: clamped sums, one per region. `shapes` are those of [`Self::sum_shapes`].
    fn weights(
        &self,
        shapes: &[f32],
        morphs: &[f32],
        palette: &[Affine3A],
        curves: &[f32],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        out.extend(self.regions.iter().zip(shapes).map(|(region, shapes)| {
            let stretches = region.stretches.iter().map(|stretch| {
                let [a, b] = stretch
                    .ends
                    .each_ref()
                    .map(|end| end.position(morphs, palette));
                let fraction = (1.0 - a.distance(b) / stretch.length) / (1.0 - stretch.ratio);
                fraction.max(0.0)
            });
            let curves = region.curves.iter().filter_map(|i| curves.get(*i).copied());
            let sum = region.rest + stretches.chain(curves).fold(*shapes, |sum, one| sum + one);
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
        return Err("no mesh uses the material, so its stretch cannot be measured".into());
    };
    let length = from
        .position(morphs, palette)
        .distance(to.position(morphs, palette));
    if length < 1e-5 {
        return Err("the two points of a stretch are the same".into());
    }
    Ok(Stretch {
        ends: [from, to],
        length,
        ratio,
    })
}

/// Returns the vertex nearest to a texture coordinate of a material.
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

/// The wrinkle weights of one character.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrinkleState {
    held: Vec<RegionOverride>,
    /// Weights of the current and the previous tick.
    shown: [Vec<f32>; 2],
    shapes: ShapeSums,
}

/// Sums of the shapes of a face, and the morph weights from which they were computed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ShapeSums {
    morphs: Vec<f32>,
    sums: Vec<f32>,
}

/// A region with a weight set by the script.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct RegionOverride {
    region: usize,
    value: f32,
    /// Fraction of the override, 0..=1; the rest is the driven weight.
    fraction: f32,
    /// Target value and fraction, reached in `left` seconds.
    to: (f32, f32),
    left: f64,
}

impl WrinkleState {
    /// Returns the weight of a region in the last tick.
    pub fn weight(&self, region: usize) -> f32 {
        self.shown[0].get(region).copied().unwrap_or(0.0)
    }

    /// Overrides the weight of a region over some seconds; `None` returns it to its drivers.
    pub fn hold(&mut self, region: usize, value: Option<f32>, seconds: f64) {
        let at = self.held.iter().position(|held| held.region == region);
        let now = match at {
            Some(at) => self.held.remove(at),
            None => RegionOverride {
                region,
                value: self.weight(region),
                fraction: 0.0,
                to: (0.0, 0.0),
                left: 0.0,
            },
        };
        let to = match value {
            Some(value) => (value, 1.0),
            None => (now.value, 0.0),
        };
        // A new override starts from the current weight.
        let fraction = if value.is_some() { 1.0 } else { now.fraction };
        let held = RegionOverride {
            fraction,
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

    /// Advances fades by `dt` seconds.
    pub fn advance(&mut self, dt: f64) {
        self.held.retain_mut(|held| {
            if held.left > 0.0 {
                let u = (dt / held.left).min(1.0) as f32;
                held.value += (held.to.0 - held.value) * u;
                held.fraction += (held.to.1 - held.fraction) * u;
                held.left = (held.left - dt).max(0.0);
            }
            held.left > 0.0 || held.to.1 > 0.0
        });
    }

    /// Makes the current weights the previous ones; [`WrinkleState::build`] reuses the older buffer.
    pub(super) fn begin_build(&mut self) {
        self.shown.swap(0, 1);
    }

    /// Computes the weights for a pose.
    pub(super) fn build(
        &mut self,
        rig: &WrinkleRig,
        morphs: (&[f32], &[f32]),
        palette: &[Affine3A],
        curves: &[f32],
    ) {
        let (now, shapes) = (morphs.0, &mut self.shapes);
        if shapes.sums.len() != rig.regions.len() || shapes.morphs != now {
            rig.sum_shapes(morphs, &mut shapes.sums);
            shapes.morphs.clear();
            shapes.morphs.extend_from_slice(now);
        }
        rig.weights(&shapes.sums, now, palette, curves, &mut self.shown[0]);
        for held in &self.held {
            if let Some(weight) = self.shown[0].get_mut(held.region) {
                *weight += (held.value - *weight) * held.fraction;
            }
        }
    }

    /// Makes the previous tick equal to the current one.
    pub(super) fn forget_motion(&mut self) {
        let [now, before] = &mut self.shown;
        before.clone_from(now);
    }

    /// Rebinds a script's overrides by name to another version of the model.
    pub(super) fn rebind(&mut self, old: &WrinkleRig, new: &WrinkleRig) {
        self.shapes = ShapeSums::default();
        let was = std::mem::take(&mut self.held);
        let held = was.iter().filter_map(|held| {
            let name = &old.regions.get(held.region)?.name;
            let region = new.regions.iter().position(|region| region.name == *name)?;
            Some(RegionOverride { region, ..*held })
        });
        self.held = held.collect();
    }

    /// Takes the current weights of another character as this one's previous weights.
    pub fn show_before(&mut self, was: &Self) {
        self.shown[1].clone_from(&was.shown[0]);
    }

    /// Adds the weights, interpolated by `alpha` (0..=1) from the previous tick to the current one.
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
