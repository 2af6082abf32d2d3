local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

-- The smallest distance of an agent from the surface of a pillar.
local function nearest(state)
	local least = math.huge
	for i = 1, state.people.count do
		for _, pillar in state.pillars do
			local way = (state.people:position(i) - pillar.at) * vec(1, 0, 1)
			least = math.min(least, vector.magnitude(way) - pillar.radius)
		end
	end
	return least
end

test("they stand on the hills, stay out of the pillars, and arrive", function(t)
	local state = (require "main").state
	t:run(2)
	for _ = 1, 20 do
		t:run(0.25)
		for i = 1, state.people.count do
			local at = state.people:position(i)
			t:expect_near(at.y, state.height(at.x, at.z), 0.12)
		end
		t:expect(nearest(state) > -0.05, `somebody is {-nearest(state)} m inside of a pillar`)
	end
	t:expect(state.arrivals > 3, `{state.arrivals} arrived`)
end)

test("with walls they find ways through the doors", function(t)
	local state = (require "main").state
	tap(t, "w")
	tap(t, "g")
	t:run(1)
	local from = {}
	for i = 1, state.people.count do
		from[i] = state.people:position(i).z
	end
	local through = 0
	local last = table.clone(from)
	for _ = 1, 150 do
		t:run(0.1)
		for i = 1, state.people.count do
			local at = state.people:position(i)
			if (last[i] + 1) * (at.z + 1) < 0 then
				through += 1
				local door = (at.x > -5.3 and at.x < -2.9) or (at.x > 4.2 and at.x < 6.6)
				t:expect(door, `somebody goes through the wall at {at.x}`)
			end
			last[i] = at.z
		end
	end
	t:expect(through > 8, `{through} went through`)
end)

test("the force can be switched off and seen", function(t)
	local state = (require "main").state
	tap(t, "f")
	tap(t, "r")
	tap(t, "up")
	t:run(0.3)
	t:expect(not state.force and state.rings and state.people.count == 80)
	t:expect(state.pillars[1].object.push_speed == 0)
	tap(t, "p")
	t:run(2)
	t:expect(state.book and not state.ways)
	for i = 1, state.people.count do
		t:expect_near(vector.magnitude(state.people:velocity(i)), 2, 0.6)
	end
end)
