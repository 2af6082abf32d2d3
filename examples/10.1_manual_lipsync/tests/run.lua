local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("two slots cross: one goes while the next comes, and after the last key the mouth is shut", function(t)
	local main = require "main"
	local keys = { { "O", 0, 0 }, { "O", 1, 1 }, { "SS", 0.5, 2 } }
	local half = main.slots_at(0.5, keys)
	t:expect_near(half[1][2] + half[2][2], 0.5)
	local later = main.slots_at(1.5, keys)
	t:expect(later[1][1] == "O" and later[2][1] == "SS")
	t:expect_near(later[1][2], 0.5)
	t:expect_near(later[2][2], 0.25)
	t:expect(#main.slots_at(2, keys) == 0)
	for i = 2, #main.keys do
		t:expect(main.keys[i][3] > main.keys[i - 1][3], `key {i} is not later than the one before`)
	end
end)

test("the mouth moves with the line, closes for m and b, and is still when it is over", function(t)
	local main = require "main"
	local open, closed, shapes = 0, 0, {}
	for _ = 1, 300 do
		t:run_ticks()
		for _, slot in main.state.slots do
			shapes[slot[1]] = true
		end
		open = math.max(open, main.hero.face:get "viseme_aa")
		closed = math.max(closed, main.hero.face:get "viseme_PP")
	end
	local n = 0
	for _ in shapes do
		n += 1
	end
	t:expect(open > 0.8 and closed > 0.8, `open {open}, closed {closed}`)
	t:expect(n >= 9, `{n} mouth shapes`)
	t:run(0.3)
	t:expect(#main.state.slots == 0 and main.hero.face:get "viseme_aa" < 0.01, "silent")
end)

test("keys shift the mouth, leave keys out, and hand the mouth to the runtime", function(t)
	local main = require "main"
	tap(t, "up")
	tap(t, "up")
	t:expect_near(main.state.shift, 0.1)
	tap(t, "f")
	tap(t, "m")
	t:expect(main.state.fewer and main.state.mood)
	tap(t, "a")
	t:run(1)
	t:expect(main.hero.is_speaking, "she says it herself")
	t:expect(#main.state.slots == 0)
	tap(t, "a")
	t:run(0.5)
	t:expect(not main.hero.is_speaking and main.state.voice.time ~= nil)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
