//! One emitter and its particles, tick by tick.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

use super::options::{
    EmissionShape, EmitterOptions, Lands, MOST_OF_ONE, SpriteSelection, SpriteSheet,
};
use galatea_math::chance::Chance;
use galatea_rig::wind::Wind;

/// Metres by which what lies is over what it lies on.
const LIFT: f32 = 0.003;
/// Share of its size by which the middle of what bounces stays away.
const SIDE: f32 = 0.36;
/// Metres per second under which what bounced lies still.
const RESTS: f32 = 0.25;
/// Share of a landed one's time in which it fades.
const FADES: f32 = 0.3;
/// Metres in a tick beyond which an emitter was put elsewhere and did not move there.
const JUMP: f32 = 3.0;
/// Metres over which what is drawn out may be.
const LONGEST: f32 = 1.5;

/// Where a particle begins on a surface, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpawnPoint {
    /// Metres.
    pub at: Vec3,
    /// Unit.
    pub normal: Vec3,
}

/// What a particle met on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleHit {
    /// World space.
    pub at: Vec3,
    /// Unit, out of what was met.
    pub normal: Vec3,
    /// What was met stays where it is.
    pub is_fixed: bool,
}

/// Gives a place by chance.
pub type SurfaceSampler<'a> = &'a dyn Fn(&mut Chance) -> Option<SpawnPoint>;

/// What an emitter is told of a tick.
pub struct EmitterInput<'a> {
    /// Seconds of the tick.
    pub dt: f32,
    /// Stage seconds at its start.
    pub time: f64,
    /// World from the emitter's space.
    pub place: Affine3A,
    /// Factor on its rate now.
    pub open: f32,
    /// The air.
    pub wind: &'a Wind,
    /// m/s².
    pub gravity: Vec3,
    /// A place by chance on the surface that it is on; `None` where there is none.
    pub surface: Option<SurfaceSampler<'a>>,
    /// What is first met on the way from one place to another.
    pub met: &'a dyn Fn(Vec3, Vec3) -> Option<ParticleHit>,
    /// Particles that there is room for beside its own.
    pub room: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ParticleState {
    Flies,
    /// Where it bounced last.
    Rests,
    /// Flat: its normal, its age then, and the share of its life that was over.
    Lies(Vec3, f32, f32),
}

#[derive(Clone, Copy, Debug)]
struct EmittedParticle {
    at: Vec3,
    before: Vec3,
    velocity: Vec3,
    age: f32,
    life: f32,
    size: f32,
    turn: f32,
    spin: f32,
    /// 0..1, its own.
    chance: f32,
    state: ParticleState,
}

impl EmittedParticle {
    /// It moves no more, and stays turned as it is.
    fn settle(&mut self, state: ParticleState) {
        self.state = state;
        self.velocity = Vec3::ZERO;
        self.turn += self.spin * self.age;
        self.spin = 0.0;
    }
}

/// A particle as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// World space.
    pub at: Vec3,
    /// Metres across.
    pub size: f32,
    /// World space, metres that it is drawn out over behind it; of one that lies, the unit normal of its place.
    pub along: Vec3,
    /// It lies flat and does not face the eye.
    pub lies: bool,
    /// Radians.
    pub turn: f32,
    /// Linear colour, and how much it covers.
    pub color: Vec4,
    /// Light of its own; see [`EmitterOptions::glow`].
    pub glow: f32,
    /// See [`EmitterOptions::soft`].
    pub soft: f32,
    /// See [`EmitterOptions::gloss`].
    pub gloss: f32,
    /// See [`EmitterOptions::thin`].
    pub thin: f32,
    /// Which picture of the frame.
    pub picture: u16,
    /// Which cell of it.
    pub cell: u16,
}

/// An emitter and what it gave off.
#[derive(Clone, Debug)]
pub struct Emitter {
    options: Arc<EmitterOptions>,
    particles: Vec<EmittedParticle>,
    chance: Chance,
    /// Parts of particles that are still to be given off, and whole ones at once.
    owed: f32,
    bursts: u32,
    /// Seconds that it has gone on for.
    age: f32,
    is_running: bool,
    /// What it began with is over when its particles are.
    is_once: bool,
    place: Option<Affine3A>,
    /// Particles for which there was no room.
    n_lost: u64,
}

/// Moves of single particles with which an emitter is warmed up at most.
const MAX_WARM_MOVES: usize = 400_000;

impl Emitter {
    /// One that begins with the next tick.
    pub fn new(options: Arc<EmitterOptions>, seed: u64) -> Self {
        Self {
            particles: Vec::new(),
            chance: Chance::new(seed),
            owed: 0.0,
            bursts: options.burst,
            age: 0.0,
            is_running: true,
            is_once: options.burst > 0 && options.rate <= 0.0,
            place: None,
            n_lost: 0,
            options,
        }
    }

    /// What it is told.
    pub fn options(&self) -> &EmitterOptions {
        &self.options
    }

    /// Changes what it is told; particles that are there have their sizes and lives already.
    pub fn options_mut(&mut self) -> &mut EmitterOptions {
        Arc::make_mut(&mut self.options)
    }

    /// What its particles look like.
    pub fn picture(&self) -> &Arc<SpriteSheet> {
        &self.options.picture
    }

    /// Particles that are there.
    pub fn len(&self) -> usize {
        self.particles.len()
    }

    /// No particle is there.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }

    /// It gives off particles.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Nothing will be seen of it any more.
    pub fn is_over(&self) -> bool {
        let gives = self.is_running && !self.is_once;
        !gives && self.bursts == 0 && self.particles.is_empty()
    }

    /// So many particles at once, with the next tick.
    pub fn burst(&mut self, n: u32) {
        self.bursts = self.bursts.saturating_add(n).min(MOST_OF_ONE as u32);
    }

    /// Gives off particles, or no more; those that are there live on.
    pub fn run(&mut self, runs: bool) {
        if runs && !self.is_running {
            self.age = 0.0;
        }
        self.is_running = runs;
    }

    /// Takes over the particles of another one.
    pub fn continue_from(&mut self, was: &Self) {
        self.particles.clone_from(&was.particles);
        (self.chance, self.owed, self.place) = (was.chance, was.owed, was.place);
        (self.bursts, self.age) = (was.bursts, was.age);
    }

    /// Particles for which there was no room so far.
    pub fn n_lost(&self) -> u64 {
        self.n_lost
    }

    /// Moves on by a tick.
    pub fn advance(&mut self, input: &EmitterInput<'_>) {
        let options = self.options.clone();
        if self.place.is_none() && options.warm > 0.0 {
            self.warm_up(&options, input);
        }
        self.step(&options, input);
    }

    /// Simulates the time before the first tick: of many particles only as long as one lives, in longer steps.
    fn warm_up(&mut self, options: &EmitterOptions, input: &EmitterInput<'_>) {
        let mut dt = input.dt.max(1e-3);
        let mut n = (options.warm / dt).round() as usize;
        if n * options.most > MAX_WARM_MOVES {
            let lived = n.min((options.life[1] / dt).ceil() as usize + 1);
            self.age += (n - lived) as f32 * dt;
            n = lived.min((MAX_WARM_MOVES / options.most.max(1)).max(1));
            dt *= lived as f32 / n as f32;
        }
        for i in 0..n {
            let time = input.time - f64::from((n - i) as f32 * dt);
            self.step(options, &EmitterInput { time, dt, ..*input });
        }
    }

    fn step(&mut self, options: &EmitterOptions, input: &EmitterInput<'_>) {
        let was = self.place.replace(input.place).unwrap_or(input.place);
        self.move_on(options, input);
        let room = options.most.min(self.particles.len() + input.room);
        let mut left = room.saturating_sub(self.particles.len()) as u32;
        let mut give = |own: &mut Self, u: f32| {
            if left > 0 {
                left -= 1;
                own.begin(options, input, &was, u);
            } else {
                own.n_lost += 1;
            }
        };
        for _ in 0..std::mem::take(&mut self.bursts) {
            give(self, 1.0);
        }
        if self.is_running {
            // Each at its own time of the tick.
            let (before, due) = (self.owed, options.rate * input.open.max(0.0) * input.dt);
            self.owed += due;
            let n = self.owed.floor().min(MOST_OF_ONE as f32);
            self.owed -= self.owed.floor();
            for k in 1..=n as u32 {
                give(self, ((k as f32 - before) / due).clamp(0.0, 1.0));
            }
        }
        self.age += input.dt;
        if options.seconds.is_some_and(|seconds| self.age >= seconds) {
            self.is_running = false;
        }
    }

    /// One that began a share of the tick ago from its end, where the emitter was then.
    fn begin(
        &mut self,
        options: &EmitterOptions,
        input: &EmitterInput<'_>,
        was: &Affine3A,
        u: f32,
    ) {
        let chance = &mut self.chance;
        let (from, to) = (
            Vec3::from(was.translation),
            Vec3::from(input.place.translation),
        );
        let way = to - from;
        let jumps = way.length() > JUMP;
        let middle = if jumps { to } else { from.lerp(to, u) };
        let place = input.place;
        let turn = Quat::from_mat3a(&place.matrix3).normalize();
        let (at, ahead, out) = match (options.shape, input.surface) {
            (EmissionShape::Surface, Some(surface)) => match surface(chance) {
                Some(origin) => (origin.at, origin.normal, origin.normal),
                None => return,
            },
            (shape, _) => {
                let local = within(shape, chance);
                let offset = place.transform_vector3(local);
                let out = offset.try_normalize().unwrap_or(Vec3::ZERO);
                (middle + offset, turn * Vec3::Y, out)
            }
        };
        let speed = chance.between(options.speed[0], options.speed[1]);
        let own = if jumps || input.dt <= 0.0 {
            Vec3::ZERO
        } else {
            way / input.dt * options.inherit
        };
        let velocity = in_cone(ahead, options.spread, chance) * speed + out * options.outward + own;
        let early = (1.0 - u) * input.dt;
        let life = chance.between(options.life[0], options.life[1]).max(1e-3);
        let mut particle = EmittedParticle {
            at,
            before: at,
            velocity,
            age: early.min(life),
            life,
            size: chance.between(options.size[0], options.size[1]),
            turn: if options.turned {
                chance.unit() * TAU
            } else {
                0.0
            },
            spin: chance.between(options.spin[0], options.spin[1]),
            chance: chance.unit(),
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

    fn move_on(&mut self, options: &EmitterOptions, input: &EmitterInput<'_>) {
        let dt = input.dt;
        let kept = (-options.drag * dt).exp();
        let mut i = 0;
        while i < self.particles.len() {
            let p = &mut self.particles[i];
            p.age += dt;
            p.before = p.at;
            let goes_on = p.age < p.life
                && match p.state {
                    ParticleState::Flies => fly(p, options, input, kept),
                    ParticleState::Rests | ParticleState::Lies(..) => true,
                };
            if goes_on {
                i += 1;
            } else {
                self.particles.swap_remove(i);
            }
        }
    }

    /// Its particles `alpha` (0..=1) of the way from the tick before to the last one; `picture` is where the frame has
    /// theirs.
    pub fn add_sprites(&self, alpha: f32, picture: u16, dt: f32, out: &mut Vec<Sprite>) {
        let options = &*self.options;
        let back = (1.0 - alpha) * dt;
        out.extend(self.particles.iter().map(|p| {
            let age = (p.age - back).max(0.0);
            // What lies is as it was when it landed.
            let u = match p.state {
                ParticleState::Lies(_, _, over) => over,
                ParticleState::Flies | ParticleState::Rests => (age / p.life).min(1.0),
            };
            let color = options.color.at(u) * (1.0 + options.vary * (p.chance - 0.5));
            let mut sprite = Sprite {
                at: p.before.lerp(p.at, alpha),
                size: p.size * options.grow.at(u).max(0.0),
                along: (p.velocity * options.stretch).clamp_length_max(LONGEST),
                lies: false,
                turn: p.turn + p.spin * age,
                color: color.extend(options.alpha.at(u).clamp(0.0, 1.0)),
                glow: options.glow,
                soft: options.soft,
                gloss: options.gloss,
                thin: options.thin,
                picture,
                cell: cell_of(&options.cells, options.play, p.chance, u),
            };
            if let ParticleState::Lies(normal, since, _) = p.state {
                if let Lands::Stays { size, .. } = options.lands {
                    sprite.size *= size;
                }
                let left = (p.life - age) / (p.life - since).max(1e-3) / FADES;
                sprite.color.w *= left.clamp(0.0, 1.0);
                // It spreads as it lands.
                sprite.size *= ((age - since) / 0.08).clamp(0.35, 1.0);
                (sprite.lies, sprite.along, sprite.soft) = (true, normal, 0.0);
                if !options.landed.is_empty() {
                    sprite.cell = cell_of(&options.landed, SpriteSelection::Chance, p.chance, 0.0);
                }
            }
            sprite
        }));
    }
}

fn cell_of(cells: &std::ops::Range<u16>, play: SpriteSelection, chance: f32, u: f32) -> u16 {
    let n = cells.end.saturating_sub(cells.start).max(1);
    let share = match play {
        SpriteSelection::Chance => chance,
        SpriteSelection::Life => u,
    };
    cells.start + ((share * f32::from(n)) as u16).min(n - 1)
}

/// Moves one that flies; false when it is gone.
fn fly(
    p: &mut EmittedParticle,
    options: &EmitterOptions,
    input: &EmitterInput<'_>,
    kept: f32,
) -> bool {
    let dt = input.dt;
    let mut air = Vec3::ZERO;
    if options.wind != 0.0 {
        air += input.wind.at(p.at, input.time) * options.wind;
    }
    if options.swirl.0 != 0.0 {
        air += eddy(p.at, options.swirl.1, input.time) * options.swirl.0;
    }
    p.velocity += input.gravity * (options.gravity * dt);
    p.velocity = air + (p.velocity - air) * kept;
    let next = p.at + p.velocity * dt;
    if !next.is_finite() {
        return false;
    }
    // What bounces does so on its side, what stays on its middle.
    let half = match options.lands {
        Lands::Bounces { .. } => p.size * SIDE,
        _ => LIFT,
    };
    let landing = match options.lands {
        Lands::Through => None,
        _ => (input.met)(p.at, next + (next - p.at).normalize_or_zero() * half),
    };
    let Some(landing) = landing else {
        p.at = next;
        return true;
    };
    p.at = landing.at + landing.normal * half;
    match options.lands {
        Lands::Through | Lands::Ends => false,
        Lands::Bounces { across, along } => {
            let into = p.velocity.dot(landing.normal);
            let slides = p.velocity - landing.normal * into;
            p.velocity = slides * along - landing.normal * (into * across);
            p.spin *= along;
            if p.velocity.length() < RESTS {
                p.settle(ParticleState::Rests);
            }
            true
        }
        Lands::Stays { seconds, .. } => {
            p.settle(ParticleState::Lies(landing.normal, p.age, p.age / p.life));
            p.life = p.age + seconds * (0.75 + 0.5 * p.chance);
            landing.is_fixed
        }
    }
}

/// A place by chance in a form, the emitter's space.
fn within(shape: EmissionShape, chance: &mut Chance) -> Vec3 {
    match shape {
        EmissionShape::Point | EmissionShape::Surface => Vec3::ZERO,
        EmissionShape::Ball(radius) => {
            let way = in_cone(Vec3::Y, PI, chance);
            way * (radius * chance.unit().cbrt())
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

/// A direction by chance within an angle of another, even over the sphere's cap.
fn in_cone(ahead: Vec3, angle: f32, chance: &mut Chance) -> Vec3 {
    let cosine = 1.0 - chance.unit() * (1.0 - angle.clamp(0.0, PI).cos());
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    let (side, over) = ahead.any_orthonormal_pair();
    let around = Vec2::from_angle(chance.unit() * TAU) * sine;
    ahead * cosine + side * around.x + over * around.y
}

/// Air that turns in eddies of a size, without sources: two octaves of the flow of Arnold, Beltrami and Childress. About
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
