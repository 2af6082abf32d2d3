//! Writes a face: morph weights, bones, and how far expressions move materials.

use glam::Quat;

use super::rig::{FaceRig, Sink, SinkRole, SinkTarget};
use super::shape::FaceRegion;
use super::state::{Face, SinkMix};
use galatea_math::clamp::ClampTo as _;
use galatea_rig::Posed;

impl Face {
    /// Writes what its owners show over a pose: `morphs` are its weights, with what clips and gaze made of them. Of
    /// materials it gives the weight of each list in [`FaceRig::materials`]. `weight` 0..=1: how much of it shows.
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
        self.keep_heaviest(rig, morphs);
    }

    /// What a sink comes to over what is below.
    fn value(&self, sink: &Sink, cell: &SinkMix, base: f32, limits: &MouthState) -> f32 {
        let (mut low, mut mood) = (base - sink.rest + cell.base, cell.mood);
        if sink.region == FaceRegion::Mouth {
            low *= limits.mouth;
            mood *= limits.mouth;
        }
        // What else a lid does gives way to the blink.
        if sink.region == FaceRegion::Lids && cell.lid == 0.0 {
            low *= 1.0 - limits.lids;
            mood *= 1.0 - limits.lids;
        }
        match sink.act {
            // Lips that speech closes stay closed.
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
            let most = sink.range[1];
            value += (most - value).max(0.0) * lid;
        }
        value = value * (1.0 - cell.hold) + cell.held;
        if sink.act == SinkRole::ClosesLips && cell.hold == 0.0 {
            value = value.min(limits.jaw.max(base));
        }
        // Clips may go beyond; owners may not.
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

    /// Of the morph targets only the heaviest stay, where there is a limit (FA-07).
    fn keep_heaviest(&self, rig: &FaceRig, morphs: &mut [f32]) {
        let most = self.options.max_active_targets;
        if most == 0 {
            return;
        }
        for _ in 0..rig.sinks.len() {
            let (mut n, mut least) = (0, None::<(usize, f32, f32)>);
            for sink in rig
                .sinks
                .iter()
                .filter(|sink| sink.region != FaceRegion::Build)
            {
                let SinkTarget::Morph(i) = sink.target else {
                    continue;
                };
                let Some(value) = morphs.get(i) else { continue };
                let away = (value - sink.rest).abs();
                if away > 1e-4 {
                    n += 1;
                    if least.is_none_or(|(_, known, _)| away < known) {
                        least = Some((i, away, sink.rest));
                    }
                }
            }
            match least {
                Some((i, _, rest)) if n > most => morphs[i] = rest,
                _ => return,
            }
        }
    }

    /// What a control came to: its heaviest sink over that one's share.
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

    /// What each owner makes of a control's heaviest sink: mood, speech, reflex (how much a blink closes) and script, and
    /// how much of it that holds.
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

/// What all sinks must know.
struct MouthState {
    /// How much is left of mood and clips at the mouth.
    mouth: f32,
    /// How far speech closes the lips.
    closure: f32,
    /// How far a blink closes the lids.
    lids: f32,
    /// How far the mouth is open.
    jaw: f32,
}
