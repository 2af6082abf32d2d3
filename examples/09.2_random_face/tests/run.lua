local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

local function sum(weights, fits)
	local total = 0
	for name, weight in weights do
		if fits(name) then
			total += weight
		end
	end
	return total
end

local function is_speech(name)
	return name:find "viseme" ~= nil
end

test("for five seconds the face never stands still, and weights stay between 0 and 1", function(t)
	local main = require "main"
	local last, still = 0, 0
	for _ = 1, 300 do
		t:run_ticks()
		local total = 0
		for _, weight in main.state.weights do
			t:expect(weight >= 0 and weight <= 1, `a weight is {weight}`)
			total += weight
		end
		still += if total == last then 1 else 0
		last = total
	end
	t:expect(still < 5, `{still} ticks without change`)
	t:expect(main.hero.face:get "happiness" >= 0)
end)

test("keys choose what is mixed", function(t)
	local main = require "main"
	tap(t, "1")
	t:run(2)
	t:expect(sum(main.state.weights, is_speech) < 0.05, "no speech among the emotions")
	tap(t, "2")
	t:run(2)
	t:expect(sum(main.state.weights, is_speech) > 0.2, "shapes of speech")
	t:expect(sum(main.state.weights, function(name) return not is_speech(name) end) < 0.05, "no emotion beside them")
end)

test("space stops it, and F lets only four targets move", function(t)
	local main = require "main"
	t:run(1)
	tap(t, "space")
	local before = table.clone(main.state.weights)
	t:run(1)
	for name, weight in before do
		t:expect_near(main.state.weights[name], weight)
	end
	tap(t, "f")
	t:run(0.2)
	t:expect(main.state.four)
	tap(t, "up")
	t:expect(main.state.every < 0.31, "twice as often")
end)
