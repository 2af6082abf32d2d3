//! Compares two runs tick by tick.

use std::collections::BTreeMap;

use glam::Vec3;

use galatea_app::Session;
use galatea_app::run_diff::{
    DiffReport, DifferenceKind, Distance, PEAKS, RunLog, bone_distance, characters,
    event_differences, peak, slide_difference, state_differences,
};

/// Parts of the stage that are compared to the bit.
const EXACT_PARTS: [&str; 3] = ["crowds", "random numbers", "ui"];

/// Two runs so far, and their differences.
pub struct Comparison {
    tolerance: f32,
    logs: [RunLog; 2],
    /// Number of the last event of each.
    last_events: [u64; 2],
    positions: BTreeMap<String, Distance>,
    poses: BTreeMap<String, Distance>,
    camera: Distance,
    /// Characters that only one of them has, with the time and the run.
    missing: BTreeMap<String, (f64, usize)>,
    /// Parts of the stage without a tolerance that differ, with the time.
    parts: BTreeMap<&'static str, f64>,
    n_ticks: u64,
    has_begun: bool,
}

impl Comparison {
    /// Nothing compared yet. `tolerance`: distance up to which positions count as equal, metres.
    pub fn new(tolerance: f32) -> Self {
        Self {
            tolerance,
            logs: Default::default(),
            last_events: [0; 2],
            positions: BTreeMap::new(),
            poses: BTreeMap::new(),
            camera: Distance::default(),
            missing: BTreeMap::new(),
            parts: BTreeMap::new(),
            n_ticks: 0,
            has_begun: false,
        }
    }

    /// Takes in the tick that both have just ended. Returns true if the pictures begin to differ in it.
    pub fn take(&mut self, sessions: [&mut Session; 2]) -> bool {
        let [a, b] = sessions;
        for (run, session) in [&mut *a, &mut *b].into_iter().enumerate() {
            let (events, last) = session.events_since(self.last_events[run]);
            self.last_events[run] = last;
            self.logs[run].take(&session.stage, events);
            for (_, character) in session.stage.characters.iter_mut() {
                if character.playback.machine.is_some() {
                    character.enable_metrics();
                }
            }
        }
        self.n_ticks += 1;
        let time = a.stage.unscaled_time();
        let mut begins = false;
        let [in_a, in_b] = [characters(&a.stage), characters(&b.stage)];
        for (run, (own, other)) in [(&in_a, &in_b), (&in_b, &in_a)].into_iter().enumerate() {
            for name in own.keys().filter(|name| !other.contains_key(*name)) {
                if !self.missing.contains_key(*name) {
                    self.missing.insert((*name).to_owned(), (time, run));
                    begins = true;
                }
            }
        }
        for (name, first) in &in_a {
            let Some(second) = in_b.get(name) else {
                continue;
            };
            let places = [first, second].map(|character| character.placement.position);
            let distance = places[0].distance(places[1]);
            begins |= entry(&mut self.positions, name).take(time, distance, None, self.tolerance);
            if let Some((distance, bone)) = bone_distance(first, second) {
                let poses = entry(&mut self.poses, name);
                begins |= poses.take(time, distance, Some(bone), self.tolerance);
            }
        }
        let sums = [a.stage.checksum(), b.stage.checksum()];
        for part in sums[0].differences(&sums[1]) {
            if EXACT_PARTS.contains(&part) {
                self.parts.entry(part).or_insert(time);
            }
        }
        let [eye_a, eye_b]: [Vec3; 2] = [a, b].map(|run| run.stage.camera.camera(1.0).eye);
        begins |= self
            .camera
            .take(time, eye_a.distance(eye_b), None, self.tolerance);
        begins && !std::mem::replace(&mut self.has_begun, true)
    }

    /// The differences.
    pub fn finish(self, sessions: [&mut Session; 2]) -> DiffReport {
        let [a, b] = sessions;
        let dt = a.stage.clock.dt;
        let seconds = self.n_ticks as f64 * dt;
        let mut report = DiffReport::of(seconds, self.tolerance);
        for (name, (time, run)) in &self.missing {
            let kind = DifferenceKind::OnlyIn(["A", "B"][*run]);
            report.add(name, *time, kind);
        }
        let last_tick = a.stage.time_control.n_ticks;
        let [first, second] = &self.logs;
        for (name, states) in &first.states {
            if let Some(others) = second.states.get(name) {
                for (time, difference) in state_differences(states, others) {
                    report.add(name, time, DifferenceKind::State(difference));
                }
            }
        }
        for (time, name, difference) in event_differences(&first.events, &second.events) {
            report.add(&name, time, DifferenceKind::Events(difference));
        }
        for (name, distance) in &self.positions {
            if let Some(apart) = distance.apart(None) {
                report.add(name, apart.from, DifferenceKind::Position(apart));
            }
        }
        let in_a = characters(&a.stage);
        for (name, distance) in &self.poses {
            let bone = distance.bone().and_then(|bone| {
                let skeleton = &in_a.get(name.as_str())?.definition.model.skeleton;
                Some(skeleton.bones().get(bone)?.name.clone())
            });
            if let Some(apart) = distance.apart(bone) {
                report.add(name, apart.from, DifferenceKind::Pose(apart));
            }
        }
        for (name, slides) in &first.slides {
            let others = second.slides.get(name);
            let slide =
                others.and_then(|others| slide_difference([slides, others], [0, last_tick], dt));
            if let Some((time, slide)) = slide {
                report.add(name, time, DifferenceKind::FootSlide(slide));
            }
        }
        let in_b = characters(&b.stage);
        for (name, one) in &in_a {
            let Some(other) = in_b.get(name) else {
                continue;
            };
            for (meter, unit, least) in PEAKS {
                let peaks = [one, other].map(|character| peak(character, meter));
                if (peaks[0].abs() - peaks[1].abs()).abs() > least {
                    let kind = DifferenceKind::Peak { meter, unit, peaks };
                    report.add(name, seconds, kind);
                }
            }
        }
        if let Some(apart) = self.camera.apart(None) {
            report.add("the camera", apart.from, DifferenceKind::Position(apart));
        }
        for (part, time) in &self.parts {
            report.add(part, *time, DifferenceKind::NotTheSame);
        }
        report.errors = [errors(a), errors(b)];
        report.sorted()
    }
}

fn entry<'m>(map: &'m mut BTreeMap<String, Distance>, name: &str) -> &'m mut Distance {
    map.entry(name.to_owned()).or_default()
}

/// Current errors of a session, one line each.
fn errors(session: &Session) -> Vec<String> {
    let all = session.diagnostics.errors();
    all.map(|error| error.to_string()).collect()
}
