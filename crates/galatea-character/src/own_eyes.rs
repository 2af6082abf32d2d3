//! A character seen through its own eyes: where these are, and what of it is not drawn then.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::loaded_model::LoadedModel;
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive, SeenFrom};
use galatea_rig::gaze::GazeRig;

/// Where a character sees from.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnEyes {
    /// The bone that carries the eyes.
    pub head: u16,
    /// The middle between them in the head's space, metres.
    pub middle: Vec3,
    /// What of it is seen from there.
    pub headless: Arc<Headless>,
    /// Of each bone, whether it is the head or hangs on it.
    on_head: Vec<bool>,
}

/// What of a model is drawn to who looks through its eyes: all but the head, as `firstPerson` of VRM asks (1.0,
/// `meshAnnotations`). It throws its whole shadow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headless {
    /// Of each part, of each of its primitives: `None` is drawn as it is.
    parts: Vec<Vec<Option<Vec<u32>>>>,
}

impl Headless {
    /// Nothing of a model, as of hair on the head.
    pub fn nothing(model: &Model) -> Self {
        let n = |part: &Part| model.meshes[part.mesh].primitives.len();
        let parts = model.parts.iter();
        Self {
            parts: parts.map(|part| vec![Some(Vec::new()); n(part)]).collect(),
        }
    }

    /// All but the triangles of which a corner hangs on one of these bones (by bone).
    fn of(model: &Model, on_head: &[bool]) -> Self {
        let is_on = |bone: u16| on_head.get(usize::from(bone)) == Some(&true);
        let parts = model.parts.iter().map(|part| {
            let primitives = &model.meshes[part.mesh].primitives;
            let all = |what: Option<Vec<u32>>| vec![what; primitives.len()];
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

    /// The triangles of a primitive of a part that are drawn in place of its own; `None` draws these.
    pub fn triangles(&self, part: usize, primitive: usize) -> Option<&[u32]> {
        self.parts.get(part)?.get(primitive)?.as_deref()
    }
}

/// The triangles of a primitive none of whose corners follows one of these joints; `None` where that is all of them.
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

    /// Whether a bone is the head or hangs on it.
    pub fn is_on_head(&self, bone: u16) -> bool {
        self.on_head.get(usize::from(bone)) == Some(&true)
    }

    /// What is seen from there of something that lies on its skin.
    pub fn headless_of(&self, patch: &Model) -> Headless {
        Headless::of(patch, &self.on_head)
    }

    /// Where they are in the world.
    pub fn place(&self, world: &Affine3A, model_from_bone: &[Affine3A]) -> Option<Vec3> {
        let head = model_from_bone.get(usize::from(self.head))?;
        let place = (*world * *head).transform_point3(self.middle);
        place.is_finite().then_some(place)
    }
}
