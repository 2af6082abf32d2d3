-- The demo is saved and loaded while it plays.

require "../scripts/main"

test("the show continues where it was saved", function(t)
	t:run(12)
	local place = characters()[1].position
	local shot = keep_on_reload("show").shot
	t:press "f5"
	t:run(6)
	t:press "f9"
	t:run_ticks()
	t:expect(#saves() == 1 and saves()[1].slot == "demo")
	t:expect(characters()[1].position == place, characters()[1].position)
	t:expect(keep_on_reload("show").shot == shot)
	t:run(4)
end)
