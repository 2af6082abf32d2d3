//! An emitter and its particles: simulation.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::options::{
    EmissionShape, EmitterOptions, MAX_PARTICLES_EACH, ParticleCollision, SpriteSelection,
    SpriteSheet,
};
use galatea_math::random::RandomSource;
use galatea_rig::wind::Wind;

/// Height of landed particles above the surface, metres.
const LIFT: f32 = 0.003;
/// Distance of a bouncing particle's centre from surfaces, as a fraction of its size.
const BOUNCE_RADIUS: f32 = 0.36;
/// Speed below which a bouncing particle comes to rest, m/s.
const REST_SPEED: f32 = 0.25;
/// Fraction of a landed particle's time in which it fades out.
const FADE_FRACTION: f32 = 0.3;
/// Distance per tick above which the emitter was teleported, metres.
const JUMP: f32 = 3.0;
/// Maximum stretch of a sprite, metres.
const MAX_STRETCH: f32 = 1.5;

/// Start of a particle on a surface, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpawnPoint {
    /// Position, metres.
    pub at: Vec3,
    /// Unit normal.
    pub normal: Vec3,
}

/// Collision of a particle with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleHit {
    /// Position, world space.
    pub at: Vec3,
    /// Unit normal of the surface, towards the outside.
    pub normal: Vec3,
    /// True if the surface does not move.
    pub is_fixed: bool,
}

/// Returns a random position on a surface.
pub type SurfaceSampler<'a> = &'a dyn Fn(&mut RandomSource) -> Option<SpawnPoint>;

/// Input of an emitter for one tick.
pub struct EmitterInput<'a> {
    /// Duration of the tick, seconds.
    pub dt: f32,
    /// Simulation time at its start, seconds.
    pub time: f64,
    /// Transform from the emitter's space to world space.
    pub transform: Affine3A,
    /// Scale of the emission rate.
    pub open: f32,
    /// Wind.
    pub wind: &'a Wind,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Random positions on the surface of the emitter; `None` without a surface.
    pub surface: Option<SurfaceSampler<'a>>,
    /// Raycast: the first collision between two positions.
    pub raycast: &'a dyn Fn(Vec3, Vec3) -> Option<ParticleHit>,
    /// Maximum number of new particles in this tick.
    pub room: usize,
    /// Maximum number of particle updates for the time before the first tick; see [`MAX_PREWARM_UPDATES`].
    pub max_prewarm_updates: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum ParticleState {
    Flies,
    /// Bounced, at rest.
    Rests,
    /// Flat on a surface: its normal, the age when it landed, and the fraction of its life that had passed.
    Lies(Vec3, f32, f32),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct EmittedParticle {
    position: Vec3,
    before: Vec3,
    velocity: Vec3,
    age: f32,
    lifetime: f32,
    size: f32,
    rotation: f32,
    angular_velocity: f32,
    /// Random number of the particle, 0..1.
    random: f32,
    state: ParticleState,
}

impl EmittedParticle {
    /// Stops the particle and keeps its rotation.
    fn settle(&mut self, state: ParticleState) {
        self.state = state;
        self.velocity = Vec3::ZERO;
        self.rotation += self.angular_velocity * self.age;
        self.angular_velocity = 0.0;
    }
}

/// A particle to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// Position, world space.
    pub position: Vec3,
    /// Diameter, metres.
    pub size: f32,
    /// Stretch vector behind the particle, world space, metres; for a flat particle, the unit normal of the surface.
    pub along: Vec3,
    /// True if it is flat on a surface; otherwise it faces the camera.
    pub is_flat: bool,
    /// Rotation, radians.
    pub rotation: f32,
    /// Linear colour and opacity.
    pub color: Vec4,
    /// Emission; see [`EmitterOptions::emissive_strength`].
    pub emissive_strength: f32,
    /// See [`EmitterOptions::soft_distance`].
    pub soft_distance: f32,
    /// See [`EmitterOptions::gloss`].
    pub gloss: f32,
    /// See [`EmitterOptions::translucency`].
    pub translucency: f32,
    /// Index of the sprite sheet in the frame.
    pub texture: u16,
    /// Index of the cell in the sheet.
    pub cell: u16,
}

/// An emitter and its particles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Emitter {
    #[serde(with = "galatea_persist::shared")]
    options: Arc<EmitterOptions>,
    particles: Vec<EmittedParticle>,
    random: RandomSource,
    /// Fraction of a particle not emitted yet, and the size of a pending burst.
    pending: f32,
    bursts: u32,
    /// Time since the start, seconds.
    age: f32,
    is_emitting: bool,
    /// True if the emitter has only a burst: it is finished when its particles are gone.
    is_once: bool,
    transform: Option<Affine3A>,
    /// Number of particles that were not emitted for lack of room.
    n_dropped: u64,
}

/// Maximum number of particle updates in a tick for all emitters that start with particles.
pub const MAX_PREWARM_UPDATES: usize = 400_000;

impl Emitter {
    /// Creates an emitter that starts with the next tick.
    pub fn new(options: Arc<EmitterOptions>, seed: u64) -> Self {
        Self {
            particles: Vec::new(),
            random: RandomSource::new(seed),
            pending: 0.0,
            bursts: options.burst,
            age: 0.0,
            is_emitting: true,
            is_once: options.burst > 0 && options.rate <= 0.0,
            transform: None,
            n_dropped: 0,
            options,
        }
    }

    /// Options of the emitter.
    pub fn options(&self) -> &EmitterOptions {
        &self.options
    }

    /// Changes the options. Existing particles keep their size and lifetime.
    pub fn options_mut(&mut self) -> &mut EmitterOptions {
        Arc::make_mut(&mut self.options)
    }

    /// Sprite sheet of its particles.
    pub fn picture(&self) -> &Arc<SpriteSheet> {
        &self.options.texture
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.particles.len()
    }

    /// Returns true if there are no particles.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }

    /// Returns true if it emits particles.
    pub fn is_emitting(&self) -> bool {
        self.is_emitting
    }

    /// Returns true if it is finished: it has no particles and emits no more.
    pub fn is_over(&self) -> bool {
        let gives = self.is_emitting && !self.is_once;
        !gives && self.bursts == 0 && self.particles.is_empty()
    }

    /// Emits a burst of particles with the next tick.
    pub fn emit(&mut self, n: u32) {
        self.bursts = self.bursts.saturating_add(n).min(MAX_PARTICLES_EACH as u32);
    }

    /// Starts or stops the emission; existing particles remain.
    pub fn run(&mut self, runs: bool) {
        if runs && !self.is_emitting {
            self.age = 0.0;
        }
        self.is_emitting = runs;
    }

    /// Copies the particles of another emitter.
    pub fn continue_from(&mut self, was: &Self) {
        self.particles.clone_from(&was.particles);
        (self.random, self.pending, self.transform) = (was.random, was.pending, was.transform);
        (self.bursts, self.age) = (was.bursts, was.age);
    }

    /// Number of particles that were not emitted for lack of room so far.
    pub fn n_dropped(&self) -> u64 {
        self.n_dropped
    }

    /// Returns true if the next tick simulates the time before it.
    pub fn will_prewarm(&self) -> bool {
        self.transform.is_none() && self.options.prewarm > 0.0
    }

    /// Advances by a tick.
    pub fn advance(&mut self, input: &EmitterInput<'_>) {
        let options = self.options.clone();
        if self.will_prewarm() {
            self.warm_up(&options, input);
        }
        self.step(&options, input);
    }

    /// Simulates the time before the first tick. With many particles, it simulates only one lifetime in longer steps.
    fn warm_up(&mut self, options: &EmitterOptions, input: &EmitterInput<'_>) {
        let mut dt = input.dt.max(1e-3);
        let mut n = (options.prewarm / dt).round() as usize;
        let (n_particles, max) = (options.max_particles.max(1), input.max_prewarm_updates);
        if n * n_particles > max {
            let lived = n.min((options.lifetime[1] / dt).ceil() as usize + 1);
            self.age += (n - lived) as f32 * dt;
            n = lived.min((max / n_particles).max(1));
            dt *= lived as f32 / n as f32;
        }
        for i in 0..n {
            let time = input.time - f64::from((n - i) as f32 * dt);
            self.step(options, &EmitterInput { time, dt, ..*input });
        }
    }

    fn step(&mut self, options: &EmitterOptions, input: &EmitterInput<'_>) {
        let was = self
            .transform
            .replace(input.transform)
            .unwrap_or(input.transform);
        self.update_particles(options, input);
        let room = options.max_particles.min(self.particles.len() + input.room);
        let mut left = room.saturating_sub(self.particles.len()) as u32;
        let mut emit = |own: &mut Self, u: f32| {
            if left > 0 {
                left -= 1;
                own.begin(options, input, &was, u);
            } else {
                own.n_dropped += 1;
            }
        };
        for _ in 0..std::mem::take(&mut self.bursts) {
            emit(self, 1.0);
        }
        if self.is_emitting {
            // Each particle starts at its own time within the tick.
            let (before, due) = (self.pending, options.rate * input.open.max(0.0) * input.dt);
            self.pending += due;
            let n = self.pending.floor().min(MAX_PARTICLES_EACH as f32);
            self.pending -= self.pending.floor();
            for k in 1..=n as u32 {
                emit(self, ((k as f32 - before) / due).clamp(0.0, 1.0));
            }
        }
        self.age += input.dt;
        if options.duration.is_some_and(|seconds| self.age >= seconds) {
            self.is_emitting = false;
        }
    }

    /// Emits a particle. Its start is interpolated within the tick, with the emitter's position at that time.
    fn begin(
        &mut self,
        options: &EmitterOptions,
        input: &EmitterInput<'_>,
        was: &Affine3A,
        u: f32,
    ) {
        let chance = &mut self.random;
        let (from, to) = (
            Vec3::from(was.translation),
            Vec3::from(input.transform.translation),
        );
        let path = to - from;
        let jumps = path.length() > JUMP;
        let middle = if jumps { to } else { from.lerp(to, u) };
        let placement = input.transform;
        let rotation = Quat::from_mat3a(&placement.matrix3).normalize();
        let (at, ahead, out) = match (options.shape, input.surface) {
            (EmissionShape::Surface, Some(surface)) => match surface(chance) {
                Some(origin) => (origin.at, origin.normal, origin.normal),
                None => return,
            },
            (shape, _) => {
                let local = within(shape, chance);
                let offset = placement.transform_vector3(local);
                let out = offset.try_normalize().unwrap_or(Vec3::ZERO);
                (middle + offset, rotation * Vec3::Y, out)
            }
        };
        let speed = chance.between(options.speed[0], options.speed[1]);
        let own = if jumps || input.dt <= 0.0 {
            Vec3::ZERO
        } else {
            path / input.dt * options.inherit_velocity
        };
        let velocity =
            in_cone(ahead, options.spread, chance) * speed + out * options.radial_speed + own;
        let early = (1.0 - u) * input.dt;
        let life = chance
            .between(options.lifetime[0], options.lifetime[1])
            .max(1e-3);
        let mut particle = EmittedParticle {
            position: at,
            before: at,
            velocity,
            age: early.min(life),
            lifetime: life,
            size: chance.between(options.size[0], options.size[1]),
            rotation: if options.random_rotation {
                chance.unit() * TAU
            } else {
                0.0
            },
            angular_velocity: chance
                .between(options.angular_velocity[0], options.angular_velocity[1]),
            random: chance.unit(),
            state: ParticleState::Flies,
        };
        let rest = EmitterInput {
            dt: early,
            ..*input
        };
        let is_sound = at.is_finite() && velocity.is_finite();
        if is_sound && fly(&mut particle, options, &rest, (-options.drag * early).exp()) {
            self.particles.push(particle);
        }
    }

    fn update_particles(&mut self, options: &EmitterOptions, input: &EmitterInput<'_>) {
        let dt = input.dt;
        let drag_factor = (-options.drag * dt).exp();
        let mut i = 0;
        while i < self.particles.len() {
            let p = &mut self.particles[i];
            p.age += dt;
            p.before = p.position;
            let is_alive = p.age < p.lifetime
                && match p.state {
                    ParticleState::Flies => fly(p, options, input, drag_factor),
                    ParticleState::Rests | ParticleState::Lies(..) => true,
                };
            if is_alive {
                i += 1;
            } else {
                self.particles.swap_remove(i);
            }
        }
    }

    /// Adds the sprites of its particles. `alpha` interpolates from the previous tick (0) to the last one (1);
    /// `picture` is the index of the sprite sheet in the frame.
    pub fn add_sprites(&self, alpha: f32, picture: u16, dt: f32, out: &mut Vec<Sprite>) {
        let options = &*self.options;
        let back = (1.0 - alpha) * dt;
        out.extend(self.particles.iter().map(|p| {
            let age = (p.age - back).max(0.0);
            // A landed particle keeps the appearance of the moment when it landed.
            let u = match p.state {
                ParticleState::Lies(_, _, over) => over,
                ParticleState::Flies | ParticleState::Rests => (age / p.lifetime).min(1.0),
            };
            let color =
                options.color.at(u) * (1.0 + options.brightness_variation * (p.random - 0.5));
            let mut sprite = Sprite {
                position: p.before.lerp(p.position, alpha),
                size: p.size * options.size_over_lifetime.at(u).max(0.0),
                along: (p.velocity * options.stretch).clamp_length_max(MAX_STRETCH),
                is_flat: false,
                rotation: p.rotation + p.angular_velocity * age,
                color: color.extend(options.alpha.at(u).clamp(0.0, 1.0)),
                emissive_strength: options.emissive_strength,
                soft_distance: options.soft_distance,
                gloss: options.gloss,
                translucency: options.translucency,
                texture: picture,
                cell: cell_of(&options.cells, options.flipbook_mode, p.random, u),
            };
            if let ParticleState::Lies(normal, since, _) = p.state {
                if let ParticleCollision::Stick { size, .. } = options.collision {
                    sprite.size *= size;
                }
                let left = (p.lifetime - age) / (p.lifetime - since).max(1e-3) / FADE_FRACTION;
                sprite.color.w *= left.clamp(0.0, 1.0);
                // It spreads while it lands.
                sprite.size *= ((age - since) / 0.08).clamp(0.35, 1.0);
                (sprite.is_flat, sprite.along, sprite.soft_distance) = (true, normal, 0.0);
                if !options.landed.is_empty() {
                    sprite.cell = cell_of(&options.landed, SpriteSelection::Random, p.random, 0.0);
                }
            }
            sprite
        }));
    }
}

fn cell_of(cells: &std::ops::Range<u16>, play: SpriteSelection, chance: f32, u: f32) -> u16 {
    let n = cells.end.saturating_sub(cells.start).max(1);
    let fraction = match play {
        SpriteSelection::Random => chance,
        SpriteSelection::Lifetime => u,
    };
    cells.start + ((fraction * f32::from(n)) as u16).min(n - 1)
}

/// Moves a flying particle. Returns false if it must be removed.
fn fly(
    p: &mut EmittedParticle,
    options: &EmitterOptions,
    input: &EmitterInput<'_>,
    drag_factor: f32,
) -> bool {
    let dt = input.dt;
    let mut air = Vec3::ZERO;
    if options.wind_scale != 0.0 {
        air += input.wind.at(p.position, input.time) * options.wind_scale;
    }
    if options.turbulence.0 != 0.0 {
        air += eddy(p.position, options.turbulence.1, input.time) * options.turbulence.0;
    }
    p.velocity += input.gravity * (options.gravity_scale * dt);
    p.velocity = air + (p.velocity - air) * drag_factor;
    let next = p.position + p.velocity * dt;
    if !next.is_finite() {
        return false;
    }
    // A bouncing particle touches a surface with its side, a landing one with its centre.
    let half = match options.collision {
        ParticleCollision::Bounce { .. } => p.size * BOUNCE_RADIUS,
        _ => LIFT,
    };
    let landing = match options.collision {
        ParticleCollision::NoCollision => None,
        _ => (input.raycast)(
            p.position,
            next + (next - p.position).normalize_or_zero() * half,
        ),
    };
    let Some(landing) = landing else {
        p.position = next;
        return true;
    };
    p.position = landing.at + landing.normal * half;
    match options.collision {
        ParticleCollision::NoCollision | ParticleCollision::Kill => false,
        ParticleCollision::Bounce { across, along } => {
            let into = p.velocity.dot(landing.normal);
            let slides = p.velocity - landing.normal * into;
            p.velocity = slides * along - landing.normal * (into * across);
            p.angular_velocity *= along;
            if p.velocity.length() < REST_SPEED {
                p.settle(ParticleState::Rests);
            }
            true
        }
        ParticleCollision::Stick { seconds, .. } => {
            p.settle(ParticleState::Lies(
                landing.normal,
                p.age,
                p.age / p.lifetime,
            ));
            p.lifetime = p.age + seconds * (0.75 + 0.5 * p.random);
            landing.is_fixed
        }
    }
}

/// Random position in a shape, in the emitter's space.
fn within(shape: EmissionShape, chance: &mut RandomSource) -> Vec3 {
    match shape {
        EmissionShape::Point | EmissionShape::Surface => Vec3::ZERO,
        EmissionShape::Sphere(radius) => {
            let direction = in_cone(Vec3::Y, PI, chance);
            direction * (radius * chance.unit().cbrt())
        }
        EmissionShape::Disc(radius) => {
            let at = Vec2::from_angle(chance.unit() * TAU) * (radius * chance.unit().sqrt());
            Vec3::new(at.x, 0.0, at.y)
        }
        EmissionShape::Box(half) => {
            let mut about = || chance.unit() * 2.0 - 1.0;
            half * Vec3::new(about(), about(), about())
        }
    }
}

/// Random direction within an angle of another, uniformly distributed over the spherical cap.
fn in_cone(ahead: Vec3, angle: f32, chance: &mut RandomSource) -> Vec3 {
    let cosine = 1.0 - chance.unit() * (1.0 - angle.clamp(0.0, PI).cos());
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    let (side, over) = ahead.any_orthonormal_pair();
    let around = Vec2::from_angle(chance.unit() * TAU) * sine;
    ahead * cosine + side * around.x + over * around.y
}

/// Divergence-free turbulence with eddies of a given size: two octaves of the Arnold–Beltrami–Childress flow. About
/// -1..=1 along each axis.
fn eddy(at: Vec3, size: f32, time: f64) -> Vec3 {
    let flow = |p: Vec3, t: f32| {
        let (s, c) = ((p + t).map(f32::sin), (p - 0.7 * t).map(f32::cos));
        Vec3::new(s.z + c.y, s.x + c.z, s.y + c.x) * 0.5
    };
    let p = at * (TAU / size.max(0.01));
    let t = (time % 1000.0) as f32;
    flow(p, t * 0.9) * 0.7 + flow(p * 2.3 + 1.7, t * 1.7) * 0.3
}
