-- The statue next to the woman: stone and skin in museum lighting.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { position = vector.create(-0.36, 0, 0.12), yaw = 62 })
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = 6, pitch = -2, roll = -4 },
	chest = { yaw = 6 },
	right = { swing = 76, out = 6, twist = -12, elbow = 24, wrist = -16, curl = 12 },
	left = { swing = 4, out = 10, elbow = 22 },
})
hero:morph("smile", 0.35)
hero:morph("brows_sad", 0.35)

character("assets/gallery/pedestal.glb", { position = vector.create(0.42, 0, 0), scale = 1.12 })
character("assets/gallery/bust.glb", { position = vector.create(0.42, 1.12, 0), yaw = -36 })

light.rig("spotlight", { position = vector.create(0.42, 1.3, 0), intensity = 0.3 })
light.spot { position = vector.create(-1.6, 3.2, 2.2), target = vector.create(0, 1.4, 0), color = vector.create(1, 0.91, 0.79), intensity = 26, source_radius = 0.25, outer_angle = 24 }
light.spot { position = vector.create(2.2, 2.6, -2.2), target = vector.create(0, 1.4, 0), color = vector.create(0.72, 0.84, 1), intensity = 30, source_radius = 0.25, outer_angle = 24 }
light.sky { zenith = vector.create(0.06, 0.06, 0.065), horizon = vector.create(0.05, 0.05, 0.052), ground = vector.create(0.04, 0.035, 0.03) }
light.spot { position = vector.create(1.5, 2.3, 2.4), target = vector.create(-0.3, 1.45, 0), color = vector.create(1, 0.90, 0.80), intensity = 17, source_radius = 0.3, outer_angle = 16 }
light.spot { position = vector.create(-0.2, 3.6, 0.4), target = vector.create(0.1, 1.6, -2.8), color = vector.create(1, 0.8, 0.66), intensity = 34, source_radius = 0.3, outer_angle = 38 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1, vignette = 0.3 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, -0.6) }):material("paper").color = vector.create(0.20, 0.055, 0.045)
camera.orbit { target = vector.create(0.0, 1.32, 0), distance = 4.6, yaw = -6, pitch = 2, fov = 15 }
