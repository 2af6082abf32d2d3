-- The RiMEA test cases (version 3.0) that concern walking. Each prints a row: measured, expected range, source.
local scenes = require "scenes"
local ring = require "ring"
local measure = require "measure"
local report, time_until, count = measure.report, measure.time_until, measure.count
scenes.body = "assets/man.glb"

test("1: a person keeps its speed in a corridor", function(t)
	scenes.room(0, -1, 42, 1)
	local level = scenes.mesh(vec(46, 4, 6), vec(21, 0, 0))
	local one = scenes.agents(level, 1, vec(0.8, 0, 0), vec(0.8, 0, 0.8), 1.33)
	t:run_ticks()
	local from = one:position(1).x
	one:walk_to(1, vec(41.7, 0, 0))
	local seconds = time_until(t, 60, function()
		return one:position(1).x >= from + 40
	end)
	report(t, "1 corridor of 40 m at 1.33 m/s", seconds or -1, 26, 34, "s", "RiMEA 3.0, test 1")
end)

-- A straight staircase of 10 m along its slope, up along +Z.
local RISE, TREAD = 0.17, 0.29
local function stairs(t, up: boolean)
	local n = 30
	local steps = n * math.sqrt(RISE ^ 2 + TREAD ^ 2)
	for k = 1, n do
		local height = RISE * k
		physics.box { position = vec(0, height / 2, TREAD * (k - 0.5)), size = vec(2, height, TREAD), body_type = "static" }
	end
	local top, length = RISE * n, TREAD * n
	physics.box { position = vec(0, top / 2, length + 2), size = vec(2, top, 4), body_type = "static" }
	local level = navmesh { position = vec(0, 2, length / 2), size = vec(6, 10, 22) }
	local one = scenes.agents(level, 1, vec(0, 0, -2), vec(0.8, 0, 0.8), 1.34)
	t:run_ticks()
	local foot, head = vec(0, 0, -2), vec(0, top, length + 2)
	if not up then
		one:teleport(1, head)
		t:run_ticks()
	end
	one:walk_to(1, up and head or foot)
	local began
	local seconds = time_until(t, 60, function(now)
		local z = one:position(1).z
		local is_on = z > 0.1 and z < length - 0.1
		if is_on and not began then
			began = now
		end
		return began and not is_on
	end)
	return seconds and steps / (seconds - began) or -1
end

test("2: a person climbs stairs at the speed of people", function(t)
	report(t, "2 speed up stairs, along the slope", stairs(t, true), 0.5, 0.85, "m/s", "Weidmann 1993: 0.61 horizontally")
end)

test("3: a person descends stairs at the speed of people", function(t)
	report(t, "3 speed down stairs, along the slope", stairs(t, false), 0.55, 1.0, "m/s", "Weidmann 1993: 0.69 horizontally")
end)

test("4: people walk more slowly in denser crowds", function(t)
	for _, density in { 0.5, 1.5, 2.5, 3.5 } do
		local one = ring.add(vec(0, 0, 0), density)
		local sum = 0
		for tick = 1, 900 do
			local speed = ring.step(one)
			sum += tick > 600 and speed or 0
			t:run_ticks()
		end
		local people = ring.weidmann(density)
		report(t, `4 speed at {density} people per m²`, sum / 300, math.max(people - 0.3, 0.04), people + 0.3, "m/s", "Weidmann 1993; RiMEA 3.0, test 4")
		one.people:remove()
	end
end)

test("6: twenty people turn a corner without passing its walls", function(t)
	-- A corridor of 2 m along +X that turns to +Z at 10 m.
	physics.box { position = vec(5, 0.6, -1.15), size = vec(14.6, 1.2, 0.3), body_type = "static" }
	physics.box { position = vec(3, 0.6, 1.15), size = vec(10, 1.2, 0.3), body_type = "static" }
	physics.box { position = vec(10.15, 0.6, 5), size = vec(0.3, 1.2, 12.6), body_type = "static" }
	physics.box { position = vec(7.85, 0.6, 6.3), size = vec(0.3, 1.2, 10.6), body_type = "static" }
	local level = scenes.mesh(vec(26, 4, 34), vec(4, 0, 6))
	local people = scenes.agents(level, 20, vec(2, 0, 0), vec(6, 0, 1.6))
	t:run_ticks()
	for i = 1, 20 do
		people:walk_to(i, vec(8.6 + (i % 3) * 0.4, 0, 12 + (i // 3) * 0.6))
	end
	local outside = 0
	local seconds = time_until(t, 60, function()
		outside += count(people, function(p)
			return p.z < -1.001 or (p.z < 11 and (p.x > 10.001 or (p.x < 7.999 and p.z > 1.001)))
		end)
		return count(people, function(p)
			return p.z > 11.4
		end) == 20
	end)
	report(t, "6 corner, 20 people, positions in walls", outside, 0, 0, "", "RiMEA 3.0, test 6")
	t:expect(seconds ~= nil, "all arrive")
end)

-- Seconds until all agents have left a room of 30 × 20 m through the given number of 1 m exits.
local function evacuation(t, n: number, exits: number)
	local all = {
		{ wall = "north", at = -7.5, width = 1 },
		{ wall = "north", at = 7.5, width = 1 },
		{ wall = "south", at = -7.5, width = 1 },
		{ wall = "south", at = 7.5, width = 1 },
	}
	scenes.room(-15, -10, 15, 10, { unpack(all, 1, exits) })
	local level = scenes.mesh(vec(60, 4, 60))
	local people = scenes.agents(level, n, vec(0, 0, 0), vec(28, 0, 18))
	t:run_ticks()
	for i = 1, n do
		local at = people:position(i)
		local side = (exits > 2 and at.z < 0) and -1 or 1
		people:walk_to(i, vec(at.x > 0 and 7.5 or -7.5, 0, side * 22))
	end
	return time_until(t, 400, function()
		return count(people, function(p)
			return math.abs(p.x) < 15.3 and math.abs(p.z) < 10.3
		end) == 0
	end)
end

test("9: half as many exits take about twice as long", function(t)
	local n = 300
	local four = evacuation(t, n, 4)
	report(t, "9 room left by 4 exits of 1 m, 300 people", four or -1, 39, 62, "s", "flow of 1.3 to 1.9 per m and s, and the way")
end)

test("9: with two exits", function(t)
	local two = evacuation(t, 300, 2)
	report(t, "9 room left by 2 exits of 1 m, 300 people", two or -1, 78, 122, "s", "flow of 1.3 to 1.9 per m and s, and the way")
end)

test("11: a far exit is taken when the near one is crowded", function(t)
	scenes.room(-15, -8, 15, 8, { { wall = "north", at = -5, width = 1 }, { wall = "north", at = 10, width = 1 } })
	local level = scenes.mesh(vec(50, 4, 50))
	local people = scenes.agents(level, 200, vec(-9, 0, 0), vec(11, 0, 15))
	t:run_ticks()
	people:walk_all_to(vec(-5, 0, 18))
	local far, crossed = 0, {}
	local seconds = time_until(t, 300, function()
		for i = 1, people.count do
			local at = people:position(i)
			if not crossed[i] and at.z > 8.3 then
				crossed[i] = true
				far += at.x > 2 and 1 or 0
			end
		end
		return count(people, function(p)
			return p.z > 8.3
		end) == people.count
	end)
	t:expect(seconds ~= nil, "all arrive")
	report(t, "11 people of 200 who take the far exit", far, 10, 100, "", "RiMEA 3.0, test 11: some do")
end)

-- Agents in a corridor of 10 × 2 m between two rooms, with counterflow (IMO MSC.1/Circ.1533, test 8).
local function counterflow(t, against: number)
	scenes.room(-15, -5, -5, 5, { { wall = "east", at = 0, width = 2 } })
	scenes.room(5, -5, 15, 5, { { wall = "west", at = 0, width = 2 } })
	physics.box { position = vec(0, 0.6, 1.15), size = vec(9.4, 1.2, 0.3), body_type = "static" }
	physics.box { position = vec(0, 0.6, -1.15), size = vec(9.4, 1.2, 0.3), body_type = "static" }
	local level = scenes.mesh(vec(36, 4, 14))
	local people = scenes.agents(level, 100, vec(-12, 0, 0), vec(5.6, 0, 9.6))
	t:run_ticks()
	if against > 0 then
		local others = scenes.agents(level, against, vec(12, 0, 0), vec(5.6, 0, 9.6), nil, 2)
		t:run_ticks()
		for i = 1, against do
			others:walk_to(i, vec(-13 + i % 6, 0, (i // 6) * 0.5 - 4))
		end
	end
	for i = 1, 100 do
		people:walk_to(i, vec(7 + i % 8, 0, (i // 8) * 0.7 - 4))
	end
	local n, has_passed = 0, {}
	return time_until(t, 300, function()
		for i = 1, 100 do
			if not has_passed[i] and people:position(i).x > 5 then
				has_passed[i] = true
				n += 1
			end
		end
		return n == 100
	end)
end

test("counterflow: 100 people against nobody", function(t)
	report(t, "corridor of 2 m, 100 people", counterflow(t, 0) or -1, 36, 56, "s", "flow of 1.3 to 1.9 per m and s, and 20 m")
end)

test("counterflow: 100 people against 10", function(t)
	report(t, "against 10", counterflow(t, 10) or -1, 51, 110, "s", "IMO MSC.1/Circ.1533, test 8: longer than against nobody")
end)

test("counterflow: 100 people against 50", function(t)
	report(t, "against 50", counterflow(t, 50) or -1, 90, 180, "s", "IMO MSC.1/Circ.1533, test 8: longer than against 10")
end)

test("counterflow: 100 people against 100", function(t)
	report(t, "against 100", counterflow(t, 100) or -1, 160, 260, "s", "IMO MSC.1/Circ.1533, test 8: longest; everybody arrives")
end)

test("12: a queue forms before the first bottleneck and not before the second", function(t)
	-- Two rooms of 10 m, a corridor of 1 m and 5 m between them, an exit of 1 m.
	scenes.room(-15, -5, -5, 5, { { wall = "east", at = 0, width = 1 } })
	scenes.room(0, -5, 10, 5, { { wall = "west", at = 0, width = 1 }, { wall = "east", at = 0, width = 1 } })
	physics.box { position = vec(-2.5, 0.6, 0.65), size = vec(4.4, 1.2, 0.3), body_type = "static" }
	physics.box { position = vec(-2.5, 0.6, -0.65), size = vec(4.4, 1.2, 0.3), body_type = "static" }
	local level = scenes.mesh(vec(60, 4, 24))
	local people = scenes.agents(level, 120, vec(-10, 0, 0), vec(9, 0, 9))
	t:run_ticks()
	people:walk_all_to(vec(24, 0, 0))
	local most = 0
	local seconds = time_until(t, 300, function()
		most = math.max(most, count(people, function(p)
			return p.x > 7 and p.x < 10 and math.abs(p.z) < 3
		end))
		return count(people, function(p)
			return p.x > 10.3
		end) == 120
	end)
	t:expect(seconds ~= nil, "all arrive")
	report(t, "12 density before the second exit", most / 18, 0, 1.2, "per m²", "RiMEA 3.0, test 12: no queue")
end)

test("13: a queue forms before stairs", function(t)
	-- A room, a corridor of 2 m, and stairs of 2 m up at its end.
	scenes.room(-15, -5, -5, 5, { { wall = "east", at = 0, width = 2 } })
	physics.box { position = vec(1, 0.6, 1.15), size = vec(11.4, 1.2, 0.3), body_type = "static" }
	physics.box { position = vec(1, 0.6, -1.15), size = vec(11.4, 1.2, 0.3), body_type = "static" }
	local n = 20
	for k = 1, n do
		local height = RISE * k
		physics.box { position = vec(6 + TREAD * (k - 0.5), height / 2, 0), size = vec(TREAD, height, 2), body_type = "static" }
	end
	local top, foot = RISE * n, 6 + TREAD * n
	physics.box { position = vec(foot + 8, top / 2, 0), size = vec(16, top, 12), body_type = "static" }
	local level = navmesh { position = vec(6, 2, 0), size = vec(46, 10, 16), cell_size = 0.1, agent_radius = 0.25 }
	local people = scenes.agents(level, 100, vec(-10, 0, 0), vec(9, 0, 9))
	t:run_ticks()
	for i = 1, 100 do
		people:walk_to(i, vec(foot + 2 + (i % 10) * 1.2, top, (i // 10) - 5))
	end
	local passed, first, last = 0, nil, nil
	local before = {}
	time_until(t, 300, function(now)
		for i = 1, 100 do
			local x = people:position(i).x
			if not before[i] and x > foot - 1 then
				before[i] = true
				passed += 1
				first = passed == 10 and now or first
				last = passed == 90 and now or last
			end
		end
		return passed == 100
	end)
	local flow = (first and last) and 80 / (last - first) / 2 or -1
	report(t, "13 flow on stairs up", flow, 0.5, 1.16, "per m and s", "Weidmann 1993: 0.85; SFPE Handbook: 0.94 to 1.16")
	t:expect(passed == 100, `{passed} arrive`)
end)
