-- Free play: any key ends the demo from the first tick.
local function skipped(t)
	require "main"
	local hero = t:first_character()
	t:run(0.5)
	t:press("enter")
	t:run(0.1)
	t:release("enter")
	t:run(1)
	return hero
end

test("the show plays to its end, and then she can walk", function(t)
	require "main"
	local hero = t:first_character()
	local surfaces, fell, lines = {}, 0, 0
	hero:on("step", function(e) surfaces[e.surface] = true end)
	hero:on("knock_down", function() fell += 1 end)
	hero:on("say_end", function(e) lines += if e.reason == "end" then 1 else 0 end)
	t:run(104)
	for _, name in { "stone", "wood", "grass", "gravel" } do
		t:expect(surfaces[name], "no step on " .. name)
	end
	t:expect(fell == 1, `she fell {fell} times`)
	t:expect(lines == 6, `she said {lines} lines`)
	t:expect_state(hero, "idle")
	t:expect(not hero.is_down)
	local from = hero.position
	t:press("w")
	t:run(2)
	t:expect(vector.magnitude(hero.position - from) > 1.5, "two seconds of walking are more than a metre and a half")
	t:release("w")
	t:press("r")
	t:run(2)
	t:expect(vector.magnitude(hero.position - vector.create(0, 0.51, 0)) < 0.05, "she is not on her plinth again")
end)

test("any key ends the show at any time, and r starts it again", function(t)
	local hero = skipped(t)
	t:expect(hero:material("cloth").thickness == 0, "no marble is left")
	t:press("r")
	t:run(0.1)
	t:release("r")
	t:run(1)
	t:expect(hero:material("cloth").thickness == 1, "a statue again")
end)

test("she stands, and walks while w is pressed", function(t)
	local hero = skipped(t)
	t:expect_state(hero, "idle")
	t:press("w")
	t:run(2)
	t:expect_state(hero, "move")
	t:expect_event(hero, "step", { last_seconds = 0.6 })
	t:release("w")
	t:wait_for(function() return hero.machine:state() == "idle" end, 1.5)
end)

test("she jumps once and lands", function(t)
	local hero = skipped(t)
	t:press("space")
	t:run(0.1)
	t:release("space")
	t:wait_for(function() return #t:event_times(hero, "land") > 0 end, 2)
	t:run(1)
	t:expect_event_count(hero, "takeoff", 1)
	t:expect_state(hero, "idle")
end)

test("both feet make step sounds", function(t)
	local hero = skipped(t)
	local feet = {}
	hero:on("step", function(e) table.insert(feet, e.foot) end)
	t:press("s")
	t:run(5)
	local heard = { left = 0, right = 0 }
	for _, foot in feet do
		heard[foot] += 1
	end
	t:expect(heard.left >= 3 and heard.right >= 3, `left {heard.left}, right {heard.right}`)
end)

test("with random input she stays in the court and no marker is lost", function(t)
	local hero = skipped(t)
	t:random_input(1, {
		seconds = 20,
		check = function()
			t:expect(hero.position.y > -1.5 and hero.position.y < 2, `she is not where she can be: {hero.position}`)
		end,
	})
	t:expect_no_lost_markers(hero)
end)

test("x knocks her down, and she gets up and can walk", function(t)
	local hero = skipped(t)
	t:press("x")
	t:run(0.1)
	t:release("x")
	t:run(1)
	t:expect(hero.is_down, "she lies")
	t:wait_for(function() return #t:event_times(hero, "get_up_end") > 0 end, 9)
	t:press("w")
	t:run(1)
	t:expect_state(hero, "move")
end)
