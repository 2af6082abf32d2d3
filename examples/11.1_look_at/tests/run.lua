
-- Records the angle between the head direction and the ball, and the head's yaw, both in degrees.
local function watch(main)
	local seen = { off = 0, yaw = 0 }
	main.man:add_modifier("seen", function(pose)
		local way = pose:direction("head", vec(0, 0, 1))
		local to = vector.normalize(main.state.ball.position - pose:position "head")
		seen.off = math.deg(math.acos(math.clamp(vector.dot(way, to), -1, 1)))
		seen.yaw = math.deg(math.atan2(way.x, way.z))
	end)
	return seen
end

local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("the head follows the mouse while a clip plays, but no farther than it can", function(t)
	local main = require "main"
	local seen = watch(main)
	for _ = 1, 300 do
		t:run_ticks()
		t:expect(math.abs(seen.yaw) < 80, `the head is turned by {seen.yaw}`)
	end
	tap(t, "2")
	t:replay "tests/mouse_left.jsonl"
	t:run(1.2)
	local left = seen.yaw
	t:replay "tests/mouse_right.jsonl"
	t:run(1.2)
	t:expect(left < -10 and seen.yaw > 10, `{left} and {seen.yaw}`)
end)

test("at weight 0 only the clip shows", function(t)
	local main = require "main"
	local seen = watch(main)
	t:replay "tests/mouse_right.jsonl"
	t:run(1)
	local full = seen.yaw
	for _ = 1, 4 do
		tap(t, "down")
	end
	t:run(0.7)
	t:expect_near(main.state.weight, 0)
	t:expect(math.abs(seen.yaw) < full * 0.6, `{full} became {seen.yaw}`)
end)

test("the other hand stays on the rifle, aimed or not, and lets go with it", function(t)
	local main = require "main"
	tap(t, "r")
	tap(t, "3")
	t:run(1)
	tap(t, "a")
	for _ = 1, 120 do
		t:run_ticks()
		local missed = main.man:modifier "left_hand".target_error
		t:expect(missed == nil or missed < 0.02, `the hand is {missed} m beside the rifle`)
	end
	t:expect(main.state.aim and main.man:modifier "aim_at" ~= nil)
	tap(t, "r")
	t:run(1)
	t:expect(main.man:modifier "left_hand" == nil, "it let go")
	t:expect(main.rifle.body.position.y < -4)
end)
