test("light blows make her flinch, the last one throws her down, and she gets up", function(t)
	require "main"
	local hero = t:first_character()
	local function strike()
		t:press "space"
		t:run(0.1)
		t:release "space"
	end
	t:run(0.5)
	strike()
	t:run(0.8)
	t:expect(not hero.is_down, "a light blow")
	for _ = 1, 4 do
		strike()
		t:run(1.2)
		if hero.is_down then
			break
		end
	end
	t:expect(hero.is_down, "the hardest one")
	t:wait_for(function() return not hero.is_down and hero:bone_position("head").y > 1.2 end, 15)
	t:expect(hero.posture == "upright", hero.posture)
end)
