local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("hinges stay in their plane, cones within their limit, balls bend as they like", function(t)
	local app = require "main"
	local function string()
		return app.strings[1].body
	end
	local function sideways()
		local most = 0
		for i = 1, 20 do
			most = math.max(most, math.abs(string():bone_position(`link_{i}`).z))
		end
		return most
	end
	t:expect(app.strings[1].kind == "hinge", "hinges at first")
	t:run(2.5)
	t:expect(string():bone_position("end").y < 1.2, "it hangs down")
	t:expect_near(string():bone_position("link_1").y, 3.1, 0.01)
	t:expect(sideways() < 0.05, "hinges leave their plane")
	t:expect(app.bend(string()) < app.limit() + 12, `hinges beyond their limit: {app.bend(string())}`)
	tap(t, "2")
	t:run(2.5)
	t:expect(app.bend(string()) < app.limit() + 12, `cones beyond their limit: {app.bend(string())}`)
	tap(t, "3")
	local most = 0
	for _ = 1, 120 do
		t:run_ticks()
		most = math.max(most, app.bend(string()))
	end
	t:expect(most > app.limit() + 5, `balls bend farther: {most}`)
	for i = 1, 19 do
		local apart = vector.magnitude(string():bone_position(`link_{i}`) - string():bone_position(`link_{i + 1}`))
		t:expect_near(apart, 0.2, 0.03)
	end
	tap(t, "up")
	t:expect_near(app.limit(), 38.6, 0.01)
	tap(t, "c")
	t:expect(#app.strings == 3, "all three")
	t:run(1)
	tap(t, "1")
	tap(t, "g")
	tap(t, "mouse_left")
	t:run(0.3)
end)
