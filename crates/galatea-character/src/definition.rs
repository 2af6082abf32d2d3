//! Data that all instances of one model share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::decal_surfaces::DecalSurfaces;
use super::definition_source::DefinitionSource;
use super::eyes::EyeSurroundings;
use super::face::face_rig;
use super::iris::visible_range;
use super::loaded_model::LoadedModel;
use super::look_morphs::LookMorphs;
use super::made_clip::MadeClip;
use super::own_eyes::OwnEyes;
use super::own_motion::OwnMotion;
use super::skin_triangles::{SkinTriangle, triangles_at_rest};
use super::soles::soles;
use super::wrinkles::WrinkleRig;
use galatea_anim::humanoid::Role;
use galatea_asset::{Lods, Model};
use galatea_face::{FaceRig, ShapeSet};
use galatea_math::Trs;
use galatea_physics::ragdoll::{RagdollChoices, RagdollDefinition};
use galatea_rig::fingers::HandRig;
use galatea_rig::foot_ik::{LegRig, RestSkeleton};
use galatea_rig::gaze::{EyeRange, GazeRig};
use galatea_rig::helper::{HelperSpec, Helpers};
use galatea_rig::lean_and_warp::HipSpineRig;
use galatea_rig::stand::standing;
use galatea_rig::two_bone::Limb;

/// A loaded model and data derived from it on first use. Immutable; shared by `Arc`.
#[derive(Debug)]
pub struct Definition {
    /// The model and its clips; [`Definition`] derefs to it.
    loaded: LoadedModel,
    /// Origin of the model.
    source: DefinitionSource,
    /// Clips that scripts added, in this order.
    made: Vec<Arc<MadeClip>>,
    own_motions: Vec<OnceLock<OwnMotion>>,
    ragdoll: OnceLock<Arc<RagdollDefinition>>,
    legs: OnceLock<Result<Arc<LegRig>, String>>,
    look_morphs: OnceLock<Arc<LookMorphs>>,
    wrinkles: OnceLock<WrinkleRig>,
    decal_surfaces: OnceLock<Arc<DecalSurfaces>>,
    lods: OnceLock<Arc<Lods>>,
    face: OnceLock<Arc<FaceRig>>,
    shapes: OnceLock<Arc<ShapeSet>>,
    eyes: OnceLock<Arc<[EyeSurroundings]>>,
    visible_eye_range: OnceLock<EyeRange>,
    own_eyes: OnceLock<Option<OwnEyes>>,
    helpers: OnceLock<Vec<HelperSpec>>,
    loose: OnceLock<Vec<bool>>,
    standing: OnceLock<Option<Vec<Trs>>>,
    skin_triangles: OnceLock<Vec<(SkinTriangle, f32)>>,
    pub(super) hands: OnceLock<[Result<Arc<HandRig>, String>; 2]>,
}

impl Deref for Definition {
    type Target = LoadedModel;

    fn deref(&self) -> &LoadedModel {
        &self.loaded
    }
}

impl Definition {
    /// Creates the shared data of a model.
    ///
    /// Packs the authored clips. If nothing else holds the model, its unpacked clips are dropped.
    pub fn new(model: Arc<Model>) -> Self {
        let loaded = LoadedModel::new(model);
        Self {
            own_motions: own_motions(&loaded),
            ragdoll: OnceLock::new(),
            legs: OnceLock::new(),
            look_morphs: OnceLock::new(),
            wrinkles: OnceLock::new(),
            decal_surfaces: OnceLock::new(),
            lods: OnceLock::new(),
            face: OnceLock::new(),
            shapes: OnceLock::new(),
            eyes: OnceLock::new(),
            visible_eye_range: OnceLock::new(),
            own_eyes: OnceLock::new(),
            helpers: OnceLock::new(),
            loose: OnceLock::new(),
            standing: OnceLock::new(),
            skin_triangles: OnceLock::new(),
            hands: OnceLock::new(),
            source: DefinitionSource::Generated,
            made: Vec::new(),
            loaded,
        }
    }

    /// Sets where it comes from. A saved game stores this instead of the model.
    #[must_use]
    pub fn with_source(mut self, source: DefinitionSource) -> Self {
        self.source = source;
        self
    }

    /// Origin of the model.
    pub fn source(&self) -> &DefinitionSource {
        &self.source
    }

    /// Clips that scripts added, in the order of [`Definition::with_made`].
    pub fn made(&self) -> &[Arc<MadeClip>] {
        &self.made
    }

    /// Returns simplified meshes for distant views, built on first use.
    pub fn lods(&self) -> &Arc<Lods> {
        self.lods.get_or_init(|| Arc::new(Lods::of(&self.model)))
    }

    /// Returns for each bone whether the file's springs move it.
    pub fn is_loose(&self) -> &[bool] {
        self.loose.get_or_init(|| {
            let springs = self.model.springs.as_deref();
            let joints = springs.map_or(&[][..], |set| &set.joints);
            let bones = self.model.skeleton.bones();
            let mut is_loose = vec![false; bones.len()];
            for (i, bone) in bones.iter().enumerate() {
                let above = bone.parent.is_some_and(|p| is_loose[usize::from(p)]);
                is_loose[i] = above || joints.iter().any(|joint| usize::from(joint.bone) == i);
            }
            is_loose
        })
    }

    /// Returns the motion that a clip has on its own, measured on first use.
    ///
    /// # Panics
    /// Panics if the clip does not exist.
    pub fn own_motion(&self, clip: usize) -> &OwnMotion {
        self.own_motions[clip].get_or_init(|| OwnMotion::measure(self, clip))
    }

    /// Returns the standing pose used without a clip, if it differs from the rest pose: local transforms, one per bone.
    pub fn standing(&self) -> Option<&[Trs]> {
        let stand = || {
            standing(
                &self.model.skeleton,
                self.clips.humanoid(),
                &self.rest.locals,
            )
        };
        self.standing.get_or_init(stand).as_deref()
    }

    /// Returns all triangles of the skin with their areas in the rest pose, square metres, measured on first use.
    pub(super) fn skin_triangles(&self) -> &[(SkinTriangle, f32)] {
        let measure = || triangles_at_rest(&self.loaded);
        self.skin_triangles.get_or_init(measure)
    }

    /// Returns the ragdoll built from the model and the settings in its file, on first use.
    pub fn ragdoll(&self) -> &Arc<RagdollDefinition> {
        self.ragdoll.get_or_init(|| {
            let options = RagdollChoices::default();
            let made = self.ragdoll_with(&options);
            Arc::new(made.unwrap_or_default())
        })
    }

    /// Returns its legs, found on first use.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn legs(&self) -> Result<Arc<LegRig>, String> {
        let found = self.legs.get_or_init(|| {
            let rest = RestSkeleton {
                skeleton: &self.model.skeleton,
                humanoid: self.clips.humanoid(),
                model_from_bone: &self.rest_matrices(),
                lowest: self.rest_box[0].y,
                soles: &soles(self),
            };
            LegRig::of(&rest).map(Arc::new)
        });
        found.clone()
    }

    /// Returns the bones that carry the whole body: hips and spine.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn hip_spine_rig(&self) -> Result<Arc<HipSpineRig>, String> {
        let humanoid = self.clips.humanoid();
        let legs = || Some(self.legs().ok()?.body);
        let Some(hips) = humanoid.bone(Role::Hips).or_else(legs) else {
            return Err("the model has no hips, the bone above the legs".into());
        };
        let roles = [Role::Spine, Role::Chest, Role::UpperChest];
        let spine = roles.into_iter().filter_map(|role| humanoid.bone(role));
        let place = self.rest_positions.get(usize::from(hips));
        Ok(Arc::new(HipSpineRig {
            hips,
            spine: spine.collect(),
            height: place.map_or(0.0, |place| place.y - self.rest_box[0].y),
        }))
    }

    /// Returns constraints and helper bones of the file, and bones named as twist bones that nothing else moves.
    pub fn helpers(&self) -> &[HelperSpec] {
        self.helpers.get_or_init(|| {
            let model = &self.model;
            let skeleton = &model.skeleton;
            let mut all = model.constraints.clone();
            all.extend(model.helpers.iter().cloned());
            let is_helped = |bone: u16| {
                let name = &skeleton.bones()[usize::from(bone)].name;
                all.iter().any(|spec| spec.bones.contains(name))
            };
            let clips = 0..self.clips.len();
            let mut is_moved = vec![false; skeleton.len()];
            for bone in clips.flat_map(|clip| self.clips.touched_bones(clip)) {
                is_moved[usize::from(bone)] = true;
            }
            let is_moved = |bone: u16| is_helped(bone) || is_moved[usize::from(bone)];
            let rest = &self.rest.locals;
            let found = HelperSpec::found_in(skeleton, rest, self.clips.humanoid(), is_moved);
            let together = [&all[..], &found].concat();
            let bound: Result<Vec<_>, _> =
                together.iter().map(|s| s.bind(skeleton, rest)).collect();
            // Twist bones guessed by name are dropped if they conflict with the file.
            if bound.is_ok_and(|bound| Helpers::new(bound).is_ok()) {
                together
            } else {
                all
            }
        })
    }

    /// Returns surface data for decals, computed on first use.
    pub fn decal_surfaces(&self) -> &DecalSurfaces {
        self.decal_surfaces
            .get_or_init(|| Arc::new(DecalSurfaces::new(&self.model)))
    }

    /// Returns the wrinkle regions of the skin, found on first use.
    pub fn wrinkles(&self) -> &WrinkleRig {
        self.wrinkles
            .get_or_init(|| WrinkleRig::of(self, || self.face_rig()))
    }

    /// Returns the morph targets for gaze and blinking.
    pub fn look_morphs(&self) -> Arc<LookMorphs> {
        let found = self
            .look_morphs
            .get_or_init(|| Arc::new(LookMorphs::of(self)));
        found.clone()
    }

    /// Returns its face shapes: morph targets named `shape.…`, found on first use.
    pub fn shapes(&self) -> Arc<ShapeSet> {
        let found = self.shapes.get_or_init(|| {
            let names: Vec<&str> = self.target_names();
            Arc::new(ShapeSet::new(&names, &self.rest.morphs))
        });
        found.clone()
    }

    /// Returns the vertices around each eye bone, found on first use.
    pub(super) fn eye_surroundings(&self) -> Arc<[EyeSurroundings]> {
        let found = self.eyes.get_or_init(|| EyeSurroundings::of(self).into());
        found.clone()
    }

    /// Returns the range of eye rotation in which the irises stay visible, measured on first use.
    pub(super) fn visible_eye_range(&self, gaze: &GazeRig) -> EyeRange {
        *self
            .visible_eye_range
            .get_or_init(|| visible_range(self, gaze))
    }

    /// Returns the limb of three bones, or `None` if they have zero length.
    pub fn limb(&self, bones: [u16; 3]) -> Option<Limb> {
        let humanoid = self.clips.humanoid();
        let leg = [Role::LeftFoot, Role::RightFoot];
        let is_leg = leg
            .iter()
            .any(|role| humanoid.bone(*role) == Some(bones[2]));
        // Knees bend forward, elbows back and down.
        let side = if is_leg {
            Vec3::Z
        } else {
            Vec3::new(0.0, -0.5, -1.0)
        };
        let bends = humanoid.model_from_character * side;
        let skeleton = &self.model.skeleton;
        let [upper, lower, end] = bones;
        Limb::of(skeleton, upper, lower, end, bends)
    }

    /// Returns the distances from root to end of a limb, fully bent and fully stretched, metres.
    pub fn limb_reach(&self, limb: &Limb) -> [f32; 2] {
        let place = |bone: u16| self.rest_positions.get(usize::from(bone)).copied();
        let places = [limb.upper, limb.lower, limb.end].map(place);
        let [Some(root), Some(middle), Some(end)] = places else {
            return [0.0; 2];
        };
        let (a, b) = (root.distance(middle), middle.distance(end));
        [limb.min_angle, limb.max_angle]
            .map(|angle| (a * a + b * b - 2.0 * a * b * angle.cos()).max(0.0).sqrt())
    }

    /// Sets the origin of each clip; clips without a new origin keep theirs.
    #[must_use]
    pub fn with_origins(mut self, origins: impl IntoIterator<Item = Arc<str>>) -> Self {
        for (slot, origin) in self.loaded.origins.iter_mut().zip(origins) {
            *slot = origin;
        }
        self
    }

    /// Returns this definition with additional clips made by a script. The model and the existing clips are shared, not
    /// copied. Returns the definition itself if `made` is empty.
    ///
    /// # Errors
    /// Returns all errors: a clip's name is already used, or the model lacks bones or morph targets that the clip names.
    pub fn with_made(self: &Arc<Self>, made: &[Arc<MadeClip>]) -> Result<Arc<Self>, Vec<String>> {
        let mut out = self.clone();
        for clip in made {
            out = Arc::new(out.with_one(clip)?);
        }
        Ok(out)
    }

    fn with_one(&self, made: &Arc<MadeClip>) -> Result<Self, Vec<String>> {
        let loaded = self.loaded.with_clip(made)?;
        Ok(Self {
            own_motions: own_motions(&loaded),
            ragdoll: self.ragdoll.clone(),
            legs: self.legs.clone(),
            look_morphs: self.look_morphs.clone(),
            wrinkles: OnceLock::new(),
            decal_surfaces: self.decal_surfaces.clone(),
            lods: self.lods.clone(),
            face: self.face.clone(),
            shapes: self.shapes.clone(),
            eyes: self.eyes.clone(),
            visible_eye_range: self.visible_eye_range.clone(),
            own_eyes: self.own_eyes.clone(),
            helpers: OnceLock::new(),
            loose: OnceLock::new(),
            standing: OnceLock::new(),
            skin_triangles: OnceLock::new(),
            hands: self.hands.clone(),
            source: self.source.clone(),
            made: [&self.made[..], std::slice::from_ref(made)].concat(),
            loaded,
        })
    }

    /// Returns its face rig, built on first use.
    pub fn face_rig(&self) -> Arc<FaceRig> {
        let found = self.face.get_or_init(|| Arc::new(face_rig(self)));
        found.clone()
    }

    /// Returns the first-person view data, computed on first use; `None` without a head.
    pub fn own_eyes(&self) -> Option<&OwnEyes> {
        let found = || Some(OwnEyes::of(self, &*self.gaze_rig().ok()?));
        self.own_eyes.get_or_init(found).as_ref()
    }
}

/// Returns empty cells for the measured motion of each clip.
fn own_motions(loaded: &LoadedModel) -> Vec<OnceLock<OwnMotion>> {
    loaded.clips.iter().map(|_| OnceLock::new()).collect()
}
