-- Twelve copies of her: each has its own clip, phase and colours.

local CLIPS = { "walk", "idle", "run", "wave", "walk", "crouch", "idle", "jump", "walk", "wave", "run", "idle" }
local COATS = {
	vector.create(0.03, 0.13, 0.15), vector.create(0.30, 0.03, 0.04), vector.create(0.05, 0.07, 0.25),
	vector.create(0.42, 0.26, 0.05), vector.create(0.07, 0.20, 0.07), vector.create(0.22, 0.06, 0.22),
}
local HAIRS = {
	vector.create(0.11, 0.036, 0.022), vector.create(0.02, 0.015, 0.013), vector.create(0.42, 0.24, 0.09),
	vector.create(0.25, 0.06, 0.02), vector.create(0.30, 0.28, 0.26),
}
local SKINS = {
	vector.create(0.70, 0.47, 0.36), vector.create(0.48, 0.27, 0.17), vector.create(0.66, 0.43, 0.30),
	vector.create(0.22, 0.11, 0.065),
}

for i = 1, 12 do
	local row, column = (i - 1) // 4, (i - 1) % 4
	local x = (column - 1.5) * 1.12 + (row % 2) * 0.42 - 0.2
	local one = character("assets/galatea.glb", {
		name = "dancer" .. i,
		position = vector.create(x, 0, -row * 1.25),
		yaw = math.noise(i * 1.7, 0.3) * 50,
		materials = {
			cloth = { color = COATS[i % #COATS + 1] },
			hair = { color = HAIRS[i % #HAIRS + 1] },
			brow = { color = HAIRS[i % #HAIRS + 1] * 0.7 },
			skin = { color = SKINS[i % #SKINS + 1] },
		},
	})
	one:play(CLIPS[i], { mode = "loop", fade = 0, start_time = 0.13 * i % 0.6 })
	one:morph("smile", random_range(0, 0.8))
end

light.rig("noon")
light.sun { yaw = -35, pitch = 40 }
ground.set { grid = 0, color = vector.create(0.30, 0.25, 0.19) }
camera.orbit { target = vector.create(0.0, 0.84, -1.1), distance = 9.5, yaw = 6, pitch = 6, fov = 18 }
