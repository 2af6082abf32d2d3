local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("each footfall calls once, at any speed, and tells what lies under it", function(t)
	local app = require "main"
	local man = app.man
	local surfaces = {}
	man:on("footstep", function(e) surfaces[e.surface] = true end)
	t:run(4)
	t:expect_near(app.calls(), 8, 1)
	t:expect(surfaces.gravel and surfaces.wood and surfaces.grass, "gravel, wood and grass were told")
	t:expect(man:clip("walk").bytes * 10 < app.plain "walk", "packed to less than a tenth")
	t:press "up"
	t:run(1)
	t:release "up"
	local before = app.calls()
	t:run(3)
	t:expect_near(app.calls() - before, 12, 1)
	tap(t, "2")
	tap(t, "l")
	t:run(1)
	t:expect_event_log(man, { name = "footstep", clip = "walk", outcome = "fired" })
	tap(t, "r")
	t:run(1)
	t:expect_event_log(man, { name = "footstep", clip = "run", outcome = "fired" })
	t:expect_no_lost_markers(man)
end)
