local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("left alone she looks, reaches for the ball and speaks", function(t)
	local main = require "main"
	t:run(3)
	t:expect(main.her.looks and main.her.reaches)
	local off = vector.magnitude(main.body:bone_position "right_hand" - main.ball.position)
	t:expect(off < 0.3, `the hand is {off} m off`)
	t:run(2)
	t:expect(main.body.is_speaking, "she is silent")
	t:run(8)
	t:expect(main.body.is_down, "she stands")
end)

test("she walks, runs and jumps", function(t)
	local main = require "main"
	local from = main.body.position
	t:press "s"
	t:run(1.5)
	t:expect_state(main.body, "move")
	t:expect_event(main.body, "step", { last_seconds = 1 })
	t:press "shift"
	t:run(1)
	t:expect(main.body.speed > 3, `she runs at {main.body.speed}`)
	t:release "shift"
	t:release "s"
	t:run(1)
	t:expect(vector.magnitude(main.body.position - from) > 3)
	tap(t, "space")
	local low, high = main.body:bone_position("left_foot").y, 0
	for _ = 1, 120 do
		t:run_ticks()
		high = math.max(high, main.body:bone_position("left_foot").y)
	end
	t:expect(high > low + 0.12, `her foot rises by {high - low}`)
	t:expect_event(main.body, "takeoff", { last_seconds = 2 })
	t:expect_event(main.body, "land", { last_seconds = 2 })
	t:expect_state(main.body, "stand")
end)

test("she pushes crates over", function(t)
	local main = require "main"
	main.body.position = vec(-1.44, 0, -2.5)
	local from = {}
	for _, crate in physics.overlap(vec(-1.44, 0.4, -1.3), { radius = 0.5 }) do
		from[crate] = crate.position
	end
	camera.orbit { yaw = 180, cut = true }
	t:press "w"
	t:run(2)
	t:release "w"
	local most = 0
	for crate, at in from do
		if crate ~= main.body then
			most = math.max(most, vector.magnitude(crate.position - at))
		end
	end
	t:expect(most > 0.15, `a crate moved by {most}`)
end)

test("mood, face, hair, wave", function(t)
	local main = require "main"
	tap(t, "e")
	tap(t, "g")
	tap(t, "h")
	tap(t, "q")
	t:run(1.5)
	t:expect(main.body.face:get "happiness" > 0.6)
	t:expect(main.her.hair ~= nil and main.her.seed == 1)
	local moved = 0
	for _, shape in main.body.face:shapes() do
		moved += math.abs(shape.value)
	end
	t:expect(moved > 1)
end)

test("a shot leaves a wound, killing lets her fall, and she is brought back", function(t)
	local main = require "main"
	t:replay "tests/shoot.jsonl"
	t:run(0.3)
	t:expect(main.body.decal_count > 0, "no wound")
	t:expect(main.body.health < 1)
	tap(t, "k")
	t:run(3)
	t:expect(main.body.is_dead and main.body.is_down)
	tap(t, "k")
	t:wait_for(function() return not main.body.is_dead end, 9)
	t:run(4)
	tap(t, "x")
	t:run(1)
	t:expect(main.body.is_down)
	tap(t, "f")
	t:expect(main.state.detail)
end)
