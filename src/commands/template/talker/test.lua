test("she speaks, her mouth moves, and space goes on to the next line", function(t)
	require "main"
	local hero = t:first_character()
	local reasons = {}
	hero:on("say_end", function(e) table.insert(reasons, e.reason) end)
	t:run(0.5)
	t:expect(hero.is_speaking, "she begins by herself")
	local widest = 0
	for _ = 1, 60 do
		t:run(1 / 60)
		widest = math.max(widest, hero.face:get "aa")
	end
	t:expect(widest > 0.2, widest)
	t:press "space"
	t:run(0.1)
	t:release "space"
	t:run(1.5)
	t:expect(hero.is_speaking and reasons[1] ~= "end" and #reasons == 1, table.concat(reasons, ", "))
	t:wait_for(function() return not hero.is_speaking end, 12)
	t:expect(reasons[2] == "end", reasons[2])
end)
