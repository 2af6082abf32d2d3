//! First-person view of a character: the position of the eyes, and the parts hidden in that view.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::loaded_model::LoadedModel;
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive, SeenFrom};
use galatea_rig::gaze::GazeRig;

/// First-person viewpoint of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnEyes {
    /// Head bone.
    pub head: u16,
    /// Midpoint between the eyes in head space, metres.
    pub middle: Vec3,
    /// Triangles of the character that are drawn in its own view.
    pub headless: Arc<Headless>,
    /// For each bone: true if it is the head or below it.
    on_head: Vec<bool>,
}

/// Triangles of a model that are drawn in its own first-person view: everything except the head, as defined by `firstPerson`
/// of VRM (1.0, `meshAnnotations`). The complete model casts its shadow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headless {
    /// By part and primitive: the triangles to draw; `None` draws the primitive unchanged.
    parts: Vec<Vec<Option<Vec<u32>>>>,
}

impl Headless {
    /// Hides a whole model, for example hair on the head.
    pub fn nothing(model: &Model) -> Self {
        let n = |part: &Part| model.meshes[part.mesh].primitives.len();
        let parts = model.parts.iter();
        Self {
            parts: parts.map(|part| vec![Some(Vec::new()); n(part)]).collect(),
        }
    }

    /// Hides the triangles with a corner on one of the flagged bones.
    fn of(model: &Model, on_head: &[bool]) -> Self {
        let is_on = |bone: u16| on_head.get(usize::from(bone)) == Some(&true);
        let parts = model.parts.iter().map(|part| {
            let primitives = &model.meshes[part.mesh].primitives;
            let all = |drawn: Option<Vec<u32>>| vec![drawn; primitives.len()];
            match (model.seen_from(part.bone), part.skin) {
                (SeenFrom::Both | SeenFrom::OwnEyes, _) => all(None),
                (SeenFrom::Outside, _) => all(Some(Vec::new())),
                (SeenFrom::Auto, None) if is_on(part.bone) => all(Some(Vec::new())),
                (SeenFrom::Auto, None) => all(None),
                (SeenFrom::Auto, Some(skin)) => {
                    let joints = &model.skins[skin].joints;
                    let heads: Vec<bool> = joints.iter().map(|bone| is_on(*bone)).collect();
                    primitives.iter().map(|own| without(own, &heads)).collect()
                }
            }
        });
        Self {
            parts: parts.collect(),
        }
    }

    /// Returns the triangles that replace those of a primitive; `None` draws the primitive unchanged.
    pub fn triangles(&self, part: usize, primitive: usize) -> Option<&[u32]> {
        self.parts.get(part)?.get(primitive)?.as_deref()
    }
}

/// Returns the triangles of a primitive without corners on the flagged joints; `None` if that is all of them.
fn without(primitive: &Primitive, joints: &[bool]) -> Option<Vec<u32>> {
    let influences = &primitive.influences;
    let n = influences.per_vertex;
    let follows = |vertex: u32| {
        let range = vertex as usize * n..(vertex as usize + 1) * n;
        let weights = influences.weights.get(range.clone()).unwrap_or_default();
        let own = influences.joints.get(range).unwrap_or_default();
        let pairs = own.iter().zip(weights);
        pairs
            .into_iter()
            .any(|(joint, weight)| *weight > 0.0 && joints.get(usize::from(*joint)) == Some(&true))
    };
    let triangles = primitive.indices.chunks_exact(3);
    let kept = triangles.filter(|corners| !corners.iter().any(|corner| follows(*corner)));
    let kept: Vec<u32> = kept.flatten().copied().collect();
    (kept.len() < primitive.indices.len()).then_some(kept)
}

impl OwnEyes {
    /// Finds the eyes of a model by its gaze rig.
    pub(super) fn of(loaded: &LoadedModel, gaze: &GazeRig) -> Self {
        let model = &loaded.model;
        let head = gaze.head.bone;
        let mut on_head = vec![false; model.skeleton.len()];
        for (i, bone) in model.skeleton.bones().iter().enumerate() {
            let parent = bone.parent.map(usize::from);
            on_head[i] = i == usize::from(head) || parent.is_some_and(|parent| on_head[parent]);
        }
        Self {
            head,
            middle: gaze.eye_middle,
            headless: Arc::new(Headless::of(model, &on_head)),
            on_head,
        }
    }

    /// Returns true if a bone is the head or below it.
    pub fn is_on_head(&self, bone: u16) -> bool {
        self.on_head.get(usize::from(bone)) == Some(&true)
    }

    /// Returns the drawn triangles of a patch on its skin.
    pub fn headless_of(&self, patch: &Model) -> Headless {
        Headless::of(patch, &self.on_head)
    }

    /// Returns the eye position in the world.
    pub fn position(&self, world: &Affine3A, model_from_bone: &[Affine3A]) -> Option<Vec3> {
        let head = model_from_bone.get(usize::from(self.head))?;
        let place = (*world * *head).transform_point3(self.middle);
        place.is_finite().then_some(place)
    }
}
