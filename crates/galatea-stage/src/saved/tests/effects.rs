use std::sync::Arc;

use glam::{Affine3A, Quat, Vec2, Vec3};

use super::{add_man, at, check, run, stage};
use crate::light::LocalLight;
use crate::{
    Drives, EmitterAttachment, FabricPin, HairSimulation, Handle, Stage, StageEmitter, StageFabric,
    StageHair, StageLight,
};
use galatea_asset::model::Material;
use galatea_character::{Definition, SkinSampler};
use galatea_emitter::Emitter;
use galatea_emitter::kinds::ParticleKind;
use galatea_hair::{ChainSettings, Chains, SpringHair};
use galatea_physics::particles::{Fabric, FabricOptions, sheet_model};

/// Adds the model of a sheet of `columns` by `rows` particles.
fn sheet(stage: &mut Stage, columns: usize, rows: usize, position: Vec3) -> (Handle, Vec<Vec3>) {
    let size = Vec2::new(0.1 * columns as f32, 0.1 * rows as f32);
    let model = sheet_model((columns, rows), size, 1.0, Material::default()).unwrap();
    let bones = model.skeleton.bones().iter().skip(1);
    let points: Vec<Vec3> = bones.map(|bone| bone.rest.translation).collect();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let handle = stage.add_character(definition, "cloth", None, at(position));
    (handle, points)
}

#[test]
fn cloth_and_a_rope_that_hang() {
    let mut stage = stage();
    for (columns, rows, x) in [(8, 10, 0.0), (2, 12, 2.0)] {
        let position = Vec3::new(x, 1.2, 0.0);
        let (handle, points) = sheet(&mut stage, columns, rows, position);
        let lanes: Vec<Vec<Vec3>> = points
            .chunks(rows)
            .map(|lane| lane.iter().map(|point| *point + position).collect())
            .collect();
        let fabric = Fabric::new(&lanes, FabricOptions::default());
        let identity = stage.characters.get(handle).unwrap().identity.clone();
        let mut own = StageFabric::new(identity, fabric, handle, Drives::Particles);
        own.pins = vec![FabricPin {
            particle: 0,
            holder: None,
            offset: points[0],
        }];
        stage.effects.fabrics.insert(own);
    }
    check("fabrics", stage, 60);
}

#[test]
fn hair_of_both_kinds() {
    for is_spring in [true, false] {
        let mut stage = stage();
        let wearer = add_man(&mut stage, "man", Vec3::ZERO);
        let (n_guides, n_points) = (9, 6);
        let (handle, points) = sheet(&mut stage, n_guides, n_points, Vec3::ZERO);
        let guides: Vec<Vec<Vec3>> = points
            .chunks(n_points)
            .map(|guide| guide.iter().map(|point| *point + Vec3::Y * 1.8).collect())
            .collect();
        let simulation = match is_spring {
            true => HairSimulation::Springs(SpringHair::new(&guides, 1)),
            false => {
                let chains = Chains::new(&guides, &[], ChainSettings::default());
                HairSimulation::Chains(Box::new(chains))
            }
        };
        let identity = stage.characters.get(handle).unwrap().identity.clone();
        let hair = StageHair::new(
            identity,
            simulation,
            handle,
            (wearer, 5),
            (n_guides, n_points),
        );
        stage.effects.hair.insert(hair);
        run(&mut stage, 3);
        stage.bodies().knock_down(wearer);
        check(if is_spring { "spring hair" } else { "hair" }, stage, 30);
    }
}

#[test]
fn particles_and_lights() {
    let mut stage = stage();
    let man = add_man(&mut stage, "man", Vec3::ZERO);
    let definition = stage.characters.get(man).unwrap().definition.clone();
    let skin = Arc::new(SkinSampler::of(&definition, &[]).unwrap());
    let places = [
        EmitterAttachment::World,
        EmitterAttachment::Surface(man, skin),
    ];
    for (name, place) in ["sparks", "snow"].into_iter().zip(places) {
        let options = Arc::new(ParticleKind::find(name).unwrap().options());
        let emitter = Emitter::new(options, 7);
        let local = Affine3A::from_rotation_translation(Quat::IDENTITY, Vec3::Y);
        let own = StageEmitter::new(Default::default(), emitter, place, local);
        let Stage {
            effects,
            ids,
            characters,
            ..
        } = &mut stage;
        effects.add_emitter(ids, characters, None, own).unwrap();
    }
    let light = StageLight::new(LocalLight::default());
    stage.lighting.local_lights.insert(light);
    check("particles", stage, 60);
}
