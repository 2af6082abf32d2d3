//! Springs and jiggle bones of one character: those of the file and those added by a script.

use std::cell::RefCell;
use std::sync::Arc;

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use galatea_anim::Skeleton;
use galatea_math::Trs;
use galatea_rig::jiggle::{Jiggle, Jiggling};
use galatea_rig::spring::{SpringInput, SpringSet, Springs, Tail};

/// Maximum number of spring sets and jiggle bones of one character.
pub const MAX_OWN: usize = 128;
/// Maximum number of spring joints of one character.
pub const MAX_JOINTS: usize = 4096;
/// Movement per tick above which it counts as a teleport, in body lengths.
pub(super) const JUMP: f32 = 1.0;

/// The body that springs and jiggle bones are attached to.
pub struct SwingingBody<'a> {
    /// Skeleton of the body.
    pub skeleton: &'a Skeleton,
    /// Pose of the clips; springs rotate a copy of it.
    pub locals: &'a [Trs],
    /// Matrices of the pose; springs overwrite those of the bones that they move.
    pub model_from_bone: &'a mut [Affine3A],
    /// World-from-model matrix of this tick.
    pub world_from_model: Affine3A,
    /// Movement per tick, world space, metres, above which it counts as a teleport; springs then move rigidly with the body.
    pub jump: f32,
}

/// Secondary motion of one character, computed after its pose.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Secondary {
    /// Springs in evaluation order; those of the file have id 0.
    pub springs: Vec<OwnSprings>,
    /// Jiggle bones, evaluated after the springs.
    pub jiggles: Vec<OwnJiggle>,
    /// World-from-model matrix of the previous tick.
    previous_world_from_model: Option<Affine3A>,
}

/// A set of springs of one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OwnSprings {
    /// Id of the set; 0 for the file's springs.
    pub id: u64,
    /// State of the springs.
    pub springs: Springs,
    /// The springs collide with the character's own body.
    pub on_body: bool,
}

/// A jiggle bone of one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OwnJiggle {
    /// Id of the jiggle bone.
    pub id: u64,
    /// State of the jiggle bone.
    pub jiggling: Jiggling,
    /// Bones below it, ascending.
    below: Vec<u16>,
}

thread_local! {
    /// Local transforms rotated by springs; the pose itself keeps the clips' transforms.
    static LOCALS: RefCell<Vec<Trs>> = const { RefCell::new(Vec::new()) };
}

impl Secondary {
    /// Creates the springs of the file.
    pub fn of_file(definition: &Definition) -> Self {
        let file = definition.model.springs.iter();
        Self {
            springs: file
                .map(|set| OwnSprings {
                    id: 0,
                    springs: Springs::new(set.clone(), &definition.model.skeleton),
                    on_body: false,
                })
                .collect(),
            ..Self::default()
        }
    }

    /// Adds a set of springs. With `on_body`, [`CharacterBody::refit_springs`](crate::CharacterBody::refit_springs) sets
    /// their colliders.
    pub fn add_springs(&mut self, id: u64, set: SpringSet, on_body: bool, skeleton: &Skeleton) {
        let springs = Springs::new(Arc::new(set), skeleton);
        self.springs.push(OwnSprings {
            id,
            springs,
            on_body,
        });
    }

    /// Adds a jiggle bone.
    pub fn add_jiggle(&mut self, id: u64, jiggle: Jiggle, skeleton: &Skeleton) {
        self.jiggles.push(OwnJiggle {
            id,
            jiggling: Jiggling::new(jiggle),
            below: below(skeleton, jiggle.bone),
        });
    }

    /// Removes the item with this id; returns false if there is none.
    pub fn remove(&mut self, id: u64) -> bool {
        let n = self.springs.len() + self.jiggles.len();
        self.springs.retain(|own| own.id != id);
        self.jiggles.retain(|own| own.id != id);
        self.springs.len() + self.jiggles.len() < n
    }

    /// Returns the blend weight of the item with this id, 0..=1.
    pub fn weight_mut(&mut self, id: u64) -> Option<&mut f32> {
        let springs = self.springs.iter_mut().filter(|own| own.id == id);
        let jiggles = self.jiggles.iter_mut().filter(|own| own.id == id);
        springs
            .map(|own| &mut own.springs.weight)
            .chain(jiggles.map(|own| &mut own.jiggling.weight))
            .next()
    }

    /// Resets the motion of the item with this id, or of all items for `None`.
    pub fn reset(&mut self, id: Option<u64>) {
        let is_it = |own: u64| id.is_none_or(|id| id == own);
        self.springs
            .iter_mut()
            .filter(|own| is_it(own.id))
            .for_each(|own| own.springs.reset());
        self.jiggles
            .iter_mut()
            .filter(|own| is_it(own.id))
            .for_each(|own| own.jiggling.reset());
    }

    /// Returns the number of joints of all springs.
    pub fn n_joints(&self) -> usize {
        self.springs.iter().map(|own| own.springs.n_joints()).sum()
    }

    /// Returns true when there are no springs and no jiggle bones.
    pub fn is_empty(&self) -> bool {
        self.springs.is_empty() && self.jiggles.is_empty()
    }

    /// Continues from the state of the character that this one replaces, for springs with the same joints.
    pub fn take_over(&mut self, was: &Self) {
        let mut known: Vec<&OwnSprings> = was.springs.iter().collect();
        for own in &mut self.springs {
            let same = |old: &&OwnSprings| has_same_joints(own.springs.set(), old.springs.set());
            if let Some(i) = known.iter().position(same) {
                own.springs.continue_from(&known.remove(i).springs);
            }
        }
        for own in &mut self.jiggles {
            let bone = own.jiggling.jiggle.bone;
            let mut old = was.jiggles.iter();
            if let Some(old) = old.find(|old| old.jiggling.jiggle.bone == bone) {
                own.jiggling.continue_from(&old.jiggling);
            }
        }
        self.previous_world_from_model = was.previous_world_from_model;
    }

    /// Rebinds by bone name after the model was replaced. Items whose bones no longer exist are removed. The file's springs
    /// are replaced by those of the new file.
    pub fn rebind(&mut self, was: &Skeleton, definition: &Definition) {
        let now = &definition.model.skeleton;
        let of = |bone: u16| {
            let name = &was.bones().get(usize::from(bone))?.name;
            now.find(name)
        };
        let scripted = std::mem::take(&mut self.springs);
        let scripted = scripted.into_iter().filter(|own| own.id != 0);
        let rebound: Vec<OwnSprings> = scripted
            .filter_map(|own| {
                let mut set = SpringSet::clone(own.springs.set());
                if own.on_body {
                    // The colliders of the new body are added later.
                    set.colliders.clear();
                }
                for joint in &mut set.joints {
                    joint.bone = of(joint.bone)?;
                    joint.center = joint.center.and_then(of);
                    if let Tail::Bone(tail) = &mut joint.tail {
                        *tail = of(*tail)?;
                    }
                }
                for collider in &mut set.colliders {
                    collider.bone = of(collider.bone)?;
                }
                let mut springs = Springs::new(Arc::new(set), now);
                springs.weight = own.springs.weight;
                Some(OwnSprings { springs, ..own })
            })
            .collect();
        self.springs = Self::of_file(definition).springs;
        self.springs.extend(rebound);
        let jiggles = std::mem::take(&mut self.jiggles);
        for own in jiggles {
            let Some(bone) = of(own.jiggling.jiggle.bone) else {
                continue;
            };
            let mut jiggling = Jiggling::new(Jiggle {
                bone,
                ..own.jiggling.jiggle
            });
            jiggling.weight = own.jiggling.weight;
            self.jiggles.push(OwnJiggle {
                jiggling,
                below: below(now, bone),
                ..own
            });
        }
    }

    /// Advances springs and jiggle bones by `dt` seconds and updates the bone matrices; with 0 no time passes.
    pub fn advance(&mut self, body: SwingingBody<'_>, dt: f64, wind: &dyn Fn(Vec3) -> Vec3) {
        if self.is_empty() {
            return;
        }
        let world = body.world_from_model;
        let before = self
            .previous_world_from_model
            .replace(world)
            .unwrap_or(world);
        let distance = Vec3::from(world.translation - before.translation).length();
        let is_jump = distance > body.jump && before.inverse().is_finite();
        let jump = is_jump.then(|| world * before.inverse());
        LOCALS.with_borrow_mut(|locals| {
            locals.clear();
            locals.extend_from_slice(body.locals);
            let mut input = SpringInput {
                skeleton: body.skeleton,
                locals,
                model_from_bone: body.model_from_bone,
                world_from_model: world,
                dt,
                wind,
            };
            for own in &mut self.springs {
                if let Some(by) = jump {
                    own.springs.teleport(by);
                }
                own.springs.advance(&mut input);
            }
            for own in &mut self.jiggles {
                if let Some(by) = jump {
                    own.jiggling.teleport(by);
                }
                own.jiggling.advance(&mut input, &own.below);
            }
        });
    }
}

fn has_same_joints(a: &SpringSet, b: &SpringSet) -> bool {
    let pairs = || a.joints.iter().zip(&b.joints);
    a.joints.len() == b.joints.len()
        && pairs().all(|(a, b)| a.bone == b.bone && a.tail == b.tail && a.center == b.center)
}

fn below(skeleton: &Skeleton, top: u16) -> Vec<u16> {
    let mut is_below = vec![false; skeleton.len()];
    let mut found = Vec::new();
    for (i, bone) in skeleton.bones().iter().enumerate() {
        let Some(parent) = bone.parent else { continue };
        if parent == top || is_below[usize::from(parent)] {
            is_below[i] = true;
            found.push(i as u16);
        }
    }
    found
}
