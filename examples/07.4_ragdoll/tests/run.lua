local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("he tumbles down the stairs, the mesh goes with the bodies, and he gets up", function(t)
	local app = require "main"
	local man = app.people[1]
	local high = man:bone_position("hips").y
	t:run(4)
	t:expect(man.is_down, "he lies")
	t:expect(man:bone_position("hips").y < high - 1, "a metre lower")
	t:expect(man:bone_position("hips").x > -1.3, "down the stairs")
	-- A ray from above hits his mesh at the position of his body.
	local hips = man:bone_position "hips"
	local hit = man:raycast(hips + vec(0, 2, 0), hips - vec(0, 0.3, 0))
	t:expect(hit and vector.magnitude(hit.position - hips) < 0.35, "the mesh is with the bodies")
	local health = man.decal_count
	app.shoot { from = hips + vec(0, 2, 0), to = hips - vec(0, 1, 0), direction = vec(0, -1, 0) }
	t:expect(man.decal_count == health + 1, "a shot meets him")
	t:run(1)
	tap(t, "u")
	t:wait_for(function() return not man.is_down end, 6)
	tap(t, "a")
	t:expect(#app.people == 2, "two of them")
	tap(t, "e")
	t:expect(#app.crates == 9, "crates")
	tap(t, "d")
	t:run(3)
	for _, one in app.people do
		t:expect(one.is_down, "both are down")
	end
	tap(t, "j")
	tap(t, "v")
	tap(t, "g")
	tap(t, "mouse_left")
	t:run(0.5)
end)
