//! Solid things into the world: their bodies, and what their single forms have of their own.

use std::sync::Arc;

use rapier3d::parry::mass_properties::MassProperties;
use rapier3d::prelude::{
    ActiveCollisionTypes, ActiveEvents, ActiveHooks, Collider, ColliderBuilder, ColliderHandle,
    PhysicsWorld as RapierWorld, RigidBody, RigidBodyBuilder, RigidBodyHandle, RigidBodyType,
};

use super::body_id::BodyId;
use super::cells::{CellFriction, Cells};
use super::ragdoll::RigidFrame;
use super::shape::ShapeError;
use super::solid::{Balance, Motion, PhysicsMaterial, SolidSettings, Velocity, Wear};
use super::tag::Apart;
use super::tag::{Owner, STICKS, owner_of, tag};
use super::world::{FORESIGHT, PhysicsWorld, finite, placed, wear, worn};

/// Where a body begins, how large and how fast.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Where its origin is.
    pub at: RigidFrame,
    /// Factor on its lengths.
    pub scale: f32,
    /// How fast it is.
    pub velocity: Velocity,
}

impl PhysicsWorld {
    /// Puts a solid thing, or what of it has a body of its own, into the world. `number` gives the number
    /// that the form of an index has in all of the thing; `None` leaves that form out. `surface` knows what
    /// things are made of.
    ///
    /// # Errors
    /// When it has no form, or one of its forms cannot be made.
    pub fn add_solid(
        &mut self,
        owner: Owner,
        options: &SolidSettings,
        number: impl Fn(usize) -> Option<u16>,
        surface: impl Fn(&str) -> PhysicsMaterial,
        start: Start,
    ) -> Result<BodyId, ShapeError> {
        if options.pieces.is_empty() {
            return Err(ShapeError::Mesh("it has none".into()));
        }
        let scale = start.scale;
        let scale = if scale.is_finite() { scale.abs() } else { 1.0 };
        let shapes = options
            .pieces
            .iter()
            .enumerate()
            .filter_map(|(i, piece)| Some((i, number(i)?, piece)))
            .map(|(i, n, piece)| Ok((i, n, piece.at.scaled(scale), piece.shape.shared(scale)?)))
            .collect::<Result<Vec<_>, ShapeError>>()?;
        let handle = self.rapier.insert_body(body_of(owner, options, &start));
        let whole: MassProperties = shapes
            .iter()
            .map(|(.., at, shape)| shape.mass_properties(1.0).transform_by(&(*at).into()))
            .sum();
        let volume = whole.mass();
        let density = match options.mass {
            Some(mass) if volume > 1e-9 => mass.max(1e-3) / volume,
            _ => options.density.max(1e-3),
        };
        let sticks = if options.sticks { STICKS } else { 0 };
        for (i, number, at, shape) in shapes {
            let own = options.wear.get(i).unwrap_or(&PLAIN);
            let form = ColliderBuilder::new(shape)
                .position(at.into())
                .density(density)
                .sensor(options.sensor || own.sensor)
                .collision_groups(self.groups(own.layer.unwrap_or(options.layer)))
                .active_events(ActiveEvents::COLLISION_EVENTS)
                .user_data(tag(owner, number, Apart::NONE) | sticks)
                .build();
            let (form, worn) = with_surface(form, options, own, &surface);
            let form = self.rapier.insert_collider(form, Some(handle));
            self.grounds.extend(worn.map(|worn| (form, worn)));
        }
        if options.balance != Balance::default() {
            self.balance(handle, &options.balance, scale);
        }
        if let Some(body) = self.rapier.bodies.get_mut(handle) {
            if let (Some(mass), true) = (options.mass, volume <= 1e-9) {
                body.set_additional_mass(mass.max(1e-3), true);
            }
            // A mass of its own counts from now on, not from the next step.
            body.recompute_mass_properties_from_colliders(&self.rapier.colliders);
        }
        self.is_dirty = true;
        Ok(self.id(handle))
    }

    /// Gives a body a centre of mass and an inertia other than those of its forms.
    fn balance(&mut self, handle: RigidBodyHandle, wanted: &Balance, scale: f32) {
        let RapierWorld {
            bodies, colliders, ..
        } = &mut *self.rapier;
        let Some(body) = bodies.get_mut(handle) else {
            return;
        };
        let mut made = MassProperties::default();
        for form in body.colliders() {
            if let Some(form) = colliders.get_mut(*form) {
                let at = form.position_wrt_parent().copied().unwrap_or_default();
                made += form.mass_properties().transform_by(&at);
                form.set_density(0.0);
            }
        }
        let centre = wanted
            .centre
            .map_or(made.local_com, |centre| centre * scale);
        let (inertia, frame) = wanted.inertia.map_or(
            (made.principal_inertia(), made.principal_inertia_local_frame),
            |(inertia, frame)| (inertia * scale * scale, frame),
        );
        let mass = made.mass();
        // A true infinity leaves the solver without an inverse.
        let endless = RIGID * inertia.max_element().max(mass * scale * scale);
        let inertia = inertia.map(|moment| if moment > 0.0 { moment } else { endless });
        let own = MassProperties::with_principal_inertia_frame(centre, mass, inertia, frame);
        body.set_additional_mass_properties(own, true);
    }

    /// Takes some of its forms from a body, by their numbers.
    pub fn remove_forms(&mut self, id: BodyId, numbers: &[u16]) {
        for form in self.forms(id, numbers) {
            self.rapier.remove_collider(form);
            self.is_dirty = true;
        }
    }

    /// Puts some forms of a body elsewhere in it: their numbers, and their places in the body.
    pub fn place_forms(&mut self, id: BodyId, places: impl Iterator<Item = (u16, RigidFrame)>) {
        for (number, at) in places {
            for form in self.forms(id, &[number]) {
                if let Some(form) = self.rapier.colliders.get_mut(form) {
                    form.set_position_wrt_parent(placed(at));
                }
            }
        }
        self.wake(id);
        self.is_dirty = true;
    }

    fn forms(&self, id: BodyId, numbers: &[u16]) -> Vec<ColliderHandle> {
        let all = self.body(id).map_or(&[][..], RigidBody::colliders);
        let is_one = |handle: &ColliderHandle| {
            let form = self.rapier.colliders.get(*handle);
            form.is_some_and(|form| numbers.contains(&owner_of(form).1))
        };
        all.iter().copied().filter(is_one).collect()
    }
}

/// The body of a solid thing, without its forms.
fn body_of(owner: Owner, options: &SolidSettings, start: &Start) -> RigidBody {
    let kind = match options.motion {
        Motion::Static => RigidBodyType::Fixed,
        Motion::Dynamic => RigidBodyType::Dynamic,
        Motion::Moved => RigidBodyType::KinematicPositionBased,
        Motion::Steady => RigidBodyType::KinematicVelocityBased,
    };
    let [linear, angular] = options.damping;
    let mut body = RigidBodyBuilder::new(kind)
        .pose(placed(start.at))
        .gravity_scale(options.gravity)
        .linear_damping(linear)
        .angular_damping(angular)
        .ccd_enabled(options.bullet)
        .soft_ccd_prediction(if options.bullet { FORESIGHT } else { 0.0 })
        .user_data(u128::from(owner.0));
    if matches!(options.motion, Motion::Dynamic | Motion::Steady) {
        let speed = finite(start.velocity);
        body = body.linvel(speed.linear).angvel(speed.angular);
    }
    if options.upright {
        body = body.lock_rotations();
    }
    body.build()
}

/// A form with its mass, surface and, where parts of it have surfaces of their own, these.
fn with_surface(
    mut form: Collider,
    options: &SolidSettings,
    own: &Wear,
    surface: &impl Fn(&str) -> PhysicsMaterial,
) -> (Collider, Option<CellFriction>) {
    if form.is_sensor() {
        form.set_active_collision_types(ActiveCollisionTypes::all());
    }
    if let Some(mass) = own.mass {
        form.set_mass(mass.max(1e-3));
    }
    let other = own.surface.as_deref().map(surface);
    // What is given for the whole thing yields to a surface of the form's own.
    let whole = |given: Option<f32>| given.filter(|_| other.is_none());
    let friction = own.friction.or(whole(options.friction));
    let bounce = own.bounce.or(whole(options.bounce));
    let made_of = other.unwrap_or_else(|| surface(&options.surface));
    wear(
        &mut form,
        friction.unwrap_or(made_of.friction),
        bounce.unwrap_or(made_of.bounce),
    );
    let plain = [form.friction(), form.restitution()];
    let cells = own.cells.as_ref();
    let worn = cells
        .map(|cells| worn_of(cells, options, own, surface))
        .filter(|worn| worn.wear.iter().any(|wear| *wear != plain));
    if worn.is_some() {
        form.set_active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    }
    (form, worn)
}

/// What each name among the cells of a form does: friction and bounce that are said for the thing hold for the
/// cells of its own surface.
fn worn_of(
    cells: &Arc<Cells>,
    options: &SolidSettings,
    own: &Wear,
    surface: impl Fn(&str) -> PhysicsMaterial,
) -> CellFriction {
    let wear = cells.names.iter().map(|name| {
        let made_of = surface(name);
        let is_own = *name == options.surface;
        let said = |own: Option<f32>, whole: Option<f32>| own.or(whole).filter(|_| is_own);
        worn(
            said(own.friction, options.friction).unwrap_or(made_of.friction),
            said(own.bounce, options.bounce).unwrap_or(made_of.bounce),
        )
    });
    CellFriction {
        wear: wear.collect(),
        cells: cells.clone(),
    }
}

/// How many times as hard as about its other axes it is to turn a body about one that it does not turn about.
const RIGID: f32 = 1e5;

/// What a form without anything of its own has.
const PLAIN: Wear = Wear {
    surface: None,
    friction: None,
    bounce: None,
    mass: None,
    layer: None,
    sensor: false,
    cells: None,
};
