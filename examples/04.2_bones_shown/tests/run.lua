local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("space shows bones, arrows choose clips, and one made in code moves him", function(t)
	local app = require "main"
	local man = app.man
	t:run(0.5)
	t:expect(app.active() == "run", "he runs at first")
	local low, high = 9, 0
	for _ = 1, 60 do
		t:run_ticks()
		low, high = math.min(low, man:bone_position("left_foot").y), math.max(high, man:bone_position("left_foot").y)
	end
	t:expect(high - low > 0.2, "his foot leaves the ground")
	tap(t, "space")
	t:expect(app.bones(), "the bones are shown")
	tap(t, "space")
	tap(t, "right")
	t:expect(app.active() ~= "run", "the next clip")
	tap(t, "left")
	t:expect(app.active() == "run", "and back")
	t:press "down"
	t:run(1.2)
	t:release "down"
	local time = app.play().time
	t:run(0.3)
	t:expect_near(app.play().time, time, 0.001)
	t:press "up"
	t:run(1)
	t:release "up"
	tap(t, "n")
	t:run(0.3)
	local hips = 9
	for _ = 1, 90 do
		t:run_ticks()
		hips = math.min(hips, man:bone_position("hips").y)
	end
	t:expect(hips < 0.9, "he bends his knees")
	t:expect(man:bone_position("left_foot").y > 0.02, "his feet stay above the ground")
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
