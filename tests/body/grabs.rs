//! A grabbed ragdoll in the air: its joints hold, and it swings to rest.

use glam::Vec3;

use super::falls::{all, human_sized, stay_down};
use super::scenes::{at, run};
use galatea::stage::Stage;

#[test]
fn a_grabbed_ragdoll_holds_together_and_comes_to_rest() {
    for (name, definition) in all() {
        let mut stage = Stage::default();
        let mut place = at(0.0, 0.0, 0.0);
        place.scale = human_sized(&definition);
        let who = stage.add_character(definition.clone(), "who.glb", None, place);
        stay_down(&mut stage, who);
        run(&mut stage, 0.2);
        let grabbed = stage.characters.get(who).unwrap();
        let ragdoll = grabbed.body.ragdoll(&grabbed.definition).clone();
        // The lightest body at the end of a chain: a hand or a paw.
        let ends = (0..ragdoll.bodies.len()).filter(|&i| {
            ragdoll
                .joints
                .iter()
                .all(|link| usize::from(link.parent) != i)
        });
        let end = ends
            .min_by(|&a, &b| ragdoll.bodies[a].mass.total_cmp(&ragdoll.bodies[b].mass))
            .unwrap();
        let bone = ragdoll.bodies[end].bone;
        let character = stage.characters.get(who).unwrap();
        let from =
            character.placement.to_affine() * character.posed.model_from_bone[usize::from(bone)];
        let from = Vec3::from(from.translation);
        let hand = stage
            .bodies()
            .grab(who, Some(bone), from, 4.0, None)
            .unwrap();
        run(&mut stage, 1.0 / 60.0);
        for grab in &mut stage.physics.grabs {
            grab.target = Vec3::new(from.x, 2.6, from.z);
        }
        let (mut gap, mut beyond, mut fast, mut sag) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
        for tick in 0..12 * 60 {
            run(&mut stage, 1.0 / 60.0);
            if tick < 10 * 60 {
                continue;
            }
            let character = stage.characters.get(who).unwrap();
            let ragdoll = &character.body.limbs.as_ref().unwrap().ragdoll;
            gap = gap.max(ragdoll.gap());
            beyond = beyond.max(ragdoll.violation().to_degrees());
            fast = fast.max(ragdoll.fastest());
            let matrix = character.posed.model_from_bone[usize::from(bone)];
            let held = character.placement.to_affine() * matrix;
            sag = sag.max((held.translation.y - 2.6).abs());
        }
        println!("{name}: {sag} m off, {gap} m apart, {beyond} degrees beyond, {fast} m/s");
        // The spring of 4 Hz stretches by g / (2 pi f)^2 = 1.6 cm, and a tenth of the mass more.
        assert!(sag < 0.03, "{name}: {sag} m off the hand");
        assert!(gap < 0.002, "{name}: links {gap} m apart");
        assert!(beyond < 5.0, "{name}: {beyond} degrees beyond the limits");
        assert!(fast < 2.0, "{name}: {fast} m/s");
        stage.bodies().release(hand);
    }
}
