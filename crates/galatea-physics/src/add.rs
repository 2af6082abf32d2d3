//! Adds rigid bodies to the world, with the overrides of their single shapes.

use std::sync::Arc;

use rapier3d::parry::mass_properties::MassProperties;
use rapier3d::prelude::{
    ActiveCollisionTypes, ActiveEvents, ActiveHooks, Collider, ColliderBuilder, ColliderHandle,
    PhysicsWorld as RapierWorld, RigidBody, RigidBodyBuilder, RigidBodyHandle, RigidBodyType,
};

use super::body_id::BodyId;
use super::cells::{CellFriction, Cells};
use super::prop_body::{
    Balance, BodyType, PhysicsMaterial, PropBodySettings, ShapeOverrides, Velocity,
};
use super::ragdoll::RigidFrame;
use super::shape_error::ShapeError;
use super::tag::IgnoredParts;
use super::tag::{Owner, STICKING, owner_of, tag};
use super::world::{
    CCD_PREDICTION, PhysicsWorld, clamped_pose, combined_surface, finite, set_surface,
};

/// Initial frame, scale and velocity of a body.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Frame of its origin, world space.
    pub at: RigidFrame,
    /// Scale of its lengths.
    pub scale: f32,
    /// Initial velocity.
    pub velocity: Velocity,
}

impl PhysicsWorld {
    /// Adds a rigid body, or the part of a prop with its own body. `number` returns the index that a shape has in the whole
    /// prop; `None` skips the shape. `surface` looks up materials by name.
    ///
    /// # Errors
    /// Fails if there is no shape or if a shape is invalid.
    pub fn add_prop_body(
        &mut self,
        owner: Owner,
        options: &PropBodySettings,
        number: impl Fn(usize) -> Option<u16>,
        surface: impl Fn(&str) -> PhysicsMaterial,
        start: Start,
    ) -> Result<BodyId, ShapeError> {
        if options.pieces.is_empty() {
            return Err(ShapeError::Mesh("there are no triangles".into()));
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
        let of_prop: MassProperties = shapes
            .iter()
            .map(|(.., at, shape)| shape.mass_properties(1.0).transform_by(&(*at).into()))
            .sum();
        let volume = of_prop.mass();
        let density = match options.mass {
            Some(mass) if volume > 1e-9 => mass.max(1e-3) / volume,
            _ => options.density.max(1e-3),
        };
        let sticks = if options.stick_on_hit { STICKING } else { 0 };
        for (i, number, at, shape) in shapes {
            let own = options.shape_overrides.get(i).unwrap_or(&NO_OVERRIDES);
            let collider = ColliderBuilder::new(shape)
                .position(at.into())
                .density(density)
                .sensor(options.sensor || own.sensor)
                .collision_groups(self.groups(own.layer.unwrap_or(options.layer)))
                .active_events(ActiveEvents::COLLISION_EVENTS)
                .user_data(tag(owner, number, IgnoredParts::NONE) | sticks)
                .build();
            let (collider, cell_friction) = with_surface(collider, options, own, &surface);
            let collider = self.rapier.insert_collider(collider, Some(handle));
            self.grounds
                .extend(cell_friction.map(|cell_friction| (collider, cell_friction)));
        }
        if options.balance != Balance::default() {
            self.set_mass_distribution(handle, &options.balance, scale);
        }
        if let Some(body) = self.rapier.bodies.get_mut(handle) {
            if let (Some(mass), true) = (options.mass, volume <= 1e-9) {
                body.set_additional_mass(mass.max(1e-3), true);
            }
            // Updates the mass now instead of in the next step.
            body.recompute_mass_properties_from_colliders(&self.rapier.colliders);
        }
        self.is_dirty = true;
        Ok(self.id(handle))
    }

    /// Replaces the centre of mass and inertia that follow from the shapes.
    fn set_mass_distribution(
        &mut self,
        handle: RigidBodyHandle,
        distribution: &Balance,
        scale: f32,
    ) {
        let RapierWorld {
            bodies, colliders, ..
        } = &mut *self.rapier;
        let Some(body) = bodies.get_mut(handle) else {
            return;
        };
        let mut made = MassProperties::default();
        for collider in body.colliders() {
            if let Some(collider) = colliders.get_mut(*collider) {
                let at = collider.position_wrt_parent().copied().unwrap_or_default();
                made += collider.mass_properties().transform_by(&at);
                collider.set_density(0.0);
            }
        }
        let centre = distribution
            .centre
            .map_or(made.local_com, |centre| centre * scale);
        let (inertia, frame) = distribution.inertia.map_or(
            (made.principal_inertia(), made.principal_inertia_local_frame),
            |(inertia, frame)| (inertia * scale * scale, frame),
        );
        let mass = made.mass();
        // A true infinity would leave the solver without an inverse.
        let locked = LOCKED_INERTIA * inertia.max_element().max(mass * scale * scale);
        let inertia = inertia.map(|moment| if moment > 0.0 { moment } else { locked });
        let own = MassProperties::with_principal_inertia_frame(centre, mass, inertia, frame);
        body.set_additional_mass_properties(own, true);
    }

    /// Removes shapes from a body, by their indices.
    pub fn remove_shapes(&mut self, id: BodyId, numbers: &[u16]) {
        for collider in self.colliders_of(id, numbers) {
            self.rapier.remove_collider(collider);
            self.is_dirty = true;
        }
    }

    /// Moves shapes within a body: their indices and frames in the body.
    pub fn move_shapes(&mut self, id: BodyId, frames: impl Iterator<Item = (u16, RigidFrame)>) {
        for (number, at) in frames {
            for collider in self.colliders_of(id, &[number]) {
                if let Some(collider) = self.rapier.colliders.get_mut(collider) {
                    collider.set_position_wrt_parent(clamped_pose(at));
                }
            }
        }
        self.wake(id);
        self.is_dirty = true;
    }

    fn colliders_of(&self, id: BodyId, numbers: &[u16]) -> Vec<ColliderHandle> {
        let all = self.body(id).map_or(&[][..], RigidBody::colliders);
        let is_one = |handle: &ColliderHandle| {
            let collider = self.rapier.colliders.get(*handle);
            collider.is_some_and(|collider| numbers.contains(&owner_of(collider).1))
        };
        all.iter().copied().filter(is_one).collect()
    }
}

/// Body without colliders.
fn body_of(owner: Owner, options: &PropBodySettings, start: &Start) -> RigidBody {
    let kind = match options.body_type {
        BodyType::Static => RigidBodyType::Fixed,
        BodyType::Dynamic => RigidBodyType::Dynamic,
        BodyType::Kinematic => RigidBodyType::KinematicPositionBased,
        BodyType::KinematicVelocity => RigidBodyType::KinematicVelocityBased,
    };
    let [linear, angular] = options.damping;
    let mut body = RigidBodyBuilder::new(kind)
        .pose(clamped_pose(start.at))
        .gravity_scale(options.gravity_scale)
        .linear_damping(linear)
        .angular_damping(angular)
        .ccd_enabled(options.bullet)
        .soft_ccd_prediction(if options.bullet { CCD_PREDICTION } else { 0.0 })
        .user_data(u128::from(owner.0));
    if matches!(
        options.body_type,
        BodyType::Dynamic | BodyType::KinematicVelocity
    ) {
        let speed = finite(start.velocity);
        body = body.linvel(speed.linear).angvel(speed.angular);
    }
    if options.lock_rotation {
        body = body.lock_rotations();
    }
    body.build()
}

/// Sets mass and material of a collider. Returns the materials of the cells if they differ.
fn with_surface(
    mut collider: Collider,
    options: &PropBodySettings,
    own: &ShapeOverrides,
    surface: &impl Fn(&str) -> PhysicsMaterial,
) -> (Collider, Option<CellFriction>) {
    if collider.is_sensor() {
        collider.set_active_collision_types(ActiveCollisionTypes::all());
    }
    if let Some(mass) = own.mass {
        collider.set_mass(mass.max(1e-3));
    }
    let other = own.surface.as_deref().map(surface);
    // Overrides of the whole prop do not apply to a shape with its own material.
    let of_prop = |given: Option<f32>| given.filter(|_| other.is_none());
    let friction = own.friction.or(of_prop(options.friction));
    let bounce = own.restitution.or(of_prop(options.restitution));
    let material = other.unwrap_or_else(|| surface(&options.surface));
    set_surface(
        &mut collider,
        friction.unwrap_or(material.friction),
        bounce.unwrap_or(material.restitution),
    );
    let plain = [collider.friction(), collider.restitution()];
    let cells = own.cells.as_ref();
    let cell_friction = cells
        .map(|cells| cell_surfaces(cells, options, own, surface))
        .filter(|cell_friction| cell_friction.wear.iter().any(|surface| *surface != plain));
    if cell_friction.is_some() {
        collider.set_active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    }
    (collider, cell_friction)
}

/// Friction and restitution of each material of the cells. Overrides of friction and restitution apply to cells of the
/// prop's own material.
fn cell_surfaces(
    cells: &Arc<Cells>,
    options: &PropBodySettings,
    own: &ShapeOverrides,
    surface: impl Fn(&str) -> PhysicsMaterial,
) -> CellFriction {
    let surfaces = cells.names.iter().map(|name| {
        let material = surface(name);
        let is_own = *name == options.surface;
        let overridden =
            |own: Option<f32>, of_prop: Option<f32>| own.or(of_prop).filter(|_| is_own);
        combined_surface(
            overridden(own.friction, options.friction).unwrap_or(material.friction),
            overridden(own.restitution, options.restitution).unwrap_or(material.restitution),
        )
    });
    CellFriction {
        wear: surfaces.collect(),
        cells: cells.clone(),
    }
}

/// Factor of inertia about an axis without rotation, relative to the largest other one.
const LOCKED_INERTIA: f32 = 1e5;

/// A shape without overrides.
const NO_OVERRIDES: ShapeOverrides = ShapeOverrides {
    surface: None,
    friction: None,
    restitution: None,
    mass: None,
    layer: None,
    sensor: false,
    cells: None,
};
