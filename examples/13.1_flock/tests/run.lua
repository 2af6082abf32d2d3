local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

-- Alignment with the neighbours; 1 is full alignment.
local function together(birds)
	local sum, n = 0, 0
	for i = 1, birds.count do
		for _, k in birds:find_near(birds:position(i), 3) do
			if k ~= i then
				sum += vector.dot(vector.normalize(birds:velocity(i)), vector.normalize(birds:velocity(k)))
				n += 1
			end
		end
	end
	return sum / math.max(n, 1)
end

-- Alignment of the whole flock: the length of the mean heading.
local function order(birds)
	local sum = vector.zero
	for i = 1, birds.count do
		sum += vector.normalize(birds:velocity(i))
	end
	return vector.magnitude(sum) / birds.count
end

test("by the program's rules they stay up, near the point, and go 3 m a second", function(t)
	local state = (require "main").state
	for _ = 1, 10 do
		t:run(1)
		for i = 1, state.birds.count do
			t:expect(state.birds:position(i).y >= 1 - 0.001, `bird {i} is {state.birds:position(i).y} m up`)
			t:expect_near(vector.magnitude(state.birds:velocity(i)), 3, 0.1)
		end
	end
	t:expect(vector.magnitude(state.birds.center - vec(0, 15, 0)) < 12, "they left the point")
	t:expect(order(state.birds) > 0.2, `order {order(state.birds)}`)
end)

test("without its rules a flock is of less one mind", function(t)
	local state = (require "main").state
	tap(t, "2")
	t:run(6)
	local with = together(state.birds)
	tap(t, "a")
	tap(t, "c")
	t:expect(state.birds.alignment == 0 and state.birds.cohesion == 0)
	tap(t, "up")
	t:expect_near(state.birds.neighbor_radius, 4)
	t:run(5)
	local without = together(state.birds)
	t:expect(without < with, `order {with} with the rules, {without} without`)
end)

test("the predator eats, and the others flee", function(t)
	local state = (require "main").state
	t:run(2)
	tap(t, "p")
	t:expect(state.hunts and state.hawk.count == 1)
	t:wait_for(function() return state.eaten > 0 end, 25)
	local at = state.hawk:position(1)
	local fleeing, near = 0, 0
	for _, i in state.birds:find_near(at, 4) do
		near += 1
		if vector.dot(state.birds:velocity(i), state.birds:position(i) - at) > 0 then
			fleeing += 1
		end
	end
	t:expect(near == 0 or fleeing >= near * 0.5, `{fleeing} of {near} flee`)
	tap(t, "p")
	t:expect(not state.hunts and state.hawk == nil)
	tap(t, "n")
	t:run(0.5)
	t:expect(state.birds.count == 1000)
end)
