-- Navigation meshes: tests every function and its effect.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

-- Runs `f` after each tick, with the elapsed time.
local function each(t, seconds, f)
	for k = 1, seconds * 60 do
		t:run_ticks()
		f(k / 60)
	end
end

local function long(from, way)
	local sum, last = 0, from
	for _, at in way do
		sum, last = sum + vector.magnitude(at - last), at
	end
	return sum
end

test("paths go around walls, and straight where nothing is in the way", function(t)
	physics.box { position = v(0, 1, 0), size = v(10, 2, 0.4), body_type = "static" }
	local level = navmesh { size = v(20, 6, 20), name = "level" }
	t:expect(not level.is_ready and level.polygon_count == 0)
	t:run_ticks()
	t:expect(level.is_ready and level.polygon_count > 3, level.polygon_count)
	local from = v(0, 0, -3)
	local around = level:find_path(from, v(0, 0, 3))
	t:expect(around and #around >= 3, around)
	local length = long(from, around)
	t:expect(length > 11.5 and length < 13.5, length)
	t:expect(vector.magnitude(around[#around] - v(0, 0, 3)) < 0.3, around[#around])
	t:expect(#level:find_path(v(-8, 0, -3), v(-8, 0, 3)) == 1)
	t:expect(level:find_path(from, v(0, 0, 60)) == nil)
end)

test("paths avoid obstacles, and refresh detects new colliders", function(t)
	local level = navmesh { size = v(16, 6, 16) }
	t:run_ticks()
	local from, to = v(0, 0, -4), v(0, 0, 4)
	t:expect(#level:find_path(from, to) == 1)
	local round = level:add_obstacle { position = v(0, 0, 0), radius = 2 }
	local box = level:add_obstacle { position = v(0, 0, 0), size = v(6, 2, 1), yaw = 90 }
	t:run_ticks()
	local length = long(from, level:find_path(from, to))
	t:expect(length > 8.6, length)
	level:remove_obstacle(round)
	t:run_ticks()
	-- The box is rotated parallel to the path, so the path next to it is straight.
	t:expect(long(from, level:find_path(from, to)) < length)
	level:remove_obstacle(box)
	t:run_ticks()
	physics.box { position = v(0, 1, 0), size = v(6, 2, 0.4), body_type = "static" }
	t:run_ticks()
	t:expect(#level:find_path(from, to) == 1)
	level:rebuild()
	t:run_ticks()
	t:expect(#level:find_path(from, to) > 1)
	fails(t, function() level:remove_obstacle(99) end, "no obstacle with the number 99")
	fails(t, function() level:add_obstacle { position = v(0, 0, 0) } end, "either size or radius")
end)

test("links connect separate areas, and crowds use them", function(t)
	physics.box { position = v(0, 1.4, 6), size = v(6, 0.2, 4), body_type = "static" }
	local level = navmesh { size = v(20, 8, 20) }
	t:run_ticks()
	local foot, top = v(0, 0, 3), v(0, 1.5, 5)
	t:expect(level:find_path(foot, top) == nil)
	level:add_link(foot, top, { bidirectional = true, cost = 2 })
	t:run_ticks()
	t:expect(level:find_path(v(0, 0, -3), v(1, 1.5, 6)) ~= nil)
	t:expect(level:find_path(v(1, 1.5, 6), v(0, 0, -3)) ~= nil)
	local people = crowd { model = BODY, count = 3, position = v(0, 0, -2), size = v(3, 0, 1), navmesh = level, speed = 1.6 }
	people:walk_all_to(v(0, 0, 20))
	t:run_ticks()
	t:expect(#people:no_path() == 3, #people:no_path())
	t:expect(vector.magnitude(people:velocity(1)) < 0.3)
	fails(t, function() crowd { model = BODY, count = 1, navmesh = level, avoidance = "push" } end, "cannot use a navmesh")
end)

test("the inside of a collider is not walkable, and goals on it are reached by its ramp", function(t)
	physics.box { position = v(0, 1.5, 6), size = v(6, 3, 6), body_type = "static" }
	physics.ramp { position = v(0, 0, -3), size = v(2, 3, 6) }
	local level = navmesh { size = v(24, 10, 24) }
	local people = crowd { model = BODY, count = 2, position = v(-6, 0, 0), size = v(2, 0, 2), navmesh = level }
	t:run_ticks()
	t:expect(level:find_path(v(-1, 0, 5), v(1, 0, 7)) == nil)
	t:expect(level:find_path(v(-6, 0, 0), v(0, 3, 6)) ~= nil)
	people:walk_to(1, v(0, 3, 6))
	people:walk_to(2, v(1, 3, 5))
	local came = {}
	each(t, 50, function()
		t:expect(#people:no_path() == 0)
		for _, i in people:arrived() do
			came[i] = people:position(i)
		end
	end)
	for i = 1, 2 do
		t:expect(came[i] and math.abs(came[i].y - 3) < 0.1, came[i])
	end
end)

-- A bridge over the centre of the level, with a ramp on its left side.
local function bridge()
	physics.box { position = v(0, 2.9, 0), size = v(12, 0.2, 2), body_type = "static" }
	physics.ramp { position = v(-12, 0, 0), size = v(2, 3, 6), yaw = 90 }
	return navmesh { size = v(30, 10, 30) }
end

test("a goal on a bridge and one below it are different goals", function(t)
	local level = bridge()
	local people = crowd { model = BODY, count = 2, position = v(-12, 0, -4), size = v(2, 0, 1), navmesh = level }
	t:run_ticks()
	people:walk_to(1, v(3, 3, 0))
	people:walk_to(2, v(3, 0, 0))
	local came = {}
	each(t, 60, function()
		for _, i in people:arrived() do
			came[i] = people:position(i)
		end
	end)
	t:expect(came[1] and math.abs(came[1].y - 3) < 0.1, came[1])
	t:expect(came[2] and math.abs(came[2].y) < 0.1, came[2])
end)

test("agents on a bridge and below it do not hinder each other", function(t)
	local level = bridge()
	local above = crowd { model = BODY, count = 1, position = v(-4, 3, 0), size = v(1, 0, 1), navmesh = level, speed = 1.3 }
	local below = crowd { model = BODY, count = 12, position = v(0, 0, 0), size = v(4, 0, 2), navmesh = level }
	above:teleport(1, v(-4, 3, 0))
	t:run_ticks(3)
	above:walk_to(1, v(4, 3, 0))
	local seconds
	each(t, 9, function(time)
		if #above:arrived() > 0 then
			seconds = time
		end
		local at = above:position(1)
		t:expect(math.abs(at.z) < 0.15 and at.y > 2.8, at)
	end)
	t:expect(seconds and seconds < 7.5, seconds)
end)

test("a door opens and closes without rebuilding the mesh", function(t)
	physics.box { position = v(-5.6, 1, 0), size = v(10, 2, 0.2), body_type = "static" }
	physics.box { position = v(5.6, 1, 0), size = v(10, 2, 0.2), body_type = "static" }
	local level = navmesh { size = v(20, 6, 20) }
	local door = level:add_door { position = v(0, 0, 0), size = v(1.2, 2, 0.2), open = false }
	local people = crowd { model = BODY, count = 6, position = v(0, 0, -4), size = v(4, 0, 2), navmesh = level }
	t:run_ticks()
	t:expect(door.open == false)
	t:expect(level:find_path(v(0, 0, -3), v(0, 0, 3)) == nil)
	local polygons = level.polygon_count
	people:walk_all_to(v(0, 0, 5))
	t:run_ticks(2)
	t:expect(people.count == 6)
	door.open = true
	t:expect(level.is_ready and door.open and level.polygon_count == polygons)
	t:expect(level:find_path(v(0, 0, -3), v(0, 0, 3)) ~= nil, "it opens at once")
	people:walk_all_to(v(0, 0, 5))
	local through = 0
	each(t, 14, function()
		through = 0
		for i = 1, 6 do
			through += people:position(i).z > 0.5 and 1 or 0
		end
		if through == 3 and door.open then
			door.open = false
		end
	end)
	t:expect(through >= 3 and through < 6, through)
	for i = 1, 6 do
		t:expect(math.abs(people:position(i).z) > 0.2, "nobody stands in a closed door")
	end
end)

test("agents take a link one after another, and both directions get their turn", function(t)
	physics.box { position = v(0, 1.4, 6), size = v(6, 0.2, 6), body_type = "static" }
	local level = navmesh { size = v(24, 8, 24) }
	level:add_link(v(0, 0, 2.4), v(0, 1.5, 3.6), { bidirectional = true, cost = 2 })
	local up = crowd { model = BODY, count = 8, position = v(0, 0, -2), size = v(6, 0, 3), navmesh = level, name = "up" }
	local down = crowd { model = BODY, count = 6, position = v(0, 1.5, 6.4), size = v(4, 0, 3), navmesh = level, name = "down" }
	for i = 1, 6 do
		local at = down:position(i)
		down:teleport(i, v(at.x, 1.5, at.z))
	end
	t:run_ticks()
	up:walk_all_to(v(0, 1.5, 7))
	down:walk_all_to(v(0, 0, -4))
	local n, nearest = 0, math.huge
	each(t, 60, function()
		n += #up:arrived() + #down:arrived()
		local all = {}
		for _, people in { up, down } do
			for i = 1, people.count do
				table.insert(all, people:position(i))
			end
		end
		for i, a in all do
			for k = 1, i - 1 do
				nearest = math.min(nearest, vector.magnitude(a - all[k]))
			end
		end
	end)
	t:expect(n == 14, n)
	t:expect(nearest > 0.4, nearest)
end)
