local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("a hundred boxes fall, lie on the ground, and none is through it", function(t)
	local app = require "main"
	t:expect(#app.things == 100, "a hundred")
	t:run(5)
	local still = 0
	for _, one in app.things do
		t:expect(one.position.y > 0.03, "below the ground")
		still += if vector.magnitude(one.velocity) < 0.3 then 1 else 0
	end
	t:expect(still > 80, `most of them lie still: {still}`)
	tap(t, "s")
	tap(t, "e")
	t:run(3)
	for _, one in app.things do
		t:expect(one.position.y > 0.03, "below the ground")
	end
	tap(t, "mouse_left")
	local one = app.things[20]
	local way = vec(0, -1, 0)
	t:expect(app.shoot { from = one.position + vec(0, 4, 0), to = one.position, direction = way } ~= nil, "a thing is met")
	t:run(0.1)
	tap(t, "g")
	tap(t, "g")
	tap(t, "space")
	local high = app.things[50].position.y
	t:run(0.5)
	t:expect_near(app.things[50].position.y, high, 0.2)
end)
