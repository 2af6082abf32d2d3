//! Writes binary glTF files (glTF 2.0 §4.4): a buffer with its views and accessors, and the container around them.
//!
//! Callers: `forge` for generated models, `galatea-import` for imported ones, `convert` for changed ones.

use std::collections::HashMap;

use glam::Vec3;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use galatea_anim::{Clip, Interpolation, Marker, MarkerValue, Track};

/// Component type `FLOAT` (§3.6.2.2).
pub const FLOAT: u32 = 5126;
/// Component type `UNSIGNED_INT` (§3.6.2.2).
pub const U32: u32 = 5125;
/// Component type `UNSIGNED_SHORT` (§3.6.2.2).
pub const U16: u32 = 5123;
/// Component type `UNSIGNED_BYTE` (§3.6.2.2).
pub const U8: u32 = 5121;
/// Shortest morph offset that is written, metres.
pub const MIN_OFFSET: f32 = 2e-5;

/// Binary buffer with the views and accessors that refer to it.
#[derive(Debug, Default)]
pub struct Buffer {
    /// Bytes of the binary chunk.
    pub bytes: Vec<u8>,
    /// Entries of `document.bufferViews`.
    pub views: Vec<Value>,
    /// Entries of `document.accessors`.
    pub accessors: Vec<Value>,
    /// Earlier views and accessors as text, see [`Buffer::settle`].
    settled: SettledLists,
}

/// Views and accessors of a [`Buffer`] as JSON text.
#[derive(Debug, Default)]
pub struct SettledLists {
    /// Entries of `document.bufferViews`.
    pub views: Vec<Box<RawValue>>,
    /// Entries of `document.accessors`.
    pub accessors: Vec<Box<RawValue>>,
}

impl Buffer {
    /// Appends bytes as a view; returns its index.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len(),
        }));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.settled.views.len() + self.views.len() - 1
    }

    /// Converts the existing views and accessors to text, which takes a tenth of their memory. They can no longer be
    /// changed; [`Buffer::take_lists`] returns all of them.
    pub fn settle(&mut self) {
        let text = |value: Value| serde_json::value::to_raw_value(&value).ok();
        let views = self.views.drain(..).filter_map(text);
        self.settled.views.extend(views);
        let accessors = self.accessors.drain(..).filter_map(text);
        self.settled.accessors.extend(accessors);
    }

    /// Takes all views and accessors as text.
    pub fn take_lists(&mut self) -> SettledLists {
        self.settle();
        std::mem::take(&mut self.settled)
    }

    /// Adds `min` and `max` to an accessor that is not converted to text yet.
    pub fn limit(&mut self, accessor: usize, min: Value, max: Value) {
        let at = accessor - self.settled.accessors.len();
        self.accessors[at]["min"] = min;
        self.accessors[at]["max"] = max;
    }

    fn add_accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.settled.accessors.len() + self.accessors.len() - 1
    }

    /// Appends one accessor in its own view; returns its index.
    pub fn put(
        &mut self,
        bytes: &[u8],
        kind: u32,
        form: &str,
        count: usize,
        target: Option<u32>,
    ) -> usize {
        let view = self.view(bytes);
        if let Some(target) = target {
            let at = view - self.settled.views.len();
            self.views[at]["target"] = json!(target);
        }
        self.add_accessor(json!({
            "bufferView": view, "componentType": kind, "type": form, "count": count,
        }))
    }

    /// Appends a sparse accessor of mostly zero offsets: only the others are stored (§3.6.2.3).
    pub fn offsets(&mut self, values: &[Vec3]) -> usize {
        let low = values.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = values.iter().copied().reduce(Vec3::max).unwrap_or_default();
        let moved = |v: &Vec3| v.abs().max_element() > MIN_OFFSET;
        let mut nonzero: Vec<u32> = (0..values.len() as u32)
            .filter(|i| moved(&values[*i as usize]))
            .collect();
        // Some readers need a buffer view even if all offsets are zero.
        if nonzero.is_empty() {
            nonzero.push(0);
        }
        let flat: Vec<f32> = nonzero
            .iter()
            .flat_map(|i| values[*i as usize].to_array())
            .collect();
        let short: Option<Vec<u16>> = nonzero.iter().map(|i| u16::try_from(*i).ok()).collect();
        let indices = match short {
            Some(short) => {
                json!({"bufferView": self.view(bytemuck::cast_slice(&short)), "componentType": U16})
            }
            None => {
                json!({"bufferView": self.view(bytemuck::cast_slice(&nonzero)), "componentType": U32})
            }
        };
        let accessor = json!({
            "componentType": FLOAT, "type": "VEC3", "count": values.len(),
            "min": low.to_array(), "max": high.to_array(),
            "sparse": {
                "count": nonzero.len(),
                "indices": indices,
                "values": {"bufferView": self.view(bytemuck::cast_slice(&flat))},
            },
        });
        self.add_accessor(accessor)
    }

    /// Appends numbers, `width` per element of an accessor type such as `VEC3`; returns the accessor's index.
    pub fn floats(
        &mut self,
        values: &[f32],
        form: &str,
        width: usize,
        target: Option<u32>,
    ) -> usize {
        self.put(
            bytemuck::cast_slice(values),
            FLOAT,
            form,
            values.len() / width,
            target,
        )
    }

    /// Appends vectors, with or without bounds; returns the accessor's index.
    pub fn vectors(&mut self, values: &[Vec3], bounds: bool, target: Option<u32>) -> usize {
        let flat: Vec<f32> = values.iter().flat_map(|v| v.to_array()).collect();
        let accessor = self.floats(&flat, "VEC3", 3, target);
        if bounds {
            let low = values.iter().copied().reduce(Vec3::min).unwrap_or_default();
            let high = values.iter().copied().reduce(Vec3::max).unwrap_or_default();
            self.limit(accessor, json!(low.to_array()), json!(high.to_array()));
        }
        accessor
    }
}

/// Builds a file from the JSON chunk and, unless it is empty, the buffer.
pub fn container(document: &impl Serialize, buffer: &Buffer) -> Vec<u8> {
    let mut text = serde_json::to_vec(document).unwrap_or_default();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut chunks = vec![(b"JSON", &text)];
    if !buffer.bytes.is_empty() {
        chunks.push((b"BIN\0", &buffer.bytes));
    }
    let total = 12
        + chunks
            .iter()
            .map(|(_, chunk)| 8 + chunk.len())
            .sum::<usize>();
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(b"glTF");
    out.extend_from_slice(&2_u32.to_le_bytes());
    out.extend_from_slice(&(total as u32).to_le_bytes());
    for (kind, chunk) in chunks {
        out.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(chunk);
    }
    out
}

/// Converts a clip to an animation (§3.11) with its marks as extras; `node` returns the node of a bone, `part` that of a
/// mesh.
pub fn animation(
    clip: &Clip,
    node: &dyn Fn(u16) -> usize,
    part: &dyn Fn(usize) -> Option<usize>,
    buffer: &mut Buffer,
) -> Value {
    let mut all = AnimationChannels::default();
    let vector =
        |buffer: &mut Buffer, track: &Track<Vec3>| buffer.vectors(&track.values, false, None);
    for tracks in &clip.bones {
        if let Some(track) = &tracks.translation {
            let output = vector(buffer, track);
            all.add(buffer, (node(tracks.bone), "translation"), track, output);
        }
        if let Some(track) = &tracks.rotation {
            let flat: Vec<f32> = track.values.iter().flat_map(|q| q.to_array()).collect();
            let output = buffer.floats(&flat, "VEC4", 4, None);
            all.add(buffer, (node(tracks.bone), "rotation"), track, output);
        }
        if let Some(track) = &tracks.scale {
            let output = vector(buffer, track);
            all.add(buffer, (node(tracks.bone), "scale"), track, output);
        }
    }
    for morph in &clip.morphs {
        let Some(node) = part(morph.part) else {
            continue;
        };
        let output = buffer.floats(&morph.track.values, "SCALAR", 1, None);
        all.add(buffer, (node, "weights"), &morph.track, output);
    }
    let mut value = json!({"name": clip.name, "samplers": all.samplers, "channels": all.channels});
    if !clip.markers.is_empty() {
        value["extras"] = json!({"markers": markers(&clip.markers)});
    }
    value
}

/// Samplers and channels of one animation.
#[derive(Default)]
struct AnimationChannels {
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Accessors of key times. Tracks of a clip mostly share their times, so equal ones are written once.
    times: HashMap<Vec<u32>, usize>,
}

impl AnimationChannels {
    /// Adds the channel of a track with its values in the accessor `output`.
    fn add<T>(
        &mut self,
        buffer: &mut Buffer,
        (node, path): (usize, &str),
        track: &Track<T>,
        output: usize,
    ) {
        let input = self.input(buffer, &track.times);
        let interpolation = interpolation(track.interpolation);
        self.samplers
            .push(json!({"input": input, "output": output, "interpolation": interpolation}));
        self.channels.push(json!({
            "sampler": self.samplers.len() - 1, "target": {"node": node, "path": path},
        }));
    }

    /// Returns the accessor of key times, adding it if needed.
    fn input(&mut self, buffer: &mut Buffer, times: &[f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(accessor) = self.times.get(&bits) {
            return *accessor;
        }
        let accessor = buffer.floats(times, "SCALAR", 1, None);
        buffer.limit(accessor, json!([times.first()]), json!([times.last()]));
        self.times.insert(bits, accessor);
        accessor
    }
}

fn interpolation(kind: Interpolation) -> &'static str {
    match kind {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    }
}

/// Converts marks to the list in a clip's extras.
pub fn markers(marks: &[Marker]) -> Value {
    let all = marks.iter().map(|mark| {
        let mut value = json!({"time": mark.time, "event": mark.event});
        if mark.duration > 0.0 {
            value["duration"] = json!(mark.duration);
        }
        for (name, field) in &mark.fields {
            value[name] = match field {
                MarkerValue::Number(n) => json!(n),
                MarkerValue::Text(text) => json!(text),
                MarkerValue::Bool(b) => json!(b),
            };
        }
        value
    });
    all.collect()
}
