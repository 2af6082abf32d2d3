-- Seven hundred people on a square, each with its own body, size, colours and path.
local v = vector.create

light.rig "noon"
ground.set { color = v(0.4, 0.36, 0.31), surface = "stone", color_variation = 0.6, grid = 0 }
camera.orbit { target = v(0, 0.8, 3), distance = 15, yaw = 18, pitch = 16, fov = 42, cut = true }

local cloth = {
	v(0.9, 0.25, 0.2),
	v(0.2, 0.4, 0.85),
	v(0.92, 0.82, 0.55),
	v(0.3, 0.6, 0.35),
	v(0.55, 0.5, 0.6),
	v(0.85, 0.5, 0.2),
}

local people = crowd {
	model = { "assets/man.glb", "assets/galatea.glb", "assets/elder.glb", "assets/child.glb" },
	count = 700,
	size = v(44, 0, 44),
	scale = { 0.92, 1.06 },
	colors = { cloth = cloth, teal = cloth },
	seed = 4,
}
for i = 1, people.count do
	if i % 5 ~= 0 then
		people:walk_to(i, v(random_range(-22, 22), 0, random_range(-22, 22)), random_range(0.9, 1.7))
	end
end
