-- Noon: sun, blue sky, and light reflected from the ground.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { yaw = -8 })
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = 16, pitch = -4, roll = 3 },
	chest = { yaw = 5 },
	left = { swing = -16, out = 46, twist = -70, elbow = 96, wrist = 30, curl = 30 },
	right = { swing = 4, out = 12, elbow = 18, curl = 24 },
})
hero:morph("smile", 0.5)

light.rig("noon", { character = hero })
light.sun { yaw = -42, pitch = 44 }
ground.set { grid = 0, color = vector.create(0.36, 0.28, 0.18) }
ground.patch { position = vector.create(0, 0, 0), radius = 1.7, color = vector.create(0.50, 0.37, 0.22), surface = "stone" }
character("assets/gallery/pedestal.glb", { position = vector.create(-0.78, 0, -0.5) })
character("assets/gallery/vase.glb", { position = vector.create(-0.78, 1.0, -0.5), yaw = 40 })
camera.orbit { target = vector.create(-0.24, 0.90, 0), distance = 7, yaw = 14, pitch = 3, fov = 17 }
