local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("four instances have times of their own, and step together when told", function(t)
	local app = require "main"
	local instances = app.instances
	t:run(1)
	t:expect(#instances == 4, "four")
	local different = 0
	for i = 2, 4 do
		if instances[i].clip ~= instances[1].clip or math.abs(instances[i].play.time - instances[1].play.time) > 0.02 then
			different += 1
		end
	end
	t:expect(different >= 2, "they differ")
	tap(t, "space")
	t:run(1)
	tap(t, "s")
	t:run(1.5)
	for i = 2, 4 do
		t:expect_near(instances[i].play.time, instances[1].play.time, 0.001)
		local own = instances[i].body
		t:expect_near(own:bone_position("left_foot").y, instances[1].body:bone_position("left_foot").y, 0.02)
	end
	tap(t, "a")
	tap(t, "a")
	t:run(1)
	t:expect(#instances == 12, "eight more")
	tap(t, "r")
	t:run(0.5)
	t:expect(#instances == 4, "four again")
end)
