-- Other clips of the hound, one frame per second.

local hound = character "assets/hound.glb"

local MOMENTS = {
	{ "idle", 0.3, 60 }, { "look_about", 3.6, 60 }, { "bark", 0.3, 60 }, { "wag", 0.15, 130 }, { "sit_down", 0.6, 70 },
	{ "sit", 0.4, 50 }, { "lie_down", 0.7, 70 }, { "lie", 0.5, 55 }, { "sniff", 1.5, 75 }, { "shake", 0.6, 35 },
}

light.rig("studio", { character = hound })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1 }
ground.set { grid = 0.5, color = vector.create(0.30, 0.30, 0.31) }
camera.orbit { target = vector.create(0, 0.46, 0), distance = 8, yaw = 0, pitch = 5, fov = 9.5 }

update = require "./moments"(hound, MOMENTS)
