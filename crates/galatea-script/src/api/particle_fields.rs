//! Options of `particles`, converted from a script's table.

use std::f32::consts::PI;
use std::ops::{Add, Mul};

use glam::Vec3;
use mlua::Value;

use super::check::{NumberRange, OneOrMany, OptionValue, Type};
use crate::words;
use galatea_derive::Options;
use galatea_emitter::{
    EmissionShape, EmitterOptions, Lands, LifetimeCurve, MAX_PARTICLES_EACH, SpriteSelection,
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
enum Landing {
    Through,
    Ends,
    Bounces,
    Stays,
}

words!(Landing {
    "none" => Landing::Through,
    "kill" => Landing::Ends,
    "bounce" => Landing::Bounces,
    "stick" => Landing::Stays,
});

words!(SpriteSelection {
    "random" => SpriteSelection::Chance,
    "lifetime" => SpriteSelection::Life,
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
pub(super) struct PictureCells(pub u32, pub u32);

impl OptionValue for PictureCells {
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
    /// Emission rate.
    #[option(unit = "per second", range = 0.0..=100_000.0)]
    rate: Option<f32>,
    /// Number of particles emitted at once at the beginning.
    #[option(range = 0.0..=MAX_PARTICLES_EACH)]
    burst: Option<f32>,
    /// Duration of the emission.
    #[option(default_doc = "no end", unit = "seconds", range = 0.0..=1e6)]
    duration: Option<f32>,
    /// Time simulated in advance, so that the emitter starts filled.
    #[option(unit = "seconds", range = 0.0..=60.0)]
    prewarm: Option<f32>,
    /// Maximum number of living particles.
    #[option(
        default_doc = "enough for `rate` and `burst`",
        range = 1.0..=MAX_PARTICLES_EACH
    )]
    max_particles: Option<f32>,
    /// Volume in which particles are emitted; "surface" is the skin of a character.
    shape: Option<Volume>,
    /// Radius of a sphere or disc.
    #[option(default_doc = "0.1, or the kind's", unit = "metres", range = 0.0..=1000.0)]
    radius: Option<f32>,
    /// Size of a box.
    #[option(default_doc = "(0.2, 0.2, 0.2), or the kind's", unit = "metres")]
    box_size: Option<Vec3>,
    /// Offset from the bone along the axes of the character at rest.
    #[option(default_doc = "(0, 0, 0)", unit = "metres")]
    pub offset: Option<Vec3>,
    /// Direction of emission, in world space, or on a bone along the axes of the character at rest.
    #[option(default_doc = "up, or the normal of a hit")]
    pub direction: Option<Vec3>,
    /// Lifetime, one number or { low, high } for a random one.
    #[option(unit = "seconds", range = 0.01..=600.0)]
    lifetime: Option<NumberRange>,
    /// Speed along the direction, one number or { low, high }.
    #[option(unit = "metres per second", range = -1000.0..=1000.0)]
    speed: Option<NumberRange>,
    /// Largest angle between the initial direction of a particle and `direction`.
    #[option(unit = "degrees", range = 0.0..=180.0)]
    spread: Option<f32>,
    /// Speed away from the centre.
    #[option(unit = "metres per second", range = -1000.0..=1000.0)]
    radial_speed: Option<f32>,
    /// Fraction of the velocity of the bone or skin that the emitter is on.
    #[option(range = -10.0..=10.0)]
    inherit_velocity: Option<f32>,
    /// Factor on gravity; with negative values particles rise.
    #[option(range = -100.0..=100.0)]
    gravity_scale: Option<f32>,
    /// Fraction of the speed through the air that is lost.
    #[option(unit = "per second", range = 0.0..=1000.0)]
    drag: Option<f32>,
    /// Factor on the wind of `wind { … }`, which acts through `drag`.
    #[option(range = 0.0..=100.0)]
    wind_scale: Option<f32>,
    /// Speed of turbulence in the air.
    #[option(unit = "metres per second", range = 0.0..=100.0)]
    turbulence: Option<f32>,
    /// Diameter of a turbulence vortex.
    #[option(unit = "metres", range = 0.01..=1000.0)]
    turbulence_size: Option<f32>,
    /// Behaviour of a particle at a collision.
    collision: Option<Landing>,
    /// Restitution: fraction of the speed towards a surface that remains after a bounce.
    #[option(default_doc = "0.4, or the kind's", range = 0.0..=1.0)]
    restitution: Option<f32>,
    /// Fraction of the speed along a surface that remains after a bounce.
    #[option(default_doc = "0.7, or the kind's", range = 0.0..=1.0)]
    slide: Option<f32>,
    /// Lifetime of a particle that has landed.
    #[option(default_doc = "10, or the kind's", unit = "seconds", range = 0.0..=600.0)]
    landed_lifetime: Option<f32>,
    /// Factor on the size of a particle that has landed.
    #[option(default_doc = "1, or the kind's", range = 0.0..=100.0)]
    landed_scale: Option<f32>,
    /// Diameter, one number or { low, high }.
    #[option(unit = "metres", range = 0.0001..=100.0)]
    size: Option<NumberRange>,
    /// Factor on the size: one number, or a list over the lifetime.
    #[option(range = 0.0..=1000.0)]
    size_over_lifetime: Option<LifetimeCurve<f32>>,
    /// Linear colour, or a list over the lifetime.
    color: Option<LifetimeCurve<Vec3>>,
    /// Random variation of brightness.
    #[option(range = 0.0..=1.0)]
    brightness_variation: Option<f32>,
    /// Opacity: one number, or a list over the lifetime.
    #[option(range = 0.0..=1.0)]
    alpha: Option<LifetimeCurve<f32>>,
    /// Emission: factor on the colour. With 0 the particles are only lit.
    #[option(range = 0.0..=1000.0)]
    emissive_strength: Option<f32>,
    /// Starts particles with a random rotation.
    random_rotation: Option<bool>,
    /// Rotation speed, one number or { low, high }.
    #[option(unit = "degrees per second", range = -36_000.0..=36_000.0)]
    angular_velocity: Option<NumberRange>,
    /// Stretches a particle along the distance that it flies in this time.
    #[option(unit = "seconds", range = 0.0..=1.0)]
    stretch: Option<f32>,
    /// Distance from a surface within which particles fade out (soft particles).
    #[option(unit = "metres", range = 0.0..=100.0)]
    soft_distance: Option<f32>,
    /// Specular highlight, as on a drop.
    #[option(range = 0.0..=1.0)]
    gloss: Option<f32>,
    /// Translucency, as of dust; with 0 a particle is lit as a sphere.
    #[option(range = 0.0..=1.0)]
    translucency: Option<f32>,
    /// Image file of the project, instead of the kind's texture.
    pub texture: Option<String>,
    /// Columns and rows of the flipbook in the texture, { 4, 4 }.
    #[option(
        default = PictureCells(1, 1),
        default_doc = "{ 1, 1 }",
        range = 1.0..=64.0
    )]
    pub flipbook: PictureCells,
    /// Image of the flipbook: "random" picks one at random, "lifetime" plays all one after another over the lifetime.
    flipbook_mode: Option<SpriteSelection>,
    /// Seed of the random number generator.
    #[option(default_doc = "a different one each time")]
    pub seed: Option<u64>,
    /// Identifies the emitter over a reload.
    #[option(default_doc = "order of creation")]
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
    o.seconds = new.duration.or(o.seconds);
    set(&mut o.warm, new.prewarm);
    if let Some(most) = new.max_particles {
        o.most = most as usize;
    } else {
        // Room for all particles alive at once.
        let lasting = (o.rate * o.life[1]) as usize + o.burst as usize;
        o.most = o.most.max(lasting).min(MAX_PARTICLES_EACH);
    }
    apply_shape(new, o);
    set(&mut o.life, new.lifetime.map(|NumberRange(life)| life));
    set(&mut o.speed, new.speed.map(|NumberRange(speed)| speed));
    set(&mut o.spread, new.spread.map(|d| d / 180.0 * PI));
    set(&mut o.outward, new.radial_speed);
    set(&mut o.inherit, new.inherit_velocity);
    set(&mut o.gravity, new.gravity_scale);
    set(&mut o.drag, new.drag);
    set(&mut o.wind, new.wind_scale);
    set(&mut o.swirl.0, new.turbulence);
    set(&mut o.swirl.1, new.turbulence_size);
    apply_landing(new, o);
    set(&mut o.size, new.size.map(|NumberRange(size)| size));
    set(&mut o.grow, new.size_over_lifetime.take());
    set(&mut o.color, new.color.take());
    set(&mut o.vary, new.brightness_variation);
    set(&mut o.alpha, new.alpha.take());
    set(&mut o.glow, new.emissive_strength);
    set(&mut o.turned, new.random_rotation);
    let degrees = new
        .angular_velocity
        .map_or(o.spin.map(f32::to_degrees), |spin| spin.0);
    o.spin = degrees.map(f32::to_radians);
    set(&mut o.stretch, new.stretch);
    set(&mut o.soft, new.soft_distance);
    set(&mut o.gloss, new.gloss);
    set(&mut o.thin, new.translucency);
    set(&mut o.play, new.flipbook_mode);
}

fn apply_shape(new: &ParticleOptions, o: &mut EmitterOptions) {
    let radius = new.radius;
    let half = new
        .box_size
        .map(|extent| extent.abs().min(Vec3::splat(10_000.0)) / 2.0);
    let (own_radius, own_half) = match o.shape {
        EmissionShape::Ball(radius) | EmissionShape::Disc(radius) => (radius, Vec3::splat(radius)),
        EmissionShape::Box(half) => (half.max_element(), half),
        EmissionShape::Point | EmissionShape::Surface => (0.1, Vec3::splat(0.1)),
    };
    let own = match (&o.shape, radius, half) {
        (EmissionShape::Ball(_), ..) => Volume::Ball,
        (EmissionShape::Disc(_), ..) => Volume::Disc,
        (EmissionShape::Surface, ..) => Volume::Surface,
        (_, _, Some(_)) | (EmissionShape::Box(_), ..) => Volume::Box,
        (EmissionShape::Point, Some(_), _) => Volume::Ball,
        (EmissionShape::Point, ..) => Volume::Point,
    };
    o.shape = match new.shape.unwrap_or(own) {
        Volume::Point => EmissionShape::Point,
        Volume::Ball => EmissionShape::Ball(radius.unwrap_or(own_radius)),
        Volume::Disc => EmissionShape::Disc(radius.unwrap_or(own_radius)),
        Volume::Box => EmissionShape::Box(half.unwrap_or(own_half)),
        Volume::Surface => EmissionShape::Surface,
    };
}

fn apply_landing(new: &ParticleOptions, o: &mut EmitterOptions) {
    let own = match (
        &o.lands,
        new.restitution.or(new.slide),
        new.landed_lifetime.or(new.landed_scale),
    ) {
        (_, _, Some(_)) => Landing::Stays,
        (_, Some(_), _) => Landing::Bounces,
        (Lands::Through, ..) => Landing::Through,
        (Lands::Ends, ..) => Landing::Ends,
        (Lands::Bounces { .. }, ..) => Landing::Bounces,
        (Lands::Stays { .. }, ..) => Landing::Stays,
    };
    let (across, along) = match o.lands {
        Lands::Bounces { across, along } => (across, along),
        _ => (0.4, 0.7),
    };
    let (seconds, size) = match o.lands {
        Lands::Stays { seconds, size } => (seconds, size),
        _ => (10.0, 1.0),
    };
    o.lands = match new.collision.unwrap_or(own) {
        Landing::Through => Lands::Through,
        Landing::Ends => Lands::Ends,
        Landing::Bounces => Lands::Bounces {
            across: new.restitution.unwrap_or(across),
            along: new.slide.unwrap_or(along),
        },
        Landing::Stays => Lands::Stays {
            seconds: new.landed_lifetime.unwrap_or(seconds),
            size: new.landed_scale.unwrap_or(size),
        },
    };
}
