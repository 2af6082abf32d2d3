-- Subsurface scattering: thin skin lets light through, here an ear in front of the sun.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }
pose(hero, { head = { yaw = 6, pitch = -2 }, left = {}, right = {} })

light.sun { intensity = 0 }
light.sky { seamless = true, zenith = vector.create(0.030, 0.036, 0.05), horizon = vector.create(0.030, 0.036, 0.05), ground = vector.create(0.02, 0.02, 0.024) }
light.spot { position = vector.create(0.6, 1.75, 1.6), target = vector.create(0, 1.58, 0), color = vector.create(1, 0.93, 0.86), intensity = 3.2, outer_angle = 20, source_radius = 0.25 }
light.spot { position = vector.create(0.0, 1.70, -1.3), target = vector.create(0.085, 1.58, 0), color = vector.create(1, 0.88, 0.72), intensity = 70, outer_angle = 4, inner_angle = 2, source_radius = 0.04 }
light.post_process { tonemap = "agx", contrast = 1.05, saturation = 1.1, bloom = 0.06 }
ground.set { visible = false }
camera.orbit { target = vector.create(0.06, 1.566, 0.0), distance = 1.15, yaw = 44, pitch = 2, fov = 6.4 }
