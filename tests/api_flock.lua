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

test("a flock comes to fly the same way, at its speed, near its home and over the ground", function(t)
	local birds = flock {
		body = BODY,
		clip = "walk",
		count = 60,
		at = v(0, 10, 0),
		speed = { 4, 6 },
		alignment = 3,
		reach = 8,
		radius = 30,
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
	t:expect(vector.magnitude(birds.middle - v(0, 10, 0)) < 45, birds.middle)
	birds:remove()
	fails(t, function() birds:position(1) end, "gone")
end)

test("what drives away is flown from, what draws is flown to", function(t)
	local birds = flock { body = BODY, count = 40, at = v(0, 12, 0), size = v(4, 4, 4), home = 0 }
	birds:pull("hawk", v(0, 12, 0), -60, 12)
	t:run(2)
	t:expect(#birds:near(v(0, 12, 0), 4) == 0, #birds:near(v(0, 12, 0), 4))
	birds:pull("hawk")
	birds:pull("corn", v(0, 12, 0), 30)
	t:run(8)
	t:expect(vector.magnitude(birds.middle - v(0, 12, 0)) < 8, birds.middle)
	for k = 1, 63 do
		birds:pull(`more {k}`, v(0, 0, 0))
	end
	fails(t, function() birds:pull("one too many", v(0, 0, 0)) end, "64")
end)

test("leaders are steered, and rules are changed while they fly", function(t)
	local birds = flock { body = BODY, count = 30, at = v(0, 20, 0), leaders = 1, lead = 8, home = 0, speed = 5 }
	birds:place(1, v(0, 20, 0), v(0, 0, 5))
	for _ = 1, 600 do
		birds:steer(1, v(0, 0, 5))
		t:step()
	end
	t:expect(birds:position(1).z > 45, birds:position(1))
	t:expect(birds.middle.z > 30, birds.middle)
	fails(t, function() birds:steer(2, v(0, 0, 1)) end, "1 leaders")
	fails(t, function() birds:steer(31, v(0, 0, 1)) end, "no number 31")
	local rules = { "separation", "apart", "alignment", "cohesion", "reach", "turn", "clearance", "lead" }
	for _, rule in rules do
		local own = birds :: any
		own[rule] = 2.5
		t:expect(own[rule] == 2.5, rule)
	end
	birds.most_speed = 3
	birds.least_speed = 2
	t:expect(birds.most_speed == 3 and birds.least_speed == 2)
	t:run(1)
	local speed = vector.magnitude(birds:velocity(5))
	t:expect(speed > 1.9 and speed < 3.1, speed)
end)

test("a rule of one's own is asked for each, and moves them", function(t)
	local n = 0
	local birds = flock {
		body = BODY,
		count = 10,
		at = v(0, 30, 0),
		home = 0,
		force = function(own, i, at, velocity)
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

test("the book's flock flies at three metres a second to its point", function(t)
	local birds = flock { body = BODY, style = "book", count = 30 }
	t:run(6)
	t:expect(math.abs(vector.magnitude(birds:velocity(3)) - 3) < 0.01)
	t:expect(birds.separation == 15 and birds.apart == 2.5 and birds.reach == 3.5)
	t:expect(vector.magnitude(birds.middle - v(0, 15, 0)) < 6, birds.middle)
end)

test("what cannot be is told", function(t)
	fails(t, function() flock { count = 3 } end, "body")
	fails(t, function() flock { body = BODY, clip = "wlak" } end, 'did you mean "walk"')
	fails(t, function() flock { body = BODY, count = 30000 } end, "20000")
	fails(t, function() flock { body = BODY, cohesoin = 1 } end, 'did you mean "cohesion"')
	local none = flock { body = BODY, count = 0 }
	t:run(0.2)
	t:expect(none.count == 0 and #none:near(v(0, 0, 0)) == 0)
	fails(t, function() none:place(1, v(0, 0, 0)) end, "no number 1")
end)
