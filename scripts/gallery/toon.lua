-- The material variant "toon" of the same file: MToon with two colours, rim and outline.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { variant = "toon" })
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = 10, pitch = 2, roll = -8 },
	chest = { yaw = -8, roll = 4 },
	left = { swing = -16, out = 46, twist = -70, elbow = 96, wrist = 30, curl = 30 },
	right = { swing = 62, out = 40, twist = -24, elbow = 92, curl = 6, wrist = -8, lift = 8 },
})
hero:morph("smile", 1)
hero:morph("blink_left", 1)

light.sun { yaw = -40, pitch = 42, intensity = 2.6 }
light.sky { zenith = vector.create(0.34, 0.58, 0.70), horizon = vector.create(0.34, 0.58, 0.70), ground = vector.create(0.34, 0.58, 0.70) }
light.post_process { tonemap = "linear", bloom = 0, ambient_occlusion = 0, contact_shadows = 0 }
ground.set { visible = false }
camera.orbit { target = vector.create(-0.02, 1.28, 0), distance = 4.4, yaw = 12, pitch = 2, fov = 14 }
