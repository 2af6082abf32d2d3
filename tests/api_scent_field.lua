-- Scent fields: tests every function, and that agents follow a trail.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("scent stays where it is added, fades, spreads and can be cleared", function(t)
	local scent = scent_field { position = v(1, 0, 2), size = v(14, 0, 14), cell_size = 0.5, half_life = 2, diffusion = 0, name = "scent" }
	t:expect(scent.half_life == 2 and scent.diffusion == 0)
	scent:add(v(1.25, 0, 2.25), 8)
	t:expect_near(scent:sample(v(1.25, 0, 2.25)), 8, 0.001)
	t:run(2)
	t:expect_near(scent:sample(v(1.25, 0, 2.25)), 4, 0.2)
	scent.half_life = 1000
	scent.diffusion = 0.5
	t:expect(scent:sample(v(1.75, 0, 2.25)) == 0)
	t:run(1)
	t:expect(scent:sample(v(1.75, 0, 2.25)) > 0.2)
	scent:add(v(99, 0, 99))
	scent:add(v(1.25, 0, 2.25), -100)
	t:expect(scent:sample(v(1.25, 0, 2.25)) == 0)
	scent:add(v(0, 0, 0))
	t:expect(scent:save_image("scent.png") == "out/scent.png")
	scent:clear()
	t:expect(scent:sample(v(0, 0, 0)) == 0)
	scent:remove()
	fails(t, function() scent:clear() end, "removed")
end)

test("agents add scent for each metre that they walk, and nowhere else", function(t)
	local scent = scent_field { size = v(20, 0, 20), half_life = 1e6, diffusion = 0 }
	local one = crowd {
		model = BODY,
		count = 1,
		position = v(0, 0, -6),
		size = v(1, 0, 1),
		speed = 1.5,
		states = { go = { goal = v(0, 0, 6), leave_scent = scent, scent_amount = 3 } },
	}
	t:run(12)
	t:expect(vector.magnitude(one:position(1) - v(0, 0, 6)) < 0.5, one:position(1))
	-- The sum across the trail is the amount per metre times the cell size (3 × 0.25 m).
	local sum = 0
	for x = -4, 4 do
		sum += scent:sample(v(0.125 + x * 0.25, 0, 0.125))
	end
	t:expect_near(sum, 0.75, 0.05)
	t:expect(scent:sample(v(0, 0, 9)) == 0)
end)

-- A trail that leads ahead and bends to the right, and the agents that find it.
local function share_at_its_end(t, follows)
	local scent = scent_field { size = v(40, 0, 40), half_life = 1e6, name = "bend" }
	for step = 0, 60 do
		scent:add(v(0, 0, -5 + step * 0.1), 1)
		scent:add(v(-step * 0.2, 0, 1), 2)
	end
	local people = crowd {
		model = BODY,
		count = 20,
		position = v(0, 0, -10),
		size = v(2.4, 0, 6),
		yaw = 0,
		speed = 1.5,
		start = "go",
		states = {
			go = {
				wander_turn_rate = 15,
				follow_scent = if follows then scent else nil,
				detect = v(-12, 0, 1),
				range = 1.5,
				on = { found = "there" },
			},
			there = { stationary = true },
		},
	}
	t:run(25)
	local there = 0
	for i = 1, people.count do
		there += if people:state(i) == "there" then 1 else 0
	end
	scent:remove()
	people:remove()
	return there
end

test("agents that find a trail follow it around a bend, and others pass it", function(t)
	local with, without = share_at_its_end(t, true), share_at_its_end(t, false)
	-- Some of the 20 miss the trail from the start.
	t:expect(with >= without + 6, `{with} and {without} of 20`)
end)

test("roaming agents stay between walls and do not stop", function(t)
	local around = {}
	local corners = { v(-4, 0, -4), v(4, 0, -4), v(4, 0, 4), v(-4, 0, 4) }
	for i, from in corners do
		around[i] = { from, corners[i % 4 + 1] }
	end
	local people = crowd { model = BODY, count = 12, size = v(5, 0, 5), walls = around, speed = 1.2, states = { go = { wander_turn_rate = 30 } } }
	local before, gone = {}, 0
	for i = 1, people.count do
		before[i] = people:position(i)
	end
	for _ = 1, 20 do
		t:run(1)
		for i = 1, people.count do
			local at = people:position(i)
			gone += vector.magnitude(at - before[i])
			before[i] = at
			t:expect(math.max(math.abs(at.x), math.abs(at.z)) < 4, at)
		end
	end
	-- Without a trail they would walk 288 m straight on.
	t:expect(gone > 170, gone)
end)

test("invalid scent field arguments are errors", function(t)
	fails(t, function() scent_field { size = v(1000, 0, 1000), cell_size = 0.05 } end, "cells")
	fails(t, function() scent_field { half_life = 0 } end, "half_life")
	local scent = scent_field {}
	fails(t, function() scent.diffusion = 2 end, "0 to 1")
	fails(t, function() scent.half_life = 0 end, "half_life")
	fails(t, function()
		crowd { model = BODY, count = 1, states = { go = { scent_amount = 2 } } }
	end, "leave_scent")
	fails(t, function()
		crowd { model = BODY, count = 1, states = { go = { follow_scent = 3 } } }
	end, "follow_scent")
end)
