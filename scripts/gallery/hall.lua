-- 120 people leave a hall with benches through two doors. The same as scripts/examples/hall.lua, without keys.
local v = vector.create

light.rig "noon"
ground.set { color = v(0.42, 0.39, 0.35), surface = "stone", grid = 0 }
camera.orbit { target = v(0.5, 0, 0.5), distance = 22, yaw = 24, pitch = 42, fov = 42, cut = true }

local function block(x, z, size, color)
	physics.box { position = v(x, size.y / 2, z), size = size, color = color }
end

local WALL, BENCH = v(0.66, 0.58, 0.48), v(0.36, 0.23, 0.13)
block(-4.9, 6, v(8.2, 1.3, 0.3), WALL)
block(4.9, 6, v(8.2, 1.3, 0.3), WALL)
block(0, -6, v(18.3, 1.3, 0.3), WALL)
block(-9, 0, v(0.3, 1.3, 12), WALL)
block(9, -3.35, v(0.3, 1.3, 5.3), WALL)
block(9, 3.35, v(0.3, 1.3, 5.3), WALL)
for row = 0, 3 do
	for side = -1, 1, 2 do
		block(side * 3.6, row * 2 - 4, v(4.4, 0.44, 0.5), BENCH)
	end
end

local level = navmesh { size = v(34, 8, 34), cell_size = 0.1, agent_radius = 0.25, max_step_height = 0.2 }
local cloth = { v(0.9, 0.3, 0.25), v(0.25, 0.4, 0.8), v(0.9, 0.8, 0.55), v(0.35, 0.6, 0.4) }
local people = crowd {
	model = { "assets/man.glb", "assets/galatea.glb", "assets/elder.glb", "assets/child.glb" },
	count = 120,
	position = v(0, 0, -0.6),
	size = v(16, 0, 9.5),
	speed = { 1.5, 2.4 },
	navmesh = level,
	colors = { cloth = cloth },
}
for i = 1, people.count do
	local at = people:position(i)
	local is_east = at.x > 3 and math.abs(at.z) < 3
	people:walk_to(i, if is_east then v(15, 0, 0) else v(0, 0, 14))
end
