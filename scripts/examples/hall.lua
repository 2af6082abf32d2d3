-- Hall: an evacuation. When the alarm starts, people leave a room with benches through two doors. The example then prints
-- the time, the number of people per door and the bottlenecks, and writes a density map: out/density.png.
--
--   galatea play scripts/examples/hall.lua      space: alarm; B: close or open the north door

light.rig "noon"
ground.set { color = vec(0.42, 0.4, 0.37), surface = "stone", grid = 0 }
camera.orbit { target = vec(0, 0, -1), distance = 24, yaw = 25, pitch = 48, fov = 40 }

local function wall(x, z, wide, deep)
	physics.box {
		position = vec(x, 0.6, z),
		size = vec(wide, 1.2, deep),
		color = vec(0.62, 0.55, 0.46),
		body_type = "static",
	}
end

-- The room is 18 by 12 m, with a 1.6 m door to the north and a 1 m door to the east.
wall(-4.9, 6, 8.2, 0.3)
wall(4.9, 6, 8.2, 0.3)
wall(0, -6, 18, 0.3)
wall(-9, 0, 0.3, 12)
wall(9, -3.25, 0.3, 5.5)
wall(9, 3.25, 0.3, 5.5)
for row = 0, 3 do
	for side = -1, 1, 2 do
		physics.box {
			position = vec(side * 3.6, 0.22, row * 2 - 4),
			size = vec(4.4, 0.44, 0.5),
			color = vec(0.4, 0.27, 0.16),
			body_type = "static",
		}
	end
end

local level = navmesh { size = vec(34, 8, 34), cell_size = 0.1, agent_radius = 0.25, max_step_height = 0.2 }
local people = crowd {
	model = { "assets/man.glb", "assets/mannequin.glb", "assets/elder.glb", "assets/child.glb" },
	count = 90,
	position = vec(0, 0, -0.6),
	size = vec(15, 0, 9),
	navmesh = level,
	colors = { cloth = { vec(0.9, 0.3, 0.25), vec(0.25, 0.4, 0.8), vec(0.9, 0.8, 0.55), vec(0.35, 0.6, 0.4), vec(0.55, 0.5, 0.6) } },
}

local hall = crowd_stats {
	size = vec(18, 0, 12),
	cell_size = 0.25,
	crowd = people,
	lines = { north = { vec(0.9, 0, 6), vec(-0.9, 0, 6) }, east = { vec(9, 0, -0.6), vec(9, 0, 0.6) } },
}
local doors = { vec(0, 0, 13), vec(15, 0, 0) }
local closed, alarm, told = nil, nil, false

local function report()
	local north, east = hall:flow("north"), hall:flow("east")
	print(string.format("empty after %.1f s", hall.empty_since - alarm))
	print(string.format("north door: %d, %.2f a second; east door: %d, %.2f", north.forward, north.mean, east.forward, east.mean))
	for _, choke in hall:bottlenecks(3) do
		local at = choke.position
		print(string.format("it chokes at %.1f, %.1f: %.1f people on a square metre", at.x, at.z, choke.density))
	end
	print(hall:save_image("density.png"))
end

-- Returns the length of the path between two positions in metres, or nil if there is no path.
local function far(from, to)
	local way = level:find_path(from, to)
	if not way then
		return math.huge
	end
	local sum, last = 0, from
	for _, at in way do
		sum, last = sum + vector.magnitude(at - last), at
	end
	return sum
end

local function leave(i)
	local at = people:position(i)
	local north, east = far(at, doors[1]), far(at, doors[2])
	people:walk_to(i, if north < east then doors[1] else doors[2], random_range(1.5, 2.4))
end

local function wander(i)
	people:walk_to(i, vec(random_range(-8, 8), 0, random_range(-5, 5)), random_range(0.7, 1.3))
end

for i = 1, people.count do
	wander(i)
end

function update(_dt)
	if input.pressed("space") and not alarm then
		alarm = now()
		for i = 1, people.count do
			leave(i)
		end
	end
	if input.pressed("b") then
		if closed then
			level:remove_obstacle(closed)
			closed = nil
		else
			closed = level:add_obstacle { position = vec(0, 0, 6), size = vec(2, 2, 0.5) }
		end
	end
	for _, i in people:arrived() do
		if not alarm then
			wander(i)
		end
	end
	for _, i in people:no_path() do
		if alarm then
			leave(i)
		end
	end
	if alarm and hall.empty_since and not told then
		told = true
		report()
	end
end
