local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("what falls springs back by its bounce, and nothing is ever within a box", function(t)
	local app = require "main"
	local verlet, world = app.verlet, app.world
	-- A single particle falls by g t² / 2 and bounces back to bounce² times the drop height.
	local own = verlet.world()
	verlet.box(own, vec(0, -0.5, 0), vec(10, 1, 10))
	local ball = verlet.particle(own, vec(0, 1.05, 0), { bounce = 0.8, radius = 0.05 })
	verlet.update(own, 0.3)
	t:expect_near(ball.at.y, 1.05 - 9.81 * 0.3 ^ 2 / 2, 0.02)
	verlet.update(own, 0.3)
	local high = 0
	for _ = 1, 30 do
		verlet.update(own, 1 / 60)
		high = math.max(high, ball.at.y - 0.05)
	end
	t:expect_near(high, 0.64, 0.05)
	local function within()
		for _, one in world.particles do
			for _, box in world.boxes do
				local deep = math.huge
				for i, half in box.half do
					deep = math.min(deep, half + one.radius - math.abs(vector.dot(one.at - box.at, box.axes[i])))
				end
				if deep > 0.02 then
					return true
				end
			end
		end
		return false
	end
	for _ = 1, 20 do
		t:run(0.1)
		t:expect(not within(), "one is within a box")
	end
	t:press "down"
	t:run(1.5)
	t:release "down"
	t:expect(app.bounce() == 0, "no bounce")
	t:run(1)
	for _, key in { "w", "g", "m", "e", "p" } do
		tap(t, key)
		t:run(0.3)
	end
	t:expect(not within(), "nothing within the stair")
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
