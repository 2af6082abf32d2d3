//! Flocks on a stage: birds and fish that turn and part together, over the ground and around what stands there.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::crowds::Gaits;
use super::flock_walls::slide;
use super::frame::{DrawCrowd, Frame, ShownPerson, Tint};
use super::level_of_detail::level_of_detail;
use super::reload::Reload;
use super::{Agents, Arena, CameraRig, Clock, Handle, Identity, Ids, Physics};
use galatea_crowd::{Boid, FlockMove, FlockRules, Flocking, Pull};
use galatea_math::clamp::ClampTo as _;
use galatea_physics::Filter;

/// Flocks that there may be on a stage.
pub const MOST_FLOCKS: usize = 64;
/// Those in all of them.
pub const MOST_BIRDS: usize = 20_000;
/// Things that may draw or drive a flock.
pub const MOST_PULLS: usize = 64;
/// Of so many ticks each looks for the ground, and ahead, in one.
const LOOKS: u64 = 8;
/// Metres down that ground is looked for.
const DOWN: f32 = 200.0;
/// A ground that is nowhere.
const NO_GROUND: f32 = -1e6;
/// Seconds ahead in which nothing is to be met.
const AHEAD: f32 = 1.2;
/// Seconds in which they lean, and in which wings go from beating to gliding.
const LEANS: f32 = 0.15;
const FADE: f32 = 0.3;
/// The most that they lean, radians.
const MOST_LEAN: f32 = 1.1;
/// Shares of their speed at which they sink who begin to glide, and who beat their wings again.
const SINKS: [f32; 2] = [-0.18, -0.04];
/// How much faster wings beat for each share of the speed that goes up, and the least and the most.
const EFFORT: f32 = 1.4;
const BEATS: [f32; 2] = [0.6, 1.8];

/// One of a flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bird {
    /// Of its body.
    pub scale: f32,
    /// Its own number: what it wears.
    pub seed: u32,
    /// A force of a script's own.
    pub own: Vec3,
    turn: Quat,
    before: (Vec3, Quat),
    /// Its velocity in the tick before.
    was: Vec3,
    /// Share of its lap; of its glide, 0 beats its wings, 1 glides.
    lap: f32,
    glide: f32,
    glides: bool,
    lod: u8,
    /// How large it is seen, a share of the picture's height.
    seen: f32,
    ground: f32,
    /// Away from what is ahead.
    aside: Vec3,
    /// Metres around it that are free of surfaces.
    clear: f32,
}

impl Bird {
    /// One that begins somewhere in its lap, 0..1.
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
            seen: 1.0,
            ground: NO_GROUND,
            aside: Vec3::ZERO,
            clear: 0.0,
        }
    }
}

/// Those of the same script's call.
#[derive(Clone, Debug)]
pub struct StageFlock {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Their body: how it flies, and as its first act how it glides.
    pub body: Arc<Gaits>,
    /// Colours over its materials.
    pub tints: Arc<[Tint]>,
    /// Where each is.
    pub boids: Vec<Boid>,
    /// How each is seen.
    pub birds: Vec<Bird>,
    /// What they heed.
    pub rules: FlockRules,
    /// What draws or drives them, by name.
    pub pulls: Vec<(String, Pull)>,
    /// Metres a second by which they turn away from what is ahead; 0 flies through it.
    pub avoid: f32,
    /// How much they lean in turns: 1 as birds, 0 not at all.
    pub lean: f32,
    flocking: Flocking,
    forces: Vec<Vec3>,
    grounds: Vec<f32>,
}

impl StageFlock {
    /// A flock of one body.
    pub fn new(body: Arc<Gaits>, boids: Vec<Boid>, birds: Vec<Bird>, rules: FlockRules) -> Self {
        Self {
            identity: Identity::default(),
            body,
            tints: Arc::new([]),
            boids,
            birds,
            rules,
            pulls: Vec::new(),
            avoid: 0.0,
            lean: 1.0,
            flocking: Flocking::default(),
            forces: Vec::new(),
            grounds: Vec::new(),
        }
    }

    /// Puts one somewhere at once.
    pub fn place(&mut self, i: usize, boid: Boid) {
        if let (Some(own), Some(bird)) = (self.boids.get_mut(i), self.birds.get_mut(i)) {
            *own = boid;
            bird.turn = facing(boid.velocity, 0.0).unwrap_or(bird.turn);
            bird.before = (boid.at, bird.turn);
            bird.clear = 0.0;
        }
    }

    /// Draws or drives from now on, by a name; nothing takes that off. False when there are too many.
    pub fn pull(&mut self, name: &str, pull: Option<Pull>) -> bool {
        let at = self.pulls.iter().position(|(known, _)| known == name);
        match (at, pull) {
            (Some(at), Some(pull)) => self.pulls[at].1 = pull,
            (Some(at), None) => {
                self.pulls.remove(at);
            }
            (None, Some(_)) if self.pulls.len() >= MOST_PULLS => return false,
            (None, Some(pull)) => self.pulls.push((name.to_owned(), pull)),
            (None, None) => {}
        }
        true
    }

    fn look(&mut self, physics: &Physics, tick: u64) {
        let has_ground = self.rules.ground != 0.0 || self.rules.lowest > 0.0;
        let each = (0_u64..).zip(self.boids.iter().zip(&mut self.birds));
        for (_, (boid, bird)) in each.filter(|(i, _)| (tick + i).is_multiple_of(LOOKS)) {
            let world = &physics.world;
            let still = Filter::default();
            if has_ground {
                let hit = world.ray(boid.at, Vec3::NEG_Y, DOWN, &still);
                bird.ground = hit.map_or(NO_GROUND, |hit| hit.position.y);
            }
            if self.avoid > 0.0 {
                // Things may have moved there.
                bird.clear = 0.0;
                let reach = boid.velocity.length() * AHEAD;
                let hit = world.ray(boid.at, boid.velocity, reach, &still);
                bird.aside = hit.map_or(Vec3::ZERO, |hit| {
                    let near = 1.0 - hit.distance / reach.max(1e-6);
                    // Who flies straight at it goes over it.
                    let way = boid.velocity.normalize_or(Vec3::X);
                    let along = hit.normal - way * hit.normal.dot(way);
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
        rules.pulls.clear();
        rules.pulls.extend(self.pulls.iter().map(|(_, pull)| *pull));
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
            // The script leads.
            boid.velocity = velocity;
        }
    }

    fn show(&mut self, eye: Vec3, seen: f32, dt: f32) {
        let size = self.body.book.bounds.1 * 2.0;
        let level = &self.body.levels[0];
        let has_glide = self.body.act(0).is_some();
        for (boid, bird) in self.boids.iter().zip(&mut self.birds) {
            let smooth = 1.0 - (-dt / LEANS).exp();
            let change = (boid.velocity - bird.was) / dt.max(1e-6);
            let lean = lean_of(bird.turn, boid.velocity);
            let wanted = wanted_lean(boid.velocity, change, self.lean);
            let lean = lean + (wanted - lean) * smooth;
            bird.turn = facing(boid.velocity, lean).unwrap_or(bird.turn);
            let speed = boid.velocity.length().max(1e-3);
            let rise = boid.velocity.y / speed;
            bird.glides = has_glide && rise < SINKS[usize::from(bird.glides)];
            let by = if bird.glides { dt } else { -dt } / FADE;
            bird.glide = (bird.glide + by).clamp(0.0, 1.0);
            let effort = (1.0 + rise * EFFORT).clamp_to(BEATS[0], BEATS[1]);
            bird.lap = (bird.lap + effort * dt / level.seconds).fract();
            let away = boid.at.distance(eye).max(1e-3);
            bird.seen = size * bird.scale * seen / away;
            bird.lod = level_of_detail(bird.seen);
        }
    }

    fn shown(&self, i: usize, alpha: f32) -> ShownPerson {
        let (boid, bird) = (&self.boids[i], &self.birds[i]);
        let (at, turn) = bird.before;
        let (mut poses, mut share) = self.body.poses(0, bird.lap);
        if bird.glide > 0.0
            && let Some(glide) = self.body.act(0)
        {
            let beat = poses[usize::from(share > 0.5)];
            let (still, own) = glide.poses(bird.lap);
            (poses, share) = match bird.glide {
                1.0 => (still, own),
                part => ([beat, still[usize::from(own > 0.5)]], part),
            };
        }
        ShownPerson {
            number: i as u32,
            at: at.lerp(boid.at, alpha),
            turn: turn.slerp(bird.turn, alpha),
            scale: [bird.scale; 2],
            poses,
            share,
            level: bird.lod,
            seen: bird.seen,
            seed: bird.seed,
        }
    }
}

/// How who changes its velocity leans, radians to the left: so that its weight and that turn press it onto its feet.
fn wanted_lean(velocity: Vec3, change: Vec3, lean: f32) -> f32 {
    const GRAVITY: f32 = 9.81;
    let ahead = velocity.normalize_or(Vec3::Z);
    let left = Vec3::Y.cross(ahead).normalize_or_zero();
    let turning = change.dot(left);
    (lean * (turning / GRAVITY).atan() * 1.6).clamp(-MOST_LEAN, MOST_LEAN)
}

/// How somebody leans now.
fn lean_of(turn: Quat, velocity: Vec3) -> f32 {
    let ahead = velocity.normalize_or(Vec3::Z);
    let left = Vec3::Y.cross(ahead).normalize_or_zero();
    let up = ahead.cross(left);
    let own = turn * Vec3::Y;
    own.dot(left).atan2(own.dot(up))
}

/// The turn of one that flies along a velocity and leans by an angle; nothing where that is no way.
fn facing(velocity: Vec3, lean: f32) -> Option<Quat> {
    let ahead = velocity.try_normalize()?;
    let left = Vec3::Y.cross(ahead).try_normalize().unwrap_or(Vec3::X);
    let up = ahead.cross(left);
    let (sin, cos) = lean.sin_cos();
    let (own_up, own_left) = (up * cos + left * sin, left * cos - up * sin);
    Some(Quat::from_mat3(&Mat3::from_cols(own_left, own_up, ahead)).normalize())
}

/// Moves all flocks on by a tick.
pub(super) fn advance(
    flocks: &mut Arena<StageFlock>,
    physics: &Physics,
    camera: &CameraRig,
    clock: Clock,
) {
    let (dt, tick) = (clock.dt as f32, clock.n_ticks);
    let camera = camera.camera(1.0);
    // At a metre, for each of its size.
    let seen = 0.5 / (camera.fov_y.to_radians() * 0.5).tan().max(1e-3);
    for (_, flock) in flocks.iter_mut() {
        flock.look(physics, tick);
        flock.step(physics, dt);
        flock.show(camera.eye, seen, dt);
    }
}

impl Agents {
    /// Puts a flock on the stage. `name` makes it known over reloads; without one it is known by the order in which a
    /// script makes them. `None` when there are too many, or too many birds.
    pub fn add_flock(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        flock: StageFlock,
    ) -> Option<Handle> {
        let there: usize = self.flocks.iter().map(|(_, flock)| flock.boids.len()).sum();
        if self.flocks.len() >= MOST_FLOCKS || there + flock.boids.len() > MOST_BIRDS {
            return None;
        }
        let identity = ids.identify(name, "flock");
        Some(self.flocks.insert(StageFlock { identity, ..flock }))
    }

    /// Puts all flocks into a frame, `alpha` (0..=1) of the way from the tick before to the last one.
    pub(super) fn add_flocks(&self, alpha: f32, frame: &mut Frame) {
        for (handle, flock) in self.flocks.iter() {
            let first = frame.people.len();
            let shown = (0..flock.boids.len()).map(|i| flock.shown(i, alpha));
            frame.people.extend(shown);
            frame.crowds.push(DrawCrowd {
                book: flock.body.book.clone(),
                tints: flock.tints.clone(),
                people: first..frame.people.len(),
                instance: 3 << 62 | handle.to_u64() << 20,
            });
        }
    }

    /// Members of a flock whose own force is evaluated in a tick.
    pub fn asks_for_force(&self, handle: Handle, tick: u64) -> impl Iterator<Item = usize> + use<> {
        const EVERY: u64 = 3;
        let n = self.flocks.get(handle).map_or(0, |flock| flock.boids.len());
        (0..n).filter(move |i| (tick + *i as u64).is_multiple_of(EVERY))
    }
}

/// Birds of the same flock continue where they are.
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
    fn who_flies_looks_ahead_and_leans_into_turns() {
        let way = Vec3::new(3.0, 1.0, 2.0);
        let turn = facing(way, 0.4).unwrap();
        assert!((turn * Vec3::Z).distance(way.normalize()) < 1e-5);
        assert!((lean_of(turn, way) - 0.4).abs() < 1e-5);
        // To the left is towards +X for who flies along +Z; up leans that way.
        let left = wanted_lean(Vec3::Z * 5.0, Vec3::X * 6.0, 1.0);
        assert!(left > 0.3);
        let leaning = facing(Vec3::Z, left).unwrap() * Vec3::Y;
        assert!(leaning.x > 0.2 && leaning.y > 0.5);
        assert_eq!(wanted_lean(Vec3::Z * 5.0, Vec3::X * 6.0, 0.0), 0.0);
        assert!(wanted_lean(Vec3::Z, Vec3::X * 1e9, 1.0) <= MOST_LEAN);
        assert!(facing(Vec3::ZERO, 0.0).is_none());
        let straight_up = facing(Vec3::Y, 0.2).unwrap();
        assert!(straight_up.is_finite() && (straight_up * Vec3::Z).y > 0.999);
    }
}
