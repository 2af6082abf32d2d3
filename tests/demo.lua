test("she stands, and walks when w is pressed", function(t)
	require "main"
	local hero = t:first()
	t:run(1)
	t:expect_state(hero, "idle")
	t:press("w")
	t:run(2)
	t:expect_state(hero, "move")
	t:expect_event(hero, "step", { within = 0.6 })
	t:expect(vector.magnitude(hero.position) > 1.5, "two seconds of walking are more than a metre and a half")
	t:release("w")
	t:wait_for(function() return hero.machine:state() == "idle" end, 1.5)
end)

test("a jump takes off once, lands once and ends where it began", function(t)
	require "main"
	local hero = t:first()
	t:run(0.5)
	t:press("space")
	t:run(0.1)
	t:release("space")
	t:wait_for(function() return #t:events(hero, "land") > 0 end, 2)
	t:run(1)
	t:expect_events(hero, "takeoff", 1)
	t:expect_events(hero, "land", 1)
	t:expect_near(t:events(hero, "land")[1] - t:events(hero, "takeoff")[1], 0.38, 0.02)
	t:expect_state(hero, "idle")
end)

test("both feet are heard, one after the other", function(t)
	require "main"
	local hero = t:first()
	local feet = {}
	hero:on("step", function(e) table.insert(feet, e.foot) end)
	t:press("w")
	t:run(4)
	t:expect(#feet >= 6)
	for i = 2, #feet do
		t:expect(feet[i] ~= feet[i - 1], "step " .. i .. " is the same foot again")
	end
end)

test("left alone she strolls over every surface", function(t)
	require "main"
	local hero = t:first()
	local surfaces = {}
	hero:on("step", function(e) surfaces[e.surface] = true end)
	t:run(45)
	for _, name in { "stone", "wood", "grass", "gravel" } do
		t:expect(surfaces[name], "no step on " .. name)
	end
end)

test("the reel ends with her standing still", function(t)
	require "main"
	t:replay("reel.jsonl")
	t:wait_for(function() return t:first().machine:state() == "idle" end, 2)
end)

test("whatever is pressed, she stays on the floor and no mark is lost", function(t)
	require "main"
	local hero = t:first()
	t:random(1, {
		seconds = 20,
		check = function()
			t:expect(hero.position.y > -0.01 and hero.position.y < 1.5, `she is not where she can be: {hero.position}`)
		end,
	})
	t:expect_no_lost(hero)
end)

test("x knocks her down, and she gets up and walks on", function(t)
	require "main"
	local hero = t:first()
	t:run(0.5)
	t:press("x")
	t:run(0.1)
	t:release("x")
	t:wait_for(function() return hero.down ~= nil end, 1)
	t:run(0.6)
	t:expect(hero:bone("head").y < 0.9, "she lies")
	t:wait_for(function() return #t:events(hero, "stand") > 0 end, 9)
	t:expect(hero:bone("head").y > 1.3, "she stands")
	t:press("w")
	t:run(1)
	t:expect_state(hero, "move")
end)
