//! Fills a [`Frame`] from the stage between two ticks.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::bone_lines::add_bone_lines;
use super::frame::{DrawModel, Frame, Ground, GroundPatch, InstanceMaterial, MaterialValues};
use super::own_eyes::hidden_parts;
use super::{Handle, PatchShape, Stage};
use galatea_asset::Model;
use galatea_character::{Character, TimeBase};

/// Linear colours of bones that deform the mesh, and of others.
const SKINNED_BONE: Vec3 = Vec3::new(1.0, 0.55, 0.1);
const OTHER_BONE: Vec3 = Vec3::new(0.35, 0.6, 0.9);

impl Stage {
    /// Fills a frame, interpolated between the last two ticks of unscaled time by `alpha` (0..=1). The caller adds messages.
    pub fn snapshot(&self, alpha: f32, frame: &mut Frame) {
        puffin::profile_scope!("snapshot");
        frame.clear();
        let unscaled = alpha;
        let alpha = self.time_control.between_ticks(unscaled);
        let alpha_of = |base| match base {
            TimeBase::Stage => alpha,
            TimeBase::Unscaled => unscaled,
        };
        frame.camera = self.camera.camera(alpha_of(self.time_base_of_camera()));
        frame.light.clone_from(&self.lighting.light);
        frame.light.local_lights.extend(
            self.lighting
                .local_lights
                .iter()
                .map(|(_, lamp)| lamp.at(alpha)),
        );
        frame.post_processing = self.picture.post_processing;
        frame.quality = self.picture.quality;
        frame.time = self.time() - self.clock.dt * f64::from(1.0 - alpha);
        frame.ground = self.floor.ground;
        self.add_ui(alpha_of, frame.time, &mut frame.ui);
        self.add_patches(frame.ground, &mut frame.patches);
        let hides_any = self.hides_any();
        for (handle, character) in self.characters.iter() {
            self.add_model(handle, character, alpha_of(character.time.base), frame);
            // Hidden models keep their place in the list, because their index identifies them.
            if let (true, Some(drawn)) =
                (hides_any && self.is_hidden(handle), frame.models.last_mut())
            {
                drawn.hidden_parts.fill(u64::MAX);
            }
        }
        if self.picture.view.is_none() {
            self.agents.add_crowds(alpha, frame);
            self.agents.add_flocks(alpha, frame);
        }
        self.effects.add_particles(alpha, self.clock.dt, frame);
        self.add_view(frame);
        // Views find characters by their index among the models, so nothing may be added before them.
        if frame.view.is_none() {
            self.add_decal_meshes(frame);
        }
    }

    /// Adds a character as a model.
    fn add_model(&self, handle: Handle, character: &Character, alpha: f32, frame: &mut Frame) {
        let wide = character.appearance.width_scale;
        let own = Affine3A::from_scale(Vec3::new(wide, 1.0, wide));
        let world = mix(character.posed.world[1], character.posed.world[0], alpha) * own;
        let bounds = &character.definition.bounds;
        let stretch = world.matrix3.y_axis.length() * wide.max(1.0);
        let in_world =
            |(centre, radius): (Vec3, f32)| (world.transform_point3(centre), radius * stretch);
        let first_sphere = frame.spheres.len();
        let spheres = bounds.posed_spheres(&character.skin.palette[0]);
        frame.spheres.extend(spheres.map(in_world));
        let model = &character.definition.model;
        let headless = self.headless(handle, character);
        let first = frame.material_values.len();
        let surface = &character.appearance.surface;
        surface.snapshot(model, alpha, &mut frame.material_values);
        let n = frame.material_values.len() - first;
        frame.models.push(DrawModel {
            model: character.definition.model.clone(),
            instance: handle.to_u64(),
            world_from_model: world,
            palette_start: frame.palette.len() as u32,
            morph_start: frame.morph_weights.len() as u32,
            materials: (first as u32, n as u32),
            wrinkle_start: frame.wrinkle_weights.len() as u32,
            decals: (
                frame.decals.len() as u32,
                character.appearance.decals.layers().len() as u32,
            ),
            variant: character.appearance.surface.variant,
            hidden_parts: hidden_parts(character, headless.is_some()),
            headless,
            coarser: None,
            bounds: in_world(bounds.posed(&character.skin.palette[0])),
            spheres: first_sphere..frame.spheres.len(),
        });
        let [now, before] = &character.skin.palette;
        frame
            .palette
            .extend(before.iter().zip(now).map(|(b, n)| mix(*b, *n, alpha)));
        frame
            .decals
            .extend_from_slice(character.appearance.decals.layers());
        character
            .appearance
            .wrinkles
            .snapshot(alpha, &mut frame.wrinkle_weights);
        let [now, before] = &character.skin.morphs;
        frame
            .morph_weights
            .extend(before.iter().zip(now).map(|(b, n)| b + (n - b) * alpha));
        if self.picture.show_bones {
            let color = |is_skinned| match is_skinned {
                true => Some(SKINNED_BONE),
                false => Some(OTHER_BONE),
            };
            add_bone_lines(character, world, color, &mut frame.lines);
        }
    }

    /// Adds decals that have a mesh of their own.
    fn add_decal_meshes(&self, frame: &mut Frame) {
        let hides_any = self.hides_any();
        for (own, (handle, character)) in self.characters.iter().enumerate() {
            let is_own = self.camera.behind_eyes_of() == Some(handle);
            let eyes = is_own.then(|| character.definition.own_eyes()).flatten();
            if hides_any && self.is_hidden(handle) {
                continue;
            }
            for (patch, share) in character.appearance.decals.patches() {
                add_patch(frame, own, patch, share);
                if let (Some(eyes), Some(drawn)) = (eyes, frame.models.last_mut()) {
                    drawn.headless = Some(Arc::new(eyes.headless_of(patch)));
                }
            }
        }
    }

    fn add_patches(&self, ground: Option<Ground>, out: &mut Vec<GroundPatch>) {
        if ground.is_none() {
            return;
        }
        out.extend(self.floor.patches.iter().map(|patch| GroundPatch {
            centre: patch.centre,
            half: match patch.shape {
                PatchShape::Circle(radius) => glam::Vec2::splat(radius),
                PatchShape::Rectangle(half) => half,
            },
            round: matches!(patch.shape, PatchShape::Circle(_)),
            color: patch.color,
        }));
    }
}

/// Linear interpolation of two matrices a tick apart. They differ too little for the loss of rigidity to be visible.
fn mix(before: Affine3A, now: Affine3A, alpha: f32) -> Affine3A {
    if alpha >= 1.0 {
        return now;
    }
    let b = 1.0 - alpha;
    Affine3A {
        matrix3: before.matrix3 * b + now.matrix3 * alpha,
        translation: before.translation * b + now.translation * alpha,
    }
}

/// A decal mesh, moved like the model below it, with opacity `share`.
fn add_patch(frame: &mut Frame, on: usize, patch: &Arc<Model>, share: f32) {
    let own = &frame.models[on];
    let first = frame.material_values.len() as u32;
    if let Some(material) = patch.materials.first() {
        let mut values = MaterialValues::of(material);
        values.base_color.w *= share;
        frame.material_values.push(InstanceMaterial {
            material: 0,
            values,
        });
    }
    let drawn = DrawModel {
        model: patch.clone(),
        materials: (first, frame.material_values.len() as u32 - first),
        wrinkle_start: frame.wrinkle_weights.len() as u32,
        decals: (0, 0),
        variant: None,
        ..own.clone()
    };
    frame.models.push(drawn);
}
