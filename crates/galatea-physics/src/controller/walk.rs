//! One tick of a character controller.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};

use super::capsule::{Capsule, CapsuleHit, PassThrough, Sweep};
use super::gait::{along, approach, sink, speed_up, take_off};
use super::ground::GroundBelow;
use super::tick::ControllerTick;
use super::{Controller, ControllerPose, ControllerTickEvent, GroundContact, GroundState};
use crate::prop_body::Velocity;
use crate::tag::Owner;
use crate::world::{PhysicsWorld, finite};

/// Displacement of a platform in a tick, metres, above which it counts as a teleport.
const MAX_PLATFORM_MOVE: f32 = 2.0;
/// Time constant of step smoothing, seconds.
const STEP_SMOOTHING_S: f32 = 0.06;
/// Speed into a collider above which it counts as a bump, metres per second.
const MIN_BUMP_SPEED: f32 = 0.5;
/// Time without contact after which a new bump is reported, seconds.
const BUMP_INTERVAL_S: f32 = 0.25;
/// Time of hanging in the air after which it counts as standing, seconds: between two slopes.
const HANG_DELAY_S: f32 = 0.15;
/// Time without contact after which it no longer slides, seconds.
const SLIDE_TIMEOUT_S: f32 = 0.1;
/// Mass of a body that cannot push a controller away, relative to that of the controller.
const LIGHT_MASS_RATIO: f32 = 0.3;
/// Contacts with a smaller y of their normal are walls.
const MAX_WALL_NORMAL_Y: f32 = 0.5;

impl Controller {
    /// Capsule at a scale.
    fn capsule(&self, scale: f32) -> Capsule {
        let options = &self.options;
        let height = if self.is_low {
            options.crouch_height.min(options.height)
        } else {
            options.height
        };
        let radius = (options.radius * scale).max(1e-3);
        let skin = Capsule::skin(radius);
        Capsule {
            radius,
            height: (height * scale).max(2.0 * radius + skin),
            skin,
            layer: options.layer,
            is_hollow: self.is_hollow,
            light: LIGHT_MASS_RATIO * options.mass * scale.powi(3),
        }
    }
}

impl PhysicsWorld {
    /// Advances a controller by a tick of `dt` seconds, from its drawn pose, before the step of the world. Returns the new
    /// drawn pose; events are appended to `events`.
    pub fn walk(
        &mut self,
        owner: Owner,
        controller: &mut Controller,
        from: ControllerPose,
        dt: f64,
        events: &mut Vec<ControllerTickEvent>,
    ) -> ControllerPose {
        let scale = from.scale.abs();
        let is_placed = from.position.is_finite() && from.yaw.is_finite() && scale.is_finite();
        if !is_placed || dt <= 0.0 || scale < 1e-4 {
            return from;
        }
        let mut stance = from;
        let c = controller;
        let previous = c.drawn_pose;
        if previous.is_none_or(|previous| {
            (previous.position, previous.scale) != (from.position, from.scale)
        }) {
            c.feet = from.position + Vec3::Y * (c.options.sole * scale);
            c.footing = GroundState::Unknown;
            c.platform_velocity = Vec3::ZERO;
            c.lag = 0.0;
        }
        let mut tick = ControllerTick {
            owner,
            dt: dt as f32,
            scale,
            capsule: c.capsule(scale),
            events,
        };
        self.enter(c, &tick);
        if !self.can_move(owner, &tick.capsule.reach(c.feet, &c.options)) {
            c.velocity = Vec3::ZERO;
            c.drawn_pose = Some(from);
            return from;
        }
        if c.footing == GroundState::Unknown {
            self.resolve_overlap(c, &tick);
        }
        self.update_crouch(c, &mut tick);
        if c.footing == GroundState::Unknown {
            self.find_footing(c, &tick);
        }
        for (_, since) in &mut c.bumped {
            *since += tick.dt;
        }
        c.bumped.retain(|(_, since)| *since < BUMP_INTERVAL_S);
        c.last_step.1 += tick.dt;
        take_off(c, &mut tick);
        let before = c.velocity;
        let next = speed_up(c, &tick, &mut stance.yaw);
        let mean = (before + next).with_y(0.0) / 2.0;
        let offset = mean * tick.dt + c.root_translation.with_y(0.0);
        c.velocity = next.with_y(c.velocity.y);
        if c.options.gravity <= 0.0 {
            self.move_freely(c, &mut tick, (before + next) / 2.0);
        } else if c.is_grounded() {
            self.move_on_ground(c, &mut tick, offset);
        } else {
            self.move_in_air(c, &mut tick, offset);
        }
        c.root_translation = Vec3::ZERO;
        if !c.feet.is_finite() || !c.velocity.is_finite() {
            c.feet = from.position;
            c.velocity = Vec3::ZERO;
        }
        self.load_ground(c, &tick);
        let sink = c.ground().map_or(0.0, |ground| sink(ground, &tick.capsule));
        c.lag += (-sink - c.lag) * (1.0 - (-tick.dt / STEP_SMOOTHING_S).exp());
        stance.position = c.feet + Vec3::Y * (c.lag - c.options.sole * scale);
        c.drawn_pose = Some(stance);
        if let Some((id, _)) = c.body {
            self.put_capsule(id, &tick.capsule, c.feet);
        }
        stance
    }

    /// Moves a controller with the bodies that moved in the step of the world, which took `dt` seconds. Returns the drawn
    /// pose.
    pub fn move_with_platform(
        &mut self,
        owner: Owner,
        controller: &mut Controller,
        from: ControllerPose,
        dt: f64,
    ) -> ControllerPose {
        let c = controller;
        let (Some((id, capsule)), true) = (c.body, c.drawn_pose == Some(from)) else {
            return from;
        };
        let tick = ControllerTick {
            owner,
            dt: dt as f32,
            scale: from.scale.abs(),
            capsule,
            events: &mut Vec::new(),
        };
        if !self.can_move(owner, &capsule.reach(c.feet, &c.options)) {
            return from;
        }
        let mut stance = from;
        let before = c.feet;
        self.follow_platform(c, &tick, &mut stance.yaw);
        self.resolve_overlap(c, &tick);
        if c.feet != before {
            stance.position += c.feet - before;
            self.put_capsule(id, &capsule, c.feet);
        }
        c.drawn_pose = Some(stance);
        stance
    }

    /// Adds or updates its capsule in the world.
    fn enter(&mut self, c: &mut Controller, tick: &ControllerTick) {
        let known = c.body.filter(|(id, _)| self.has(*id));
        if known.is_some_and(|(_, has)| has == tick.capsule) {
            return;
        }
        if let Some((id, _)) = known {
            self.remove(id);
        }
        let id = self.add_capsule(tick.owner, &tick.capsule, c.feet);
        c.body = Some((id, tick.capsule));
    }

    /// Moves the character with the platform under its feet.
    fn follow_platform(&mut self, c: &mut Controller, tick: &ControllerTick, yaw: &mut f32) {
        c.platform_velocity = Vec3::ZERO;
        let GroundState::Ground(ground) = &mut c.footing else {
            return;
        };
        let Some((id, previous)) = ground.body else {
            return;
        };
        let Some(now) = self.frame(id) else {
            ground.body = None;
            return;
        };
        let turned = (now.rotation * previous.rotation.inverse()).normalize();
        let offset = now.position + turned * (c.feet - previous.position) - c.feet;
        if !offset.is_finite() || offset.length() > MAX_PLATFORM_MOVE {
            c.footing = GroundState::Unknown;
            return;
        }
        let turn = 2.0 * f32::atan2(turned.y, turned.w);
        let turn =
            (turn + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
        *yaw += turn.to_degrees();
        c.velocity = Quat::from_rotation_y(turn) * c.velocity;
        ground.point += offset;
        ground.normal = turned * ground.normal;
        ground.contact = turned * ground.contact;
        ground.body = Some((id, now));
        c.level += offset.y;
        let how = Sweep {
            slope: c.options.max_slope,
            passes: PassThrough::Body(id),
        };
        // A sweep would ignore such a short displacement, and the character would drift.
        c.feet += if offset.length() < 0.1 * tick.capsule.skin {
            offset
        } else {
            self.sweep(
                tick.owner,
                &tick.capsule,
                c.feet,
                offset,
                how,
                &mut Vec::new(),
            )
        };
        c.platform_velocity = offset / tick.dt;
    }

    /// Moves out of bodies that moved into it.
    fn resolve_overlap(&mut self, c: &mut Controller, tick: &ControllerTick) {
        let is_new = c.footing == GroundState::Unknown;
        let rounds = if is_new { 64 } else { 8 };
        let (offset, is_free) = self.out_of_overlap(tick.owner, &tick.capsule, c.feet, rounds);
        if offset == Vec3::ZERO {
            c.is_crushed = !is_free;
            return;
        }
        // Between two sides it stays, because the displacement could lead through a wall.
        let through = || {
            self.first_on_sweep(
                tick.owner,
                &tick.capsule,
                c.feet,
                offset,
                PassThrough::Moving,
            )
            .is_some_and(|hits| hits.distance < offset.length() - tick.capsule.skin)
        };
        c.is_crushed = !is_new && (!is_free || through());
        if !c.is_crushed {
            c.feet += offset;
        }
    }

    /// Crouches at once, and stands up where there is room.
    fn update_crouch(&mut self, c: &mut Controller, tick: &mut ControllerTick) {
        if c.crouch == c.is_low {
            return;
        }
        let previous = std::mem::replace(&mut c.is_low, c.crouch);
        let capsule = c.capsule(tick.scale);
        if previous && !self.has_room(tick.owner, &capsule, c.feet, 0.5) {
            c.is_low = true;
            return;
        }
        tick.capsule = capsule;
        self.enter(c, tick);
    }

    /// Finds the ground where the controller was placed, if it is near.
    fn find_footing(&mut self, c: &mut Controller, tick: &ControllerTick) {
        let reach = c.options.max_step_height * tick.scale;
        c.footing = match self.below(c, tick, c.feet, reach) {
            Some(under) if under.firm => {
                c.feet.y -= under.drop;
                c.level = under.ground.point.y;
                c.velocity.y = 0.0;
                GroundState::Ground(under.ground)
            }
            _ => GroundState::Air,
        };
        c.top = c.feet.y;
        c.air_time = 0.0;
        c.has_jumped = false;
    }

    fn below(
        &self,
        c: &Controller,
        tick: &ControllerTick,
        feet: Vec3,
        reach: f32,
    ) -> Option<GroundBelow> {
        self.under(tick.owner, &tick.capsule, feet, reach, c.options.max_slope)
    }

    /// A tick on the ground.
    fn move_on_ground(&mut self, c: &mut Controller, tick: &mut ControllerTick, offset: Vec3) {
        let GroundState::Ground(old) = c.footing else {
            return;
        };
        let (step, slope) = (c.options.max_step_height * tick.scale, c.options.max_slope);
        let how = Sweep {
            slope,
            passes: PassThrough::Nothing,
        };
        let along = along(offset, &old, slope);
        let mut hits = Vec::new();
        let mut moved = self.sweep(tick.owner, &tick.capsule, c.feet, along, how, &mut hits);
        let requested = along.with_y(0.0) / tick.dt;
        let rest = (along - moved).with_y(0.0);
        if step > 0.0 && rest.length() > 0.02 * along.length() {
            let (owner, capsule, at) = (tick.owner, &tick.capsule, c.feet + moved);
            let base = c.level.clamp_to(c.feet.y, c.feet.y + capsule.radius);
            let up = self.climb(owner, capsule, at, rest, (base, step), slope);
            moved += up.unwrap_or(Vec3::ZERO);
        }
        self.handle_hits(c, tick, &hits, requested, moved.with_y(0.0) / tick.dt);
        let feet = c.feet + moved;
        let reach = step + moved.with_y(0.0).length() * slope.tan();
        let below = self.below(c, tick, feet, reach);
        let carries =
            |under: &GroundBelow| self.can_stand(tick.owner, &tick.capsule, feet, under, step);
        let Some(under) = below.filter(carries) else {
            if c.hang_time > HANG_DELAY_S
                && moved.length() < 0.1 * tick.capsule.skin + 0.1 * along.length()
            {
                // Still between the two slopes that support it.
                return;
            }
            c.feet = feet;
            c.leave_ground();
            c.velocity.y += (along.y / tick.dt).min(0.0);
            c.has_jumped = false;
            tick.events.push(ControllerTickEvent::Fall);
            return;
        };
        let ground = under.ground;
        let rise = moved.y - under.drop;
        c.lag -= rise - along.y;
        c.feet = feet - Vec3::Y * under.drop;
        c.hang_time = 0.0;
        c.footing = GroundState::Ground(ground);
        report_step(c, tick, ground, rise - along.y);
    }

    /// A tick in the air.
    fn move_in_air(&mut self, c: &mut Controller, tick: &mut ControllerTick, offset: Vec3) {
        let options = &c.options;
        let (slope, terminal) = (options.max_slope, options.max_fall_speed);
        let fall = c.velocity.y;
        c.velocity.y = (fall - options.gravity * tick.dt).max(-terminal);
        let offset = offset + Vec3::Y * ((fall + c.velocity.y) / 2.0 * tick.dt);
        let how = Sweep {
            slope,
            passes: PassThrough::Nothing,
        };
        let mut hits = Vec::new();
        let moved = self.sweep(tick.owner, &tick.capsule, c.feet, offset, how, &mut hits);
        c.feet += moved;
        c.air_time += tick.dt;
        c.top = c.top.max(c.feet.y);
        let before = c.velocity;
        let (requested, reached) = (offset.with_y(0.0), moved.with_y(0.0));
        self.handle_hits(c, tick, &hits, requested / tick.dt, reached / tick.dt);
        remove_velocity_into(c, &hits);
        let is_held = offset.y < 0.0 && moved.length() < 0.05 * offset.length();
        c.hang_time = if is_held { c.hang_time + tick.dt } else { 0.0 };
        let reach = 2.0 * tick.capsule.skin;
        let below = if before.y > 0.0 {
            None
        } else {
            self.below(c, tick, c.feet, reach)
        };
        let mut slides = None;
        match below {
            Some(under) if under.firm && !under.outer => self.land(c, tick, under, before.y),
            Some(under) if c.hang_time > HANG_DELAY_S => {
                let ground = GroundContact {
                    contact: Vec3::Y,
                    ..under.ground
                };
                let drop = 0.0;
                let under = GroundBelow {
                    ground,
                    drop,
                    ..under
                };
                self.land(c, tick, under, 0.0);
            }
            Some(under) if under.ground.normal.y < slope.cos() => slides = Some(under.ground),
            _ => {}
        }
        if !c.is_grounded() {
            c.footing = GroundState::Air;
        }
        report_slide(c, tick, slides);
    }

    fn land(
        &mut self,
        c: &mut Controller,
        tick: &mut ControllerTick,
        under: GroundBelow,
        fall: f32,
    ) {
        let ground = under.ground;
        let moving = ground.body.and_then(|(id, _)| self.body(id));
        let carried = moving.map_or(Vec3::ZERO, |body| body.velocity_at_point(ground.point));
        let carried = finite(Velocity {
            linear: carried,
            ..Velocity::default()
        })
        .linear;
        c.feet.y -= under.drop;
        let height = (c.top - c.feet.y).max(0.0);
        c.velocity = (c.velocity - carried).with_y(0.0);
        c.platform_velocity = carried;
        c.footing = GroundState::Ground(ground);
        c.level = ground.point.y;
        c.has_jumped = false;
        c.air_time = 0.0;
        tick.events.push(ControllerTickEvent::Land {
            speed: (carried.y - fall).max(0.0),
            height,
            ground,
        });
    }

    /// A tick without gravity: it moves exactly as requested.
    fn move_freely(&mut self, c: &mut Controller, tick: &mut ControllerTick, mean: Vec3) {
        if c.is_grounded() {
            c.leave_ground();
        }
        let rise = c.desired_velocity.y;
        c.velocity.y = approach(Vec3::Y * c.velocity.y, Vec3::Y * rise, c, tick.dt).y;
        let offset = mean.with_y(c.velocity.y) * tick.dt + c.root_translation;
        let how = Sweep {
            slope: c.options.max_slope,
            passes: PassThrough::Nothing,
        };
        let mut hits = Vec::new();
        let moved = self.sweep(tick.owner, &tick.capsule, c.feet, offset, how, &mut hits);
        c.feet += moved;
        let (requested, reached) = (offset.with_y(0.0), moved.with_y(0.0));
        self.handle_hits(c, tick, &hits, requested / tick.dt, reached / tick.dt);
        c.footing = GroundState::Air;
    }

    /// Pushes the colliders that it hit, reports bumps, and removes the lost part of its velocity.
    fn handle_hits(
        &mut self,
        c: &mut Controller,
        tick: &mut ControllerTick,
        hits: &[CapsuleHit],
        requested: Vec3,
        reached: Vec3,
    ) {
        let fast = c.velocity;
        for (i, one) in hits.iter().enumerate() {
            let Some(normal) = one.normal.with_y(0.0).try_normalize() else {
                continue;
            };
            let into = -requested.dot(normal);
            let is_wall = one.normal.y.abs() < MAX_WALL_NORMAL_Y;
            if !is_wall
                || into <= 1e-4
                || hits[..i]
                    .iter()
                    .any(|m| m.body == one.body && m.normal == one.normal)
            {
                continue;
            }
            let max = c.options.push_force * tick.scale.powi(3) * tick.dt;
            let pushed = one
                .body
                .and_then(|id| self.push_up_to(id, -normal, into, max, one.position));
            let remaining = pushed
                .unwrap_or(-reached.dot(normal))
                .max(-reached.dot(normal))
                .max(0.0);
            if remaining > 0.7 * into {
                continue;
            }
            let own = -c.velocity.dot(normal);
            if own > remaining {
                c.velocity += normal * (own - remaining);
            }
            bump(c, tick, one, -fast.dot(normal));
        }
    }

    /// Loads the ground with its weight.
    fn load_ground(&mut self, c: &Controller, tick: &ControllerTick) {
        if let Some(ground) = c.ground()
            && let Some((id, _)) = ground.body
        {
            let weight = c.options.mass * tick.scale.powi(3) * c.options.gravity;
            self.push(id, Vec3::NEG_Y * (weight * tick.dt), Some(ground.point));
        }
    }
}

/// Removes the velocity into the colliders that it hit in the air; it is never deflected upwards.
fn remove_velocity_into(c: &mut Controller, hits: &[CapsuleHit]) {
    let highest = c.velocity.y.max(0.0);
    for one in hits {
        let into = c.velocity.dot(one.normal);
        if into >= 0.0 {
            continue;
        }
        if one.normal.y < -0.1 {
            c.velocity.y = c.velocity.y.min(0.0);
        } else if one.normal.y > 0.2 {
            c.velocity -= one.normal * into;
        }
    }
    c.velocity.y = c.velocity.y.min(highest);
}

fn bump(c: &mut Controller, tick: &mut ControllerTick, hits: &CapsuleHit, speed: f32) {
    let owner = hits.owner;
    match c.bumped.iter_mut().find(|(known, _)| *known == owner) {
        Some((_, since)) => *since = 0.0,
        None if speed < MIN_BUMP_SPEED => {}
        None => {
            c.bumped.push((owner, 0.0));
            tick.events.push(ControllerTickEvent::Bump {
                owner,
                part: hits.part,
                position: hits.position,
                normal: hits.normal,
                speed,
            });
        }
    }
}

/// Reports when it begins and ceases to slide; `ground` is too steep and touched.
fn report_slide(c: &mut Controller, tick: &mut ControllerTick, ground: Option<GroundContact>) {
    let (before, is_grounded) = (c.slide, c.is_grounded());
    c.slide = match (ground, before) {
        (Some(ground), _) => Some((ground, 0.0)),
        (None, Some((ground, since))) if !is_grounded && since < SLIDE_TIMEOUT_S => {
            Some((ground, since + tick.dt))
        }
        (None, _) => None,
    };
    if before.is_some() != c.slide.is_some()
        && let Some((ground, _)) = c.slide.or(before)
    {
        tick.events.push(ControllerTickEvent::Slide {
            began: before.is_none(),
            slope: ground.normal.y.clamp(-1.0, 1.0).acos(),
            ground,
        });
    }
}

/// Reports a climbed step once.
fn report_step(c: &mut Controller, tick: &mut ControllerTick, ground: GroundContact, leap: f32) {
    let min = 0.02 * c.options.height * tick.scale;
    let is_edge = ground.contact.dot(ground.normal) < 0.996;
    let height = ground.point.y - c.level;
    let is_step = height > min && (is_edge || leap > min);
    if !is_edge || is_step || height < -min {
        c.level = ground.point.y;
    }
    let (last, since) = c.last_step;
    if is_step && ((ground.point.y - last).abs() > min || since > 0.5) {
        c.last_step = (ground.point.y, 0.0);
        tick.events
            .push(ControllerTickEvent::StepUp { height, ground });
    }
}
