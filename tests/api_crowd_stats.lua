-- Crowd statistics: tests every function and its effect.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("agents that cross a line are counted, and the time when the area became empty is reported", function(t)
	local people = crowd { model = BODY, count = 30, size = v(8, 0, 4), speed = 1.5 }
	local hall = crowd_stats {
		size = v(12, 0, 6),
		crowd = people,
		lines = { out = { v(6, 0, 4), v(-6, 0, 4) }, back = { v(-6, 0, -9), v(6, 0, -9) } },
		name = "hall",
	}
	t:run_ticks()
	t:run(0.2)
	t:expect(hall.agent_count == 30 and hall.empty_since == nil, hall.agent_count)
	people:walk_all_to(v(0, 0, 12))
	t:run(12)
	local out = hall:flow("out")
	t:expect(out.forward == 0 and out.backward == 30 or out.forward == 30 and out.backward == 0, out.forward)
	t:expect(out.first > 0.5 and out.last > out.first and out.last < 12)
	t:expect(hall.agent_count == 0 and hall.empty_since > 1 and hall.empty_since < 10, hall.empty_since)
	t:expect(hall:flow("back").forward == 0 and hall:flow("back").first == nil)
	people:walk_all_to(v(0, 0, -14))
	t:run(26)
	local now = hall:flow("out")
	t:expect(now.forward == 30 and now.backward == 30 and hall:flow("back").forward + hall:flow("back").backward == 30)
	t:expect(now.rate >= 0 and now.mean > 1, now.mean)
	fails(t, function() hall:flow("uot") end, 'did you mean "out"')
	hall:remove()
	fails(t, function() print(hall.agent_count) end, "removed")
end)

test("density can be read by position, and bottlenecks are listed", function(t)
	local walls = { { v(-6, 0, 4), v(-0.5, 0, 4) }, { v(0.5, 0, 4), v(6, 0, 4) } }
	local people = crowd { model = BODY, count = 80, size = v(10, 0, 6), walls = walls, speed = 1.5 }
	local hall = crowd_stats { size = v(14, 0, 14) }
	people:walk_all_to(v(0, 0, 20))
	t:run(10)
	local door = hall:density(v(0, 0, 3.2))
	t:expect(door.max > 1.6 and door.max < 9 and door.mean < door.max, door.max)
	t:expect(hall:density(v(0, 0, 99)) == nil)
	local worst = hall:bottlenecks(3)[1]
	t:expect(vector.magnitude(worst.position - v(0, 0, 3.2)) < 2.2, worst.position)
	t:expect(worst.density > 1.6 and worst.speed < 1.4 and worst.duration > 1 and worst.time > 0.5)
	t:expect(#hall:bottlenecks(0) == 0)
	t:expect(hall:save_image("density.png") == "out/density.png", hall:save_image("density.png"))
end)

test("invalid crowd_stats arguments are errors", function(t)
	fails(t, function() crowd_stats { size = v(1000, 0, 1000), cell_size = 0.05 } end, "cells")
	fails(t, function() crowd_stats { lines = { door = { v(0, 0, 0), v(0, 0, 0) } } } end, "two different positions")
	fails(t, function() crowd_stats({}):save_image(3) end, "file")
end)
