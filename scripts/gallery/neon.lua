-- Neon lights: magenta from one side, blue from the other.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = 26, pitch = 2, roll = -6 },
	chest = { yaw = -10, roll = 4 },
	left = { swing = 26, out = 26, twist = 30, elbow = 118, wrist = 20, curl = 40, lift = 6 },
	right = { swing = 2, out = 10, elbow = 16 },
})
hero:morph("smile", 0.25)
hero:morph("blink", 0.18)

light.rig("neon", { character = hero })
light.sky { zenith = vector.create(0.01, 0.01, 0.014), horizon = vector.create(0.01, 0.01, 0.014), ground = vector.create(0.008, 0.008, 0.01) }
light.post_process { tonemap = "agx", contrast = 1.15, saturation = 1.2, bloom = 0.1, vignette = 0.3 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, 0.6) }):material("paper").color = vector.create(0.10, 0.10, 0.11)
camera.orbit { target = vector.create(-0.13, 1.44, 0), distance = 3.3, yaw = 10, pitch = 0, fov = 14 }
