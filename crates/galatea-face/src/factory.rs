//! Face shapes, and random faces.
//!
//! A face shape is a morph target that only changes the build of a face, such as `shape.nose_width`. Shape weights are added
//! to animated weights, so that expressions look on every face as on the original one.

use serde::{Deserialize, Serialize};

use super::shape::{FaceRegion, FaceSide, key, region, side};
use galatea_math::clamp::ClampTo as _;
use galatea_math::names::nearest_hint;
use galatea_math::random::RandomSource;

/// A shape of a face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceShape {
    /// Name, without the prefix `shape.`.
    pub name: String,
    /// Normalised name, see [`key`].
    key: String,
    /// Morph targets, as indices into the weights of a pose; several if several meshes have the shape.
    pub targets: Vec<usize>,
    /// Minimum and maximum weight.
    pub range: [f32; 2],
    /// Weight in the file.
    pub rest: f32,
}

/// A shape requested by a script: the name of a morph target, and its range.
pub type ShapeRequest = (String, Option<[f32; 2]>);

/// All shapes of a model. Immutable; shared by all its characters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeSet {
    /// Shapes in the order of the model's morph targets.
    pub shapes: Vec<FaceShape>,
}

/// Options for a random face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// Seed. The same seed gives the same face, even if a new version of the model has more shapes.
    pub seed: u64,
    /// Distance from the model's own face: 0 is that face; at 1 the ends of the ranges are rare.
    pub variation: f32,
    /// Difference between the two sides, 0..=1.
    pub asymmetry: f32,
    /// Uniform distribution over 0..1 in steps of a thousandth.
    pub uniform: bool,
}

impl Default for Generation {
    fn default() -> Self {
        Self {
            seed: 0,
            variation: 1.0,
            asymmetry: 0.15,
            uniform: false,
        }
    }
}

impl ShapeSet {
    /// Collects the shapes among morph targets: those named `shape.…` or `shape_…`, each with its weight at rest.
    pub fn new(morphs: &[&str], rest: &[f32]) -> Self {
        let mut set = Self::default();
        let shapes = morphs.iter().enumerate();
        for (i, name) in shapes.filter(|(_, name)| region(name) == FaceRegion::Build) {
            set.add(name, i, rest.get(i).copied().unwrap_or(0.0));
        }
        set
    }

    /// Returns these shapes and others that a script declares: names of any morph targets, each with its range.
    ///
    /// # Errors
    /// Returns a message that names the missing target and the most similar name.
    pub fn with(
        &self,
        morphs: &[&str],
        rest: &[f32],
        requests: &[ShapeRequest],
    ) -> Result<Self, String> {
        let mut set = self.clone();
        for (name, range) in requests {
            if set.find(name).is_none() {
                let same = |known: &&str| *known == name || key(known) == key(name);
                let found = morphs.iter().enumerate();
                let found: Vec<usize> = found.filter(|(_, m)| same(m)).map(|(i, _)| i).collect();
                if found.is_empty() {
                    let hint = nearest_hint(name, morphs.iter().copied());
                    return Err(format!("this face has no morph target {name:?}{hint}"));
                }
                for i in found {
                    set.add(morphs[i], i, rest.get(i).copied().unwrap_or(0.0));
                }
            }
            let shape = set.find(name).and_then(|i| set.shapes.get_mut(i));
            if let (Some(shape), Some(range)) = (shape, range) {
                shape.range = *range;
            }
        }
        Ok(set)
    }

    fn add(&mut self, target: &str, index: usize, rest: f32) {
        let name = without_prefix(target);
        if let Some(known) = self.shapes.iter_mut().find(|shape| shape.name == name) {
            known.targets.push(index);
            return;
        }
        // One of a pair has only one direction (MakeHuman's `incr` and `decr`).
        let low = if direction(name).1 == 0.0 { -1.0 } else { 0.0 };
        self.shapes.push(FaceShape {
            name: name.to_owned(),
            key: key(name),
            targets: vec![index],
            range: [rest.min(low), rest.max(1.0)],
            rest,
        });
    }

    /// Returns the index of the shape with this name, with or without the prefix `shape.`.
    pub fn find(&self, name: &str) -> Option<usize> {
        let name = without_prefix(name);
        let exact = self.shapes.iter().position(|shape| shape.name == name);
        exact.or_else(|| {
            let key = key(name);
            self.shapes.iter().position(|shape| shape.key == key)
        })
    }

    /// Returns the index of the shape with this name.
    ///
    /// # Errors
    /// Returns a message with the most similar name.
    pub fn shape(&self, name: &str) -> Result<usize, String> {
        self.find(name).ok_or_else(|| {
            if self.shapes.is_empty() {
                return "this face has no shapes: the model has no morph targets named shape.…; define shapes with \
                        face:shapes { … }"
                    .to_owned();
            }
            let names = self.shapes.iter().map(|shape| shape.name.as_str());
            format!("this face has no shape {name:?}{}", nearest_hint(name, names))
        })
    }

    /// Returns the rest weights of all shapes.
    pub fn rest(&self) -> Vec<f32> {
        self.shapes.iter().map(|shape| shape.rest).collect()
    }

    /// Returns the weights of a random face, each within its range.
    pub fn generate(&self, how: &Generation) -> Vec<f32> {
        let weight = |shape: &FaceShape| {
            let [low, high] = shape.range;
            let (stem, sign) = direction(&shape.name);
            let key = key(stem);
            let side = side(stem);
            let middle = match side {
                FaceSide::Middle => key.as_str(),
                FaceSide::Left | FaceSide::Right => &key[..key.len().saturating_sub(1)],
            };
            let mut chance = stream(how.seed, middle);
            if how.uniform {
                let mut chance = stream(how.seed, &shape.name);
                let weight = (chance.unit() * 1000.0).floor() / 1000.0;
                return weight.clamp_to(low, high);
            }
            // Weights near the rest value are more frequent, as among people.
            let mut x = chance.about_zero();
            if side != FaceSide::Middle {
                x += stream(how.seed, &key).about_zero() * how.asymmetry;
            }
            x *= how.variation * if sign == 0.0 { 1.0 } else { sign };
            let room = if x < 0.0 {
                shape.rest - low
            } else {
                high - shape.rest
            };
            (shape.rest + x * room).clamp_to(low, high)
        };
        self.shapes.iter().map(weight).collect()
    }
}

/// Returns the random stream of a seed and a name, so that further shapes do not change the others.
fn stream(seed: u64, name: &str) -> RandomSource {
    // FNV-1a.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut chance = RandomSource::new(seed ^ hash.rotate_left(29));
    chance.bits();
    chance
}

/// Returns the name of a shape without its prefix.
fn without_prefix(name: &str) -> &str {
    if region(name) != FaceRegion::Build {
        return name;
    }
    let rest = name.get("shape".len()..).unwrap_or(name);
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    if rest.is_empty() { name } else { rest }
}

/// Splits a name into stem and direction: 1 for `incr`, -1 for `decr`, 0 for both directions.
fn direction(name: &str) -> (&str, f32) {
    for (end, sign) in [("incr", 1.0), ("decr", -1.0)] {
        if let Some(stem) = name.strip_suffix(end) {
            let stem = stem.trim_end_matches(|c: char| !c.is_alphanumeric());
            if !stem.is_empty() {
                return (stem, sign);
            }
        }
    }
    (name, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = [
        "shape.nose_width",
        "smile",
        "shape_jaw_width",
        "shapeEarLeft",
        "shapeEarRight",
        "shape.chin_incr",
        "shape.chin_decr",
        "shape.nose_width",
    ];

    fn set() -> ShapeSet {
        ShapeSet::new(&NAMES, &[0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0])
    }

    #[test]
    fn shapes_are_found_by_their_names_and_have_ranges() {
        let set = set();
        let names: Vec<&str> = set.shapes.iter().map(|s| s.name.as_str()).collect();
        let expected = [
            "nose_width",
            "jaw_width",
            "EarLeft",
            "EarRight",
            "chin_incr",
            "chin_decr",
        ];
        assert_eq!(names, expected);
        assert_eq!(set.shapes[0].targets, [0, 7], "one name on two meshes");
        assert_eq!(
            (set.shapes[1].rest, set.shapes[1].range),
            (0.25, [-1.0, 1.0])
        );
        assert_eq!(set.shapes[4].range, [0.0, 1.0]);
        for name in [
            "nose_width",
            "shape.nose_width",
            "NoseWidth",
            "shape_nose_width",
        ] {
            assert_eq!(set.find(name), Some(0), "{name}");
        }
        let error = set.shape("nose_widht").unwrap_err();
        assert!(error.contains("nose_width"), "{error}");
        let error = ShapeSet::default().shape("nose_width").unwrap_err();
        assert!(error.contains("no shapes"), "{error}");
        let mine = [
            ("smile".to_owned(), Some([-0.5, 0.5])),
            ("nose_width".to_owned(), Some([0.0, 2.0])),
        ];
        let more = set.with(&NAMES, &[], &mine).unwrap();
        assert_eq!(more.shapes[6].range, [-0.5, 0.5]);
        assert_eq!(more.shapes[0].range, [0.0, 2.0]);
        let error = set
            .with(&NAMES, &[], &[("smlie".into(), None)])
            .unwrap_err();
        assert!(error.contains("smile"), "{error}");
    }

    #[test]
    fn a_seed_gives_one_face_and_different_seeds_differ() {
        let set = set();
        let face = |seed| {
            set.generate(&Generation {
                seed,
                ..Generation::default()
            })
        };
        assert_eq!(face(7), face(7));
        let faces: Vec<Vec<f32>> = (0..300).map(face).collect();
        for (i, a) in faces.iter().enumerate() {
            for (shape, weight) in set.shapes.iter().zip(a) {
                assert!((shape.range[0]..=shape.range[1]).contains(weight));
            }
            for b in &faces[..i] {
                let difference = a
                    .iter()
                    .zip(b)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f32::max);
                assert!(difference > 0.01, "{a:?} {b:?}");
            }
            assert!((a[2] - a[3]).abs() <= 0.31, "both ears are of one head");
            assert!(
                a[4] == 0.0 || a[5] == 0.0,
                "a chin is not larger and smaller"
            );
        }
        let mean = faces.iter().map(|face| face[0]).sum::<f32>() / 300.0;
        assert!(mean.abs() < 0.1, "{mean}");
        let none = set.generate(&Generation {
            variation: 0.0,
            ..Generation::default()
        });
        assert_eq!(none, set.rest());
    }

    #[test]
    fn more_shapes_do_not_change_the_others_of_a_seed() {
        let few = ShapeSet::new(&NAMES[..3], &[]);
        let how = Generation {
            seed: 11,
            ..Generation::default()
        };
        assert_eq!(few.generate(&how)[0], set().generate(&how)[0]);
    }

    #[test]
    fn book_mode_draws_thousandths_of_zero_to_one() {
        let set = set();
        let mut all = Vec::new();
        for seed in 0..500 {
            let how = Generation {
                seed,
                uniform: true,
                ..Generation::default()
            };
            all.extend(set.generate(&how));
        }
        assert!(all.iter().all(|w| (0.0..1.0).contains(w)));
        assert!(
            all.iter()
                .all(|w| (w * 1000.0 - (w * 1000.0).round()).abs() < 1e-3)
        );
        let mean = all.iter().sum::<f32>() / all.len() as f32;
        assert!((mean - 0.5).abs() < 0.03, "{mean}");
    }
}
