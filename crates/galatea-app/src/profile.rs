//! Profiler: durations of the parts of each frame while it records.
//!
//! The parts are the scopes of [`puffin`] in all crates. Lua functions are measured by the VM, see
//! [`galatea_script::FunctionTime`].

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use galatea_script::{FunctionTime, ScriptWork, take_script_work};
use puffin::{FrameData, FrameSinkId, GlobalProfiler, Reader, ScopeCollection, ScopeId, Stream};
use serde_json::{Value, json};

/// Maximum number of frames that are kept: five seconds at 60 Hz.
const MAX_FRAMES: usize = 300;
/// Maximum number of parts of a frame that are kept.
const MAX_PARTS: usize = 20_000;
/// Name of the part that is a modifier; its detail is the kind of the modifier.
const MODIFIER: &str = "modifier";

/// A part of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfiledPart {
    /// Name, for example `physics`.
    pub name: Arc<str>,
    /// Detail, for example the kind of a modifier; may be empty.
    pub detail: Box<str>,
    /// Number of the thread; 0 is that of the game.
    pub thread: usize,
    /// Number of parts around it.
    pub depth: usize,
    /// Start, nanoseconds since the start of the process.
    pub start_ns: i64,
    /// Duration, nanoseconds.
    pub duration_ns: i64,
}

/// The work of a frame.
#[derive(Clone, Debug, Default)]
pub struct ProfiledFrame {
    /// Parts, on each thread in order of their start and outer ones first.
    pub parts: Vec<ProfiledPart>,
    /// Work of the scripts.
    pub scripts: ScriptWork,
    /// Memory of the scripts after the frame, bytes.
    pub script_memory: usize,
}

impl ProfiledFrame {
    /// Seconds in which the thread of the game was busy.
    pub fn seconds(&self) -> f64 {
        let outer = self.parts.iter();
        let outer = outer.filter(|part| part.thread == 0 && part.depth == 0);
        outer.map(|part| part.duration_ns).sum::<i64>() as f64 * 1e-9
    }
}

/// Sum of equal parts of several frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartSum {
    /// Name, or the detail of a modifier.
    pub name: String,
    /// Number of parts around it.
    pub depth: usize,
    /// Average seconds per frame.
    pub seconds: f64,
    /// Seconds in the frame that took longest for it.
    pub worst: f64,
    /// Average number per frame.
    pub n_calls: f64,
}

impl PartSum {
    /// Averages over `n` frames.
    fn over(self, n: f64) -> Self {
        Self {
            seconds: self.seconds / n,
            n_calls: self.n_calls / n,
            ..self
        }
    }
}

/// Records the work of each frame.
pub struct Profiler {
    frames: VecDeque<ProfiledFrame>,
    worst: Option<ProfiledFrame>,
    received: Receiver<Arc<FrameData>>,
    sink: FrameSinkId,
    scopes: ScopeCollection,
    /// Names that the recorded parts share.
    names: HashMap<ScopeId, Arc<str>>,
    /// Name of the thread of the game.
    thread: String,
    is_on: bool,
}

impl Drop for Profiler {
    fn drop(&mut self) {
        if self.is_on {
            puffin::set_scopes_on(false);
        }
        GlobalProfiler::lock().remove_sink(self.sink);
    }
}

impl Profiler {
    /// Records from now on.
    pub fn start() -> Self {
        let (sender, received) = channel();
        let mut profiler = GlobalProfiler::lock();
        let sink = profiler.add_sink(Box::new(move |frame| {
            // Sending fails only if the profiler is dropped at this moment.
            let _ = sender.send(frame);
        }));
        profiler.emit_scope_snapshot();
        profiler.new_frame();
        drop(profiler);
        take_script_work();
        puffin::set_scopes_on(true);
        Self {
            frames: VecDeque::new(),
            worst: None,
            received,
            sink,
            scopes: ScopeCollection::default(),
            names: HashMap::new(),
            thread: std::thread::current().name().unwrap_or_default().to_owned(),
            is_on: true,
        }
    }

    /// Stops recording. The recorded frames are kept.
    pub fn stop(&mut self) {
        self.is_on = false;
        puffin::set_scopes_on(false);
    }

    /// Returns true while it records.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// The last frames, oldest first.
    pub fn frames(&self) -> &VecDeque<ProfiledFrame> {
        &self.frames
    }

    /// The frame that took longest since the start.
    pub fn worst(&self) -> Option<&ProfiledFrame> {
        self.worst.as_ref()
    }

    /// Ends a frame. `script_memory`: memory of the scripts, bytes.
    pub fn end_frame(&mut self, script_memory: usize) {
        if !self.is_on {
            return;
        }
        GlobalProfiler::lock().new_frame();
        let mut frame = ProfiledFrame {
            scripts: take_script_work(),
            script_memory,
            ..ProfiledFrame::default()
        };
        while let Ok(data) = self.received.try_recv() {
            for scope in &data.scope_delta {
                self.scopes.insert(scope.clone());
            }
            self.take(&data, &mut frame);
        }
        if frame.parts.is_empty() {
            return;
        }
        let is_worse = |worst: &ProfiledFrame| frame.seconds() > worst.seconds();
        // The first frame contains the start of the recording.
        if !self.frames.is_empty() && self.worst.as_ref().is_none_or(is_worse) {
            self.worst = Some(frame.clone());
        }
        self.frames.push_back(frame);
        if self.frames.len() > MAX_FRAMES {
            self.frames.pop_front();
        }
    }

    /// Adds the parts of a frame.
    fn take(&mut self, data: &FrameData, frame: &mut ProfiledFrame) {
        let Ok(unpacked) = data.unpacked();
        let others = unpacked.thread_streams.keys();
        let others: Vec<_> = others.filter(|info| info.name != self.thread).collect();
        for (info, stream) in &unpacked.thread_streams {
            let other = others.iter().position(|other| *other == info);
            let thread = other.map_or(0, |other| other + 1);
            self.read((&stream.stream, 0), thread, 0, frame);
        }
    }

    /// Adds the parts from a position of a stream to the end of the part around it.
    fn read(
        &mut self,
        (stream, offset): (&Stream, u64),
        thread: usize,
        depth: usize,
        frame: &mut ProfiledFrame,
    ) {
        let Ok(reader) = Reader::with_offset(stream, offset) else {
            return;
        };
        for scope in reader.flatten() {
            if frame.parts.len() >= MAX_PARTS {
                return;
            }
            let name = match self.names.get(&scope.id) {
                Some(name) => name.clone(),
                None => {
                    let details = self.scopes.fetch_by_id(&scope.id);
                    let name: Arc<str> = details.map_or("", |details| details.name()).into();
                    self.names.insert(scope.id, name.clone());
                    name
                }
            };
            frame.parts.push(ProfiledPart {
                name,
                detail: scope.record.data.into(),
                thread,
                depth,
                start_ns: scope.record.start_ns,
                duration_ns: scope.record.duration_ns,
            });
            self.read(
                (stream, scope.child_begin_position),
                thread,
                depth + 1,
                frame,
            );
        }
    }
}

/// Sums the parts of the thread of the game, in the order of the first frame that has them, inner ones after the outer one.
/// Modifiers are left out.
pub fn sum_of_parts<'f>(frames: impl Iterator<Item = &'f ProfiledFrame>) -> Vec<PartSum> {
    let mut sums = Sums::default();
    for frame in frames {
        sums.n_frames += 1;
        let mut path: Vec<&str> = Vec::new();
        let own = frame.parts.iter().filter(|part| part.thread == 0);
        for part in own {
            path.truncate(part.depth);
            path.push(&part.name);
            if &*part.name != MODIFIER {
                sums.add(
                    path.join("/"),
                    &part.name,
                    part.depth,
                    part.duration_ns as f64 * 1e-9,
                );
            }
        }
        sums.end_frame();
    }
    sums.tree()
}

/// Sums the modifiers of all characters by their kind, on all threads, longest first.
pub fn sum_of_modifiers<'f>(frames: impl Iterator<Item = &'f ProfiledFrame>) -> Vec<PartSum> {
    let mut sums = Sums::default();
    for frame in frames {
        sums.n_frames += 1;
        let modifiers = frame.parts.iter().filter(|part| &*part.name == MODIFIER);
        for part in modifiers {
            let seconds = part.duration_ns as f64 * 1e-9;
            sums.add(part.detail.to_string(), &part.detail, 0, seconds);
        }
        sums.end_frame();
    }
    sums.longest_first()
}

/// Sums the functions of the scripts, longest first, with their positions. The number of calls is that of steps: calls,
/// returns and loop iterations.
pub fn sum_of_functions<'f>(
    frames: impl Iterator<Item = &'f ProfiledFrame>,
) -> Vec<(FunctionTime, PartSum)> {
    let mut sums = Sums::default();
    let mut functions: BTreeMap<String, &FunctionTime> = BTreeMap::new();
    for frame in frames {
        sums.n_frames += 1;
        for function in &frame.scripts.functions {
            let key = format!("{}:{}", function.file, function.line);
            let steps = function.n_steps as f64;
            sums.add_several(key.clone(), &key, 0, function.seconds, steps);
            functions.insert(key, function);
        }
        sums.end_frame();
    }
    let sums = sums.longest_first().into_iter();
    let with_function = sums.filter_map(|sum| Some(((*functions.get(&sum.name)?).clone(), sum)));
    with_function.collect()
}

/// Sums while they are made.
#[derive(Default)]
struct Sums {
    n_frames: usize,
    /// Sums by key, with their order and the seconds in the present frame.
    all: HashMap<String, (usize, PartSum, f64)>,
}

impl Sums {
    fn add(&mut self, key: String, name: &str, depth: usize, seconds: f64) {
        self.add_several(key, name, depth, seconds, 1.0);
    }

    fn add_several(&mut self, key: String, name: &str, depth: usize, seconds: f64, n_calls: f64) {
        let order = self.all.len();
        let (_, sum, now) = self.all.entry(key).or_insert_with(|| {
            let sum = PartSum {
                name: name.to_owned(),
                depth,
                ..PartSum::default()
            };
            (order, sum, 0.0)
        });
        sum.seconds += seconds;
        sum.n_calls += n_calls;
        *now += seconds;
    }

    fn end_frame(&mut self) {
        for (_, sum, now) in self.all.values_mut() {
            sum.worst = sum.worst.max(std::mem::take(now));
        }
    }

    /// The sums as averages, longest first.
    fn longest_first(self) -> Vec<PartSum> {
        let n = self.n_frames.max(1) as f64;
        let sums = self.all.into_values();
        let mut rows: Vec<PartSum> = sums.map(|(_, sum, _)| sum.over(n)).collect();
        rows.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        rows
    }

    /// The sums as averages, inner ones after the outer one. Keys are paths.
    fn tree(self) -> Vec<PartSum> {
        let n = self.n_frames.max(1) as f64;
        let order_of = |key: &str| self.all.get(key).map_or(usize::MAX, |(order, ..)| *order);
        let place = |key: &str| -> Vec<usize> {
            let ends = key.match_indices('/').map(|(at, _)| at).chain([key.len()]);
            ends.map(|end| order_of(&key[..end])).collect()
        };
        let mut rows: Vec<(Vec<usize>, &PartSum)> = self
            .all
            .iter()
            .map(|(key, (_, sum, _))| (place(key), sum))
            .collect();
        rows.sort_by(|(a, _), (b, _)| a.cmp(b));
        rows.into_iter()
            .map(|(_, sum)| sum.clone().over(n))
            .collect()
    }
}

/// The frames in the format of Chrome's trace viewer, which Perfetto reads too.
///
/// Source: Google, *Trace Event Format*, "complete events" (`X`).
pub fn chrome_trace<'f>(frames: impl Iterator<Item = &'f ProfiledFrame>) -> Value {
    let parts = frames.flat_map(|frame| &frame.parts);
    let events = parts.map(|part| {
        json!({
            "name": part.name,
            "ph": "X",
            "ts": part.start_ns as f64 / 1000.0,
            "dur": part.duration_ns as f64 / 1000.0,
            "pid": 1,
            "tid": part.thread,
            "args": { "detail": part.detail },
        })
    });
    json!({ "traceEvents": events.collect::<Vec<Value>>(), "displayTimeUnit": "ms" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, depth: usize, start_ns: i64, duration_ns: i64) -> ProfiledPart {
        ProfiledPart {
            name: name.into(),
            detail: "".into(),
            thread: 0,
            depth,
            start_ns,
            duration_ns,
        }
    }

    fn frame(factor: i64) -> ProfiledFrame {
        let modifier = ProfiledPart {
            detail: "foot_ik".into(),
            thread: 3,
            ..part(MODIFIER, 0, 10, 5 * factor)
        };
        let parts = vec![
            part("tick", 0, 0, 100 * factor),
            part("physics", 1, 0, 40 * factor),
            part("scripts", 1, 40, 20),
            part("lua", 2, 41, 10),
            modifier,
        ];
        ProfiledFrame {
            parts,
            ..ProfiledFrame::default()
        }
    }

    #[test]
    fn parts_are_averages_and_worst_frames_in_their_order() {
        let mut frames = [frame(1), frame(3)];
        // A part that the first frame lacks.
        frames[1].parts.insert(2, part("contacts", 2, 1, 8));
        let rows = sum_of_parts(frames.iter());
        let names: Vec<(&str, usize)> = rows.iter().map(|row| (&*row.name, row.depth)).collect();
        assert_eq!(
            names,
            [
                ("tick", 0),
                ("physics", 1),
                ("contacts", 2),
                ("scripts", 1),
                ("lua", 2)
            ]
        );
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        assert!(
            near(rows[0].seconds, 200e-9) && near(rows[0].worst, 300e-9),
            "{rows:?}"
        );
        assert!(near(rows[3].seconds, 20e-9) && rows[3].n_calls == 1.0);
        let modifiers = sum_of_modifiers(frames.iter());
        assert_eq!(modifiers[0].name, "foot_ik");
        assert!(near(modifiers[0].seconds, 10e-9));
        assert!(near(frames[1].seconds(), 300e-9));
    }

    #[test]
    fn a_trace_has_an_event_for_each_part() {
        let frame = frame(2);
        let trace = chrome_trace(std::iter::once(&frame));
        let events = trace["traceEvents"].as_array().unwrap();
        assert_eq!(events.len(), frame.parts.len());
        assert_eq!(
            (&events[1]["ts"], &events[1]["dur"]),
            (&json!(0.0), &json!(0.08))
        );
        assert_eq!(events[4]["args"]["detail"], "foot_ik");
    }
}
