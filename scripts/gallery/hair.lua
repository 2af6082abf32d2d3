-- Hair made of alpha-blended cards, lit from behind: highlights along the strands and a bright rim.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { yaw = 180 })
hero.machine = machine { state "idle" { "idle" } }
pose(hero, { head = { yaw = -26, pitch = 3, roll = 4 }, chest = { yaw = -14 }, left = { out = 10 }, right = { out = 10 } })
hero:morph("smile", 0.3)

light.rig("three_point", { position = vector.create(0, 1.2, 0), intensity = 0.5 })
light.spot { position = vector.create(1.7, 2.3, -1.5), target = vector.create(0, 1.5, 0), color = vector.create(1, 0.84, 0.62), intensity = 44, source_radius = 0.1, outer_angle = 20 }
light.spot { position = vector.create(-1.5, 2.4, 1.9), target = vector.create(0, 1.45, 0), color = vector.create(1, 0.93, 0.85), intensity = 16, source_radius = 0.15, outer_angle = 22 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.15, bloom = 0.06, vignette = 0.3 }
ground.set { visible = false }
camera.orbit { target = vector.create(0.02, 1.46, 0), distance = 2.6, yaw = -16, pitch = 2, fov = 14.5 }
