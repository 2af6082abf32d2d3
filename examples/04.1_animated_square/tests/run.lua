local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("the square is where its keys say, in every playback", function(t)
	local app = require "main"
	t:run(1)
	local at = app.at()
	local u = app.play().time * 500 / 1000
	t:expect_near(at.x, 0.2 + 0.6 * u, 0.03)
	t:expect_near(at.y, 0.3 + 0.2 * u, 0.03)
	-- Ping-pong: four seconds forwards, then backwards.
	local lengths = app.made().duration
	t:expect_near(lengths, 4, 0.001)
	local half = app.made():sample(2).box
	t:expect_near(half.position.x, 0.8, 0.001)
	t:expect_near(half.scale.x, 2.5, 0.01)
	tap(t, "1")
	t:press "up"
	t:run(1)
	t:release "up"
	t:expect(app.speed() > 1.8, "faster")
	t:run(2)
	t:expect(app.play():end_reason() == "end", "once is over at the end")
	tap(t, "2")
	t:run(2.5)
	t:expect(app.play().loop_count >= 1, "looped")
	tap(t, "k")
	t:expect(#app.places == 4 and math.abs(app.made().duration - 5) < 0.001, "a key more")
	tap(t, "i")
	tap(t, "r")
	t:expect(app.made():sample(2).box.rotation.z > 100, "it turns as well")
	tap(t, "m")
	t:run(0.5)
	t:expect(app.thing() ~= app.square and app.play().time ~= nil, "the torch is moved now")
end)
