use galatea_math::random::RandomSource;

use super::*;

const OPTIONS: ShapeCastOptions = ShapeCastOptions {
    max_time_of_impact: 4.0,
    target_distance: 0.0,
    stop_at_penetration: false,
    compute_impact_geometry_on_penetration: true,
};

fn point(chance: &mut RandomSource, reach: f32) -> Vec3 {
    let mut one = || chance.between(-reach, reach);
    Vec3::new(one(), one(), one())
}

fn pair(chance: &mut RandomSource) -> [Capsule; 2] {
    [(); 2].map(|()| Capsule::new_y(chance.between(0.0, 0.8), chance.between(0.2, 0.5)))
}

/// Distance of two capsules, the second at a position, by a search over points of their segments.
fn searched(first: &Capsule, second: &Capsule, at: Vec3) -> f32 {
    let half = [first, second].map(|capsule| capsule.segment.b.y.abs());
    let heights = (0..=2000).map(|k| half[0] * (k as f32 / 1000.0 - 1.0));
    let distances = heights.map(|y| {
        let nearest = at.with_y(y.clamp(at.y - half[1], at.y + half[1]));
        nearest.distance(Vec3::Y * y)
    });
    distances.fold(f32::MAX, f32::min) - first.radius - second.radius
}

#[test]
fn contacts_are_at_the_nearest_points() {
    let mut chance = RandomSource::new(7);
    let mut touching = 0;
    for _ in 0..1000 {
        let [first, second] = pair(&mut chance);
        let at = Pose::from_translation(point(&mut chance, 1.5));
        let closed_form = CapsuleQueries.contact(&at, &first, &second, 4.0);
        let closed_form = closed_form.unwrap().unwrap();
        let min = searched(&first, &second, at.translation);
        assert!(
            (closed_form.dist - min).abs() < 1e-4,
            "{closed_form:?}: {min}"
        );
        let between = at.transform_point(closed_form.point2) - closed_form.point1;
        let along = closed_form.normal1 * closed_form.dist;
        assert!((between - along).length() < 1e-5, "{closed_form:?}");
        let meets = CapsuleQueries.intersection_test(&at, &first, &second);
        assert_eq!(meets.unwrap().intersecting, closed_form.dist <= 0.0);
        let by_parry = Parry.contact(&at, &first, &second, 4.0);
        let by_parry = by_parry.unwrap().unwrap();
        // EPA stops some millimetres off the round ends.
        let off = (closed_form.dist - by_parry.dist).abs();
        assert!(off < 0.01, "{closed_form:?} {by_parry:?}");
        assert!(
            closed_form.normal1.dot(by_parry.normal1) > 0.99,
            "{closed_form:?} {by_parry:?}"
        );
        touching += u32::from(closed_form.dist < 0.0);
    }
    assert!((100..900).contains(&touching), "{touching}");
}

#[test]
fn casts_end_where_the_distance_does() {
    let mut chance = RandomSource::new(8);
    let mut hits = 0;
    for target_distance in [0.0, 0.05] {
        let options = ShapeCastOptions {
            target_distance,
            ..OPTIONS
        };
        for _ in 0..300 {
            let [first, second] = pair(&mut chance);
            let from = point(&mut chance, 2.5);
            let velocity = point(&mut chance, 1.0) - from * 0.5;
            let at = Pose::from_translation(from);
            let hit = CapsuleQueries.cast_shapes(&at, velocity, &first, &second, options);
            let hit = hit.unwrap();
            let room =
                |time: f32| searched(&first, &second, from + velocity * time) - target_distance;
            if room(0.0) < 0.0 {
                let leaves = hit.is_none_or(|hit| hit.time_of_impact == 0.0);
                assert!(leaves, "{hit:?}");
                continue;
            }
            let end = hit.map_or(OPTIONS.max_time_of_impact, |hit| hit.time_of_impact);
            for k in 0..100 {
                let before = room(end * k as f32 / 100.0);
                assert!(before > -1e-4, "{hit:?}: {before} m at {k} %");
            }
            if let Some(hit) = hit {
                hits += 1;
                assert!(room(end).abs() < 2e-4, "{hit:?}: {} m", room(end));
                assert!(hit.normal1.dot(velocity) < 0.0, "{hit:?}");
            }
        }
    }
    assert!(hits > 60, "{hits}");
}

#[test]
fn capsules_at_one_position_are_pushed_aside_by_their_radii() {
    let capsule = Capsule::new_y(0.6, 0.25);
    let contact = CapsuleQueries.contact(&Pose::IDENTITY, &capsule, &capsule, 0.0);
    let contact = contact.unwrap().unwrap();
    assert_eq!(contact.dist, -0.5);
    assert_eq!(contact.normal1, Vec3::X);
    let cast =
        CapsuleQueries.cast_shapes(&Pose::IDENTITY, Vec3::NEG_Y, &capsule, &capsule, OPTIONS);
    assert!(cast.unwrap().is_none(), "it leaves");
}
