-- Deformation test: clip frames that bend shoulders, elbows, hips and knees the most, one per second.

local hero = character "assets/galatea.glb"

local MOMENTS = {
	{ "jump", 0.5, 30 }, { "crouch", 0.5, 50 }, { "sit", 1, 60 }, { "punch", 0.42, 40 }, { "wave", 0.9, 10 },
	{ "get_up_front", 0.9, 60 }, { "run", 0.2, 70 }, { "climb_step", 0.5, 60 }, { "laugh", 0.9, 20 }, { "statue", 0, 15 },
}

light.rig("studio", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1 }
ground.set { grid = 0.5, color = vector.create(0.30, 0.30, 0.31) }
camera.orbit { target = vector.create(0, 0.95, 0), distance = 7, yaw = 0, pitch = 5, fov = 19 }

update = require "./moments"(hero, MOMENTS)
