//! A model with its clips, and data derived from both when the model is loaded.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::clips::{clip_set, pack_with_motion};
use super::extent::{each_deformed, extent_of_bones, rest_boxes};
use super::following::with_followers;
use super::made_clip::MadeClip;
use super::surface::{MaterialCurve, at_rest, driven};
use galatea_anim::contacts::FootBones;
use galatea_anim::humanoid::Role;
use galatea_anim::{ClipSet, MAX_INTERVALS, Markers, PackedClip, PlayMode, Pose, local_to_model};
use galatea_asset::Model;
use galatea_deform::{PaletteLayout, PartBounds, build_palette, part_bounds};
use galatea_physics::ragdoll::{RagdollChoices, RagdollDefinition, RagdollError};
use galatea_rig::gaze::GazeRig;
use galatea_rig::idle_motion::IdleMotionRig;

/// A model, its clips and data derived from both when the model is loaded.
#[derive(Debug)]
pub struct LoadedModel {
    /// The loaded file, without its clips.
    pub model: Arc<Model>,
    /// The packed clips.
    pub clips: ClipSet,
    /// Layout of the matrix palette.
    pub layout: PaletteLayout,
    /// First morph weight of each part in [`Pose::morphs`].
    pub morph_start: Vec<usize>,
    /// The rest pose with the file's morph weights.
    pub rest: Pose,
    /// Bounding spheres of the vertices that each palette matrix moves.
    pub bounds: PartBounds,
    /// Marks that each clip brought along.
    pub markers: Vec<Arc<Markers>>,
    /// Origin of each clip: the model's file or another file, or [`FROM_SCRIPT`].
    pub origins: Vec<Arc<str>>,
    /// Default play mode of each clip.
    pub modes: Vec<Option<PlayMode>>,
    /// The clip played when nothing else plays: the shortest name that contains `idle`, else the clip named `stand`.
    pub idle: Option<usize>,
    /// Left and right foot, see [`FootBones::of`].
    pub feet: [Option<u16>; 2],
    /// Curves that drive material values.
    pub(super) driven: Vec<MaterialCurve>,
    /// For each bone: true if it moves a vertex. All true if no bone is known to move one.
    pub(super) shown: Vec<bool>,
    /// Centre and radius of the bounding sphere at rest, model space, metres.
    pub rest_bounds: (Vec3, f32),
    /// Minimum and maximum corner of the vertices at rest, model space, metres; zeros if there are none.
    pub rest_box: [Vec3; 2],
    /// The same box for a human body without its arms and held objects; for other models equal to `rest_box`.
    pub trunk_box: [Vec3; 2],
    /// Rest position of each bone, model space, metres.
    pub(super) rest_positions: Vec<Vec3>,
}

/// Origin of clips that a script made.
pub const FROM_SCRIPT: &str = "script";

impl LoadedModel {
    /// Creates the shared data of a model.
    ///
    /// Packs the authored clips. If nothing else holds the model, its unpacked clips are dropped.
    pub fn new(model: Arc<Model>) -> Self {
        let (model, clips) = match Arc::try_unwrap(model) {
            Ok(mut own) => {
                let clips = std::mem::take(&mut own.clips);
                (Arc::new(own), clips)
            }
            Err(shared) => {
                let clips = shared.clips.clone();
                (shared, clips)
            }
        };
        let (humanoid, _) = model.humanoid();
        let model = with_followers(model, &humanoid);
        let mut morphs = Vec::new();
        let morph_start = model
            .parts
            .iter()
            .map(|part| {
                let start = morphs.len();
                morphs.extend(&part.morph_weights);
                start
            })
            .collect::<Vec<_>>();
        let rest = Pose {
            locals: model.skeleton.rest().collect(),
            morphs,
            curves: Vec::new(),
        };
        let clips = clip_set(&model, &clips, humanoid, rest, morph_start.clone())
            .with_curves_at_rest(|curve| at_rest(&model, curve));
        let rest = clips.rest().clone();
        let bounds = part_bounds(&model);
        let (mut matrices, mut palette) = (Vec::new(), Vec::new());
        local_to_model(&model.skeleton, &rest.locals, &mut matrices);
        build_palette(&model, &matrices, &mut palette);
        let is_bare = model.parts.is_empty();
        let [rest_box, trunk_box] = match is_bare {
            true => [extent_of_bones(&matrices); 2],
            false => rest_boxes(&model, clips.humanoid(), &palette, &rest.morphs),
        };
        let rest_bounds = match is_bare {
            true => {
                let [low, high] = rest_box;
                ((low + high) * 0.5, (high - low).length() * 0.5)
            }
            false => bounds.posed(&palette),
        };
        Self {
            layout: PaletteLayout::new(&model),
            morph_start,
            rest,
            rest_bounds,
            rest_box,
            trunk_box,
            rest_positions: matrices.iter().map(|m| m.translation.into()).collect(),
            shown: bounds.moved_bones(&model),
            bounds,
            markers: clips.iter().map(clip_markers).collect(),
            origins: vec![Arc::from(model.name.as_str()); clips.len()],
            modes: vec![None; clips.len()],
            idle: find_idle(&clips),
            feet: FootBones::of(&model.skeleton, clips.humanoid()).pair(),
            driven: driven(&model, clips.curve_names()),
            clips,
            model,
        }
    }

    /// Returns the bone with this name, or with this humanoid role (`left_hand`).
    pub fn bone(&self, name: &str) -> Option<u16> {
        let role = || self.clips.humanoid().bone(Role::from_name(name)?);
        self.model.skeleton.find(name).or_else(role)
    }

    /// Returns the model-from-bone matrix at rest; the identity for a bone that does not exist.
    pub fn rest_matrix(&self, bone: u16) -> Affine3A {
        let bones = self.model.skeleton.bones();
        let above = |i: &u16| bones.get(usize::from(*i)).and_then(|bone| bone.parent);
        let mut matrix = Affine3A::IDENTITY;
        for i in std::iter::successors(Some(bone), above) {
            let local = self.rest.locals.get(usize::from(i));
            matrix = local.map_or(Affine3A::IDENTITY, |l| l.to_affine()) * matrix;
        }
        matrix
    }

    /// Returns the model-from-bone matrices at rest.
    pub fn rest_matrices(&self) -> Vec<Affine3A> {
        let mut matrices = Vec::new();
        local_to_model(&self.model.skeleton, &self.rest.locals, &mut matrices);
        matrices
    }

    /// Returns its triangles at rest, model space, metres: vertices, three vertex indices per triangle, and the material
    /// index per triangle.
    pub fn rest_mesh(&self) -> (Vec<Vec3>, Vec<[u32; 3]>, Vec<usize>) {
        let (mut matrices, mut palette) = (Vec::new(), Vec::new());
        local_to_model(&self.model.skeleton, &self.rest.locals, &mut matrices);
        build_palette(&self.model, &matrices, &mut palette);
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        let mut materials = Vec::new();
        each_deformed(
            &self.model,
            &palette,
            &self.rest.morphs,
            |_, primitive, deformed| {
                let first = corners.len() as u32;
                corners.extend_from_slice(&deformed.positions);
                let indices = primitive.indices.chunks_exact(3);
                triangles.extend(indices.map(|t| [t[0] + first, t[1] + first, t[2] + first]));
                materials.resize(triangles.len(), primitive.material);
            },
        );
        (corners, triangles, materials)
    }

    /// Returns the bones used for gaze.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn gaze_rig(&self) -> Result<Arc<GazeRig>, String> {
        let rig = GazeRig::find(&self.model.skeleton, self.clips.humanoid());
        let mut rig = rig.map_err(|why| why.to_string())?;
        let look = self.model.look_at.as_ref();
        if let Some(offset) = look.and_then(|look| look.offset) {
            rig.set_eye_position(offset);
        }
        Ok(Arc::new(rig))
    }

    /// Returns the bones used for breathing and swaying.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn idle_motion_rig(&self) -> Result<Arc<IdleMotionRig>, String> {
        let rig = IdleMotionRig::find(&self.model.skeleton, self.clips.humanoid());
        rig.map(Arc::new).map_err(|why| why.to_string())
    }

    /// Builds a ragdoll with the given options.
    ///
    /// # Errors
    /// Fails like [`RagdollDefinition::of`].
    pub fn ragdoll_with(
        &self,
        options: &RagdollChoices,
    ) -> Result<RagdollDefinition, RagdollError> {
        let humanoid = self.clips.humanoid();
        RagdollDefinition::of(&self.model, humanoid, &self.rest.locals, options)
    }

    /// Returns the name of the morph target at an index into [`Pose::morphs`]; empty if there is none.
    pub fn morph_name(&self, index: usize) -> &str {
        let part = self.morph_start.partition_point(|start| *start <= index);
        let part = part.checked_sub(1);
        let name = part.and_then(|part| {
            let mesh = self.model.meshes.get(self.model.parts.get(part)?.mesh)?;
            mesh.morph_names.get(index - self.morph_start.get(part)?)
        });
        name.map_or("", String::as_str)
    }

    /// Returns the morph target name of each morph weight of a pose.
    pub(super) fn target_names(&self) -> Vec<&str> {
        let all = 0..self.rest.morphs.len();
        all.map(|i| self.morph_name(i)).collect()
    }

    /// Returns the part of each morph weight of a pose.
    pub(super) fn target_parts(&self) -> Vec<usize> {
        let all = 0..self.rest.morphs.len();
        let parts = all.map(|i| self.morph_start.partition_point(|start| *start <= i));
        parts.map(|part| part.saturating_sub(1)).collect()
    }

    /// Returns all indices into [`Pose::morphs`] of the morph targets with this name.
    pub fn morph_indices(&self, name: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for (part, start) in self.model.parts.iter().zip(&self.morph_start) {
            let names = &self.model.meshes[part.mesh].morph_names;
            found.extend(
                names
                    .iter()
                    .take(part.morph_weights.len())
                    .enumerate()
                    .filter(|(_, n)| *n == name)
                    .map(|(i, _)| start + i),
            );
        }
        found
    }

    /// Returns the index into a pose's morph weights for a target of the mesh on a node; of several meshes the first counts.
    pub fn morph_index_on(&self, bone: u16, target: usize) -> Option<usize> {
        let mut parts = self.model.parts.iter().zip(&self.morph_start);
        let (part, start) = parts.find(|(part, _)| part.bone == bone)?;
        (target < part.morph_weights.len()).then_some(start + target)
    }

    /// Returns the names of all morph targets, without duplicates.
    pub fn morph_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.model.meshes.iter().flat_map(|mesh| &mesh.morph_names) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Returns this model with an additional clip made by a script. The model and the other clips are shared, not copied.
    ///
    /// # Errors
    /// Returns all errors: the clip's name is already used, or the model lacks bones or morph targets that the clip names.
    pub fn with_clip(&self, made: &MadeClip) -> Result<Self, Vec<String>> {
        if let Some(known) = self.clips.find(&made.name) {
            let origin = self.origins.get(known).map_or("", |origin| origin);
            return Err(vec![format!(
                "{} already has a clip {:?}, from {origin}",
                self.model.name, made.name
            )]);
        }
        let clip = made.bind(&self.model, self.clips.humanoid())?;
        let name = |i: usize| self.morph_name(i);
        let skeleton = &self.model.skeleton;
        let humanoid = self.clips.humanoid();
        let mut packed_clips =
            pack_with_motion(skeleton, humanoid, &[Arc::new(clip)], &self.morph_start);
        let Some((packed, mut motion)) = packed_clips.pop() else {
            return Err(vec![format!("clip {:?} cannot be compressed", made.name)]);
        };
        motion.touches.keep_morphs(|i| made.moves_morph(name(i)));
        let push = |list: &[Arc<str>]| [list, &[Arc::from(FROM_SCRIPT)]].concat();
        let clips = self
            .clips
            .with_clip(packed.clone(), motion)
            .with_curves_at_rest(|curve| at_rest(&self.model, curve));
        Ok(Self {
            model: self.model.clone(),
            layout: self.layout.clone(),
            morph_start: self.morph_start.clone(),
            rest: clips.rest().clone(),
            bounds: self.bounds.clone(),
            markers: [&self.markers[..], &[clip_markers(&packed)]].concat(),
            origins: push(&self.origins),
            modes: [&self.modes[..], &[made.mode]].concat(),
            idle: self.idle.or_else(|| find_idle(&clips)),
            feet: self.feet,
            driven: driven(&self.model, clips.curve_names()),
            shown: self.shown.clone(),
            rest_bounds: self.rest_bounds,
            rest_box: self.rest_box,
            trunk_box: self.trunk_box,
            rest_positions: self.rest_positions.clone(),
            clips,
        })
    }
}

/// Returns the marks of a clip. Loaders and scripts respect the limit of intervals; if a clip has more, the excess intervals
/// become points.
fn clip_markers(clip: &PackedClip) -> Arc<Markers> {
    let marks = Markers::new(clip.markers.clone(), clip.duration);
    Arc::new(marks.unwrap_or_else(|_| {
        let mut marks = clip.markers.clone();
        for mark in marks
            .iter_mut()
            .filter(|mark| mark.duration > 0.0)
            .skip(MAX_INTERVALS)
        {
            mark.duration = 0.0;
        }
        Markers::new(marks, clip.duration).unwrap_or_default()
    }))
}

/// Finds the clip played when nothing else plays: the shortest name that contains `idle`, else the clip named `stand`.
fn find_idle(clips: &ClipSet) -> Option<usize> {
    let mut idle = None;
    for (i, clip) in clips.iter().enumerate() {
        let name = clip.name.to_lowercase();
        let rank = match (name.contains("idle"), name == "stand") {
            (true, _) => (0, name.len()),
            (false, true) => (1, 0),
            (false, false) => continue,
        };
        if idle.is_none_or(|(known, _)| rank < known) {
            idle = Some((rank, i));
        }
    }
    idle.map(|(_, clip)| clip)
}
