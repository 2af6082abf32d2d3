//! Random specs on random skeletons: each is refused with a message, or the pose stays finite.

use super::super::{DriverTarget, Example, Measured};
use super::*;

/// Deterministic pseudorandom numbers.
struct RandomSource(u64);

impl RandomSource {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }

    /// Mostly normal numbers, sometimes zero, huge or NaN.
    fn number(&mut self) -> f32 {
        match self.below(24) {
            0 => 0.0,
            1 => 1e30,
            2 => f32::NAN,
            3 => -180.0,
            _ => self.below(2001) as f32 / 500.0 - 2.0,
        }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(4) > 0).then(|| make(self))
    }

    fn one<T: Copy>(&mut self, list: &[(&str, T)]) -> T {
        list[self.below(list.len())].1
    }

    fn name(&mut self, n_bones: usize) -> String {
        format!("b{}", self.below(n_bones + 1))
    }

    fn local(&mut self) -> Trs {
        let mut number = || self.below(2001) as f32 / 1000.0 - 1.0;
        let translation = Vec3::new(number(), number(), number());
        let rotation = Quat::from_xyzw(number(), number(), number(), 1.1).normalize();
        let scale = Vec3::new(number(), 1.0, 1.5);
        match self.below(4) {
            0 => turned(at(0., 0., 0.), rotation),
            1 => Trs {
                scale: Vec3::ZERO,
                ..Trs::IDENTITY
            },
            _ => Trs {
                translation,
                rotation,
                scale,
            },
        }
    }

    fn spec(&mut self, n_bones: usize) -> HelperSpec {
        let n_points = self.below(4);
        HelperSpec {
            bones: (0..1 + self.below(7) / 5)
                .map(|_| self.name(n_bones))
                .collect(),
            source: self.maybe(|c| c.name(n_bones)),
            from: self.maybe(|c| c.name(n_bones)),
            hold: (self.below(5) == 0).then(|| self.name(n_bones)),
            weights: (0..self.below(3)).map(|_| self.number()).collect(),
            axis: self.maybe(Self::vector),
            middle: self.number(),
            measure: self.maybe(|c| c.one(&Measured::ALL)),
            output: self.maybe(|c| c.one(&DriverTarget::ALL)),
            direction: self.maybe(Self::vector),
            curve: (0..n_points)
                .map(|i| [i as f32 * 10.0, self.number()])
                .collect(),
            is_smooth: self.below(2) == 0,
            amount: self.maybe(Self::number),
            full_angle: self.maybe(Self::number),
            example: self.maybe(|c| match c.below(2) {
                0 => Example::FromRest(c.vector()),
                _ => Example::Local(Quat::from_xyzw(c.number(), 0.0, 0.0, c.number())),
            }),
            radius: self.maybe(Self::number),
            morph: self.maybe(|_| "m".into()),
            min: self.maybe(Self::vector),
            max: self.maybe(Self::vector),
            ..HelperSpec::new(self.one(&HelperKind::ALL))
        }
    }
}

#[test]
fn random_specs_are_refused_with_a_message_or_leave_a_finite_pose() {
    let mut chance = RandomSource(5);
    let (mut n_bound, mut n_refused, mut n_circles) = (0, 0, 0);
    for _ in 0..3000 {
        let n_bones = 2 + chance.below(7);
        let names: Vec<String> = (0..n_bones).map(|i| format!("b{i}")).collect();
        let bones: Vec<(&str, Option<u16>, Trs)> = names
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let parent = (i > 0).then(|| chance.below(i) as u16);
                (name.as_str(), parent, chance.local())
            })
            .collect();
        let mut rig = rig(&bones);
        let rest: Vec<Trs> = rig.skeleton.rest().collect();
        let mut specs = Vec::new();
        for _ in 0..4 {
            let spec = chance.spec(n_bones);
            match spec.bind(&rig.skeleton, &rest) {
                Ok(_) => specs.push(spec),
                Err(error) => {
                    n_refused += 1;
                    assert!(error.to_string().contains(spec.kind.name()), "{error}");
                }
            }
        }
        for local in &mut rig.locals {
            *local = chance.local();
        }
        match rig.bind(&specs) {
            Err(HelperError::Circle { .. }) => n_circles += 1,
            Err(error) => panic!("{error}"),
            Ok(_) => {
                n_bound += specs.len();
                let weights = rig.apply(&specs);
                assert!(
                    weights.iter().all(|(_, weight)| weight.is_finite()),
                    "{specs:?}"
                );
            }
        }
        for local in &rig.locals {
            assert!(local.is_finite(), "{specs:?}");
            assert!((local.rotation.length() - 1.0).abs() < 1e-5, "{specs:?}");
        }
    }
    assert!(
        n_bound > 1000 && n_refused > 3000 && n_circles > 5,
        "{n_bound} {n_refused} {n_circles}"
    );
}
