local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("he runs, becomes a wolf, and a man again", function(t)
	local app = require "main"
	local man, head = app.man, app.head
	local v = vector.create
	local function long()
		return vector.magnitude(man:bone_position "left_hand" - man:bone_position "left_lower_arm")
	end
	-- Distance from the centre of the head to the tip of the muzzle, measured by a ray from the front.
	local function muzzle()
		local at = head.position + v(0, -0.03, 0)
		local most = 0
		for dx = -6, 6, 2 do
			for dy = -6, 6, 2 do
				local to = at + v(dx * 0.02, dy * 0.02, 0)
				local hit = head:raycast(to + v(0, 0, 1), to)
				most = math.max(most, if hit then hit.position.z - at.z else 0)
			end
		end
		return most
	end
	t:run(0.1)
	local start, arm, face = man.position.z, long(), muzzle()
	local skin = man:material("skin").tint.x
	t:expect(app.amount() < 0.05 and not app.furs[1].worn, "a man at first")
	t:wait_for(function() return app.amount() >= 1 end, 4)
	t:run(0.3)
	t:expect(long() > arm * 1.08, "longer forearms")
	t:expect(muzzle() > face + 0.05, `a muzzle: {face} to {muzzle()}`)
	t:expect(man:material("skin").tint.x < skin * 0.3, "dark skin")
	for _, one in app.furs do
		t:expect(one.worn ~= nil, "fur everywhere")
	end
	t:expect(man.position.z > start + 8, "he runs on")
	tap(t, "space")
	t:wait_for(function() return app.amount() == 0 end, 2)
	t:expect_near(long(), arm, 0.005)
	t:press "up"
	t:run(2.4)
	t:release "up"
	t:expect(app.amount() > 1.2, "beyond 1")
	tap(t, "m")
	t:run(0.2)
	t:expect_near(long(), arm, 0.005)
	t:expect(not app.furs[1].worn, "morphs alone")
	tap(t, "s")
	local z = man.position.z
	t:run(0.5)
	t:expect_near(man.position.z, z, 0.1)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
