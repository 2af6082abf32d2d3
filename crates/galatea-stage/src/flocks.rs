//! Flocks on a stage: birds and fish, with collision avoidance.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::crowds::Gaits;
use super::flock_walls::slide;
use super::frame::{DrawCrowd, DrawnAgent, Frame, Tint};
use super::level_of_detail::level_of_detail;
use super::reload::Reload;
use super::{Agents, Arena, CameraRig, Clock, Handle, Identity, Ids, Physics};
use galatea_crowd::{Attractor, Boid, FlockMove, FlockRules, Flocking};
use galatea_math::clamp::ClampTo as _;
use galatea_physics::Filter;

/// Maximum number of flocks on a stage.
pub const MAX_FLOCKS: usize = 64;
/// Maximum number of birds in all flocks.
pub const MAX_BIRDS: usize = 20_000;
/// Maximum number of attractors and repellers of a flock.
pub const MAX_ATTRACTORS: usize = 64;
/// Each bird checks the ground and the way ahead once in this many ticks.
const CHECK_INTERVAL: u64 = 8;
/// Range of the search for the ground below, metres.
const GROUND_RANGE: f32 = 200.0;
/// Height without any ground below.
const NO_GROUND: f32 = -1e6;
/// Look-ahead time of the collision avoidance, seconds.
const LOOK_AHEAD: f32 = 1.2;
/// Time constants of banking, and of the blend between beating and gliding, seconds.
const BANK_TIME: f32 = 0.15;
const GLIDE_BLEND_TIME: f32 = 0.3;
/// Maximum bank angle, radians.
const MAX_BANK: f32 = 1.1;
/// Vertical speed, as a fraction of the speed, at which gliding starts, and at which it ends.
const GLIDE_CLIMB: [f32; 2] = [-0.18, -0.04];
/// Increase of the wing beat frequency with the climb fraction of the speed, and its limits.
const CLIMB_EFFORT: f32 = 1.4;
const BEAT_RANGE: [f32; 2] = [0.6, 1.8];

/// Visual state of one bird.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bird {
    /// Scale of the bird's body.
    pub scale: f32,
    /// Seed of the bird's appearance.
    pub seed: u32,
    /// Force set by the script.
    pub own: Vec3,
    turn: Quat,
    before: (Vec3, Quat),
    /// Velocity in the previous tick.
    was: Vec3,
    /// Phase of the wing beat, 0..1, and gliding weight: 0 beats its wings, 1 glides.
    lap: f32,
    glide: f32,
    glides: bool,
    lod: u8,
    /// Apparent size, as a fraction of the picture height.
    apparent_size: f32,
    ground: f32,
    /// Avoidance direction.
    aside: Vec3,
    /// Radius around it without surfaces, metres.
    clear: f32,
}

impl Bird {
    /// Creates a bird at a phase of its wing beat, 0..1.
    pub fn new(boid: &Boid, scale: f32, seed: u32, lap: f32) -> Self {
        let turn = facing(boid.velocity, 0.0).unwrap_or(Quat::IDENTITY);
        Self {
            scale,
            seed,
            own: Vec3::ZERO,
            turn,
            before: (boid.at, turn),
            was: boid.velocity,
            lap,
            glide: 0.0,
            glides: false,
            lod: 0,
            apparent_size: 1.0,
            ground: NO_GROUND,
            aside: Vec3::ZERO,
            clear: 0.0,
        }
    }
}

/// The birds of one flock.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageFlock {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Clips of the body: flight, and gliding as its first act.
    #[serde(with = "galatea_persist::shared")]
    pub body: Arc<Gaits>,
    /// Tints of the body's materials.
    #[serde(with = "galatea_persist::shared")]
    pub tints: Arc<[Tint]>,
    /// Position and velocity of each bird.
    pub boids: Vec<Boid>,
    /// Visual state of each bird.
    pub birds: Vec<Bird>,
    /// Flocking rules.
    pub rules: FlockRules,
    /// Attractors and repellers by name.
    pub attractors: Vec<(String, Attractor)>,
    /// Weight of the obstacle avoidance; 0 flies through obstacles.
    pub avoid: f32,
    /// Bank factor in turns: 1 as birds, 0 without banking.
    pub lean: f32,
    flocking: Flocking,
    forces: Vec<Vec3>,
    grounds: Vec<f32>,
}

impl StageFlock {
    /// Creates a flock of one body.
    pub fn new(body: Arc<Gaits>, boids: Vec<Boid>, birds: Vec<Bird>, rules: FlockRules) -> Self {
        Self {
            identity: Identity::default(),
            body,
            tints: Arc::new([]),
            boids,
            birds,
            rules,
            attractors: Vec::new(),
            avoid: 0.0,
            lean: 1.0,
            flocking: Flocking::default(),
            forces: Vec::new(),
            grounds: Vec::new(),
        }
    }

    /// Teleports one bird.
    pub fn teleport(&mut self, i: usize, boid: Boid) {
        if let (Some(own), Some(bird)) = (self.boids.get_mut(i), self.birds.get_mut(i)) {
            *own = boid;
            bird.turn = facing(boid.velocity, 0.0).unwrap_or(bird.turn);
            bird.before = (boid.at, bird.turn);
            bird.clear = 0.0;
        }
    }

    /// Sets an attractor or repeller by name, or removes it with `None`. Returns false if there are too many.
    pub fn pull(&mut self, name: &str, pull: Option<Attractor>) -> bool {
        let at = self.attractors.iter().position(|(known, _)| known == name);
        match (at, pull) {
            (Some(at), Some(pull)) => self.attractors[at].1 = pull,
            (Some(at), None) => {
                self.attractors.remove(at);
            }
            (None, Some(_)) if self.attractors.len() >= MAX_ATTRACTORS => return false,
            (None, Some(pull)) => self.attractors.push((name.to_owned(), pull)),
            (None, None) => {}
        }
        true
    }

    fn look(&mut self, physics: &Physics, tick: u64) {
        let has_ground = self.rules.ground_avoidance != 0.0 || self.rules.min_height > 0.0;
        let each = (0_u64..).zip(self.boids.iter().zip(&mut self.birds));
        for (_, (boid, bird)) in each.filter(|(i, _)| (tick + i).is_multiple_of(CHECK_INTERVAL)) {
            let world = &physics.world;
            let still = Filter::default();
            if has_ground {
                let hit = world.ray(boid.at, Vec3::NEG_Y, GROUND_RANGE, &still);
                bird.ground = hit.map_or(NO_GROUND, |hit| hit.position.y);
            }
            if self.avoid > 0.0 {
                // Objects may have moved into the free radius.
                bird.clear = 0.0;
                let reach = boid.velocity.length() * LOOK_AHEAD;
                let hit = world.ray(boid.at, boid.velocity, reach, &still);
                bird.aside = hit.map_or(Vec3::ZERO, |hit| {
                    let near = 1.0 - hit.distance / reach.max(1e-6);
                    // A bird that flies straight at a surface goes over it.
                    let direction = boid.velocity.normalize_or(Vec3::X);
                    let along = hit.normal - direction * hit.normal.dot(direction);
                    let aside = (along.normalize_or(Vec3::Y) + hit.normal).normalize_or(Vec3::Y);
                    aside * (self.avoid * (0.3 + near))
                });
            }
        }
    }

    fn step(&mut self, physics: &Physics, dt: f32) {
        let Self {
            boids,
            birds,
            rules,
            flocking,
            forces,
            grounds,
            ..
        } = self;
        for (boid, bird) in boids.iter().zip(&mut *birds) {
            bird.before = (boid.at, bird.turn);
            bird.was = boid.velocity;
        }
        rules.attractors.clear();
        rules
            .attractors
            .extend(self.attractors.iter().map(|(_, pull)| *pull));
        forces.clear();
        forces.extend(birds.iter().map(|bird| bird.own + bird.aside));
        grounds.clear();
        grounds.extend(birds.iter().map(|bird| bird.ground));
        let has_walls = self.avoid > 0.0;
        let walls = |moved: FlockMove, boid: &mut Boid| {
            let clear = &mut birds[moved.number].clear;
            has_walls && slide(&physics.world, moved.from, boid, clear)
        };
        flocking.step(boids, rules, forces, |i| grounds[i], walls, dt);
        let leaders = boids.iter_mut().zip(birds).take(rules.n_leaders);
        for (boid, bird) in leaders {
            let (from, velocity) = (boid.at, boid.velocity);
            boid.at += velocity * dt;
            if has_walls {
                slide(&physics.world, from, boid, &mut bird.clear);
            }
            // The script controls the velocity.
            boid.velocity = velocity;
        }
    }

    fn show(&mut self, eye: Vec3, seen: f32, dt: f32) {
        let size = self.body.poses.bounds.1 * 2.0;
        let level = &self.body.levels[0];
        let has_glide = self.body.clip(0).is_some();
        for (boid, bird) in self.boids.iter().zip(&mut self.birds) {
            let smooth = 1.0 - (-dt / BANK_TIME).exp();
            let change = (boid.velocity - bird.was) / dt.max(1e-6);
            let lean = lean_of(bird.turn, boid.velocity);
            let target = coordinated_bank(boid.velocity, change, self.lean);
            let lean = lean + (target - lean) * smooth;
            bird.turn = facing(boid.velocity, lean).unwrap_or(bird.turn);
            let speed = boid.velocity.length().max(1e-3);
            let rise = boid.velocity.y / speed;
            bird.glides = has_glide && rise < GLIDE_CLIMB[usize::from(bird.glides)];
            let by = if bird.glides { dt } else { -dt } / GLIDE_BLEND_TIME;
            bird.glide = (bird.glide + by).clamp(0.0, 1.0);
            let effort = (1.0 + rise * CLIMB_EFFORT).clamp_to(BEAT_RANGE[0], BEAT_RANGE[1]);
            bird.lap = (bird.lap + effort * dt / level.seconds).fract();
            let away = boid.at.distance(eye).max(1e-3);
            bird.apparent_size = size * bird.scale * seen / away;
            bird.lod = level_of_detail(bird.apparent_size);
        }
    }

    fn shown(&self, i: usize, alpha: f32) -> DrawnAgent {
        let (boid, bird) = (&self.boids[i], &self.birds[i]);
        let (at, turn) = bird.before;
        let (mut poses, mut share) = self.body.poses(0, bird.lap);
        if bird.glide > 0.0
            && let Some(glide) = self.body.clip(0)
        {
            let beat = poses[usize::from(share > 0.5)];
            let (still, own) = glide.poses(bird.lap);
            (poses, share) = match bird.glide {
                1.0 => (still, own),
                part => ([beat, still[usize::from(own > 0.5)]], part),
            };
        }
        DrawnAgent {
            number: i as u32,
            at: at.lerp(boid.at, alpha),
            turn: turn.slerp(bird.turn, alpha),
            scale: [bird.scale; 2],
            poses,
            pose_fraction: share,
            level: bird.lod,
            apparent_size: bird.apparent_size,
            seed: bird.seed,
        }
    }
}

/// Bank angle of a coordinated turn, radians to the left.
fn coordinated_bank(velocity: Vec3, change: Vec3, lean: f32) -> f32 {
    const GRAVITY: f32 = 9.81;
    let ahead = velocity.normalize_or(Vec3::Z);
    let left = Vec3::Y.cross(ahead).normalize_or_zero();
    let turning = change.dot(left);
    (lean * (turning / GRAVITY).atan() * 1.6).clamp(-MAX_BANK, MAX_BANK)
}

/// Current bank angle.
fn lean_of(turn: Quat, velocity: Vec3) -> f32 {
    let ahead = velocity.normalize_or(Vec3::Z);
    let left = Vec3::Y.cross(ahead).normalize_or_zero();
    let up = ahead.cross(left);
    let own = turn * Vec3::Y;
    own.dot(left).atan2(own.dot(up))
}

/// Rotation of a bird that flies along a velocity with a bank angle; `None` without a direction.
fn facing(velocity: Vec3, lean: f32) -> Option<Quat> {
    let ahead = velocity.try_normalize()?;
    let left = Vec3::Y.cross(ahead).try_normalize().unwrap_or(Vec3::X);
    let up = ahead.cross(left);
    let (sin, cos) = lean.sin_cos();
    let (own_up, own_left) = (up * cos + left * sin, left * cos - up * sin);
    Some(Quat::from_mat3(&Mat3::from_cols(own_left, own_up, ahead)).normalize())
}

/// Advances all flocks by a tick.
pub(super) fn advance(
    flocks: &mut Arena<StageFlock>,
    physics: &Physics,
    camera: &CameraRig,
    clock: Clock,
) {
    puffin::profile_scope!("flocks");
    let (dt, tick) = (clock.dt as f32, clock.n_ticks);
    let camera = camera.camera(1.0);
    // Apparent size at a distance of 1 m, for each metre of size.
    let seen = 0.5 / (camera.fov_y.to_radians() * 0.5).tan().max(1e-3);
    for (_, flock) in flocks.iter_mut() {
        flock.look(physics, tick);
        flock.step(physics, dt);
        flock.show(camera.eye, seen, dt);
    }
}

impl Agents {
    /// Adds a flock. `name` identifies it over reloads; without a name, the order of creation does. Returns `None` if there
    /// are too many flocks or birds.
    pub fn add_flock(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        flock: StageFlock,
    ) -> Option<Handle> {
        let there: usize = self.flocks.iter().map(|(_, flock)| flock.boids.len()).sum();
        if self.flocks.len() >= MAX_FLOCKS || there + flock.boids.len() > MAX_BIRDS {
            return None;
        }
        let identity = ids.identify(name, "flock");
        Some(self.flocks.insert(StageFlock { identity, ..flock }))
    }

    /// Adds all flocks to a frame, interpolated between the last two ticks by `alpha` (0..=1).
    pub(super) fn add_flocks(&self, alpha: f32, frame: &mut Frame) {
        for (handle, flock) in self.flocks.iter() {
            let first = frame.agents.len();
            let shown = (0..flock.boids.len()).map(|i| flock.shown(i, alpha));
            frame.agents.extend(shown);
            frame.crowds.push(DrawCrowd {
                poses: flock.body.poses.clone(),
                tints: flock.tints.clone(),
                agents: first..frame.agents.len(),
                instance: 3 << 62 | handle.to_u64() << 20,
            });
        }
    }

    /// Members of a flock whose own force is evaluated in a tick.
    pub fn members_to_steer(
        &self,
        handle: Handle,
        tick: u64,
    ) -> impl Iterator<Item = usize> + use<> {
        const EVERY: u64 = 3;
        let n = self.flocks.get(handle).map_or(0, |flock| flock.boids.len());
        (0..n).filter(move |i| (tick + *i as u64).is_multiple_of(EVERY))
    }
}

/// Continues the birds of the same flock.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.agents.flocks, &mut reload.new.agents.flocks);
    new.free_old();
    for (_, flock) in new.iter_mut() {
        let mut known = old.iter();
        let Some((_, was)) = known.find(|(_, was)| was.identity == flock.identity) else {
            continue;
        };
        for (boid, was) in flock.boids.iter_mut().zip(&was.boids) {
            *boid = *was;
        }
        for (bird, was) in flock.birds.iter_mut().zip(&was.birds) {
            *bird = Bird {
                scale: bird.scale,
                seed: bird.seed,
                own: Vec3::ZERO,
                clear: 0.0,
                ..*was
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn birds_face_their_direction_and_bank_into_turns() {
        let direction = Vec3::new(3.0, 1.0, 2.0);
        let turn = facing(direction, 0.4).unwrap();
        assert!((turn * Vec3::Z).distance(direction.normalize()) < 1e-5);
        assert!((lean_of(turn, direction) - 0.4).abs() < 1e-5);
        // Left is towards +X when flying along +Z; the up vector leans that way.
        let left = coordinated_bank(Vec3::Z * 5.0, Vec3::X * 6.0, 1.0);
        assert!(left > 0.3);
        let leaning = facing(Vec3::Z, left).unwrap() * Vec3::Y;
        assert!(leaning.x > 0.2 && leaning.y > 0.5);
        assert_eq!(coordinated_bank(Vec3::Z * 5.0, Vec3::X * 6.0, 0.0), 0.0);
        assert!(coordinated_bank(Vec3::Z, Vec3::X * 1e9, 1.0) <= MAX_BANK);
        assert!(facing(Vec3::ZERO, 0.0).is_none());
        let straight_up = facing(Vec3::Y, 0.2).unwrap();
        assert!(straight_up.is_finite() && (straight_up * Vec3::Z).y > 0.999);
    }
}
