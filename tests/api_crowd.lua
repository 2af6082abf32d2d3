-- Crowds: tests every function and its effect.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("agents start apart from each other in their area, and walk to their goals", function(t)
	local people = crowd { model = BODY, count = 30, position = v(2, 0, 0), size = v(8, 0, 6), name = "all" }
	t:expect(people.count == 30)
	for i = 1, 30 do
		local at = people:position(i)
		t:expect(math.abs(at.x - 2) <= 4 and math.abs(at.z) <= 3, at)
		for k = 1, i - 1 do
			t:expect(vector.magnitude(people:position(k) - at) > 0.4)
		end
	end
	people:walk_to(7, v(2, 0, 12), 2)
	t:run(3.5)
	t:expect(people:velocity(7).z > 1, people:velocity(7))
	local all = {}
	for _ = 1, 12 * 60 do
		t:run_ticks()
		for _, i in people:arrived() do
			table.insert(all, i)
		end
	end
	t:expect(#all == 1 and all[1] == 7, #all)
	t:expect(vector.magnitude(people:position(7) - v(2, 0, 12)) < 0.4)
	t:expect(vector.magnitude(people:velocity(7)) < 0.2)
	t:expect(#people:find_near(v(2, 0, 12), 1) == 1 and people:find_near(v(2, 0, 12))[1] == 7)
	people:remove()
	fails(t, function() people:stop(1) end, "removed")
end)

test("walk_all_to sends all agents, walls block them, and stop stops an agent", function(t)
	local people = crowd {
		model = { BODY, BODY },
		count = 12,
		position = v(0, 0, -3),
		size = v(6, 0, 2),
		speed = 1.5,
		walls = { { v(-20, 0, 0), v(20, 0, 0) } },
	}
	people:stop(3)
	people:walk_all_to(v(0, 0, 8))
	people:stop(3)
	local at = people:position(3)
	t:run(5)
	for i = 1, 12 do
		t:expect(people:position(i).z < 0, people:position(i))
	end
	t:expect(vector.magnitude(people:position(3) - at) < 1.5)
end)

test("an agent walks through several waypoints without a stop", function(t)
	local people = crowd { model = BODY, count = 2, size = v(2, 0, 1), speed = 1.5 }
	people:walk_to(1, { v(0, 0, 5), v(5, 0, 5), v(5, 0, 0) })
	local near, slowest, came = {}, 9, 0
	for k = 1, 60 * 14 do
		t:run_ticks()
		local at = people:position(1)
		for i, place in { v(0, 0, 5), v(5, 0, 5), v(5, 0, 0) } do
			if vector.magnitude(at - place) < 0.55 and not near[i] then
				near[i] = k
			end
		end
		if k > 60 and not near[3] then
			slowest = math.min(slowest, vector.magnitude(people:velocity(1)))
		end
		came += #people:arrived()
	end
	t:expect(near[1] and near[2] and near[3] and near[1] < near[2] and near[2] < near[3])
	t:expect(slowest > 0.7 and came == 1, `{slowest} {came}`)
	people:walk_to(1, { v(0, 0, 5), v(5, 0, 5) })
	people:stop(1)
	t:run(1)
	t:expect(vector.magnitude(people:position(1) - v(5, 0, 0)) < 0.5)
	fails(t, function() people:walk_to(1, {}) end, "positions")
	fails(t, function() people:walk_to(1, { 3 }) end, "expected a vector")
end)

test("invalid crowd arguments are errors", function(t)
	fails(t, function() crowd { model = BODY, count = 500, size = v(2, 0, 2) } end, "square metres")
	fails(t, function() crowd { model = {}, count = 2 } end, "model")
	fails(t, function() crowd { model = BODY, count = 2, walk = "wlak" } end, "walk")
	fails(t, function() crowd { model = BODY, count = 2, walls = { { v(0, 0, 0) } } } end, "two positions")
	fails(t, function() crowd { model = BODY, count = 1000000 } end, "20000")
	local two = crowd { model = BODY, count = 2 }
	fails(t, function() two:walk_to(3, v(0, 0, 0)) end, "no agent 3")
	fails(t, function() two:walk_to(1, v(0 / 0, 0, 0)) end, "place")
	local none = crowd { model = BODY, count = 0 }
	none:walk_all_to(v(0, 0, 0))
	t:run(0.1)
	t:expect(none.count == 0 and #none:arrived() == 0)
end)

test("agents walk around obstacles, and with push avoidance they walk at 2 m/s", function(t)
	local post = { { v(0, 0, 4), 1 } }
	for _, style in { "orca", "push" } do
		local people = crowd { model = BODY, count = 3, size = v(5, 0, 1), obstacles = post, avoidance = style }
		people:walk_all_to(v(0, 0, 16))
		local nearest = math.huge
		for _ = 1, 60 * 8 do
			t:run_ticks()
			for i = 1, 3 do
				nearest = math.min(nearest, vector.magnitude(people:position(i) - v(0, 0, 4)))
			end
		end
		-- The avoidance "push" deflects agents but does not keep them apart.
		if style == "orca" then
			t:expect(nearest > 1.2, nearest)
		end
		t:expect(people:position(1).z > 9, style)
		people:remove()
	end
	local book = crowd { model = BODY, count = 2, size = v(4, 0, 4), avoidance = "push" }
	book:walk_all_to(v(0, 0, 60))
	t:run(1)
	t:expect(math.abs(vector.magnitude(book:velocity(1)) - 2) < 0.01, book:velocity(1))
	fails(t, function() crowd { model = BODY, count = 1, obstacles = { { 1, v(0, 0, 0) } } } end, "expected { position, radius }")
end)
