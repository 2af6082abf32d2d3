-- Ways: every function, and that what it says is what it does.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

local function long(from, way)
	local sum, last = 0, from
	for _, at in way do
		sum, last = sum + vector.magnitude(at - last), at
	end
	return sum
end

test("ways lead around walls, and straight where nothing is", function(t)
	physics.box { at = v(0, 1, 0), size = v(10, 2, 0.4), motion = "static" }
	local level = paths { size = v(20, 6, 20), name = "level" }
	t:expect(not level.ready and level.polygons == 0)
	t:step()
	t:expect(level.ready and level.polygons > 3, level.polygons)
	local from = v(0, 0, -3)
	local around = level:find(from, v(0, 0, 3))
	t:expect(around and #around >= 3, around)
	local length = long(from, around)
	t:expect(length > 11.5 and length < 13.5, length)
	t:expect(vector.magnitude(around[#around] - v(0, 0, 3)) < 0.3, around[#around])
	t:expect(#level:find(v(-8, 0, -3), v(-8, 0, 3)) == 1)
	t:expect(level:find(from, v(0, 0, 60)) == nil)
end)

test("what is put in the way is gone around, and what came is seen after refresh", function(t)
	local level = paths { size = v(16, 6, 16) }
	t:step()
	local from, to = v(0, 0, -4), v(0, 0, 4)
	t:expect(#level:find(from, to) == 1)
	local round = level:block { at = v(0, 0, 0), radius = 2 }
	local box = level:block { at = v(0, 0, 0), size = v(6, 2, 1), yaw = 90 }
	t:step()
	local length = long(from, level:find(from, to))
	t:expect(length > 8.6, length)
	level:unblock(round)
	t:step()
	-- The box is turned along the way, which is straight beside it.
	t:expect(long(from, level:find(from, to)) < length)
	level:unblock(box)
	t:step()
	physics.box { at = v(0, 1, 0), size = v(6, 2, 0.4), motion = "static" }
	t:step()
	t:expect(#level:find(from, to) == 1)
	level:refresh()
	t:step()
	t:expect(#level:find(from, to) > 1)
	fails(t, function() level:unblock(99) end, "nothing of number 99")
	fails(t, function() level:block { at = v(0, 0, 0) } end, "a size or a radius")
end)

test("links lead where no ground does, and a crowd takes them", function(t)
	physics.box { at = v(0, 1.4, 6), size = v(6, 0.2, 4), motion = "static" }
	local level = paths { size = v(20, 8, 20) }
	t:step()
	local foot, top = v(0, 0, 3), v(0, 1.5, 5)
	t:expect(level:find(foot, top) == nil)
	level:link(foot, top, { both = true, cost = 2 })
	t:step()
	t:expect(level:find(v(0, 0, -3), v(1, 1.5, 6)) ~= nil)
	t:expect(level:find(v(1, 1.5, 6), v(0, 0, -3)) ~= nil)
	local people = crowd { body = BODY, count = 3, at = v(0, 0, -2), size = v(3, 0, 1), paths = level, pace = 1.6 }
	people:go_all(v(0, 0, 20))
	t:step()
	t:expect(#people:lost() == 3, #people:lost())
	t:expect(vector.magnitude(people:velocity(1)) < 0.3)
	fails(t, function() crowd { body = BODY, count = 1, paths = level, style = "book" } end, "goes straight")
end)
