local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("fixed springs keep their length, Hooke's give way and come back", function(t)
	local app = require "main"
	t:run(3)
	t:expect(app.stretch() < 0.05, "pairs keep their length")
	for _, one in app.world().particles do
		t:expect(one.at.y > 0, "above the floor")
	end
	tap(t, "2")
	t:run(1.2)
	t:expect(#app.world().particles == 24, "two tetrahedra and two boxes")
	t:expect(app.stretch() < 0.12, "solid shapes keep their form")
	tap(t, "h")
	local most = 0
	for _ = 1, 120 do
		t:run_ticks()
		most = math.max(most, app.stretch())
	end
	t:expect(most > 0.1, "Hooke's springs give way")
	tap(t, "h")
	tap(t, "m")
	tap(t, "3")
	t:run(1)
	local world = app.world()
	t:expect(world.particles[1].held and world.particles[1].at.y == 1.75, "the bridge is held")
	t:expect(world.particles[8].at.y < 1.74, "and hangs")
end)
