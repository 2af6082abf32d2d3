//! Solid forms that a file brings along: a level is solid without a script.

use std::sync::Arc;

use super::{Handle, Layers, Stage};
use crate::asset::solid::{NodeSolid, SolidForm};
use crate::body::{Frame, Motion, Piece, Shape, SolidOptions, Velocity, Wear};
use crate::math::names::nearest_hint;

impl Stage {
    /// Makes a character solid as its file says; nothing where that says nothing. All its forms are one
    /// thing, which falls when one of them has a mass.
    ///
    /// # Errors
    /// In words, when a form cannot be made or its layer is not there.
    pub fn set_solid_of_file(&mut self, handle: Handle) -> Result<(), String> {
        let Some(character) = self.characters.get(handle) else {
            return Ok(());
        };
        let model = character.definition.model.clone();
        let velocity = character.velocity();
        if model.solids.is_empty() {
            return match &character.solid {
                Some(solid) if solid.of_file => self.set_solid(handle, None, velocity),
                _ => Ok(()),
            };
        }
        let falls = model.solids.iter().any(|solid| solid.wish.mass.is_some());
        let plain = SolidOptions::default();
        let wear = model.solids.iter().map(|solid| self.wear(solid));
        let options = SolidOptions {
            wear: wear.collect::<Result<_, _>>()?,
            pieces: model
                .solids
                .iter()
                .map(|solid| piece(solid, falls))
                .collect(),
            motion: if falls {
                Motion::Dynamic
            } else {
                Motion::Static
            },
            layer: if falls { Layers::PROPS } else { Layers::WORLD },
            ..plain
        };
        self.set_solid(handle, Some(options), Velocity::default())
            .map_err(|why| format!("{}: its solid nodes: {why}", model.name))?;
        if let Some(character) = self.characters.get_mut(handle)
            && let Some(solid) = &mut character.solid
        {
            solid.of_file = true;
        }
        Ok(())
    }

    fn wear(&self, solid: &NodeSolid) -> Result<Wear, String> {
        let wish = &solid.wish;
        let layer = wish.layer.as_deref().map(|name| {
            let layers = &self.physics.layers;
            layers.find(name).ok_or_else(|| {
                let hint = nearest_hint(name, layers.names.iter().map(String::as_str));
                format!("{}: there is no layer {name:?}{hint}", solid.node)
            })
        });
        Ok(Wear {
            surface: wish.surface.as_deref().map(Into::into),
            friction: wish.friction,
            bounce: wish.bounce,
            mass: wish.mass,
            layer: layer.transpose()?,
            sensor: wish.sensor == Some(true),
        })
    }
}

fn piece(solid: &NodeSolid, falls: bool) -> Piece {
    let shape = match &solid.form {
        SolidForm::Box(size) => Shape::Box(*size / 2.0),
        SolidForm::Sphere(radius) => Shape::Sphere(*radius),
        SolidForm::Capsule(radius, height) => Shape::Capsule {
            half_length: (height / 2.0 - radius).max(0.0),
            radius: *radius,
        },
        SolidForm::Cylinder(radius, height) => Shape::Cylinder {
            half_length: height / 2.0,
            radius: *radius,
        },
        SolidForm::Hull(corners) => Shape::Hull(Arc::from(corners.as_slice())),
        // What is hollow cannot fall.
        SolidForm::Mesh(corners, _) if falls => Shape::Hull(Arc::from(corners.as_slice())),
        SolidForm::Mesh(corners, triangles) => Shape::Mesh {
            vertices: Arc::from(corners.as_slice()),
            triangles: Arc::from(triangles.as_slice()),
        },
    };
    Piece {
        shape,
        at: Frame {
            position: solid.position,
            rotation: solid.rotation,
        },
    }
}
