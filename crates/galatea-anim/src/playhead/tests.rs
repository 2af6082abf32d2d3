//! Tests of the playhead against a slow reference that walks one integer tick at a time, and an example for each rule
//! of the table.

use std::collections::BTreeSet;

mod changes;

use proptest::prelude::*;

use super::super::{Crossing, Marker, MarkerPhase, Markers};
use super::*;

/// Duration of a tick of the reference, seconds; a power of two, so that sums are exact.
const TICK: f64 = 0.125;

fn marker(t: f64, length: f64) -> Marker {
    Marker {
        time: t as f32,
        duration: length as f32,
        event: "e".into(),
        fields: Vec::new(),
    }
}

fn points(times: &[f64], duration: f32) -> Markers {
    Markers::new(times.iter().map(|t| marker(*t, 0.0)).collect(), duration).unwrap()
}

/// A crossing: mark, edge, cut, reverse, fraction of the step (rounded).
type ReportedCrossing = (usize, MarkerPhase, bool, bool, f64);

fn reported(crossing: Crossing) -> ReportedCrossing {
    let Crossing {
        marker: mark,
        phase: edge,
        interrupted: cut,
        tick_fraction: at,
        is_reversed: reverse,
    } = crossing;
    (mark, edge, cut, reverse, at)
}

/// The rules in their simplest form: one tick at a time; an interval is open if it contains the middle of the tick.
struct Reference {
    mode: PlayMode,
    /// Ticks of the clip.
    d: i64,
    /// Start and length of each mark, ticks.
    markers: Vec<(i64, i64)>,
    pass: i64,
    local: i64,
    reported: bool,
    put: bool,
    /// Interval and, for loops, the pass.
    open: BTreeSet<(usize, i64)>,
    out: Vec<(usize, MarkerPhase, bool, bool)>,
}

impl Reference {
    fn span(&self, i: usize) -> (i64, i64) {
        let (t, length) = self.markers[i];
        (t, (t + length).min(self.d))
    }

    fn is_interval(&self, i: usize) -> bool {
        let (first, last) = self.span(i);
        first < last
    }

    fn turned(&self, pass: i64) -> bool {
        self.mode == PlayMode::PingPong && pass.rem_euclid(2) == 1
    }

    fn clip(&self) -> i64 {
        if self.turned(self.pass) {
            self.d - self.local
        } else {
            self.local
        }
    }

    fn key(&self, i: usize, pass: i64) -> (usize, i64) {
        (i, if self.mode == PlayMode::Loop { pass } else { 0 })
    }

    /// Intervals over the tick between this position and the next one in a direction.
    fn ahead(&self, pass: i64, local: i64, dir: i64) -> BTreeSet<(usize, i64)> {
        let twice = 2 * local + dir;
        let twice = if self.turned(pass) {
            2 * self.d - twice
        } else {
            twice
        };
        (0..self.markers.len())
            .filter(|&i| {
                let (first, last) = self.span(i);
                2 * first < twice && twice < 2 * last
            })
            .map(|i| self.key(i, pass))
            .collect()
    }

    /// Reports the crossings at this position; `next` are the intervals after it.
    fn at_position(&mut self, next: &BTreeSet<(usize, i64)>, dir: i64, with_points: bool) {
        let t = self.clip();
        let turning = self.mode == PlayMode::PingPong && (self.local == 0 || self.local == self.d);
        let falling = if turning {
            dir < 0
        } else {
            (dir < 0) != self.turned(self.pass)
        };
        let mut here: Vec<((bool, usize), Vec<MarkerPhase>)> = Vec::new();
        for i in 0..self.markers.len() {
            if self.span(i).0 == t && !self.is_interval(i) && with_points {
                let blink = self.markers[i].1 > 0;
                here.push((
                    (true, i),
                    if blink {
                        vec![MarkerPhase::Begin, MarkerPhase::End]
                    } else {
                        vec![MarkerPhase::Point]
                    },
                ));
            }
        }
        for &(i, _) in self.open.difference(next) {
            here.push(((self.span(i).1 != t, i), vec![MarkerPhase::End]));
        }
        for &(i, _) in next.difference(&self.open) {
            let (first, last) = self.span(i);
            if first < t && t < last {
                self.out.push((
                    i,
                    MarkerPhase::Begin,
                    false,
                    (dir < 0) != self.turned(self.pass),
                ));
            } else {
                here.push(((last != t, i), vec![MarkerPhase::Begin]));
            }
        }
        here.sort_by_key(|(rank, _)| *rank);
        if falling {
            here.reverse();
        }
        for ((_, i), edges) in here {
            self.out
                .extend(edges.into_iter().map(|edge| (i, edge, false, falling)));
        }
        self.open.clone_from(next);
    }

    /// Walks one tick; returns the reports on leaving and on arriving.
    fn tick(&mut self, dir: i64) -> [Vec<(usize, MarkerPhase, bool, bool)>; 2] {
        self.out.clear();
        let limit = if dir > 0 { self.d } else { 0 };
        if self.mode == PlayMode::Once && self.local == limit {
            if !self.reported {
                self.at_position(&BTreeSet::new(), dir, true);
                self.reported = true;
            }
            return [std::mem::take(&mut self.out), Vec::new()];
        }
        if self.mode != PlayMode::Once && self.local == limit {
            let hop = match self.mode {
                // No interval spans the seam.
                PlayMode::Loop => BTreeSet::new(),
                _ => self.ahead(self.pass + dir, self.d - self.local, dir),
            };
            self.at_position(&hop, dir, true);
            self.pass += dir;
            self.local = self.d - limit;
            if self.mode == PlayMode::Loop {
                let next = self.ahead(self.pass, self.local, dir);
                self.at_position(&next, dir, true);
            }
        } else {
            let next = self.ahead(self.pass, self.local, dir);
            self.at_position(&next, dir, !self.reported);
        }
        self.reported = false;
        self.put = false;
        self.local += dir;
        let left = std::mem::take(&mut self.out);
        if self.mode == PlayMode::Once && self.local == limit {
            self.at_position(&BTreeSet::new(), dir, true);
            self.reported = true;
        }
        self.settle();
        [left, std::mem::take(&mut self.out)]
    }

    fn settle(&mut self) {
        if self.mode == PlayMode::PingPong && self.local == 0 {
            (self.pass, self.local) = (self.pass - 1, self.d);
        }
    }

    fn walk(&mut self, ticks: i64) -> Vec<ReportedCrossing> {
        let n = ticks.abs();
        let mut all = Vec::new();
        for k in 0..n {
            for (arriving, reported) in self.tick(ticks.signum()).into_iter().enumerate() {
                let at = (k + arriving as i64) as f64 / n as f64;
                let with_share = |(i, edge, cut, reverse)| (i, edge, cut, reverse, at);
                all.extend(reported.into_iter().map(with_share));
            }
        }
        all
    }

    fn seek(&mut self, t: i64, fire: bool) -> Vec<ReportedCrossing> {
        let local = if self.turned(self.pass) {
            self.d - t
        } else {
            t
        };
        if fire {
            return self.walk(local - self.local);
        }
        (self.local, self.reported, self.put) = (local, false, true);
        self.settle();
        let closed = |&(i, _): &(usize, i64)| {
            let (first, last) = self.span(i);
            t < first || last < t
        };
        let cut: Vec<(usize, i64)> = self.open.iter().copied().filter(closed).collect();
        for key in &cut {
            self.open.remove(key);
        }
        cut.iter()
            .map(|(i, _)| (*i, MarkerPhase::End, true, false, 0.0))
            .collect()
    }

    fn cut(&mut self) -> Vec<ReportedCrossing> {
        let open = std::mem::take(&mut self.open);
        open.iter()
            .map(|(i, _)| (*i, MarkerPhase::End, true, false, 1.0))
            .collect()
    }
}

#[derive(Clone, Debug)]
enum Op {
    Step(i64),
    To(i64),
    Seek(i64, bool),
    Cut,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        8 => (-6i64..=6).prop_map(Op::Step),
        3 => (-40i64..=40).prop_map(Op::Step),
        2 => (-20i64..=20).prop_map(Op::To),
        2 => (0i64..=8, any::<bool>()).prop_map(|(t, fire)| Op::Seek(t, fire)),
        1 => Just(Op::Cut),
    ];
    proptest::collection::vec(op, 1..24)
}

fn modes() -> impl Strategy<Value = PlayMode> {
    prop_oneof![
        Just(PlayMode::Loop),
        Just(PlayMode::Once),
        Just(PlayMode::PingPong)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 2000 } else { 200_000 }))]

    #[test]
    fn any_walk_crosses_the_same_marks_as_the_reference(
        mode in modes(),
        d in prop_oneof![Just(1i64), Just(2), Just(3), Just(4), Just(5), Just(8)],
        marks in proptest::collection::vec((0i64..=8, prop_oneof![Just(0i64), 0i64..=9]), 0..7),
        start in 0i64..=8,
        ops in ops(),
    ) {
        let mut marks: Vec<(i64, i64)> = marks.into_iter().map(|(t, l)| (t.min(d), l)).collect();
        marks.sort_by_key(|(t, _)| *t);
        let list = marks.iter().map(|(t, l)| marker(*t as f64 * TICK, *l as f64 * TICK)).collect();
        let duration = (d as f64 * TICK) as f32;
        let table = Markers::new(list, duration).unwrap();
        let start = start.min(d);
        let mut head = Playhead::starting_at(mode, start as f64 * TICK);
        let mut slow = Reference {
            mode, d, markers: marks, pass: 0, local: start, reported: false, put: true,
            open: BTreeSet::new(), out: Vec::new(),
        };
        slow.settle();
        let mut balance = vec![0i32; table.len()];
        for op in ops {
            let mut got: Vec<ReportedCrossing> = Vec::new();
            let mut fire = |crossing: Crossing| got.push(reported(crossing));
            let passes = head.passes(duration);
            let (expected, moved) = match op {
                Op::Step(n) => (slow.walk(n), head.advance(&table, n as f64 * TICK, &mut fire)),
                // Thirds and fifths are not exact numbers of passes.
                Op::To(_) if d.count_ones() != 1 => continue,
                Op::To(x) => {
                    let x = if mode == PlayMode::Once { x.clamp(0, d) } else { x };
                    let here = slow.pass * d + slow.local;
                    (slow.walk(x - here), head.advance_to(&table, x as f64 / d as f64, &mut fire))
                }
                Op::Seek(t, fires) => {
                    let t = t.min(d);
                    let how = if fires { Seek::FireSkipped } else { Seek::Silent };
                    (slow.seek(t, fires), head.seek(&table, t as f64 * TICK, how, &mut fire))
                }
                Op::Cut => {
                    head.cut(&table, 1.0, &mut fire);
                    (slow.cut(), PlayheadStep::default())
                }
            };
            prop_assert_eq!(&got, &expected, "{:?}", op);
            prop_assert_eq!(moved.dropped, 0);
            prop_assert_eq!(head.passes(duration) - passes, moved.passes);
            if !matches!(op, Op::Cut) {
                prop_assert_eq!(moved.fired as usize, got.len());
            }
            prop_assert_eq!(head.clip_time(duration), (slow.clip() as f64 * TICK) as f32);
            prop_assert_eq!(head.finished(), mode == PlayMode::Once && slow.reported);
            for (i, edge, ..) in got {
                balance[i] += match edge { MarkerPhase::Begin => 1, MarkerPhase::End => -1, MarkerPhase::Point => 0 };
                prop_assert!((0..=1).contains(&balance[i]), "begins and ends alternate");
            }
        }
        let mut ends = Vec::new();
        head.cut(&table, 1.0, |crossing| ends.push(crossing.marker));
        for i in ends {
            balance[i] -= 1;
        }
        prop_assert!(balance.iter().all(|n| *n == 0), "every begin has an end");
    }

    #[test]
    fn rounding_never_loses_or_repeats_a_mark(
        mode in prop_oneof![Just(PlayMode::Loop), Just(PlayMode::PingPong)],
        duration in 0.001f32..20.0,
        fractions in proptest::collection::vec(0.0f32..=1.0, 1..6),
        steps in proptest::collection::vec(0.0001f64..0.7, 1..400),
        back in any::<bool>(),
    ) {
        // A walk in one direction crosses the marks in a fixed cyclic order.
        let times: Vec<f64> = fractions.iter().map(|u| f64::from(u * duration)).collect();
        let table = points(&times, duration);
        let n = table.len();
        let round: Vec<usize> = match mode {
            PlayMode::PingPong => {
                let inner = |i: &usize| table[*i].time > 0.0 && table[*i].time < duration;
                (0..n).chain((0..n).filter(inner).rev()).collect()
            }
            _ => (0..n).collect(),
        };
        let mut order = Vec::new();
        let mut head = Playhead::new(mode);
        for step in steps {
            let dt = step * if back { -1.0 } else { 1.0 };
            head.advance(&table, dt, |crossing| order.push(crossing.marker));
        }
        // Marks at a turning point come in the order of the walk; marks of the same time are interchangeable.
        let named: Vec<u32> = order.iter().map(|i| table[*i].time.to_bits()).collect();
        let mut expected: Vec<u32> = round.iter().map(|i| table[*i].time.to_bits()).collect();
        if back {
            expected.reverse();
        }
        let turn = expected.iter().position(|t| named.first() == Some(t)).unwrap_or(0);
        expected.rotate_left(turn);
        let cyclic = (0..expected.len().max(1)).any(|shift| {
            named.iter().enumerate().all(|(i, t)| expected[(i + shift) % expected.len()] == *t)
        });
        prop_assert!(cyclic, "{named:?} is not {expected:?} over and over");
    }
}

const NONE: [usize; 0] = [];

fn crossed(head: &mut Playhead, marks: &Markers, dt: f64) -> Vec<(usize, MarkerPhase)> {
    let mut out = Vec::new();
    head.advance(marks, dt, |crossing| {
        out.push((crossing.marker, crossing.phase))
    });
    out
}

fn n_crossed(head: &mut Playhead, marks: &Markers, dt: f64) -> Vec<usize> {
    crossed(head, marks, dt)
        .into_iter()
        .map(|(i, _)| i)
        .collect()
}

#[test]
fn clip_time_follows_the_play_mode() {
    assert_eq!(PlayMode::Loop.clip_time(2.5, 1.0), 0.5);
    assert_eq!(PlayMode::Loop.clip_time(-0.25, 1.0), 0.75);
    assert_eq!(PlayMode::Once.clip_time(2.5, 1.0), 1.0);
    assert_eq!(PlayMode::PingPong.clip_time(1.25, 1.0), 0.75);
    assert_eq!(PlayMode::PingPong.clip_time(2.25, 1.0), 0.25);
    assert_eq!(PlayMode::Loop.clip_time(3.0, 0.0), 0.0);
}

#[test]
fn marker_at_zero_is_crossed_by_the_first_step_and_once_per_loop() {
    let marks = points(&[0.0], 1.0);
    let mut head = Playhead::new(PlayMode::Loop);
    assert_eq!(n_crossed(&mut head, &marks, 0.0), NONE);
    assert_eq!(n_crossed(&mut head, &marks, 0.5), [0]);
    assert_eq!(n_crossed(&mut head, &marks, 0.25), NONE);
    assert_eq!(n_crossed(&mut head, &marks, 0.5), [0]);
}

#[test]
fn marker_at_the_end_of_a_clip_played_once_is_reported_once() {
    let marks = points(&[0.5, 1.0], 1.0);
    let mut head = Playhead::new(PlayMode::Once);
    assert_eq!(n_crossed(&mut head, &marks, 0.5), NONE);
    assert!(!head.finished());
    let moved = head.advance(&marks, 2.0, |_| {});
    assert_eq!((moved.fired, moved.ended), (2, Some(0.25)));
    assert!(head.finished());
    assert_eq!(n_crossed(&mut head, &marks, 1.0), NONE);
    // It reverses there: the end was reported already.
    assert_eq!(n_crossed(&mut head, &marks, -0.25), NONE);
    assert!(!head.finished());
    assert_eq!(n_crossed(&mut head, &marks, 0.25), [1]);
}

#[test]
fn clip_played_backwards_is_finished_at_its_start() {
    let marks = points(&[0.0, 0.5, 1.0], 1.0);
    let mut head = Playhead::starting_at(PlayMode::Once, 1.0);
    assert_eq!(n_crossed(&mut head, &marks, -0.75), [2, 1]);
    let moved = head.advance(&marks, -0.5, |crossing| {
        assert_eq!((crossing.marker, crossing.is_reversed), (0, true));
    });
    assert_eq!((moved.fired, moved.ended), (1, Some(0.5)));
    assert!(head.finished());
}

#[test]
fn reversal_at_a_marker_reports_it_once() {
    let marks = points(&[0.5], 1.0);
    let mut head = Playhead::new(PlayMode::Loop);
    assert_eq!(n_crossed(&mut head, &marks, 0.5), NONE);
    assert_eq!(n_crossed(&mut head, &marks, -0.25), [0]);
    assert_eq!(n_crossed(&mut head, &marks, 0.25), NONE);
    assert_eq!(n_crossed(&mut head, &marks, 0.25), [0]);
}

#[test]
fn simultaneous_markers_come_as_written_and_backwards_in_reverse() {
    let marks = points(&[0.5, 0.5, 0.5], 1.0);
    let mut head = Playhead::starting_at(PlayMode::Once, 0.25);
    assert_eq!(n_crossed(&mut head, &marks, 0.5), [0, 1, 2]);
    assert_eq!(n_crossed(&mut head, &marks, -0.5), [2, 1, 0]);
}

#[test]
fn long_step_reports_up_to_the_limit_and_counts_the_rest() {
    let marks = points(&[0.0, 0.25, 0.5], 1.0);
    let mut head = Playhead::new(PlayMode::Loop);
    assert_eq!(head.advance(&marks, 1000.0, |_| {}).fired, 3000);
    for (laps, mode) in [
        (5000.0, PlayMode::Loop),
        (5001.0, PlayMode::PingPong),
        (1e6, PlayMode::Loop),
    ] {
        let mut head = Playhead::new(mode);
        let mut n = 0;
        let moved = head.advance(&marks, laps, |_| n += 1);
        assert_eq!((moved.fired, n), (MAX_CROSSINGS, MAX_CROSSINGS));
        let all = match mode {
            // Per two passes: the turning point at the start once, two marks twice.
            PlayMode::PingPong => 2500 * 5 + 3,
            _ => laps as u64 * 3,
        };
        assert_eq!(moved.dropped, all - u64::from(MAX_CROSSINGS));
        assert_eq!(moved.passes, laps as i64);
    }
}

#[test]
fn intervals_are_reconciled_after_too_many_crossings() {
    let marks = Markers::new(vec![marker(0.25, 0.5)], 1.0).unwrap();
    for (laps, inside) in [(10_000.0, false), (10_000.5, true)] {
        let mut head = Playhead::new(PlayMode::Loop);
        let mut balance = 0;
        let moved = head.advance(&marks, laps, |crossing| match crossing.phase {
            MarkerPhase::Begin => balance += 1,
            _ => balance -= 1,
        });
        assert!(moved.dropped > 0);
        assert_eq!(balance, i32::from(inside));
        assert_eq!(head.open(), u64::from(inside));
        let next = crossed(&mut head, &marks, 0.5);
        assert_eq!(
            next.first().map(|(_, edge)| *edge),
            Some(if inside {
                MarkerPhase::End
            } else {
                MarkerPhase::Begin
            })
        );
    }
}

#[test]
fn huge_steps_end_quickly_at_a_valid_position() {
    let marks = Markers::new(vec![marker(0.0, 0.0), marker(0.0001, 0.0005)], 0.001).unwrap();
    for mode in [PlayMode::Loop, PlayMode::Once, PlayMode::PingPong] {
        let mut head = Playhead::new(mode);
        for dt in [
            1e18,
            -1e300,
            1e300,
            f64::MAX,
            -f64::MAX,
            f64::NAN,
            f64::INFINITY,
            1e-300,
            f64::MIN_POSITIVE,
        ] {
            let moved = head.advance(&marks, dt, |_| {});
            assert!(moved.fired <= MAX_CROSSINGS + 2);
            assert!((0.0..=0.001).contains(&head.clip_time(0.001)));
            head.advance_to(&marks, dt, |_| {});
            head.seek(&marks, dt, Seek::FireSkipped, |_| {});
            assert!((0.0..=0.001).contains(&head.clip_time(0.001)));
        }
    }
}

#[test]
fn clip_of_zero_length_reports_its_markers_once() {
    let marks = Markers::new(vec![marker(0.0, 0.0), marker(0.0, 1.0)], 0.0).unwrap();
    for mode in [PlayMode::Loop, PlayMode::Once, PlayMode::PingPong] {
        let mut head = Playhead::new(mode);
        let expected = [
            (0, MarkerPhase::Point),
            (1, MarkerPhase::Begin),
            (1, MarkerPhase::End),
        ];
        assert_eq!(crossed(&mut head, &marks, 0.1), expected);
        assert_eq!(crossed(&mut head, &marks, 0.1), []);
        assert_eq!(head.finished(), mode == PlayMode::Once);
    }
}

#[test]
fn marker_very_near_the_start_is_not_lost_at_the_turning_point() {
    let marks = points(&[1e-30], 1.0);
    let mut head = Playhead::new(PlayMode::PingPong);
    let reported: usize = (0..390)
        .map(|_| n_crossed(&mut head, &marks, 0.01).len())
        .sum();
    assert_eq!(reported, 2, "at the start and after two passes");
}

#[test]
fn marker_added_during_an_open_interval_keeps_it_open() {
    let mut marks = Markers::new(vec![marker(0.5, 0.25)], 1.0).unwrap();
    let mut head = Playhead::new(PlayMode::Once);
    assert_eq!(crossed(&mut head, &marks, 0.6), [(0, MarkerPhase::Begin)]);
    marks.insert(marker(0.25, 0.125)).unwrap();
    marks.insert(marker(0.7, 0.0)).unwrap();
    assert_eq!(
        crossed(&mut head, &marks, 0.4),
        [(2, MarkerPhase::Point), (1, MarkerPhase::End)]
    );
}

#[test]
fn clip_has_at_most_64_intervals() {
    let many: Vec<Marker> = (0..65)
        .map(|i| marker(f64::from(i) / 100.0, 0.01))
        .collect();
    assert!(Markers::new(many.clone(), 1.0).is_err());
    let mut marks = Markers::new(many[..64].to_vec(), 1.0).unwrap();
    assert!(marks.insert(many[64].clone()).is_err());
    marks.insert(marker(0.5, 0.0)).unwrap();
    let mut head = Playhead::new(PlayMode::Once);
    assert_eq!(crossed(&mut head, &marks, 2.0).len(), 2 * 64 + 1);
}
