-- State machines: tests every part of a definition, and every method of a running machine.

local function near(a: number, b: number, within: number): boolean
	return math.abs(a - b) < within
end

test("a machine follows parameters and events, and why and transition_history explain it", function(t)
	local hero = character "assets/mannequin.glb"
	hero.machine = machine {
		params = { speed = 0 },
		layer "body" {
			state "stand" { "idle" },
			state "move" { "walk" },
			state "hop" { "jump", mode = "once" },
			transition_to "move" { from = "stand", when = "speed > 0.1", fade = inertial(0.2) },
			transition_to "stand" { from = "move", when = "speed < 0.1", fade = inertial(0.2) },
			transition_to "hop" { from = "*", on = "up" },
			transition_to "stand" { from = "hop", at_end = true },
		},
		layer "arms" { mask = "upper_body", state "rest" {}, state "hail" { "wave" }, transition_to "hail" { on = "hail" } },
	}
	local m = hero.machine
	t:run(0.5)
	t:expect(m:state() == "stand" and m:state "arms" == "rest")
	t:expect(near(m:time_in_state(), 0.5, 0.04), m:time_in_state())
	local why = m:why "move"
	t:expect(#why == 1 and not why[1].allowed and why[1].to == "move", "the way is shut")
	m.params.speed = 1
	t:expect(m:why("move")[1].allowed, "the way is open")
	t:run(0.2)
	t:expect(m:state() == "move" and m.params.speed == 1)
	m:send "hail"
	m:send("up", { timeout = 0.1 })
	t:run(0.1)
	t:expect(m:state() == "hop" and m:state "arms" == "hail")
	t:run(2)
	t:expect(m:state() == "move", "over stand, when the clip was done")
	local went = {}
	for _, way in m:transition_history() do table.insert(went, way.to) end
	t:expect(table.concat(went, " ") == "move hop stand move", table.concat(went, " "))
	m.params.speed = 0
	t:expect(m:travel("hop")[1] == "hop")
	t:run(0.1)
	t:expect(m:state() == "hop", "whatever the way asks for")
	t:run(2)
	m:jump_to("move", { fade = 0.1 })
	t:run_ticks()
	t:expect(m:state() == "move", "no transition from stand is needed")
	local ways = m:transition_history()
	t:expect(ways[#ways].reason == "jump_to was called" and ways[#ways].location == "", ways[#ways].reason)
	m:jump_to("hail", { layer = "arms" })
	t:run_ticks()
	t:expect(m:state "arms" == "hail")
	local ok, why_not = pcall(function() m:jump_to "mvoe" end)
	t:expect(not ok and string.find(tostring(why_not), 'no state "mvoe"', 1, true) ~= nil, tostring(why_not))
end)

test("an inertial fade mixes no clips and has no jumps", function(t)
	local hero = character "assets/mannequin.glb"
	hero.machine = machine {
		state "a" { "idle" },
		state "b" { "crouch" },
		transition_to "b" { on = "down", fade = inertial(0.4) },
	}
	t:run(0.5)
	hero:reset_metrics()
	t:send(hero, "down")
	local high = hero:bone_position("head").y
	t:run(0.15)
	t:expect(hero:bone_position("head").y < high - 0.02, "on its way")
	t:run(0.6)
	t:expect(hero:bone_position("head").y < high - 0.1, "down")
	t:expect_metric(hero, "pop", 6)
end)

test("a state plays clips in random order or in sequence", function(t)
	local hero = character "assets/mannequin.glb"
	for _, name in { "a", "b" } do
		hero:add_clip(clip(name) { duration = 0.25, markers = { { 0, name } }, curves = { on = { { 0, 1 } } } })
	end
	local heard = {}
	hero:on("*", { all_clips = true }, function(e)
		if e.clip == "a" or e.clip == "b" then table.insert(heard, e.name) end
	end)
	hero.machine = machine { state "one" { sequence { "a", "b", fade = 0 } } }
	t:run(1)
	t:expect(string.sub(table.concat(heard), 1, 4) == "abab", table.concat(heard))
	table.clear(heard)
	hero.machine = machine { state "any" { random_clips { { "a", 100 }, "b", fade = 0, allow_repeat = true } } }
	t:run(10)
	local n = 0
	for _, name in heard do
		if name == "a" then n += 1 end
	end
	t:expect(n > 30 and #heard >= 39, `{n} of {#heard}`)
end)

-- A character with clips a, b and c; their curve `u` is 0, 1 and 3.
local function measured()
	local hero = character "assets/mannequin.glb"
	for name, value in { a = 0, b = 1, c = 3 } do
		hero:add_clip(clip(name) { duration = 1, curves = { u = { { 0, value } } } })
	end
	return hero
end

test("clips are blended along one parameter", function(t)
	local hero = measured()
	hero.machine = machine {
		params = { x = 0 },
		state "mix" { blend1d { param = "x", { 0, "a" }, { 1, "b" }, { 2, "c" }, sync = "free" } },
	}
	for x, u in { [0] = 0, [0.5] = 0.5, [1.5] = 2, [2] = 3 } do
		t:expect(hero.machine == hero.machine, "the same machine each time")
		hero.machine.params.x = x
		t:run_ticks(2)
		t:expect_near(hero:curve "u", u, 0.01)
	end
end)

test("clips are blended over two parameters, by position or by direction and length", function(t)
	local flat, round = measured(), measured()
	flat.machine = machine {
		params = { x = 0, y = 0 },
		state "mix" { blend2d { x = "x", y = "y", { 0, 0, "a" }, { 1, 0, "b" }, { 0, 1, "c" }, sync = "free" } },
	}
	round.machine = machine {
		params = { x = 0, y = 0 },
		state "mix" { blend_polar { x = "x", y = "y", { 1, 0, "b" }, { 0, 1, "c" }, sync = "free" } },
	}
	local function shown(hero, x: number, y: number): number
		hero.machine.params.x, hero.machine.params.y = x, y
		t:run_ticks(2)
		return hero:curve "u"
	end
	for _, at in { { 0, 0, 0 }, { 1, 0, 1 }, { 0, 1, 3 }, { 0.5, 0, 0.5 } } do
		t:expect_near(shown(flat, at[1], at[2]), at[3], 0.01)
	end
	for _, at in { { 1, 0, 1 }, { 0, 1, 3 }, { 0.5, 0, 1 }, { 1, 1, 2 }, { 0.2, 0.2, 2 } } do
		t:expect_near(shown(round, at[1], at[2]), at[3], 0.01)
	end
end)
