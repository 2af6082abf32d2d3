-- Agents leave smart objects, panic ends, and standing agents step aside.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function flat(at)
	return v(at.x, 0, at.z)
end

local function desk(log)
	return smart_object {
		position = v(0, 0, 4),
		clip = "crouch",
		queue = { position = v(0, 0, -1), spacing = 0.7 },
		on_enter = function(_, _, i) table.insert(log, `in {i}`) end,
		on_exit = function(_, _, i) table.insert(log, `out {i}`) end,
	}
end

-- Three agents: the first uses the desk and the others wait.
local function queue(t, log, states)
	local own = desk(log)
	local people = crowd { model = BODY, count = 3, size = v(3, 0, 1), states = states, start = states and "calm" }
	for i = 1, 3 do
		t:expect(people:use(i, own))
		t:run_ticks()
	end
	t:wait_for(function() return log[1] == "in 1" end, 6)
	t:run(2)
	t:expect(own.user_count == 1 and own.waiting_count == 2, own.waiting_count)
	return own, people
end

test("an event that changes the state removes agents from an object and its queue", function(t)
	local log, freed = {}, 0
	local own, people = queue(t, log, {
		calm = { on = { bang = "panic", use_end = function() freed += 1 end } },
		panic = { flee_distance = 12, speed = 3, duration = 3, next = "calm", on = { use_end = function() freed += 1 end } },
	})
	people:send(2, "bang", v(0, 0, 6))
	t:expect(own.user_count == 1 and own.waiting_count == 1 and people:used_object(2) == nil, own.waiting_count)
	t:run(1.5)
	t:expect(vector.magnitude(people:position(2) - people:position(1)) > 4, people:position(2))
	-- The queue has closed up.
	t:expect(vector.magnitude(flat(people:position(3)) - v(0, 0, 3)) < 0.5, people:position(3))
	people:send(1, "bang", v(0, 0, 6))
	t:expect(own.user_count == 0 and own.waiting_count == 1)
	t:run_ticks()
	t:expect(table.concat(log, ", ") == "in 1, out 1" and own.user_count == 1 and own.waiting_count == 0, own.user_count)
	t:wait_for(function() return log[3] == "in 3" end, 4)
	t:expect(vector.magnitude(people:position(1) - v(0, 0, 4)) > 1.5, people:position(1))
	t:run(3.2)
	t:expect(people:state(1) == "calm" and people:state(2) == "calm" and freed == 0, freed)
end)

test("agents keep their object in a state that uses objects, or that the event `use` leads to", function(t)
	local log = {}
	local own, people = queue(t, log, {
		calm = { on = { hurry = "haste", use = "busy", away = function() return "gone" end } },
		busy = { on = { hurry = "haste", away = function() return "gone" end } },
		haste = { speed = 2.5, use_objects = true, on = { away = "gone" } },
		gone = {},
	})
	t:expect(people:state(1) == "busy" and people:used_object(1) == own)
	for i = 1, 3 do
		people:send(i, "hurry")
	end
	t:run(0.5)
	t:expect(own.user_count == 1 and own.waiting_count == 2 and people:state(3) == "haste")
	people:send(1, "away")
	people:set_state(2, "gone")
	t:expect(own.user_count == 0 and own.waiting_count == 1, own.waiting_count)
	t:wait_for(function() return log[3] == "in 3" end, 4)
	people:set_state(3, "calm")
	t:run_ticks()
	t:expect(own.user_count == 0 and people:used_object(3) == nil)
end)

test("agents leave their objects on orders of a script", function(t)
	local log = {}
	local own, people = queue(t, log)
	people:walk_to(2, v(8, 0, 0))
	t:expect(own.waiting_count == 1 and people:used_object(2) == nil, own.waiting_count)
	people:walk_to(1, v(-8, 0, 0))
	t:expect(own.user_count == 0 and people:used_object(1) == nil)
	t:wait_for(function() return log[3] == "in 3" end, 5)
	people:teleport(3, v(0, 0, -6))
	t:expect(own.user_count == 0 and log[3] == "in 3")
	t:run(5)
	t:expect(log[4] == "out 3" and vector.magnitude(flat(people:position(3)) - v(0, 0, -6)) < 0.3, people:position(3))
	t:expect(people:position(1).x < -6 and people:position(2).x > 6, people:position(1))
	own:remove()
	people:remove()
	log = {}
	own, people = queue(t, log)
	people:follow(2, 3)
	people:stop(3)
	t:expect(own.user_count == 1 and own.waiting_count == 0, own.waiting_count)
	local hero = people:promote(1)
	t:run_ticks()
	hero:ragdoll()
	t:run(0.5)
	t:expect(own.user_count == 0 and people:used_object(1) == nil)
end)

test("an outro plays before an agent leaves, and a clip of the script interrupts it", function(t)
	local seat = smart_object { position = v(0, 0, 2), clip = "crouch", outro = "crouch_up" }
	local people = crowd { model = BODY, count = 1, size = v(1, 0, 1) }
	people:use(1, seat)
	t:run(4)
	people:walk_to(1, v(0, 0, 9))
	t:expect(seat.user_count == 1)
	t:run(0.1)
	t:expect(vector.magnitude(people:position(1) - v(0, 0, 2)) < 0.2)
	t:run(8)
	t:expect(seat.user_count == 0 and people:position(1).z > 8, people:position(1))
	people:use(1, seat)
	t:run(8)
	t:expect(seat.user_count == 1)
	people:stop_using(1)
	people:play(1, "wave", "loop")
	t:run(0.2)
	t:expect(seat.user_count == 0)
end)

test("a spreading panic ends, and a second event starts another", function(t)
	local people = crowd {
		model = BODY,
		count = 120,
		size = v(16, 0, 16),
		start = "stroll",
		states = {
			stroll = {
				on_enter = function(own, i) own:walk_to(i, v(random_range(-8, 8), 0, random_range(-8, 8))) end,
				on = { arrived = "stroll", bang = "panic" },
			},
			panic = { flee_distance = 10, speed = 3, spread_event = "bang", duration = { 2, 3 }, next = "stroll" },
		},
	}
	local function n_panic()
		local n = 0
		for i = 1, people.count do
			if people:state(i) == "panic" then
				n += 1
			end
		end
		return n
	end
	t:run(1)
	people:send_near(v(0, 0, 0), 3, "bang")
	t:run(1.5)
	t:expect(n_panic() > 60, n_panic())
	t:run(18)
	t:expect(n_panic() == 0, n_panic())
	local told = people:send_near(v(0, 0, 0), 6, "bang")
	t:run_ticks()
	t:expect(told > 5 and n_panic() >= told, n_panic())
	local ok, why = pcall(function()
		crowd { model = BODY, count = 1, states = { go = { immune_time = 3 } } }
	end)
	t:expect(not ok and tostring(why):find("needs the option spread_event", 1, true) ~= nil, why)
end)

test("standing agents let a character through and return to their spot", function(t)
	local people = crowd { model = BODY, count = 100, size = v(10, 0, 10), seed = 3, yaw = 90 }
	local hero = character(BODY, { position = v(0, 0, -8) })
	hero:controller {}
	t:run(1.5)
	local spots = {}
	for i = 1, people.count do
		spots[i] = people:position(i)
	end
	local least, moved = math.huge, 0
	for _ = 1, 12 * 60 do
		hero:move(v(0, 0, 1.4))
		t:run_ticks()
		for i = 1, people.count do
			least = math.min(least, vector.magnitude(flat(people:position(i) - hero.position)))
			moved = math.max(moved, vector.magnitude(people:position(i) - spots[i]))
		end
	end
	t:expect(hero.position.z > 8 and least > 0.46 and moved > 0.15, least)
	hero:move(v(0, 0, 0))
	t:run(3)
	for i = 1, people.count do
		t:expect(vector.magnitude(people:position(i) - spots[i]) < 0.13, `{i}: {people:position(i) - spots[i]}`)
	end
end)

test("an agent gives up a slot to which no path leads", function(t)
	ground.set { height = 0 }
	for k = 0, 3 do
		local angle = k * math.pi / 2
		local at = v(math.sin(angle), 0, math.cos(angle)) * 2
		physics.box { position = at + v(0, 1, 10), size = v(4.4, 2, 0.3), yaw = k * 90, body_type = "static" }
	end
	local level = navmesh { size = v(30, 6, 40), agent_radius = 0.3 }
	local inside = smart_object { position = v(0, 0, 10) }
	local freed = 0
	local people = crowd {
		model = BODY,
		count = 2,
		size = v(2, 0, 2),
		navmesh = level,
		states = { calm = { on = { use_end = function() freed += 1 end } } },
	}
	t:run(0.5)
	people:use(1, inside)
	-- The slot is behind the wall, but the mesh ends near it.
	local near = smart_object { position = v(0, 0, 7.6) }
	people:use(2, near)
	t:wait_for(function() return freed == 1 end, 10)
	t:expect(inside.user_count == 0 and people:used_object(1) == nil, `{inside.user_count} {near.user_count} {people:position(2)}`)
	t:run(8)
	t:expect(near.user_count == 1 and vector.magnitude(flat(people:position(2)) - v(0, 0, 7.6)) < 0.1, people:position(2))
end)
