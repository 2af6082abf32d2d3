//! Writes a face: morph weights, bones, and weights of material changes.

use glam::Quat;

use super::rig::{FaceRig, Sink, SinkRole, SinkTarget};
use super::shape::FaceRegion;
use super::state::{Face, SinkMix};
use galatea_math::clamp::ClampTo as _;
use galatea_rig::Posed;

impl Face {
    /// Combines the owners and writes the face over a pose. `morphs` are the pose's weights with clips and gaze applied.
    /// `materials` receives the weight of each list in [`FaceRig::materials`]. `weight`: blend weight of the whole face,
    /// 0..=1.
    pub fn apply(
        &mut self,
        rig: &FaceRig,
        morphs: &mut [f32],
        posed: &mut Posed<'_>,
        materials: &mut Vec<f32>,
        weight: f32,
    ) {
        self.gather(rig);
        materials.clear();
        materials.resize(rig.materials.len(), 0.0);
        let limits = self.limits(rig, morphs);
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for (sink, cell) in rig.sinks.iter().zip(&self.cells) {
            let base = match sink.target {
                SinkTarget::Morph(i) => morphs.get(i).copied().unwrap_or(0.0),
                SinkTarget::Bone(_) | SinkTarget::Material(_) => 0.0,
            };
            let value = base + (self.value(sink, cell, base, &limits) - base) * weight;
            values.push(value);
            match sink.target {
                SinkTarget::Morph(i) => {
                    if let Some(slot) = morphs.get_mut(i) {
                        *slot = value;
                    }
                }
                SinkTarget::Bone(i) => {
                    if let Some(bone) = rig.bones.get(i).filter(|_| value != 0.0) {
                        let turn = bone.parent_from_character
                            * Quat::from_scaled_axis(bone.turn * value)
                            * bone.parent_from_character.conjugate();
                        posed.turn(bone.bone, turn);
                        let shift = bone.parent_from_character * bone.shift * value;
                        if shift != glam::Vec3::ZERO {
                            let mut local = posed.local(bone.bone);
                            local.translation += shift;
                            posed.set_local(bone.bone, local);
                        }
                    }
                }
                SinkTarget::Material(i) => {
                    if let Some(slot) = materials.get_mut(i) {
                        *slot = value;
                    }
                }
            }
        }
        self.values = values;
        for corrective in &rig.correctives {
            let of = |sink: &u16| -> Option<f32> {
                match rig.sinks.get(usize::from(*sink))?.target {
                    SinkTarget::Morph(i) => morphs.get(i).copied(),
                    _ => None,
                }
            };
            let product: Option<f32> = corrective.of.iter().map(of).product();
            let own = rig
                .sinks
                .get(usize::from(corrective.sink))
                .map(|sink| sink.target);
            if let (Some(product), Some(SinkTarget::Morph(i))) = (product, own)
                && let Some(slot) = morphs.get_mut(i)
            {
                *slot = slot.max(product.clamp(0.0, 1.0));
            }
        }
        self.limit_targets(rig, morphs);
    }

    /// Returns the value of a sink over the base value.
    fn value(&self, sink: &Sink, cell: &SinkMix, base: f32, limits: &MouthState) -> f32 {
        let (mut low, mut mood) = (base - sink.rest + cell.base, cell.mood);
        if sink.region == FaceRegion::Mouth {
            low *= limits.mouth;
            mood *= limits.mouth;
        }
        // A blink suppresses other eyelid motion.
        if sink.region == FaceRegion::Lids && cell.lid == 0.0 {
            low *= 1.0 - limits.lids;
            mood *= 1.0 - limits.lids;
        }
        match sink.act {
            // Lips closed by speech stay closed.
            SinkRole::OpensMouth => {
                low *= 1.0 - limits.closure;
                mood *= 1.0 - limits.closure;
            }
            SinkRole::ClosesLips | SinkRole::None => {}
        }
        let (mut speech, mut lid) = (cell.speech, cell.lid);
        if let Some(whole) = sink.binary {
            let shows = speech.abs() > 0.5 * whole.abs();
            speech = if shows { whole } else { 0.0 };
            lid = if lid > 0.5 { 1.0 } else { 0.0 };
        }
        let mut value = sink.rest + low + mood + speech;
        if lid > 0.0 {
            let max = sink.range[1];
            value += (max - value).max(0.0) * lid;
        }
        value = value * (1.0 - cell.hold) + cell.held;
        if sink.act == SinkRole::ClosesLips && cell.hold == 0.0 {
            value = value.min(limits.jaw.max(base));
        }
        // Clips may exceed the range; owners may not.
        value.clamp_to(sink.range[0].min(base), sink.range[1].max(base))
    }

    fn limits(&self, rig: &FaceRig, morphs: &[f32]) -> MouthState {
        let mut limits = MouthState {
            mouth: self.mouth_left(),
            closure: self.closure() * self.speaking.clamp(0.0, 1.0),
            lids: self.lids.clamp(0.0, 1.0),
            jaw: 1.0,
        };
        let mut jaw = None;
        for (sink, cell) in rig.sinks.iter().zip(&self.cells) {
            if let (SinkRole::OpensMouth, SinkTarget::Morph(i)) = (sink.act, sink.target) {
                let base = morphs.get(i).copied().unwrap_or(0.0);
                let value = self.value(sink, cell, base, &limits);
                jaw = Some(value.max(jaw.unwrap_or(0.0)));
            }
        }
        limits.jaw = jaw.unwrap_or(1.0);
        limits
    }

    /// Keeps only the largest morph targets, if there is a limit.
    fn limit_targets(&self, rig: &FaceRig, morphs: &mut [f32]) {
        let limit = self.options.max_active_targets;
        if limit == 0 {
            return;
        }
        for _ in 0..rig.sinks.len() {
            let (mut n, mut smallest) = (0, None::<(usize, f32, f32)>);
            for sink in rig
                .sinks
                .iter()
                .filter(|sink| sink.region != FaceRegion::Build)
            {
                let SinkTarget::Morph(i) = sink.target else {
                    continue;
                };
                let Some(value) = morphs.get(i) else { continue };
                let deviation = (value - sink.rest).abs();
                if deviation > 1e-4 {
                    n += 1;
                    if smallest.is_none_or(|(_, known, _)| deviation < known) {
                        smallest = Some((i, deviation, sink.rest));
                    }
                }
            }
            match smallest {
                Some((i, _, rest)) if n > limit => morphs[i] = rest,
                _ => return,
            }
        }
    }

    /// Returns the current weight of a control, from its largest sink.
    pub fn shown_of(&self, rig: &FaceRig, control: u16) -> f32 {
        let control = rig.controls.get(usize::from(control));
        let binds = control.into_iter().flat_map(|control| &control.binds);
        let heaviest = binds.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let value = heaviest.and_then(|(sink, bind)| {
            let rest = rig.sinks.get(usize::from(*sink))?.rest;
            let value = self.values.get(usize::from(*sink))?;
            (*bind != 0.0).then(|| (value - rest) / bind)
        });
        value.unwrap_or(0.0)
    }

    /// Returns the contributions of the owners to a control's largest sink: mood, speech, reflex (blink), script, and the
    /// level of the script's override.
    pub fn owners(&self, rig: &FaceRig, control: u16) -> Option<[f32; 5]> {
        let control = rig.controls.get(usize::from(control))?;
        let heaviest = control
            .binds
            .iter()
            .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        let cell = self.cells.get(usize::from(heaviest.0))?;
        Some([cell.mood, cell.speech, cell.lid, cell.held, cell.hold])
    }
}

/// State of the mouth and eyelids that affects all sinks.
struct MouthState {
    /// Remaining fraction of mood and clips at the mouth.
    mouth: f32,
    /// Lip closure by speech.
    closure: f32,
    /// Eyelid closure by a blink.
    lids: f32,
    /// Openness of the mouth.
    jaw: f32,
}
