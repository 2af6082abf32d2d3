use glam::{Quat, Vec3};

use super::{Contact, ContactOptions, GaitAnalysis, detect, find_feet, side_names, step_markers};
use crate::{Bone, BoneTracks, Clip, Interpolation, MarkerValue, Skeleton, Track};
use galatea_math::Trs;

/// Hips at 0.9 m, a head at 1.7 m, and two feet with toes that move freely.
fn rig() -> Skeleton {
    let bone = |name: &str, parent, at: Vec3| Bone {
        name: String::from(name),
        parent,
        rest: Trs::from_translation(at),
        skinned: true,
    };
    Skeleton::new(vec![
        bone("hips", None, Vec3::Y * 0.9),
        bone("head", Some(0), Vec3::Y * 0.8),
        bone("left_foot", Some(0), Vec3::new(0.1, -0.82, 0.0)),
        bone("left_toes", Some(2), Vec3::new(0.0, -0.06, 0.13)),
        bone("right_foot", Some(0), Vec3::new(-0.1, -0.82, 0.0)),
        bone("right_toes", Some(4), Vec3::new(0.0, -0.06, 0.13)),
    ])
    .unwrap()
}

/// A gait in closed form: each foot is planted for `duty` of the period, then swings forward.
#[derive(Clone, Copy)]
struct Walker {
    period: f32,
    duty: f32,
    velocity: Vec3,
    travels: bool,
}

const WALK: Walker = Walker {
    period: 1.0,
    duty: 0.6,
    velocity: Vec3::new(0.0, 0.0, 1.4),
    travels: false,
};

impl Walker {
    /// Ankle position relative to the ground point below the hips, `u` of a period after the foot touched down.
    fn ankle(&self, u: f32) -> Vec3 {
        let u = u.rem_euclid(1.0);
        let stance = self.velocity * self.duty * self.period;
        if u < self.duty {
            return stance * (0.5 - u / self.duty) + Vec3::Y * 0.08;
        }
        let s = (u - self.duty) / (1.0 - self.duty);
        let eased = s * s * (3.0 - 2.0 * s);
        let lift = 0.16 * (s * std::f32::consts::PI).sin().powi(2);
        stance * (eased - 0.5) + Vec3::Y * (0.08 + lift)
    }

    fn clip(&self) -> Clip {
        let n = (self.period * 120.0).round() as usize;
        let times: Vec<f32> = (0..=n).map(|i| self.period * i as f32 / n as f32).collect();
        let track = |bone: u16, position: &dyn Fn(f32) -> Vec3| BoneTracks {
            bone,
            translation: Some(Track {
                times: times.clone(),
                values: times.iter().map(|t| position(*t)).collect(),
                interpolation: Interpolation::Linear,
            }),
            rotation: None,
            scale: None,
        };
        let foot = |t: f32, side: f32, delay: f32| {
            self.ankle(t / self.period - delay) + Vec3::new(side, -0.9, 0.0)
        };
        let hips = |t: f32| match self.travels {
            true => self.velocity * t + Vec3::Y * 0.9,
            false => Vec3::Y * 0.9,
        };
        Clip {
            name: "walk".into(),
            duration: self.period,
            bones: vec![
                track(0, &hips),
                track(2, &|t| foot(t, 0.1, 0.0)),
                track(4, &|t| foot(t, -0.1, 0.5)),
            ],
            ..Clip::default()
        }
    }

    fn detect(&self) -> GaitAnalysis {
        let skeleton = rig();
        let feet = find_feet(&skeleton);
        detect(&skeleton, &self.clip(), &feet, &ContactOptions::default())
    }
}

/// Distance of two times on a loop.
fn distance(a: f32, b: f32, period: f32) -> f32 {
    let d = (a - b).rem_euclid(period);
    d.min(period - d)
}

#[test]
fn gaits_in_place_and_travelling_give_speed_direction_and_steps() {
    let along = |angle: f32, speed: f32| Quat::from_rotation_y(angle) * Vec3::Z * speed;
    for (period, duty, velocity) in [
        (1.0, 0.6, along(0.0, 1.4)),
        (0.7, 0.28, along(0.0, 4.2)),
        (0.9, 0.55, along(1.5, 1.2)),
        (0.8, 0.5, along(-2.4, 1.6)),
        (1.4, 0.7, along(3.1, 0.5)),
    ] {
        for travels in [false, true] {
            let walker = Walker {
                period,
                duty,
                velocity,
                travels,
            };
            let gait = walker.detect();
            assert!(gait.looping);
            assert_eq!(gait.in_place(), !travels);
            let miss = (gait.velocity() - velocity).length();
            assert!(
                miss < 0.02 * velocity.length(),
                "{} of {velocity}",
                gait.velocity()
            );
            assert_eq!(gait.contacts.len(), 2, "{:?}", gait.contacts);
            for contact in &gait.contacts {
                let down = if contact.foot == 0 { 0.0 } else { 0.5 * period };
                let delay = distance(contact.start, down, period);
                assert!(delay < 0.035, "{velocity}, travels {travels}: {contact:?}");
                let off = down + duty * period;
                assert!(
                    distance(contact.end, off, period) < 0.05,
                    "{contact:?} not {off}"
                );
            }
        }
    }
}

/// In stylised walks, the planted foot moves unevenly; it still makes one step.
#[test]
fn planted_foot_with_uneven_speed_makes_one_step() {
    let walker = WALK;
    let mut clip = walker.clip();
    for tracks in clip.bones.iter_mut().filter(|tracks| tracks.bone != 0) {
        let delay = if tracks.bone == 2 { 0.0 } else { 0.5 };
        let track = tracks.translation.as_mut().unwrap();
        for (t, position) in track.times.iter().zip(&mut track.values) {
            let u = (t - delay).rem_euclid(1.0) / walker.duty;
            if u < 1.0 {
                // From 0.25 to 1.75 times the mean speed, twice in a stance.
                let swell = 0.06 * (u * 2.0 * std::f32::consts::TAU).sin();
                position.z = walker.velocity.z * walker.duty * (0.5 - u - swell);
            }
        }
    }
    let skeleton = rig();
    let feet = find_feet(&skeleton);
    let gait = detect(&skeleton, &clip, &feet, &ContactOptions::default());
    let contacts = gait.contacts.iter();
    let times: Vec<(usize, f32)> = contacts
        .map(|contact| (contact.foot, contact.start))
        .collect();
    assert_eq!(times, [(1, 0.5), (0, 1.0)]);
    assert!((gait.speed() - 1.4).abs() < 0.25, "{}", gait.speed());
}

#[test]
fn standing_feet_are_planted_throughout_and_make_no_steps() {
    let skeleton = rig();
    let feet = find_feet(&skeleton);
    let idle = Clip {
        duration: 2.0,
        ..Clip::default()
    };
    let gait = detect(&skeleton, &idle, &feet, &ContactOptions::default());
    let whole = |foot| Contact {
        foot,
        start: 0.0,
        end: 2.0,
    };
    assert_eq!(gait.contacts, [whole(0), whole(1)]);
    assert_eq!(gait.speed(), 0.0);
    assert_eq!(step_markers(&gait, 2.0, &side_names(&skeleton, &feet)), []);
}

/// The first and the last frame are the same moment, in which this foot is off the ground.
#[test]
fn foot_lifted_only_at_the_loop_seam_makes_no_step() {
    let skeleton = rig();
    let walker = WALK;
    let mut clip = walker.clip();
    let rest = skeleton.bones()[2].rest.translation;
    let track = clip.bones.iter_mut().find(|tracks| tracks.bone == 2);
    let track = track.unwrap().translation.as_mut().unwrap();
    track.values.fill(rest);
    for end in [0, 120] {
        track.values[end] = rest + Vec3::Y * 0.2;
    }
    let feet = [(2, Some(3))];
    let options = ContactOptions {
        looping: Some(true),
        ..ContactOptions::default()
    };
    let gait = detect(&skeleton, &clip, &feet, &options);
    assert_eq!(gait.contacts.len(), 1, "{:?}", gait.contacts);
    assert_eq!(step_markers(&gait, 1.0, &["left".into()]), []);
}

#[test]
fn steps_become_markers_with_the_foot() {
    let walker = WALK;
    let skeleton = rig();
    let names = side_names(&skeleton, &find_feet(&skeleton));
    let marks = step_markers(&walker.detect(), 1.0, &names);
    assert_eq!(marks.len(), 2);
    for mark in marks {
        assert_eq!(mark.event, "step");
        let (name, MarkerValue::Text(foot)) = &mark.fields[0] else {
            panic!("a text");
        };
        assert_eq!(name, "foot");
        let down = if foot == "left" { 0.0 } else { 0.5 };
        assert!(
            distance(mark.time, down, 1.0) < 0.035,
            "{foot} at {}",
            mark.time
        );
    }
}

#[test]
fn foot_planted_at_the_start_of_a_clip_without_loop_makes_no_step() {
    let gait = GaitAnalysis {
        contacts: vec![
            Contact {
                foot: 0,
                start: 0.0,
                end: 0.4,
            },
            Contact {
                foot: 1,
                start: 0.5,
                end: 1.0,
            },
        ],
        ..GaitAnalysis::default()
    };
    let marks = step_markers(&gait, 1.0, &["left".into(), "right".into()]);
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0].time, 0.5);
}

#[test]
fn result_scales_with_the_skeleton() {
    let walker = WALK;
    let bones: Vec<Bone> = rig()
        .bones()
        .iter()
        .cloned()
        .map(|mut bone| {
            bone.rest.translation *= 40.0;
            bone
        })
        .collect();
    let mut clip = walker.clip();
    for tracks in &mut clip.bones {
        let track = tracks.translation.as_mut().unwrap();
        track.values.iter_mut().for_each(|v| *v *= 40.0);
    }
    let skeleton = Skeleton::new(bones).unwrap();
    let feet = find_feet(&skeleton);
    let large = detect(&skeleton, &clip, &feet, &ContactOptions::default());
    assert!((large.speed() - 56.0).abs() < 0.8, "{}", large.speed());
    assert_eq!(large.contacts.len(), 2);
}

#[test]
fn missing_feet_or_clips_give_no_contacts() {
    let skeleton = rig();
    let options = ContactOptions::default();
    let idle = Clip {
        duration: 1.0,
        ..Clip::default()
    };
    let pose = Clip::default();
    for (clip, feet) in [
        (&idle, vec![]),
        (&idle, vec![(99, None)]),
        (&pose, vec![(2, Some(3))]),
    ] {
        assert_eq!(
            detect(&skeleton, clip, &feet, &options),
            GaitAnalysis::default()
        );
    }
}
