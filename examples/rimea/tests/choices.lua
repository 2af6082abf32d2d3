-- The RiMEA test cases (version 3.0) about reaction, speeds, parameters, routes, and large crowds at a corner.
local scenes = require "scenes"
local measure = require "measure"
local report, time_until, count = measure.report, measure.time_until, measure.count
scenes.body = "assets/man.glb"

local function wall(position: vector, size: vector)
	physics.box { position = position, size = size, body_type = "static" }
end

test("5: people start to walk after their reaction times", function(t)
	scenes.room(-4, -2.5, 4, 2.5, { { wall = "east", at = 0, width = 1 } })
	local level = scenes.mesh(vec(24, 4, 12), vec(4, 0, 0))
	local n = 10
	local people = scenes.agents(level, n, vec(-1, 0, 0), vec(5, 0, 4))
	t:run_ticks()
	local began = {}
	local function reaction(i)
		return i * 10
	end
	local seconds = time_until(t, 140, function(now)
		for i = 1, n do
			if now >= reaction(i) and now - 1 / 60 < reaction(i) then
				people:walk_to(i, vec(13, 0, (i - 5) * 0.6))
			end
			local speed = vector.magnitude(people:velocity(i))
			if not began[i] and speed > 0.5 then
				began[i] = now
			end
		end
		return count(people, function(p)
			return p.x > 4.3
		end) == n
	end)
	local early, late = 0, 0
	for i = 1, n do
		early = math.max(early, reaction(i) - (began[i] or 0))
		late = math.max(late, (began[i] or 1000) - reaction(i))
	end
	t:expect(seconds ~= nil, "all leave")
	report(t, "5 start before the reaction time", early, 0, 0.02, "s", "RiMEA 3.0, test 5: never")
	report(t, "5 start after the reaction time", late, 0, 0.6, "s", "RiMEA 3.0, test 5: then they walk")
end)

test("7: speeds are distributed as in the population", function(t)
	local level = scenes.mesh(vec(50, 4, 56), vec(14, 0, 0))
	local groups = {
		{ name = "under 30 years", low = 0.58, high = 1.61 },
		{ name = "30 to 50 years", low = 1.41, high = 1.54 },
		{ name = "over 50 years", low = 0.68, high = 1.41 },
	}
	local n = 17
	for k, group in groups do
		group.people = scenes.agents(level, n, vec(0, 0, 18 * (k - 2)), vec(1, 0, 16), { group.low, group.high }, k)
	end
	t:run_ticks()
	for _, group in groups do
		for i = 1, n do
			local at = group.people:position(i)
			group.people:walk_to(i, vec(34, 0, at.z))
		end
	end
	t:run(4)
	local from = {}
	for k, group in groups do
		from[k] = {}
		for i = 1, n do
			from[k][i] = group.people:position(i)
		end
	end
	t:run(6)
	for k, group in groups do
		local slowest, fastest, sum = math.huge, 0, 0
		for i = 1, n do
			local speed = vector.magnitude(group.people:position(i) - from[k][i]) / 6
			slowest, fastest, sum = math.min(slowest, speed), math.max(fastest, speed), sum + speed
		end
		local low, high = group.low, group.high
		local middle, half = (low + high) / 2, (high - low) / 2
		report(t, `7 slowest {group.name}`, slowest, low - 0.05, low + 0.5 * half, "m/s", "Weidmann 1993; RiMEA 3.0, table 1")
		report(t, `7 fastest {group.name}`, fastest, high - 0.5 * half, high + 0.05, "m/s", "Weidmann 1993; RiMEA 3.0, table 1")
		report(t, `7 mean {group.name}`, sum / n, middle - 0.3 * half - 0.03, middle + 0.3 * half + 0.03, "m/s", "Weidmann 1993; RiMEA 3.0, table 1")
	end
end)

-- Agents who leave a room of 10 × 10 m around `middle` through one exit.
local function leave(middle: vector, n: number, speed: number, width: number)
	local x, z = middle.x, middle.z
	scenes.room(x - 5, z - 5, x + 5, z + 5, { { wall = "east", at = z, width = width } })
	local level = scenes.mesh(vec(40, 4, 16), middle + vec(8, 0, 0))
	return scenes.agents(level, n, middle - vec(1, 0, 0), vec(7, 0, 9), speed)
end

-- RiMEA asks for a report of how each parameter changes the time.
test("8: people leave sooner if they walk faster, are fewer, or have a wider exit", function(t)
	local cases = {
		{ n = 80, speed = 0.8, width = 1.2, low = 42, high = 90 },
		{ n = 80, speed = 1.3, width = 1.2, low = 35, high = 65 },
		{ n = 40, speed = 1.3, width = 1.2, low = 17, high = 36 },
		{ n = 80, speed = 1.3, width = 2.4, low = 17, high = 36 },
	}
	for k, case in cases do
		case.middle = vec(0, 0, 40 * k)
		case.people = leave(case.middle, case.n, case.speed, case.width)
	end
	t:run_ticks()
	for _, case in cases do
		case.people:walk_all_to(case.middle + vec(20, 0, 0))
	end
	local left = 0
	time_until(t, 200, function(now)
		for _, case in cases do
			if not case.seconds and count(case.people, function(p)
				return p.x > 5.3
			end) == case.n then
				case.seconds = now
				left += 1
			end
		end
		return left == #cases
	end)
	for _, case in cases do
		local name = `8 {case.n} people, {case.speed} m/s, exit of {case.width} m`
		report(t, name, case.seconds or -1, case.low, case.high, "s", "flow of 1.3 to 1.9 per m and s, and the distance")
	end
	local usual = cases[2].seconds
	t:expect(cases[1].seconds > usual, "slower people take longer")
	t:expect(cases[3].seconds < usual, "fewer people leave sooner")
	t:expect(cases[4].seconds < usual, "a wider exit is faster")
end)

test("10: people take the exits that are assigned to their rooms", function(t)
	-- A corridor of 2 m with six rooms on each side, a main exit in the west and a secondary exit in the east.
	local pitch = 3.3
	for k = 0, 5 do
		local x = k * pitch
		scenes.room(x, -4.3, x + 3, -1.3, { { wall = "north", at = x + 1.5, width = 0.9 } })
		scenes.room(x, 1.3, x + 3, 4.3, { { wall = "south", at = x + 1.5, width = 0.9 } })
	end
	local length = 6 * pitch
	local level = scenes.mesh(vec(length + 20, 4, 12), vec(length / 2, 0, 0))
	local crowds = {}
	for k = 0, 5 do
		for side = -1, 1, 2 do
			local n = (k == 5 and side == 1) and 1 or 2
			local people = scenes.agents(level, n, vec(k * pitch + 1.5, 0, side * 3), vec(2, 0, 2))
			table.insert(crowds, { people = people, takes_main = k < 4 })
		end
	end
	t:run_ticks()
	local total = 0
	for k, one in crowds do
		for i = 1, one.people.count do
			total += 1
			one.people:walk_to(i, vec(one.takes_main and -7 or length + 6, 0, (total % 8) * 0.6 - 2.4))
		end
	end
	local function out(one, i)
		local x = one.people:position(i).x
		return x < -0.6 and "main" or (x > length + 0.3 and "secondary" or nil)
	end
	local wrong, right = 0, 0
	local seconds = time_until(t, 90, function()
		wrong, right = 0, 0
		for _, one in crowds do
			for i = 1, one.people.count do
				local exit = out(one, i)
				local assigned = one.takes_main and "main" or "secondary"
				right += exit == assigned and 1 or 0
				wrong += (exit and exit ~= assigned) and 1 or 0
			end
		end
		return right == total
	end)
	t:expect(seconds ~= nil, "all leave")
	t:expect(total == 23, `{total} people`)
	report(t, "10 people in 12 rooms who take the other exit", wrong, 0, 0, "", "RiMEA 3.0, test 10")
	report(t, "10 time until the 12 rooms and the corridor are empty", seconds or -1, 10, 40, "s", "the way of 13 m, and 16 people at 2 m")
end)

-- A wall of 44 m between start and goal. Stairs lead over it at x = 2; the way around its end is level. RiMEA asks for a
-- report of the choice.
test("14: a short way over stairs is taken when the level way is long", function(t)
	wall(vec(0, 1.5, 0), vec(44, 3, 0.3))
	local rise, tread, n = 0.17, 0.29, 18
	for side = -1, 1, 2 do
		for k = 1, n do
			local z = side * (0.6 + tread * (n - k + 0.5))
			wall(vec(2, rise * k / 2, z), vec(2, rise * k, tread))
		end
	end
	wall(vec(2, rise * n / 2, 0), vec(2, rise * n, 1.2))
	local level = navmesh { position = vec(0, 2.5, 0), size = vec(56, 8, 24), cell_size = 0.1, agent_radius = 0.25 }
	local one = scenes.agents(level, 1, vec(2, 0, -8), vec(0.5, 0, 0.5), 1.34)
	t:run_ticks()
	one:walk_to(1, vec(2, 0, 8))
	local highest = 0
	local seconds = time_until(t, 120, function()
		local at = one:position(1)
		highest = math.max(highest, at.y)
		return at.z > 7.4
	end)
	report(t, "14 stairs of 3 m, or 43 m on the level: height reached", highest, 2.5, 3.3, "m", "RiMEA 3.0, test 14: the short way")
	report(t, "14 time over the stairs", seconds or -1, 14, 30, "s", "6 m at 1.34 m/s and 12 m at 0.6 m/s")
end)

-- 100 people walk around a corner, or straight on for as long as its inner or outer edge, in a corridor of 4 m that
-- begins at the position `at`. Each returns the crowd, a function that returns true for a position past the end, and one that
-- returns the goal for a start.
local function straight(at: vector, length: number)
	for side = -1, 1, 2 do
		wall(at + vec(length / 2 + 2, 0.6, side * 2.15), vec(length + 8, 1.2, 0.3))
	end
	local level = scenes.mesh(vec(length + 24, 4, 10), at + vec(length / 2 + 4, 0, 0))
	local people = scenes.agents(level, 100, at + vec(3, 0, 0), vec(10, 0, 3.6))
	return people, function(p)
		return p.x > at.x + length
	end, function(p)
		return vec(at.x + length + 7, 0, p.z)
	end
end

local function corner(at: vector)
	wall(at + vec(6, 0.6, -2.15), vec(20.6, 1.2, 0.3))
	wall(at + vec(4, 0.6, 2.15), vec(16, 1.2, 0.3))
	wall(at + vec(16.15, 0.6, 8), vec(0.3, 1.2, 20.6))
	wall(at + vec(11.85, 0.6, 10.15), vec(0.3, 1.2, 16))
	local level = scenes.mesh(vec(40, 4, 44), at + vec(6, 0, 8))
	local people = scenes.agents(level, 100, at + vec(3, 0, 0), vec(10, 0, 3.6))
	return people, function(p)
		return p.z > at.z + 12
	end, function(p)
		return at + vec(14 - (p.z - at.z), 0, 19)
	end
end

test("15: a corner takes longer than its inner edge and less long than its outer edge", function(t)
	local ways = {
		{ straight(vec(0, 0, -60), 22) },
		{ corner(vec(0, 0, 0)) },
		{ straight(vec(0, 0, 60), 30) },
	}
	t:run_ticks()
	for _, way in ways do
		local people, goal = way[1], way[3]
		for i = 1, 100 do
			people:walk_to(i, goal(people:position(i)))
		end
	end
	local seconds = {}
	time_until(t, 120, function(now)
		for k, way in ways do
			if not seconds[k] and count(way[1], way[2]) == 100 then
				seconds[k] = now
			end
		end
		return seconds[1] and seconds[2] and seconds[3]
	end)
	local inner, around, outer = seconds[1] or -1, seconds[2] or -1, seconds[3] or -1
	report(t, "15 100 people, straight, as long as the inner edge", inner, 24, 40, "s", "24 m at 1.04 m/s, or slower in the crowd")
	report(t, "15 100 people, straight, as long as the outer edge", outer, 32, 48, "s", "32 m at 1.04 m/s, or slower in the crowd")
	report(t, "15 100 people around a corner of a corridor of 4 m", around, inner, outer, "s", "RiMEA 3.0, test 15: between the two straight ways")
end)
