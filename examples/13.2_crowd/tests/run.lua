local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

local function nearest_pair(people)
	local least = math.huge
	for i = 1, people.count do
		for k = i + 1, people.count do
			least = math.min(least, vector.magnitude(people:position(i) - people:position(k)))
		end
	end
	return least
end

test("by the program's rules nobody walks through anybody, and goals are reached", function(t)
	local state = (require "main").state
	t:run(1)
	for _ = 1, 16 do
		t:run(0.25)
		local least = nearest_pair(state.people)
		t:expect(least > 0.6, `two are {least} m apart`)
	end
	t:run(3)
	t:expect(state.arrivals > 5, `{state.arrivals} arrived`)
	for i = 1, state.people.count do
		t:expect_near(vector.magnitude(state.people:velocity(i)), 2, 0.6)
	end
end)

test("at their own pace some slow down", function(t)
	local state = (require "main").state
	tap(t, "2")
	tap(t, "up")
	t:run(3)
	t:expect(state.people.count == 80)
	local slow, fast = 0, 0
	for _ = 1, 20 do
		t:run(0.1)
		for i = 1, state.people.count do
			local speed = vector.magnitude(state.people:velocity(i))
			slow += if speed < 0.8 then 1 else 0
			fast += if speed > 1.05 then 1 else 0
		end
	end
	t:expect(slow > 0 and fast > slow, `{slow} slow, {fast} fast`)
	t:expect(nearest_pair(state.people) > 0.3)
end)

test("a leader is followed", function(t)
	local state = (require "main").state
	tap(t, "l")
	t:run(12)
	local at, sum = state.leader:position(1), 0
	for i = 1, state.people.count do
		sum += vector.magnitude(state.people:position(i) - at)
	end
	t:expect(sum / state.people.count < 8, `they are {sum / state.people.count} m away in the mean`)
	tap(t, "l")
	t:run(0.2)
	t:expect(state.leader == nil)
end)

test("who comes near the fire salutes it", function(t)
	local state = (require "main").state
	tap(t, "2")
	tap(t, "o")
	t:wait_for(function() return state.salutes >= 3 end, 20)
	local before = state.arrivals
	t:run(8)
	t:expect(state.arrivals > before, "they go on afterwards")
end)
