//! A stage with obstacles and a walking character.

use std::sync::Arc;

use galatea::asset::PrimitiveMesh;
use galatea::character::Placement;
use galatea::machine::Predicate;
use galatea::physics::{
    BodyType, CollisionShape, ControllerSettings, ControllerTickEvent, PlacedShape,
    PropBodySettings, Velocity,
};
use galatea::stage::{Event, EventKind, Handle, Script, Stage, tick};
use galatea_character::Character;
use glam::{Quat, Vec3};

/// A script that only records events.
#[derive(Default)]
pub struct Ears(pub Vec<Event>);

impl Script for Ears {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, events: &[Event]) {
        self.0.extend_from_slice(events);
    }
}

pub struct Yard {
    pub stage: Stage,
    pub ears: Ears,
    pub hero: Handle,
    /// Scale of all lengths.
    pub scale: f32,
}

/// A person 1.8 m tall and 0.5 m thick.
pub const WALKER: PrimitiveMesh = PrimitiveMesh::Capsule {
    radius: 0.25,
    height: 1.8,
};

impl Yard {
    /// A level floor at height 0 with a walker on it, with a tick rate in hertz.
    pub fn new(hertz: f64) -> Self {
        Self::scaled(hertz, 1.0)
    }

    /// The same with all lengths, speeds and gravity scaled.
    pub fn scaled(hertz: f64, scale: f32) -> Self {
        let mut stage = Stage::new(1.0 / hertz);
        stage.floor.collision_height = Some(0.0);
        stage.physics.gravity *= scale;
        let definition = stage.characters.primitive(&WALKER);
        let spawn = Placement {
            position: Vec3::Y * 0.9 * scale,
            scale,
            ..Placement::default()
        };
        let hero = stage.add_character(definition.clone(), "walker", None, spawn);
        let mut options = ControllerSettings::fitted(definition.rest_box, definition.trunk_box);
        options.gravity *= scale;
        options.acceleration *= scale;
        options.deceleration *= scale;
        options.jump_height *= scale;
        options.turn_to_movement = false;
        stage.bodies().set_controller(hero, Some(options)).unwrap();
        let ears = Ears::default();
        let mut yard = Self {
            stage,
            ears,
            hero,
            scale,
        };
        yard.run(0.1);
        yard.ears.0.clear();
        yard
    }

    pub fn hero(&mut self) -> &mut Character {
        self.stage.characters.get_mut(self.hero).unwrap()
    }

    pub fn options(&mut self, change: impl FnOnce(&mut ControllerSettings)) {
        change(&mut self.hero().body.controller.as_mut().unwrap().options);
    }

    /// Position of its soles, in units of the scale.
    pub fn feet(&self) -> Vec3 {
        let at = self
            .stage
            .characters
            .get(self.hero)
            .unwrap()
            .placement
            .position;
        at / self.scale - Vec3::Y * 0.9
    }

    pub fn put(&mut self, feet: Vec3) {
        let scale = self.scale;
        self.hero().placement.position = (feet + Vec3::Y * 0.9) * scale;
    }

    pub fn wish(&mut self, velocity: Vec3) {
        let scale = self.scale;
        self.hero()
            .body
            .controller
            .as_mut()
            .unwrap()
            .desired_velocity = velocity * scale;
    }

    pub fn jump(&mut self) {
        self.hero().body.controller.as_mut().unwrap().jump_to(None);
    }

    pub fn is_grounded(&self) -> bool {
        let hero = self.stage.characters.get(self.hero).unwrap();
        hero.body.controller.as_ref().unwrap().is_grounded()
    }

    pub fn step(&mut self) {
        tick(&mut self.stage, &mut self.ears);
    }

    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.stage.clock.dt).round() as usize {
            self.step();
        }
    }

    /// Events of the walker since the last call.
    pub fn told(&mut self) -> Vec<ControllerTickEvent> {
        let hero = self.hero;
        std::mem::take(&mut self.ears.0)
            .into_iter()
            .filter(|event| event.character == hero)
            .filter_map(|event| match event.kind {
                EventKind::Controller(walk) => Some(walk.kind),
                _ => None,
            })
            .collect()
    }

    fn add(
        &mut self,
        form: &PrimitiveMesh,
        pieces: Vec<PlacedShape>,
        at: Placement,
        of: PropBodySettings,
    ) -> Handle {
        let definition = self.stage.characters.primitive(form);
        let spawn = Placement {
            position: at.position * self.scale,
            scale: self.scale,
            ..at
        };
        let handle = self
            .stage
            .add_character(definition, form.key(), None, spawn);
        let options = PropBodySettings {
            pieces: Arc::from(pieces),
            ..of
        };
        let made = self
            .stage
            .bodies()
            .set_prop_body(handle, Some(options), Velocity::default());
        made.unwrap();
        handle
    }

    /// A box by its centre and size.
    pub fn cuboid(
        &mut self,
        middle: Vec3,
        size: Vec3,
        motion: BodyType,
        mass: Option<f32>,
    ) -> Handle {
        let piece = PlacedShape {
            shape: CollisionShape::Box(size / 2.0),
            at: galatea::physics::RigidFrame::IDENTITY,
        };
        let options = PropBodySettings {
            body_type: motion,
            mass,
            ..PropBodySettings::default()
        };
        let at = Placement {
            position: middle,
            ..Placement::default()
        };
        self.add(&PrimitiveMesh::Box(size), vec![piece], at, options)
    }

    /// A fixed block.
    pub fn block(&mut self, middle: Vec3, size: Vec3) -> Handle {
        self.cuboid(middle, size, BodyType::Static, None)
    }

    /// Stairs that rise along +Z from a position.
    pub fn stairs(&mut self, foot: Vec3, steps: u32, rise: f32, run: f32) {
        let pieces =
            PrimitiveMesh::steps(steps, 2.0, rise, run).map(|(middle, size)| PlacedShape {
                shape: CollisionShape::Box(size / 2.0),
                at: galatea::physics::RigidFrame {
                    position: middle,
                    ..galatea::physics::RigidFrame::IDENTITY
                },
            });
        let form = PrimitiveMesh::Stairs {
            steps,
            width: 2.0,
            rise,
            run,
        };
        let at = Placement {
            position: foot,
            ..Placement::default()
        };
        self.add(&form, pieces.collect(), at, PropBodySettings::default());
    }

    /// A plane that rises along +Z from a position at an angle, 4 m wide and `long` metres up the slope.
    pub fn slope(&mut self, foot: Vec3, degrees: f32, long: f32) {
        let size = Vec3::new(4.0, 0.4, long);
        let rotation = Quat::from_rotation_x(-degrees.to_radians());
        let middle = foot + rotation * Vec3::new(0.0, -0.2, long / 2.0);
        let piece = PlacedShape {
            shape: CollisionShape::Box(size / 2.0),
            at: galatea::physics::RigidFrame::IDENTITY,
        };
        let at = Placement {
            position: middle,
            ..Placement::default()
        }
        .turned(rotation);
        self.add(
            &PrimitiveMesh::Box(size),
            vec![piece],
            at,
            PropBodySettings::default(),
        );
    }

    pub fn place(&mut self, handle: Handle) -> &mut Placement {
        &mut self.stage.characters.get_mut(handle).unwrap().placement
    }
}
