local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

local function off(main)
	return vector.magnitude(main.hero:bone_position(main.state.limb) - main.state.ball.position)
end

test("the hand follows the mouse within the arm's reach", function(t)
	local main = require "main"
	t:run(5)
	t:replay "tests/mouse_left.jsonl"
	t:run(1)
	t:expect(main.state.limb == "right_hand")
	t:expect(off(main) < 0.04, `{off(main)} m beside the target`)
end)

test("the other arm and the legs take over with O and L", function(t)
	local main = require "main"
	tap(t, "o")
	t:replay "tests/mouse_right.jsonl"
	t:run(1)
	t:expect(main.state.limb == "left_hand", main.state.limb)
	t:expect(off(main) < 0.04, `{off(main)} m beside the target`)
	tap(t, "l")
	t:replay "tests/mouse_low.jsonl"
	t:run(1)
	t:expect(main.state.limb:find "foot" ~= nil, main.state.limb)
end)

test("at weight 0 the arm is the clip's", function(t)
	local main = require "main"
	t:replay "tests/mouse_left.jsonl"
	for _ = 1, 4 do
		tap(t, "down")
	end
	t:run(1)
	t:expect_near(main.state.weight, 0)
	t:expect(off(main) > 0.2, "the hand is still at the target")
end)

test("the door is opened by its knob at any height", function(t)
	local main = require "main"
	tap(t, "2")
	tap(t, "up")
	tap(t, "up")
	t:expect_near(main.door.knob, 1.25, 0.001)
	local opened, least = false, 1
	for _ = 1, 480 do
		t:run_ticks()
		opened = opened or main.door.angle > 60
		local reach = main.door.who:modifier "right_hand"
		if reach and reach.effective_weight > 0.99 and reach.target_error then
			least = math.min(least, reach.target_error)
		end
	end
	t:expect(opened, "the door stays shut")
	t:expect(least < 0.01, `the hand is {least} m beside the knob`)
end)

test("feet on hills hardly slide, and the switch works", function(t)
	local main = require "main"
	tap(t, "3")
	t:run(1)
	main.hills.who:reset_metrics()
	t:run(4)
	t:expect_metric(main.hills.who, "foot_slide", 0.03)
	t:expect(main.hills.who:modifier "foot_ik" ~= nil)
	tap(t, "f")
	t:run(1)
	t:expect(not main.hills.on)
end)
