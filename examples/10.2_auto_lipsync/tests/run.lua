local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("silence shuts the mouth, and louder windows open it", function(t)
	local main = require "main"
	t:expect(main.loudness(0, 0.2) == 0, "it begins with silence")
	t:run(5)
	local bands = {}
	for _, key in main.state.keys do
		bands[key.shape or "shut"] = (bands[key.shape or "shut"] or 0) + 1
		t:expect(if key.share < 0.2 then key.amount == 0 else key.amount >= 0.3, `{key.share} gave {key.amount}`)
	end
	for _, shape in { "shut", "E", "aa", "O" } do
		t:expect(bands[shape], `no window is {shape}`)
	end
	t:expect(#main.state.keys >= 54)
end)

test("the mouth goes up and down with the windows", function(t)
	local main = require "main"
	local ups, last, rising = 0, 0, false
	for _ = 1, 300 do
		t:run_ticks()
		local open = main.hero.face:get "viseme_aa" + main.hero.face:get "viseme_O" + main.hero.face:get "viseme_E"
		if open > last + 0.01 and not rising then
			rising, ups = true, ups + 1
		elseif open < last - 0.01 then
			rising = false
		end
		last = open
	end
	t:expect(ups >= 8, `it opened {ups} times`)
end)

test("keys change windows and the way, and all ways end", function(t)
	local main = require "main"
	tap(t, "right")
	t:expect(main.state.rate == 20)
	tap(t, "left")
	tap(t, "left")
	t:expect(main.state.rate == 5)
	t:run_ticks(2)
	t:expect(#main.state.keys < 32, "fewer keys")
	for mode = 2, 4 do
		tap(t, tostring(mode))
		t:run(1.2)
		t:expect(main.hero.is_speaking, `way {mode} speaks`)
		t:expect(main.state.line.time > 0.5)
	end
	tap(t, "up")
	t:expect_near(main.state.strength, 1.2)
end)
