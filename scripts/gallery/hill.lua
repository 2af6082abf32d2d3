-- Two hundred people cross a hill: each finds a path between rocks and trees.
local v = vector.create

light.rig "noon"
light.sun { yaw = 40, pitch = 32 }
ground.set { color = v(0.33, 0.35, 0.2), surface = "grass", grid = 0 }
camera.orbit { target = v(0, 2.2, 0), distance = 21, yaw = 30, pitch = 15, fov = 42, cut = true }

local function height(x, z)
	local far = math.sqrt(x * x + z * z)
	local hill = 4.2 * math.exp(-(far / 8.5) ^ 2)
	local edge = math.clamp((17 - math.max(math.abs(x), math.abs(z))) / 4, 0, 1)
	return (hill + 0.35 * math.noise(x / 3, z / 3)) * edge
end
physics.terrain {
	name = "hill",
	size = v(36, 1, 36),
	columns = 97,
	rows = 97,
	heights = height,
	color = v(0.36, 0.38, 0.2),
	surface = "grass",
}
local trees = { v(-5, 0, 3), v(6, 0, -2), v(-2, 0, -6), v(8, 0, 6), v(-9, 0, -4), v(2, 0, 8) }
for i, at in trees do
	character("assets/tree.glb", { position = v(at.x, height(at.x, at.z), at.z), yaw = i * 77, scale = 0.9 })
end
for i = 1, 14 do
	local angle = i * 2.4
	local far = 2.5 + i * 0.75
	local x, z = math.sin(angle) * far, math.cos(angle) * far
	physics.box {
		position = v(x, height(x, z) + 0.2, z),
		size = v(0.9 + i % 3 * 0.4, 1.2, 0.8 + i % 4 * 0.25),
		yaw = i * 40,
		pitch = i % 5 * 6,
		color = v(0.4, 0.37, 0.34),
		body_type = "static",
	}
end

local cloth = { v(0.9, 0.3, 0.25), v(0.25, 0.4, 0.8), v(0.9, 0.8, 0.55), v(0.35, 0.6, 0.4), v(0.55, 0.5, 0.6) }
local level = navmesh { size = v(40, 16, 40), agent_radius = 0.3, max_step_height = 0.35, max_slope = 40 }
for _, at in trees do
	level:add_obstacle { position = v(at.x, height(at.x, at.z), at.z), radius = 0.4 }
end
local function crossing(x, way)
	return crowd {
		model = { "assets/man.glb", "assets/galatea.glb", "assets/elder.glb" },
		count = 100,
		position = v(x, 0, 0),
		size = v(5, 0, 32),
		navmesh = level,
		group_size = { 1, 2 },
		colors = { cloth = cloth, teal = cloth },
		seed = x + 50,
		start = "go",
		states = {
			go = { on_enter = function(own, i) own:walk_to(i, v(way, 0, random_range(-15, 15))) end, on = { arrived = "back" } },
			back = { on_enter = function(own, i) own:walk_to(i, v(x, 0, random_range(-15, 15))) end, on = { arrived = "go" } },
		},
	}
end
crossing(-15, 15)
crossing(15, -15)
