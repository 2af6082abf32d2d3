local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("both ways stand in the same pose, the head turns, and shots meet the skin", function(t)
	local app = require "main"
	local from, to = vec(0, 1.25, 3), vec(0, 1.25, -3)
	t:run(1)
	local first = app.man():raycast(from, to)
	t:expect(first and first.bone ~= nil, "a ray through the chest meets him")
	tap(t, "2")
	t:run(0.5)
	local second = app.man():raycast(from, to)
	t:expect(second and vector.magnitude(second.position - first.position) < 0.0005, "the card's shape is the processor's")
	tap(t, "1")
	local function nose()
		local hit = app.man():raycast(vec(0, 1.68, 3), vec(0, 1.68, -3))
		return if hit then hit.position.z else 0
	end
	t:run(0.2)
	local still = nose()
	tap(t, "h")
	local most = 0
	for _ = 1, 120 do
		t:run_ticks()
		most = math.max(most, math.abs(nose() - still))
	end
	t:expect(most > 0.005, "the head turns away")
	tap(t, "h")
	tap(t, "s")
	t:run(0.5)
	t:expect(nose() > still + 0.02, "a large head reaches farther ahead")
	tap(t, "mouse_left")
	t:expect(app.man().decal_count == 1, "the shot in the middle of the picture left a mark")
	tap(t, "space")
	t:run(1)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
