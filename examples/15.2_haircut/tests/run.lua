local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

local function deep(hair)
	return hair:rest_bounds().min.y
end

test("hair is on her head for five seconds", function(t)
	local state = (require "main").state
	t:run(5)
	t:expect(table.find(state.hair:materials(), "hair") ~= nil)
	t:expect(deep(state.hair) < 1.6, `it ends at {deep(state.hair)}`)
end)

test("longer hair hangs deeper, and the head moves", function(t)
	local main = require "main"
	local state = main.state
	local short = deep(state.hair)
	tap(t, "l")
	t:expect(deep(state.hair) < short - 0.05, `{deep(state.hair)} and {short}`)
	tap(t, "h")
	local most = 0
	for _ = 1, 240 do
		t:run_ticks()
		most = math.max(most, math.abs(state.turn))
	end
	t:expect(most > 30, `the head turns by {most}`)
end)

test("level of detail, strips, springs, wind and the control hairs", function(t)
	local state = (require "main").state
	for _, key in { "3", "s", "m", "w", "space" } do
		tap(t, key)
		t:run(0.3)
	end
	t:expect(state.detail == 3 and state.strips and state.book and state.windy and state.shown)
	tap(t, "space")
	tap(t, "1")
	t:expect(state.detail == 1 and not state.shown)
end)
