-- Flocks: tests every function and its effect.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

local function same_way(birds)
	local sum = v(0, 0, 0)
	for i = 1, birds.count do
		sum += vector.normalize(birds:velocity(i))
	end
	return vector.magnitude(sum) / birds.count
end

test("a flock aligns, and flies at its speed, near its home and above the ground", function(t)
	local birds = flock {
		model = BODY,
		clip = "walk",
		count = 60,
		position = v(0, 10, 0),
		speed = { 4, 6 },
		alignment = 3,
		neighbor_radius = 8,
		home_radius = 30,
		name = "swallows",
	}
	t:expect(birds.count == 60)
	local before = same_way(birds)
	t:run(10)
	t:expect(same_way(birds) > before + 0.3, same_way(birds))
	for i = 1, 60 do
		local speed = vector.magnitude(birds:velocity(i))
		t:expect(speed > 3.9 and speed < 6.1, speed)
		t:expect(birds:position(i).y > 0.25)
	end
	t:expect(vector.magnitude(birds.center - v(0, 10, 0)) < 45, birds.center)
	birds:remove()
	fails(t, function() birds:position(1) end, "removed")
end)

test("a flock avoids repellers and flies to attractors", function(t)
	local birds = flock { model = BODY, count = 40, position = v(0, 12, 0), size = v(4, 4, 4), home_weight = 0 }
	birds:set_attractor("hawk", v(0, 12, 0), -60, 12)
	t:run(2)
	t:expect(#birds:find_near(v(0, 12, 0), 4) == 0, #birds:find_near(v(0, 12, 0), 4))
	birds:set_attractor("hawk")
	birds:set_attractor("corn", v(0, 12, 0), 30)
	t:run(8)
	t:expect(vector.magnitude(birds.center - v(0, 12, 0)) < 8, birds.center)
	for k = 1, 63 do
		birds:set_attractor(`more {k}`, v(0, 0, 0))
	end
	fails(t, function() birds:set_attractor("one too many", v(0, 0, 0)) end, "64")
end)

test("leaders can be steered, and rules can change during the flight", function(t)
	local birds = flock { model = BODY, count = 30, position = v(0, 20, 0), leaders = 1, leader_weight = 8, home_weight = 0, speed = 5 }
	birds:teleport(1, v(0, 20, 0), v(0, 0, 5))
	for _ = 1, 600 do
		birds:steer(1, v(0, 0, 5))
		t:run_ticks()
	end
	t:expect(birds:position(1).z > 45, birds:position(1))
	t:expect(birds.center.z > 30, birds.center)
	fails(t, function() birds:steer(2, v(0, 0, 1)) end, "is not a leader")
	fails(t, function() birds:steer(31, v(0, 0, 1)) end, "no member 31")
	local rules = { "separation", "separation_distance", "alignment", "cohesion", "neighbor_radius", "turn_rate", "clearance", "leader_weight" }
	for _, rule in rules do
		local own = birds :: any
		own[rule] = 2.5
		t:expect(own[rule] == 2.5, rule)
	end
	birds.max_speed = 3
	birds.min_speed = 2
	t:expect(birds.max_speed == 3 and birds.min_speed == 2)
	t:run(1)
	local speed = vector.magnitude(birds:velocity(5))
	t:expect(speed > 1.9 and speed < 3.1, speed)
end)

test("a custom steering function runs for each member and moves it", function(t)
	local n = 0
	local birds = flock {
		model = BODY,
		count = 10,
		position = v(0, 30, 0),
		home_weight = 0,
		steering = function(own, i, at, velocity)
			n += 1
			t:expect(own.count == 10 and i >= 1 and i <= 10 and velocity ~= nil and at ~= nil)
			return v(40, 0, 0)
		end,
	}
	t:run(3)
	-- Each boid, 20 times per second.
	t:expect(n > 550 and n < 650, n)
	for i = 1, 10 do
		t:expect(vector.normalize(birds:velocity(i)).x > 0.9, birds:velocity(i))
	end
end)

test("a flock with the classic preset flies to its point at 3 m/s", function(t)
	local birds = flock { model = BODY, preset = "classic", count = 30 }
	t:run(6)
	t:expect(math.abs(vector.magnitude(birds:velocity(3)) - 3) < 0.01)
	t:expect(birds.separation == 15 and birds.separation_distance == 2.5 and birds.neighbor_radius == 3.5)
	t:expect(vector.magnitude(birds.center - v(0, 15, 0)) < 6, birds.center)
end)

test("invalid flock arguments are errors", function(t)
	fails(t, function() flock { count = 3 } end, "model")
	fails(t, function() flock { model = BODY, clip = "wlak" } end, 'did you mean "walk"')
	fails(t, function() flock { model = BODY, count = 30000 } end, "20000")
	fails(t, function() flock { model = BODY, cohesoin = 1 } end, 'did you mean "cohesion"')
	local none = flock { model = BODY, count = 0 }
	t:run(0.2)
	t:expect(none.count == 0 and #none:find_near(v(0, 0, 0)) == 0)
	fails(t, function() none:teleport(1, v(0, 0, 0)) end, "no member 1")
end)
