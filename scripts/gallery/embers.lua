-- A fire at her feet: warm light from below, cold night behind.

local pose = require "./pose"

local hero = character("assets/mannequin.glb", { position = vector.create(0, -0.0, 0) })
local cape = character("assets/gallery/cape.glb", { clips = "assets/mannequin.glb" })
for _, c in { hero, cape } do
	c.machine = machine { state "crouch" { "crouch" } }
	pose(c, {
		head = { yaw = -6, pitch = 10 },
		left = { swing = 58, out = 14, twist = -14, elbow = 34, wrist = -20, curl = 10 },
		right = { swing = 50, out = 14, twist = -14, elbow = 40, wrist = -20, curl = 10 },
	})
end
hero:morph("smile", 0.3)

light.rig("embers", { character = hero })
for i = 1, 5 do
	local turn = i * 2.4
	character("assets/gallery/torch.glb", {
		position = vector.create(math.sin(turn) * 0.075 + 0.05, -0.32, math.cos(turn) * 0.075 + 0.95),
		scale = 1.25 + 0.35 * math.noise(i * 1.3, 0.7),
		yaw = i * 70,
	})
end
-- Stones around the fire.
for i = 1, 11 do
	local turn = i * math.pi * 2 / 11
	local stone = character("assets/gallery/knob.glb", {
		position = vector.create(math.sin(turn) * 0.27 + 0.05, -0.10, math.cos(turn) * 0.27 + 0.95),
		scale = 0.72 + 0.25 * math.noise(i * 1.9, 0.4),
	})
	for _, name in { "paint", "core" } do
		stone:material(name).color = vector.create(0.10, 0.09, 0.085)
		stone:material(name).roughness = 0.9
	end
end
light.point { position = vector.create(0.05, 0.26, 0.95), color = vector.create(1, 0.42, 0.12), intensity = 1.7, range = 8, source_radius = 0.10, shadows = true }
light.post_process { tonemap = "agx", contrast = 1.12, saturation = 1.15, bloom = 0.12, vignette = 0.35 }
light.exposure(0.9)
ground.set { grid = 0, color = vector.create(0.15, 0.13, 0.12) }
camera.orbit { target = vector.create(0.1, 0.62, 0.35), distance = 4.6, yaw = 46, pitch = 6, fov = 20 }
