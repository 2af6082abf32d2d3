test("she stands on the ground and breathes", function(t)
	require "main"
	local hero = t:first_character()
	t:run(1)
	t:expect_state(hero, "idle")
	t:expect(math.abs(hero.position.y) < 0.01, hero.position)
end)
