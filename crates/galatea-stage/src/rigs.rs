//! Light rigs by name, such as a studio or a time of day.

use glam::{Quat, Vec3};

use super::Lighting;
use super::frame::{Fog, Grade, Light, LocalLight, PostProcessing, Spot};
use super::local_lights::StageLight;

/// Names of all light rigs.
pub const RIGS: &[&str] = &[
    "noon",
    "three_point",
    "studio",
    "overcast",
    "sunset",
    "night",
    "spotlight",
    "neon",
    "embers",
];

/// Placement of a light rig.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightRigPlacement {
    /// Centre of the lit subject, world space.
    pub at: Vec3,
    /// Front direction, degrees about +Y.
    pub yaw: f32,
    /// Height of the subject, metres.
    pub size: f32,
    /// Intensity factor for all lights.
    pub strength: f32,
}

/// Applies a light rig of [`RIGS`]: sets sun, sky, fog and grade, and removes the lights of the previous rig. Exposure, tone
/// mapping and lights of the script stay. Returns false for an unknown name.
pub fn light_by(
    lighting: &mut Lighting,
    look: &mut PostProcessing,
    name: &str,
    place: LightRigPlacement,
) -> bool {
    let Some(Setup { light, fog, grade }) = rig(name) else {
        return false;
    };
    let old: Vec<_> = lighting
        .local_lights
        .iter()
        .filter(|(_, lamp)| lamp.is_from_rig)
        .map(|(handle, _)| handle)
        .collect();
    for handle in old {
        lighting.local_lights.remove(handle);
    }
    let scale = place.size / 1.8;
    let turn = Quat::from_rotation_y(place.yaw.to_radians());
    for mut lamp in light.local_lights.iter().copied() {
        lamp.position = place.at + turn * (lamp.position * scale);
        lamp.range *= scale;
        lamp.source_radius *= scale;
        lamp.color *= scale * scale * place.strength;
        if let Some(spot) = &mut lamp.spot {
            spot.direction = (place.at + turn * (spot.direction * scale) - lamp.position)
                .try_normalize()
                .unwrap_or(Vec3::NEG_Y);
        }
        let mut lamp = StageLight::new(lamp);
        lamp.is_from_rig = true;
        lighting.local_lights.insert(lamp);
    }
    let at_strength = |color: Vec3| color * place.strength;
    lighting.light = Light {
        sun_direction: turn * light.sun_direction,
        sun_color: at_strength(light.sun_color),
        sky_zenith: at_strength(light.sky_zenith),
        sky_horizon: at_strength(light.sky_horizon),
        sky_ground: at_strength(light.sky_ground),
        local_lights: Vec::new(),
        ..light
    };
    *look = PostProcessing {
        fog,
        grade,
        ..*look
    };
    true
}

/// A point light of a rig for a figure of 1.8 m at the origin that faces +Z. Arguments: position (degrees sideways, degrees
/// up, distance in metres), light that arrives at the origin, radius, shadows.
fn local_light(
    (side, up, away): (f32, f32, f32),
    light: Vec3,
    radius: f32,
    casts: bool,
) -> LocalLight {
    let direction = Quat::from_rotation_y(side.to_radians())
        * Quat::from_rotation_x(-up.to_radians())
        * Vec3::Z;
    LocalLight {
        position: direction * away,
        color: light * away * away,
        range: away * 4.0,
        source_radius: radius,
        spot: None,
        casts_shadows: casts,
    }
}

/// A spot light as in [`local_light`], aimed at the origin. The direction is stored as a point until the rig is placed.
fn spot(place: (f32, f32, f32), light: Vec3, radius: f32, cone: (f32, f32)) -> LocalLight {
    LocalLight {
        spot: Some(Spot {
            direction: Vec3::ZERO,
            inner_angle: cone.0,
            outer_angle: cone.1,
        }),
        ..local_light(place, light, radius, true)
    }
}

fn sun(side: f32, up: f32) -> Vec3 {
    Quat::from_rotation_y(side.to_radians()) * Quat::from_rotation_x(-up.to_radians()) * Vec3::Z
}

const WARM: Vec3 = Vec3::new(1.0, 0.86, 0.7);
const COOL: Vec3 = Vec3::new(0.62, 0.78, 1.0);

/// Settings of a rig.
struct Setup {
    light: Light,
    fog: Fog,
    grade: Grade,
}

fn rig(name: &str) -> Option<Setup> {
    Some(match name {
        "noon" => noon(),
        "three_point" => three_point(),
        "studio" => studio(),
        "overcast" => overcast(),
        "sunset" => sunset(),
        "night" => night(),
        "spotlight" => spotlight(),
        "neon" => neon(),
        "embers" => embers(),
        _ => return None,
    })
}

/// Uniform light in a dark room, without sun.
fn dim(level: f32) -> Light {
    Light {
        sun_color: Vec3::ZERO,
        seamless: true,
        sky_zenith: Vec3::new(0.8, 0.9, 1.1) * level,
        sky_horizon: Vec3::new(0.9, 0.95, 1.05) * level,
        sky_ground: Vec3::new(0.7, 0.65, 0.6) * level,
        ..Light::default()
    }
}

fn noon() -> Setup {
    Setup {
        light: Light::default(),
        fog: Fog::default(),
        grade: Grade::default(),
    }
}

fn three_point() -> Setup {
    Setup {
        light: Light {
            local_lights: vec![
                spot((-38.0, 32.0, 3.2), WARM * 3.1, 0.28, (22.0, 32.0)),
                local_light((55.0, 8.0, 3.6), COOL * 0.55, 0.8, false),
                spot(
                    (155.0, 38.0, 3.0),
                    Vec3::new(0.9, 0.95, 1.0) * 4.4,
                    0.2,
                    (28.0, 44.0),
                ),
            ],
            ..dim(0.055)
        },
        fog: Fog::default(),
        grade: Grade {
            vignette: 0.25,
            ..Grade::default()
        },
    }
}

fn studio() -> Setup {
    Setup {
        light: Light {
            local_lights: vec![
                spot((-30.0, 40.0, 3.4), Vec3::splat(2.0), 0.7, (35.0, 55.0)),
                local_light((60.0, 15.0, 3.4), Vec3::splat(0.5), 0.9, false),
                local_light((180.0, 30.0, 3.2), Vec3::splat(1.2), 0.6, false),
            ],
            sky_zenith: Vec3::splat(0.30),
            sky_horizon: Vec3::splat(0.36),
            sky_ground: Vec3::splat(0.26),
            sun_color: Vec3::ZERO,
            seamless: true,
            ..Light::default()
        },
        fog: Fog::default(),
        grade: Grade::default(),
    }
}

fn overcast() -> Setup {
    Setup {
        light: Light {
            sun_direction: sun(25.0, 60.0),
            sun_color: Vec3::new(0.85, 0.86, 0.88),
            sun_source_angle: 12.0,
            sky_zenith: Vec3::new(0.56, 0.60, 0.66),
            sky_horizon: Vec3::new(0.40, 0.435, 0.48),
            sky_ground: Vec3::new(0.17, 0.165, 0.155),
            ..Light::default()
        },
        fog: Fog {
            color: Vec3::new(0.56, 0.60, 0.65),
            density: 0.012,
            height: 12.0,
            base: 0.0,
        },
        grade: Grade {
            contrast: 1.06,
            saturation: 0.95,
            ..Grade::default()
        },
    }
}

fn sunset() -> Setup {
    Setup {
        light: Light {
            sun_direction: sun(-62.0, 11.0),
            sun_color: Vec3::new(3.6, 1.95, 0.90),
            sun_source_angle: 1.5,
            sky_zenith: Vec3::new(0.06, 0.11, 0.27),
            sky_horizon: Vec3::new(0.44, 0.28, 0.21),
            sky_ground: Vec3::new(0.12, 0.09, 0.08),
            ..Light::default()
        },
        fog: Fog {
            color: Vec3::new(0.62, 0.37, 0.25),
            density: 0.006,
            height: 6.0,
            base: 0.0,
        },
        grade: Grade::default(),
    }
}

fn night() -> Setup {
    Setup {
        light: Light {
            sun_direction: sun(140.0, 38.0),
            sun_color: Vec3::new(0.28, 0.42, 0.75),
            sun_source_angle: 1.0,
            sky_zenith: Vec3::new(0.008, 0.014, 0.035),
            sky_horizon: Vec3::new(0.022, 0.032, 0.058),
            sky_ground: Vec3::new(0.008, 0.009, 0.012),
            local_lights: vec![spot(
                (-50.0, 42.0, 3.6),
                Vec3::new(1.0, 0.66, 0.34) * 1.5,
                0.08,
                (24.0, 46.0),
            )],
            ..Light::default()
        },
        fog: Fog {
            color: Vec3::new(0.020, 0.028, 0.050),
            density: 0.03,
            height: 4.0,
            base: 0.0,
        },
        grade: Grade {
            vignette: 0.35,
            ..Grade::default()
        },
    }
}

fn spotlight() -> Setup {
    Setup {
        light: Light {
            local_lights: vec![
                spot(
                    (-12.0, 68.0, 4.2),
                    Vec3::new(1.0, 0.95, 0.86) * 3.3,
                    0.1,
                    (13.0, 17.0),
                ),
                local_light(
                    (0.0, -20.0, 2.4),
                    Vec3::new(0.9, 0.8, 0.7) * 0.18,
                    1.0,
                    false,
                ),
            ],
            ..dim(0.012)
        },
        fog: Fog {
            color: Vec3::splat(0.012),
            density: 0.03,
            ..Fog::default()
        },
        grade: Grade {
            vignette: 0.3,
            ..Grade::default()
        },
    }
}

fn neon() -> Setup {
    Setup {
        light: Light {
            local_lights: vec![
                local_light(
                    (-72.0, 12.0, 2.4),
                    Vec3::new(1.0, 0.06, 0.45) * 3.6,
                    0.35,
                    true,
                ),
                local_light(
                    (78.0, 18.0, 2.4),
                    Vec3::new(0.02, 0.62, 1.0) * 3.4,
                    0.35,
                    true,
                ),
                local_light(
                    (175.0, 45.0, 2.6),
                    Vec3::new(0.6, 0.2, 1.0) * 2.4,
                    0.3,
                    false,
                ),
            ],
            ..dim(0.03)
        },
        fog: Fog::default(),
        grade: Grade {
            vignette: 0.3,
            ..Grade::default()
        },
    }
}

fn embers() -> Setup {
    Setup {
        light: Light {
            local_lights: vec![
                local_light(
                    (18.0, -28.0, 1.9),
                    Vec3::new(1.0, 0.36, 0.08) * 3.4,
                    0.25,
                    true,
                ),
                local_light(
                    (160.0, 40.0, 3.0),
                    Vec3::new(0.25, 0.38, 0.8) * 1.1,
                    0.4,
                    false,
                ),
            ],
            ..dim(0.012)
        },
        fog: Fog::default(),
        grade: Grade {
            vignette: 0.35,
            ..Grade::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;

    #[test]
    fn each_rig_lights_the_figure_and_removes_the_lights_of_the_previous_rig() {
        let place = LightRigPlacement {
            at: Vec3::new(3.0, 1.0, -2.0),
            yaw: 90.0,
            size: 0.9,
            strength: 2.0,
        };
        for name in RIGS {
            let mut stage = Stage::default();
            stage
                .lighting
                .local_lights
                .insert(StageLight::new(LocalLight::default()));
            assert!(light_by(
                &mut stage.lighting,
                &mut stage.picture.post_processing,
                "three_point",
                place
            ));
            assert!(
                light_by(
                    &mut stage.lighting,
                    &mut stage.picture.post_processing,
                    name,
                    place
                ),
                "{name}"
            );
            let lamps: Vec<LocalLight> = stage
                .lighting
                .local_lights
                .iter()
                .map(|(_, l)| l.local_light)
                .collect();
            assert_eq!(
                lamps
                    .iter()
                    .filter(|l| **l == LocalLight::default())
                    .count(),
                1
            );
            let mut light = stage.lighting.light.sun_color.max_element();
            for lamp in lamps.iter().filter(|lamp| **lamp != LocalLight::default()) {
                let to = place.at - lamp.position;
                assert!(to.length() < lamp.range * 0.5, "{name} reaches");
                if let Some(spot) = lamp.spot {
                    assert!(spot.direction.dot(to.normalize()) > 0.999, "{name} aims");
                }
                light += lamp.color.max_element() / to.length_squared();
            }
            // Twice as bright as with factor 1, at any size.
            assert!(light > 0.5 && light < 60.0, "{name}: {light}");
        }
        let mut stage = Stage::default();
        assert!(!light_by(
            &mut stage.lighting,
            &mut stage.picture.post_processing,
            "disco",
            place
        ));
    }

    #[test]
    fn at_strength_1_a_surface_facing_the_light_has_its_own_colour() {
        let place = LightRigPlacement {
            at: Vec3::Y,
            yaw: 0.0,
            size: 1.8,
            strength: 1.0,
        };
        for name in ["noon", "three_point", "studio", "overcast", "sunset"] {
            let mut stage = Stage::default();
            assert!(light_by(
                &mut stage.lighting,
                &mut stage.picture.post_processing,
                name,
                place
            ));
            let light = &stage.lighting.light;
            let lamps: Vec<LocalLight> = stage
                .lighting
                .local_lights
                .iter()
                .map(|(_, l)| l.local_light)
                .collect();
            let mut brightest = 0.0_f32;
            for i in 0..400 {
                let (side, up) = ((i % 20) as f32 * 6.0 - 57.0, (i / 20) as f32 * 6.0 - 57.0);
                let normal = sun(side, up);
                let t = normal.y * 0.5 + 0.5;
                let around = light.sky_ground * (1.0 - t) * (1.0 - t)
                    + light.sky_horizon * 2.0 * t * (1.0 - t)
                    + light.sky_zenith.lerp(light.sky_horizon, 0.3) * t * t;
                let facing = |to: Vec3| normal.dot(to).max(0.0) / std::f32::consts::PI;
                let mut sum = around + light.sun_color * facing(light.sun_direction);
                for lamp in &lamps {
                    let to = lamp.position - place.at;
                    sum += lamp.color / to.length_squared() * facing(to.normalize());
                }
                brightest = brightest.max(sum.dot(Vec3::new(0.2126, 0.7152, 0.0722)));
            }
            assert!((0.65..1.3).contains(&brightest), "{name}: {brightest}");
        }
    }

    #[test]
    fn the_three_point_key_light_is_in_front_of_the_figure() {
        let mut stage = Stage::default();
        let place = LightRigPlacement {
            at: Vec3::Y,
            yaw: 180.0,
            size: 1.8,
            strength: 1.0,
        };
        light_by(
            &mut stage.lighting,
            &mut stage.picture.post_processing,
            "three_point",
            place,
        );
        let key = stage
            .lighting
            .local_lights
            .iter()
            .next()
            .map(|(_, lamp)| lamp.local_light.position);
        assert!(
            key.is_some_and(|key| key.z < -1.0 && key.y > 2.0),
            "{key:?}"
        );
    }
}
