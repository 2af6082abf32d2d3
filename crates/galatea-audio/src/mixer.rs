//! The mixer: renders cues to samples.

use std::collections::VecDeque;

use super::voice::{QUANTUM, Voice, VoiceStart};
use super::{AudioListener, Cue, MixerCommand, StageTime};

/// Maximum number of audible sounds. When one more starts, the quietest is faded out, and among equally quiet ones the
/// oldest. A new cue that is quieter than all of them is not played.
pub(crate) const MAX_VOICES: usize = 64;
/// Maximum number of scheduled cues; more are dropped.
pub(crate) const MAX_PENDING: usize = 4096;
/// Maximum number of voices that fade out after being displaced; they do not count as audible.
const MAX_FADING: usize = 64;

/// A deterministic stereo mixer with its own clock, counted in frames.
///
/// Commands carry unscaled times, and cues stage times, which a [`StageTime`] relates to each other. They are applied at exactly `round(time * rate) + offset` frames. The same commands at the same
/// clock give bit-identical output, for any block sizes. Gains and directions change along ramps on a fixed grid of 256
/// frames.
#[derive(Debug)]
pub struct Mixer {
    rate: u32,
    clock: i64,
    offset: i64,
    pending: VecDeque<PendingCommand>,
    /// Relation of the two times for scheduled cues.
    stage_time: StageTime,
    /// The one that has taken effect on playing sounds.
    heard_time: StageTime,
    serial: u64,
    voices: Vec<Voice>,
    listener: AudioListener,
    /// Master gain at the start and at the end of this quantum, and the target.
    gain_from: f32,
    gain_to: f32,
    volume: f32,
    limiter: Limiter,
    /// Speech level, 0..=1, which controls ducking.
    speech: f32,
}

/// Ducking attack and release times, seconds.
const DUCK_ATTACK: f32 = 0.12;
const DUCK_RELEASE: f32 = 0.6;

#[derive(Debug)]
struct PendingCommand {
    /// Frame of unscaled time at which the command is due.
    at: i64,
    serial: u64,
    command: MixerCommand,
}

impl Mixer {
    /// Creates a silent mixer at frame 0. `rate`: frames per second.
    pub fn new(rate: u32) -> Self {
        Self {
            rate,
            clock: 0,
            offset: 0,
            pending: VecDeque::with_capacity(MAX_PENDING + 64),
            stage_time: StageTime::NORMAL,
            heard_time: StageTime::NORMAL,
            serial: 0,
            voices: Vec::with_capacity(MAX_VOICES + MAX_FADING),
            listener: AudioListener::default(),
            gain_from: 1.0,
            gain_to: 1.0,
            volume: 1.0,
            limiter: Limiter::new(rate),
            speech: 0.0,
        }
    }

    /// Returns the sample rate, frames per second.
    pub fn rate(&self) -> u32 {
        self.rate
    }

    /// Returns the number of frames rendered or skipped so far.
    pub fn clock(&self) -> i64 {
        self.clock
    }

    /// Returns the number of voices, including fading ones.
    pub fn voices(&self) -> usize {
        self.voices.len()
    }

    /// Sets the clock at stage time 0. This moves scheduled commands, but not playing sounds.
    pub(crate) fn set_offset(&mut self, offset: i64) {
        self.offset = offset;
    }

    /// Schedules a command. Commands may arrive in any order of times; of two at the same sample, the one scheduled first is
    /// applied first. A cue that fails [`Cue::check`] is dropped.
    pub fn schedule(&mut self, command: MixerCommand) {
        let time = match &command {
            MixerCommand::StopAll => return self.stop_all(),
            MixerCommand::Play(cue)
                if cue.check().is_err() || self.pending.len() >= MAX_PENDING =>
            {
                return;
            }
            MixerCommand::Play(cue) => self.unscaled(cue),
            MixerCommand::SetStageTime(stage_time) => {
                if !stage_time.is_valid() {
                    return;
                }
                self.stage_time = *stage_time;
                self.reschedule();
                stage_time.time
            }
            MixerCommand::Stop { time, .. }
            | MixerCommand::Change { time, .. }
            | MixerCommand::SetListener { time, .. }
            | MixerCommand::SetVolume { time, .. } => *time,
        };
        let at = frame_at(time, self.rate);
        let serial = self.serial;
        self.serial += 1;
        self.insert(PendingCommand {
            at,
            serial,
            command,
        });
    }

    /// Adds a command after those that are due at the same time.
    fn insert(&mut self, command: PendingCommand) {
        let mut i = self.pending.len();
        while i > 0 && self.pending[i - 1].at > command.at {
            i -= 1;
        }
        self.pending.insert(i, command);
    }

    /// Unscaled time at which a cue starts, seconds.
    fn unscaled(&self, cue: &Cue) -> f64 {
        match cue.is_unscaled {
            true => cue.time,
            false => self.stage_time.unscaled(cue.time),
        }
    }

    /// Moves scheduled cues after stage time has changed its rate.
    fn reschedule(&mut self) {
        for i in 0..self.pending.len() {
            if let MixerCommand::Play(cue) = &self.pending[i].command {
                self.pending[i].at = frame_at(self.unscaled(cue), self.rate);
            }
        }
        let pending = self.pending.make_contiguous();
        pending.sort_unstable_by_key(|pending| (pending.at, pending.serial));
    }

    /// Fills `out` with interleaved stereo and advances the clock by `out.len() / 2` frames.
    /// Every sample is in -1..1. Allocates nothing.
    pub fn render(&mut self, out: &mut [f32]) {
        let frames = out.len() / 2;
        self.advance(frames as u64, Some(out));
    }

    /// Advances the clock like [`Mixer::render`], without output.
    pub fn skip(&mut self, frames: u64) {
        self.advance(frames, None);
    }

    fn advance(&mut self, frames: u64, mut out: Option<&mut [f32]>) {
        let begin = self.clock;
        let end = begin.saturating_add_unsigned(frames);
        while self.clock < end {
            self.apply_due();
            let phase = self.clock.rem_euclid(QUANTUM);
            if phase == 0 {
                self.retarget();
            }
            let mut stop = end.min(self.clock + QUANTUM - phase);
            if let Some(next) = self.pending.front() {
                stop = stop.min(next.at.saturating_add(self.offset));
            }
            match &mut out {
                Some(out) => {
                    let range = (self.clock - begin) as usize * 2..(stop - begin) as usize * 2;
                    self.mix(&mut out[range], phase);
                }
                None => {
                    let frames = (stop - self.clock) as u64;
                    self.voices.iter_mut().for_each(|voice| voice.skip(frames));
                }
            }
            self.voices.retain(|voice| !voice.is_over());
            self.clock = stop;
        }
    }

    fn mix(&mut self, out: &mut [f32], phase: i64) {
        out.fill(0.0);
        for voice in &mut self.voices {
            voice.mix(out, phase);
        }
        for (i, frame) in out.chunks_exact_mut(2).enumerate() {
            let u = (phase + i as i64) as f32 / QUANTUM as f32;
            let gain = self.gain_from + (self.gain_to - self.gain_from) * u;
            let limited = self.limiter.limit([frame[0] * gain, frame[1] * gain]);
            frame.copy_from_slice(&limited);
        }
    }

    fn retarget(&mut self) {
        let quantum = QUANTUM as f32 / self.rate as f32;
        self.speech = if self.voices.iter().any(Voice::is_speech) {
            (self.speech + quantum / DUCK_ATTACK).min(1.0)
        } else {
            (self.speech - quantum / DUCK_RELEASE).max(0.0)
        };
        for voice in &mut self.voices {
            voice.retarget(&self.listener, self.speech);
        }
        self.gain_from = self.gain_to;
        self.gain_to = self.volume;
    }

    fn apply_due(&mut self) {
        while let Some(next) = self.pending.front()
            && next.at.saturating_add(self.offset) <= self.clock
            && let Some(due) = self.pending.pop_front()
        {
            self.apply(due);
        }
    }

    fn apply(&mut self, due: PendingCommand) {
        match due.command {
            MixerCommand::Play(cue) => {
                let late = self.clock - due.at.saturating_add(self.offset);
                self.start(cue, late.unsigned_abs());
            }
            MixerCommand::Stop { id, fade, .. } => {
                let frames = (fade * self.rate as f32) as u32;
                self.pending.retain(|pending| {
                    let withdrawn =
                        matches!(&pending.command, MixerCommand::Play(cue) if cue.id == id);
                    !withdrawn || pending.serial > due.serial
                });
                self.silence(frames, |voice| voice.id() == id);
            }
            MixerCommand::Change { id, change, .. } => {
                for pending in &mut self.pending {
                    if let MixerCommand::Play(cue) = &mut pending.command
                        && cue.id == id
                        && pending.serial < due.serial
                    {
                        change.apply_to(cue);
                    }
                }
                for voice in self.voices.iter_mut().filter(|voice| voice.id() == id) {
                    voice.change(change, self.rate);
                }
            }
            MixerCommand::SetStageTime(stage_time) => {
                self.heard_time = stage_time;
                for voice in &mut self.voices {
                    voice.set_stage_time(&stage_time, self.rate);
                }
            }
            MixerCommand::StopAll => self.stop_all(),
            MixerCommand::SetListener { listener, .. } => {
                self.listener = listener.checked().unwrap_or(self.listener);
            }
            MixerCommand::SetVolume { volume: gain, .. } if gain.is_nan() => {}
            MixerCommand::SetVolume { volume: gain, .. } => {
                self.volume = gain.clamp(0.0, 16.0);
                if self.voices.is_empty() {
                    (self.gain_from, self.gain_to) = (self.volume, self.volume);
                }
            }
        }
    }

    fn start(&mut self, cue: Cue, late: u64) {
        let context = VoiceStart {
            late,
            rate: self.rate,
            listener: &self.listener,
            speech: self.speech,
            stage_time: &self.heard_time,
        };
        let Some(voice) = Voice::new(cue, context) else {
            return;
        };
        let heard = self.voices.iter().filter(|voice| !voice.is_fading());
        if heard.clone().count() >= MAX_VOICES {
            // The first of equally quiet voices is the oldest, because voices are in the order of their starts.
            let quietest = heard.map(Voice::loudness).fold(f32::INFINITY, f32::min);
            let full = self.voices.len() >= MAX_VOICES + MAX_FADING;
            let victim = self
                .voices
                .iter()
                .position(|voice| !voice.is_fading() && voice.loudness() <= quietest);
            match victim {
                Some(i) if self.voices[i].is_unheard() && voice.loudness() >= quietest => {
                    self.voices.remove(i);
                }
                Some(i) if !full && voice.loudness() >= quietest => self.voices[i].fade_out(0),
                _ => return,
            }
        }
        self.voices.push(voice);
    }

    fn stop_all(&mut self) {
        // Scheduled changes of listener, gain and stage time are applied; scheduled sounds are dropped.
        for i in 0..self.pending.len() {
            let (at, serial) = (self.pending[i].at, self.pending[i].serial);
            let command = std::mem::replace(&mut self.pending[i].command, MixerCommand::StopAll);
            if matches!(
                command,
                MixerCommand::SetListener { .. }
                    | MixerCommand::SetVolume { .. }
                    | MixerCommand::SetStageTime(_)
            ) {
                self.apply(PendingCommand {
                    at,
                    serial,
                    command,
                });
            }
        }
        self.pending.clear();
        self.silence(0, |_| true);
    }

    /// Fades out the selected voices, or removes those that were not audible yet.
    fn silence(&mut self, frames: u32, which: impl Fn(&Voice) -> bool) {
        self.voices.retain_mut(|voice| {
            let stopped = which(voice);
            if stopped {
                voice.fade_out(frames);
            }
            !(stopped && voice.is_unheard())
        });
    }
}

/// Returns the frame of a time in seconds.
pub(super) fn frame_at(time: f64, rate: u32) -> i64 {
    (time * f64::from(rate)).round() as i64
}

/// Keeps the sum within -1..1. Below [`Limiter::KNEE`] it does not change a bit.
#[derive(Debug)]
struct Limiter {
    /// Recent peak level: follows peaks up immediately and down slowly.
    envelope: f32,
    /// Factor per frame on the way down.
    release: f32,
}

impl Limiter {
    const KNEE: f32 = 0.9;
    const RELEASE_SECONDS: f32 = 0.15;

    fn new(rate: u32) -> Self {
        Self {
            envelope: 0.0,
            release: 1.0 - 1.0 / (Self::RELEASE_SECONDS * rate as f32),
        }
    }

    /// Applies the gain `KNEE + room * d / (d + room)` for an envelope `d` above the knee: slope 1 at the knee, never above
    /// 1. Both sides get the same gain.
    fn limit(&mut self, frame: [f32; 2]) -> [f32; 2] {
        let peak = frame[0].abs().max(frame[1].abs());
        self.envelope = peak.max(self.envelope * self.release);
        if self.envelope <= Self::KNEE {
            if self.envelope < 1e-20 {
                self.envelope = 0.0; // denormal numbers are slow
            }
            return frame;
        }
        let room = 1.0 - Self::KNEE;
        let above = self.envelope - Self::KNEE;
        let gain = (Self::KNEE + room * above / (above + room)) / self.envelope;
        frame.map(|x| (x * gain).clamp(-1.0, 1.0))
    }
}
