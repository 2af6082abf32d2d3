use super::*;
use proptest::prelude::*;

fn track(events: &[(f32, u16)], duration: f32) -> SyncTrack {
    let events: Vec<SyncEvent> = events.iter().map(|&(t, id)| SyncEvent { t, id }).collect();
    SyncTrack::new(&events, duration)
}

fn any_track() -> impl Strategy<Value = SyncTrack> {
    (
        prop::collection::vec((-1.0f32..2.0, 0u16..3), 0..7),
        0.1f32..4.0,
    )
        .prop_map(|(events, duration)| track(&events, duration))
}

fn marker(t: f32, event: &str, foot: Option<&str>) -> Marker {
    let fields = foot.map(|foot| ("foot".to_owned(), MarkerValue::Text(foot.into())));
    Marker {
        duration: 0.0,
        time: t,
        event: event.into(),
        fields: fields.into_iter().collect(),
    }
}

#[test]
fn markers_become_events_by_name_and_foot() {
    let marks = [
        marker(0.1, "step", Some("right")),
        marker(0.3, "blink", None),
        marker(0.6, "step", Some("left")),
        marker(0.8, "step", Some("tail")),
        marker(1.0, "step", None),
    ];
    let steps = SyncTrack::from_markers(&marks, "step", "foot", 1.0);
    let ids: Vec<u16> = steps.events().iter().map(|event| event.id).collect();
    let tail = sync_id(Some(&MarkerValue::Text("tail".into())));
    assert!(tail >= 0x8000);
    // The mark at the end is at the start, and the mark without a foot comes first.
    assert_eq!(ids, [0, 2, 1, tail]);
    assert_eq!(steps.events()[0].t, 0.0);
    let none = SyncTrack::from_markers(&marks, "jump", "foot", 1.0);
    assert_eq!(none, SyncTrack::plain(1.0));
    assert_eq!(none.time_at(7.25), 0.25);
}

#[test]
fn same_foot_matches_whichever_comes_first_in_the_file() {
    let walk = track(&[(0.0, 1), (0.5, 2)], 1.0);
    let run = track(&[(0.1, 2), (0.4, 1)], 0.6);
    for p in [0.0, 1.0, 5.0, -3.0] {
        assert_eq!(walk.event_at(p).id, run.event_at(p).id);
    }
    assert!((run.time_at(0.0) - 0.4).abs() < 1e-7);
    assert!((run.time_at(1.0) - 0.1).abs() < 1e-7);
    let leader = track(&[(0.0, 1), (0.1, 2), (0.2, 3), (0.3, 4)], 0.4);
    let mut other = track(&[(0.0, 2), (0.1, 3), (0.2, 0), (0.3, 1)], 0.4);
    assert_eq!(other.event_at(0.0).id, 0);
    other.align_to(&leader);
    assert_eq!(
        [0.0, 1.0, 2.0, 3.0].map(|p| other.event_at(p).id),
        [1, 2, 3, 0]
    );
}

#[test]
fn two_strides_and_one_repeat_after_the_least_common_multiple() {
    let one = track(&[(0.0, 1), (0.5, 2)], 1.0);
    let three = track(
        &[(0.0, 1), (0.5, 2), (1.0, 1), (1.5, 2), (2.0, 1), (2.5, 2)],
        3.0,
    );
    assert_eq!(period([2usize, 6].into_iter()), 6);
    assert_eq!(period([4usize, 6, 0].into_iter()), 12);
    for k in 0..12 {
        let p = f64::from(k) + 0.3;
        assert_eq!(one.event_at(p).id, three.event_at(p).id);
        assert!((one.time_at(p) - three.time_at(p).rem_euclid(1.0)).abs() < 1e-9);
    }
}

#[test]
fn transition_keeps_foot_index_or_fraction() {
    let walk = track(&[(0.0, 1), (0.5, 2)], 1.0);
    let sneak = track(&[(0.0, 0), (0.5, 1), (1.0, 2), (2.0, 1), (3.0, 2)], 4.0);
    let p = match_pos(&walk, 7.25, &sneak, SyncHow::SameEvent);
    assert_eq!(sneak.event_at(p).id, 2);
    assert_eq!(p.fract(), 0.25);
    assert_eq!(match_pos(&walk, 7.25, &sneak, SyncHow::Index), 2.25);
    let fraction = match_pos(&walk, 7.25, &sneak, SyncHow::Fraction);
    assert!((sneak.time_at(fraction) / 4.0 - walk.time_at(7.25)).abs() < 1e-7);
    // No common foot: matches the index.
    let plain = SyncTrack::plain(2.0);
    assert_eq!(match_pos(&walk, 1.5, &plain, SyncHow::SameEvent), 0.5);
    // Of two left steps, the one followed by a right step.
    let limp = track(&[(0.0, 1), (0.3, 1), (0.6, 2)], 1.0);
    assert_eq!(match_pos(&walk, 0.5, &limp, SyncHow::SameEvent), 1.5);
}

#[test]
fn highest_weight_leads_or_all_contribute_to_the_speed() {
    let (walk, run) = (
        track(&[(0.0, 1), (0.6, 2)], 1.0),
        track(&[(0.0, 1), (0.2, 2)], 0.5),
    );
    let inputs = |speed: f32| {
        let input = move |track, weight| SyncInput {
            track,
            weight,
            speed,
        };
        [input(&walk, 3.0), input(&run, 1.0)].into_iter()
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    near(rate(inputs(1.0), SyncSpeedRule::Mean, 0.0), 1.0 / 0.5);
    near(rate(inputs(1.0), SyncSpeedRule::Mean, 1.5), 1.0 / 0.375);
    near(rate(inputs(2.0), SyncSpeedRule::Mean, 0.0), 2.0 / 0.5);
    near(rate(inputs(1.0), SyncSpeedRule::Heaviest, 0.0), 1.0 / 0.6);
    assert_eq!(rate(inputs(0.0), SyncSpeedRule::Mean, 0.0), 0.0);
    let still = SyncTrack::plain(0.0);
    let only = [SyncInput {
        track: &still,
        weight: 1.0,
        speed: 1.0,
    }];
    assert_eq!(
        advance(only.into_iter(), SyncSpeedRule::Mean, 0.5, 1.0),
        0.5
    );
    assert_eq!(advance([].into_iter(), SyncSpeedRule::Mean, 0.5, 1.0), 0.5);
}

proptest! {
    #[test]
    fn time_and_position_conversions_are_inverse(track in any_track(), lap in -5i32..5, u in 0.0f64..1.0) {
        let t = u * f64::from(track.duration());
        prop_assert!((track.time_at(track.pos_at(t)) - t).abs() < 1e-9);
        let elapsed = t + f64::from(lap) * f64::from(track.duration());
        prop_assert!((track.elapsed_at(track.pos_of(elapsed)) - elapsed).abs() < 1e-9);
        let p = u * track.events().len() as f64 + f64::from(lap);
        // A position is as precise as the rounded time in the shortest segment allows.
        prop_assert!((track.pos_of(track.elapsed_at(p)) - p).abs() < 1e-9 / 1e-5);
        prop_assert!((0.0..f64::from(track.duration())).contains(&track.time_at(p)));
    }

    #[test]
    fn integer_position_is_exactly_its_event(track in any_track(), lap in -3i32..3) {
        for (k, event) in track.events().iter().enumerate() {
            let p = k as f64 + f64::from(lap) * track.events().len() as f64;
            let elapsed = track.elapsed_at(p);
            let exact = f64::from(event.t) + f64::from(lap) * f64::from(track.duration());
            prop_assert_eq!(elapsed, exact);
            prop_assert_eq!(track.event_at(p), *event);
        }
    }

    #[test]
    fn equal_patterns_put_the_same_foot_down_together(
        first in prop::collection::vec((0.02f32..1.0, 0u16..4), 1..7),
        stretch in prop::collection::vec(0.02f32..1.0, 7),
        turn in 0usize..7,
        p in -20.0f64..20.0,
    ) {
        let laid = |gaps: &[(f32, u16)]| {
            let mut t = 0.0;
            let events: Vec<(f32, u16)> = gaps
                .iter()
                .map(|&(gap, id)| {
                    t += gap;
                    (t - gap, id)
                })
                .collect();
            track(&events, t)
        };
        let mut second: Vec<(f32, u16)> =
            first.iter().zip(&stretch).map(|(a, gap)| (*gap, a.1)).collect();
        let turn = turn % second.len();
        second.rotate_left(turn);
        prop_assert_eq!(laid(&first).event_at(p).id, laid(&second).event_at(p).id);
    }

    #[test]
    fn pace_gives_whole_cycles_for_any_step_lengths(
        tracks in prop::collection::vec((any_track(), 0.1f32..2.0, 0.2f32..3.0), 1..4),
        steps in 1u32..40,
        from in -3i32..3,
    ) {
        let inputs = || tracks.iter().map(|(track, weight, speed)| SyncInput {
            track,
            weight: *weight,
            speed: *speed,
        });
        let n = period(inputs().map(|input| input.track.events().len()));
        prop_assume!(n <= 200);
        let seconds: f64 = (0..n)
            .map(|k| 1.0 / rate(inputs(), SyncSpeedRule::Mean, f64::from(from) + k as f64))
            .sum();
        let start = f64::from(from);
        let end = start + n as f64;
        let once = advance(inputs(), SyncSpeedRule::Mean, start, seconds);
        prop_assert!((once - end).abs() < 1e-6, "{} {}", once, end);
        let mut p = start;
        for _ in 0..steps {
            p = advance(inputs(), SyncSpeedRule::Mean, p, seconds / f64::from(steps));
        }
        prop_assert!((p - end).abs() < 1e-6, "{} {}", p, end);
        let back = advance(inputs(), SyncSpeedRule::Mean, end, -seconds);
        prop_assert!((back - start).abs() < 1e-6, "{} {}", back, start);
    }

    #[test]
    fn empty_tracks_and_nan_positions_do_not_fail(
        events in prop::collection::vec((any::<f32>(), any::<u16>()), 0..9),
        duration in any::<f32>(),
        p in any::<f64>(),
    ) {
        let track = track(&events, duration);
        prop_assert!(track.time_at(p) >= 0.0);
        prop_assert!(track.pos_at(p) >= 0.0);
        for how in [SyncHow::SameEvent, SyncHow::Index, SyncHow::Fraction] {
            prop_assert!(match_pos(&track, p, &track, how) >= 0.0);
        }
    }
}
