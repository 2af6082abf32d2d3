local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("weights change by chance, each target works alone, and none leaves the face as it was", function(t)
	local app = require "main"
	local girl = app.girl
	local low, high = { 1, 1, 1, 1 }, { 0, 0, 0, 0 }
	for _ = 1, 300 do
		t:run_ticks()
		for i = 1, 4 do
			low[i], high[i] = math.min(low[i], app.weights[i]), math.max(high[i], app.weights[i])
		end
	end
	for i = 1, 4 do
		t:expect(high[i] - low[i] > 0.2, `target {i} never changed`)
	end
	tap(t, "space")
	t:run(3)
	local function depth(x, y)
		local to = girl:bone_position "head" + vec(x, y, 0)
		local hit = girl:raycast(to + vec(0, 0, 1), to)
		return hit and hit.position.z or 0
	end
	for i = 1, 4 do
		t:expect(app.weights[i] == 0, "at rest")
	end
	local chin = depth(0, -0.03)
	tap(t, "3")
	t:run(1.5)
	t:expect(app.weights[3] > 0.95 and app.weights[1] == 0, "surprise alone")
	t:expect(math.abs(depth(0, -0.03) - chin) > 0.0005, "the face moved")
	tap(t, "3")
	t:run(3)
	t:expect_near(depth(0, -0.03), chin, 0.00001)
	tap(t, "e")
	t:expect(#app.stools == 6, "toadstools")
	local stool = app.stools[1]
	local function cap()
		local at = stool.position + vec(0.1, 0, 0)
		local hit = stool:raycast(at + vec(0, 2, 0), at)
		return hit and hit.position.y or 0
	end
	local least, most = 9, 0
	for _ = 1, 120 do
		t:run_ticks()
		least, most = math.min(least, cap()), math.max(most, cap())
	end
	t:expect(most - least > 0.02, "they sway")
	tap(t, "v")
	tap(t, "v")
	tap(t, "e")
	t:expect(#app.stools == 0, "gone")
end)
