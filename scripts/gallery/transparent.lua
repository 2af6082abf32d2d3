-- A transparent background, for use on a web page or over another picture.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
hero:attach(character "assets/gallery/glasses.glb", "head")
pose(hero, {
	head = { yaw = 14, pitch = 2, roll = -6 },
	chest = { yaw = -10 },
	left = { swing = 4, out = 10, elbow = 20 },
	right = { swing = 66, out = 42, twist = -24, elbow = 90, curl = 6, wrist = -8, lift = 8 },
})
hero:morph("smile", 0.9)

light.rig("studio", { character = hero })
light.environment("assets/gallery/studio.hdr", { yaw = 20, intensity = 0.8, background = false })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.12 }
camera.orbit { target = vector.create(-0.03, 1.30, 0), distance = 4.0, yaw = 18, pitch = 2, fov = 15 }
