-- A dark stage, one spot light, and a bow to the right.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = 8, pitch = -6 },
	chest = { yaw = 6, pitch = -4 },
	left = { swing = 24, out = 66, twist = -30, elbow = 26, wrist = -12, curl = 6, lift = 8 },
	right = { swing = 40, out = 30, twist = -60, elbow = 96, wrist = 10, curl = 12 },
})
hero:morph("smile", 0.9)

light.rig("spotlight", { character = hero })
light.spot { position = vector.create(-1.8, 2.4, -2.6), target = vector.create(0, 1.1, 0), color = vector.create(0.55, 0.70, 1), intensity = 16, outer_angle = 22, source_radius = 0.1 }
light.point { position = vector.create(0.3, 0.25, 1.6), color = vector.create(1, 0.80, 0.62), intensity = 0.7, range = 5, shadows = false }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1, bloom = 0.08, vignette = 0.3 }
light.exposure(0.4)
ground.set { grid = 0, color = vector.create(0.17, 0.10, 0.065) }
camera.orbit { target = vector.create(0.12, 0.88, 0), distance = 7, yaw = 16, pitch = 7, fov = 16.5 }
