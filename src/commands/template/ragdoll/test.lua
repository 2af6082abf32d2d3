test("light blows make her flinch, the last one throws her down, and she gets up", function(t)
	require "main"
	local hero = t:first()
	local function strike()
		t:press "space"
		t:run(0.1)
		t:release "space"
	end
	t:run(0.5)
	strike()
	t:run(0.8)
	t:expect(not hero.down, "a light blow")
	for _ = 1, 4 do
		strike()
		t:run(1.2)
		if hero.down then
			break
		end
	end
	t:expect(hero.down, "the hardest one")
	t:wait_for(function() return not hero.down and hero:bone("head").y > 1.2 end, 15)
	t:expect(hero.lying == "upright", hero.lying)
end)
