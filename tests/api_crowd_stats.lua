-- Crowd statistics: tests every function and its effect.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("those who pass a line are counted, and when the ground is empty is known", function(t)
	local people = crowd { body = BODY, count = 30, size = v(8, 0, 4), pace = 1.5 }
	local hall = crowd_stats {
		size = v(12, 0, 6),
		crowd = people,
		lines = { out = { v(6, 0, 4), v(-6, 0, 4) }, back = { v(-6, 0, -9), v(6, 0, -9) } },
		name = "hall",
	}
	t:step()
	t:run(0.2)
	t:expect(hall.inside == 30 and hall.empty == nil, hall.inside)
	people:go_all(v(0, 0, 12))
	t:run(12)
	local out = hall:flow("out")
	t:expect(out.forth == 0 and out.back == 30 or out.forth == 30 and out.back == 0, out.forth)
	t:expect(out.first > 0.5 and out.last > out.first and out.last < 12)
	t:expect(hall.inside == 0 and hall.empty > 1 and hall.empty < 10, hall.empty)
	t:expect(hall:flow("back").forth == 0 and hall:flow("back").first == nil)
	people:go_all(v(0, 0, -14))
	t:run(26)
	local now = hall:flow("out")
	t:expect(now.forth == 30 and now.back == 30 and hall:flow("back").forth + hall:flow("back").back == 30)
	t:expect(now.rate >= 0 and now.mean > 1, now.mean)
	fails(t, function() hall:flow("uot") end, 'did you mean "out"')
	hall:remove()
	fails(t, function() print(hall.inside) end, "removed")
end)

test("density is known by place, and where it chokes", function(t)
	local walls = { { v(-6, 0, 4), v(-0.5, 0, 4) }, { v(0.5, 0, 4), v(6, 0, 4) } }
	local people = crowd { body = BODY, count = 80, size = v(10, 0, 6), walls = walls, pace = 1.5 }
	local hall = crowd_stats { size = v(14, 0, 14) }
	people:go_all(v(0, 0, 20))
	t:run(10)
	local door = hall:density(v(0, 0, 3.2))
	t:expect(door.most > 1.6 and door.most < 9 and door.mean < door.most, door.most)
	t:expect(hall:density(v(0, 0, 99)) == nil)
	local worst = hall:chokes(3)[1]
	t:expect(vector.magnitude(worst.at - v(0, 0, 3.2)) < 2.2, worst.at)
	t:expect(worst.density > 1.6 and worst.speed < 1.4 and worst.seconds > 1 and worst.time > 0.5)
	t:expect(#hall:chokes(0) == 0)
	t:expect(hall:picture("density.png") == "out/density.png", hall:picture("density.png"))
end)

test("what cannot be is told", function(t)
	fails(t, function() crowd_stats { size = v(1000, 0, 1000), cell = 0.05 } end, "cells")
	fails(t, function() crowd_stats { lines = { door = { v(0, 0, 0), v(0, 0, 0) } } } end, "different places")
	fails(t, function() crowd_stats({}):picture(3) end, "file")
end)
