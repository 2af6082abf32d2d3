//! Marks that are added or removed during playback.

use super::*;

fn close(head: &mut Playhead, marks: &mut Marks, at: usize) -> Option<(usize, MarkEdge, bool)> {
    let crossing = head.close(marks, at);
    marks.remove(at).unwrap();
    crossing.map(|crossing| (crossing.mark, crossing.edge, crossing.cut))
}

#[test]
fn removed_mark_keeps_the_bits_of_the_others() {
    let mut marks =
        Marks::new(vec![mark(0.25, 0.5), mark(0.375, 0.5), mark(0.5, 0.0)], 1.0).unwrap();
    let mut head = Playhead::new(PlayMode::Once);
    let both = [(0, MarkEdge::Begin), (1, MarkEdge::Begin)];
    assert_eq!(crossed(&mut head, &marks, 0.45), both);
    assert_eq!(
        close(&mut head, &mut marks, 0),
        Some((0, MarkEdge::End, true))
    );
    // The free bit goes to a new interval, which is not open on this playhead.
    marks.insert(mark(0.125, 0.75)).unwrap();
    marks.insert(mark(0.6875, 0.125)).unwrap();
    let expected = [
        (2, MarkEdge::Point),
        (3, MarkEdge::Begin),
        (3, MarkEdge::End),
        (1, MarkEdge::End),
    ];
    assert_eq!(crossed(&mut head, &marks, 0.5), expected);
    assert_eq!(close(&mut head, &mut marks, 3), None);
    assert_eq!(marks.remove(9), None);
}

#[test]
fn only_existing_intervals_count_towards_the_limit() {
    let many: Vec<Mark> = (0..64).map(|i| mark(f64::from(i) / 100.0, 0.25)).collect();
    let mut marks = Marks::new(many, 1.0).unwrap();
    for i in [63, 0, 31] {
        assert!(marks.insert(mark(0.5, 0.25)).is_err());
        marks.remove(i).unwrap();
        marks.insert(mark(0.5, 0.25)).unwrap();
    }
    let mut head = Playhead::new(PlayMode::Once);
    assert_eq!(crossed(&mut head, &marks, 2.0).len(), 2 * 64);
}

#[test]
fn put_at_reports_only_ends_of_left_intervals() {
    let marks = Marks::new(
        vec![mark(0.125, 0.25), mark(0.25, 0.5), mark(0.5, 0.0)],
        1.0,
    )
    .unwrap();
    let mut head = Playhead::new(PlayMode::Loop);
    assert_eq!(crossed(&mut head, &marks, 0.3125).len(), 2);
    let mut ends = Vec::new();
    head.put_at(&marks, 7.625, |crossing| {
        ends.push((crossing.mark, crossing.cut))
    });
    assert_eq!(ends, [(0, true)]);
    assert_eq!((head.cycles(1.0), head.clip_time(1.0)), (7.625, 0.625));
    assert_eq!(crossed(&mut head, &marks, 0.25), [(1, MarkEdge::End)]);
}
