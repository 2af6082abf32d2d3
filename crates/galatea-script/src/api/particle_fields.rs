//! Options of `particles`, converted from a script's table.

use std::f32::consts::PI;
use std::ops::{Add, Mul};

use glam::Vec3;
use mlua::Value;

use super::check::{NumberRange, OneOrMany, OptionValue, Type};
use crate::words;
use galatea_derive::Options;
use galatea_emitter::{
    EmissionShape, EmitterOptions, LifetimeCurve, MAX_PARTICLES_EACH, ParticleCollision,
    SpriteSelection,
};

/// Maximum number of values in a curve over the lifetime.
const MAX_VALUES: usize = 32;

/// Volume in which particles are emitted.
#[derive(Clone, Copy)]
enum Volume {
    Point,
    Ball,
    Disc,
    Box,
    Surface,
}

words!(Volume {
    "point" => Volume::Point,
    "sphere" => Volume::Ball,
    "disc" => Volume::Disc,
    "box" => Volume::Box,
    "surface" => Volume::Surface,
});

/// Behaviour of a particle at a collision.
#[derive(Clone, Copy)]
enum ParticleCollisionValue {
    NoCollision,
    Kill,
    Bounce,
    Stick,
}

words!(ParticleCollisionValue {
    "none" => ParticleCollisionValue::NoCollision,
    "kill" => ParticleCollisionValue::Kill,
    "bounce" => ParticleCollisionValue::Bounce,
    "stick" => ParticleCollisionValue::Stick,
});

words!(SpriteSelection {
    "random" => SpriteSelection::Random,
    "lifetime" => SpriteSelection::Lifetime,
});

/// One value, or several values over the lifetime.
fn curve<T>(OneOrMany(values): OneOrMany<T>) -> Result<LifetimeCurve<T>, String>
where
    T: Copy + Add<Output = T> + Mul<f32, Output = T>,
{
    let values = (values.len() <= MAX_VALUES).then_some(values);
    let curve = values.and_then(LifetimeCurve::new);
    curve.ok_or_else(|| format!("expected 1 to {MAX_VALUES} values over the lifetime"))
}

impl OptionValue for LifetimeCurve<f32> {
    const TYPE: Type = OneOrMany::<f32>::TYPE;

    fn from_value(value: Value) -> Result<Self, String> {
        curve(OneOrMany::from_value(value)?)
    }
}

/// Linear colour. Each channel is clamped to 0 to 100.
impl OptionValue for LifetimeCurve<Vec3> {
    const TYPE: Type = OneOrMany::<Vec3>::TYPE;

    fn from_value(value: Value) -> Result<Self, String> {
        let OneOrMany(mut colors) = OneOrMany::<Vec3>::from_value(value)?;
        for color in &mut colors {
            *color = color.clamp(Vec3::ZERO, Vec3::splat(100.0));
        }
        curve(OneOrMany(colors))
    }
}

/// Columns and rows of a flipbook.
#[derive(Clone, Copy)]
pub(super) struct FlipbookLayout(pub u32, pub u32);

impl OptionValue for FlipbookLayout {
    const TYPE: Type = Type::List(&Type::Number);

    fn from_value(value: Value) -> Result<Self, String> {
        match Vec::<f64>::from_value(value)?[..] {
            [columns, rows, ..] if columns.fract() == 0.0 && rows.fract() == 0.0 => {
                Ok(Self(columns as u32, rows as u32))
            }
            _ => Err("expected two whole numbers: { columns, rows }".into()),
        }
    }
}

/// Changes to a particle kind; omitted fields keep the values of the kind.
#[derive(Options)]
pub(super) struct ParticleOptions {
    /// Number of particles emitted.
    #[option(unit = "per second", range = 0.0..=100_000.0)]
    rate: Option<f32>,
    /// Number of particles that are emitted at once when the emitter starts.
    #[option(range = 0.0..=MAX_PARTICLES_EACH)]
    burst: Option<f32>,
    /// Time after which the emission stops.
    #[option(default_doc = "no end", unit = "seconds", range = 0.0..=1e6)]
    duration: Option<f32>,
    /// Time that is simulated before the first picture, so that the air is already full of particles.
    #[option(unit = "seconds", range = 0.0..=60.0)]
    prewarm: Option<f32>,
    /// Maximum number of particles that exist at the same time.
    #[option(
        default_doc = "enough for `rate` and `burst`",
        range = 1.0..=MAX_PARTICLES_EACH
    )]
    max_particles: Option<f32>,
    /// Volume in which particles start; "surface" is the whole skin of a character.
    shape: Option<Volume>,
    /// Radius of a `shape` that is a sphere or a disc.
    #[option(default_doc = "0.1, or the kind's", unit = "metres", range = 0.0..=1000.0)]
    radius: Option<f32>,
    /// Size of a `shape` that is a box.
    #[option(default_doc = "(0.2, 0.2, 0.2), or the kind's", unit = "metres")]
    box_size: Option<Vec3>,
    /// Offset from the bone, only on characters. The axes are those of the character in its rest pose (+Y up, +Z
    /// forward), and they turn with the bone.
    #[option(default_doc = "(0, 0, 0)", unit = "metres")]
    pub offset: Option<Vec3>,
    /// Direction of emission. In the world it uses the world's axes. On a bone it uses the axes of the character in its
    /// rest pose, and turns with the bone.
    #[option(default_doc = "up, or the normal of a hit")]
    pub direction: Option<Vec3>,
    /// Time that a particle exists: one number, or { low, high } for a random one.
    #[option(unit = "seconds", range = 0.01..=600.0)]
    lifetime: Option<NumberRange>,
    /// Initial speed along `direction`: one number, or { low, high } for a random one.
    #[option(unit = "metres per second", range = -1000.0..=1000.0)]
    speed: Option<NumberRange>,
    /// Angle of the cone of emission, from `direction` to its edge. 0 is a straight jet, 180 is all directions.
    #[option(unit = "degrees", range = 0.0..=180.0)]
    spread: Option<f32>,
    /// Additional initial speed away from the centre of `shape`.
    #[option(unit = "metres per second", range = -1000.0..=1000.0)]
    radial_speed: Option<f32>,
    /// Fraction of the velocity of the emitter's bone or skin that each particle starts with.
    #[option(range = -10.0..=10.0)]
    inherit_velocity: Option<f32>,
    /// Factor on gravity. With a negative value particles rise.
    #[option(range = -100.0..=100.0)]
    gravity_scale: Option<f32>,
    /// Drag: rate at which particles slow down to the speed of the air. At 1, they lose 63 % of the difference in a
    /// second.
    #[option(unit = "per second", range = 0.0..=1000.0)]
    drag: Option<f32>,
    /// Factor on the wind of `wind { … }`. Wind has no effect if `drag` is 0.
    #[option(range = 0.0..=100.0)]
    wind_scale: Option<f32>,
    /// Speed of the turbulence (small whirls) in the air.
    #[option(unit = "metres per second", range = 0.0..=100.0)]
    turbulence: Option<f32>,
    /// Diameter of a whirl of the `turbulence`.
    #[option(unit = "metres", range = 0.01..=1000.0)]
    turbulence_size: Option<f32>,
    /// Behaviour of a particle that hits a surface: "none" passes through, "kill" ends the particle, "bounce" bounces,
    /// "stick" stays there.
    collision: Option<ParticleCollisionValue>,
    /// Restitution: fraction of the speed towards a surface that a particle keeps after it bounces.
    #[option(default_doc = "0.4, or the kind's", range = 0.0..=1.0)]
    restitution: Option<f32>,
    /// Fraction of the speed along a surface that a particle keeps after it bounces.
    #[option(default_doc = "0.7, or the kind's", range = 0.0..=1.0)]
    slide: Option<f32>,
    /// Time for which a particle stays on the surface where it landed, with `collision = "stick"`.
    #[option(default_doc = "10, or the kind's", unit = "seconds", range = 0.0..=600.0)]
    landed_lifetime: Option<f32>,
    /// Factor on the size of a particle that has landed, with `collision = "stick"`.
    #[option(default_doc = "1, or the kind's", range = 0.0..=100.0)]
    landed_scale: Option<f32>,
    /// Diameter of a particle: one number, or { low, high } for a random one.
    #[option(unit = "metres", range = 0.0001..=100.0)]
    size: Option<NumberRange>,
    /// Factor on the size: one number, or a list of values that are spread evenly over the lifetime.
    #[option(range = 0.0..=1000.0)]
    size_over_lifetime: Option<LifetimeCurve<f32>>,
    /// Colour, as linear RGB: one vector, or a list of vectors that are spread evenly over the lifetime.
    color: Option<LifetimeCurve<Vec3>>,
    /// Random difference in brightness between particles.
    #[option(range = 0.0..=1.0)]
    brightness_variation: Option<f32>,
    /// Opacity, 1 is opaque: one number, or a list of values that are spread evenly over the lifetime.
    #[option(range = 0.0..=1.0)]
    alpha: Option<LifetimeCurve<f32>>,
    /// Factor on the colour for light that the particles emit themselves. With 0 they are only lit by other lights.
    #[option(range = 0.0..=1000.0)]
    emissive_strength: Option<f32>,
    /// True starts each particle with a random rotation.
    random_rotation: Option<bool>,
    /// Rotation speed: one number, or { low, high } for a random one.
    #[option(unit = "degrees per second", range = -36_000.0..=36_000.0)]
    angular_velocity: Option<NumberRange>,
    /// Stretches each particle along its flight. The particle gets as long as the distance that it flies in this
    /// time; 0 does not stretch it.
    #[option(unit = "seconds", range = 0.0..=1.0)]
    stretch: Option<f32>,
    /// Soft particles: distance from a surface within which a particle fades out, so that the surface does not cut it
    /// off visibly.
    #[option(unit = "metres", range = 0.0..=100.0)]
    soft_distance: Option<f32>,
    /// Strength of the highlight, as on a drop of water.
    #[option(range = 0.0..=1.0)]
    gloss: Option<f32>,
    /// Fraction of the light that shines through a particle, as through dust. With 0 a particle is lit like a solid
    /// ball.
    #[option(range = 0.0..=1.0)]
    translucency: Option<f32>,
    /// Image file of the project, which replaces the texture of the kind.
    pub texture: Option<String>,
    /// Flipbook: number of columns and rows of images in `texture`, such as { 4, 4 }.
    #[option(
        default = FlipbookLayout(1, 1),
        default_doc = "{ 1, 1 }",
        range = 1.0..=64.0
    )]
    pub flipbook: FlipbookLayout,
    /// Use of the images of `flipbook`: "random" gives each particle one of them, "lifetime" shows all of them in order
    /// over the lifetime.
    flipbook_mode: Option<SpriteSelection>,
    /// Seed of the emitter's random numbers. The same seed gives the same particles.
    #[option(default_doc = "another one for each emitter")]
    pub seed: Option<u64>,
    /// Name by which a hot reload finds the emitter again.
    #[option(default_doc = "none: found by the order of creation")]
    pub name: Option<String>,
}

fn set<T>(to: &mut T, from: Option<T>) {
    if let Some(value) = from {
        *to = value;
    }
}

/// Applies a script's options to those of a kind; takes curves out of `new`.
pub(super) fn apply(new: &mut ParticleOptions, o: &mut EmitterOptions) {
    set(&mut o.rate, new.rate);
    set(&mut o.burst, new.burst.map(|n| n as u32));
    o.duration = new.duration.or(o.duration);
    set(&mut o.prewarm, new.prewarm);
    if let Some(most) = new.max_particles {
        o.max_particles = most as usize;
    } else {
        // Room for all particles alive at once.
        let lasting = (o.rate * o.lifetime[1]) as usize + o.burst as usize;
        o.max_particles = o.max_particles.max(lasting).min(MAX_PARTICLES_EACH);
    }
    apply_shape(new, o);
    set(&mut o.lifetime, new.lifetime.map(|NumberRange(life)| life));
    set(&mut o.speed, new.speed.map(|NumberRange(speed)| speed));
    set(&mut o.spread, new.spread.map(|d| d / 180.0 * PI));
    set(&mut o.radial_speed, new.radial_speed);
    set(&mut o.inherit_velocity, new.inherit_velocity);
    set(&mut o.gravity_scale, new.gravity_scale);
    set(&mut o.drag, new.drag);
    set(&mut o.wind_scale, new.wind_scale);
    set(&mut o.turbulence.0, new.turbulence);
    set(&mut o.turbulence.1, new.turbulence_size);
    apply_landing(new, o);
    set(&mut o.size, new.size.map(|NumberRange(size)| size));
    set(&mut o.size_over_lifetime, new.size_over_lifetime.take());
    set(&mut o.color, new.color.take());
    set(&mut o.brightness_variation, new.brightness_variation);
    set(&mut o.alpha, new.alpha.take());
    set(&mut o.emissive_strength, new.emissive_strength);
    set(&mut o.random_rotation, new.random_rotation);
    let degrees = new
        .angular_velocity
        .map_or(o.angular_velocity.map(f32::to_degrees), |spin| spin.0);
    o.angular_velocity = degrees.map(f32::to_radians);
    set(&mut o.stretch, new.stretch);
    set(&mut o.soft_distance, new.soft_distance);
    set(&mut o.gloss, new.gloss);
    set(&mut o.translucency, new.translucency);
    set(&mut o.flipbook_mode, new.flipbook_mode);
}

fn apply_shape(new: &ParticleOptions, o: &mut EmitterOptions) {
    let radius = new.radius;
    let half = new
        .box_size
        .map(|extent| extent.abs().min(Vec3::splat(10_000.0)) / 2.0);
    let (own_radius, own_half) = match o.shape {
        EmissionShape::Sphere(radius) | EmissionShape::Disc(radius) => {
            (radius, Vec3::splat(radius))
        }
        EmissionShape::Box(half) => (half.max_element(), half),
        EmissionShape::Point | EmissionShape::Surface => (0.1, Vec3::splat(0.1)),
    };
    let own = match (&o.shape, radius, half) {
        (EmissionShape::Sphere(_), ..) => Volume::Ball,
        (EmissionShape::Disc(_), ..) => Volume::Disc,
        (EmissionShape::Surface, ..) => Volume::Surface,
        (_, _, Some(_)) | (EmissionShape::Box(_), ..) => Volume::Box,
        (EmissionShape::Point, Some(_), _) => Volume::Ball,
        (EmissionShape::Point, ..) => Volume::Point,
    };
    o.shape = match new.shape.unwrap_or(own) {
        Volume::Point => EmissionShape::Point,
        Volume::Ball => EmissionShape::Sphere(radius.unwrap_or(own_radius)),
        Volume::Disc => EmissionShape::Disc(radius.unwrap_or(own_radius)),
        Volume::Box => EmissionShape::Box(half.unwrap_or(own_half)),
        Volume::Surface => EmissionShape::Surface,
    };
}

fn apply_landing(new: &ParticleOptions, o: &mut EmitterOptions) {
    let own = match (
        &o.collision,
        new.restitution.or(new.slide),
        new.landed_lifetime.or(new.landed_scale),
    ) {
        (_, _, Some(_)) => ParticleCollisionValue::Stick,
        (_, Some(_), _) => ParticleCollisionValue::Bounce,
        (ParticleCollision::NoCollision, ..) => ParticleCollisionValue::NoCollision,
        (ParticleCollision::Kill, ..) => ParticleCollisionValue::Kill,
        (ParticleCollision::Bounce { .. }, ..) => ParticleCollisionValue::Bounce,
        (ParticleCollision::Stick { .. }, ..) => ParticleCollisionValue::Stick,
    };
    let (across, along) = match o.collision {
        ParticleCollision::Bounce { across, along } => (across, along),
        _ => (0.4, 0.7),
    };
    let (seconds, size) = match o.collision {
        ParticleCollision::Stick { seconds, size } => (seconds, size),
        _ => (10.0, 1.0),
    };
    o.collision = match new.collision.unwrap_or(own) {
        ParticleCollisionValue::NoCollision => ParticleCollision::NoCollision,
        ParticleCollisionValue::Kill => ParticleCollision::Kill,
        ParticleCollisionValue::Bounce => ParticleCollision::Bounce {
            across: new.restitution.unwrap_or(across),
            along: new.slide.unwrap_or(along),
        },
        ParticleCollisionValue::Stick => ParticleCollision::Stick {
            seconds: new.landed_lifetime.unwrap_or(seconds),
            size: new.landed_scale.unwrap_or(size),
        },
    };
}
