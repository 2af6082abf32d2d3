local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

local function weights(hero)
	local all = {}
	for name, shape in hero.face:shapes() do
		all[name] = shape.value
	end
	return all
end

local function apart(a, b)
	local sum = 0
	for name, weight in a do
		sum += math.abs(weight - b[name])
	end
	return sum
end

test("three faces differ, and space makes others", function(t)
	local state = (require "main").state
	t:run(5)
	local first = weights(state.faces[1])
	t:expect(apart(first, weights(state.faces[2])) > 1, "two faces are alike")
	t:expect(apart(first, weights(state.faces[3])) > 1, "two faces are alike")
	tap(t, "space")
	t:expect(state.seed == 13)
	t:expect(apart(first, weights(state.faces[1])) > 1, "space changed nothing")
end)

test("the middle face is made by hand, and gets its own back", function(t)
	local state = (require "main").state
	tap(t, "down")
	local name = state.names[2]
	local before = state.faces[2].face:shape(name)
	t:press "right"
	t:run(3)
	t:release "right"
	local most = state.faces[2].face:shapes()[name].max
	t:expect_near(state.faces[2].face:shape(name), most, 0.001)
	t:expect(before < most)
	tap(t, "r")
	for other, weight in weights(state.faces[2]) do
		t:expect(math.abs(weight) < 0.001, `{other} is {weight}`)
	end
end)

test("the book's chance gives no weight below 0, and a smile is added to any face", function(t)
	local state = (require "main").state
	tap(t, "c")
	for name, weight in weights(state.faces[1]) do
		t:expect(weight >= 0 and weight < 1, `{name} is {weight}`)
	end
	local before = weights(state.faces[3])
	tap(t, "e")
	t:run(2)
	t:expect(state.faces[3].face:get "happiness" > 0.6)
	t:expect(apart(before, weights(state.faces[3])) < 0.001, "what a face is like stays")
end)
