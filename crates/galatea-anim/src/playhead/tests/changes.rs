//! Marks that are added or removed during playback.

use super::*;

fn close(
    head: &mut Playhead,
    marks: &mut Markers,
    at: usize,
) -> Option<(usize, MarkerPhase, bool)> {
    let crossing = head.close(marks, at);
    marks.remove(at).unwrap();
    crossing.map(|crossing| (crossing.marker, crossing.phase, crossing.interrupted))
}

#[test]
fn removed_marker_keeps_the_bits_of_the_others() {
    let mut marks = Markers::new(
        vec![marker(0.25, 0.5), marker(0.375, 0.5), marker(0.5, 0.0)],
        1.0,
    )
    .unwrap();
    let mut head = Playhead::new(PlayMode::Once);
    let both = [(0, MarkerPhase::Begin), (1, MarkerPhase::Begin)];
    assert_eq!(crossed(&mut head, &marks, 0.45), both);
    assert_eq!(
        close(&mut head, &mut marks, 0),
        Some((0, MarkerPhase::End, true))
    );
    // The free bit goes to a new interval, which is not open on this playhead.
    marks.insert(marker(0.125, 0.75)).unwrap();
    marks.insert(marker(0.6875, 0.125)).unwrap();
    let expected = [
        (2, MarkerPhase::Point),
        (3, MarkerPhase::Begin),
        (3, MarkerPhase::End),
        (1, MarkerPhase::End),
    ];
    assert_eq!(crossed(&mut head, &marks, 0.5), expected);
    assert_eq!(close(&mut head, &mut marks, 3), None);
    assert_eq!(marks.remove(9), None);
}

#[test]
fn only_existing_intervals_count_towards_the_limit() {
    let many: Vec<Marker> = (0..64)
        .map(|i| marker(f64::from(i) / 100.0, 0.25))
        .collect();
    let mut marks = Markers::new(many, 1.0).unwrap();
    for i in [63, 0, 31] {
        assert!(marks.insert(marker(0.5, 0.25)).is_err());
        marks.remove(i).unwrap();
        marks.insert(marker(0.5, 0.25)).unwrap();
    }
    let mut head = Playhead::new(PlayMode::Once);
    assert_eq!(crossed(&mut head, &marks, 2.0).len(), 2 * 64);
}

#[test]
fn put_at_reports_only_ends_of_left_intervals() {
    let marks = Markers::new(
        vec![marker(0.125, 0.25), marker(0.25, 0.5), marker(0.5, 0.0)],
        1.0,
    )
    .unwrap();
    let mut head = Playhead::new(PlayMode::Loop);
    assert_eq!(crossed(&mut head, &marks, 0.3125).len(), 2);
    let mut ends = Vec::new();
    head.put_at(&marks, 7.625, |crossing| {
        ends.push((crossing.marker, crossing.interrupted))
    });
    assert_eq!(ends, [(0, true)]);
    assert_eq!((head.cycles(1.0), head.clip_time(1.0)), (7.625, 0.625));
    assert_eq!(crossed(&mut head, &marks, 0.25), [(1, MarkerPhase::End)]);
}
