//! Converts animations to clips: tracks per bone and per part (glTF 2.0 §3.11, appendix C).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::{Quat, Vec3, Vec4};
use gltf::json::animation::{self, Channel, Property, Sampler};
use gltf::json::validation::Checked;
use gltf::json::{Animation, Index};
use rayon::prelude::*;

use super::accessor::{GltfSource, Integers};
use super::error::Warnings;
use super::markers;
use super::nodes::{Tree, unique_names, unit};
use super::plain_json;
use super::pointer;
use crate::limits::{self, MAX_NUMBER, MAX_WEIGHT};
use crate::model::{Mesh, Part};
use galatea_anim::{BoneTracks, Clip, Curve, Interpolation, MorphTrack, Track};

/// Limit of a key time, seconds (eleven days). A later time is damage.
const MAX_KEY_TIME: f32 = 1e6;
/// Limit of clips per file.
const MAX_CLIPS: usize = 10_000;

/// Loads every animation as a clip. Skips unreadable channels with a warning.
pub fn load(source: &GltfSource, tree: &Tree, meshes: &[Mesh], parts: &[Part]) -> Vec<Clip> {
    let animations = &source.document.animations;
    let names = unique_names(animations.iter().enumerate().map(|(i, animation)| {
        match animation.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("clip_{i}"),
        }
    }));
    let part_of_bone: HashMap<u16, usize> = parts
        .iter()
        .enumerate()
        .map(|(i, part)| (part.bone, i))
        .collect();
    if animations.len() > MAX_CLIPS {
        source.warnings.add(format!(
            "the file has {} clips; only the first {MAX_CLIPS} are loaded",
            animations.len()
        ));
    }
    let loaded = animations.iter().zip(names).take(MAX_CLIPS);
    let animations: Vec<(&Animation, String)> = loaded.collect();
    let (document, buffers) = (source.document, source.buffers);
    let read: Vec<(Clip, Warnings)> = animations
        .into_par_iter()
        .map(|(animation, name)| {
            let warnings = Warnings::default();
            let source = GltfSource {
                document,
                buffers,
                warnings: &warnings,
            };
            let reader = AnimationReader {
                source: &source,
                tree,
                meshes,
                parts,
                part_of_bone: &part_of_bone,
                bones: BTreeMap::new(),
                morphs: BTreeMap::new(),
                curves: Vec::new(),
                clip: &name,
                start: start(&source, animation),
            };
            let clip = reader.clip(animation);
            (Clip { name, ..clip }, warnings)
        })
        .collect();
    let read = read.into_iter().map(|(clip, warnings)| {
        source.warnings.append(warnings);
        clip
    });
    read.collect()
}

/// Time of the earliest key if it is negative, which glTF forbids (§3.11); otherwise 0. Seconds.
pub fn start(source: &GltfSource, animation: &Animation) -> f32 {
    let samplers = animation.channels.iter();
    let samplers = samplers.filter_map(|c| animation.samplers.get(c.sampler.value()));
    let inputs: BTreeSet<u32> = samplers.map(|s| s.input.value() as u32).collect();
    let times = inputs.into_iter().flat_map(|input| {
        let read = source.floats::<1>(Index::new(input), Integers::AsMarked);
        read.unwrap_or_default().into_iter().flatten()
    });
    times
        .filter(|time| time.abs() <= MAX_KEY_TIME)
        .fold(0.0, f32::min)
}

/// Time of the latest key of any track.
fn duration(bones: &[BoneTracks], morphs: &[MorphTrack]) -> f32 {
    fn last<T>(track: &Track<T>) -> f32 {
        track.times.last().copied().unwrap_or(0.0)
    }
    let of_bones = bones.iter().flat_map(|tracks| {
        [
            tracks.translation.as_ref().map(last),
            tracks.rotation.as_ref().map(last),
            tracks.scale.as_ref().map(last),
        ]
    });
    let of_morphs = morphs.iter().map(|morph| last(&morph.track));
    of_bones.flatten().chain(of_morphs).fold(0.0, f32::max)
}

struct AnimationReader<'a> {
    source: &'a GltfSource<'a>,
    tree: &'a Tree,
    meshes: &'a [Mesh],
    parts: &'a [Part],
    part_of_bone: &'a HashMap<u16, usize>,
    bones: BTreeMap<u16, BoneTracks>,
    morphs: BTreeMap<usize, MorphTrack>,
    curves: Vec<Curve>,
    clip: &'a str,
    /// Start time, see [`start`]; key times are relative to it.
    start: f32,
}

impl AnimationReader<'_> {
    /// Builds a clip without its name.
    fn clip(mut self, animation: &Animation) -> Clip {
        if self.start < 0.0 {
            self.source.warnings.add(format!(
                "clip {:?}: the first key is at {} s, but glTF allows no time before 0; the clip is shifted to start \
                 at 0",
                self.clip, self.start
            ));
        }
        for (i, channel) in animation.channels.iter().enumerate() {
            let read = match channel.target.path {
                Checked::Valid(property) => self.channel(animation, channel, property),
                Checked::Invalid => self.pointer(animation, channel),
            };
            if let Err(cause) = read {
                let text = format!("clip {:?}: channel {i} is left out: {cause}", self.clip);
                self.source.warnings.add(text);
            }
        }
        let bones: Vec<BoneTracks> = self.bones.into_values().collect();
        let morphs: Vec<MorphTrack> = self.morphs.into_values().collect();
        let curves = self.curves;
        let duration = duration(&bones, &morphs).max(pointer::last_key(&curves));
        Clip {
            name: String::new(),
            duration,
            markers: markers::load(
                animation,
                self.clip,
                self.start,
                duration,
                self.source.warnings,
            ),
            bones,
            morphs,
            curves,
        }
    }

    /// Reads a channel of KHR_animation_pointer that targets no node. Unknown pointers were reported before.
    fn pointer(&mut self, animation: &Animation, channel: &Channel) -> Result<(), String> {
        let Some(pointer) = pointer::of(channel) else {
            return Ok(());
        };
        let property = match pointer::target(&pointer) {
            pointer::PointerTarget::Property(property) => property,
            pointer::PointerTarget::MeshWeights(mesh) => {
                let nodes = self.source.document.nodes.iter().enumerate();
                let placed = nodes.filter(|(_, node)| {
                    let of_node = node.mesh.map(|mesh| mesh.value());
                    of_node == Some(mesh)
                });
                let placed: Vec<usize> = placed.map(|(i, _)| i).collect();
                let weights = Property::MorphTargetWeights;
                return placed
                    .into_iter()
                    .try_for_each(|node| self.channel_of(animation, channel, weights, node));
            }
        };
        let sampler = animation.samplers.get(channel.sampler.value());
        let sampler =
            sampler.ok_or_else(|| format!("sampler {} does not exist", channel.sampler))?;
        let keys = SamplerKeys {
            source: self.source,
            sampler,
            start: self.start,
            what: format!("clip {:?}, {property}", self.clip),
        };
        if self.curves.iter().any(|curve| {
            let rest = curve.name.strip_prefix(property);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }) {
            return Err(format!("another channel already animates {property}"));
        }
        let (n, track) = keys.numbers()?;
        self.curves.extend(pointer::curves(property, n, &track));
        Ok(())
    }

    fn channel(
        &mut self,
        animation: &Animation,
        channel: &Channel,
        property: Property,
    ) -> Result<(), String> {
        self.channel_of(animation, channel, property, channel.target.node.value())
    }

    fn channel_of(
        &mut self,
        animation: &Animation,
        channel: &Channel,
        property: Property,
        node: usize,
    ) -> Result<(), String> {
        let path = match property {
            Property::Translation => "translation",
            Property::Rotation => "rotation",
            Property::Scale => "scale",
            Property::MorphTargetWeights => "weights",
        };
        if node == plain_json::NONE as usize {
            return Err("the channel has no target node".into());
        }
        let bone = self
            .tree
            .bone(node)
            .ok_or_else(|| format!("the target node {node} does not exist"))?;
        let sampler = animation
            .samplers
            .get(channel.sampler.value())
            .ok_or_else(|| format!("sampler {} does not exist", channel.sampler))?;
        let already = || {
            Err(format!(
                "another channel already animates this node's {path}"
            ))
        };
        let name = self.tree.skeleton.bones().get(usize::from(bone));
        let name = name.map_or("", |bone| bone.name.as_str());
        let keys = SamplerKeys {
            source: self.source,
            sampler,
            start: self.start,
            what: format!("clip {:?}, {path} of {name:?}", self.clip),
        };
        if property == Property::MorphTargetWeights {
            return self.weights(bone, name, &keys, already);
        }
        let tracks = self.bones.get(&bone);
        let taken = tracks.is_some_and(|tracks| match property {
            Property::Translation => tracks.translation.is_some(),
            Property::Rotation => tracks.rotation.is_some(),
            _ => tracks.scale.is_some(),
        });
        if taken {
            return already();
        }
        let empty = BoneTracks {
            bone,
            translation: None,
            rotation: None,
            scale: None,
        };
        // Added only after the keys were read, so that no bone gets an entry without tracks.
        match property {
            Property::Rotation => {
                let track = keys.rotations()?;
                self.bones.entry(bone).or_insert(empty).rotation = Some(track);
            }
            Property::Translation => {
                let track = keys.vectors()?;
                self.bones.entry(bone).or_insert(empty).translation = Some(track);
            }
            _ => {
                let mut track = keys.vectors()?;
                track.values.iter_mut().for_each(|s| *s = limits::scale(*s));
                self.bones.entry(bone).or_insert(empty).scale = Some(track);
            }
        }
        Ok(())
    }

    fn weights(
        &mut self,
        bone: u16,
        name: &str,
        keys: &SamplerKeys,
        already: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        let part = self.part_of_bone.get(&bone).copied();
        let part = part.ok_or_else(|| format!("node {name:?} has no mesh with morph targets"))?;
        let mesh = self
            .parts
            .get(part)
            .and_then(|part| self.meshes.get(part.mesh));
        let n_targets = mesh.map_or(0, |mesh| mesh.morph_names.len());
        if n_targets == 0 {
            return Err(format!("the mesh of {name:?} has no morph targets"));
        }
        if self.morphs.contains_key(&part) {
            return already();
        }
        let track = keys.weights(n_targets)?;
        let morph = MorphTrack {
            part,
            n_targets,
            track,
        };
        self.morphs.insert(part, morph);
        Ok(())
    }
}

/// Largest absolute value of some numbers; NaN if one of them is NaN.
fn size(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, number| {
        if number.is_nan() || number.abs() > most {
            number.abs()
        } else {
            most
        }
    })
}

/// Reader of one sampler.
struct SamplerKeys<'a> {
    source: &'a GltfSource<'a>,
    sampler: &'a Sampler,
    start: f32,
    what: String,
}

impl SamplerKeys<'_> {
    fn warn(&self, text: &str) {
        self.source.warnings.add(format!("{}: {text}", self.what));
    }

    fn vectors(&self) -> Result<Track<Vec3>, String> {
        // Quantised translations may be plain integers; normalised ones are marked as such.
        let values = self
            .source
            .floats::<3>(self.sampler.output, Integers::AsMarked)?;
        let values = values.into_iter().map(Vec3::from_array).collect();
        self.track(values, 1, |v| size(&v.to_array()), MAX_NUMBER)
    }

    /// Values of one to four numbers as vectors, padded with 0, and the number of components.
    fn numbers(&self) -> Result<(usize, Track<Vec4>), String> {
        fn wide<const N: usize>(values: Vec<[f32; N]>) -> Vec<Vec4> {
            let wide = values.into_iter().map(|value| {
                let mut all = [0.0; 4];
                all.iter_mut().zip(value).for_each(|(to, from)| *to = from);
                Vec4::from_array(all)
            });
            wide.collect()
        }
        let output = self.sampler.output;
        let marked = Integers::AsMarked;
        let n = self.source.components(output)?;
        let values = match n {
            1 => wide(self.source.floats::<1>(output, marked)?),
            2 => wide(self.source.floats::<2>(output, marked)?),
            3 => wide(self.source.floats::<3>(output, marked)?),
            4 => wide(self.source.floats::<4>(output, marked)?),
            n => return Err(format!("values of {n} numbers are not supported")),
        };
        Ok((
            n,
            self.track(values, 1, |v| size(&v.to_array()), MAX_NUMBER)?,
        ))
    }

    fn rotations(&self) -> Result<Track<Quat>, String> {
        let values = self
            .source
            .floats::<4>(self.sampler.output, Integers::Normalised)?;
        let values: Vec<Quat> = values.into_iter().map(Quat::from_array).collect();
        let mut track = self.track(values, 1, |q| size(&q.to_array()), MAX_NUMBER)?;
        let (step, first) = match track.interpolation {
            Interpolation::CubicSpline => (3, 1),
            _ => (1, 0),
        };
        let mut directionless = 0;
        for value in track.values.iter_mut().skip(first).step_by(step) {
            *value = unit(*value).unwrap_or_else(|| {
                directionless += 1;
                Quat::IDENTITY
            });
        }
        if directionless > 0 {
            self.warn(&format!(
                "{directionless} rotations have length 0; the identity is used"
            ));
        }
        Ok(track)
    }

    fn weights(&self, n_targets: usize) -> Result<Track<f32>, String> {
        let values = self
            .source
            .floats::<1>(self.sampler.output, Integers::Normalised)?;
        let values = values.into_iter().flatten().collect();
        self.track(values, n_targets, |w| size(&[*w]), MAX_WEIGHT)
    }

    /// Joins times and values, and sorts them by time. Drops keys that are not finite or whose `size` is
    /// above the limit.
    fn track<T: Clone>(
        &self,
        values: Vec<T>,
        per_value: usize,
        size: impl Fn(&T) -> f32,
        largest: f32,
    ) -> Result<Track<T>, String> {
        let interpolation = match self.sampler.interpolation {
            Checked::Valid(animation::Interpolation::Step) => Interpolation::Step,
            Checked::Valid(animation::Interpolation::CubicSpline) => Interpolation::CubicSpline,
            _ => Interpolation::Linear,
        };
        let per_key = match interpolation {
            Interpolation::CubicSpline => per_value.saturating_mul(3),
            _ => per_value,
        };
        let times = self
            .source
            .floats::<1>(self.sampler.input, Integers::AsMarked)?;
        let times: Vec<f32> = times.into_iter().flatten().collect();
        if values.len() != times.len().saturating_mul(per_key) {
            return Err(format!(
                "{} keys need {} values, got {}",
                times.len(),
                times.len().saturating_mul(per_key),
                values.len()
            ));
        }
        let n = times.len();
        let mut keys: Vec<(f32, &[T])> = times.into_iter().zip(values.chunks(per_key)).collect();
        let is_number = |value: &T| size(value).is_finite();
        keys.retain(|(time, values)| time.is_finite() && values.iter().all(is_number));
        if keys.len() < n {
            self.warn(&format!(
                "{} keys are NaN or infinite; left out",
                n - keys.len()
            ));
        }
        let n = keys.len();
        keys.retain(|(time, values)| {
            time.abs() <= MAX_KEY_TIME && values.iter().all(|value| size(value) <= largest)
        });
        if keys.len() < n {
            self.warn(&format!(
                "{} keys have values beyond {largest:e} or times beyond {MAX_KEY_TIME:e} s; left out",
                n - keys.len()
            ));
        }
        if keys.is_empty() {
            return Err("the channel has no keys".into());
        }
        keys.iter_mut().for_each(|key| key.0 -= self.start);
        let ascending = |pair: &[(f32, &[T])]| matches!(pair, [a, b] if a.0 < b.0);
        if !keys.windows(2).all(ascending) {
            keys.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Of several keys at one time the last counts: it is the value from this time on.
            keys.reverse();
            keys.dedup_by(|a, b| a.0 == b.0);
            keys.reverse();
            self.warn("the key times are not ascending; the keys were sorted");
        }
        Ok(Track {
            times: keys.iter().map(|key| key.0).collect(),
            values: keys.iter().flat_map(|key| key.1.iter().cloned()).collect(),
            interpolation,
        })
    }
}
