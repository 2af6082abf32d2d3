//! Bakes poses at a fixed rate to a clip.

use glam::{Quat, Vec3};

use super::contact::{Contacts, measure_contacts};
use super::figure::Figure;
use super::pose::{FigurePose, FigureSide};
use super::solve::{Solved, solve};
use galatea_anim::{BoneTracks, Clip, Interpolation, Marker, MorphTrack, Track};
use galatea_asset::Model;
use galatea_math::names::nearest_hint;

/// Tolerances of the position of a foot, and of a hand, metres.
const FOOT: f32 = 0.006;
const HAND: f32 = 0.03;
/// Tolerance for equality: cosine of half the angle for rotations, metres for positions.
const SAME: f32 = 1e-7;
/// Limits of the gap between end and start of a looping clip: radians, metres.
const CLOSED: (f32, f32) = (0.02, 0.004);

/// Tracks of one bone.
#[derive(Clone, Debug, Default)]
pub struct TakeBone {
    /// Name.
    pub name: String,
    /// Offset from its rest position in its parent, metres; `None` without translation.
    pub at: Option<Vec<Vec3>>,
    /// Rotation relative to the rest pose.
    pub turn: Option<Vec<Quat>>,
}

/// A clip that is not bound to a skeleton yet.
#[derive(Clone, Debug, Default)]
pub struct Take {
    /// Name.
    pub name: String,
    /// Key times, ascending, the first at 0.
    pub times: Vec<f32>,
    /// Animated bones.
    pub bones: Vec<TakeBone>,
    /// Weights of morph targets by their names.
    pub morphs: Vec<(String, Vec<f32>)>,
    /// Marks, ascending in time.
    pub markers: Vec<Marker>,
    /// Foot contacts; zeros without feet.
    pub contacts: Contacts,
}

/// Options for baking a figure's poses.
#[derive(Clone, Copy)]
pub struct BakeMode<'a> {
    /// The clip loops: the last pose equals the first.
    pub round: bool,
    /// Limit of the sliding of planted feet, metres; `None` is no limit.
    pub slide: Option<f32>,
    /// Displacement of the ground at a time.
    pub ground: &'a dyn Fn(f32) -> Vec3,
}

/// Evenly spaced key times of a clip.
pub fn times(seconds: f32, rate: f32) -> Vec<f32> {
    let n = (seconds * rate).round().max(1.0) as usize;
    (0..=n).map(|i| seconds * i as f32 / n as f32).collect()
}

impl Take {
    /// Bakes a figure's poses at the given times.
    ///
    /// # Errors
    /// If feet slide, are in the ground or out of reach, or if the ends of a looping clip differ.
    pub fn of_figure(
        figure: &Figure,
        name: &str,
        times: Vec<f32>,
        poses: &[FigurePose],
        manner: BakeMode,
    ) -> Result<Self, String> {
        let mut keys: Vec<Solved> = poses.iter().map(|pose| solve(figure, pose)).collect();
        for (t, key) in times.iter().zip(&keys) {
            for (k, miss) in key.miss.iter().enumerate() {
                let most = if k < 2 { FOOT } else { HAND };
                if *miss > most * figure.scale {
                    let side = FigureSide::BOTH[k % 2].word();
                    let limb = if k < 2 { "foot" } else { "hand" };
                    return Err(format!(
                        "the {side} {limb} is {:.1} cm out of reach at {t:.2} s",
                        miss * 100.0
                    ));
                }
            }
        }
        if manner.round {
            close(figure, &mut keys)?;
        }
        // Keep neighbouring keys in the same hemisphere of quaternions.
        for i in 1..keys.len() {
            for b in 0..figure.joints.len() {
                let before = keys[i - 1].rotations[b];
                let q = &mut keys[i].rotations[b];
                if before.dot(*q) < 0.0 {
                    *q = -*q;
                }
            }
        }
        let contacts = measure_contacts(figure, &keys, &times, manner.ground);
        contacts.check(figure, manner.slide)?;
        Ok(Self {
            name: name.into(),
            bones: bones(figure, &keys),
            times,
            contacts,
            ..Self::default()
        })
    }

    /// Checks that a model has all animated bones and targets.
    ///
    /// # Errors
    /// If a bone or a morph target is missing; the message names the most similar one.
    pub fn fits(&self, nodes: &[&str], morphs: &[&str]) -> Result<(), String> {
        let missing = |what: &str, name: &str, all: &[&str]| {
            let hint = nearest_hint(name, all.iter().copied());
            Err(format!("the model has no {what} {name:?}{hint}"))
        };
        for own in &self.bones {
            if !nodes.contains(&own.name.as_str()) {
                return missing("bone", &own.name, nodes);
            }
        }
        for (name, _) in &self.morphs {
            if !morphs.contains(&name.as_str()) {
                return missing("morph", name, morphs);
            }
        }
        Ok(())
    }

    /// Clip for a model; bones and targets that the model lacks are skipped.
    pub fn clip(&self, model: &Model) -> Clip {
        let skeleton = model.skeleton.bones();
        let mut bones = Vec::new();
        for own in &self.bones {
            let Some(bone) = skeleton.iter().position(|bone| bone.name == own.name) else {
                continue;
            };
            let rest = skeleton[bone].rest;
            let place = |way: &Vec3| rest.translation + *way;
            let turned = |turn: &Quat| (rest.rotation * *turn).normalize();
            let at = own.at.as_ref().filter(|at| !is_still(at));
            let turn = own.turn.as_ref().filter(|turn| !turn.iter().all(is_none));
            let tracks = BoneTracks {
                bone: bone as u16,
                translation: at.map(|at| self.track(at.iter().map(place).collect())),
                rotation: turn.map(|turn| self.track(turn.iter().map(turned).collect())),
                scale: None,
            };
            if tracks.translation.is_some() || tracks.rotation.is_some() {
                bones.push(tracks);
            }
        }
        bones.sort_by_key(|tracks| tracks.bone);
        Clip {
            name: self.name.clone(),
            duration: self.times.last().copied().unwrap_or(0.0),
            bones,
            morphs: self.morph_tracks(model),
            curves: Vec::new(),
            markers: self.markers.clone(),
        }
    }

    /// Track without the keys that linear interpolation reproduces.
    fn track<T: Even>(&self, values: Vec<T>) -> Track<T> {
        let mut kept = vec![0];
        let last = values.len() - 1;
        while let Some(from) = kept.last().copied().filter(|from| *from < last) {
            let fits = |to: usize| {
                let span = self.times[to] - self.times[from];
                (from + 1..to).all(|i| {
                    let u = (self.times[i] - self.times[from]) / span;
                    values[from].toward(values[to], u).is_near(values[i])
                })
            };
            let mut to = from + 1;
            while to < last && fits(to + 1) {
                to += 1;
            }
            kept.push(to);
        }
        Track {
            times: kept.iter().map(|i| self.times[*i]).collect(),
            values: kept.iter().map(|i| values[*i]).collect(),
            interpolation: Interpolation::Linear,
        }
    }

    fn morph_tracks(&self, model: &Model) -> Vec<MorphTrack> {
        let of = |(part, placed): (usize, &galatea_asset::model::Part)| {
            let names = &model.meshes.get(placed.mesh)?.morph_names;
            let weights = |name: &String| self.morphs.iter().find(|own| own.0 == *name);
            names.iter().any(|name| weights(name).is_some()).then(|| {
                let n = self.times.len();
                let keys = (0..n).flat_map(|i| {
                    names
                        .iter()
                        .map(move |name| weights(name).map_or(0.0, |own| own.1[i]))
                });
                MorphTrack {
                    part,
                    n_targets: names.len(),
                    track: Track {
                        times: self.times.clone(),
                        values: keys.collect(),
                        interpolation: Interpolation::Linear,
                    },
                }
            })
        };
        model.parts.iter().enumerate().filter_map(of).collect()
    }
}

/// A value that supports key reduction.
trait Even: Copy {
    fn toward(self, other: Self, u: f32) -> Self;
    fn is_near(self, other: Self) -> bool;
}

impl Even for Vec3 {
    fn toward(self, other: Self, u: f32) -> Self {
        self.lerp(other, u)
    }

    fn is_near(self, other: Self) -> bool {
        self.distance_squared(other) < 1e-4_f32.powi(2)
    }
}

impl Even for Quat {
    fn toward(self, other: Self, u: f32) -> Self {
        self.slerp(other, u)
    }

    fn is_near(self, other: Self) -> bool {
        // Half a thousandth of a radian.
        (self - other).length_squared() < (2.5e-4_f32).powi(2)
    }
}

fn is_still(at: &[Vec3]) -> bool {
    at.iter().all(|way| way.length_squared() < SAME * SAME)
}

fn is_none(turn: &Quat) -> bool {
    turn.xyz().length() < 1e-5
}

fn close(figure: &Figure, keys: &mut [Solved]) -> Result<(), String> {
    let Some((first, rest)) = keys.split_first_mut() else {
        return Ok(());
    };
    let Some(last) = rest.last_mut() else {
        return Ok(());
    };
    let far = |b: usize| {
        let dot = first.rotations[b].dot(last.rotations[b]).abs().min(1.0);
        2.0 * dot.acos()
    };
    let off = (0..figure.joints.len()).max_by(|a, b| far(*a).total_cmp(&far(*b)));
    if let Some(bone) = off.filter(|bone| far(*bone) > CLOSED.0) {
        return Err(format!(
            "the loop is not closed: {} ends {:.1} degrees from its start",
            figure.joints[bone].name,
            far(bone).to_degrees()
        ));
    }
    let way = first.hips.distance(last.hips);
    if way > CLOSED.1 * figure.scale {
        return Err(format!(
            "the loop is not closed: the hips end {:.1} cm from their start",
            way * 100.0
        ));
    }
    last.clone_from(first);
    Ok(())
}

fn bones(figure: &Figure, keys: &[Solved]) -> Vec<TakeBone> {
    let moves = |key: &Solved| {
        let (at, turn) = key.root.unwrap_or_default();
        at.length() > 1e-5 || turn.abs() > 1e-5
    };
    let root = figure.root.filter(|_| keys.iter().any(moves));
    let mut out = Vec::new();
    let place = |bone: usize| figure.joints[bone].rest_position;
    for (b, joint) in figure.joints.iter().enumerate() {
        let mut own = TakeBone {
            name: joint.name.clone(),
            ..TakeBone::default()
        };
        let origin = joint.parent.map_or(Vec3::ZERO, place);
        let turned = |key: &Solved| {
            let (at, turn) = key.root.unwrap_or_default();
            (at, Quat::from_rotation_y(turn))
        };
        if Some(b) == root {
            let goes = |key: &Solved| {
                let (at, turn) = turned(key);
                turn * place(b) + at - place(b)
            };
            own.at = Some(keys.iter().map(goes).collect());
            own.turn = Some(keys.iter().map(|key| turned(key).1).collect());
        } else if b == figure.hips && root.is_some() {
            let goes = |key: &Solved| {
                let (at, turn) = turned(key);
                let carrier = turn * origin + at;
                turn.inverse() * (key.hips - carrier) - (place(b) - origin)
            };
            own.at = Some(keys.iter().map(goes).collect());
            let turns = keys
                .iter()
                .map(|key| turned(key).1.inverse() * key.rotations[b]);
            own.turn = Some(turns.collect());
        } else {
            own.turn = Some(keys.iter().map(|key| key.rotations[b]).collect());
            if b == figure.hips {
                own.at = Some(keys.iter().map(|key| key.hips - place(b)).collect());
            }
        }
        out.push(own);
    }
    out
}
